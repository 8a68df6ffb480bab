"""Who made a change: what a call, a decision here or an edit here says for certain, and what is likely at most."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

import pytest

from hermes_tui.config import load_config
from hermes_tui.history.authors import Evidence, attributed
from hermes_tui.history.changes import By, Certainty, Change, State
from hermes_tui.history.history import Timeline
from hermes_tui.history.reviews import Logs, Review, Reviews, Written, reviews_in
from hermes_tui.memory.editing import MemoryStore
from hermes_tui.pending.records import list_records
from hermes_tui.pending.review import Review as Deciding
from tests.history.conftest import Lives
from tests.history.life import DAY, START, Life, answer

HOUR = 3_600.0
REVIEW = "msg='Review the conversation above and save what matters'"


def stamp(at: float) -> str:
    """A moment as the agent's log has it."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at)) + f",{int(at % 1 * 1000):03}"


def log_line(at: float, words: str, session: str = "a") -> str:
    """A line of the agent's log."""
    return f"{stamp(at)} INFO [{session}] {words}\n"


def log(life: Life, *lines: str, name: str = "agent.log") -> None:
    """The agent's log says this."""
    life.home.logs.mkdir(exist_ok=True)
    with (life.home.logs / name).open("a") as stream:
        stream.writelines(lines)


def review_lines(written_at: float, length: int, session: str = "a") -> list[str]:
    """A review of a session, in which something was written."""
    return [
        log_line(START - 10, "gateway: up", ""),
        log_line(written_at - 5, f"agent.turn_context: conversation turn: {REVIEW} thread=bg-review:1", session),
        log_line(written_at, f"tool memory completed (0.00s, {length} chars)", session),
        log_line(written_at + 5, "client closed thread=bg-review:1", session),
    ]


def last(timeline: Timeline) -> tuple[By, Certainty, str]:
    """The author of the last change."""
    change = timeline.changes()[-1]
    return change.by, change.certainty, change.session_id


def added(life: Life, text: str, *, after: float = HOUR) -> None:
    """An entry comes without a record, between two sessions."""
    life.stores["memory"] = ["tea"]
    life.session("a")
    life.wait(after)
    life.stores["memory"].append(text)
    life.wait(after)
    life.session("b")


def answer_length(entries: Sequence[str]) -> int:
    """Characters of the answer to an addition."""
    return len(json.dumps(answer("memory", entries, "Entry added."), ensure_ascii=False))


LENGTH = answer_length(["tea", "milk"])


# What is certain


def test_a_tool_call_is_certain_and_leads_to_its_message(life: Life) -> None:
    """Enter would have nowhere to go."""
    life.session("a")
    message = life.add("a", "tea")
    change = life.timeline().changes()[-1]
    assert (change.by, change.certainty, change.session_id, change.message_id) == ("tool call", "exact", "a", message)
    assert change.since == change.until


def test_an_edit_made_here_is_certain(life: Life) -> None:
    """The person's own change would be somebody else's."""
    life.stores["memory"] = ["tea"]
    life.session("a")
    life.save()
    MemoryStore(life.home, load_config(life.home)).add("memory", "milk")
    timeline = life.history().timeline(life.views())
    assert [change.after for change in timeline.changes()] == ["tea", "milk"]
    assert last(timeline) == ("edited here", "exact", "")


@pytest.mark.parametrize("staged_in_a_session", [True, False])
def test_what_was_approved_here_names_the_session_that_staged_it_where_there_is_one(
    staged_in_a_session: bool, life: Life
) -> None:
    """A decision would be told as an edit, without what led to it."""
    life.stores["memory"] = ["tea"]
    life.session("a")
    if staged_in_a_session:
        staged = {"success": True, "staged": True, "pending_id": "8529eaff"}
        life.call("a", {"action": "add", "target": "memory", "content": "milk"}, staged)
    folder = life.home.path / "pending" / "memory"
    folder.mkdir(parents=True)
    record = {"id": "8529eaff", "subsystem": "memory", "action": "add", "summary": "milk", "origin": "foreground",
              "created_at": START, "payload": {"action": "add", "target": "memory", "content": "milk"}}  # fmt: skip
    (folder / "8529eaff.json").write_text(json.dumps(record))
    life.save()
    Deciding(life.home, load_config(life.home)).approve(list_records(life.home))
    timeline = life.history().timeline(life.views())
    assert timeline.changes()[-1].after == "milk"
    assert last(timeline) == ("approved here", "exact", "a" if staged_in_a_session else "")


