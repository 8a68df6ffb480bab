"""Timers that go off once, whatever holds the process up; Textual's own may stay silent for ever."""

from __future__ import annotations

from typing import Any

from textual.timer import Timer


class SureTimer(Timer):
    """A timer that leaves out beats it is too late for, but not its only one.

    Between noting when it began and looking whether it is late, another thread may take more than the timer's time.
    One that was to end a delay of drawing would leave the screen as it is for good.
    """

    def __init__(self, *args: Any, repeat: int | None = None, skip: bool = True, **options: Any) -> None:
        super().__init__(*args, repeat=repeat, skip=skip and repeat != 0, **options)
