"""Bringing sessions in from a file: whole ones, each all at once, and nothing that is there already is touched."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hermes_tui.errors import Refused
from hermes_tui.sessions.export.lossless import OURS
from hermes_tui.sessions.features import Reader
from hermes_tui.sessions.upkeep.changes import Progress, Stopped
from hermes_tui.sessions.upkeep.file_check import check_file
from hermes_tui.sessions.upkeep.incoming import Contents, Header, Sessions, reading
from hermes_tui.sessions.upkeep.incoming_rows import (
    NewMessages,
    StoredRow,
    exact_message,
    exact_session,
    new_session,
    usage_rows,
)
from hermes_tui.sessions.upkeep.inserting import Inserter, bunches
from hermes_tui.sessions.upkeep.naming import next_free
from hermes_tui.sessions.upkeep.rejoining import lost, rejoin
from hermes_tui.sessions.upkeep.writer import Writer, told_as_cut_off

__all__ = ["Contents", "Header", "Imported", "check_file", "foreseen", "import_sessions"]

TOGETHER_MESSAGES = 200
TOGETHER_SECONDS = 0.03
"""Small sessions are brought in together, as many as need no longer than this."""
SHOWN_PROBLEMS = 3
VERSION_MARK = 96
"""Where a database says which SQLite wrote to it last."""
OLD_SQLITE = 3_048_000
"""Those before it stop at the first NUL when they take a text apart."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import."""

    imported: tuple[str, ...]
    """Ids of the sessions that were brought in."""
    skipped: tuple[str, ...]
    """Ids that were there already."""
    retitled: tuple[tuple[str, str, str], ...]
    """Ids whose title another session has, with the old one and the new one."""
    detached: int
    """Sessions whose parent is neither here nor in the file."""
    messages: int
    stopped: bool = False
    """Whether somebody stopped it before it was through."""
    rejoined: tuple[str, ...] = ()
    """Ids that an agent had begun anew, and that have again what they had before."""


def import_sessions(
    writer: Writer,
    source: Path | Contents,
    *,
    exact: bool = False,
    as_before: bool | None = None,
    progress: Progress | None = None,
    stopped: Stopped | None = None,
    dry_run: bool = False,
) -> Imported:
    """Bring in the sessions of a file.

    Args:
        writer: the database.
        source: the file; or what `check_file` found in it.
        exact: bring back every row as it was stored, also ids and what belongs to a session in use; only from
            a file of ours. Sessions that are whole are brought back also when the file breaks off.
        as_before: whether texts are put into the index as SQLite before 3.48 does; None to find out.
        progress: told how many messages are through.
        stopped: whether to stop; a session that is not through is taken back.
        dry_run: only say what would come.

    Raises:
        Refused: something in the file is no session, or it does not fit any more (`exact`).
        Conflict: the file is another one than that which was checked.
        Unreadable: the file cannot be read, or the database cannot be written.
    """
    contents = source if isinstance(source, Contents) else check_file(source, stopped=stopped, forgiving=exact)
    _check(contents)
    if exact:
        _check_exact(contents)
    if dry_run:
        return foreseen(writer, contents)
    if as_before is None:
        as_before = writer.trigrams.old or _last_written_by_old_sqlite(writer)
    writer.trigrams.old = as_before
    with reading(contents) as sessions:
        return _Import(writer, sessions, contents, exact, progress, stopped).run()


def _last_written_by_old_sqlite(writer: Writer) -> bool:
    """Whether the agent's SQLite takes texts apart in the old way, where no message tells: its mark is in the file."""
    found, mark = writer.bare.read("main", 0, VERSION_MARK, 4)
    return found and 0 < int.from_bytes(mark, "big") < OLD_SQLITE


def _check(contents: Contents) -> None:
    if contents.problems:
        some = " ".join(contents.problems[:SHOWN_PROBLEMS])
        more = len(contents.problems) - SHOWN_PROBLEMS
        raise Refused(
            f"{contents.path.name} cannot be imported. {some}{f' And {more} more.' if more > 0 else ''}",
            code="import_invalid",
            hint="Nothing of it was imported.",
        )


