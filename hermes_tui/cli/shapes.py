"""Stores and entries as JSON objects and as plain text: one place each, so that every command says the same."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent
from typing import Any

from hermes_tui.memory.entries import Usage
from hermes_tui.memory.threats import Finding
from hermes_tui.memory.view import EntryView, StoreView
from hermes_tui.text import visible


def store_shape(view: StoreView) -> dict[str, Any]:
    """A store as `memory list --json` shows it."""
    return {
        "store": view.store,
        "path": str(view.path),
        "state": view.state,
        "problem": view.problem,
        "enabled": view.enabled,
        "usage": usage_shape(view.usage),
        "entries": [_entry_shape(entry) for entry in view.entries],
    }


def usage_shape(usage: Usage) -> dict[str, int]:
    """How full a store is; the percentage goes past 100 when the store does."""
    return {"chars": usage.chars, "limit": usage.limit, "percent": usage.percent, "room": usage.room}


def _entry_shape(entry: EntryView) -> dict[str, Any]:
    return {
        "index": entry.index,
        "text": entry.text,
        "chars": entry.chars,
        "duplicate": entry.duplicate_of is not None,
        "duplicate_of": entry.duplicate_of,
        "blocked": entry.blocked,
        "findings": [finding_shape(finding) for finding in entry.findings],
    }


def finding_shape(finding: Finding) -> dict[str, Any]:
    """One finding of the threat scan."""
    return {
        "id": finding.id,
        "start": finding.start,
        "end": finding.end,
        "text": finding.text,
        "newer_pass": finding.newer_pass,
        "newer_only": finding.newer_only,
    }


def stores_text(views: Sequence[StoreView]) -> str:
    """Stores for a person to read."""
    return "\n\n".join(map(_store_text, views))


def _store_text(view: StoreView) -> str:
    off = " · off in config.yaml, the agent does not read it" if not view.enabled else ""
    usage = "cannot be read" if view.state == "unreadable" else view.usage.label
    parts = [f"{view.file_name}  {usage}{off}", f"  {view.path}"]
    if view.state == "missing":
        parts.append("  There is no such file yet.")
    elif view.problem:
        parts.append(f"  {view.problem} {view.hint}".rstrip())
    elif not view.entries:
        parts.append("  No entries.")
    parts += [f"  {note}" for note in view.notes]
    parts += [_entry_text(entry) for entry in view.entries]
    return "\n".join(parts)


def _entry_text(entry: EntryView) -> str:
    badges = [
        f"{'0.19 agents block' if finding.newer_pass else 'blocked'}: {finding.id} at character {finding.start + 1:,}"
        for finding in entry.findings
    ]
    if entry.duplicate_of is not None:
        badges.append(f"duplicate of {entry.duplicate_of}")
    body = indent(visible(entry.text), "       ", lambda _: True)[7:]
    tail = f"\n       [{' · '.join(badges)}]" if badges else ""
    return f"{entry.index:>5}  {body}{tail}"
