"""The agent's own memory tool, spoken in either dialect: its arguments in, its JSON result out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hermes_tui.errors import HermesTuiError
from hermes_tui.memory.batch import Operation, StepFailed, Walk, patch_problem
from hermes_tui.memory.dialects import Dialect
from hermes_tui.memory.entries import FILE_NAMES, STORES, StoreName, Usage, count, unique
from hermes_tui.memory.matching import closest, containing, find
from hermes_tui.memory.store import OnDisk, StoreFiles
from hermes_tui.memory.threats import first_threat_message
from hermes_tui.memory.tool_results import (
    Result,
    argument_error,
    batch_old_texts,
    batch_summary,
    failure,
    old_text_keys,
    preview,
    single_summary,
    staged,
)
from hermes_tui.memory.view import cached_scan

StageWrite = Callable[[Mapping[str, Any], str], str]
"""Queues a payload with its summary for a person's decision and returns the id of the pending write."""

MAX_FAILURES_PER_TURN = 3
"""After so many failed tries to make things fit, the agent is told to stop trying."""


class _Answer(Exception):
    """Ends the work on a call with this result and nothing written."""

    def __init__(self, result: Result) -> None:
        super().__init__()
        self.result = result


@dataclass(slots=True)
class MemoryTool:
    """The tool as one agent holds it; `call` never raises."""

    files: StoreFiles
    dialect: Dialect
    stage: StageWrite | None = None
    """Given when the gate is on: writes wait for a person then."""
    failures: int = field(default=0)
    """Failed tries in this turn; a success starts the count over."""

    def new_turn(self) -> None:
        """Forget the failed tries, as the agent does when the next user message arrives."""
        self.failures = 0

    def call(self, arguments: object) -> Result:
        """Carry out one call.

        Args:
            arguments: the decoded JSON arguments: action, target, content, old_text, new_text, operations.

        Returns:
            The result object, keys in the agent's order.
        """
        try:
            if not isinstance(arguments, dict):
                raise _Answer(argument_error("The arguments must be a JSON object."))
            return self._call(arguments)
        except _Answer as answer:
            return answer.result
        except HermesTuiError as error:
            return failure(str(error))

    def _call(self, arguments: dict[str, Any]) -> Result:
        store = self._target(arguments)
        operations = arguments.get("operations")
        if operations:
            if not isinstance(operations, list):
                raise _Answer(argument_error("operations must be a list of {action, content?, old_text?} objects."))
            return self._batch(store, operations)
        action = self._action(arguments)
        content, old_text = _text(arguments, "content"), _text(arguments, "old_text")
        if self.dialect.needs_target and not content:
            content = _text(arguments, "new_text")
        self._require_texts(store, action, content, old_text)
        payload = {
            "action": action,
            "target": store,
            "content": content or arguments.get("content"),
            "old_text": arguments.get("old_text"),
        }
        if self.stage is not None:
            return self._stage_single(store, payload, content, old_text)
        if action == "add":
            return self._add(store, content)
        return self._edit(store, action, content, old_text)

    def _target(self, arguments: dict[str, Any]) -> StoreName:
        target = arguments.get("target")
        if target is None and not self.dialect.needs_target:
            target = "memory"
        if target is None:
            raise _Answer(
                failure("Missing required target: say target='memory' or target='user'. Nothing was written.")
            )
        if target not in STORES:
            words = (
                f"Invalid {'memory ' if self.dialect.needs_target else ''}target '{target}'. Use 'memory' or 'user'."
            )
            raise _Answer(failure(words) if self.dialect.needs_target else argument_error(words))
        store: StoreName = target
        if self.dialect.needs_target:
            self._same_target(store, arguments.get("operations"))
        if self.dialect.honours_disabled and not self.files.config.enabled(store):
            raise _Answer(failure(f"Built-in {FILE_NAMES[store]} writes are disabled in memory config.", target=store))
        return store

    @staticmethod
    def _same_target(store: StoreName, operations: object) -> None:
        for number, operation in enumerate(operations if isinstance(operations, list) else [], 1):
            if isinstance(operation, dict) and operation.get("target") not in (None, store):
                raise _Answer(
                    failure(
                        f"Operation {number} names another target than the call. One call changes one store."
                        " Nothing was written."
                    )
                )

    def _action(self, arguments: dict[str, Any]) -> str:
        action = arguments.get("action")
        actions = self.dialect.rules.actions
        if not action and self.dialect.needs_target:
            raise _Answer(
                argument_error(f"Missing required parameter: give 'action' ({'/'.join(actions)}) or 'operations'.")
            )
        if not isinstance(action, str) or action not in actions:
            raise _Answer(argument_error(f"Unknown action '{action}'. Use: {', '.join(actions)}"))
        return action

    def _require_texts(self, store: StoreName, action: str, content: str, old_text: str) -> None:
        if action == "add" and not content:
            raise _Answer(argument_error("Content is required for 'add' action."))
        if action != "add" and not old_text:
            entries = unique(self.files.view(store).texts)
            raise _Answer(
                failure(
                    f"'{action}' needs old_text -- a short unique part of the entry to {action}. Call again with"
                    " old_text taken from one of the current_entries below.",
                    current_entries=entries,
                    usage=self._short_usage(store, entries),
                )
            )
        if action in ("replace", "patch") and not content:
            raise _Answer(argument_error(f"content is required for '{action}' action."))

    def _add(self, store: StoreName, content: str) -> Result:
        content = content.strip()
        if not content:
            return failure("Content cannot be empty.")
        self._scan(content)
        result: Result = {}

        def plan(on_disk: Mapping[StoreName, OnDisk]) -> Mapping[StoreName, Sequence[str]]:
            entries = self._entries(on_disk[store], may_be_adrift=True)
            if content in entries:
                result.update(self._success(store, entries, "Entry already exists (no duplicate added)."))
                return {}
            after = [*entries, content]
            usage = Usage(count(after), self._limit(store))
            if usage.over:
                now = Usage(count(entries), usage.limit)
                raise _Answer(
                    self._count_failure(
                        failure(
                            f"Memory at {now.chars:,}/{now.limit:,} chars. Adding this entry ({len(content):,} chars)"
                            f" would exceed the limit by {usage.over:,}. Merge, shorten or remove entries of"
                            " current_entries below, then add again, all in this turn.",
                            current_entries=entries,
                            usage=self._short_usage(store, entries),
                        )
                    )
                )
            result.update(self._success(store, after, "Entry added."))
            return {store: after}

        self.files.change("add", [store], plan, plan_checks=True)
        return result

    def _edit(self, store: StoreName, action: str, content: str, old_text: str) -> Result:
        if not old_text.strip():
            return failure("old_text cannot be empty.")
        if action != "remove" and not content.strip():
            name = "new_content" if action == "replace" else "new_text"
            return failure(f"{name} cannot be empty. Use 'remove' to delete entries.")
        if action != "patch":
            content, old_text = content.strip(), old_text.strip()
        if action == "replace":
            self._scan(content)
        result: Result = {}

        def plan(on_disk: Mapping[StoreName, OnDisk]) -> Mapping[StoreName, Sequence[str]]:
            entries = self._entries(on_disk[store], may_be_adrift=False)
            at = self._locate(entries, action, old_text)
            before = entries[at]
            after: list[str]
            if action == "remove":
                after, new = entries[:at] + entries[at + 1 :], None
            else:
                new = content if action == "replace" else self._patched(before, old_text, content)
                after = [*entries[:at], new, *entries[at + 1 :]]
                self._require_room(store, entries, after, action)
            extra = old_text_keys(action, before, new) if self.dialect.tells_old_text else {}
            past = {"replace": "replaced", "remove": "removed", "patch": "patched"}[action]
            result.update(self._success(store, after, f"Entry {past}.", **extra))
            return {store: after}

        self.files.change("edit" if action == "replace" else action, [store], plan, plan_checks=True)
        return result

    def _locate(self, entries: list[str], action: str, old_text: str) -> int:
        rules = self.dialect.rules
        match = find(entries, old_text, whole_first=rules.whole_first, folded=rules.folded)
        if match.ambiguous:
            places = containing(entries, old_text, folded=rules.folded)
            raise _Answer(
                failure(
                    f"Multiple entries matched '{old_text}'. Be more specific.",
                    matches=[preview(entries[at]) for at in places],
                )
            )
        if match.at is None:
            near = closest(entries, old_text) if rules.folded else []
            raise _Answer(
                self._count_failure(
                    failure(
                        f"No entry matched '{old_text}'. Call {action} again with old_text copied from the entry"
                        " you mean, as it stands below.",
                        **({"closest_entries": near} if near else {}),
                        current_entries=entries,
                    )
                )
            )
        return match.at

    def _require_room(self, store: StoreName, entries: list[str], after: list[str], action: str) -> None:
        usage = Usage(count(after), self._limit(store))
        if not usage.over:
            return
        what = "Replacement" if action == "replace" else "Patch"
        raise _Answer(
            self._count_failure(
                failure(
                    f"{what} would put memory at {usage.chars:,}/{usage.limit:,} chars: over by"
                    f" {usage.over:,}. Shorten it, or make room among current_entries below, then"
                    " call again, all in this turn.",
                    current_entries=entries,
                    usage=self._short_usage(store, entries),
                )
            )
        )

    def _batch(self, store: StoreName, raw: list[Any]) -> Result:
        operations = [self._operation(number, entry) for number, entry in enumerate(raw, 1)]
        if self.stage is not None:
            return self._stage_batch(store, raw, operations)
        result: Result = {}

        def plan(on_disk: Mapping[StoreName, OnDisk]) -> Mapping[StoreName, Sequence[str]]:
            entries = self._entries(on_disk[store], may_be_adrift=False)
            walk = self._walk(store, entries, operations)
            message = f"Applied {len(operations)} operation(s)."
            extra = batch_old_texts(operations, walk.steps) if self.dialect.tells_old_text else {}
            result.update(self._success(store, walk.entries, message, **extra))
            return {store: walk.entries}

        self._scan_batch(operations)
        self.files.change("batch", [store], plan, plan_checks=True)
        return result

    def _operation(self, number: int, raw: object) -> Operation:
        if raw is None:
            raw = {}
        if not isinstance(raw, dict):
            raise _Answer(failure(f"Operation {number} (unknown): each operation must be an object."))
        content = _text(raw, "content")
        if self.dialect.needs_target and not content:
            content = _text(raw, "new_text")
        return Operation(str(raw.get("action") or ""), content, _text(raw, "old_text"))

    def _scan_batch(self, operations: Sequence[Operation]) -> None:
        for number, operation in enumerate(operations, 1):
            if operation.action in ("add", "replace") and operation.content:
                self._scan(operation.content, prefix=f"Operation {number}: ")

    def _walk(self, store: StoreName, entries: list[str], operations: Sequence[Operation]) -> Walk:
        walk = Walk(list(entries), self.dialect.rules)
        for number, operation in enumerate(operations, 1):
            try:
                walk.take(operation)
            except StepFailed as step:
                reason = f"Operation {number} ({operation.action or 'unknown'}): {step.reason}"
                near = step.closest_entries if self.dialect.rules.folded else []
                raise _Answer(self._batch_failure(store, entries, reason, near)) from step
            after = walk.steps[-1].after
            if operation.action == "patch" and after is not None and (threat := self._threat(after)):
                reason = f"Operation {number} (patch): {threat}"
                raise _Answer(self._batch_failure(store, entries, reason, []))
        if entries and not walk.entries and not self.dialect.batch_may_empty:
            raise _Answer(
                self._batch_failure(
                    store,
                    entries,
                    f"Refusing to empty {FILE_NAMES[store]}: this batch would remove every entry. Keep one, or remove"
                    " the last one by a single call.",
                    [],
                )
            )
        usage = Usage(count(walk.entries), self._limit(store))
        if usage.over:
            words = (
                f"After applying all {len(operations)} operations, memory would be at"
                f" {usage.chars:,}/{usage.limit:,} chars: over by {usage.over:,}. Remove or shorten more in the same"
                " batch, then send it again."
            )
            listed = {"current_entries": entries} if self.dialect.batch_failure_lists_entries else {}
            raise _Answer(self._count_failure(failure(words, **listed, usage=self._short_usage(store, entries))))
        return walk

    def _batch_failure(self, store: StoreName, entries: list[str], reason: str, near: list[str]) -> Result:
        listed = {"current_entries": entries} if self.dialect.batch_failure_lists_entries else {}
        return self._count_failure(
            failure(
                f"{reason} No operations were applied (batch is all-or-nothing).",
                **listed,
                usage=self._short_usage(store, entries),
                **({"closest_entries": near} if near else {}),
            )
        )

    def _stage_single(self, store: StoreName, payload: dict[str, Any], content: str, old_text: str) -> Result:
        action = payload["action"]
        if self.dialect.pins_entries and action != "add":
            entries = self._entries(self.files.read(store), may_be_adrift=True)
            payload["matched_entry"] = entries[self._locate(entries, action, old_text.strip())]
        summary = single_summary(store, action, content, old_text, whole=self.dialect.pins_entries)
        return self._staged(payload, summary)

    def _stage_batch(self, store: StoreName, raw: list[Any], operations: Sequence[Operation]) -> Result:
        if self.dialect.pins_entries:
            self._scan_batch(operations)
            entries = self._entries(self.files.read(store), may_be_adrift=True)
            steps = self._walk(store, entries, operations).steps
            raw = [
                entry if step.before is None else {**entry, "matched_entry": step.before}
                for entry, step in zip(raw, steps, strict=True)
            ]
        payload = {"action": "batch", "target": store, "operations": raw}
        return self._staged(payload, batch_summary(store, operations))

    def _staged(self, payload: Mapping[str, Any], summary: str) -> Result:
        assert self.stage is not None
        return staged(self.stage(payload, summary))

    def _threat(self, text: str) -> str:
        """The refusal of the threat scan; empty when it lets the text pass.

        The wide classes of the 0.19 line count in either dialect, what only the newer one sees in its own.
        """
        findings = [found for found in cached_scan(text) if self.dialect.name == "0.22" or found.blocks("0.19")]
        return first_threat_message(findings) if findings else ""

    def _scan(self, text: str, prefix: str = "") -> None:
        if threat := self._threat(text):
            raise _Answer(failure(prefix + threat))

    def _patched(self, entry: str, span: str, text: str) -> str:
        problem = patch_problem(entry, span, text)
        if problem:
            raise _Answer(failure(problem))
        after = entry.replace(span, text, 1)
        self._scan(after)
        return after

    def _entries(self, on_disk: OnDisk, *, may_be_adrift: bool) -> list[str]:
        """The entries as the agent holds them, repeats dropped, or an answer that says why they must stay."""
        view = on_disk.view
        if view.state in ("unreadable", "invalid_utf8", "bom"):
            raise _Answer(
                failure(f"Refusing to write {view.file_name}: {view.problem} {view.hint} Nothing was changed.".strip())
            )
        adrift = "oversize" in view.drift or ("spacing" in view.drift and self.dialect.spacing_is_drift)
        if adrift and not may_be_adrift:
            raise _Answer(
                failure(
                    f"Refusing to write {view.file_name}: it was changed by hand in a way that a rewrite would lose."
                    " Its bytes were put aside; bring it in order, then call again.",
                    drift_backup=str(self.files.put_aside(on_disk)),
                    remediation="Run `hermes-tui memory normalize`, or split the entry that is longer than the limit.",
                )
            )
        return unique(view.texts)

    def _limit(self, store: StoreName) -> int:
        return self.files.config.limit(store)

    def _short_usage(self, store: StoreName, entries: Sequence[str]) -> str:
        return f"{count(entries):,}/{self._limit(store):,}"

    def _success(self, store: StoreName, entries: Sequence[str], message: str, **extra: Any) -> Result:
        self.failures = 0
        return {
            "success": True,
            "done": True,
            "target": store,
            "usage": Usage(count(entries), self._limit(store)).agent_label,
            "entry_count": len(entries),
            "message": message,
            **extra,
            "note": "Write saved. This update is complete — do not repeat it.",
        }

    def _count_failure(self, result: Result) -> Result:
        self.failures += 1
        if self.failures <= MAX_FAILURES_PER_TURN:
            return result
        return {
            "success": False,
            "done": True,
            "error": f"Memory consolidation failed {self.failures} times this turn. Leave memory as it is, go on with"
            " your reply, and save this in a later turn.",
        }


def _text(arguments: Mapping[str, Any], name: str) -> str:
    value = arguments.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _Answer(argument_error(f"{name} must be text, not {type(value).__name__}."))
    return value
