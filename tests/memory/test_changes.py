"""Changes as hunks: forward, back, and on top of what others did since."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.memory.changes import DoesNotFit, apply_exactly, apply_loosely, hunks_between, reversed_hunks

lists = st.lists(st.sampled_from("abcdefgh"), max_size=8)
distinct = st.lists(st.sampled_from("abcdefgh"), max_size=8, unique=True)


@given(lists, lists)
def test_a_change_leads_forward_and_back(before: list[str], after: list[str]) -> None:
    """Undo would not bring back the exact file."""
    hunks = hunks_between(before, after)
    assert apply_exactly(before, hunks) == after
    assert apply_exactly(after, reversed_hunks(hunks)) == before


def test_entries_that_are_there_a_hundred_times_each_are_compared_at_once() -> None:
    """A file that somebody has filled with the same few lines would hold its lock for minutes."""
    before = [str(number % 5) for number in range(1_500)]
    began = time.process_time()
    hunks = hunks_between(before, before[::-1])
    assert time.process_time() - began < 0.5
    assert apply_exactly(before, hunks) == before[::-1]


@given(distinct, distinct)
def test_taking_back_loosely_equals_taking_back_exactly_when_nothing_else_changed(
    before: list[str], after: list[str]
) -> None:
    """Undo after an outside change and its own undo would leave a different order."""
    back = reversed_hunks(hunks_between(before, after))
    assert sorted(apply_loosely(after, back)) == sorted(before)


def test_a_removed_entry_goes_back_behind_its_old_neighbour() -> None:
    """Undo would put the entry somewhere else, or drop what the agent added meanwhile."""
    back = reversed_hunks(hunks_between(["a", "b", "c"], ["a", "c"]))
    assert apply_loosely(["z", "a", "c", "new"], back) == ["z", "a", "b", "c", "new"]


def test_a_moved_entry_is_not_lost_when_its_move_is_taken_back_later() -> None:
    """Undoing a reorder would delete the entry."""
    back = reversed_hunks(hunks_between(["a", "b", "c"], ["c", "a", "b"]))
    assert sorted(apply_loosely(["x", "c", "a", "b"], back)) == ["a", "b", "c", "x"]


def test_what_was_changed_again_since_does_not_fit() -> None:
    """Undo would overwrite what somebody else wrote."""
    back = reversed_hunks(hunks_between(["old"], ["mine"]))
    with pytest.raises(DoesNotFit) as caught:
        apply_loosely(["theirs"], back)
    assert (caught.value.wanted, caught.value.missing) == ("old", "mine")


def test_an_entry_that_is_there_again_is_not_put_back_twice() -> None:
    """Undo would make a duplicate."""
    back = reversed_hunks(hunks_between(["a", "b"], ["a"]))
    assert apply_loosely(["b", "a"], back) == ["b", "a"]


def test_a_second_place_remembers_its_own_neighbour() -> None:
    """Undo on top of later changes would put the entry at the top."""
    assert [hunk.after for hunk in hunks_between(list("abXcYz"), list("abxcyz"))] == ["b", "c"]


def test_what_does_not_fit_says_what_it_would_bring_and_what_is_missing() -> None:
    """A person would have to decide without seeing either."""
    hunks = hunks_between(["a", "b", "x"], ["c", "d", "x"])
    with pytest.raises(DoesNotFit) as exactly:
        apply_exactly(["x"], hunks)
    assert (exactly.value.wanted, exactly.value.missing) == ("c\nd", "a\nb")
    with pytest.raises(DoesNotFit) as loosely:
        apply_loosely(["a", "x"], hunks)
    assert (loosely.value.wanted, loosely.value.missing) == ("d", "b")
    with pytest.raises(DoesNotFit) as removal:
        apply_loosely(["x"], hunks_between(["a", "x"], ["x"]))
    assert (removal.value.wanted, removal.value.missing) == ("", "a")
