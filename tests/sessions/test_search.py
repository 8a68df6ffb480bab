"""Searching conversations: what is found, what is not, and how it is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.sessions.named import Names
from hermes_tui.sessions.query import parse
from hermes_tui.sessions.search import Page, Scope, Search
from tests.sessions.world import NOW, SHAPES, Shape, World

Make = Callable[..., World]


def search(world: World, text: str, **options: object) -> Page:
    """All that a query finds."""
    base = Database(world.path)
    try:
        return Search(base, parse(text, NOW), **options).all()  # type: ignore[arg-type]
    finally:
        base.close()


def ids(page: Page) -> list[str]:
    """The conversations found, in order."""
    return [found.summary.brief.id for found in page.found]


FOUND = [
    ("youer", "用youer部署成功"),
    ("명동 맛집", "명동 맛집 추천"),
    ("서울 부산", "서울 부산 기차"),
    ("秃发*", "秃发乌孤"),
    ("大别山项目", "大别山项目进展"),
    ("项目", "大别山项目进展"),
    ("进", "大别山项目进展"),
    ("ภาษาไทย", "ฉันพูดภาษาไทยได้"),
    ("ไทย", "ฉันพูดภาษาไทยได้"),
    ("TODO: fix", "TODO: fix the blinds"),
    ("C:\\Users\\demo", "look in C:\\Users\\demo for it"),
    ("don't", "I don't know"),
    ("don't", "I don’t know"),
    ("hello, world", "say hello, world again"),
    ("foo/bar", "see foo/bar.txt"),
    ("a@b.com", "write to a@b.com please"),
    ("#tag", "a #tag here"),
    ("what?", "So what? Nothing."),
    ("what?", "what is it"),
    ("C#", "written in C# mostly"),
    ("c++", "written in C++ mostly"),
    (".env", "put it in .env first"),
    ("rm -rf", "then rm -rf build"),
    ("--force", "git push --force now"),
    ("100%", "it is 100% sure"),
    ("a_b", "the a_b flag"),
    ("$HOME", "echo $HOME"),
    ("~/.ssh", "in ~/.ssh/config"),
    ("=>", "x => y"),
    ("👍", "fine 👍 then"),
    ("👨‍👩‍👧", "the 👨‍👩‍👧 trip"),
    ("cafe", "at the café today"),
    ("café", "at the cafe today"),
    ("café", "at the cafe\u0301 today"),
    ("МОСКВА", "в москва сегодня"),
    ("docker-compose", "with docker-compose up"),
    ("v1.2", "release v1.2 is out"),
    ("my_var", "set my_var=1"),
    ("(docker", "the docker daemon"),
    ('"hello', "hello there"),
    ("hello AND", "hello there"),
    ("NOT hello", "hello there"),
    ("^hello", "hello there"),
    ("content:docker", "content of docker"),
    ("dock", "the docker daemon"),
    ("doc*", "the docker daemon"),
    ('"hello docker"', "hello docker friends"),
    ("docker OR podman", "use podman here"),
    ("docker NOT swarm", "use docker here"),
    ("how does the deployment use kubernetes", "deployment uses kubernetes"),
    ("deployment and kubernetes", "deployment kubernetes"),
    ("aaa bbb", "aaa and then bbb"),
    ("it's 5 o'clock", "it's 5 o'clock now"),
    ("x && y", "run x && y"),
    ("price < 5", "if price < 5 then"),
    ("[INST]", "the [INST] tag"),
    ("100", "from 100 to 200"),
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("typed", "text"), FOUND)
def test_what_was_said_is_found_as_it_was_said(make_world: Make, shape: Shape, typed: str, text: str) -> None:
    """Typing words out of a message finds it, whatever the script and the punctuation, with and without an index."""
    world = make_world(shape)
    world.session("other", "nothing like that", "in here")
    world.session("wanted", "before it", text, "after it")
    assert "wanted" in ids(search(world, typed))


NOT_FOUND = [
    ("서울 부산", "서울 날씨"),
    ("C#", "C is fine"),
    (".env", "the env is set"),
    ("rm -rf", "rm and rf are words"),
    ("100%", "100 percent"),
    ("a_b", "axb"),
    ("a@b.com", "a at b com"),
    ("#tag", "a tag here"),
    ('"hello docker"', "docker says hello"),
    ("docker NOT swarm", "docker swarm"),
    ("项目", "项和目"),
    ("*", "nothing starred"),
    ("zzqx", "something else"),
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("typed", "text"), NOT_FOUND)
def test_what_was_not_said_is_not_found(make_world: Make, shape: Shape, typed: str, text: str) -> None:
    """Punctuation that a person types is looked for too, and all words have to be there."""
    world = make_world(shape)
    world.session("other", "before it", text)
    world.session("sure", "서울 부산 rm -rf C# .env 100% a_b a@b.com #tag hello docker 项目")
    assert "other" not in ids(search(world, typed))


def test_a_word_with_a_dash_is_text_where_it_was_said_and_left_out_where_not(make_world: Make) -> None:
    """`docker -compose` leaves out compose, unless somebody really wrote -compose."""
    world = make_world()
    world.session("both", "docker and compose")
    world.session("one", "docker alone")
    page = search(world, "docker -compose")
    assert (ids(page), page.reading) == (["one"], "without compose")
    world.session("flag", "docker -compose is odd")
    page = search(world, "docker -compose")
    assert (ids(page), page.found[0].reading) == (["flag"], "")


@pytest.mark.parametrize("typed", ["done🤖", "DONE🤖"])
def test_an_emoji_right_behind_a_word_is_looked_for_with_it(make_world: Make, typed: str) -> None:
    """The index takes young emoji for letters, and knows `done🤖` as one word."""
    world = make_world()
    world.session("both", "all of it done🤖 today")
    world.session("other", "done")
    page = search(world, typed)
    assert [found.reading for found in page.found] == [""]
    assert ids(page) == ["both"]


def test_the_plus_in_a_name_comes_first_and_the_name_without_it_after(make_world: Make) -> None:
    """`c++` shows C++ before it shows C."""
    world = make_world()
    world.session("plain", "C is fine")
    world.session("plus", "C++ is fine")
    world.session("newer", "C is fine too")
    page = search(world, "c++")
    assert ids(page) == ["plus", "newer", "plain"]
    assert [found.reading for found in page.found] == ["", "other punctuation", "other punctuation"]
    assert [len(found.hits) + found.more for found in page.found] == [1, 1, 1]
    assert page.matches == 3


def test_newest_first_and_grouped_by_conversation_with_the_best_lines(make_world: Make) -> None:
    """One conversation is one result, whatever the number of messages, and the newest match leads."""
    world = make_world()
    world.session("old", *["a word about zebra"] * 8)
    world.session("new", "nothing", "one zebra")
    page = search(world, "zebra")
    assert ids(page) == ["new", "old"]
    assert [len(found.hits) for found in page.found] == [1, 3]
    assert [found.more for found in page.found] == [0, 5]
    assert page.matches == 9


def test_matches_are_marked_in_a_line_of_the_message(make_world: Make) -> None:
    """The line shows the matches with some words around, on one line."""
    world = make_world()
    world.session("s", "word\n" * 60 + "the\nzebra and docker together\n" + "word\n" * 60)
    hit = search(world, "docker zebra").found[0].hits[0]
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["zebra", "docker"]
    assert "\n" not in hit.snippet
    assert len(hit.snippet) < 220
    assert (hit.snippet[:2], hit.snippet[-2:]) == ("… ", " …")


def test_what_a_tool_was_called_with_is_shown_as_words(make_world: Make) -> None:
    """A match in a tool call or its result reads like text, not like JSON with its quotes escaped."""
    world = make_world()
    calls = [
        {
            "id": "c1",
            "function": {"name": "write_file", "arguments": '{"path": "a.md", "content": "the \\"zebra\\" ran"}'},
        }
    ]
    world.session("s", "hi")
    world.say("s", "", role="assistant", tool_calls=json.dumps(calls))
    world.say("s", '{"output": "one zebra\\nsecond line", "exit": 0}', role="tool", tool_name="terminal")
    lines = {hit.role: hit.snippet for hit in search(world, "zebra").found[0].hits}
    assert lines == {"assistant": 'write_file · path: a.md content: the "zebra" ran', "tool": "one zebra second line"}


def test_a_word_in_an_older_part_is_found_under_its_conversation(make_world: Make) -> None:
    """What was said before a compaction belongs to the conversation that went on."""
    world = make_world()
    world.session("root", "about zebra", ended_at=1.0, end_reason="compression")
    world.session("tip", "going on", parent_session_id="root")
    page = search(world, "zebra")
    assert ids(page) == ["tip"]
    assert page.found[0].summary.brief.parts == ("root", "tip")
    assert page.found[0].hits[0].session_id == "root"


def test_titles_and_ids_are_found_and_marked_as_such(make_world: Make) -> None:
    """AN-94 is found by an94, and a full id leads to its session."""
    world = make_world()
    world.session("20260101_100000_abcdef", "nothing", title="AN-94 notes")
    for typed in ("AN-94", "an94", "notes an94"):
        assert search(world, typed).found[0].hits[0].kind == "title"
    for typed in ("20260101_100000_abcdef", "20260101_1"):
        page = search(world, typed)
        assert (ids(page), page.found[0].hits[0].kind) == (["20260101_100000_abcdef"], "id")


def test_hidden_sources_are_counted_and_shown_when_asked_for(make_world: Make) -> None:
    """A word that only a scheduled run has is not silently missing."""
    world = make_world()
    world.session("cron_a", "a zebra", source="cron")
    world.session("chat", "nothing")
    world.session("helper", "zebra", parent_session_id="chat", model_config='{"_delegate_from": "chat"}')
    page = search(world, "zebra")
    assert ids(page) == []
    assert page.hidden == {"cron": 1, "subagent": 1}
    assert set(ids(search(world, "zebra", scope=Scope.everything()))) == {"cron_a", "helper"}
    assert ids(search(world, "source:cron zebra")) == ["cron_a"]


def test_an_id_leads_to_its_session_whatever_kind_it_is_of(make_world: Make) -> None:
    """Who has the id of a scheduled run would be told that there is no such session."""
    world = make_world()
    world.session("cron_20260101_100000", "nothing", source="cron", title="cron nightly")
    assert ids(search(world, "cron_20260101_100000")) == ["cron_20260101_100000"]
    page = search(world, "nightly")
    assert (ids(page), page.hidden) == ([], {"cron": 1})


def test_those_that_touched_memory_are_found_and_no_others(make_world: Make) -> None:
    """The filter would let everything through, or nothing."""
    world = make_world()
    for name in ("wrote", "read"):
        world.session(name, "a zebra")
    base = Database(world.path)
    query = parse("zebra knew:otter", NOW)
    found = {}
    for touched in (frozenset({"wrote"}), frozenset[str]()):
        filters = replace(query.filters, memory_ids=touched)
        found[touched] = ids(Search(base, replace(query, filters=filters)).all())
    base.close()
    assert found == {frozenset({"wrote"}): ["wrote"], frozenset(): []}


def test_undone_messages_are_out_and_compacted_ones_in(make_world: Make) -> None:
    """What a person took back is not found, what a compaction put away is."""
    world = make_world()
    world.session("s", "hello")
    world.say("s", "rewound zebra", active=0, compacted=0)
    assert ids(search(world, "zebra")) == []
    world.say("s", "compacted zebra", active=0, compacted=1)
    assert ids(search(world, "zebra")) == ["s"]


def test_archived_conversations_are_found_unless_they_are_filtered_out(make_world: Make) -> None:
    """Archived ones are part of the whole history."""
    world = make_world()
    world.session("kept", "a zebra")
    world.session("away", "a zebra", archived=1)
    assert set(ids(search(world, "zebra"))) == {"kept", "away"}
    assert ids(search(world, "zebra archived:no")) == ["kept"]
    assert ids(search(world, "zebra archived:only")) == ["away"]


@pytest.mark.parametrize("shape", ["0.19", "0.22"])
def test_filter_words_narrow_the_search(make_world: Make, shape: Shape) -> None:
    """Source, model, folder, role, title, session and time can be typed into the box."""
    world = make_world(shape)
    world.session("a", "a zebra", "no", source="telegram", model="hermes-4-70b", cwd="/srv/One", title="First talk")
    world.session("b", "a horse", "zebra", source="cli", model="other", cwd="/srv/two", title="Second talk")
    both = {"a", "b"}
    for typed, expected in {
        "zebra": both, "source:telegram zebra": {"a"}, "source:Telegram zebra": {"a"}, "model:70b zebra": {"a"},
        "cwd:one zebra": {"a"}, 'title:"second talk" zebra': {"b"}, "role:assistant zebra": {"b"},
        "role:user zebra": {"a"}, "in:a zebra": {"a"}, 'in:"Second talk" zebra': {"b"}, "source:nowhere zebra": set(),
        "after:2100 zebra": set(), "before:2100 zebra": both, "before:2000 zebra": set(), "source:cli": {"b"},
        "source:cli source:telegram zebra": both, "title:talk": both, "role:assistant": both, "before:2000": set(),
        "cwd:one cwd:two zebra": both, "title:talk title:first zebra": {"a"}, "model:70b model:other zebra": both,
        "cwd:o_e zebra": set(), "cwd:% zebra": set(), "in:a in:b zebra": both, 'title:"FIRST talk" zebra': {"a"},
    }.items():  # fmt: skip
        assert set(ids(search(world, typed))) == expected, typed


def test_a_message_without_a_proper_time_is_passed_over_by_filters_of_time(make_world: Make) -> None:
    """One damaged row would end every search by date."""
    world = make_world()
    world.session("a", "a zebra", "one more zebra")
    world.say("a", "a zebra", timestamp="soon")
    world.session("b", "a late zebra")
    assert set(ids(search(world, "zebra after:2020"))) == {"a", "b"}
    assert ids(search(world, "zebra before:2020")) == []


def test_without_patience_each_page_brings_what_there_is(make_world: Make) -> None:
    """A page would be missing, or come as an error, when the disk is slow."""
    world = make_world()
    for name in ("a", "b", "c"):
        world.session(name, "a zebra")
    base = Database(world.path)
    looking, found = Search(base, parse("zebra", NOW)), []
    for _ in range(50):
        page = looking.more(2, patience=-1)
        found += ids(page)
        assert len(page.found) <= 2
        if page.done:
            break
    base.close()
    assert (sorted(found), page.done, page.progress) == (["a", "b", "c"], True, 1.0)


def test_a_title_is_found_by_its_words_and_shown_as_the_line(make_world: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A conversation would be found without a word why, or not at all among hundreds."""
    monkeypatch.setattr("hermes_tui.sessions.named.SLICE_ROWS", 2)
    world = make_world()
    for number in range(5):
        world.session(f"s{number}", "nothing", title=f"Kubernetes at home {number}")
    world.session("said", "kubernetes was said")
    page = search(world, "kubernetes")
    assert ids(page) == ["s4", "s3", "s2", "said", "s1", "s0"]
    hit = page.found[0].hits[0]
    assert (hit.kind, hit.snippet, hit.marks) == ("title", "Kubernetes at home 4", ((0, 10),))
    assert set(ids(search(world, "bernetes"))) == {"s0", "s1", "s2", "s3", "s4", "said"}


