"""Reading a conversation: every message once, in order, in its state, whatever is stored."""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from hermes_tui.errors import NotFound, Unreadable
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.matcher import literal_matcher
from hermes_tui.sessions.message_rows import by_bytes
from hermes_tui.sessions.messages import State, message_text, searched, size_words, tool_calls
from hermes_tui.sessions.outline import Outline
from hermes_tui.sessions.some_matches import MOST_MATCHES, first_matches
from hermes_tui.sessions.transcript import TranscriptReader
from tests.nasty import NASTY
from tests.sessions.whole import all_messages
from tests.sessions.world import SHAPES, Shape, World

MakeWorld = Callable[..., World]


def reader_of(world: World, session_id: str = "s", outline: Outline | None = None) -> TranscriptReader:
    """A reader of one conversation."""
    return TranscriptReader(Database(world.path), session_id, outline)


def texts(world: World, session_id: str = "s") -> list[str]:
    """What is said in a conversation."""
    return [message.text for page in all_messages(Database(world.path), session_id) for message in page]


def states(reader: TranscriptReader) -> list[State]:
    """The states of all messages."""
    return [State(state) for state in reader.window().details.states]


# What there is


@pytest.mark.parametrize("shape", SHAPES)
def test_a_conversation_reads_the_same_from_databases_of_every_age(make_world: MakeWorld, shape: Shape) -> None:
    """A transcript would not open after an upgrade of the agent, or before one."""
    world = make_world(shape)
    world.session("s", "question", "answer", title="A title", model="m")
    world.say("s", "output", role="tool", tool_name="terminal", tool_call_id="c1")
    reader = reader_of(world)
    window = reader.window()
    assert window.complete
    assert (window.facts.title, window.facts.newest.model, window.facts.newest.source) == ("A title", "m", "cli")
    messages = reader.messages(window.details.ids)
    assert [(message.role, message.text) for message in messages] == [
        ("user", "question"),
        ("assistant", "answer"),
        ("tool", "output"),
    ]
    assert (messages[2].tool_name, messages[2].tool_call_id) == ("terminal", "c1")
    assert {message.state for message in messages} == {State.LIVE}


def test_the_parts_of_a_lineage_follow_each_other(make_world: MakeWorld) -> None:
    """What was said before a compaction would look lost."""
    world = make_world()
    world.session("a", "one", "two", end_reason="compression", ended_at=world._clock, title="named")
    world.session("b", "three", parent_session_id="a", started_at=world._clock + 1)
    world.session("other", "not this")
    for wanted in ("a", "b"):
        assert texts(world, wanted) == ["one", "two", "three"]
    facts = reader_of(world, "a").facts()
    assert (facts.ids, facts.title, facts.newest.id) == (("a", "b"), "named", "b")


def test_a_session_that_is_not_there_is_said_to_be_missing(make_world: MakeWorld) -> None:
    """An empty transcript would look like a conversation without a word."""
    world = make_world()
    with pytest.raises(NotFound) as caught:
        reader_of(world, "nowhere").window()
    assert caught.value.code == "no_such_session"
    world.session("s")
    assert reader_of(world).window().complete


@pytest.mark.parametrize("shape", ["0.19", "0.22"])
def test_live_compacted_and_rewound_messages_are_told_apart(make_world: MakeWorld, shape: Shape) -> None:
    """Words a person took back would stand there as said, or older ones be missing."""
    world = make_world(shape)
    world.session("s")
    world.say("s", "old", active=0, compacted=1)
    world.say("s", "taken back", active=0)
    world.say("s", "now")
    assert states(reader_of(world)) == [State.COMPACTED, State.REWOUND, State.LIVE]


def test_what_the_agent_hides_is_hidden_and_its_notices_are_named(make_world: MakeWorld) -> None:
    """Bookkeeping of the agent would read like words of the person."""
    world = make_world("0.22")
    world.session("s")
    world.say("s", "bookkeeping", display_kind="hidden")
    world.say("s", "a helper is done", display_kind="async_delegation_complete")
    reader = reader_of(world)
    assert states(reader) == [State.HIDDEN, State.LIVE]
    notice = reader.messages(reader.window().details.ids)[1]
    assert (notice.kind, notice.note) == ("notice", "async_delegation_complete")


@pytest.mark.parametrize(
    "text",
    [
        "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted. Summary: …",
        "[CONTEXT SUMMARY]: the user likes tea",
        "[PRIOR CONTEXT — for reference]\nold\n[END OF PRIOR CONTEXT — COMPACTION SUMMARY BELOW]",
    ],
)
def test_the_summary_of_a_compaction_is_recognised(make_world: MakeWorld, text: str) -> None:
    """Pages of the agent's own summary would stand there as the person's words."""
    world = make_world()
    world.session("s", text, "an answer")
    reader = reader_of(world)
    assert [message.kind for message in reader.messages(reader.window().details.ids)] == ["summary", "message"]


