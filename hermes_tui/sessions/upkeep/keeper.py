"""Everything that changes the sessions of a home, in the words of the person who asks for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from hermes_tui.errors import HermesTuiError, Refused
from hermes_tui.home import HermesHome, data_dir
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.messages import size_words
from hermes_tui.sessions.upkeep import shelving, titling
from hermes_tui.sessions.upkeep.cells import apply
from hermes_tui.sessions.upkeep.changes import Change, Failure, Progress, Step, Stopped
from hermes_tui.sessions.upkeep.copies import Copy
from hermes_tui.sessions.upkeep.deletion import Plan, plan_for
from hermes_tui.sessions.upkeep.erasing import Erased, Eraser
from hermes_tui.sessions.upkeep.naming import clean_title
from hermes_tui.sessions.upkeep.pruning import Pruned, plan_prune
from hermes_tui.sessions.upkeep.session_files import SessionFiles
from hermes_tui.sessions.upkeep.space import vacuum
from hermes_tui.sessions.upkeep.steps import Cell, Steps
from hermes_tui.sessions.upkeep.undoing import Undoing
from hermes_tui.sessions.upkeep.writer import LONG_PATIENCE_SECONDS, Writer, told_as_cut_off
from hermes_tui.text import plural

if TYPE_CHECKING:
    from hermes_tui.sessions.upkeep.importing import Contents, Imported

CHUNK = 100
"""Conversations that are titled, archived or pinned at once."""

Cells = Callable[[Writer, str], list[Cell]]


class Keeper:
    """Changes sessions, and takes changes back.

    Args:
        home: the home.
        read_only: whether every change is refused.
    """

    def __init__(self, home: HermesHome, *, read_only: bool = False) -> None:
        self.home = home
        self.read_only = read_only
        self.files = SessionFiles(home.path)
        self.steps = Steps(data_dir(home.path))

    # Titles

    def rename(self, session_id: str, title: str) -> Change:
        """Give a session a title; nothing takes away the one that its conversation shows.

        Raises:
            TitleTaken: another session has it; `offer` is one that is free.
            Refused: it is too long, or must not be changed.
            NotFound: there is no such session.
            Unreadable: the database cannot be written.
        """
        clean = clean_title(title).text
        label = f"renaming to “{clean}”" if clean else "clearing of a title"
        change = self._cells(
            "rename", lambda _count: label, [session_id], lambda writer, id: titling.rename(writer, id, title)
        )
        return self._said(change, f"Renamed to “{clean}”." if clean else "The title is cleared.")

    def entitle(
        self,
        titles: Mapping[str, str],
        source: Literal["derived", "llm"] = "derived",
        *,
        progress: Progress | None = None,
        stopped: Stopped | None = None,
    ) -> Change:
        """Give titles to sessions that have none; a title that is taken gets the next number.

        Raises:
            Unreadable: the database cannot be written.
        """

        def cells(writer: Writer, id: str) -> list[Cell]:
            found = titling.entitle(writer, id, titles[id], source)
            if not found:
                raise Refused("It has a title.", code="titled")
            return found

        change = self._cells(
            "title", lambda count: f"titles of {plural(count, 'conversation')}", list(titles), cells, progress, stopped
        )
        return self._said(change, f"{plural(len(change.done), 'title')} written.")

    # Archive and pins

    def archive(
        self, ids: Sequence[str], archived: bool, *, progress: Progress | None = None, stopped: Stopped | None = None
    ) -> Change:
        """Put conversations into the archive, or take them out of it.

        A stop comes between two batches: what is done until then stays so, and can be taken back.

        Args:
            ids: any part of each.
            archived: whether they go into it.
            progress: told how many are through.
            stopped: whether to stop.

        Raises:
            Refused: this database does not know the archive.
            Unreadable: it cannot be written.
        """
        kind, verb = ("archive", "Archived") if archived else ("unarchive", "Taken out of the archive:")
        cells: Cells = lambda writer, id: shelving.archive(writer, [id], archived)  # noqa: E731
        return self._shelved(kind, verb, ids, cells, progress, stopped)

    def pin(
        self, ids: Sequence[str], pinned: bool, *, progress: Progress | None = None, stopped: Stopped | None = None
    ) -> Change:
        """Pin conversations, so that nothing prunes them, or no longer; it stops as `archive` does.

        Raises:
            Refused: this database does not know pins.
            Unreadable: it cannot be written.
        """
        kind, verb = ("pin", "Pinned") if pinned else ("unpin", "No longer pinned:")
        cells: Cells = lambda writer, id: shelving.pin(writer, [id], pinned)  # noqa: E731
        return self._shelved(kind, verb, ids, cells, progress, stopped)

    def _shelved(
        self,
        kind: str,
        verb: str,
        ids: Sequence[str],
        cells: Cells,
        progress: Progress | None,
        stopped: Stopped | None,
    ) -> Change:
        def checked(writer: Writer, id: str) -> list[Cell]:
            if not writer.rows("SELECT 1 FROM sessions WHERE id = ?", (id,)):
                raise titling.gone(id)
            return cells(writer, id)

        change = self._cells(
            kind, lambda count: f"{kind} of {plural(count, 'conversation')}", ids, checked, progress, stopped
        )
        return self._said(change, f"{verb} {plural(len(change.done), 'conversation')}.")

    def _cells(
        self,
        kind: str,
        label: Callable[[int], str],
        ids: Sequence[str],
        cells: Cells,
        progress: Progress | None = None,
        stopped: Stopped | None = None,
    ) -> Change:
        """Change values of sessions, some at a time, each some as a whole.

        With one session its failure is raised; with several they are listed. The label says how many were changed.
        """
        self._check_writable()
        done: list[str] = []
        failed: list[Failure] = []
        step, cut = "", False
        with Writer(self.home.state_db) as writer:
            for start in range(0, len(ids), CHUNK):
                if start:
                    writer.give_way(0.0)
                if stopped and stopped():
                    cut = True
                    break
                with told_as_cut_off(start, "conversation"), writer.transaction():
                    made: list[Cell] = []
                    for id in ids[start : start + CHUNK]:
                        try:
                            found = cells(writer, id)
                        except HermesTuiError as error:
                            if len(ids) == 1 or error.code not in _OF_ONE:
                                raise
                            failed.append(Failure(id, error.message))
                            continue
                        apply(writer, found)
                        made += found
                        done.append(id)
                    if made:
                        step = step or self.steps.begin(kind, label(len(ids)))
                        self.steps.note(step, cells=made)
                if progress:
                    progress(min(start + CHUNK, len(ids)), len(ids))
        if step:
            self.steps.end(step, "done", label=label(len(done)) if cut else "")
        return Change("", tuple(done), tuple(failed), step, stopped=cut)

    # Deleting

    def plan(
        self,
        ids: Sequence[str],
        *,
        whole: bool = True,
        progress: Progress | None = None,
        stopped: Stopped | None = None,
    ) -> Plan:
        """What deleting conversations would do; nothing is changed.

        Args:
            ids: any part of each.
            whole: whether all parts of each go, or only these very sessions.
            progress: told how many sessions were looked at.
            stopped: whether to give up.

        Raises:
            NotFound: there are no sessions in this home.
            Unreadable: they cannot be read.
            Interrupted: somebody gave up.
        """
        with self._reading() as base:
            return plan_for(base, self.files, ids, now=time.time(), whole=whole, progress=progress, stopped=stopped)

    def plan_prune(self, wanted: Pruned, *, progress: Progress | None = None, stopped: Stopped | None = None) -> Plan:
        """The same for what is old, small or empty; what is pinned or in use is left alone."""
        with self._reading() as base:
            return plan_prune(base, self.files, wanted, now=time.time(), progress=progress, stopped=stopped)

    def delete(self, plan: Plan, *, progress: Progress | None = None, stopped: Stopped | None = None) -> Change:
        """Delete what a plan says, after a copy; what was written to since is left alone.

        A stop comes between two batches: what is deleted until then stays deleted, and can be taken back.

        Args:
            plan: what `plan` or `plan_prune` gave.
            progress: told how many conversations are through.
            stopped: whether to stop.

        Raises:
            Unreadable: the database or our own data directory cannot be written.
        """
        self._check_writable()
        missing = [Failure(id, "It was deleted already.") for id in plan.missing]
        if not plan.doomed:
            return Change(_deleted_words(Erased(failed=missing)), (), tuple(missing))
        with self.steps.alone():
            step, erased = self._erase(plan, progress, stopped)
        erased.failed += missing
        ids = tuple(each.id for each in erased.done)
        return Change(_deleted_words(erased), ids, tuple(erased.failed), step, stopped=erased.stopped)

    def _erase(self, plan: Plan, progress: Progress | None, stopped: Stopped | None) -> tuple[str, Erased]:
        """Delete what a plan says; the step that takes it back, or nothing, and what became of it."""
        step = self.steps.begin("delete", f"delete of {plural(len(plan.doomed), 'conversation')}")
        copy = Copy(self.steps.copy_folder(step))
        erased = Erased()
        try:
            path = self.home.state_db
            with (
                Database(path, patience=LONG_PATIENCE_SECONDS) as base,
                Writer(path) as writer,
            ):
                eraser = Eraser(base, writer, self.files, copy, lambda: self.steps.note(step, old_trigrams=True))
                eraser.erase(plan, erased, progress, stopped)
        except HermesTuiError as error:
            if not erased.done:
                if error.code not in _UNSURE or not copy.begun:
                    self._drop(step, copy)
                raise
            through = {each.id for each in erased.done} | {failure.id for failure in erased.failed}
            erased.trouble = error.message
            erased.failed += [Failure(each.id, error.message) for each in plan.doomed if each.id not in through]
        if not erased.done:
            self._drop(step, copy)
            return "", erased
        self.steps.end(step, "done", label=f"delete of {plural(len(erased.done), 'conversation')}")
        return step, erased

    def _drop(self, step: str, copy: Copy) -> None:
        """Forget a step that has done nothing."""
        self.steps.end(step, "forgotten")
        copy.remove()

    # Bringing back

    def undoable(self) -> tuple[Step, ...]:
        """The changes that can be taken back, the next one last.

        Raises:
            Unreadable: the list of them cannot be read.
        """
        return tuple(
            Step(step.id, step.at, step.kind, step.label, Copy(self.steps.copy_folder(step.id)).size)
            for step in self.steps.undoable()
        )

    def undo(self, *, progress: Progress | None = None, stopped: Stopped | None = None) -> Change:
        """Take back the last change that was made here, also in the past.

        Raises:
            Refused: there is none, or it does not fit any more.
            Unreadable: the database cannot be written.
        """
        self._check_writable()
        return Undoing(self.home, self.steps, self.files, self._reading, time.time()).undo(progress, stopped)

    def forget(self, step_ids: Sequence[str]) -> int:
        """Delete what is kept for taking changes back; how many bytes that frees.

        Raises:
            Unreadable: the list of them cannot be read or written.
        """
        self._check_writable()
        freed = 0
        for step in self.steps.undoable():
            if step.id in step_ids:
                copy = Copy(self.steps.copy_folder(step.id))
                freed += copy.size
                self._drop(step.id, copy)
        return freed

    def look_into(self, path: Path, *, progress: Progress | None = None, stopped: Stopped | None = None) -> Contents:
        """What a file of exported sessions holds, checked as a whole.

        Raises:
            Refused: something in it is no session.
            Unreadable: it cannot be read.
        """
        from hermes_tui.sessions.upkeep.importing import check_file

        return check_file(path, progress=progress, stopped=stopped)

    def import_file(
        self, path: Path, *, progress: Progress | None = None, stopped: Stopped | None = None, dry_run: bool = False
    ) -> Imported:
        """Bring in the sessions of a file; those that are there already stay as they are.

        Raises:
            Refused: something in the file is no session.
            Unreadable: the file cannot be read, or the database cannot be written.
        """
        from hermes_tui.sessions.upkeep.importing import import_sessions
        from hermes_tui.sessions.upkeep.indexes import takes_apart_as_before

        if not dry_run:
            self._check_writable()
        with Writer(self.home.state_db) as writer:
            if dry_run:
                return import_sessions(writer, path, progress=progress, stopped=stopped, dry_run=True)
            writer.trigrams.old = bool(takes_apart_as_before(writer))
            coming = import_sessions(writer, path, dry_run=True, stopped=stopped)
            if not coming.imported:
                return coming
            counts = {header.id: header.messages for header in self.look_into(path).sessions}
            with self.steps.alone():
                step = self.steps.begin("import", f"import of {plural(len(coming.imported), 'session')}")
                self.steps.note(step, counts={id: counts[id] for id in coming.imported})
                found = import_sessions(writer, path, progress=progress, stopped=stopped)
                self.steps.end(step, "done")
                return found

    def vacuum(self) -> Change:
        """Write the database anew without its holes, so that their space goes back to the disk.

        Raises:
            Refused: the disk has no room for it, or an agent is at work.
            Unreadable: the database cannot be written.
        """
        self._check_writable()
        with Writer(self.home.state_db) as writer:
            before, after = vacuum(writer)
        said = f"{size_words(max(before - after, 0))} went back to the disk; state.db has {size_words(after)} now."
        return Change(said, ())

    def _reading(self) -> Database:
        return Database(self.home.state_db)

    def _check_writable(self) -> None:
        if self.read_only:
            raise Refused("Nothing is changed: this was started with --read-only.", code="read_only")

    @staticmethod
    def _said(change: Change, message: str) -> Change:
        failed = f" {plural(len(change.failed), 'conversation')} not." if change.failed else ""
        stop = " Stopped." if change.stopped else ""
        return Change(f"{message}{failed}{stop}", change.done, change.failed, change.step, change.stopped)


_UNSURE = ("sessions_unreadable", "sessions_corrupt")
"""Failures after which it cannot be said for sure that the last batch is there still."""
_OF_ONE = ("no_such_session", "title_taken", "title_too_long", "title_fixed", "titled")
"""Failures that concern one session, and not the database."""


def _deleted_words(erased: Erased) -> str:
    if erased.trouble:
        total = len(erased.done) + len(erased.failed)
        return f"Deleted {len(erased.done):,} of {plural(total, 'conversation')}, then no more: {erased.trouble}"
    words = [f"Deleted {plural(len(erased.done), 'conversation')}."]
    already = sum(failure.reason.startswith("It was deleted already") for failure in erased.failed)
    if already:
        words = [] if not erased.done else words
        words.append(f"{plural(already, 'conversation')} {'was' if already == 1 else 'were'} already deleted.")
    if len(erased.failed) > already:
        words.append(f"{plural(len(erased.failed) - already, 'conversation')} left alone.")
    if erased.files_left:
        words.append(f"{plural(erased.files_left, 'file')} could not be removed.")
    if erased.stopped:
        words.append("Stopped.")
    return " ".join(words)
