"""When and how whole the screen goes to the terminal: one frame for what a key does, and nothing before it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

import textual.message_pump
import textual.screen
from textual._compositor import LayoutUpdate
from textual.app import App

from hermes_tui.ui.stylesheet import QuickStylesheet
from hermes_tui.ui.tidying import Tidier
from hermes_tui.ui.timers import SureTimer

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.screen import Screen

WIPE = "\x1b[0m\x1b[2J"
"""Empties the terminal: where it took a letter for wider or narrower than we do, cells are left that nobody redraws."""
UPDATE_SECONDS = 1 / 120
"""How long what has changed waits for more to change; what a key does may take two or three such rounds."""
MASK_SECONDS = 0.001
"""How long nothing is drawn when a screen comes up that was up before; all of it is there already."""

vars(textual.screen)["UPDATE_PERIOD"] = UPDATE_SECONDS
vars(textual.message_pump)["Timer"] = SureTimer


@runtime_checkable
class Curtain(Protocol):
    """A driver that shows what it is given meanwhile at once, and before the first time nothing."""

    def raised(self) -> AbstractContextManager[None]:
        """Show the app's screen, together with all that is drawn meanwhile."""


class Fillable(Protocol):
    """A screen that is empty when it is put up, and filled a moment later."""

    async def filled(self) -> None:
        """Wait until it is, but not for long: an empty one that is there says more than nothing."""


@runtime_checkable
class StepsAside(Protocol):
    """A dialog that only speaks of what can be done, and would stand in the way of doing it."""

    def step_aside(self) -> None:
        """Leave, and have the palette opened over what is below."""


class Drawn:
    """A screen of such an app; nothing is worked out that would not be shown, and nothing twice."""

    def _compositor_refresh(self) -> None:
        if _may_draw(cast("Screen[Any]", self)):
            super()._compositor_refresh()  # type: ignore[misc]


def _may_draw(screen: Screen[Any]) -> bool:
    """Whether what a screen draws now is shown; if it has to be all of it, it is."""
    app = screen.app
    if isinstance(app, Drawing) and screen is app.screen:
        if app._batch_count:
            app._whole = True
            return False
        if app._whole:
            screen._compositor._dirty_regions.add(screen._compositor.size.region)
    return True


class Drawing(App[None]):
    """An app whose frames are whole."""

    _whole = True
    """Whether the next frame has to be all of the screen."""
    _raised = False
    _wiping = False
    """Whether it has to be drawn on an empty terminal."""
    _hurrying = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.stylesheet = QuickStylesheet(variables=self.stylesheet._variables)
        self._tidier = Tidier(self)

    def redraw(self) -> None:
        """Draw everything again, on an empty terminal."""
        self._wiping = self._whole = True
        self.refresh(layout=True)

    def hurry(self) -> None:
        """The next screen was up before."""
        self._hurrying = True

    def delay_update(self, delay: float = 0.05) -> None:
        """Draw nothing while a screen is made; one that is made already does not have to wait."""
        super().delay_update(MASK_SECONDS if self._hurrying else delay)
        self._hurrying = False

    async def action_command_palette(self) -> None:  # type: ignore[override]
        """Every action by its name."""
        if isinstance(self.screen, StepsAside):
            self.screen.step_aside()
        else:
            await self.show_palette()

    async def show_palette(self, closed: Callable[[bool], None] = lambda _chosen: None) -> None:
        """Open the palette, unless it is; `closed` is told whether something was chosen."""
        from hermes_tui.ui.palette import Palette  # loaded here: only who looks for an action needs it

        if not Palette.is_open(self):  # type: ignore[arg-type]
            palette = Palette(id="--command-palette")
            await self.show_filled(palette, lambda _nothing: closed(palette.chosen))

    async def show_filled(self, screen: Fillable, closed: Callable[[object], None] | None = None) -> None:
        """Put a screen up, and draw nothing before it is filled."""
        assert isinstance(screen, textual.screen.Screen)
        with self.batch_update():
            await self.push_screen(screen, closed)
            await screen.filled()
        screen.refresh(layout=True)

    def _write_sequence(self, sequence: str) -> None:
        """Send a control sequence of ours to the terminal, in turn with what is drawn."""
        if self._driver is not None:
            self._driver.write(sequence)

    def _display(self, screen: Screen[None], renderable: RenderableType | None) -> None:
        """Draw; what could not be drawn while widgets were put into place would be missing from the next frame."""
        if renderable is None or self._batch_count or screen is not self.screen:
            self._whole = self._whole or renderable is not None
            super()._display(screen, renderable)
            return
        whole, self._whole = self._whole, False
        if whole and not isinstance(renderable, LayoutUpdate):
            renderable = screen._compositor.render_update(full=True, screen_stack=self._background_screens)
        driver, at_once = self._driver, self._wiping or not self._raised
        self._raised = True
        with driver.raised() if at_once and isinstance(driver, Curtain) else nullcontext():
            if self._wiping:
                self._wiping = False
                self._write_sequence(WIPE)
            super()._display(screen, renderable)
        if not self.is_headless:
            self._tidier.drawn()
