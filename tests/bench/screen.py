"""What a terminal of a fixed size shows after the output it was sent: text only, no colours."""

from __future__ import annotations

import re
import unicodedata
from codecs import getincrementaldecoder

_TOKEN = re.compile(
    r"\x1b\[(?P<args>[0-9;:<=>?]*)(?P<middle>[ -/]*)(?P<final>[@-~])"
    r"|\x1b[\]P^_][^\x07\x1b]*(?:\x07|\x1b\\)"
    r"|\x1b[()][0-9A-Za-z]"
    r"|\x1b[^\[\]P^_()]"
    r"|(?P<control>[\x00-\x1a\x1c-\x1f\x7f])"
    r"|(?P<text>[^\x00-\x1f\x7f]+)"
)


def cells_of(character: str) -> int:
    """0, 1 or 2 cells."""
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class Screen:
    """A grid of characters that follows cursor movement, erasing and synchronised frames."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.frames = 0
        """Synchronised frames shown so far."""
        self.in_frame = False
        """Whether a frame has begun that a terminal would not show yet."""
        self.questions: list[str] = []
        """Modes the program asked about and was not answered yet."""
        self._grid = [[" "] * columns for _ in range(rows)]
        self._x = self._y = 0
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    @property
    def lines(self) -> list[str]:
        """The rows as text; a wide character takes its second cell along as nothing."""
        return ["".join(row) for row in self._grid]

    @property
    def text(self) -> str:
        """All rows."""
        return "\n".join(self.lines)

    def feed(self, data: bytes) -> None:
        """Take output in."""
        text = self._rest + self._decoder.decode(data)
        at = 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                break  # a sequence whose end has not come yet
            at = match.end()
            if match["text"] is not None:
                self._print(match["text"])
            elif match["final"] is not None:
                self._control(match["args"], match["middle"], match["final"])
            elif match["control"] == "\r":
                self._x = 0
            elif match["control"] == "\n":
                self._y = min(self.rows - 1, self._y + 1)
        self._rest = text[at:]

    def _print(self, text: str) -> None:
        row = self._grid[self._y]
        if text.isascii():
            end = min(self.columns, self._x + len(text))
            row[self._x : end] = text[: end - self._x]
            self._x = end
            return
        for character in text:
            width = cells_of(character)
            if width == 0:
                if 0 < self._x <= self.columns:
                    row[self._x - 1] += character
            elif self._x + width <= self.columns:
                row[self._x] = character
                if width == 2:
                    row[self._x + 1] = ""
                self._x += width

    def _control(self, args: str, middle: str, final: str) -> None:
        numbers = [int(part) if part.isdigit() else 0 for part in args.lstrip("<=>?").split(";")]
        if final in "Hf":
            self._y = min(self.rows, max(1, numbers[0])) - 1
            self._x = min(self.columns, max(1, numbers[1] if len(numbers) > 1 else 1)) - 1
        elif final == "A":
            self._y = max(0, self._y - max(1, numbers[0]))
        elif final == "B":
            self._y = min(self.rows - 1, self._y + max(1, numbers[0]))
        elif final == "C":
            self._x = min(self.columns - 1, self._x + max(1, numbers[0]))
        elif final == "D":
            self._x = max(0, self._x - max(1, numbers[0]))
        elif final == "K":
            self._grid[self._y][self._x :] = [" "] * (self.columns - self._x)
        elif final == "J" and numbers[0] in (2, 3):
            self._grid = [[" "] * self.columns for _ in range(self.rows)]
        elif final == "p" and middle == "$":
            self.questions.append(args.lstrip("?"))
        elif args == "?2026" and final in "hl":
            self.in_frame = final == "h"
            self.frames += final == "l"
