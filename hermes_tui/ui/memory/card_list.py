"""A store's entries as cards, drawn line by line, so that hundreds scroll as fast as ten."""

from __future__ import annotations

from bisect import bisect_right

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from hermes_tui.ui.memory.card_painter import CardPainter, Cursor, Layout, frame_cells
from hermes_tui.ui.memory.cards import Card, CardId, Followed, Row, matches, rows_of

FOLD_ROWS = 20
"""A card shows at most this many rows of text, fewer where the list itself is lower."""
MIN_FOLD_ROWS = 3


def _place_now(card_id: CardId, places: dict[CardId, int], followed: Followed) -> int | None:
    """Where a card stands among those that are shown now."""
    now = followed.get(card_id, card_id)
    return None if now is None else places.get(now)


class CardList(ScrollView, can_focus=True, inherit_bindings=False):
    """The cards of one store, with a cursor, a selection and a filter that survive every refresh."""

    tight: reactive[bool] = reactive(False)
    """Cards without gaps and boxes, for low terminals."""

    class Opened(Message):
        """A card was double clicked."""

    class Entered(Message):
        """This list got the focus."""

        def __init__(self, card_list: CardList) -> None:
            super().__init__()
            self.card_list = card_list

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.cards: tuple[Card, ...] = ()
        """Every card of the store."""
        self.shown: tuple[Card, ...] = ()
        """The cards that pass the filter, in file order."""
        self.needle = ""
        self.nothing = ""
        """What to say while there is no card to show."""
        self.cursor = 0
        self.selection: set[CardId] = set()
        self._tops: list[int] = []
        self._rows: list[tuple[Row, ...]] = []
        self._laid_out: Layout = (0, 0, "", False)
        self._painter = CardPainter(self)

    # What it shows

    @property
    def current(self) -> Card | None:
        """The card under the cursor."""
        return self.shown[self.cursor] if self.shown else None

    @property
    def selected(self) -> list[Card]:
        """The selected cards in file order; what the filter hides is not acted on."""
        return [card for card in self.shown if card.id in self.selection]

    def show(self, cards: tuple[Card, ...], followed: Followed | None = None) -> None:
        """Show `cards`; the cursor, the selection and what is on screen stay with their entries.

        `followed` says what became of the old ones that have another name now.
        """
        followed = followed or {}
        present = {card.id for card in cards}
        self.selection = {now for id in self.selection if (now := followed.get(id, id)) in present}
        self.cards = cards
        self._apply(followed)

    def filter(self, needle: str) -> None:
        """Show only the cards that hold every word of `needle`."""
        if needle != self.needle:
            self.needle = needle
            self._apply({})

    def _apply(self, followed: Followed) -> None:
        """Work out which cards are shown, and put cursor and scroll offset back where they were."""
        before, old_cursor, old_tops = self.shown, self.cursor, self._tops
        self.shown = tuple(card for card in self.cards if matches(card, self.needle)) if self.needle else self.cards
        places = {card.id: place for place, card in enumerate(self.shown)}
        self.cursor = self._place_of(before, old_cursor, places, followed)
        anchor, anchor_row = self._anchor(before, old_tops, followed)
        self._lay_out()
        if before and self.shown and anchor is not None and self.scroll_offset.y > 0:
            place = _place_now(anchor, places, followed)
            if place is not None and place < len(self._tops):
                self.scroll_to(y=self._tops[place] - anchor_row, animate=False, immediate=True)

    @staticmethod
    def _place_of(before: tuple[Card, ...], cursor: int, places: dict[CardId, int], followed: Followed) -> int:
        """Where the cursor goes: its own entry, else the next one that is still there, else the one before."""
        for card in (*before[cursor:], *reversed(before[:cursor])):
            place = _place_now(card.id, places, followed)
            if place is not None:
                return place
        return 0

    def _anchor(self, before: tuple[Card, ...], tops: list[int], followed: Followed) -> tuple[CardId | None, int]:
        """An entry that must not move on screen, and its row there: the cursor's if it is in view, else the top."""
        if not before or len(tops) < len(before):
            return None, 0
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if self.shown and self.current is not None:
            for place, card in enumerate(before):
                if followed.get(card.id, card.id) == self.current.id and top <= tops[place] < top + height:
                    return card.id, tops[place] - top
        place = min(max(0, bisect_right(tops, top) - 1), len(before) - 1)
        return before[place].id, tops[place] - top

    # Layout

    @property
    def _gap(self) -> int:
        return 0 if self.tight else 1

    def _lay_out(self) -> None:
        """Work out the rows of every card and where each begins."""
        width = self.scrollable_content_region.width
        height = self.scrollable_content_region.height
        if width <= 0:
            # Hidden: what is known of the rows may be of other cards; it is worked out when they are drawn.
            self._rows, self._tops, self._laid_out = [], [], (0, 0, "", False)
            return
        fold = max(MIN_FOLD_ROWS, min(FOLD_ROWS, height - 3 - 2 * self._gap))
        self._laid_out = (width, fold, self.needle, self.tight)
        text_width = max(4, width - frame_cells(self.tight))
        self._rows = [rows_of(card, text_width, fold, self.needle, self.tight) for card in self.shown]
        self._tops = []
        y = self._gap
        for rows in self._rows:
            self._tops.append(y)
            y += len(rows) + self._gap
        self.virtual_size = Size(width, y if self.shown else 0)
        self.refresh()

    def on_resize(self, _event: events.Resize) -> None:
        """Wrap again for the new width; the cursor's card stays in view."""
        self._refit()

    def watch_tight(self) -> None:
        """Draw with or without gaps."""
        self._refit()

    def _refit(self) -> None:
        region = self.scrollable_content_region
        if not region.width:
            return
        anchor, row = self._anchor(self.shown, self._tops, {})
        at_top = self.scroll_offset.y == 0
        self._lay_out()
        if anchor is not None and not at_top:
            places = [place for place, card in enumerate(self.shown) if card.id == anchor]
            if places:
                self.scroll_to(y=self._tops[places[0]] - row, animate=False, immediate=True)
        self.scroll_to_cursor()

    # The cursor

    def move_to(self, place: int) -> None:
        """Put the cursor on the card at `place` among those shown, and bring it into view."""
        if not self.shown:
            return
        place = max(0, min(place, len(self.shown) - 1))
        if place != self.cursor:
            old, self.cursor = self.cursor, place
            self._refresh_card(old)
            self._refresh_card(place)
        self.scroll_to_cursor()

    def move_by_page(self, direction: int) -> None:
        """Move the cursor by as many cards as fill the screen, at least one."""
        if not self._tops:
            return
        height = max(1, self.scrollable_content_region.height - 1)
        goal = self._tops[self.cursor] + direction * height
        place = bisect_right(self._tops, max(0, goal)) - 1
        if place == self.cursor:
            place += direction
        self.move_to(place)

    def toggle_selected(self) -> None:
        """Select the card under the cursor, or take it out of the selection."""
        if self.current:
            self.selection ^= {self.current.id}
            self._refresh_card(self.cursor)

    def clear_selection(self) -> None:
        """Select nothing."""
        self.selection.clear()
        self.refresh()

    def go_to(self, card_id: CardId) -> None:
        """Put the cursor on an entry, if it is shown."""
        for place, card in enumerate(self.shown):
            if card.id == card_id:
                self.move_to(place)
                return

    def scroll_to_cursor(self) -> None:
        """Scroll no further than needed to see the card under the cursor, its box included."""
        if not self.shown or len(self._tops) != len(self.shown):
            return
        top = self._tops[self.cursor] - self._gap
        bottom = self._tops[self.cursor] + len(self._rows[self.cursor]) + self._gap
        view_top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if top < view_top or bottom - top >= height:
            self.scroll_to(y=top, animate=False, immediate=True, force=True)
        elif bottom > view_top + height:
            self.scroll_to(y=bottom - height, animate=False, immediate=True, force=True)

    def _refresh_card(self, place: int) -> None:
        if place < len(self._tops):
            self.refresh_lines(self._tops[place] - self._gap, len(self._rows[place]) + 2 * self._gap)

    # Mouse and focus

    def place_at(self, y: int) -> int | None:
        """The place of the card drawn at row `y` of the list's own area."""
        row = y + self.scroll_offset.y
        if not self._tops or row < self._tops[0] - self._gap or row >= self.virtual_size.height:
            return None
        return max(0, bisect_right(self._tops, row) - 1)

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a second one opens the card."""
        place = self.place_at(event.y)
        if place is None:
            return
        self.move_to(place)
        if event.chain == 2:
            self.post_message(self.Opened())

    def on_focus(self) -> None:
        """The cursor is drawn stronger where the keys go."""
        self.refresh()
        self.post_message(self.Entered(self))

    def on_blur(self) -> None:
        """The cursor is drawn weaker."""
        self.refresh()

    # Drawing

    def notify_style_update(self) -> None:
        """Colours changed: forget every drawn row."""
        super().notify_style_update()
        self._painter.forget()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows in view; the first frame comes before any resize event, and shows cards all the same."""
        if self._laid_out[0] != self.scrollable_content_region.width:
            self._lay_out()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One row: a card's, or the gap between two."""
        width = self.scrollable_content_region.width
        row = y + self.scroll_offset.y
        if not self.shown:
            return self._painter.words(self.nothing, y, width, self.scrollable_content_region.height)
        if not self._tops or row >= self.virtual_size.height:
            return Strip.blank(width, self.rich_style)
        place = bisect_right(self._tops, row) - 1
        if place >= 0 and row - self._tops[place] < len(self._rows[place]):
            return self._card(place, width)[row - self._tops[place]]
        return self._painter.gap(place - self.cursor, 0 <= place < len(self.shown) - 1, self.has_focus, width)

    def _card(self, place: int, width: int) -> list[Strip]:
        card = self.shown[place]
        cursor: Cursor = "none" if place != self.cursor else "here" if self.has_focus else "away"
        return self._painter.card(card, self._rows[place], width, cursor, card.id in self.selection, self._laid_out)

    # Actions

    def action_cursor_down(self) -> None:
        """Next entry."""
        self.move_to(self.cursor + 1)

    def action_cursor_up(self) -> None:
        """Previous entry."""
        self.move_to(self.cursor - 1)

    def action_cursor_page_down(self) -> None:
        """A screenful down."""
        self.move_by_page(1)

    def action_cursor_page_up(self) -> None:
        """A screenful up."""
        self.move_by_page(-1)

    def action_cursor_first(self) -> None:
        """First entry."""
        self.move_to(0)

    def action_cursor_last(self) -> None:
        """Last entry."""
        self.move_to(len(self.shown) - 1)
