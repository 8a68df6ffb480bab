"""What a row of the list, or the pane beside it, says about a conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hermes_tui.sessions.database import Database, Row
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.features import names, unhidden
from hermes_tui.sessions.listing import Brief
from hermes_tui.sessions.messages import message_text
from hermes_tui.sessions.salvage import salvaged
from hermes_tui.sessions.stored import text_of
from hermes_tui.sessions.titles import clean_preview, derive_title

LIVE_SECONDS = 300.0
"""A session that was not ended and wrote this recently is taken to run."""
BATCH = 50
FIRST_CHARS = 8_000
FIRST_MESSAGES = 4
KNOWN_TITLES = 512
"""A list that is typed at shows the same conversations again and again; making a title takes most of a millisecond."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A conversation in detail."""

    brief: Brief
    title: str
    """The stored title, else one derived from the first thing a person said; empty when they said nothing."""
    title_source: str
    """Who gave the title: user, llm, derived, …; empty when the database does not say."""
    derived: bool
    """Whether the title is not stored."""
    preview: str
    """The first thing a person said, on one line."""
    ended_at: float | None
    end_reason: str
    live: bool
    """Whether it most likely runs now."""
    tool_calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    """US dollars; None when nobody knows."""
    pinned: bool
    git_branch: str
    warning: str
    """What is odd about the stored session, in a sentence."""


_COLUMNS = (
    "id", "title", "title_source", "ended_at", "end_reason", "tool_call_count", "input_tokens", "output_tokens",
    "estimated_cost_usd", "actual_cost_usd", "pinned", "git_branch", "model_config",
)  # fmt: skip


def summaries(base: Database, briefs: Sequence[Brief], now: float) -> tuple[Summary, ...]:
    """The details of some conversations, in the same order; those that are gone are left out.

    Args:
        base: the database.
        briefs: some dozens of them: what is on screen.
        now: epoch seconds.
    """
    rows = _sessions(base, [id for brief in briefs for id in brief.parts])
    return tuple(
        _summary(base, brief, [rows[id] for id in brief.parts if id in rows], now)
        for brief in briefs
        if brief.id in rows
    )


def _sessions(base: Database, ids: Sequence[str]) -> dict[str, dict[str, object]]:
    columns = names(_COLUMNS, base.features().sessions)
    found: dict[str, dict[str, object]] = {}

    def read(some: Sequence[str]) -> list[Row]:
        marks = ", ".join("?" * len(some))
        return base.rows(f"SELECT {columns} FROM sessions WHERE id IN ({marks})", some)

    for start in range(0, len(ids), BATCH):
        for rows in salvaged(read, ids[start : start + BATCH], lambda _: []):
            found.update((text_of(row[0]), dict(zip(_COLUMNS, row, strict=True))) for row in rows)
    return found


def _summary(base: Database, brief: Brief, parts: Sequence[dict[str, object]], now: float) -> Summary:
    tip = parts[-1]
    named = next((part for part in reversed(parts) if part["title"]), tip)
    title = text_of(named["title"])
    said, derived = (first_words(base, brief.root), "") if title else began(base, brief.root)
    ended = moment(tip["ended_at"])
    return Summary(
        brief=brief,
        title=title or derived,
        title_source=text_of(named["title_source"]),
        derived=not title,
        preview=clean_preview(said),
        ended_at=ended,
        end_reason=text_of(tip["end_reason"]),
        live=ended is None and 0 <= now - brief.last_active < LIVE_SECONDS,
        tool_calls=_total(parts, "tool_call_count"),
        input_tokens=_total(parts, "input_tokens"),
        output_tokens=_total(parts, "output_tokens"),
        cost=_cost(parts),
        pinned=any(bool(part["pinned"]) for part in parts),
        git_branch=text_of(tip["git_branch"]),
        warning=_warning(parts),
    )


def _total(parts: Sequence[dict[str, object]], column: str) -> int:
    return sum(value for part in parts if isinstance(value := part[column], int))


def _cost(parts: Sequence[dict[str, object]]) -> float | None:
    known = [
        float(value)
        for part in parts
        if isinstance(value := part["actual_cost_usd"] or part["estimated_cost_usd"], (int, float))
    ]
    return sum(known) if known else None


def _warning(parts: Sequence[dict[str, object]]) -> str:
    import json

    for part in parts:
        config = part["model_config"]
        if isinstance(config, str) and config:
            try:
                json.loads(config)
            except (ValueError, RecursionError):
                return "The stored model_config of this session does not parse."
    return ""


def first_words(base: Database, session_id: str) -> str:
    """The first thing a person said in a session; empty when they said nothing, or it cannot be read."""
    return next((text for text in _first_messages(base, session_id) if clean_preview(text)), "")


def began(base: Database, session_id: str) -> tuple[str, str]:
    """The same, with a title out of it, or out of what they said next where it was no more than a greeting."""
    first = ""
    for text in _first_messages(base, session_id):
        first = first or (text if clean_preview(text) else "")
        if title := _title_of(text):
            return first, title
    return first, ""


@lru_cache(maxsize=KNOWN_TITLES)
def _title_of(text: str) -> str:
    return derive_title(text)


def derived_title(base: Database, session_id: str) -> str:
    """A title out of the first things a person said in a session; empty when they said nothing that makes one."""
    return began(base, session_id)[1]


def _first_messages(base: Database, session_id: str) -> Iterator[str]:
    # SQL sees nothing after a NUL, and messages with pictures begin with one.
    seen = unhidden(base.features().messages)
    sql = (
        f"SELECT CASE WHEN unicode(content) IS NULL THEN content ELSE substr(content, 1, {FIRST_CHARS}) END"
        f" FROM messages WHERE session_id = ? AND role = 'user' AND {seen} ORDER BY timestamp, id LIMIT ?"
    )
    for rows in salvaged(lambda some: base.rows(sql, (*some, FIRST_MESSAGES)), [session_id], lambda _: []):
        yield from (message_text(row[0]) for row in rows)
