"""Searching off the event loop: the newest question alone is answered, page by page."""

from __future__ import annotations

import asyncio
import itertools
import time
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from textual.timer import Timer

from hermes_tui.errors import HermesTuiError
from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.ui.sessions.reading import KEPT_OPEN, unforeseen
from hermes_tui.ui.sessions.sheets import FoundSheet

if TYPE_CHECKING:
    from hermes_tui.sessions.named import Names
    from hermes_tui.sessions.query import Query
    from hermes_tui.sessions.search import Page, Scope, Search, Sort
    from hermes_tui.ui.sessions.screen import SessionsScreen

DIM_SECONDS = 0.15
"""Results of the question before are dimmed when the answer takes longer than this."""
FIRST_PAGE, PAGE = 8, 20
"""Conversations fetched at first, about a screenful, and then at once."""
LIVE_CONVERSATIONS = 60
"""Results up to so many are looked up again when the agent writes."""
LIVE_SECONDS = 1.0
"""The shortest time between two of these."""
NAMES_SECONDS, NAMES_REST = 2.0, 30.0
"""Titles are read again at most so often, and after so many times as long as reading them takes."""
PATIENCE_SECONDS = 0.3
"""How long one statement waits for a lock; the next try follows by itself."""
RETRY_SECONDS = 0.5


class Question(NamedTuple):
    """What is searched for, and how."""

    query: Query
    sort: Sort
    scope: Scope


class Answer(NamedTuple):
    """What is known of it."""

    question: Question
    sort: Sort
    """How the results come now: by relevance takes a while, so the newest are shown until then."""
    pages: tuple[Page, ...]

    @property
    def last(self) -> Page:
        """The newest page, whose numbers are those of all."""
        return self.pages[-1]

    @property
    def conversations(self) -> int:
        """How many are shown."""
        return sum(len(page.found) for page in self.pages)

    @property
    def named(self) -> int:
        """Hits in titles and ids."""
        return sum(hit.kind != "text" for page in self.pages for found in page.found for hit in found.hits)

    @property
    def first_kind(self) -> str:
        """What the hit at the top is in: a text, a title or an id; empty when there is none."""
        return next((hit.kind for page in self.pages for found in page.found for hit in found.hits), "")


