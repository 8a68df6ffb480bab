"""Entries as the agent parses, joins and counts them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.memory.entries import Usage, count, join, parse, survives_reload, usage_of
from hermes_tui.memory.matching import closest

texts = st.text(alphabet=st.sampled_from("ab§ \n\r\tж界🙂"), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("", []),
        (" \n ", []),
        ("a", ["a"]),
        ("a\n§\nb", ["a", "b"]),
        ("a\r\n§\r\nb", ["a", "b"]),
        ("a\n\n§\n\nb", ["a", "b"]),
        ("a\n§\n\n§\nb", ["a", "b"]),
        ("a \n§\n b\n", ["a", "b"]),
        ("a §\n§ b", ["a §\n§ b"]),
        ("a\n§\n§\nb", ["a", "§\nb"]),
        ("a\n§ \nb", ["a\n§ \nb"]),
        ("a\n§\na", ["a", "a"]),
    ],
)
def test_a_file_is_cut_where_the_agent_cuts_it(text: str, entries: list[str]) -> None:
    """Cards would differ from what the agent remembers."""
    assert parse(text) == entries


@given(st.lists(texts))
def test_entries_that_survive_a_reload_come_back_and_count_as_their_text(entries: list[str]) -> None:
    """A saved entry would come back as two, or the bar would differ from the agent's."""
    clean = [entry.strip() for entry in entries if entry.strip()]
    assert count(clean) == len(join(clean))
    if survives_reload(clean):
        assert parse(join(clean)) == parse("\n§\n".join(clean))
        assert len(parse(join(clean))) == len(clean)


@pytest.mark.parametrize("entry", ["a\n§\nb", "a\r§\rb", "a\n§\n§\nb"])
def test_text_with_a_lone_section_sign_line_would_not_come_back_as_one_entry(entry: str) -> None:
    """One entry would silently become two."""
    assert not survives_reload([entry])


def test_an_entry_that_ends_in_a_lone_section_sign_splits_only_with_something_after_it() -> None:
    """The next added entry would tear this one apart."""
    assert survives_reload(["a\n§"])
    assert not survives_reload(["a\n§", "b"])


@pytest.mark.parametrize(
    ("chars", "limit", "label", "level"),
    [
        (1474, 2200, "67% — 1,474/2,200 chars · 723 left", "ok"),
        (15, 2200, "0% — 15/2,200 chars · 2,182 left", "ok"),
        (0, 2200, "0% — 0/2,200 chars · 2,200 left", "ok"),
        (1760, 2200, "80% — 1,760/2,200 chars · 437 left", "hint"),
        (2190, 2200, "99% — 2,190/2,200 chars · 7 left", "alert"),
        (2199, 2200, "99% — 2,199/2,200 chars · 0 left", "alert"),
        (2200, 2200, "100% — 2,200/2,200 chars · 0 left", "alert"),
        (2403, 2200, "109% — 2,403/2,200 chars · over by 203", "over"),
    ],
)
def test_usage_is_said_in_real_numbers(chars: int, limit: int, label: str, level: str) -> None:
    """A full or overfull store would look as if there were room."""
    usage = Usage(chars, limit)
    assert (usage.label, usage.level) == (label, level)


def test_the_agents_words_for_usage_stop_at_a_hundred_percent() -> None:
    """The prompt preview would differ from the real prompt."""
    assert Usage(2403, 2200).agent_label == "100% — 2,403/2,200 chars"
    assert Usage(5, 0).agent_label == "0% — 5/0 chars"


def test_repeats_count_once() -> None:
    """The bar would be fuller than the agent's own count."""
    assert usage_of(["a", "b", "a"], 100).chars == len("a\n§\nb")


def test_an_entry_that_shares_three_words_of_ten_is_named_as_close_and_three_at_most() -> None:
    """What is asked for would be called far from everything, or the answer would list the store."""
    wanted = "one two three four five six seven eight nine ten"
    assert closest(["one two three", "one two"], wanted) == ["one two three"]
    assert closest(["ten", "nine ten one", "one two three", "Four-five six seven", "one two four"], wanted) == [
        "Four-five six seven",
        "nine ten one",
        "one two three",
    ]
    assert closest(["a"], "§ …") == []
