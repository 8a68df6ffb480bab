"""What a search says beside its results: counts, kinds, lines, marks, order, filters, completions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.gathering import Gathered
from hermes_tui.sessions.matcher import Matcher, Term, best_place
from hermes_tui.sessions.named import Names
from hermes_tui.sessions.narrowing import id_at, ids_between, newest_first, session_condition
from hermes_tui.sessions.query import Filters, completions, parse
from hermes_tui.sessions.search import Scope, Search
from hermes_tui.sessions.snippets import snippet, snippet_of
from hermes_tui.sessions.sources import Match
from tests.sessions.test_search import ids, search
from tests.sessions.world import NOW, Shape, World

Make = Callable[..., World]
ZEBRA = Matcher([Term(("zebra",))])


def test_what_is_left_out_is_counted_by_its_kind(make_world: Make) -> None:
    """A person would be told of results that are away, and not where they are, or of none at all."""
    world = make_world()
    world.session("kept", "a zebra", "another zebra")
    world.session("away", "a zebra", archived=1)
    world.session("nightly", "a zebra", source="cron")
    world.session("nightly2", "a zebra", "a zebra", source="cron")
    for typed, scope, found, hidden, matches in (
        ("zebra", Scope(), ["away", "kept"], {"cron": 2}, 3),
        ("zebra", Scope(archived="no"), ["kept"], {"cron": 2, "archived": 1}, 2),
        ("zebra", Scope(archived="only"), ["away"], {"cron": 2}, 1),
        ("zebra archived:also", Scope(archived="no"), ["away", "kept"], {"cron": 2}, 3),
        ("zebra", Scope(frozenset({"cron"})), ["nightly2", "nightly", "away", "kept"], {}, 6),
        ("zebra", Scope(frozenset({"cron"}), "no"), ["nightly2", "nightly", "kept"], {"archived": 1}, 5),
    ):
        page = search(world, typed, scope=scope)
        assert (ids(page), page.hidden, page.matches) == (found, hidden, matches), (typed, scope)
        assert (page.done, page.progress, page.reading, page.notes, page.as_text) == (True, 1.0, "", (), ())
    nothing = search(world, "zzqx")
    assert (nothing.found, nothing.hidden, nothing.matches, nothing.done) == ((), {}, 0, True)


def test_a_part_of_a_scheduled_conversation_is_of_its_kind(make_world: Make) -> None:
    """What a nightly run went on with after a compaction would fill the results."""
    world = make_world()
    world.session("root", "hello", source="cron", ended_at=1.0, end_reason="compression")
    world.session("tip", "a zebra", source="cron", parent_session_id="root")
    page = search(world, "zebra")
    assert (ids(page), page.hidden) == ([], {"cron": 1})


def test_each_line_says_who_said_it_where_and_when(make_world: Make) -> None:
    """Opening a result would lead to another message, or to none."""
    world = make_world()
    world.session("20260101_100000_abcdef", "nothing", "the zebra ran", title="Zebra notes")
    (found,) = search(world, "zebra").found
    title, said = found.hits
    assert (title.session_id, title.message_id, title.role, title.timestamp) == (found.summary.brief.id, 0, "", None)
    assert (title.snippet, title.marks, title.kind) == ("Zebra notes", ((0, 5),), "title")
    assert (said.session_id, said.message_id, said.role, said.kind) == (found.summary.brief.id, 2, "assistant", "text")
    assert (said.snippet, said.marks, said.timestamp) == ("the zebra ran", ((4, 9),), NOW - 1_000_000 + 20)
    assert (found.more, found.reading) == (0, "")
    (hit,) = search(world, "20260101_1").found[0].hits
    assert (hit.kind, hit.snippet, hit.message_id) == ("id", "20260101_100000_abcdef", 0)
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["20260101_1"]


def test_each_title_is_found_by_its_own_words_and_no_other(make_world: Make) -> None:
    """A word of one title would lead to its neighbour, or two words of two titles to one of them."""
    world = make_world()
    titles = {
        "a": "AN-94 rifle",
        "b": "x",
        "c": "Über die   Brücke",
        "d": "a very long title about gardening",
        "e": "x_y",
    }
    for name, title in titles.items():
        world.session(name, "nothing", title=title)
    world.session("f", "nothing")
    base = Database(world.path)
    names = Names(base)
    names.refresh()
    for typed, found in {
        "an94": ["a"], "rifle": ["a"], "AN-94 RIFLE": ["a"], "x": ["e", "b"], "uber die brücke": ["c"], "die": ["c"],
        "garden": ["d"], "ardening": ["d"], "xy": ["e"], "rifle x": [], "gar": ["d"], "ard": [], "very long": ["d"],
        "": [], "rifle über": [],
    }.items():  # fmt: skip
        assert list(names.titled(typed)) == found, typed
    base.close()


def test_an_id_is_found_by_its_beginning_from_four_characters_on(make_world: Make) -> None:
    """A short word would bring every session whose id begins with it."""
    world = make_world()
    for name in ("abcd2", "abcd1", "abcd", "abce", "ab"):
        world.session(name, "nothing")
    base = Database(world.path)
    names = Names(base)
    for typed, found in {
        "abcd": ["abcd", "abcd1", "abcd2"], "abc": [], "ab": ["ab"], "abce": ["abce"], "abcd 1": [],
        "": [], "abcdx": [],
    }.items():  # fmt: skip
        assert names.with_id(typed) == found, typed
    base.close()


def test_a_title_stands_before_what_was_said_and_is_never_given_twice(make_world: Make) -> None:
    """A conversation found both ways would be two results, or lose one of its lines."""
    world = make_world()
    world.session("named", "a zebra", title="zebra")
    world.session("said", "a zebra")
    base = Database(world.path)
    looking = Search(base, parse("zebra", NOW))
    pages = [looking.more(1), looking.more(1), looking.more(1)]
    base.close()
    assert [ids(page) for page in pages] == [["named"], ["said"], []]
    assert pages[-1].done
    whole = search(world, "zebra")
    assert [[hit.kind for hit in found.hits] for found in whole.found] == [["title", "text"], ["text"]]


def test_a_line_is_as_long_as_there_is_room_and_its_marks_end_with_it() -> None:
    """The match would be off the line, or a mark on the dots behind it."""
    assert snippet("a zebra", ZEBRA) == snippet("a zebra", ZEBRA, length=7)
    assert (shown := snippet("a zebra!", ZEBRA, length=7)).text == "a zebra …"
    assert shown.marks == ((2, 7),)
    shown = snippet(f"{'a' * 50} zebra {'b' * 300}", ZEBRA)
    assert (shown.text[:8], shown.marks, len(shown.text)) == ("… zebra ", ((2, 7),), 204)
    shown = snippet(f"{'ab ' * 20}zebra", ZEBRA)
    assert (shown.text, shown.marks) == (f"… {'ab ' * 13}zebra", ((41, 46),))
    shown = snippet("x" * 300, Matcher([Term(literal="x" * 250)]))
    assert (shown.text, shown.marks) == (f"{'x' * 200} …", ((0, 200),))
    assert snippet("no\tanimal\nhere", ZEBRA).text == "no animal here"


@pytest.mark.parametrize(
    ("content", "tool", "calls", "shown"),
    [
        ("a zebra", None, None, "a zebra"),
        ('{"a": "zebra", "n": 1, "list": ["b", {"c": ""}], "d": "e"}', "t", None, "zebra · b · e"),
        ('["zebra", "horse"]', "t", None, "zebra · horse"),
        ('{"zebra": "x"}', "t", None, '{"zebra": "x"}'),
        ("{zebra", "t", None, "{zebra"),
        ("nothing", "zebra", None, "zebra"),
        ("", None, '[{"id": "1", "function": {"name": "run", "arguments": "{\\"what\\": \\"a zebra\\"}"}}]', "run · what: a zebra"),  # noqa: E501
        ("nothing", None, None, "nothing"),
        (None, None, None, ""),
    ],
)  # fmt: skip
def test_the_line_is_of_what_was_said_else_of_what_a_tool_was_called_with(
    content: object, tool: object, calls: object, shown: str
) -> None:
    """A result would show JSON, or a line without the word that was looked for."""
    found = snippet_of(content, tool, calls, ZEBRA)
    assert shown in found.text
    assert ("zebra" in found.text) is bool(found.marks)
    assert all(found.text[start:end] == "zebra" for start, end in found.marks)
    if tool != "zebra":
        assert found.text == shown


def test_every_part_of_a_conversation_shows_a_line_and_of_many_matches_three() -> None:
    """A part that only has an older match would not be among the lines."""
    gathered = Gathered("root", "")
    for id in range(30, 0, -1):
        gathered.add(Match(id, "tip" if id > 1 else "root", "tool" if id > 25 else "user", 1.0))
    assert gathered.count == 30
    assert [match.id for match in gathered.best()] == [25, 24, 23, 1]
    assert len(gathered.matches) == 10


def test_a_day_begins_with_its_first_moment_and_ends_before_the_next(make_world: Make) -> None:
    """A message of midnight would belong to two days, or to none."""
    world = make_world()
    begins, ends = (parse(f"after:{day}", NOW).filters.after for day in ("2026-03-05", "2026-03-06"))
    assert begins is not None
    assert ends is not None
    world.session("s")
    for name, moment in (("before", begins - 1), ("first", begins), ("last", ends - 1), ("next", ends)):
        world.session(name)
        world.say(name, "a zebra", timestamp=moment)
    for typed, found in {
        "after:2026-03-05 before:2026-03-06": ["last", "first"],
        "after:2026-03-06": ["next"],
        "before:2026-03-05": ["before"],
        "after:2026-03-05 before:2026-03-06 role:user": ["last", "first"],
        "after:2026-03-05 role:tool": [],
    }.items():
        assert ids(search(world, f"zebra {typed}")) == found, typed
    base = Database(world.path)
    assert [id_at(base, moment, 1, 4) for moment in (begins, ends - 1, ends, begins - 1, 0.0)] == [2, 3, 4, 1, 1]
    assert ids_between(base, None, None) == (1, 4)
    assert ids_between(base, begins, ends) == (1, 4)
    base.close()


def test_what_a_database_cannot_be_asked_is_said_once(make_world: Make) -> None:
    """The filter would find nothing, and nobody would know that it never could."""
    world = make_world()
    world.session("s", "a zebra")
    asked = session_condition(Filters(source=("a",), cwd=("b",)), frozenset({"source"}))
    assert asked.notes == ("This database does not say the cwd of a session, so cwd: finds nothing.",)
    asked = session_condition(Filters(memory=(("knew", "tea"),)), frozenset())
    assert asked.notes == ("knew:, wrote: and staged: need the history of memory, which is not there.",)
    page = search(world, "zebra knew:tea")
    assert page.notes == asked.notes


@pytest.mark.parametrize("shape", ["0.19", "no index"])
def test_the_best_are_read_in_batches_and_none_is_lost_or_doubled(
    make_world: Make, shape: Shape, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a long history sorted by relevance, all but the best would be gone, or come twice."""
    monkeypatch.setattr("hermes_tui.sessions.relevance.BATCH", 2)
    monkeypatch.setattr("hermes_tui.sessions.relevance.BEST", 3)
    world = make_world(shape)
    for number, times in enumerate((1, 4, 1, 3, 5, 1)):
        world.session(f"s{number}", "zebra " * times)
    page = search(world, "zebra", sort="relevance")
    assert (ids(page), page.matches) == (["s4", "s1", "s3", "s5", "s2", "s0"], 6)
    monkeypatch.setattr("hermes_tui.sessions.relevance.BEST", 2_000)
    world.session("agent")
    world.say("agent", "zebra " * 4, role="assistant")
    world.session("log")
    world.say("log", "zebra " * 4, role="tool")
    assert ids(search(world, "zebra", sort="relevance")) == ["s4", "agent", "s1", "s3", "s5", "s2", "s0", "log"]


