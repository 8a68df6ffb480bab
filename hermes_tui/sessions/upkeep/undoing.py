"""Taking back the last change to sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hermes_tui.errors import Refused, Unreadable
from hermes_tui.home import HermesHome
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.upkeep.cells import by_session, revert, stands
from hermes_tui.sessions.upkeep.changes import Change, Failure, Progress, Stopped
from hermes_tui.sessions.upkeep.copies import Copy
from hermes_tui.sessions.upkeep.deletion import plan_for
from hermes_tui.sessions.upkeep.erasing import Erased, Eraser
from hermes_tui.sessions.upkeep.indexes import takes_apart_as_before
from hermes_tui.sessions.upkeep.session_files import SessionFiles
from hermes_tui.sessions.upkeep.steps import Steps, Written
from hermes_tui.sessions.upkeep.writer import Writer, told_as_cut_off
from hermes_tui.text import plural

if TYPE_CHECKING:
    from hermes_tui.sessions.upkeep.importing import Imported

CHUNK = 200
"""Sessions whose values are put back at once."""
NAMED = 3
"""So many titles that had to be changed are named."""


class Undoing:
    """What taking a change back needs."""

    def __init__(
        self, home: HermesHome, steps: Steps, files: SessionFiles, reading: Callable[[], Database], now: float
    ) -> None:
        self.home = home
        self.steps = steps
        self.files = files
        self.reading = reading
        self.now = now

    def undo(self, progress: Progress | None = None, stopped: Stopped | None = None) -> Change:
        """Take back the last change.

        Raises:
            Refused: there is none, or nothing of it can be taken back.
            Unreadable: the database cannot be written.
        """
        with self.steps.alone():
            ways = {"delete": self._bring_back, "import": self._take_out}
            for step in reversed(self.steps.undoable()):
                change = ways.get(step.kind, self._put_back)(step, progress, stopped)
                if change is not None:
                    return change
            raise Refused("There is no change to sessions to take back.", code="nothing_to_undo")

    # Each gives None for a step of which nothing stands: cut off before anything was done, or taken back already.

    def _put_back(self, step: Written, progress: Progress | None, stopped: Stopped | None) -> Change | None:
        done: dict[str, None] = {}
        failed: dict[str, Failure] = {}
        with Writer(self.home.state_db) as writer:
            if not any(stands(writer, step.cells)):
                self.steps.end(step.id, "undone")
                return None
            groups = by_session(step.cells)
            for start in range(0, len(groups), CHUNK):
                if start:
                    writer.give_way(0.0)
                if stopped and stopped():
                    said = f"{plural(len(done), 'conversation')} put back. Stopped; undo goes on with it."
                    return Change(said, tuple(done), tuple(failed.values()), stopped=True)
                with told_as_cut_off(start, "conversation"), writer.transaction():
                    for cells in groups[start : start + CHUNK]:
                        id = cells[0].id
                        failure = revert(writer, cells)
                        if failure:
                            failed[id] = failure
                        else:
                            done[id] = None
                if progress:
                    progress(min(start + CHUNK, len(groups)), len(groups))
        self.steps.end(step.id, "undone")
        return Change(_said(step, failed), tuple(done), tuple(failed.values()))

    def _bring_back(self, step: Written, progress: Progress | None, stopped: Stopped | None) -> Change | None:
        from hermes_tui.sessions.upkeep.importing import import_sessions

        copy = Copy(self.steps.copy_folder(step.id))
        if not copy.begun:
            self.steps.end(step.id, "forgotten")
            raise Refused(
                f"What was kept of the {step.label} is not there any more: {copy.path}.",
                code="copy_missing",
                hint="It is left as it is; undo again goes on to the change before it.",
            )
        with Writer(self.home.state_db) as writer:
            told = takes_apart_as_before(writer)
            old = step.old_trigrams if told is None else told
            found = import_sessions(writer, copy.path, exact=True, as_before=old, progress=progress, stopped=stopped)
        said = _brought_words(found)
        if found.stopped:
            return Change(f"{said} Stopped; undo goes on with it.", found.imported, stopped=True)
        lacked = self.files.lacks(copy.files)
        try:
            apart = self.files.bring_back(copy.files)
        except Unreadable as error:
            hint = "They are kept: undo again goes on with it, once the disk works again."
            said += f" Files beside them not all: {error.message}"
            raise Unreadable(said, code=error.code, hint=hint) from error
        ended = self.steps.end(step.id, "undone")
        if apart:
            # They are nowhere else, so they stay.
            names = ", ".join(path.name for path in apart[:NAMED])
            said += f" Something else has the place of {names}: what was kept is in {copy.files}."
        elif ended:
            copy.remove()
        if not (found.imported or found.rejoined or lacked or apart):
            return None
        return Change(f"Undone: {step.label}. {said}", (*found.imported, *found.rejoined))

    def _take_out(self, step: Written, progress: Progress | None, stopped: Stopped | None) -> Change | None:
        copy, erased = Copy(self.steps.copy_folder(step.id)), Erased()
        base = self.reading()
        try:
            plan = plan_for(base, self.files, list(step.counts), now=self.now, whole=False)
            grown = [each.id for each in plan.doomed if each.messages != step.counts[each.id] or each.delegates]
            failed = [Failure(id, "It was written to since, and is left as it is.") for id in grown]
            if not plan.doomed:
                self.steps.end(step.id, "undone")
                return None
            going = [each.id for each in plan.doomed if each.id not in grown]
            plan = plan_for(base, self.files, going, now=self.now, whole=False)
            with Writer(self.home.state_db) as writer:
                # An import brings no files, so those that are there stay.
                Eraser(base, writer, SessionFiles(copy.folder), copy, lambda: None).erase(
                    plan, erased, progress, stopped
                )
        finally:
            base.close()
        copy.remove()
        ids = tuple(each.id for each in erased.done)
        if erased.stopped:
            said = f"{plural(len(ids), 'session')} taken out. Stopped; undo goes on with it."
            return Change(said, ids, (*failed, *erased.failed), stopped=True)
        self.steps.end(step.id, "undone")
        return Change(f"Undone: {step.label}.", ids, (*failed, *erased.failed))


def _brought_words(found: Imported) -> str:
    words = [f"{plural(len(found.imported), 'session')} brought back."]
    if found.skipped:
        verb = "was" if len(found.skipped) == 1 else "were"
        words.append(f"{plural(len(found.skipped), 'session')} {verb} there already.")
    if found.rejoined:
        count = len(found.rejoined)
        what = "has again what it" if count == 1 else "have again what they"
        words.append(f"{plural(count, 'session')} that an agent had begun anew {what} had before.")
    words += [f"“{old}” is taken: {id} is “{new}” now." for id, old, new in found.retitled[:NAMED]]
    if len(found.retitled) > NAMED:
        words.append(f"{plural(len(found.retitled) - NAMED, 'more title')} got a number.")
    return " ".join(words)


def _said(step: Written, failed: dict[str, Failure]) -> str:
    left = f" {plural(len(failed), 'session')} left as they are: changed since." if failed else ""
    return f"Undone: {step.label}.{left}"
