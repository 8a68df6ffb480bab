"""A database that goes away and comes back while somebody searches in it, and what is said meanwhile."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_tui.sessions.listing import SessionIndex
from hermes_tui.ui.transcript.screen import TranscriptScreen
from tests.sessions.world import World
from tests.ui.sessions_app import Home, OpenSessions, open_sessions, sessions_home

__all__ = ["open_sessions", "sessions_home"]


def talks(world: World) -> None:
    """Two conversations about owls, one of them called so."""
    world.session("text", "an owl sits there", "The owl is a bird.", title="Birds")
    world.session("title", "what flies at night?", title="Owls")


def moved(path: Path) -> Callable[[], object]:
    """Moved away, and back."""
    path.rename(path.with_name("away"))
    return lambda: path.with_name("away").rename(path)


def emptied(path: Path) -> Callable[[], object]:
    """Truncated, and written again."""
    content = path.read_bytes()
    path.write_bytes(b"")
    return lambda: path.write_bytes(content)


def replaced(path: Path) -> Callable[[], object]:
    """Moved away; a copy comes back."""
    path.rename(path.with_name("away"))
    return lambda: shutil.copy(path.with_name("away"), path)


@pytest.mark.parametrize("wal", [False, True], ids=["rollback journal", "wal"])
@pytest.mark.parametrize(
    ("harm", "words"),
    [(moved, "state.db is gone"), (emptied, "state.db is empty (0 bytes)"), (replaced, "state.db is gone")],
    ids=["moved", "emptied", "replaced"],
)
async def test_a_database_that_goes_away_under_a_search_is_said_and_comes_back(
    open_sessions: OpenSessions,
    sessions_home: Home,
    harm: Callable[[Path], Callable[[], object]],
    words: str,
    wal: bool,
) -> None:
    """Old hits would stand under `no sessions yet`, or the search stay broken after a restore."""
    world = sessions_home.world(wal=wal)
    talks(world)
    world.close()
    async with open_sessions() as app:
        await app.press("slash")
        await app.type("ow")
        assert len(app.ids) == 3
        come_back = harm(sessions_home.path)
        await app.pilot.press("l")
        await app.until(lambda: words in app.counts, "the counts say it")
        await app.until(lambda: not app.ids, "the old hits are gone")
        assert words in app.notice
        assert "it was last read at" in app.rows_list.nothing
        assert "state.db gone" in app.rows()[0]
        assert "no sessions yet" not in app.shown()
        come_back()
        await app.until(lambda: len(app.ids) == 3, "it is found again")
        await app.until(lambda: not app.notice and "state.db gone" not in app.rows()[0], "nothing is wrong any more")
        await app.settle()
        assert app.screen.box.text == "owl"
        assert "2 conversations · 3 hits" in app.counts
        await app.search("")
        assert sorted(app.ids) == ["text", "title"]
        assert "2 sessions" in app.counts


async def test_a_notice_about_rows_goes_when_they_can_be_read_again(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A trouble of a moment would be on the screen for ever."""
    from hermes_tui.errors import Unreadable

    world = sessions_home.world()
    talks(world)
    async with open_sessions() as app:

        def trip(*_arguments: object) -> None:
            raise Unreadable("state.db cannot be read: odd.", code="sessions_unreadable")

        with monkeypatch.context() as patch:
            patch.setattr("hermes_tui.ui.sessions.details.summaries", trip)
            world.session("new", "hello")
            await app.until(lambda: "odd" in app.notice, "it is said")
        world.say("new", "again")
        await app.until(lambda: not app.notice, "it is gone")


async def test_the_top_line_says_that_sessions_cannot_be_read(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """`live` alone would say that what one sees is fresh."""
    sessions_home.path.write_bytes(bytes(range(256)) * 16)
    async with open_sessions() as app:
        assert "sessions unreadable" in app.rows()[0]
        await app.pilot.press("1")
        await app.until(lambda: "first fact" in app.shown())
        assert "sessions unreadable" not in app.shown()


async def test_the_keys_go_to_the_list_after_a_hit_was_opened_from_the_box(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """`n` would type a letter instead of going to the next hit."""
    talks(sessions_home.world())
    async with open_sessions() as app:
        await app.press("slash")
        await app.pilot.press("o", "w", "l", "enter")
        await app.until(lambda: isinstance(app.app.screen, TranscriptScreen), "it is open")
        await app.pilot.press("escape")
        await app.until(lambda: app.app.screen is app.screen, "it is closed")
        assert app.rows_list.has_focus
        await app.press("n")
        assert app.screen.box.text == "owl"
        assert app.rows_list.cursor == 1


async def test_sessions_in_damaged_pages_are_counted(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would be missing without a word."""
    talks(sessions_home.world())
    real = SessionIndex.load

    def load(index: SessionIndex, *arguments: object) -> None:
        real(index, *arguments)  # type: ignore[arg-type]
        index.lost = 12

    monkeypatch.setattr(SessionIndex, "load", load)
    async with open_sessions() as app:
        assert app.notice == "12 sessions lie in damaged pages of state.db."


async def test_hits_in_titles_count_and_the_order_says_that_they_come_first(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """`2 conversations · 1 hit`, and an old title above the newest hits, would look like an error."""
    talks(sessions_home.world())
    async with open_sessions() as app:
        await app.search("owls")
        assert "1 conversation · 1 hit" in app.counts
        assert app.counts.endswith("| titles first, then newest")
        await app.search("bird")
        assert "1 conversation · 2 hits" in app.counts
        await app.search("sits")
        assert app.counts.endswith("| newest hits first")


async def test_a_number_of_hits_that_does_not_follow_the_rows_is_left_out(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """`60+ hits` would stay the same while more and more conversations come."""
    world = sessions_home.world()
    for number in range(60):
        world.session(f"s{number:03}", f"owl number {number}")
    async with open_sessions(size=(80, 24)) as app:
        await app.search("owl")
        await app.press("s")
        assert "+ conversations" in app.counts
        assert "hits" not in app.counts.split("|")[0]
        while "+" in app.counts:
            await app.press("G")
        assert "60 conversations · 60 hits" in app.counts