def test_titles_are_read_again_only_after_a_commit(make_world: Make) -> None:
    """Every key would read every title, and before the first of them there would be an error."""
    world = make_world()
    world.session("s0", "nothing", title="Kubernetes at home")
    base = Database(world.path)
    names, asked = Names(base), []
    rows = base.rows
    base.rows = lambda sql, *values: asked.append(sql) or rows(sql, *values)  # type: ignore[method-assign, func-returns-value]
    assert list(names.titled("kubernetes")) == []
    for _ in range(3):
        names.refresh()
    assert list(names.titled("kubernetes")) == ["s0"]
    assert sum("title" in sql for sql in asked) == 1
    world.session("s1", "nothing", title="Kubernetes at work")
    names.refresh()
    assert list(names.titled("kubernetes")) == ["s1", "s0"]
    base.close()


@pytest.mark.parametrize("shape", SHAPES)
def test_the_best_matches_come_first_with_and_without_an_index(make_world: Make, shape: Shape) -> None:
    """Sorting by relevance would lose what it could not score."""
    world = make_world(shape)
    world.session("often", "zebra zebra zebra")
    world.session("once", "a zebra and many other animals that nobody asked for")
    assert ids(search(world, "zebra", sort="relevance")) == ["often", "once"]


def test_what_a_person_said_is_shown_before_what_tools_put_out(make_world: Make) -> None:
    """The lines would be three pages of a log."""
    world = make_world()
    world.session("s", "my zebra")
    for _ in range(4):
        world.say("s", "zebra in a log", role="tool")
    assert [hit.role for hit in search(world, "zebra").found[0].hits] == ["tool", "tool", "user"]


