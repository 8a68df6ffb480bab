"""What is seen of the screen below a dialog: dimmed, and drawn as quickly as if nothing was over it.

Textual's own way takes the colours of every segment apart anew, three times while a dialog opens: two thirds of the
time that took.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.renderables.background_screen import BackgroundScreen
from textual.strip import Strip
from textual.visual import Visual

if TYPE_CHECKING:
    from textual.css.styles import RulesMap
    from textual.visual import RenderOptions, VisualType

DIFFERENT_STYLES = 4096
"""So many are remembered: a screen has a few dozen."""


def backdrop(ground: VisualType) -> VisualType:
    """The same ground of a screen, drawn our way where the screen below shines through."""
    return Dimmed(ground) if isinstance(ground, BackgroundScreen) else ground


class Dimmed(Visual):
    """The lines of a screen with a colour laid over them."""

    def __init__(self, below: BackgroundScreen) -> None:
        self._screen = below.screen
        self._tint = below.color

    def render_strips(self, width: int, height: int | None, style: object, options: RenderOptions) -> list[Strip]:  # noqa: ARG002
        """All lines."""
        tint = self._tint
        strips = [
            Strip([Segment(text, dimmed(style or Style.null(), tint)) for text, style, _ in strip], strip.cell_length)
            for strip in self._screen._compositor.render_strips()
        ]
        return strips if height is None else strips[:height] + [Strip.blank(width)] * (height - len(strips))

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:  # noqa: ARG002
        """All there is."""
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:  # noqa: ARG002
        """All there is."""
        return int(self._screen.size.height)


@lru_cache(maxsize=DIFFERENT_STYLES)
def dimmed(style: Style, tint: Color) -> Style:
    """A style with a colour laid over both of its own; without links, which lead nowhere while a dialog is up."""
    plain = style.clear_meta_and_links()
    if tint.a == 0:
        return plain
    front, back = (
        (Color.from_rich_color(color) + tint).rich_color if color is not None else None
        for color in (plain.color, plain.bgcolor)
    )
    return plain + Style.from_color(front, back)
