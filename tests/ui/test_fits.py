"""Every screen and its dialogs at every size: nothing is cut, overlaps or hides, and no room is wasted."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from hermes_tui.demo import build
from hermes_tui.home import HermesHome
from hermes_tui.text import cells
from hermes_tui.ui.app import HermesTuiApp
from hermes_tui.ui.dialogs.text_pane import TextPane
from hermes_tui.ui.memory.card_list import CardList
from hermes_tui.ui.transcript.screen import TranscriptScreen
from tests.ui.conftest import Driver

SIZES = [(60, 15), (80, 24), (120, 36), (200, 60)]
READABLE_CELLS = 116
"""The longest line of a text, with what stands before it."""
WAYS = (
    *("v", "escape", "e", "escape", "b", "escape", "question_mark", "escape", "2", "s", "escape", "f", "escape"),
    *("3", "f", "escape", "x", "escape", "enter", "slash", "escape", "escape", "4", "w", "slash", "a"),
)
"""Keys that lead through most of the app; after each of them everything has to fit."""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo home; made once, since it takes seconds."""
    folder = tmp_path_factory.mktemp("demo") / ".hermes"
    build(folder)
    return folder


def faults(screen: Screen[object], size: tuple[int, int]) -> Iterator[str]:
    """What does not fit, in words."""
    whole = screen.region
    for widget in screen.walk_children(Widget):
        if not widget.region or not widget.display:
            continue
        name = f"{type(widget).__name__}#{widget.id}"
        parent = widget.parent
        if widget.id == "dialog" and not whole.contains_region(widget.region):
            yield f"{name} is larger than the screen: {widget.region}"
        if isinstance(parent, Widget) and not parent.is_scrollable and widget.styles.overlay != "screen":
            if not parent.region.contains_region(widget.region):
                yield f"{name} reaches out of {type(parent).__name__}: {widget.region} of {parent.region}"
            others = [each for each in parent.children if each.display and each.region and each.layer == widget.layer]
            after = others[others.index(widget) + 1 :] if widget in others else []
            yield from (f"{name} is over {each}" for each in after if widget.region.overlaps(each.region))
        edges = widget.styles.border_top[0], widget.styles.border_left[0]
        if widget.border_title and edges[0] and not edges[1] and not widget.border_title.startswith(" "):
            yield f"the title of {name} touches the rule"
        if isinstance(widget, TextPane | CardList) and widget.size.width > READABLE_CELLS:
            yield f"{name} has lines of {widget.size.width} cells"
        if isinstance(widget, Static) and not widget.is_scrollable:
            needs = widget.get_content_height(widget.size, screen.size, widget.content_size.width)
            if (
                needs > widget.content_size.height
                and "…" not in widget.render_line(widget.content_size.height - 1).text
            ):
                yield f"{name} is cut without a …"
    focused = screen.focused
    if focused is not None and not focused.region.overlaps(whole):
        yield f"{focused} has the focus and is not seen"
    rows = [strip.text for strip in screen._compositor.render_strips()]
    yield from (f"row {number} is {cells(row)} cells" for number, row in enumerate(rows) if cells(row) != size[0])


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (200, 60)], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_everything_fits(isolated_machine: Path, demo: Path, size: tuple[int, int]) -> None:
    """Words would end in the middle, or stand where nobody can see them."""
    home = isolated_machine / ".hermes"
    shutil.copytree(demo, home, symlinks=True)
    app = HermesTuiApp(HermesHome(home, "default", "default"))
    found: dict[str, str] = {}
    async with app.run_test(size=size) as pilot:
        await Driver(app, pilot, home).until(lambda: app.watching.watched, "the watcher is up")
        for number, key in enumerate(WAYS):
            await pilot.press(key)
            await pilot.pause()
            for fault in faults(app.screen, size):
                found.setdefault(fault, f"after {' '.join(WAYS[max(0, number - 3) : number + 1])}")
    assert found == {}


async def test_a_wide_screen_is_used_and_a_resize_loses_no_place(isolated_machine: Path, demo: Path) -> None:
    """A conversation would be one line across the whole desk, and begin anew when a window is pulled."""
    home = isolated_machine / ".hermes"
    shutil.copytree(demo, home, symlinks=True)
    app = HermesTuiApp(HermesHome(home, "default", "default"))
    async with app.run_test(size=(200, 60)) as pilot:
        driver = Driver(app, pilot, home)
        await pilot.press("3", "slash", *"backup", "enter")
        await driver.until(lambda: isinstance(app.screen, TranscriptScreen), "the transcript")
        transcript = app.screen
        assert isinstance(transcript, TranscriptScreen)
        await driver.until(lambda: transcript.view.current is not None, "its messages")
        await pilot.press("K", "K", "K")
        await driver.settle()
        place, text = transcript.view.current, transcript.facts_pane.text
        assert transcript.view.conversation.width <= 113
        assert "folder" in text.plain
        assert text.region.width > 60
        await pilot.press("x")
        await driver.settle()
        dialog = app.screen
        for size in [*reversed(SIZES), *SIZES]:
            await pilot.resize_terminal(*size)
            await driver.settle()
            assert app.screen is dialog
            assert list(faults(dialog, size)) == []
        await pilot.press("escape")
        await driver.settle()
        assert transcript.view.current == place
        assert text.region.width > 60