def test_what_is_no_filter_is_text(make_world: Make) -> None:
    """Only the known filter words filter; a colon in other words is a colon."""
    world = make_world()
    world.session("s", "error: disk full at 10:30")
    for typed in ("error: disk", "at 10:30", "error:disk"):
        assert ids(search(world, typed)) == ["s"], typed


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("typed", ["zebra", "项目"])
def test_a_picture_with_words_is_found_and_read_as_words(make_world: Make, shape: Shape, typed: str) -> None:
    """Messages that are lists of parts are searched like the others, also for two CJK characters."""
    world = make_world(shape)
    world.session("s")
    world.say("s", [{"type": "text", "text": "the zebra 项目"}, {"type": "image_url", "image_url": {"url": "x"}}])
    page = search(world, typed)
    assert ids(page) == ["s"]
    assert "the zebra 项目" in page.found[0].hits[0].snippet


@pytest.mark.parametrize("shape", ["0.19", "0.22"])
@pytest.mark.parametrize("typed", ["data", "data ", "type ", "base64 ", "up NOT sea"])
def test_the_wrapping_of_a_picture_is_not_what_was_said(make_world: Make, shape: Shape, typed: str) -> None:
    """Every message with a picture would be found for `data` and `type`, with nothing to see in it."""
    world = make_world(shape)
    world.session("s")
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    world.say("s", [{"type": "text", "text": "up\nsea"}, image])
    world.session("sure", "data type base64 sea")
    world.say("sure", "up")
    assert ids(search(world, typed)) == ["sure"]