def _check_exact(contents: Contents) -> None:
    for header in contents.sessions:
        if not header.exact:
            raise Refused(
                f"{contents.path.name}, line {header.line:,}: session {header.id} was not kept as it was stored.",
                code="not_exact",
                hint="It can be imported, as a file of an agent.",
            )


def foreseen(base: Reader, contents: Contents) -> Imported:
    """What an import would bring; nothing is changed.

    Raises:
        Refused: something in the file is no session.
    """
    _check(contents)
    there = {header.id for header in contents.sessions if _is_there(base, header.id)}
    new = [header for header in contents.sessions if header.id not in there]
    ids = {header.id for header in new}
    titles: set[str] = set()
    retitled: list[tuple[str, str, str]] = []
    for header in new:
        if header.title:
            title = _free_title(base, header.title, titles)
            titles.add(title)
            if title != header.title:
                retitled.append((header.id, header.title, title))
    return Imported(
        imported=tuple(header.id for header in new),
        skipped=tuple(header.id for header in contents.sessions if header.id in there),
        retitled=tuple(retitled),
        detached=sum(
            bool(header.parent) and header.parent not in ids and not _is_there(base, header.parent) for header in new
        ),
        messages=sum(header.messages for header in new),
    )


def _is_there(base: Reader, session_id: str) -> bool:
    return bool(base.rows("SELECT 1 FROM sessions WHERE id = ?", (session_id,)))


def _free_title(base: Reader, title: str, given: set[str]) -> str:
    """A title, or the next one after it that no session has and none will get."""
    if title not in given and not base.rows("SELECT 1 FROM sessions WHERE title = ?", (title,)):
        return title
    found = next_free(base, title)
    while found in given:
        stem, _, number = found.rpartition(" #")
        found = f"{stem} #{int(number) + 1}"
    return found


class _Stop(Exception):
    """Somebody stopped in the middle of a session."""


@dataclass(slots=True)
class _Group:
    """Sessions that are brought in together."""

    imported: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    retitled: list[tuple[str, str, str]] = field(default_factory=list)
    rejoined: list[str] = field(default_factory=list)
    messages: int = 0


