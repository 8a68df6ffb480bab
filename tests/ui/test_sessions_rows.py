"""What rows are made of: moments in words, lines around a match, filter words, places of rows. Pure."""

from __future__ import annotations

import time
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from hermes_tui.sessions.gathering import Hit
from hermes_tui.sessions.listing import Brief
from hermes_tui.sessions.search import Found
from hermes_tui.sessions.summaries import Summary
from hermes_tui.text import cells
from hermes_tui.ui.sessions.choosing import Choosing
from hermes_tui.ui.sessions.completions import completions_of
from hermes_tui.ui.sessions.counts import Counts, Fact, fitting
from hermes_tui.ui.sessions.facets import facet_counts, text_of, ticked_by, without_filters
from hermes_tui.ui.sessions.sheets import FoundSheet, ListSheet
from hermes_tui.ui.sessions.snippet import window
from hermes_tui.ui.sessions.times import moment_words, when_words
from hermes_tui.ui.sessions.words import resume_command
from tests.nasty import NASTY

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=ZoneInfo("UTC")).timestamp()
DAY = 86_400.0


def brief(id: str, *parts: str, **facts: object) -> Brief:
    """A conversation."""
    known = {
        **{"kind": "chat", "source": "cli", "model": "", "cwd": "", "started_at": NOW, "last_active": NOW},
        **{"messages": 1, "archived": False},
        **facts,
    }
    all_parts = (*parts, id)
    return Brief(id=id, root=all_parts[0], parts=all_parts, **known)  # type: ignore[arg-type]


def found(id: str, hits: int, *, more: int = 0) -> Found:
    """A conversation with lines that were found."""
    summary = Summary(brief(id), id, "", False, "", None, "", False, 0, 0, 0, None, False, "", "")
    return Found(summary, tuple(Hit(id, number + 1, "user", NOW, "x", ()) for number in range(hits)), more)


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (-5, "now"),
        (30, "now"),
        (5 * 60, "5m ago"),
        (3 * 3600, "09:00"),
        (20 * 3600, "yesterday"),
        (2 * DAY, "Mon"),
        (40 * DAY, "1 May"),
        (400 * DAY, "2025-05-06"),
        (-3 * DAY, "2026-06-13"),
    ],
)
def test_moments_are_as_short_as_they_can_be(before: float, words: str) -> None:
    """A column of full dates says less, and takes the room of the titles."""
    assert when_words(NOW - before, NOW) == words


def test_days_are_those_of_where_one_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was said after midnight would be a day off, or an hour in the night when the clocks change."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        said = datetime(2025, 3, 30, 0, 30, tzinfo=ZoneInfo("UTC")).timestamp()
        assert moment_words(said) == "Sun 2025-03-30 01:30:00 CET"
        assert moment_words(said + 3600) == "Sun 2025-03-30 03:30:00 CEST"
        late = datetime(2025, 3, 29, 22, 59, tzinfo=ZoneInfo("UTC")).timestamp()
        assert when_words(late, said) == "yesterday"
    finally:
        monkeypatch.setenv("TZ", "UTC")
        time.tzset()


@pytest.mark.parametrize("odd", [None, 1e300, -1e300, float("1e18")])
def test_what_is_no_moment_is_a_dash(odd: float | None) -> None:
    """One odd time would take the list down."""
    assert when_words(odd, NOW) == "–"
    assert moment_words(odd) == "–"


@pytest.mark.parametrize("width", [1, 7, 20, 60])
def test_a_line_keeps_its_width_and_its_marks_whatever_is_in_it(width: int) -> None:
    """Rows would run into each other, or the wrong letters be marked."""
    for name, nasty in NASTY.items():
        text = f"before {nasty} needle after"
        place = text.index("needle")
        shown, marks = window(text, ((place, place + 6),), width)
        assert cells(shown) <= width, name
        assert all(0 <= start < end <= len(shown) for start, end in marks), name
        if width >= 20:
            assert [shown[start:end] for start, end in marks] == ["needle"], name


def test_a_line_begins_at_a_word_and_far_matches_are_seen() -> None:
    """The match would be cut off to the right."""
    text = "word " * 1_000 + "the needle in it " + "word " * 1_000
    place = text.index("needle")
    shown, marks = window(text, ((place, place + 6),), 40)
    assert shown.startswith("…word")
    assert [shown[start:end] for start, end in marks] == ["needle"]
    assert window("a\n\n  b", ((5, 6),), 9) == ("a b", ((2, 3),))


def test_a_secret_in_a_line_is_masked_and_its_mark_stays_on_it() -> None:
    """Who searches for a part of a key would see all of it."""
    text = "key sk-proj-abcdefghijklmnop1234567890 end"
    place = text.index("mnop")
    shown, marks = window(text, ((place, place + 4),), 60)
    assert shown == "key sk-pro...7890 end"
    assert [shown[start:end] for start, end in marks] == ["sk-pro...7890"]


