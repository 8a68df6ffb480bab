"""The ledger of background reviews: what is counted, from what, and what is said not to be known."""

from __future__ import annotations

import json
import time
from datetime import date
from typing import Any

import pytest

from hermes_tui.config import load_config
from hermes_tui.history.review_ledger import monday
from hermes_tui.history.review_week import Ledger, Week
from hermes_tui.pending.records import list_records
from hermes_tui.pending.review import Review as Deciding
from hermes_tui.review_account import read_ledger
from tests.cli.conftest import Run
from tests.cli.conftest import run as run
from tests.history.conftest import Lives
from tests.history.life import Life
from tests.history.test_authors import HOUR, LENGTH, REVIEW, added, log, log_line, review_lines

STAGED = 169


def stage(life: Life, id: str, text: str, *, origin: str = "background_review", **payload: Any) -> None:
    """A write waits, staged now."""
    subsystem = "skills" if "name" in payload else "memory"
    folder = life.home.path / "pending" / subsystem
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {"action": "add", "target": "memory", "content": text, **payload}
    record = {"id": id, "subsystem": subsystem, "action": wanted["action"], "summary": f"add {text}", "origin": origin,
              "created_at": time.time(), "payload": wanted}  # fmt: skip
    (folder / f"{id}.json").write_text(json.dumps(record))


def ledger(life: Life) -> Ledger:
    """The ledger as it is now."""
    life.save()
    history, views = life.history(), life.views()
    return read_ledger(life.home, history, history.timeline(views), views)


def this_week(found: Ledger) -> Week:
    """The last week of it."""
    assert found.weeks[-1].start == monday(time.time())
    return found.weeks[-1]


def test_every_decision_over_a_write_of_a_review_is_counted_once_and_one_that_was_taken_back_is_not(
    life: Life,
) -> None:
    """A person would trust a rate of approval that is none."""
    life.session("a")
    for id, text in {"aa": "tea", "bb": "mlik", "cc": "gossip", "dd": "waits", "ee": "thrown out"}.items():
        stage(life, id, text)
    stage(life, "ff", "of the chat", origin="assistant_tool")
    deciding = Deciding(life.home, load_config(life.home))
    records = {record.id: record for record in list_records(life.home)}
    deciding.approve([records["aa"]])
    deciding.approve([records["ff"]])
    deciding.edit_and_approve(records["bb"], "milk")
    deciding.reject([records["cc"]])
    deciding.reject([records["ee"]])
    deciding.undo()
    stage(life, "0a", "", action="create", name="brew", content="---\nname: brew\ndescription: Tea.\n---\nBoil.")
    skill = next(record for record in list_records(life.home, "skills"))
    assert deciding.approve([skill]).done == ("0a",)
    life.stores["memory"] = ["tea", "of the chat"]  # somebody has taken the milk out since

    week = this_week(ledger(life))
    assert (week.memory.staged, week.memory.waiting) == (5, 2)
    assert (week.memory.approved, week.memory.edited, week.memory.rejected, week.memory.taken_back) == (1, 1, 1, 1)
    assert (week.skills.staged, week.skills.approved, week.skills.edited) == (1, 1, 0)
    behind = {(write.pending_id, write.fate): write for write in week.writes}
    assert behind["aa", "approved"].there is True
    assert (behind["bb", "edited"].stored, behind["bb", "edited"].there) == (("milk",), False)
    assert behind["dd", "waiting"].text == "waits"
    assert ("ee", "taken back") in behind
    assert ("ee", "waiting") in behind
    assert not any(id == "ff" for id, _ in behind)
    assert (week.runs, week.runs_certainty) == (1, "at least")  # without a log: some review must have staged them
    assert week.elsewhere is None


def test_what_was_approved_as_proposed_is_not_told_as_edited_whatever_it_did(life: Life) -> None:
    """A patch leaves another text than the one that it brings, and would look like an edit of the person."""
    life.stores["memory"] = ["the bus leaves at nine", "tea", "gone"]
    life.session("a")
    life.save()
    patch = {"action": "patch", "old_text": "nine", "content": "ten", "matched_entry": "the bus leaves at nine"}
    stage(life, "aa", "", **patch)
    stage(life, "bb", "green tea ", action="replace", old_text="tea")
    stage(life, "cc", "", action="remove", old_text="gone", content=None)
    stage(life, "dd", "tea", action="add")
    batch = [{"action": "add", "content": "one"}, {"action": "add", "content": "two"}]
    stage(life, "ee", "", action="batch", operations=batch)
    deciding = Deciding(life.home, load_config(life.home))
    records = {record.id: record for record in list_records(life.home)}
    done = deciding.approve([records[id] for id in ("aa", "bb", "cc", "dd")])
    assert done.failed == ()
    assert deciding.approve_step(records["ee"], 2).done == ("ee",)
    assert deciding.edit_and_approve(list_records(life.home)[-1], "uno", step=1).done == ("ee",)
    life.stores["memory"] = ["the bus leaves at ten"]
    week = this_week(ledger(life))
    assert (week.memory.staged, week.memory.approved, week.memory.edited) == (5, 5, 1)
    assert [write.pending_id for write in week.writes if write.part] == ["ee"]
    assert [write.stored for write in week.writes if write.fate == "edited"] == [("uno",)]


