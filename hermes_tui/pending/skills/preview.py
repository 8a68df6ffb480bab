"""What approving a pending skill write would do: the verdict, the files before and after, and what to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hermes_tui.errors import Unreadable
from hermes_tui.home import HermesHome
from hermes_tui.memory.journal import OtherFile
from hermes_tui.pending.records import PendingRecord
from hermes_tui.pending.skills import actions
from hermes_tui.pending.skills.archive import delete
from hermes_tui.pending.skills.draft import Draft
from hermes_tui.pending.skills.refusal import Refusal, Verdict, invalid
from hermes_tui.pending.skills.roots import SKILL_FILE, SkillIndex, read_index
from hermes_tui.text import plural

MAX_OPERATIONS = 20
"""What the 0.22 line takes in one batch."""

BOOKKEEPING = "The agent's own bookkeeping (use counts, curator ledger) is not changed."

ACTIONS: Mapping[str, actions.Action] = {
    "create": actions.create,
    "edit": actions.edit,
    "patch": actions.patch,
    "write_file": actions.write_file,
    "remove_file": actions.remove_file,
}
BATCHABLE = ("create", "patch", "write_file", "remove_file")


@dataclass(frozen=True, slots=True)
class SkillPreview:
    """What approving would do."""

    verdict: Verdict
    reason: str
    """A sentence: what it does; or what stands against it, and what to do."""
    short: str
    """Two to four words for a list."""
    title: str
    """The write in a few words: `patch SKILL.md of 'demo'`."""
    changes: tuple[OtherFile, ...] = ()
    """Every file that changes, in the order to make the changes in; empty unless it applies."""
    emptied: tuple[Path, ...] = ()
    """Folders to remove afterwards if they are empty then, in this order."""
    notes: tuple[str, ...] = ()
    """What to know before deciding."""
    text_before: str = ""
    """What the changed files say now, for a diff by word; with more than one, each under its name."""
    text_after: str = ""
    """What they would say."""


def preview_skill(
    home: HermesHome,
    config_external_dirs: Sequence[Path],
    record: PendingRecord,
    *,
    index: SkillIndex | None = None,
    now: datetime | None = None,
) -> SkillPreview:
    """Work out what approving a record of the skills queue would do; reads the skills, writes nothing, never raises.

    Args:
        home: the home whose skills they are.
        config_external_dirs: the folders of `skills.external_dirs`, spelled out (see `external_dirs`).
        record: the record as read from the queue.
        index: the skills there are, where many records are previewed at one moment.
        now: the time that names a place in the archive; the present one if left out.
    """
    draft = Draft(index or read_index(home, config_external_dirs))
    title = title_of(record)
    try:
        if record.subsystem != "skills" or not record.payload:
            raise invalid(record.problem or "Invalid record: there is nothing to apply. Reject it.")
        reason = _run(draft, record.payload, now or datetime.now(UTC))
        changes = draft.changes()
    except Refusal as refusal:
        return SkillPreview(refusal.verdict, refusal.reason, refusal.short, title, notes=tuple(draft.notes))
    except Unreadable as error:
        return SkillPreview("blocked", f"{error.message} {error.hint}".strip(), "cannot be read", title)
    except (OSError, ValueError) as error:
        return SkillPreview("blocked", f"The skills cannot be read: {error}.", "cannot be read", title)
    return SkillPreview(
        "applies",
        reason,
        "applies",
        title,
        changes,
        tuple(draft.emptied),
        (*draft.notes, BOOKKEEPING),
        _spelled(draft, changes, after=False),
        _spelled(draft, changes, after=True),
    )


def _run(draft: Draft, payload: Mapping[str, Any], now: datetime) -> str:
    action = payload.get("action")
    if action == "batch":
        return _run_batch(draft, payload.get("operations"), now)
    if action == "delete":
        return delete(draft, payload, now)
    if not isinstance(action, str) or action not in ACTIONS:
        raise invalid(f"Invalid record: its action {action!r} is unknown. Reject it.")
    return ACTIONS[action](draft, payload)


def _run_batch(draft: Draft, operations: object, now: datetime) -> str:
    if not isinstance(operations, list) or not operations:
        raise invalid("Invalid record: its list of operations is empty or no list. Reject it.")
    if len(operations) > MAX_OPERATIONS:
        raise invalid(f"It holds {len(operations):,} operations; the agent takes {MAX_OPERATIONS}. Reject it.")
    if len(operations) == 1 and isinstance(operations[0], dict) and operations[0].get("action") == "delete":
        return delete(draft, operations[0], now)
    for number, operation in enumerate(operations, 1):
        action = operation.get("action") if isinstance(operation, dict) else None
        if action == "delete":
            raise invalid(f"Operation {number} is a delete, which the agent takes only on its own. Reject it.")
        if action not in BATCHABLE:
            raise invalid(f"Operation {number} has the action {action!r}, which no batch can hold. Reject it.")
    done = []
    for number, operation in enumerate(operations, 1):
        try:
            done.append(ACTIONS[operation["action"]](draft, operation))
        except Refusal as refusal:
            which = f"Operation {number} of {len(operations)}"
            raise Refusal(
                refusal.verdict, refusal.short, f"{which}: {refusal.reason} All or none of a batch is applied."
            ) from refusal
    return " ".join(done)


def title_of(record: PendingRecord) -> str:
    """A write in a few words."""
    payload = record.payload
    action, name = payload.get("action"), payload.get("name")
    called = repr(name if len(name) <= 64 else name[:63] + "…") if isinstance(name, str) else "a skill"
    given = payload.get("file_path")
    file = given if isinstance(given, str) and given else SKILL_FILE
    if action == "batch" and isinstance(payload.get("operations"), list):
        operations = payload["operations"]
        names = [str(step["name"]) for step in operations if isinstance(step, dict) and step.get("name")]
        shown = ", ".join(repr(each) for each in dict.fromkeys(names[:3]))
        return f"{plural(len(operations), 'operation', 'operations')} on {shown or 'skills'}"
    titles = {
        "create": f"create {called}",
        "edit": f"rewrite SKILL.md of {called}",
        "patch": f"patch {file} of {called}",
        "write_file": f"write {file} of {called}",
        "remove_file": f"remove {file} of {called}",
        "delete": f"delete {called}",
    }
    return titles.get(action, "invalid record") if isinstance(action, str) else "invalid record"


def _spelled(draft: Draft, changes: Sequence[OtherFile], *, after: bool) -> str:
    """The text of the changed files; of a skill that moves, its SKILL.md alone, as it is here and then gone."""
    archive = draft.index.roots[0] / ".archive"
    shown = [change for change in changes if archive not in Path(change.path).parents]
    if len(shown) < len(changes):
        shown = [change for change in shown if Path(change.path) == draft.skills[0].file]
    sides = [(change.path, change.after if after else change.before) for change in shown]
    texts = [(path, data.decode("utf-8", "replace")) for path, data in sides if data is not None]
    if len(shown) < 2:
        return texts[0][1] if texts else ""
    return "\n".join(f"{_place(draft, path)}\n{text}" for path, text in texts)


def _place(draft: Draft, path: str) -> str:
    for root in draft.index.roots:
        if root in Path(path).parents:
            return Path(path).relative_to(root).as_posix()
    return path