COMPLETED = [
    ('cwd:"/srv/m', 11, ['cwd:"/srv/my folder"']),
    ("ROLE:U", 6, ["role:user"]),
    ("a\tso", 4, ["a\tsource:"]),
    ("archived:", 9, ["archived:no", "archived:also", "archived:only"]),
    ("after:", 6, ["after:today", "after:yesterday", "after:7d", "after:30d", "after:1y"]),
    ("before:3", 8, ["before:30d"]),
    ("zebra SO x", 8, ["zebra source: x"]),
    ("source:cli", 10, []),
    ("source:CL", 9, ["source:cli"]),
    ("model:", 6, []),
    ("XXsource:", 9, []),
    ("zebra ", 6, []),
]


def test_completions_keep_what_stands_around_them() -> None:
    """Taking one would change the words before or behind the caret."""
    known = {"source": ["cli", "telegram"], "cwd": ["/srv/my folder", "/srv/x"]}
    for text, caret, offered in COMPLETED:
        assert completions(text, caret, known) == offered, text
    assert completions("", 0, known) == []
    assert completions("a", 1, known) == ["after:", "archived:"]


def test_of_several_dates_the_narrowest_counts_and_each_nonsense_is_a_sentence() -> None:
    """A second filter would widen the first, or be dropped without a word."""
    day = {year: parse(f"after:{year}", NOW).filters.after for year in (2024, 2026)}
    assert parse("before:2025 before:2024 before:2026", NOW).filters == Filters(before=day[2024])
    assert parse("after:2025 after:2026 after:2024", NOW).filters == Filters(after=day[2026])
    assert parse("role:A role:user role:u", NOW).filters.role == ("assistant", "user", "user")
    assert parse("archived:ONLY zebra", NOW).filters == Filters(archived="only")
    assert parse("archived:no archived:only", NOW).filters == Filters(archived="only")
    assert parse("wrote:a knew:b", NOW).filters.memory == (("knew", "b"), ("wrote", "a"))
    for typed, sentence in {
        "before:soon": "before:soon is no date; write 2025, 2025-03, 2025-03-30, today or 7d.",
        "role:x": "role:x is no role; there are user, assistant, tool, system.",
        "archived:maybe": "archived:maybe is neither no, also nor only.",
        'source:""': "source: has no value, so it is left out.",
        " ".join(f"w{number}" for number in range(33)): "Only the first 32 words are looked for.",
    }.items():
        assert parse(f"{typed} ", NOW).problems == (sentence,), typed
    assert parse(" ".join(f"w{number}" for number in range(32)), NOW).problems == ()


