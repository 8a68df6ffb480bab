"""What a card says: an entry, its badges in words, and its rows at a given width. Pure, so it can be cached."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from hermes_tui.memory.threats import Finding
from hermes_tui.memory.view import EntryView, StoreView
from hermes_tui.text import cells, one_line, plural, visible_map, wrap_spans
from hermes_tui.ui.actions import key_for

Tone = Literal["text", "muted", "finding", "match", "error", "warning", "note", "fresh", "selected"]
"""The role of a piece of a card; the list turns it into a style."""

MAX_FINDINGS_NAMED = 3
"""Findings a card names before it says how many more there are."""


class CardId(NamedTuple):
    """Which entry a card shows, whatever its place: its text, and which one among equal texts."""

    text: str
    nth: int


Followed = dict[CardId, CardId | None]
"""Where the cards of one reading are in the next, for those that have another name there; None for one that is gone."""


class Badge(NamedTuple):
    """A state of an entry in words."""

    words: str
    tone: Tone


class Piece(NamedTuple):
    """Some text of one role."""

    text: str
    tone: Tone


Row = tuple[Piece, ...]


class Card(NamedTuple):
    """One entry as a card shows it; a tuple because it is hashed for every row that is drawn."""

    entry: EntryView
    nth: int
    """Which one it is among entries of the same text, from 0."""
    share: int
    """Its part of the limit, in percent."""
    badges: tuple[Badge, ...] = ()
    was: str | None = None
    """What the entry said before it changed, while that is news."""
    since: str = ""
    """Since when it is there, and who wrote it, as far as that is known."""

    @property
    def id(self) -> CardId:
        """Names the card across refreshes."""
        return CardId(self.entry.text, self.nth)


class Freshness(NamedTuple):
    """Why a card is news."""

    words: str
    """`new 3s` or `changed 12s`."""
    was: str | None


def finding_words(findings: Iterable[Finding]) -> Iterator[str]:
    """Each finding as a card names it: `ssh_access`, `U+200D at 14`; the same class once."""
    seen: set[str] = set()
    for finding in findings:
        if finding.id in seen:
            continue
        seen.add(finding.id)
        prefix, _, point = finding.id.partition("invisible_unicode_")
        yield finding.id if prefix else f"{point} at {finding.start + 1}"


def _blocked_badges(findings: Sequence[Finding]) -> Iterator[Badge]:
    strict = list(finding_words(finding for finding in findings if not finding.newer_pass))
    older = list(finding_words(finding for finding in findings if finding.newer_pass))
    for words, prefix, tone in ((strict, "blocked: ", "error"), (older, "0.19 agents block: ", "warning")):
        if words:
            more = len(words) - MAX_FINDINGS_NAMED
            named = ", ".join(words[:MAX_FINDINGS_NAMED]) + (f" and {more} more" if more > 0 else "")
            yield Badge(prefix + named, "error" if tone == "error" else "warning")


def _badges(entry: EntryView, view: StoreView, fresh: Freshness | None) -> Iterator[Badge]:
    if fresh:
        yield Badge(fresh.words, "fresh")
    if entry.blocked:
        yield from _blocked_badges(entry.findings)
    if entry.duplicate_of is not None:
        yield Badge(f"duplicate of {entry.duplicate_of}", "warning")
    if entry.chars > view.usage.limit > 0:
        yield Badge("over limit alone", "error")
    if view.unstructured:
        yield Badge("unstructured", "note")


def cards_of(
    view: StoreView, fresh: dict[CardId, Freshness] | None = None, since: Mapping[str, str] | None = None
) -> tuple[Card, ...]:
    """The cards of a store, in file order.

    Args:
        view: the store.
        fresh: what is news.
        since: for texts, since when they are there and who wrote them.
    """
    seen: dict[str, int] = {}
    cards: list[Card] = []
    limit = max(1, view.usage.limit)
    for entry in view.entries:
        nth = seen.get(entry.text, 0)
        seen[entry.text] = nth + 1
        news = fresh.get(CardId(entry.text, nth)) if fresh else None
        badges = tuple(_badges(entry, view, news))
        told = since.get(entry.text, "") if since else ""
        cards.append(Card(entry, nth, entry.chars * 100 // limit, badges, news.was if news else None, told))
    return tuple(cards)


def matches(card: Card, needle: str) -> bool:
    """Whether a card passes the filter: it holds every word of it, in any case."""
    text = card.entry.text.casefold()
    return all(word in text for word in needle.casefold().split())


@lru_cache(maxsize=1024)
def rows_of(card: Card, width: int, fold: int, needle: str, tight: bool) -> tuple[Row, ...]:
    """The rows of a card: its text in `width` cells, folded to `fold` rows, then what is to be said about it."""
    rows = list(_text_rows(card.entry, width, fold, needle))
    if card.was is not None:
        rows.append((Piece("was: " + one_line(card.was, max(1, width - 5)), "muted"),))
    meta = _meta_pieces(card)
    if tight and len(meta) > 0:
        used = sum(cells(piece.text) for piece in rows[-1])
        wanted = sum(cells(piece.text) for piece in meta)
        if used + 3 + wanted <= width:
            rows[-1] = (*rows[-1], Piece(" " * (width - used - wanted), "muted"), *meta)
            return tuple(rows)
    said = list(_flow(meta, width))
    # It comes late, and nothing on the screen is to move for it: it is said where there is room, by whom if there is.
    for words in filter(None, (card.since, card.since.rpartition(" · ")[0])):
        since = Piece(f" · {words}", "muted")
        if sum(cells(piece.text) for piece in (*said[-1], since)) <= width:
            said[-1] = (*said[-1], since)
            break
    return (*rows, *said)


def _meta_pieces(card: Card) -> Row:
    chars = f"{card.entry.chars:,} {'char' if card.entry.chars == 1 else 'chars'}"
    pieces = [Piece(f"{chars} · {card.share}%", "muted")]
    for badge in card.badges:
        pieces += (Piece(" ", "muted"), Piece(f" {badge.words} ", badge.tone))
    return tuple(pieces)


def _flow(pieces: Row, width: int) -> Iterator[Row]:
    """`pieces` over as many rows as they need; a gap at a row's edge is dropped."""
    row: list[Piece] = []
    used = 0
    for piece in pieces:
        size = cells(piece.text)
        if used + size > width and row:
            yield tuple(row[:-1] if not row[-1].text.strip() and len(row) > 1 else row)
            row, used = [], 0
        if not row and not piece.text.strip():
            continue
        row.append(Piece(one_line(piece.text, width), piece.tone))
        used += size
    if row:
        yield tuple(row)


