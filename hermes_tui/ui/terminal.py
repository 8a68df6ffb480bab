"""What a terminal sends: keys at once, and pastes exactly; and how one app leaves it to the next."""

from __future__ import annotations

import os
import re
import selectors
import signal
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from textual import constants, events
from textual._parser import ParseError  # what the driver's own input loop catches
from textual._xterm_parser import XTermParser
from textual.message import Message

from hermes_tui.ui.curtain import CurtainDriver

PASTE_BEGINS = "\x1b[200~"
PASTE_ENDS = "\x1b[201~"
ESCAPE = "\x1b"
_ESCAPE_THEN_KEY = re.compile(r"\x1b(?=\r|\x1b(?![\[O])|[^\x00-\x1f\x7f\[OP\]^_X\\bf])")
"""An escape and a key that came together; alt with `b` or `f` moves by words, and the others begin sequences."""
ESCAPE_SECONDS = 0.025
"""A key that comes later than this after escape is a key of its own; ESCDELAY overrides it."""
LOOK_SECONDS = 0.1
CONTINUED_LOOKS = 5
"""How often, in that time, it is looked whether a stop has taken place."""
CHUNK_BYTES = 64 * 1024
ENTER = "\x1b[?1049h"
"""Asks for the empty screen that an app has for itself."""
LEAVE_KEYS = "\x1b[<u"
"""Takes back how the last app wanted keys to be told."""
WIPE = "\x1b[0m\x1b[2J"
FRAME_CHARS = 400
"""What is written at once and is longer than this is a frame."""


class Input:
    """Turns what comes from a terminal into messages.

    The parser reads a paste as if it were keys: it drops NUL and puts what follows an ESC elsewhere. So
    it gets to see an empty one, and the text is taken from the stream as it is.
    """

    def __init__(self, parser: XTermParser, send: Callable[[Message], object]) -> None:
        self._parser = parser
        self._send = send
        self._tail = ""
        self._escape = False
        """Whether an escape was the last that came: a key of its own, or the beginning of one."""
        self._paste: list[str] | None = None

    def feed(self, data: str) -> None:
        """Take what was read."""
        while data:
            data = self._pasted(data) if self._paste is not None else self._typed(data)

    def tick(self) -> None:
        """Time has passed: an escape that nothing has followed is the key."""
        if self._escape:
            self._escape = False
            self._press_escape()
        self._emit(self._parser.tick())

    def _typed(self, data: str) -> str:
        before = len(self._tail)
        text = self._tail + data
        at = text.find(PASTE_BEGINS)
        if at < 0:
            self._tail = text[-(len(PASTE_BEGINS) - 1) :]
            self._parse(data)
            return ""
        end = at + len(PASTE_BEGINS) - before
        self._tail = ""
        self._paste = []
        self._parse(data[:end] + PASTE_ENDS)
        return data[end:]

    def _parse(self, data: str) -> None:
        """No action has a key with alt: escape and a key that are typed fast, or come late together, are two keys."""
        if self._escape:
            data, self._escape = ESCAPE + data, False
        for number, keys in enumerate(_ESCAPE_THEN_KEY.split(data)):
            if number:
                self._press_escape()
            if keys.endswith(ESCAPE):
                keys, self._escape = keys[:-1], True
            if keys:  # nothing would be the end for the parser
                self._emit(self._parser.feed(keys))

    def _press_escape(self) -> None:
        self._send(events.Key("escape", ESCAPE))

    def _pasted(self, data: str) -> str:
        assert self._paste is not None
        # The end may be cut in two by how the bytes came.
        last = self._paste.pop() if self._paste else ""
        text = last + data
        at = text.find(PASTE_ENDS)
        if at < 0:
            keep = len(text) - len(PASTE_ENDS) + 1
            if keep > 0:
                self._paste.append(text[:keep])
                text = text[keep:]
            self._paste.append(text)
            return ""
        self._paste.append(text[:at])
        pasted, self._paste = "".join(self._paste), None
        self._send(events.Paste(pasted))
        return text[at + len(PASTE_ENDS) :]

    def _emit(self, messages: Iterable[Message]) -> None:
        for message in messages:
            if not (isinstance(message, events.Paste) and not message.text):
                self._send(message)


