"""A terminal that shows what was there before until there is a frame to show instead."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from textual.drivers.linux_driver import LinuxDriver

UNKNOWN_SIZE = (80, 24)
QUESTION_ENDS = "$p"
FRAME_BEGINS, FRAME_ENDS = "\x1b[?2026h", "\x1b[?2026l"
"""Terminals that know them show what is between at once; all others ignore them."""


class CurtainDriver(LinuxDriver):
    """The terminal driver, entering the app's screen together with the first frame."""

    _held: list[str] | None = None
    """What the terminal will be told together with the first frame; None from then on."""
    _began = False

    def _get_terminal_size(self) -> tuple[int, int]:
        """How large the terminal is; the usual size where it does not know itself."""
        columns, rows = shutil.get_terminal_size()
        return columns or UNKNOWN_SIZE[0], rows or UNKNOWN_SIZE[1]

    def write(self, data: str) -> None:
        """Write, or keep it for the first frame; questions go at once, so that they are answered by then."""
        if self._held is None or data.endswith(QUESTION_ENDS):
            super().write(data)
        else:
            self._held.append(data)

    @contextmanager
    def raised(self) -> Iterator[None]:
        """Show the app's screen, together with all that is drawn meanwhile."""
        super().write(FRAME_BEGINS)
        self._let_go()
        try:
            yield
        finally:
            self.write(FRAME_ENDS)

    def _let_go(self) -> None:
        held, self._held = self._held, None
        if held:
            super().write("".join(held))

    def start_application_mode(self) -> None:
        """Take the terminal; the first time, nothing of that is seen yet."""
        if not self._began:
            self._began, self._held = True, []
            self._size = self._size or self._get_terminal_size()
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def stop_application_mode(self) -> None:
        """Give the terminal back."""
        self._let_go()
        super().stop_application_mode()
