"""What the line of counts and the corner of the box say, from what the screen knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.text import one_line, plural
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.sessions.choosing import HIDDEN_WORDS, ORDER_WORDS
from hermes_tui.ui.sessions.counts import Counts, Fact, found_words, hidden_words, listed_words, showing_keys
from hermes_tui.ui.sessions.words import gone_word

if TYPE_CHECKING:
    from hermes_tui.ui.sessions.screen import SessionsScreen

FILTER_CELLS = READING_CELLS = 60


def counts_of(screen: SessionsScreen) -> Counts:
    """The line under the box; what is selected comes first."""
    counts = _of_search(screen) if screen.searching else _of_list(screen)
    shown = screen.session_list
    if not shown.selection:
        return counts
    facts = [Fact(f"{len(shown.selected):,} selected · {plural(shown.selected_messages, 'message')}", 0, "accent")]
    if apart := len(shown.selection) - len(shown.selected):
        facts.append(Fact(f"{apart:,} more not shown", 1, "warning"))
    first, *rest = counts.left or (Fact("", 3),)
    return counts._replace(left=(*facts, *([first._replace(rank=3)] if first.words else []), *rest))


def _of_list(screen: SessionsScreen) -> Counts:
    reader, choosing = screen.reader, screen.choosing
    listed = reader.listed
    if listed is None:
        return _unread(screen)
    facts = [Fact(listed_words(listed), 0, "foreground")]
    if reader.loading:
        facts.append(Fact(f"reading the rest, {reader.loading:,} so far", 1))
    facts += _filters(screen)
    if what := hidden_words(listed.hidden, words=HIDDEN_WORDS):
        facts.append(Fact(f"{what} hidden", 2))
        facts.append(Fact(showing_keys(listed.hidden), 5))
    return Counts(tuple(facts), ORDER_WORDS[choosing.order])


def _unread(screen: SessionsScreen) -> Counts:
    """Nothing can be counted."""
    trouble = screen.reader.trouble or screen.searcher.failure
    if trouble is None:
        return Counts()
    words = {"no_sessions": "no sessions yet", "sessions_locked": "busy, retrying"}.get(trouble.code, "cannot be read")
    if trouble.code == "no_sessions" and screen.reader.read_at:
        words = f"state.db {gone_word(trouble)}"
    if not screen.state.exists:
        words = "no such home"
    facts = [Fact(words, 0, "warning" if trouble.code == "sessions_locked" else "foreground")]
    if screen.searching and screen.searcher.answer is not None:
        facts.append(Fact("hits of the words before", 1, "warning"))
    return Counts((*facts, *_filters(screen)))


def _filters(screen: SessionsScreen) -> list[Fact]:
    """What narrows the view: always named, wherever the box has been scrolled to."""
    facts = []
    if words := screen.filter_words:
        facts.append(Fact(f"only {one_line(words, FILTER_CELLS)}", 1, "warning"))
    if screen.choosing.kinds:
        kinds = ", ".join(sorted(screen.choosing.kinds))
        facts.append(Fact("all kinds" if screen.choosing.shows_all_kinds else f"also {kinds}", 4))
    return facts


def _of_search(screen: SessionsScreen) -> Counts:
    searcher, reader = screen.searcher, screen.reader
    answer = searcher.answer
    if answer is None or not searcher.settled:
        if searcher.failure or reader.trouble:
            return _unread(screen)
        return Counts((Fact("searching …", 0), *_filters(screen)), _sort_words(screen))
    page = answer.last
    more = not page.done
    # By relevance the matches come all at once, long before the conversations they are in.
    hits = 0 if more and answer.sort == "relevance" else page.matches + answer.named
    facts = [Fact(found_words(answer.conversations, hits, more=more), 0, "foreground")]
    if page.reading and answer.conversations:
        facts.append(Fact(one_line(page.reading, READING_CELLS), 1, "warning"))
    if not page.as_text:
        facts += _filters(screen)
    runs = {kind: count for kind, count in page.hidden.items() if kind != "archived"}
    if left_out := sum(runs.values()):
        facts.append(Fact(f"{left_out:,} in hidden sources, {key_for('sessions.hidden')} shows", 2))
        facts.append(Fact(hidden_words(runs, words=HIDDEN_WORDS), 5))
    if archived := page.hidden.get("archived", 0):
        facts.append(Fact(f"{archived:,} archived left out", 3))
    return Counts(tuple(facts), _sort_words(screen))


def _sort_words(screen: SessionsScreen) -> str:
    answer = screen.searcher.answer
    if screen.sort == "relevance" and (answer is None or answer.sort != "relevance"):
        return "newest first, ranking …"
    first = {"title": "titles first, then ", "id": "id first, then "}.get(answer.first_kind if answer else "", "")
    if screen.sort == "relevance":
        return f"{first}by relevance"
    return f"{first}newest" if first else "newest hits first"


def state_words(screen: SessionsScreen, progress: float | None) -> str:
    """The corner of the box: what a search is doing."""
    if not screen.searching or not screen.searcher.working:
        return ""
    answer = screen.searcher.answer
    ranking = screen.sort == "relevance" and answer is not None and screen.searcher.settled
    words = "ranking" if ranking else "searching"
    if progress is None and answer is not None and screen.searcher.settled:
        progress = answer.last.progress
    return f"{words} {int(progress * 100)}%" if progress else f"{words} …"
