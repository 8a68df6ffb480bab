"""Characters an editor cannot hold are spelled out, and come back exact."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from hermes_tui.text import visible
from hermes_tui.ui.dialogs.notation import (
    spelled_out,
    spoken,
    spoken_offset,
    written,
    written_offsets,
)
from tests.every import every
from tests.nasty import NASTY

ODD = st.text(alphabet="⟨U+20A8E⟩D \n\t\u200d\x1b\ud800\x85\u2028\u0301aé日👩")
TEXT = st.one_of(st.text(), ODD)


@given(TEXT)
@example("⟨U+001B⟩")
@example("⟨U+27E8⟩U+001B⟩")
def test_what_was_not_touched_comes_back_exact(text: str) -> None:
    """Opening and saving an entry must not change a single character of it."""
    assert spoken(written(text)) == text


@given(TEXT)
def test_what_is_written_can_stand_in_an_editor(text: str) -> None:
    """No control character, no line separator the editor would cut at, nothing unseen."""
    shown = written(text)
    assert visible(shown, tab_size=1) == shown.replace("\t", " ")
    assert shown.splitlines() == ([] if not shown else shown.removesuffix("\n").split("\n"))


@given(TEXT)
def test_offsets_lead_from_the_text_to_its_notation_and_back(text: str) -> None:
    """A finding must be underlined where it stands."""
    shown = written(text)
    offsets = written_offsets(shown)
    if offsets is None:
        assert spelled_out(shown) == 0
        return
    assert len(offsets) == len(text) + 1
    assert [spoken_offset(shown, place) for place in offsets] == list(range(len(text) + 1))


def test_plain_text_is_left_alone() -> None:
    """Most entries need none of this."""
    text = "Plain text, 日本語, e\u0301, tab\there.\nNext line."
    assert written(text) is text
    assert written_offsets(text) is None


@every("text", NASTY)
def test_the_nasty_texts_survive(text: str) -> None:
    assert spoken(written(text)) == text


def test_hidden_characters_are_named() -> None:
    assert written("a\u200db\x1b") == "a⟨U+200D⟩b⟨U+001B⟩"
    assert spelled_out("a⟨U+200D⟩b⟨U+001B⟩") == 2


def test_a_number_beyond_unicode_is_just_text() -> None:
    """Typing ⟨U+FFFFFF⟩ must not crash the editor."""
    assert spoken("⟨U+FFFFFF⟩") == "⟨U+FFFFFF⟩"
    assert spelled_out("⟨U+FFFFFF⟩") == 0
