"""Conversations, hits and messages as JSON objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hermes_tui.sessions.checkup import Checkup, index_words
from hermes_tui.sessions.gathering import Hit
from hermes_tui.sessions.messages import Message, State
from hermes_tui.sessions.search import Found
from hermes_tui.sessions.summaries import Summary
from hermes_tui.sessions.transcript import Part

Shape = dict[str, Any]
Mask = Callable[[str], str]


def masked_summary(summary: Summary) -> Summary:
    """A conversation without what looks like a secret in its title and its preview."""
    from hermes_tui.redaction import redact

    return replace(summary, title=redact(summary.title), preview=redact(summary.preview))


def masked_found(found: Found) -> Found:
    """What was found, without what looks like a secret in its lines; a match within one marks its mask."""
    from hermes_tui.redaction.marked import masked

    hits = []
    for hit in found.hits:
        snippet, marks = masked(hit.snippet, hit.marks)
        hits.append(replace(hit, snippet=snippet, marks=tuple(marks)))
    return replace(found, summary=masked_summary(found.summary), hits=tuple(hits))


def summary_shape(summary: Summary) -> Shape:
    """A conversation as `sessions list --json` shows it."""
    brief = summary.brief
    return {
        "id": brief.id,
        "title": summary.title or None,
        "title_source": "derived" if summary.derived and summary.title else summary.title_source or None,
        "preview": summary.preview,
        "source": brief.source,
        "model": brief.model or None,
        "started_at": brief.started_at or None,
        "last_active": brief.last_active or None,
        "messages": brief.messages,
        "lineage": list(brief.parts),
        "archived": brief.archived,
        "kind": brief.kind,
        "cwd": brief.cwd or None,
        "live": summary.live,
        "ended_at": summary.ended_at,
        "end_reason": summary.end_reason or None,
        "tool_calls": summary.tool_calls,
        "input_tokens": summary.input_tokens,
        "output_tokens": summary.output_tokens,
        "cost_usd": summary.cost,
        "pinned": summary.pinned,
        "warning": summary.warning,
    }


def found_shape(found: Found) -> Shape:
    """A conversation with the places in it that match."""
    brief = found.summary.brief
    return {
        "session_id": brief.id,
        "title": found.summary.title or None,
        "last_active": brief.last_active or None,
        "hits": [_hit_shape(hit) for hit in found.hits],
        "more_hits": found.more,
        "reading": found.reading,
        "source": brief.source,
        "kind": brief.kind,
        "archived": brief.archived,
        "lineage": list(brief.parts),
    }


def _hit_shape(hit: Hit) -> Shape:
    return {
        "session_id": hit.session_id,
        "message_id": hit.message_id or None,
        "role": hit.role or None,
        "timestamp": hit.timestamp,
        "snippet": hit.snippet,
        "marks": [list(mark) for mark in hit.marks],
        "kind": hit.kind,
    }


def message_shape(message: Message, mask: Mask) -> Shape:
    """A message of a transcript."""
    return {
        "id": message.id,
        "session_id": message.session_id,
        "role": message.role,
        "state": message.state.name.lower(),
        "kind": message.kind,
        "timestamp": message.timestamp,
        "text": mask(message.text),
        "calls": [
            {"name": call.name, "arguments": mask(call.arguments), "call_id": call.call_id} for call in message.calls
        ],
        "reasoning": mask(message.reasoning),
        "tool_name": message.tool_name or None,
        "tool_call_id": message.tool_call_id or None,
    }


def part_shape(part: Part) -> Shape:
    """One session of a conversation."""
    return {
        "id": part.id,
        "title": part.title or None,
        "source": part.source,
        "model": part.model or None,
        "cwd": part.cwd or None,
        "started_at": part.started_at,
        "end_reason": part.end_reason or None,
        "messages": part.counted,
    }


def checkup_shape(found: Checkup) -> Shape:
    """The state of the database."""
    features = found.features
    return {
        "path": str(found.path),
        "state": found.state,
        "problem": found.problem,
        "hint": found.hint,
        "schema_version": features.schema_version if features else None,
        "journal": found.journal or None,
        "index": index_words(features) if features else None,
        "unindexed": found.unindexed,
        "sessions": found.sessions,
        "size": found.size,
        "free": found.free,
        "missing": list(features.missing) if features else [],
    }


def is_shown(message: Message, *, everything: bool) -> bool:
    """Whether a message belongs to a transcript: not what was undone, nor the agent's bookkeeping."""
    return everything or message.state not in (State.REWOUND, State.HIDDEN)


def totals(counts: Sequence[tuple[str, int, int]]) -> list[Shape]:
    """Sessions and messages by source, the most first."""
    ordered = sorted(counts, key=lambda row: (-row[1], row[0]))
    return [{"source": source, "sessions": sessions, "messages": messages} for source, sessions, messages in ordered]
