"""What reaches the terminal: whole frames, the ground of a dialog in the right colours, and no wait for garbage."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import itertools
import subprocess
import sys
import time
import weakref
from pathlib import Path

import pytest
from rich.segment import Segment
from rich.style import Style
from textual._styles_cache import StylesCache
from textual.app import App
from textual.color import Color
from textual.command import CommandList
from textual.renderables.background_screen import BackgroundScreen
from textual.widget import Widget

from hermes_tui.demo import build
from hermes_tui.ui import tidying
from hermes_tui.ui.curtain import FRAME_BEGINS, FRAME_ENDS
from hermes_tui.ui.dialogs.backdrop import dimmed
from tests.ui.conftest import Open
from tests.ui.pty_app import ENTERS, PtyApp


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with something in it."""
    path = tmp_path_factory.mktemp("drawing") / ".hermes"
    build(path)
    return path


def test_the_shells_screen_stays_until_a_whole_frame_is_there(home: Path, tmp_path: Path) -> None:
    """An empty screen would flash up, then one without its upper and lower line."""
    with PtyApp(home, tmp_path) as app:
        app.until(lambda: FRAME_ENDS.encode() in app.output, "the end of the first frame")
        before, _, rest = app.output.partition(FRAME_BEGINS.encode())
        first = rest.partition(FRAME_ENDS.encode())[0]
        assert b"\x1b[?" in before
        assert ENTERS not in before
        assert b"48;2;" not in before
        assert first.startswith(ENTERS)
        for words in (b"hermes-tui", b"MEMORY.md", b"USER.md", b"Help"):
            assert words in first


def test_a_terminal_that_does_not_know_its_size_is_taken_for_one_of_80_by_24(home: Path, tmp_path: Path) -> None:
    """Over some connections the app would not start, or draw nothing."""
    with PtyApp(home, tmp_path, size=(0, 0)) as app:
        assert b"\x1b[24;1H" in app.output
        assert b"\x1b[25;1H" not in app.output


