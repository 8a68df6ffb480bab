"""A clock that was set back: what was stored in another order than its times say has no exact time."""

from __future__ import annotations

from hermes_tui.history.clock import straightened
from hermes_tui.history.events import Sight
from hermes_tui.history.told import Told
from tests.history.life import DAY, Life
from tests.history.test_replay import HOUR, add


def test_changes_are_told_in_the_order_in_which_they_were_stored_when_the_clock_was_set_back(life: Life) -> None:
    """An entry would have come from outside, gone, come by a call and gone again."""
    life.session("a")
    life.add("a", "alpha")
    life.wait(DAY)
    life.now -= 4 * DAY
    life.session("b")
    life.add("b", "beta")
    life.wait(DAY)
    life.session("c")
    life.remove("c", "alpha")
    life.wait(10 * DAY)
    at = life.now
    life.session("d")
    timeline = life.timeline()
    changes = timeline.pasts["memory"].changes
    assert [(each.kind, each.before or each.after, each.by, each.session_id) for each in changes] == [
        ("add", "alpha", "tool call", "a"),
        ("add", "beta", "tool call", "b"),
        ("remove", "alpha", "tool call", "c"),
    ]
    assert all(each.since is None and each.until < at + 100 for each in changes)
    assert not any(state.certain for state in timeline.pasts["memory"].states if state.at < at - DAY)
    state = timeline.state("memory", life.now)
    assert state is not None
    assert (state.entries, state.certain) == (("beta",), True)


def test_times_in_the_order_in_which_things_were_stored_stay_exact(life: Life) -> None:
    """Nothing would have a moment any more."""
    life.session("a")
    life.add("a", "alpha")
    life.wait(DAY)
    life.session("b")
    life.add("b", "beta")
    life.now -= 1  # a small step of a clock that is kept right
    life.session("c")
    life.remove("c", "alpha")
    life.wait(DAY)
    assert all(each.since == each.until for each in life.timeline().pasts["memory"].changes)


def test_messages_that_were_written_again_do_not_mean_that_the_clock_was_set_back() -> None:
    """An old session that goes on gets new numbers for its messages, and keeps their times."""
    told = {id: Told(id, row, at, at, at, 0, "", at, -1) for id, row, at in (("a", 1, HOUR), ("b", 2, 9 * HOUR))}
    later = add(9 * HOUR, "beta", "beta", session="b", id=7)
    again = add(HOUR, "alpha", "beta", "alpha", session="a", id=20)
    sight = Sight(9 * HOUR, 9 * HOUR, (), "snapshot", "b")
    assert straightened([later, again], [sight], told) == ([later, again], [sight])
    back = {**told, "a": told["a"]._replace(row=3)}
    calls, sights = straightened([later, again], [sight], back)
    assert [call.written_later for call in calls] == [True, True]
    assert calls[0].at < calls[1].at <= 9 * HOUR
    assert sights == []