def _text_rows(entry: EntryView, width: int, fold: int, needle: str) -> Iterator[Row]:
    # No row holds more characters than cells, marks aside, so the rest of a giant entry is never looked at.
    part = entry.text[: fold * (width + 1) * 2] if fold else entry.text
    shown, offsets = visible_map(part)
    spans = wrap_spans(shown, width)
    hidden = 0
    if fold and (len(spans) > fold or len(part) < len(entry.text)):
        spans = spans[: max(1, fold - 1)]
        hidden = len(entry.text) - bisect_left(offsets, spans[-1][1]) + 1
    marks = sorted(_marks(entry, offsets, shown, needle))
    for start, end in spans:
        yield tuple(_cut(shown, start, end, marks))
    if hidden > 0:
        words = f"… {plural(hidden, 'more char')}, {key_for('memory.edit', 'enter')} opens"
        yield (Piece(one_line(words, width), "note"),)


def _marks(entry: EntryView, offsets: list[int], shown: str, needle: str) -> Iterator[tuple[int, int, Tone]]:
    last = len(offsets) - 1
    for finding in entry.findings:
        if finding.start <= last:
            yield offsets[finding.start], offsets[min(finding.end, last)], "finding"
    for word in needle.split():
        for match in re.finditer(re.escape(word), shown, re.IGNORECASE):
            yield match.start(), match.end(), "match"


def _cut(shown: str, start: int, end: int, marks: Sequence[tuple[int, int, Tone]]) -> Iterator[Piece]:
    """The text of one row in pieces, cut where a mark begins or ends."""
    position = start
    for mark_start, mark_end, tone in marks:
        if mark_end <= position or mark_start >= end:
            continue
        if mark_start > position:
            yield Piece(shown[position:mark_start], "text")
            position = mark_start
        stop = min(mark_end, end)
        yield Piece(shown[position:stop], tone)
        position = stop
    if position < end or start == end:
        yield Piece(shown[position:end], "text")
