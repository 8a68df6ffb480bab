"""Selecting conversations on the screen: what is selected, how many messages that is, and what keeps it."""

from __future__ import annotations

import time

import pytest

from hermes_tui.ui.actions import BY_ID
from tests.ui.sessions_app import Home, OpenSessions, SessionsDriver, ago, open_sessions, sessions_home, three

__all__ = ["open_sessions", "sessions_home"]
DAY = 86_400.0


async def test_selected_conversations_are_marked_and_counted_with_their_messages(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """One would press D without knowing how much is selected."""
    three(sessions_home.world())
    async with open_sessions() as app:
        await app.press("space", "j", "space")
        assert app.counts.startswith("2 selected · 4 messages · 3 sessions")
        assert "[x] Login loop" in app.shown()
        assert app.shown().count("[x]") == 2
        await app.press("space")
        assert app.counts.startswith("1 selected · 2 messages")
        await app.press("escape")
        assert "selected" not in app.counts
        assert "[x]" not in app.shown()


async def test_all_that_are_shown_are_selected_at_once_and_not_what_a_filter_hides(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """Something out of sight would be deleted along."""
    three(sessions_home.world())
    async with open_sessions() as app:
        await app.press("ctrl+a")
        assert app.counts.startswith("3 selected")
        await app.press("slash")
        await app.type("source:telegram")
        assert app.counts.startswith("1 selected · 2 messages · 2 more not shown")
        await app.press("enter", "D")
        await app.until(lambda: "Delete “" in app.shown(), "the question is up")
        assert "2 messages" in app.shown()
        await app.press("n", "escape", "asterisk")
        assert app.counts.startswith("3 selected")


async def test_escape_ends_the_selection_last(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """Backing out of a search would throw away what was collected in it."""
    three(sessions_home.world())
    async with open_sessions() as app:
        await app.search("login")
        await app.press("space")
        assert app.counts.startswith("1 selected")
        assert "[x] Login loop" in app.shown()
        await app.press("escape")
        assert app.screen.box.text == ""
        assert app.counts.startswith("1 selected")
        await app.press("escape")
        assert "selected" not in app.counts


async def test_selection_and_cursor_stay_while_an_agent_writes(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """A new message would move the cursor to another conversation, or the tick with it."""
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        await app.go_to("old")
        await app.press("space")
        world.session("fresh", "something else", started_at=ago(5), title="Fresh")
        world.say("other", "one more", timestamp=ago(1))
        await app.until(lambda: "fresh" in app.ids and app.ids[0] == "other", "the list has followed")
        assert app.current == "old"
        assert app.rows_list.selection == {"old"}
        world.run("DELETE FROM messages WHERE session_id = 'old'")
        world.run("DELETE FROM sessions WHERE id = 'old'")
        await app.until(lambda: "old" not in app.ids, "it is gone")
        assert app.rows_list.selection == set()
        assert "selected" not in app.counts


async def test_a_compaction_leaves_the_conversation_selected(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """The newest part has another id than the one that was selected."""
    world = sessions_home.world()
    three(world)
    async with open_sessions() as app:
        await app.go_to("old")
        await app.press("space")
        world.run("UPDATE sessions SET end_reason = 'compression', ended_at = ? WHERE id = 'old'", (ago(50),))
        world.session("old-2", "it goes on", parent_session_id="old", started_at=ago(40))
        await app.until(lambda: " 2 parts " in app.shown(), "it has two parts")
        await app.settle()
        assert [brief.id for brief in app.rows_list.selected] == ["old-2"]


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (120, 36)], ids=str)
async def test_the_selection_is_named_and_the_footer_whole_at_every_size(
    open_sessions: OpenSessions, sessions_home: Home, size: tuple[int, int]
) -> None:
    """On a small terminal the number would be what is cut off."""
    three(sessions_home.world())
    async with open_sessions(size=size) as app:
        await app.press("ctrl+a")
        assert "3 selected · 6 messages" in app.shown()
        footer = app.rows()[-1]
        assert footer.rstrip().endswith("? Help")
        shown = [action for action, _ in app.screen.footer.fitting(size[0])]
        assert all(f"{action.key} {app.screen.label_of(action)}" in footer for action in shown)


async def test_a_selection_of_many_thousands_holds_nothing_up(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """Selecting everything would freeze the screen for seconds."""
    world = sessions_home.world()
    world.run("BEGIN")
    for number in range(20_000):
        world.session(f"s{number:05}", title=f"Talk {number}", message_count=3, started_at=ago(9 * DAY) + number)
    world.run("COMMIT")
    async with open_sessions(size=(80, 24)) as app:
        began = time.monotonic()
        await app.press("ctrl+a")
        assert app.counts.startswith("20,000 selected · 60,000 messages")
        await app.press("j", "j", "space")
        assert app.counts.startswith("19,999 selected")
        assert time.monotonic() - began < 3.0
        await app.press("escape")
        assert "selected" not in app.counts


async def test_only_what_was_found_so_far_is_selected_and_that_is_said(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """One would take forty for all that there are."""
    world = sessions_home.world()
    for number in range(60):
        world.session(f"s{number:02}", f"needle in talk {number}", started_at=ago(DAY * 9) + number)
    async with open_sessions(size=(80, 24)) as app:
        await app.search("needle")
        await app.press("enter" if app.screen.box.input.has_focus else "j", "ctrl+a")
        assert "found so far are selected" in app.toasts[-1]
        assert 0 < len(app.rows_list.selected) < 60


@pytest.mark.parametrize("id", ["sessions.archive", "sessions.pin"])
async def test_the_label_of_a_key_follows_what_it_would_do(
    open_sessions: OpenSessions, sessions_home: Home, id: str
) -> None:
    """`Archive` on what is archived would be a riddle."""
    world = sessions_home.world("0.22")
    three(world)
    world.session("away", "put away", title="Away", archived=1, pinned=1, started_at=ago(60))
    async with open_sessions() as app:
        assert label(app, id) in ("Archive", "Pin")
        await app.search("archived:also")
        await app.go_to("away")
        assert label(app, id) in ("Unarchive", "Unpin")


def label(app: SessionsDriver, id: str) -> str:
    """What a key is called now."""
    return app.screen.label_of(BY_ID[id])


async def test_read_only_disables_what_changes_something_and_says_so(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """A key would be silently dead, or write all the same."""
    three(sessions_home.world("0.22"))
    async with open_sessions(read_only=True) as app:
        for key in ("R", "D", "A", "P", "T", "X", "u", "V"):
            await app.press(key)
            assert "read-only view" in app.toasts[-1], key
            assert len(app.app.screen_stack) == 1, key
        await app.press("space")
        assert app.counts.startswith("1 selected")


async def test_what_a_database_of_old_cannot_do_is_said(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """The key would end in an error about a column."""
    world = sessions_home.world("0.13")
    world.session("one", "how do I rotate logs?")
    async with open_sessions() as app:
        await app.press("P")
        assert "Pin is not possible" in app.toasts[-1]
        await app.press("A")
        assert "Archive is not possible" in app.toasts[-1]


async def test_an_empty_list_has_nothing_to_change_and_says_so(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """A dialog about nothing would open."""
    sessions_home.world()
    async with open_sessions() as app:
        for key in ("R", "D", "A", "T", "space", "x"):
            await app.press(key)
            assert "There is no session here to" in app.toasts[-1], key


async def test_without_a_database_the_keys_say_why_nothing_can_be_changed(open_sessions: OpenSessions) -> None:
    """A dialog would open over nothing, and end in an error."""
    async with open_sessions() as app:
        for key in ("R", "D", "A", "P", "T", "X", "V", "u"):
            await app.press(key)
            assert app.toasts[-1] == "There are no sessions yet.", key
            assert len(app.app.screen_stack) == 1, key
