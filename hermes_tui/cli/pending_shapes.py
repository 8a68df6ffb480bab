"""Pending writes as JSON objects and as plain text, so that every command says the same about one."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from difflib import unified_diff
from itertools import islice
from typing import Any

from hermes_tui.cli.shapes import finding_shape, usage_shape
from hermes_tui.config import HermesConfig
from hermes_tui.memory.entries import FILE_NAMES, StoreName
from hermes_tui.memory.view import StoreView
from hermes_tui.pending.preview import Preview, Simulation
from hermes_tui.pending.proposals import steps_of
from hermes_tui.pending.records import PendingRecord
from hermes_tui.pending.review import Failed
from hermes_tui.text import ago, one_line, plural, visible

Views = Mapping[StoreName, StoreView]

WHOLE_LINES = 12
"""Texts that take more lines than this together are shown as a difference; `show --json` has them whole."""
SAID_CELLS = 160
"""So much of a text is said after a decision."""
PREPOSITIONS = {"add": "to", "remove": "from"}


def gate_shape(config: HermesConfig) -> dict[str, bool]:
    """Whether the agent's writes wait for approval, for either subsystem."""
    return {"memory": config.write_approval, "skills": config.skills_write_approval}


def gate_text(config: HermesConfig) -> str:
    """The same in words."""
    return " · ".join(f"{name} {'on' if on else 'off'}" for name, on in gate_shape(config).items())


def preview_shape(result: Preview) -> dict[str, Any]:
    """One pending write as `pending list --json` shows it."""
    record = result.record
    return {
        "id": record.id,
        "file": str(record.path),
        "subsystem": record.subsystem,
        "action": record.action,
        "store": record.store,
        "origin": record.origin,
        "created_at": record.created_at,
        "verdict": result.verdict,
        "reason": result.reason,
        "hash": record.digest,
        "before": result.before,
        "after": result.after,
        "usage_after": usage_shape(result.usage_after) if result.usage_after else None,
        "short": result.short,
        "operations": len(steps_of(record)),
        "summary": record.summary,
        "notes": [*record.notes, *result.notes],
    }


def full_shape(result: Preview) -> dict[str, Any]:
    """One pending write with all that is known about it, as `pending show --json` gives it."""
    return {
        **preview_shape(result),
        "from_review": result.record.from_review,
        "steps": [{"before": step.before, "after": step.after} for step in result.steps],
        "findings": [finding_shape(finding) for finding in result.findings],
        "closest": list(result.closest),
        "record": dict(result.record.body),
    }


def failed_shape(failure: Failed) -> dict[str, Any]:
    """A write that was not decided, and why."""
    return {"id": failure.id, "verdict": failure.verdict, "reason": failure.reason}


def simulation_shape(outcome: Simulation) -> dict[str, Any]:
    """A queue worked through in order on a copy."""
    names = ("id", "store", "verdict", "reason", "short", "usage_after")
    shapes = [preview_shape(result) for result in outcome.results]
    return {
        "results": [{name: shape[name] for name in names} for shape in shapes],
        "fitting": list(outcome.fitting),
        "missing_room": dict(outcome.missing_room),
    }


def previews_text(results: Sequence[Preview]) -> str:
    """Pending writes for a person to read: one a block, the verdict first."""
    return "\n\n".join(_block(result) for result in results)


def show_text(result: Preview) -> str:
    """One pending write with all that is known about it."""
    parts = [_block(result), f"    {result.record.path}", f"    hash {result.record.digest or 'none'}"]
    parts += [f"    close to it: {_lines(entry, '| ')}" for entry in result.closest]
    return "\n".join(parts)


def said_text(result: Preview, step: int | None = None, new: str | None = None) -> str:
    """What a write, or one operation of it, does with which text, in a line: to say after a decision."""
    record = result.record
    change = result.steps[step - 1] if step is not None and step <= len(result.steps) else result
    where = f" {PREPOSITIONS.get(record.action, 'in')} {FILE_NAMES[record.store]}" if record.store else ""
    texts = [_said(text) for text in (change.before, change.after if new is None else new) if text]
    said = " → ".join(f"“{text}”" for text in texts) or _said(record.summary)
    return visible(f"{record.action or 'write'}{where}, {said}", multiline=False)


def _said(text: str) -> str:
    return one_line(" ".join(text.split()), SAID_CELLS)


def _block(result: Preview) -> str:
    record = result.record
    parts = [f"{result.short:<14}  {record.id}  {_headline(record)}"]
    parts += [f"    {line}" for line in _change(result.before, result.after)]
    if result.reason:
        parts.append(f"    {_lines(result.reason, '')}")
    parts += [f"    {_lines(note, '')}" for note in (*record.notes, *result.notes)]
    if record.store and result.can_apply and result.usage_after:
        parts.append(f"    {FILE_NAMES[record.store]} after it: {result.usage_after.label}")
    return "\n".join(parts)


def _headline(record: PendingRecord) -> str:
    if record.store:
        what = f"{record.action} {PREPOSITIONS.get(record.action, 'in')} {FILE_NAMES[record.store]}"
    else:
        name = record.payload.get("name")
        skill = f" of skill {name}" if record.subsystem == "skills" and isinstance(name, str) else ""
        what = f"{record.action or 'write'}{skill}" if skill or record.action else f"a {record.subsystem} write"
    age = f"{ago(time.time() - record.created_at)} ago" if record.created_at else ""
    who = "background review" if record.from_review else record.origin
    return visible(" · ".join(part for part in (what, age, who) if part), multiline=False)


def _change(before: str | None, after: str | None) -> list[str]:
    """Both texts line by line with - and + before them; of long ones only where they differ."""
    old = visible(before).split("\n") if before is not None else []
    new = visible(after).split("\n") if after is not None else []
    if not old or not new or len(old) + len(new) <= WHOLE_LINES:
        return [*(f"- {line}" for line in old), *(f"+ {line}" for line in new)]
    lines = islice(unified_diff(old, new, n=1, lineterm=""), 2, None)
    return ["…" if line.startswith("@@") else f"{line[0]} {line[1:]}" for line in lines]


def _lines(text: str, mark: str) -> str:
    """A text of several lines with a mark before each, indented as a block."""
    return "\n    ".join(mark + line for line in visible(text).split("\n"))


def simulation_text(outcome: Simulation) -> str:
    """What would become of the queue, for a person to read."""
    lines = [f"{result.short:<14}  {result.record.id}  {_headline(result.record)}" for result in outcome.results]
    fits = sum(result.can_apply for result in outcome.results)
    lines += ["", f"In this order {fits} of {plural(len(outcome.results), 'write')} can be approved."]
    if len(outcome.fitting) != fits:
        lines.append(f"The most that fit together are {len(outcome.fitting)}: {' '.join(outcome.fitting)}")
    lines += [
        f"For all of them {FILE_NAMES[store]} lacks {plural(missing, 'character')} of room."
        for store, missing in outcome.missing_room.items()
    ]
    return "\n".join(lines)
