"""What a key is about: the selected conversations, or the one under the cursor. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes_tui.redaction import redact
from hermes_tui.text import one_line, plural

if TYPE_CHECKING:
    from hermes_tui.sessions.listing import Brief
    from hermes_tui.sessions.summaries import Summary

NAME_CELLS = 48
"""A conversation is named in a sentence with so many cells of its title."""


@dataclass(frozen=True, slots=True)
class Aim:
    """Conversations as they were seen when a key was pressed: what comes later is not part of it."""

    briefs: tuple[Brief, ...]
    summary: Summary | None = None
    """What is known of a single one."""
    part: str = ""
    """The part that the row is about, where it is one of an unfolded conversation."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The newest part of each: what an agent resumes."""
        return tuple(brief.id for brief in self.briefs)

    @property
    def parts(self) -> int:
        """Sessions in all of them."""
        return sum(len(brief.parts) for brief in self.briefs)

    @property
    def messages(self) -> int:
        """Messages in all of them."""
        return sum(brief.messages for brief in self.briefs)

    @property
    def several(self) -> bool:
        """Whether it is more than one conversation."""
        return len(self.briefs) > 1

    @property
    def archived(self) -> bool:
        """Whether all of them are put away."""
        return bool(self.briefs) and all(brief.archived for brief in self.briefs)

    @property
    def name(self) -> str:
        """`“Login loop”`, or `3 conversations`."""
        if self.several:
            return plural(len(self.briefs), "conversation")
        return name_of(self.briefs[0], self.summary) if self.briefs else "nothing"

    @property
    def words(self) -> str:
        """`“Login loop”`, or `3 conversations with 412 messages`."""
        return f"{self.name} with {plural(self.messages, 'message')}" if self.several else self.name


def name_of(brief: Brief, summary: Summary | None) -> str:
    """A conversation in a sentence: its title in quotes, or its id."""
    title = one_line(redact(summary.title), NAME_CELLS) if summary else ""
    return f"“{title}”" if title else one_line(brief.id, NAME_CELLS)


def aim_of(selected: Sequence[Brief], current: Brief | None, summary: Summary | None, part: str) -> Aim:
    """What is meant: what is selected and shown, else what is under the cursor."""
    if len(selected) > 1 or (selected and selected[0] != current):
        return Aim(tuple(selected))
    return Aim((current,), summary, part) if current else Aim(())
