"""Conversations as Markdown: facts as front matter, a section for each message, tool calls and results as code."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from hermes_tui.sessions.export.head import EXPORTER, Head
from hermes_tui.sessions.export.markdown_text import code_span, escaped, fenced, message_body, quoted
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
from hermes_tui.sessions.export.times import iso
from hermes_tui.sessions.export.wish import Wish
from hermes_tui.sessions.messages import Message


class Markdown:
    """Writes Markdown.

    Args:
        wish: what is wanted.
        shown: makes texts fit to be shown.
        now: epoch seconds.
    """

    def __init__(self, wish: Wish, shown: Shown, now: float) -> None:
        self._wish, self._shown, self._now = wish, shown, now
        self._several = False

    def opening(self, titles: Sequence[str]) -> str:
        """Front matter, where there are several conversations; a single one has its own."""
        self._several = len(titles) > 1
        if not self._several:
            return ""
        return _front_matter([("conversations", len(titles)), *self._made()])

    def head(self, head: Head, number: int) -> str:
        """The title, and what is known of the conversation."""
        facts = [
            ("session_id", head.id),
            ("title", head.title),
            ("source", head.source or None),
            ("model", head.model or None),
            ("cwd", head.cwd or None),
            ("created_at", iso(head.created_at) or None),
            ("updated_at", iso(head.updated_at) or None),
            ("message_count", head.messages),
            ("lineage", list(head.lineage)),
        ]
        title = f"# {escaped(head.title)}\n"
        if self._several:
            return f"{title if number == 0 else chr(10) + title}\n{fenced(_yaml(facts), 'yaml')}\n"
        return f"{_front_matter([*facts, *self._made()])}{title}"

    def _made(self) -> list[tuple[str, object]]:
        return [("exported_at", iso(self._now)), ("exporter", EXPORTER)]

    def border(self, words: str) -> str:
        """A line of its own between two rules."""
        return f"\n---\n\n*{escaped(words)}*\n\n---\n"

    def message(self, message: Message) -> str:
        """A section: who and when, and below it what was said and called."""
        said = particulars(message, self._shown)
        if message.role == "tool" and message.tool_name:
            said = [code_span(said[0]), *said[1:]]
        heading = " · ".join([escaped(speaker(message, self._shown)), *said])
        return "\n".join([f"\n## {heading}", *(f"\n{block}" for block in self._blocks(message)), ""])

    def _blocks(self, message: Message) -> Iterator[str]:
        shown, whole = self._shown, self._wish.everything
        if message.kind == "summary":
            yield f"*{SUMMARY_WORDS}*"
        if whole and message.reasoning.strip():
            yield "**Thinking**"
            yield quoted(shown(message.reasoning))
        if message.role == "tool":
            yield fenced(output(message.text, shown, whole=whole))
        elif message.text:
            yield message_body(shown(message.text))
        elif not message.calls:
            yield f"*{NOTHING}*"
        for call in message.calls:
            told, is_json = shown.arguments(call)
            yield f"**Calls** {code_span(call_name(call.name, shown))}"
            if told:
                yield fenced(shown.seen(told), "json" if is_json else "")

    def ending(self, head: Head) -> str:
        """Nothing, or that there was nothing."""
        return "" if head.messages else f"\n*{NO_MESSAGES}*\n"

    def closing(self) -> str:
        """Nothing."""
        return ""


def _front_matter(facts: Sequence[tuple[str, object]]) -> str:
    return f"---\n{_yaml(facts)}\n---\n\n"


def _yaml(facts: Sequence[tuple[str, object]]) -> str:
    # JSON's texts, numbers and lists are YAML's too, and need no other quoting.
    return "\n".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in facts)
