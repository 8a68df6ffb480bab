"""Deleting, archiving and pinning on the screen: what is said before, what goes, and how it comes back."""

from __future__ import annotations

import threading
import time
from typing import Any

import apsw
import pytest

from hermes_tui.sessions.upkeep.deletion import Plan, plan_for
from hermes_tui.ui.dialogs.confirm import Confirm
from hermes_tui.ui.dialogs.deletion import DeletionDialog
from hermes_tui.ui.dialogs.following import Following
from hermes_tui.ui.dialogs.results import Results
from tests.nasty import raw_control_bytes
from tests.sessions.world import SHAPES, Shape, World
from tests.ui.sessions_app import (
    ODD_SHARES,
    Home,
    OpenSessions,
    SessionsDriver,
    ago,
    odd_titles,
    open_sessions,
    sessions_home,
    three,
)

__all__ = ["open_sessions", "sessions_home"]

DAY = 86_400.0
SIZES = [(60, 15), (80, 24), (120, 36)]


def sessions(world: World) -> list[str]:
    """What is stored."""
    return [row[0] for row in world.rows("SELECT id FROM sessions ORDER BY id")]


def said(app: SessionsDriver) -> str:
    """All that the dialog says, whether it is scrolled into view or not."""
    assert isinstance(app.dialog, DeletionDialog)
    return " ".join(app.dialog.pane.plain.split())


def family(world: World) -> None:
    """A conversation in two parts with a subagent run, and a branch that was taken from it."""
    world.session(
        "p1", "plan the trip", "Gladly.", title="Trip", started_at=ago(9 * DAY), ended_at=ago(8 * DAY),
        end_reason="compression",
    )  # fmt: skip
    world.session("p2", "and the hotel?", "Booked.", parent_session_id="p1", started_at=ago(8 * DAY))
    world.session(
        "run", "find hotels", "Found.", parent_session_id="p2", source="subagent", title="Hotels",
        model_config='{"_delegate_from": "p2"}', started_at=ago(7 * DAY),
    )  # fmt: skip
    world.session(
        "twig", "another way", "By train.", parent_session_id="p2", title="By train",
        model_config='{"_branched_from": "p2"}', started_at=ago(6 * DAY),
    )  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
async def test_what_is_deleted_is_named_goes_at_once_and_comes_back_whole(
    open_sessions: OpenSessions, sessions_home: Home, shape: Shape
) -> None:
    """A conversation would be gone for good, or not gone."""
    world = sessions_home.world(shape)
    three(world)
    before = world.rows("SELECT * FROM messages ORDER BY id"), world.rows("SELECT * FROM sessions ORDER BY id")
    async with open_sessions() as app:
        await app.go_to("other")
        shown = await app.ask("D")
        assert "Delete “Regen in Lissabon am Sonntag”?" in shown
        assert "1 conversation, 2 messages" in said(app)
        assert "A copy is kept: u brings it back, also after a restart." in said(app)
        assert app.app.focused is not None
        assert app.app.focused.id == "no"
        await app.press("y")
        assert app.ids == ["last", "old"]
        assert app.current == "old"
        assert sessions(world) == ["last", "old"]
        assert "Deleted 1 conversation – u takes it back" in app.toasts[-1]
        await app.press("u")
        assert app.ids == ["last", "other", "old"]
        assert app.current == "other"
        assert before == (
            world.rows("SELECT * FROM messages ORDER BY id"),
            world.rows("SELECT * FROM sessions ORDER BY id"),
        )
        await app.search("Tag")
        assert any(id.startswith("other@") for id in app.ids)


@pytest.mark.parametrize("keys", [("n",), ("escape",), ("enter",)], ids=str)
async def test_the_question_rests_on_no(open_sessions: OpenSessions, sessions_home: Home, keys: tuple[str]) -> None:
    """Enter by habit would delete."""
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        await app.ask("D")
        await app.press(*keys)
        assert len(app.app.screen_stack) == 1
        assert sessions(world) == ["last", "old", "other"]
        assert app.toasts == []


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_subagents_branches_parts_and_files_are_named_before_they_go(
    open_sessions: OpenSessions, sessions_home: Home, size: tuple[int, int]
) -> None:
    """What hangs on a conversation would go with it, or come up in the list, without a word."""
    world = sessions_home.world()
    family(world)
    folder = sessions_home.path.parent / "sessions"
    folder.mkdir()
    (folder / "session_p2.json").write_text("{}")
    async with open_sessions(size=size) as app:
        await app.go_to("p1")
        shown = await app.ask("D")
        assert "Delete “Trip”? – the whole conversation, 2 parts" in shown.replace("│ │", "").replace("  ", " ")
        assert "1 conversation in 2 parts, 6 messages with those of the subagent runs" in said(app)
        assert "1 subagent run is deleted too: “Hotels”." in said(app)
        assert "1 branch is kept, and stands in the list by itself then: “By train”." in said(app)
        assert "1 file goes too: sessions/session_p2.json." in said(app)
        assert "Keep" in app.shown()
        await app.press("y")
        assert sessions(world) == ["twig"]
        assert app.ids == ["twig"]
        assert not list(folder.iterdir())
        await app.press("u")
        assert sessions(world) == ["p1", "p2", "run", "twig"]
        assert (folder / "session_p2.json").read_text() == "{}"


