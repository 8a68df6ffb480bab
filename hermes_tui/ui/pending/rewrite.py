"""The editor on the text that a record proposes; what comes out of it is approved in its place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hermes_tui.memory.check import EntryRef, TextCheck, check_text
from hermes_tui.memory.entries import unique
from hermes_tui.memory.threats import Finding
from hermes_tui.memory.view import EntryView, StoreView, cached_scan
from hermes_tui.pending.proposals import proposed_of, steps_of
from hermes_tui.pending.records import PendingRecord
from hermes_tui.text import short_path
from hermes_tui.ui.pending.model import key_of

if TYPE_CHECKING:
    from hermes_tui.ui.dialogs.editor import EditorResult, EntryEditor
    from hermes_tui.ui.live import HomeState
    from hermes_tui.ui.pending.decisions import Decisions


class Rewrite:
    """One record, or one operation of a batch, being rewritten."""

    def __init__(self, decisions: Decisions, record: PendingRecord, step: int | None = None) -> None:
        self._decisions = decisions
        self._record = record
        self._step = step
        self._raw = steps_of(record)[(step or 1) - 1]
        self.editor: EntryEditor | None = None

    @property
    def _view(self) -> StoreView:
        assert self._record.store is not None
        return self._decisions.screen.state.view(self._record.store)

    @property
    def proposed(self) -> str:
        """The text as the record proposes it."""
        return proposed_of(self._raw)

    @property
    def title(self) -> str:
        """What is edited."""
        which = f"operation {self._step} of {self._record.id}" if self._step else self._record.id
        return f"Edit and approve {which} ({self._raw.get('action')} in {self._view.file_name})"

    @property
    def path(self) -> str:
        """The file it will be saved to."""
        return short_path(self._view.path)

    def open(self, text: str) -> None:
        """Let the person write, beginning with `text`."""
        from hermes_tui.ui.dialogs.editor import EntryEditor

        self.editor = EntryEditor(title=self.title, text=text, check=self.check, path=self.path)
        self._decisions.app.push_screen(self.editor, self._closed)

    def _closed(self, result: EditorResult | None) -> None:
        self.editor = None
        if result is None:
            self._decisions.rewrite = None
            return
        step, text = self._step, result.text
        self._decisions.decide(
            "approve",
            [self._record],
            lambda review, it: review.edit_and_approve(it, text, step=step, accept_newer=result.accept_newer),
            # What was typed is not thrown away because the disk has moved on.
            refused=lambda: self.open(text),
        )

    def state_changed(self, before: HomeState, state: HomeState) -> None:
        """The store changed while the editor is open: numbers follow, the text stays."""
        assert self._record.store is not None
        old, new = before.view(self._record.store), state.view(self._record.store)
        if self.editor is not None and old != new:
            self.editor.store_changed(self.check, f"{new.file_name} changed on disk")

    # What approving the text would mean

    def check(self, text: str) -> TextCheck:
        """By what is on disk now; for a patch the whole entry counts, while the text is the part that is put in."""
        view = self._view._replace(entries=_unique_entries(self._view))
        entry = self._target(view)
        if entry is None:
            return check_text(view, text)
        if self._raw.get("action") != "patch":
            return check_text(view, text, replacing=entry)
        span = str(self._raw.get("old_text") or "")
        at = entry.text.find(span)
        whole = check_text(view, entry.text.replace(span, text, 1), replacing=entry)
        findings = cached_scan(text) or tuple(_inside(finding, at, len(text)) for finding in whole.findings)
        return replace(whole, text=text, findings=findings if whole.findings else ())

    def _target(self, view: StoreView) -> EntryRef | None:
        """The entry it is meant for, where it stands now."""
        preview = self._decisions.screen.reader.previews.get(key_of(self._record))
        number = (self._step or 1) - 1
        if self._raw.get("action") == "add" or preview is None or number >= len(preview.steps):
            return None
        before = preview.steps[number].before
        texts = view.texts
        if before is None or before not in texts:
            return None
        return EntryRef(view.store, list(texts).index(before) + 1, before)


def _unique_entries(view: StoreView) -> tuple[EntryView, ...]:
    """Approving reads equal entries as one, as the agent does."""
    kept = set(unique(view.texts))
    entries = []
    for entry in view.entries:
        if entry.text in kept:
            kept.discard(entry.text)
            entries.append(entry)
    return tuple(replace(entry, index=index) for index, entry in enumerate(entries, 1))


def _inside(finding: Finding, at: int, length: int) -> Finding:
    """A finding in the whole entry, as it lies in the part that is being written."""
    start = min(max(finding.start - at, 0), length)
    return finding._replace(start=start, end=min(max(finding.end - at, start), length))
