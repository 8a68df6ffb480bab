"""What a person does to memory: add, edit, remove, move, reorder, merge, split, put in order, undo, redo."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hermes_tui.errors import Conflict, NotFound, Refused, Unreadable
from hermes_tui.memory.batch import Operation, apply_operations
from hermes_tui.memory.changes import DoesNotFit, apply_exactly, apply_loosely, reversed_hunks
from hermes_tui.memory.check import EntryRef, check_text, require
from hermes_tui.memory.conflict import EntryConflict, changed_since, locate
from hermes_tui.memory.entries import FILE_NAMES, STORES, StoreName, join, usage_of
from hermes_tui.memory.journal import FileChange, JournalRecord, OtherFile, read_record, stacks
from hermes_tui.memory.matching import closest, find, occurrences
from hermes_tui.memory.rules import refuse_disorder
from hermes_tui.memory.store import OnDisk, StoreFiles, Written
from hermes_tui.memory.view import digest_of, normalized, view_bytes

_PAST = {"undo": "Undone", "redo": "Done again"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an operation ended."""

    message: str
    """What happened, in a sentence."""
    stores: tuple[StoreName, ...]
    journal_id: str | None = None
    """Names the change for undo; None when nothing was written."""
    backup: Path | None = None
    """Where the old bytes were put aside, for steps that rewrite a file that was not in order."""

    @property
    def already(self) -> bool:
        """True when the store said so already and nothing was written."""
        return self.journal_id is None


