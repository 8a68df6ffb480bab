"""One preview for either queue: what approving any pending write would do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hermes_tui.config import HermesConfig
from hermes_tui.home import HermesHome
from hermes_tui.pending.preview import Preview, preview, views_of
from hermes_tui.pending.records import PendingRecord
from hermes_tui.pending.skills.preview import preview_skill
from hermes_tui.pending.skills.roots import SkillIndex, external_dirs, read_index


def previews(home: HermesHome, config: HermesConfig, records: Sequence[PendingRecord]) -> Iterator[Preview]:
    """What approving each record would do, one after the other, all against the same reading of the disk."""
    views = views_of(home, config)
    index: SkillIndex | None = None
    for record in records:
        if record.subsystem == "memory" or record.problem:
            yield preview(record, views)
            continue
        if index is None:
            index = read_index(home, external_dirs(home))
        yield preview_of_skill(home, record, index)


def preview_all(home: HermesHome, config: HermesConfig, records: Sequence[PendingRecord]) -> list[Preview]:
    """The same for all at once."""
    return list(previews(home, config, records))


def preview_of_skill(home: HermesHome, record: PendingRecord, index: SkillIndex) -> Preview:
    """A skill write in the same form as a memory write; it has no usage, since no limit holds for all skills."""
    result = preview_skill(home, (), record, index=index)
    return Preview(
        record=record,
        verdict=result.verdict,
        reason=result.reason,
        short=result.short,
        before=result.text_before or None,
        after=result.text_after or None,
        steps=(),
        usage_before=None,
        usage_after=None,
        entries_after=(),
        notes=result.notes,
        title=result.title,
    )
