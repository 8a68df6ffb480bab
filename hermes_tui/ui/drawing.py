"""What goes to the terminal first: one whole frame, and nothing before it."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from textual.app import App

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.screen import Screen


@runtime_checkable
class Curtain(Protocol):
    """A driver that keeps the shell's screen up until there is a frame to show."""

    def raised(self) -> AbstractContextManager[None]:
        """Show the app's screen, together with all that is drawn meanwhile."""


class Drawing(App[None]):
    """An app whose first frame is all of its screen."""

    _whole = True
    """Whether the next frame has to be all of the screen."""
    _raised = False

    def _display(self, screen: Screen[None], renderable: RenderableType | None) -> None:
        """Draw; what could not be drawn while widgets were put into place would be missing from the next frame."""
        if renderable is None or self._batch_count or screen is not self.screen:
            self._whole = self._whole or renderable is not None
            super()._display(screen, renderable)
            return
        if self._whole:
            self._whole = False
            renderable = screen._compositor.render_update(full=True, screen_stack=self._background_screens)
        driver, first = self._driver, not self._raised
        self._raised = True
        with driver.raised() if first and isinstance(driver, Curtain) else nullcontext():
            super()._display(screen, renderable)
