"""The top line: which home this is, what the agent may do on its own, and how fresh the view is."""

from __future__ import annotations

from typing import Literal, NamedTuple

from rich.segment import Segment
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from hermes_tui.text import cells, one_line
from hermes_tui.ui.actions import with_keys
from hermes_tui.ui.widgets.ink import Inked

LiveState = Literal["live", "polling", "starting", "not live"]
_Tone = Literal["name", "plain", "muted", "good", "warning", "error"]
_INKS: dict[_Tone, tuple[str, str, str]] = {
    "name": ("accent", "", "bold"),
    "plain": ("foreground", "", ""),
    "muted": ("text-muted", "", ""),
    "good": ("success", "", ""),
    "warning": ("warning", "", ""),
    "error": ("error", "", "bold"),
}
_MIN_HOME_CELLS = 12


class HeaderFacts(NamedTuple):
    """Everything the top line says."""

    home: str
    """The home's path, with ~ for the user's own directory."""
    profile: str = ""
    """Its profile and the rule that chose it; empty for the default one."""
    gate: bool = False
    """Whether the agent's writes wait for approval."""
    pending: int = 0
    """Writes to memory that wait for approval."""
    pending_skills: int = 0
    """Writes to skills that do."""
    config_problem: str = ""
    """`config does not parse`, or why else the agent runs on defaults."""
    gone: bool = False
    """Whether there is no home at all."""
    live: LiveState = "starting"
    read_only: bool = False
    demo: bool = False
    alert: str = ""
    """A store that is nearly full, in words."""


_LIVE_WORDS: dict[LiveState, tuple[str, _Tone]] = {
    "live": ("● live", "good"),
    "polling": ("◐ polling", "warning"),
    "starting": ("○ starting", "muted"),
    "not live": ("○ not live, {app.reread} re-reads", "error"),
}


class HeaderLine(Inked, Widget):
    """One row; what does not fit is left out, least important first."""

    DEFAULT_CSS = "HeaderLine { height: 1; dock: top; background: $panel; }"

    facts: reactive[HeaderFacts] = reactive(HeaderFacts(""))

    def _left(self) -> list[tuple[str, _Tone, int]]:
        """The parts in reading order: words, tone, and rank (a higher one is dropped sooner)."""
        facts = self.facts
        parts: list[tuple[str, _Tone, int]] = [("hermes-tui", "name", 6), (facts.home, "plain", 1)]
        if facts.demo:
            parts.append((with_keys("demo, gone after {app.quit}"), "warning", 2))
        if facts.profile:
            parts.append((facts.profile, "muted", 5))
        if facts.gone:
            return parts
        # A gate that is on, or of which nobody knows, stays whatever else has to go.
        if facts.gate:
            parts.append(("gate on", "plain", 0))
        elif facts.config_problem:
            parts.append((f"gate off? {facts.config_problem}", "error", 0))
        else:
            parts.append(("gate off", "muted", 4))
        total = facts.pending + facts.pending_skills
        split = f" ({facts.pending:,} memory, {facts.pending_skills:,} skills)" if facts.pending_skills else ""
        parts.append((f"{total:,} pending{split}", "warning" if total else "muted", 3))
        return parts

    def _right(self) -> list[tuple[str, _Tone, int]]:
        facts = self.facts
        parts: list[tuple[str, _Tone, int]] = []
        if facts.config_problem and facts.gate:
            parts.append((facts.config_problem, "error", 2))
        if facts.alert:
            parts.append((facts.alert, "error", 3))
        if facts.read_only:
            parts.append(("read-only", "warning", 0))
        words, tone = _LIVE_WORDS[facts.live]
        parts.append(("○ no such home", "error", 0) if facts.gone else (with_keys(words), tone, 0))
        return parts

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        """The facts that fit."""
        width = self.size.width
        left, right = self._left(), self._right()

        def used() -> int:
            texts = [text for text, _, _ in left] + [text for text, _, _ in right]
            return sum(map(cells, texts)) + 3 * max(0, len(texts) - 1) + 2

        facts = self.facts
        if facts.pending_skills and used() > width:
            # How many wait is kept longer than how they are split.
            short = f"{facts.pending + facts.pending_skills:,} pending"
            left = [(short, *part[1:]) if part[0].startswith(f"{short} (") else part for part in left]

        while used() > width:
            over = used() - width
            place = next((place for place, part in enumerate(left) if part[0] == self.facts.home), None)
            # A long path is cut before anything is left out.
            if place is not None and cells(left[place][0]) - over >= _MIN_HOME_CELLS:
                home = left[place][0]
                left[place] = (cut_start(home, cells(home) - over), "plain", 1)
                break
            droppable = [part for part in left + right if part[2] > 0]
            if droppable:
                worst = max(droppable, key=lambda part: part[2])
                (left if worst in left else right).remove(worst)
                continue
            unknown = next((place for place, part in enumerate(left) if part[0].startswith("gate off?")), None)
            if unknown is None:
                break
            left[unknown] = ("gate unknown", "error", 0)

        base = self.rich_style
        segments = [Segment(" ", base), *self._joined(left)]
        tail = self._joined(right)
        spent = sum(segment.cell_length for segment in segments + tail) + 1
        segments += [Segment(" " * max(1, width - spent), base), *tail]
        return Strip(segments).adjust_cell_length(width, base)

    def _joined(self, parts: list[tuple[str, _Tone, int]]) -> list[Segment]:
        segments: list[Segment] = []
        for text, tone, _ in parts:
            if segments:
                segments.append(Segment(" · ", self._inks(*_INKS["muted"])))
            segments.append(Segment(text, self._inks(*_INKS[tone])))
        return segments


def cut_start(text: str, width: int) -> str:
    """The end of a visible text in `width` cells, after a … when something was cut: for paths."""
    if cells(text) <= width:
        return text
    room = max(0, width - 1)
    while cells(text) > room:
        text = text[max(1, (cells(text) - room) // 2) :]
    return one_line(f"…{text}", width)
