"""The agent's `.env`: read as the agent reads it, and changed without touching another line."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from hermes_tui.disk import is_link, read_file
from hermes_tui.errors import Refused, Unreadable

MAX_BYTES = 1 << 20
"""A larger file is not read; a real one has a few kilobytes."""

MAX_TOLD = 5
"""So many lines that are no settings are named."""

UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF32_MARKS = (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")

_SPACE = re.compile(r"\s*")
_BLANKS = re.compile(r"[^\S\r\n]*")
_EXPORT = re.compile(r"(?:export[^\S\r\n]+)?")
_NAMES = {"'": re.compile(r"'([^']+)'"), "": re.compile(r"([^=\#\s]+)")}
_VALUES = {
    "'": re.compile(r"'((?:\\'|[^'])*)'"),
    '"': re.compile(r'"((?:\\"|[^"])*)"'),
    "": re.compile(r"([^\r\n]*)"),
}
"""Names and values by the quote that begins them."""
_END = re.compile(r"(?>(?:[^\S\r\n]*\#[^\r\n]*)?)(?>[^\S\r\n]*)(?:\r\n|\n|\r|$)")
_REST_OF_LINE = re.compile(r"[^\r\n]*(?:\r|\n|\r\n)?")
_COMMENT_AFTER_VALUE = re.compile(r"(?<!\s)\s++#.*")
_VARIABLE = re.compile(r"\$\{([^}:]*)(?::-([^}]*))?\}")
_ESCAPES = {"\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CREDENTIAL = ("_API_KEY", "_TOKEN", "_SECRET", "_KEY")
"""Variables of which the agent keeps only ASCII characters."""


@dataclass(frozen=True, slots=True)
class EnvSetting:
    """One statement of the file."""

    name: str
    value: str | None
    """What stands there, variables not filled in; None for a name alone, which sets nothing."""
    start: int
    """Where its line, or its lines, begin."""
    end: int
    """Where the next begins."""
    value_span: tuple[int, int] | None
    """The value as written, quotes included."""


@dataclass(frozen=True, slots=True)
class EnvFile:
    """What a `.env` holds, or why it could not be read."""

    path: Path
    state: Literal["ok", "missing", "invalid", "unreadable"]
    settings: tuple[EnvSetting, ...] = ()
    mode: int = 0
    problems: tuple[str, ...] = ()
    """Sentences for a person."""

    def values(self, environ: Mapping[str, str], *, wins: bool = True) -> dict[str, str]:
        """Every variable that the file sets, with `${NAME}` filled in; the last of two counts.

        Args:
            environ: the variables that are set already.
            wins: whether the file's own variables go before those when one refers to another.
        """
        found: dict[str, str | None] = {}
        for setting in self.settings:
            value = setting.value
            if value is not None:
                known = {**environ, **found} if wins else {**found, **environ}
                value = _filled(value, known)
            found[setting.name] = value
        return {name: _sendable(name, value) for name, value in found.items() if value is not None}


def read_env(path: Path, known: Iterable[str] = ()) -> EnvFile:
    """The settings in a `.env`; never raises and never writes.

    Args:
        path: the file.
        known: names at which the agent takes a line apart that holds two settings glued together.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            return EnvFile(path, "invalid", problems=(f"{path} is larger than {MAX_BYTES >> 10:,} KiB.",))
    except (OSError, ValueError):
        pass  # read_file says it better
    try:
        read = read_file(path)
    except Unreadable as error:
        return EnvFile(path, "unreadable", problems=(str(error),))
    if read is None:
        dangling = is_link(path)
        return EnvFile(path, "missing", problems=(f"{path} is a link that leads nowhere.",) if dangling else ())
    data, status = read
    mode = stat.S_IMODE(status.st_mode)
    problems: list[str] = []
    text = _as_loaded(path, data, tuple(known), problems)
    if text is None:
        return EnvFile(path, "invalid", mode=mode, problems=tuple(problems))
    settings, bad_lines = parse_env(text)
    for line in bad_lines[:MAX_TOLD]:
        problems.append(f"Line {line} of {path} is no setting; the agent passes over it.")
    names = [setting.name for setting in settings if setting.value is not None]
    for name in sorted({name for name in names if names.count(name) > 1}):
        problems.append(f"{path} sets {name} twice; the last one counts.")
    for setting in settings:
        if setting.name.endswith(_CREDENTIAL) and not (setting.value or "").isascii():
            problems.append(f"{setting.name} in {path} has characters that no key has; the agent leaves them out.")
    return EnvFile(path, "ok", settings, mode, tuple(problems))