def test_looser_readings_follow_only_when_nothing_was_found_or_all_was_asked_for(make_world: Make) -> None:
    """A person who types sees what matches; a script that wants everything gets the rest as well."""
    world = make_world()
    world.session("prefix", "docker zzzbaq")
    world.session("loose", "docker")
    assert ids(search(world, "docker zzzba")) == ["prefix"]
    page = search(world, "docker zzzba", exhaustive=True)
    assert ids(page) == ["prefix", "loose"]
    assert [found.reading for found in page.found] == ["", "any of the words"]
    assert page.matches == 2


def test_words_without_their_signs_follow_when_all_is_asked_for_or_nothing_was_found(make_world: Make) -> None:
    """Somebody who types foo/bar sees foo/bar; foo and bar alone are better than nothing."""
    world = make_world()
    world.session("apart", "bar and then foo")
    page = search(world, "foo/bar")
    assert (ids(page), page.reading) == (["apart"], "less strictly")
    world.session("said", "see foo/bar")
    assert ids(search(world, "foo/bar")) == ["said"]
    page = search(world, "foo/bar", exhaustive=True)
    assert ids(page) == ["said", "apart"]
    assert [(found.reading, len(found.hits)) for found in page.found] == [("", 1), ("less strictly", 1)]


def test_a_phrase_that_nobody_said_falls_apart(make_world: Make) -> None:
    """Its words are looked for each by itself, before saying that there is nothing."""
    world = make_world()
    world.session("apart", "dated, then the release")
    page = search(world, '"release dated"')
    assert (ids(page), page.reading) == (["apart"], "words apart")


