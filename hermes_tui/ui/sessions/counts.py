"""The line under the search box: how many there are, what is left out and why, and in which order they come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from rich.segment import Segment
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from hermes_tui.text import cells, one_line, plural
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.widgets.ink import Inked

if TYPE_CHECKING:
    from hermes_tui.ui.sessions.choosing import Listed

MIN_CELLS = 8
"""A part that is cut to less says nothing."""


class Fact(NamedTuple):
    """A part of the line."""

    words: str
    rank: int
    """What does not fit is left out, highest first; 0 stays."""
    ink: str = "text-muted"


class Counts(NamedTuple):
    """The line."""

    left: tuple[Fact, ...] = ()
    right: str = ""
    """The order."""


class CountsLine(Inked, Widget):
    """One row."""

    counts: reactive[Counts] = reactive(Counts())

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        """What fits."""
        width = self.size.width
        facts, right = fitting(self.counts, width)
        segments: list[Segment] = []
        for number, fact in enumerate(facts):
            if number:
                segments.append(Segment(" · ", self._inks("text-muted")))
            segments.append(Segment(fact.words, self._inks(fact.ink)))
        used = sum(segment.cell_length for segment in segments)
        gap = " " * max(0, width - used - cells(right))
        segments += [Segment(gap, self.rich_style), Segment(right, self._inks("text-muted"))]
        return Strip(segments).adjust_cell_length(width, self.rich_style)


def fitting(counts: Counts, width: int) -> tuple[list[Fact], str]:
    """The facts for which there is room, and the order if there is room for it."""
    facts, right = list(counts.left), counts.right

    def over() -> int:
        used = sum(cells(fact.words) for fact in facts) + 3 * max(0, len(facts) - 1)
        return used + (cells(right) + 2 if right else 0) - width

    while over() > 0:
        droppable = [fact for fact in facts if fact.rank > 0]
        worst = max(droppable, key=lambda fact: fact.rank, default=None)
        if right and (worst is None or worst.rank <= 4):
            right = ""
        elif worst is not None and len(droppable) > 1:
            facts.remove(worst)
        else:
            break
    if over() > 0 and len(facts) > 1 and cells(facts[-1].words) - over() < MIN_CELLS:
        facts.pop()
    if over() > 0 and facts:
        last = facts[-1]
        facts[-1] = last._replace(words=one_line(last.words, max(1, cells(last.words) - over())))
    return facts, right


def showing_keys(hidden: Mapping[str, int]) -> str:
    """The keys that show what is left out: archived ones are shown by another one than what nobody said."""
    shown_by = (("sessions.hidden", set(hidden) - {"archived"}), ("sessions.narrow", "archived" in hidden))
    keys = [key_for(action) for action, there in shown_by if there]
    return f"{' and '.join(keys)} {'show' if len(keys) > 1 else 'shows'}"


def hidden_words(hidden: Mapping[str, int], *, words: Mapping[str, str]) -> str:
    """`20 empty, 3 subagent`: what is left out, the most first."""
    most = sorted(hidden.items(), key=lambda pair: -pair[1])
    return ", ".join(f"{count:,} {words.get(reason, reason)}" for reason, count in most if count)


def found_words(conversations: int, hits: int, *, more: bool) -> str:
    """`12 conversations · 34 hits`, with a + where there are more."""
    plus = "+" if more else ""
    many = f"{conversations:,}{plus} conversation{'s' if conversations != 1 or more else ''}"
    if not hits:
        return many
    return f"{many} · {hits:,}{plus} hit{'s' if hits != 1 or more else ''}"


def listed_words(listed: Listed) -> str:
    """`5 of 40 sessions`, `40 sessions`, `1,200 so far`."""
    if not listed.complete:
        return f"{plural(listed.shown, 'session')} so far"
    if listed.shown == listed.every or listed.beyond:
        return plural(listed.shown, "session")
    return f"{listed.shown:,} of {plural(listed.every, 'session')}"
