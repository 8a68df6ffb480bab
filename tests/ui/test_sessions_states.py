"""What the disk does: no database, one that cannot be read, one that changes while one looks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sessions.test_database import elsewhere
from tests.sessions.world import World
from tests.ui.sessions_app import Home, OpenSessions, ago, open_sessions, sessions_home

__all__ = ["open_sessions", "sessions_home"]


def some(world: World, count: int = 3) -> None:
    """A few conversations."""
    for number in range(count):
        world.session(f"s{number}", f"talk number {number}", "Yes.", title=f"Talk {number}")


async def test_no_database_yet_is_said_and_the_first_conversation_shows_up(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """A new home would look like a broken one, until a restart."""
    async with open_sessions() as app:
        assert "There are no sessions yet: ~/.hermes/state.db does not exist." in app.instead
        some(sessions_home.world())
        await app.until(lambda: app.ids == ["s2", "s1", "s0"], "it is read")


def zeroed(path: Path) -> None:
    """A database with a hole."""
    data = bytearray(path.read_bytes())
    data[4096 : 4096 * 3] = bytes(8192)
    path.write_bytes(data)


def folder(path: Path) -> None:
    """Something else of that name."""
    path.unlink()
    path.mkdir()


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "random bytes": (lambda path: path.write_bytes(bytes(range(256)) * 16), "is damaged: file is not a database"),
    "a hole": (zeroed, "is damaged: database disk image is malformed"),
    "cut off": (lambda path: path.write_bytes(path.read_bytes()[:20_000]), "is damaged: "),
    "a directory": (folder, "is not a file"),
}


@pytest.mark.parametrize("harm", BROKEN)
async def test_what_cannot_be_read_is_said_and_never_called_no_sessions(
    open_sessions: OpenSessions, sessions_home: Home, harm: str
) -> None:
    """A person would believe that all conversations are gone."""
    world = sessions_home.world()
    some(world)
    world.close()
    break_it, words = BROKEN[harm]
    break_it(sessions_home.path)
    async with open_sessions() as app:
        assert words in app.notice
        assert str(sessions_home.path) in app.notice
        assert app.screen.query_one("#sessions-notice").has_class("-broken")
        assert "no sessions yet" not in app.shown()
        assert app.ids or "that is not the same as no sessions" in app.instead
        await app.search("talk")
        assert "Nothing was found" not in app.shown()
        await app.search("")
        await app.pilot.press("1")
        await app.until(lambda: "first fact" in app.shown(), "the other screens work")


async def test_an_empty_file_and_an_empty_database_are_two_states(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """A cut off file would be taken for one in which nothing was said."""
    sessions_home.path.touch()
    async with open_sessions() as app:
        assert "is empty (0 bytes)" in app.instead
        sessions_home.world()
        await app.until(lambda: "state.db holds none" in app.rows_list.nothing, "the new one is read")


async def test_a_database_that_is_locked_keeps_the_old_data_and_says_busy(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """The list would vanish whenever an agent cleans up."""
    world = sessions_home.world()
    some(world)
    async with open_sessions() as app:
        change = "c.execute('BEGIN EXCLUSIVE'); c.execute(\"UPDATE sessions SET title = 'Renamed' WHERE id = 's1'\")"
        end = "print(1, flush=True); time.sleep(60)"
        with elsewhere(world, f"{change}; {end}") as holder:
            assert holder.stdout
            holder.stdout.readline()
            await app.pilot.press("f5")
            await app.until(lambda: "Busy, retrying" in app.notice, "it is said")
            assert app.ids == ["s2", "s1", "s0"]
            await app.pilot.press("j")
            assert app.current == "s1"
        await app.until(lambda: not app.notice, "it is read again")


async def test_a_file_in_the_place_of_the_old_one_is_read_anew_and_said(
    open_sessions: OpenSessions, sessions_home: Home, tmp_path: Path
) -> None:
    """After a restore the screen would go on with conversations that are no longer there."""
    some(sessions_home.world())
    async with open_sessions() as app:
        other = World(tmp_path / "other.db")
        other.session("else", "something else", title="Else")
        other.close()
        (tmp_path / "other.db").replace(sessions_home.path)
        await app.until(lambda: app.ids == ["else"], "the new one is read")
        assert "state.db is another file than before" in app.notice


async def test_a_database_that_is_gone_is_said(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """Rows of a file that is gone could be opened and would fail."""
    some(sessions_home.world())
    async with open_sessions() as app:
        sessions_home.path.unlink()
        await app.until(lambda: "state.db is gone" in app.rows_list.nothing, "it is said")
        assert app.ids == []
        await app.press("y")
        assert "There is no session here to copy." in app.toasts[-1]


async def test_a_home_that_is_gone_is_said(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """An unmounted disk would look like an empty home."""
    some(sessions_home.world())
    folder = sessions_home.path.parent
    async with open_sessions() as app:
        folder.rename(folder.with_name("elsewhere"))
        await app.until(lambda: "There is no home at ~/.hermes" in app.shown(), "it is said")


@pytest.mark.parametrize("wal", [True, False], ids=["wal", "rollback journal"])
async def test_what_the_agent_writes_shows_up_under_a_cursor_that_stays(
    open_sessions: OpenSessions, sessions_home: Home, wal: bool
) -> None:
    """The row one is about to open would move away under one's finger."""
    world = sessions_home.world(wal=wal)
    some(world, 60)
    async with open_sessions(size=(120, 24)) as app:
        await app.go_to("s10")
        line = app.rows_list.sheet.span(app.rows_list.cursor)[0] - app.rows_list.scroll_offset.y
        world.session("new", "hello", title="Brand new")
        await app.until(lambda: "new" in app.ids, "it is listed")
        assert app.ids[0] == "new"
        assert app.current == "s10"
        assert app.rows_list.sheet.span(app.rows_list.cursor)[0] - app.rows_list.scroll_offset.y == line
        world.say("s10", "and more", timestamp=ago(1))
        await app.until(lambda: app.ids[0] == "s10", "it comes first")
        assert app.current == "s10"