class Terminal(CurtainDriver):
    """The terminal driver, reading with `Input`."""

    _continued = False
    _taking_over = False
    _wipe = False
    handed: ClassVar[list[Any] | None] = None
    """How the terminal was before all apps, while none has it."""

    # From one app to the next

    @property
    def _handing_over(self) -> bool:
        ending = getattr(self._app, "ending", None)
        return ending is not None and bool(ending.handing_over)

    def start_application_mode(self) -> None:
        """Take the terminal, as the shell or the last app has left it."""
        handed, Terminal.handed = Terminal.handed, None
        self._taking_over = self._wipe = handed is not None
        super().start_application_mode()
        self._taking_over = False
        if handed is not None:
            self.attrs_before = handed

    def write(self, data: str) -> None:
        """Write, and leave what the last app has drawn until there is something to show instead."""
        if self._taking_over and data == ENTER:
            return
        if self._wipe and len(data) > FRAME_CHARS:
            self._wipe = False
            data = WIPE + data
        super().write(data)

    def disable_input(self) -> None:
        """Read no more; for the next app what is typed meanwhile stays, and so does the mouse."""
        if not self._handing_over:
            super().disable_input()
        elif self._key_thread is not None:
            signal.signal(signal.SIGWINCH, signal.SIG_DFL)
            self.exit_event.set()
            self._key_thread.join()
            self._key_thread = None

    def stop_application_mode(self) -> None:
        """Give the terminal back, or leave it as it is for the next app."""
        if not self._handing_over or self.attrs_before is None:
            super().stop_application_mode()
            return
        self._let_go()
        self.disable_input()
        self.write(LEAVE_KEYS)
        self.flush()
        Terminal.handed = self.attrs_before

    # Stopping and going on

    def _sigtstp_application(self, *_: object) -> None:
        """Stop, together with what started us, until the shell says go on.

        The system decides whether there is a shell to go back to. Where there is none (the app is all that a
        terminal runs), nothing is stopped; stopping ourselves would leave a dead window.
        """
        drawing = self._auto_restart
        if drawing:
            self.suspend_application_mode()
            self._must_signal_resume = True
        self._continued = False
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        try:
            os.kill(0, signal.SIGTSTP)  # `make demo` and `uvx` wait for us, and the shell for them
            for _attempt in range(CONTINUED_LOOKS):
                if self._continued:
                    break
                time.sleep(LOOK_SECONDS / CONTINUED_LOOKS)
        finally:
            signal.signal(signal.SIGTSTP, self._sigtstp_application)
        if drawing and not self._continued:
            self.resume_application_mode()

    def _sigcont_application(self, *arguments: object) -> None:
        """The shell says go on."""
        self._continued = True
        super()._sigcont_application(*arguments)

    def _lost(self) -> None:
        ending = getattr(self._app, "ending", None)
        if ending is not None:
            ending.lose_terminal()

    def _run_input_thread(self) -> None:
        """Read; what goes wrong with that ends the app, and the report says what it was."""
        try:
            self.run_input_thread()
        except Exception as error:
            self._app.call_later(self._app._handle_exception, error)

    def run_input_thread(self) -> None:
        """Read until the app says stop."""
        selector = selectors.SelectSelector()
        selector.register(self.fileno, selectors.EVENT_READ)
        parser = XTermParser(self._debug)
        entry = Input(parser, self.process_message)
        decode = getincrementaldecoder("utf-8")(errors="replace").decode
        # An escape that silence follows is the key. Time alone does not tell: a busy machine reads the rest of an
        # arrow key late, but then it is there to be read.
        seconds = constants.ESCAPE_DELAY + 0.002
        waiting = False
        try:
            while not self.exit_event.is_set():
                if not selector.select(seconds if waiting else LOOK_SECONDS):
                    waiting = False
                    entry.tick()
                    continue
                try:
                    data = os.read(self.fileno, CHUNK_BYTES)
                except BlockingIOError:
                    continue  # whoever has the terminal too has made it so, and has read what there was
                except OSError:
                    data = b""
                if not data:
                    # The terminal is gone; not everything that takes it away also says so.
                    self._lost()
                    break
                waiting = True
                entry.feed(decode(data))
        finally:
            selector.close()
            try:
                for _ in parser.feed(""):
                    pass
            except (EOFError, ParseError):
                pass
