"""The Sessions screen: a search box, the conversations or what was found in them, and a preview."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from hermes_tui.sessions.listing import ListKind
from hermes_tui.sessions.query import Query, parse
from hermes_tui.text import one_line
from hermes_tui.ui.actions import Action, bindings_for
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.main_screen import MainScreen
from hermes_tui.ui.sessions.choosing import Choosing, Listed
from hermes_tui.ui.sessions.counts import CountsLine
from hermes_tui.ui.sessions.details import Details
from hermes_tui.ui.sessions.facets import only_filters
from hermes_tui.ui.sessions.looking import Looking
from hermes_tui.ui.sessions.preview_pane import PreviewPane
from hermes_tui.ui.sessions.reading import SessionReader
from hermes_tui.ui.sessions.reasons import label_of, why_not
from hermes_tui.ui.sessions.remembering import ask_history
from hermes_tui.ui.sessions.returning import Returning
from hermes_tui.ui.sessions.search_box import SearchBox
from hermes_tui.ui.sessions.searching import Question, Searcher
from hermes_tui.ui.sessions.session_list import SessionList
from hermes_tui.ui.sessions.sheets import FoundSheet
from hermes_tui.ui.sessions.viewed import Showing
from hermes_tui.ui.sessions.words import alert_words, empty_words, notice_words
from hermes_tui.ui.troubles import NEEDLE_CELLS
from hermes_tui.ui.viewing import Viewing
from hermes_tui.ui.widgets.footer import FooterLine
from hermes_tui.ui.widgets.header import HeaderLine
from hermes_tui.ui.widgets.titled import TitledPane

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hermes_tui.sessions.search import Sort
    from hermes_tui.sitting import LeftAt
    from hermes_tui.ui.sessions.upkeep import Upkeep
    from hermes_tui.ui.sessions.writing import SessionWrites

AGE_SECONDS = 20.0
"""Ages and the mark of what is live are looked at again so often."""
FILL_SECONDS = 0.15
"""The next page is fetched so long after the first, or when somebody scrolls."""
IDLE_SECONDS = 0.5
"""When nothing has happened for so long, what opening a transcript needs is loaded: 43 ms off the first time."""
AHEAD_LINES = 40
"""The next page of results is fetched when so few lines are left below."""


class SessionsScreen(MainScreen["SessionWrites"]):
    """Every conversation, live."""

    TITLE = "Sessions"
    CSS_PATH = "sessions.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("sessions")]
    AUTO_FOCUS = "#session-list"

    box = getters.query_one(SearchBox)
    counts = getters.query_one(CountsLine)
    session_list = getters.query_one(SessionList)
    preview = getters.query_one(PreviewPane)

    def __init__(self, state: HomeState) -> None:
        super().__init__("sessions", state)
        self.choosing = Choosing()
        self.sort: Sort = "newest"
        self._narrowed_by: Query | None = None
        """What narrows the list, if it may be meant as text."""
        self._open_when_found = False
        self._resting = False
        self._upkeep: Upkeep | None = None

    def compose(self) -> ComposeResult:
        """Header, box and counts, list and preview, footer."""
        yield HeaderLine()
        yield SearchBox()
        yield CountsLine()
        yield Static(id="sessions-notice", markup=False)
        with Container(id="sessions"):
            with TitledPane(id="sessions-pane"):
                yield SessionList(id="session-list")
            yield PreviewPane()
        yield FooterLine("sessions", self.why_not, self.label_of)

    def on_mount(self) -> None:
        """Show the frame; the newest conversations are read while it is drawn."""
        self.reader = SessionReader(self)
        self.details = Details(self)
        self.searcher = Searcher(self)
        self.looking = Looking(self)
        self.viewing = Viewing(self, "sessions", Showing(self))
        self.built_of(self.session_list, self.preview)
        self.session_list.nothing = "Reading the sessions …"
        self.show_header()
        self.fit()
        self.footer.update_disabled()
        self.set_interval(AGE_SECONDS, self._age, name="ages")
        self._idle = self.set_timer(IDLE_SECONDS, self._load_transcript, name="idle")
        self._returning = Returning(self)
        self.run_worker(self.reader.follow(), name="sessions", group="sessions", exit_on_error=False)

    # What the app asks of every screen

    @property
    def upkeep(self) -> Upkeep:
        """What the keys that change something do."""
        if self._upkeep is None:
            from hermes_tui.ui.sessions.upkeep import Upkeep  # loaded here: looking needs none of it

            self._upkeep = Upkeep(self)
        return self._upkeep

    def make_operations(self) -> SessionWrites:
        """Make what runs changes to sessions."""
        from hermes_tui.ui.sessions.writing import SessionWrites  # loaded here: looking needs none of it

        return SessionWrites(self)

    @property
    def up(self) -> bool:
        """Whether a person sees it, be it under a dialog; under a transcript, which reads for itself, it is not."""
        return super().up and all(isinstance(screen, ModalScreen) for screen in self.app.screen_stack[1:])

    async def look_now(self, ids: Collection[str] | None = None) -> None:
        """Show the sessions as they are after a change of ours to some of them, or to nobody knows which."""
        self.searcher.age_names()
        await self.reader.look_now(ids)
        if self.searching:
            self.searcher.repeat()

    @property
    def left_at(self) -> LeftAt:
        """Where one is, to be found again at the next start."""
        return self._returning.left_at

    def fit(self) -> None:
        """Use the room there is: where it is low, a row has one line."""
        height = 1 if self.app.has_class("-tight") else 2
        if height != self.choosing.height:
            self.choose(replace(self.choosing, height=height))
        self.show_counts()

    def show_header(self) -> None:
        """Say which home this is and how fresh the view is."""
        facts = self.hermes.header_facts
        alerts = filter(None, (alert_words(self), facts.alert))
        self.header.facts = facts._replace(alert=" · ".join(alerts))

    def look_soon(self, *, afresh: bool = False) -> None:
        """Have the reader look now; it knows by itself whether the screen is up."""
        self.reader.look_soon(afresh=afresh)

    def on_screen_resume(self) -> None:
        """Catch up with what happened while another screen was up."""
        if self.ready:
            self.fit()
            self.look_soon()

    async def _load_transcript(self) -> None:
        await asyncio.to_thread(import_module, "hermes_tui.ui.transcript.screen")

    def _age(self) -> None:
        if self.up:
            self.details.age()
            self.details.want()
            self.session_list.refresh()

    # Asking

    @property
    def typing_filter(self) -> bool:
        """Whether keys go into the search box."""
        return self.ready and self.box.has_focus_within

    @property
    def searching(self) -> bool:
        """Whether the rows are what a search has found, or will be in a moment."""
        return self.searcher.question is not None

    @property
    def filter_words(self) -> str:
        """The filter words of the box, as they are typed."""
        return only_filters(self.box.text, self.choosing.filters)

    def choosing_of(self, text: str, kinds: frozenset[ListKind]) -> Choosing:
        """What would be shown with other words in the box and other kinds."""
        filters = parse(text, time.time()).filters
        if filters.memory == self.choosing.filters.memory:
            filters = replace(filters, memory_ids=self.choosing.filters.memory_ids)
        return replace(self.choosing, filters=filters, kinds=kinds)

    @on(SearchBox.Typed)
    def ask(self) -> None:
        """Search for what is typed; filter words alone narrow the list."""
        query = parse(self.box.text, time.time())
        self._open_when_found = False
        self._idle.reset()
        if query.filters.memory:
            self.run_worker(
                ask_history(self, query), name="remembered", group="remembered", exclusive=True, exit_on_error=False
            )
        else:
            self.ask_this(query)

    def ask_this(self, query: Query) -> None:
        """Search for words, or narrow the list when there are none."""
        problems = list(query.problems)
        if query.filters.role and not query.readings:
            problems.append("role: is for hits, so it needs words to look for.")
        if query.plain and not query.readings:
            problems.append(f"There is nothing to look for in {one_line(query.plain, NEEDLE_CELLS)} yet.")
        self.box.show_problems(problems)
        was_searching = self.searching
        self.choosing = replace(self.choosing, filters=query.filters)
        if query.readings:
            # The counts stay until the answer comes, or until it is late: drawing them would hold it up.
            self._narrowed_by = None
            self.searcher.ask(Question(query, self.sort, self.choosing.scope))
            return
        self._narrowed_by = query if query.instead else None
        self.searcher.forget()
        if was_searching and self.reader.listed:
            self.session_list.show(self.reader.listed.sheet, from_the_top=True)
        self._arrange()

    def search(self) -> None:
        """Search again, in another order or among other conversations."""
        question = self.searcher.question
        if question:
            self.searcher.ask(Question(question.query, self.sort, self.choosing.scope))
            self.show_counts()

    def choose(self, choosing: Choosing) -> None:
        """Show something else."""
        self.choosing = choosing
        if self.searching:
            self.search()
        self._arrange()

    def _arrange(self) -> None:
        self.run_worker(self.reader.arrange(), name="arrange", group="arrange", exit_on_error=False)

    @on(SearchBox.Offering)
    def count_offered(self, message: SearchBox.Offering) -> None:
        """Count the rows that the values offered would show."""
        counting = self._count_offered(message.name, message.values)
        self.run_worker(counting, name="offers", group="offers", exclusive=True, exit_on_error=False)

    async def _count_offered(self, name: str, values: Sequence[str]) -> None:
        self.box.show_counts(name, await asyncio.to_thread(self.reader.rows_of, self.choosing, name, values))

    @on(SearchBox.Entered)
    async def enter(self) -> None:
        """Open the hit under the cursor, or go to the list."""
        if not self.searching:
            self.session_list.focus()
        elif self.searcher.settled:
            if self.session_list.brief:
                self.session_list.focus()
                await self.looking.action_open()
        else:
            self._open_when_found = True

    # Showing

    def show_listed(self, listed: Listed) -> None:
        """Show the list, unless a search is on."""
        self.box.known = self.reader.known
        self.session_list.continued = self.reader.continued
        if not self.searching:
            if isinstance(self.session_list.sheet, FoundSheet):
                self.session_list.show(listed.sheet, from_the_top=True)
            else:
                self.session_list.show(listed.sheet)
            self._returning.listed()
            self._shown()
            if self._narrowed_by is not None and listed.complete and not listed.shown and not listed.hidden:
                self.run_worker(self._look_instead(self._narrowed_by), name="instead", exit_on_error=False)
                self._narrowed_by = None
        if self.reader.complete:
            self.session_list.keep_selected(lambda: {brief.root for brief in self.reader.briefs})
        self.searcher.read_names()
        self.looking.count_anew()

    async def _look_instead(self, query: Query) -> None:
        """Show what filters that let nothing through find as text, if they do."""
        question = Question(query, self.sort, self.choosing.scope)
        found = await asyncio.to_thread(self.searcher.finds, question)
        if found and not self.searching and self.box.text == query.text:
            self.searcher.ask(question)

    def show_found(self, sheet: FoundSheet, *, keep: bool) -> None:
        """Show what was found."""
        before = isinstance(self.session_list.sheet, FoundSheet)
        self.session_list.show(sheet, from_the_top=not (keep and before))
        self._shown()
        if self._open_when_found and self.searcher.settled and sheet.stops:
            self._open_when_found = False
            self.session_list.focus()
            self.run_worker(self.looking.action_open(), name="open", exit_on_error=False)

    def show_answered(self) -> None:
        """A search has come to rest, with what it found or with nothing."""
        self._shown()
        # Not at once: looking for more would take the processor from drawing what there is.
        self._resting = True
        self.set_timer(FILL_SECONDS, self._rested, name="fill")

    def _rested(self) -> None:
        self._resting = False
        self.fill()

    def show_written(self) -> None:
        """The database was read again after a commit."""
        self.details.age()
        self.details.want()
        self.searcher.written()
        self._shown()

    def show_details(self) -> None:
        """Titles of rows in view have come."""
        shown = self.session_list
        shown.summaries, shown.parts = self.details.rows, self.details.parts
        shown.refresh()
        self.looking.catch_up()

    def show_failure(self) -> None:
        """The database, or a search in it, failed."""
        gone = any(error and error.code == "no_sessions" for error in (self.reader.trouble, self.searcher.failure))
        if gone:
            self.searcher.lose()
        if gone or (self.reader.listed is None and not self.searching):
            from hermes_tui.ui.sessions.sheets import ListSheet

            self.session_list.show(ListSheet(()), from_the_top=True)
        self._shown()

    def show_recovered(self) -> None:
        """What could not be read before can be read again."""
        self._shown()

    def _shown(self) -> None:
        """Everything around the list that follows from it."""
        self.session_list.summaries = self.details.rows
        nothing = empty_words(self)
        if nothing != self.session_list.nothing:
            self.session_list.nothing = nothing
            self.session_list.refresh()
        words, level = notice_words(self)
        notice = self.query_one("#sessions-notice", Static)
        notice.display = bool(words)
        notice.update(Content(words))
        for name in ("-serious", "-broken"):
            notice.set_class(level == name, name)
        self.show_header()
        self.show_counts()
        self.looking.show_preview()
        self.footer.update_disabled()

    def show_counts(self, progress: float | None = None) -> None:
        """Say how many there are, and what is left out."""
        from hermes_tui.ui.sessions.tally import counts_of, state_words

        self.counts.counts = counts_of(self)
        title = " · ".join(filter(None, ("Sessions", self.viewing.frame_words())))
        self.query_one("#sessions-pane", TitledPane).show_title(title)
        self.box.show_state(state_words(self, progress))

    @property
    def preview_shown(self) -> bool:
        """Whether the preview has taken the place of the list."""
        return self.query_one("#sessions").has_class("-reading")

    def fill(self) -> None:
        """Fetch the next page of results when the end of those there are is near."""
        shown = self.session_list
        if isinstance(shown.sheet, FoundSheet) and not self._resting:
            end = shown.scroll_offset.y + shown.scrollable_content_region.height
            if shown.sheet.lines - end < AHEAD_LINES:
                self.searcher.more()

    # Actions

    def why_not(self, action: Action) -> str | None:
        """Why an action makes no sense now, in a sentence; None when it does."""
        return why_not(action, self)

    def label_of(self, action: Action) -> str:
        """What a key would do now, in a word or two."""
        return label_of(action, self)

    def owner_of(self, action: Action) -> object:
        """Whoever has the method that does it: the list, what looks, or the keys that change something."""
        owners = (self.session_list, self.looking, self.viewing, *self.upkeep.owners)
        return next(owner for owner in owners if hasattr(owner, action.handler))

    def show_selection(self) -> None:
        """The selection has changed."""
        self.show_counts()
        self.footer.update_disabled()

    def on_descendant_focus(self) -> None:
        """The cursor is drawn stronger where the keys go."""
        self.session_list.refresh()

    @on(SessionList.Opened)
    async def open_session(self) -> None:
        """A double click opens the transcript."""
        await self.action_perform("sessions.open")

    @on(SessionList.Moved)
    def show_current(self) -> None:
        """Another row is under the cursor."""
        self._idle.reset()
        self.looking.show_preview()
        self.footer.update_disabled()

    @on(SessionList.Scrolled)
    def show_scrolled(self) -> None:
        """Other rows are in view."""
        self.details.want()
        self.fill()