@pytest.mark.parametrize(
    ("typed", "label"),
    [
        ('"there hello"', "words apart"),
        ('"there left"', "words apart"),
        ('"ello ther"', "words apart, inside other words"),
        ("ello", "inside other words"),
        ("left+there", "words apart"),
        ("left(hello", "less strictly"),
        ("ello/eft", "less strictly, inside other words"),
        ('ello/eft "there said"', "less strictly, words apart, inside other words"),
        ("left nowhere", "any of the words"),
    ],
)
def test_a_looser_reading_says_all_that_was_done(make_world: Make, typed: str, label: str) -> None:
    """A phrase in another order would seem to be what was asked for, and whole words to be parts of others."""
    world = make_world()
    world.session("s", 'she said "hello there" and left')
    page = search(world, typed)
    assert (ids(page), page.reading, page.found[0].reading) == (["s"], label, label)


@pytest.mark.parametrize(
    ("typed", "found", "label"),
    [
        ("model:gpt-4", "said", "model:gpt-4 as text"),
        ("title:Foo", "said", "title:Foo as text"),
        ("source:wikipedia", "said", "source:wikipedia as text"),
        ("docker source:wikipedia", "said", "source:wikipedia as text"),
        ("docker source:cli title:foo", "said", "title:Foo as text"),
        ("in:stock", "said", "in:stock as text"),
        ("cwd:/tmp/x", "said", "cwd:/tmp/x as text"),
        ("before:lunch", "said", "before:lunch as text"),
        ("docker role:admin", "said", "role:admin as text"),
        ("archived:yes before:lunch", "said", "archived:yes, before:lunch as text"),
        ("before:lunch source:wikipedia", "said", "before:lunch, source:wikipedia as text"),
        ("ship before:lunch", "other", "without before:lunch"),
        ("ship nowhere after:dark", "other", "without after:dark, any of the words"),
        ("docker source:cli", "said", ""),
        ("source:tui", "other", ""),
        ("docker source:tu", "", ""),
        ("docker in:Sh", "", ""),
    ],
)
def test_filters_that_find_nothing_or_make_no_sense_are_looked_for_as_text(
    make_world: Make, typed: str, found: str, label: str
) -> None:
    """What somebody said would be nowhere, for its first word is the name of a filter."""
    said = "docker model:gpt-4 title:Foo source:wikipedia in: stock cwd:/tmp/x role:admin archived:yes before:lunch"
    world = make_world()
    world.session("said", said, title="Case")
    world.session("other", "ship it", title="Ship", source="tui")
    page = search(world, typed)
    assert ids(page) == ([found] if found else [])
    assert page.reading.lower() == label.lower()
    assert [each.reading for each in page.found] == [page.reading] * bool(found)
    assert bool(page.as_text) == label.endswith("as text")
    for hit in page.found[0].hits if page.as_text else ():
        assert any(typed.split()[-1].partition(":")[0] in hit.snippet[start:end] for start, end in hit.marks)


