"""What approving a pending memory write would do, worked out from its payload and what is on disk today."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from hermes_tui.config import HermesConfig
from hermes_tui.home import HermesHome
from hermes_tui.memory.batch import Rules, Step, StepFailed, Walk
from hermes_tui.memory.check import is_encodable
from hermes_tui.memory.entries import (
    FILE_NAMES,
    STORES,
    StoreName,
    Usage,
    begins_with_mark,
    count,
    join,
    survives_reload,
    unique,
)
from hermes_tui.memory.matching import containing
from hermes_tui.memory.threats import Finding
from hermes_tui.memory.view import StoreView, cached_scan, view_store
from hermes_tui.pending.records import PendingRecord

Verdict = Literal[
    "applies", "duplicate", "over", "no_match", "ambiguous", "stale", "blocked", "disabled", "drift", "invalid"
]

UNPINNED_RULES = Rules(folded=False)
"""Without a pinned entry only literal matches count: what a person approves must be what they see."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The outcome of approving one record now."""

    record: PendingRecord
    verdict: Verdict
    reason: str
    """Why it cannot be approved, or what is worth knowing; a sentence, empty when all is plain."""
    short: str
    """The verdict in a few words, for a list: `over by 41`, `2 matches`, `blocked: ssh_access`."""
    before: str | None
    """The whole entry as it is; None where nothing is changed or removed. Steps of a batch one below the other."""
    after: str | None
    """The whole entry as it would be; None where it is removed."""
    steps: tuple[Step, ...]
    """What each operation does, as far as they can be carried out."""
    usage_before: Usage | None
    """How full the store is; None where that cannot be known, and for skills, which have no limit together."""
    usage_after: Usage | None
    entries_after: tuple[str, ...]
    """The whole store as it would be; as it is where the record cannot be applied."""
    findings: tuple[Finding, ...] = ()
    closest: tuple[str, ...] = ()
    """The entries most like the one that was not found."""
    notes: tuple[str, ...] = ()
    """More that is worth knowing before deciding."""
    title: str = ""
    """For skills: the write in a few words."""

    @property
    def can_apply(self) -> bool:
        """Whether approving would be accepted."""
        return self.verdict in ("applies", "duplicate")

    @property
    def growth(self) -> int:
        """By how many characters the store would grow; negative when it shrinks."""
        return self.usage_after.chars - self.usage_before.chars if self.usage_after and self.usage_before else 0

    @property
    def only_newer_pass(self) -> bool:
        """Whether it is blocked for reasons that the 0.22 line of the agent lets pass."""
        return self.verdict == "blocked" and all(not finding.blocks("0.22") for finding in self.findings)


def views_of(home: HermesHome, config: HermesConfig) -> dict[StoreName, StoreView]:
    """Both stores as they stand on disk."""
    return {store: view_store(home, config, store) for store in STORES}


def preview(record: PendingRecord, views: Mapping[StoreName, StoreView], *, accept_newer: bool = False) -> Preview:
    """What approving a memory record would do to the stores in `views`.

    Args:
        record: a record of the memory queue.
        views: both stores.
        accept_newer: let pass what the 0.22 line of the agent lets pass.
    """
    view = views[record.store or "memory"]
    return preview_on(record, view, unique(view.texts), accept_newer=accept_newer)


def preview_on(
    record: PendingRecord, view: StoreView, entries: Sequence[str], *, accept_newer: bool = False
) -> Preview:
    """The same on entries that differ from what is on disk, as when a queue is worked through on a copy."""
    trial = _Trial(
        record, list(entries), Walk(list(entries), UNPINNED_RULES), view.usage.limit, view.state != "unreadable"
    )
    if record.problem:
        return trial.ends("invalid", record.problem, "invalid")
    for operation, pinned in zip(record.operations, record.pinned, strict=True):
        try:
            trial.walk.take(operation, pinned)
        except StepFailed as failure:
            return trial.fails(failure)
    trial.trim()
    name = FILE_NAMES[view.store]
    if not view.enabled:
        return trial.ends(
            "disabled", f"{name} is switched off in config.yaml: the agent does not read it.", "store off"
        )
    if view.state not in ("ok", "missing"):
        return trial.ends("drift", f"{view.problem} {view.hint}".strip(), view.state.replace("_", " "))
    after = trial.walk.entries
    findings = [finding for step in trial.walk.steps for finding in _fresh(step)]
    if accept_newer:
        findings = [finding for finding in findings if finding.blocks("0.22")]
    if findings:
        return trial.ends("blocked", findings[0].explanation, f"blocked: {findings[0].id}", findings=findings)
    if not all(is_encodable(entry) for entry in after):
        words = "It holds half a character (a lone surrogate), which no file can hold."
        return trial.ends("invalid", words, "half character")
    if not survives_reload(after):
        words = "The text would split into several entries: § stands alone on a line."
        return trial.ends("invalid", words, "would split")
    if begins_with_mark(after):
        words = f"{name} would begin with U+FEFF, which readers take for a byte order mark and leave out."
        return trial.ends("invalid", words, "byte order mark")
    usage = trial.usage_of(after)
    if usage.over and usage.chars > trial.usage_of(entries).chars:
        words = f"{name} would be at {usage.chars:,}/{usage.limit:,} chars: over by {usage.over:,}."
        return trial.ends("over", words, f"over by {usage.over:,}")
    if join(after) == join(entries):
        return trial.ends("duplicate", "The store says so already: approving changes nothing.", "duplicate")
    return trial.ends("applies", _caution(record, entries, trial.walk), "applies")