class MemoryStore(StoreFiles):
    """Both stores of one home as a person changes them.

    Every method waits for the agent's lock, reads again under it, and either writes all of its
    change or raises a `HermesTuiError` with nothing written.
    """

    def add(self, store: StoreName, text: str, *, at: int | None = None, accept_newer: bool = False) -> Outcome:
        """Add an entry at the end, or at place `at` (from 1). A text that is there already adds nothing."""
        found: list[int] = []

        def plan(on_disk: Mapping[StoreName, OnDisk]) -> Mapping[StoreName, Sequence[str]]:
            view = on_disk[store].view
            check = check_text(view, text, at=at)
            if check.duplicate_of is not None:
                found.append(check.duplicate_of)
                return {}
            new = require(check, accept_newer=accept_newer)
            place = len(view.texts) if at is None else max(0, min(at - 1, len(view.texts)))
            return {store: [*view.texts[:place], new, *view.texts[place:]]}

        written = self.change("add", [store], plan)
        if found:
            return Outcome(f"Entry {found[0]} says the same already; nothing was added.", (store,))
        return _outcome("Added.", (store,), written)

    def edit(self, ref: EntryRef, text: str, *, accept_newer: bool = False) -> Outcome:
        """Put `text` in the place of an entry.

        Raises:
            EntryConflict: the entry changed meanwhile.
        """

        def plan(on_disk: Mapping[StoreName, OnDisk]) -> Mapping[StoreName, Sequence[str]]:
            view = on_disk[ref.store].view
            texts = view.texts
            if ref.text not in texts and text.strip() in texts:
                return {}  # somebody has made the very same change
            at = locate(ref, texts, mine=text)
            here = EntryRef(ref.store, at + 1, texts[at])
            if text.strip() == texts[at]:
                return {}
            new = require(check_text(view, text, replacing=here), accept_newer=accept_newer)
            return {ref.store: [*texts[:at], new, *texts[at + 1 :]]}

        return _outcome("Saved.", (ref.store,), self.change("edit", [ref.store], plan))

    def patch(self, store: StoreName, span: str, text: str, *, accept_newer: bool = False) -> Outcome:
        """Put `text` in the place of `span`, which must stand once in one entry; the rest of it stays."""
        ref = self.find_entry(store, span)
        times = occurrences(ref.text, span)
        if times != 1:
            what = f"stands {times} times in entry {ref.index}" if times else f"is not literally in entry {ref.index}"
            raise Refused(
                f"“{span}” {what}; nothing was written.",
                code="ambiguous" if times else "no_match",
                hint="Give more of the text around it, exactly as it stands.",
            )
        return self.edit(ref, ref.text.replace(span, text, 1), accept_newer=accept_newer)

    def remove(self, refs: Sequence[EntryRef]) -> Outcome:
        """Remove entries; one that is gone already counts as removed.

        Raises:
            EntryConflict: one of them changed meanwhile.
        """
        stores = _stores_of(refs)

        def plan(on_disk: Mapping[StoreName, OnDisk]) -> Mapping[StoreName, Sequence[str]]:
            return {store: without(on_disk[store], refs) for store in stores}

        written = self.change("remove", stores, plan)
        return _outcome("Removed." if written else "It was gone already.", stores, written)

    def move(self, refs: Sequence[EntryRef], to: StoreName, *, accept_newer: bool = False) -> Outcome:
        """Move entries to the end of the other store: both files change, or neither.

        Raises:
            EntryConflict: one of them changed meanwhile.
        """
        sources = _stores_of(refs)
        if to in sources:
            raise Refused(f"It is in {FILE_NAMES[to]} already.", code="same_store")

        def plan(on_disk: Mapping[StoreName, OnDisk]) -> Mapping[StoreName, Sequence[str]]:
            for ref in refs:
                locate(ref, on_disk[ref.store].view.texts, mine="")
            entries = self.with_added(on_disk[to], [ref.text for ref in refs], accept_newer=accept_newer)
            # The target comes first: a crash between the two leaves the entry twice, never nowhere.
            return {to: entries, **{store: without(on_disk[store], refs) for store in sources}}

        return _outcome(f"Moved to {FILE_NAMES[to]}.", (*sources, to), self.change("move", [*sources, to], plan))

    def with_added(self, on_disk: OnDisk, texts: Sequence[str], *, accept_newer: bool = False) -> list[str]:
        """The entries of a store with texts at their end; one that is there already is not added.

        Raises:
            Refused: one of them may not become an entry.
        """
        here = on_disk.view
        entries = here.texts
        for text in texts:
            check = check_text(view_bytes(here.path, self.config, here.store, join(entries).encode(), None), text)
            if check.duplicate_of is None:
                entries = [*entries, require(check, accept_newer=accept_newer)]
        return entries

    def reorder(self, ref: EntryRef, by: int) -> Outcome:
        """Move an entry up (negative) or down by so many places, stopping at the ends."""

        def plan(on_disk: Mapping[StoreName, OnDisk]) -> Mapping[StoreName, Sequence[str]]:
            texts = on_disk[ref.store].view.texts
            at = locate(ref, texts, mine=ref.text)
            moved = texts[:at] + texts[at + 1 :]
            moved.insert(max(0, min(at + by, len(moved))), texts[at])
            return {ref.store: moved}

        return _outcome("Moved.", (ref.store,), self.change("reorder", [ref.store], plan))

    def merge(self, refs: Sequence[EntryRef], text: str, *, accept_newer: bool = False) -> Outcome:
        """Put one `text` in the place of several entries of one store, where the first of them was."""
        store = _one_store(refs)

        def plan(on_disk: Mapping[StoreName, OnDisk]) -> Mapping[StoreName, Sequence[str]]:
            return {store: self._put_in_place(on_disk[store], refs, [text], accept_newer)}

        return _outcome(f"Merged {len(refs)} entries into one.", (store,), self.change("merge", [store], plan))

    def split(self, ref: EntryRef, pieces: Sequence[str], *, accept_newer: bool = False) -> Outcome:
        """Put several entries in the place of one."""

        def plan(on_disk: Mapping[StoreName, OnDisk]) -> Mapping[StoreName, Sequence[str]]:
            return {ref.store: self._put_in_place(on_disk[ref.store], [ref], pieces, accept_newer)}

        return _outcome(f"Split into {len(pieces)} entries.", (ref.store,), self.change("split", [ref.store], plan))

    def _put_in_place(
        self, on_disk: OnDisk, refs: Sequence[EntryRef], texts: Sequence[str], accept_newer: bool
    ) -> list[str]:
        entries = on_disk.view.texts
        places = [locate(ref, entries, mine="\n".join(texts)) for ref in refs]
        rest: list[str | None] = [None if at in places else entry for at, entry in enumerate(entries)]
        first = min(places)
        kept = [entry for entry in rest if entry is not None]
        view = view_bytes(on_disk.view.path, self.config, on_disk.view.store, join(kept).encode(), None)
        new: list[str] = []
        for text in texts:
            check = check_text(view, text)
            if check.over:  # the sum is what counts, and `change` looks at that
                check = check_text(view_bytes(view.path, self.config, view.store, b"", None), text)
            if check.duplicate_of is None and check.text not in new:
                new.append(require(check, accept_newer=accept_newer))
        head = [entry for entry in rest[:first] if entry is not None]
        return [*head, *new, *[entry for entry in rest[first:] if entry is not None]]

    def batch(self, store: StoreName, operations: Sequence[Operation], *, accept_newer: bool = False) -> Outcome:
        """Apply several operations, all or none; only the final size is measured against the limit."""

        def plan(on_disk: Mapping[StoreName, OnDisk]) -> Mapping[StoreName, Sequence[str]]:
            view = on_disk[store].view
            entries = apply_operations(view.texts, operations)
            empty = view_bytes(view.path, self.config, store, b"", None)
            for text in entries:
                if text not in view.texts:
                    check = check_text(empty, text)
                    if check.code != "over_limit":
                        require(check, accept_newer=accept_newer)
            return {store: entries}

        return _outcome(f"Applied {len(operations)} operations.", (store,), self.change("batch", [store], plan))

    def normalize(self, store: StoreName) -> Outcome:
        """Put a file in order: no BOM, clean separators, UTF-8; the old bytes are put aside first."""
        missing: list[StoreName] = []

        def plan(on_disk: Mapping[StoreName, OnDisk]) -> Mapping[StoreName, Sequence[str]]:
            here = on_disk[store]
            if here.view.state == "missing":
                missing.append(store)
                return {}
            return {store: normalized(here.view, here.data)}

        written = self.change("normalize", [store], plan, plan_checks=True)
        if missing:
            return Outcome(f"There is no {FILE_NAMES[store]} yet, so there is nothing to put in order.", (store,))
        if written is None:
            return Outcome(f"{FILE_NAMES[store]} is in order already.", (store,))
        return _outcome(f"{FILE_NAMES[store]} is in order now.", (store,), written)

    def undo(self, *, only: Callable[[JournalRecord], bool] | None = None) -> Outcome:
        """Take back the last change of ours that still stands.

        Args:
            only: the last one of those for which this holds.

        Raises:
            NotFound: there is none.
            EntryConflict: what it changed has been changed again since.
        """
        return self._revert("undo", only)

    def redo(self) -> Outcome:
        """Make the last undone change again.

        Raises:
            NotFound: there is none.
            EntryConflict: what it changed has been changed again since.
        """
        return self._revert("redo")

    def settle_first(self, kind: str) -> None:
        """See to it that the last change is the one that a person thinks of.

        Raises:
            Conflict: one that was refused halfway is finished only now.
        """
        if self.settle_doubts():
            raise Conflict(
                "A change that the disk had cut off is finished now.",
                code="settled",
                hint=f"Look at it, then {kind} again if that is still wanted.",
            )

    def _revert(self, kind: str, only: Callable[[JournalRecord], bool] | None = None) -> Outcome:
        self.settle_first(kind)
        undo, redo = stacks(self.journal.heads())
        found = (record for head in reversed(undo if kind == "undo" else redo) if (record := read_record(head)))
        first = next((record for record in found if only is None or only(record)), None)
        if first is None:
            self._require_journal(kind)
            raise NotFound(f"There is nothing to {kind}.", code=f"nothing_to_{kind}")
        if not first.group:
            return self._revert_one(kind, first)
        # What was decided at once lies together in the journal, which is read once for all of it.
        rest = list(itertools.takewhile(lambda record: record.group == first.group, found))
        with self.as_one():
            outcome = self._revert_one(kind, first)
            for number, record in enumerate(rest, 1):
                self.on_progress(number, len(rest) + 1)
                self._revert_one(kind, record)
        words = f"{_PAST[kind]}: {len(rest) + 1} decisions made at once."
        return replace(outcome, message=words, stores=STORES)

    def _revert_one(self, kind: str, record: JournalRecord) -> Outcome:
        def plan(on_disk: Mapping[StoreName, OnDisk]) -> Mapping[StoreName, Sequence[str] | bytes]:
            return {change.store: _reverted(change, on_disk[change.store]) for change in record.files}

        back = [OtherFile(other.path, other.after, other.before, other.mode) for other in record.others]
        try:
            written = self.change(
                kind, record.stores, plan, plan_checks=True, of=record.id, label=record.label, others=back
            )
        except Conflict as conflict:
            conflict.undo_of = record.id if kind == "undo" else ""
            raise
        return _outcome(f"{_PAST[kind]}: {record.words}.", record.stores, written)

    def _require_journal(self, kind: str) -> None:
        """Say so when the reason for finding nothing is a journal that was damaged."""
        damaged = self.journal.damaged_lines()
        if damaged:
            raise Unreadable(
                f"{damaged} {'line' if damaged == 1 else 'lines'} of the journal cannot be read,"
                f" so there is nothing to {kind}.",
                code="journal_damaged",
                hint=f"If you have a copy of {self.journal.path}, put it back.",
            )

    def drop_undo(self, record_id: str = "", *, only: Callable[[JournalRecord], bool] | None = None) -> Outcome:
        """Leave a change as it is, the last one unless named: undo goes on to the one before it.

        Raises:
            NotFound: there is none.
        """
        self.settle_doubts()
        undo, _ = stacks(self.journal.heads())
        wanted = [head for head in reversed(undo) if record_id in ("", head.id)]
        found = (record for head in wanted if (record := read_record(head)))
        record = next((record for record in found if only is None or only(record)), None)
        if record is None:
            raise NotFound("There is nothing to undo.", code="nothing_to_undo")
        with self.hold(record.stores):
            self.journal.close(record.id, "dropped")
        return Outcome(f"Left as it is: {record.words}.", record.stores)

    def find_entry(self, store: StoreName, match: str) -> EntryRef:
        """The entry that `match` names: the whole entry, else part of one, else in folded typography.

        Raises:
            NotFound: nothing matches; the closest entries are named.
            Refused: several different entries match.
        """
        if not match.strip():
            raise Refused("The text to look for is blank.", code="blank_match", hint="Give some words of the entry.")
        texts = self._texts_to_name(store)
        result = find(texts, match)
        if result.at is not None:
            return EntryRef(store, result.at + 1, texts[result.at])
        if result.ambiguous:
            places = ", ".join(str(at + 1) for at in result.candidates)
            raise Refused(
                f"“{match}” matches entries {places} of {FILE_NAMES[store]}.",
                code="ambiguous",
                hint="Give more of the text, or name the entry by --index.",
            )
        near = closest(texts, match)
        hint = f"The closest: “{near[0][:80]}”." if near else "List the entries to see what is there."
        raise NotFound(f"No entry of {FILE_NAMES[store]} matches “{match}”.", code="no_match", hint=hint)

    def _texts_to_name(self, store: StoreName) -> list[str]:
        """The entries a person can name; a file that must not be changed says so before anything is looked for."""
        here = self.read(store)
        refuse_disorder(here)
        return here.view.texts

    def entry_at(self, store: StoreName, index: int) -> EntryRef:
        """The entry at a place, from 1.

        Raises:
            NotFound: there are fewer entries.
        """
        texts = self._texts_to_name(store)
        if not 1 <= index <= len(texts):
            raise NotFound(
                f"{FILE_NAMES[store]} has no entry {index}; it has {len(texts)}.",
                code="no_entry",
                hint="List the entries to see their numbers.",
            )
        return EntryRef(store, index, texts[index - 1])


