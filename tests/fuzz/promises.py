"""What holds wherever something comes from outside: errors are ours, and nothing takes for ever."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from hermes_tui.errors import HermesTuiError
from hermes_tui.text import visible
from tests.nasty import raw_control_bytes

LIMIT_SECONDS = 3.0
"""Of processor time for one input: a hundred times what any takes, also where every line is counted."""
Result = TypeVar("Result")


class TooSlow(BaseException):
    """Something took more time than an input of its size may take."""


def ours(action: Callable[[], Result]) -> Result | None:
    """What it gives; None where it says no in a sentence of ours. Anything else that it raises is a fault."""
    try:
        return action()
    except HermesTuiError as error:
        said = error
    assert said.code, said
    for words in (said.message, said.hint or "."):
        assert words.rstrip("”\"')`").endswith((".", "!", "?", "…")), f"no sentence: {words!r}"
    return None


def is_calm(shown: str, *, lines: bool = True) -> None:
    """There is nothing in it that a terminal acts on."""
    assert not raw_control_bytes(shown), ascii(shown)
    assert lines or "\n" not in shown, ascii(shown)


def can_be_shown(text: str) -> None:
    """Whatever it is, it can be put on a screen."""
    is_calm(visible(text))
    is_calm(visible(text, multiline=False), lines=False)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Give up what takes more processor time.

    Raises:
        TooSlow: it does; where no signal comes through, once it is done.
    """

    def stop(_signal: int, frame: FrameType | None) -> None:
        where = f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame else "?"
        raise TooSlow(f"more than {seconds} s, at {where}")

    began = time.process_time()
    timed = threading.current_thread() is threading.main_thread()
    if timed:
        before = signal.signal(signal.SIGVTALRM, stop)
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        if timed:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)
    if time.process_time() - began > seconds:
        raise TooSlow(f"more than {seconds} s")
