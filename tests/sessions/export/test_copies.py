"""What a compaction took along is written once."""

from __future__ import annotations

from hermes_tui.sessions.export.copies import taken_along

SUMMARY = 1_000


def dropped(*generations: str, together: bool = False) -> list[str]:
    """The letters that are left out; each generation is of its own group, and `*` is a summary."""
    letters = "".join(generations)
    groups = [number for number, letters in enumerate(generations) for _ in letters]
    keys = [ord(letter) for letter in letters]
    summaries = [place for place, letter in enumerate(letters) if letter == "*"]
    return [letters[place] for place in sorted(taken_along(keys, [0] * len(keys) if together else groups, summaries))]


def test_the_first_and_the_last_messages_come_again_around_a_summary() -> None:
    """Everything would be read twice after each compaction."""
    assert dropped("abcdef", "ab*efg") == list("abef")
    assert dropped("abcdef", "*efg") == list("ef")
    assert dropped("abcdef", "ab*g") == list("ab")
    assert dropped("abcdef", "ab*efghi", "ab*higj") == list("abefabhi")
    assert dropped("abcdef", "ab*efghi", "ab*hi", "j") == list("abefabhi")


def test_in_one_session_it_is_the_same() -> None:
    """Agents that compact in place write all of it into one session."""
    assert dropped("abcdef", "ab*efg", together=True) == list("abef")


def test_what_is_said_again_is_not_lost() -> None:
    """A person who says yes twice would be quoted once."""
    assert dropped("aba", "bab") == []
    assert dropped("abcdef", "*gfe") == []
    assert dropped("abcf", "*ff") == ["f"]
    assert dropped("abca", "*b") == []
    assert dropped("*abc") == []
    assert dropped("abc*") == []
    assert dropped("**") == []
    assert dropped() == []
