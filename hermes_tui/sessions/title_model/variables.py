"""The variables that the agent runs with: those of the home's .env before those of the shell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from hermes_tui.disk import read_file
from hermes_tui.errors import Unreadable

Variables = Mapping[str, str]

_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*")
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*)"(?:\s+#.*)?')
_SINGLE = re.compile(r"'([^']*)'(?:\s+#.*)?")
_COMMENT = re.compile(r"(?:^|\s+)#.*")
_REFERENCE = re.compile(r"\$\{([^}]+)\}")


def home_variables(home: Path, environ: Mapping[str, str]) -> Variables:
    """The environment as an agent of this home would have it; a .env that cannot be read is none."""
    try:
        read = read_file(home / ".env")
    except Unreadable:
        read = None
    if read is None:
        return environ
    found: dict[str, str] = {}
    for line in read[0].decode("utf-8-sig", errors="replace").splitlines():
        match = _LINE.fullmatch(line)
        if match and (value := _value(match[2])):
            found[match[1]] = value
    return {**environ, **found}


def _value(text: str) -> str:
    """A value without its quotes, or the comment after it; empty for a gap to fill in (`***`)."""
    if double := _DOUBLE.fullmatch(text):
        return re.sub(r'\\(["\\])', r"\1", double[1])
    if single := _SINGLE.fullmatch(text):
        return single[1]
    plain = _COMMENT.sub("", text)
    return "" if set(plain) <= {"*"} else plain


def expanded(text: str, variables: Variables) -> str:
    """`text` with `${NAME}` filled in; a name that is not set stays."""
    return _REFERENCE.sub(lambda match: variables.get(match[1], match[0]), text)
