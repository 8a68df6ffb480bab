"""Exporting conversations: into files that are whole or not there, or piece by piece to wherever somebody wants."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from hermes_tui.disk import make_folder, refusals
from hermes_tui.errors import HermesTuiError, NotFound
from hermes_tui.sessions.checkup import stored_messages
from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.sessions.export.form import Form
from hermes_tui.sessions.export.head import border_words, head_of, read_facts, title_of
from hermes_tui.sessions.export.html import Html
from hermes_tui.sessions.export.markdown import Markdown
from hermes_tui.sessions.export.names import FileNames
from hermes_tui.sessions.export.plain import Plain
from hermes_tui.sessions.export.reading import messages_of
from hermes_tui.sessions.export.selection import choose
from hermes_tui.sessions.export.shown import Shown
from hermes_tui.sessions.export.wish import Exported, Foreseen, Wish
from hermes_tui.sessions.transcript import TranscriptReader
from hermes_tui.sessions.upkeep.changes import Progress, Stopped
from hermes_tui.streaming import refuse_taken, streamed_file
from hermes_tui.text import plural

Write = Callable[[str], object]

_FORMS: dict[str, type[Markdown] | type[Html] | type[Plain]] = {"markdown": Markdown, "html": Html, "text": Plain}


def export(
    base: Database,
    ids: Sequence[str],
    target: Path,
    wish: Wish,
    *,
    together: bool,
    overwrite: bool = False,
    progress: Progress | None = None,
    stopped: Stopped | None = None,
) -> Exported:
    """Write conversations into files: all into one, or each into one of its own, which is named after it.

    Args:
        base: the database.
        ids: of any session of each conversation, in the order in which they are written.
        target: the file, or the folder, which is made if it is missing.
        wish: how they are written.
        together: whether `target` is one file for all.
        overwrite: whether files that are there already are replaced.
        progress: told how many messages of all are done, several times a second.
        stopped: asked as often; whether to give up.

    Raises:
        NotFound: there is none of these sessions.
        Refused: a file is there already.
        Unreadable: the database cannot be read, or the disk refused.
        Interrupted: `stopped` said so. After each of these no file of this run is left.
    """
    run = _Run(base, wish, progress, stopped)
    if together:
        refuse_taken(target, overwrite=overwrite)
        planned = run.plan(ids)
        with streamed_file(target, overwrite=overwrite) as file:
            run.write(planned, file.write)
        return run.exported([target])
    planned = run.plan(ids)
    names = FileNames()
    paths = [target / names.take(run.name(each), each.id, each.started_at, wish.format) for each in planned]
    for path in paths:
        refuse_taken(path, overwrite=overwrite)
    with _all_or_none(target) as made:
        for each, path in zip(planned, paths, strict=True):
            with streamed_file(path, overwrite=overwrite) as file:
                run.write([each], file.write)
            made.append(path)
    return run.exported(paths)


def export_to(
    base: Database,
    ids: Sequence[str],
    write: Write,
    wish: Wish,
    *,
    progress: Progress | None = None,
    stopped: Stopped | None = None,
) -> Exported:
    """Write conversations piece by piece, all together.

    Args:
        base: the database.
        ids: of any session of each conversation, in the order in which they are written.
        write: takes each piece.
        wish: how they are written.
        progress: told how many messages of all are done, several times a second.
        stopped: asked as often; whether to give up.

    Raises:
        NotFound: there is none of these sessions.
        Unreadable: the database cannot be read.
        Interrupted: `stopped` said so.
    """
    run = _Run(base, wish, progress, stopped)
    size = 0

    def counted(text: str) -> None:
        nonlocal size
        size += len(text) if text.isascii() else len(text.encode("utf-8", "backslashreplace"))
        write(text)

    run.write(run.plan(ids), counted)
    return run.exported([], size)


def foresee(base: Database, ids: Sequence[str], wish: Wish, *, progress: Progress | None = None) -> list[Foreseen]:
    """What an export of these conversations would write; nothing is written.

    Raises:
        NotFound: there is none of these sessions.
        Unreadable: the database cannot be read.
    """
    run = _Run(base, wish, progress, None)
    planned = run.plan(ids)
    names = FileNames()
    return [
        Foreseen(
            id=each.id,
            title=run.name(each),
            name=names.take(run.name(each), each.id, each.started_at, wish.format),
            messages=run.count(each),
        )
        for each in planned
    ]


@contextmanager
def _all_or_none(folder: Path) -> Iterator[list[Path]]:
    """Makes the folder, and takes back the files that were made in it, and itself, when not all could be."""
    with refusals(folder):
        begun = not folder.exists()
    make_folder(folder)
    made: list[Path] = []
    try:
        yield made
    except BaseException as error:
        left = 0
        for path in made:
            try:
                path.unlink(missing_ok=True)
            except OSError:
                left += 1
        if left and isinstance(error, HermesTuiError):
            error.hint = f"{plural(left, 'file')} of it could not be taken away again; export once more with --force."
        if begun:
            with suppress(OSError):
                folder.rmdir()
        raise


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


@dataclass(frozen=True, slots=True)
class _Planned:
    """A conversation whose turn will come."""

    session_id: str
    """The session that was asked for."""
    id: str
    """Its newest part."""
    title: str
    started_at: float
    stored: int
    """Messages of it that are stored."""


class _Run:
    """One export, with what is counted on the way."""

    def __init__(self, base: Database, wish: Wish, progress: Progress | None, stopped: Stopped | None) -> None:
        self._base, self._wish = base, wish
        self._progress = progress or (lambda _done, _total: None)
        self._stopped = stopped or (lambda: False)
        self._shown = Shown(wish.masked)
        self._now = time.time()
        self._total = self._done = 0
        self._conversations = self._messages = self._masked = self._lost = 0
        self._gone: list[str] = []

    def plan(self, ids: Sequence[str]) -> list[_Planned]:
        """The conversations of these sessions, each once; what was deleted meanwhile is left out.

        Raises:
            NotFound: there is none of them.
        """
        planned: dict[tuple[str, ...], _Planned] = {}
        missing: NotFound | None = None
        for id in dict.fromkeys(ids):
            self._look_up()
            reader = TranscriptReader(self._base, id)
            try:
                facts = read_facts(reader, self._wish)
            except NotFound as error:
                missing = error
                self._gone.append(id)
                continue
            if facts.ids not in planned:
                title, started = title_of(reader, facts), facts.parts[0].started_at or 0.0
                stored = sum(stored_messages(self._base, facts.ids).values())
                planned[facts.ids] = _Planned(id, facts.newest.id, title, started, stored)
        if missing and not planned:
            raise missing
        self._total = sum(each.stored for each in planned.values())
        self._look_up()
        return list(planned.values())

    def name(self, planned: _Planned) -> str:
        """The title for the name of a file, which others see too."""
        return Shown(self._wish.masked).line(planned.title)

    def count(self, planned: _Planned) -> int:
        """How many messages of a conversation would be written."""
        if self._wish.format == "jsonl" and not self._wish.prompts_only:
            return planned.stored
        reader = TranscriptReader(self._base, planned.session_id)
        chosen = choose(reader, read_facts(reader, self._wish).parts, self._wish, self._asked)
        self._done += planned.stored
        self._look_up()
        return sum(len(each.ids) for each in chosen)

    def write(self, planned: Sequence[_Planned], write: Write) -> None:
        """Write some conversations into one file."""
        if self._wish.format == "jsonl":
            for each in planned:
                self._write_lines(each, write)
            return
        form: Form = _FORMS[self._wish.format](self._wish, self._shown, self._now)
        write(form.opening([self.name(each) for each in planned]))
        written = 0
        for each in planned:
            written += self._write_form(each, written, form, write)
        write(form.closing())

    def _write_form(self, planned: _Planned, number: int, form: Form, write: Write) -> int:
        """Write a conversation for people to read; whether it was still there."""
        reader = TranscriptReader(self._base, planned.session_id)
        begun = self._done
        try:
            facts = read_facts(reader, self._wish)
        except NotFound:
            self._gone.append(planned.session_id)
            return 0
        self._look_up()
        chosen = choose(reader, facts.parts, self._wish, self._asked)
        head = head_of(planned.title, facts, chosen, self._shown)
        write(form.head(head, number))
        passed = 0
        for part, each in enumerate(chosen):
            if part and each.ids:
                write(form.border(border_words(part, facts.parts, self._shown)))
            for messages, lost in messages_of(reader, each.ids):
                write("".join(map(form.message, messages)))
                self._lost += lost
                self._messages += len(messages)
                passed += len(messages)
                self._done = begun + planned.stored * passed // max(1, head.messages)
                self._look_up()
        write(form.ending(head))
        self._done = begun + planned.stored
        self._conversations += 1
        return 1

    def _write_lines(self, planned: _Planned, write: Write) -> None:
        """Write a conversation for programs: a line for each part of it."""
        from hermes_tui.sessions.export.lossless import write_session

        begun = self._done
        try:
            facts = read_facts(TranscriptReader(self._base, planned.session_id), self._wish)
        except NotFound:
            self._gone.append(planned.session_id)
            return
        for part in facts.ids:
            before = self._done

            def tell(done: int, _of: int, before: int = before) -> None:
                self._done = min(before + done, self._total)
                self._progress(self._done, self._total)

            written = write_session(
                self._base,
                part,
                write,
                masked=self._wish.masked,
                prompts_only=self._wish.prompts_only,
                everything=self._wish.everything or not self._wish.prompts_only,
                progress=tell,
                stopped=self._stopped,
            )
            self._messages += written.messages
            self._masked += written.masked
        self._done = begun + planned.stored
        self._conversations += 1

    def _look_up(self) -> None:
        """Say how far it is, and give up if that is wanted."""
        if self._asked():
            raise Interrupted

    def _asked(self) -> bool:
        """Say how far it is; whether to give up."""
        self._progress(self._done, self._total)
        return self._stopped()

    def exported(self, paths: Sequence[Path], size: int = 0) -> Exported:
        """What was written."""
        return Exported(
            paths=tuple(paths),
            conversations=self._conversations,
            messages=self._messages,
            masked=self._masked + self._shown.count,
            bytes=size or sum(map(_size, paths)),
            lost=self._lost,
            gone=tuple(self._gone),
        )