async def test_a_conversation_that_is_deleted_leaves_the_cursor_beside_it(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """The cursor would jump to the top."""
    world = sessions_home.world()
    some(world, 10)
    async with open_sessions() as app:
        await app.go_to("s5")
        world.run("DELETE FROM messages WHERE session_id = 's5'")
        world.run("DELETE FROM sessions WHERE id = 's5'")
        await app.until(lambda: "s5" not in app.ids, "it is gone")
        assert app.current == "s4"


async def test_typing_is_not_disturbed_by_what_the_agent_writes(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """Focus, text or caret would be lost at every message."""
    world = sessions_home.world()
    some(world)
    async with open_sessions() as app:
        await app.press("slash")
        await app.type("talk 1")
        await app.press("left", "left")
        world.session("new", "talk 1 2 3")
        await app.until(lambda: any(id.startswith("new@") for id in app.ids), "it is found")
        await app.type("x")
        assert app.screen.box.text == "talkx 1"


async def test_an_index_that_is_missing_or_damaged_is_said(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """A slow search would have no reason."""
    some(sessions_home.world("no index"))
    async with open_sessions() as app:
        assert "search is a plain scan" in app.notice
        await app.search("number")
        assert len(app.ids) == 3


async def test_what_an_old_database_does_not_have_is_said(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """Undone messages would look like the others without a word."""
    some(sessions_home.world("0.13"))
    async with open_sessions() as app:
        assert app.ids == ["s2", "s1", "s0"]
        assert "does not mark what was undone" in app.notice


async def test_one_odd_row_costs_only_itself(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """One bad value would take the list down."""
    world = sessions_home.world()
    some(world)
    world.run("UPDATE sessions SET model_config = '{bad', started_at = 'soon' WHERE id = 's1'")
    world.run("UPDATE messages SET content = x'00ff', timestamp = 1e300 WHERE session_id = 's1'")
    async with open_sessions() as app:
        assert sorted(app.ids) == ["s0", "s1", "s2"]
        await app.go_to("s1")
        assert " damaged row " in app.shown()
        assert "model_config" in app.preview


async def test_what_nobody_foresaw_is_said_and_the_next_key_works(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list would stand still for ever, and the search say that it searches."""
    from hermes_tui.sessions.listing import SessionIndex
    from hermes_tui.sessions.search import Search

    world = sessions_home.world()
    some(world)

    def trip(*_arguments: object, **_options: object) -> None:
        raise KeyError("odd")

    async with open_sessions() as app:
        with monkeypatch.context() as patch:
            patch.setattr(Search, "more", trip)
            await app.search("talk")
            assert "not understood (KeyError: 'odd')" in app.notice
        await app.search("talk number")
        assert len(app.ids) == 3
        await app.search("")
        with monkeypatch.context() as patch:
            patch.setattr(SessionIndex, "refresh", trip)
            world.session("new", "hello")
            await app.until(lambda: "not understood" in app.notice, "it is said")
        await app.pilot.press("f5")
        await app.until(lambda: app.ids[0] == "new", "it is read")
        assert not app.notice
