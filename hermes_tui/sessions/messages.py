"""One message as it is stored: its text, tool calls, reasoning, state and time, whatever is odd about them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

from hermes_tui.sessions.stored import JSON_MARK, exact_text

Kind = Literal["message", "summary", "notice"]


class State(IntEnum):
    """What became of a message."""

    UNKNOWN = 0
    """Not read yet."""
    LIVE = 1
    COMPACTED = 2
    """Out of the agent's sight since a compaction, but part of the conversation."""
    REWOUND = 3
    """Taken back by the person."""
    HIDDEN = 4
    """Bookkeeping of the agent that it shows to nobody."""


SUMMARY_STARTS = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]:")
"""How a compaction's summary begins."""
MERGED_SUMMARY_START = "[PRIOR CONTEXT"
MERGED_SUMMARY_MARK = "COMPACTION SUMMARY BELOW]"
"""The words in a message that holds an older one and the summary after it."""

MAIN_ARGUMENTS = (
    *("command", "cmd", "code", "path", "file_path", "filename", "url", "query", "pattern", "goal", "task"),
    *("prompt", "action", "name", "old_text", "content", "text", "message"),
)
"""The arguments that say most about a call, best first."""
MAIN_ARGUMENT_CHARS = 400

_MEDIA = {
    **dict.fromkeys(("image", "image_url", "input_image"), "image"),
    **dict.fromkeys(("audio", "audio_url", "input_audio"), "audio"),
    **dict.fromkeys(("video", "video_url", "input_video"), "video"),
    **dict.fromkeys(("file", "input_file", "document"), "file"),
}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool that the assistant asked for."""

    name: str
    arguments: str
    """As they are stored: JSON in most cases."""
    call_id: str = ""
    malformed: bool = False
    """Whether what is stored is not what an agent writes; `arguments` then is all there is."""

    @property
    def values(self) -> Mapping[str, object] | None:
        """The arguments by name; None when they are no JSON object."""
        try:
            found = json.loads(self.arguments)
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None

    @property
    def main_argument(self) -> str:
        """The one argument that says what the call is about, cut when it is long."""
        values = self.values
        if values is None:
            return self.arguments[:MAIN_ARGUMENT_CHARS]
        for name in (*MAIN_ARGUMENTS, *values):
            value = values.get(name)
            if isinstance(value, str) and value.strip():
                return value.strip()[:MAIN_ARGUMENT_CHARS]
        return _json(dict(values))[:MAIN_ARGUMENT_CHARS] if values else ""

    @property
    def text(self) -> str:
        """The arguments to read: a line for each, texts as they are."""
        values = self.values
        if values is None:
            return self.arguments
        lines = []
        for name, value in values.items():
            said = value if isinstance(value, str) else _json(value)
            lines.append(f"{name}:\n{said}" if "\n" in said else f"{name}: {said}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    id: int
    session_id: str
    role: str
    state: State
    timestamp: float | None
    """Epoch seconds; None when what is stored is no time."""
    text: str
    """What it says; pictures and other media as a line each."""
    calls: tuple[ToolCall, ...] = ()
    reasoning: str = ""
    tool_name: str = ""
    """Of a tool's result."""
    tool_call_id: str = ""
    kind: Kind = "message"
    note: str = ""
    """The agent's own name for a message that is a notice."""
    size: int = 0
    """Bytes stored as its content."""
    unread: int = 0
    """Bytes of the content that were not read, because it is long."""


def message_text(content: object) -> str:
    """What a stored content says: plain text as it is, lists of parts joined."""
    text = exact_text(content)
    if not text.startswith(JSON_MARK):
        return text
    try:
        return parts_text(json.loads(text[len(JSON_MARK) :]))
    except (ValueError, RecursionError):
        return text[len(JSON_MARK) :]


def parts_text(parts: object) -> str:
    """The parts of a message, one below the other."""
    if isinstance(parts, str):
        return parts
    if isinstance(parts, list):
        return "\n".join(parts_text(part) for part in parts)
    if not isinstance(parts, Mapping):
        return _json(parts)
    kind = parts.get("type")
    if isinstance(kind, str) and kind in _MEDIA:
        return _media_line(_MEDIA[kind], parts)
    text = parts.get("text")
    if isinstance(text, str):
        return text
    inner = parts.get("content")
    if isinstance(inner, str | list):
        return parts_text(inner)
    return _json(parts)


