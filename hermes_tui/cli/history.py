"""`hermes-tui history`: what the agent remembered at any time, since when, and who wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hermes_tui.cli.context import home_options, json_option, open_store, options
from hermes_tui.cli.history_reviews import reviews
from hermes_tui.cli.memory import accept_newer as accepting_newer
from hermes_tui.cli.memory import any_store, tell
from hermes_tui.cli.output import emit, say
from hermes_tui.cli.past import Past, doubt_words, moment_meant
from hermes_tui.cli.texts import whole_characters
from hermes_tui.errors import NotFound, Refused

if TYPE_CHECKING:
    from hermes_tui.history.ever import Ever
    from hermes_tui.memory.entries import StoreName

SHOWN = 50
SAID_CELLS = 160
"""So much of a text is said after it came back."""
LISTED = 10
"""So many are named when several could be meant."""


@click.group()
def history() -> None:
    """What the agent believed, since when, and who wrote it.

    It is put together from the prompts that sessions have stored, from the calls of the memory tool, and from what was
    done and seen with hermes-tui. What is likely is said to be likely, and what is not known is said to be unknown.
    """


@history.command()
@any_store
@click.option("--limit", type=click.IntRange(min=1), default=SHOWN, show_default=True, metavar="N",
              help="So many changes at most, the latest ones.")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="All changes.")
@home_options
@json_option
def log(store: StoreName | None, limit: int, everything: bool) -> int:
    """Every change, the latest last."""
    from hermes_tui.cli.history_shapes import change_shape, changes_text

    past = Past()
    changes = [change for change in past.timeline.changes() if store in (None, change.store)]
    shown = changes if everything else changes[-limit:]
    shape = {"changes": [change_shape(change) for change in shown], "more": len(changes) > len(shown)}
    return past.answer(shape, lambda: changes_text(shown), f"{len(shown):,} of {len(changes):,} changes.")


@history.command()
@click.argument("words", nargs=-1, required=True, metavar="TIME|SESSION")
@any_store
@home_options
@json_option
def at(words: tuple[str, ...], store: StoreName | None) -> int:
    """Both stores as they were at a time, or as a session was told.

    TIME is 2025, 2025-03, 2025-03-30, 2025-03-30T14:05, today, or 7d, and what was at its end, or epoch seconds;
    SESSION is an id, a title, or the beginning of an id.
    """
    from hermes_tui.cli.shapes import store_shape, stores_text
    from hermes_tui.memory.entries import FILE_NAMES

    when = whole_characters(" ".join(words))
    moment = moment_meant(when)
    past = Past()
    session_id, known = past.told(when) if moment is None else ("", past.held(moment))
    chosen = [(view, certain) for view, certain in known if store in (None, view.store)]
    if not chosen:
        what = FILE_NAMES[store] if store else "either store"
        then = f"in session {session_id}" if session_id else f"at {when}"
        raise NotFound(
            f"Nothing is known of what {what} held {then}.",
            code="unknown_past",
            hint="See how far back it goes: `history log --all`.",
        )
    shape = {
        "home": str(past.home.path),
        "at": moment,
        "session_id": session_id or None,
        "stores": [{**store_shape(view), "certain": certain} for view, certain in chosen],
    }
    doubts = [doubt_words(view, session_id) for view, certain in chosen if not certain]
    return past.answer(shape, lambda: stores_text([view for view, _ in chosen]), *doubts)


@history.command()
@any_store
@home_options
@json_option
def blame(store: StoreName | None) -> int:
    """For every entry, since when it is there, who wrote it, and how sure that is."""
    from hermes_tui.cli.history_shapes import blame_shape, blames_text

    past = Past()
    found = past.timeline.blame(view for view in past.views if store in (None, view.store))
    return past.answer({"entries": [blame_shape(each) for each in found]}, lambda: blames_text(found))


@history.command()
@click.argument("words", nargs=-1)
@any_store
@click.option("--gone", is_flag=True, help="Only entries that are not there any more.")
@home_options
@json_option
def search(words: tuple[str, ...], store: StoreName | None, gone: bool) -> int:
    """Entries that are or ever were there and have all the WORDS; all of them without words."""
    from hermes_tui.cli.history_shapes import ever_shape, evers_text

    past = Past()
    found = [
        each
        for each in past.ever(whole_characters(" ".join(words)))
        if store in (None, each.store) and (each.until is not None or not gone)
    ]
    said = "" if found else "No entry that is known has these words."
    code = past.answer({"entries": [ever_shape(each) for each in found]}, lambda: evers_text(found), said)
    return code or (0 if found else 1)


@history.command()
@click.argument("words", nargs=-1, required=True)
@any_store
@click.option("--exact", is_flag=True, help="WORDS are the whole entry.")
@click.option("--dry-run", is_flag=True, help="Show which entry would come back, and do nothing.")
@accepting_newer
@home_options
@json_option
def restore(words: tuple[str, ...], store: StoreName | None, exact: bool, dry_run: bool, accept_newer: bool) -> None:
    """Bring an entry back that is not there any more, by words that only it has.

    It is added by the store's own rules: within its limit, and past the threat scan.
    """
    from dataclasses import replace

    from hermes_tui.cli.history_shapes import ever_shape, evers_text
    from hermes_tui.memory.entries import FILE_NAMES
    from hermes_tui.text import one_line

    past = Past()
    wanted = _wanted(past, whole_characters(" ".join(words)), store, exact=exact)
    if dry_run:
        emit({"entry": ever_shape(wanted), "dry_run": True}, lambda: evers_text([wanted]), as_json=options().json)
        return
    files = open_store(options())
    outcome = files.add(wanted.store, wanted.text, accept_newer=accept_newer)
    if not outcome.already:
        named = one_line(" ".join(wanted.text.split()), SAID_CELLS)
        message = f"Restored “{named}” to {FILE_NAMES[wanted.store]}; `memory undo` takes it back."
        outcome = replace(outcome, message=message)
    tell(files, outcome)


def _wanted(past: Past, text: str, store: StoreName | None, *, exact: bool) -> Ever:
    """The one entry that is gone and has a text.

    Raises:
        NotFound: there is none.
        Refused: there are several, or only a note in its place is known.
    """
    from hermes_tui.cli.history_shapes import evers_text
    from hermes_tui.history.veils import is_note

    found = [each for each in past.ever("" if exact else text) if store in (None, each.store)]
    whole = [each for each in found if each.text == text]
    gone = [each for each in (whole if exact else found) if each.until is not None]
    matching = [each for each in gone if each.text == text] or gone
    if not matching:
        there = any(each.until is None for each in (whole if exact else found))
        raise NotFound(
            f"The entry with “{text}” is not gone." if there else f"No entry that is gone has “{text}”.",
            code="not_gone" if there else "no_such_entry",
            hint="See `history search`." if there else "See `history search --gone`.",
        )
    if len(matching) > 1:
        say(evers_text(matching[:LISTED]))
        where = " Name the store with --store." if len({each.store for each in matching}) == len(matching) else ""
        raise Refused(
            f"{len(matching):,} entries that are gone have “{text}”.",
            code="ambiguous_entry",
            hint=where.strip() or "Give more of it.",
        )
    if is_note(matching[0].text):
        raise Refused(
            "Only the note is known that a session was told in the place of this entry, which the threat scan blocked.",
            code="only_a_note",
            hint="Its own words are nowhere to be found.",
        )
    return matching[0]


@history.command()
@home_options
@json_option
def exposure() -> int:
    """Sessions that ran with a text which the agent's threat scan blocks today."""
    from hermes_tui.cli.history_shapes import exposure_shape, exposures_text
    from hermes_tui.history.exposure import exposures

    past = Past()
    found = exposures(past.history.index)
    said = "" if found else "No session that is known ran with such a text."
    return past.answer({"exposures": [exposure_shape(each) for each in found]}, lambda: exposures_text(found), said)


history.add_command(reviews)
