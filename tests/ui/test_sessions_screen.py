"""The list of conversations: what a row says, what is left out, parts, order, keys."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Sequence

import pytest
from rich.cells import cell_len

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.listing import Brief
from hermes_tui.sessions.summaries import Summary
from tests.nasty import NASTY
from tests.sessions.world import SHAPES, Shape
from tests.ui.sessions_app import Home, OpenSessions, ago, list_of, open_sessions, sessions_home, three

__all__ = ["open_sessions", "sessions_home"]
HOUR, DAY = 3_600.0, 86_400.0


@pytest.mark.parametrize("shape", SHAPES)
async def test_the_last_active_conversation_comes_first_with_its_facts(
    open_sessions: OpenSessions, sessions_home: Home, shape: Shape
) -> None:
    """Nobody would find what they talked about yesterday."""
    world = sessions_home.world(shape)
    three(world)
    world.say("old", "and yesterday's?", timestamp=ago(2 * 60))
    async with open_sessions() as app:
        assert app.ids == ["old", "last", "other"]
        assert "Rotating logs" in app.row_with("2m ago")
        assert "cli · 2 messages · how do I rotate logs?" in app.shown()
        assert "3 sessions" in app.counts
        assert "last activity first" in app.counts


async def test_a_title_that_nobody_gave_stands_in_quotes_and_is_said_to_be_made(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """A person would look for a title that is stored nowhere."""
    three(sessions_home.world())
    async with open_sessions() as app:
        await app.go_to("other")
        assert "“Regen in Lissabon am Sonntag”" in app.shown()
        assert "made from the first message" in app.preview
        await app.go_to("old")
        assert "made from the first message" not in app.preview


async def test_what_is_special_about_a_conversation_is_said_in_words(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """Only colours would tell a session that runs from one that was put away."""
    world = sessions_home.world()
    world.session("away", "long ago", title="Put away", archived=1)
    three(world)
    world.session("runs", "go on", started_at=ago(60), title="Running now", source="tui")
    world.say("runs", "still here", timestamp=ago(5))
    async with open_sessions() as app:
        assert " live " in app.row_with("Running now")
        assert "--continue" in app.row_with("Login loop")
        assert "Put away" not in app.shown()
        await app.search("archived:also")
        assert " archived " in app.row_with("Put away")


async def test_the_parts_of_a_conversation_are_one_row_until_they_are_unfolded(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """Parts would clutter the list, or be out of reach."""
    world = sessions_home.world()
    three(world)
    for number, (parent, id) in enumerate(itertools.pairwise((None, "p1", "p2", "p3"))):
        begun = ago(DAY - 100 * number)
        reason = "compression" if id != "p3" else None
        world.session(
            id or "", "a long story", "it goes on", parent_session_id=parent, started_at=begun, end_reason=reason,
            ended_at=begun + 50 if reason else None, title=f"Saga #{number + 1}" if number else "Saga",
        )  # fmt: skip
    async with open_sessions() as app:
        assert app.ids.count("p1") == 1
        assert " 3 parts " in app.row_with("Saga")
        await app.go_to("p1")
        assert all(id in app.preview for id in ("p1", "p2", "p3"))
        await app.press("z")
        assert [id for id in app.ids if "/" in id] == ["p1/p3", "p1/p2", "p1/p1"]
        assert "part 2 of 3" in app.shown()
        await app.go_to("p1/p2")
        await app.press("z")
        assert app.current == "p1"
        assert not [id for id in app.ids if "/" in id]
        await app.go_to("old")
        await app.press("z")
        assert "no other parts" in app.toasts[-1]


async def test_empty_sessions_and_runs_are_counted_and_shown_on_a_key(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """A list full of empty sessions, or sessions that are missing and nobody says why."""
    world = sessions_home.world()
    three(world)
    for number in range(20):
        world.session(f"ghost-{number}", message_count=0)
    world.session("nightly", "backup", source="cron")
    async with open_sessions() as app:
        assert "20 empty, 1 cron hidden" in app.counts
        assert len(app.ids) == 3
        await app.press("H")
        assert len(app.ids) == 24
        assert " empty " in app.shown()
        assert "all kinds" in app.counts
        await app.press("H")
        assert len(app.ids) == 3


async def test_filter_words_narrow_the_list_and_say_so(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """Sessions would be missing behind a filter that nobody sees."""
    three(sessions_home.world())
    async with open_sessions() as app:
        await app.press("slash")
        await app.type("source:telegram")
        assert app.ids == ["other"]
        assert "1 of 3 sessions" in app.counts
        assert "only source:telegram" in app.counts
        await app.search("source:telegram title:login")
        assert app.ids == []
        assert "0 shown, 3 sessions hidden by source:telegram title:login." in app.shown()
        await app.search("title:login")
        assert app.ids == ["last"]
        await app.press("escape")
        await app.press("escape")
        assert len(app.ids) == 3


async def test_the_dialog_of_filters_ticks_what_the_words_say_and_the_other_way_round(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """Two places would say two different things about what is shown."""
    world = sessions_home.world()
    three(world)
    world.session("ghost", message_count=0)
    async with open_sessions() as app:
        await app.search("source:telegram")
        await app.pilot.press("f")
        await app.until(lambda: "1 of 3 sessions" in app.shown(), "the dialog has counted")
        assert re.search(r"\[x\] telegram +1 ", app.shown())
        assert re.search(r"\[ \] cli +2 ", app.shown())
        await app.pilot.press("space")
        assert re.search(r"\[x\] empty: no message, no title +0 ", app.shown())
        await app.pilot.press("enter")
        await app.settle()
        assert app.screen.box.text == "source:telegram"
        assert "also empty" in app.counts
        await app.pilot.press("f")
        await app.until(lambda: "Also show" in app.shown())
        await app.pilot.press("c", "enter")
        await app.settle()
        assert app.screen.box.text == ""
        assert app.ids == ["last", "other", "old"]


async def test_the_order_is_said_and_changed_on_a_key(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """A person would take the order of the list for another one."""
    world = sessions_home.world()
    three(world)
    world.say("old", "again", timestamp=ago(60))
    world.run("UPDATE sessions SET message_count = 9 WHERE id = 'other'")
    async with open_sessions() as app:
        assert app.ids == ["old", "last", "other"]
        await app.press("o")
        assert app.ids == ["last", "other", "old"]
        assert "newest start first" in app.counts
        await app.press("o")
        assert app.ids == ["other", "old", "last"]
        assert "most messages first" in app.counts


async def test_full_ids_and_the_resume_command_are_copied(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shortened id resumes nothing."""
    world = sessions_home.world()
    three(world)
    long_id = "20260101_120000_abcdef0123456789"
    world.session(long_id, "the newest of all", started_at=ago(DAY))
    copied: list[str] = []
    async with open_sessions() as app:
        monkeypatch.setattr(app.app, "copy_out", lambda text, _what: copied.append(text))
        await app.press("c", "y")
        assert copied == [f"hermes --resume {long_id}", long_id]
        assert long_id in app.preview


