"""When a prompt was built, by all that the database says: not before, not after, and most likely."""

from __future__ import annotations

import math
import time
from dataclasses import replace

import pytest

from hermes_tui.history.heads import (
    BEGUN_SECONDS,
    DAY_SECONDS,
    IDLE_SECONDS,
    ZONES_SECONDS,
    Built,
    Head,
    HeadReader,
    Route,
    built,
)
from hermes_tui.history.prompts import Prompt
from tests.history.conftest import Lives
from tests.history.life import DAY, START, Life

HEAD = Head("s", 1, START, math.inf, 100, "", START, START + 500)
PROMPT = Prompt({}, None, "small")
NOW = START + 100 * DAY
ONE = (Route("small", START + 1, START + 400),)


def made(head: Head = HEAD, prompt: Prompt = PROMPT, *, routes: tuple[Route, ...] = ONE, **more: object) -> Built:
    """When it was built."""
    compacted = more.get("compacted")
    return built(head, prompt, compacted, routes, NOW)  # type: ignore[arg-type]


def test_a_prompt_is_built_as_its_session_begins() -> None:
    """What the agent held before its first message may be a day old."""
    assert made() == Built(START - IDLE_SECONDS, START, START)


def test_the_name_of_a_session_tells_when_its_process_began() -> None:
    """A day of doubt shrinks to seconds, where the name can be believed."""
    named = replace(HEAD, session_id=time.strftime("%Y%m%d_%H%M%S", time.localtime(START - 60)) + "_ab12cd")
    assert START - 66 <= made(named).since <= START - 60
    for name in ("20231114_221220", "20231199_999999_ab12cd", "20991114_221220_ab12cd", "20200101_000000_ab12cd"):
        assert made(replace(HEAD, session_id=name)).since == START - IDLE_SECONDS


def test_a_session_without_any_time_may_have_been_told_at_any_time() -> None:
    """1970 would be written into the past."""
    nothing = replace(HEAD, started=0.0, first=0.0)
    assert made(nothing) == Built(0.0, 0.0, math.inf)
    assert made(replace(HEAD, started=0.0)).at == START


def test_messages_that_were_written_anew_leave_room_between_beginning_and_first_message() -> None:
    """Either may be the moment."""
    later = replace(HEAD, first=START + BEGUN_SECONDS + 60)
    assert made(later) == Built(START - IDLE_SECONDS, START, START + BEGUN_SECONDS + 60)


def test_a_compaction_in_place_builds_it_between_what_was_put_away_and_what_follows() -> None:
    """What came in the first half would have been there from its beginning."""
    found = made(compacted=(START + 100, START + 200))
    assert (found.at, found.until) == (START + 200, START + 200)
    ended = replace(HEAD, ended=START + 900)
    assert made(ended, compacted=(START + 600, math.inf)).until == START + 900
    assert made(compacted=(START + 600, math.inf)).until == NOW


def test_another_model_builds_it_anew_when_it_first_answered() -> None:
    """The prompt names the model that it was built for."""
    routes = (Route("small", START, START + 100), Route("large", START + 200, START + 400))
    found = made(prompt=Prompt({}, None, "large"), routes=routes)
    assert (found.at, found.until) == (START + 200, START + 200)
    back = made(prompt=Prompt({}, None, "small"), routes=routes)
    assert (back.at, back.until) == (START, START + 500)  # nobody knows: up to its last message


def test_without_accounts_of_models_it_may_have_been_built_anew_at_any_time_until_its_end() -> None:
    """A guess would be shown as a fact."""
    assert made(routes=()) == Built(START - IDLE_SECONDS, START, START + 500)
    unasked = replace(HEAD, last=math.inf)
    assert made(unasked, routes=()).until == NOW
    assert made(replace(unasked, ended=START + 900), routes=()).until == START + 900


def test_a_session_that_goes_on_from_another_may_have_its_prompt() -> None:
    """A branch copies it, from long before its own beginning."""
    forked = replace(HEAD, forked=START - 9 * DAY, child=True)
    found = made(forked, routes=(Route("small", START + 50, START + 400),))
    assert found.since == START - 9 * DAY - IDLE_SECONDS
    assert found.until == START + 50


def test_the_day_in_the_prompt_narrows_it_down_wherever_the_agent_lives() -> None:
    """The day of somebody in Auckland is not ours."""
    midnight = START - START % DAY_SECONDS
    assert made(prompt=Prompt({}, midnight, "small")) == made()
    next_week = midnight + 7 * DAY_SECONDS
    late = replace(HEAD, last=START + 20 * DAY)
    found = made(late, Prompt({}, next_week, "small"))
    assert found.at == next_week - ZONES_SECONDS
    assert found.until == next_week + DAY_SECONDS + ZONES_SECONDS
    before = made(late, Prompt({}, midnight, "small"), routes=())
    assert before.until == midnight + DAY_SECONDS + ZONES_SECONDS


@pytest.mark.parametrize("built_on", [None, 0.0, START, START + 400 * DAY])
@pytest.mark.parametrize("compacted", [None, (START + 100, START + 200), (START + 100, math.inf)])
@pytest.mark.parametrize("routes", [(), ONE, (Route("large", START, START), Route("small", START + 9, START + 10))])
@pytest.mark.parametrize("head", [HEAD, replace(HEAD, started=0.0), replace(HEAD, forked=START - DAY, child=True),
                                  replace(HEAD, last=math.inf), replace(HEAD, ended=START + 5)])  # fmt: skip
def test_whatever_is_known_the_three_times_are_in_order(
    head: Head, routes: tuple[Route, ...], compacted: tuple[float, float] | None, built_on: float | None
) -> None:
    """The replay would go backwards."""
    found = made(head, Prompt({}, built_on, "small"), routes=routes, compacted=compacted)
    assert found.since <= found.at <= found.until


def test_heads_are_read_with_what_there_is(life: Life) -> None:
    """A branch, its parent and a hash, as both lines store them."""
    life.session("a", end_reason="branched")
    life.session("b", parent_session_id="a")
    life.session("c", parent_session_id="a", told=False)
    with life.base() as base:
        reader = HeadReader(base)
        first, second, third = reader.between(1, reader.highest())
        assert reader.named(["b", "nobody"]) == [second]
    assert (first.started, first.first, first.last, first.ended) == (START, START, START + 1, START + 100)
    assert (first.child, first.forked) == (False, math.inf)
    assert (second.child, second.forked) == (True, START)
    assert (bool(first.key), bool(first.size)) == ((True, False) if life.shape == "0.22" else (False, True))
    assert (third.key, third.size) == ("", 0)


def test_without_an_index_messages_are_not_asked_for_one_by_one(live: Lives) -> None:
    """A database with a million messages would take hours."""
    life = live("0.19")
    life.session("a")
    life.world.run("DROP INDEX idx_messages_session")
    with life.base() as base:
        [head] = HeadReader(base).between(1, 1)
    assert (head.first, head.last) == (0.0, math.inf)


def test_a_rotated_compaction_is_no_fork(life: Life) -> None:
    """Its prompt is built anew, from what there is then."""
    life.session("a", end_reason="compression")
    life.session("b", parent_session_id="a")
    with life.base() as base:
        [head] = HeadReader(base).named(["b"])
    assert head.forked == math.inf
