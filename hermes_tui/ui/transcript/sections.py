"""The parts of a message that are shown, folded and searched one by one: reasoning, text, tool calls. Pure."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from hermes_tui.redaction import find_secrets
from hermes_tui.sessions.messages import Message, ToolCall, size_words
from hermes_tui.text import plural

RESULT_HEAD_CHARS = 400


class Section(NamedTuple):
    """One part of a message."""

    key: str
    """What the fold of it is called."""
    text: str
    """What is shown, searched and copied; raw."""
    label: str = ""
    """What its fold line says first; may be foreign."""
    detail: str = ""
    """What it is about, in a line; foreign."""
    folds: bool = False
    verbatim: bool = False
    """Whether it is shown as it stands, whatever it looks like."""

    @property
    def facts(self) -> str:
        """`12 lines · 3.4 KB`: how much there is."""
        lines = self.text.count("\n") + 1 if self.text else 0
        size = size_words(len(self.text.encode("utf-8", "surrogatepass")))
        return f"{plural(lines, 'line')} · {size}" if lines > 1 else size


def sections_of(message: Message) -> tuple[Section, ...]:
    """The parts of a message in the order in which they are shown; their texts are those that are searched."""
    sections: list[Section] = []
    if message.reasoning.strip():
        sections.append(Section("reasoning", message.reasoning, "reasoning", folds=True))
    if message.role == "tool":
        name = message.tool_name or "tool"
        sections.append(Section("result", message.text, f"{name} result", _head(message.text), True, True))
    elif message.kind == "summary":
        sections.append(Section("summary", message.text, "summary of what was said before", folds=True))
    elif message.text:
        sections.append(Section("text", message.text))
    for number, call in enumerate(message.calls):
        name, detail = call_words(call)
        sections.append(Section(f"call:{number}", call.text, name, detail, True, True))
    return tuple(sections)


def _head(text: str) -> str:
    """The first words of a tool's result."""
    return " ".join(text[:RESULT_HEAD_CHARS].split())


def call_words(call: ToolCall) -> tuple[str, str]:
    """Which tool is called, and what that is about, in a line; foreign."""
    return call.name or ("malformed tool call" if call.malformed else "tool"), _first_line(call.main_argument)


def _first_line(text: str) -> str:
    """The first line of an argument, and whether there are more."""
    first, _, rest = text.strip().partition("\n")
    return f"{first} …" if rest.strip() else first


def whole_text(message: Message) -> str:
    """What is copied: what the message says, or what it asks for when it says nothing."""
    if message.text:
        return message.text
    if message.calls:
        return "\n".join(f"{call.name} {call.arguments}".strip() for call in message.calls)
    return message.reasoning


def page_text(message: Message) -> str:
    """All of a message, for a pager."""
    pieces = []
    for section in sections_of(message):
        head = " ".join(part for part in (section.label, section.detail if section.key[:4] == "call" else "") if part)
        pieces.append(f"── {head} ──\n{section.text}" if head else section.text)
    return "\n\n".join(pieces)


@lru_cache(maxsize=512)
def secrets_in(text: str) -> tuple[tuple[int, int, str], ...]:
    """The secrets of a text: where each is, and what is shown in its place."""
    return tuple((secret.start, secret.end, secret.shown) for secret in find_secrets(text))
