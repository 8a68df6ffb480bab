"""How a decision over several records ended: what is done, and what stays with its own reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.text import first_words, one_line, plural, visible
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.dialogs import results
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.pending.model import VERDICT_WORDS, items_of

if TYPE_CHECKING:
    from hermes_tui.ui.pending.decisions import Tally


WORDS_CELLS = 72
"""A record is named by the beginning of its text, up to this length."""


class Results(results.Results):
    """Names the counts, then every record that stays; True when what is done shall be taken back."""

    def __init__(self, past: str, tally: Tally) -> None:
        heading = f"{past} {len(tally.done):,}, {len(tally.failed):,} stay"
        undo = f"{key_for('pending.undo')} brings back what is done" if tally.done else ""
        super().__init__(heading, results_paper(past, tally), undo=undo)


def results_paper(past: str, tally: Tally) -> Paper:
    """All that is shown."""
    paper = Paper()
    if tally.done:
        paper.line(f"✓ {past} {plural(len(tally.done), 'write')}.", "good").line()
    paper.line(f"✗ {plural(len(tally.failed), 'write')} in the queue still:", "error")
    for record, failure in tally.failed:
        where = record.store or ("skill" if record.subsystem == "skills" else "no store")
        (item,) = items_of([record])
        paper.line().line(one_line(first_words(item.words), WORDS_CELLS) or "(no text)", "strong")
        paper.line(visible(f"{record.action or 'no action'} · {where} · {record.id}", multiline=False), "muted")
        if word := VERDICT_WORDS.get(failure.verdict):
            paper.words(f"{word}: ", "warning")
        paper.raw(failure.reason).fresh()
    return paper