@dataclass(frozen=True, slots=True)
class _Trial:
    """A record being tried on a copy of the entries."""

    record: PendingRecord
    entries: list[str]
    walk: Walk
    limit: int
    readable: bool

    def usage_of(self, entries: Sequence[str]) -> Usage:
        return Usage(count(entries), self.limit)

    def trim(self) -> None:
        """Take away the white space that a patch left around its entry: it would put the whole file in disorder."""
        self.walk.entries[:] = [entry.strip() for entry in self.walk.entries]
        self.walk.steps[:] = [Step(step.before, step.after and step.after.strip()) for step in self.walk.steps]

    def ends(
        self,
        verdict: Verdict,
        reason: str,
        short: str,
        *,
        findings: Sequence[Finding] = (),
        near: Sequence[str] = (),
    ) -> Preview:
        before, after = _texts(self.walk.steps)
        known = self.record.store is not None and self.readable
        carried_out = verdict in ("applies", "duplicate", "over", "blocked")
        return Preview(
            record=self.record,
            verdict=verdict,
            reason=reason,
            short=short,
            before=before,
            after=after,
            steps=tuple(self.walk.steps),
            usage_before=self.usage_of(self.entries) if known else None,
            usage_after=self.usage_of(self.walk.entries if carried_out else self.entries) if known else None,
            entries_after=tuple(self.walk.entries if verdict in ("applies", "duplicate") else self.entries),
            findings=tuple(findings),
            closest=tuple(near),
        )

    def fails(self, failure: StepFailed) -> Preview:
        where = f"Operation {failure.number}: " if self.record.action == "batch" else ""
        wanted = failure.operation.old_text
        near = failure.closest_entries
        if failure.code == "no_match":
            return self.ends("no_match", f"{where}No entry holds “{wanted}”.", "no match", near=near)
        if failure.code == "stale":
            words = f"{where}The entry it was meant for has changed since it was staged."
            return self.ends("stale", words, "stale", near=near)
        if failure.code == "ambiguous":
            places = containing(self.walk.entries, wanted.strip(), folded=False)
            numbers = ", ".join(str(place + 1) for place in places)
            words = f"{where}“{wanted}” stands in entries {numbers}: nobody can tell which one is meant."
            return self.ends("ambiguous", words, f"{len(places)} matches")
        return self.ends("invalid", where + failure.reason[:1].upper() + failure.reason[1:], "invalid")


def _fresh(step: Step) -> tuple[Finding, ...]:
    """What the scan finds in a text that the step brings."""
    return () if step.after is None or step.after == step.before else cached_scan(step.after)


def _caution(record: PendingRecord, entries: Sequence[str], walk: Walk) -> str:
    """What a person should know although it applies."""
    unpinned = any(pin is None and step.before is not None for pin, step in zip(record.pinned, walk.steps, strict=True))
    if unpinned:
        return "The record does not say which entry was meant: this is the one that matches today."
    if entries and not walk.entries:
        return "It would leave the store empty."
    return ""


def _texts(steps: Sequence[Step]) -> tuple[str | None, str | None]:
    befores = [step.before for step in steps if step.before is not None]
    afters = [step.after for step in steps if step.after is not None]
    return ("\n§\n".join(befores) if befores else None, "\n§\n".join(afters) if afters else None)


@dataclass(frozen=True, slots=True)
class Simulation:
    """A queue worked through in order on a copy of the stores."""

    results: tuple[Preview, ...]
    """Each record on top of those before it that apply."""
    fitting: tuple[str, ...]
    """Ids of the largest set that can be approved together."""
    missing_room: Mapping[StoreName, int]
    """Characters that would have to be freed in a store for all of its records to fit."""


def simulate(records: Sequence[PendingRecord], views: Mapping[StoreName, StoreView]) -> Simulation:
    """Approve `records` one after the other on a copy."""
    results, _ = _run(records, views)
    alone = {result.record.path: preview(result.record, views) for result in results}
    hopeful = [record for record in records if alone[record.path].verdict in ("applies", "duplicate", "over")]
    # Room is what they compete for, so those that free some go first and the small ones next.
    growth = {record.path: alone[record.path].growth for record in hopeful}
    order = sorted(hopeful, key=lambda record: growth[record.path])
    tried, _ = _run(order, views)
    chosen = {result.record.path for result in tried if result.can_apply}
    missing: dict[StoreName, int] = {}
    for store, view in views.items():
        grown = sum(growth[record.path] for record in hopeful if record.store == store)
        after = Usage(view.usage.chars + grown, view.usage.limit)
        if after.over:
            missing[store] = after.over
    return Simulation(tuple(results), tuple(record.id for record in records if record.path in chosen), missing)


def _run(
    records: Sequence[PendingRecord], views: Mapping[StoreName, StoreView]
) -> tuple[list[Preview], dict[StoreName, list[str]]]:
    entries = {store: unique(view.texts) for store, view in views.items()}
    results = []
    for record in records:
        store = record.store or "memory"
        result = preview_on(record, views[store], entries[store])
        entries[store] = list(result.entries_after)
        results.append(result)
    return results, entries