# What is likely


@pytest.mark.parametrize(
    ("arguments", "before", "after"),
    [
        ({"action": "add", "content": " milk "}, [], ["milk"]),
        ({"action": "remove", "old_text": "mil"}, ["milk"], []),
        ({"action": "replace", "old_text": "mil", "content": "milk, oats"}, ["milk"], ["milk, oats"]),
        ({"action": "patch", "old_text": "milk", "new_text": "oat milk"}, ["milk"], ["oat milk"]),
        ({"operations": [{"action": "add", "content": "milk"}, {"action": "add", "content": "x"}]}, [], ["milk"]),
    ],
)
def test_what_does_just_what_was_staged_was_likely_approved_elsewhere(
    arguments: dict[str, Any], before: list[str], after: list[str], life: Life
) -> None:
    """What was approved in the chat would be an outside edit."""
    life.stores["memory"] = ["tea", *before]
    life.session("a")
    life.call("a", {"target": "memory", **arguments}, {"success": True, "staged": True, "pending_id": "8529eaff"})
    life.wait(HOUR)
    life.stores["memory"] = ["tea", *after]
    life.session("b")
    assert last(life.timeline()) == ("approved elsewhere", "likely", "a")


@pytest.mark.parametrize(
    "arguments",
    [
        {"action": "add", "content": "something else"},
        {"action": "add", "target": "user", "content": "milk"},
        {"action": "remove", "old_text": "tea"},
        {"action": "replace", "old_text": "tea", "content": "ale"},
        {"action": "patch", "old_text": "", "new_text": "milk"},
    ],
)
def test_a_staged_write_that_does_something_else_is_no_author(arguments: dict[str, Any], life: Life) -> None:
    """Any session that ever staged something would be blamed."""
    life.stores["memory"] = ["tea"]
    life.session("a")
    life.call("a", arguments, {"success": True, "staged": True, "pending_id": "8529eaff"})
    life.wait(HOUR)
    life.stores["memory"].append("milk")
    life.session("b")
    assert last(life.timeline()) == ("outside edit or unknown", "unknown", "")


def test_a_write_that_was_staged_only_later_is_no_author(life: Life) -> None:
    """Somebody would have approved what was not there yet."""
    life.stores["memory"] = ["tea"]
    life.session("a")
    life.stores["memory"].append("milk")
    life.session("b")
    life.save()
    history = life.history()
    history.note(life.views())
    life.call("b", {"action": "add", "content": "milk"}, {"success": True, "staged": True, "pending_id": "8529eaff"})
    assert last(life.timeline()) == ("outside edit or unknown", "unknown", "")


def test_a_call_of_which_nobody_knows_what_became_is_likely_at_most(life: Life) -> None:
    """Its answer was cleared, and what it asked for is there."""
    life.stores["memory"] = ["tea"]
    life.session("a")
    life.call("a", {"action": "add", "content": "milk"}, "[cleared]")
    life.stores["memory"].append("milk")
    life.session("b")
    assert last(life.timeline()) == ("tool call", "likely", "a")


def test_a_call_that_says_so_makes_one_edit_of_what_went_and_came(life: Life) -> None:
    """An approved replacement would be told as an entry that somebody took away, and another one."""
    life.stores["memory"] = ["tea", "ale"]
    life.session("a")
    arguments = {"action": "replace", "target": "memory", "old_text": "tea", "content": "Deploys on Friday"}
    life.call("a", arguments, {"success": True, "staged": True, "pending_id": "8529eaff"})
    life.wait(HOUR)
    life.stores["memory"] = ["Deploys on Friday", "ale"]
    life.session("b")
    change = life.timeline().changes()[-1]
    assert (change.kind, change.before, change.after, change.likely_edit) == ("edit", "tea", "Deploys on Friday", True)
    assert (change.by, change.certainty, change.session_id) == ("approved elsewhere", "likely", "a")


