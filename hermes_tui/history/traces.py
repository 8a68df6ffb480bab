"""Whether the words of an entry turn up in what the agent said later: a hint that it was of use, and no proof."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.folding import is_cjk
from hermes_tui.sessions.folding import words as words_of
from hermes_tui.sessions.messages import message_text
from hermes_tui.sessions.query import parse
from hermes_tui.sessions.search import Scope, Search

TRIED = 3
"""So many of its words are looked for, the longest: they are rare most of the time."""
LEAST_LETTERS = 5
"""A shorter word may be anywhere."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What was looked for, and where it turned up."""

    words: tuple[str, ...]
    """Empty when the entry has no word that is rare enough to tell anything."""
    session_id: str = ""
    """The newest conversation with an answer that has them all; empty when there is none."""
    message_id: int = 0

    @property
    def found(self) -> bool:
        """Whether there is a trace."""
        return bool(self.session_id)


def rare_words(text: str) -> tuple[str, ...]:
    """The words of an entry that say most about it, the longest first."""
    found = {word for word in words_of(text) if len(word) >= (2 if is_cjk(word[0]) else LEAST_LETTERS)}
    return tuple(sorted(found, key=_length, reverse=True)[:TRIED])


def _length(word: str) -> tuple[int, str]:
    return len(word), word


def trace(base: Database, text: str, since: float | None, stopped: Callable[[], bool] = lambda: False) -> Trace:
    """The newest answer that has the rare words of an entry.

    Args:
        base: the database.
        text: the entry.
        since: when the entry came, in epoch seconds; answers from before say nothing.
        stopped: whether to give up.

    Raises:
        NotFound: there are no sessions.
        Unreadable: they cannot be read.
    """
    looked_for = rare_words(text)
    if not looked_for:
        return Trace(())
    asked = " ".join(f'"{word}"' for word in looked_for)
    day = f" after:{time.strftime('%Y-%m-%d', time.localtime(since))}" if since else ""
    query = parse(f"{asked} role:assistant{day}", time.time())
    # Other ways to read it would be content with one of the words.
    search = Search(base, replace(query, readings=query.readings[:1], instead=()), scope=Scope.everything())
    while not stopped():
        page = search.more(1, patience=1.0)
        for found in page.found:
            for hit in found.hits:
                later = since is None or (hit.timestamp or 0.0) > since
                if hit.kind == "text" and later and _says(base, hit.message_id, looked_for):
                    return Trace(looked_for, hit.session_id, hit.message_id)
        if page.done:
            break
    return Trace(looked_for)


def _says(base: Database, message_id: int, looked_for: Sequence[str]) -> bool:
    """Whether the words are in what was said, and not in what a tool was called with, which is searched as well."""
    rows = base.rows("SELECT content FROM messages WHERE id = ?", (message_id,))
    said = " ".join(words_of(message_text(rows[0][0]))) if rows else ""
    return all(word in said for word in looked_for)