def _as_loaded(path: Path, data: bytes, known: tuple[str, ...], problems: list[str]) -> str | None:
    """The text that an agent reads: it tidies the file first, and where that changes something, reads that."""
    if data.startswith(_UTF32_MARKS):
        problems.append(f"{path} is UTF-32, which the agent cannot read. Save it as UTF-8.")
        return None
    if data.startswith(_UTF16_MARKS):
        problems.append(f"{path} is UTF-16; the agent rewrites it as UTF-8 when it starts.")
        try:
            return _tidied(data.decode("utf-16"), known)[0]
        except UnicodeDecodeError:
            return None
    text = data.decode("utf-8-sig", "replace")
    if "\0" in text:
        problems.append(f"{path} holds null bytes; the agent takes them out when it starts.")
    tidy, parted = _tidied(text, known)
    if parted:
        problems.append(f"A line of {path} holds two settings; the agent takes it apart when it starts.")
    if tidy != _lined(text) and not text.startswith("\ufffd"):
        return tidy
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        problems.append(f"{path} is not UTF-8; what is outside ASCII may be read wrongly. Save it as UTF-8.")
        return _lined(data.decode("latin-1"))
    if data.startswith(UTF8_MARK):
        problems.append(f"{path} begins with a byte order mark, so the agent does not know its first line.")
    return _lined(text)