def test_a_filter_before_the_last_word_is_done_and_may_be_text(make_world: Make) -> None:
    """Only who still types it does not want it looked for yet."""
    world = make_world()
    world.session("said", "see source:cl and in:ha there")
    world.session("other", "nothing", title="Harbour")
    for typed in ("source:cl", "in:ha"):
        assert ids(search(world, typed)) == []
        assert ids(search(world, f"{typed} ")) == ["said"]


def test_a_filter_that_is_taken_as_text_is_taken_letter_for_letter(make_world: Make) -> None:
    """A star in it would stand for any ending."""
    world = make_world()
    world.session("said", "the rule is before:lunch* here")
    world.session("other", "the rule is before:lunches here")
    assert ids(search(world, "before:lunch* ")) == ["said"]


def test_all_that_is_asked_for_is_in_tool_results_too(make_world: Make) -> None:
    """The newer agent's index of parts of words leaves them out."""
    world = make_world("0.22")
    world.session("said", "ฐานข้อมูล")
    world.session("tool")
    world.say("tool", "the report", role="tool")
    assert set(ids(search(world, "report ฐานข้อมูล", exhaustive=True))) == {"said", "tool"}


def test_a_word_that_is_left_over_does_not_keep_parts_of_words_from_being_found(make_world: Make) -> None:
    """`ker and` is on its way to something, and docker has ker."""
    world = make_world()
    world.session("s", "the docker daemon")
    assert ids(search(world, "ker and")) == ["s"]


