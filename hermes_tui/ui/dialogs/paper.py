"""Text with roles: foreign text made safe and our own words, put together for a pane to draw. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from hermes_tui.memory.threats import Finding
from hermes_tui.memory.worddiff import Piece, PieceKind
from hermes_tui.text import visible, visible_map

Tone = Literal["plain", "muted", "heading", "strong", "add", "del", "finding", "good", "warning", "error"]
TONES: tuple[Tone, ...] = (
    *("plain", "muted", "heading", "strong", "add", "del", "finding", "good", "warning", "error"),
)

MAX_SHOWN_CHARS = 400_000
"""A dialog shows at most this much of one text; copies are whole."""


_DIFF_SIGNS: dict[PieceKind, tuple[str, str]] = {"same": ("", ""), "del": ("[-", "-]"), "ins": ("{+", "+}")}


class Mark(NamedTuple):
    """A slice of a paper that has a role of its own."""

    start: int
    end: int
    tone: Tone


class Paper:
    """Text being put together: everything on it is safe to show, and its marks are in order."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self.marks: list[Mark] = []

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self._parts)

    def words(self, text: str, tone: Tone = "plain") -> Paper:
        """Add text that is safe already, such as our own words."""
        if text:
            if tone != "plain":
                self.marks.append(Mark(self._length, self._length + len(text), tone))
            self._parts.append(text)
            self._length += len(text)
        return self

    def raw(self, text: str, tone: Tone = "plain") -> Paper:
        """Add foreign text, made visible, and cut when it is beyond reading."""
        self.words(visible(text[:MAX_SHOWN_CHARS]), tone)
        cut = len(text) - MAX_SHOWN_CHARS
        return self.words(f"\n… {cut:,} more characters", "muted") if cut > 0 else self

    def line(self, text: str = "", tone: Tone = "plain") -> Paper:
        """Add a line of our own words, on a row of its own."""
        return self.fresh().words(text, tone).words("\n")

    def fresh(self) -> Paper:
        """Go to the start of a row, unless there already."""
        if self._length and not self._parts[-1].endswith("\n"):
            self.words("\n")
        return self

    def diff(self, pieces: Iterable[Piece], side: Literal["before", "after", "both"] = "both") -> Paper:
        """Add the text of one side of a diff with its own changes toned, or of both in one: `[-gone-]{+come+}`."""
        hidden = {"before": "ins", "after": "del", "both": ""}[side]
        tones: dict[str, Tone] = {"same": "plain", "del": "del", "ins": "add"}
        for piece in pieces:
            if piece.kind == hidden:
                continue
            tone = tones[piece.kind]
            # Side by side, what went and what came must not run together, whatever a terminal makes of the tones.
            start, end = _DIFF_SIGNS[piece.kind] if side == "both" else ("", "")
            self.words(start, tone).raw(piece.text, tone).words(end, tone)
        return self

    def found(self, text: str, findings: Sequence[Finding]) -> Paper:
        """Add foreign text with its findings marked."""
        shown, places = visible_map(text[:MAX_SHOWN_CHARS])
        at = 0
        for first, last in _spans(findings, len(places) - 1):
            start, end = places[first], places[last]
            if end > start:
                self.words(shown[at:start]).words(shown[start:end], "finding")
                at = end
        self.words(shown[at:])
        cut = len(text) - MAX_SHOWN_CHARS
        return self.words(f"\n… {cut:,} more characters", "muted") if cut > 0 else self


def _spans(findings: Sequence[Finding], length: int) -> list[tuple[int, int]]:
    """The slices that findings cover, in order, overlapping ones joined."""
    spans: list[tuple[int, int]] = []
    for finding in sorted(findings, key=lambda finding: finding.start):
        start, end = min(finding.start, length), min(finding.end, length)
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], end))
        else:
            spans.append((start, end))
    return spans


def finding_words(finding: Finding, *, explained: bool = False) -> str:
    """`ssh_access at character 15: ~/.ssh`; the place is left to the explanation where that follows."""
    quoted = visible(finding.text[:60], multiline=False) + ("…" if len(finding.text) > 60 else "")
    place = "" if explained else f" at character {finding.start + 1:,}"
    return f"{finding.id}{place}: {quoted}"
