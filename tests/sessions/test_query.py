"""Reading what was typed into the search box."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.sessions.dates import moment, period
from hermes_tui.sessions.folding import fold, words
from hermes_tui.sessions.matcher import Matcher, Term, best_place, literal_matcher
from hermes_tui.sessions.query import Filters, completions, parse
from hermes_tui.sessions.snippets import snippet
from tests.every import every
from tests.nasty import NASTY
from tests.sessions.world import NOW

DAY = 86_400.0


@given(st.text(max_size=200))
def test_anything_can_be_typed(text: str) -> None:
    """No text is an error, and each gives the same answer twice."""
    query = parse(text, NOW)
    assert query == parse(text, NOW)
    for reading in query.readings:
        assert reading.groups
        reading.accepts(fold(text))
    query.matcher.spans(text)


@every("name", list(NASTY))
def test_every_nasty_text_finds_itself(name: str) -> None:
    """Whatever stands in a message, typing it in quotation marks or not never misses the message for its signs."""
    text = NASTY[name]
    query = parse(text.replace("\x00", " ")[:500], NOW)
    for reading in query.readings[:1]:
        for group in reading.groups:
            for term in group.terms:
                assert term.literal or term.words


@pytest.mark.parametrize("typed", ["removed NOT night", "removed -night"])
def test_a_word_that_must_not_be_there_is_a_whole_word(typed: str) -> None:
    """Leaving out night would leave out nights, nightly and nightmare too."""
    reading = next(each for each in parse(typed, NOW).readings if each.groups[0].excluded)
    assert reading.accepts("removed at nights")
    assert not reading.accepts("removed at night")


@given(st.lists(st.sampled_from(["word", "other", *"+#.-*'\"( "]), max_size=8).map("".join))
def test_every_reading_can_be_applied(typed: str) -> None:
    """A sign in an odd place would end the search with a traceback."""
    for reading in parse(typed, NOW).readings:
        reading.accepts("a word")
        reading.accepts("ä word")


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("foo/bar", "bar and foo"),
        ("don't", "t and don"),
        ("print(x)", "x was print"),
        ("_private", "it is private"),
        ("hello 👍", "hello there"),
        ("hello *", "hello there"),
        ("done🤖", "done"),
        ("and 👍", "good 👍"),
        ("oslo^and", "in oslo"),
        ("backups and", "the backups"),
        ("not working", "working"),
        ("docker NOT swarm tag", "docker and no more"),
        ("C#项目组", "一个项目组"),
        ("v2 项目组", "一个项目组"),
        ("นนีว", "นนี้ว"),
        ('re:run not "', "re run"),
        ("and NOT_", "not"),
        ("🙄_", "🙄"),
    ],
)
def test_the_loosest_way_to_take_all_of_it_is_words_alone(typed: str, text: str) -> None:
    """When everything is asked for, signs and words that are left over do not keep anything out."""
    query = parse(typed, NOW)
    (bare,) = [reading for reading in query.readings if reading.when == "at last"]
    assert not query.readings[0].accepts(text)
    assert bare.accepts(text)


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("cafe\u0301", "at the cafe"),
        ("部署成功。", "部署成功！"),
        ("「部署成功」", "部署成功了"),
        ("not", "not"),
    ],
)
def test_accents_and_punctuation_around_a_word_are_no_signs_of_it(typed: str, text: str) -> None:
    """A word that was typed as it stands in a sentence would only be found at the end of one."""
    reading = parse(typed, NOW).readings[0]
    assert reading.accepts(text)
    assert not any(each.accepts("other") for each in parse(typed, NOW).readings)


@pytest.mark.parametrize("typed", ["releases sw*", "sw* releases"])
def test_any_of_the_words_leaves_beginnings_beginnings(typed: str) -> None:
    """A star asks for more than the letters before it, also when the other word is nowhere."""
    (any_of,) = [reading for reading in parse(typed, NOW).readings if reading.label == "any of the words"]
    assert any_of.accepts("a swarm")
    assert not parse("releases sw", NOW).readings[-1].accepts("a swarm")


@pytest.mark.parametrize("typed", ["docker", "docker swarm", '"docker swarm"', "one OR two", "a NOT b", "项目", "v1.2"])
def test_plain_words_have_no_looser_way_of_that_kind(typed: str) -> None:
    """Everything would be searched twice."""
    assert all(reading.when != "at last" for reading in parse(typed, NOW).readings)


@pytest.mark.parametrize(
    ("typed", "filters"),
    [
        ("source:cli", Filters(source=("cli",))),
        ("SOURCE:cli Source:tui", Filters(source=("cli", "tui"))),
        ('cwd:"/srv/my folder"', Filters(cwd=("/srv/my folder",))),
        ("role:u", Filters(role=("user",))),
        ("role:assistant role:tool", Filters(role=("assistant", "tool"))),
        ("after:2025-03-30", Filters(after=1743292800.0)),
        ("before:2025", Filters(before=1735689600.0)),
        ("after:2025 after:2026-02", Filters(after=1769904000.0)),
        ("archived:only", Filters(archived="only")),
        ("in:20260101_100000", Filters(within=("20260101_100000",))),
        ("model:hermes title:logs", Filters(model=("hermes",), title=("logs",))),
        ("error: disk http://x.y/z a:b", Filters()),
    ],
)
def test_filter_words_are_told_from_text(typed: str, filters: Filters) -> None:
    """Known words with a value filter, everything else is looked for."""
    query = parse(typed, NOW)
    assert query.filters == filters
    assert not query.problems
    assert bool(query.readings) == (filters == Filters())


@pytest.mark.parametrize("typed", ["after:soon x", "role:nobody x", "archived:maybe x", "x source:", 'x title:""'])
def test_a_filter_that_makes_no_sense_is_a_sentence_and_left_out(typed: str) -> None:
    """The rest of the query is searched all the same."""
    query = parse(typed, NOW)
    assert len(query.problems) == 1
    assert query.problems[0].startswith(
        ("after:soon is no date; write", "role:nobody is", "archived:m", "source: ", "title: ")
    )
    assert query.filters == Filters()
    assert query.readings


@pytest.mark.parametrize(
    "typed",
    ["docker before:20", "docker after:2025-1", "docker after:tod", "docker archived:on", "docker role:", 'a title:"b'],
)
def test_a_filter_that_is_half_typed_is_not_taken_as_text(typed: str) -> None:
    """The results would jump with every key."""
    query = parse(typed, NOW)
    assert [query.as_text, *(each.as_text for each in query.instead)] == [()]
    assert parse(typed, NOW, typing=False).instead


def test_a_phrase_with_a_colon_is_a_phrase() -> None:
    """`"error: disk"` would find every text that has both words."""
    (reading, *_) = parse('"error: disk"', NOW).readings
    assert [reading.accepts(text) for text in ("an error: disk", "disk error", "error, no disk")] == [
        True,
        False,
        False,
    ]


def test_dates_are_local_days() -> None:
    """A month, a day, today, and so many days ago."""
    assert period("2025-02", NOW) == (1738368000.0, 1740787200.0)
    assert period("2024-12", NOW) == (1733011200.0, 1735689600.0)
    today = period("today", NOW)
    assert today is not None
    assert today[0] <= NOW < today[1]
    assert period("1d", NOW) == period("yesterday", NOW) == (today[0] - DAY, today[0])
    for nonsense in ("2025-13", "2025-02-30", "tomorrow", "", "9999d9", "0000"):
        assert period(nonsense, NOW) is None


def test_stored_times_of_any_form_are_understood() -> None:
    """Seconds, milliseconds, microseconds, text; nonsense is nothing."""
    stored: object
    for stored in (NOW, NOW * 1000, NOW * 1e6, str(NOW), "2026-09-21T14:13:20+00:00"):
        assert moment(stored) == pytest.approx(NOW)
    for stored in (None, "", "soon", float("nan"), float("inf"), -1, b"x", 1e300):
        assert moment(stored) is None


@given(st.text(max_size=100))
def test_folding_keeps_every_character_in_its_place(text: str) -> None:
    """Marks stay where the matches are, whatever the script."""
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)


def test_words_are_cut_as_the_index_cuts_them() -> None:
    """Letters and digits make words; accents and case do not matter."""
    assert words("Café naïve_test, v1.2 don't ÅNGSTRÖM 项目x") == [
        "cafe", "naive", "test", "v1", "2", "don", "t", "angstrom", "项目x",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("term", "text", "found"),
    [
        (Term(("cafe",)), "Café CAFÉ cafe\u0301 cafeteria", ["Café", "CAFÉ", "cafe\u0301"]),
        (Term(("dock",), prefix=True), "docker haddock DOCK", ["docker", "DOCK"]),
        (Term(("v1", "2")), "v1.2 v1-2 v1 2 v12", ["v1.2", "v1-2", "v1 2"]),
        (Term(("c",), literal="c#"), "C# c #", ["C#"]),
        (Term(("don", "t"), literal="don't"), "don’t don't don t", ["don’t", "don't"]),
        (Term(literal="项目"), "大项目进项 目", ["项目"]),
        (Term(("env",), prefix=True, literal=".env"), "x.environment .env env", [".environment", ".env"]),
    ],
)
def test_matches_are_where_a_person_sees_them(term: Term, text: str, found: list[str]) -> None:
    """Case, accents and kinds of apostrophe do not matter; the edges of words do."""
    assert [text[start:end] for start, end in Matcher([term]).spans(text)] == found


def test_finding_a_text_as_it_stands() -> None:
    """Finding within a transcript takes any text, with its spaces and signs."""
    assert literal_matcher("a(b").spans("xA(b)") == ((1, 4),)
    assert literal_matcher("  ").spans("a  b") == ()


def test_a_line_is_cut_around_the_matches() -> None:
    """The line begins at a word shortly before, and its marks fit."""
    text = "alpha " * 50 + "zebra beta " + "gamma " * 80
    shown = snippet(text, Matcher([Term(("zebra",)), Term(("beta",))]))
    assert [shown.text[start:end] for start, end in shown.marks] == ["zebra", "beta"]
    assert shown.text.startswith("… alpha")
    assert snippet("", Matcher([])).text == ""


def test_completion_offers_filter_words_and_their_values() -> None:
    """Typing `so` offers source:, and then the sources there are."""
    known = {"source": ["cli", "telegram"], "cwd": ["/srv/my folder", "/srv/x"]}
    assert completions("so", 2, known) == ["source:"]
    assert completions("zebra source:", 13, known) == ["zebra source:cli", "zebra source:telegram"]
    assert completions("source:t zebra", 8, known) == ["source:telegram zebra"]
    assert completions("cwd:/srv/m", 10, known) == ['cwd:"/srv/my folder"']
    assert completions("role:", 5, known) == ["role:user", "role:assistant", "role:tool", "role:system"]
    assert completions("", 0, known) == []
    assert completions("error:", 6, known) == []


def test_the_place_with_the_most_matches_is_shown() -> None:
    """The line would show one match of many, or another one than the first of them."""
    spans = [(0, 1), (50, 51), (52, 53), (90, 91)]
    assert [best_place(spans, 10), best_place(spans, 100), best_place(spans[:1], 10), best_place([], 10)] == [
        1,
        0,
        0,
        0,
    ]


def test_looking_for_the_same_again_is_known() -> None:
    """Each key would mark the whole transcript anew."""
    one, same, other = (Matcher([Term((word,))]) for word in ("a", "a", "b"))
    assert one == same
    assert one != other
    assert hash(one) == hash(same)


def test_each_of_several_alternatives_is_taken_in_its_loosest_way() -> None:
    """Of three alternatives the first would be forgotten."""
    (bare,) = [each for each in parse("a/b OR c/d OR e/f", NOW).readings if each.when == "at last"]
    assert [bare.accepts(text) for text in ("b a", "d c", "f e", "a c")] == [True, True, True, False]


@pytest.mark.parametrize(("typed", "when"), [("项目 部署", "at last"), ("大项目 新部署", "if no whole word")])
def test_short_chinese_words_are_alternatives_only_at_last(typed: str, when: str) -> None:
    """A search for two words would end in a heap of either."""
    (any_of,) = [each for each in parse(typed, NOW).readings if each.label == "any of the words"]
    assert any_of.when == when
