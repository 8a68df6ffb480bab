"""`hermes-tui settings`: the settings of the agent that concern what it remembers, and changing them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import click

from hermes_tui.cli.context import home_options, json_option, open_home, options
from hermes_tui.cli.output import emit, say
from hermes_tui.errors import Refused
from hermes_tui.text import visible

if TYPE_CHECKING:
    from hermes_tui.config.keys import Key, Value
    from hermes_tui.config.rows import Row, Rows
    from hermes_tui.home import HermesHome


DEEPEST = 8
"""Settings are not nested deeper."""
UNREADABLE = 3
"""The exit code where the file cannot be read: the defaults are told, with the reason on stderr."""


@click.group()
def settings() -> None:
    """The agent's settings that concern what it remembers."""


@settings.command("list")
@click.option("--group", metavar="NAME", help="Only this group: memory, approval, sessions, …")
@click.option("--changed", is_flag=True, help="Only what config.yaml sets.")
@home_options
@json_option
def list_(group: str | None, changed: bool) -> int:
    """Every setting: value, where it comes from, what is odd about it."""
    from hermes_tui.config.rows import read_rows

    found = read_rows(open_home(options()))
    _say_problem(found)
    groups = {row.key.group for row in found.rows}
    if group is not None and group.casefold() not in {name.casefold() for name in groups}:
        names = ", ".join(dict.fromkeys(row.key.group for row in found.rows))
        raise click.UsageError(f"There is no group {group!r}. The groups: {names}.")
    rows = [
        row
        for row in found.rows
        if (group is None or row.key.group.casefold() == group.casefold()) and (row.differs or not changed)
    ]
    shape = {
        "config": str(found.config.path),
        "state": found.config.state,
        "agent": found.line,
        "settings": [_shape(row) for row in rows],
    }
    emit(shape, lambda: _text(rows), as_json=options().json)
    return UNREADABLE if found.config.problem else 0


@settings.command()
@click.argument("key")
@home_options
@json_option
def get(key: str) -> int:
    """One setting: meaning, range, value, defaults, where it comes from, when a change counts."""
    from hermes_tui.config.rows import find_key, read_rows

    find_key(key)
    found = read_rows(open_home(options()))
    _say_problem(found)
    row = found.row(key)
    emit({"setting": _shape(row), "state": found.config.state}, lambda: _details(row), as_json=options().json)
    return UNREADABLE if found.config.problem else 0


@settings.command("set")
@click.argument("key")
@click.argument("value", required=False)
@click.option("--dry-run", is_flag=True, help="Say which lines would change, and write nothing.")
@home_options
@json_option
def set_(key: str, value: str | None, dry_run: bool) -> None:
    """Change one setting at its place in config.yaml; a VALUE of - is read from stdin, and so is a secret."""
    from hermes_tui.cli.texts import read_text
    from hermes_tui.config.rows import find_key, parse_value

    known = find_key(key)
    if known.kind == "secret" and value not in (None, "-", ""):
        raise click.UsageError("A secret on the command line is seen by others; give it on stdin: settings set KEY -")
    if value is None and known.kind != "secret":
        raise click.UsageError(f"{key} takes {known.range}.")
    text = read_text("-" if value is None else value)
    _change(known, parse_value(known, text.strip("\n")), dry_run=dry_run)


@settings.command()
@click.argument("key")
@click.option("--dry-run", is_flag=True, help="Say which lines would change, and write nothing.")
@home_options
@json_option
def unset(key: str, dry_run: bool) -> None:
    """Take one setting out of config.yaml, so that the agent's default counts."""
    from hermes_tui.config.rows import find_key

    _change(find_key(key), None, dry_run=dry_run)


@settings.command()
@home_options
@json_option
def undo() -> None:
    """Take back the last change of a setting made here, as it was spelled."""
    from hermes_tui.config.edit import undo_setting
    from hermes_tui.config.rows import find_key, read_rows

    home = _writable()
    step = undo_setting(home)
    row = read_rows(home).row(find_key(step.key).name)
    emit({"setting": _shape(row)}, lambda: f"{step.key} is {_value(row.key, row.value)} again.", as_json=options().json)


