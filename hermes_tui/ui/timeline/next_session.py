"""What the next session will be told, and what of it the last one was not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hermes_tui.memory.entries import FILE_NAMES
from hermes_tui.memory.view import StoreView
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.prompt_preview import PromptPreview
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.memory.preview import preview_blocks
from hermes_tui.ui.timeline.chronicle import Known
from hermes_tui.ui.timeline.line import Line, Session
from hermes_tui.ui.timeline.then import Sign, Told, compared_next
from hermes_tui.ui.timeline.then_paper import ORDER, changed_entry
from hermes_tui.ui.timeline.words import stamp_words

SIGN_WORDS: Mapping[Sign, str] = {"came": "new", "went": "no longer told", "edited": "told otherwise", "same": "same"}


class NextSession(PromptPreview):
    """The blocks as they will stand in the next prompt, after what is another thing than in the last one."""

    def __init__(self, state: HomeState, known: Known | None, called: str) -> None:
        """Compare.

        Args:
            state: the stores as they are.
            known: what is known of the past.
            called: the name of the last session, safe to show.
        """
        super().__init__(preview_blocks(state))
        self._state = state
        self._known = known
        self._called = called

    def paper(self) -> Paper:
        """The differences, then the blocks."""
        paper = Paper()
        known = self._known
        if known is None or not known.line.sessions:
            paper.line("No earlier session is known, so there is nothing to compare with.", "muted")
        else:
            last = known.line.sessions[-1]
            paper.line(f"Against the last session, {self._called}, begun {stamp_words(last.at)}", "heading")
            _differences(paper, known.line, known.timeline.told, last, self._state.views)
        paper.fresh().line()
        return self.write_blocks(paper)


def _differences(paper: Paper, line: Line, told: Told, last: Session, views: Sequence[StoreView]) -> None:
    for view in views:
        stated = told.get(last.id, {}).get(view.store)
        before = list(stated.entries) if stated else []
        place = line.at_session(last.id)
        became = line.became(view.store, before, place.row if place else -1)
        found = compared_next(before, view, became)
        counts = [(sum(each.sign == sign for each in found), SIGN_WORDS[sign]) for sign in ORDER]
        said = " · ".join(f"{count:,} {words}" for count, words in counts if count)
        paper.fresh().line(f"{FILE_NAMES[view.store]}: {said or 'nothing changes'}", "strong")
        for each in found:
            if each.sign != "same":
                changed_entry(paper, each, SIGN_WORDS)
