"""Markdown as lines of a terminal: headings, lists, quotes, code, tables, emphasis and links. Pure, and never fails.

Line breaks stay where they are, as in a chat. What is no markdown is shown as it stands. Every piece
knows where in the text it comes from, so that a match can be marked on what is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from hermes_tui.text import cells
from hermes_tui.ui.transcript.lines import BLANK, Line, Piece, Tone, flow, verbatim

MAX_INLINE_CHARS = 4_000
"""A longer line is shown as it stands: nobody wrote it by hand, and looking for pairs takes its square."""
MAX_RULE_CELLS = 40
MIN_COLUMN_CELLS = 4
INDENT_LIMIT = 16
"""A list that is further in than this would have no room left."""

_PADDING = Piece("  ")
"""Before every line of code: without colours it is what tells it from the text around it."""

_FENCE = re.compile(r"(?P<indent> *)(?P<fence>`{3,}|~{3,})(?P<info>[^`\n]*)$")
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})[ ]+(?P<text>.*?)(?:[ ]+#+)?[ ]*$")
_RULE = re.compile(r" {0,3}(?:(?:-[ ]*){3,}|(?:\*[ ]*){3,}|(?:_[ ]*){3,})$")
_QUOTE = re.compile(r" {0,3}(?:>[ ]?)+")
_ITEM = re.compile(r"(?P<indent> *)(?P<sign>[-*+]|\d{1,9}[.)])[ ]+(?P<box>\[[ xX]\][ ]+)?(?=\S)")
_TABLE_RULE = re.compile(r" *\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *$")
_INLINE = re.compile(
    r"\\(?P<escaped>[\\`*_{}\[\]()#+\-.!|~<>])"
    r"|(?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|(?P<image>!)?\[(?P<label>[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]\((?P<target>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)"
    r"|\*\*(?=[^\s*])(?P<strong>.{1,800}?)(?<=[^\s])\*\*(?!\*)"
    r"|(?<!\w)__(?=[^\s_])(?P<strong2>.{1,800}?)(?<=[^\s])__(?!\w)"
    r"|\*(?=[^\s*])(?P<emphasis>.{1,800}?)(?<=[^\s*])\*(?!\*)"
    r"|(?<!\w)_(?=[^\s_])(?P<emphasis2>.{1,800}?)(?<=[^\s_])_(?!\w)"
    r"|~~(?=\S)(?P<strike>.{1,800}?)(?<=\S)~~"
    r"|(?P<bare>https?://[^\s<>\"]*[^\s<>\".,;:!?)\]}'*_])"
)
_PAIRS: tuple[tuple[str, Tone], ...] = (
    *(("strong", "strong"), ("strong2", "strong"), ("emphasis", "emphasis"), ("emphasis2", "emphasis")),
    ("strike", "strike"),
)


class _Source(NamedTuple):
    """A line of the text, and where it begins."""

    text: str
    start: int


def inline(text: str, start: int, tone: Tone = "plain") -> list[Piece]:
    """The pieces of one line: emphasis, code and links."""
    if len(text) > MAX_INLINE_CHARS:
        return [Piece(text, tone, start)]
    pieces: list[Piece] = []
    at = 0
    for match in _INLINE.finditer(text):
        if match.start() > at:
            pieces.append(Piece(text[at : match.start()], tone, start + at))
        pieces += _marked(match, start, tone)
        at = match.end()
    if at < len(text) or not pieces:
        pieces.append(Piece(text[at:], tone, start + at))
    return pieces


def _marked(match: re.Match[str], start: int, tone: Tone) -> list[Piece]:
    if match["escaped"]:
        return [Piece(match["escaped"], tone, start + match.start("escaped"))]
    if match["code"]:
        return [Piece(match["code"], "code", start + match.start("code"))]
    if match["bare"]:
        return [Piece(match["bare"], "link", start + match.start("bare"))]
    if match["label"] is not None:
        return _link(match, start)
    for group, own in _PAIRS:
        if match[group]:
            return inline(match[group], start + match.start(group), "heading" if tone == "heading" else own)
    return [Piece(match[0], tone, start + match.start())]


def _link(match: re.Match[str], start: int) -> list[Piece]:
    """The words of a link, and where it leads: nobody should have to guess."""
    label, target = match["label"], match["target"]
    pieces = [Piece("image: ", "muted")] if match["image"] else []
    if label:
        pieces.append(Piece(label, "link", start + match.start("label")))
    if target and target != label:
        pieces += [Piece(" (" if label else "(", "muted"), Piece(target, "muted", start + match.start("target"))]
        pieces.append(Piece(")", "muted"))
    return pieces or [Piece(match[0], "plain", start + match.start())]


def markdown_lines(text: str, width: int) -> list[Line]:
    """A visible text as lines of `width` cells."""
    sources: list[_Source] = []
    at = 0
    for line in text.split("\n"):
        sources.append(_Source(line, at))
        at += len(line) + 1
    lines: list[Line] = []
    number = 0
    while number < len(sources):
        found, number = _block(sources, number, width)
        if not (found == [BLANK] and (not lines or lines[-1] == BLANK)):
            lines += found
    while lines and lines[-1] == BLANK:
        lines.pop()
    return lines or [BLANK]


def _block(sources: Sequence[_Source], number: int, width: int) -> tuple[list[Line], int]:
    """The lines of what begins on a line of the text, and the line after it."""
    text, start = sources[number]
    if not text or text.isspace():
        return [BLANK], number + 1
    if fence := _FENCE.match(text):
        return _code(sources, number, fence, width)
    if "|" in text and number + 1 < len(sources) and "-" in sources[number + 1].text:
        table = _table(sources, number, width)
        if table:
            return table
    for make in _LINES:
        found = make(text, start, width)
        if found is not None:
            return found, number + 1
    return _paragraph(text, start, width), number + 1


def _paragraph(text: str, start: int, width: int) -> list[Line]:
    indent = min(len(text) - len(text.lstrip(" ")), INDENT_LIMIT, width // 2)
    body = text.lstrip(" ")
    lead = (Piece(" " * indent),) if indent else ()
    return flow(inline(body, start + len(text) - len(body)), width, lead)


def _heading(text: str, start: int, width: int) -> list[Line] | None:
    match = _HEADING.match(text)
    if match is None or not match["text"]:
        return None
    tone: Tone = "heading" if len(match["marks"]) < 3 else "strong"
    return flow(inline(match["text"], start + match.start("text"), tone), width)


def _rule(text: str, _start: int, width: int) -> list[Line] | None:
    return [Line((Piece("─" * min(width, MAX_RULE_CELLS), "rule"),))] if _RULE.match(text) else None


def _quote(text: str, start: int, width: int) -> list[Line] | None:
    match = _QUOTE.match(text)
    if match is None:
        return None
    lead = Piece("▎ " * min(match[0].count(">"), 4), "rule")
    return flow(inline(text[match.end() :], start + match.end(), "quote"), width, (lead,))


def _item(text: str, start: int, width: int) -> list[Line] | None:
    match = _ITEM.match(text)
    if match is None:
        return None
    sign = match["sign"] if match["sign"][0].isdigit() else "•"
    if match["box"]:
        sign += " ☑" if match["box"][1] in "xX" else " ☐"
    indent = " " * min(len(match["indent"]), INDENT_LIMIT, width // 3)
    lead = Piece(f"{indent}{sign} ", "accent")
    return flow(inline(text[match.end() :], start + match.end()), width, (lead,), (Piece(" " * cells(lead.text)),))


_LINES: tuple[Callable[[str, int, int], list[Line] | None], ...] = (_heading, _rule, _quote, _item)


def _code(sources: Sequence[_Source], number: int, fence: re.Match[str], width: int) -> tuple[list[Line], int]:
    """A block of code up to its closing fence, or to the end of the text."""
    closing = re.compile(rf" *{re.escape(fence['fence'][0])}{{{len(fence['fence'])},}} *$")
    indent = len(fence["indent"])
    lines: list[Line] = []
    info = fence["info"].strip()
    if info:
        at = sources[number].start + fence.start("info") + len(fence["info"]) - len(fence["info"].lstrip())
        lines += flow([Piece(info, "muted", at)], width, (_PADDING,), ground="code")
    number += 1
    while number < len(sources) and not closing.match(sources[number].text):
        text, start = sources[number]
        drop = min(indent, len(text) - len(text.lstrip(" ")))
        for line in verbatim(text[drop:], width - len(_PADDING.text), "plain", "code"):
            moved = (piece._replace(start=piece.start + start + drop) for piece in line.pieces)
            lines.append(line._replace(pieces=(_PADDING, *moved)))
        number += 1
    return lines or [Line(ground="code")], number + 1


def _table(sources: Sequence[_Source], number: int, width: int) -> tuple[list[Line], int] | None:
    """A table with its columns aligned; None when it is none, or has more columns than there is room for."""
    if not _TABLE_RULE.match(sources[number + 1].text):
        return None
    head, rule = _cells_of(sources[number]), _cells_of(sources[number + 1])
    if len(head) != len(rule) or len(head) < 2 or width < len(head) * (MIN_COLUMN_CELLS + 3):
        return None
    rows, end = [head], number + 2
    while end < len(sources) and "|" in sources[end].text:
        rows.append(_cells_of(sources[end])[: len(head)])
        end += 1
    right = [cell.text.endswith(":") and not cell.text.startswith(":") for cell in rule]
    centred = [cell.text.endswith(":") and cell.text.startswith(":") for cell in rule]
    made = [
        [inline(cell.text, cell.start, "strong" if not at else "plain") for cell in row] for at, row in enumerate(rows)
    ]
    columns = _columns(made, len(head), width)
    lines: list[Line] = []
    for at, row in enumerate(made):
        lines += _row(row, columns, right, centred)
        if at == 0:
            lines.append(Line((Piece("─┼─".join("─" * column for column in columns), "rule"),)))
    return lines, end


def _cells_of(source: _Source) -> list[_Source]:
    """The cells of a row; a | inside code or after a backslash belongs to its cell."""
    found: list[_Source] = []
    text = source.text
    at = begin = len(text) - len(text.lstrip(" "))
    if text[at : at + 1] == "|":
        at = begin = at + 1
    ticks = False
    while at <= len(text):
        char = text[at : at + 1]
        if char == "\\":
            at += 1
        elif char == "`":
            ticks = not ticks and "`" in text[at + 1 :]
        if (char == "|" and not ticks) or not char:
            cell = text[begin:at]
            if char or cell.strip():
                found.append(_Source(cell.strip(), source.start + begin + len(cell) - len(cell.lstrip(" "))))
            begin = at + 1
        at += 1
    return found


def _columns(rows: Sequence[Sequence[Sequence[Piece]]], count: int, width: int) -> list[int]:
    """The cells of each column: what it needs, or less where all together do not fit."""
    needs = [1] * count
    for row in rows:
        for column, runs in enumerate(row):
            needs[column] = max(needs[column], sum(cells(run.text) for run in runs))
    room = width - 3 * (count - 1)
    while sum(needs) > room:
        widest = max(needs)
        second = max((need for need in needs if need < widest), default=0)
        many = needs.count(widest)
        less = max(1, min(widest - max(second, MIN_COLUMN_CELLS), -(-(sum(needs) - room) // many)))
        needs = [max(MIN_COLUMN_CELLS, need - less) if need == widest else need for need in needs]
    return needs


def _row(
    row: Sequence[Sequence[Piece]], columns: Sequence[int], right: Sequence[bool], centred: Sequence[bool]
) -> list[Line]:
    wrapped = [flow(runs, max(2, column)) for runs, column in zip(row, columns, strict=False)]
    lines: list[Line] = []
    for number in range(max(map(len, wrapped), default=1)):
        pieces: list[Piece] = []
        for column, room in enumerate(columns):
            if column:
                pieces.append(Piece(" │ ", "rule"))
            line = wrapped[column] if column < len(wrapped) else []
            held = line[number].pieces if number < len(line) else ()
            free = max(0, room - sum(cells(piece.text) for piece in held))
            before = free if right[column] else free // 2 if centred[column] else 0
            pieces += [Piece(" " * before), *held, Piece(" " * (free - before))]
        lines.append(Line(tuple(piece for piece in pieces if piece.text)))
    return lines