def test_messages_are_in_the_order_of_their_ids_whatever_their_times_say(make_world: MakeWorld) -> None:
    """A clock that was set back would tear the conversation apart."""
    world = make_world()
    world.session("s")
    for number, stamp in enumerate([5.0, 1.0, 1.7e12, "yesterday", 3.0, 3.0, 3.0]):
        world.say("s", f"m{number}", timestamp=stamp)
    reader = reader_of(world)
    assert texts(world) == [f"m{number}" for number in range(7)]
    assert list(reader.all_ids(("s",))[0]) == list(range(1, 8))


def test_ids_come_in_slices_and_none_is_lost_between_them(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Messages at the border of a slice would be missing, where many have the same time."""
    world = make_world()
    world.session("s")
    for number in range(50):
        world.say("s", f"m{number}", timestamp=[100.0, 100.0, 200.0][number % 3] if number < 40 else "text")
    monkeypatch.setattr("hermes_tui.sessions.transcript.IDS_PER_SLICE", 4)
    assert list(reader_of(world).all_ids(("s",))[0]) == list(range(1, 51))


def test_the_first_answer_is_around_the_wanted_message(make_world: MakeWorld) -> None:
    """A search result in the middle of a long conversation would open at its end."""
    world = make_world()
    world.session("a", *(f"a{number}" for number in range(30)), end_reason="compression", ended_at=world._clock)
    world.session("b", *(f"b{number}" for number in range(30)), parent_session_id="a", started_at=world._clock + 400)
    reader = reader_of(world, "b")
    window = reader.window(message_id=29, rows=10)
    assert window.found
    assert not window.complete
    assert list(window.details.ids) == [25, 26, 27, 28, 29, 30, 31, 32, 33, 34]
    newest = reader.window(rows=10)
    assert list(newest.details.ids) == list(range(51, 61))
    assert not reader.window(message_id=999).found


# What is stored


@pytest.mark.parametrize("name", NASTY)
def test_every_nasty_text_comes_out_as_it_was_stored(make_world: MakeWorld, name: str) -> None:
    """Characters would be lost between the disk and the screen."""
    text = NASTY[name].encode("utf-8", "surrogatepass")
    world = make_world()
    world.session("s")
    world.say("s", text, tool_name=text, tool_calls=text, reasoning=text, role=text.decode("utf-8", "replace")[:20])
    reader = reader_of(world)
    details = reader.window().details
    (message,) = reader.messages(details.ids)
    assert message.text.encode("utf-8", "surrogateescape") == text
    assert message.reasoning.encode("utf-8", "surrogateescape") == text
    assert details.sizes[0] == len(text)


def test_a_nul_cuts_nothing(make_world: MakeWorld) -> None:
    """SQL's own functions end a text at a NUL, and say that it is empty."""
    world = make_world()
    world.session("s")
    world.say("s", "a\x00b" + "c" * 1_000)
    reader = reader_of(world)
    details = reader.window().details
    assert list(details.sizes) == [1_003]
    assert reader.messages(details.ids)[0].text == "a\x00b" + "c" * 1_000
    assert reader.messages(details.ids, 10)[0].text == "a\x00b" + "c" * 7


def test_pictures_are_a_line_that_says_kind_and_size(make_world: MakeWorld) -> None:
    """A screenful of base64 would stand between two messages."""
    world = make_world()
    world.session("s")
    picture = "data:image/png;base64," + "A" * 64_000
    world.say("s", [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": picture}}])
    world.say("s", [{"type": "input_image", "image_url": "https://x.io/a.png"}])
    world.say("s", [{"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": "A" * 400}}])
    world.say("s", [{"type": "input_audio", "input_audio": {"format": "wav", "data": "A" * 4_000}}])
    assert texts(world) == [
        "look\n[image: image/png, 48 KB]",
        "[image: https://x.io/a.png]",
        "[image: image/jpeg, 300 B]",
        "[audio: wav, 3.0 KB]",
    ]


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        ("\x00json:{broken", "{broken"),
        ('\x00json:"just text"', "just text"),
        ('\x00json:{"text": "in a dict"}', "in a dict"),
        ('\x00json:[{"type": "tool_result", "content": [{"text": "inner"}]}, 7, null]', "inner\n7\nnull"),
        ('\x00json:[{"type": "new", "x": 1}]', '{"type": "new", "x": 1}'),
        ("[" * 5_000, "[" * 5_000),
        ("\x00json:" + "[" * 50_000, "[" * 50_000),
        ("\x00json:" + "[" * 700 + "]" * 700, "[" * 700 + "]" * 700),
        (None, ""),
        (b"\xff\xfe", "\udcff\udcfe"),
        (12, "12"),
    ],
)
def test_content_in_parts_is_read_and_what_is_broken_is_shown_as_it_stands(stored: object, text: str) -> None:
    """One broken message would take the transcript down."""
    assert message_text(stored) == text