# Background reviews


def test_a_review_whose_answer_had_just_the_length_is_likely_the_author(life: Life) -> None:
    """The author that leaves no message could not be told."""
    added(life, "milk")
    log(life, *review_lines(START + HOUR, LENGTH))
    assert last(life.timeline()) == ("background review", "likely", "a")


@pytest.mark.parametrize(
    ("off", "at", "turn"),
    [
        (1, START + HOUR, True),  # another length
        (0, START + 9 * HOUR, True),  # another time
        (0, START + HOUR, False),  # no review
    ],
)
def test_lines_of_log_that_do_not_fit_make_no_author(off: int, at: float, turn: bool, life: Life) -> None:
    """A review that wrote something else would be blamed."""
    added(life, "milk")
    lines = review_lines(at, LENGTH + off)
    log(life, *(lines if turn else [lines[0], lines[2]]))
    assert last(life.timeline()) == ("outside edit or unknown", "unknown", "")


def test_a_line_of_the_persons_own_turn_is_not_the_reviews(life: Life) -> None:
    """The call in the messages has a line of log, too."""
    life.stores["memory"] = ["tea"]
    life.session("a")
    at = life.now
    life.add("a", "milk")
    length = life.world.rows("SELECT length(content) FROM messages WHERE role = 'tool'")[0][0]
    log(life, *review_lines(at + 1, length))
    logs = Logs(life.home.logs)
    logs.read()
    assert len(logs.reviewed([])[0]) == 1
    calls = life.history().index.calls.values()
    assert logs.reviewed(calls)[0] == []


def test_what_a_review_only_proposed_was_not_written(life: Life) -> None:
    """A proposal that waits would be told as a change."""
    log(life, *review_lines(START, 277), *review_lines(START + 60, 100))
    logs = Logs(life.home.logs)
    logs.read()
    assert logs.reviewed([]) == ([], START - 10)


def test_rotated_logs_are_read_too_and_only_what_is_new_again(life: Life) -> None:
    """Evidence of last week would be gone with the first file."""
    log(life, *review_lines(START, 300), name="agent.log.1")
    log(life, *review_lines(START + HOUR, 301, "b"), log_line(START + 2 * HOUR, "half a line")[:-9])
    logs = Logs(life.home.logs)
    logs.read()
    assert logs.reviewed([])[0] == [Written(START, "a", 300), Written(START + HOUR, "b", 301)]
    log(life, "rest\n", *review_lines(START + 3 * HOUR, 302, "c"))
    logs.read()
    assert [write.session_id for write in logs.reviewed([])[0]] == ["a", "b", "c"]


