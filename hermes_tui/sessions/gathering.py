"""What was found of one conversation, and the lines that show it best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.features import names
from hermes_tui.sessions.matcher import Matcher
from hermes_tui.sessions.snippets import snippet_of
from hermes_tui.sessions.sources import Match

LINES = 3
"""Lines shown of one conversation."""
BATCH = 50


@dataclass(frozen=True, slots=True)
class Hit:
    """One place that matches."""

    session_id: str
    message_id: int
    """0 for a title or an id."""
    role: str
    timestamp: float | None
    snippet: str
    """One line, otherwise raw."""
    marks: tuple[tuple[int, int], ...]
    """Where in the snippet the matches are (start, end)."""
    kind: Literal["text", "title", "id"] = "text"


@dataclass
class Gathered:
    """What was found of one conversation so far."""

    root: str
    reading: str
    named: list[Hit] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)
    count: int = 0
    shown: bool = False
    """Whether it was given in a page."""

    def add(self, match: Match) -> None:
        """One more; of each part a few are kept."""
        self.count += 1
        if len(self.matches) < LINES * 3 or all(kept.session_id != match.session_id for kept in self.matches):
            self.matches.append(match)

    def best(self) -> list[Match]:
        """The lines to show: what people and the agent said before what tools did, of every part at least one."""
        ordered = sorted(self.matches, key=lambda match: (match.role not in ("user", "assistant"), -match.id))
        best = ordered[:LINES]
        parts = {match.session_id for match in best}
        for match in ordered[LINES:]:
            if match.session_id not in parts:
                parts.add(match.session_id)
                best.append(match)
        return sorted(best, key=lambda match: -match.id)


def lines_of(base: Database, matcher: Matcher, matches: Sequence[Match]) -> dict[int, Hit]:
    """The line of each message, by its id; those that are gone have none."""
    columns = names(("id", "content", "tool_name", "tool_calls"), base.features().messages)
    lines: dict[int, Hit] = {}
    for start in range(0, len(matches), BATCH):
        part = {match.id: match for match in matches[start : start + BATCH]}
        marks = ", ".join("?" * len(part))
        for id, content, tool, calls in base.rows(f"SELECT {columns} FROM messages WHERE id IN ({marks})", list(part)):
            match, shown = part[int(id)], snippet_of(content, tool, calls, matcher)
            lines[match.id] = Hit(match.session_id, match.id, match.role, match.timestamp, shown.text, shown.marks)
    return lines
