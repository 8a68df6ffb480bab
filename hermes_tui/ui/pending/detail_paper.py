"""All that is to be said about one record before a person decides over it. Pure, so that a thread can make it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hermes_tui.memory.batch import Step
from hermes_tui.memory.entries import FILE_NAMES
from hermes_tui.memory.threats import Finding
from hermes_tui.memory.worddiff import word_diff
from hermes_tui.pending.preview import Preview
from hermes_tui.pending.proposals import proposed_of, steps_of
from hermes_tui.sessions.dates import to_the_minute
from hermes_tui.text import ago, plural, short_path, visible
from hermes_tui.ui.actions import key_for, with_keys
from hermes_tui.ui.dialogs.paper import Paper, Tone, finding_words
from hermes_tui.ui.dialogs.verdict import OLDER_AGENTS
from hermes_tui.ui.pending.line_diff import heading, line_diff, sized
from hermes_tui.ui.pending.model import MARKS, Row, Weight, short_words, weight_of

TONES: dict[Weight, Tone] = {"good": "good", "quiet": "muted", "mend": "warning", "dead": "error"}

_ELSEWHERE = (
    "{pending.reject} rejects it; {pending.copy} copies the proposed text, to put it where it belongs on Memory"
    " ({app.memory})."
)
WHAT_TO_DO = {
    "duplicate": "{pending.approve} clears it from the queue, and memory stays as it is.",
    "over": "{pending.edit} shortens it. {pending.simulate} shows which records fit together; {app.memory} leads to"
    " Memory, to make room there.",
    "blocked": "{pending.edit} rewrites the part that is named, {pending.copy} copies the text, {pending.reject}"
    " rejects it.",
    "disabled": "Switch the store on in config.yaml to approve it, or {pending.reject} rejects it.",
    "drift": "On Memory ({app.memory}), {memory.normalize} puts the file in order; then it can be approved.",
    "no_match": "The entry is not there any more. {pending.reject} rejects it; {pending.copy} copies the proposed text"
    " for Memory ({app.memory}).",
    "ambiguous": _ELSEWHERE,
    "stale": _ELSEWHERE,
    "invalid": "It cannot be approved. {pending.reject} rejects it, and {pending.undo} would bring it back.",
}
"""What a person can do about each verdict; `{pending.edit}` stands for the key of that action."""


def what_to_do(preview: Preview) -> str:
    """What a person can do about a verdict, with the keys as they are; empty for one that stands in nobody's way."""
    return with_keys(WHAT_TO_DO.get(preview.verdict, ""))


@dataclass(frozen=True, slots=True)
class Subject:
    """What the detail is about."""

    row: Row
    preview: Preview | None
    alone: tuple[Preview, ...] = ()
    """For a batch: what each operation would do by itself."""
    stayed: str = ""
    """Why a decision over it was refused."""
    warned: bool = False
    """Approve was pressed once, and older agents mind."""
    now: float = 0.0


def detail_paper(subject: Subject) -> Paper:
    """The whole page."""
    paper = Paper()
    record, preview = subject.row.item.record, subject.preview
    _verdict(paper, subject)
    if preview is None:
        paper.line("Working out what approving it would do …", "muted")
    if record.subsystem == "skills":
        _skill(paper, subject)
    elif record.action == "batch":
        _batch(paper, subject)
    else:
        _single(paper, subject)
    if preview:
        _closest(paper, preview)
        _findings(paper, preview.findings)
    _notes(paper, subject)
    _record(paper, subject)
    return paper


