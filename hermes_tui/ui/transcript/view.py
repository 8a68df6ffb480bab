"""The transcript on the screen, drawn line by line: a million messages open and scroll like ten."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from textual import events
from textual.geometry import Region, Size
from textual.message import Message as UiMessage
from textual.scroll_view import ScrollView
from textual.strip import Strip

from hermes_tui.sessions.messages import Message
from hermes_tui.ui.transcript.conversation import Conversation, Hit
from hermes_tui.ui.transcript.layout import Laid, Look
from hermes_tui.ui.transcript.painter import GUTTER_CELLS, Cursor, Painter
from hermes_tui.ui.transcript.reel import Drawn, Pos, Reel
from hermes_tui.ui.transcript.times import clock_words

READING_CELLS = 113
"""Lines are no longer than one can read them."""
AHEAD_ROWS = 40
"""Texts are read this far beyond both edges of the screen."""
AHEAD_BYTES = 2_000_000
"""But no more of them than so much."""


class _Mark(NamedTuple):
    """A line, and the text it begins with."""

    pos: Pos
    section: int
    start: int


class TranscriptView(ScrollView, can_focus=True, inherit_bindings=False):
    """A conversation, with a cursor."""

    class Moved(UiMessage):
        """Something else is on the screen, or the cursor is elsewhere."""

    class Wanted(UiMessage):
        """Texts are missing on the screen or near it."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.conversation = Conversation()
        self.reel = Reel(self.conversation.rows, self.conversation.heights, self.conversation.laid)
        self.nothing = "Reading the conversation …"
        """What to say while there is no message to show."""
        self._goal: Hit | None = None
        """A match to go to when its text is there."""
        self._drawn: list[Drawn] = []
        self._marks: list[_Mark] = []
        """The text at the top, and that with the cursor."""
        self._painter = Painter(self)

    # What it shows

    def change(self, what: Callable[[], object]) -> None:
        """Do something to the conversation, and stay where one is in it."""
        conversation = self.conversation
        held, renewals = self.reel.hold(), conversation.renewals
        what()
        if conversation.renewals != renewals:
            self.reel.forget()
        self.reel.restore(held)
        self.show()

    def take_texts(self, messages: Iterable[Message]) -> None:
        """Texts that were missing are there."""
        self.conversation.texts.put(messages)
        self.conversation.changed()
        self.show()

    def take_laid(self, message: Message, look: Look, laid: Laid) -> None:
        """A long message was drawn."""
        self.conversation.texts.put_laid(message.id, look, laid)
        self.show()

    def look_again(self) -> None:
        """How rows are drawn, or which are, has changed; the text at the top stays there."""
        self.conversation.changed()
        self.reel.forget()
        self.show()

    def missing(self) -> list[int]:
        """Messages whose texts are not there: on the screen first, then near it."""
        conversation, drawn = self.conversation, set(self.on_screen)
        texts, ids = conversation.texts, conversation.outline.ids
        room, found = AHEAD_BYTES, []
        for place in self._near():
            if place not in drawn:
                room -= conversation.shown_size(ids[place])
                if room < 0:
                    break
            if texts.wants(ids[place]):
                found.append(ids[place])
        return found

    def heavy(self) -> list[tuple[Message, Look]]:
        """Long messages on the screen that are not drawn yet, and how they should be."""
        return self.conversation.heavy(dict.fromkeys(each.pos.place for each in self._drawn if each.line is None))

    def _near(self) -> Iterable[int]:
        if self.reel.empty or not self._drawn:
            return ()
        return self.conversation.around(self._drawn[0].pos.place, self._drawn[-1].pos.place, AHEAD_ROWS)

    # Going somewhere

    @property
    def current(self) -> int | None:
        """The place of the message with the cursor; None when there is none."""
        return None if self.reel.empty else min(self.reel.cursor.place, len(self.conversation.outline) - 1)

    @property
    def on_screen(self) -> list[int]:
        """The places of the messages on the screen."""
        return list(dict.fromkeys(each.pos.place for each in self._drawn))

    @property
    def masked(self) -> int:
        """Secrets on the screen that are not shown."""
        return sum(laid.masked for place in self.on_screen if (laid := self.conversation.laid(place)))

    def go(self, place: int, *, middle: bool = False) -> None:
        """Put the cursor on a message, whatever it is behind; with `middle` away from the edges of the screen."""
        self._unfold_to(place)
        self.reel.go(place, middle=middle)
        self.show()

    def go_to_hit(self, hit: Hit) -> None:
        """Put the cursor on a match, as soon as its text is there."""
        conversation = self.conversation
        conversation.hit = self._goal = hit
        conversation.changed()
        place = conversation.outline.place_of(hit.message_id)
        if place is None:
            self._goal = None
        else:
            self._unfold_to(place)
            self.reel.go(place, middle=True)
        self.show()

    def _unfold_to(self, place: int) -> None:
        if self.conversation.uncover(place):
            self.reel.forget()

    def _reach_goal(self) -> None:
        """Go to the line of the match that is wanted, if its message is drawn."""
        hit, conversation = self._goal, self.conversation
        place = conversation.outline.place_of(hit.message_id) if hit else None
        laid = conversation.laid(place) if place is not None else None
        if hit is None or place is None or laid is None:
            return
        beyond = hit.number >= len(laid.hits) or laid.lines[laid.hits[hit.number]].fold == "more"
        if beyond and any(line.fold == "more" for line in laid.lines) and conversation.reach_further(place):
            return
        self._goal = None
        if not laid.hits:
            self.reel.go(place, middle=True)
            return
        number = min(hit.number, len(laid.hits) - 1)
        key = laid.keys[number]
        if laid.lines[laid.hits[number]].fold == key and not conversation.is_open(place, key):
            conversation.toggle(place, key)
            laid = conversation.laid(place) or laid
        self.reel.go(place, laid.hits[min(number, len(laid.hits) - 1)], middle=True)

    # Folding

    @property
    def fold_at_cursor(self) -> str:
        """What folds under the cursor: a part of the message, `run`, `more`, or nothing.

        Where nothing folds, what there is more of in the message is meant.
        """
        place = self.current
        laid = self.conversation.laid(place) if place is not None else None
        line = self.reel.cursor.line
        if laid is None or line >= len(laid.lines):
            return ""
        return laid.lines[line].fold or next((each.fold for each in laid.lines if each.fold == "more"), "")

    def toggle_fold(self) -> None:
        """Fold or unfold what is under the cursor."""
        place, key, conversation = self.reel.cursor.place, self.fold_at_cursor, self.conversation
        self._marks = []
        if key == "run":
            run = conversation.rows.run_at(place)
            conversation.toggle_run(place)
            self.reel.forget()
            if run is not None:
                self._stay_on(run.start, "run")
        elif key == "more":
            conversation.reach_further(place)
        elif key:
            conversation.toggle(place, key)
            self._stay_on(place, key)
        self.show()

    def _stay_on(self, place: int, key: str) -> None:
        """Keep the cursor on the line that folds something, and that on the screen."""
        laid = self.conversation.laid(place)
        line = next((at for at, line in enumerate(laid.lines) if line.fold == key), laid.body) if laid else 0
        self.reel.cursor = Pos(place, line)
        if self.reel.top > self.reel.cursor:
            self.reel.top = self.reel.cursor
        self.reel.at_end = False

    # The screen

    def show(self) -> None:
        """Draw what is to be seen now, and put the scrollbar where it belongs."""
        if not self._fit():
            return
        if self._goal:
            self._reach_goal()
        self._drawn = self.reel.screen()
        if self.reel.at_end:
            self.reel.settle()
        ids = self.conversation.outline.ids
        self.conversation.texts.on_screen = frozenset(ids[place] for place in self.on_screen if place < len(ids))
        total = 0 if self.reel.empty else self.conversation.heights.total
        self.virtual_size = Size(self.scrollable_content_region.width, total)
        self.scroll_y = self.scroll_target_y = self.reel.y
        self._marks = [] if self.reel.empty else [self._mark(pos) for pos in (self.reel.top, self.reel.cursor)]
        self.refresh()
        self.post_message(self.Moved())
        if self.missing() or any(each.line is None for each in self._drawn):
            self.post_message(self.Wanted())

    def _fit(self) -> bool:
        """Fit into the room there is, with the same text at the top; whether there is any."""
        region, reel = self.scrollable_content_region, self.reel
        reel.height = region.height
        if self.conversation.fit(_text_cells(region), tight=self.app.has_class("-tight")):
            self._keep_text()
        return region.width > GUTTER_CELLS

    def _keep_text(self) -> None:
        """Find the text that was at the top, and that with the cursor, among lines that are broken elsewhere."""
        reel = self.reel
        reel.forget()
        if not self._marks or reel.empty or (self._marks[0].pos, self._marks[1].pos) != (reel.top, reel.cursor):
            return
        self._marks = [mark._replace(pos=self._line_of(mark)) for mark in self._marks]
        reel.top, reel.cursor = (mark.pos for mark in self._marks)

    def _mark(self, pos: Pos) -> _Mark:
        """Which text a line begins with; what was found for it before stays, however lines are broken since."""
        known = next((mark for mark in self._marks if mark.pos == pos), None)
        laid = self.conversation.laid(pos.place)
        line = laid.lines[pos.line] if laid and pos.line < len(laid.lines) else None
        if known is not None or line is None:
            return known or _Mark(pos, -1, -1)
        return _Mark(pos, line.section, next((piece.start for piece in line.pieces if piece.start >= 0), -1))

    def _line_of(self, mark: _Mark) -> Pos:
        """The line that a text is on now."""
        place, number = mark.pos
        laid = self.conversation.laid(place)
        if laid is None:
            return mark.pos
        best = min(number, len(laid.lines) - 1)
        for at, line in enumerate(laid.lines if mark.start >= 0 else ()):
            first = next((piece.start for piece in line.pieces if piece.start >= 0), None)
            if line.section == mark.section and first is not None and first <= mark.start:
                best = at
        return Pos(place, best)

    def scroll_to(self, x: float | None = None, y: float | None = None, **_options: object) -> None:  # noqa: ARG002
        """Go where the scrollbar says, at once."""
        if y is not None and not self.reel.empty:
            self.reel.scroll_to(round(max(0, min(y, self.conversation.heights.total - self.reel.height))))
            self.show()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel moves by lines that are there, not by guesses."""
        event.prevent_default().stop()
        self._wheel(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The other way."""
        event.prevent_default().stop()
        self._wheel(-1)

    def _wheel(self, by: int) -> None:
        self.reel.scroll_by(by * max(1, round(self.app.scroll_sensitivity_y)))
        self.show()

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor there; a second one folds."""
        if event.y < len(self._drawn):
            self.reel.cursor = self._drawn[event.y].pos
            if event.chain == 2:
                self.toggle_fold()
            self.show()

    def on_resize(self, _event: events.Resize) -> None:
        """The text at the top stays at the top."""
        self.show()

    def keep_text(self, what: Callable[[Conversation], object]) -> None:
        """Draw everything in another way, with the same text in the first line."""
        what(self.conversation)
        self.conversation.changed()
        self._keep_text()
        self.show()

    def on_focus(self) -> None:
        """The cursor is drawn stronger where the keys go."""
        self.refresh()

    def on_blur(self) -> None:
        """The cursor is drawn weaker."""
        self.refresh()

    # Drawing

    def notify_style_update(self) -> None:
        """Colours changed."""
        super().notify_style_update()
        self._painter.forget()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows in view; the first frame comes before any resize event, and shows messages all the same."""
        region = self.scrollable_content_region
        if (self.conversation.width, self.reel.height) != (_text_cells(region), region.height):
            self._fit()
            self._drawn = self.reel.screen()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One row."""
        region = self.scrollable_content_region
        if self.reel.empty:
            return self._painter.words(self.nothing, y, region.width, region.height)
        if y >= len(self._drawn):
            return self._painter.blank(region.width)
        pos, line = self._drawn[y]
        if line is None:
            return self._painter.waiting(self._waiting_words(pos), region.width, self._cursor_at(pos))
        return self._painter.line(line, region.width, self._cursor_at(pos))

    def _cursor_at(self, pos: Pos) -> Cursor:
        cursor = self.reel.cursor
        laid = self.conversation.laid(pos.place) if pos.place == cursor.place else None
        if pos.place != cursor.place or (laid and pos.line < laid.body):
            return "none"
        if not self.has_focus:
            return "away"
        return "line" if pos == cursor else "message"

    def _waiting_words(self, pos: Pos) -> str:
        """What is known of a message whose text is not there yet."""
        if pos.line or pos.place >= len(self.conversation.outline):
            return ""
        entry = self.conversation.outline.entry(pos.place)
        return f"{entry.role}  {clock_words(entry.timestamp)}  …" if entry.role.isalpha() else "…"


def _text_cells(region: Region) -> int:
    """The cells of a line of text; one is free before the scroll bar."""
    return min(region.width - GUTTER_CELLS - 1, READING_CELLS)
