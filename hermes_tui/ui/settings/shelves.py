"""Memories that lie outside the two stores, in one form whoever holds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes_tui.providers.facts import Fact, Facts, fact_settings
from hermes_tui.sessions.dates import local

if TYPE_CHECKING:
    from hermes_tui.home import HermesHome
    from hermes_tui.providers.remote import Memory, Remote

PAGE_ROWS = 50


@dataclass(frozen=True, slots=True)
class Book:
    """One memory."""

    key: str
    """What it is named by; empty when it has no name."""
    text: str
    side: str
    """A word or two for the list."""
    facts: tuple[tuple[str, str], ...]
    """What else is known, by name."""
    thing: object
    """The memory itself, for whoever holds it."""


@dataclass(frozen=True, slots=True)
class Lot:
    """Some of them."""

    books: tuple[Book, ...]
    cursor: str = ""
    """Where the next lot begins; empty after the last."""
    words: str = ""
    """How many there are in all, and what is not among them."""


class FactShelf:
    """Holographic's facts, in a file of this machine.

    Every method is called in a thread, one at a time.
    """

    title = "Holographic"
    can_search = True
    can_undo = True
    pictures = False
    never = ""

    def __init__(self, home: HermesHome, read_only: bool) -> None:
        self._home = home
        self.can_delete = not read_only
        settings = fact_settings(home)
        self.where = str(settings.path)
        self._path = settings.path
        self._note = settings.note

    def lot(self, cursor: str) -> Lot:
        """Some of the facts, the most trusted first."""
        offset = int(cursor or 0)
        with Facts(self._path) as facts:
            found = facts.list(limit=PAGE_ROWS + 1, offset=offset)
            counts = facts.counts()
        more = str(offset + PAGE_ROWS) if len(found) > PAGE_ROWS else ""
        words = f"{counts.facts:,} facts, {counts.entities:,} entities. {self._note}".strip()
        return Lot(tuple(map(_book_of_fact, found[:PAGE_ROWS])), more, words)

    def search(self, query: str) -> Lot:
        """Facts that hold the words as they stand."""
        with Facts(self._path) as facts:
            found = facts.search(query)
        return Lot(tuple(map(_book_of_fact, found)), words=f"{len(found):,} found")

    def delete(self, books: Sequence[Book]) -> str:
        """Delete them as the agent would, with a copy; what was done."""
        from hermes_tui.providers.fact_deletion import FactKeeper

        facts = [book.thing for book in books if isinstance(book.thing, Fact)]
        FactKeeper(self._home).delete(facts)
        return f"{len(facts):,} deleted, and the bank of the category made anew."

    def undo(self) -> str:
        """Bring back what was deleted last; what was done."""
        from hermes_tui.providers.fact_deletion import FactKeeper

        return f"{len(FactKeeper(self._home).undo().facts):,} brought back."

    def picture(self) -> str:
        """It makes none of anybody."""
        return ""

    def cancel(self) -> None:
        """There is nothing to wait for."""


class RemoteShelf:
    """The memories of a provider that was asked with a person's leave.

    Every method is called in a thread, one at a time, but `cancel`.
    """

    can_undo = False
    never = "The provider deletes it for good: nothing here can bring it back."

    def __init__(self, remote: Remote, read_only: bool) -> None:
        self._remote = remote
        self.title = remote.title
        self.where = remote.where
        self.can_search = remote.can("search")
        self.can_delete = remote.can("delete") and not read_only
        self.pictures = remote.can("representation")

    def lot(self, cursor: str) -> Lot:
        """Some of the memories."""
        if not self._remote.can("list"):
            return Lot((), words="It gives no list; search it.")
        page = self._remote.list(PAGE_ROWS, cursor)
        total = f"{page.total:,} in all." if page.total is not None else ""
        return Lot(tuple(map(_book_of_memory, page.memories)), page.cursor, f"{total} {page.note}".strip())

    def search(self, query: str) -> Lot:
        """Those that the provider finds."""
        found = self._remote.search(query, PAGE_ROWS)
        return Lot(tuple(map(_book_of_memory, found)), words=f"{len(found):,} found, the best first")

    def delete(self, books: Sequence[Book]) -> str:
        """Delete them for good; what was done."""
        for book in books:
            self._remote.delete(book.key)
        return f"{len(books):,} deleted at {self.where}."

    def picture(self) -> str:
        """What the provider makes of each person."""
        said = []
        for each in self._remote.representation():
            card = "\n".join(f"- {line}" for line in each.card)
            concluded = "\n".join(f"- {memory.text}" for memory in each.conclusions)
            parts = [f"{each.about}, as {each.observer} sees it", card, each.text, concluded]
            said.append("\n".join(filter(None, parts)))
        return "\n\n".join(said) or "It has made nothing of anybody yet."

    def undo(self) -> str:
        """Nothing can be brought back."""
        return self.never

    def cancel(self) -> None:
        """Stop asking."""
        self._remote.cancel()


Shelf = FactShelf | RemoteShelf


def _when(stamp: float | None) -> str:
    then = local(stamp) if stamp is not None else None
    return f"{then.tm_year}-{then.tm_mon:02}-{then.tm_mday:02}" if then else ""


def _book_of_fact(fact: Fact) -> Book:
    trust = "" if fact.trust is None else f"{fact.trust:.2f}"
    facts = (
        ("category", fact.category),
        ("tags", fact.tags),
        ("trust", trust),
        ("about", ", ".join(fact.entities)),
        ("recalled", f"{fact.retrieved:,} times, {fact.helpful:,} helpful"),
        ("made", _when(fact.created_at)),
        ("changed", _when(fact.updated_at)),
    )
    return Book(str(fact.id), fact.text, trust, facts, fact)


def _book_of_memory(memory: Memory) -> Book:
    score = "" if memory.score is None else f"{memory.score:.2f}"
    facts = (("kind", memory.kind), ("score", score), ("made", _when(memory.created_at)), *memory.extra.items())
    return Book(memory.id, memory.text, score or _when(memory.created_at), (*facts, ("id", memory.id)), memory)
