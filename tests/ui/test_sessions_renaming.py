"""Renaming a conversation on the screen: what the rules make of a title, conflicts, clearing, and nothing lost."""

from __future__ import annotations

from functools import partial

import apsw
import pytest

from hermes_tui.sessions.upkeep.writer import Writer
from hermes_tui.ui.dialogs.base import KeyBar
from hermes_tui.ui.dialogs.rename import Named, RenameDialog, apart_words
from tests.every import every
from tests.nasty import NASTY
from tests.sessions.world import SHAPES, Shape, World
from tests.ui.sessions_app import Home, OpenSessions, SessionsDriver, ago, open_sessions, sessions_home, three

__all__ = ["open_sessions", "sessions_home"]

FAMILY = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}"


def title_of(world: World, id: str) -> str | None:
    """What is stored."""
    title: str | None = world.rows("SELECT title FROM sessions WHERE id = ?", (id,))[0][0]
    return title


def verdict(app: SessionsDriver) -> str:
    """What the dialog says about its text, all of which is on the screen."""
    assert isinstance(app.dialog, RenameDialog)
    words, _ = app.dialog.verdict()
    drawn = app.dialog.query_one("#title-verdict").region
    assert drawn.height
    assert app.dialog.query_one("#dialog").region.contains_region(drawn)
    keys = " ".join(f"{hint.key} {hint.label}" for hint in app.dialog.query_one(KeyBar).hints)
    return f"{words} {keys}"


async def rename(app: SessionsDriver, text: str) -> None:
    """Open the dialog with R and put a text in the place of what is in it."""
    await app.ask("R")
    assert isinstance(app.dialog, RenameDialog)
    app.dialog.line.put("")
    await app.paste(text)


@pytest.mark.parametrize("shape", SHAPES)
async def test_a_new_title_is_stored_shown_and_taken_back(
    open_sessions: OpenSessions, sessions_home: Home, shape: Shape
) -> None:
    """What was typed would be nowhere, or there would be no way back."""
    world = sessions_home.world(shape)
    three(world)
    async with open_sessions() as app:
        shown = await app.ask("R")
        assert "Login loop" in shown
        assert "10/100" in shown
        assert "This is its title now." in shown
        await app.type(" fixed")
        assert "16/100" in app.shown()
        await app.press("enter")
        assert title_of(world, "last") == "Login loop fixed"
        assert "Renamed to “Login loop fixed” – u takes it back" in app.toasts[-1]
        assert app.current == "last"
        await app.press("u")
        assert title_of(world, "last") == "Login loop"
        assert "Login loop fixed" not in app.row_with("cli · 2 messages · the login").join(app.ids) + app.preview
        assert "Undone: renaming to “Login loop fixed”." in app.toasts[-1]


async def test_a_derived_title_is_offered_selected_and_becomes_the_title_by_enter(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """One would have to type what stands there already, or delete it letter by letter."""
    world = sessions_home.world("0.22")
    world.session("one", "rotate the nginx logs every week please", started_at=ago(100))
    async with open_sessions() as app:
        shown = await app.ask("R")
        assert "Made from the first message; saving makes it the title." in shown
        assert isinstance(app.dialog, RenameDialog)
        derived = app.dialog.start_text
        await app.press("enter")
        assert title_of(world, "one") == derived != ""
        await app.press("u")
        assert title_of(world, "one") is None
        await app.ask("R")
        await app.type("mine")
        await app.press("enter")
        assert title_of(world, "one") == "mine"


async def test_what_the_agent_takes_out_of_a_title_is_said_before_it_is_saved(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """The emoji of a family would fall apart, and nobody would know why."""
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        await rename(app, f"{FAMILY} trip a\u200bb")
        shown = verdict(app)
        assert "U+200D ZERO WIDTH JOINER" in shown
        assert "U+200B ZERO WIDTH SPACE" in shown
        assert "one character falls apart into 3: \N{MAN} \N{WOMAN} \N{GIRL}." in shown
        assert "trip ab”." in shown
        await app.press("enter")
        assert title_of(world, "last") == f"{FAMILY.replace(chr(0x200D), '')} trip ab"


def test_only_what_is_seen_as_one_falls_apart() -> None:
    """Joiners between letters are no family."""
    assert len(apart_words(f"{FAMILY} and {FAMILY}")) == 1
    assert apart_words("می\u200cرود a\u200db") == []
    assert "into 4: " in apart_words("\N{WOMAN}\u200d\u2764\ufe0f\u200d\N{KISS MARK}\u200d\N{WOMAN}")[0]


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (120, 36)], ids=str)
async def test_a_title_of_101_is_refused_with_the_count_and_stays_in_the_line(
    open_sessions: OpenSessions, sessions_home: Home, size: tuple[int, int]
) -> None:
    """It would be cut, or the agent would refuse it without a word."""
    world = sessions_home.world()
    three(world)
    async with open_sessions(size=size) as app:
        await rename(app, "x" * 101)
        shown = verdict(app)
        assert "101/100" in app.shown()
        assert "A title has at most 100 characters; this one has 101." in shown
        await app.press("enter")
        assert isinstance(app.app.screen, RenameDialog)
        await app.press("backspace", "enter")
        assert title_of(world, "last") == "x" * 100


