"""What the commands print: data on stdout, talk on stderr, errors in both forms."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import IO, Any

import click

from hermes_tui.errors import HermesTuiError

Shape = Mapping[str, Any]

USAGE = 2
UNREADABLE = 3
INTERRUPTED = 130


def to_json(value: Any) -> str:
    """One line of JSON that can always be encoded: half characters (lone surrogates) stay escaped."""
    import json  # loaded here: --help and --version do without

    text = json.dumps(value, ensure_ascii=False)
    if text.isascii():
        return text
    return "".join(f"\\u{ord(char):04x}" if "\ud800" <= char <= "\udfff" else char for char in text)


def print_json(value: Any) -> None:
    """Write one JSON value and a newline to stdout, in UTF-8 whatever the locale says.

    On a terminal, characters that it could act on or that cannot be seen are escaped, which loses nothing.
    """
    text = to_json(value)
    if sys.stdout is not None and sys.stdout.isatty():
        text = "".join(_escaped(char) if char > "~" and not char.isprintable() else char for char in text)
    _write(sys.stdout, text, "utf-8")


def _escaped(char: str) -> str:
    code = ord(char)
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


def print_text(text: str, *, raw: bool = False) -> None:
    """Write text and a newline to stdout, made safe for a terminal unless `raw`."""
    if not raw:
        from hermes_tui.text import visible  # loaded here: `count` does without

        text = visible(text)
    _write(sys.stdout, text, getattr(sys.stdout, "encoding", None) or "utf-8")


def say(text: str) -> None:
    """A line for the person, on stderr."""
    from hermes_tui.text import visible

    _write(sys.stderr, visible(text), getattr(sys.stderr, "encoding", None) or "utf-8")


def emit(shape: Shape, text: Callable[[], str], *, as_json: bool, raw: bool = False) -> None:
    """Print an answer: the JSON object with `ok` first, or its plain form (nothing when that is empty)."""
    if as_json:
        print_json({"ok": True, **shape})
        return
    plain = text()
    if plain:
        print_text(plain, raw=raw)


def report(
    code: str,
    message: str,
    hint: str,
    *,
    as_json: bool,
    extra: Shape | None = None,
    answer: Shape | None = None,
) -> None:
    """Say why something was not done: a line on stderr, and the JSON error on stdout when asked for.

    `extra` goes into the error, `answer` beside it: what could be said all the same.
    """
    say(f"{message} {hint}".strip())
    if as_json:
        error = {"code": code, "message": message, "hint": hint}
        print_json({"ok": False, "error": {**error, **(extra or {})}, **(answer or {})})


def report_failure(error: Exception, *, as_json: bool) -> int:
    """Say why a command ended early, and which exit code that is."""
    if isinstance(error, HermesTuiError):
        versions = {name: getattr(error, name) for name in ("base", "mine", "theirs", "merged") if hasattr(error, name)}
        report(error.code, error.message, error.hint, as_json=as_json, extra=versions)
        return error.exit_code
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx else "hermes-tui"
        message = " ".join(error.format_message().split())
        report("usage", message, f"See `{command} --help`.", as_json=as_json)
        return USAGE
    if isinstance(error, click.ClickException):
        report("failed", error.format_message(), "", as_json=as_json)
        return error.exit_code
    if isinstance(error, click.Abort):
        say("Interrupted.")
        return INTERRUPTED
    report("unreadable", f"{error}.", "Nothing more was done.", as_json=as_json)
    return UNREADABLE


def _write(stream: IO[str] | None, text: str, encoding: str) -> None:
    if stream is None:
        return  # it was closed before we began: nobody wants to hear
    data = f"{text}\n".encode(encoding, "backslashreplace")
    try:
        buffer = getattr(stream, "buffer", None)
        if buffer is None:
            stream.write(data.decode(encoding, "replace"))
        else:
            stream.flush()
            buffer.write(data)
        stream.flush()
    except BrokenPipeError:
        if stream is sys.stderr:
            return
        forget_stdout()
        raise click.exceptions.Exit(0) from None  # whoever read our output has gone: nobody left to talk to
    except OSError as error:
        if stream is sys.stderr:
            return
        forget_stdout()
        say(f"The answer cannot be written: {error.strerror}. What was asked for has been done.")
        raise click.exceptions.Exit(UNREADABLE) from None


def forget_stdout() -> None:
    """Point stdout elsewhere, so that the interpreter does not complain about it on its way out."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        pass
