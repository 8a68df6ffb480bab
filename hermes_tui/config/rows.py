"""Every setting of the table as it is now: its value, where that comes from, and what is odd about it."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hermes_tui.config.keys import BY_NAME, KEYS, PROVIDERS, Key, Line, Value
from hermes_tui.config.reading import DEFAULTS, TRUE_WORDS, HermesConfig, Origin, Reading
from hermes_tui.errors import NotFound, Refused
from hermes_tui.home import HermesHome
from hermes_tui.redaction import mask, redact

NEWER_THAN = 33
"""The number that 0.19 gives its config.yaml; those of later agents are higher."""
_NEWER_SWITCHES = ("y", "Y", "n", "N")
_NEWER_NUMBER = re.compile(r"[-+]?(?:\d[\d_]*)(?:\.[\d_]*)?[eE][-+]?\d+")


@dataclass(frozen=True, slots=True)
class Row:
    """One setting."""

    key: Key
    value: Value
    """What the agent makes of it."""
    origin: Origin
    written: str
    """What the file says, short; empty when it says nothing."""
    notes: tuple[str, ...]
    """Sentences on what the agent reads otherwise than it is written."""
    stands: object = None
    """The value in the user's file as it is there; None for none."""

    @property
    def differs(self) -> bool:
        """Whether somebody has set it, be it to the default."""
        return self.origin != "default"


@dataclass(frozen=True, slots=True)
class Rows:
    """All settings of one home."""

    config: HermesConfig
    line: Line | None
    """The line of the agent that wrote the file; None when it does not say."""
    rows: tuple[Row, ...]

    def row(self, name: str) -> Row:
        """The setting of that name.

        Raises:
            NotFound: there is none; the hint names the closest one.
        """
        key = find_key(name)
        return next(row for row in self.rows if row.key is key)


def find_key(name: str) -> Key:
    """The entry of the table, by its dotted name.

    Raises:
        NotFound: there is none; the hint names the closest one.
    """
    key = BY_NAME.get(name.strip())
    if key is None:
        import difflib

        leaves = {entry.path[-1]: entry.name for entry in KEYS}
        close = difflib.get_close_matches(name, [*BY_NAME, *leaves], n=1, cutoff=0.6)
        known = leaves.get(close[0], close[0]) if close else ""
        hint = f"Did you mean {known}?" if known else "`hermes-tui settings list` names all of them."
        raise NotFound(f"There is no setting {name!r} here.", code="unknown_setting", hint=hint)
    return key


def read_rows(home: HermesHome, environ: Mapping[str, str] | None = None) -> Rows:
    """All settings as the agent would read them now; never raises and never writes."""
    env = os.environ if environ is None else environ
    reading = Reading(home, env)
    config = reading.config()
    line = _line(reading.user.mapping.get("_config_version"))
    return Rows(config, line, tuple(_row(key, reading, config, line) for key in KEYS))


def parse_value(key: Key, text: str) -> Value:
    """What a person typed, as a value of the setting.

    Raises:
        Refused: it is none; the message says what may be written.
    """
    word = text.strip()
    if key.kind == "switch":
        if word.lower() in TRUE_WORDS:
            return True
        if word.lower() in {"0", "false", "no", "off"}:
            return False
    elif key.kind in ("number", "share"):
        try:
            number = (
                float(word.replace("_", "").replace(",", "")) if key.kind == "share" else int(word.replace(",", ""))
            )
        except ValueError:
            number = None
        if number is not None and number > key.most and key.kind == "number":
            raise Refused(f"{key.name} takes at most {key.most:,.0f}.", code="bad_value", hint="Nothing was written.")
        if number is not None and key.least <= number <= key.most:
            return number
    elif key.kind == "words":
        if word.lower() in key.choices:
            return word.lower()
    elif word.isprintable() and len(word) <= 1000:
        return word
    raise Refused(
        f"{key.name} takes {key.range}, not {text.strip()[:40]!r}.",
        code="bad_value",
        hint="Nothing was written.",
    )


def _line(version: object) -> Line | None:
    if not isinstance(version, int) or isinstance(version, bool):
        return None
    return "0.22" if version > NEWER_THAN else "0.19"


def _row(key: Key, reading: Reading, config: HermesConfig, line: Line | None) -> Row:
    given, origin = reading.find(key.path)
    default = key.default_of(line or "0.22")
    notes = [note.message for note in config.notes if note.key == key.name]
    value: Value
    if key.name in DEFAULTS:
        value, origin = _read_exactly(key.name, config), config.origin(key.name)
    elif origin == "default" or (given is None and key.kind != "switch"):
        value = default
    else:
        value, own = _read(key, _as_read(given, line), default)
        notes += own
    if origin == "managed" and not notes:
        notes.append("Set by the administrator of this machine, which wins over your config.yaml.")
    notes += _about(key, value, line)
    if line is None and origin == "default" and key.newer is not None:
        notes.append(f"The file does not say which agent wrote it; the default is {said_default(key)}.")
    stands: object = reading.user.mapping
    for name in key.path:
        stands = stands.get(name) if isinstance(stands, dict) else None
    return Row(key, value, origin, "" if given is None else _shown(given), tuple(notes), stands)