def _outcome(message: str, stores: tuple[StoreName, ...], written: Written | None) -> Outcome:
    if written is None:
        return Outcome(message if message.startswith("It ") else "It was so already; nothing was written.", stores)
    return Outcome(message, stores, written.journal_id, written.backup)


def _stores_of(refs: Sequence[EntryRef]) -> tuple[StoreName, ...]:
    return tuple(store for store in STORES if any(ref.store == store for ref in refs))


def _one_store(refs: Sequence[EntryRef]) -> StoreName:
    stores = _stores_of(refs)
    if len(stores) != 1:
        raise Refused("Only entries of one store can be merged.", code="two_stores", hint="Move them first.")
    return stores[0]


def without(on_disk: OnDisk, refs: Sequence[EntryRef]) -> list[str]:
    """The entries of a store without those; one that is gone already is no trouble.

    Raises:
        EntryConflict: one of them changed meanwhile.
    """
    entries = on_disk.view.texts
    places = set()
    for ref in refs:
        if ref.store != on_disk.view.store:
            continue
        try:
            places.add(locate(ref, entries, mine=""))
        except EntryConflict as conflict:
            if conflict.theirs is not None:
                raise
    return [entry for at, entry in enumerate(entries) if at not in places]


def _reverted(change: FileChange, here: OnDisk) -> Sequence[str] | bytes:
    back = reversed_hunks(change.hunks)
    if digest_of(here.data) == change.after:
        if change.raw_before is not None:
            return change.raw_before
        entries = apply_exactly(here.view.texts, back)
        if digest_of(join(entries).encode()) == change.before:
            return entries
    refuse_disorder(here)
    try:
        entries = apply_loosely(here.view.texts, back)
    except DoesNotFit as misfit:
        raise changed_since(change.store, misfit.missing, here.view.texts, mine=misfit.wanted) from misfit
    after = usage_of(entries, here.view.usage.limit)
    if after.over and after.chars > here.view.usage.chars:
        wanted = [text for hunk in back for text in hunk.new]
        raise EntryConflict(
            f"{FILE_NAMES[change.store]} has filled up since: with this change taken back it would be over by"
            f" {after.over:,}.",
            base="",
            mine="\n".join(wanted),
            theirs=None,
            ref=EntryRef(change.store, len(here.view.texts) + 1, ""),
        )
    return entries
