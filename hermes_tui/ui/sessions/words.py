"""The states of the database and of a search in words: what is wrong, what is left out, what to press."""

from __future__ import annotations

import shlex
import time
from typing import TYPE_CHECKING, Literal

from hermes_tui.errors import HermesTuiError
from hermes_tui.home import HermesHome
from hermes_tui.text import one_line, plural, short_path, visible
from hermes_tui.ui.actions import key_for, with_keys
from hermes_tui.ui.sessions.choosing import HIDDEN_WORDS
from hermes_tui.ui.sessions.counts import hidden_words, showing_keys
from hermes_tui.ui.troubles import NEEDLE_CELLS, no_home_words

if TYPE_CHECKING:
    from hermes_tui.ui.sessions.screen import SessionsScreen

Level = Literal["", "-serious", "-broken"]
"""How loud a notice is; the class it gets."""


def notice_words(screen: SessionsScreen) -> tuple[str, Level]:
    """What to know about the database as a whole; empty when all is well."""
    reader = screen.reader
    trouble = screen.searcher.failure if screen.searching and not reader.trouble else None
    trouble = reader.trouble or trouble or screen.details.failure
    if trouble is not None and trouble.code != "no_sessions":
        return _trouble_words(trouble, screen)
    if trouble is not None and reader.read_at:
        return f"{_gone_words(trouble, screen)} It is looked for all the time.", "-broken"
    notes = list(reader.features.missing) if reader.features else []
    if screen.searching and screen.searcher.answer:
        notes = list(dict.fromkeys([*notes, *screen.searcher.answer.last.notes]))
    if reader.lost:
        lie = "lies" if reader.lost == 1 else "lie"
        notes.append(f"{plural(reader.lost, 'session')} {lie} in damaged pages of state.db.")
    if reader.was_replaced:
        notes.append("state.db is another file than before; what is shown is read from the new one.")
    return visible(" ".join(notes), multiline=False), ""


def _trouble_words(error: HermesTuiError, screen: SessionsScreen) -> tuple[str, Level]:
    as_of = ""
    if screen.reader.listed is not None and screen.reader.read_at:
        as_of = f" What is shown is as of {_clock(screen.reader.read_at)}."
    what = "The search failed: " if screen.searching and error is screen.searcher.failure else ""
    if error.code == "sessions_locked":
        return visible(f"Busy, retrying: {error.message}{as_of}", multiline=False), "-serious"
    words = f"{what}{error.message} {error.hint}{as_of}"
    return visible(" ".join(words.split()), multiline=False), "-broken"


def _gone_words(trouble: HermesTuiError, screen: SessionsScreen) -> str:
    """What has become of a database that was read before."""
    path = short_path(screen.hermes.home.state_db)
    return f"{path} {gone_word(trouble)}; it was last read at {_clock(screen.reader.read_at)}."


def gone_word(trouble: HermesTuiError) -> str:
    """`is gone`, or `is empty (0 bytes)`."""
    return "is empty (0 bytes)" if "0 bytes" in trouble.message else "is gone"


def alert_words(screen: SessionsScreen) -> str:
    """What the top line says beside what it knows of the home."""
    trouble = screen.reader.trouble or (screen.searcher.failure if screen.searching else None)
    if trouble is None or (trouble.code == "no_sessions" and not screen.reader.read_at):
        return ""
    return {"no_sessions": "state.db gone", "sessions_locked": "sessions busy"}.get(trouble.code, "sessions unreadable")


def _clock(stamp: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(stamp))


def empty_words(screen: SessionsScreen) -> str:
    """What a list without rows says."""
    reader = screen.reader
    path = short_path(screen.hermes.home.state_db)
    if not screen.state.exists:
        return no_home_words(screen.hermes.home.path)
    if reader.trouble is not None:
        if reader.trouble.code == "no_sessions" and reader.read_at:
            return f"{_gone_words(reader.trouble, screen)}\nIts sessions show up here again when it is back."
        return _unread_words(reader.trouble, path)
    if screen.searching:
        return _nothing_found(screen)
    if reader.listed is None:
        return "Reading the sessions …"
    return _none_listed(screen)


def _unread_words(trouble: HermesTuiError, path: str) -> str:
    if trouble.code == "no_sessions":
        empty = "is empty (0 bytes)" if "0 bytes" in trouble.message else "does not exist"
        return (
            f"There are no sessions yet: {path} {empty}.\n"
            "The agent makes it with the first conversation, and it shows up here then."
        )
    if trouble.code == "sessions_locked":
        return f"{path} is busy: another program has it locked.\nIt is tried again all the time; nothing was changed."
    return (
        f"The sessions cannot be shown until {path} can be read; that is not the same as no sessions.\n"
        f"{key_for('app.reread')} tries again. Nothing was changed, and the other screens work."
    )


def _nothing_found(screen: SessionsScreen) -> str:
    searcher = screen.searcher
    if searcher.failure is not None:
        failed = visible(searcher.failure.message, multiline=False)
        return f"The search failed: {failed}\n{key_for('app.reread')} tries again."
    if searcher.working or searcher.answer is None or not searcher.settled:
        return "Searching …"
    page, query = searcher.answer.last, searcher.answer.question.query
    named = one_line(query.plain or query.text, NEEDLE_CELLS)
    lines = [f"Nothing was found for “{named}”."]
    runs = {kind: count for kind, count in page.hidden.items() if kind != "archived"}
    if left_out := sum(runs.values()):
        what, shows = hidden_words(runs, words=HIDDEN_WORDS), f"{key_for('sessions.hidden')} shows them"
        lines.append(f"{plural(left_out, 'conversation')} in hidden sources would match ({what}): {shows}.")
    if archived := page.hidden.get("archived", 0):
        lines.append(f"{plural(archived, 'archived conversation')} would match: archived:also shows them too.")
    if query.filters.any:
        only = one_line(screen.filter_words, NEEDLE_CELLS)
        lines.append(f"It was looked for only in {only}; {key_for('sessions.narrow')} changes that.")
    lines.append(f"{key_for('sessions.back')} clears the search.")
    return "\n".join(lines)


def _none_listed(screen: SessionsScreen) -> str:
    listed = screen.reader.listed
    assert listed is not None
    if not listed.complete:
        return "Reading the sessions …"
    what = hidden_words(listed.hidden, words=HIDDEN_WORDS)
    key = f"{showing_keys(listed.hidden)} them."
    if listed.every:
        words = f"0 shown, {plural(listed.every, 'session')} hidden by {one_line(screen.filter_words, NEEDLE_CELLS)}."
        besides = f"{what} would fit and {'are' if sum(listed.hidden.values()) > 1 else 'is'} hidden; {key}\n"
        takes = with_keys("{sessions.back} takes the filter away; {sessions.narrow} changes it.")
        return f"{words}\n{besides if what else ''}{takes}"
    if what:
        return f"Nothing to show but what is hidden: {what}.\n{key[0].upper()}{key[1:]}"
    return "There are no sessions yet: state.db holds none.\nThe first conversation of the agent shows up here."


def resume_command(home: HermesHome, session_id: str) -> str:
    """The command that goes on with a conversation, also when its home is not the one `hermes` opens by itself."""
    command = f"hermes --resume {shlex.quote(session_id)}"
    if home.chosen_by in ("--profile", "chosen here") and home.profile not in ("default", "custom"):
        return f"hermes -p {shlex.quote(home.profile)} --resume {shlex.quote(session_id)}"
    if home.chosen_by in ("--home", "--profile", "chosen here"):
        return f"HERMES_HOME={shlex.quote(str(home.path))} {command}"
    return command
