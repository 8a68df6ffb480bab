"""The Timeline screen: a line to slide along, both stores as of then, and every change there was."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widget import Widget

from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.ui.actions import Action, bindings_for
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.main_screen import MainScreen
from hermes_tui.ui.operations import Operations
from hermes_tui.ui.timeline.change_list import ChangeList
from hermes_tui.ui.timeline.changes_pane import ChangesPane
from hermes_tui.ui.timeline.chart import Chart
from hermes_tui.ui.timeline.consulting import Consulting
from hermes_tui.ui.timeline.line import Line, Place
from hermes_tui.ui.timeline.looking import Looking
from hermes_tui.ui.timeline.reasons import empty_words, label_of, notice_words, why_not
from hermes_tui.ui.timeline.restoring import Restoring
from hermes_tui.ui.timeline.searching import Searching
from hermes_tui.ui.timeline.slider import Slider
from hermes_tui.ui.timeline.story import Entry
from hermes_tui.ui.timeline.then import Against
from hermes_tui.ui.timeline.then_pane import EverText, ThenPane
from hermes_tui.ui.widgets.footer import FooterLine
from hermes_tui.ui.widgets.header import HeaderLine

if TYPE_CHECKING:
    from hermes_tui.ui.timeline.chronicle import Chronicle, Known


class TimelineScreen(MainScreen[Operations]):
    """What both stores held, and what changed them, live."""

    TITLE = "Timeline"
    CSS_PATH = "timeline.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("timeline")]
    AUTO_FOCUS = "#change-list"

    slider = getters.query_one(Slider)
    pane = getters.query_one(ChangesPane)
    change_list = getters.query_one(ChangeList)

    def __init__(self, state: HomeState) -> None:
        super().__init__("timeline", state)
        self.line = Line()
        self.place: Place = self.line.now
        self.moved = False
        """Whether the person has gone anywhere; until then the place stays with the last change."""
        self.against: Against = "before"
        self.active: StoreName = "memory"
        """The store that is shown where there is room for one."""

    def compose(self) -> ComposeResult:
        """Header, line, both stores as of then, the changes, footer."""
        yield HeaderLine()
        yield Slider(id="slider")
        with Container(id="then"):
            for store in STORES:
                yield ThenPane(store, self.state.view(store).usage.limit)
            for store in STORES:
                yield Chart(store)
            yield EverText(id="ever")
        yield ChangesPane(id="changes-pane")
        yield FooterLine("timeline", self.why_not, self.label_of)

    def on_mount(self) -> None:
        """Show the frame; history is read while it is drawn."""
        self.chronicle: Chronicle = self.hermes.past.chronicle
        self.looking = Looking(self)
        self.consulting = Consulting(self)
        self.searching = Searching(self)
        self.restoring = Restoring(self)
        self.built_of(self.change_list)
        self.chronicle.listen(self.show_known)
        self.show_header()
        self.call_later(self.show_known)  # once it is mounted: the next reading may be seconds away
        self.chronicle.refresh()

    # What the app asks of every screen

    @property
    def known(self) -> Known | None:
        """What is known of the past."""
        return self.chronicle.known

    def fit(self) -> None:
        """Use the room there is."""
        self.looking.show_place()
        self.show_around()

    def make_operations(self) -> Operations:
        """Make what runs changes to the stores."""
        return Operations(self, self.hermes)

    def state_changed(self, before: HomeState, *, ours: bool) -> None:  # noqa: ARG002
        """What the stores hold now may be another thing."""
        self.restoring.state_changed(before, self.state)

    def look_soon(self, *, afresh: bool = False) -> None:
        """Sessions, too, may be called something else now."""
        self.looking.doubt_titles()
        super().look_soon(afresh=afresh)

    def read(self) -> None:
        """Read what is new of the past."""
        self.chronicle.refresh()

    # Showing

    def show_known(self) -> None:
        """More is known than before, or something else: the place stays."""
        if not self.ready:
            return
        known = self.known
        if known is not None and known.line != self.line:
            before, self.line = self.line, known.line
            self.place = self.line.found_again(self.place, before) if self.moved else self.line.last
            if not self.searching.on:
                self.change_list.show_changes(self.line.changes, self.place.row)
        self.looking.show_place()
        self.searching.known_changed()
        self.show_around()

    def show_around(self) -> None:
        """Everything around the list that follows from it."""
        self.change_list.nothing = "" if self.change_list.stops else empty_words(self)
        self.change_list.refresh()
        words, serious = notice_words(self)
        self.pane.show_notice(words, serious=serious)
        self.pane.show_counts(self)
        self.footer.update_disabled()

    def go(self, place: Place) -> None:
        """Stand somewhere else."""
        self.moved = True
        self.place = place
        self.active = self.line.changes[place.row].store if place.row >= 0 and not place.session else self.active
        self.change_list.move_to(max(0, place.row))
        self.looking.show_place()
        self.footer.update_disabled()

    def pane_of(self, store: StoreName) -> ThenPane:
        """The pane of a store."""
        return self.query_one(f"#then-{store}", ThenPane)

    @property
    def above(self) -> Sequence[Widget]:
        """What stands above the list and can be scrolled, in the order of tab."""
        if self.searching.on:
            return [self.searching.pane]
        if self.consulting.chart_shown:
            return [self.consulting.chart_of(store) for store in STORES]
        return [self.pane_of(store).text for store in STORES]

    @on(ChangeList.Moved)
    def follow_cursor(self) -> None:
        """Another row is under the cursor."""
        if self.searching.on:
            self.searching.show_entry()
        elif self.change_list.cursor != max(0, self.place.row):
            self.go(self.line.at_row(self.change_list.cursor))
        self.footer.update_disabled()

    @on(ChangeList.Opened)
    async def open_row(self) -> None:
        """A double click opens the message."""
        await self.action_perform("timeline.open")

    @on(Slider.Dragged)
    def drag(self, message: Slider.Dragged) -> None:
        """The mark was put somewhere: on the nearest change if one is as good as there."""
        if self.searching.on:
            self.searching.end()
        self.go(self.looking.nearest(message.at, time.time()))

    def on_descendant_focus(self) -> None:
        """Where there is room for one store, it is the one that has the focus."""
        for store in STORES:
            inside = self.pane_of(store).has_focus_within or self.consulting.chart_of(store).has_focus
            if inside and self.active != store:
                self.active = store
                self.looking.show_active()

    @property
    def entry(self) -> Entry | None:
        """The entry that the keys are about: of what was found, or what the change made, or took away."""
        if ever := self.change_list.ever:
            return Entry(ever.store, ever.text)
        change = self.change_list.change
        return Entry(change.store, change.after or change.before) if change else None

    # Actions

    def why_not(self, action: Action) -> str | None:
        """Why an action makes no sense now, in a sentence; None when it does."""
        return why_not(action, self)

    def label_of(self, action: Action) -> str:
        """What a key would do now, in a word or two."""
        return label_of(action, self)

    def owner_of(self, action: Action) -> object:
        """Whoever has the method that does it."""
        owners = (self.looking, self.consulting, self.searching, self.restoring)
        return next(owner for owner in owners if hasattr(owner, action.handler))

    def on_input_submitted(self) -> None:
        """Keep what is looked for and go to the entries that were found."""
        self.change_list.focus()
