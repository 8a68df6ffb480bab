"""The Memory screen: MEMORY.md and USER.md as cards, as they are on disk right now."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container

from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.ui.action_screen import ActionScreen
from hermes_tui.ui.actions import Action, bindings_for
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.memory.card_list import CardList
from hermes_tui.ui.memory.pane import StorePane
from hermes_tui.ui.memory.tabs import StoreTabs
from hermes_tui.ui.widgets.footer import FooterLine
from hermes_tui.ui.widgets.header import HeaderLine

if TYPE_CHECKING:
    from hermes_tui.history.blame import Blame
    from hermes_tui.sitting import LeftAt
    from hermes_tui.ui.memory.announcer import Announcer
    from hermes_tui.ui.memory.edits import Edits
    from hermes_tui.ui.memory.filter_bar import FilterBar
    from hermes_tui.ui.memory.operations import LockWaiting, Operations, Progress

OWN_WRITE_GRACE_SECONDS = 0.25
"""A change seen on disk while one of ours is at work is most likely that one; it is looked at after this."""


class MemoryScreen(ActionScreen):
    """Both stores, live."""

    TITLE = "Memory"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("memory")]
    AUTO_FOCUS = "#cards-memory"

    header = getters.query_one(HeaderLine)
    tabs = getters.query_one(StoreTabs)

    def __init__(self, state: HomeState, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(name="memory")
        self.state = state
        self.active: StoreName = "memory"
        self._clock = clock
        # Made when first needed: nothing of it is for the first frame.
        self._announcer: Announcer | None = None
        self._operations: Operations | None = None
        self._edits: Edits | None = None

    def compose(self) -> ComposeResult:
        """Header, tabs where there is room for one store, the stores, footer."""
        yield HeaderLine()
        yield StoreTabs()
        with Container(id="stores"):
            for store in STORES:
                pane = StorePane(self.state.view(store))
                pane.know_home(self.state)
                pane.set_class(store == self.active, "-active")
                yield pane
        yield FooterLine("memory", self.why_not)

    def on_mount(self) -> None:
        """Show what was read before the first frame."""
        self.fit()
        self.show_header()
        self._show_tabs()
        self.footer.update_disabled()
        self.announcer.know_blocked(self.state.views)
        self._come_back()

    def _come_back(self) -> None:
        place = self.hermes.sitting.take("memory")
        store, cursor = place.get("store"), place.get("cursor")
        if store in STORES and isinstance(cursor, int):
            self.call_after_refresh(self._go_back_to, store, cursor)

    def _go_back_to(self, store: StoreName, cursor: int) -> None:
        if store != self.active:
            self.go_to_store(store)
        self.cards.move_to(cursor)

    @property
    def left_at(self) -> LeftAt:
        """Where one is, to be found again at the next start."""
        return {"store": self.active, "cursor": self.cards.cursor}

    # Showing

    @property
    def ready(self) -> bool:
        """Whether all of it is there: readings also arrive while it is being built or taken down."""
        return self.is_mounted and len(self.query("HeaderLine, StoreTabs, CardList, FooterLine")) == 5

    def fit(self) -> None:
        """Draw the cards as the size of the terminal asks for."""
        for store in STORES:
            self.pane(store).card_list.tight = self.hermes.has_class("-tight")

    def pane(self, store: StoreName) -> StorePane:
        """The pane of a store."""
        return self.query_one(f"#pane-{store}", StorePane)

    @property
    def current_pane(self) -> StorePane:
        """The pane the keys go to."""
        return self.pane(self.active)

    @property
    def cards(self) -> CardList:
        """The list the keys go to."""
        return self.current_pane.card_list

    def show_state(self, state: HomeState, *, ours: bool) -> None:
        """Show a new reading; a change nobody here made is marked as news."""
        if not ours and self.hermes.writing:
            # Our own write is seen by the watcher too; the operation itself shows it in a moment.
            self.set_timer(OWN_WRITE_GRACE_SECONDS, self._look_late)
            return
        self._show(state, ours=ours)

    def _look_late(self) -> None:
        self.show_state(self.hermes.state, ours=False)

    def _show(self, state: HomeState, *, ours: bool) -> None:
        before, self.state = self.state, state
        for store in STORES:
            old, new = before.view(store), state.view(store)
            self.pane(store).know_home(state)
            if old == new:
                continue
            about = self._edits.places_of(store) if ours and self._edits else ()
            fresh, followed = self.announcer.compare(old, new, ours=ours, about=about)
            self.pane(store).show(new, fresh, followed)
        self._show_tabs()
        self.show_header()
        self.footer.update_disabled()
        self.announcer.blocked(self.state.views)
        if self._edits:
            self._edits.state_changed(before, state, ours=ours)

    def show_since(self, blames: Sequence[Blame]) -> None:
        """Say on the cards since when their entries are there, and who wrote them."""
        from hermes_tui.ui.timeline.story import since_words  # loaded here: history is there by now

        for store in STORES:
            self.pane(store).since = {each.text: since_words(each.last) for each in blames if each.store == store}
            self.announcer.show_cards(store)

    def show_header(self) -> None:
        """Say which home this is and how fresh the view is."""
        self.header.facts = self.hermes.header_facts

    def _show_tabs(self) -> None:
        for store in STORES:
            pane = self.pane(store)
            self.tabs.show(pane.view, pane.count_words)
        if self.filter_bar:
            self.filter_bar.show_counts()

    # Actions that only look

    @property
    def announcer(self) -> Announcer:
        """What says that something changed by itself."""
        if self._announcer is None:
            from hermes_tui.ui.memory.announcer import Announcer

            self._announcer = Announcer(self, self._clock)
        return self._announcer

    @property
    def operations(self) -> Operations:
        """Changes at work."""
        if self._operations is None:
            from hermes_tui.ui.memory.operations import Operations

            self._operations = Operations(self, self.hermes)
        return self._operations

    @property
    def busy(self) -> bool:
        """Whether a change is at work."""
        return self._operations is not None and self._operations.running > 0

    @property
    def edits(self) -> Edits:
        """What changes memory; loaded when the first such key is pressed."""
        if self._edits is None:
            from hermes_tui.ui.memory.edits import Edits

            self._edits = Edits(self)
        return self._edits

    def why_not(self, action: Action) -> str | None:
        """Why an action makes no sense now, in a sentence; None when it does."""
        from hermes_tui.ui.memory.reasons import why_not

        return why_not(action, self)

    def owner_of(self, action: Action) -> object:
        """Whoever has the method that does it: the screen, the list, or the writing keys."""
        owners: tuple[object, ...] = (self, self.cards)
        return next((owner for owner in owners if hasattr(owner, action.handler)), None) or self.edits

    @on(CardList.Opened)
    async def open_card(self) -> None:
        """A double click edits."""
        await self.action_perform("memory.edit")

    @on(CardList.Entered)
    def take_focus(self, message: CardList.Entered) -> None:
        """Keys go to the store that has the focus."""
        for store in STORES:
            pane = self.pane(store)
            if pane.card_list is message.card_list:
                self.active = store
            pane.set_class(pane.card_list is message.card_list, "-active")
        self.tabs.active = self.active
        self.footer.update_disabled()

    @on(StoreTabs.Chosen)
    def choose_tab(self, message: StoreTabs.Chosen) -> None:
        """A click on a tab shows its store."""
        self.go_to_store(message.store)

    def go_to_store(self, store: StoreName) -> None:
        """Move the focus to a store."""
        for name in STORES:
            self.pane(name).set_class(name == store, "-active")
        self.active = store
        self.tabs.active = store
        self.cards.focus()

    def action_switch(self) -> None:
        """Go to the other store."""
        self.go_to_store("user" if self.active == "memory" else "memory")

    def action_select(self) -> None:
        """Select the entry, or take it out of the selection."""
        self.cards.toggle_selected()
        self.current_pane.show_counts()

    def action_back(self) -> None:
        """Back out one step: the filter, then the selection."""
        if self.filter_bar:
            self._end_filter()
        elif any(self.pane(store).card_list.selection for store in STORES):
            for store in STORES:
                self.pane(store).card_list.clear_selection()
                self.pane(store).show_counts()

    # The filter

    @property
    def filter_bar(self) -> FilterBar | None:
        """The line a filter is typed in, while there is one."""
        return next((child for child in self.children if child.id == "filter-bar"), None)  # type: ignore[return-value]

    async def action_filter(self) -> None:
        """Open the filter line, or go back into it."""
        if self.filter_bar is None:
            from hermes_tui.ui.memory.filter_bar import FilterBar  # loaded here: the input is not needed to look

            panes = [self.pane(store) for store in STORES]
            await self.mount(FilterBar(panes, id="filter-bar"), before=self.footer)
        if self.filter_bar:
            self.filter_bar.input.focus()

    def on_filter_bar_changed(self) -> None:
        """The panes show less, or more, than a moment ago."""
        self._show_tabs()
        self.footer.update_disabled()

    def on_input_submitted(self) -> None:
        """Keep the filter and go to the entries it left."""
        self.cards.focus()

    def _end_filter(self) -> None:
        if self.filter_bar:
            self.filter_bar.end()
        self.on_filter_bar_changed()
        self.cards.focus()

    # Waiting for a lock

    async def on_lock_waiting(self, message: LockWaiting) -> None:
        """Say that a change waits, and for what."""
        await self.operations.show_waiting(message)

    async def on_progress(self, message: Progress) -> None:
        """Say how far a change is that consists of many."""
        await self.operations.show_words(message.words)

    def on_operation_ended(self) -> None:
        """Nothing waits any more."""
        self.operations.hide_waiting()
