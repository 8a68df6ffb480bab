"""Why an action of the transcript makes no sense now, and what to say in the place of what cannot be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.ui.actions import Action, key_for, with_keys
from hermes_tui.ui.troubles import read_only_words

if TYPE_CHECKING:
    from hermes_tui.ui.transcript.screen import TranscriptScreen

_NEEDS_MESSAGE = frozenset(
    f"transcript.{name}"
    for name in ("copy", "pager", "fold", "fold_all", "find", "next_turn", "previous_turn", "view", "reveal", "rewound")
)
_NEEDS_FACTS = frozenset(f"transcript.{name}" for name in ("resume", "rename", "export", "delete", "knew"))
_NEEDS_IT = _NEEDS_FACTS - {"transcript.resume", "transcript.knew"}
GONE = (
    "This conversation was deleted meanwhile. What was read of it stays until you leave; "
    "{transcript.back} leads back to the list."
)

DAMAGED = (
    "The database is damaged in places: what can be read of the conversation is shown, the rest is missing."
    " Stop the agent and run `hermes sessions repair`, which makes a backup first."
)
NO_SUCH = "This conversation is not in the database any more.\n{transcript.back} leads back to the list."


def why_not(action: Action, screen: TranscriptScreen) -> str | None:
    """Why an action makes no sense now, in a sentence; None when it does."""
    if action.writes and screen.hermes.read_only:
        return read_only_words(action)
    if not screen.ready:
        return "The conversation is being opened."
    if action.id in _NEEDS_IT and screen.reading.gone:
        return "This conversation was deleted meanwhile."
    view = screen.view
    if action.id in _NEEDS_FACTS | _NEEDS_MESSAGE and screen.reading.facts is None and view.current is None:
        return "The conversation was not read yet."
    if action.id in _NEEDS_MESSAGE and view.current is None:
        return "There is no message here."
    if action.id in _NEEDS_FACTS and screen.reading.facts is None:
        return "The conversation was not read yet."
    if action.id in ("transcript.next_hit", "transcript.previous_hit"):
        if screen.finding.matcher is None:
            return f"Nothing is looked for: {key_for('transcript.find')} finds words in this conversation."
        if screen.finding.done and screen.finding.hits is not None and not screen.finding.hits.total:
            return "There is no match in this conversation."
    if action.id == "transcript.fold" and not view.fold_at_cursor:
        return "Nothing folds here: ▸ and ▾ mark what does."
    return None


def state_words(screen: TranscriptScreen) -> tuple[str, bool]:
    """What to know about the conversation as a whole, and whether it is serious."""
    reading = screen.reading
    trouble = reading.trouble
    if trouble is not None:
        busy = trouble.code == "sessions_locked"
        kept = "What was read stays here" if view_has_text(screen) else "It is tried again"
        when = "" if trouble.code == "unexpected" else " as soon as the database can be read"
        again = f"{kept}; it goes on by itself{when}."
        return f"{trouble.message} {trouble.hint} {again}".replace("  ", " "), not busy
    if reading.gone and reading.facts is not None:
        return with_keys(GONE), True
    if reading.damaged:
        return DAMAGED, True
    return "", False


def view_has_text(screen: TranscriptScreen) -> bool:
    """Whether anything is shown."""
    return screen.view.current is not None