def _as_read(given: object, line: Line | None) -> object:
    """A value as the newer agent's parser has it: `n` is a switch there, and `1e3` a number."""
    if line == "0.19" or not isinstance(given, str):
        return given
    if given in _NEWER_SWITCHES:
        return given in ("y", "Y")
    return float(given) if _NEWER_NUMBER.fullmatch(given) else given


def _read_exactly(name: str, config: HermesConfig) -> Value:
    attribute = {"skills.write_approval": "skills_write_approval"}.get(name, name.rpartition(".")[2])
    value = getattr(config, attribute)
    assert isinstance(value, bool | int | str)
    return value


def _read(key: Key, given: object, default: Value) -> tuple[Value, list[str]]:
    """What the agent makes of a value, and what a person should know about that."""
    if key.kind == "switch":
        return _switch(key, given, bool(default))
    if key.kind in ("number", "share"):
        return _number(key, given, default)
    if isinstance(given, bool) and key.kind == "words":
        word = "on" if given else "off"
        return word, [] if word in key.choices else [f"Not one of its words: {key.range}."]
    if not isinstance(given, str | int | float) or isinstance(given, bool):
        return default, [f"Not text, so it says nothing; write {key.range}."]
    word = str(given)
    if key.kind == "words" and word.strip().lower() not in key.choices:
        return word, [f"Not one of its words: {key.range}."]
    return word, []


def _switch(key: Key, given: object, default: bool) -> tuple[bool, list[str]]:
    if isinstance(given, bool):
        return given, []
    if key.reads == "words":
        on = default if given is None else str(given).strip().lower() in TRUE_WORDS | {"y"}
        if isinstance(given, int | float):
            on = bool(given)
    else:
        on = bool(given)
    said = "on" if on else "off"
    if isinstance(given, str) and on != (given.strip().lower() in TRUE_WORDS):
        return on, [f"Text: any text counts as {said} here. Write true or false, without quotes."]
    return on, [f"No switch; the agent takes it for {said}. Write true or false."]


def _number(key: Key, given: object, default: Value) -> tuple[Value, list[str]]:
    if isinstance(given, bool):
        return int(given), [f"A switch, counted as {int(given)}. Write {key.range}."]
    try:
        number: int | float = float(given) if key.kind == "share" else int(given)  # type: ignore[call-overload, arg-type]
    except (TypeError, ValueError, OverflowError):
        return default, [f"Not a number: the agent fails where it needs one, or takes its default. Write {key.range}."]
    if not math.isfinite(number):
        return default, [f"Not a number that counts; write {key.range}."]
    notes = []
    if isinstance(given, str):
        notes.append("Text, not a number; some places of the agent do not convert it. Write it without quotes.")
    elif number != given:
        notes.append(f"Counted as {number:,}. Write {key.range}.")
    if not key.least <= number <= key.most:
        notes.append(f"Out of range: it takes {key.range}, {key.most:,.0f} at most.")
    return number, notes


def _about(key: Key, value: Value, line: Line | None) -> Iterator[str]:
    """What is true of a setting whatever is written."""
    if key.only is not None and line is not None and key.only != line:
        yield f"Only agents of the {key.only} line read it; this home's config.yaml was written by {line}."
    if key.name == "memory.provider" and value and value not in PROVIDERS:
        yield f"No provider that comes with an agent is called {value!r}; it works only as a plugin in this home."
    if key.kind == "secret" and value:
        yield "A secret in config.yaml is read by everything that reads settings; the home's .env is meant for it."


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)[:200] if isinstance(value, str | int | float) else f"a {type(value).__name__}"


def shown_value(key: Key, value: Value) -> str:
    """A value as it may be shown: a secret only by its ends, an empty text in words."""
    if value == "":
        return "not set"
    if key.kind == "secret":
        return mask(str(value))
    if key.kind == "text":
        return redact(str(value))  # an address may hold a password
    return f"{value:,}" if type(value) is int else _shown(value)


def said_default(key: Key) -> str:
    """What counts when the file says nothing, for each line where they differ."""
    if key.newer is None:
        return shown_value(key, key.default)
    return f"{shown_value(key, key.default)} (0.19), {shown_value(key, key.newer)} (0.22)"