@dataclass(slots=True)
class _Import:
    writer: Writer
    sessions: Sessions
    contents: Contents
    exact: bool
    progress: Progress | None
    stopped: Stopped | None
    done: int = 0
    waiting: dict[str, list[str]] = field(default_factory=dict)
    """Sessions whose parent has not come yet, by it."""
    promised: dict[str, str] = field(default_factory=dict)
    """The parents that had been taken away from sessions which have not come yet."""
    inserter: Inserter = field(init=False)

    def run(self) -> Imported:
        """Bring in all of them, group by group."""
        self.inserter = Inserter(self.writer)
        total = _Group()
        stopped = False
        headers = list(self.contents.sessions)[::-1]
        while headers and not stopped:
            group, started = _Group(), time.monotonic()
            try:
                done = len(total.imported) + len(total.rejoined)
                with told_as_cut_off(done, "session"), self.writer.transaction():
                    while headers and not self._is_full(group, headers[-1], started):
                        self._stop_if_asked()
                        self._one(headers[-1], group)
                        headers.pop()
            except _Stop:
                stopped = True
                break
            total.imported += group.imported
            total.skipped += group.skipped
            total.retitled += group.retitled
            total.rejoined += group.rejoined
            total.messages += group.messages
            if headers and group.messages:
                self.writer.give_way(min(time.monotonic() - started, 1.0))
        alone = [child for children in self.waiting.values() for child in children]
        detached = len({*alone} & {*total.imported})
        return Imported(
            imported=tuple(total.imported),
            skipped=tuple(total.skipped),
            retitled=tuple(total.retitled),
            detached=detached,
            messages=total.messages,
            stopped=stopped,
            rejoined=tuple(total.rejoined),
        )

    def _is_full(self, group: _Group, header: Header, started: float) -> bool:
        if not group.imported and not group.rejoined:
            return False
        return group.messages + header.messages > TOGETHER_MESSAGES or time.monotonic() - started > TOGETHER_SECONDS

    def _stop_if_asked(self) -> None:
        if self.stopped and self.stopped():
            raise _Stop

    def _one(self, header: Header, group: _Group) -> None:
        """Bring in one session."""
        if _is_there(self.writer, header.id):
            if self.exact:
                self._rejoin(header, group)
            else:
                group.skipped.append(header.id)
                self._tell(header.messages)
            return
        facts = self.sessions.facts(header)
        columns = self.inserter.columns("sessions")
        row = exact_session(facts, columns) if self.exact else new_session(facts, columns, header.first_at)
        row["id"] = header.id
        row.pop("parent_session_id", None)
        self._name(header, row, group)
        self.inserter.prompts(row, facts, exact=self.exact)
        self.inserter.session(row)
        for usage in usage_rows(facts, self.inserter.columns("session_model_usage"), header.id):
            self.inserter.usage(usage)
        group.messages += self._messages(header)
        self._attach(header, facts)
        group.imported.append(header.id)

    def _rejoin(self, header: Header, group: _Group) -> None:
        """Bring back what a session had; nothing, where it was never deleted."""
        columns = self.inserter.columns("messages")
        count = 0
        for some in bunches(self.sessions.messages(header)):
            self._stop_if_asked()
            missing = lost(self.writer, header.id, [exact_message(message, columns) for message in some])
            if missing:
                self.inserter.restore(missing)
            count += len(missing)
            self._tell(len(some))
        if not count:
            group.skipped.append(header.id)
            return
        facts = self.sessions.facts(header)
        row = exact_session(facts, self.inserter.columns("sessions"))
        self._name(header, row, group)
        self.inserter.prompts(row, facts, exact=True)
        rejoin(self.writer, header.id, row)
        for usage in usage_rows(facts, self.inserter.columns("session_model_usage"), header.id):
            self.inserter.usage(usage)
        self._attach(header, facts)
        group.messages += count
        group.rejoined.append(header.id)

    def _name(self, header: Header, row: StoredRow, group: _Group) -> None:
        title = row.get("title")
        if not isinstance(title, str):
            return
        if not title and not self.exact:
            row["title"] = None
            return
        row["title"] = free = _free_title(self.writer, title, set())
        if free != title:
            group.retitled.append((header.id, title, free))

    def _messages(self, header: Header) -> int:
        """Bring in the messages of a session; how many there are."""
        columns = self.inserter.columns("messages")
        new = NewMessages(header.id, columns)
        count = 0
        for some in bunches(self.sessions.messages(header)):
            self._stop_if_asked()
            if self.exact:
                self.inserter.restore([exact_message(message, columns) for message in some])
                count += len(some)
            else:
                for message in filter(new.takes, some):
                    self.inserter.message(new.row(message))
                    count += 1
            self._tell(len(some))
        if not self.exact:
            self.inserter.count(header.id, new.live, new.calls)
        return count

    def _tell(self, messages: int) -> None:
        self.done += messages
        if self.progress:
            self.progress(self.done, self.contents.messages)

    def _attach(self, header: Header, facts: dict[str, Any]) -> None:
        """Make a session the child of its parent, and the parent of its children, as far as they are here."""
        parent = header.parent or self.promised.pop(header.id, "")
        if parent and not self._adopted(header.id, parent):
            self.waiting.setdefault(parent, []).append(header.id)
        for child in self.waiting.pop(header.id, []):
            self._adopted(child, header.id)
        if self.exact:
            for child in facts[OURS].get("children", ()):
                self.promised[child] = header.id
                self._adopted(child, header.id)

    def _adopted(self, child: str, parent: str) -> bool:
        """Whether the parent is here; a session that has a parent keeps it, and none is its own ancestor."""
        if not _is_there(self.writer, parent):
            return False
        if child not in self._line_of(parent):
            self.writer.execute(
                "UPDATE sessions SET parent_session_id = ? WHERE id = ? AND parent_session_id IS NULL", (parent, child)
            )
        return True

    def _line_of(self, session_id: str) -> Iterator[str]:
        """A session and its ancestors."""
        seen: set[str] = set()
        while session_id not in seen:
            seen.add(session_id)
            yield session_id
            rows = self.writer.rows("SELECT parent_session_id FROM sessions WHERE id = ?", (session_id,))
            if not rows or not isinstance(rows[0][0], str):
                return
            session_id = rows[0][0]
