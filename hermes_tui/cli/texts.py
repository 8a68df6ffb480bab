"""Text and JSON that a command is given: as an argument, or from stdin for `-`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

import click

from hermes_tui.errors import Refused


def stdin() -> BinaryIO:
    """What is piped in.

    Raises:
        click.UsageError: stdin is closed.
    """
    if sys.stdin is None:
        raise click.UsageError("stdin is closed: there is nothing to read.")
    return sys.stdin.buffer


def read_text(argument: str) -> str:
    """The text itself, or all of stdin for `-`, without the newline that ends it.

    Raises:
        Refused: stdin is not UTF-8.
    """
    if argument != "-":
        return argument
    data = stdin().read()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(
            f"The text on stdin is not UTF-8 (byte {data[error.start]:#04x} at offset {error.start:,}).",
            code="not_utf8",
            hint="Convert it first; nothing was written.",
        ) from error
    return text.removesuffix("\n").removesuffix("\r")


def whole_characters(text: str) -> str:
    """An argument without half characters, which no database holds."""
    return text.encode("utf-8", "replace").decode()


def typed_text(argument: str) -> str:
    """An argument that will be stored, as it was typed, also where the locale does not say how that is written.

    Raises:
        click.UsageError: its bytes are not UTF-8, and no text in the locale.
    """
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeEncodeError:
        return argument  # read in a locale of another encoding
    except UnicodeDecodeError as error:
        if argument.isprintable():
            return argument
        raise click.UsageError("The text is not UTF-8; set the locale that your terminal speaks.") from error


def read_json(argument: str, what: str, valid: Callable[[object], bool]) -> Any:
    """The JSON value in the argument or on stdin.

    Raises:
        click.UsageError: it is no JSON, or not what was asked for.
    """
    import json

    text = read_text(argument)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise click.UsageError(f"Not JSON: {error}. Expected {what}.") from error
    if not valid(value):
        raise click.UsageError(f"Expected {what}.")
    return value