def test_what_reviews_wrote_is_likely_and_their_runs_are_counted_from_the_log(life: Life) -> None:
    """A guess would be shown as a fact, or the review blamed for nothing."""
    written_at = life.now + HOUR
    log(life, *review_lines(written_at, LENGTH))
    log(life, *review_lines(written_at + 9 * HOUR, 300, "b"))  # of this nothing is to be found
    staged = [line.replace(f"{LENGTH} chars", f"{STAGED} chars") for line in review_lines(written_at + HOUR, LENGTH)]
    log(life, *staged[1:])
    added(life, "milk")
    found = ledger(life)
    week = next(week for week in found.weeks if week.since <= written_at < week.until)
    assert (week.wrote, week.unseen, week.elsewhere) == (1, 1, 1)
    assert (week.runs, week.runs_certainty) == (3, "at least")  # the log begins in this week
    write = next(write for write in week.writes if write.fate == "written")
    assert (write.text, write.certainty, write.session_id) == ("milk", "likely", "a")
    assert (write.there, round(write.at)) == (True, round(written_at))
    after = found.weeks[found.weeks.index(week) + 1]
    assert (after.runs, after.runs_certainty, after.wrote) == (0, "exact", 0)
    said = " ".join(found.missing)
    assert "likely, not certain" in said
    assert "The logs tell of 1 staged" in said
    assert "leaves no record" in said


def test_newer_agents_keep_account_of_what_reviews_cost(live: Lives) -> None:
    """The person could not tell what reviews cost; or would be told a cost that nobody knows."""
    life = live("0.22")
    life.session("a")
    life.world.use("a", task="background_review", first_seen=life.now, last_seen=life.now + 60, input_tokens=300,
                   actual_cost_usd=0)  # fmt: skip
    found = ledger(life)
    week = next(week for week in found.weeks if week.tokens)
    assert (week.tokens, week.dollars, week.runs, week.runs_certainty) == (300, None, 1, "at least")
    assert any("does not know the cost" in words for words in found.missing)
    life.session("b")
    life.wait(14 * 24 * HOUR)
    life.world.use("b", task="background_review", first_seen=life.now - 14 * 24 * HOUR, last_seen=life.now,
                   input_tokens=50, actual_cost_usd=0.25)  # fmt: skip
    spanning = next(week for week in ledger(life).weeks if week.spans_weeks)
    assert (spanning.start, spanning.tokens, spanning.dollars) == (monday(life.now), 50, 0.25)


def test_an_older_agent_keeps_none_and_that_is_said(live: Lives) -> None:
    """No cost would look like none spent."""
    life = live("0.19")
    life.session("a")
    log(life, log_line(life.now, f"agent.turn_context: conversation turn: {REVIEW}"))
    found = ledger(life)
    assert found.weeks[0].runs == 1
    assert {week.tokens for week in found.weeks} == {None}
    assert any("tokens and cost are not known" in words for words in found.missing)
    assert {source.name: source.found for source in found.sources}["logs"] == 1


def test_a_time_that_cannot_be_makes_no_thousand_weeks(life: Life) -> None:
    """The list would begin in 1970."""
    life.session("a")
    stage(life, "aa", "tea")
    path = life.home.path / "pending" / "memory" / "aa.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "created_at": 12.5}))
    found = ledger(life)
    assert len(found.weeks) == 0
    assert any("1 write of reviews with a time that cannot be" in words for words in found.missing)


@pytest.mark.parametrize("day", [date(2023, 12, 31), date(2024, 1, 1), date(2024, 3, 31)])
def test_a_week_begins_on_monday_of_local_time_also_around_new_year_and_when_clocks_change(day: date) -> None:
    """A write of Sunday night would be in the next week."""
    at = time.mktime((day.year, day.month, day.day, 23, 30, 0, 0, 0, -1))
    assert 0 <= (day - monday(at)).days <= 6
    assert monday(at).weekday() == 0


def test_the_command_shows_the_weeks_and_what_is_behind_them(life: Life, run: Run) -> None:
    """One would have to add it up by hand, or could not see which writes a number counts."""
    life.session("a")
    stage(life, "aa", "waits \x1b[31mred")
    life.save()
    shown = run("history", "reviews", "--json", "--all").json
    week = shown["weeks"][-1]
    assert (week["memory"]["staged"], week["writes"][0]["pending_id"]) == (1, "aa")
    assert {"known_since", "sources", "not_known", "more"} <= set(shown)
    assert "writes" not in run("history", "reviews", "--json").json["weeks"][-1]
    plain = run("history", "reviews", "--all", "--weeks", "1")
    assert "add in MEMORY.md · aa" in plain.out
    assert "\x1b" not in plain.out
    assert "leaves no record" in plain.err
