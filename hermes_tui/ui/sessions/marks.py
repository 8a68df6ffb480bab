"""The marks of a conversation in words: live, archived, 3 parts, branch. Pure."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from hermes_tui.sessions.listing import Brief
    from hermes_tui.sessions.summaries import Summary

Tone = Literal["success", "info", "warning", "error"]

KIND_WORDS: dict[str, str] = {
    "chat": "",
    "branch": "branch",
    "subagent": "subagent",
    "cron": "cron",
    "tool": "tool",
    "empty": "empty",
}
OLDER = "older memory"
"""The mark of one in use that does not know what was changed in memory since."""
IN_USE_SECONDS = 86_400.0
"""One that was not ended and wrote so recently is taken to go on."""
CONTINUE = "--continue"
"""The mark of the conversation that `hermes --continue` would open."""


class Mark(NamedTuple):
    """A word about a conversation."""

    word: str
    tone: Tone


def marks_of(brief: Brief, summary: Summary | None, continued: str, older: Collection[str] = frozenset()) -> list[Mark]:
    """What is special about a conversation, most important first.

    Args:
        brief: the conversation.
        summary: what else is known of it.
        continued: the session that `hermes --continue` would open.
        older: sessions that were told something else of memory than one that begins now would be.
    """
    marks: list[Mark] = []
    if summary and summary.live:
        marks.append(Mark("live", "success"))
    open_ = summary is not None and summary.ended_at is None and time.time() - brief.last_active < IN_USE_SECONDS
    if open_ and brief.id in older:
        marks.append(Mark(OLDER, "warning"))
    if summary and summary.warning:
        marks.append(Mark("damaged row", "error"))
    if brief.archived:
        marks.append(Mark("archived", "warning"))
    if kind := KIND_WORDS.get(brief.kind, brief.kind):
        marks.append(Mark(kind, "info"))
    if len(brief.parts) > 1:
        marks.append(Mark(f"{len(brief.parts):,} parts", "info"))
    if continued and continued in brief.parts:
        marks.append(Mark(CONTINUE, "success"))
    if summary and summary.pinned:
        marks.append(Mark("pinned", "info"))
    return marks
