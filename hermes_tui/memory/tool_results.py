"""The result objects of the memory tool and the summaries of what it stages: keys in the agent's order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hermes_tui.memory.batch import Operation, Step
from hermes_tui.memory.entries import StoreName

Result = dict[str, Any]

PREVIEW_CHARS = 80
SUMMARY_DETAIL_CHARS = 120


def failure(error: str, **extra: Any) -> Result:
    """A refusal by the store."""
    return {"success": False, "error": error, **extra}


def argument_error(error: str) -> Result:
    """A refusal of the arguments themselves: the agent puts the error first."""
    return {"error": error, "success": False}


def staged(pending_id: str) -> Result:
    """A write that now waits for a person."""
    return {
        "success": True,
        "staged": True,
        "pending_id": pending_id,
        "message": "Staged for approval (memory.write_approval is on). Not yet saved — review with /memory pending.",
    }


def preview(entry: str) -> str:
    """The start of an entry, as listed where several match."""
    return entry if len(entry) <= PREVIEW_CHARS else f"{entry[:PREVIEW_CHARS]}..."


def old_text_keys(action: str, before: str, after: str | None) -> Result:
    """What the 0.22 line tells about the text that went."""
    if action == "patch":
        return {"patched_entry_before": before, "patched_entry_after": after}
    return {"replaced_entry" if action == "replace" else "removed_entry": before}


def batch_old_texts(operations: Sequence[Operation], steps: Sequence[Step]) -> Result:
    """The same for a batch: numbers of the operations, from 1, with the text each found."""
    found: dict[str, dict[str, str]] = {
        "replaced_entries": {},
        "patched_entries": {},
        "patched_entries_after": {},
        "removed_entries": {},
    }
    names = {"replace": "replaced_entries", "patch": "patched_entries", "remove": "removed_entries"}
    for number, (operation, step) in enumerate(zip(operations, steps, strict=True), 1):
        if step.before is None:
            continue
        found[names[operation.action]][str(number)] = step.before
        if operation.action == "patch" and step.after is not None:
            found["patched_entries_after"][str(number)] = step.after
    return {name: texts for name, texts in found.items() if texts}


def _place(store: StoreName) -> str:
    return "user profile" if store == "user" else "memory"


def single_summary(store: StoreName, action: str, content: str, old_text: str, *, whole: bool) -> str:
    """The line that lists show for a staged write; `whole` adds what becomes of the entry, as the 0.22 line does."""
    if action == "add":
        head, detail = "add to", content
    elif action == "remove":
        head, detail = "remove from", old_text
    elif whole:
        part = "whole entry" if action == "replace" else f"span '{old_text}'"
        head, detail = f"{action} in", f"entry matching: {old_text}\n{part} becomes: {content}"
    else:
        head, detail = f"{action} in", f"old: {old_text}\nnew: {content}"
    return f"{head} {_place(store)}: {detail[:SUMMARY_DETAIL_CHARS]}"


def batch_summary(store: StoreName, operations: Sequence[Operation]) -> str:
    """The line that lists show for a staged batch."""
    lines = []
    for operation in operations:
        if operation.action == "remove":
            lines.append(f"- remove: {operation.old_text}")
        elif operation.action in ("replace", "patch"):
            lines.append(f"- {operation.action}: {operation.old_text} -> {operation.content}")
        else:
            lines.append(f"- {operation.action or '?'}: {operation.content}")
    detail = "\n".join(lines)[:SUMMARY_DETAIL_CHARS]
    return f"apply {len(operations)} op(s) to {_place(store)}: {detail}"
