"""Trying a theme on while moving over it in the palette; leaving the palette brings the old one back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.app import App
from textual.command import Command, CommandList, CommandPalette
from textual.theme import Theme
from textual.timer import Timer

REST_SECONDS = 0.05
"""How long the cursor rests on a theme before it is put on: a held key runs over the others."""


class ThemePreview:
    """The theme under the cursor of one palette, and the one from before."""

    def __init__(self, app: App[object], chosen: Callable[[str], None] = lambda _name: None) -> None:
        self._app = app
        self._chosen = chosen
        self._before = app.theme
        self._worn = False
        """Whether a theme is only tried on."""
        self._resting: Timer | None = None

    def follow(self, palette: CommandPalette) -> None:
        """Put on what the palette's cursor is on."""
        rows = palette.query_one(CommandList)

        def rested() -> None:
            if rows.highlighted is None or not rows.option_count:
                return  # the rows are being replaced; the next ones are on their way
            option = rows.get_option_at_index(rows.highlighted)
            wanted = option.hit.command if isinstance(option, Command) else None
            if isinstance(wanted, UseTheme):
                self._worn = True
                self._put_on(wanted.name)
            else:
                self.leave()

        def moved() -> None:
            if self._resting is not None:
                self._resting.stop()
            self._resting = palette.set_timer(REST_SECONDS, rested, name="preview")

        def changed(_theme: Theme) -> None:
            # The palette is no child of the app's, so that new colours reach it only when it is told.
            palette.update_node_styles(animate=False)

        palette.watch(rows, "highlighted", moved, init=False)
        self._app.theme_changed_signal.subscribe(palette, changed)

    def keep(self, name: str) -> None:
        """It was chosen."""
        self._worn = False
        self._put_on(name)
        self._chosen(name)

    def leave(self) -> None:
        """The cursor or the palette is gone; without a choice everything is as before."""
        if self._worn:
            self._worn = False
            self._put_on(self._before)

    def _put_on(self, name: str) -> None:
        if self._app.theme != name:
            self._app.theme = name


@dataclass(frozen=True, slots=True)
class UseTheme:
    """What choosing a theme in the palette does."""

    preview: ThemePreview
    name: str

    def __call__(self) -> None:
        """Keep it."""
        self.preview.keep(self.name)
