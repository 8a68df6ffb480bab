"""The Timeline screen without a past, with one that cannot be read, and with everything that breaks a screen."""

from __future__ import annotations

import shutil
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.strip import Strip

from hermes_tui.ui.actions import BY_ID
from hermes_tui.ui.timeline.line import Line
from hermes_tui.ui.timeline.reasons import why_not
from tests.nasty import NASTY, raw_control_bytes
from tests.sessions.test_database import elsewhere
from tests.ui.conftest import Open
from tests.ui.timeline_app import DAY, Life, MakeLife, OpenTimeline, life, open_timeline, some_weeks

__all__ = ["life", "open_timeline", "some_weeks"]

NOW_MEMORY = ("The museum opens at nine.", "Written by nobody knows whom.")
NOW_USER = ("Name: Ines",)
SIZES = [(120, 36), (80, 24), (60, 15), (80, 40), (200, 60), (30, 8)]


async def test_without_any_sessions_it_says_when_there_will_be_something(open_timeline: OpenTimeline) -> None:
    """A new user would look at an empty screen."""
    async with open_timeline() as driver:
        assert "There are no sessions yet: ~/.hermes/state.db does not exist." in driver.plain
        assert "Nothing is known of the past yet" in driver.where
        await driver.press("v")
        assert driver.toasts[-1] == "Nothing is known of the past yet."


async def test_without_sessions_what_the_stores_hold_is_a_beginning(open_timeline: OpenTimeline) -> None:
    """Entries that are there would not be on the line at all."""
    async with open_timeline(("one",)) as driver:
        assert driver.changes == ["+ memory one"]
        assert "before 20" in driver.plain
        assert "not known" in driver.plain