def _verdict(paper: Paper, subject: Subject) -> None:
    preview = subject.preview
    if subject.warned:
        paper.line(f"Not approved yet: press {key_for('pending.approve')} again to approve it all the same.", "strong")
        paper.line(f"! {OLDER_AGENTS}", "warning")
    if subject.stayed and (preview is None or subject.stayed != preview.reason):
        paper.line(f"✗ It stays: {visible(subject.stayed, multiline=False)}", "error")
    if preview is None:
        return
    weight = weight_of(preview)
    paper.fresh().words(f"{MARKS[weight]} {visible(short_words(preview), multiline=False)}", TONES[weight])
    if preview.reason:
        paper.fresh().raw(preview.reason)
    if preview.verdict in WHAT_TO_DO and preview.record.subsystem == "memory":
        paper.fresh().words(what_to_do(preview), "muted")
    if preview.verdict == "blocked" and _only_newer(preview) and not subject.warned:
        asks = f"{key_for('pending.approve')} asks whether to approve it all the same."
        paper.fresh().words(f"Only agents of the 0.19 line mind; {asks}", "muted")
    if subject.row.equal > 1:
        words = f"{subject.row.equal} records propose the same"
        if subject.row.place:
            words += f"; this is number {subject.row.place} of them. {key_for('pending.unfold')} takes them together."
        else:
            words += f" and are decided together. {key_for('pending.unfold')} shows them one by one."
        paper.fresh().words(words, "muted")
    paper.fresh()


def _only_newer(preview: Preview) -> bool:
    return bool(preview.findings) and all(not finding.blocks("0.22") for finding in preview.findings)


def only_newer(preview: Preview | None) -> bool:
    """Whether it is blocked for reasons that the 0.22 line of the agent lets pass."""
    return preview is not None and preview.verdict == "blocked" and _only_newer(preview)


# The change itself


def _single(paper: Paper, subject: Subject) -> None:
    preview, record = subject.preview, subject.row.item.record
    step = preview.steps[0] if preview and preview.steps else None
    if step:
        _step(paper, step, preview.findings if preview else ())
        return
    for raw in steps_of(record):
        _unreached(paper, raw)


def _step(paper: Paper, step: Step, findings: Sequence[Finding]) -> None:
    """What an operation does: the words that change, then both texts whole."""
    if step.before is not None and step.after is not None:
        heading(paper, "Change, word by word")
        paper.diff(word_diff(step.before, step.after))
    if step.before is not None:
        gone = step.after is None
        heading(paper, sized("−", "Entry that would go" if gone else "Before", step.before))
        paper.raw(step.before)
    if step.after is not None:
        heading(paper, sized("+", "New entry" if step.before is None else "After", step.after))
        paper.found(step.after, findings)


def _unreached(paper: Paper, raw: Mapping[str, Any]) -> None:
    """An operation that finds nothing to work on: what it looks for, and what it would have brought."""
    wanted, proposed = raw.get("matched_entry") or raw.get("old_text"), proposed_of(raw)
    if isinstance(wanted, str) and wanted:
        heading(paper, sized("−", "It is meant for", wanted))
        paper.raw(wanted)
    if proposed:
        heading(paper, sized("+", "Proposed text", proposed))
        paper.raw(proposed)
    for name, value in raw.items():
        if name in ("content", "new_text", "old_text") and value is not None and not isinstance(value, str):
            heading(paper, f"{name}, as it stands in the record")
            paper.raw(repr(value))


def _batch(paper: Paper, subject: Subject) -> None:
    """Every operation with its own state, in order."""
    preview = subject.preview
    carried = preview.steps if preview else ()
    raws = steps_of(subject.row.item.record)
    for number, raw in enumerate(raws, 1):
        alone = subject.alone[number - 1] if number <= len(subject.alone) else None
        paper.fresh().line()
        paper.words(f"{number}/{len(raws)} ", "strong").words(visible(str(raw.get("action"))[:40]), "heading")
        if alone:
            weight = weight_of(alone)
            words = visible(short_words(alone), multiline=False)
            paper.words(f"  {MARKS[weight]} {words}", TONES[weight]).words(" by itself", "muted")
        paper.fresh()
        if number <= len(carried):
            _short_step(paper, carried[number - 1])
        elif alone and alone.steps:
            paper.line("Not reached: an operation before it fails.", "muted")
            _short_step(paper, alone.steps[0])
        else:
            if alone and alone.reason:
                paper.raw(_reason_alone(alone), "muted")
            _unreached(paper, raw)
    if len(raws) > 1:
        one = f"{key_for('pending.operation')} decides over one operation of it."
        paper.fresh().line().line(f"A batch is approved as a whole; {one}", "muted")


