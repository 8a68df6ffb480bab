"""`hermes-tui count`: how many writes wait, fast enough for a shell prompt."""

from __future__ import annotations

import os

import click

from hermes_tui.cli.context import home_options, json_option, open_home, options
from hermes_tui.cli.output import emit
from hermes_tui.errors import Unreadable


@click.command()
@home_options
@json_option
def count() -> None:
    """How many writes wait for approval, as one number.

    With --json also how many of either kind.
    """
    from hermes_tui.pending.queue import SUBSYSTEMS, count_pending

    chosen = options()
    home = open_home(chosen)
    for folder in (home.path / "pending", *map(home.pending, SUBSYSTEMS)):
        if os.path.lexists(folder) and not os.access(folder, os.R_OK | os.X_OK):
            raise Unreadable(f"{folder} cannot be looked into.", code="unreadable", hint=f"Try chmod u+rx {folder}.")
    waiting = count_pending(home)
    shape = {"memory": waiting.memory, "skills": waiting.skills, "total": waiting.total}
    emit(shape, lambda: str(waiting.total), as_json=chosen.json, raw=True)
