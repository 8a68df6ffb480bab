"""Colours of the theme for widgets that draw their own lines.

A component class per colour would do the same, and cost a style per class and widget whenever the
stylesheet is applied: a fifth of the time to the first frame.
"""

from __future__ import annotations

from functools import cached_property
from typing import cast

from rich.style import Style
from textual.color import Color
from textual.widget import Widget


class Inks:
    """The styles of one widget by the names of theme variables, made when first used."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._made: dict[tuple[str, str, str], Style] = {}

    def forget(self) -> None:
        """The theme or the widget's own style changed."""
        self._made.clear()

    def __call__(self, color: str, ground: str = "", attributes: str = "") -> Style:
        """Text in one variable of the theme on another, or on the widget's own ground.

        `attributes` are Rich's words: `bold underline`.
        """
        key = (color, ground, attributes)
        style = self._made.get(key)
        if style is None:
            style = self._made[key] = self._make(color, ground, attributes)
        return style

    def _make(self, color: str, ground: str, attributes: str) -> Style:
        base = self._widget.rich_style
        variables = self._widget.app.theme_variables
        front, front_part = _parse(variables[color], variables)
        back, back_part = _parse(variables[ground], variables) if ground else (None, 1.0)
        style = base + Style.parse(attributes)
        under = self._widget.background_colors[1]
        if back is not None and back_part > 0:
            under = under.blend(back, back_part) if back.ansi is None else back
            style += Style(bgcolor=under.rich_color)
        if front.ansi is not None:
            return style + Style(color=front.rich_color, dim=True if front_part < 1 else None)
        return style + Style(color=(under.blend(front, front_part) if front_part < 1 else front).rich_color)


class Inked:
    """A widget with inks of its own, which follow its style."""

    @cached_property
    def _inks(self) -> Inks:
        return Inks(cast("Widget", self))

    def notify_style_update(self) -> None:
        """Colours changed."""
        super().notify_style_update()  # type: ignore[misc]
        self._inks.forget()


def _parse(value: str, variables: dict[str, str]) -> tuple[Color, float]:
    """A colour as the theme writes it, `auto 60%` included, and how much of it there is."""
    name, _, part = value.partition(" ")
    color = Color.parse(variables["foreground"] if name == "auto" else name)
    share = float(part.rstrip("%")) / 100 if part else 1.0
    return color.with_alpha(1.0) if color.a and color.ansi is None else color, share * color.a
