"""`hermes-tui sessions import`: sessions from exported files, ours or an agent's."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hermes_tui.cli.asking import ProgressLine, confirm
from hermes_tui.cli.context import home_options, json_option, open_home, options
from hermes_tui.cli.output import emit, say
from hermes_tui.disk import OWNER_ONLY
from hermes_tui.errors import Refused
from hermes_tui.text import one_line, plural

if TYPE_CHECKING:
    from hermes_tui.sessions.upkeep.importing import Contents, Imported
    from hermes_tui.sessions.upkeep.keeper import Keeper

LISTED = 10
TITLE_CELLS = 60
MESSAGES_PER_SECOND = 4_000
LONG_MESSAGES = 8_000
"""A session comes in all at once; with more messages that takes longer than an agent waits without a word."""

Found = tuple["Contents", "Imported"]
"""What a file holds, and what of it comes."""


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--dry-run", is_flag=True, help="Show what would come, and do nothing.")
@click.option("--yes", "-y", is_flag=True, help="Do it without a question.")
@home_options
@json_option
def import_(files: tuple[str, ...], dry_run: bool, yes: bool) -> int:
    """Bring in sessions from exported files.

    JSONL as `hermes-tui sessions export` or an agent writes it, also packed with gzip; - reads from stdin. Sessions
    that are there already are left as they are, a title that is taken gets the next number. What was brought in can
    be taken out again with undo.
    """
    from hermes_tui.sessions.upkeep.keeper import Keeper

    chosen = options()
    keeper = Keeper(open_home(chosen), read_only=chosen.read_only)
    with _paths(files) as paths:
        coming = _coming(keeper, paths)
        if dry_run:
            emit(_shape(coming, files, dry_run=True), lambda: _text(coming, files), as_json=chosen.json)
            return 0
        count = sum(len(imported.imported) for _, imported in coming)
        if count and not yes:
            say(_text(coming, files))
            confirm(f"Import {plural(count, 'session')}?", yes=False)
        with ProgressLine("Imported") as progress:
            done = [
                (contents, keeper.import_file(contents.path, progress=progress) if imported.imported else imported)
                for contents, imported in coming
            ]
    if count and not chosen.json:
        say("`hermes-tui sessions undo` takes them out again.")
    emit(_shape(done, files, dry_run=False), lambda: _done_text(done), as_json=chosen.json)
    return 0


@contextmanager
def _paths(files: Sequence[str]) -> Iterator[list[Path]]:
    """The files; what comes from stdin is read twice, so it is put into one of its own meanwhile."""
    from tempfile import TemporaryDirectory

    if "-" not in files:
        yield [Path(name).expanduser() for name in files]
        return
    if files.count("-") > 1:
        raise click.UsageError("stdin can be read only once.")
    if sys.stdin is None or sys.stdin.isatty():
        raise Refused("Nothing comes from stdin.", code="no_input", hint="Name a file, or pipe one into it.")
    with TemporaryDirectory(prefix="hermes-tui-import-", ignore_cleanup_errors=True) as folder:
        kept = Path(folder) / "stdin"
        kept.touch(mode=OWNER_ONLY)
        with kept.open("wb") as target:
            shutil.copyfileobj(sys.stdin.buffer, target)
        yield [kept if name == "-" else Path(name).expanduser() for name in files]


def _coming(keeper: Keeper, paths: Sequence[Path]) -> list[Found]:
    """What each file holds, and what of it would come.

    Raises:
        Refused: something in one of them is no session.
    """
    from hermes_tui.sessions.database import Database
    from hermes_tui.sessions.upkeep.importing import foreseen

    with ProgressLine("Read") as progress:
        found = [keeper.look_into(path, progress=progress) for path in paths]
    with Database(keeper.home.state_db) as base:
        return [(contents, foreseen(base, contents)) for contents in found]


def _shape(found: Sequence[Found], files: Sequence[str], *, dry_run: bool) -> dict[str, Any]:
    shapes = [
        {
            "file": name,
            "sessions": len(contents.sessions),
            "imported": list(imported.imported),
            "skipped": list(imported.skipped),
            "retitled": [{"id": id, "title": old, "new_title": new} for id, old, new in imported.retitled],
            "detached": imported.detached,
            "messages": imported.messages,
            "masked": sum(header.masked for header in contents.sessions),
        }
        for name, (contents, imported) in zip(files, found, strict=True)
    ]
    return {
        "dry_run": dry_run,
        "imported": sum(len(imported.imported) for _, imported in found),
        "skipped": sum(len(imported.skipped) for _, imported in found),
        "messages": sum(imported.messages for _, imported in found),
        "files": shapes,
    }


def _text(found: Sequence[Found], files: Sequence[str]) -> str:
    """What would come, file by file."""
    lines: list[str] = []
    for name, (contents, imported) in zip(files, found, strict=True):
        coming = f"{plural(len(imported.imported), 'session')} with {plural(imported.messages, 'message')}"
        there = len(imported.skipped)
        already = f", {there:,} {'is' if there == 1 else 'are'} there already" if there else ""
        lines.append(f"{'stdin' if name == '-' else name}: {coming}{already}.")
        titles = {header.id: header.title for header in contents.sessions}
        lines += _some([f"  {id}  {_title(titles[id])}".rstrip() for id in imported.imported])
        lines += _some(
            [f"  “{_title(old)}” is taken: it comes as “{_title(new)}”." for _, old, new in imported.retitled]
        )
        lines += _notes(contents, imported)
    return "\n".join(lines)


def _title(title: str) -> str:
    return one_line(title, TITLE_CELLS)


def _some(lines: Sequence[str]) -> list[str]:
    more = len(lines) - LISTED
    return [*lines[:LISTED], *([f"  … and {more:,} more."] if more > 0 else [])]


def _notes(contents: Contents, imported: Imported) -> Iterator[str]:
    if imported.detached:
        stand = "stands" if imported.detached == 1 else "stand"
        yield f"  {plural(imported.detached, 'session')} {stand} alone: the one before is neither here nor in the file."
    coming = set(imported.imported)
    longest = max((header.messages for header in contents.sessions if header.id in coming), default=0)
    if longest > LONG_MESSAGES:
        seconds = longest // MESSAGES_PER_SECOND
        yield f"  One of them has {longest:,} messages: an agent at work waits while it comes in, about {seconds:,} s."
    masked = sum(header.masked for header in contents.sessions)
    if masked:
        yield f"  {plural(masked, 'session')} came without secrets: they were masked in the export, and stay so."


def _done_text(found: Sequence[Found]) -> str:
    imported = sum(len(each.imported) for _, each in found)
    messages = sum(each.messages for _, each in found)
    skipped = sum(len(each.skipped) for _, each in found)
    there = f" {skipped:,} {'was' if skipped == 1 else 'were'} there already." if skipped else ""
    said = f"Imported {plural(imported, 'session')} with {plural(messages, 'message')}.{there}"
    taken = [f"“{_title(old)}” is “{_title(new)}” here." for _, each in found for _, old, new in each.retitled]
    return "\n".join([said, *taken[:LISTED]])
