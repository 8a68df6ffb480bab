"""Ending by a signal or an unforeseen error: the terminal is given back, and text that was being written is kept."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hermes_tui.errors import CRASHED
from hermes_tui.text import visible

if TYPE_CHECKING:
    from types import FrameType

    from hermes_tui.ui.app import HermesTuiApp
    from hermes_tui.ui.switching import Towards

SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGINT") if hasattr(signal, name))
GRACE_SECONDS = 3.0
"""What does not end in this time is ended."""
GIVE_BACK = b"\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"
"""Takes back every mode that the screen asks a terminal for."""


class Ending:
    """Ends the app in order when a signal says so, with 128 and its number."""

    def __init__(self, app: HermesTuiApp) -> None:
        self._app = app
        self._loop: asyncio.AbstractEventLoop | None = None
        self.words = ""
        """What to say on stderr once the terminal is given back."""
        self.error: BaseException | None = None
        """The error nobody foresaw that ends the app."""
        self.reported: set[tuple[str, int]] = set()
        """Where errors came from that did not end it and of which a report is kept."""
        self.towards: Towards | None = None
        """Where it goes on, for an app that leaves for another home."""
        self.early: list[int] = []
        """Signals that came before anybody listened."""
        self._kept = self._timed = False

    @property
    def handing_over(self) -> bool:
        """Whether another app takes the terminal as it is."""
        return self.towards is not None and not self.words and self.error is None

    def watch(self) -> None:
        """Listen from now on; what was ignored from the start (`nohup`) stays ignored."""
        self._loop = asyncio.get_running_loop()
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                    self._loop.add_signal_handler(number, self.end, number)
        for number in self.early[:1]:
            self._app.call_later(self.end, number)  # before it stands it cannot end

    def end(self, number: int) -> None:
        """End because of a signal."""
        if self.words:
            return
        self.words = f"hermes-tui was ended by {signal.Signals(number).name}."
        self._begin(128 + number)
        self._app.exit(return_code=128 + number)

    def lose_terminal(self) -> None:
        """End because the terminal is gone, from the thread that reads it; a hang-up may be ignored (`nohup`)."""
        self._end_anyway(128 + signal.SIGHUP)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self.end, signal.SIGHUP)

    def crash(self, error: BaseException) -> None:
        """An error nobody foresaw ends the app; of several the first one is told."""
        if self.error is None:
            self.error = error
            if not self._app.is_headless:
                self._begin(CRASHED)

    def _begin(self, code: int) -> None:
        self._keep_texts()
        self._app.leaving = True
        self._end_anyway(code)

    def _end_anyway(self, code: int) -> None:
        if self._timed:
            return
        self._timed = True
        # Not on the loop: with the terminal gone, drawing may block it.
        last_resort = threading.Timer(GRACE_SECONDS, self._give_up, (code,))
        last_resort.daemon = True
        last_resort.start()

    def _keep_texts(self) -> None:
        if self._kept:
            return
        self._kept = True
        with contextlib.suppress(Exception):  # after an error nobody foresaw, anything may be broken
            for text in self._app.unsaved_texts():
                self._keep(text)

    def _keep(self, text: str) -> None:
        from hermes_tui.drafts import keep_draft
        from hermes_tui.errors import Unreadable

        try:
            path = keep_draft(self._app.home.path, text)
        except Unreadable as error:
            self.words += f"\nThe text you were writing could not be kept ({error.message}):\n{visible(text)}"
        else:
            self.words += f"\nThe text you were writing was not saved; it is kept in {visible(str(path))}"

    def say(self) -> None:
        """Say it, if there is anybody left to read it."""
        if not self.words:
            return
        try:
            print(self.words.strip(), file=sys.__stderr__, flush=True)
        except (OSError, ValueError):
            # Nobody is. What is left in the buffers would be tried again at the very end and change the exit code.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            for descriptor in (1, 2):
                os.dup2(nowhere, descriptor)

    def _give_up(self, code: int) -> None:
        self._keep_texts()
        attributes = getattr(self._app._driver, "attrs_before", None)
        with contextlib.suppress(Exception):
            if self.error is not None:
                from hermes_tui.crash import tell

                self.words = f"{visible(tell(self.error))}\n{self.words}".strip()
        with contextlib.suppress(Exception):
            import termios

            if attributes is not None:
                termios.tcsetattr(0, termios.TCSANOW, attributes)
            os.set_blocking(2, False)
            os.write(2, GIVE_BACK + f"{self.words}\r\n".encode("utf-8", "replace"))
        os._exit(code)

    @contextlib.contextmanager
    def held_back(self) -> Iterator[None]:
        """While another program has the terminal, ctrl+c is that program's; what ends us does so afterwards."""
        loop = self._loop
        if loop is None or threading.current_thread() is not threading.main_thread():
            yield
            return
        came: list[int] = []

        def note(number: int, _frame: FrameType | None) -> None:
            if number not in (signal.SIGINT, getattr(signal, "SIGQUIT", None)):
                came.append(number)

        wakeup = signal.set_wakeup_fd(-1)
        before = {
            number: signal.signal(number, note) for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(wakeup)
            for number in came[:1]:
                loop.call_soon(self.end, number)
