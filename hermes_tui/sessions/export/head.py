"""What is said of a conversation before its messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_tui import __version__
from hermes_tui.sessions.export.selection import Chosen
from hermes_tui.sessions.export.shown import Shown
from hermes_tui.sessions.export.times import clock
from hermes_tui.sessions.export.wish import Wish
from hermes_tui.sessions.summaries import derived_title
from hermes_tui.sessions.transcript import Facts, Part, TranscriptReader

EXPORTER = f"hermes-tui {__version__}"


@dataclass(frozen=True, slots=True)
class Head:
    """A conversation as a whole; every text is fit to be shown and on one line."""

    title: str
    id: str
    """Of its newest part."""
    source: str
    model: str
    cwd: str
    created_at: float | None
    updated_at: float | None
    messages: int
    """So many follow."""
    lineage: tuple[str, ...]
    """The ids of all parts that are written, oldest first."""


def read_facts(reader: TranscriptReader, wish: Wish) -> Facts:
    """The parts of a conversation that are wished for.

    Raises:
        NotFound: there is no such session.
    """
    facts = reader.facts()
    if wish.whole:
        return facts
    return Facts(tuple(part for part in facts.parts if part.id == reader.session_id))


def title_of(reader: TranscriptReader, facts: Facts) -> str:
    """What a conversation is called: its title, or else one out of the first thing that was said, or its id."""
    return facts.title or derived_title(reader.base, facts.parts[0].id) or facts.newest.id


def head_of(title: str, facts: Facts, chosen: Sequence[Chosen], shown: Shown) -> Head:
    """What is said of a conversation."""
    newest, first = facts.newest, facts.parts[0]
    return Head(
        title=shown.line(title) or shown.line(newest.id),
        id=shown.line(newest.id),
        source=shown.line(newest.source),
        model=shown.line(newest.model),
        cwd=shown.line(newest.cwd),
        created_at=first.started_at,
        updated_at=max(each.last for each in chosen) or newest.started_at,
        messages=sum(len(each.ids) for each in chosen),
        lineage=tuple(shown.line(part.id) for part in facts.parts),
    )


def border_words(number: int, parts: Sequence[Part], shown: Shown) -> str:
    """What stands between two parts of a conversation."""
    part = parts[number]
    when = clock(part.started_at)
    began = f", {when}" if when else ""
    return (
        f"The conversation was compacted here and goes on in session {shown.line(part.id)}"
        f" (part {number + 1} of {len(parts)}{began})."
    )
