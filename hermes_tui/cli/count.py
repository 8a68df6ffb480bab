"""`hermes-tui count`: how many writes wait, fast enough for a shell prompt."""

from __future__ import annotations

import click

from hermes_tui.cli.context import home_options, json_option, open_home, options
from hermes_tui.cli.output import emit


@click.command()
@home_options
@json_option
def count() -> None:
    """How many writes wait for approval, as one number.

    With --json also how many of either kind.
    """
    from hermes_tui.pending.records import count_pending

    chosen = options()
    waiting = count_pending(open_home(chosen))
    shape = {"memory": waiting.memory, "skills": waiting.skills, "total": waiting.total}
    emit(shape, lambda: str(waiting.total), as_json=chosen.json, raw=True)
