"""Coming back to where somebody was on the Sessions screen: words, kinds, order, and the row under the cursor."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hermes_tui.ui.sessions.viewed import Viewed

if TYPE_CHECKING:
    from hermes_tui.sitting import LeftAt
    from hermes_tui.ui.sessions.screen import SessionsScreen


class Returning:
    """Leads back once, at the first start of the screen."""

    def __init__(self, screen: SessionsScreen) -> None:
        self._screen = screen
        place = screen.hermes.sitting.take("sessions")
        root = place.get("root")
        self._root = root if isinstance(root, str) else ""
        try:
            viewed = Viewed.of(place)
        except ValueError:
            return  # somebody else wrote there: one begins as the first time
        screen.sort = viewed.sort
        screen.choosing = replace(screen.choosing, kinds=viewed.kinds, order=viewed.order)
        screen.viewing.come_back(place.get("view"))
        if viewed.text:
            screen.box.put(viewed.text)

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
            **screen.viewing.showing.content,
            "view": screen.viewing.left,
            "root": "" if screen.searching or brief is None else brief.root,
        }
