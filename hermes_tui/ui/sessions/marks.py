"""The marks of a conversation in words: live, archived, 3 parts, branch. Pure."""

from __future__ import annotations

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
CONTINUE = "--continue"
"""The mark of the conversation that `hermes --continue` would open."""


class Mark(NamedTuple):
    """A word about a conversation."""

    word: str
    tone: Tone


def marks_of(brief: Brief, summary: Summary | None, continued: str) -> list[Mark]:
    """What is special about a conversation, most important first."""
    marks: list[Mark] = []
    if summary and summary.live:
        marks.append(Mark("live", "success"))
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