def test_latin_words_between_chinese_ones_are_among_any_of_the_words(make_world: Make) -> None:
    """The index has 用youer部署 as one word."""
    world = make_world()
    world.session("latin", "用youer部署")
    world.session("chinese", "服务器")
    assert set(ids(search(world, "youer 服务器"))) == {"latin", "chinese"}


def test_relevance_puts_the_best_match_first(make_world: Make) -> None:
    """A short message about it comes before a long one that mentions it, however old."""
    world = make_world()
    world.session("best", "zebra zebra docker")
    world.session("long", "zebra docker " + "other words " * 300)
    world.session("newest", "zebra " + "other words " * 100 + "docker")
    assert ids(search(world, "zebra docker", sort="relevance")) == ["best", "newest", "long"]
    assert ids(search(world, "zebra docker")) == ["newest", "long", "best"]


def test_pages_follow_each_other_without_gaps(make_world: Make) -> None:
    """Scrolling on gives every conversation once."""
    world = make_world()
    for number in range(57):
        world.session(f"s{number:02}", "a zebra", "and a zebra")
    base = Database(world.path)
    search_ = Search(base, parse("zebra", NOW))
    pages: list[Page] = []
    while not pages or not pages[-1].done:
        pages.append(search_.more(20))
    assert [len(page.found) for page in pages] == [20, 20, 17]
    assert [id for page in pages for id in ids(page)] == [f"s{number:02}" for number in reversed(range(57))]
    assert pages[-1].matches == 114


def test_a_search_that_is_stopped_says_so(make_world: Make) -> None:
    """Nobody gets the answer to an older question."""
    world = make_world()
    world.session("s", "a zebra")
    search_ = Search(Database(world.path), parse("zebra", NOW))
    search_.stop()
    with pytest.raises(Interrupted):
        search_.more()


@pytest.mark.parametrize("damage", ["DROP TABLE messages_fts_data", "DROP TABLE messages_fts_idx",
                                    "DELETE FROM messages_fts_data", "DROP TABLE messages_fts_docsize"])  # fmt: skip
def test_a_damaged_index_is_said_and_searched_around(make_world: Make, damage: str) -> None:
    """Losing the index costs time, not results."""
    world = make_world()
    world.session("s", "a zebra")
    world.run("PRAGMA writable_schema = ON")
    try:
        world.run(damage)
    except Exception:
        name = damage.rpartition(" ")[2]
        world.run("DELETE FROM sqlite_master WHERE name = ?", (name,))
    world.run("PRAGMA writable_schema = RESET")
    world.close()
    page = search(world, "zebra")
    assert ids(page) == ["s"]


def test_messages_that_the_index_does_not_have_yet_are_found(make_world: Make) -> None:
    """An index that is behind, or being rebuilt, does not hide anything."""
    world = make_world()
    world.session("old", "a zebra")
    world.run("DROP TRIGGER messages_fts_insert")
    world.session("new", "a zebra", "项目进展")
    assert ids(search(world, "zebra")) == ["new", "old"]
    world.run("INSERT INTO state_meta VALUES ('fts_rebuild_progress', '0'), ('fts_rebuild_high_water', '2')")
    world.run("DELETE FROM messages_fts")
    assert ids(search(world, "zebra")) == ["new", "old"]


def test_ids_may_be_far_apart(make_world: Make) -> None:
    """A message with an enormous number does not make every search step through all numbers before it."""
    world = make_world()
    world.session("s", "a zebra 项目")
    world.say("s", "another 项目", id=2**62)
    world.run("INSERT INTO sessions (rowid, id, source, started_at) VALUES (?, 'far', 'cli', 1)", (2**62,))
    for typed in ("项目", "zeb", "model:x", "source:cli 项目"):
        assert search(world, typed).done
    assert ids(search(world, "项目")) == ["s"]


