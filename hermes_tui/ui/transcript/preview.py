"""Some messages of a conversation as lines, without a cursor: the last ones, or those around a match. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_tui.sessions.matcher import Matcher
from hermes_tui.sessions.messages import Message, State
from hermes_tui.ui.transcript.layout import Look, lay_out
from hermes_tui.ui.transcript.lines import Line
from hermes_tui.ui.transcript.times import day_words

LINES_PER_MESSAGE = 12
"""A longer message is cut, around its first match if it has one."""


def preview_lines(
    messages: Sequence[Message],
    width: int,
    *,
    matcher: Matcher | None = None,
    message_id: int | None = None,
    most: int = LINES_PER_MESSAGE,
) -> list[Line]:
    """The messages as lines of `width` cells, folded and masked as in the transcript.

    Args:
        messages: what to show, oldest first.
        width: cells of a line.
        matcher: what is marked.
        message_id: the message that was found; its first match is the one stood on.
        most: the lines that one message may have.
    """
    lines: list[Line] = []
    day = ""
    for message in messages:
        if message.state == State.HIDDEN:
            continue
        today = day_words(message.timestamp)
        look = Look(
            width=max(4, width),
            matcher=matcher,
            current=0 if message.id == message_id else -1,
            day=today if today != day else "",
            head=message.role != "tool",
            gap=bool(lines) and message.role != "tool",
        )
        day = today or day
        laid = lay_out(message, look)
        start = laid.body + 1
        found = next((hit for hit in laid.hits if hit >= start), start)
        first = max(start, min(found - most // 3, len(laid.lines) - most))
        lines += [*laid.lines[:start], *laid.lines[first : first + most]]
    return lines
