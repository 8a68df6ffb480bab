"""A message sorted by line: what is said, and what was pasted."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from hermes_tui.sessions.titles import line_kinds as kinds
from hermes_tui.sessions.titles.characters import UNSPACED_CHAR
from hermes_tui.sessions.titles.inline import Found, plain_line

WRAPPED_CHARS = 50
"""A line at least so long may go on in the next one."""
MAX_SAID = 24
"""So many lines of prose are looked at."""

_FENCE = re.compile(r"\s{0,8}(`{3,}|~{3,})\s{0,3}([\w+#.-]{0,30})[^`\n]*$")
_ONE_LINE_FENCE = re.compile(r"```[^`\n]{1,4000}```")
_SCRIPT = re.compile(r"<(script|style)\b[^>\n]{0,200}>.{0,4000}?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
_ENDS_SENTENCE = re.compile(r"[.!?:;。！？：；…]\W{0,3}$")


@dataclass(slots=True)
class Code:
    """One piece of code."""

    language: str
    """As its fence says; often empty."""
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Material:
    """What a message consists of."""

    said: list[str] = field(default_factory=list)
    """Lines of prose, those of one sentence together."""
    codes: list[Code] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    """Lines that say what went wrong, the most telling last where it was a Python traceback."""
    logged: list[str] = field(default_factory=list)
    traced: bool = False
    """Whether there was a Python traceback."""
    cells: str = ""
    """The first row of a table."""
    subject: str = ""
    """What a mail is about."""
    is_mail: bool = False
    """Whether that was said first."""
    quoted: list[str] = field(default_factory=list)
    found: Found = field(default_factory=Found)


class _Sorter:
    """Puts each line where it belongs."""

    def __init__(self, leads: frozenset[str]) -> None:
        self.material = Material()
        self._leads = leads
        self._fence = ""
        self._code: Code | None = None
        self._open = False
        """Whether the last line of prose may go on."""
        self._diff = False
        self._ended = False
        self._apart = False
        """Whether the last line was empty."""

    def take(self, line: str) -> None:
        """Sort one line in."""
        if self._in_fence(line):
            return
        if not line.strip():
            self._open = self._diff = False
            self._apart = True
            return
        if self._ended or self._pasted(line):
            self._open = self._apart = False
            return
        indented = self._code is not None and not self._apart and line.startswith((" ", "\t"))
        self._apart = False
        if indented or kinds.is_code(line):
            self._code = self._code or self._new_code("")
            self._code.lines.append(line)
            self._open = False
            return
        self._code = None
        self._say(line)

    def _in_fence(self, line: str) -> bool:
        fence = _FENCE.match(line) if "`" in line or "~" in line else None
        if self._fence:
            if fence and fence[1].startswith(self._fence) and not fence[2]:
                self._fence = ""
                self._code = None
            else:
                self._inside(line)
            return True
        if fence:
            self._fence = fence[1]
            self._code = self._new_code(fence[2])
            self._open = False
            return True
        return False

    def _inside(self, line: str) -> None:
        if kinds.ERROR.match(line):
            self.material.errors.append(line.strip())
        elif kinds.TRACE.match(line):
            self.material.traced |= kinds.TRACEBACK.match(line) is not None
        elif kinds.LOG.match(line):
            self.material.logged.append(line)
        elif kinds.DIFF.match(line):
            self._differ(line)
        elif self._code:
            self._code.lines.append(line)

    def _new_code(self, language: str) -> Code:
        code = Code(language)
        self.material.codes.append(code)
        return code

    def _pasted(self, line: str) -> bool:
        """Whether the line is no prose, nor code."""
        material = self.material
        if kinds.ERROR.match(line) and not kinds.QUOTE.match(line):
            material.errors.append(line.strip())
        elif kinds.TRACE.match(line):
            material.traced |= kinds.TRACEBACK.match(line) is not None
            self._code = self._code or Code("")
        elif kinds.LOG.match(line):
            material.logged.append(line)
        elif kinds.QUOTE.match(line):
            material.quoted.append(line.lstrip("> \t"))
        elif self._diff or kinds.DIFF.match(line):
            self._differ(line)
        elif kinds.TABLE.match(line):
            self._tabulate(line)
        elif subject := kinds.SUBJECT.match(line):
            material.subject = material.subject or subject[1]
            material.is_mail = material.is_mail or not material.said
        elif kinds.SIGNATURE.match(line):
            self._ended = bool(material.said)
            return self._ended
        else:
            return any(kind.match(line) for kind in (kinds.RULE, kinds.WROTE, kinds.HEADER, kinds.BASE64, kinds.PEM))
        return True

    def _differ(self, line: str) -> None:
        self._diff = True
        file = kinds.DIFF_FILE.match(line)
        if file:
            self.material.found.files.append(file[1].rsplit("/", 1)[-1])

    def _tabulate(self, line: str) -> None:
        if not self.material.cells and not kinds.RULE.match(line):
            cells = [cell.strip() for cell in re.split(r"[|\t]", line)]
            self.material.cells = ", ".join(cell for cell in cells if re.search(r"\w", cell))

    def _say(self, line: str) -> None:
        material = self.material
        mark = kinds.LIST_MARK.match(line)
        bare = line[mark.end() :] if mark else line
        if "<" in bare or "@" in bare:
            bare = kinds.MENTION.sub("", bare)
        text = plain_line(bare, material.found, self._leads).strip()
        goes_on = self._open and not mark and self._continues(text)
        if goes_on:
            glue = "" if UNSPACED_CHAR.match(text) and UNSPACED_CHAR.match(material.said[-1][-1]) else " "
            material.said[-1] += glue + text
        elif text:
            material.said.append(text)
        self._open = bool(text) and len(line) >= WRAPPED_CHARS and not _ENDS_SENTENCE.search(line)

    @staticmethod
    def _continues(text: str) -> bool:
        return bool(text) and (not text[0].isupper() or bool(UNSPACED_CHAR.match(text)))


def sorted_out(text: str, leads: frozenset[str]) -> Material:
    """A message sorted by line.

    Args:
        text: what a person wrote, without controls and secrets.
        leads: words in small letters that want something to follow, as "in" does.
    """
    sorter = _Sorter(leads)
    if "<s" in text:
        text = _SCRIPT.sub(" ", text)
    if "```" in text:
        text = _ONE_LINE_FENCE.sub(lambda code: f"\n```\n{code[0][3:-3]}\n```\n", text)
    for line in text.split("\n"):
        if len(sorter.material.said) >= MAX_SAID:
            break
        sorter.take(line)
    return sorter.material
