"""Cards: what they say, how they wrap, and that they survive any text."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_tui.config import HermesConfig
from hermes_tui.memory.entries import Usage, join
from hermes_tui.memory.threats import Finding
from hermes_tui.memory.view import EntryView, StoreView, view_bytes
from hermes_tui.text import cells
from hermes_tui.ui.memory.cards import Card, CardId, Freshness, cards_of, matches, rows_of
from hermes_tui.ui.memory.news import News, changes_between, ids_of
from hermes_tui.ui.widgets.usage_bar import fitting_words
from tests.every import every
from tests.nasty import NASTY


def view_of(texts: list[str], limit: int = 2200) -> StoreView:
    """A store with these entries."""
    config = HermesConfig(Path("config.yaml"), memory_char_limit=limit)
    return view_bytes(Path("MEMORY.md"), config, "memory", join(texts).encode("utf-8", "replace"), 1.0)


def card_of(text: str, *findings: Finding, **more: object) -> Card:
    """A card with this text."""
    entry = EntryView(1, text, len(text), more.get("duplicate_of"), findings)  # type: ignore[arg-type]
    view = view_of(["x"])
    replaced = StoreView(
        **{name: getattr(view, name) for name in StoreView._fields if name != "entries"},
        entries=(entry,),
    )
    return cards_of(replaced)[0]


def words_of(card: Card, width: int = 60, fold: int = 20, *, tight: bool = False) -> str:
    """All that a card says."""
    return "\n".join("".join(piece.text for piece in row) for row in rows_of(card, width, fold, "", tight))


def test_a_card_shows_text_size_and_share() -> None:
    """Nobody could tell which entry takes the room."""
    card = cards_of(view_of(["x" * 312]))[0]
    assert "312 chars · 14%" in words_of(card)


def test_a_blocked_card_names_the_finding_and_where() -> None:
    """The agent hides an entry and nobody knows which character did it."""
    assert "blocked: U+200D at 14" in words_of(card_of("x", Finding("invisible_unicode_U+200D", 13, 14, "\u200d")))
    assert "blocked: ssh_access" in words_of(card_of("x", Finding("ssh_access", 0, 1, "x")))


def test_a_finding_newer_agents_let_pass_says_who_blocks_it() -> None:
    """A person with a newer agent would rewrite an entry that is fine."""
    assert "0.19 agents block: ssh_access" in words_of(card_of("x", Finding("ssh_access", 0, 1, "x", True)))


def test_since_when_it_is_there_is_said_without_by_whom_where_there_is_no_room_for_both() -> None:
    """A card would lose its day only because "restored here" is a long word."""
    card = cards_of(view_of(["a line"]), since={"a line": "since 2026-03-12 · restored here"})[0]
    assert "6 chars · 0% · since 2026-03-12 · restored here" in words_of(card)
    assert words_of(card, 40).endswith("6 chars · 0% · since 2026-03-12")
    assert words_of(card, 20).endswith("6 chars · 0%")


def test_a_duplicate_names_its_original() -> None:
    """Two equal cards and no word on what will happen to them."""
    assert "duplicate of 1" in words_of(cards_of(view_of(["same", "same"]))[1])


def test_an_entry_longer_than_the_limit_says_so() -> None:
    """Every change to the file is refused and nothing shows why."""
    assert "over limit alone" in words_of(cards_of(view_of(["x" * 50], limit=40))[0])


def test_a_markdown_document_without_separators_is_marked_unstructured() -> None:
    """A person edits one heading and replaces the whole file."""
    assert "unstructured" in words_of(cards_of(view_of(["## Profile\n- likes tea\n\n## Work\n- uses vim"]))[0])


def test_the_marked_range_of_a_finding_is_the_text_it_names() -> None:
    """The underline would sit beside the word it is about."""
    text = "\x1b key at ~/.ssh/id here"
    start = text.index("~")
    card = card_of(text, Finding("ssh_access", start, start + 9, text[start : start + 9]))
    marked = [piece.text for row in rows_of(card, 60, 20, "", False) for piece in row if piece.tone == "finding"]
    assert marked == ["~/.ssh/id"]


def test_a_giant_entry_is_folded_and_says_how_much_is_hidden() -> None:
    """One entry of 100,000 characters would fill the screen for pages."""
    card = card_of("word " * 20_000)
    rows = rows_of(card, 50, 12, "", False)
    assert len(rows) == 13
    hidden = int(words_of(card, 50, 12).split("… ")[1].split(" more")[0].replace(",", ""))
    visible_chars = sum(len("".join(piece.text for piece in row)) for row in rows[:11])
    assert 99_000 < hidden < 100_000
    assert abs(100_000 - hidden - visible_chars) <= 12


@pytest.mark.parametrize("width", [4, 17, 60])
@every("name", list(NASTY))
def test_no_row_of_any_text_is_wider_than_the_card(name: str, width: int) -> None:
    """A wide character or an escape would break the frame or reach the terminal."""
    for tight in (False, True):
        for row in rows_of(card_of(NASTY[name]), width, 6, "a", tight):
            text = "".join(piece.text for piece in row)
            assert cells(text) <= width
            assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or 0xD800 <= ord(char) < 0xE000 for char in text)


def test_a_filter_finds_every_word_in_any_case_and_takes_brackets_literally() -> None:
    """Typing `[x` in the filter would raise an error about a pattern."""
    card = card_of("Uses VIM and [x] marks")
    assert matches(card, "vim uses")
    assert matches(card, "[x")
    assert not matches(card, "emacs")


def test_a_filter_marks_what_it_found() -> None:
    """Why an entry is in the result would have to be guessed."""
    marked = [
        piece.text
        for row in rows_of(card_of("Uses vim, Vim and [v"), 60, 20, "vim [v", False)
        for piece in row
        if piece.tone == "match"
    ]
    assert marked == ["vim", "Vim", "[v"]


def test_a_changed_entry_is_paired_with_what_it_was() -> None:
    """An edit by the agent would show as one entry gone and another one new."""
    before = ids_of(view_of(["uses npm for builds", "likes tea"]))
    after = ids_of(view_of(["likes tea", "uses pnpm for builds", "new thing"]))
    changes = changes_between(before, after)
    assert changes.renamed == {CardId("uses npm for builds", 0): CardId("uses pnpm for builds", 0)}
    assert changes.added == [CardId("new thing", 0)]
    assert changes.removed == []


def test_entries_of_the_same_text_are_told_apart_by_their_places() -> None:
    """The cursor would jump to the other one when one of them is edited, and the next key would hit that."""
    twins = ids_of(view_of(["twin", "a", "twin", "b"]))
    first, second = CardId("twin", 0), CardId("twin", 1)
    edited = CardId("twin!", 0)
    assert changes_between(twins, ids_of(view_of(["twin!", "a", "twin", "b"]))).followed == {
        first: edited,
        second: first,
    }
    assert changes_between(twins, ids_of(view_of(["twin", "a", "twin!", "b"]))).followed == {second: edited}
    undone = changes_between(ids_of(view_of(["twin!", "a", "twin", "b"])), twins)
    assert undone.followed == {edited: first, first: second}
    assert changes_between(twins, ids_of(view_of(["a", "twin", "twin", "b"]))).followed == {}
    beside = ids_of(view_of(["twin", "twin", "c"]))
    assert changes_between(beside, ids_of(view_of(["twin!", "twin", "c"]))).followed == {first: edited, second: first}
    left = ids_of(view_of(["twin", "c"]))
    assert changes_between(beside, left, about={1}).followed == {first: None, second: first}
    assert changes_between(beside, left, about={2}).followed == {second: None}


def test_news_say_what_kind_and_how_long_ago_and_fade() -> None:
    """A card changes under one's eyes and nothing says so, or says so for ever."""
    now = 100.0
    news = News(lambda: now)
    news.note(view_of(["a b c d", "z"]), view_of(["a b c e", "z", "fresh"]), ours=False)
    now = 112.0
    assert news.fresh() == {
        CardId("a b c e", 0): Freshness("changed 12s", "a b c d"),
        CardId("fresh", 0): Freshness("new 12s", None),
    }
    now = 5000.0
    assert news.fresh() == {}


def test_our_own_changes_are_no_news() -> None:
    """What a person has just typed would be announced to them as a change by somebody."""
    news = News(lambda: 0.0)
    news.note(view_of(["a"]), view_of(["b", "c"]), ours=True)
    assert news.fresh() == {}


def test_a_changed_card_shows_what_it_was() -> None:
    """The change has happened and what was there before cannot be seen any more."""
    view = view_of(["uses pnpm"])
    fresh = {CardId("uses pnpm", 0): Freshness("changed 3s", "uses npm")}
    words = words_of(cards_of(view, fresh)[0])
    assert "changed 3s" in words
    assert "was: uses npm" in words


@pytest.mark.parametrize(
    ("width", "words"),
    [
        (80, "92% — 2,027/2,200 chars · 170 left · consolidate soon"),
        (46, "92% — 2,027/2,200 chars · 170 left"),
        (24, "2,027/2,200 · 170 left"),
        (16, "92% · 170 left"),
        (4, "92%"),
    ],
)
def test_usage_words_are_left_out_whole_when_room_is_short(width: int, words: str) -> None:
    """Half a word would stand at the edge of a narrow pane."""
    assert fitting_words(Usage(2027, 2200), width) == words
