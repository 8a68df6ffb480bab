"""One line for a change, or for an entry that ever was: when, where, what, and by whom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.strip import Strip

from hermes_tui.text import cells, first_words, fit, one_line, plural
from hermes_tui.ui.timeline.words import DAY_CELLS, MARKS, SIGN_OF, TIME_CELLS, row_by, row_when, span_words
from hermes_tui.ui.widgets.row_list import Cursor, RowInk

if TYPE_CHECKING:
    from hermes_tui.history.changes import Change
    from hermes_tui.history.ever import Ever
    from hermes_tui.ui.timeline.then import Sign

DATED_FROM, SIGNED_FROM = 66, 84
"""From how many cells on a row has the time of day, and who made the change."""
STORE_CELLS, SIGN_CELLS, SPAN_CELLS = 6, 8, 23
SEARCHED_CHARS = 2_000
"""So much of an entry is looked through for where it has what was looked for."""
INKS: dict[Sign, str] = {"came": "success", "went": "error", "edited": "warning", "same": "text-muted"}


class RowPainter(RowInk):
    """Draws the rows of the Timeline screen."""

    def change(self, change: Change, cursor: Cursor, width: int) -> Strip:
        """A change."""
        ground = self.ground(cursor)
        muted, base = self._inks("text-muted", ground), self._inks("foreground", ground)
        sign = SIGN_OF[change.kind]
        word = "back" if change.back else sign
        dated = TIME_CELLS if width >= DATED_FROM else DAY_CELLS
        side = f" {row_by(change)} " if width >= SIGNED_FROM else " "
        head = [
            self.bar(cursor),
            Segment(f" {fit(row_when(change, dated), dated)} ", muted),
            Segment(f"{fit(change.store, STORE_CELLS)} ", muted),
            Segment(f"{fit(f'{MARKS[sign]} {word}', SIGN_CELLS)} ", self._inks(INKS[sign], ground, "bold")),
        ]
        whole = change.after or change.before
        text = first_words(whole)
        if change.likely_edit:
            head.append(Segment("(likely) ", muted))
        if change.taken_back and width < SIGNED_FROM:
            head.append(Segment("(taken back) ", muted))
        if change.is_part(whole):
            text = f"…{text}…"  # all that the call says of an entry that nobody had seen
        room = max(4, width - sum(segment.cell_length for segment in head) - cells(side))
        return self.ended([*head, Segment(one_line(text, room), base)], side, ground, width)

    def ever(self, ever: Ever, words: Sequence[str], cursor: Cursor, width: int) -> Strip:
        """An entry that is or was."""
        ground = self.ground(cursor)
        muted, base = self._inks("text-muted", ground), self._inks("foreground", ground)
        gone = ever.until is not None
        state = Segment(
            "- gone " if gone else "= back " if ever.gone else "= now  ",
            self._inks("text-muted" if gone else "success", ground, "bold"),
        )
        head = [self.bar(cursor), Segment(" ", base), state, Segment(f"{fit(ever.store, STORE_CELLS)} ", muted)]
        if width >= DATED_FROM:
            head.append(Segment(f"{fit(span_words(ever), SPAN_CELLS)} ", muted))
        side = f" {plural(ever.sessions, 'session')} " if width >= SIGNED_FROM else " "
        room = max(4, width - sum(segment.cell_length for segment in head) - cells(side))
        return self.ended([*head, *self._marked(ever.text, words, room, ground)], side, ground, width)

    def _marked(self, text: str, words: Sequence[str], room: int, ground: str) -> list[Segment]:
        """The text from a little before the first word that was looked for, with those words marked."""
        base = self._inks("foreground", ground)
        flat = text[:SEARCHED_CHARS].replace("\n", " ")
        pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE) if words else None
        first = pattern.search(flat) if pattern else None
        if first is not None and first.start() > room // 2:
            flat = f"…{flat[max(0, first.start() - room // 3) :]}"
        shown = one_line(flat, room)
        segments: list[Segment] = []
        at = 0
        for match in pattern.finditer(shown) if pattern else ():
            if match.end() > match.start():
                segments += [
                    Segment(shown[at : match.start()], base),
                    Segment(match[0], self._inks("match", ground or "match-background", "bold underline")),
                ]
                at = match.end()
        return [*segments, Segment(shown[at:], base)]
