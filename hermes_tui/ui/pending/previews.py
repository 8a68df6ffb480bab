"""What approving would do, for memory and for skills alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from hermes_tui.config import HermesConfig
from hermes_tui.home import HermesHome
from hermes_tui.memory.batch import Step
from hermes_tui.memory.entries import Usage
from hermes_tui.memory.threats import Finding
from hermes_tui.pending.records import PendingRecord


class AnyPreview(Protocol):
    """What the screen reads of a preview, whichever queue the record is in."""

    @property
    def record(self) -> PendingRecord: ...
    @property
    def verdict(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def short(self) -> str: ...
    @property
    def before(self) -> str | None: ...
    @property
    def after(self) -> str | None: ...
    @property
    def usage_before(self) -> Usage | None: ...
    @property
    def usage_after(self) -> Usage | None: ...
    @property
    def findings(self) -> tuple[Finding, ...]: ...
    @property
    def closest(self) -> tuple[str, ...]: ...
    @property
    def steps(self) -> tuple[Step, ...]: ...
    @property
    def can_apply(self) -> bool: ...


def preview_all(home: HermesHome, config: HermesConfig, records: Sequence[PendingRecord]) -> list[AnyPreview]:
    """The outcome of approving each of `records` by itself now."""
    from hermes_tui.pending.preview import preview, views_of

    views = views_of(home, config)
    return [preview(record, views) for record in records if record.subsystem == "memory"]
