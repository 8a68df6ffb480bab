"""Searching as one types: the newest question alone is answered, what is shown says what it is an answer to."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from hermes_tui.sessions.search import Page, Search
from hermes_tui.ui.sessions.sheets import FoundSheet
from tests.sessions.world import World
from tests.ui.sessions_app import Home, OpenSessions, SessionsDriver, ago, open_sessions, sessions_home

__all__ = ["open_sessions", "sessions_home"]
DAY = 86_400.0


def talks(world: World) -> None:
    """Some conversations about the same things."""
    world.session("one", "the docker daemon hangs", "Restart docker.", title="A daemon")
    world.session("two", "backup the database", "With pg_dump.", title="Backups")
    world.session("three", "docker compose fails", "The port is taken, docker says.", title="Compose")
    world.session("nightly", "docker image prune ran", source="cron")


class Slow:
    """Holds the answers to some questions back."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *texts: str) -> None:
        self.asked: list[str] = []
        self.go = threading.Event()
        real = Search.more

        def more(search: Search, *arguments: Any, **options: Any) -> Page:
            self.asked.append(search.query.text)
            if search.query.text in texts:
                self.go.wait(5)
            return real(search, *arguments, **options)

        monkeypatch.setattr(Search, "more", more)


def matches(app: SessionsDriver) -> list[str]:
    """The texts of the hits, with what is marked in brackets."""
    sheet = app.rows_list.sheet
    assert isinstance(sheet, FoundSheet)
    shown = []
    for group in sheet.found:
        for hit in group.hits:
            text = hit.snippet
            for start, end in reversed(hit.marks):
                text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
            shown.append(text)
    return shown


