"""`hermes-tui history`: what the agent remembered at any time, since when, and who wrote it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from hermes_tui.cli.asking import ProgressLine
from hermes_tui.cli.context import home_options, json_option, open_config, open_home, open_store, options
from hermes_tui.cli.output import emit, say
from hermes_tui.cli.texts import whole_characters
from hermes_tui.errors import HermesTuiError, NotFound, Refused

if TYPE_CHECKING:
    from hermes_tui.history.ever import Ever
    from hermes_tui.history.history import History, Timeline
    from hermes_tui.memory.entries import StoreName
    from hermes_tui.memory.view import StoreView

SHOWN = 50

store_option = click.option("--store", type=click.Choice(["memory", "user"]), help="Only this store.")


@click.group()
def history() -> None:
    """What the agent believed, since when, and who wrote it.

    It is put together from the prompts that sessions have stored, from the calls of the memory tool, and from what was
    done and seen with hermes-tui. What is likely is said to be likely, and what is not known is said to be unknown.
    """


@history.command()
@store_option
@click.option("--limit", type=click.IntRange(min=1), default=SHOWN, show_default=True, metavar="N",
              help="So many changes at most, the latest ones.")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="All changes.")
@home_options
@json_option
def log(store: StoreName | None, limit: int, everything: bool) -> None:
    """Every change, the latest last."""
    from hermes_tui.cli.history_shapes import change_shape, changes_text

    past = _Past()
    changes = [change for change in past.timeline.changes() if store in (None, change.store)]
    shown = changes if everything else changes[-limit:]
    shape = {"changes": [change_shape(change) for change in shown], "more": len(changes) > len(shown)}
    emit({**shape, **past.facts}, lambda: changes_text(shown), as_json=options().json)
    past.tell(f"{len(shown):,} of {len(changes):,} changes.")


@history.command()
@click.argument("when", metavar="TIME|SESSION")
@store_option
@home_options
@json_option
def at(when: str, store: StoreName | None) -> None:
    """Both stores as they were at a time, or as a session was told.

    TIME is 2025, 2025-03, 2025-03-30, 2025-03-30T14:05, today, or 7d, and what was at its end; SESSION is an id, a
    title, or the beginning of an id.
    """
    from hermes_tui.cli.shapes import store_shape, stores_text
    from hermes_tui.history.history import past_view

    past = _Past()
    moment, session_id = _moment(when), ""
    if moment is None:
        session_id, views = past.told(whole_characters(when))
    else:
        states = {view: past.timeline.state(view.store, moment) for view in past.views}
        views = [past_view(view, past.config, state.entries) for view, state in states.items() if state is not None]
    chosen = [view for view in views if store in (None, view.store)]
    if not chosen:
        raise NotFound(
            f"Nothing is known of {when}.", code="unknown_past", hint="See how far back it goes: `history log --all`."
        )
    shape = {
        "home": str(past.home.path),
        "at": moment,
        "session_id": session_id or None,
        "stores": [{**store_shape(view), "certain": past.certain(view.store, moment)} for view in chosen],
    }
    emit({**shape, **past.facts}, lambda: stores_text(chosen), as_json=options().json)
    for view in chosen:
        if not past.certain(view.store, moment):
            past.tell(
                f"What {view.file_name} held then follows from what is known before and after; nothing recorded it."
            )


@history.command()
@store_option
@home_options
@json_option
def blame(store: StoreName | None) -> None:
    """For every entry, since when it is there, who wrote it, and how sure that is."""
    from hermes_tui.cli.history_shapes import blame_shape, blames_text

    past = _Past()
    found = past.timeline.blame(view for view in past.views if store in (None, view.store))
    emit({"entries": [blame_shape(each) for each in found], **past.facts}, lambda: blames_text(found),
         as_json=options().json)  # fmt: skip
    past.tell("")


@history.command()
@click.argument("words", nargs=-1)
@store_option
@click.option("--gone", is_flag=True, help="Only entries that are not there any more.")
@home_options
@json_option
def search(words: tuple[str, ...], store: StoreName | None, gone: bool) -> int:
    """Entries that are or ever were there and have all the WORDS; all of them without words."""
    from hermes_tui.cli.history_shapes import ever_shape, evers_text

    past = _Past()
    found = [
        each
        for each in past.ever(whole_characters(" ".join(words)))
        if store in (None, each.store) and (each.until is not None or not gone)
    ]
    emit({"entries": [ever_shape(each) for each in found], **past.facts}, lambda: evers_text(found),
         as_json=options().json)  # fmt: skip
    past.tell("" if found else "No entry that is known has these words.")
    return 0 if found else 1


@history.command()
@click.argument("words", nargs=-1, required=True)
@store_option
@click.option("--exact", is_flag=True, help="WORDS are the whole entry.")
@click.option("--dry-run", is_flag=True, help="Show which entry would come back, and do nothing.")
@home_options
@json_option
def restore(words: tuple[str, ...], store: StoreName | None, exact: bool, dry_run: bool) -> None:
    """Bring an entry back that is not there any more, by words that only it has.

    It is added by the store's own rules: within its limit, and past the threat scan.
    """
    from hermes_tui.cli.history_shapes import ever_shape, evers_text
    from hermes_tui.cli.memory import tell

    past = _Past()
    text = whole_characters(" ".join(words))
    gone = [each for each in past.ever("" if exact else text) if store in (None, each.store) and each.until is not None]
    matching = (
        [each for each in gone if each.text == text] if exact or any(each.text == text for each in gone) else gone
    )
    if not matching:
        raise NotFound(
            f"No entry that is gone has “{text}”.", code="no_such_entry", hint="See `history search --gone`."
        )
    if len(matching) > 1:
        say(evers_text(matching[:10]))
        raise Refused(
            f"{len(matching):,} entries that are gone have “{text}”.", code="ambiguous_entry", hint="Give more of it."
        )
    wanted = matching[0]
    if dry_run:
        emit({"entry": ever_shape(wanted), "dry_run": True}, lambda: evers_text([wanted]), as_json=options().json)
        return
    files = open_store(options())
    tell(files, files.add(wanted.store, wanted.text))


@history.command()
@home_options
@json_option
def exposure() -> None:
    """Sessions that ran with a text which the agent's threat scan blocks today."""
    from hermes_tui.cli.history_shapes import exposure_shape, exposures_text
    from hermes_tui.history.exposure import exposures

    past = _Past()
    found = exposures(past.history.index)
    emit({"exposures": [exposure_shape(each) for each in found], **past.facts}, lambda: exposures_text(found),
         as_json=options().json)  # fmt: skip
    past.tell("" if found else "No session that is known ran with such a text.")


