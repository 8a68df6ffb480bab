"""`hermes-tui profiles`: which homes there are under one root, and what one remembers that another does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import indent
from typing import TYPE_CHECKING, Any

import click

from hermes_tui.cli.context import choose_home, completed_by, home_options, json_option, open_config, options
from hermes_tui.cli.output import emit, report
from hermes_tui.text import fit, plural, visible

if TYPE_CHECKING:
    from pathlib import Path

    from hermes_tui.home import HermesHome, Profile
    from hermes_tui.memory.across import Comparison
    from hermes_tui.memory.view import EntryView, StoreView

ANY_PROFILE = completed_by("profiles")


@click.group()
def profiles() -> None:
    """The profiles of this home's root."""


@profiles.command("list")
@home_options
@json_option
def list_() -> None:
    """Every profile, its home, and which one is active."""
    from hermes_tui.home import list_profiles

    root = _root()
    found = list_profiles(root)
    shape = {"root": str(root), "profiles": [_shape(profile) for profile in found]}
    emit(shape, lambda: "\n".join(map(_line, found)), as_json=options().json)


@profiles.command()
@click.argument("a", metavar="A", shell_complete=ANY_PROFILE)
@click.argument("b", metavar="B", shell_complete=ANY_PROFILE)
@home_options
@json_option
def compare(a: str, b: str) -> int:
    """What the profile A remembers that B does not, the other way round, and what is nearly the same."""
    from hermes_tui.home import home_of
    from hermes_tui.memory.across import compare as compared

    chosen = options()
    root = _root()
    one, other = home_of(root, a), home_of(root, b)
    found = compared(one, open_config(one), other, open_config(other))
    shape = {"a": _home_shape(one), "b": _home_shape(other), "stores": [_compared_shape(store) for store in found]}
    closed = next((store.closed for store in found if store.closed), None)
    if closed is None or not chosen.json:
        text = "\n\n".join(_compared_text(store, one.profile, other.profile) for store in found)
        emit(shape, lambda: text, as_json=chosen.json)
    if closed is not None:
        report(closed.state, closed.problem, closed.hint, as_json=chosen.json, answer=shape)
        return 3
    return 0


def _root() -> Path:
    chosen = options()
    if not (chosen.home or chosen.profile or chosen.demo):
        chosen.profile = "default"  # the root itself: a broken marker must not hide the list
    return choose_home(chosen).root


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


def _home_shape(home: HermesHome) -> dict[str, str]:
    return {"name": home.profile, "home": str(home.path)}


def _compared_shape(found: Comparison) -> dict[str, Any]:
    return {
        "store": found.store,
        "same": found.same,
        "a": _side_shape(found.one),
        "b": _side_shape(found.other),
        "both": [{"a": one.index, "b": other.index, "text": one.text} for one, other in found.both],
        "near": [
            {
                "a": pair.one.index,
                "b": pair.other.index,
                "a_text": pair.one.text,
                "b_text": pair.other.text,
                "share": round(pair.share, 3),
            }
            for pair in found.near
        ],
        "only_a": _entries_shape(found.only_one),
        "only_b": _entries_shape(found.only_other),
        "looked_for_near": found.looked_for_near,
    }


def _side_shape(view: StoreView) -> dict[str, Any]:
    from hermes_tui.cli.shapes import usage_shape

    return {"path": str(view.path), "state": view.state, "problem": view.problem, "usage": usage_shape(view.usage)}


def _entries_shape(entries: Sequence[EntryView]) -> list[dict[str, Any]]:
    return [{"index": entry.index, "text": entry.text, "chars": entry.chars} for entry in entries]


def _compared_text(found: Comparison, one: str, other: str) -> str:
    counts = [f"{len(found.both):,} in both"]
    if found.near:
        counts.append(f"{len(found.near):,} nearly the same")
    counts += [f"{len(found.only_one):,} only in {one}", f"{len(found.only_other):,} only in {other}"]
    if found.same:
        count = len(found.both)
        counts = [
            f"the same {plural(count, 'entry', 'entries')} in {one} and {other}" if count else "no entry in either"
        ]
    lines = [f"{found.one.file_name}: {', '.join(counts)}"]
    if not found.looked_for_near:
        lines.append("  There are too many entries to look for those that are nearly the same.")
    return "\n".join([*lines, *_compared_lines(found)])


def _compared_lines(found: Comparison) -> Iterator[str]:
    """`=` in both, `~` nearly the same, `<` only in the first, `>` only in the second; with the numbers there."""
    from hermes_tui.memory.worddiff import word_diff

    for one, both in found.both:
        yield _entry_line("=", one.index, both.index, one.text)
    signs = {"same": ("", ""), "del": ("[-", "-]"), "ins": ("{+", "+}")}
    for pair in found.near:
        pieces = word_diff(pair.one.text, pair.other.text)
        text = "".join(f"{signs[piece.kind][0]}{piece.text}{signs[piece.kind][1]}" for piece in pieces)
        yield _entry_line("~", pair.one.index, pair.other.index, text)
    for entry in found.only_one:
        yield _entry_line("<", entry.index, None, entry.text)
    for entry in found.only_other:
        yield _entry_line(">", None, entry.index, entry.text)


def _entry_line(sign: str, one: int | None, other: int | None, text: str) -> str:
    numbers = f"{one or '':>4} {other or '':>4}"
    return f"  {sign} {numbers}  {indent(visible(text), ' ' * 15, lambda _: True)[15:]}"