async def test_hits_are_grouped_by_conversation_newest_first_with_the_matches_marked(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """A person would not see why something was found."""
    talks(sessions_home.world())
    async with open_sessions() as app:
        await app.press("slash")
        await app.type("docker")
        assert matches(app)[:2] == ["The port is taken, [docker] says.", "[docker] compose fails"]
        assert [group.summary.title for group in app.rows_list.sheet.found] == ["Compose", "A daemon"]  # type: ignore[union-attr]
        assert "2 conversations · 4 hits" in app.counts
        assert "newest hits first" in app.counts
        row = next(y for y, row in enumerate(app.rows()) if "docker compose fails" in row)
        strip = app.app.screen._compositor.render_strips()[row]
        marked = [segment for segment in strip if segment.text == "docker"]
        assert marked
        assert all(segment.style and segment.style.bold and segment.style.underline for segment in marked)


async def test_what_matches_in_hidden_sources_is_counted_and_a_key_away(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """A hit would be left out and nobody would know."""
    talks(sessions_home.world())
    async with open_sessions() as app:
        await app.search("prune")
        assert "Nothing was found for “prune”." in app.instead
        assert "1 conversation in hidden sources would match (1 cron): H shows" in app.instead
        await app.press("H")
        assert len(app.ids) == 1
        assert " cron " in app.shown()


async def test_a_slow_older_question_is_never_answered(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The results of `d` would come over those of `docker`."""
    talks(sessions_home.world())
    slow = Slow(monkeypatch, "back")
    async with open_sessions() as app:
        shown: list[str] = []
        real = app.screen.show_found

        def show_found(sheet: FoundSheet, *, keep: bool) -> None:
            assert app.screen.searcher.answer
            shown.append(app.screen.searcher.answer.question.query.text)
            real(sheet, keep=keep)

        monkeypatch.setattr(app.screen, "show_found", show_found)
        app.screen.box.put("back")
        await app.until(lambda: "back" in slow.asked)
        app.screen.box.put("compose")
        await app.pilot.pause(0.05)
        slow.go.set()
        await app.settle()
        assert "back" not in shown
        assert shown[-1] == "compose"
        assert matches(app) == ["[Compose]", "docker [compose] fails"]


async def test_the_results_before_stay_dimmed_until_there_are_new_ones(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list would flicker at every key, or pass old hits off as new ones."""
    talks(sessions_home.world())
    slow = Slow(monkeypatch, "docker compose")
    async with open_sessions() as app:
        await app.search("docker")
        before = app.ids
        app.screen.box.put("docker compose")
        await app.until(lambda: app.rows_list.stale, "they are dimmed")
        assert app.ids == before
        assert "searching" in app.counts
        slow.go.set()
        await app.settle()
        assert not app.rows_list.stale
        assert app.ids != before


async def test_nothing_found_names_what_was_looked_for_and_the_way_back(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """An empty list would not say whether it was looked at all."""
    talks(sessions_home.world())
    async with open_sessions() as app:
        await app.search("docker")
        await app.search("zzz source:cli")
        for words in ("Nothing was found for “zzz”.", "only in source:cli", "esc clears the search."):
            assert words in app.instead


async def test_a_search_that_fails_does_not_look_like_one_that_found_nothing(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person would believe that nothing was ever said about it."""
    from hermes_tui.errors import Unreadable

    talks(sessions_home.world())

    def fail(_search: Search, *_arguments: Any, **_options: Any) -> Page:
        raise Unreadable("state.db is damaged: row 7 is missing.", code="sessions_corrupt")

    async with open_sessions() as app:
        monkeypatch.setattr(Search, "more", fail)
        await app.search("docker")
        assert "The search failed: state.db is damaged: row 7 is missing." in app.notice
        assert "Nothing was found" not in app.shown()


async def test_what_cannot_be_understood_is_said_under_the_box_and_left_out(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """A typing error in a date would empty the list without a word."""
    talks(sessions_home.world())
    async with open_sessions() as app:
        await app.search("docker after:someday")
        await app.until(lambda: "after:someday is no date" in app.shown(), "it is said")
        assert len(app.ids) == 4
        await app.search("docker")
        assert "is no date" not in app.shown()


async def test_a_filter_that_lets_nothing_through_is_looked_for_as_text(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """An empty list would hide that somebody said just that."""
    world = sessions_home.world()
    talks(world)
    world.session("said", "it is from source:wikipedia")
    async with open_sessions() as app:
        app.screen.box.put("source:wikipedia")
        await app.until(lambda: "source:wikipedia as text" in app.shown(), "it is found and said")
        assert [id.partition("@")[0] for id in app.ids] == ["said"]
        assert "only source:wikipedia" not in app.shown()
        app.screen.box.put("source:nowhere")
        await app.until(lambda: "hidden by source:nowhere" in app.shown(), "the list says what hides all")


async def test_filter_words_and_their_values_are_offered_and_taken_with_tab(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """Nobody would know what sources there are."""
    world = sessions_home.world()
    talks(world)
    world.session("chat", "hello", source="telegram")
    async with open_sessions() as app:
        await app.press("slash")
        await app.type("docker so")
        assert "where it was said" in app.shown()
        await app.press("tab")
        assert app.screen.box.text == "docker source:"
        assert [each.note for each in app.screen.box.offer.offered] == ["3", "1", "1"]
        await app.press("down")
        await app.press("up")
        await app.press("right")
        assert app.screen.box.text == "docker source:cli "
        assert not app.screen.box.offer.offered
        assert app.screen.box.input.has_focus
        await app.type("mo")
        await app.press("escape")
        assert not app.screen.box.offer.offered
        assert app.screen.box.input.has_focus


async def test_escape_backs_out_one_step_at_a_time(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """One key too many would lose the search and the filter at once."""
    talks(sessions_home.world())
    async with open_sessions() as app:
        await app.press("slash")
        await app.type("docker source:c")
        texts = []
        for _ in range(4):
            await app.press("escape")
            texts.append(app.screen.box.text)
        assert texts == ["docker source:c", "docker source:c", "source:c", ""]
        await app.press("H", "p")
        await app.press("escape")
        assert app.rows_list.has_focus
        assert app.screen.choosing.kinds
        await app.press("escape")
        assert not app.screen.choosing.kinds


async def test_letters_typed_into_the_box_are_letters(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """`q` in a word would leave the program."""
    talks(sessions_home.world())
    async with open_sessions() as app:
        await app.press("slash")
        await app.type("q1 nHsf")
        assert app.screen.box.text == "q1 nHsf"
        await app.press("down")
        assert app.screen.box.input.has_focus


async def test_the_hit_under_the_cursor_is_what_is_previewed(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """The preview would show the end of a long conversation, far from what was found."""
    world = sessions_home.world()
    world.session("long", *(f"line {number}" for number in range(200)), title="Long")
    needle = world.say("long", "the needle is here")
    world.session("other", *(f"more {number}" for number in range(3)))
    for number in range(100):
        world.say("long", f"later {number}")
    async with open_sessions() as app:
        await app.search("needle")
        assert app.current == f"long@{needle}"
        assert "Around the hit" in app.preview
        assert "the needle is here" in app.preview
        assert "line 199" in app.preview
        assert "later 90" not in app.preview


async def test_n_goes_through_the_hits_and_says_when_there_is_no_search(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """The keys of the transcript would do something else in the list."""
    talks(sessions_home.world())
    async with open_sessions() as app:
        await app.press("n")
        assert "Nothing is searched for" in app.toasts[-1]
        await app.search("docker")
        await app.press("n", "n", "N")
        assert app.rows_list.cursor == 1


async def test_relevance_comes_when_it_is_ready(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """The best match of a common word would be far down."""
    world = sessions_home.world()
    world.session("best", "owl owl owl", title="All about it")
    world.session("late", "an owl and many other birds that nobody has ever heard of, as it seems to me")
    async with open_sessions() as app:
        await app.search("owl")
        assert [id.split("@")[0] for id in app.ids] == ["late", "best"]
        await app.press("s")
        assert [id.split("@")[0] for id in app.ids] == ["best", "late"]
        assert "by relevance" in app.counts
        await app.press("s")
        assert [id.split("@")[0] for id in app.ids] == ["late", "best"]


async def test_further_pages_come_as_one_scrolls(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """Only the first twenty conversations could be reached."""
    world = sessions_home.world()
    for number in range(150):
        world.session(f"s{number:03}", f"owl number {number}")
    async with open_sessions(size=(80, 24)) as app:
        await app.search("owl")
        first = len(app.ids)
        assert first < 150
        assert "+ conversations" in app.counts
        for _ in range(300):
            await app.press("G")
            if app.rows_list.cursor == 149:
                break
            await app.pilot.pause(0.02)
        assert app.current.startswith("s000@")
        assert "150 conversations" in app.counts


async def test_a_message_of_a_moment_ago_is_found_without_typing_again(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """What the agent says while one looks would be missing, or the cursor would jump."""
    world = sessions_home.world()
    talks(world)
    async with open_sessions() as app:
        await app.search("docker")
        await app.press("n")
        here = app.current
        world.session("new", "docker again", started_at=ago(1))
        await app.until(lambda: any(id.startswith("new@") for id in app.ids), "it is found")
        assert app.current == here


async def test_enter_in_the_box_opens_the_transcript_at_the_hit(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person would have to leave the box first to read what they found."""
    talks(sessions_home.world())
    opened: list[tuple[str, int]] = []
    async with open_sessions() as app:

        async def action_open() -> None:
            _, hit = app.rows_list.picked
            assert hit
            opened.append((app.rows_list.part, hit.message_id))

        monkeypatch.setattr(app.screen.looking, "action_open", action_open)
        await app.press("slash")
        await app.pilot.press("c", "o", "m", "p", "o", "s", "down", "enter")
        await app.until(lambda: opened)
        assert opened == [("three", 5)]


async def test_secrets_in_what_is_found_are_masked(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """A key would be on the screen for whoever looks over one's shoulder."""
    world = sessions_home.world()
    secret = "sk-proj-abcdefghijklmnop1234567890"
    world.session("leak", f"my key is {secret} and it leaks", title="Leak")
    async with open_sessions() as app:
        assert secret not in app.shown()
        await app.search("leaks")
        assert "sk-pro...7890 and it leaks" in app.shown()
        assert secret not in app.shown()


async def test_enter_opens_the_transcript_and_escape_leads_back_to_the_hit(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """After reading one hit a person would have to search again for the next."""
    from hermes_tui.ui.transcript.screen import TranscriptScreen

    talks(sessions_home.world())
    async with open_sessions() as app:
        await app.search("docker")
        app.rows_list.focus()
        await app.press("n")
        here = app.current
        await app.pilot.press("enter")
        await app.until(lambda: isinstance(app.app.screen, TranscriptScreen), "it is open")
        await app.until(lambda: "docker compose fails" in app.shown(), "the message is there")
        await app.pilot.press("escape")
        await app.until(lambda: app.app.screen is app.screen, "it is closed")
        assert app.current == here
        assert app.screen.box.text == "docker"
