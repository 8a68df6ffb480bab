"""All keys of the Sessions screen that change or write something; loaded with the first of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.ui.sessions.changing import Changing
from hermes_tui.ui.sessions.deleting import Deleting
from hermes_tui.ui.sessions.entitling import Entitling
from hermes_tui.ui.sessions.exporting import Exporting

if TYPE_CHECKING:
    from hermes_tui.ui.sessions.screen import SessionsScreen


class Upkeep:
    """Who does what."""

    def __init__(self, screen: SessionsScreen) -> None:
        self.changing = Changing(screen)
        self.deleting = Deleting(self.changing)
        self.exporting = Exporting(self.changing)
        self.entitling = Entitling(self.changing)

    @property
    def owners(self) -> tuple[object, ...]:
        """Whoever may have the method of an action."""
        return self.changing, self.deleting, self.exporting, self.entitling
