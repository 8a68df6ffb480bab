"""Texts inside a Markdown file: the words of a message kept, and what is around them safe from it. Pure.

A message is Markdown already, so it stands in the file as it was written and is drawn as it was meant. Three things
in it could be taken for the file's own, or swallow what follows: headings, which are put two levels lower; HTML at
the beginning of a line, which is escaped; and a block of code without an end, which is closed. What is in a block of
code stays as it is. Where it cannot be told for sure what is code, the whole message becomes a quotation, which
nothing gets out of.
"""

from __future__ import annotations

import re
from typing import NamedTuple

LOWER = 2
"""Levels that a message's headings are put lower: the file's own are of the first and the second."""
LOWEST = 6
INDENTED = 4
"""From this column on a line begins nothing, unless it is in a list."""

_MARKERS = r"(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})*"
_FENCE = re.compile(rf"(?P<lead>[ \t]*{_MARKERS})(?P<fence>`{{3,}}(?=[^`]*$)|~{{3,}})")
_INTERRUPTS = re.compile(r"[ \t]*(?:[-*+][ \t]|1[.)]|$)")
"""A list's sign that begins a list in the middle of a paragraph too; others are words there."""
_HEADING = re.compile(rf"(?P<lead> {{0,3}}{_MARKERS})(?P<marks>#{{1,6}})(?=[ \t]|$)")
_HTML = re.compile(r" {0,3}<(?=[!?/]|[A-Za-z][A-Za-z0-9-]*(?:[\s/>]|$))")
_UNDERLINE = re.compile(r" {0,3}(?P<sign>=+|-+)[ \t]*$")
_ODD = re.compile(rf"^(?:[ \t]*{_MARKERS}(?:#|`{{3}}|~{{3}}|<)| {{0,3}}(?:=+|-+)[ \t]*$)", re.MULTILINE)
_SPECIAL = re.compile(r"([\\`*\[\]<~$]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)|#(?=#*\s*$))")
"""What means something among words; an underscore inside a name does not."""
_TICKS = re.compile(r"`+")


class _Code(NamedTuple):
    """A block of code that has begun."""

    fence: str
    column: int


def message_body(text: str) -> str:
    """The text of a message, safe to stand in the file."""
    return _tamed(text) if _ODD.search(text) else text


def quoted(text: str) -> str:
    """A text as a quotation."""
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))


def fenced(text: str, language: str = "") -> str:
    """A text as a block of code, whatever is in it."""
    fence = "`" * max(3, _longest_ticks(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def code_span(text: str) -> str:
    """A name as code, on one line."""
    ticks = "`" * (_longest_ticks(text) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def escaped(text: str) -> str:
    """Words that are no Markdown, on one line."""
    return _SPECIAL.sub(r"\\\1", text)


def _longest_ticks(text: str) -> int:
    return max(map(len, _TICKS.findall(text)), default=0)


def _tamed(text: str) -> str:
    lines: list[str] = []
    code: _Code | None = None
    before = ""
    for line in text.split("\n"):
        if code is not None:
            inside = _inside(line, code)
            if inside is None:
                return quoted(text)
            code = code if inside else None
            lines.append(line)
            continue
        begun = _FENCE.match(line)
        if begun:
            column = len(begun["lead"].expandtabs(4))
            if column < INDENTED and before.strip() and not _INTERRUPTS.match(begun["lead"]):
                return quoted(text)
            code = _Code(begun["fence"], column)
            before = ""
        elif _UNDERLINE.match(line) and before.strip():
            # Under a line of text it would make a heading of it.
            lines += [line.replace("=", "\\=", 1)] if "=" in line else ["", line]
            before = line
            continue
        else:
            before = line
            line = _line(line)
        lines.append(line)
    if code is not None:
        lines.append(" " * code.column + code.fence)
    return "\n".join(lines)


def _line(line: str) -> str:
    heading = _HEADING.match(line)
    if heading:
        more = min(LOWER, LOWEST - len(heading["marks"]))
        return f"{heading['lead']}{'#' * more}{line[heading.end('lead') :]}"
    html = _HTML.match(line)
    return f"{line[: html.end() - 1]}\\{line[html.end() - 1 :]}" if html else line


def _inside(line: str, code: _Code) -> bool | None:
    """Whether the block goes on after a line of it; None when readers of Markdown need not agree on that.

    A line that is not as far in as the block's first one may have left a list, and the block with it.
    """
    if not line.strip():
        return True
    column = _indent(line)
    rest = line.strip()
    closes = rest[0] == code.fence[0] and len(rest) >= len(code.fence) and not rest.strip(code.fence[0])
    if not code.column:
        return not (closes and column < INDENTED)
    if column < code.column or (closes and column > code.column):
        return None
    return not closes


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip(" "))