def test_a_colon_stands_between_two_words_unless_it_is_in_quotes() -> None:
    """`content:docker` would be found only where it stands just so."""
    (group,) = parse("content:docker ", NOW).readings[0].groups
    assert [term.words for term in group.terms] == [("content",), ("docker",)]
    assert [term.prefix for term in parse("fix:dock", NOW).readings[0].terms] == [False, True]
    assert [term.words for term in parse('"content:docker"', NOW).readings[0].terms] == [("content", "docker")]


@pytest.mark.parametrize(
    ("term", "text", "found"),
    [
        (Term(("cafe",)), "cafe\u0301", True),
        (Term(("zebra",)), "xzebra zebra", True),
        (Term(("zebra",)), "xzebra zebras", False),
        (Term(("zebra",), prefix=True), "zebras", True),
        (Term(("zebra",), prefix=True), "xzebras", False),
        (Term(("a", "b")), "a-b", True),
        (Term(("a", "b")), "a c b", False),
        (Term(("c",), literal="c#"), "in c# too", True),
        (Term(("c",), literal="c#"), "abc#", False),
        (Term(literal="a  b"), "xa\nbx", True),
        (Term(literal="100%"), "the 1000%", False),
    ],
)
def test_a_word_is_there_or_not(term: Term, text: str, found: bool) -> None:
    """Part of another word would do, or an accent would hide the word."""
    assert term.found_in(text) is found
    assert bool(Matcher([term]).spans(text)) is found


