"""The Pending screen: every write that waits, what approving it would do, and the record under the cursor whole."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container

from hermes_tui.ui.actions import Action, bindings_for
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.main_screen import MainScreen
from hermes_tui.ui.operations import Operations
from hermes_tui.ui.pending.choosing import Choice, chosen, in_order
from hermes_tui.ui.pending.consulting import Consulting
from hermes_tui.ui.pending.decisions import Decisions
from hermes_tui.ui.pending.detail import Detail
from hermes_tui.ui.pending.looking import Looking
from hermes_tui.ui.pending.model import Item, RecordKey, rows_of
from hermes_tui.ui.pending.news import Arrivals, NewsClock
from hermes_tui.ui.pending.pane import QueuePane
from hermes_tui.ui.pending.queue_list import QueueList
from hermes_tui.ui.pending.reading import QueueReader
from hermes_tui.ui.pending.reasons import empty_words, notice_words, why_not
from hermes_tui.ui.pending.viewed import Showing, choice_of
from hermes_tui.ui.viewing import Viewing
from hermes_tui.ui.widgets.footer import FooterLine
from hermes_tui.ui.widgets.header import HeaderLine

if TYPE_CHECKING:
    from hermes_tui.sitting import LeftAt


class PendingScreen(MainScreen[Operations]):
    """Both queues, live."""

    TITLE = "Pending"
    CSS_PATH = "pending.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("pending")]
    AUTO_FOCUS = "#queue-list"

    pane = getters.query_one(QueuePane)
    detail = getters.query_one(Detail)

    def __init__(self, state: HomeState, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__("pending", state)
        self.choice = Choice()
        self.unfolded: frozenset[str] = frozenset()
        """Proposals whose equal records are shown one by one."""
        self.stayed: dict[RecordKey, str] = {}
        """Records that a decision left where they were, with the reason."""
        self.arrivals = Arrivals(clock)
        self.shown_records = 0
        """Records in the rows that are shown."""
        self.came_back = 0
        """Records that the last change of ours put into the queue."""
        self._loaded = False
        self._left_at: object = None

    def compose(self) -> ComposeResult:
        """Header, list and detail, footer."""
        yield HeaderLine()
        with Container(id="queue"):
            yield QueuePane()
            yield Detail(id="detail")
        yield FooterLine("pending", self.why_not)

    def on_mount(self) -> None:
        """Show the frame; the queue is read while it is drawn."""
        self.reader = QueueReader(self)
        self.decisions = Decisions(self)
        self.consulting = Consulting(self)
        self.news_clock = NewsClock(self, self.queue_list, self.arrivals)
        self.looking = Looking(self)
        self.viewing = Viewing(self, "pending", Showing(self))
        self.built_of(self.queue_list)
        self._come_back()
        self.queue_list.nothing = "Reading the queue …"
        self.show_header()
        self.footer.update_disabled()
        self.read()

    # Showing

    @property
    def queue_list(self) -> QueueList:
        """The list."""
        return self.pane.queue_list

    def fit(self) -> None:
        """Put the words of the frame where there is room for them."""
        self.show_selection()

    def make_operations(self) -> Operations:
        """Make what runs decisions."""
        return Operations(self, self.hermes, look=self.look)

    def state_changed(self, before: HomeState, *, ours: bool) -> None:  # noqa: ARG002
        """An editor that is open is told; its text stays."""
        self.decisions.state_changed(before, self.state)

    def read(self) -> None:
        """Read the queue."""
        self.run_worker(self.reader.read(), name="queue", group="queue", exit_on_error=False)

    async def look(self, *, ours: bool) -> None:
        """Read the queue after a decision."""
        await self.reader.read(ours=ours, verdicts=False)
        self.read()

    def show_items(self, items: Sequence[Item], *, ours: bool) -> None:
        """Show what lies in the queue now."""
        come = self.arrivals.note((item.key.path for item in items), ours=ours)
        present = {item.key for item in items}
        self.stayed = {key: reason for key, reason in self.stayed.items() if key in present}
        begun, self._loaded = not self._loaded, True
        self.show_rows()
        if begun:
            self.queue_list.go_to({item.key.path for item in items if item.key.path.name == self._left_at})
        self.came_back = len(come) if ours else 0
        if ours and come:
            self.queue_list.go_to(come)
        self.news_clock.follow()

    def _come_back(self) -> None:
        place = self.hermes.sitting.take("pending")
        self._left_at = place.get("record")
        try:
            self.choice = choice_of(place)
        except ValueError:
            return  # somebody else wrote there: one begins as the first time
        self.viewing.come_back(place.get("view"))
        if self.choice.needle:
            self.run_worker(self.looking.show_filter(), name="filter", exit_on_error=False)

    @property
    def left_at(self) -> LeftAt:
        """Where one is, to be found again at the next start."""
        row = self.queue_list.current
        record = row.items[0].key.path.name if row else ""
        return {**self.viewing.showing.content, "view": self.viewing.left, "record": record}

    def show_rows(self) -> None:
        """Show the rows that the person chose to see."""
        reader, now = self.reader, time.time()
        shown = chosen(reader.items, self.choice, reader.previews, now)
        rows = in_order(rows_of(shown, self.unfolded), self.choice.order, reader.previews)
        queue = self.queue_list
        queue.previews, queue.news, queue.stayed = reader.previews, self.arrivals.words(), self.stayed
        if self._loaded:
            queue.nothing = "" if rows else empty_words(self)
        queue.show(rows, {item.key for item in reader.items})
        self.shown_records = sum(len(row.items) for row in rows)
        self._said()

    def _said(self) -> None:
        """Everything around the list that follows from it."""
        self.show_counts()
        words, serious = notice_words(self)
        self.pane.show_notice(words, serious=serious)
        self.looking.show_counts()
        self.looking.show_detail()
        self.footer.update_disabled()

    def show_counts(self) -> None:
        """Put the numbers, and the view in use, on the frame."""
        every, view = len(self.reader.items), self.viewing.frame_words()
        gone = not every and not self.state.exists
        self.pane.show_counts(every, self.shown_records, self.choice, view, gone=gone)

    def show_selection(self) -> None:
        """The selection has changed."""
        self.show_counts()
        self.footer.update_disabled()

    def show_previews(self, found: frozenset[RecordKey]) -> None:
        """Some verdicts are known."""
        self.queue_list.previews = self.reader.previews
        self.queue_list.refresh()
        row = self.queue_list.current
        if row and row.item.key in found:
            self.looking.show_detail()
            self.footer.update_disabled()

    def show_verdicts(self) -> None:
        """All verdicts are known: what is chosen or put in order by them can be shown."""
        if self.choice.order == "verdict" or any(facet == "verdict" for facet, _ in self.choice.values):
            self.show_rows()
        else:
            self._said()

    def soonest(self, items: Sequence[Item]) -> list[Item]:
        """The items in the order in which their verdicts are wanted: what is on screen first."""
        queue = self.queue_list
        top = queue.scroll_offset.y // 2
        first = {item.key for row in queue.rows[top : top + 40] for item in row.items}
        return sorted(items, key=lambda item: item.key not in first)

    # Actions

    def why_not(self, action: Action) -> str | None:
        """Why an action makes no sense now, in a sentence; None when it does."""
        return why_not(action, self)

    def owner_of(self, action: Action) -> object:
        """Whoever has the method that does it: the list, what looks, what asks, or the writing keys."""
        owners = (self.queue_list, self.looking, self.viewing, self.consulting, self.decisions)
        return next(owner for owner in owners if hasattr(owner, action.handler))

    @on(QueueList.Opened)
    async def open_record(self) -> None:
        """A double click opens the record."""
        await self.action_perform("pending.open")

    @on(QueueList.Moved)
    def show_current(self) -> None:
        """Another record is under the cursor."""
        self.decisions.forget_warning()
        self.looking.show_detail()
        self.footer.update_disabled()

    def on_input_submitted(self) -> None:
        """Keep the filter and go to the records it left."""
        self.queue_list.focus()
