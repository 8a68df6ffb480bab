"""Headings of the detail, and two texts compared line by line: how a skill changes. Pure."""

from __future__ import annotations

from difflib import unified_diff

from hermes_tui.text import plural
from hermes_tui.ui.dialogs.paper import Paper, Tone

LINE_TONES: dict[str, Tone] = {"+": "good", "-": "error", "@": "muted"}
"""How a line of a unified diff is drawn, by its sign."""

MAX_DIFF_LINES = 4_000
"""Lines of a skill that are compared; longer texts are shown one after the other."""


def heading(paper: Paper, words: str, tone: Tone = "heading") -> None:
    """Begin a part, after an empty line."""
    paper.fresh().line().line(words, tone)


def sized(sign: str, words: str, text: str) -> str:
    """`+ New entry · 36 chars`."""
    return f"{sign} {words} · {plural(len(text), 'char')}"


def line_diff(paper: Paper, before: str, after: str) -> None:
    """Two texts compared line by line."""
    heading(paper, "Change, line by line")
    lines_before, lines_after = before.splitlines(), after.splitlines()
    if len(lines_before) + len(lines_after) > MAX_DIFF_LINES:
        heading(paper, sized("−", "Before", before))
        paper.raw(before)
        heading(paper, sized("+", "After", after))
        paper.raw(after)
        return
    if before == after:
        paper.line("The text stays as it is.", "muted")
    for line in list(unified_diff(lines_before, lines_after, lineterm="", n=3))[2:]:
        paper.fresh().raw(line, LINE_TONES.get(line[:1], "plain"))