def test_tool_calls_say_what_they_are_about() -> None:
    """A folded call would be a name without a clue."""
    stored = json.dumps(
        [
            {
                "id": "c",
                "function": {"name": "terminal", "arguments": json.dumps({"timeout": 5, "command": "ls\n-la"})},
            },
            {"id": "d", "function": {"name": "todo", "arguments": json.dumps({"items": [1, 2], "note": "x"})}},
            {"function": {"name": "browser", "arguments": {"url": "https://x.io"}}},
        ]
    )
    first, second, third = tool_calls(stored)
    assert (first.name, first.main_argument, first.call_id) == ("terminal", "ls\n-la", "c")
    assert first.text == "timeout: 5\ncommand:\nls\n-la"
    assert second.main_argument == "x"
    assert second.text == "items: [1, 2]\nnote: x"
    assert third.main_argument == "https://x.io"


@pytest.mark.parametrize(
    "stored", ['[{"id": "x", "function": {"na', "[1, null]", '"text"', "{}", '[{"function": {}}]', "nonsense", b"\xff"]
)
def test_malformed_tool_calls_are_shown_as_they_are(stored: object) -> None:
    """A damaged row would hide what was asked for, or end the program."""
    calls = tool_calls(stored)
    assert calls
    assert all(call.malformed for call in calls)
    assert all(isinstance(call.main_argument, str) and isinstance(call.text, str) for call in calls)


@pytest.mark.parametrize("stored", [None, "", "  ", "[]", "null", b""])
def test_no_tool_calls_are_none(stored: object) -> None:
    """An empty list would be drawn as a call."""
    assert tool_calls(stored) == ()


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        (1.7e9, 1.7e9),
        (1_700_000_000, 1.7e9),
        (1.7e12, 1.7e9),
        (1.7e15, 1.7e9),
        (1.7e18, 1.7e9),
        ("1700000000.0", 1.7e9),
        (b"1700000000", 1.7e9),
        ("2023-11-14T22:13:20+00:00", 1.7e9),
        (None, None),
        ("", None),
        ("yesterday", None),
        (b"\xff", None),
        (math.inf, None),
        (math.nan, None),
        (-5.0, None),
        (0, None),
        (1e30, None),
        (True, None),
        ([], None),
    ],
)
def test_odd_times_are_understood_or_none(stored: object, expected: float | None) -> None:
    """A time in milliseconds would be in the year 55840, and a text would break the transcript."""
    assert moment(stored) == expected


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 B"), (999, "999 B"), (1_000, "1.0 KB"), (48_100, "48 KB"), (999_600, "1.0 MB"), (4.9e6, "4.9 MB"),
     (3e12, "3,000 GB")],
)  # fmt: skip
def test_sizes_are_short(size: float, words: str) -> None:
    """A size would take half of the line."""
    assert size_words(int(size)) == words


def test_long_texts_are_read_in_part_and_whole_on_demand(make_world: MakeWorld) -> None:
    """A tool's output of megabytes would be read for the one line that is shown of it."""
    world = make_world()
    world.session("s")
    world.say("s", "é" * 1_000, role="tool")
    world.say("s", [{"text": "part" * 1_000}])
    reader = reader_of(world)
    short, parts = reader.messages([1, 2], 100)
    assert (short.text, short.size, short.unread) == ("é" * 50, 2_000, 1_900)
    assert (parts.text, parts.unread) == ("part" * 1_000, 0)
    whole = reader.whole(1)
    assert whole is not None
    assert whole.text == "é" * 1_000
    assert reader.whole(99) is None


def test_texts_come_in_the_order_they_were_asked_for(make_world: MakeWorld) -> None:
    """What is on the screen would come after what is not."""
    world = make_world()
    world.session("s", "one", "two", "three")
    assert [message.text for message in reader_of(world).messages([3, 1, 99, 2])] == ["three", "one", "two"]


# Looking through