@pytest.mark.parametrize(
    "words", ["[", "[a]", "client closed ", "[a] tool memory completed (", "[a] conversation turn: "]
)
def test_a_long_line_of_log_is_read_at_once(words: str, life: Life) -> None:
    """Something that a person has said, and that stands in the log, would keep the timeline for hours."""
    log(life, log_line(START, words * (200_000 // len(words)), ""), *review_lines(START, 300))
    logs = Logs(life.home.logs)
    began = time.process_time()
    logs.read()
    assert time.process_time() - began < 1.0
    assert logs.reviewed([])[0] == [Written(START, "a", 300)]


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"\xff\xfe\x00" * 99, b"2026-99-99 99:99:99,999 [a] tool memory completed (0s, 300 chars)\n"]
)
def test_logs_that_are_broken_or_missing_are_no_evidence(data: bytes, life: Life) -> None:
    """A damaged log would stop the timeline."""
    logs = Logs(life.home.logs)
    logs.read()
    assert logs.reviewed([])[0] == []
    life.home.logs.mkdir()
    (life.home.logs / "agent.log").write_bytes(data)
    (life.home.logs / "agent.log.1").mkdir()
    logs.read()
    assert logs.reviewed([])[0] == []


def test_accounts_of_a_review_at_that_time_make_it_likely(live: Lives) -> None:
    """Where the log is gone, newer agents still account for what a review cost."""
    life = live("0.22")
    added(life, "milk")
    life.world.use("a", task="background_review", first_seen=START + HOUR, last_seen=START + HOUR + 60)
    assert last(life.timeline()) == ("background review", "likely", "a")
    with life.base() as base:
        assert reviews_in(base) == [Review(START + HOUR - 900, START + HOUR + 60, "a")]


def test_accounts_of_two_sessions_at_that_time_name_neither(live: Lives) -> None:
    """One of them would be picked by chance."""
    life = live("0.22")
    added(life, "milk")
    for session in ("a", "b"):
        life.world.use(session, task="background_review", first_seen=START + HOUR, last_seen=START + HOUR + 60)
    assert last(life.timeline()) == ("background review", "likely", "")


def test_accounts_of_other_tasks_and_other_times_make_no_author(live: Lives) -> None:
    """Every change would have been a review's."""
    life = live("0.22")
    added(life, "milk")
    life.world.use("a", task="title_generation", first_seen=START + HOUR, last_seen=START + HOUR)
    life.world.use("b", task="background_review", first_seen=START + 99 * HOUR, last_seen=START + 99 * HOUR)
    assert last(life.timeline()) == ("outside edit or unknown", "unknown", "")


def test_where_the_log_tells_of_every_write_accounts_alone_are_not_enough(live: Lives) -> None:
    """A review that ran and wrote nothing would be blamed for an outside edit."""
    life = live("0.22")
    added(life, "milk")
    life.world.use("a", task="background_review", first_seen=START + HOUR, last_seen=START + HOUR + 60)
    log(life, log_line(START - 30 * HOUR, "gateway: up", ""))  # an agent may have read the store a day before
    assert last(life.timeline()) == ("outside edit or unknown", "unknown", "")


def test_a_write_of_a_review_of_which_nothing_is_left_makes_the_time_uncertain(life: Life) -> None:
    """Something was there for a while, and nobody knows what."""
    life.stores["memory"] = ["tea"]
    life.session("a")
    life.wait(10 * HOUR)
    life.session("b")
    sure = life.timeline().state("memory", START + 5 * HOUR)
    assert sure is not None
    assert sure.certain
    log(life, *review_lines(START + 2 * HOUR, 333))
    state = life.timeline().state("memory", START + 5 * HOUR)
    assert state is not None
    assert (state.entries, state.certain) == (("tea",), False)


def test_a_guess_is_never_exact_whatever_points_to_it() -> None:
    """A guess would be shown as a fact."""
    change = Change("memory", "add", "", "milk", START, START + HOUR)
    write = Written(START + 60, "a", LENGTH)
    evidence = Evidence((), (), Reviews([write], START), frozenset({2_200}))
    found = attributed([change], [State(START + HOUR, ("tea", "milk"), True)], evidence)
    assert [each.certainty for each in found.changes] == ["likely"]
    assert found.explained == {write}
    certain = Change("memory", "add", "", "milk", START, START, "tool call", "exact", "s", 1)
    assert attributed([certain], [State(START, ("tea", "milk"), True)], evidence).changes == (certain,)


def test_prompts_alone_never_name_an_author(life: Life) -> None:
    """The session that was the first to be told would be taken for the one that wrote."""
    for number in range(6):
        life.stores["memory"].append(f"entry {number}")
        life.session(f"s{number}")
        life.wait(HOUR)
    changes = life.timeline().changes()
    assert len(changes) == 6
    assert {(change.by, change.certainty, change.session_id) for change in changes} == {
        ("outside edit or unknown", "unknown", "")
    }


def test_a_call_whose_answer_contradicts_the_store_is_doubted(life: Life) -> None:
    """What was done in another home, and came with a session from there, would be told as known."""
    life.session("a")
    life.add("a", "Tea at five")
    life.wait(DAY)
    life.session("b")
    life.wait(DAY)
    foreign = life.session("z", told=False)
    arguments = {"action": "add", "target": "memory", "content": "Foreign"}
    life.call(foreign, arguments, answer("memory", ["Somebody else", "Foreign"], "Entry added."))
    life.wait(DAY)
    life.session("c")
    changes = {(each.kind, each.after or each.before): each for each in life.timeline().changes()}
    assert changes["add", "Tea at five"].certainty == "exact"
    doubted = changes["add", "Foreign"]
    assert (doubted.by, doubted.certainty, doubted.session_id) == ("tool call", "likely", "z")
    assert all(each.certainty != "exact" for (_, text), each in changes.items() if text == "Foreign")


def test_a_call_that_shows_in_the_next_block_is_known_whatever_its_answer_says(life: Life) -> None:
    """Every call after an outside edit that was taken back would be in doubt."""
    life.session("a")
    life.add("a", "Tea at five")
    life.wait(DAY)
    life.session("b")
    arguments = {"action": "add", "target": "memory", "content": "Ale at six"}
    life.stores["memory"].append("Ale at six")
    life.call("b", arguments, answer("memory", ["Tea at five", "unseen", "Ale at six"], "Entry added."))
    life.wait(DAY)
    life.session("c")
    [_, ale] = [each for each in life.timeline().changes() if each.by == "tool call"]
    assert (ale.after, ale.certainty) == ("Ale at six", "exact")


def test_what_only_one_session_tells_of_and_nobody_else_is_doubted(life: Life) -> None:
    """A session from another home fits itself: its block, its call and the answer to it."""
    life.stores["memory"] = ["Tea at five"]
    life.session("a")
    life.wait(DAY)
    life.stores["memory"] = ["Somebody else"]
    life.session("z")
    life.add("z", "Foreign")
    life.wait(DAY)
    life.stores["memory"] = ["Tea at five"]
    life.session("c")
    [call] = [each for each in life.timeline().changes() if each.by == "tool call"]
    assert (call.after, call.certainty, call.session_id) == ("Foreign", "likely", "z")


def test_a_call_before_an_outside_edit_stays_known(life: Life) -> None:
    """What somebody takes out by hand would make the call doubtful that put it there."""
    life.stores["memory"] = ["Tea at five"]
    life.session("a")
    life.add("a", "Ale at six")
    life.wait(DAY)
    life.stores["memory"] = ["Tea at five"]
    life.session("b")
    [call] = [each for each in life.timeline().changes() if each.by == "tool call"]
    assert (call.after, call.certainty) == ("Ale at six", "exact")


@pytest.mark.parametrize(
    ("result", "by"),
    [("none", "outside edit or unknown"), ("skill", "outside edit or unknown"), ("memory", "background review"),
     ("skill+memory", "background review")],
)  # fmt: skip
def test_a_review_that_says_it_wrote_no_memory_is_the_author_of_none(result: str, by: By, live: Lives) -> None:
    """Somebody's own edit would be said to be likely its work."""
    life = live("0.22")
    added(life, "milk")
    over = START + HOUR + 60
    life.world.use("a", task="background_review", first_seen=over - 30, last_seen=over)
    log(life, log_line(over, f"Background review complete: thread=bg-review calls=1 in=10 out=10 result={result}"))
    assert last(life.timeline())[0] == by


def test_a_line_of_log_in_a_review_that_wrote_nothing_is_no_write(life: Life) -> None:
    """What it tried and could not do would be taken for what it did."""
    lines = review_lines(START + HOUR, 300)
    done = "Background review complete: thread=bg-review calls=1 in=1 out=1 cache_read=0 result=skill"
    log(life, *lines[:-1], log_line(START + HOUR + 5, done))
    logs = Logs(life.home.logs)
    logs.read()
    assert logs.reviewed([])[0] == []


def test_a_review_of_which_all_would_be_in_the_log_wrote_what_the_log_says(live: Lives) -> None:
    """One that made no call would be blamed, for what came before the log began."""
    life = live("0.22")
    added(life, "milk", after=2 * HOUR)
    life.world.use("a", task="background_review", first_seen=START + 2 * HOUR, last_seen=START + 2 * HOUR + 9)
    log(life, log_line(START + HOUR, "gateway: up"))
    assert last(life.timeline())[0] == "outside edit or unknown"
