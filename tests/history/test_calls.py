"""Calls of the memory tool: what they asked for, and what became of it, by what is stored of both lines."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from hermes_tui.history.call_reader import CallReader, latest_message, message_time, sessions_after
from hermes_tui.history.calls import MemoryCall, call_of, decoded
from hermes_tui.history.index import Index
from hermes_tui.memory.batch import Operation
from hermes_tui.sessions.database import Interrupted
from tests.every import every
from tests.history.conftest import Lives
from tests.history.life import Life, answer
from tests.nasty import NASTY
from tests.sessions.world import SHAPES, Shape


def made(arguments: Any, result: Any) -> MemoryCall | None:
    """A call with these arguments and this answer."""
    texts = (each if isinstance(each, str) else json.dumps(each) for each in (arguments, result))
    return call_of("s", 1, 2, 3.0, *texts)


def one(arguments: Any, result: Any) -> MemoryCall:
    """The same, which must be a call."""
    call = made(arguments, result)
    assert call is not None
    return call


def read(life: Life, index: Index | None = None, *, after: int = 0) -> list[MemoryCall]:
    """The calls of a database, taken into an index."""
    index = Index() if index is None else index
    with life.base() as base:
        for reading in CallReader(base, index.calls_like).slices(after):
            index.add_calls(reading, message_time(base, reading.to))
    return sorted(index.calls.values(), key=lambda call: call.result_id)


# What a call says


@pytest.mark.parametrize(
    ("arguments", "operations"),
    [
        ({"action": "add", "content": "tea"}, [Operation("add", "tea")]),
        ({"action": "remove", "old_text": "te"}, [Operation("remove", "", "te")]),
        ({"action": "replace", "old_text": "te", "content": "ale"}, [Operation("replace", "ale", "te")]),
        ({"action": "patch", "old_text": "te", "new_text": "ale"}, [Operation("patch", "ale", "te")]),
        ({"action": "patch", "old_text": "te", "content": "ale"}, [Operation("patch", "ale", "te")]),
        (
            {"operations": [{"action": "remove", "old_text": "a"}, {"action": "add", "content": "b"}]},
            [Operation("remove", "", "a"), Operation("add", "b")],
        ),
        ({"action": "add", "content": "tea", "operations": []}, [Operation("add", "tea")]),
        ({"operations": ["no object", {"action": "add", "content": "b"}, {}]}, [Operation("add", "b")]),
    ],
)
def test_every_way_to_ask_is_understood(arguments: dict[str, Any], operations: list[Operation]) -> None:
    """Both lines of the agent, one operation or many."""
    assert list(one(arguments, {"success": True}).operations) == operations


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ({"success": True}, "accepted"),
        ({"success": False, "error": "Memory at 2,190/2,200 chars."}, "refused"),
        ({"error": "unknown action", "success": False}, "refused"),
        ({"error": "no store"}, "refused"),
        ({"success": True, "staged": True, "pending_id": "8529eaff"}, "staged"),
        ({"staged": True, "pending_id": "8529eaff"}, "staged"),
        ({}, "unknown"),
        ({"success": "yes"}, "unknown"),
        ({"success": 1}, "unknown"),
        ("", "unknown"),
        ("[result was too old and is cleared]", "unknown"),
        ('{"success": tru', "unknown"),
        ("[" * 100_000, "unknown"),
    ],
)
def test_what_became_of_it_is_only_what_the_answer_says(result: Any, outcome: str) -> None:
    """A refused write would be told as one that was made."""
    assert one({"action": "add", "content": "tea"}, result).outcome == outcome


def test_an_answer_with_a_warning_after_it_is_still_one() -> None:
    """The agent appends words to what the tool says."""
    text = json.dumps(answer("user", ["tea"])) + "\n\n[warning: this tool was called four times]"
    call = one({"action": "add", "content": "tea"}, text)
    assert (call.outcome, call.chars, call.count, call.length) == ("accepted", 3, 1, len(text))


@pytest.mark.parametrize(
    "arguments",
    ["", "null", "[]", "7", '"add"', "{", "{}", '{"action": ""}', '{"action": "add", "target": "soul"}',
     '{"action": "add", "target": ["memory"], "content": "x"}', '{"action": "add", "content": ["x"]}',
     '{"operations": {"action": "add"}}', '{"operations": [7]}', "{" * 50_000],
)  # fmt: skip
def test_what_is_no_call_that_can_have_changed_something_is_none(arguments: str) -> None:
    """Broken arguments would break the whole timeline."""
    assert made(arguments, {"success": True}) is None


def test_the_store_is_that_of_the_call_then_of_the_answer_then_the_first() -> None:
    """A change of the profile would be told of the notes."""
    add = {"action": "add", "content": "tea"}
    assert one({**add, "target": "user"}, {"success": True, "target": "memory"}).store == "user"
    assert one(add, {"success": True, "target": "user"}).store == "user"
    assert one({**add, "target": None}, {"success": True}).store == "memory"


@pytest.mark.parametrize(
    ("usage", "chars"),
    [
        ("67% — 1,474/2,200 chars", 1_474),
        ("0% — 0/2,200 chars", 0),
        ("1,474/2,200", None),
        ("67% — many/2,200 chars", None),
        ("67% — ١٢/2,200 chars", 12),
        ("67% — " + "9" * 40 + "/2,200 chars", None),
        (["67% — 1/2 chars"], None),
        (None, None),
    ],
)
def test_the_length_is_read_off_the_usage_where_there_is_one(usage: Any, chars: int | None) -> None:
    """Lengths say whether what is thought to be there is there."""
    assert one({"action": "add", "content": "x"}, {"success": True, "usage": usage}).chars == chars


def test_the_number_of_entries_is_a_number() -> None:
    """`true` is one to Python."""
    for value, expected in ((3, 3), (True, None), ("3", None), (3.0, None), (None, None)):
        assert one({"action": "add", "content": "x"}, {"success": True, "entry_count": value}).count == expected


@pytest.mark.parametrize("key", ["removed_entry", "replaced_entry", "patched_entry_before"])
def test_newer_agents_name_the_whole_entry(key: str) -> None:
    """The call has only a piece of it."""
    call = one({"action": "remove", "old_text": "te"}, {"success": True, key: "tea, black"})
    assert call.pinned == ("tea, black",)


def test_in_a_batch_whole_entries_go_by_the_number_of_their_operation() -> None:
    """The wrong entry would be told as the one that went."""
    operations = [{"action": "add", "content": "x"}, {"action": "remove", "old_text": "a"}]
    operations += [{"action": "patch", "old_text": "b", "content": "c"}]
    result = {"success": True, "removed_entries": {"2": "aa"}, "patched_entries": {"3": "bb", "4": "zz", "0": "zz"}}
    assert one({"operations": operations}, result).pinned == ("", "aa", "bb")
    for odd in ({"x": "aa"}, {"2": 7}, ["aa"], "aa", {"9" * 5_000: "aa"}, {"-1": "aa"}, {"²": "aa"}):
        assert one({"operations": operations}, {"success": True, "removed_entries": odd}).pinned == ()


def test_an_addition_of_what_is_there_is_known_to_have_done_nothing() -> None:
    """An entry would have come twice."""
    result = answer("memory", ["tea"], "Entry already exists (no duplicate added).")
    assert one({"action": "add", "content": "tea"}, result).idle
    assert not one({"action": "add", "content": "tea"}, answer("memory", ["tea"], "Entry added.")).idle


@every("name", list(NASTY))
def test_odd_texts_are_kept_as_they_are(name: str) -> None:
    """What was written would be told in other words."""
    call = one({"action": "patch", "old_text": NASTY[name], "content": NASTY[name]}, {"success": True})
    text = json.loads(json.dumps(NASTY[name]))  # two halves in a row are one character to JSON
    assert call.operations == (Operation("patch", text, text),)


def test_a_call_and_its_copy_have_the_same_print_and_others_have_not() -> None:
    """Copies that a compaction makes are told from calls that say the same."""
    texts = '{"action": "add", "content": "x"}', '{"success": true}'
    first = call_of("s", 1, 2, 3.0, *texts, call_id="c1")
    again = call_of("t", 7, 8, 9.0, *texts, call_id="c1")
    other = call_of("s", 3, 4, 5.0, *texts, call_id="c2")
    nameless = call_of("s", 3, 4, 5.0, *texts)
    assert first is not None
    assert again is not None
    assert other is not None
    assert nameless is not None
    assert first.print == again.print != other.print
    assert nameless.print == ""


def test_only_an_object_at_the_beginning_counts() -> None:
    """A text that mentions an answer is none."""
    assert decoded('  {"a": 1} and more') == {"a": 1}
    for text in ("", "words {}", "[1]", "null", '"x"'):
        assert decoded(text) == {}


# What a database has of them


@pytest.mark.parametrize("shape", SHAPES)
def test_calls_are_read_from_every_form_of_database(shape: Shape, live: Lives) -> None:
    """The past of an agent of some age would have no authors."""
    life = live(shape)
    life.session("a")
    message = life.add("a", "tea")
    life.call("a", {"action": "add", "content": "x" * 9}, {"success": False, "error": "Memory at 2,199/2,200 chars."})
    life.call("a", {"action": "remove", "old_text": "tea"}, {"success": True, "staged": True, "pending_id": "8529eaff"})
    first, second, third = read(life)
    assert (first.session_id, first.message_id, first.result_id) == ("a", message, message + 1)
    assert (first.store, first.operations, first.outcome) == ("memory", (Operation("add", "tea"),), "accepted")
    assert (first.at, first.chars, first.count) == (life.now - 5, 3, 1)
    assert (second.outcome, third.outcome, third.pending_id) == ("refused", "staged", "8529eaff")
    assert (first.written_later, first.review) == (False, False)


def test_both_lines_say_what_was_edited(life: Life) -> None:
    """One replaces entries, the other patches them."""
    life.session("a")
    life.add("a", "tea")
    life.change("a", "tea", "green tea")
    call = read(life)[-1]
    [operation] = call.operations
    assert (operation.action, call.pinned) == (("patch", ("tea",)) if life.shape == "0.22" else ("replace", ()))
    assert (operation.old_text, operation.content) == ("tea", "green tea")


def test_a_call_whose_message_is_not_to_be_found_is_there_with_the_answer_alone(life: Life) -> None:
    """An answer without arguments tells of nothing."""
    life.session("a")
    life.say("a", json.dumps(answer("memory", ["tea"])), role="tool", tool_name="memory", tool_call_id="c9")
    assert read(life) == []
    calls = [{"id": "c9", "function": {"name": "terminal", "arguments": '{"action": "add", "content": "x"}'}}]
    life.say("a", "", role="assistant", tool_calls=json.dumps(calls))
    life.say("a", json.dumps(answer("memory", ["tea"])), role="tool", tool_name="memory", tool_call_id="c9")
    assert read(life) == []


@pytest.mark.parametrize(
    "stored", ["", "null", "{", "[7]", '[{"id": "c1"}]', '[{"id": "c1", "function": 7}]', "\udcff"]
)
def test_broken_calls_beside_a_good_one_do_not_hide_it(stored: str, life: Life) -> None:
    """One damaged message would take all the others along."""
    life.session("a")
    life.say("a", "", role="assistant", tool_calls=stored.encode("utf-8", "surrogatepass"))
    life.say("a", "{}", role="tool", tool_name="memory", tool_call_id="c1")
    life.add("a", "tea")
    assert [call.operations for call in read(life)] == [(Operation("add", "tea"),)]


def test_several_calls_of_one_message_each_have_their_answer(life: Life) -> None:
    """Answers would be mixed up."""
    life.session("a")
    asked = [
        {
            "id": f"c{number}",
            "function": {"name": "memory", "arguments": json.dumps({"action": "add", "content": text})},
        }
        for number, text in enumerate(("tea", "ale"))
    ]
    message = life.say("a", "", role="assistant", tool_calls=json.dumps(asked))
    life.say("a", json.dumps(answer("memory", ["x", "ale"])), role="tool", tool_name="memory", tool_call_id="c1")
    life.say("a", json.dumps({"success": False, "error": "no"}), role="tool", tool_name="memory", tool_call_id="c0")
    found = read(life)
    assert [(call.operations[0].content, call.outcome) for call in found] == [("ale", "accepted"), ("tea", "refused")]
    assert {call.message_id for call in found} == {message}


@pytest.mark.parametrize("put_away", [{"active": 0, "compacted": 1}, {"active": 0, "compacted": 0}])
def test_calls_in_rows_that_were_put_away_or_taken_back_still_count(put_away: dict[str, int], life: Life) -> None:
    """What was written stays written when the conversation is rewound."""
    life.session("a", archived=1)
    life.call("a", {"action": "add", "content": "tea"}, answer("memory", ["tea"]), **put_away)
    assert [call.outcome for call in read(life)] == ["accepted"]


def test_a_copy_that_a_compaction_makes_is_the_same_call(life: Life) -> None:
    """An entry would have been written once more at the time of the compaction."""
    life.session("a")
    life.add("a", "tea")
    columns = "session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp"
    life.world.run("UPDATE messages SET active = 0, compacted = 1")
    life.world.run(
        f"INSERT INTO messages ({columns}) SELECT {columns.replace('timestamp', 'timestamp + 500')} FROM messages"
    )
    assert [(call.session_id, call.message_id) for call in read(life)] == [("a", 3)]


def test_a_copy_in_a_session_that_goes_on_from_it_is_the_same_call(life: Life) -> None:
    """A branch would have written everything again."""
    life.session("a")
    life.add("a", "tea")
    life.session("b", parent_session_id="a")
    columns = "role, content, tool_call_id, tool_calls, tool_name, timestamp"
    life.world.run(
        f"INSERT INTO messages (session_id, {columns}) SELECT 'b', {columns} FROM messages WHERE session_id = 'a'"
    )
    assert [call.session_id for call in read(life)] == ["a"]


def test_the_same_call_twice_in_one_session_is_two_calls_as_long_as_both_are_before_the_agent(life: Life) -> None:
    """Some models give every call the same name; the second write would be lost."""
    life.session("a")
    for _ in range(2):
        life.called = 0
        life.call("a", {"action": "add", "content": "tea"}, {"success": True})
    assert len(read(life)) == 2


@pytest.mark.parametrize(("later", "calls"), [(0, 1), (500, 2)])
def test_a_copy_with_the_very_time_of_its_original_is_the_same_call_wherever_it_is(
    later: int, calls: int, life: Life
) -> None:
    """An imported conversation has written nothing; one that only looks alike has."""
    life.session("a")
    life.add("a", "tea")
    life.session("b")
    columns = "role, content, tool_call_id, tool_calls, tool_name, timestamp"
    copied = columns.replace("timestamp", f"timestamp + {later}")
    life.world.run(
        f"INSERT INTO messages (session_id, {columns}) SELECT 'b', {copied} FROM messages WHERE session_id = 'a'"
    )
    assert len(read(life)) == calls


def test_a_call_whose_messages_were_written_anew_moves_there_and_keeps_its_time(life: Life) -> None:
    """Enter on a change would lead to a message that is gone."""
    index = Index()
    life.session("a")
    life.add("a", "tea")
    [before] = read(life, index)
    columns = "session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp"
    life.world.run(
        f"INSERT INTO messages ({columns}) SELECT {columns.replace('timestamp', 'timestamp + 500')} FROM messages"
    )
    life.world.run("DELETE FROM messages WHERE id <= 4")
    [after] = read(life, index, after=4)
    assert after == replace(before, message_id=7, result_id=8)
    assert index.calls_like(before.print) == [after]


def test_a_review_that_older_agents_kept_in_the_session_is_told_from_the_persons_own_turn(live: Lives) -> None:
    """A background change would be told as one that was asked for."""
    life = live("0.13")
    life.session("a")
    life.add("a", "tea")
    life.say("a", "Review the conversation above and save what matters.")
    life.add("a", "coffee")
    life.say("a", "thanks")
    life.add("a", "milk")
    assert [call.review for call in read(life)] == [False, True, False]


def test_a_call_and_an_answer_of_the_very_same_moment_were_written_later(life: Life) -> None:
    """A conversation that was written anew has the time of that."""
    life.session("a")
    life.add("a", "tea")
    life.world.run("UPDATE messages SET timestamp = 1700009999.5 WHERE id >= 3")
    assert [call.written_later for call in read(life)] == [True]


def test_what_was_read_is_not_read_again(life: Life) -> None:
    """Every look would go through a million messages."""
    index = Index()
    life.session("a")
    life.add("a", "tea")
    read(life, index)
    with life.base() as base:
        assert index.calls_to == latest_message(base) == 4
        assert list(CallReader(base, index.calls_like).slices(index.calls_to)) == []
        assert sessions_after(base, 0) == ["a"]
        assert sessions_after(base, 4) == []
        assert message_time(base, 999) == 0.0


def test_reading_calls_stops_when_told_to(life: Life) -> None:
    """Leaving the program would wait for the end."""
    life.session("a")
    with life.base() as base, pytest.raises(Interrupted):
        next(CallReader(base, lambda _: ()).slices(0, lambda: True))


def test_a_database_without_tools_has_no_calls(live: Lives) -> None:
    """A cut-down database would be an error."""
    life = live("no index")
    life.session("a")
    life.world.run("ALTER TABLE messages DROP COLUMN tool_name")
    assert read(life) == []
