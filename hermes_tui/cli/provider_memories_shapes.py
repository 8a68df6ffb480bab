"""Memories of a provider as JSON, and as lines."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hermes_tui.text import one_line, plural

if TYPE_CHECKING:
    from hermes_tui.providers.facts import Fact
    from hermes_tui.providers.remote import Memory, Representation

TEXT_CELLS = 160


def memory_shape(memory: Memory) -> dict[str, object]:
    """One memory as it is given to a script: raw and whole."""
    return {
        "id": memory.id or None,
        "text": memory.text,
        "created_at": memory.created_at,
        "score": memory.score,
        "kind": memory.kind or None,
        "extra": dict(memory.extra),
    }


def memory_text(memory: Memory) -> str:
    """One memory in a line."""
    facts = [memory.id or "no id", memory.kind, _day(memory.created_at)]
    if memory.score is not None:
        facts.append(f"score {memory.score:.2f}")
    facts += [f"{name} {value}" for name, value in memory.extra.items() if name in ("about", "document")]
    return f"{one_line(memory.text, TEXT_CELLS)}  ({' · '.join(filter(None, facts))})"


def fact_shape(fact: Fact) -> dict[str, object]:
    """One fact as it is given to a script: raw and whole."""
    return {
        "id": str(fact.id),
        "text": fact.text,
        "created_at": fact.created_at,
        "updated_at": fact.updated_at,
        "kind": fact.category,
        "tags": fact.tags,
        "trust": fact.trust,
        "entities": list(fact.entities),
        "retrieved": fact.retrieved,
        "helpful": fact.helpful,
    }


def fact_text(fact: Fact) -> str:
    """One fact in a line."""
    trust = "no trust" if fact.trust is None else f"trust {fact.trust:.2f}"
    facts = [str(fact.id), fact.category, trust, f"recalled {plural(fact.retrieved, 'time')}", _day(fact.created_at)]
    return f"{one_line(fact.text, TEXT_CELLS)}  ({' · '.join(filter(None, facts))})"


def representation_shape(found: Representation) -> dict[str, object]:
    """What Honcho makes of a person, as it is given to a script."""
    return {
        "about": found.about,
        "observer": found.observer,
        "card": list(found.card),
        "text": found.text,
        "conclusions": [memory_shape(memory) for memory in found.conclusions],
    }


def representation_text(found: Representation) -> str:
    """The same to be read."""
    lines = [f"{found.about}, as {found.observer} sees them:"]
    lines += [f"  {line}" for line in found.card] or ["  There is no card."]
    if found.text.strip():
        lines += ["", found.text.strip()]
    if found.conclusions:
        lines += ["", "Newest conclusions:", *(f"  {memory_text(memory)}" for memory in found.conclusions)]
    return "\n".join(lines)


def _day(seconds: float | None) -> str:
    if seconds is None:
        return ""
    try:
        return datetime.fromtimestamp(seconds, UTC).astimezone().strftime("%Y-%m-%d")
    except (ValueError, OverflowError, OSError):
        return ""
