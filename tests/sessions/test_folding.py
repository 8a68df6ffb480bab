"""Folding a text as the index of words folds it."""

from __future__ import annotations

from unicodedata import category, ucd_3_2_0

import apsw
import pytest

from hermes_tui.sessions.folding import _APOSTROPHES, _Folding, fold, words

OLD = ucd_3_2_0
"""Characters as Unicode had them in 2002: the index of words knows all of these."""


def indexed(texts: dict[int, str]) -> dict[int, list[str]]:
    """The words of each text, as an index of words has them."""
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE said USING fts5(text)")
    connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(said, 'instance')")
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO said(rowid, text) VALUES (?, ?)", texts.items())
    found: dict[int, list[str]] = {}
    for number, term in connection.execute("SELECT doc, term FROM terms ORDER BY doc, offset"):
        found.setdefault(number, []).append(term)
    return found


def test_letters_are_folded_as_the_index_folds_them() -> None:
    """A Russian word with й, or a Greek one with an accent, would be looked for as another word and never be found."""
    known = (code for code in range(0x80, 0x2000) if "Cn" != OLD.category(chr(code)) == category(chr(code)))
    letters = {code: f"a{chr(code)}z" for code in known}
    there = indexed(letters)
    assert {text: words(text) for text in letters.values()} == {letters[code]: found for code, found in there.items()}


@pytest.mark.parametrize("word", ["мой", "ёлка", "ещё", "καλημέρα", "λόγος", "Việt", "Nội", "Zürich", "İstanbul"])
def test_a_word_is_itself_in_capitals(word: str) -> None:
    """Typing in capitals finds what was written without them."""
    assert words(word.upper()) == words(word)
    assert fold(fold(word)) == fold(word)


@pytest.mark.parametrize(("letter", "folded"), [*zip("ÉÜçñ", "eucn", strict=True), *zip("ЙёỘß’", "йёộß'", strict=True)])
def test_one_accent_is_taken_off_latin_letters_alone(letter: str, folded: str) -> None:
    """Each is worked out once and kept: what it is at first counts."""
    assert _Folding(_APOSTROPHES)[ord(letter)] == folded
