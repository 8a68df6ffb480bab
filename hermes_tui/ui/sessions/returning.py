"""Coming back to where somebody was on the Sessions screen: words, kinds, and the row under the cursor."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hermes_tui.sessions.listing import HIDDEN

if TYPE_CHECKING:
    from hermes_tui.sitting import LeftAt
    from hermes_tui.ui.sessions.screen import SessionsScreen


class Returning:
    """Leads back once, at the first start of the screen."""

    def __init__(self, screen: SessionsScreen) -> None:
        self._screen = screen
        place = screen.hermes.sitting.take("sessions")
        text, root, kinds = place.get("text"), place.get("root"), place.get("kinds")
        self._root = root if isinstance(root, str) else ""
        if isinstance(kinds, list):
            screen.choosing = replace(screen.choosing, kinds=frozenset(kind for kind in HIDDEN if kind in kinds))
        if isinstance(text, str) and text:
            screen.box.put(text)

    def listed(self) -> None:
        """Rows have come: put the cursor where it was, unless somebody has moved it."""
        rows = self._screen.session_list
        if not self._root:
            return
        stop = rows.sheet.find((self._root, "", 0))
        if stop is not None and not rows.cursor:
            rows.move_to(stop)
        if stop is not None or rows.cursor or self._screen.reader.complete:
            self._root = ""

    @property
    def left_at(self) -> LeftAt:
        """Where one is."""
        screen = self._screen
        brief = screen.session_list.brief
        return {
            "text": screen.box.text,
            "kinds": sorted(screen.choosing.kinds),
            "root": "" if screen.searching or brief is None else brief.root,
        }
