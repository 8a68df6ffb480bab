"""Deciding over pending writes: approve, reject, edit first, one step of a batch; each once, and each undoable."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes_tui.disk import (
    LOCK_TIMEOUT_SECONDS,
    clear_temps,
    locked,
    make_folder,
    read_file,
    refusals,
    write_failure,
)
from hermes_tui.errors import HermesTuiError, NotFound, Refused, Unreadable
from hermes_tui.memory.editing import MemoryStore, Outcome
from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.memory.journal import JournalRecord, OtherFile
from hermes_tui.memory.store import OnDisk
from hermes_tui.pending.files import claims, move_to, put_back, require_unchanged, take_back, temp_path
from hermes_tui.pending.preview import preview
from hermes_tui.pending.proposals import named
from hermes_tui.pending.queue import SUBSYSTEMS
from hermes_tui.pending.records import PendingRecord
from hermes_tui.pending.rewriting import split_step, with_content
from hermes_tui.pending.skills.preview import preview_skill
from hermes_tui.pending.skills.roots import external_dirs
from hermes_tui.pending.staging import record_bytes

BREATH_SECONDS = 0.0005
"""Between two decisions of a bulk the lock is left alone, or another window of ours would wait for all of them."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A record that stays in the queue, with its own reason."""

    id: str
    verdict: str
    reason: str
    unreadable: bool = False
    """Whether it is the disk that refused."""


@dataclass(frozen=True, slots=True)
class Decision:
    """How a decision over one or more records ended."""

    done: tuple[str, ...]
    failed: tuple[Failed, ...]


class _Stays(Exception):
    """A record that cannot be decided as asked."""

    def __init__(self, verdict: str, reason: str) -> None:
        super().__init__(reason)
        self.verdict = verdict
        self.reason = reason


