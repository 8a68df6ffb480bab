"""The search box: what is pasted, what is offered, what cannot be looked for; and short rows."""

from __future__ import annotations

import pytest
from textual import events

from hermes_tui.ui.sessions.row_painter import count_words
from tests.sessions.world import World
from tests.ui.sessions_app import Home, OpenSessions, ago, open_sessions, sessions_home, three

__all__ = ["open_sessions", "sessions_home"]


def some(world: World) -> None:
    """Two conversations."""
    world.session("one", "the docker daemon hangs", "Restart docker.", title="A daemon")
    world.session("two", "hello", source="telegram", title="Hello")


async def test_a_paste_of_several_lines_is_looked_for_as_a_whole(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """All but the first line would be lost without a word."""
    some(sessions_home.world())
    async with open_sessions() as app:
        await app.press("slash")
        app.app.post_message(events.Paste("\n  docker daemon \r\nhangs\n"))
        await app.until(lambda: app.screen.box.text, "it is pasted")
        await app.settle()
        assert app.screen.box.text == "docker daemon hangs"
        assert [id.split("@")[0] for id in app.ids] == ["one"]
        await app.press("home")
        app.app.post_message(events.Paste("a\nb "))
        await app.until(lambda: app.screen.box.text == "a bdocker daemon hangs", "at the caret")


async def test_an_offer_leaves_the_counts_readable_and_problems_wait_for_it(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """Counts and a sentence would stand half hidden behind a list without a frame."""
    some(sessions_home.world())
    async with open_sessions() as app:
        await app.press("slash")
        await app.type("source:")
        await app.pilot.pause(0.8)
        assert "2 sessions" in app.rows()[2]
        assert "last activity first" in app.rows()[2]
        frame = app.rows()[3]
        assert "╭" in frame[:4]
        assert "has no value" not in app.shown()
        await app.press("escape")
        await app.until(lambda: "source: has no value" in app.shown(), "it is said")


@pytest.mark.parametrize("text", ["(", ":", '"', "'", "OR", "( source:cli"])
async def test_what_holds_nothing_to_look_for_is_said(
    open_sessions: OpenSessions, sessions_home: Home, text: str
) -> None:
    """The whole list would look like the answer."""
    some(sessions_home.world())
    async with open_sessions() as app:
        app.screen.box.put(text)
        await app.until(lambda: f"There is nothing to look for in {text[0]}" in app.shown(), "it is said")
        await app.search("docker")
        await app.until(lambda: "nothing to look for" not in app.shown(), "it is gone")


async def test_a_number_on_a_short_row_says_of_what(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """A bare 12 between source and age could be anything."""
    some(sessions_home.world())
    async with open_sessions(size=(60, 15)) as app:
        assert "2 msg" in app.row_with("A daemon")
    assert [count_words(number) for number in (0, 9_999, 10_000, 1_000_000)] == [
        *("0 msg", "9,999 msg", "10k msg", "1M+ msg"),
    ]  # fmt: skip
    assert max(len(count_words(10**power - 1)) for power in range(9)) <= 9


async def test_marks_stand_side_by_side_and_a_cut_title_ends_once(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """A row would have holes, and two ellipses one behind the other."""
    world = sessions_home.world()
    world.session("runs", "go", title="why…does the page loop again and again here", started_at=ago(60))
    async with open_sessions(size=(60, 15)) as app:
        world.say("runs", "go on", timestamp=ago(1))
        await app.until(lambda: " live " in app.row_with("why"), "it runs")
        await app.settle()
        for width in range(60, 100):
            await app.pilot.resize_terminal(width, 15)
            await app.pilot.pause()
            row = app.row_with("why")
            assert "……" not in row
            if "--continue" in row:
                assert " live  --continue " in row
        assert "--continue" in row


async def test_the_footer_tells_only_of_keys_that_work_while_one_types(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """D would be promised to delete, and type a D."""
    three(sessions_home.world())
    async with open_sessions() as app:
        assert "D Delete" in app.rows()[-1]
        await app.press("slash")
        assert app.rows()[-1].strip() == "enter To the list  ↑↓ Move  esc Back"
        await app.type("lo")
        assert app.rows()[-1].strip() == "enter Open  ↑↓ Move  esc Back"
        await app.type(" source:")
        assert app.rows()[-1].strip() == "enter Open  ↑↓ Choose  tab Complete  esc Dismiss"
        await app.press("escape")
        assert "D Delete" not in app.rows()[-1]
        await app.press("escape")
        assert "D Delete" in app.rows()[-1]
