"""Pruning on the screen: conditions, a preview that follows them, what is left alone, and the question."""

from __future__ import annotations

import pytest

from hermes_tui.ui.dialogs.confirm import Confirm
from hermes_tui.ui.dialogs.form import Choices, Line
from hermes_tui.ui.dialogs.pruning import PruneDialog, number_in
from tests.sessions.world import World
from tests.ui.sessions_app import Home, OpenSessions, SessionsDriver, ago, open_sessions, sessions_home

__all__ = ["open_sessions", "sessions_home"]

DAY = 86_400.0
SIZES = [(60, 15), (80, 24), (120, 36)]


def ages(world: World) -> None:
    """Conversations of many ages, sizes and sources; the database is of the 0.22 line."""
    for id, days, source in (
        ("new", 3, "cli"),
        ("older", 100, "cli"),
        ("oldest", 400, "telegram"),
        ("kept", 300, "cli"),
    ):
        world.session(id, title=f"Talk {id}", source=source, message_count=2, started_at=ago(days * DAY), ended_at=1.0)
        for number in range(2):
            world.say(id, f"message {number}", timestamp=ago(days * DAY - number))
    world.session("ghost", message_count=0, started_at=ago(200 * DAY), ended_at=1.0)
    world.run("UPDATE sessions SET pinned = 1 WHERE id = 'kept'")


def plan_words(app: SessionsDriver) -> str:
    """What the preview says."""
    assert isinstance(app.dialog, PruneDialog)
    return " ".join(app.dialog.pane.plain.split())


async def settled(app: SessionsDriver) -> str:
    """The preview when it has followed."""
    dialog = app.dialog
    assert isinstance(dialog, PruneDialog)
    await app.until(lambda: not dialog.waiting, "it is worked out")
    return plan_words(app)


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_the_usual_ninety_days_are_counted_before_anything_is_asked(
    open_sessions: OpenSessions, sessions_home: Home, size: tuple[int, int]
) -> None:
    """Pruning would be a leap in the dark."""
    ages(sessions_home.world("0.22"))
    async with open_sessions(size=size) as app:
        await app.ask("X")
        words = await settled(app)
        assert "3 conversations, 4 messages, about" in words
        assert "1 that match is left alone: 1 pinned." in words
        assert "Talk kept: It is pinned." in words
        assert "hermes-tui sessions vacuum" in words
        assert "Talk older" in words
        assert "enter Delete 3 …" in app.shown()
        assert {len(row) for row in app.rows()} == {size[0]}


async def test_the_preview_follows_every_condition(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """One would confirm a number that belongs to other conditions."""
    world = sessions_home.world("0.22")
    ages(world)
    async with open_sessions() as app:
        await app.ask("X")
        await settled(app)
        await app.pilot.press("backspace", "backspace", "2", "5", "0")
        assert "1 conversation, 2 messages" in await settled(app)
        await app.pilot.press("down", "right", "right")
        assert isinstance(app.app.focused, Choices)
        assert "telegram (1)" in app.shown()
        assert "Talk oldest" in await settled(app)
        await app.pilot.press("left", "left", "down", "0")
        assert "No conversation fits" in await settled(app)
        await app.pilot.press("backspace", "up", "up", *["backspace"] * 3, "down", "down", "down", "space")
        assert "1 conversation, 0 messages" in await settled(app)
        assert "[x] only empty ones" in app.shown()


async def test_without_a_condition_nothing_is_counted_and_nothing_can_be_deleted(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """An empty form would mean everything."""
    world = sessions_home.world("0.22")
    ages(world)
    async with open_sessions() as app:
        await app.ask("X")
        await settled(app)
        await app.pilot.press("backspace", "backspace")
        assert "Give at least one condition" in await settled(app)
        await app.press("enter")
        assert isinstance(app.app.screen, PruneDialog)
        await app.pilot.press("x")
        assert "“x” is no number of days." in await settled(app)


async def test_only_a_yes_deletes_and_undo_brings_all_back(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """Enter twice by habit would delete years of work."""
    world = sessions_home.world("0.22")
    ages(world)
    every = world.rows("SELECT * FROM messages ORDER BY id")
    async with open_sessions() as app:
        await app.ask("X")
        await settled(app)
        await app.press("enter")
        assert isinstance(app.dialog, Confirm)
        assert app.dialog.question == "Delete 3 conversations with 4 messages?"
        assert "state.db does not get smaller by this" in " ".join(app.dialog.detail.split())
        await app.press("enter")
        assert world.rows("SELECT count(*) FROM sessions") == [(5,)]
        await app.ask("X")
        await settled(app)
        await app.press("enter", "y")
        assert [row[0] for row in world.rows("SELECT id FROM sessions ORDER BY id")] == ["kept", "new"]
        assert "Deleted 3 conversations – u takes all of it back" in app.toasts[-1]
        await app.press("u")
        assert world.rows("SELECT * FROM messages ORDER BY id") == every


async def test_a_late_count_of_other_conditions_is_dropped(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """The number of the conditions before would be confirmed."""
    world = sessions_home.world("0.22")
    ages(world)
    async with open_sessions() as app:
        await app.ask("X")
        dialog = app.dialog
        assert isinstance(dialog, PruneDialog)
        await settled(app)
        await app.pilot.press("backspace", "backspace", "9", "9", "9")
        assert dialog.plan is None
        await app.pilot.press("enter")
        assert app.app.screen is dialog
        assert "No conversation fits" in await settled(app)
        assert dialog.query_one("#days", Line).text == "999"


async def test_vacuum_asks_and_says_how_much_came_back(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """Space would be promised that never comes."""
    world = sessions_home.world()
    for number in range(8):
        world.session(f"s{number}", "x" * 100_000, title=f"Talk {number}")
    world.close()
    sessions_home.worlds.clear()
    before = sessions_home.path.stat().st_size
    async with open_sessions() as app:
        await app.press("ctrl+a")
        await app.ask("D")
        await app.press("y")
        assert sessions_home.path.stat().st_size >= before
        shown = await app.ask("V")
        assert "Give the space of what was deleted back to the disk?" in shown
        await app.press("n")
        await app.ask("V")
        await app.press("y")
        assert "went back to the disk" in app.toasts[-1]
        assert sessions_home.path.stat().st_size < before / 2
        await app.press("u")
        assert len(app.ids) == 8


@pytest.mark.parametrize(
    ("typed", "number", "wrong"),
    [
        ("", None, ""),
        (" 90 ", 90.0, ""),
        ("1.5", 1.5, ""),
        ("1,000", 1000.0, ""),
        ("-3", None, "sense"),
        ("nan", None, "sense"),
        ("inf", None, "sense"),
        ("1e99", None, "sense"),
        ("٣", 3.0, ""),
        ("[red]x", None, "no number of days"),
    ],
)
def test_a_number_of_days_is_read_as_it_is_typed(typed: str, number: float | None, wrong: str) -> None:
    """A typing error would prune by another age."""
    found, said = number_in(typed, "days")
    assert found == number
    assert wrong in said
    assert bool(said) == bool(wrong)
