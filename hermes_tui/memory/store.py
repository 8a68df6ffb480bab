"""Changing MEMORY.md and USER.md: the agent's own protocol, whole or not at all, and never from a stale view."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes_tui.config import HermesConfig
from hermes_tui.disk import (
    LOCK_TIMEOUT_SECONDS,
    WaitNotice,
    locked,
    make_folder,
    read_file,
    refusals,
    replace_file,
)
from hermes_tui.errors import HermesTuiError, NotFound, Refused
from hermes_tui.home import HermesHome, data_dir
from hermes_tui.memory.changes import DoesNotFit, apply_exactly, hunks_between
from hermes_tui.memory.entries import (
    FILE_NAMES,
    STORES,
    StoreName,
    begins_with_mark,
    join,
    survives_reload,
)
from hermes_tui.memory.journal import FileChange, Journal, JournalRecord, Origin, OtherFile, new_id, read_record
from hermes_tui.memory.rules import half_done, refuse_disorder, refuse_one_file, refuse_overflow, texts_of
from hermes_tui.memory.view import StoreView, digest_of, view_bytes, view_store


@dataclass(frozen=True, slots=True)
class Written:
    """A change that is on the disk."""

    journal_id: str
    backup: Path | None
    """Where the old bytes were put aside, when the file was not in order."""


@dataclass(frozen=True, slots=True)
class OnDisk:
    """One store as read under its lock."""

    view: StoreView
    data: bytes
    """The exact bytes; empty when there is no file."""


Contents = Mapping[StoreName, "Sequence[str] | bytes"]
"""What the named stores shall hold: entries, or exact bytes where old bytes come back."""
Plan = Callable[[Mapping[StoreName, OnDisk]], Contents]
"""Decides, from what is on disk under the lock, what shall be there; raises to refuse."""


class StoreFiles:
    """The files of both stores of one home, with the locks and the journal that every change goes through.

    Args:
        home: the home whose files are changed.
        config: limits and flags as read from config.yaml.
        read_only: refuse every change.
        origin: who asks, for the journal.
        on_wait: told while another process holds a lock.
    """

    def __init__(
        self,
        home: HermesHome,
        config: HermesConfig,
        *,
        read_only: bool = False,
        origin: Origin = "cli",
        on_wait: WaitNotice | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.home = home
        self.config = config
        self.read_only = read_only
        self.origin = origin
        self.on_wait = on_wait
        self.on_progress: Callable[[int, int], object] = lambda _done, _total: None
        """Told how many of the changes that are made, or taken back, at once are done."""
        self.data_dir = data_dir(home.path, environ)
        self.journal = Journal(self.data_dir)
        self.group = ""
        """The step that changes made now belong to; see `as_one`."""

    @contextlib.contextmanager
    def as_one(self, group: str = "") -> Iterator[None]:
        """Make what is changed meanwhile one step, which undo takes back at once."""
        before, self.group = self.group, self.group or group or new_id()
        try:
            yield
        finally:
            self.group = before

    def view(self, store: StoreName) -> StoreView:
        """The store as it stands on disk."""
        return view_store(self.home, self.config, store)

    def path(self, store: StoreName) -> Path:
        """The store's file as the home names it."""
        return self.home.memories / FILE_NAMES[store]

    def lock_path(self, store: StoreName) -> Path:
        """The lock file that the agent uses for the store."""
        return self.home.memories / f"{FILE_NAMES[store]}.lock"

    @contextlib.contextmanager
    def hold(self, stores: Sequence[StoreName], *, timeout: float = LOCK_TIMEOUT_SECONDS) -> Iterator[None]:
        """Hold the locks of `stores`, always taken in the same order so that two movers never block each other.

        Raises:
            Refused: read-only, or a lock was held by others for too long.
            NotFound: there is no home.
            Unreadable: the disk refused.
        """
        if self.read_only:
            raise Refused(
                "This is a read-only view; nothing was written.",
                code="read_only",
                hint="Start without --read-only to make changes.",
            )
        if not self.home.exists:
            raise NotFound(
                f"There is no Hermes home at {self.home.path}.",
                code="no_home",
                hint="Name one with --home, or try --demo.",
            )
        if stores:
            make_folder(self.home.memories)
        with contextlib.ExitStack() as stack:
            for store in STORES:
                if store in stores:
                    stack.enter_context(locked(self.lock_path(store), on_wait=self.on_wait, timeout=timeout))
            yield

    def read(self, store: StoreName) -> OnDisk:
        """The store's bytes and view; hold its lock to write what follows from them.

        Raises:
            Unreadable: the file exists but cannot be read; it is not to be written then.
        """
        found = read_file(self.path(store))
        data = found[0] if found else b""
        view = view_bytes(self.path(store), self.config, store, data, None) if found else self.view(store)
        return OnDisk(view, data)

    def change(
        self,
        kind: str,
        stores: Sequence[StoreName],
        plan: Plan,
        *,
        plan_checks: bool = False,
        of: str = "",
        label: str = "",
        others: Sequence[OtherFile] = (),
    ) -> Written | None:
        """Lock, read again, let `plan` decide, check, write down, replace. The one way memory files are written.

        Args:
            kind: the word for the journal.
            stores: the stores whose locks are held while `plan` decides.
            plan: what shall be there; stores it leaves out stay as they are.
            plan_checks: `plan` itself looks at the state and the limit; otherwise files that are not in
                order are refused, and so is what makes a full store fuller.
            of: for undo and redo, the record concerned.
            label: the change in a few words, for the journal; made from `kind` when left out.
            others: files besides the stores that change with them, or not at all.

        Returns:
            What was written, or None when everything is as wanted already.

        Raises:
            HermesTuiError: with nothing written.
        """
        self.settle_doubts()
        with self.hold(stores):
            return self.change_held(kind, stores, plan, plan_checks=plan_checks, of=of, label=label, others=others)

    def change_held(
        self,
        kind: str,
        stores: Sequence[StoreName],
        plan: Plan,
        *,
        plan_checks: bool = False,
        of: str = "",
        label: str = "",
        others: Sequence[OtherFile] = (),
        then: Callable[[], None] | None = None,
    ) -> Written | None:
        """The same for somebody who holds the locks of `stores`.

        Args:
            then: done once the files are written; when it raises, they are put back as they were.
        """
        with refusals(self.home.memories):
            return self._change(kind, stores, plan, plan_checks, of, label, others, then)

    def _change(
        self,
        kind: str,
        stores: Sequence[StoreName],
        plan: Plan,
        plan_checks: bool,
        of: str,
        label: str,
        others: Sequence[OtherFile],
        then: Callable[[], None] | None,
    ) -> Written | None:
        on_disk = {store: self.read(store) for store in STORES if store in stores}
        refuse_one_file(on_disk)
        if not plan_checks:
            for here in on_disk.values():
                refuse_disorder(here)
        wanted = plan(on_disk)
        changes: list[tuple[FileChange, bytes]] = []
        for store, content in wanted.items():
            if not plan_checks:
                refuse_overflow(on_disk[store], content)
            data = self._encode(store, content)
            if data != on_disk[store].data:
                changes.append((_describe(on_disk[store], content, data), data))
        if not changes and not others:
            return None
        self.check_others(others)
        names = " and ".join(FILE_NAMES[change.store] for change, _ in changes)
        record = JournalRecord(
            id=new_id(),
            at=time.time(),
            kind=kind,
            origin=self.origin,
            state="open",
            files=tuple(change for change, _ in changes),
            of=of,
            others=tuple(others),
            label=label or f"{kind} in {names}",
            group=self.group,
        )
        backup = None
        for change, _ in changes:
            if on_disk[change.store].view.state not in ("ok", "missing"):
                backup = self.put_aside(on_disk[change.store])
        self.journal.begin(record)
        self._write(record, on_disk, [data for _, data in changes], then)
        return Written(record.id, backup)

    def _encode(self, store: StoreName, content: Sequence[str] | bytes) -> bytes:
        if isinstance(content, bytes):
            return content
        if not survives_reload(content):
            raise Refused(
                f"{FILE_NAMES[store]} would not read back as the same entries: § would stand alone on a line.",
                code="would_split",
                hint="Make them separate entries, or write something else on that line.",
            )
        if begins_with_mark(content):
            raise Refused(
                f"{FILE_NAMES[store]} would begin with U+FEFF, which readers take for a byte order mark and leave out.",
                code="would_begin_with_mark",
                hint="Take that character off the first entry.",
            )
        try:
            return join(content).encode("utf-8")
        except UnicodeEncodeError as error:
            raise Refused(
                "The text holds half a character (a lone surrogate) and cannot be written as UTF-8.",
                code="not_utf8",
                hint="Take that character out.",
            ) from error

    def _write(
        self,
        record: JournalRecord,
        on_disk: Mapping[StoreName, OnDisk],
        contents: Sequence[bytes],
        then: Callable[[], None] | None,
    ) -> None:
        done: list[FileChange] = []
        try:
            for change, data in zip(record.files, contents, strict=True):
                replace_file(self.path(change.store), data, temp_name=change.temp_name)
                done.append(change)
            self.change_others(record.others)
            if then is not None:
                then()
        except BaseException as error:
            foreseen = isinstance(error, HermesTuiError | OSError)
            try:
                self.settle_others(record.others, ahead=False)
                for change in done:  # both or neither: put the first file back
                    replace_file(self.path(change.store), on_disk[change.store].data, temp_name=change.temp_name)
            except (HermesTuiError, OSError) as worse:
                self.journal.doubtful = True
                if foreseen:
                    raise half_done(error) from worse
                raise error from worse
            if foreseen:
                with contextlib.suppress(HermesTuiError):
                    self.journal.close(record.id, "failed")
            else:
                self.journal.doubtful = True
            raise
        with contextlib.suppress(HermesTuiError):  # settled by digests at the next start
            self.journal.close(record.id, "done")

    def recover(self, *, timeout: float = LOCK_TIMEOUT_SECONDS) -> int:
        """Settle what a crash of ours left behind: close its records, finish a half-done move, drop its temp files.

        Does nothing, not even take a lock, when there is nothing of ours to settle.

        Returns:
            The number of records settled.
        """
        if self.read_only or not self.home.exists:
            return 0
        if not self.journal.open_ids():
            self.journal.doubtful = False
            return 0
        with self.hold(STORES, timeout=timeout), refusals(self.home.memories):
            open_ids = self.journal.open_ids()  # what was still being written has been closed by now
            for head in self.journal.heads():
                if head.id in open_ids:
                    record = read_record(head)
                    if record is not None:
                        self._settle(record)
            self.journal.doubtful = False
            return len(open_ids)

    def settle_doubts(self) -> bool:
        """Settle what the disk has refused to this process; whether anything of it stands now.

        Raises:
            HermesTuiError: it still refuses.
        """
        if not self.journal.doubtful or self.read_only:
            return False
        doubtful = self.journal.open_ids()
        self.recover()
        return any(head.id in doubtful and head.state == "done" for head in self.journal.heads())

    def _settle(self, record: JournalRecord) -> None:
        for change in record.files:
            Path(os.path.realpath(self.path(change.store))).with_name(change.temp_name).unlink(missing_ok=True)
        landed = [self._landed(change) for change in record.files]
        went_ahead = any(landed) or not record.files  # without a store there was nothing but the decision
        for change, there in zip(record.files, landed, strict=True):
            if went_ahead and not there:
                self._finish(change)
        self.settle_others(record.others, ahead=went_ahead)
        self.journal.close(record.id, "done" if went_ahead else "failed")

    def check_others(self, changes: Sequence[OtherFile]) -> None:
        """Say no to changes of files that are no store; whoever has such files says more."""
        if changes:
            raise Refused("Files of the queue are changed by the review of the queue only.", code="not_a_store")

    def change_others(self, changes: Sequence[OtherFile]) -> None:
        """Make the changes of a record to files that are no store."""

    def settle_others(self, changes: Sequence[OtherFile], *, ahead: bool) -> None:
        """After a crash: finish those changes (`ahead`), or put everything back as it was."""

    def _landed(self, change: FileChange) -> bool:
        now = self.read(change.store)
        if digest_of(now.data) in (change.after, change.before):
            return digest_of(now.data) == change.after
        texts = set(now.view.texts)  # somebody wrote on top: what we brought tells whether ours came first
        brought = [text for hunk in change.hunks for text in hunk.new]
        taken = [text for hunk in change.hunks for text in hunk.old if text not in brought]
        return all(text in texts for text in brought) and not any(text in texts for text in taken)

    def _finish(self, change: FileChange) -> None:
        now = self.read(change.store)
        try:
            entries = apply_exactly(now.view.texts, change.hunks)
        except DoesNotFit:
            return  # somebody changed it since: the entry stays in both stores rather than in none
        replace_file(self.path(change.store), join(entries).encode(), temp_name=change.temp_name)

    def put_aside(self, on_disk: OnDisk) -> Path:
        """Keep a copy of a file's exact bytes in our own data directory, before a step that rewrites all of it.

        Raises:
            Unreadable: the copy could not be made.
        """
        folder = self.data_dir / "backups"
        make_folder(folder)
        digest = digest_of(on_disk.data)[:12]
        with refusals(folder):
            copies = list(folder.glob(f"{on_disk.view.file_name}.*.{digest}"))
        for copy in copies:
            return copy  # these very bytes are kept already; one refusal after another must not fill the disk
        copy = folder / f"{on_disk.view.file_name}.{time.strftime('%Y%m%d-%H%M%S')}.{digest}"
        replace_file(copy, on_disk.data, follow=False)
        return copy


def _describe(on_disk: OnDisk, content: Sequence[str] | bytes, data: bytes) -> FileChange:
    view = on_disk.view
    after = texts_of(content)
    return FileChange(
        store=view.store,
        before=digest_of(on_disk.data),
        after=digest_of(data),
        hunks=hunks_between(view.texts, after),
        raw_before=None if join(view.texts).encode("utf-8") == on_disk.data else on_disk.data,
        temp_name=f".mem_{secrets.token_hex(8)}.tmp",
    )
