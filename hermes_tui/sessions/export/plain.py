"""Conversations as plain text for a pager: a line with who and when, what was said as it is, tools further in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import indent

from hermes_tui.sessions.export.head import EXPORTER, Head
from hermes_tui.sessions.export.shown import Shown
from hermes_tui.sessions.export.speaking import (
    NO_MESSAGES,
    NOTHING,
    SUMMARY_WORDS,
    call_name,
    output,
    particulars,
    speaker,
)
from hermes_tui.sessions.export.times import clock
from hermes_tui.sessions.export.wish import Wish
from hermes_tui.sessions.messages import Message, ToolCall

INDENT = "    "
RULE = "─" * 40

_LIKE_OURS = re.compile(
    r"^(?=(?:You|Hermes|Result|Summary|Notice|System|Unknown)(?: ·|$)|\S.{0,120} · \d{4}-\d\d-\d\d|[─=]{3})",
    re.MULTILINE,
)
"""A line of a message that could be taken for one of ours."""


class Plain:
    """Writes plain text.

    Args:
        wish: what is wanted.
        shown: makes texts fit to be shown.
        now: epoch seconds.
    """

    def __init__(self, wish: Wish, shown: Shown, now: float) -> None:
        self._wish, self._shown, self._now = wish, shown, now

    def opening(self, titles: Sequence[str]) -> str:  # noqa: ARG002 - what every format is told
        """Nothing."""
        return ""

    def head(self, head: Head, number: int) -> str:
        """The title, underlined, and what is known of the conversation."""
        rows = [
            ("session", head.id),
            ("source", head.source),
            ("model", head.model),
            ("folder", head.cwd),
            ("began", clock(head.created_at)),
            ("last", clock(head.updated_at)),
            ("messages", f"{head.messages:,}"),
            ("parts", ", ".join(head.lineage) if len(head.lineage) > 1 else ""),
            ("exported", f"{clock(self._now)} by {EXPORTER}"),
        ]
        facts = "\n".join(f"{name:9} {said}" for name, said in rows if said)
        above = f"\n\n{RULE}\n\n" if number else ""
        return f"{above}{head.title}\n{'=' * min(len(head.title), len(RULE))}\n{facts}\n"

    def border(self, words: str) -> str:
        """A line of its own between two rules."""
        return f"\n{RULE}\n{words}\n{RULE}\n"

    def message(self, message: Message) -> str:
        """Who and when, and below it what was said and called."""
        line = " · ".join([speaker(message, self._shown), *particulars(message, self._shown)])
        return "\n".join(["", line, *self._blocks(message), ""])

    def _blocks(self, message: Message) -> Iterator[str]:
        shown, whole = self._shown, self._wish.everything
        if message.kind == "summary":
            yield SUMMARY_WORDS
        if whole and message.reasoning.strip():
            yield f"{INDENT}(thinking)"
            yield indent(shown(message.reasoning), INDENT)
        if message.role == "tool":
            yield indent(output(message.text, shown, whole=whole), INDENT)
        elif message.text:
            yield _LIKE_OURS.sub(" ", shown(message.text))
        elif not message.calls:
            yield NOTHING
        for call in message.calls:
            yield self._call(call)

    def _call(self, call: ToolCall) -> str:
        told, is_json = self._shown.arguments(call)
        arguments = self._shown.seen(ToolCall("", told).text if is_json else told)
        name = f"→ {call_name(call.name, self._shown)}"
        return indent(f"{name}\n{indent(arguments, '  ')}" if arguments else name, INDENT)

    def ending(self, head: Head) -> str:
        """Nothing, or that there was nothing."""
        return "" if head.messages else f"\n{NO_MESSAGES}\n"

    def closing(self) -> str:
        """Nothing."""
        return ""