def _change(key: Key, value: Value | None, *, dry_run: bool) -> None:
    from hermes_tui.config.edit import preview_setting, set_setting, unset_setting
    from hermes_tui.config.rows import read_rows

    home = open_home(options()) if dry_run else _writable()
    before, after = preview_setting(home, key.name, value)
    lines = _changed_lines(key, before, after, value, read_rows(home).row(key.name).stands)
    if not dry_run:
        done = unset_setting(home, key.name) if value is None else set_setting(home, key.name, value)
        row = read_rows(home).row(key.name)
        said = f"{key.name} is {_value(key, row.value)}" + (" already." if not done else f"; it counts {_when(key)}.")
        effect = _effect(home, key, row.value)
        for sentence in filter(None, (effect, *row.notes)):
            say(sentence)
        emit({"setting": _shape(row), "changed": done, "lines": lines}, lambda: said, as_json=options().json)
        return
    default = read_rows(home).row(key.name).key.default
    effect = _effect(home, key, default if value is None else value)
    if effect:
        say(effect)
    emit(
        {"changed": bool(lines), "lines": lines},
        lambda: "\n".join(lines) or "Nothing would change.",
        as_json=options().json,
    )


def _writable() -> HermesHome:
    chosen = options()
    home = open_home(chosen)
    if chosen.read_only:
        raise Refused("This is a read-only view; the settings stay as they are.", code="read_only")
    return home


def _effect(home: HermesHome, key: Key, value: Value) -> str:
    from hermes_tui.config import load_config
    from hermes_tui.memory.limits import LIMIT_KEYS, limit_effect
    from hermes_tui.memory.view import view_store

    store = LIMIT_KEYS.get(key.name)
    if store is None:
        return ""
    return limit_effect(store, view_store(home, load_config(home), store).usage.chars, int(value))


def _changed_lines(key: Key, before: str, after: str, value: Value | None, old: object) -> list[str]:
    import difflib

    from hermes_tui.redaction import mask, redact

    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    shown = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    secrets = {str(given) for given in (value, old) if given and key.kind == "secret"}
    secrets |= {secret for text in (before, after) for secret in _secrets_in(text)}
    masked = []
    for line in shown:
        rest = line[1:]
        for secret in sorted(secrets, key=len, reverse=True):
            rest = rest.replace(secret, mask(secret))
        masked.append(line[0] + redact(rest))
    return masked


def _secrets_in(text: str) -> Iterator[str]:
    """Every value of a settings file whose name says that it is a secret, wherever on a line it stands."""
    from hermes_tui.redaction.named import naming
    from hermes_tui.yaml_file import parse_yaml

    def secrets(values: Mapping[str, object], depth: int = 0) -> Iterator[str]:
        for name, value in values.items():
            if isinstance(value, dict) and depth < DEEPEST:
                yield from secrets(value, depth + 1)
            elif isinstance(value, str) and value and naming(str(name)):
                yield value

    return secrets(parse_yaml(text.encode()).mapping)


def _say_problem(found: Rows) -> None:
    if found.config.problem:
        say(f"{found.config.problem} The agent's defaults apply.")


def _when(key: Key) -> str:
    return {
        "now": "at once",
        "next session": "from the next session on",
        "restart": "when the agent starts again",
    }[key.applies]


def _value(key: Key, value: Value) -> str:
    from hermes_tui.config.rows import shown_value

    return visible(shown_value(key, value))


def _shape(row: Row) -> dict[str, object]:
    from hermes_tui.config.rows import shown_value

    key = row.key
    masked = row.value and key.kind in ("secret", "text")
    return {
        "key": key.name,
        "value": shown_value(key, row.value) if masked else row.value,
        "origin": row.origin,
        "default": key.default if key.newer is None else {"0.19": key.default, "0.22": key.newer},
        "type": key.kind,
        "range": key.range,
        "choices": list(key.choices),
        "only": key.only,
        "applies": key.applies,
        "group": key.group,
        "meaning": key.meaning,
        "notes": list(row.notes),
    }


def _text(rows: list[Row]) -> str:
    width = max((len(row.key.name) for row in rows), default=0)
    lines: list[str] = []
    group = ""
    for row in rows:
        if row.key.group != group:
            group = row.key.group
            lines += [*([""] if lines else []), group]
        notes = "".join(f"\n{' ' * (width + 4)}{visible(note)}" for note in row.notes)
        lines.append(f"  {row.key.name:{width}}  {_value(row.key, row.value)} ({row.origin}){notes}")
    return "\n".join(lines) or "config.yaml sets nothing of this."


def _details(row: Row) -> str:
    from hermes_tui.config.rows import said_default

    key = row.key
    facts = {
        "value": _value(key, row.value),
        "from": {"user": "your config.yaml", "managed": "the administrator", "default": "the default"}[row.origin],
        "default": said_default(key),
        "takes": key.range,
        "counts": _when(key),
        "agents": f"{key.only} only" if key.only else "all",
    }
    lines = [key.name, key.meaning, *(f"  {name:8} {visible(said)}" for name, said in facts.items())]
    return "\n".join(lines + [f"  note     {visible(note)}" for note in row.notes])