async def test_what_the_stores_hold_is_there_from_the_first_reading(
    open_timeline: OpenTimeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a clock was set back a file's time tells nothing, and the last change would come seconds later."""
    yesterday = time.time() - DAY
    monkeypatch.setattr("time.time", lambda: yesterday)
    monkeypatch.setattr("hermes_tui.ui.timeline.chronicle.Chronicle.note", lambda _self, _views: None)
    async with open_timeline(("one",)) as driver:
        assert driver.changes == ["+ memory one"]


async def test_a_database_without_a_single_block_says_so(life: MakeLife, open_timeline: OpenTimeline) -> None:
    """One would wait for a list that never comes."""
    life().session("s1")
    async with open_timeline() as driver:
        assert "Nothing has changed as far as anything tells." in driver.plain
        assert "holds no prompt with a block of memory, and no call of the memory tool." in driver.plain


async def test_a_broken_database_is_a_sentence_and_what_was_found_before_stays(
    hermes_home: Path, some_weeks: Life, open_timeline: OpenTimeline
) -> None:
    """Unreadable would be shown as empty."""
    async with open_timeline(NOW_MEMORY, NOW_USER):
        pass
    some_weeks.close()
    (hermes_home / "state.db").write_bytes(b"not a database at all" * 400)
    async with open_timeline(NOW_MEMORY, NOW_USER) as driver:
        assert len(driver.changes) == 6
        await driver.until(lambda: "What was found before" in driver.plain, "it is said")


async def test_a_home_that_was_removed_is_said_to_be_gone(
    hermes_home: Path, some_weeks: Life, open_timeline: OpenTimeline
) -> None:
    """It would look as if nothing had ever been remembered."""
    async with open_timeline(NOW_MEMORY, NOW_USER) as driver:
        some_weeks.close()
        shutil.rmtree(hermes_home)
        await driver.until(lambda: not driver.screen.state.exists, "the home is gone")
        await driver.settle()
        await driver.press("h", "r")
        assert "There is no home at" in driver.toasts[-1]


async def test_a_store_that_is_switched_off_is_named(
    hermes_home: Path, life: MakeLife, open_timeline: OpenTimeline
) -> None:
    """Nobody would see why sessions are told nothing."""
    (hermes_home / "config.yaml").write_text("memory:\n  user_profile_enabled: false\n")
    life().session("s1")
    async with open_timeline(("one",)) as driver:
        assert "USER.md switched off in config (memory.user_profile_enabled: false)" in driver.plain


async def test_a_locked_database_is_waited_for(some_weeks: Life, open_timeline: OpenTimeline) -> None:
    """A busy agent would look like a broken database."""
    code = "c.execute('BEGIN EXCLUSIVE'); c.execute('UPDATE sessions SET title = NULL'); print(1, flush=True)"
    with elsewhere(some_weeks.world, f"{code}; time.sleep(60)") as holder:
        assert holder.stdout
        holder.stdout.readline()
        async with open_timeline(NOW_MEMORY, NOW_USER) as driver:
            await driver.until(lambda: "Busy, retrying" in driver.plain, "it says so")
            assert driver.changes
            holder.kill()
            await driver.until(lambda: len(driver.changes) == 6, "it goes on by itself")
            await driver.until(lambda: "Busy" not in driver.plain, "it says so no more")


@pytest.mark.usefixtures("some_weeks")
@pytest.mark.parametrize("size", SIZES)
async def test_it_is_whole_at_every_size(open_timeline: OpenTimeline, size: tuple[int, int]) -> None:
    """On a small terminal the list, the stores or the line would be missing."""
    async with open_timeline(NOW_MEMORY, NOW_USER, size=size) as driver:
        for keys in (("h",), ("v",), ("w",), ("w",), ("left_square_bracket",), ("slash",), ("escape",)):
            await driver.press(*keys)
            assert all(len(row) <= size[0] for row in driver.rows())
        if size[1] >= 15:
            words = driver.plain
            assert "◆" in words
            assert "MEMORY.md" in words
            assert "The museum opens at" in words
            assert "Changes · 6" in words
            assert "? Help" in words


@pytest.mark.usefixtures("some_weeks")
async def test_a_small_terminal_shows_the_store_that_the_change_is_about(open_timeline: OpenTimeline) -> None:
    """One would look at the store in which nothing has happened."""
    async with open_timeline(NOW_MEMORY, NOW_USER, size=(80, 24)) as driver:
        assert not driver.screen.pane_of("user").display
        await driver.press(*["h"] * 4)
        assert "change 2 of 6" in driver.where
        assert driver.screen.pane_of("user").display
        assert not driver.screen.pane_of("memory").display
        await driver.press("tab", "tab")
        assert driver.screen.active == "user"
        assert driver.screen.pane_of("user").text.has_focus


async def test_no_text_reaches_the_terminal_as_it_is(life: MakeLife, open_timeline: OpenTimeline) -> None:
    """A memory could style, crash or command the terminal from its past."""
    texts = {text[:300].strip().encode("utf-8", "replace").decode() for text in NASTY.values()} - {"", "§"}
    texts = {text for text in texts if "\n§\n" not in text}
    made = life()
    made.stores["memory"] = ["one", *sorted(texts)]
    made.session("s1", "title \x1b[31m[/red]\u202e")
    for text in sorted(texts):
        made.remove("s1", text)
    made.session("s2")
    async with open_timeline(("one",), size=(100, 30)) as driver:
        assert {each.before for each in driver.change_list.changes} > texts - {"a\n§", "§\nb"}
        pages = len(driver.changes) // driver.change_list.page + 1
        for key in [*["pageup"] * pages, "g", "v", "right_square_bracket", "slash", *["pagedown"] * pages]:
            await driver.press(key)
            assert not raw_control_bytes(driver.shown())
            assert key.startswith("page") or not raw_control_bytes(driver.then())
        for key in ("escape", "p", "escape", "h", "b", "escape", "enter"):
            await driver.press(key)
            assert not raw_control_bytes(driver.shown())


@pytest.mark.usefixtures("some_weeks")
async def test_a_place_is_looked_up_in_the_list_that_it_is_in(open_timeline: OpenTimeline) -> None:
    """What is known is there a moment before the list is drawn anew: a page of the old one would end in an error."""
    async with open_timeline(NOW_MEMORY, NOW_USER) as driver:
        await driver.press("h")
        screen = driver.screen
        assert screen.known is not None
        assert screen.place.row > 0
        assert (screen.place.session, screen.against) == ("", "before")
        screen.chronicle.known = replace(screen.known, line=Line())
        await screen.looking._show()


async def test_thousands_of_changes_are_drawn_lazily(life: MakeLife, open_timeline: OpenTimeline) -> None:
    """A long history would take seconds to show, and to move in."""
    made = life(days=300)
    made.world.run("BEGIN")
    made.session("s1")
    for number in range(600):
        made.add("s1", f"entry {number}")
        made.remove("s1", f"entry {number}")
    made.world.run("COMMIT")
    async with open_timeline(()) as driver:
        assert len(driver.changes) == 1_200
        drawn: list[int] = []
        draw = driver.change_list.draw

        def noted(line: int, width: int) -> Strip:
            drawn.append(line)
            return draw(line, width)

        driver.change_list.draw = noted  # type: ignore[method-assign]
        await driver.press("g", "G", "h", "pageup", "pageup")
        assert driver.change_list.cursor == 1_199 - 2 * driver.change_list.page
        assert len(drawn) < 400


async def test_the_first_rows_are_there_while_the_rest_is_read(
    life: MakeLife, open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One would look at an empty screen until fifty thousand sessions are read."""
    made = life(days=300)
    made.world.run("BEGIN")
    for number in range(900):
        made.stores["memory"] = [f"entry {number // 90}"]
        made.wait(0.3)
        made.session(f"s{number}")
    made.world.run("COMMIT")
    monkeypatch.setattr("hermes_tui.ui.timeline.chronicle.BREATH_SECONDS", 0.25)
    async with open_app(("entry 9",), ()) as driver:
        await driver.pilot.press("4")
        await driver.until(lambda: "reading " in driver.shown() and "entry 9" in driver.shown(), "the first are there")
        screen = driver.app.screens.timeline[0]
        first = len(screen.change_list.changes)
        assert 0 < first < 10
        await driver.pilot.press("h")
        place = screen.place
        await driver.until(lambda: screen.known and screen.known.complete, "all is read")
        await driver.until(
            lambda: len(screen.change_list.changes) == 19
        )  # the first came, and nine times one went and another came
        assert "reading " not in driver.shown().replace("Reading", "")
        assert screen.place.at == place.at


@pytest.mark.parametrize(
    ("id", "words"),
    [
        ("timeline.story", "There is no entry here to tell the story of."),
        ("timeline.earlier", "Nothing is known of the past yet."),
        ("timeline.open", "There is no change here."),
        ("timeline.exposure", "No session that is known ran with a text that is blocked now."),
    ],
)
def test_what_is_only_not_read_yet_is_not_said_to_be_missing(id: str, words: str) -> None:
    """`There is no entry here`, on a row that has one two seconds later."""
    nothing = SimpleNamespace(start=None, sessions=())
    known = SimpleNamespace(complete=False, exposures=())
    screen: Any = SimpleNamespace(
        hermes=SimpleNamespace(read_only=False), ready=True, known=known, line=nothing, entry=None,
        chronicle=SimpleNamespace(share=0.42, trouble=None), searching=SimpleNamespace(on=False),
        place=SimpleNamespace(session=""), change_list=SimpleNamespace(change=None, ever=None),
    )  # fmt: skip
    assert why_not(BY_ID[id], screen) == "History is being read, 42 % so far."
    known.complete, screen.chronicle.share = True, None
    assert why_not(BY_ID[id], screen) == words


async def test_what_is_known_is_shown_while_history_rests(
    some_weeks: Life, open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a busy agent it rests for seconds, and nothing would be said to be known meanwhile."""
    assert some_weeks.stores
    async with open_app(None, None) as app:
        chronicle = app.app.past.chronicle
        chronicle.refresh()
        await app.until(lambda: chronicle.complete and chronicle.idle, "history is read")
        monkeypatch.setattr(chronicle, "refresh", lambda: None)
        await app.press("4")
        await app.until(lambda: "Changes · " in app.shown(), "the changes")
        assert "Nothing is known" not in app.shown()


async def test_history_waits_until_the_screen_has_come_to_rest(life: MakeLife, open_app: Open) -> None:
    """The first frame, and the first keys, would wait for the database."""
    life().session("s1")
    async with open_app(("one",)) as driver:
        assert not any(worker.name == "history" for worker in driver.app.workers)


async def test_cards_say_since_when_their_entry_is_there_where_there_is_room(
    some_weeks: Life, open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One would have to open the story of every entry."""
    monkeypatch.setattr("hermes_tui.ui.past.CALM_SECONDS", 0.05)
    monkeypatch.setattr("hermes_tui.ui.past.READ_SECONDS", 0.05)
    day = time.strftime("%Y-%m-%d", time.localtime(some_weeks.now - 15 * DAY))
    async with open_app(NOW_MEMORY, NOW_USER) as driver:
        await driver.until(lambda: f"· since {day} · tool call" in driver.shown(), "the cards say it")
        rows = driver.rows()
        assert any("29 chars · 1% · since" in row for row in rows)
        await driver.press("a")
        assert "since" not in driver.shown()
        await driver.pilot.press("escape")
        await driver.press("d")
        await driver.until(lambda: len(driver.texts()) == 1)
        assert f"since {day}" not in driver.shown().replace("USER", "") or driver.texts() != list(NOW_MEMORY)
