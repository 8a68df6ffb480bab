"""When, by whom and how sure: a change in words, short for rows and whole for everything else. Pure."""

from __future__ import annotations

import time

from hermes_tui.history.changes import Change, Kind
from hermes_tui.history.ever import Ever
from hermes_tui.sessions.dates import local, to_the_minute
from hermes_tui.ui.timeline.then import Sign

MARKS: dict[Sign, str] = {"came": "+", "went": "-", "edited": "~", "same": " "}
SIGN_OF: dict[Kind, Sign] = {"add": "came", "edit": "edited", "remove": "went"}
DAY_CELLS = 10
"""`2026-03-12`."""
TIME_CELLS = 17
"""`2026-03-12 14:05`, `before 2026-03-12`."""


def stamp_words(at: float | None) -> str:
    """`2026-03-12 14:05`, in local time."""
    return to_the_minute(at, "an unknown time")


def day_words(at: float | None) -> str:
    """`2026-03-12`."""
    then = local(at)
    return time.strftime("%Y-%m-%d", then) if then else "unknown"


def when_words(change: Change) -> str:
    """`2026-03-12 14:05`, `between 2026-03-10 09:00 and 2026-03-12 14:05`, or `at some time before …`."""
    until = stamp_words(change.until)
    if change.since is None:
        return f"at some time before {until}"
    if change.since == change.until:
        return until
    since = stamp_words(change.since)
    return f"about {until}" if since == until else f"between {since} and {until}"


def row_when(change: Change, width: int) -> str:
    """The same in the cells of a column; a moment that is not known exactly has the last one it can have been."""
    if width < TIME_CELLS:
        return day_words(change.until)
    if change.since == change.until:
        return stamp_words(change.until)
    return f"by {day_words(change.until)}" if change.since is not None else f"before {day_words(change.until)}"


def by_words(change: Change) -> str:
    """`tool call`, `background review, likely`, `edited here, taken back since`, `outside edit, or not known`."""
    if change.by == "outside edit or unknown":
        return "outside edit, or not known"
    back = ", taken back since" if change.taken_back else ""
    return f"{change.credit}, likely" if change.certainty == "likely" else f"{change.credit}{back}"


_SHORT = {
    "approved elsewhere": "approved",
    "background review": "review",
    "outside edit or unknown": "not known",
}


def row_by(change: Change) -> str:
    """The same for a column: `review, likely`, `edited here, taken back`, `not known`."""
    words = _SHORT.get(change.by, change.credit)
    back = ", taken back" if change.taken_back else ""
    return f"{words}, likely" if change.certainty == "likely" else f"{words}{back}"


def sign_words(change: Change) -> str:
    """`+ came`, `~ edited`, `~ edited (likely)`."""
    sign = SIGN_OF[change.kind]
    return f"{MARKS[sign]} {sign}{' back' if change.back else ''}{' (likely)' if change.likely_edit else ''}"


EDIT_WORDS = (
    "That it was edited is likely: one text stood where the other stood, or has nearly all its words. They may be two"
    " entries."
)


def sure_words(change: Change) -> str:
    """How sure it is who made a change, in a sentence."""
    if change.certainty == "likely" and change.by == "tool call":
        return (
            "Likely: a call that would do this is recorded, but what is known around it does not confirm that it did."
        )
    if change.certainty == "likely":
        return "Likely: nothing recorded it, but it fits what is known around it."
    if change.certainty == "unknown":
        return "Not known: nothing recorded who made it. It shows as a difference between what was seen at two times."
    return ""


def span_words(ever: Ever) -> str:
    """`2025-01-03 – 2026-03-12`, `2025-01-03 – now`."""
    return f"{day_words(ever.since)} – {day_words(ever.until) if ever.until is not None else 'now'}"