async def test_only_the_newest_part_goes_when_that_is_chosen(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """A person who wants rid of the last part would lose the whole conversation."""
    world = sessions_home.world()
    family(world)
    async with open_sessions() as app:
        await app.go_to("p1")
        await app.ask("D")
        await app.pilot.press("s")
        shown = await app.told()
        assert "the newest part" in shown
        assert "1 conversation, 4 messages with" in said(app)
        await app.press("y")
        assert sessions(world) == ["p1", "twig"]


async def test_a_part_under_the_cursor_can_go_by_itself(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """The choice would be about a part that is not under the cursor."""
    world = sessions_home.world()
    family(world)
    async with open_sessions() as app:
        await app.go_to("p1")
        await app.press("z")
        await app.go_to("p1/p1")
        await app.ask("D")
        assert "s Only part 1 of 2" in app.shown()
        await app.pilot.press("s")
        await app.told()
        await app.press("y")
        assert sessions(world) == ["p2", "run", "twig"]


async def test_what_may_be_in_use_is_said(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """A conversation would be deleted under the hands of an agent."""
    world = sessions_home.world()
    world.session("now", "go on", title="At work", started_at=ago(300))
    world.say("now", "still here", timestamp=ago(125))
    async with open_sessions() as app:
        await app.ask("D")
        assert "in use: it wrote 2 min ago." in said(app)


async def test_several_are_deleted_together_and_come_back_together(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """Undo would have to be pressed for each."""
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        await app.press("space", "j", "space")
        shown = await app.ask("D")
        assert "Delete 2 conversations?" in shown
        assert "2 conversations, 4 messages, about" in said(app)
        assert "Login loop" in said(app)
        await app.press("y")
        assert sessions(world) == ["old"]
        assert "selected" not in app.counts
        await app.press("u")
        assert sessions(world) == ["last", "old", "other"]


async def test_what_was_written_to_since_is_left_alone_and_named(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """A message that came while the question stood would go unread."""
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        await app.press("ctrl+a")
        await app.ask("D")
        world.say("last", "wait, one more thing", timestamp=ago(1))
        await app.press("y")
        assert isinstance(app.app.screen, Results)
        shown = " ".join(app.shown().split())
        assert "2 done, 1 not" in shown
        assert "“Login loop”" in shown
        assert "It was written to since you looked, and is left alone." in shown
        assert sessions(world) == ["last"]
        await app.press("u")
        assert sessions(world) == ["last", "old", "other"]


async def test_what_is_gone_already_is_said_and_the_list_is_read_again(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """Another program was first, and the row would stay with an error."""
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        await app.ask("D")
        for table, column in (("messages", "session_id"), ("sessions", "id")):
            world.run(f"DELETE FROM {table} WHERE {column} = 'last'")
        await app.press("y")
        assert "already deleted" in app.toasts[-1]
        await app.until(lambda: app.ids == ["other", "old"], "the list is read again")


async def test_it_is_said_when_there_is_nothing_to_plan_any_more(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dialog would ask about nothing."""
    three(sessions_home.world())
    nothing = Plan((), (), (), 0, 0, (), missing=("last",))
    monkeypatch.setattr("hermes_tui.sessions.upkeep.keeper.plan_for", lambda *_, **__: nothing)
    async with open_sessions() as app:
        await app.press("D")
        await app.until(lambda: app.toasts, "it is said")
        assert "It was deleted already" in app.toasts[-1]
        assert len(app.app.screen_stack) == 1


async def test_a_database_that_is_locked_all_the_time_loses_nothing_and_says_so(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key would hang, or half of it would be done."""
    monkeypatch.setattr("hermes_tui.sessions.upkeep.writer.PATIENCE_SECONDS", 0.2)
    world = sessions_home.world(wal=True)
    three(world)
    other = apsw.Connection(str(sessions_home.path))
    async with open_sessions() as app:
        await app.ask("D")
        other.execute("BEGIN IMMEDIATE")
        await app.press("y")
        await app.until(lambda: app.toasts, "the refusal is said")
        assert "state.db" in app.toasts[-1]
        other.execute("ROLLBACK")
        assert sessions(world) == ["last", "old", "other"]
        assert app.ids == ["last", "other", "old"]
        await app.press("u")
        assert "no change to sessions to take back" in app.toasts[-1]
    other.close()


async def test_there_is_no_yes_before_it_is_known_what_would_go(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A quick y would delete what nobody has read about."""
    known = threading.Event()

    def slow(*args: Any, **how: Any) -> Plan:
        known.wait(5)
        return plan_for(*args, **how)

    monkeypatch.setattr("hermes_tui.sessions.upkeep.keeper.plan_for", slow)
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        await app.pilot.press("D", "y", "y")
        await app.pilot.pause()
        assert "Working out what would go" in app.shown()
        known.set()
        await app.told()
        assert "2 messages" in said(app)
        assert len(sessions(world)) == 3
        await app.press("y")
        assert len(sessions(world)) == 2


async def test_nothing_to_undo_is_said(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """The key would be silently dead."""
    three(sessions_home.world())
    async with open_sessions() as app:
        await app.press("u")
        assert "There is no change to sessions to take back." in app.toasts[-1]


async def test_undo_works_after_a_restart(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """Who quits after a mistake would have lost the conversation."""
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        await app.ask("D")
        await app.press("y")
    async with open_sessions() as app:
        assert app.ids == ["other", "old"]
        await app.press("u")
        assert app.ids == ["last", "other", "old"]


async def test_a_hit_deletes_its_conversation_and_the_results_follow(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """Rows of what is gone would stay among the results."""
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        await app.search("login")
        assert app.ids
        await app.ask("D")
        await app.press("y")
        assert app.ids == []
        assert "Nothing was found" in app.shown()
        assert sessions(world) == ["old", "other"]


async def test_a_long_deletion_is_followed_and_stops_where_nothing_is_half_done(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty thousand rows would go with no way to stop."""
    monkeypatch.setattr("hermes_tui.sessions.upkeep.erasing.BATCH_SESSIONS", 20)
    monkeypatch.setattr("hermes_tui.sessions.upkeep.writer.REST_SECONDS", 0.1)
    world = sessions_home.world()
    world.run("BEGIN")
    for number in range(600):
        world.session(f"s{number:03}", "hello there", title=f"Talk {number}", started_at=ago(9 * DAY) + number)
    world.run("COMMIT")
    async with open_sessions() as app:
        await app.press("ctrl+a")
        await app.ask("D")
        await app.pilot.press("y")
        await app.until(lambda: isinstance(app.app.screen, Following), "it is followed")
        await app.until(lambda: " of 600 conversations" in app.shown(), "it says how far it is")
        await app.pilot.press("escape")
        await app.until(lambda: "Stopping" in app.shown() or len(app.app.screen_stack) == 1, "it is stopping")
        await app.settle()
        left = len(sessions(world))
        assert 0 < left < 600
        assert "Stopped – u takes all of it back" in app.toasts[-1]
        assert len(app.ids) == left
        assert world.rows("SELECT count(*) FROM messages") == [(left,)]
        await app.press("u")
        assert len(sessions(world)) == 600


@pytest.mark.parametrize("share", range(ODD_SHARES))
async def test_every_odd_title_is_shown_as_data(open_sessions: OpenSessions, sessions_home: Home, share: int) -> None:
    """A title could style the question, or end the program."""
    world = sessions_home.world()
    number = odd_titles(world, share)
    async with open_sessions(size=(60, 15), live=False) as app:
        await app.press("H")
        assert len(app.ids) == number
        for _ in range(number):
            assert not raw_control_bytes(await app.ask("D"))
            await app.pilot.press("escape", "down")
        await app.press("ctrl+a")
        assert not raw_control_bytes(await app.ask("D"))
        await app.press("y")
        assert sessions(world) == []


# Archive and pins


async def test_one_is_archived_at_once_and_the_cursor_goes_to_its_neighbour(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """It would stay in the list, or the cursor jump to the top."""
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        await app.go_to("other")
        await app.press("A")
        assert app.ids == ["last", "old"]
        assert app.current == "old"
        assert "1 archived hidden" in app.counts
        assert "Archived 1 conversation – u takes it back" in app.toasts[-1]
        await app.press("u")
        assert app.ids == ["last", "other", "old"]
        assert app.current == "other"


async def test_what_is_archived_comes_back_by_the_same_key(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """What was put away would never be found again."""
    world = sessions_home.world()
    three(world)
    world.run("UPDATE sessions SET archived = 1 WHERE id = 'old'")
    async with open_sessions() as app:
        await app.search("archived:only")
        await app.press("escape" if app.screen.box.input.has_focus else "g", "A")
        assert world.rows("SELECT archived FROM sessions WHERE id = 'old'") == [(0,)]
        assert app.ids == []


@pytest.mark.parametrize("key", ["A", "P"])
async def test_several_are_asked_about_with_their_count_and_messages(
    open_sessions: OpenSessions, sessions_home: Home, key: str
) -> None:
    """A slip of the finger would put fifty conversations away."""
    world = sessions_home.world("0.22")
    three(world)
    column = {"A": "archived", "P": "pinned"}[key]
    async with open_sessions() as app:
        await app.press("ctrl+a")
        await app.ask(key)
        assert isinstance(app.dialog, Confirm)
        assert "3 conversations with 6 messages?" in app.dialog.question
        await app.press("n")
        assert world.rows(f"SELECT sum({column}) FROM sessions") == [(0,)]
        await app.ask(key)
        await app.press("y")
        assert world.rows(f"SELECT sum({column}) FROM sessions") == [(3,)]
        await app.press("u")
        assert world.rows(f"SELECT sum({column}) FROM sessions") == [(0,)]


async def test_archiving_many_is_followed_and_stops_between_two_batches(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred thousand take half a minute, in which nothing would be said."""
    monkeypatch.setattr("hermes_tui.sessions.upkeep.keeper.CHUNK", 2)
    monkeypatch.setattr("hermes_tui.sessions.upkeep.keeper.Writer.give_way", lambda *_: time.sleep(0.1))
    world = sessions_home.world()
    for number in range(40):
        world.session(f"s{number:02}", "hello there", started_at=ago(9 * DAY) + number)
    async with open_sessions() as app:
        await app.press("ctrl+a")
        await app.ask("A")
        await app.pilot.press("y")
        await app.until(lambda: isinstance(app.app.screen, Following), "it is followed")
        await app.until(lambda: " of 40 conversations" in app.shown(), "it says how far it is")
        await app.pilot.press("escape")
        await app.settle()
        [(put_away,)] = world.rows("SELECT sum(archived) FROM sessions")
        assert 0 < put_away < 40
        assert f"Archived {put_away} conversations. Stopped – u takes all of it back" in app.toasts[-1]
        await app.press("u")
        assert world.rows("SELECT sum(archived) FROM sessions") == [(0,)]


async def test_one_of_several_that_is_gone_is_named_and_the_others_are_done(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """One failure would hide what became of the others."""
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        await app.press("ctrl+a")
        await app.ask("A")
        for table, column in (("messages", "session_id"), ("sessions", "id")):
            world.run(f"DELETE FROM {table} WHERE {column} = 'old'")
        await app.press("y")
        assert isinstance(app.app.screen, Results)
        assert "2 done, 1 not" in app.shown()
        assert "There is no session old any more." in app.shown()
        await app.press("escape")
        assert app.ids == []


async def test_a_pin_is_marked_in_the_row_and_taken_off_by_the_same_key(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """One would not see what is kept from being pruned."""
    world = sessions_home.world("0.22")
    three(world)
    async with open_sessions() as app:
        await app.press("P")
        await app.until(lambda: " pinned " in app.row_with("Login loop"), "the mark is there")
        await app.press("P")
        await app.until(lambda: " pinned " not in app.shown(), "the mark is gone")
        assert world.rows("SELECT sum(pinned) FROM sessions") == [(0,)]


async def test_changes_wait_for_their_turn(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """Two keys in a row would write at the same time."""
    world = sessions_home.world("0.22")
    three(world)
    async with open_sessions() as app:
        await app.pilot.press("A", "A", "A")
        await app.settle()
        assert world.rows("SELECT sum(archived) FROM sessions")[0][0] >= 1
        assert app.screen.operations.running == 0
