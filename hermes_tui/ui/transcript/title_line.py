"""The line that says which conversation this is."""

from __future__ import annotations

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from hermes_tui.sessions.transcript import Facts
from hermes_tui.text import cells, one_line, plural
from hermes_tui.ui.widgets.ink import Inked

GAP = " · "
MIN_TITLE_CELLS = 32


class TitleLine(Inked, Widget):
    """Title, id, parts, messages, source and model; what does not fit is left out, least important first."""

    def __init__(self, title: str = "") -> None:
        super().__init__()
        self._title = title
        self._facts: tuple[tuple[str, int], ...] = ()

    def show(self, title: str, facts: Facts | None, messages: int, *, counting: bool) -> None:
        """Say it.

        Args:
            title: what it is called.
            facts: what else is known.
            messages: how many are known.
            counting: whether there are more.
        """
        parts: list[tuple[str, int]] = []
        if facts is not None:
            newest = facts.newest
            parts.append((newest.id, 1))
            if len(facts.parts) > 1:
                parts.append((plural(len(facts.parts), "part"), 3))
            parts.append((f"{plural(messages, 'message')}{'+' if counting else ''}", 2))
            parts += [(newest.source, 4), (newest.model, 5)]
        said = (title, tuple(part for part in parts if part[0]))
        if said != (self._title, self._facts):
            self._title, self._facts = said
            self.refresh()

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        """The facts that fit, the title cut before any is left out that matters more."""
        width = self.size.width
        facts = [(one_line(words, 60), rank) for words, rank in self._facts]

        def room() -> int:
            return width - sum(cells(words) + len(GAP) for words, _ in facts)

        title = one_line(self._title, width)
        while facts and room() < min(cells(title), MIN_TITLE_CELLS):
            facts.remove(max(facts, key=lambda fact: fact[1]))
        segments = [Segment(one_line(title, max(0, room())), self._inks("foreground", "", "bold"))]
        for words, _ in facts:
            lead = GAP if segments[0].text or len(segments) > 1 else ""
            segments.append(Segment(f"{lead}{words}", self._inks("text-muted")))
        return Strip(segments).adjust_cell_length(width, self.rich_style)
