"""Making foreign text safe to show: escaping, and cutting and wrapping by terminal cells.

Text from files, sessions and tools is data. `visible` turns everything a terminal could act on, or a
person could not see, into printable symbols; what is copied, exported and written stays raw.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

MAX_MARKS = 8
"""Combining marks shown on one base; more would be drawn over the rows above and below."""

ELLIPSIS = "…"

_CODE_POINT_RANGES = (
    "\u00ad\u034f\u061c"  # soft hyphen, grapheme joiner, Arabic letter mark
    "\u115f\u1160\u3164\uffa0"  # Hangul fillers: letters that look like nothing
    "\u17b4\u17b5\u180e"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero-width, separators, bidi controls and isolates
    "\ue000-\uf8ff\ufdd0-\ufdef"  # private use: every font draws it differently, or not at all
    "\ufeff\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"  # tags: a whole hidden alphabet
    "\U000f0000-\U0010ffff"
) + "".join(f"{chr(plane | 0xFFFE)}{chr(plane | 0xFFFF)}" for plane in range(0x10000, 0xF0000, 0x10000))
"""Characters shown as ⟨U+XXXX⟩.

The zero-width joiners are among them although emoji families, Persian and Hindi use them: the agent
blocks an entry that holds one, so a person has to see where it is.
"""

_ZERO_WIDTH_LETTERS = "\u1161-\u11ff\ud7b0-\ud7ff\U0001f3fb-\U0001f3ff"
"""Not marks by name, but drawn into the cell before them: conjoining Hangul, skin tones."""


@cache
def _hidden() -> re.Pattern[str]:
    """A character that is shown as its number."""
    return re.compile(f"[{_CODE_POINT_RANGES}]")


def _marks_in(text: str) -> str:
    """The different combining marks of a text; a class of all that Unicode has would take 10 ms to make."""
    import unicodedata

    marks = sorted(char for char in set(text) if char >= "\u0300" and unicodedata.category(char)[0] == "M")
    return "".join(mark for mark in marks if not _hidden().match(mark))


@lru_cache(maxsize=64)
def _unsafe(ascii_only: bool, multiline: bool, marks_present: str) -> re.Pattern[str]:
    """One thing to show differently: a character (group 1), or marks with no base or too many of them."""
    control = rf"\x00-\x09\x0b-\x1f\x7f{'' if multiline else chr(10)}"
    if ascii_only:
        return re.compile(f"([{control}])")
    unsafe = rf"([{control}\x80-\x9f\ud800-\udfff{_CODE_POINT_RANGES}])"
    marks = f"[{marks_present}{_ZERO_WIDTH_LETTERS}]"
    return re.compile(rf"{unsafe}|^{marks}+|{marks}{{{MAX_MARKS + 1},}}", re.MULTILINE)


def _symbol(char: str) -> str:
    """The printable stand-in for one character that must not reach the terminal."""
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if code < 0xA0:
        return f"\\x{code:02x}"
    if 0xD800 <= code <= 0xDFFF:
        return f"\\u{code:04x}"
    return f"⟨U+{code:04X}⟩"


def _calm_marks(marks: str, *, orphan: bool) -> str:
    """A run of marks that stays in its cell: given a base when it has none, and cut when too high."""
    shown = f"◌{marks[:MAX_MARKS]}" if orphan else marks[:MAX_MARKS]
    cut = len(marks) - MAX_MARKS
    return f"{shown}⟨+{cut} {'mark' if cut == 1 else 'marks'}⟩" if cut > 0 else shown


def _changes(text: str, multiline: bool, tab_size: int) -> Iterator[tuple[int, int, str]]:
    """The slices of `text` that are shown as something else, in order, with what they are shown as."""
    pattern = _unsafe(text.isascii(), multiline, "" if text.isascii() else _marks_in(text))
    tabbed = "\t" in text
    column, done = 0, 0
    for match in pattern.finditer(text):
        start, end = match.span()
        piece = text[start:end]
        if tabbed:
            column = _column_after(text[done:start], column)
            done = end
        if piece == "\t":
            shown = " " * (tab_size - column % tab_size)
        elif match.lastindex:
            shown = _symbol(piece)
        else:
            shown = _calm_marks(piece, orphan=start == 0 or text[start - 1] == "\n")
        if tabbed:
            column = _column_after(shown, column)
        yield start, end, shown


def _column_after(text: str, column: int) -> int:
    """The column in cells after `text` was written from `column` on."""
    newline = text.rfind("\n")
    return cells(text[newline + 1 :]) + (0 if newline >= 0 else column)


def visible(text: str, *, multiline: bool = True, tab_size: int = 4) -> str:
    """`text` with everything a terminal could act on, or a person could not see, as printable symbols.

    Newlines stay (␊ unless `multiline`), tabs become spaces, ESC becomes ␛, C1 becomes \\x9b, a lone
    surrogate \\udcb2, hidden and bidi controls ⟨U+202E⟩. Linear; the same object when nothing is to do.
    """
    pieces: list[str] = []
    done = 0
    for start, end, shown in _changes(text, multiline, tab_size):
        pieces += (text[done:start], shown)
        done = end
    if not pieces:
        return text
    pieces.append(text[done:])
    return "".join(pieces)


def visible_map(text: str, *, multiline: bool = True, tab_size: int = 4) -> tuple[str, list[int]]:
    """`visible(text)`, and for each offset of `text` (its end included) the offset it is shown at."""
    pieces: list[str] = []
    offsets: list[int] = []
    done = length = 0
    for start, end, shown in _changes(text, multiline, tab_size):
        offsets.extend(range(length, length + start - done))
        length += start - done
        offsets.extend([length] * (end - start))
        length += len(shown)
        pieces += (text[done:start], shown)
        done = end
    pieces.append(text[done:])
    offsets.extend(range(length, length + len(text) - done + 1))
    return "".join(pieces), offsets


def clip(text: str, max_chars: int) -> tuple[str, int]:
    """The first `max_chars` characters of `text`, and how many were cut off."""
    return text[:max_chars], max(0, len(text) - max_chars)


def cells(text: str) -> int:
    """How many terminal cells `text` takes; it must not hold control characters."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _clusters(text: str) -> tuple[list[int], list[int]]:
    """Where each character a person sees starts in `text`, and the cells it takes."""
    from rich.cells import cell_len, get_character_cell_size

    starts: list[int] = []
    widths: list[int] = []
    open_flag = False
    for index, char in enumerate(text):
        width = get_character_cell_size(char)
        regional = "\U0001f1e6" <= char <= "\U0001f1ff"
        if starts and (width == 0 or (open_flag and regional)):
            # A variation selector may widen what it follows; a flag is two letters.
            widths[-1] += width
            if char == "\ufe0f":
                widths[-1] = max(widths[-1], cell_len(text[starts[-1]] + char))
            open_flag = open_flag and width == 0
            continue
        starts.append(index)
        widths.append(width)
        open_flag = regional
    return starts, widths