class _Past:
    """The history of the chosen home, read up to now."""

    def __init__(self) -> None:
        from hermes_tui.history.history import History
        from hermes_tui.home import data_dir
        from hermes_tui.memory.entries import STORES
        from hermes_tui.memory.view import view_store

        self.home = open_home(options())
        self.config = open_config(self.home)
        self.history: History = History(data_dir(self.home.path), self.home.logs)
        self.history.load()
        self.trouble = ""
        self._read()
        self.views = [view_store(self.home, self.config, store) for store in STORES]
        if not options().read_only:
            self.history.note(self.views)
        self.timeline: Timeline = self.history.timeline(self.views)

    def _read(self) -> None:
        from hermes_tui.sessions.database import Database

        try:
            with Database(self.home.state_db) as base, ProgressLine("Read") as progress:
                for share in self.history.read(base):
                    progress(int(share * 100), 100)
        except HermesTuiError as error:
            # What was found before, and what we know ourselves, is there all the same.
            self.trouble = error.message

    @property
    def facts(self) -> dict[str, Any]:
        """What it rests on."""
        missing = [self.trouble] if self.trouble else []
        return {"sessions_known": self.timeline.sessions, "complete": self.timeline.complete, "missing": missing}

    def tell(self, words: str) -> None:
        """Say something to the person, and what is missing."""
        if not options().json:
            for sentence in (words, self.trouble):
                if sentence:
                    say(sentence)

    def ever(self, text: str) -> tuple[Ever, ...]:
        """Every entry there ever was that has these words."""
        from hermes_tui.history.ever import search as search_in

        return search_in(self.timeline.ever(), text)

    def told(self, name: str) -> tuple[str, list[StoreView]]:
        """What a session was told, also one that the agent has deleted since.

        Raises:
            NotFound: it is not known, or was told nothing.
        """
        from hermes_tui.history.history import past_view
        from hermes_tui.sessions.database import Database
        from hermes_tui.sessions.meant import meant

        id = name
        if id not in self.timeline.told:
            with Database(self.home.state_db) as base:
                id = meant(base, name)
        blocks = self.timeline.told.get(id)
        if not blocks:
            raise NotFound(
                f"Session {id} has no block of memory stored.",
                code="no_snapshot",
                hint="Scheduled runs and subagents get none, and a session has it only after its first answer.",
            )
        stated = [(view, blocks[view.store]) for view in self.views if view.store in blocks]
        return id, [past_view(view, self.config, each.entries, each.limit) for view, each in stated]

    def certain(self, store: StoreName, moment: float | None) -> bool:
        """Whether something recorded what a store held at a time."""
        if moment is None:
            return True
        state = self.timeline.state(store, moment)
        return state is not None and state.certain


def _moment(text: str) -> float | None:
    """A time that is typed; None when it is none."""
    from hermes_tui.sessions.dates import period

    for form in ("%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"):
        try:
            return time.mktime(time.strptime(text, form))
        except (ValueError, OverflowError):
            continue
    if text.isdecimal() and len(text) > 8:
        return float(text)  # epoch seconds, as in the JSON
    found = period(text, time.time())
    # A day, a month or a year as a whole: what was at its end, as far as it is over.
    return None if found is None else min(found[1] - 1, time.time())