def _lined(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_env(text: str) -> tuple[tuple[EnvSetting, ...], tuple[int, ...]]:
    """The statements of a text, and the numbers of the lines that are none."""
    settings: list[EnvSetting] = []
    bad_lines: list[int] = []
    counted, line = 0, 1
    at = _after(_SPACE, text, 0)
    while at < len(text):
        setting, end, good = _statement(text, at)
        if setting is not None and good:
            settings.append(setting)
        if not good:
            line += text.count("\n", counted, at)
            counted = at
            bad_lines.append(line)
            end = _after(_REST_OF_LINE, text, end)
        at = _after(_SPACE, text, end)
    return tuple(settings), tuple(bad_lines)


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _statement(text: str, start: int) -> tuple[EnvSetting | None, int, bool]:
    """What begins at `start`, how far it was understood, and whether to its end."""
    at = _after(_EXPORT, text, start)
    setting = None
    if text[at : at + 1] != "#":
        named = _NAMES["'" if text[at : at + 1] == "'" else ""].match(text, at)
        if named is None:
            return None, at, False
        at = _after(_BLANKS, text, named.end())
        value, span = None, None
        if text[at : at + 1] == "=":
            at = _after(_BLANKS, text, at + 1)
            quote = text[at : at + 1] if text[at : at + 1] in ("'", '"') else ""
            given = _VALUES[quote].match(text, at)
            if given is None:
                return None, at, False
            value = _unquoted(given[1], quote)
            span = (at, given.end() if quote else at + len(value))
            at = given.end()
        setting = EnvSetting(named[1], value, start, at, span)
    ended = _END.match(text, at)
    if ended is None:
        return None, at, False
    return replace(setting, end=ended.end()) if setting else None, ended.end(), True


def _unquoted(raw: str, quote: str) -> str:
    if quote == "'":
        return re.sub(r"\\([\\'])", r"\1", raw)
    if quote:
        return re.sub(r"\\([\\'\"abfnrtv])", lambda match: _ESCAPES[match[1]], raw)
    return _COMMENT_AFTER_VALUE.sub("", raw).rstrip()


def _filled(value: str, known: Mapping[str, str | None]) -> str:
    return _VARIABLE.sub(lambda match: known.get(match[1], match[2] or "") or "", value)


def _sendable(name: str, value: str) -> str:
    """A key as the agent keeps it: what is no ASCII cannot be sent."""
    return value.encode("ascii", "ignore").decode() if name.endswith(_CREDENTIAL) else value


def _set_in(text: str) -> dict[str, str]:
    """What a text sets, variables not filled in; the last of two counts, and a name alone takes it back."""
    last = {setting.name: setting.value for setting in parse_env(text)[0]}
    return {name: value for name, value in last.items() if value is not None}


def _tidied(text: str, known: tuple[str, ...]) -> tuple[str, bool]:
    """The text as the agent tidies it, and whether a line held settings that were glued together."""
    needle = re.compile("|".join(f"{re.escape(name)}=" for name in sorted(known, key=len, reverse=True)) or r"(?!)")
    lines: list[str] = []
    parted = False
    for line in _lines(text):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            lines.append(line)
            continue
        starts = [match.start() for match in needle.finditer(bare)]
        ends = [*starts[1:], len(bare)]
        pieces = [bare[start:end] for start, end in zip(starts, ends, strict=False)]
        values = [piece.split("=", 1)[1] for piece in pieces[:-1]]
        if len(pieces) > 1 and not starts[0] and not any(re.search(r"://|[?&\s]", value) for value in values):
            parted = True
            lines += [piece.strip() for piece in pieces]
        else:
            lines.append(bare)
    return "".join(f"{line}\n" for line in lines), parted


def _lines(text: str) -> list[str]:
    lines = _lined(text).replace("\0", "").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def with_variables(data: bytes, changes: Mapping[str, str | None]) -> bytes:
    """The bytes of a `.env` with variables set (or, for None, taken out); every other line stays.

    Raises:
        Refused: the file cannot be changed safely, or a value cannot be written so that it reads back the same.
    """
    try:
        text = data.decode("utf-8-sig")  # a byte order mark would hide the first line from the agent
    except UnicodeDecodeError as error:
        raise Refused(
            "The .env is not UTF-8, so it cannot be changed safely.",
            code="env_form",
            hint="Save it as UTF-8 in an editor; nothing was written.",
        ) from error
    expected = _set_in(text)
    for name, value in changes.items():
        text = _without(text, name) if value is None else _with(text, name, value)
        if value is None:
            expected.pop(name, None)
        else:
            expected[name] = value
    if _set_in(text) != expected:
        raise Refused(
            "The .env is written in a way that this program cannot change safely.",
            code="env_form",
            hint=f"Set {', '.join(changes)} in an editor; nothing was written.",
        )
    return text.encode("utf-8")


def _with(text: str, name: str, value: str) -> str:
    if not _NAME.fullmatch(name):
        raise Refused(f"{name!r} is no name of a variable.", code="bad_value")
    written = _written(name, value)
    settings, _ = parse_env(text)
    same = [setting for setting in settings if setting.name == name]
    if same:
        last = same[-1]
        if last.value_span is not None:
            start, end = last.value_span
            return f"{text[:start]}{written}{text[end:]}"
        line = text[last.start : last.end]
        end = last.start + len(line.rstrip("\r\n"))
        return f"{text[: last.start]}{name}={written}{text[end:]}"
    newline = "\r\n" if "\r\n" in text else "\n"
    start_of_line = "" if not text or text.endswith(("\n", "\r")) else newline
    return f"{text}{start_of_line}{name}={written}{newline}"


def _without(text: str, name: str) -> str:
    settings, _ = parse_env(text)
    for setting in reversed([setting for setting in settings if setting.name == name]):
        text = text[: setting.start] + text[setting.end :]
    return text


def _written(name: str, value: str) -> str:
    """A value as it stands in the file: bare like the agent writes it, in quotes where that would not read back."""
    if any(char < " " or char == "\x7f" for char in value):
        raise Refused(f"The value of {name} has a line break or another control character.", code="bad_value")
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise Refused(f"The value of {name} holds half a character, which no file can hold.", code="bad_value")
    if _VARIABLE.search(value):
        raise Refused(f"The value of {name} holds ${{…}}, which the agent would fill in.", code="bad_value")
    quoted = "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    for written in (value, quoted):
        read, bad_lines = parse_env(f"{name}={written}\n")
        if not bad_lines and len(read) == 1 and read[0].value == value:
            return written
    raise Refused(f"The value of {name} cannot be written in a .env.", code="bad_value")
