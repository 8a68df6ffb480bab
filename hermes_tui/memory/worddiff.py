"""What changed between two texts, word by word, and how two changes of one text go together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

PieceKind = Literal["same", "del", "ins"]

MAX_STEPS = 16_000_000
"""Comparisons a diff may cost at worst, about a second; past it lines are compared, then the whole."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_MARKS = "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0dff\u0e31-\u0e4e\u200c\u200d"
_TOKEN = re.compile(
    rf"\n|[^\S\n]+"
    rf"|[{_CJK}][{_MARKS}]*"  # scripts without spaces: a character is the word
    rf"|(?:(?![{_CJK}])\w)(?:(?![{_CJK}])\w|[{_MARKS}])*"
    rf"|.(?:[\ufe00-\ufe0f\U0001f3fb-\U0001f3ff{_MARKS}]|(?<=\u200d)[^\w\s])*",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text that stayed, went or came."""

    kind: PieceKind
    text: str


@dataclass(frozen=True, slots=True)
class _Edit:
    """Characters `start:end` of the first text gave way to `new`."""

    start: int
    end: int
    new: str


def word_diff(before: str, after: str) -> tuple[Piece, ...]:
    """The way from `before` to `after`: its same and del pieces spell the one, same and ins the other."""
    pieces: list[Piece] = []
    at = 0
    for edit in _close_gaps(before, _edits(before, after)):
        pieces += (
            Piece("same", before[at : edit.start]),
            Piece("del", before[edit.start : edit.end]),
            Piece("ins", edit.new),
        )
        at = edit.end
    pieces.append(Piece("same", before[at:]))
    return tuple(piece for piece in pieces if piece.text)


def words_of(text: str) -> list[str]:
    """The words and signs of a text, without what is blank."""
    return [token for token in _TOKEN.findall(text) if not token.isspace()]


def three_way_merge(base: str, mine: str, theirs: str) -> str | None:
    """`base` with both sets of changes; None where they touch the same words and a person has to choose."""
    if mine == theirs or theirs == base:
        return mine
    if mine == base:
        return theirs
    merged: list[_Edit] = []
    both = sorted({*_edits(base, mine), *_edits(base, theirs)}, key=lambda edit: (edit.start, edit.end))
    for edit in both:
        if merged and edit.start <= merged[-1].end:
            return None
        merged.append(edit)
    at = 0
    result: list[str] = []
    for edit in merged:
        result += (base[at : edit.start], edit.new)
        at = edit.end
    return "".join((*result, base[at:]))


def _edits(before: str, after: str) -> list[_Edit]:
    """The changes by word, or by line where words would take too long, or as one block."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    by_word = _compare(old, new, 0, MAX_STEPS)
    if by_word is not None:
        return by_word
    by_line = _compare(before.splitlines(keepends=True), after.splitlines(keepends=True), 0, MAX_STEPS)
    if by_line is None:
        head, tail = _common_ends(old, new)
        start, end = sum(map(len, old[:head])), len(before) - sum(map(len, old[len(old) - tail :]))
        return [_Edit(start, end, "".join(new[head : len(new) - tail]))]
    edits: list[_Edit] = []
    for block in by_line:
        old, new = _TOKEN.findall(before[block.start : block.end]), _TOKEN.findall(block.new)
        # A tenth of the budget each: there may be many such blocks.
        edits += _compare(old, new, block.start, MAX_STEPS // 10) or [block]
    return edits


def _compare(old: Sequence[str], new: Sequence[str], offset: int, budget: int) -> list[_Edit] | None:
    """The tokens that differ, as edits from character `offset` on; None when it might cost too much."""
    head, tail = _common_ends(old, new)
    starts = [offset + sum(map(len, old[:head]))]
    old, new = old[head : len(old) - tail], new[head : len(new) - tail]
    if _worst_case(old, new) > budget:
        return None
    for token in old:
        starts.append(starts[-1] + len(token))
    # White space never starts a match: it would tie unrelated words together.
    opcodes = SequenceMatcher(str.isspace, old, new, autojunk=False).get_opcodes()
    return [_Edit(starts[a1], starts[a2], "".join(new[b1:b2])) for tag, a1, a2, b1, b2 in opcodes if tag != "equal"]


def _common_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many tokens are equal at the start, and how many of the rest at the end."""
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return head, tail


def _worst_case(old: Sequence[str], new: Sequence[str]) -> int:
    """Upper bound on what a SequenceMatcher compares: each match it finds may look at every pair again."""
    in_new = Counter(token for token in new if not token.isspace())
    pairs = sum(in_new[token] for token in old if token in in_new)
    return (len(old) + pairs) * min(pairs, len(old), len(new))


def _close_gaps(before: str, edits: Sequence[_Edit]) -> list[_Edit]:
    """Changes with nothing but blanks between them read as one."""
    closed: list[_Edit] = []
    for edit in edits:
        last = closed[-1] if closed else None
        gap = before[last.end : edit.start] if last else ""
        if last and (gap == "" or (gap.isspace() and "\n" not in gap)):
            closed[-1] = _Edit(last.start, edit.end, last.new + gap + edit.new)
        else:
            closed.append(edit)
    return closed
