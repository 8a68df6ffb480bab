"""Foreign text is shown whole, in its own cells, and never acts on the terminal."""

from __future__ import annotations

import itertools
import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from hermes_tui.text import (
    MAX_MARKS,
    _wrap_ascii,
    _wrap_line,
    ago,
    cells,
    clip,
    fit,
    one_line,
    plural,
    visible,
    visible_map,
    wrap_cells,
    wrap_spans,
)
from tests.every import every
from tests.nasty import NASTY, raw_control_bytes

EVERY_NASTY = every("text", NASTY)
ANY_TEXT = st.text(
    st.one_of(
        st.characters(),
        st.characters(categories=["Cs", "Cc", "Cf", "Mn", "Mc", "Zl", "Zp"]),
        st.sampled_from(" \t\n\r\x1b漢é🎉🇩❤\ufe0f\u0301\u200d\u1161"),
    ),
    max_size=80,
)


class TestVisible:
    @EVERY_NASTY
    def test_nothing_of_it_reaches_the_terminal(self, text: str) -> None:
        """An entry with escape codes changes the window title or the clipboard, or hides a word."""
        assert raw_control_bytes(visible(text)) == []
        assert raw_control_bytes(visible(text, multiline=False)) == []
        assert "\n" not in visible(text, multiline=False)
        visible(text).encode("utf-8")

    @pytest.mark.parametrize(
        ("raw", "shown"),
        [
            ("\x1b]0;pwned\x07", "␛]0;pwned␇"),
            ("\x1b[2J", "␛[2J"),
            ("\x9b31m", "\\x9b31m"),
            ("a\rb", "a␍b"),
            ("a\x00b\x7f", "a␀b␡"),
            ("user\u202etxt", "user⟨U+202E⟩txt"),
            ("👩\u200d👧", "👩⟨U+200D⟩👧"),
            ("\ufeffx\u200by", "⟨U+FEFF⟩x⟨U+200B⟩y"),
            ("\udcb2", "\\udcb2"),
            ("\ud83d\ude00", "\\ud83d\\ude00"),
            ("a\u2028b\x85c", "a⟨U+2028⟩b\\x85c"),
            ("\U000e0041", "⟨U+E0041⟩"),
            ("\u3164", "⟨U+3164⟩"),
            ("pass\u00adword", "pass⟨U+00AD⟩word"),
            ("\ue0b0\U0010ffff", "⟨U+E0B0⟩⟨U+10FFFF⟩"),
        ],
    )
    def test_each_hidden_character_has_a_symbol(self, raw: str, shown: str) -> None:
        """A person cannot tell what is in an entry the agent blocks."""
        assert visible(raw) == shown

    @pytest.mark.parametrize("name", ["closing tag", "style tag", "tag with value", "indices and stages",
                                      "action link", "variables", "backslashes", "cjk", "arabic", "thai",
                                      "combining", "emoji", "keycaps and selectors", "flags", "hangul jamo",
                                      "decomposed", "tibetan", "tamil and bengali", "hebrew"])  # fmt: skip
    def test_honest_text_is_left_alone(self, name: str) -> None:
        """Brackets disappear, or a language comes out as code points."""
        assert visible(NASTY[name]) is NASTY[name]

    def test_tabs_reach_the_next_stop_in_cells(self) -> None:
        """A table made with tabs loses its columns as soon as a wide character is in it."""
        assert visible("a\tb\n日本\tc\n日\x1b\td") == "a   b\n日本    c\n日␛ d"
        assert visible("a\tb", tab_size=8) == "a       b"

    def test_one_line_form_marks_the_newlines(self) -> None:
        """A two-line title breaks a list row in two."""
        assert visible("a\nb\tc", multiline=False) == "a␊b c"

    def test_piled_up_marks_stay_in_their_row(self) -> None:
        """An entry with hundreds of accents on one letter is drawn over its neighbours."""
        shown = visible("a" + "\u0301" * 100 + "b")
        assert shown == "a" + "\u0301" * MAX_MARKS + "⟨+92 marks⟩b"
        assert visible("a" + "\u0301" * 9) == "a" + "\u0301" * 8 + "⟨+1 mark⟩"
        assert visible("a" + "\u0301" * 8) == "a" + "\u0301" * 8

    def test_a_mark_without_a_base_gets_one(self) -> None:
        """An entry that begins with an accent puts it on the border of the pane."""
        assert visible("\u0301a\n\u0308b") == "◌\u0301a\n◌\u0308b"

    @given(ANY_TEXT)
    def test_showing_twice_changes_nothing(self, text: str) -> None:
        """Text that passes two widgets is escaped twice."""
        once = visible(text)
        assert visible(once) is once
        assert raw_control_bytes(once) == []

    @pytest.mark.parametrize(
        "unit", ["x", "x ", "\x1b", "é", "漢", "\u0301", "a\u0301", "\u202e", "\t", "\n\t", "é\t", "\udc80"]
    )
    def test_a_huge_text_takes_no_noticeable_time(self, unit: str) -> None:
        """A huge tool output freezes the screen."""
        text = unit * (200_000 // len(unit))
        visible(text[:100])
        began = time.thread_time()
        visible(text)
        assert time.thread_time() - began < 2


class TestVisibleMap:
    @EVERY_NASTY
    def test_it_shows_the_same(self, text: str) -> None:
        """A card looks different as soon as a finding is marked in it."""
        shown, offsets = visible_map(text)
        assert shown == visible(text)
        assert len(offsets) == len(text) + 1
        assert offsets[-1] == len(shown)

    @given(ANY_TEXT, st.booleans())
    def test_offsets_lead_to_the_same_character(self, text: str, multiline: bool) -> None:
        """The mark of a finding sits beside the word it is about."""
        shown, offsets = visible_map(text, multiline=multiline)
        assert shown == visible(text, multiline=multiline)
        assert offsets == sorted(offsets)
        for index, char in enumerate(text):
            here = shown[offsets[index] : offsets[index + 1]]
            if visible(f"x{char}", multiline=multiline) == f"x{char}" and here:
                assert char in here or "⟨+" in here

    def test_a_finding_is_marked_where_it_is(self) -> None:
        """The invisible character the agent objects to is pointed at one place off."""
        shown, offsets = visible_map("a\x9bb\u200dc")
        assert shown[offsets[3] : offsets[4]] == "⟨U+200D⟩"


class TestOneLine:
    @pytest.mark.parametrize(
        ("text", "width", "shown"),
        [
            ("short", 10, "short"),
            ("exactly ten", 11, "exactly ten"),
            ("exactly ten", 10, "exactly t…"),
            ("日本語のタイトル", 16, "日本語のタイトル"),
            ("日本語のタイトル", 8, "日本語…"),
            ("日本語のタイトル", 7, "日本語…"),
            ("e\u0301e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301…"),
            ("🇩🇪🇯🇵🇧🇷", 4, "🇩🇪…"),
            ("🇩🇪🇯🇵🇧🇷", 3, "🇩🇪…"),
            ("two\nlines", 20, "two␊lines"),
            ("anything", 1, "…"),
            ("日", 1, "…"),
            ("anything", 0, ""),
        ],
    )
    def test_it_is_cut_by_cells_and_never_inside_a_character(self, text: str, width: int, shown: str) -> None:
        """A Japanese title pushes the columns after it out of place."""
        assert one_line(text, width) == shown

    @pytest.mark.parametrize("width", [1, 2, 9, 40])
    @EVERY_NASTY
    def test_it_fits(self, text: str, width: int) -> None:
        """A row of a list is wider than the list."""
        assert cell_len(one_line(text, width)) <= width
        assert cell_len(fit(text, width)) == width
        assert cell_len(fit(text, width, right=True)) == width

    def test_padding_goes_to_the_asked_side(self) -> None:
        """Numbers are not aligned."""
        assert fit("日", 4) == "日  "
        assert fit("12", 4, right=True) == "  12"

    def test_a_huge_text_costs_no_more_than_its_row(self) -> None:
        """A list with one 5 MB message scrolls with a jerk."""
        began = time.thread_time()
        one_line("漢\x1b" * 2_500_000, 80)
        assert time.thread_time() - began < 0.5


class TestWrap:
    def test_lines_break_at_words(self) -> None:
        """Words are torn apart although they fit on the next line."""
        assert wrap_cells("the quick brown fox", 10) == ["the quick", "brown fox"]
        assert wrap_cells("the quick brown fox", 9) == ["the quick", "brown fox"]
        assert wrap_cells("a  b", 3) == ["a", "b"]

    def test_newlines_and_indents_stay(self) -> None:
        """A list inside an entry is run together."""
        assert wrap_cells("one\n\n  - two\n", 40) == ["one", "", "  - two", ""]
        assert wrap_cells("  - two three", 8) == ["  - two", "three"]

    def test_a_long_word_is_cut(self) -> None:
        """A path longer than the pane is not shown to its end."""
        assert wrap_cells("see /a/very/long/path", 8) == ["see", "/a/very/", "long/pat", "h"]

    def test_wide_text_breaks_between_characters(self) -> None:
        """Chinese text, which has no spaces, leaves most of the pane empty."""
        assert wrap_cells("ok 日本語のタイトル", 9) == ["ok 日本語", "のタイト", "ル"]
        assert wrap_cells("日本語", 3) == ["日", "本", "語"]
        assert wrap_cells("日本語です。", 10) == ["日本語で", "す。"]

    def test_a_mark_on_a_space_is_no_space(self) -> None:
        """An accent that stands alone at the end of a line is lost."""
        assert "\u0301" in "".join(wrap_cells("日本語 \u0301 タイトル", 6))

    @pytest.mark.parametrize("width", [2, 3, 17, 80])
    @EVERY_NASTY
    def test_no_line_is_wider_than_the_column(self, text: str, width: int) -> None:
        """Text runs over the border of its pane."""
        check_wrapped(visible(text), width)

    @settings(max_examples=300)
    @given(ANY_TEXT, st.integers(2, 20))
    def test_nothing_but_white_space_is_left_out(self, text: str, width: int) -> None:
        """A character at the end of a line is lost."""
        check_wrapped(visible(text), width)

    @settings(max_examples=300)
    @given(st.text("ab ", max_size=60), st.integers(2, 12))
    def test_plain_and_wide_text_wrap_alike(self, line: str, width: int) -> None:
        """Adding one accent to a paragraph moves all its line breaks."""
        assert list(_wrap_ascii(line, width)) == list(_wrap_line(line, width))

    @pytest.mark.parametrize("unit", ["x", "漢", " ", "x ", "a\u0301", "🇩🇪", " 漢", "xxxx xxxxxxxxxxxxx "])
    def test_a_hundred_thousand_characters_take_no_noticeable_time(self, unit: str) -> None:
        """A pasted log freezes the screen."""
        text = unit * (100_000 // len(unit))
        began = time.thread_time()
        wrap_cells(text, 40)
        wrap_cells(text, 2)
        assert time.thread_time() - began < 3


def check_wrapped(shown: str, width: int) -> None:
    """Each line fits, and the lines with what stood between them are the text."""
    spans = wrap_spans(shown, width)
    lines = wrap_cells(shown, width)
    assert lines == [shown[start:end] for start, end in spans]
    assert max(map(cell_len, lines)) <= width
    at = 0
    for start, end in spans:
        assert start <= end
        assert shown[at:start].strip(" ") in ("", "\n")
        at = end
    assert shown[at:].strip(" ") == ""
    breaks = [shown[one[1] : two[0]].count("\n") for one, two in itertools.pairwise(spans)]
    assert sum(breaks) == shown.count("\n")


class TestSmallThings:
    def test_clip_says_how_much_is_missing(self) -> None:
        """A cut message looks complete."""
        assert clip("abcdef", 4) == ("abcd", 2)
        assert clip("abc", 4) == ("abc", 0)

    def test_counts_have_the_right_noun(self) -> None:
        """`1 entries deleted`."""
        assert plural(1, "entry", "entries") == "1 entry"
        assert plural(0, "entry", "entries") == "0 entries"
        assert plural(1204, "session") == "1,204 sessions"

    @pytest.mark.parametrize(
        ("seconds", "shown"),
        [
            (-5, "0s"),
            (3.9, "3s"),
            (59, "59s"),
            (60, "1m"),
            (3599, "59m"),
            (7200, "2h"),
            (86_400 * 4 + 5, "4d"),
        ],
    )
    def test_ages_are_short(self, seconds: float, shown: str) -> None:
        """An age takes more room than the thing it is about, or is negative after a clock change."""
        assert ago(seconds) == shown

    def test_cells_of_wide_text(self) -> None:
        """Columns are sized by characters, not by cells."""
        assert (cells("ab"), cells("日本"), cells("e\u0301")) == (2, 4, 1)

    def test_every_control_of_unicode_is_covered(self) -> None:
        """A format character nobody thought of slips through invisibly."""
        shown_as_is = {
            char
            for char in map(chr, range(0x80, 0x110000))
            if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} and visible(f"x{char}") == f"x{char}"
        }
        # Number signs and joiners of Arabic, Syriac, Kaithi and Egyptian writing: visible glyphs.
        assert {hex(ord(char))[:-1] for char in shown_as_is} <= {
            "0x60", "0x6d", "0x70", "0x8e", "0x89", "0x110b", "0x110c", "0x1343",
        }  # fmt: skip
