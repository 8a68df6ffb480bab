"""What the app says: a short message in the bottom line until the next key, the rest as toasts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Self

from textual import events
from textual.app import ScreenStackError
from textual.notifications import Notification, Notifications
from textual.screen import ModalScreen

from hermes_tui.text import cells, visible
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.drawing import Drawing
from hermes_tui.ui.troubles import on_screen
from hermes_tui.ui.widgets.message_line import MessageLine

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel
    from textual.screen import Screen

    from hermes_tui.errors import HermesTuiError


GRACE_SECONDS = 0.05
"""A message is looked at again so long after its time, when it is over by every clock."""


class Toasts(Notifications):
    """What was said of late; warnings and errors keep their time, what informs gives way."""

    def __init__(self) -> None:
        super().__init__()
        self._seen = self._left = ""
        """Name the messages after which a key was pressed, and another screen shown."""

    def add(self, notification: Notification) -> Self:
        """Put a toast up; it takes the place of one that informs, and of one with the same words."""
        for old in list(self):
            both_inform = old.severity == notification.severity == "information"
            if both_inform or (old.title, old.message) == (notification.title, notification.message):
                del self[old]
        super().add(notification)
        return self

    def drop_informing(self) -> bool:
        """Take down what merely informs; whether there was any."""
        informing = [toast for toast in self if toast.severity == "information"]
        for toast in informing:
            del self[toast]
        return bool(informing)

    @property
    def informing(self) -> Notification | None:
        """What merely informs, while there is such a one."""
        return next((toast for toast in self if toast.severity == "information"), None)

    def see(self) -> bool:
        """A key was pressed: what informs has been read; whether that is news."""
        now = self.informing
        if now is None or now.identity == self._seen:
            return False
        self._seen = now.identity
        return True

    def leave(self) -> bool:
        """Another screen is up: what was read before goes out of sight; whether there was any."""
        now = self.informing
        if now is None or now.identity != self._seen:
            return False
        self._left = now.identity
        return True

    def shown(self, room_cells: int) -> tuple[str, list[Notification]]:
        """The words for a line of keys that has so much room, and what has to be a toast."""
        now = self.informing
        rest = [toast for toast in self if toast.identity != self._left]
        if now is None or now.markup or "\n" in now.message or now.identity == self._left:
            return "", rest
        whole = f"{now.title}: {now.message}" if now.title else now.message
        words = next((words for words in (whole, _without_hint(whole)) if 0 < cells(words) <= room_cells), "")
        if not words:
            return "", rest
        return "" if now.identity == self._seen else words, [toast for toast in rest if toast is not now]


class Saying(Drawing):
    """An app that says what a key did where it is in nobody's way."""

    toasts: Toasts

    def say(self, words: str, *, severity: SeverityLevel = "information", title: str = "", seconds: float = 4) -> None:
        """What a key did, why it does nothing now, or what has to be known."""
        self.notify(visible(words), title=title, severity=severity, timeout=seconds, markup=False)

    def say_error(self, error: HermesTuiError) -> None:
        """A refusal or failure with what to do about it."""
        if error.code.startswith("nothing_to_") and not error.hint:
            self.say(error.message)
            return
        severity: SeverityLevel = "warning" if error.exit_code == 1 else "error"
        self.say(on_screen(f"{error.message}\n{error.hint}".strip()), severity=severity, title=error.title, seconds=8)

    def action_help_quit(self) -> None:
        """ctrl+c, which ends other programs."""
        self.say(f"{key_for('app.quit')} quits.")

    def begin_saying(self) -> None:
        """From now on what merely informs makes room for a dialog that opens, and stays behind when one goes on."""
        known: set[int] = set()

        def screen_changed(screen: object) -> None:
            dialogs = [other for other in self.screen_stack if isinstance(other, ModalScreen)]
            opened = isinstance(screen, ModalScreen) and id(screen) not in known
            known.clear()
            known.update(map(id, dialogs))
            if self.toasts.drop_informing() if opened else self.toasts.leave():
                for other in self.screen_stack:
                    self.call_later(self._show_said, other)

        self.screen_change_signal.subscribe(self, screen_changed, immediate=True)

    def key_comes(self, event: events.Event) -> None:
        """A key or a click: what stands in a bottom line was read."""
        if self.toasts.see():
            line = _line_of(self.screen)
            # A click on the message is not one on the key that comes back: the line itself sees to that.
            if not (line and isinstance(event, events.MouseDown) and line.region.contains_point(event.screen_offset)):
                self._show_said(self.screen)

    def _refresh_notifications(self) -> None:
        try:
            screen = self.screen
        except ScreenStackError:
            return
        self.call_later(self._show_said, screen)

    def _show_said(self, screen: Screen[Any]) -> None:
        """Put what was said where there is room for it: a line of keys, or else toasts."""
        if not screen.is_running:
            return
        line = _line_of(screen)
        words, floating = self.toasts.shown(line.room_for_message() if line else 0)
        if screen is not self.screen:
            words, floating = "", [toast for toast in floating if toast.severity != "information"]
        if line:
            line.message = words
            if words and (now := self.toasts.informing):
                screen.set_timer(max(0, now.time_left) + GRACE_SECONDS, partial(self._show_said, screen))
        for rack in screen.query("ToastRack"):
            rack.show(floating)  # type: ignore[attr-defined]


def _without_hint(words: str) -> str:
    """A message without what is said after a dash at its end; what it quotes is never cut."""
    what, _, hint = words.rpartition(" – ")
    return "" if "”" in hint else what


def _line_of(screen: Screen[Any]) -> MessageLine | None:
    """Where a screen or a dialog has room for a message."""
    return next(iter(screen.query(MessageLine)), None)