async def test_drawing_goes_on_after_a_delay_whatever_held_it_up(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread at work just then, and the screen would stay as it is for good while keys still do things."""
    async with open_app() as driver:
        busy = itertools.count(1)
        monkeypatch.setattr("textual._time.get_time", lambda: time.monotonic() + min(next(busy), 40) * 0.01)
        driver.app.hurry()
        driver.app.delay_update()
        await driver.until(lambda: not driver.app._batch_count, "the end of the delay")


@pytest.mark.parametrize("tint", ["rgba(16, 20, 28, 0.7)", "transparent"])
def test_what_a_dialog_covers_has_the_colours_it_would_have_anyway(tint: str) -> None:
    """The screen below would change its colours when a dialog opens."""
    color = Color.parse(tint)
    styles = [
        Style.parse(words) for words in ("", "bold red on blue", "#102030 on #ffffff", "link https://a.example", "dim")
    ]
    segments = BackgroundScreen.process_segments([Segment("x", style) for style in styles], color)
    assert [dimmed(style, color) for style in styles] == [segment.style for segment in segments]


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the collector of garbage was told, in order; it has always something to do."""
    told: list[str] = []
    monkeypatch.setattr(gc, "get_count", lambda: (0, tidying.WORTH_IT, 0))
    for name in ("unfreeze", "collect", "freeze"):
        monkeypatch.setattr(gc, name, lambda name=name: told.append(name))
    return told


async def test_garbage_is_looked_for_once_nothing_is_drawn_any_more(
    looked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key now and then would take a tenth of a second longer than all others."""
    monkeypatch.setattr(tidying, "PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(tidying, "IDLE_SECONDS", 0.2)
    tidier = tidying.Tidier(App())
    for _ in range(4):
        tidier.drawn()
        await asyncio.sleep(0.02)
    assert looked == []
    await asyncio.sleep(0.08)
    assert looked == ["collect"]
    await asyncio.sleep(0.3)
    assert looked == ["collect", "unfreeze", "collect", "freeze"]


@pytest.mark.parametrize(("gap", "told"), [(0.02, ["collect"]), (0.05, ["collect", "unfreeze"])])
async def test_garbage_is_looked_for_when_something_is_drawn_all_the_time(
    looked: list[str], monkeypatch: pytest.MonkeyPatch, gap: float, told: list[str]
) -> None:
    """Beside an agent that writes all day the app would grow by megabytes a minute."""
    monkeypatch.setattr(tidying, "PATIENCE_SECONDS", 0.15)
    monkeypatch.setattr(tidying, "IDLE_SECONDS", 0.08)
    monkeypatch.setattr(tidying, "PAUSE_SECONDS", 0.03)
    tidier = tidying.Tidier(App())
    for _ in range(round(0.5 / gap)):
        tidier.drawn()
        await asyncio.sleep(gap)
    assert set(told) <= set(looked)


async def test_what_was_closed_is_let_go(open_app: Open) -> None:
    """Every editor, filter and palette that was ever open would stay, some kilobytes each."""
    async with open_app(("first fact",)) as driver:
        seen: list[weakref.ref[Widget]] = []
        for number, key in enumerate(("e", "slash", "ctrl+p") * 2):
            await driver.press(key)
            await driver.settle()
            if number < 3:  # what was open last may be held a while
                screen = driver.app.screen
                seen += map(weakref.ref, (screen, *screen.walk_children(Widget)))
                del screen
            await driver.press("escape")
            await driver.settle()
        tidying.let_go(driver.app)
        StylesCache.get_inner_outer.cache_clear()
        gc.collect()
        assert [widget for ref in seen if (widget := ref()) is not None and not widget.is_attached] == []


async def test_a_look_in_a_pause_does_not_take_long_twice(looked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """With a hundred thousand conversations every pause would be a wait."""
    monkeypatch.setattr(tidying, "PAUSE_SECONDS", 0.02)
    monkeypatch.setattr(tidying, "LONG_SECONDS", -1.0)
    tidier = tidying.Tidier(App())
    tidier.drawn()
    await asyncio.sleep(0.1)
    assert looked == ["collect", "freeze"]


async def test_the_palette_and_what_is_in_it_are_drawn_together(open_app: Open) -> None:
    """The screen would be dimmed first, then an empty box would come, then its rows."""
    async with open_app(("first fact",)) as driver:
        app = driver.app
        await driver.settle()
        drawn: list[str] = []
        whole = app._display

        def display(*args: object) -> None:
            if app._batch_count == 0 and app.screen.id == "--command-palette":
                drawn.append("\n".join(strip.text for strip in app.screen._compositor.render_strips()))
            whole(*args)  # type: ignore[arg-type]

        app._display = display  # type: ignore[assignment]
        await driver.press("ctrl+p")
        await driver.settle()
        rows = app.screen.query_one(CommandList)
        assert "Search for commands" in drawn[0]
        assert str(rows.get_option_at_index(0).prompt).splitlines()[-1] in drawn[0]
        drawn.clear()
        await driver.press(*"zqq")
        await driver.until(lambda: "Nothing was found for “zqq”." in driver.shown(), "what was not found")
        below = [frame.splitlines()[next(at for at, row in enumerate(frame.splitlines()) if "│ z" in row) + 1]
                 for frame in drawn]  # fmt: skip
        assert not any("╰───" in row for row in below), "the box is never empty"


HEAPS = """
import ctypes, threading
from hermes_tui.ui.tidying import use_one_heap

use_one_heap()
kept = []
threads = [threading.Thread(target=lambda: kept.append([bytes(2_000) for _ in range(500)])) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(libc.fdopen(1, b"w"))
libc.malloc_info(0, file)
libc.fflush(file)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="the C library is another one")
def test_all_threads_take_their_memory_from_one_heap() -> None:
    """Each would keep the most it ever needed: the app would grow for hours."""
    said = subprocess.run([sys.executable, "-c", HEAPS], capture_output=True, text=True, check=True).stdout
    assert said.count("<heap nr=") == 1
