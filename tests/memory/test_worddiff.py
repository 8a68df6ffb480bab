"""Word diffs and three-way merges: nothing lost, nothing made up, and never slow."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_tui.memory.worddiff import Piece, three_way_merge, word_diff

WORDY = st.lists(st.sampled_from(["uses", "npm", "tea", " ", "  ", "\n", "§", ".", "日本", "語", "e\u0301", "[/x]"]))
TEXT = st.one_of(st.text(max_size=60), WORDY.map("".join))


def spell(pieces: tuple[Piece, ...], kind: str) -> str:
    return "".join(piece.text for piece in pieces if piece.kind in ("same", kind))


@given(TEXT, TEXT)
def test_a_diff_spells_both_texts(before: str, after: str) -> None:
    """A word missing from the diff would be approved without having been seen."""
    pieces = word_diff(before, after)
    assert spell(pieces, "del") == before
    assert spell(pieces, "ins") == after
    assert all(piece.text for piece in pieces)


def test_one_changed_word_is_one_pair() -> None:
    """The eye should land on the word, not on letters or on half the sentence."""
    assert word_diff("The project uses npm, daily.", "The project uses pnpm, daily.") == (
        Piece("same", "The project uses "),
        Piece("del", "npm"),
        Piece("ins", "pnpm"),
        Piece("same", ", daily."),
    )


def test_neighbouring_changed_words_read_as_one_change() -> None:
    """Old and new words shuffled together cannot be read."""
    assert word_diff("likes green tea much", "likes black coffee much") == (
        Piece("same", "likes "),
        Piece("del", "green tea"),
        Piece("ins", "black coffee"),
        Piece("same", " much"),
    )


def test_text_without_spaces_is_compared_by_character() -> None:
    """A Japanese entry would otherwise always be shown as wholly replaced."""
    assert word_diff("東京に住む", "京都に住む")[-1] == Piece("same", "に住む")


@pytest.mark.parametrize("whole", ["👩🏽‍💻", "🏴‍☠️", "e\u0301", "நி", "ก็"])
def test_a_diff_never_cuts_inside_one_visible_character(whole: str) -> None:
    """Half an emoji or a lone accent would be drawn on the wrong side of the diff."""
    assert Piece("ins", whole) in word_diff("a b", f"a {whole} b") or Piece("ins", f"{whole} ") in word_diff(
        "a b", f"a {whole} b"
    )


@given(TEXT)
def test_equal_texts_have_no_changes(text: str) -> None:
    assert all(piece.kind == "same" for piece in word_diff(text, text))
    assert three_way_merge(text, text, text) == text


@given(TEXT, TEXT)
def test_a_change_on_one_side_only_is_the_merge(base: str, changed: str) -> None:
    """When only one of the two wrote something, that is what is proposed."""
    assert three_way_merge(base, changed, base) == changed
    assert three_way_merge(base, base, changed) == changed
    assert three_way_merge(base, changed, changed) == changed


@given(st.lists(st.sampled_from(["tea", "npm", "uses", "日本"]), min_size=3, max_size=30), st.data())
def test_changes_of_different_words_are_both_kept(words: list[str], data: st.DataObject) -> None:
    """The agent fixed one word while the person fixed another: the proposal holds both."""
    first = data.draw(st.integers(0, len(words) - 2))
    second = data.draw(st.integers(first + 1, len(words) - 1))
    mine = [*words[:first], "MINE", *words[first + 1 :]]
    theirs = [*words[:second], "THEIRS", *words[second + 1 :]]
    both = [*mine[:second], "THEIRS", *mine[second + 1 :]]
    assert three_way_merge(" ".join(words), " ".join(mine), " ".join(theirs)) == " ".join(both)


@given(TEXT, TEXT, TEXT)
def test_the_merge_does_not_depend_on_who_is_who(base: str, mine: str, theirs: str) -> None:
    assert three_way_merge(base, mine, theirs) == three_way_merge(base, theirs, mine)


@pytest.mark.parametrize(
    ("base", "mine", "theirs"),
    [
        ("uses npm", "uses pnpm", "uses yarn"),
        ("uses npm", "uses npm 9", "uses npm 10"),
        ("uses npm daily", "", "uses pnpm daily"),
        ("", "one", "two"),
    ],
)
def test_changes_of_the_same_words_have_no_merge(base: str, mine: str, theirs: str) -> None:
    """A guess would put words into the memory that nobody wrote."""
    assert three_way_merge(base, mine, theirs) is None


def _texts() -> dict[str, tuple[str, str, str]]:
    rng = random.Random(7)
    vocabulary = [f"w{number}" for number in range(3000)]
    words = [rng.choice(vocabulary) for _ in range(20_000)]
    every_second = [f"x{number}" if number % 2 else word for number, word in enumerate(words)]
    shuffled = rng.sample(words, len(words))
    lines = [" ".join(words[start : start + 10]) for start in range(0, len(words), 10)]
    return {
        "one line, every second word": (" ".join(words), " ".join(every_second), " ".join(shuffled)),
        "one repeated word": ("a " * 50_000, "b " + "a " * 49_990 + "b", "a b " * 25_000),
        "one repeated line": (
            "same line\n" * 10_000,
            "x\n" + "same line\n" * 9_000 + "y",
            "same line\n\n" * 9_000,
        ),
        "many lines, some changed": (
            "\n".join(lines),
            "\n".join(line + " mine" if number % 7 == 0 else line for number, line in enumerate(lines)),
            "\n".join(line + " theirs" if number % 7 == 3 else line for number, line in enumerate(lines)),
        ),
        "no word at all": ("." * 100_000, "!" * 100_000, ".!" * 50_000),
        "marks upon marks": ("e" + "\u0301" * 100_000, "e" + "\u0300" * 100_000, "\u200d" * 100_000),
    }


@pytest.mark.parametrize("name", list(_texts()))
def test_hundred_thousand_characters_take_no_noticeable_time(name: str) -> None:
    """A dialog that opens on a huge entry must not freeze."""
    base, mine, theirs = _texts()[name]
    started = time.process_time()
    pieces = word_diff(base, mine)
    three_way_merge(base, mine, theirs)
    assert time.process_time() - started < 5
    assert spell(pieces, "del") == base
    assert spell(pieces, "ins") == mine


def test_a_long_text_falls_back_to_lines_and_still_finds_the_words() -> None:
    """Of ten thousand lines with some changed, only the words that came are marked."""
    base, mine, theirs = _texts()["many lines, some changed"]
    assert {piece.text.strip() for piece in word_diff(base, mine) if piece.kind != "same"} == {"mine"}
    merged = three_way_merge(base, mine, theirs)
    assert merged is not None
    assert (merged.count("mine"), merged.count("theirs")) == (mine.count("mine"), theirs.count("theirs"))


@settings(max_examples=30)
@given(st.text(alphabet="ab \n", max_size=400), st.text(alphabet="ab \n", max_size=400))
def test_small_alphabets_are_spelled_back_too(before: str, after: str) -> None:
    """Much repetition is where a diff goes wrong."""
    pieces = word_diff(before, after)
    assert (spell(pieces, "del"), spell(pieces, "ins")) == (before, after)
