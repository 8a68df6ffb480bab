"""What a provider holds differently from MEMORY.md and USER.md, as far as files on this machine say so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hermes_tui.config import load_config
from hermes_tui.errors import HermesTuiError, NotFound
from hermes_tui.home import HermesHome, data_dir
from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.memory.journal import Journal
from hermes_tui.memory.view import view_store
from hermes_tui.providers.catalogue import Provider
from hermes_tui.providers.facts import Facts, fact_settings
from hermes_tui.sessions.database import Database
from hermes_tui.text import plural

QUEUE_FILE = "retaindb_queue.db"
MOST_KEPT = 1000
"""So many texts of each kind are named."""


@dataclass(frozen=True, slots=True)
class Text:
    """An entry that one side has and the other has not."""

    store: StoreName
    text: str


@dataclass(frozen=True, slots=True)
class Diverged:
    """The difference between a provider and the built-in memory."""

    absent: tuple[Text, ...] = ()
    """Entries of now that it does not hold (known), or was never told of because they were made here."""
    stale: tuple[Text, ...] = ()
    """Entries that were removed or changed here, and that it may hold still."""
    facts: int | None = None
    """How many memories it has on this machine; None where that is not known."""
    extra: int = 0
    """How many of those are no entry of now: its own findings, and what was removed from the files."""
    queued: int | None = None
    """Turns that wait on this machine to be sent; None where there is no such queue."""
    words: tuple[str, ...] = ()
    """The same in sentences; empty when nothing differs."""


def diverged(provider: Provider, home: HermesHome, *, active: bool) -> Diverged | None:
    """What differs; None where nothing can be known offline. Only reads."""
    if provider.name == "holographic":
        return _facts(home, active=active)
    queued, words = _queue(home) if provider.name == "retaindb" else (None, [])
    if not active:
        return Diverged(queued=queued, words=tuple(words)) if queued is not None or words else None
    added, removed = _made_here(home)
    now = {Text(store, text) for store in STORES for text in _entries(home, store)}
    added = tuple(text for text in added if text in now)
    removed = tuple(text for text in removed if text not in now)
    if provider.mirrored:
        if added:
            words.append(f"{plural(len(added), 'entry', 'entries')} made here that it was not told of.")
        if removed:
            words.append(f"{plural(len(removed), 'entry', 'entries')} removed or changed here that it may hold still.")
    else:
        added, removed = (), ()
    return Diverged(added, removed, queued=queued, words=tuple(words))


def _facts(home: HermesHome, *, active: bool) -> Diverged | None:
    try:
        with Facts(fact_settings(home).path) as base:
            held = {fact.text.strip() for fact in base.list()}
    except NotFound:
        if not active:
            return None
        held = set()
    except HermesTuiError as error:
        return Diverged(words=(str(error),))
    entries = [Text(store, text) for store in STORES for text in _entries(home, store)]
    now = {entry.text.strip() for entry in entries}
    absent = tuple(entry for entry in entries if entry.text.strip() not in held)[:MOST_KEPT]
    stale = tuple(text for text in _made_here(home)[1] if text.text.strip() in held)
    extra = len(held - now)
    words = [f"It holds {plural(len(held), 'fact')}."]
    if absent:
        words.append(f"{plural(len(absent), 'entry', 'entries')} of MEMORY.md and USER.md that it does not hold.")
    if stale:
        words.append(f"{plural(len(stale), 'entry', 'entries')} removed or changed here that it holds still.")
    if extra:
        words.append(
            f"{plural(extra, 'fact')} that {'is' if extra == 1 else 'are'} no entry now: its own, or left over."
        )
    return Diverged(absent, stale, len(held), extra, words=tuple(words))


def _entries(home: HermesHome, store: StoreName) -> list[str]:
    return view_store(home, load_config(home), store).texts


def _made_here(home: HermesHome) -> tuple[tuple[Text, ...], tuple[Text, ...]]:
    """What our own changes added and took away in all, going by the journal."""
    added: dict[Text, None] = {}
    removed: dict[Text, None] = {}
    try:
        records = Journal(data_dir(home.path)).records()
    except HermesTuiError:
        return (), ()
    for record in records:
        if record.state != "done":
            continue
        for change in record.files:
            before = [Text(change.store, text) for hunk in change.hunks for text in hunk.old]
            after = [Text(change.store, text) for hunk in change.hunks for text in hunk.new]
            _shift([text for text in before if text not in after], out_of=added, into=removed)
            _shift([text for text in after if text not in before], out_of=removed, into=added)
    return tuple(added)[:MOST_KEPT], tuple(removed)[:MOST_KEPT]


def _shift(texts: Iterable[Text], *, out_of: dict[Text, None], into: dict[Text, None]) -> None:
    for text in texts:
        if text in out_of:
            del out_of[text]
        else:
            into[text] = None


def _queue(home: HermesHome) -> tuple[int | None, list[str]]:
    """How many turns wait to be sent, and what to say about it."""
    path = home.path / QUEUE_FILE
    if not path.is_file():
        return None, []
    try:
        base = Database(path)
        try:
            count = base.rows("SELECT COUNT(*) FROM pending")[0][0]
        finally:
            base.close()
    except NotFound:
        return None, []
    except HermesTuiError:
        return None, [f"{path} cannot be read, so it is not known how many turns wait to be sent."]
    if not isinstance(count, int):
        return None, []
    return count, [
        f"{plural(count, 'turn')} on this machine {'waits' if count == 1 else 'wait'} to be sent."
    ] if count else []
