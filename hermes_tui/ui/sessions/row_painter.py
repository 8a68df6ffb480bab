"""The lines of a row: title, marks and age of a conversation, what there is to say of it, and lines that were found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from hermes_tui.redaction import redact
from hermes_tui.text import ELLIPSIS, cells, fit, one_line, plural
from hermes_tui.ui.sessions.marks import Mark, marks_of
from hermes_tui.ui.sessions.sheets import FoundSheet, PartRow
from hermes_tui.ui.sessions.snippet import window
from hermes_tui.ui.sessions.times import WHEN_CELLS, when_words
from hermes_tui.ui.widgets.row_list import Cursor, RowInk

if TYPE_CHECKING:
    from hermes_tui.sessions.gathering import Hit
    from hermes_tui.sessions.listing import Brief
    from hermes_tui.sessions.search import Found
    from hermes_tui.sessions.summaries import Summary
    from hermes_tui.sessions.transcript import Part

_GUTTER = 2
"""Cells for the cursor and a blank."""
_INDENT = 3
"""Cells before the second line of a conversation, the parts of a lineage and the lines found."""
_ROLE = 9
"""Cells of the word that says who wrote a line."""
_DATED_CELLS = 76
"""Lines that were found have a time of their own where there is so much room."""
TICK = "[x] "
"""Stands before the title of a conversation that is selected."""
_SOURCE, _MESSAGES = 8, 9
"""Cells of the columns of a row that has only one line, or much room."""
_COLUMNS_FROM = 90
"""From how many cells on source and number stand in columns also in rows of two lines."""


class Look(NamedTuple):
    """What all rows need to be drawn."""

    cursor: Cursor
    stale: bool
    """Whether the row answers a question that is no longer asked."""
    continued: str
    now: float
    selected: bool = False
    older: frozenset[str] = frozenset()
    """Sessions that were told something else of memory than one that begins now would be."""


class RowPainter(RowInk):
    """Draws the rows of the Sessions screen."""

    # Conversations

    def conversation(
        self, brief: Brief, summary: Summary | None, look: Look, line: int, height: int, width: int
    ) -> Strip:
        """One of the lines of a conversation."""
        ground = self.ground(look.cursor)
        start = self._edge(look, ground)
        if line == 0:
            marks = marks_of(brief, summary, look.continued, look.older)
            side = f" {fit(when_words(brief.last_active, look.now), WHEN_CELLS, right=True)} "
            if (height == 1 and width >= 56) or width >= _COLUMNS_FROM:
                side = f" {fit(brief.source, _SOURCE)} {fit(count_words(brief.messages), _MESSAGES, right=True)}{side}"
            room = width - _GUTTER - cells(side)
            return self.ended(start + self._titled(summary, marks, room, look, ground), side, ground, width)
        words = self._facts(brief, summary, width - _INDENT - 1, columns=width >= _COLUMNS_FROM)
        muted = self._inks("text-muted", ground)
        return self.ended([*start, Segment(" " * (_INDENT - _GUTTER) + words, muted)], "", ground, width)

    def _titled(self, summary: Summary | None, marks: list[Mark], room: int, look: Look, ground: str) -> list[Segment]:
        """Title and marks; a title that was made from the first message stands in quotes."""
        tick = [Segment(TICK, self._inks("accent", ground, "bold"))] if look.selected else []
        room = max(4, room - sum(segment.cell_length for segment in tick))
        shown = marks
        # The title keeps a third of the room; what is then left out stands in the preview.
        while shown and _badge_cells(shown) > room - max(8, room // 3):
            shown = shown[:-1]
        spent = _badge_cells(shown)
        quiet = look.stale or summary is None
        if summary is None:
            title, style = "…", self._inks("text-muted", ground)
        elif summary.derived:
            inner = _cut(redact(summary.title), max(1, room - spent - 2))
            title = f"“{inner}”" if inner else "untitled"
            style = self._inks("text-muted" if quiet else "foreground", ground, "italic")
        else:
            title = _cut(redact(summary.title), room - spent) or "untitled"
            style = self._inks("text-muted" if quiet else "foreground", ground, "bold")
        segments = [*tick, Segment(title, style)]
        if shown:
            segments.append(Segment(" ", self._inks("foreground", ground)))
        for mark in shown:
            ink = self._inks(f"badge-{mark.tone}", f"badge-{mark.tone}-background")
            segments.append(Segment(f" {mark.word} ", ink))
        return segments

    def _facts(self, brief: Brief, summary: Summary | None, room: int, *, columns: bool) -> str:
        """`cli · 128 messages · how do I rotate logs?`: what fits; the last alone where the others are columns."""
        words = f"{one_line(brief.source, 20) or 'no source'} · {plural(brief.messages, 'message')}"
        preview = summary.preview if summary and summary.preview != summary.title else ""
        if columns:
            return one_line(redact(preview), room) or one_line(brief.model or "", room)
        if preview and room - cells(words) - 3 >= 8:
            words += f" · {one_line(redact(preview), room - cells(words) - 3)}"
        return one_line(words, room)

    def part(self, row: PartRow, part: Part | None, look: Look, line: int, height: int, width: int) -> Strip:
        """One of the lines of a part of a lineage."""
        ground = self.ground(look.cursor)
        side = f" {fit(when_words(part.started_at, look.now), WHEN_CELLS, right=True)} " if part and line == 0 else ""
        room = max(4, width - _GUTTER - _INDENT - cells(side))
        count = f" · {plural(part.counted, 'message')}" if part else ""
        named = f"part {row.number} of {len(row.brief.parts)}"
        if line == 0:
            title = f" · {part.title}" if part and part.title else ""
            words = one_line(f"{named}{count if height == 1 else ''}{title}", room)
        else:
            words = one_line(f"{row.session_id}{count}", room)
        ink = self._inks("text-muted" if line or look.stale else "foreground", ground)
        last = row.number == 1
        rule = ("└ " if last else "├ ") if line == 0 else ("  " if last else "│ ")
        body = [Segment(" " * (_INDENT - _GUTTER) + rule, self._inks("text-muted", ground)), Segment(words, ink)]
        return self.ended([*self._edge(look, ground), *body], side, ground, width)

    # Search

    def found(self, sheet: FoundSheet, line: int, look: Look, width: int) -> Strip:
        """One line of what was found."""
        part = sheet.line(line)
        group = sheet.found[part.found]
        if part.kind == "hit":
            return self._hit(group.hits[part.hit], look, width)
        if part.kind == "more":
            words = one_line(f"{' ' * _INDENT}+ {group.more:,} more in this conversation", width)
            return self.ended([Segment(words, self._inks("text-muted"))], "", "", width)
        return self._found_head(group, look if not group.hits else look._replace(cursor="none"), width)

    def _found_head(self, group: Found, look: Look, width: int) -> Strip:
        summary = group.summary
        ground = self.ground(look.cursor)
        marks = marks_of(summary.brief, summary, look.continued, look.older)
        side = f" {fit(when_words(summary.brief.last_active, look.now), WHEN_CELLS, right=True)} "
        if width >= 56:
            side = f" {fit(summary.brief.source, _SOURCE)}{side}"
        room = width - _GUTTER - cells(side)
        return self.ended(
            self._edge(look, ground) + self._titled(summary, marks, room, look, ground), side, ground, width
        )

    def _hit(self, hit: Hit, look: Look, width: int) -> Strip:
        """Who wrote it, and the words around the match."""
        ground = self.ground(look.cursor)
        who = hit_words(hit)
        when = when_words(hit.timestamp, look.now) if hit.message_id and width >= _DATED_CELLS else ""
        side = f" {fit(when, WHEN_CELLS, right=True)} " if when else " "
        room = max(4, width - _INDENT - _ROLE - 1 - cells(side))
        text, spans = window(hit.snippet, hit.marks, room)
        base = self._inks("text-muted" if look.stale else "foreground", ground)
        match = self._inks("text-muted", ground, "underline") if look.stale else self._match(ground)
        segments = [
            *self._edge(look, ground),
            Segment(" " * (_INDENT - _GUTTER), base),
            Segment(fit(who, _ROLE) + " ", self._inks("text-muted", ground)),
        ]
        at = 0
        for start, end in spans:
            segments += [Segment(text[at:start], base), Segment(text[start:end], match)]
            at = end
        segments.append(Segment(text[at:], base))
        return self.ended(segments, side, ground, width)

    def _match(self, ground: str) -> Style:
        """What was searched for: bold and underlined too, so that it shows without colour."""
        return self._inks("match", ground or "match-background", "bold underline")

    # All rows

    def _edge(self, look: Look, ground: str) -> list[Segment]:
        return [self.bar(look.cursor), Segment(" ", self._inks("foreground", ground))]


def _badge_cells(marks: list[Mark]) -> int:
    """What marks take: each a blank on both sides, and one before the first."""
    return sum(cells(mark.word) + 2 for mark in marks) + bool(marks)


def _cut(title: str, width: int) -> str:
    """A title in so many cells; one that is cut behind a … of its own has no second one."""
    shown = one_line(title, width)
    return shown[:-1] if shown.endswith(ELLIPSIS * 2) else shown


def count_words(messages: int) -> str:
    """`128 msg`, `12k msg`: for a row with one line."""
    count = f"{messages:,}" if messages < 10_000 else f"{messages // 1_000:,}k"
    return f"{count} msg" if messages < 1_000_000 else "1M+ msg"


def hit_words(hit: Hit) -> str:
    """Who wrote what was found, or where else it stands."""
    return hit.role if hit.kind == "text" else hit.kind
