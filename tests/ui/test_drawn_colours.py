"""What is really drawn can be read: every text of the screens and dialogs, in every theme, with and without colour."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import pytest
from rich.color import Color as RichColor
from textual.color import Color
from textual.command import CommandPalette
from textual.geometry import Region
from textual.notifications import SeverityLevel
from textual.pilot import Pilot

from hermes_tui.demo import build
from hermes_tui.home import HermesHome
from hermes_tui.ui.app import HermesTuiApp
from hermes_tui.ui.themes import TERMINAL_THEME, load_all
from tests.ui.test_themes import TRUE_COLOR, contrast

DECORATION = re.compile(r"[\s§\u2500-\u259f]+")
"""Edges, rules, bars and the sign between two entries: what they say is said in words beside them."""

SCENES: tuple[tuple[str, tuple[str, ...], str, tuple[str, ...]], ...] = (
    ("memory", (), "consolidate soon", ()),
    ("selected entries", ("space", "j", "space"), "2 selected", ()),
    ("a question", ("d",), "Delete 2 entries", ("escape", "escape")),
    ("editor", ("j", "e"), "f3 Rewrite", ("escape",)),
    ("filtered entries", ("slash", *"the"), "12 of 19", ("escape", "escape")),
    ("palette", ("ctrl+p",), "Add an entry", ("escape",)),
    ("pending", ("2",), "Change, word by word", ()),
    ("sessions", ("3",), "It began", ()),
    ("filters", ("f",), "Also show", ("escape",)),
    ("prune", ("X",), "would go", ("escape",)),
    ("search", ("slash", *"courier"), "17 hits", ()),
    ("a hit", ("down",), "Around the hit", ("escape", "escape")),
    ("timeline", ("4",), "1 came", ()),
    ("chart", ("w",), "usage over time", ("w",)),
    ("story", ("tab", "b"), "The story of an entry", ("escape",)),
    ("search in the past", ("slash", *"the"), "Entries ever", ("escape", "escape")),
    ("settings", ("5",), "memory.memory_enabled", ()),
    ("a setting", ("j", "j", "enter"), "default: 2,200", ()),
    ("a setting that is too low", ("9",), "over by 1,959", ("escape",)),
)
GREY_SCENES = (
    "memory",
    "selected entries",
    "a question",
    "pending",
    "a hit",
    "search",
    "sessions",
    "timeline",
    "settings",
)
PATIENCE = 1_500


class Shown:
    """The app on the demo home, and what it draws."""

    def __init__(self, app: HermesTuiApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    def rows(self) -> str:
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())

    def palette_looks(self) -> bool:
        """Whether the palette may still put a theme on by itself: that of the row under its cursor."""
        screen = self.app.screen
        if not isinstance(screen, CommandPalette):
            return False
        resting = any(timer.name == "preview" and timer._task and not timer._task.done() for timer in screen._timers)
        return resting or any(worker.node is screen and worker.is_running for worker in self.app.workers)

    async def go(self, keys: Sequence[str], words: str) -> None:
        """Press keys, and wait for words."""
        for key in keys:
            await self.pilot.press(key)
        for _ in range(PATIENCE):
            if words in self.rows() and not self.palette_looks():
                return
            await self.pilot.pause(0.02)
        raise AssertionError(f"{words!r} never came:\n{self.rows()}")

    async def wear(self, name: str) -> None:
        self.app.theme = name
        await self.pilot.pause()
        await self.pilot.pause()

    def regions(self) -> list[Region]:
        """Where the words are that are read now: what a dialog covers is not."""
        screen = self.app.screen
        if isinstance(screen, CommandPalette):
            return [screen.query_one(name).region for name in ("CommandInput", "CommandList")]
        return [screen.query_one("#dialog").region] if screen.is_modal else [screen.region]

    def texts(self) -> Iterator[tuple[str, RichColor | None, RichColor | None]]:
        """Every text with its colours, those of a reversed one as they are seen."""
        regions = self.regions()
        for y, strip in enumerate(self.app.screen._compositor.render_strips()):
            x = 0
            for segment in strip:
                at, x = x, x + segment.cell_length
                words = DECORATION.sub(" ", segment.text).strip()
                style = segment.style
                if not words or style is None or not any(region.contains(at, y) for region in regions):
                    continue
                colours = (style.color, style.bgcolor)
                yield words, *(reversed(colours) if style.reverse else colours)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("drawn") / ".hermes"
    build(home, now=1_772_200_000.0)
    return home


@pytest.fixture
async def shown(demo: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> AsyncIterator[Shown]:
    if "without_colour" in request.node.name:
        monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("time.time", lambda: 1_772_200_000.0)
    app = HermesTuiApp(HermesHome(demo, "default", "default"), theme="hermes-dark")
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        for theme in load_all().themes:
            app.register_theme(theme)
        yield Shown(app, pilot)


def weak_texts(shown: Shown, needed: float) -> dict[str, float]:
    """The texts that are hard to read, and how hard."""
    weak = {}
    for words, text, ground in shown.texts():
        assert text is not None, words
        assert text.triplet is not None, words
        assert ground is not None, words
        assert ground.triplet is not None, words
        seen = contrast(Color(*text.triplet), Color(*ground.triplet))
        if seen < needed:
            weak[f"{words[:30]} in {text.triplet.hex} on {ground.triplet.hex}"] = round(seen, 2)
    return weak


async def test_every_text_that_is_drawn_can_be_read_in_every_theme(shown: Shown) -> None:
    """A pair of colours that nobody put into a table is the one that is too pale."""
    weak = {}
    for scene, keys, words, leave in SCENES:
        await shown.go(keys, words)
        for theme in TRUE_COLOR:
            await shown.wear(theme)
            for text, seen in weak_texts(shown, 4.5).items():
                weak[scene, theme, text] = seen
        # On an unknown palette a colour of ours could be invisible.
        await shown.wear(TERMINAL_THEME)
        for text, *colours in shown.texts():
            for colour in colours:
                assert colour is None or colour.triplet is None, f"{scene}: {text!r} in {colour}"
        await shown.pilot.press(*leave)
        await shown.pilot.pause()
    assert weak == {}


async def test_toasts_can_be_read_in_every_theme(shown: Shown) -> None:
    """They say why something did not work, and are gone after some seconds."""
    severities: tuple[SeverityLevel, ...] = ("information", "warning", "error")
    for severity in severities:
        shown.app.notify(f"said as {severity}", title=f"Title of {severity}", severity=severity, timeout=60)
    await shown.go((), "said as error")
    for theme in TRUE_COLOR:
        await shown.wear(theme)
        assert weak_texts(shown, 4.5) == {}, theme


@pytest.mark.parametrize("theme", ["hermes-dark", "hermes-light"])
async def test_without_colour_every_text_is_grey_and_can_be_read(shown: Shown, theme: str) -> None:
    """NO_COLOR is for those whom colours hinder; what is said by one must not be lost with it."""
    assert shown.app.no_color
    await shown.wear(theme)
    for scene, keys, words, leave in (scene for scene in SCENES if scene[0] in GREY_SCENES):
        await shown.go(keys, words)
        assert weak_texts(shown, 4.5) == {}, scene
        for text, *colours in shown.texts():
            assert all(colour.triplet and len(set(colour.triplet)) == 1 for colour in colours if colour), (scene, text)
        await shown.pilot.press(*leave)
        await shown.pilot.pause()
