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
from hermes_tui.ui.actions import Action, bindings_for
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.main_screen import MainScreen
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
    from hermes_tui.ui.operations import Operations


class MemoryScreen(MainScreen["Operations"]):
    """Both stores, live."""

    TITLE = "Memory"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("memory")]
    AUTO_FOCUS = "#cards-memory"

    tabs = getters.query_one(StoreTabs)

    def __init__(self, state: HomeState, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__("memory", state)
        self.active: StoreName = "memory"
        self._clock = clock
        # Made when first needed: nothing of it is for the first frame.
        self._announcer: Announcer | None = None
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
        self.built_of(self.tabs, *(self.pane(store).card_list for store in STORES))
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

    def state_changed(self, before: HomeState, *, ours: bool) -> None:
        """Show what a reading has brought; a change nobody here made is marked as news."""
        for store in STORES:
            old, new = before.view(store), self.state.view(store)
            self.pane(store).know_home(self.state)
            if old == new:
                continue
            about = self._edits.places_of(store) if ours and self._edits else ()
            fresh, followed = self.announcer.compare(old, new, ours=ours, about=about)
            self.pane(store).show(new, fresh, followed)
        self._show_tabs()
        self.footer.update_disabled()
        self.announcer.blocked(self.state.views)
        if self._edits:
            self._edits.state_changed(before, self.state, ours=ours)

    def show_since(self, blames: Sequence[Blame]) -> None:
        """Say on the cards since when their entries are there, and who wrote them."""
        from hermes_tui.ui.timeline.story import since_words  # loaded here: history is there by now

        for store in STORES:
            self.pane(store).since = {each.text: since_words(each.last) for each in blames if each.store == store}
            self.announcer.show_cards(store)

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

    def make_operations(self) -> Operations:
        """Make what runs changes to the stores."""
        from hermes_tui.ui.operations import Operations

        return Operations(self, self.hermes)

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

    async def action_filter(self) -> None:
        """Open the filter line, or go back into it."""
        from hermes_tui.ui.memory.finding import Finding  # loaded here: it is not needed to look

        bar = await self.open_filter_bar(Finding(self), "words to find in both stores")
        bar.input.focus()

    def show_found(self) -> None:
        """The panes show less, or more, than a moment ago."""
        self._show_tabs()
        self.footer.update_disabled()

    def on_input_submitted(self) -> None:
        """Keep the filter and go to the entries it left."""
        self.cards.focus()

    def _end_filter(self) -> None:
        if self.filter_bar:
            self.filter_bar.end()
        self.cards.focus()
