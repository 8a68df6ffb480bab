"""The story of one entry: since when it is there, what it was before, who wrote it, how many sessions ran with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from hermes_tui.history.blame import known_part, story_of
from hermes_tui.history.changes import Change
from hermes_tui.history.history import Timeline
from hermes_tui.history.taken_back import seen_through
from hermes_tui.memory.entries import FILE_NAMES, StoreName
from hermes_tui.memory.view import StoreView
from hermes_tui.memory.worddiff import word_diff
from hermes_tui.text import plural, visible
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.timeline.line import Line
from hermes_tui.ui.timeline.then_paper import TONES
from hermes_tui.ui.timeline.words import (
    EDIT_WORDS,
    SIGN_OF,
    by_words,
    day_words,
    row_by,
    sign_words,
    sure_words,
    when_words,
)

if TYPE_CHECKING:
    from hermes_tui.history.traces import Trace


class Entry(NamedTuple):
    """An entry that is or was."""

    store: StoreName
    text: str


@dataclass(frozen=True, slots=True)
class Story:
    """What is known of an entry."""

    store: StoreName
    text: str
    index: int
    """Its place in the file now, from 1; 0 when it is not there."""
    steps: tuple[Change, ...]
    """What led to it, the newest first; where it is gone, the change with which it went comes first."""
    sessions: int
    """How many sessions that are known ran with it, word for word."""
    complete: bool
    """Whether everything that the database has is in it."""
    sessions_since: int | None = None
    """How many of them since it is back; None when it never was gone."""
    part: bool = False
    """Whether the text is but a part of an entry, and nobody knows the rest."""

    @property
    def made(self) -> Change | None:
        """The change that gave it these words."""
        return next((step for step in self.steps if step.after == self.text), None)

    @property
    def first(self) -> Change | None:
        """The change with which it began."""
        return self.steps[-1] if self.steps else None


def story(timeline: Timeline, line: Line, views: Sequence[StoreView], store: StoreName, text: str) -> Story:
    """The story of an entry that is, or ever was."""
    view = next(view for view in views if view.store == store)
    index = view.texts.index(text) + 1 if text in view.texts else 0
    changes: Sequence[Change] = seen_through(line.changes)
    mine = _about(changes, store, text)
    if not mine and not index:  # all there is of it was taken back: that is its story
        changes = line.changes
        mine = _about(changes, store, text)
    steps = list(story_of(store, text, changes))
    part = (
        not index and any(change.is_part(text) for change in mine) and not any(change.is_whole(text) for change in mine)
    )
    if part:
        steps = mine
    elif not index:
        steps = [*[change for change in mine if change.before == text and not change.partial][:1], *steps]
    ran, since = timeline.uses.get(store, {}).get(text, 0), timeline.uses_since.get(store, {}).get(text)
    return Story(store, text, index, tuple(steps), ran, timeline.complete, since, part)


def _about(changes: Sequence[Change], store: StoreName, text: str) -> list[Change]:
    """The changes of a text, the newest first."""
    return [change for change in reversed(changes) if change.store == store and text in (change.before, change.after)]


def since_words(change: Change | None) -> str:
    """`since 2026-03-12 · tool call`: the story in a few words; empty when nothing tells."""
    if change is None:
        return ""
    before = "before" if change.since is None else "since"
    by = "" if change.by == "outside edit or unknown" else f" · {row_by(change)}"
    return f"{before} {day_words(change.until)}{by}"


def story_paper(told: Story, *, whole: bool = True) -> Paper:
    """The story to be read.

    Args:
        told: what is known.
        whole: whether the text of the entry stands before it.
    """
    paper = Paper()
    paper.line(_place_words(told), "heading")
    if whole:
        paper.raw(f"…{told.text}…" if told.part else told.text).fresh().line()
    for words in facts(told):
        paper.line(words)
    for step in told.steps:
        sign = SIGN_OF[step.kind]
        elsewhere = f" in {FILE_NAMES[step.store]}" if step.store != told.store else ""
        paper.fresh().line()
        paper.words(f"{sign_words(step)}{elsewhere}", TONES[sign])
        paper.words(f"  {when_words(step)} · {by_words(step)}", "strong").fresh()
        if step.certainty != "exact":
            paper.line(sure_words(step), "muted")
        if step.likely_edit:
            paper.line(EDIT_WORDS, "muted")
        if step.kind == "edit" and (step.partial or step.after_partial):
            for text, mark in ((step.before, "-"), (step.after, "+")):
                paper.raw(f"{mark} …{text}…" if step.is_part(text) else f"{mark} {text}").fresh()
            paper.line("What stands between dots is a part of the entry: the call says no more of it.", "muted")
        elif step.kind == "edit":
            paper.diff(word_diff(step.before, step.after))
        elif step.before not in ("", told.text) or step.after not in ("", told.text):
            paper.raw(step.after or step.before)
    return paper


def _place_words(told: Story) -> str:
    name = FILE_NAMES[told.store]
    if told.part:
        return f"A part of an entry of {name}"
    return f"Entry {told.index} of {name}" if told.index else f"Gone from {name}"


def facts(told: Story) -> list[str]:
    """What there is to say in short sentences."""
    made, first = told.made, told.first
    if told.part:
        return ["Only this part of it is known: the agent's call says no more, and nothing else tells of the rest."]
    found = []
    if made is not None and first is not None and made.back:
        began = "Came" if known_part(told.steps)[-1] is first else "Likely came"
        found.append(f"{began} {when_words(first)} · {by_words(first)}.")
        found.append(f"Was gone, and came back {when_words(made)} · {by_words(made)}.")
    elif made is None or first is None:
        what = "Nothing" if told.complete else "Nothing that was read so far"
        found.append(f"{what} tells when it came, or who wrote it.")
    elif first is made:
        found.append(f"Came {when_words(first)} · {by_words(first)}.")
    else:
        began = "Began" if known_part(told.steps)[-1] is first else "Likely began"
        found.append(f"{began} {when_words(first)} · {by_words(first)}.")
        found.append(f"With these words since {when_words(made)} · {by_words(made)}.")
    more = "" if told.complete else " so far"
    since = "" if told.sessions_since is None else f", {told.sessions_since:,} of them since it is back"
    found.append(f"{plural(told.sessions, 'session')} known to have run with it, word for word{since}{more}.")
    return found


def trace_words(trace: Trace, title: str) -> str:
    """Whether anything of it turned up in what the agent said later, and that this proves nothing."""
    if not trace.words:
        return "It has no word that is rare enough to look for in later answers."
    quoted = " ".join(f"“{visible(word, multiline=False)}”" for word in trace.words)
    if trace.found:
        return f"A later answer in {title} has {quoted}, which may come from elsewhere too."
    return f"No trace found of {quoted} in later answers, which proves nothing."