async def test_the_preview_says_where_when_and_how_much(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """A person would have to open a conversation to know which one it is."""
    world = sessions_home.world()
    world.session(
        "s1", "what does it cost?", "Little.", model="hermes-4", cwd="/srv/shop", git_branch="main", title="Costs",
        started_at=ago(DAY), input_tokens=1_200, output_tokens=300, estimated_cost_usd=0.25, tool_call_count=2,
    )  # fmt: skip
    async with open_sessions() as app:
        for words in ("hermes-4", "/srv/shop on main", "1,200 in, 300 out", "$0.25", "2 tool calls", "UTC", "Little."):
            assert words in app.preview


@pytest.mark.parametrize("size", [(120, 36), (60, 15)], ids=str)
async def test_every_nasty_text_is_shown_as_data(
    open_sessions: OpenSessions, sessions_home: Home, size: tuple[int, int]
) -> None:
    """A title could style the screen, or end the program."""
    texts = [text.encode("utf-8", "replace").decode() for text in NASTY.values()]
    world = sessions_home.world()
    for number, text in enumerate(texts):
        title = f"{number} {text}"
        world.session(f"nasty-{number}", text, text, title=title, source=text[:40] or "x", model=text, cwd=text)
    async with open_sessions(size=size, live=False) as app:
        for _ in range(len(texts) * 2 // app.rows_list.page + 2):
            shown = app.shown()
            assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", shown)
            assert {cell_len(row) for row in app.rows()} == {size[0]}
            await app.press("pagedown")
        assert app.rows_list.cursor == len(texts) - 1
        for text in texts[::9]:
            app.screen.box.put(text)
            await app.settle()
            assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", app.shown())


async def test_a_hundred_thousand_rows_are_fetched_a_screenful_at_a_time(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list would take minutes and all memory there is."""
    from hermes_tui.sessions import summaries as made

    world = sessions_home.world()
    world.run("BEGIN")
    for number in range(5_000):
        world.session(f"s{number:05}", title=f"Talk {number}", message_count=1, started_at=ago(9 * DAY) + number)
    world.run("COMMIT")
    fetched: list[int] = []
    real = made.summaries

    def counted(base: Database, briefs: Sequence[Brief], now: float) -> tuple[Summary, ...]:
        fetched.append(len(briefs))
        return real(base, briefs, now)

    monkeypatch.setattr("hermes_tui.ui.sessions.details.summaries", counted)
    async with open_sessions(size=(80, 24)) as app:
        assert list_of(app).stops == 5_000
        await app.press("G")
        assert "Talk 0 " in app.shown()
        await app.press("home", "pagedown", "pagedown")
        assert app.rows_list.cursor == 2 * app.rows_list.page
        assert sum(fetched) < 300
        assert len(app.screen.details.rows) < 1_000


async def test_small_terminals_have_list_and_box_and_the_preview_on_a_key(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """On a phone there would be two halves of which neither can be read."""
    three(sessions_home.world())
    async with open_sessions(size=(60, 15)) as app:
        assert "words that were said" in app.shown()
        assert app.row_with("Login loop").split()[-3:-1] == ["cli", "2"] or "cli" in app.row_with("Login loop")
        await app.press("p")
        assert "started" in app.shown()
        assert "Rotating logs" not in app.shown()
        await app.press("escape")
        assert "Rotating logs" in app.shown()


async def test_looking_writes_nothing_into_the_home(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """A viewer would leave files beside the database of an agent."""
    world = sessions_home.world()
    three(world)
    world.close()
    folder = sessions_home.path.parent

    def state() -> list[tuple[str, int, int]]:
        return sorted((path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in folder.iterdir())

    async with open_sessions() as app:
        before = state()
        await app.press("j", "z", "H", "o", "slash")
        await app.type("login")
        await app.press("escape", "n", "s", "escape", "p")
        assert state() == before


async def test_the_screen_leaves_and_comes_back_where_it_was(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """Looking at the memory in between would lose the search."""
    three(sessions_home.world())
    async with open_sessions() as app:
        await app.search("logs")
        await app.pilot.press("1")
        await app.pilot.press("3")
        await app.settle()
        assert app.screen.box.text == "logs"
        assert app.ids == ["old@0", "old@1"]
        assert time.time() - app.screen.reader.read_at < 60