def test_titles_that_are_left_out_by_a_filter_are_no_result(make_world: Make) -> None:
    """A filter would hold for what was said, and not for titles and ids."""
    world = make_world()
    world.session("abcdef", "nothing", title="zebra", source="cli")
    world.session("other", "nothing", title="zebra two", source="telegram", archived=1)
    assert ids(search(world, "zebra source:telegram")) == ["other"]
    assert ids(search(world, "abcdef source:telegram")) == []
    page = search(world, "zebra archived:no")
    assert (ids(page), page.matches) == (["abcdef"], 0)
    assert ids(search(world, "zebra model:nope", sort="relevance")) == []


def test_all_conversations_are_gone_through_and_a_very_long_one_comes_at_once(
    make_world: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Filters alone would show the first page only, and one endless log would hold up the first result."""
    monkeypatch.setattr("hermes_tui.sessions.narrowing.PAGE_ROWS", 2)
    monkeypatch.setattr("hermes_tui.sessions.search.MOST_MATCHES", 3)
    world = make_world()
    world.session("old", "a zebra")
    for number in range(5):
        world.session(f"s{number}", "nothing")
    world.session("long", *["a zebra"] * 9)
    assert ids(search(world, "role:user")) == ["long", "s4", "s3", "s2", "s1", "s0", "old"]
    base = Database(world.path)
    looking = Search(base, parse("zebra", NOW))
    first = looking.more(5, patience=100)
    assert (ids(first), first.done) == (["long"], False)
    rest = []
    while not (page := looking.more(5, patience=100)).done:
        rest += ids(page)
    assert [*rest, *ids(page)] == ["old"]
    base.close()


def test_signs_around_and_between_words_are_taken_as_meant(make_world: Make) -> None:
    """A star would eat a letter, a phrase to leave out would be looked for, and AND would end the search."""
    world = make_world()
    world.session("a", "the xray machine", cwd="/srv/50%off")
    world.session("b", "a zebra and a big dog", cwd="/srv/50 off")
    world.session("c", "a zebra and a cat")
    for typed, found in {
        "Xra*": ["a"], 'zebra -"big dog"': ["c"], "zebra AND cat": ["c"], "cwd:50%": ["a"], "*zebra*": ["c", "b"],
        "zebra NOT cat": ["b"], "cat OR xray": ["c", "a"],
    }.items():  # fmt: skip
        assert ids(search(world, typed)) == found, typed
    assert best_place([(at, at + 1) for at in (0, 50, 52, 90, 92, 94)], 10) == 3


def test_a_tool_that_is_called_what_was_typed_is_a_match_of_worth(make_world: Make) -> None:
    """Sorted by relevance, the results of a tool would stand behind what only mentions it."""
    world = make_world("no index")
    world.session("tool")
    world.say("tool", "done", role="tool", tool_name="zebra_run")
    world.session("long", "zebra_run " + "word " * 900)
    assert ids(search(world, "zebra_run", sort="relevance")) == ["tool", "long"]


@pytest.mark.parametrize("shape", ["0.19", "no index"])
def test_alternatives_are_found_in_every_script_and_one_without_a_second_is_a_word(
    make_world: Make, shape: Shape
) -> None:
    """Of two Chinese words with OR between them none would be found, or a half typed OR would hide everything."""
    world = make_world(shape)
    world.session("a", "大别山项目进展")
    world.session("b", "部署好消息 zebra")
    for typed, found in {"大别山 OR 部署好": ["b", "a"], "zebra OR": ["b"], "OR zebra": ["b"]}.items():
        page = search(world, typed)
        assert (ids(page), page.reading) == (found, ""), typed


def test_all_sessions_come_once_whatever_a_page_holds(make_world: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last one of a page would come again with the next."""
    monkeypatch.setattr("hermes_tui.sessions.narrowing.PAGE_ROWS", 2)
    world = make_world()
    for number in range(5):
        world.session(f"s{number}", "hello")
    with Database(world.path) as base:
        assert list(newest_first(base)) == ["s4", "s3", "s2", "s1", "s0"]


@pytest.mark.parametrize("common", [100_000, 1])
def test_a_word_that_goes_on_is_found_whichever_way_is_faster(
    make_world: Make, monkeypatch: pytest.MonkeyPatch, common: int
) -> None:
    """In a home of years the rest of the messages is found by another index, or by reading them, with other results."""
    monkeypatch.setattr("hermes_tui.sessions.sources.SAMPLE_ROWS", 4)
    monkeypatch.setattr("hermes_tui.sessions.sources.SCAN_ROWS", 4)
    monkeypatch.setattr("hermes_tui.sessions.sources.COMMON_ROWS", common)
    world = make_world()
    for number in range(12):
        world.session(f"both{number:02}", "a quiet harbour with a ferry")
        world.session(f"one{number:02}", "a harbourmaster without any boat")
        world.session(f"other{number:02}", "the ferry left the town")
    both = [f"both{number:02}" for number in reversed(range(12))]
    one = [f"one{number:02}" for number in reversed(range(12))]
    found = {typed: ids(search(world, typed)) for typed in ("ferry harb", "harb")}
    assert found["ferry harb"] == both
    assert sorted(found["harb"]) == sorted(both + one)
    assert ids(search(world, "quiet OR without harb")) == [id for pair in zip(one, both, strict=True) for id in pair]
