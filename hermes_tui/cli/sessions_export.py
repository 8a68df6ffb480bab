"""`hermes-tui sessions export`: conversations as files, for people to read or for programs to take up again."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hermes_tui.cli.asking import ProgressLine
from hermes_tui.cli.context import home_options, json_option, open_home, options
from hermes_tui.cli.output import UNREADABLE, emit, forget_stdout, report, say
from hermes_tui.cli.sessions_filters import Day
from hermes_tui.cli.texts import whole_characters
from hermes_tui.text import one_line, plural, visible

if TYPE_CHECKING:
    from hermes_tui.sessions.database import Database
    from hermes_tui.sessions.export.matching import Matching
    from hermes_tui.sessions.export.wish import Exported, Foreseen, Format, Wish

PATIENCE_SECONDS = 2.0
"""How long a database that another program has locked is waited for."""
STDOUT = "-"
LISTED = 20
"""So many files or conversations are named one by one."""
TITLE_CELLS = 60
FORMATS: dict[str, Format] = {
    "markdown": "markdown",
    "md": "markdown",
    "html": "html",
    "text": "text",
    "txt": "text",
    "jsonl": "jsonl",
}
"""The words for each format."""
_BY_ENDING: dict[str, Format] = {
    **{f".{word}": form for word, form in FORMATS.items()},
    ".htm": "html",
    ".json": "jsonl",
}


@click.command()
@click.argument("names", nargs=-1, metavar="[SESSION]...")
@click.option("-o", "--output", metavar="PATH|-",
              help="A folder, or with an ending such as .html one file for all; - is stdout.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(list(FORMATS)), metavar="FORMAT",
              help="markdown (md), html, text (txt) or jsonl; else by the ending of PATH.")  # fmt: skip
@click.option("--together", is_flag=True, help="All conversations in one file.")
@click.option("--only-prompts", is_flag=True, help="Only what the person said.")
@click.option("--single", is_flag=True, help="Only these very sessions, not all parts of their conversations.")
@click.option("--mask/--reveal", "masked", default=True, help="Mask what looks like a secret (default), or not.")
@click.option("--everything", is_flag=True,
              help="Also what was taken back, notices, thinking, and all of long tool output.")  # fmt: skip
@click.option("--all", "all_", is_flag=True, help="All conversations there are, hidden and archived ones too.")
@click.option("--query", default="", metavar="TEXT", help="Those that a search for this finds.")
@click.option("--title", default="", metavar="TEXT", help="Those with this in their title.")
@click.option("--source", "sources", multiple=True, metavar="SOURCE", help="Of this source; may be repeated.")
@click.option("--after", type=Day(), metavar="DATE", help="Last active on this day or later.")
@click.option("--before", type=Day(), metavar="DATE", help="Last active before this day.")
@click.option("--archived", is_flag=False, flag_value="also", type=click.Choice(["no", "also", "only"]),
              help="Archived ones too, or them only.")  # fmt: skip
@click.option("--hidden", is_flag=True, help="Empty ones too, and those of subagents, schedules and programs.")
@click.option("--force", is_flag=True, help="Replace files that are there already.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@home_options
@json_option
def export(
    names: tuple[str, ...],
    output: str | None,
    form: str | None,
    together: bool,
    only_prompts: bool,
    single: bool,
    masked: bool,
    everything: bool,
    force: bool,
    dry_run: bool,
    **filters: Any,
) -> int:
    """Write conversations to files, to read or to keep.

    Named ones, or all that the filters match: one file for each in the current directory, or where PATH says. What
    looks like a secret is masked. JSONL with --reveal loses nothing, and `import` takes it up again.

    SESSION is an id, a title, or the beginning of an id.
    """
    from hermes_tui.sessions.database import Database
    from hermes_tui.sessions.export.wish import Wish

    wanted = _wanted(filters)
    if bool(names) == wanted.any:
        raise click.UsageError("Name the conversations, or give a filter or --all; not both.")
    if output == STDOUT and options().json and not dry_run:
        raise click.UsageError("stdout takes the conversations or the JSON, not both: give -o a file.")
    if output == "":
        raise click.UsageError("-o has no value: give a file, a folder, or - for stdout.")
    wish = Wish(
        format=_format(form, output),
        masked=masked,
        prompts_only=only_prompts,
        whole=not single,
        everything=everything,
    )
    with Database(open_home(options()).state_db, patience=PATIENCE_SECONDS) as base:
        ids = _ids(base, names, wanted)
        if not ids:
            report("nothing_matches", "There is nothing to export: no conversation matches.", "Loosen the filters.",
                   as_json=options().json)  # fmt: skip
            return 1
        target, one_file = _target(output, together, wish)
        if dry_run:
            return _foretell(base, ids, wish, target, one_file)
        return _export(base, ids, wish, target, one_file, force)


def _wanted(filters: dict[str, Any]) -> Matching:
    from hermes_tui.sessions.export.matching import Matching

    return Matching(
        everything=filters["all_"],
        hidden=filters["hidden"],
        archived=filters["archived"],
        sources=frozenset(whole_characters(source) for source in filters["sources"]),
        title=whole_characters(filters["title"]),
        after=filters["after"],
        before=filters["before"],
        query=whole_characters(filters["query"]),
    )


def _format(form: str | None, output: str | None) -> Format:
    """What was asked for, or what the ending of the file says."""
    return FORMATS[form] if form else _BY_ENDING.get(_ending(output), "markdown")


def _ending(output: str | None) -> str:
    return "" if output is None else Path(output).suffix.lower()


def _target(output: str | None, together: bool, wish: Wish) -> tuple[Path | None, bool]:
    """Where to, None being stdout; and whether that is one file for all."""
    from hermes_tui.sessions.export.wish import ENDINGS

    if output == STDOUT:
        return None, True
    if output is None:
        return (Path(f"conversations{ENDINGS[wish.format]}"), True) if together else (Path(), False)
    path = Path(output).expanduser()
    folder = path.is_dir() or output.endswith(("/", os.sep))
    if folder and together:
        raise click.UsageError(f"--together writes one file, but {path} is a folder: name a file in it.")
    return path, not folder and (together or _ending(output) in _BY_ENDING)


def _ids(base: Database, names: Sequence[str], wanted: Matching) -> list[str]:
    """The sessions that are meant, or that match."""
    from hermes_tui.cli.sessions_text import hidden_words
    from hermes_tui.sessions.export.matching import matched
    from hermes_tui.sessions.meant import meant

    if names:
        return [meant(base, whole_characters(name)) for name in names]
    found = matched(base, wanted)
    for problem in found.problems:
        say(problem)
    left_out = hidden_words(found.hidden)
    if left_out and not options().json:
        say(f"Left out: {left_out} (--hidden, --archived, --all).")
    return list(found.ids)


def _export(base: Database, ids: Sequence[str], wish: Wish, target: Path | None, one_file: bool, force: bool) -> int:
    from hermes_tui.sessions.export.export import export as write_files
    from hermes_tui.sessions.export.export import export_to

    try:
        with ProgressLine("Exported messages:") as progress:
            if target is None:
                done = export_to(base, ids, _to_stdout, wish, progress=progress)
            else:
                done = write_files(base, ids, target, wish, together=one_file, overwrite=force, progress=progress)
    except KeyboardInterrupt:
        say("Stopped." if target is None else "Stopped; nothing was left half written.")
        raise
    as_json = options().json
    if not as_json:
        say(_summary(done, wish))
    shape = {
        "files": [str(path) for path in done.paths],
        "format": wish.format,
        "conversations": done.conversations,
        "messages": done.messages,
        "masked": done.masked,
        "bytes": done.bytes,
        "unreadable": done.lost,
        "gone": list(done.gone),
        "lossless": _lossless(done, wish),
    }
    if target is not None:
        emit(shape, lambda: _paths(done.paths, target), as_json=as_json)
    return 0


def _paths(paths: Sequence[Path], target: Path) -> str:
    return "\n".join(map(str, paths)) if len(paths) <= LISTED else f"{target}{os.sep}"


def _lossless(done: Exported, wish: Wish) -> bool:
    return wish.format == "jsonl" and not (wish.masked or wish.prompts_only or done.lost)


def _summary(done: Exported, wish: Wish) -> str:
    from hermes_tui.sessions.messages import size_words

    files = f", {plural(len(done.paths), 'file')}" if done.paths else ""
    said = [
        f"{plural(done.conversations, 'conversation')} exported with {plural(done.messages, 'message')}"
        f"{files}, {size_words(done.bytes)}."
    ]
    if done.masked:
        said.append(f"{plural(done.masked, 'secret')} masked; --reveal leaves them as they are.")
    elif wish.masked:
        said.append("No secret was found in them.")
    if wish.format == "jsonl" and wish.masked:
        said.append("Masked JSONL is not lossless; with --reveal it is.")
    if done.lost:
        said.append(f"{plural(done.lost, 'message')} could not be read: the database is damaged there.")
    if done.gone:
        said.append(f"Deleted meanwhile: {', '.join(done.gone[:LISTED])}.")
    return " ".join(said)


def _foretell(base: Database, ids: Sequence[str], wish: Wish, target: Path | None, one_file: bool) -> int:
    from hermes_tui.sessions.export.export import foresee

    with ProgressLine("Looking at messages:") as progress:
        found = foresee(base, ids, wish, progress=progress)
    places = [] if target is None else [target] if one_file else [target / each.name for each in found]
    shape = {
        "dry_run": True,
        "files": [str(path) for path in places],
        "exists": [str(path) for path in places if os.path.lexists(path)],
        "format": wish.format,
        "conversations": len(found),
        "messages": sum(each.messages for each in found),
        "exported": [{"id": each.id, "title": each.title, "messages": each.messages} for each in found],
    }
    emit(shape, lambda: _foretold(found, places, one_file), as_json=options().json)
    return 0


def _foretold(found: Sequence[Foreseen], files: Sequence[Path], one_file: bool) -> str:
    lines = [
        f"{each.id}  {each.messages:>6,}  {one_line(each.title, TITLE_CELLS)}"
        + (f"  {visible(each.name, multiline=False)}" if files and not one_file else "")
        for each in found
    ]
    count = f"{plural(len(found), 'conversation')} with {plural(sum(each.messages for each in found), 'message')}"
    where = str(files[0] if one_file else f"{files[0].parent}{os.sep}") if files else "stdout"
    there = sum(map(os.path.lexists, files))
    taken = f" {plural(there, 'file')} of them there already (--force)." if there else ""
    return "\n".join([*lines, f"{count} would be written to {where}.{taken}"])


def _to_stdout(text: str) -> None:
    """Write a piece to stdout, in UTF-8 whatever the locale says; on a terminal made safe for it."""
    if sys.stdout is None:
        return
    if sys.stdout.isatty():
        text = visible(text)
    try:
        buffer = getattr(sys.stdout, "buffer", None)
        if buffer is None:
            sys.stdout.write(text)
        else:
            buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
    except BrokenPipeError:
        forget_stdout()
        raise click.exceptions.Exit(0) from None  # whoever read it has gone: nobody left to talk to
    except OSError as error:
        forget_stdout()
        say(f"The conversations cannot be written: {error.strerror}.")
        raise click.exceptions.Exit(UNREADABLE) from None