class Searcher:
    """One search at a time; each key numbers its question, and what comes late is dropped."""

    def __init__(self, screen: SessionsScreen) -> None:
        self._screen = screen
        self._numbers = itertools.count(1)
        self._last = 0
        self._turn = asyncio.Lock()
        self._base: Database | None = None
        self._search: Search | None = None
        self._names: Names | None = None
        self._names_read = 0.0
        self._names_rest = 0.0
        self._reading_names = False
        self._dim: Timer | None = None
        self._again: Timer | None = None
        self._asked_at = 0.0
        self.question: Question | None = None
        """What is asked now; None while the box asks for nothing."""
        self.answer: Answer | None = None
        """What is shown of it, or of the question before until that arrives."""
        self.failure: HermesTuiError | None = None
        self.working = False
        self.sheet = FoundSheet()

    # Asking

    def ask(self, question: Question, *, quiet: bool = False) -> None:
        """Ask something else; what runs is stopped at once.

        Args:
            question: what is wanted now.
            quiet: whether it is the same question after a commit, whose answer will hardly differ.
        """
        number = self._last = next(self._numbers)
        self.stop()
        self.question, self.working, self._asked_at = question, True, time.monotonic()
        if not quiet and self._dim is None:
            self._dim = self._screen.set_timer(DIM_SECONDS, self._dim_now, name="dim")
        self._screen.run_worker(self._run(number, question, quiet), name="search", group="search", exit_on_error=False)

    def stop(self) -> None:
        """End what runs."""
        if self._search is not None:
            self._search.stop()

    def forget(self) -> None:
        """Nothing is searched for any more."""
        self._last = next(self._numbers)
        self.stop()
        self.question = self.answer = self.failure = None
        self.working = False
        self.sheet = FoundSheet()
        self._undim()

    def lose(self) -> None:
        """What was found is of a file that is no longer there."""
        self.answer = None
        self.sheet = FoundSheet()
        self._undim()

    @property
    def settled(self) -> bool:
        """Whether the results shown are those of what is asked."""
        return self.question is not None and self.answer is not None and self.answer.question == self.question

    def _dim_now(self) -> None:
        self._dim = None
        if self.working and not self.settled:
            self._screen.session_list.stale = True
            self._screen.session_list.refresh()
        self._screen.show_counts()

    def _undim(self) -> None:
        if self._dim is not None:
            self._dim.stop()
            self._dim = None
        self._screen.session_list.stale = False

    async def _run(self, number: int, question: Question, quiet: bool) -> None:
        want = max(FIRST_PAGE, self.answer.conversations) if quiet and self.answer else FIRST_PAGE
        async with self._turn:
            # By relevance the whole history is looked through; until that is done the newest will do.
            early = question.sort == "relevance" and not (self.settled and quiet)
            sorts: tuple[Sort, ...] = ("newest", "relevance") if early else (question.sort,)
            if self.settled and question.sort == "relevance":
                sorts = ("relevance",)
            for sort in sorts:
                if not await self._first(number, question, sort, want, quiet):
                    break
        if number == self._last:
            self.working = False
            self._screen.show_answered()

    async def _first(self, number: int, question: Question, sort: Sort, want: int, quiet: bool) -> bool:
        """The first page that holds something; whether to go on."""
        begun = False
        while number == self._last:
            try:
                page = await asyncio.to_thread(self._page, number, question, sort, want, begun)
            except Interrupted:
                return False
            except HermesTuiError as error:
                if number == self._last:
                    self._fail(error)
                    if error.code == "sessions_locked":
                        await asyncio.sleep(RETRY_SECONDS)
                        begun = False
                        continue
                return False
            except Exception as error:
                # The outer edge: a search that trips us says so, and the next key asks again.
                self._screen.hermes.log.error("a search failed", error)
                if number == self._last:
                    self._fail(unforeseen(error))
                return False
            if number != self._last:
                return False
            begun = True
            self._take(question, sort, page, more=False, quiet=quiet)
            if page.found or page.done:
                return True
        return False

    def _page(self, number: int, question: Question, sort: Sort, want: int, begun: bool) -> Page:
        """In a thread: begin a search, or go on with it."""
        if not begun:
            if self._base is None:
                self._base = Database(self._screen.hermes.home.state_db, patience=PATIENCE_SECONDS)
            from hermes_tui.sessions.search import Search  # loaded here: nobody waits for it in this thread

            if self._search is not None:
                self._search.close()
            search = Search(self._base, question.query, sort=sort, scope=question.scope, known=self._known())
            self._search = search
            if number != self._last:
                raise Interrupted
        assert self._search is not None
        return self._search.more(want)

    def finds(self, question: Question) -> bool:
        """In a thread: whether there is anything to show for a question that is not asked yet."""
        from hermes_tui.sessions.search import Search

        try:
            with closing(Database(self._screen.hermes.home.state_db, patience=PATIENCE_SECONDS)) as base:
                search = Search(base, question.query, scope=question.scope, known=self._known())
                page = search.more(1)
                while not (page.found or page.done) and self._screen.box.text == question.query.text:
                    page = search.more(1)
                return bool(page.found)
        except HermesTuiError:
            return False  # the list has said what is wrong

    def _known(self) -> Names:
        if self._names is None:
            # On the connection of the list: titles are read while a search runs.
            from hermes_tui.sessions.named import Names

            base = self._screen.reader.base or self._base
            assert base is not None
            self._names = Names(base)
        return self._names

    def titled(self, text: str) -> list[str]:
        """In a thread: ids of the sessions with these words in their title, the titles read if need be."""
        names = self._names
        if names is None or not self._names_read:
            names = self._known()
            names.refresh()
        return list(names.titled(text))

    def _fail(self, error: HermesTuiError) -> None:
        self.failure = error
        self._undim()
        # Rows of the question before stay, and look it.
        self._screen.session_list.stale = self.answer is not None and not self.settled
        if error.code not in KEPT_OPEN:
            self._base = self._names = None
            self._names_read = self._names_rest = 0.0
        if error.code == "no_sessions":
            self._screen.look_soon(afresh=True)
        self._screen.show_failure()

    def _take(self, question: Question, sort: Sort, page: Page, *, more: bool, quiet: bool) -> None:
        """Show a page."""
        self.failure = None
        same = self.settled and self.answer is not None and self.answer.sort == sort
        if not more and not page.found and not page.done and not same and self.answer is not None:
            # Nothing yet: what was shown before stays, dimmed, until there is something.
            self._screen.show_counts(progress=page.progress)
            return
        before = self.answer
        goes_on = more and before is not None and before.question == question
        pages = (*before.pages, page) if goes_on and before else (page,)
        self.answer = Answer(question, sort, pages)
        self._undim()
        if goes_on:
            self.sheet.add(page.found)
            self._screen.session_list.grow()
        else:
            self.sheet = FoundSheet(page.found)
            keep = quiet or (before is not None and before.question.query == question.query)
            self._screen.show_found(self.sheet, keep=keep)
        self._screen.show_counts(progress=page.progress)

    # Going on

    def more(self) -> None:
        """Fetch the next page, unless there is none or one is on its way."""
        if self.working or self.failure or not self.settled or self.answer is None or self.answer.last.done:
            return
        self.working = True
        number, question = self._last, self.question
        assert question is not None
        self._screen.run_worker(self._next(number, question), name="search", group="search", exit_on_error=False)

    async def _next(self, number: int, question: Question) -> None:
        async with self._turn:
            while number == self._last and self.answer is not None:
                sort = self.answer.sort
                try:
                    page = await asyncio.to_thread(self._page, number, question, sort, PAGE, True)
                except Interrupted:
                    return
                except HermesTuiError as error:
                    if number == self._last:
                        self.working = False
                        self._fail(error)
                    return
                if number != self._last:
                    return
                self._take(question, sort, page, more=True, quiet=True)
                if page.found or page.done:
                    break
        if number == self._last:
            self.working = False
            self._screen.show_answered()

    # A database that changes

    def written(self) -> None:
        """The agent has written: look again, unless that would take long."""
        self.read_names()
        if self.question is None:
            return
        if not self.working and (self.failure is not None or self.answer is None):
            self.ask(self.question)
        elif self._again is None:
            wait = max(0.05, self._asked_at + LIVE_SECONDS - time.monotonic())
            self._again = self._screen.set_timer(wait, self._look_again, name="again")

    def repeat(self) -> None:
        """Look again at once, after a change of ours."""
        if self.question is not None:
            self.ask(self.question, quiet=True)

    def age_names(self) -> None:
        """Titles have changed: they are read again with the list."""
        self._names_rest = 0.0

    def _look_again(self) -> None:
        self._again = None
        if self.working:
            self.written()
        if self.question is None or self.question.sort != "newest" or not self.settled or self.working:
            return
        if self.answer is not None and self.answer.conversations <= LIVE_CONVERSATIONS:
            self.ask(self.question, quiet=True)

    def read_names(self) -> None:
        """Read the titles, so that the next key need not."""
        if self._reading_names or time.monotonic() - self._names_read < self._names_rest:
            return
        self._reading_names = True
        self._screen.run_worker(self._read_names(), name="titles", group="titles", exit_on_error=False)

    async def _read_names(self) -> None:
        first, began = self._names_read == 0.0, time.monotonic()
        try:
            base = self._screen.reader.base
            if base is None:
                return
            names = await asyncio.to_thread(_names_of, base)
        except HermesTuiError:
            return  # the list says what is wrong with the database
        finally:
            self._reading_names = False
            self._names_read = time.monotonic()
            self._names_rest = max(NAMES_SECONDS, NAMES_REST * (self._names_read - began))
        self._names = names
        if first and self.question is not None:
            self.ask(self.question, quiet=True)


def _names_of(base: Database) -> Names:
    """In a thread: the titles as they are now."""
    from hermes_tui.sessions.named import Names

    names = Names(base)
    names.refresh()
    return names
