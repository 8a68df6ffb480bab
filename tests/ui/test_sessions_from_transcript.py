"""The keys of the list that also work in a transcript: rename, export, delete, undo."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_tui.ui.transcript.screen import TranscriptScreen
from tests.sessions.world import World
from tests.ui.sessions_app import Home, OpenSessions, SessionsDriver, ago, open_sessions, sessions_home, three

__all__ = ["open_sessions", "sessions_home"]


async def opened(app: SessionsDriver) -> TranscriptScreen:
    """The transcript of the row under the cursor."""
    await app.pilot.press("enter")
    await app.until(lambda: isinstance(app.app.screen, TranscriptScreen), "the transcript is up")
    screen = app.app.screen
    assert isinstance(screen, TranscriptScreen)
    await app.until(lambda: screen.reading.facts is not None, "it is read")
    return screen


def stored(world: World) -> dict[str, str | None]:
    """Titles by id."""
    return dict(world.rows("SELECT id, title FROM sessions"))


async def test_a_conversation_is_renamed_where_it_is_read_and_back(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """One would have to leave the place one has read to."""
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        screen = await opened(app)
        await app.ask("R")
        await app.type(" again")
        await app.press("enter")
        assert stored(world)["last"] == "Login loop again"
        assert app.app.screen is screen
        await app.until(lambda: "Login loop again" in app.rows()[2], "the title line follows")
        await app.press("u")
        assert stored(world)["last"] == "Login loop"
        await app.until(lambda: "Login loop again" not in app.rows()[2], "and back")
        await app.press("escape")
        assert len(app.app.screen_stack) == 1
        assert app.current == "last"


async def test_a_conversation_is_deleted_where_it_is_read_and_the_list_comes_back(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """One would stay before a conversation that is not there any more."""
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        await opened(app)
        await app.ask("D")
        await app.press("n")
        assert isinstance(app.app.screen, TranscriptScreen)
        await app.ask("D")
        await app.press("y")
        await app.until(lambda: len(app.app.screen_stack) == 1, "the list is up")
        await app.settle()
        assert app.ids == ["other", "old"]
        assert "u takes it back" in app.toasts[-1]
        await app.press("u")
        assert app.ids == ["last", "other", "old"]
        assert app.current == "last"


async def test_a_part_that_came_while_one_read_is_part_of_what_is_meant(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """The list rests while one reads, so the newest part would be left behind."""
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        screen = await opened(app)
        world.run("UPDATE sessions SET end_reason = 'compression', ended_at = ? WHERE id = 'last'", (ago(50),))
        world.session("last-2", "it goes on", parent_session_id="last", started_at=ago(40))
        await app.until(lambda: screen.reading.facts and len(screen.reading.facts.parts) == 2, "the part is known")
        assert "the whole conversation, 2 parts" in await app.ask("D")
        await app.press("y")
        assert set(stored(world)) == {"old", "other"}


async def test_a_conversation_is_written_to_a_file_where_it_is_read(
    open_sessions: OpenSessions, sessions_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """x shows secrets here, so that another key has to do."""
    monkeypatch.chdir(tmp_path)
    three(sessions_home.world())
    async with open_sessions() as app:
        await opened(app)
        shown = await app.ask("x")
        assert "this conversation" in shown
        await app.press("enter")
        (written,) = tmp_path.iterdir()
        assert "the login page loops" in written.read_text()


async def test_read_only_and_a_conversation_that_is_gone_are_said(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """The keys would be silently dead."""
    world = sessions_home.world()
    three(world)
    async with open_sessions(read_only=True) as app:
        await opened(app)
        for key in ("R", "D", "u"):
            await app.press(key)
            assert "read-only view" in app.toasts[-1]
    async with open_sessions() as app:
        screen = await opened(app)
        world.run("DELETE FROM messages WHERE session_id = 'last'")
        world.run("DELETE FROM sessions WHERE id = 'last'")
        await app.until(lambda: screen.reading.gone, "it is noticed")
        for key in ("R", "D", "x"):
            await app.press(key)
            assert "deleted meanwhile" in app.toasts[-1]