def operation_paper(paper: Paper, raw: Mapping[str, Any], alone: Preview) -> None:
    """One operation of a batch by itself: its verdict, and its texts whole."""
    weight = weight_of(alone)
    paper.words(f"{MARKS[weight]} {visible(short_words(alone), multiline=False)}", TONES[weight])
    paper.words(" by itself", "muted").fresh()
    if alone.reason:
        paper.raw(_reason_alone(alone)).fresh()
    if alone.steps:
        _step(paper, alone.steps[0], alone.findings)
    elif alone.before is None and alone.after is None:
        _unreached(paper, raw)
    else:
        line_diff(paper, alone.before or "", alone.after or "")
    _closest(paper, alone)
    _findings(paper, alone.findings)


def _reason_alone(alone: Preview) -> str:
    """The reason without its number, which says nothing where there is one operation."""
    return alone.reason.removeprefix("Operation 1: ")


def _short_step(paper: Paper, step: Step) -> None:
    if step.before is not None and step.after is not None:
        paper.diff(word_diff(step.before, step.after))
    elif step.after is not None:
        paper.words("+ ", "add").raw(step.after)
    elif step.before is not None:
        paper.words("− ", "del").raw(step.before)


def _skill(paper: Paper, subject: Subject) -> None:
    """A skill's files: what would change, line by line."""
    preview = subject.preview
    if preview and preview.title:
        paper.line().line(visible(preview.title[:200], multiline=False), "strong")
    if preview is None or (preview.before is None and preview.after is None):
        for raw in steps_of(subject.row.item.record):
            _unreached(paper, {"old_text": raw.get("old_string"), **raw})
        return
    line_diff(paper, preview.before or "", preview.after or "")


# What else is known


def _closest(paper: Paper, preview: Preview) -> None:
    if preview.closest:
        heading(paper, "Closest entries")
        for text in preview.closest:
            paper.fresh().words("· ", "muted").raw(text)


def _findings(paper: Paper, findings: Sequence[Finding]) -> None:
    # The only one there is has been explained as the reason.
    if len(findings) < 2:
        return
    heading(paper, plural(len(findings), "finding"))
    for finding in findings:
        paper.line(f"✗ {finding_words(finding, explained=True)}", "warning" if finding.newer_pass else "error")
        paper.line(visible(finding.explanation), "muted")


def _notes(paper: Paper, subject: Subject) -> None:
    record = subject.row.item.record
    notes = [*record.notes, *(subject.preview.notes if subject.preview else ())]
    notes = list(dict.fromkeys(notes))
    if notes:
        heading(paper, "Worth knowing")
        for note in notes:
            paper.fresh().words("· ", "muted").raw(note)


def _record(paper: Paper, subject: Subject) -> None:
    row = subject.row
    heading(paper, "Record" if len(row.items) == 1 else plural(len(row.items), "record"))
    for item in row.items:
        record = item.record
        when = ""
        if record.created_at:
            when = f", staged {to_the_minute(record.created_at)}, {ago(subject.now - record.created_at)} ago"
        target = FILE_NAMES[record.store] if record.store else "skills" if record.subsystem == "skills" else "no store"
        what = f" · {record.action} in {target}" if record.action else ""
        origins = {"chat": ", from a chat", "review": ", from a background review", "–": ""}
        origin = origins.get(item.origin, f", origin {item.origin}")
        paper.fresh().raw(f"{record.id}{what}{origin}{when}", "muted")
    paper.fresh().words(short_path(row.item.record.path), "muted")