def test_matches_are_counted_in_everything_that_is_shown(make_world: MakeWorld) -> None:
    """A match in a tool's arguments or in the reasoning would not be found."""
    world = make_world()
    world.session("s", "Käse und kase", "nothing")
    call = json.dumps([{"function": {"name": "t", "arguments": json.dumps({"q": 'say "KÄSE"'})}}])
    world.say("s", None, role="assistant", tool_calls=call, reasoning="käse, then")
    world.say("s", [{"text": "kase"}, {"type": "image_url", "image_url": {"url": "data:image/kase;base64,AA"}}])
    found = reader_of(world).matches([1, 2, 3, 4], literal_matcher("käse"))
    assert found == [(1, 2), (3, 2), (4, 2)]


def test_what_is_searched_is_what_a_message_shows(make_world: MakeWorld) -> None:
    """The number of a match would lead to another place than that match."""
    world = make_world()
    world.session("s")
    world.say("s", "text", role="assistant", reasoning="thought", tool_calls='[{"function": {"name": "t"}}]')
    world.say("s", "", role="tool")
    first, second = reader_of(world).messages([1, 2])
    assert searched(first) == ("thought", "text", "")
    assert searched(second) == ("",)


# What is new


def test_new_messages_and_new_parts_are_noticed(make_world: MakeWorld) -> None:
    """A running conversation would stand still on the screen."""
    world = make_world(wal=True)
    world.session("s", "one", message_count=1)
    world.session("other", "x")
    reader = reader_of(world)
    window = reader.window()
    assert not reader.news(window.facts, window.high, window.details).disturbed
    world.say("other", "not ours")
    world.say("s", "two")
    world.run(
        "UPDATE sessions SET message_count = 2, end_reason = 'compression', ended_at = ? WHERE id = 's'",
        (world._clock,),
    )
    world.session("t", "three", parent_session_id="s", started_at=world._clock + 1)
    news = reader.news(window.facts, window.high, window.details)
    assert news.facts is not None
    assert news.facts.ids == ("s", "t")
    assert list(zip(news.added.ids, news.added.sessions, strict=True)) == [(4, "s"), (5, "t")]
    assert not news.disturbed
    assert len(reader.news(news.facts, news.high).added) == 0


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE messages SET active = 0 WHERE id = 2",
        "DELETE FROM messages WHERE id = 2",
        "UPDATE messages SET content = 'longer than before' WHERE id = 2",
        "UPDATE sessions SET message_count = 0 WHERE id = 's'",
    ],
)
def test_what_changed_under_us_is_noticed(make_world: MakeWorld, change: str) -> None:
    """A message that was rewound would stay on the screen as said."""
    world = make_world()
    world.session("s", "one", "two")
    reader = reader_of(world)
    window = reader.window()
    world.run(change)
    assert reader.news(window.facts, window.high, window.details).disturbed


def test_a_conversation_that_was_deleted_is_gone(make_world: MakeWorld) -> None:
    """An error would be shown for what is simply not there any more."""
    world = make_world()
    world.session("s", "one")
    reader = reader_of(world)
    window = reader.window()
    world.run("DELETE FROM messages")
    world.run("DELETE FROM sessions")
    assert reader.news(window.facts, window.high).facts is None


# Damage


