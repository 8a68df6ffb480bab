"""Changes that were taken back, stores that were emptied and filled again: each time is told as it was."""

from __future__ import annotations

from hermes_tui.history.events import Sight
from tests.history.test_replay import HOUR, add, held, now, past, told


def asked_at(at: float, *entries: str, session: str, since: float) -> Sight:
    """A session that was told what was read shortly before."""
    return Sight(at, at, entries, "snapshot", session, False, since, ((at, session),))


def test_what_a_session_was_told_was_there_though_it_was_taken_back() -> None:
    """The timeline would tell that a session was told what never was."""
    found = past(
        asked_at(10 * HOUR, "tea", session="r", since=10 * HOUR - 5),
        asked_at(20 * HOUR, "rum", session="s", since=20 * HOUR - 5),
        asked_at(30 * HOUR, "tea", session="t", since=30 * HOUR - 5),
        now("tea", written=29 * HOUR),
    )
    assert [(change.kind, change.before or change.after) for change in found.changes] == [
        *(("add", "tea"), ("remove", "tea"), ("add", "rum"), ("remove", "rum"), ("add", "tea")),
    ]
    assert held(found, 25 * HOUR) == (("rum",), False)
    assert found.changes[-1].since is not None
    assert found.changes[-1].since < 20 * HOUR < found.changes[-1].until <= 30 * HOUR
    assert not found.stale


def test_several_outside_edits_a_day_are_all_told_once() -> None:
    """An entry would come three times, and go as often."""
    steps = (["a"], ["a", "b"], ["b"], ["b", "c"], ["a"])
    told_so = [
        asked_at((50 + number) * HOUR, *entries, session=str(number), since=(26 + number) * HOUR)
        for number, entries in enumerate(steps)
    ]
    found = past(*told_so, now("a", written=53.5 * HOUR))
    assert [(change.kind, change.before or change.after) for change in found.changes] == [
        *(("add", "a"), ("add", "b"), ("remove", "a"), ("add", "c")),
        *(("remove", "b"), ("remove", "c"), ("add", "a")),
    ]


def test_a_prompt_belongs_where_the_answer_of_a_call_fits() -> None:
    """The call would have found what was gone."""
    found = past(
        told(10 * HOUR, "one apple", session="r"),
        Sight(60 * HOUR, 60 * HOUR + 9, ("X ray",), "snapshot", "s", False, 40 * HOUR, ((60 * HOUR, "s"),)),
        add(60 * HOUR + 3, "Y yankee", "X ray", "Y yankee"),
        told(90 * HOUR, "one apple", session="t"),
        now("one apple", written=80 * HOUR),
    )
    state = held(found, 61 * HOUR)
    assert state is not None
    assert state[0] == ("X ray", "Y yankee")
