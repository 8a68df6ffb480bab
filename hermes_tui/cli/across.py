"""An entry that a command sends to another profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hermes_tui.cli.context import completed_by, open_store_of, options
from hermes_tui.cli.output import emit, say

if TYPE_CHECKING:
    from hermes_tui.memory.check import EntryRef
    from hermes_tui.memory.editing import MemoryStore
    from hermes_tui.memory.entries import StoreName

to_profile = click.option(
    "--to-profile", metavar="NAME", help="To this profile.", shell_complete=completed_by("profiles")
)


def send_to(
    files: MemoryStore, ref: EntryRef, profile: str, *, keep: bool, to: StoreName | None, accept_newer: bool
) -> None:
    """Copy or move an entry to another profile of the same root, and say how that ended in both."""
    from hermes_tui.cli.memory import told  # loaded here: it is what asks for this
    from hermes_tui.home import home_of
    from hermes_tui.memory.across import name_of, send

    target = open_store_of(home_of(files.home.root, profile), options())
    sent = send(files, [ref], target, keep=keep, to=to, accept_newer=accept_newer)
    if not options().json:
        say(sent.message)
        for outcome in (sent.there, *([sent.here] if sent.here else [])):
            if outcome.backup:
                say(f"The old bytes are in {outcome.backup}.")
        if target.home.note:
            say(target.home.note)
        return
    here = told(files, *([sent.here] if sent.here else []))
    there = {"name": name_of(target.home), "home": str(target.home.path), **told(target, sent.there)}
    emit({**here, "message": sent.message, "changed": not sent.already, "to_profile": there}, str, as_json=True)