def test_what_is_not_damaged_is_read(make_world: MakeWorld) -> None:
    """One bad block of a disk would take a whole conversation away, or end the program."""
    world = make_world("no index", wal=False)
    world.run("BEGIN")
    world.session("s", *(f"message {number} of many words" * 4 for number in range(2_000)))
    world.run("COMMIT")
    world.close()
    whole = world.path.read_bytes()
    most = 0
    for seed in range(12):
        random = Random(seed)
        data = bytearray(whole)
        for _ in range(3):
            at = random.randrange(len(data) // 10, len(data) - 6_000)
            data[at : at + 5_000] = random.randbytes(5_000)
        world.path.write_bytes(data)
        try:
            reader = reader_of(world)
            window = reader.window()
            ids = reader.all_ids(window.facts.ids)[0]
            details = reader.details(ids)
            reader.matches(ids, literal_matcher("words"))
        except Unreadable:
            continue
        assert len(details) <= len(ids) <= 2_000
        most += len(ids) > 1_000
    assert most >= 8


# The outline


def outline_of(world: World, *ids: str) -> tuple[Outline, TranscriptReader]:
    """An outline with all ids, and nothing known of them."""
    outline = Outline()
    reader = reader_of(world, ids[0], outline)
    outline.set_ids(ids, reader.all_ids(ids))
    return outline, reader


def test_an_outline_knows_each_message_without_its_text(make_world: MakeWorld) -> None:
    """A conversation of a million messages would not fit into memory."""
    world = make_world()
    world.session("s", "one")
    world.say("s", "out" * 10, role="tool", tool_name="terminal", timestamp=1.7e12)
    world.say("s", "", role="assistant", tool_calls='[{"function": {}}]', reasoning="why", timestamp="odd")
    outline, reader = outline_of(world, "s")
    assert not outline.complete
    outline.fill(reader.details(outline.ids))
    assert outline.complete
    entry = outline.entry(1)
    assert (entry.id, entry.session_id, entry.role, entry.state) == (2, "s", "tool", State.LIVE)
    assert (entry.size, entry.tool_name, entry.timestamp) == (30, "terminal", 1.7e9)
    last = outline.entry(2)
    assert (last.has_calls, last.has_reasoning, last.timestamp) == (True, True, None)


def test_what_is_not_known_is_found_nearest_first() -> None:
    """The far end of a conversation would be read before what is on the screen."""
    outline = Outline()
    outline.set_ids(("s",), [array("q", range(100))])
    outline.fresh[40:60] = b"\x01" * 20
    assert outline.unknown_near(45, 10) == range(30, 40)
    assert outline.unknown_near(55, 10) == range(60, 70)
    assert outline.unknown_near(95, 1_000) == range(95, 100)
    assert outline.unknown_near(0, 1_000) == range(0, 40)
    outline.fresh = bytearray(b"\x01" * 100)
    assert not outline.unknown_near(50, 10)


def test_messages_are_found_by_id_in_every_part(make_world: MakeWorld) -> None:
    """An older part that went on after the newer one began would be out of order, and its messages not found."""
    world = make_world()
    world.session("a", "a1")
    world.session("b", "b1")
    world.say("a", "a2")
    outline, _ = outline_of(world, "a", "b")
    assert list(outline.ids) == [1, 3, 2]
    assert [outline.place_of(id) for id in (1, 2, 3, 4)] == [0, 2, 1, None]
    assert outline.nearest(4) == 2
    assert [outline.part_at(place) for place in range(3)] == [0, 0, 1]


def test_new_messages_go_to_the_end_of_their_part(make_world: MakeWorld) -> None:
    """A message that comes into an older part would stand in the newest."""
    world = make_world()
    world.session("a", "a1")
    world.session("b", "b1")
    outline, reader = outline_of(world, "a", "b")
    outline.fill(reader.details(outline.ids))
    world.say("b", "b2")
    added = reader.news(reader.facts(), 2).added
    assert outline.add(("a", "b"), added) == 2
    world.say("a", "a2")
    window = reader_of(world, "a", outline).window()
    assert outline.add(("a", "b"), window.details) == 1
    assert outline.entry(outline.place_of(4) or 0).session_id == "a"
    assert outline.complete


def test_empty_parts_do_not_confuse_an_outline() -> None:
    """A compaction that has just begun has a part without a message."""
    outline = Outline()
    outline.set_ids(("a", "b", "c"), [array("q"), array("q", [5, 6]), array("q")])
    assert [outline.bounds(part) for part in range(3)] == [(0, 0), (0, 2), (2, 2)]
    assert outline.part_at(0) == 1
    assert outline.place_of(6) == 1
    assert outline.nearest(1) == 0
    assert outline.nearest(9) == 1
    outline.set_ids((), [])
    assert len(outline) == 0
    assert outline.place_of(6) is None


def test_bunches_of_texts_stay_small() -> None:
    """One statement would read megabytes, and hold up the agent's writing."""
    assert list(by_bytes([1, 2, 3, 4], [60, 60, 500, 1], 100)) == [[1], [2], [3], [4]]
    assert list(by_bytes([1, 2, 3], [10, 20, 30], 100)) == [[1, 2, 3]]
    assert list(by_bytes([], [])) == []


def test_reading_changes_nothing_on_disk(make_world: MakeWorld, tmp_path: Path) -> None:
    """Looking at a conversation would touch the agent's files."""
    world = make_world()
    world.session("s", *(f"text {number}" for number in range(20)))
    world.close()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(texts(world)) == 20
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("typed", ["needle", "a", "end of", "é"])
def test_a_long_text_is_looked_through_in_stretches_and_no_match_is_lost_between_them(typed: str) -> None:
    """A match would be missing or counted twice wherever two stretches meet."""
    matcher = literal_matcher(typed)
    text = "a Needle at the end\nof é " * 15_000
    assert first_matches(matcher, text, 10**9) == matcher.spans(text)
    assert first_matches(matcher, text, 77) == matcher.spans(text)[:77]
    assert len(first_matches(matcher, text)) == MOST_MATCHES