def _media_line(what: str, part: Mapping[str, object]) -> str:
    """`[image: image/png, 48 KB]`, or where it lies."""
    source: object = next(
        (part[name] for name in (f"{what}_url", "source", f"input_{what}", what) if name in part), part
    )
    kind = data = ""
    if isinstance(source, Mapping):
        kind = str(source.get("media_type") or source.get("mime_type") or source.get("format") or "")
        data = str(source.get("url") or source.get("data") or source.get("file_data") or source.get("path") or "")
        inline = "data" in source or "file_data" in source
    else:
        data, inline = str(source), False
    if data.startswith("data:"):
        head, _, data = data[5:].partition(",")
        kind, inline = head.split(";")[0] or kind, True
    facts = [kind, size_words(len(data) * 3 // 4) if inline else data[:200]]
    name = part.get("filename") or part.get("name")
    said = ", ".join(fact for fact in (str(name or ""), *facts) if fact)
    return f"[{what}: {said}]" if said else f"[{what}]"


def tool_calls(stored: object) -> tuple[ToolCall, ...]:
    """The calls in a stored `tool_calls`, also when it is not what it should be."""
    text = exact_text(stored)
    if not text.strip():
        return ()
    try:
        calls = json.loads(text)
    except (ValueError, RecursionError):
        return (ToolCall("", text, malformed=True),)
    if isinstance(calls, Mapping):
        calls = [calls]
    if not isinstance(calls, list):
        return () if calls is None else (ToolCall("", text, malformed=True),)
    return tuple(_tool_call(call) for call in calls)


def _tool_call(call: object) -> ToolCall:
    if not isinstance(call, Mapping):
        return ToolCall("", _json(call), malformed=True)
    function = call.get("function")
    said = function if isinstance(function, Mapping) else call
    name, arguments = said.get("name"), said.get("arguments", said.get("input"))
    if arguments is None:
        arguments = ""
    if not isinstance(name, str):
        return ToolCall("", _json(call), malformed=True)
    call_id = call.get("id") or call.get("call_id")
    return ToolCall(
        name, arguments if isinstance(arguments, str) else _json(arguments), call_id if isinstance(call_id, str) else ""
    )


def kind_of(text: str, display_kind: str, *, marked: bool = False) -> Kind:
    """What a message is, by its words and by what the agent wrote beside them."""
    head = text[:64].lstrip()
    if marked or head.startswith(SUMMARY_STARTS):
        return "summary"
    if head.startswith(MERGED_SUMMARY_START) and MERGED_SUMMARY_MARK in text:
        return "summary"
    return "notice" if display_kind else "message"


def size_words(size: int) -> str:
    """`812 B`, `48 KB`, `4.9 MB`."""
    if size < 1_000:
        return f"{size} B"
    for unit, step in (("KB", 1e3), ("MB", 1e6), ("GB", 1e9)):
        if size < step * 999.5 or unit == "GB":
            return f"{size / step:.1f} {unit}" if size < step * 9.95 else f"{size / step:,.0f} {unit}"
    raise AssertionError("the loop above returns")


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "…"  # what could just be read may be too deep to be said
    except (TypeError, ValueError):
        return str(value)


def searched(message: Message) -> tuple[str, ...]:
    """The texts that a search of a conversation looks through: the reasoning, what is said, the calls."""
    said = (message.text,) if message.text or message.role == "tool" or message.kind == "summary" else ()
    thought = (message.reasoning,) if message.reasoning.strip() else ()
    return (*thought, *said, *(call.text for call in message.calls))


def ordered(messages: Sequence[Message], ids: Sequence[int]) -> tuple[Message, ...]:
    """`messages` in the order of `ids`."""
    by_id = {message.id: message for message in messages}
    return tuple(by_id[message_id] for message_id in ids if message_id in by_id)
