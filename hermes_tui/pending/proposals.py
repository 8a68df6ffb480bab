"""What records propose: the texts in them, and a record in a few words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hermes_tui.memory.entries import DELIMITER, FILE_NAMES
from hermes_tui.pending.records import PendingRecord
from hermes_tui.pending.skills.preview import title_of
from hermes_tui.text import first_words, one_line

NAMED_CELLS = 40
"""Of the text that a record proposes, where it stands for the record."""


def steps_of(record: PendingRecord) -> list[Mapping[str, Any]]:
    """The operations of a batch as far as they are any, or the one that a record is; also for a broken one."""
    operations = record.payload.get("operations") if record.action == "batch" else [record.payload]
    return [raw for raw in operations if isinstance(raw, dict)] if isinstance(operations, list) else []


def text_in(raw: Mapping[str, Any], name: str) -> str:
    """A text of an operation; empty where there is none."""
    value = raw.get(name)
    return value if isinstance(value, str) else ""


def proposed_of(raw: Mapping[str, Any]) -> str:
    """The text that one operation brings, exactly as the payload holds it."""
    names = ("content", "new_text", "file_content", "new_string")
    return next((text for name in names if (text := text_in(raw, name))), "")


def proposed_text(record: PendingRecord) -> str:
    """The exact text that a record proposes; for a removal the entry that would go, else the record's payload."""
    steps = steps_of(record)
    texts = [proposed_of(raw) for raw in steps]
    found = DELIMITER.join(text for text in texts if text)
    if found:
        return found
    gone = [text_in(raw, "matched_entry") or text_in(raw, "old_text") for raw in steps]
    return DELIMITER.join(text for text in gone if text) or json.dumps(record.body, indent=2, ensure_ascii=False)


def proposal_of(record: PendingRecord) -> str:
    """The same for records that ask for the same; a broken record is like no other."""
    if record.problem:
        return str(record.path)
    return json.dumps([record.subsystem, record.store, record.payload], sort_keys=True)


def named(record: PendingRecord) -> str:
    """A record as a person would name it: `“Likes tea” (add in MEMORY.md)`, `patch SKILL.md of 'tea'`."""
    if record.subsystem == "skills":
        return one_line(title_of(record), 2 * NAMED_CELLS)
    words = one_line(first_words(proposed_text(record)), NAMED_CELLS)
    where = f" in {FILE_NAMES[record.store]}" if record.store else ""
    return f"“{words}” ({record.action or 'a record'}{where})"