def one_line(text: str, width_cells: int) -> str:
    """`text` made visible on one line of at most `width_cells`, ending in … when it was cut."""
    if width_cells <= 0:
        return ""
    # A cell holds a base and its marks at most, so nothing after this can be on the line.
    part, cut = clip(text, (width_cells + 1) * (MAX_MARKS + 2))
    shown = visible(part, multiline=False)
    if not cut and cells(shown) <= width_cells:
        return shown
    room = width_cells - 1
    starts, widths = _clusters(shown)
    for start, width in zip(starts, widths, strict=True):
        room -= width
        if room < 0:
            return shown[:start] + ELLIPSIS
    return shown + ELLIPSIS


def fit(text: str, width_cells: int, *, right: bool = False) -> str:
    """`one_line(text, width_cells)` padded with spaces to exactly that width: a cell of a table."""
    shown = one_line(text, width_cells)
    padding = " " * (width_cells - cells(shown))
    return padding + shown if right else shown + padding


_NOT_FIRST = frozenset("、。，．・：；？！…）］｝〕〉》」』】’”ー々〜")
"""Wide punctuation that does not begin a line."""


def wrap_spans(text: str, width: int) -> list[tuple[int, int]]:
    """The slices of visible `text` that make its lines; between two of them only white space is left out."""
    width = max(2, width)
    spans: list[tuple[int, int]] = []
    start = 0
    for line in text.split("\n"):
        if len(line) * 2 <= width or cells(line) <= width:
            spans.append((start, start + len(line)))
        else:
            wrap = _wrap_ascii if line.isascii() else _wrap_line
            spans.extend((start + first, start + last) for first, last in wrap(line, width))
        start += len(line) + 1
    return spans


def _wrap_ascii(line: str, width: int) -> Iterator[tuple[int, int]]:
    """What `_wrap_line` does, for a line where every character is one cell: thirty times faster."""
    first, count = 0, len(line)
    while first < count:
        end = min(first + width, count)
        if end < count:
            space = line.rfind(" ", first, end + 1)
            if space > first and not line[first:space].isspace():
                end = space
        start_next = end
        while start_next < count and line[start_next] == " ":
            start_next += 1
        yield first, _trim(line, first, end) if start_next < count else end
        first = start_next


def _trim(line: str, first: int, end: int) -> int:
    """`end` moved back over spaces; a line of nothing but spaces stays as it is."""
    ink = len(line[first:end].rstrip(" "))
    return first + ink if ink else end


def _wrap_line(line: str, width: int) -> Iterator[tuple[int, int]]:
    """The slices of one line that is too long, broken at spaces, beside wide characters, or anywhere."""
    starts, widths = _clusters(line)
    starts.append(len(line))
    first, count = 0, len(widths)

    def is_space(at: int) -> bool:  # with a mark on it, it is more than that
        return line[starts[at] : starts[at + 1]] == " "

    while first < count:
        used, here, break_at, ink = 0, first, 0, False
        while here < count:
            space = is_space(here)
            wide = here > first and (widths[here] == 2 or widths[here - 1] == 2)
            if ink and (space or (wide and line[starts[here]] not in _NOT_FIRST)):
                break_at = here
            if used + widths[here] > width:
                here = break_at or max(here, first + 1)
                break
            ink = ink or not space
            used += widths[here]
            here += 1
        end = starts[here]
        while here < count and is_space(here):
            here += 1
        yield starts[first], _trim(line, starts[first], end) if here < count else end
        first = here


def wrap_cells(text: str, width: int) -> list[str]:
    """The lines of visible `text` in a column of `width` cells (at least 2).

    Breaks at words, cuts what is longer than a line, keeps every newline.
    """
    return [text[start:end] for start, end in wrap_spans(text, width)]


def short_path(path: Path) -> str:
    """A path as a person would write it, with ~ for their own directory, made safe to show."""
    text = str(path)
    home = str(Path.home())
    if text == home or text.startswith(home + "/"):
        text = "~" + text[len(home) :]
    return visible(text, multiline=False)


def first_words(text: str) -> str:
    """The start of a text on one line: what a list needs of it."""
    return text[:400].replace("\n", " ")


def plural(count: int, one: str, many: str = "") -> str:
    """`1 entry`, `2 entries`, `1,204 sessions`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def ago(seconds: float) -> str:
    """A span of time in its largest whole unit: `3s`, `5m`, `2h`, `4d`."""
    whole = max(0, int(seconds))
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if whole >= size:
            return f"{whole // size}{unit}"
    return f"{whole}s"
