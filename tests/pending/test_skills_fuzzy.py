"""Where a patch lands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.pending.skills.fuzzy import NotPatched, Patched, patch_text


@pytest.mark.parametrize(
    ("text", "old", "new", "result"),
    [
        ("a\nfoo bar\nb", "foo", "X", "a\nX bar\nb"),
        ("foo  \nbar\n", "foo\nbar", "X", "X\n"),
        ("zz\n  foo\n    bar\nyy", "foo\n  bar", "X\n  Y\n    Z\nW", "zz\n  X\n    Y\n      Z\n  W\nyy"),
        ("foo\nbar\n", "    foo\n  bar", "    X\n  Y", "X\nY\n"),
        ("\tfoo\n\t\tbar\n", "    foo\n        bar", "    X\n        Y", "\tX\n\t    Y\n"),
        ("a\nfoo\nb\n", "a\r\nfoo", "X", "X\nb\n"),
        ("| a   | b |\n| c  | d |", "| a | b |", "| X | Y |", "| X | Y |\n| c  | d |"),
        ("say “hi” now", 'say "hi" now', 'say "ho" now', "say “ho” now"),
        ("say “hi” now", 'say "hi" now', 'say "hi" "ho" now', 'say “hi” "ho" now'),
        ("a — b – c…", "a -- b - c...", "c -- d", "c — d"),
        ("a\u00a0b", "a b", "X", "X"),
    ],
)
def test_what_the_agent_forgives_is_found(text: str, old: str, new: str, result: str) -> None:
    """A patch that the agent applies would be called dead, or would read differently afterwards."""
    found = patch_text(text, old, new)
    assert isinstance(found, Patched)
    assert found.text == result


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("Foo bar", "foo bar"),
        ("the quick brown fox\nover the lazy dog", "the quick brown fox\nover the lazy cat"),
        ("a\u200bb", "ab"),
        ("x   foo  bar", "foo bar"),
        ("", "foo"),
    ],
)
def test_what_is_merely_alike_is_no_match(text: str, old: str) -> None:
    """A guess would be shown as if it were certain."""
    assert patch_text(text, old, "X") == NotPatched(0)


def test_two_places_are_counted() -> None:
    """One of two places would be picked for the person."""
    assert patch_text("foo\nfoo", "foo", "X") == NotPatched(2)
    assert patch_text("foo  x\nfoo   x", "foo x", "X") == NotPatched(2)
    assert patch_text("“a” “a”", '"a"', "X") == NotPatched(2)


def test_replacing_everywhere_takes_exact_places_only() -> None:
    """A place that is merely alike would be swept along."""
    found = patch_text("foo\nfoo\nfoo  ", "foo", "X", everywhere=True)
    assert found == Patched("X\nX\nX  ", 3, "exact")
    assert patch_text("foo  x\nfoo   x", "foo x", "X", everywhere=True) == NotPatched(0)


LINES = st.lists(st.text(alphabet="ab \t-—“\"'’.…\u00a0\u2009\n", max_size=8), max_size=6)


@given(LINES, st.text(alphabet="ab \t-—“\"'’.…\u00a0\u2009\n", min_size=1, max_size=6), st.text("xy \n", max_size=4))
def test_nothing_but_the_place_changes(lines: list[str], old: str, new: str) -> None:
    """Text around the passage would be lost."""
    if not old.strip():
        return
    text = "\n".join(["HEAD", *lines, "TAIL"])
    found = patch_text(text, old, new)
    if not isinstance(found, Patched):
        return
    assert found.text.startswith("HEAD")
    assert found.text.endswith("TAIL")
    if found.tolerance == "exact":
        before, _, after = text.partition(old)
        assert found.text == before + new + after
