"""Why a key makes no sense right now, and what there is to say about the past as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.history.veils import is_note
from hermes_tui.memory.entries import FILE_NAMES
from hermes_tui.text import one_line, short_path, visible
from hermes_tui.ui.actions import Action, key_for
from hermes_tui.ui.memory.pane import DISABLED_KEYS
from hermes_tui.ui.timeline.behind import why_no_message
from hermes_tui.ui.troubles import NEEDLE_CELLS, config_words, no_home_words, nowhere_to_write, read_only_words

if TYPE_CHECKING:
    from hermes_tui.ui.timeline.screen import TimelineScreen

_NEED_A_MOMENT = {
    *("timeline.earlier", "timeline.later", "timeline.day_earlier", "timeline.day_later"),
    *("timeline.week_earlier", "timeline.week_later", "timeline.against", "timeline.chart", "timeline.search"),
}
_NEED_AN_ENTRY = {"timeline.restore": "restore", "timeline.copy": "copy", "timeline.story": "tell the story of"}


def why_not(action: Action, screen: TimelineScreen) -> str | None:
    """The reason, or None when the action can be done."""
    if action.writes and screen.hermes.read_only:
        return read_only_words(action)
    if not screen.ready:
        return None
    if action.writes and not screen.state.exists:
        return nowhere_to_write(screen.hermes.home.path)
    if screen.known is None and (action.id in _NEED_A_MOMENT or action.id in _NEED_AN_ENTRY):
        return reading_words(screen)
    if action.id in _NEED_A_MOMENT and screen.line.start is None:
        return _unless_reading(screen, "Nothing is known of the past yet.")
    if action.id in ("timeline.earlier_session", "timeline.later_session") and not screen.line.sessions:
        return _unless_reading(screen, "No session that is known was told anything of memory.")
    if action.id in _NEED_AN_ENTRY and screen.entry is None:
        return _unless_reading(screen, f"There is no entry here to {_NEED_AN_ENTRY[action.id]}.")
    if action.id == "timeline.restore":
        return _why_not_restore(screen)
    if action.id == "timeline.open":
        return _why_not_open(screen)
    if action.id == "timeline.exposure" and not (screen.known and screen.known.exposures):
        trouble = screen.chronicle.trouble
        if trouble is not None and trouble.exit_code != 1:
            return f"Nobody can tell which sessions ran with what is blocked now: {trouble.message}"
        return _unless_reading(screen, "No session that is known ran with a text that is blocked now.")
    return None


def is_reading(screen: TimelineScreen) -> bool:
    """Whether more will be known in a moment: what is not there now may only not be read yet."""
    return screen.known is None or (screen.chronicle.share is not None and not screen.known.complete)


def reading_words(screen: TimelineScreen) -> str:
    """That history is being read, and how far."""
    share = screen.chronicle.share
    return f"History is being read, {int(share * 100)} % so far." if share else "History is being read."


def _unless_reading(screen: TimelineScreen, words: str) -> str:
    return reading_words(screen) if is_reading(screen) else words


def _why_not_restore(screen: TimelineScreen) -> str | None:
    change = screen.change_list.change
    wanted = screen.restoring.wanted
    if wanted is None and change is not None and (change.partial or change.after_partial):
        return "Only a part of this entry is known, so it cannot be brought back."
    if wanted is None:
        return "It is there now: nothing has to be restored."
    if is_note(wanted.text):
        return "Only the note is known that a session was told in its place; its own words are nowhere to be found."
    view = screen.state.view(wanted.store)
    return f"{view.problem} {view.hint}".strip() if view.state == "unreadable" else None


def _why_not_open(screen: TimelineScreen) -> str | None:
    if screen.searching.on:
        return None if screen.change_list.ever else _unless_reading(screen, "There is no entry here.")
    if screen.place.session:
        return None
    change = screen.change_list.change
    return why_no_message(change) if change else _unless_reading(screen, "There is no change here.")


def label_of(action: Action, screen: TimelineScreen) -> str:
    """The label, which follows what the key would do."""
    if not screen.ready:
        return action.label
    if action.id == "timeline.open":
        return "Go there" if screen.searching.on else "Session" if screen.place.session else action.label
    if action.id == "timeline.chart":
        return "Stores" if screen.consulting.chart_shown else action.label
    if action.id == "timeline.against":
        return "Change" if screen.against == "now" else action.label
    return action.label


def empty_words(screen: TimelineScreen) -> str:
    """What a list without rows says."""
    trouble = screen.chronicle.trouble
    if not screen.state.exists:
        return no_home_words(screen.hermes.home.path)
    if screen.searching.on and screen.searching.needle:
        if screen.searching.working:
            return "Searching …"
        needle = one_line(screen.searching.needle, NEEDLE_CELLS)
        return f"No entry that is or ever was holds “{needle}”.\n{key_for('timeline.back')} leads back to the changes."
    if is_reading(screen):
        return "Reading history …"
    path = short_path(screen.hermes.home.state_db)
    if trouble is not None and trouble.code == "no_sessions":
        return (
            f"There are no sessions yet: {path} does not exist.\n"
            "The timeline begins with the first one, or with the first entry that you write on Memory "
            f"({key_for('app.memory')})."
        )
    if trouble is not None:
        return f"No change is known as long as the sessions cannot be read.\n{key_for('app.reread')} tries again."
    return (
        "Nothing has changed as far as anything tells.\n"
        f"{path} holds no prompt with a block of memory, and no call of the memory tool."
    )


def notice_words(screen: TimelineScreen) -> tuple[str, bool]:
    """What to know about the past as a whole, and whether it is serious; empty when all is well."""
    if not screen.state.exists:
        if not screen.line.changes:
            return "", False  # the list says it
        return f"{no_home_words(screen.hermes.home.path)} What was known before is shown.", True
    words, serious = _trouble_words(screen)
    if words:
        return visible(words, multiline=False), serious
    off = [view for view in screen.state.views if not view.enabled]
    if off:
        names = " and ".join(FILE_NAMES[view.store] for view in off)
        keys = ", ".join(f"{DISABLED_KEYS[view.store]}: false" for view in off)
        return f"{names} switched off in config ({keys}): sessions are told nothing of it.", False
    return config_words(screen.state.config)


def _trouble_words(screen: TimelineScreen) -> tuple[str, bool]:
    trouble = screen.chronicle.trouble
    if trouble is None or (trouble.code == "no_sessions" and not screen.line.sessions):
        return "", False
    if trouble.code == "sessions_locked":
        return f"Busy, retrying: {trouble.message}", False
    kept = "What was found before is shown all the same." if screen.line.changes else ""
    return f"{trouble.message} {trouble.hint} {kept}".replace("  ", " ").strip(), True
