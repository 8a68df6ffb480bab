"""`hermes-tui profiles`: which homes there are under one root."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hermes_tui.cli.context import choose_home, home_options, json_option, options
from hermes_tui.cli.output import emit
from hermes_tui.text import fit

if TYPE_CHECKING:
    from hermes_tui.home import Profile


@click.group()
def profiles() -> None:
    """The profiles of this home's root."""


@profiles.command("list")
@home_options
@json_option
def list_() -> None:
    """Every profile, its home, and which one is active."""
    from hermes_tui.home import list_profiles

    chosen = options()
    if not (chosen.home or chosen.profile or chosen.demo):
        chosen.profile = "default"  # the root itself: a broken marker must not hide the list
    root = choose_home(chosen).root
    found = list_profiles(root)
    shape = {"root": str(root), "profiles": [_shape(profile) for profile in found]}
    emit(shape, lambda: "\n".join(map(_line, found)), as_json=chosen.json)


def _shape(profile: Profile) -> dict[str, object]:
    return {
        "name": profile.name,
        "path": str(profile.path),
        "active": profile.active,
        "description": profile.description,
        "note": profile.note,
    }


def _line(profile: Profile) -> str:
    mark = "active" if profile.active else ""
    rest = " · ".join(part for part in (str(profile.path), profile.description, profile.note) if part)
    return f"{fit(profile.name, 16)} {mark:6}  {rest}"
