"""Changes, blames and entries of the past as JSON objects and as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hermes_tui.history.blame import Blame, known_part
from hermes_tui.history.changes import Change
from hermes_tui.history.ever import Ever
from hermes_tui.history.exposure import Exposure
from hermes_tui.memory.entries import FILE_NAMES
from hermes_tui.sessions.dates import to_the_minute
from hermes_tui.text import one_line, plural

Shape = dict[str, Any]
TEXT_CELLS = 100
SIGNS = {"add": "+", "edit": "~", "remove": "-"}


def change_shape(change: Change) -> Shape:
    """A change as `history log --json` shows it; `at` is None when it may have been at any time before."""
    return {
        "at": change.since,
        "until": change.until,
        "store": change.store,
        "kind": change.kind,
        "before": change.before or None,
        "after": change.after or None,
        "by": change.by,
        "certainty": change.certainty,
        "session_id": change.session_id or None,
        "message_id": change.message_id or None,
        "kind_certainty": "likely" if change.likely_edit else "exact",
        "before_part": change.partial,
        "after_part": change.after_partial,
        "back": change.back,
        "taken_back": change.taken_back,
        "profile": change.profile or None,
    }


def blame_shape(blame: Blame) -> Shape:
    """An entry as `history blame --json` shows it."""
    last = blame.last
    return {
        "store": blame.store,
        "index": blame.index,
        "text": blame.text,
        "first_seen": blame.first_seen,
        "last_changed": blame.last_changed,
        "by": blame.by,
        "certainty": blame.certainty,
        "session_id": (last.session_id if last else "") or None,
        "message_id": (last.message_id if last else 0) or None,
        "sessions": blame.sessions,
        "story": [change_shape(change) for change in blame.story],
        "likely_first_seen": blame.likely_first_seen,
        "back_since": blame.back_since,
        "sessions_since_back": blame.sessions_since,
    }


def ever_shape(ever: Ever) -> Shape:
    """An entry that is or was, as JSON; `until` is None while it is there."""
    return {
        "store": ever.store,
        "text": ever.text,
        "since": ever.since,
        "until": ever.until,
        "sessions": ever.sessions,
        "gone": [list(each) for each in ever.gone],
        "sessions_since_back": ever.sessions_since,
    }


def exposure_shape(exposure: Exposure) -> Shape:
    """A text that is blocked now and was not always, as JSON."""
    return {
        "store": exposure.store,
        "text": exposure.text,
        "findings": list(exposure.findings),
        "since": exposure.since,
        "until": exposure.until,
        "session_ids": list(exposure.session_ids),
    }


def when_words(change: Change) -> str:
    """`2025-03-30 14:05`, `between 2025-03-28 and 2025-03-30 14:05`, or `before …`."""
    until = stamp(change.until)
    if change.since is None:
        return f"before {until}"
    return until if change.since == change.until else f"between {stamp(change.since)} and {until}"


def by_words(change: Change) -> str:
    """`tool call in 2025…`, `background review (likely)`, `edited here, taken back since`."""
    sure = " (likely)" if change.certainty == "likely" else ""
    where = f" in {change.session_id}" if change.session_id else ""
    back = ", taken back since" if change.taken_back else ""
    return f"{change.credit}{sure}{where}{back}"


def _credit_words(change: Change) -> str:
    """The same in a sentence: `by tool call in 2025…`, `edited here`."""
    mine = bool(change.profile) or change.restored or change.by.endswith(" here")
    return by_words(change) if mine else f"by {by_words(change)}"


def stamp(at: float | None) -> str:
    """A moment in local time, to the minute."""
    return to_the_minute(at, "an unknown time")


def changes_text(changes: Sequence[Change]) -> str:
    """Changes, one after another."""
    return "\n".join(_change_text(change) for change in changes)


def _change_text(change: Change) -> str:
    likely = "  edited (likely)" if change.likely_edit else ""
    lines = [f"{when_words(change)}  {FILE_NAMES[change.store]}  {by_words(change)}{likely}"]
    if change.kind == "edit":
        lines += [f"  - {_text(change, change.before)}", f"  + {_text(change, change.after)}"]
    else:
        lines.append(f"  {SIGNS[change.kind]} {_text(change, change.after or change.before)}")
    return "\n".join(lines)


def _text(change: Change, text: str) -> str:
    """One of its texts on a line; a part of an entry that nobody knows all of stands between dots."""
    return f"…{one_line(text, TEXT_CELLS - 2)}…" if change.is_part(text) else one_line(text, TEXT_CELLS)


def blames_text(blames: Sequence[Blame]) -> str:
    """Entries with what is known of each."""
    return "\n".join(_blame_text(blame) for blame in blames)


def _blame_text(blame: Blame) -> str:
    head = f"{FILE_NAMES[blame.store]} {blame.index:>3}  {one_line(blame.text, TEXT_CELLS)}"
    last, first = blame.last, blame.first
    if last is None or first is None:
        return f"{head}\n     Nothing tells who wrote it."
    facts = [f"{'back ' if last.back else ''}{when_words(last)} {_credit_words(last)}"]
    if first is not last:
        likely = "likely " if known_part(blame.story)[-1] is not first else ""
        facts.append(f"{likely}began {when_words(first)} {_credit_words(first)}")
    facts.append(f"{plural(blame.sessions, 'session')} ran with it{_since_words(blame.sessions_since)}")
    return f"{head}\n     {' · '.join(facts)}"


def _since_words(sessions: int | None) -> str:
    return "" if sessions is None else f", {sessions:,} since it is back"


def _span_words(ever: Ever) -> str:
    """`2025-03-28 10:00 – now, gone 2025-03-29 12:00 – 2025-03-30 09:00`."""
    gone = "".join(f", gone {stamp(low)} – {stamp(high)}" for low, high in ever.gone)
    return f"{stamp(ever.since)} – {stamp(ever.until) if ever.until is not None else 'now'}{gone}"


def evers_text(evers: Sequence[Ever]) -> str:
    """Entries that are or were, one after another."""
    return "\n".join(
        f"{FILE_NAMES[ever.store]}  {_span_words(ever)}"
        f"  {plural(ever.sessions, 'session')}{_since_words(ever.sessions_since)}\n  {one_line(ever.text, TEXT_CELLS)}"
        for ever in evers
    )


def exposures_text(found: Sequence[Exposure]) -> str:
    """Texts that are blocked now, one after another."""
    return "\n".join(
        f"{FILE_NAMES[each.store]}  {', '.join(each.findings)}  {stamp(each.since)} – {stamp(each.until)}"
        f"  {plural(len(each.session_ids), 'session')}\n  {one_line(each.text, TEXT_CELLS)}"
        for each in found
    )
