"""What Textual does for a terminal is left out where there is none: the frames that nobody could look at."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from textual import strip
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot
from textual.screen import Screen


def parse_stylesheets_once(patch: pytest.MonkeyPatch) -> None:
    """Every app parses its stylesheets anew, a fifth of the time these tests take; the same ones are parsed once."""
    parsed: dict[tuple[object, ...], dict[tuple[object, ...], list[RuleSet]]] = {}
    original = Stylesheet._parse_rules

    def parse_rules(self: Stylesheet, css: str, *args: Any, **options: Any) -> list[RuleSet]:
        variables, with_them = vars(self).get("parsed", (None, {}))
        if variables is not self._variables:  # they are hundreds: looked through once, not for every sheet
            with_them = parsed.setdefault(tuple(self._variables.items()), {})
            vars(self)["parsed"] = self._variables, with_them
        key = (css, args, *options.items())
        if key not in with_them:
            with_them[key] = original(self, css, *args, **options)
        rules: list[RuleSet] = with_them[key]
        return rules

    patch.setattr(Stylesheet, "_parse_rules", parse_rules)


def paint_when_at_rest(patch: pytest.MonkeyPatch) -> None:
    """A screen is painted at every pause and before the next key goes to it, not for each step on the way there.

    To paint is a third of the time these tests take, and without a terminal all of it is thrown away. What is
    painted is what a person would come to see: a painter that fails still fails the test, where it waits.
    """
    paint, press, pause, shutdown = Screen._compositor_refresh, App._press_keys, Pilot.pause, App._shutdown

    def paint_later(self: Screen[Any]) -> None:
        if self is self.app.screen and self.app.is_headless and not self.app.is_inline:
            self._dirty_widgets.clear()  # the compositor knows their regions by now
        else:
            paint(self)

    def paint_now(app: App[Any]) -> None:
        if app.is_headless and app.screen_stack and app.screen._compositor._dirty_regions and not app._batch_count:
            paint(app.screen)

    async def press_and_paint(self: App[Any], keys: Iterable[str]) -> None:
        for key in keys:
            paint_now(self)
            await press(self, [key])

    async def pause_and_paint(self: Pilot[Any], delay: float | None = None) -> None:
        await pause(self, delay)
        paint_now(self.app)

    async def paint_and_shut_down(self: App[Any]) -> None:
        paint_now(self)
        await shutdown(self)

    patch.setattr(Screen, "_compositor_refresh", paint_later)
    patch.setattr(App, "_press_keys", press_and_paint)
    patch.setattr(Pilot, "pause", pause_and_paint)
    patch.setattr(App, "_shutdown", paint_and_shut_down)


def make_light_strips(patch: pytest.MonkeyPatch) -> None:
    """Each of the many rows that are made has seven caches; a dictionary is one too, and made in no time."""
    patch.setattr(strip, "FIFOCache", lambda _maxsize: {})
