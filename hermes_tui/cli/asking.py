"""Asking before something is done, and saying how far it is."""

from __future__ import annotations

import sys
import time

import click

from hermes_tui.cli.output import say
from hermes_tui.errors import Refused

QUIET_SECONDS = 0.5
"""What takes no longer goes on without a word."""
REFRESH_SECONDS = 0.2


def confirm(question: str, *, yes: bool) -> None:
    """Go on only if a person says so, or has said so with --yes.

    Raises:
        Refused: they said no, or there is nobody to ask.
    """
    if yes:
        return
    if sys.stdin is None or not sys.stdin.isatty():
        raise Refused(f"{question} Nobody is there to ask.", code="not_confirmed", hint="Say yes with --yes.")
    if not click.confirm(question, default=False, err=True):
        raise Refused("Nothing was done.", code="not_confirmed")


class ProgressLine:
    """A line on a terminal that says how much is done; nothing where nobody looks."""

    def __init__(self, verb: str) -> None:
        self._verb = verb
        self._tty = sys.stderr is not None and sys.stderr.isatty()
        self._started = time.monotonic()
        self._next = self._started + QUIET_SECONDS
        self._shown = False

    def __call__(self, done: int, total: int = 0) -> None:
        """Show it, if it is time to; without a total where nobody knows it yet."""
        now = time.monotonic()
        if not self._tty or now < self._next:
            return
        self._next = now + REFRESH_SECONDS
        self._shown = True
        of = f" of {total:,} ({done / total:.0%})" if total else ""
        sys.stderr.write(f"\r\x1b[K{self._verb} {done:,}{of} …")
        sys.stderr.flush()

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def tell_failures(failed: list[tuple[str, str]]) -> None:
    """Say what could not be done, and why: each of a few, and a count of more."""
    for id, reason in failed[:20]:
        say(f"{id}: {reason}")
    if len(failed) > 20:
        say(f"… and {len(failed) - 20:,} more.")
