"""Room and drawing: a screen that was covered while the terminal changed, what a terminal measured otherwise."""

from __future__ import annotations

import pytest
from rich.console import RenderableType
from textual.screen import Screen

from hermes_tui.ui.drawing import WIPE
from hermes_tui.ui.transcript.screen import TranscriptScreen
from tests.ui.sessions_app import Home, OpenSessions, open_sessions, sessions_home

__all__ = ["open_sessions", "sessions_home"]


async def test_a_terminal_that_grows_while_a_transcript_is_read_is_used_afterwards(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """The list would stay in the form for a phone until the next resize."""
    sessions_home.world().session("one", "hello there", title="One")
    async with open_sessions(size=(60, 15)) as app:
        assert app.rows_list.sheet.height == 1  # type: ignore[union-attr]
        await app.pilot.press("enter")
        await app.until(lambda: isinstance(app.app.screen, TranscriptScreen), "it is open")
        await app.pilot.resize_terminal(120, 36)
        await app.pilot.press("escape")
        await app.until(lambda: app.app.screen is app.screen, "it is closed")
        await app.settle()
        assert any("╭─ Sessions" in row and "Preview" in row for row in app.rows())
        assert app.rows_list.sheet.height == 2  # type: ignore[union-attr]
        assert "narrow it" in app.shown()


async def test_without_frames_nothing_touches_an_edge_or_a_scroll_bar(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """The first letters of the rows and the last ones of a message would be hard to read on a small terminal."""
    sessions_home.world().session("one", "x" * 300, title="One")
    async with open_sessions(size=(60, 15)) as app:
        rule, first = app.rows()[3:5]
        assert rule.startswith("─ Sessions ──")
        assert (first.startswith(" ▌ One"), first[-2:].isspace()) == (True, True)
        await app.press("enter")
        lines = [row for row in app.rows() if "xxx" in row]
        assert max(map(len, map(str.rstrip, lines))) == 57, "one free, the bar, one free again"


async def test_the_words_in_an_empty_box_fit_the_terminal_as_it_is_now(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """They would be cut off, or shorter than they need be, until the next resize."""
    sessions_home.world().session("one", "hello there", title="One")
    async with open_sessions(size=(120, 36)) as app:
        await app.pilot.resize_terminal(60, 20)
        await app.until(lambda: "words that were said, a title, an id " in app.shown(), "the short ones")
        await app.pilot.resize_terminal(120, 36)
        await app.until(lambda: "narrow it" in app.shown(), "the long ones")


async def test_f5_and_another_screen_begin_on_an_empty_terminal(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Letters that the terminal takes for wider than we do would leave others behind for ever."""
    sessions_home.world().session("one", "hello there", title="One")
    async with open_sessions() as app:
        sent: list[str] = []
        monkeypatch.setattr(app.app, "_write_sequence", sent.append)
        drawn: list[object] = []
        real = app.app._display

        def display(screen: Screen[None], update: RenderableType | None) -> None:
            drawn.append(update)
            real(screen, update)

        monkeypatch.setattr(app.app, "_display", display)
        await app.press("f5")
        assert sent == [WIPE]
        assert any(type(update).__name__ == "LayoutUpdate" for update in drawn)
        for key in "123":
            await app.pilot.press(key)
            await app.pilot.pause()
        assert sent == [WIPE] * 4


async def test_what_a_transcript_needs_is_loaded_while_nobody_does_anything(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first conversation would take longer to open than any other."""
    sessions_home.world().session("one", "hello there", title="One")
    loaded: list[str] = []
    monkeypatch.setattr("hermes_tui.ui.sessions.screen.import_module", loaded.append)
    async with open_sessions() as app:
        await app.until(lambda: loaded == ["hermes_tui.ui.transcript.screen"], "it is loaded")