def test_rows_are_found_again_by_the_conversation_they_begin_with() -> None:
    """After a compaction the cursor would lose its conversation."""
    sheet = ListSheet([brief("a"), brief("b2", "b1"), brief("c")], frozenset({"b1"}), 2)
    assert sheet.stops == 5
    assert [sheet.key(stop) for stop in range(5)][2] == ("b1", "b2", 0)
    later = ListSheet([brief("new"), brief("b3", "b1", "b2"), brief("a"), brief("c")])
    assert later.find(sheet.key(1)) == 1
    assert later.find(sheet.key(3)) == 1
    assert later.find(("gone", "", 0)) is None
    assert sheet.at(5) == (2, 1)


def test_lines_that_were_found_stand_under_their_conversation() -> None:
    """The cursor would stand on headings, and clicks lead to the wrong hit."""
    sheet = FoundSheet([found("a", 2, more=3), found("b", 1), found("c", 0)])
    assert [sheet.line(number).kind for number in range(sheet.lines)] == [
        "head",
        "hit",
        "hit",
        "more",
        "head",
        "hit",
        "head",
    ]
    assert sheet.stops == 4
    assert [sheet.at(line).stop for line in range(sheet.lines)] == [0, 0, 1, 1, 2, 2, 3]
    assert [sheet.span(stop) for stop in range(4)] == [(0, 2), (2, 2), (4, 2), (6, 1)]
    sheet.add([found("d", 1)])
    assert sheet.find(("d", "d", 1)) == 4


def test_filters_are_compared_as_a_search_does() -> None:
    """The list would show other conversations than the search with the same words."""
    briefs = [
        brief("a", source="CLI", model="hermes-4"),
        brief("b", source="cli2"),
        brief("c", kind="cron", source="cron"),
    ]
    known = {"source": {"CLI": 1, "cli2": 1, "cron": 1}, "model": {"hermes-4": 1}}

    def ids(text: str) -> list[str]:
        from hermes_tui.sessions.query import parse

        choosing = Choosing(filters=parse(text, NOW).filters)
        return [shown.id for shown in choosing.listed(briefs, known, True, lambda _text: []).sheet.briefs]

    assert ids("") == ["a", "b"]
    assert ids("source:cli") == ["a"]
    assert ids("model:hermes") == ["a"]
    assert ids("source:cron") == ["c"]
    assert ids("source:none") == []
    assert ids("in:b") == ["b"]


def test_ticks_are_words_and_words_are_ticks() -> None:
    """The dialog would lose what was typed by hand."""
    briefs = [brief("a", cwd="/my folder"), brief("b", source="telegram")]
    known = {"source": {"cli": 1, "telegram": 1}, "cwd": {"/my folder": 1}}
    counts = facet_counts(briefs, Choosing(), known, lambda _text: [], NOW)
    text = 'backup source:telegram title:x cwd:"/my folder" after:2024'
    ticked = ticked_by(text, {"empty"}, counts, NOW)
    assert ticked == {
        *[("source", "telegram"), ("folder", "/my folder"), ("active", "2024"), ("hidden", "empty")],
    }  # fmt: skip
    assert text_of(text, ticked) == 'backup title:x after:2024 source:telegram cwd:"/my folder"'
    assert text_of(text, set()) == "backup title:x"
    assert without_filters(text) == "backup"


def test_a_completion_ends_where_one_goes_on_typing() -> None:
    """The caret would stand at the end of the line, behind words that were there."""
    made = completions_of(["source:cli docker"], "source:c docker", 8, {"source": {"cli": 12}})
    assert (made[0].text, made[0].caret, made[0].word, made[0].note) == ("source:cli docker", 10, "source:cli", "12")
    made = completions_of(["a source:cli"], "a source:c", 10, {})
    assert (made[0].text, made[0].caret) == ("a source:cli ", 13)


def test_what_matters_least_is_left_out_first() -> None:
    """At 60 columns the number of hidden sessions would be cut off in the middle."""
    counts = Counts((Fact("5 of 40 sessions", 0), Fact("only source:cli", 1), Fact("20 empty hidden", 2)), "the order")
    assert [fact.words for fact in fitting(counts, 80)[0]] == ["5 of 40 sessions", "only source:cli", "20 empty hidden"]
    assert fitting(counts, 56)[1] == ""
    assert [fact.words for fact in fitting(counts, 40)[0]] == ["5 of 40 sessions", "only source:cli"]
    assert sum(cells(fact.words) for fact in fitting(counts, 12)[0]) <= 12


def test_the_resume_command_opens_the_home_that_is_shown() -> None:
    """It would look for the session in another home."""
    from pathlib import Path

    from hermes_tui.home import HermesHome

    assert resume_command(HermesHome(Path("/h"), "default", "default"), "a") == "hermes --resume a"
    assert resume_command(HermesHome(Path("/h"), "work", "--profile"), "a") == "hermes -p work --resume a"
    assert (
        resume_command(HermesHome(Path("/my h"), "custom", "--home"), "a b")
        == "HERMES_HOME='/my h' hermes --resume 'a b'"
    )
