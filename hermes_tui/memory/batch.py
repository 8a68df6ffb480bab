"""Several operations on one store, worked out on a copy: all of them, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hermes_tui.errors import Refused
from hermes_tui.memory.matching import closest, find, occurrences


@dataclass(frozen=True, slots=True)
class Rules:
    """In what the two lines of the agent differ when they look for an entry."""

    whole_first: bool = True
    """A text that equals an entry names that entry, whatever else contains it."""
    folded: bool = True
    """When nothing matches literally, quotes, dashes and white space are evened out."""
    actions: tuple[str, ...] = ("add", "replace", "patch", "remove")


@dataclass(frozen=True, slots=True)
class Operation:
    """One step of a batch, as the agent's tool names its parts."""

    action: str
    content: str = ""
    old_text: str = ""


def operations_from(raw: Sequence[Mapping[str, Any]]) -> list[Operation]:
    """The operations in decoded JSON objects.

    Raises:
        Refused: a part that should be text is something else.
    """
    found = []
    for number, entry in enumerate(raw, 1):
        parts = {name: entry.get(name) for name in ("action", "content", "old_text")}
        for name, value in parts.items():
            if value is not None and not isinstance(value, str):
                raise Refused(
                    f"Operation {number}: {name} must be text, not {type(value).__name__}. Nothing was written.",
                    code="bad_operation",
                )
        found.append(Operation(*(value or "" for value in parts.values())))
    return found


@dataclass(frozen=True, slots=True)
class Step:
    """What one operation did: the entry it hit and what that became (None: added, or removed)."""

    before: str | None
    after: str | None


class StepFailed(Refused):
    """An operation that cannot be carried out, and with it the whole batch."""

    def __init__(
        self,
        number: int,
        operation: Operation,
        reason: str,
        *,
        code: str,
        closest_entries: Sequence[str] = (),
    ) -> None:
        super().__init__(
            f"Operation {number} ({operation.action or 'unknown'}): {reason} Nothing was written.",
            code=code,
            hint="A batch is all or nothing: mend that step and send it again.",
        )
        self.number = number
        self.operation = operation
        self.reason = reason
        self.closest_entries = list(closest_entries)


@dataclass(slots=True)
class Walk:
    """A batch being worked out on a copy of the entries."""

    entries: list[str]
    rules: Rules = field(default_factory=Rules)
    steps: list[Step] = field(default_factory=list)

    def take(self, operation: Operation, pinned: str | None = None) -> None:
        """Carry out one operation on the copy.

        Args:
            operation: what to do.
            pinned: the exact entry that is meant; no other will do, whatever matches.

        Raises:
            StepFailed: it cannot be carried out.
        """
        number = len(self.steps) + 1
        if operation.action not in self.rules.actions:
            *most, last = self.rules.actions
            raise StepFailed(number, operation, f"unknown action. Use {', '.join(most)}, or {last}.", code="unknown")
        content = operation.content if operation.action == "patch" else operation.content.strip()
        if operation.action != "remove" and not content.strip():
            raise StepFailed(number, operation, "content is required.", code="no_content")
        if operation.action == "add":
            if content not in self.entries:
                self.entries.append(content)
            self.steps.append(Step(None, content))
            return
        at = self._locate(number, operation, pinned)
        before = self.entries[at]
        if operation.action == "remove":
            del self.entries[at]
            self.steps.append(Step(before, None))
            return
        after = content if operation.action == "replace" else self._patched(number, operation, before)
        self.entries[at] = after
        self.steps.append(Step(before, after))

    def _locate(self, number: int, operation: Operation, pinned: str | None) -> int:
        if pinned is not None:
            if pinned in self.entries:
                return self.entries.index(pinned)
            near = closest(self.entries, pinned)
            raise StepFailed(
                number, operation, "the entry it was meant for has changed since.", code="stale", closest_entries=near
            )
        wanted = operation.old_text if operation.action == "patch" else operation.old_text.strip()
        if not wanted.strip():
            raise StepFailed(number, operation, "old_text is required.", code="no_old_text")
        match = find(self.entries, wanted, whole_first=self.rules.whole_first, folded=self.rules.folded)
        if match.ambiguous:
            raise StepFailed(
                number,
                operation,
                f"'{wanted}' matched multiple distinct entries -- be more specific.",
                code="ambiguous",
            )
        if match.at is None:
            near = closest(self.entries, wanted)
            raise StepFailed(number, operation, f"no entry matched '{wanted}'.", code="no_match", closest_entries=near)
        return match.at

    def _patched(self, number: int, operation: Operation, before: str) -> str:
        reason = patch_problem(before, operation.old_text, operation.content)
        if reason:
            raise StepFailed(number, operation, reason, code="patch")
        return before.replace(operation.old_text, operation.content, 1)


def patch_problem(entry: str, span: str, text: str) -> str:
    """Why `span` cannot give way to `text` in `entry`; empty when it can."""
    times = occurrences(entry, span)
    if times > 1:
        return f"'{span}' appears {times} times in the matched entry, and a patch changes one span; give more text."
    if not times or span == text:
        return f"Patch is a no-op: '{span}' -> '{text}' leaves the entry unchanged."
    return ""


def apply_operations(entries: Sequence[str], operations: Sequence[Operation], rules: Rules | None = None) -> list[str]:
    """The entries after all operations.

    Raises:
        StepFailed: one of them cannot be carried out.
    """
    walk = Walk(list(entries), rules or Rules())
    for operation in operations:
        walk.take(operation)
    return walk.entries
