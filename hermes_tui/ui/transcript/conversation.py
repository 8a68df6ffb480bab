"""A conversation as it is to be drawn: what is known of it, what of it is open, and its rows as lines."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from hermes_tui.sessions.matcher import Matcher
from hermes_tui.sessions.message_rows import SHOWN_BYTES
from hermes_tui.sessions.messages import Message, State
from hermes_tui.sessions.outline import Details, Outline
from hermes_tui.ui.transcript.heights import Heights
from hermes_tui.ui.transcript.layout import Laid, Look, lay_out, lay_out_run
from hermes_tui.ui.transcript.rows import Rows
from hermes_tui.ui.transcript.texts import Texts, weight

LIGHT_CHARS = 8_000
"""A message up to this size is drawn where it is needed; a longer one in a thread."""
MAX_REACH = 4


class Hit(NamedTuple):
    """A match: the message, and which of its matches."""

    message_id: int
    number: int


class Conversation:
    """What is shown, and how."""

    def __init__(self) -> None:
        self.outline = Outline()
        self.rows = Rows(self.outline)
        self.heights = Heights(self.rows)
        self.texts = Texts()
        self.width = 0
        """Cells for a line of text."""
        self.raw = self.revealed = self.tight = False
        self.matcher: Matcher | None = None
        self.hit: Hit | None = None
        """The match that is stood on."""
        self.renewals = 0
        """How often messages got other places."""
        self._toggled: dict[int, frozenset[str]] = {}
        self._reach: dict[int, int] = {}
        self._now: dict[int, Laid] = {}
        """Rows as they are drawn now; forgotten when anything about them may have changed."""

    # What is known

    def set_ids(self, parts: Sequence[str], ids: Sequence[Iterable[int]]) -> None:
        """These are all messages there are."""
        self.outline.set_ids(parts, [part if isinstance(part, array) else array("q", part) for part in ids])
        self._renewed()

    def fill(self, details: Iterable[Details]) -> None:
        """More is known about some messages."""
        ranges = [places for each in details for places in self.outline.fill(each)]
        self.rows.changed()
        for places in ranges:
            self.heights.filled(places)
        self._now.clear()

    def add(self, parts: Sequence[str], details: Details) -> bool:
        """Messages have come; whether others got another place by that."""
        first = self.outline.add(parts, details)
        if first < len(self.outline) - len(details):
            self._renewed()
            return True
        self.rows.changed()
        self.heights.filled(range(first, len(self.outline)))
        self._now.clear()
        return False

    def _renewed(self) -> None:
        self.renewals += 1
        self.rows.changed()
        self.heights.forget()
        self._now.clear()

    def changed(self) -> None:
        """Something that decides how rows are drawn is another one now."""
        self._now.clear()

    def fit(self, width: int, *, tight: bool) -> bool:
        """Draw for that room; whether it is another one than before."""
        if (width, tight) == (self.width, self.tight) or width <= 0:
            return False
        self.width, self.tight = width, tight
        self.heights.fit(width, tight=tight)
        self._now.clear()
        return True

    # Rows as they are drawn

    def look_of(self, place: int) -> Look:
        """How a row is to be drawn."""
        rows, message_id = self.rows, self.outline.ids[place]
        part, day = rows.part(place), rows.day(place)
        head, run = rows.head(place), rows.run_words(place)
        first = rows.previous(place) is None
        return Look(
            width=max(4, self.width),
            raw=self.raw,
            revealed=self.revealed,
            all_open=rows.all_open,
            toggled=self._toggled.get(message_id, frozenset()),
            reach=self._reach.get(message_id, 0),
            matcher=self.matcher,
            current=self.hit.number if self.hit and self.hit.message_id == message_id else -1,
            day=day,
            part=part,
            run=run,
            head=head,
            gap=not first and not self.tight and bool(head or run or part or day),
        )

    def laid(self, place: int) -> Laid | None:
        """A row as it is drawn; None while its text is missing, or so long that a thread draws it."""
        laid = self._now.get(place)
        if laid is None and (laid := self._lay(place)) is not None:
            self._now[place] = laid
        return laid

    def _lay(self, place: int) -> Laid | None:
        if self.rows.stands_for_run(place):
            return lay_out_run(self.look_of(place))
        message = self.texts.message(self.outline.ids[place])
        if message is None:
            return None
        look = self.look_of(place)
        laid = self.texts.laid(message.id, look)
        if laid is None and weight(message) <= LIGHT_CHARS:
            laid = lay_out(message, look)
            self.texts.put_laid(message.id, look, laid)
        return laid

    def heavy(self, places: Iterable[int]) -> list[tuple[Message, Look]]:
        """Those of the rows that wait to be drawn in a thread, and how."""
        found = []
        for place in places:
            message = self.texts.message(self.outline.ids[place])
            if message is not None and not self.rows.stands_for_run(place) and self.laid(place) is None:
                found.append((message, self.look_of(place)))
        return found

    def around(self, first: int, last: int, count: int) -> Iterator[int]:
        """The rows with texts from one to another, then `count` of them beyond each end."""
        place: int | None = first
        while place is not None and place <= last:
            if not self.rows.stands_for_run(place):
                yield place
            place = self.rows.next(place)
        after: int | None = last
        before: int | None = first
        for _ in range(count):
            after = self.rows.next(after) if after is not None else None
            before = self.rows.previous(before) if before is not None else None
            for near in (after, before):
                if near is not None and not self.rows.stands_for_run(near):
                    yield near

    # Folding

    def toggle(self, place: int, key: str) -> None:
        """Fold a part of a message, or unfold it."""
        message_id = self.outline.ids[place]
        self._toggled[message_id] = self._toggled.get(message_id, frozenset()) ^ {key}
        self._now.clear()

    def is_open(self, place: int, key: str) -> bool:
        """Whether a part of a message is unfolded."""
        return self.rows.all_open != (key in self._toggled.get(self.outline.ids[place], frozenset()))

    def toggle_all(self) -> None:
        """Fold everything, or unfold it."""
        self.rows.toggle_all()
        self._toggled.clear()
        self._now.clear()
        self.heights.forget()

    def toggle_run(self, place: int) -> None:
        """Fold the compacted messages that a place is among, or unfold them."""
        run = self.rows.run_at(place)
        if run is not None:
            self.rows.toggle_run(run)
            self._now.clear()
            self.heights.forget()

    def uncover(self, place: int) -> bool:
        """Have a message shown that is behind a fold or was taken back; whether anything had to be done for it."""
        run = self.rows.run_at(place)
        folded = run is not None and not run.open
        if folded:
            self.toggle_run(place)
        rewound = self.outline.states[place] == State.REWOUND and not self.rows.show_rewound
        if rewound:
            self.show_rewound(True)
        return folded or rewound

    def show_rewound(self, wanted: bool) -> None:
        """Show messages that were taken back, or leave them out."""
        self.rows.show_rewound = wanted
        self._now.clear()
        self.heights.forget()

    def shown_size(self, message_id: int) -> int:
        """The bytes that are read to show a message."""
        place = self.outline.place_of(message_id)
        return min(self.outline.sizes[place], SHOWN_BYTES) if place is not None else 0

    def reach_of(self, message_id: int) -> int:
        """How many times more of a message was asked for."""
        return self._reach.get(message_id, 0)

    def reach_further(self, place: int) -> bool:
        """Draw more of a long message; whether there is a limit beyond this one."""
        message_id = self.outline.ids[place]
        reach = self.reach_of(message_id)
        if reach >= MAX_REACH:
            return False
        self._reach[message_id] = reach + 1
        self.texts.drop([message_id])
        self._now.clear()
        return True
