"""What a deletion would do, and what can be taken back, as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hermes_tui.sessions.dates import to_the_minute
from hermes_tui.sessions.messages import size_words
from hermes_tui.sessions.upkeep.changes import Step
from hermes_tui.sessions.upkeep.deletion import Doomed, Other, Plan
from hermes_tui.text import one_line, plural

Shape = dict[str, Any]
LISTED = 10
TITLE_CELLS = 60


def plan_shape(plan: Plan) -> Shape:
    """A plan as JSON."""
    return {
        "conversations": [
            {
                "id": each.id,
                "lineage": list(each.parts),
                "delegates": list(each.delegates),
                "title": each.title or None,
                "messages": each.messages,
                "bytes": each.bytes,
                "last_active": each.last_active,
                "in_use": each.in_use or None,
                "pinned": each.pinned,
            }
            for each in plan.doomed
        ],
        "delegates": [_other_shape(other) for other in plan.delegates],
        "surfacing": [_other_shape(other) for other in plan.surfacing],
        "messages": plan.messages,
        "bytes": plan.bytes,
        "files": [str(path) for path in plan.files],
        "left_alone": [{"id": each.id, "title": each.title or None, "reason": each.reason} for each in plan.left_alone],
        "missing": list(plan.missing),
        "slow": plan.slow or None,
    }


def _other_shape(other: Other) -> Shape:
    return {"id": other.id, "title": other.title or None, "kind": other.kind}


def plan_text(plan: Plan) -> str:
    """A plan in words: the first of each kind, and counts of the others."""
    size = size_words(plan.bytes)
    lines = [f"{plural(len(plan.doomed), 'conversation')} with {plural(plan.messages, 'message')} ({size} of text)."]
    lines += _some([_doomed_words(each) for each in plan.doomed])
    if plan.delegates:
        verb = "is" if len(plan.delegates) == 1 else "are"
        lines.append(f"{plural(len(plan.delegates), 'subagent run')} {verb} deleted too.")
    if plan.surfacing:
        branches = sum(other.kind == "branch" for other in plan.surfacing)
        rest = len(plan.surfacing) - branches
        if branches:
            lines.append(f"{plural(branches, 'branch', 'branches')} {'is' if branches == 1 else 'are'} kept.")
        if rest:
            lines.append(f"{plural(rest, 'session')} that belonged to them will stand in the list by "
                         f"{'itself' if rest == 1 else 'themselves'}.")  # fmt: skip
        lines += _some([f"{other.id}  {one_line(other.title, TITLE_CELLS)}  {other.kind}" for other in plan.surfacing])
    if plan.files:
        lines.append(
            f"{plural(len(plan.files), 'file')} beside the database {'goes' if len(plan.files) == 1 else 'go'}."
        )
    lines += [plan.slow] if plan.slow else []
    if plan.left_alone:
        lines.append(f"{plural(len(plan.left_alone), 'conversation')} left alone:")
        lines += _some([f"{each.id}  {one_line(each.title, TITLE_CELLS)}  {each.reason}" for each in plan.left_alone])
    if plan.missing:
        lines.append(f"Deleted already: {', '.join(plan.missing[:LISTED])}.")
    return "\n".join(lines)


def _doomed_words(each: Doomed) -> str:
    facts = [each.id, one_line(each.title, TITLE_CELLS), plural(each.messages, "message")]
    if len(each.parts) > 1:
        facts.append(f"{len(each.parts)} parts")
    facts += ["pinned"] if each.pinned else []
    facts += [each.in_use] if each.in_use else []
    return "  ".join(fact for fact in facts if fact)


def _some(lines: Sequence[str]) -> list[str]:
    more = [f"  … and {len(lines) - LISTED:,} more"] if len(lines) > LISTED else []
    return [f"  {line}" for line in lines[:LISTED]] + more


def steps_shape(steps: Sequence[Step]) -> list[Shape]:
    """The steps that can be taken back, as JSON."""
    return [
        {"id": step.id, "at": step.at, "kind": step.kind, "label": step.label, "bytes": step.size} for step in steps
    ]


def steps_text(steps: Sequence[Step]) -> str:
    """The steps that can be taken back, one on a line."""
    if not steps:
        return "There is nothing to take back."
    return "\n".join(
        f"{step.id}  {to_the_minute(step.at)}  {one_line(step.label, TITLE_CELLS)}"
        f"{f'  {size_words(step.size)} kept' if step.size else ''}"
        for step in steps
    )