class Review(MemoryStore):
    """Both stores and both queues of one home, as a person decides over them.

    What is decided is the file that was shown: its path and its exact bytes. Decisions of all our
    processes follow one another (a lock of our own), each claims its file by renaming it first,
    and each is in the journal before anything changes.
    """

    def approve(self, records: Sequence[PendingRecord], *, accept_newer: bool = False) -> Decision:
        """Apply records in the order given; each that cannot be applied stays, and the rest goes on.

        Args:
            records: as they were shown; one whose file has changed since stays.
            accept_newer: let pass what the 0.22 line of the agent lets pass.
        """
        return self._decide(records, lambda record: self._approve(record, accept_newer=accept_newer))

    def reject(self, records: Sequence[PendingRecord]) -> Decision:
        """Take records out of the queue without applying them."""
        return self._decide(records, self._reject)

    def edit_and_approve(
        self, record: PendingRecord, content: str, *, step: int | None = None, accept_newer: bool = False
    ) -> Decision:
        """Put another text in the place of the proposed one, then approve.

        Args:
            record: the record as it was shown.
            content: the text that is to be stored.
            step: for a batch, the operation it is for, from 1.
            accept_newer: let pass what the 0.22 line of the agent lets pass.
        """
        changed = with_content(record, content, step)
        return self._decide([record], lambda _: self._approve(record, accept_newer=accept_newer, changed=changed))

    def approve_step(self, record: PendingRecord, step: int, *, accept_newer: bool = False) -> Decision:
        """Apply one operation of a batch, counted from 1; the others stay queued."""
        one, rest = split_step(record, step)
        return self._decide(
            [record], lambda _: self._approve(record, accept_newer=accept_newer, changed=one, rest=rest)
        )

    def reject_step(self, record: PendingRecord, step: int) -> Decision:
        """Take one operation out of a batch, counted from 1; the others stay queued."""
        _, rest = split_step(record, step)
        return self._decide([record], lambda _: self._reject(record, rest=rest))

    # How a decision is carried out

    def _decide(self, records: Sequence[PendingRecord], decide: Callable[[PendingRecord], None]) -> Decision:
        with self.as_one() if len(records) > 1 else contextlib.nullcontext():
            return self._decide_each(records, decide)

    def _decide_each(self, records: Sequence[PendingRecord], decide: Callable[[PendingRecord], None]) -> Decision:
        done: list[str] = []
        failed: list[Failed] = []
        for number, record in enumerate(records):
            if number:
                self.on_progress(number, len(records))
                time.sleep(BREATH_SECONDS)
            try:
                with refusals(record.path), self._turn():
                    decide(record)
                done.append(record.id)
            except _Stays as stays:
                failed.append(Failed(record.id, stays.verdict, stays.reason))
            except HermesTuiError as error:
                failed.append(Failed(record.id, error.code, str(error), isinstance(error, Unreadable)))
        return Decision(tuple(done), tuple(failed))

    @contextlib.contextmanager
    def _turn(self, timeout: float = LOCK_TIMEOUT_SECONDS) -> Iterator[None]:
        """Hold the lock under which our own processes decide one at a time."""
        if self.read_only:
            raise Refused(
                "This is a read-only view; nothing was decided.",
                code="read_only",
                hint="Start without --read-only to decide.",
            )
        make_folder(self.data_dir)
        with locked(self.data_dir / "queue.lock", on_wait=self.on_wait, timeout=timeout):
            if self.journal.doubtful:
                self._settle_all(timeout)
            yield

    def _approve(
        self,
        record: PendingRecord,
        *,
        accept_newer: bool,
        changed: PendingRecord | None = None,
        rest: PendingRecord | None = None,
    ) -> None:
        wanted = changed or record
        if record.subsystem == "skills":
            return self._approve_skill(record, wanted, rest)
        if wanted.problem or wanted.store is None:
            raise _Stays("invalid", wanted.problem)
        store = wanted.store
        with self._claimed(record) as (claim, data):

            def plan(on_disk: Mapping[StoreName, OnDisk]) -> Mapping[StoreName, Sequence[str]]:
                views = {name: on_disk[name].view if name in on_disk else self.view(name) for name in STORES}
                result = preview(wanted, views, accept_newer=accept_newer)
                if not result.can_apply:
                    raise _Stays(result.verdict, result.reason)
                # Like the agent: only an addition that is there already leaves even the line ends alone.
                return {} if result.verdict == "duplicate" and wanted.action == "add" else {store: result.entries_after}

            self.change(
                "approve",
                [store],
                plan,
                plan_checks=True,
                label=f"approve {named(wanted)}",
                others=[_leaves(record, claim, data, rest)],
            )

    def _approve_skill(self, record: PendingRecord, wanted: PendingRecord, rest: PendingRecord | None) -> None:
        with self._claimed(record) as (claim, data):
            result = preview_skill(self.home, external_dirs(self.home), wanted)
            if result.verdict != "applies":
                raise _Stays(result.verdict, result.reason)
            self.change(
                "approve",
                [],
                lambda _: {},
                plan_checks=True,
                label=f"approve {named(wanted)}",
                others=[_leaves(record, claim, data, rest), *result.changes],
            )
            for folder in result.emptied:
                with contextlib.suppress(OSError):  # something else has come into it: then it stays
                    folder.rmdir()

    def _reject(self, record: PendingRecord, *, rest: PendingRecord | None = None) -> None:
        with self._claimed(record) as (claim, data):
            self.change(
                "reject",
                [],
                lambda _: {},
                plan_checks=True,
                label=f"reject {named(record)}",
                others=[_leaves(record, claim, data, rest)],
            )

    @contextlib.contextmanager
    def _claimed(self, record: PendingRecord) -> Iterator[tuple[str, bytes]]:
        """Rename the file so that nobody else can decide it; it goes back if the decision fails."""
        path = self._checked(record.path)
        claim = path.with_name(f".{path.name}.claim-{self._claim_mark()}")
        try:
            path.rename(claim)
        except FileNotFoundError:
            raise _Stays("stale", "It is gone: somebody else has decided it already.") from None
        except OSError as error:
            raise write_failure(path, error) from error
        try:
            with refusals(path):
                data = self._same_bytes(record, claim)
            yield claim.name, data
        except BaseException as error:
            try:
                put_back(claim, path)
            except OSError as worse:
                self.journal.doubtful = True
                raise _kept_out(error) from worse
            raise

    def _same_bytes(self, record: PendingRecord, claim: Path) -> bytes:
        """The bytes that were shown; what could not be read then is not decided over, for undo could not return it."""
        if claim.is_dir() and not claim.is_symlink():
            raise _Stays("invalid", "It is a folder; move it away by hand.")
        if not record.digest:
            why = "It cannot be read, so it could not be brought back: nothing was removed."
            raise _Stays("invalid", f"{why} Move {record.path} away by hand.")
        if claim.is_symlink():
            raise _Stays("stale", "It has become a link since it was shown.")
        found = read_file(claim)
        if found is None or hashlib.sha256(found[0]).hexdigest() != record.digest:
            raise _Stays("stale", "It has changed since it was shown; look at it again.")
        return found[0]

    def _checked(self, path: Path) -> Path:
        """The path, if it is a file right inside one of this home's queues, whatever a record says."""
        folders = [self.home.pending(subsystem) for subsystem in SUBSYSTEMS]
        if path in folders:
            raise _Stays("invalid", f"The queue's folder itself cannot be read: chmod u+rwx {path}")
        if path.parent not in folders or path.name in ("", ".", ".."):
            raise _Stays("invalid", f"{path} is not in the queue of this home.")
        return path

    def _claim_mark(self) -> str:
        """Marks claims of this data directory, so that another one's are left alone."""
        return hashlib.sha256(str(self.data_dir).encode()).hexdigest()[:8]

    # What the journal asks of whoever has files besides the stores

    def check_others(self, changes: Sequence[OtherFile]) -> None:
        """Say no when a file is not as the change expects it; what is claimed has been compared already."""
        for change in changes:
            if not change.claim:
                require_unchanged(change)

    def change_others(self, changes: Sequence[OtherFile]) -> None:
        """Make the changes of a record to files of the queue and of skills."""
        for change in changes:
            with refusals(Path(change.path)):
                move_to(change, change.after)

    def settle_others(self, changes: Sequence[OtherFile], *, ahead: bool) -> None:
        """After a crash or a failure: finish those changes (`ahead`), or put everything back as it was."""
        for change in changes:
            with refusals(Path(change.path)):
                temp_path(change).unlink(missing_ok=True)
                if ahead:
                    move_to(change, change.after)
                elif change.claim and Path(change.path).with_name(change.claim).exists():
                    take_back(change)
                elif change.before is not None or change.after is not None:
                    move_to(change, change.before)

    def recover(self, *, timeout: float = LOCK_TIMEOUT_SECONDS) -> int:
        """Settle what a crash of ours left behind, claims that never led to anything included."""
        if self.read_only or not self.home.exists:
            return 0
        mark = f".claim-{self._claim_mark()}"
        self._clear_temps()
        folders = [self.home.pending(subsystem) for subsystem in SUBSYSTEMS]
        if not self.journal.open_ids() and not any(claims(folder, mark) for folder in folders):
            self.journal.doubtful = False
            return 0
        with self._turn(timeout):
            return self._settle_all(timeout)

    def _settle_all(self, timeout: float) -> int:
        """The same for somebody whose turn it is."""
        self.journal.doubtful = True
        mark = f".claim-{self._claim_mark()}"
        settled = super().recover(timeout=timeout)
        self.journal.doubtful = True
        for subsystem in SUBSYSTEMS:
            folder = self.home.pending(subsystem)
            for claim in claims(folder, mark):
                with refusals(claim):
                    put_back(claim, claim.with_name(claim.name[1 : -len(mark)]))
                settled += 1
        self.journal.doubtful = False
        return settled

    def _clear_temps(self) -> None:
        """Remove the temp files that killed processes of ours have left wherever they write."""
        targets = [os.path.realpath(self.home.path / name) for name in ("config.yaml", ".env")]
        ours = [Path(folder) for folder, _, _ in os.walk(self.data_dir)]
        agents = [self.home.path, self.home.path / "sessions", *map(self.home.pending, SUBSYSTEMS)]
        for folder in {*agents, *(Path(target).parent for target in targets), *ours}:
            clear_temps(folder)

    def undo(self, *, only: Callable[[JournalRecord], bool] | None = None) -> Outcome:
        """Take back the last change or decision of ours that still stands."""
        self.settle_first("undo")
        with self._turn():
            return super().undo(only=only)

    def undo_decision(self) -> Outcome:
        """Take back the last decision over the queue, whatever else was changed since.

        Raises:
            NotFound: there is none.
            EntryConflict: what it changed has been changed again since.
        """
        try:
            return self.undo(only=is_decision)
        except NotFound as nothing:
            raise NotFound("No decision over the queue is left to undo.", code=nothing.code) from nothing

    def redo(self) -> Outcome:
        """Make the last undone change or decision again."""
        self.settle_first("redo")
        with self._turn():
            return super().redo()


def is_decision(record: JournalRecord) -> bool:
    """Whether a change of ours was a decision over the queue."""
    return bool(record.others)


def _kept_out(error: BaseException) -> BaseException:
    """The error of a decision after which the file could not get its name back."""
    said = "It is out of the queue meanwhile; the next change or start puts it back, once the disk works again."
    if isinstance(error, _Stays):
        return _Stays(error.verdict, f"{error.reason} {said}")
    if isinstance(error, HermesTuiError):
        return Unreadable(error.message, code="half_done", hint=said)
    return error


def _leaves(record: PendingRecord, claim: str, data: bytes, rest: PendingRecord | None) -> OtherFile:
    after = None if rest is None else record_bytes(rest.body)
    return OtherFile(path=str(record.path), before=data, after=after, mode=0o644, claim=claim)
