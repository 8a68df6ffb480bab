"""Toasts that stay out of the way: one that merely informs at a time, and none of those over a new dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from textual.notifications import Notification, Notifications
from textual.screen import ModalScreen

if TYPE_CHECKING:
    from hermes_tui.ui.app import HermesTuiApp


class Toasts(Notifications):
    """The toasts that are up; warnings and errors keep their time, what informs gives way."""

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


def keep_off_dialogs(app: HermesTuiApp, toasts: Toasts) -> None:
    """From now on a dialog that opens takes down what merely informs."""
    known: set[int] = set()

    def screen_changed(screen: object) -> None:
        dialogs = [other for other in app.screen_stack if isinstance(other, ModalScreen)]
        opened = isinstance(screen, ModalScreen) and id(screen) not in known
        known.clear()
        known.update(map(id, dialogs))
        if opened and toasts.drop_informing():
            for other in app.screen_stack:
                for rack in other.query("ToastRack"):
                    rack.call_later(rack.show, toasts)  # type: ignore[attr-defined]

    app.screen_change_signal.subscribe(app, screen_changed, immediate=True)
