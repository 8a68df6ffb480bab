"""`hermes-tui memory`: what the agent remembers, listed and changed without the screen."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hermes_tui.cli.across import send_to, to_profile
from hermes_tui.cli.asking import ProgressLine
from hermes_tui.cli.context import (
    home_options,
    json_option,
    open_config,
    open_home,
    open_store,
    options,
)
from hermes_tui.cli.output import emit, print_text, report, say
from hermes_tui.cli.shapes import finding_shape, store_shape, stores_text
from hermes_tui.cli.texts import read_json, read_text
from hermes_tui.errors import HermesTuiError
from hermes_tui.memory.conflict import EntryConflict
from hermes_tui.memory.entries import FILE_NAMES, STORES, StoreName
from hermes_tui.memory.journal import read_record
from hermes_tui.text import one_line, plural

if TYPE_CHECKING:
    from hermes_tui.memory.check import EntryRef
    from hermes_tui.memory.editing import MemoryStore, Outcome
    from hermes_tui.memory.journal import JournalRecord
    from hermes_tui.memory.view import StoreView

LOG_TEXT_CELLS = 100
"""So much of an entry stands in the log."""

Function = TypeVar("Function", bound=Callable[..., Any])

store_choice = click.Choice(STORES)
one_store = click.option("--store", type=store_choice, default="memory", show_default=True, help="Which file.")
any_store = click.option("--store", type=store_choice, help="Only this file; both without it.")
accept_newer = click.option(
    "--accept-newer", is_flag=True, help="Save text that 0.19 agents block but 0.22 agents let pass."
)


def entry_options(function: Function) -> Function:
    """`--match` or `--index`: which entry is meant."""
    match = click.option("--match", metavar="TEXT", help="The entry that is, or holds, this text.")
    index = click.option("--index", type=click.IntRange(min=1), help="The entry with this number.")
    return match(index(function))


@click.group()
def memory() -> None:
    """List and change what the agent remembers (MEMORY.md and USER.md)."""


@memory.command("list")
@any_store
@home_options
@json_option
def list_(store: StoreName | None) -> int:
    """Every entry, with its size and what is wrong with it."""
    chosen = options()
    views = _views(store)
    shape = {"home": str(open_home(chosen).path), "stores": [store_shape(view) for view in views]}
    closed = [view for view in views if view.state == "unreadable"]
    if not closed:
        emit(shape, lambda: stores_text(views), as_json=chosen.json)
        return 0
    if not chosen.json:
        print_text(stores_text(views))
    report("unreadable", closed[0].problem, closed[0].hint, as_json=chosen.json, answer=shape)
    return 3


@memory.command()
@click.argument("text")
@one_store
@click.option("--at", type=click.IntRange(min=1), help="Put it at this place instead of the end.")
@accept_newer
@home_options
@json_option
def add(text: str, store: StoreName, at: int | None, accept_newer: bool) -> None:
    """Add TEXT as an entry (- reads it from stdin)."""
    new = read_text(text)
    files = _change()
    tell(files, files.add(store, new, at=at, accept_newer=accept_newer))


@memory.command()
@click.argument("text")
@one_store
@entry_options
@accept_newer
@home_options
@json_option
def replace(text: str, store: StoreName, match: str | None, index: int | None, accept_newer: bool) -> None:
    """Put TEXT in the place of a whole entry (- reads it from stdin)."""
    new = read_text(text)
    files = _change()
    tell(files, files.edit(_entry(files, store, match, index), new, accept_newer=accept_newer))


@memory.command()
@click.argument("text")
@one_store
@click.option("--match", metavar="TEXT", required=True, help="The words to put TEXT in the place of.")
@accept_newer
@home_options
@json_option
def patch(text: str, store: StoreName, match: str, accept_newer: bool) -> None:
    """Put TEXT in the place of some words of one entry; the rest of it stays (- reads it from stdin)."""
    new = read_text(text)
    files = _change()
    tell(files, files.patch(store, match, new, accept_newer=accept_newer))


@memory.command()
@one_store
@entry_options
@home_options
@json_option
def remove(store: StoreName, match: str | None, index: int | None) -> None:
    """Remove an entry."""
    files = _change()
    tell(files, files.remove([_entry(files, store, match, index)]))


@memory.command()
@one_store
@click.option("--to", type=store_choice, help="Where to; the other file without it, with --to-profile the same one.")
@to_profile
@entry_options
@accept_newer
@home_options
@json_option
def move(
    store: StoreName,
    to: StoreName | None,
    to_profile: str | None,
    match: str | None,
    index: int | None,
    accept_newer: bool,
) -> None:
    """Move an entry to the other file, or to another profile."""
    files = _change()
    ref = _entry(files, store, match, index)
    if to_profile is not None:
        send_to(files, ref, to_profile, keep=False, to=to, accept_newer=accept_newer)
        return
    target: StoreName = to or ("user" if store == "memory" else "memory")
    tell(files, files.move([ref], target, accept_newer=accept_newer))


@memory.command()
@one_store
@click.option("--to", type=store_choice, help="Into which file there; the same one without it.")
@to_profile
@entry_options
@accept_newer
@home_options
@json_option
def copy(
    store: StoreName,
    to: StoreName | None,
    to_profile: str | None,
    match: str | None,
    index: int | None,
    accept_newer: bool,
) -> None:
    """Copy an entry to another profile."""
    if to_profile is None:
        raise click.UsageError("Name the profile by --to-profile NAME.")
    files = _change()
    ref = _entry(files, store, match, index)
    send_to(files, ref, to_profile, keep=True, to=to, accept_newer=accept_newer)


@memory.command()
@click.argument("operations", default="-")
@one_store
@accept_newer
@home_options
@json_option
def batch(operations: str, store: StoreName, accept_newer: bool) -> None:
    """Apply OPERATIONS, a JSON list of {action, content, old_text}, all or none (- or nothing: from stdin)."""
    from hermes_tui.memory.batch import operations_from

    wanted = operations_from(read_json(operations, "a JSON list of objects", _is_list_of_objects))
    files = _change()
    tell(files, files.batch(store, wanted, accept_newer=accept_newer))


@memory.command()
@any_store
@click.option("--dialect", type=click.Choice(["0.19", "0.22"]), default="0.22", show_default=True)
@home_options
@json_option
def prompt(store: StoreName | None, dialect: Any) -> int:
    """The text that the next session of the agent will be told."""
    from hermes_tui.memory.prompt import block_of, next_session

    chosen = options()
    views = _views(store)
    text = next_session(views, dialect)
    shape = {
        "prompt": text,
        "blocks": [{"store": view.store, "text": block_of(view, dialect)} for view in views],
    }
    if _say_closed(views, shape, "unreadable", "invalid_utf8"):
        return 3
    if not chosen.json and not text:
        say("Nothing: both stores are empty or off, so the next session is told nothing.")
    emit(shape, lambda: text, as_json=chosen.json, raw=not sys.stdout.isatty())
    return 0


@memory.command()
@click.argument("text", required=False)
@any_store
@home_options
@json_option
def scan(text: str | None, store: StoreName | None) -> int:
    """What the agent would block, and where: in TEXT (- reads it from stdin), or in every entry."""
    from hermes_tui.memory.threats import scan as scan_text

    chosen = options()
    if text is None:
        views = _views(store)
        found = [(view, entry, finding) for view in views for entry in view.entries for finding in entry.findings]
        stores = [{"store": view.store, "entries": store_shape(view)["entries"]} for view in views]
        lines = [
            f"{FILE_NAMES[view.store]} entry {entry.index}: {_finding_line(finding)}" for view, entry, finding in found
        ]
        shape: dict[str, Any] = {"blocked": bool(found), "stores": stores}
        if _say_closed(views, shape, "unreadable"):
            return 3
        emit(shape, lambda: "\n".join(lines), as_json=chosen.json)
    else:
        findings = scan_text(read_text(text))
        lines = [_finding_line(finding) for finding in findings]
        shape = {"blocked": bool(findings), "findings": [finding_shape(finding) for finding in findings]}
        emit(shape, lambda: "\n".join(lines), as_json=chosen.json)
    if not lines and not chosen.json:
        say("Nothing found.")
    return 0


@memory.command()
@any_store
@home_options
@json_option
def normalize(store: StoreName | None) -> int:
    """Put a file in order that was changed by hand; its old bytes are put aside first."""
    files = _change()
    outcomes: list[Outcome] = []
    failures: list[HermesTuiError] = []
    for name in STORES:
        if store in (None, name):
            try:
                outcomes.append(files.normalize(name))
            except HermesTuiError as error:
                failures.append(error)
    if not failures:
        tell(files, *outcomes)
        return 0
    chosen = options()
    if not chosen.json:
        tell(files, *outcomes)
    for failure in failures[1:]:
        say(str(failure))
    first = failures[0]
    report(first.code, first.message, first.hint, as_json=chosen.json, answer=told(files, *outcomes))
    return first.exit_code


@memory.command()
@home_options
@json_option
@click.option("--skip", is_flag=True, help="Leave the last change as it is, so that the one before it comes next.")
def undo(skip: bool) -> None:
    """Take back the last change made here or on the screen."""
    files = _change()
    try:
        with ProgressLine("Taken back") as files.on_progress:
            outcome = files.drop_undo() if skip else files.undo()
        tell(files, outcome)
    except EntryConflict as conflict:
        conflict.hint = "Nothing was written. Change it by hand, or go on to the change before with `undo --skip`."
        raise


@memory.command()
@home_options
@json_option
def redo() -> None:
    """Make the last undone change again."""
    files = _change()
    with ProgressLine("Made again") as files.on_progress:
        outcome = files.redo()
    tell(files, outcome)


@memory.command()
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="How many, newest first.")
@home_options
@json_option
def log(limit: int) -> None:
    """The changes made here, on the screen or by `tool memory`, newest first."""
    chosen = options()
    files = _stores()
    records = files.journal.records()[::-1]
    shape = {
        "records": [_record_shape(record) for record in records[:limit]],
        "more": len(records) > limit,
    }
    if damaged := files.journal.damaged_lines():
        say(f"{plural(damaged, 'line')} of {files.journal.path} cannot be read.")
    elif not records and not chosen.json:
        say("No change was made yet.")
    lines = [_record_line(record) for record in records[:limit]]
    emit(shape, lambda: "\n".join(lines), as_json=chosen.json)


def _stores() -> MemoryStore:
    from hermes_tui.memory.editing import MemoryStore

    home = open_home(options())
    return MemoryStore(home, open_config(home), read_only=True)


def _change() -> MemoryStore:
    return open_store(options())


def _views(store: StoreName | None) -> list[StoreView]:
    from hermes_tui.memory.view import view_store

    home = open_home(options())
    config = open_config(home)
    return [view_store(home, config, name) for name in STORES if store in (None, name)]


def _entry(files: MemoryStore, store: StoreName, match: str | None, index: int | None) -> EntryRef:
    if (match is None) == (index is None):
        raise click.UsageError("Name the entry by --match TEXT or by --index N.")
    if index is not None:
        return files.entry_at(store, index)
    return files.find_entry(store, match or "")


def tell(files: MemoryStore, *outcomes: Outcome) -> None:
    """Say how a change ended, and what the stores it touched look like now."""
    if options().json:
        emit(told(files, *outcomes), str, as_json=True)
        return
    for outcome in outcomes:
        say(outcome.message)
        for line in _texts_that_went(files, outcome):
            say(line)
        if outcome.backup:
            say(f"The old bytes are in {outcome.backup}.")


def told(files: MemoryStore, *outcomes: Outcome) -> dict[str, Any]:
    """Changes, and what the stores they touched look like now."""
    touched = [name for name in STORES if any(name in outcome.stores for outcome in outcomes)]
    return {
        "message": " ".join(outcome.message for outcome in outcomes),
        "changed": any(not outcome.already for outcome in outcomes),
        "journal_id": next((outcome.journal_id for outcome in outcomes if outcome.journal_id), None),
        "backup": next((str(outcome.backup) for outcome in outcomes if outcome.backup), None),
        "changes": [
            {
                "stores": list(outcome.stores),
                "journal_id": outcome.journal_id,
                "backup": str(outcome.backup) if outcome.backup else None,
            }
            for outcome in outcomes
        ],
        "stores": [store_shape(files.view(name)) for name in touched],
    }


def _texts_that_went(files: MemoryStore, outcome: Outcome) -> Iterator[str]:
    """The whole entries that a change took away or replaced, and what came for them."""
    head = next((head for head in reversed(files.journal.heads()) if head.id == outcome.journal_id), None)
    record = read_record(head) if head else None
    hunks = [hunk for change in record.files for hunk in change.hunks] if record else []
    came = {text for hunk in hunks for text in hunk.new}
    went = {text for hunk in hunks for text in hunk.old}
    for hunk in hunks:
        yield from (f"- {text}" for text in hunk.old if text not in came)
        if hunk.old:
            yield from (f"+ {text}" for text in hunk.new if text not in went)


def _say_closed(views: Sequence[StoreView], answer: dict[str, Any], *states: str) -> bool:
    """Say which store cannot be read, if one cannot; then the answer speaks of less than everything."""
    closed = [view for view in views if view.state in states]
    if closed:
        report(closed[0].state, closed[0].problem, closed[0].hint, as_json=options().json, answer=answer)
    return bool(closed)


def _finding_line(finding: Any) -> str:
    return f"{finding.id} “{finding.text}” {finding.explanation}"


def _record_shape(record: JournalRecord) -> dict[str, Any]:
    return {
        "id": record.id,
        "at": record.at,
        "kind": record.kind,
        "origin": record.origin,
        "state": record.state,
        "label": record.label,
        "of": record.of or None,
        "changes": [
            {"store": change.store, "before": list(hunk.old), "after": list(hunk.new)}
            for change in record.files
            for hunk in change.hunks
        ],
    }


def _record_line(record: JournalRecord) -> str:
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.at))
    word = f"{record.kind} of: " if record.of else ""
    states = {"open": " (being written, or interrupted)", "failed": " (not done)", "dropped": " (left as it is)"}
    texts = [
        f"\n    {sign} {one_line(text, LOG_TEXT_CELLS)}"
        for change in record.files
        for hunk in change.hunks
        for sign, side in (("-", hunk.old), ("+", hunk.new))
        for text in side
    ]
    return f"{when}  {record.origin:4}  {word}{record.words}{states.get(record.state, '')}{''.join(texts)}"


def _is_list_of_objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(step, dict) for step in value)