def test_filters_of_messages_leave_titles_out(make_world: Make) -> None:
    """A title was said by nobody at no time."""
    world = make_world()
    world.session("s", "nothing", title="plain zebra")
    assert ids(search(world, "zebra")) == ["s"]
    for typed in ("zebra before:2001", "zebra role:tool", "zebra after:2100"):
        page = search(world, typed)
        assert (ids(page), page.reading) == ([], "")


def test_a_short_id_is_an_id(make_world: Make) -> None:
    """Imported sessions may be called anything."""
    world = make_world()
    world.session("r2", "hi")
    assert ids(search(world, "r2")) == ["r2"]


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != "no index"])
def test_without_the_index_of_parts_of_words_chinese_is_found_all_the_same(make_world: Make, shape: Shape) -> None:
    """An agent whose SQLite is too old for that index would have history that nobody finds."""
    world = make_world(shape)
    for (trigger,) in world.rows("SELECT name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%trigram%'"):
        world.run(f"DROP TRIGGER {trigger}")
    world.run("DROP TABLE messages_fts_trigram")
    world.session("s", "a zebra", "大别山项目进展")
    for typed in ("zebra", "项目", "大别山项目"):
        assert ids(search(world, typed)) == ["s"]
    base = Database(world.path)
    assert "Chinese, Japanese and Thai are found by a plain scan" in base.features().missing[0]
    base.close()


@pytest.mark.parametrize("index", ["messages_fts_cjk", "messages_fts", "messages_fts_trigram"])
def test_an_index_that_cannot_be_opened_is_searched_around(make_world: Make, index: str) -> None:
    """An index of another kind, or one that lost its tables, costs time only."""
    world = make_world("no index")
    world.session("s", "a zebra 项目进展")
    world.run("PRAGMA writable_schema = ON")
    world.run(
        "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES ('table', ?, ?, 0, ?)",
        (index, index, f"CREATE VIRTUAL TABLE {index} USING fts5(content, tokenize='cjk_unicode61')"),
    )
    world.run(f"CREATE TABLE {index}_data (id INTEGER PRIMARY KEY, block BLOB)")
    world.close()
    for typed in ("zebra", "项目", "项目进展"):
        assert ids(search(world, typed)) == ["s"]


def test_damaged_pages_cost_only_what_lies_in_them(make_world: Make) -> None:
    """The rest of the history is listed and searched, and it is said that something was passed over."""
    world = make_world("no index")
    for number in range(60):
        world.session(f"s{number:02}", f"a zebra {number} " + "filler " * 400)
    world.run("VACUUM")
    world.close()
    data = bytearray(world.path.read_bytes())
    spoiled = data.find(b"a zebra 30 ") // 4096 * 4096
    data[spoiled : spoiled + 4096] = bytes([0xAA]) * 4096
    world.path.write_bytes(data)
    page = search(world, "zebra")
    assert 50 < len(ids(page)) < 60
    assert any("damaged" in note for note in page.notes)


def test_a_set_aside_index_is_not_used(make_world: Make) -> None:
    """When the agent says that its index is stale, the messages themselves are read."""
    world = make_world()
    world.session("s", "a zebra")
    world.run("INSERT INTO state_meta VALUES ('fts_stale', '1')")
    world.run("DELETE FROM messages_fts")
    page = search(world, "zebra")
    assert ids(page) == ["s"]
    assert any("plain scan" in note for note in page.notes)


@pytest.mark.parametrize("typed", ["", "   ", "OR", "AND NOT", "source:", '""', "()", "-", "\x00", "'"])
def test_nothing_to_look_for_finds_nothing_and_is_no_error(make_world: Make, typed: str) -> None:
    """Half a query on its way is not a failure."""
    world = make_world()
    world.session("s", "a zebra")
    assert search(world, typed).done