async def test_nothing_clears_the_title_and_says_what_the_list_shows_then(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """A person who empties the line would not know whether that is allowed."""
    world = sessions_home.world("0.22")
    three(world)
    async with open_sessions() as app:
        await rename(app, "   ")
        shown = verdict(app)
        assert "its title is cleared. The list shows “" in shown
        await app.press("enter")
        assert title_of(world, "last") is None
        assert "The title is cleared – u takes it back" in app.toasts[-1]
        await app.press("u")
        assert title_of(world, "last") == "Login loop"


async def test_a_title_that_is_taken_names_the_holder_and_offers_the_next_number(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """One would have to guess which title is free."""
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        await rename(app, "Rotating logs")
        await app.press("enter")
        await app.until(lambda: isinstance(app.app.screen, RenameDialog), "the dialog is back")
        shown = verdict(app)
        assert "The title “Rotating logs” belongs to session old." in shown
        assert "f3 Take “Rotating logs #2”" in shown
        await app.press("f3")
        assert "belongs to" not in app.shown()
        await app.press("enter")
        assert title_of(world, "last") == "Rotating logs #2"
        assert title_of(world, "old") == "Rotating logs"


async def test_a_locked_database_gives_the_text_back(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was typed would be gone because an agent was writing."""
    monkeypatch.setattr("hermes_tui.sessions.upkeep.keeper.Writer", partial(Writer, patience=0.2))
    world = sessions_home.world(wal=True)
    three(world)
    other = apsw.Connection(str(sessions_home.path))
    async with open_sessions() as app:
        await rename(app, "A long and careful title")
        other.execute("BEGIN IMMEDIATE")
        await app.pilot.press("enter")
        await app.until(lambda: "✗" in app.shown(), "the refusal is said")
        assert "A long and careful title" in app.shown()
        assert title_of(world, "last") == "Login loop"
        other.execute("ROLLBACK")
        await app.press("enter")
        assert title_of(world, "last") == "A long and careful title"
    other.close()


async def test_a_part_of_an_unfolded_conversation_gets_a_title_of_its_own(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """The title would land on another part."""
    world = sessions_home.world()
    world.session("p1", "a long story", title="Saga", started_at=ago(900), ended_at=ago(500), end_reason="compression")
    world.session("p2", "it goes on", parent_session_id="p1", started_at=ago(400))
    async with open_sessions() as app:
        await app.press("z")
        await app.go_to("p1/p1")
        await rename(app, "Beginning")
        await app.press("enter")
        assert (title_of(world, "p1"), title_of(world, "p2")) == ("Beginning", None)


async def test_a_hit_renames_its_conversation_and_the_search_finds_it_by_the_new_name(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """Names would be found as they were before."""
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        await app.search("logrotate")
        await rename(app, "Zebra crossing")
        await app.press("enter")
        assert title_of(world, "old") == "Zebra crossing"
        assert "Zebra crossing" in app.shown()
        await app.search("zebra")
        await app.until(lambda: any(id.startswith("old@") for id in app.ids), "found by its new name")


async def test_a_conversation_that_was_deleted_meanwhile_says_so(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """The key would end in an error, and the row stay."""
    world = sessions_home.world()
    three(world)
    async with open_sessions(live=False) as app:
        await rename(app, "Other")
        world.run("DELETE FROM messages WHERE session_id = 'last'")
        world.run("DELETE FROM sessions WHERE id = 'last'")
        await app.press("enter")
        assert "There is no session last any more." in app.toasts[-1]
        await app.until(lambda: "last" not in app.ids, "the list is read again")


@every("name", list(NASTY))
def test_odd_titles_can_be_typed_over(name: str) -> None:
    """A title from disk could end the dialog, or the screen."""
    text = NASTY[name].encode("utf-8", "replace").decode()
    dialog = RenameDialog(Named("id", text, "", ""))
    assert len(dialog.start_text) <= 100
    assert not any(ord(char) < 32 for char in dialog.start_text)
