"""The conversations of the demo home as data: read from `data/sessions`, with every message at its time."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hermes_tui.demo.long_output import build_log

FOLDER = Path(__file__).parent / "data" / "sessions"

UNIT_SECONDS = {"d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0}
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

Kind = Literal["compression", "branch", "delegate"]
State = Literal["live", "rewound", "compacted"]

IMAGE_MARK = "\x00json:"
"""What the agent puts before content that is a list of parts."""


@dataclass(frozen=True, slots=True)
class Message:
    """One row to be."""

    at: float
    role: str
    content: str
    tool_calls: str | None = None
    """The JSON list that the agent keeps."""
    tool_call_id: str | None = None
    tool_name: str | None = None
    reasoning: str | None = None
    state: State = "live"


@dataclass(frozen=True, slots=True)
class Conversation:
    """One session to be."""

    key: str
    """Its name in the data files."""
    id: str
    source: str
    model: str
    title: str | None
    started_at: float
    ended_at: float | None
    end_reason: str | None
    parent: str | None
    """The key of the session it came from."""
    kind: Kind | None
    cwd: str | None
    archived: bool
    messages: tuple[Message, ...]


def read_conversations(now: float) -> list[Conversation]:
    """Every conversation, oldest first; the same for the same `now` and time zone."""
    found: dict[str, Conversation] = {}
    for path in sorted(FOLDER.glob("*.json")):
        for entry in json.loads(path.read_text("utf-8")):
            found[entry["key"]] = _conversation(entry, now, found.get(entry.get("parent")))
    return sorted(found.values(), key=lambda made: (made.started_at, made.key))


def spoken(seed: str, lines: Sequence[Mapping[str, Any]], times: Sequence[float]) -> Iterator[Message]:
    """The lines of a data file as messages; the seed decides the ids of the tool calls."""
    waiting: list[tuple[str, str]] = []
    """Calls that have no result yet: their ids and tools."""
    for number, (line, at) in enumerate(zip(lines, times, strict=True)):
        state: State = line.get("state", "live")
        if "user" in line:
            yield Message(at, "user", _user_content(line), state=state)
        elif "result" in line:
            call_id, tool = waiting.pop(0)
            result = _written_result(line["result"])
            yield Message(at, "tool", result, tool_call_id=call_id, tool_name=tool, state=state)
        else:
            calls = line.get("calls", ())
            written, ids = _written_calls(calls, f"{seed}/{number}") if calls else (None, [])
            waiting += [(call_id, call[0]) for call_id, call in zip(ids, calls, strict=True)]
            thought = line.get("reasoning")
            content = joined(line["assistant"])
            yield Message(at, "assistant", content, written, reasoning=thought and joined(thought), state=state)


def session_suffix(key: str) -> str:
    """The end of the id of a session that began in a terminal."""
    return _hex(key, 6)


def seconds(length: str) -> float:
    """A length of time of the data files: "3d 4h", "58m", "9s"."""
    return sum(float(word[:-1]) * UNIT_SECONDS[word[-1]] for word in length.split())


def moment(when: str, now: float) -> float:
    """A time of the data files: "3d 4h" before now, or "34 tue 10:14", in the 34th week before this one."""
    words = when.split()
    if len(words) != 3 or words[1] not in WEEKDAYS:
        return now - seconds(when)
    today = time.localtime(now)
    days = today.tm_mday - today.tm_wday - 7 * int(words[0]) + WEEKDAYS.index(words[1])
    hour, minute = words[2].split(":")
    second = random.Random(when).randrange(60)
    return time.mktime((today.tm_year, today.tm_mon, days, int(hour), int(minute), second, 0, 0, -1))


def joined(content: object) -> str:
    """A text of the data files: one string, or a list of its lines."""
    return content if isinstance(content, str) else "\n".join(content)  # type: ignore[arg-type]


def _conversation(entry: Mapping[str, Any], now: float, parent: Conversation | None) -> Conversation:
    key = entry["key"]
    begin = _begin(entry, now, parent)
    times = list(_times(entry, now, begin))
    messages = tuple(spoken(key, entry["messages"], times))
    started_at = times[0] if times else begin
    ended_at = None
    if entry.get("end"):
        ended_at = (times[-1] if times else started_at) + random.Random(f"{key} end").uniform(2.0, 58.0)
    return Conversation(
        key,
        _session_id(entry, started_at),
        entry["source"],
        entry["model"],
        entry.get("title"),
        started_at,
        ended_at,
        entry.get("end"),
        entry.get("parent"),
        entry.get("kind"),
        entry.get("cwd"),
        entry.get("archived", False),
        messages,
    )


def _session_id(entry: Mapping[str, Any], started_at: float) -> str:
    stamp = time.strftime("%Y%m%d_%H%M%S", time.localtime(started_at))
    if entry["source"] == "cron":
        return f"cron_{_hex(entry['job'], 12)}_{stamp}"
    in_chat = entry["source"] in ("telegram", "discord")
    return f"{stamp}_{_hex(entry['key'], 8) if in_chat else session_suffix(entry['key'])}"


def _written_calls(calls: Sequence[Sequence[Any]], seed: str) -> tuple[str, list[str]]:
    """Tool calls as the agent keeps them, and the id of each."""
    ids = [f"call_{_hex(f'{seed}/{number}', 8)}" for number in range(len(calls))]
    shaped = [
        {
            "id": call_id,
            "call_id": call_id,
            "response_item_id": f"fc_{call_id.removeprefix('call_')}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)},
        }
        for call_id, (name, arguments) in zip(ids, calls, strict=True)
    ]
    return json.dumps(shaped, ensure_ascii=False), ids


def _written_result(result: object) -> str:
    """What a tool answered as the agent keeps it: what it printed or read is one text."""
    if isinstance(result, str):
        return result
    assert isinstance(result, dict)
    texts = {key: _text_of(result[key]) for key in ("output", "content") if key in result}
    return json.dumps({**result, **texts}, ensure_ascii=False)


def _user_content(message: Mapping[str, Any]) -> str:
    text = joined(message["user"])
    if "image" not in message:
        return text
    data = base64.b64encode((FOLDER / message["image"]).read_bytes()).decode()
    parts = [
        {"type": "text", "text": text},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}},
    ]
    return IMAGE_MARK + json.dumps(parts, ensure_ascii=False)


def _begin(entry: Mapping[str, Any], now: float, parent: Conversation | None) -> float:
    """When a session began: at a time of its own, by a message of its parent, or where that one ended."""
    if "when" in entry:
        return moment(entry["when"], now)
    if parent is None:
        return now  # one of its messages says when
    if "after" in entry:
        return round(parent.messages[int(entry["after"]) - 1].at + 0.8, 3)
    return round((parent.ended_at or parent.started_at) + 0.2, 3)


def _times(entry: Mapping[str, Any], now: float, begin: float) -> Iterator[float]:
    """When each message was said: `ago` fixes one, the others follow at the pace of people and machines."""
    pace = random.Random(entry["key"])
    gaps = [_gap(message, pace) for message in entry["messages"]]
    fixed = {at: now - seconds(message["ago"]) for at, message in enumerate(entry["messages"]) if "ago" in message}
    moment = 0.0
    if gaps:
        first = min(fixed, default=0)
        moment = (fixed[first] if fixed else begin) - sum(gaps[1 : first + 1])
    for at, gap in enumerate(gaps):
        moment = round(fixed[at] if at in fixed else moment + (gap if at else 0.0), 3)
        yield moment


def _gap(message: Mapping[str, Any], pace: random.Random) -> float:
    """The seconds before a message."""
    if "pause" in message:
        return seconds(message["pause"])
    if "result" in message:
        return pace.uniform(0.2, 2.5)
    if "user" in message:
        return 6.0 + len(joined(message["user"])) / 7 + pace.uniform(4.0, 75.0)
    return 1.5 + len(joined(message["assistant"])) / 60 + pace.uniform(0.5, 5.0)


def _hex(seed: str, digits: int) -> str:
    return hashlib.sha1(seed.encode(), usedforsecurity=False).hexdigest()[:digits]


def _text_of(value: Any) -> str:
    return build_log(value["build_log_pages"]) if isinstance(value, dict) else joined(value)
