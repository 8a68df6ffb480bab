"""What is known of the conversation as a whole, beside it where there is room for both."""

from __future__ import annotations

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical

from hermes_tui.redaction import redact
from hermes_tui.sessions.transcript import Facts
from hermes_tui.text import plural, visible
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import SideText
from hermes_tui.ui.sessions.times import moment_words

NAME_CELLS = 9
MAX_PARTS = 500
"""So many parts are listed; nobody reads more of them."""


class FactsPane(Vertical):
    """Where the conversation took place, and its parts."""

    text = getters.query_one(SideText)

    def __init__(self) -> None:
        super().__init__(id="facts")
        self._said: tuple[object, ...] = ()
        self.border_title = "Conversation"

    def compose(self) -> ComposeResult:
        """The text."""
        yield SideText(id="facts-text")

    def show(self, title: str, facts: Facts | None, messages: int, here: str) -> None:
        """Say it.

        Args:
            title: what the conversation is called.
            facts: what else is known.
            messages: how many are known.
            here: the id of the part one is reading.
        """
        said = (title, facts, messages, here)
        if said != self._said:
            self._said = said
            self.text.show(facts_paper(title, facts, messages, here))


def facts_paper(title: str, facts: Facts | None, messages: int, here: str) -> Paper:
    """All of it."""
    paper = Paper().raw(redact(title), "heading").words("\n")
    if facts is None:
        return paper
    newest = facts.newest
    paper.line()
    names = {
        "id": newest.id,
        "source": newest.source or "–",
        "model": newest.model or "–",
        "folder": newest.cwd or "–",
        "started": moment_words(facts.parts[0].started_at),
        "size": plural(messages, "message"),
        "ended": newest.end_reason,
    }
    for name, value in names.items():
        if value:
            paper.fresh().words(name.ljust(NAME_CELLS), "muted").words(visible(value, multiline=False)).words("\n")
    if len(facts.parts) > 1:
        paper.fresh().line().line(f"{len(facts.parts):,} parts, oldest first", "heading")
        for number, part in enumerate(facts.parts[:MAX_PARTS]):
            read = part.id == here
            paper.fresh().words(f"{'▸' if read else ' '}{number + 1:>3}  ", "strong" if read else "muted")
            paper.words(visible(part.id, multiline=False), "strong" if read else "plain")
            why = f" · {part.end_reason}" if part.end_reason else ""
            words = f"  {moment_words(part.started_at)} · {plural(part.counted, 'message')}{why}"
            paper.words(visible(words, multiline=False), "muted").words("\n")
        if len(facts.parts) > MAX_PARTS:
            paper.line(f"and {len(facts.parts) - MAX_PARTS:,} more", "muted")
    return paper
