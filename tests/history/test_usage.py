"""How full a store was, and when it will be full: said only when a trend supports it."""

from __future__ import annotations

import pytest

from hermes_tui.history.changes import State
from hermes_tui.history.usage import curve, full_in_days
from tests.history.life import DAY

NOW = 2_000 * DAY

Points = list[tuple[float, int]]


def days_ago(*points: tuple[float, int]) -> Points:
    """So many days ago there were so many characters."""
    return [(NOW - ago * DAY, chars) for ago, chars in points]


STEADY = days_ago(*((50 - 5 * step, 500 + 100 * step) for step in range(11)))
"""A hundred characters more every five days, up to now: 1,500."""


def test_the_curve_counts_characters_as_the_agent_does() -> None:
    """The chart would be lower than the header says, by the separators."""
    states = [
        State(1, (), True),
        State(2, ("abc",), True),
        State(3, ("abc", "🎉"), True),
        State(4, ("🎉", "abc"), True),
    ]
    assert curve(states) == ((1, 0), (2, 3), (3, 7))
    assert curve([]) == ()


def test_a_steady_trend_leads_to_the_day_when_it_is_full() -> None:
    """700 characters are left at 20 a day."""
    assert full_in_days(STEADY, 2_200, NOW) == pytest.approx(35)


@pytest.mark.parametrize(
    ("points", "limit"),
    [
        ([], 2_200),
        (days_ago((3, 100), (2, 200), (1, 300), (0, 400)), 2_200),  # too few
        ([(at - 400 * DAY, chars) for at, chars in STEADY], 2_200),  # long ago
        (STEADY, 1_500),  # full already
        (STEADY, 1_000),  # more than full
        (STEADY, 0),
        (days_ago(*((50 - 5 * step, 1_500 - 100 * step) for step in range(11))), 2_200),  # it gets less
        (
            days_ago((50, 1_000), (40, 200), (30, 1_200), (20, 100), (10, 1_000), (5, 300), (1, 900)),
            2_200,
        ),  # up and down
        (days_ago(*((50 - 5 * step, 1_000 + step) for step in range(11))), 2_200),  # years away
        (days_ago((5, 100), (5, 200), (5, 300), (5, 400), (5, 500)), 2_200),  # all at once
    ],
)
def test_without_a_trend_nothing_is_said(points: Points, limit: int) -> None:
    """A number of days would be made up."""
    assert full_in_days(points, limit, NOW) is None


def test_a_trend_that_has_ended_is_none() -> None:
    """It was filled in five days and rested for fifty: it will not be full in three weeks."""
    points = days_ago((59, 500), (58, 600), (57, 700), (56, 800), (55, 900))
    assert full_in_days(points, 2_200, NOW) is None


def test_a_thinned_out_store_is_not_said_to_be_full_soon_by_what_was_before() -> None:
    """The way up ended with the day on which it was thinned out."""
    points = [*days_ago(*((50 - 5 * step, 500 + 150 * step) for step in range(10))), (NOW - DAY, 300)]
    assert full_in_days(points, 2_200, NOW) is None
