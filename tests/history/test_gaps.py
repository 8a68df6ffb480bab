"""Prompts that leave it open what a store held: what is shown then is not certain, and they are told of."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from hermes_tui.cli.main import cli
from hermes_tui.history.finished import parts_of, pasts_from
from hermes_tui.history.gaps import Gap, gap_words
from hermes_tui.history.history import Timeline
from hermes_tui.memory.entries import STORES
from hermes_tui.memory.prompt import render_block
from tests.history.life import DAY, LIMITS, Life, prompt_of
from tests.history.test_replay import HOUR, held, now, past, told


def begun(life: Life, *, user: bool) -> float:
    """An entry is added, and a session begins on it; when."""
    if user:
        life.stores["user"] = ["Called Ann"]
    life.session("a")
    life.add("a", "alpha")
    life.wait(2 * DAY)
    life.session("b")
    life.wait(2 * DAY)
    return life.now


def certain(timeline: Timeline, when: float) -> bool:
    """Whether it is certain what was there."""
    state = timeline.state("memory", when)
    assert state is not None
    return state.certain


@pytest.mark.parametrize("user", [False, True])
def test_a_store_that_was_emptied_and_filled_again_is_not_certain_in_between(life: Life, user: bool) -> None:
    """A store would be said to have held for sure what somebody had taken out of it."""
    begun(life, user=user)
    life.stores["memory"] = []
    at = life.now
    life.session("c")
    life.wait(2 * DAY)
    life.stores["memory"] = ["alpha"]
    life.session("d")
    timeline = life.timeline()
    assert certain(timeline, at - 3.5 * DAY)
    assert not certain(timeline, at + 50)
    assert not certain(timeline, at + 1 * DAY)
    assert certain(timeline, life.now)
    [gap] = timeline.pasts["memory"].gaps
    assert (gap.sessions, gap.silent, gap.first) == (1, True, at)
    assert timeline.pasts["user"].gaps == ()
    assert timeline.sessions == (4 if user else 2)


@pytest.mark.parametrize("source", ["cron", "subagent"])
def test_runs_that_get_no_memory_leave_nothing_open(life: Life, source: str) -> None:
    """Every night's run would put a week in doubt."""
    begun(life, user=False)
    life.session("c", told=False, source=source)
    life.tell("c", "You are an agent.")
    at = life.now
    life.wait(2 * DAY)
    life.session("d")
    timeline = life.timeline()
    assert certain(timeline, at)
    assert timeline.pasts["memory"].gaps == ()


def test_a_session_without_a_prompt_leaves_nothing_open(life: Life) -> None:
    """It was told nothing yet."""
    begun(life, user=False)
    life.session("c", told=False)
    at = life.now
    life.wait(2 * DAY)
    life.session("d")
    assert certain(life.timeline(), at)


def test_the_file_itself_is_believed_before_a_prompt_that_does_not_speak_of_it() -> None:
    """Memory that is switched off for some sessions would put all of it in doubt."""
    silent = told(5 * HOUR, doubtful=True, session="t")
    found = past(told(HOUR, "tea"), silent, now("tea", written=2 * HOUR))
    assert held(found, 6 * HOUR) == (("tea",), True)
    assert found.gaps == ()
    later = past(told(HOUR, "tea"), silent, now("tea", written=9 * HOUR))
    assert held(later, 6 * HOUR) == (("tea",), False)
    assert later.gaps == (Gap(5 * HOUR, 5 * HOUR, 1, True),)


def test_a_block_that_may_be_forged_is_left_out_and_that_is_said(life: Life) -> None:
    """All changes of a store would be missing without a word."""
    begun(life, user=True)
    for id in ("c", "d"):
        life.stores["memory"].append(f"by hand {id}")
        life.session(id, told=False)
        life.tell(id, prompt_of(life.stores, tail=render_block("memory", [f"forged {id}"], LIMITS["memory"])))
        life.wait(2 * DAY)
    life.save()
    timeline = life.timeline()
    gaps = timeline.pasts["memory"].gaps
    assert [(gap.sessions, gap.silent) for gap in gaps] == [(1, False), (1, False)]
    assert not any("forged" in change.after for change in timeline.changes())
    answer = CliRunner().invoke(cli, ["history", "log", "--json"])
    shape = json.loads(answer.output)
    assert (answer.exit_code, shape["complete"]) == (0, False)
    assert any("prompts of 2 sessions" in words for words in shape["missing"])


def test_gaps_are_kept_with_the_past(life: Life) -> None:
    """What is shown first at the next start would be without them."""
    begun(life, user=False)
    life.stores["memory"] = []
    life.session("c")
    timeline = life.timeline()
    parts = {name: json.dumps(part).encode() for name, part in parts_of(timeline.pasts).items()}
    again = pasts_from(parts)
    assert again is not None
    for store in STORES:
        assert again[store].gaps == timeline.pasts[store].gaps
    assert again["memory"].gaps


def test_what_is_missing_is_said_in_a_sentence_for_each_kind() -> None:
    """A hundred sessions would be a hundred sentences."""
    gaps = (Gap(0.0, 9 * DAY, 3, True), Gap(DAY, DAY, 1, False), Gap(20 * DAY, 20 * DAY, 1, True))
    doubtful, silent = gap_words("USER.md", gaps)
    assert "the prompt of 1 session (1970-01-02) has a block" in doubtful
    assert "the prompts of 4 sessions (1970-01-01 to 1970-01-21) do not speak of it" in silent
    assert gap_words("USER.md", ()) == []
