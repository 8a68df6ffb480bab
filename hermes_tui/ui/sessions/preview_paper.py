"""What the preview says of a conversation: its facts, its parts, and what was said last or around a hit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes_tui.redaction import redact
from hermes_tui.redaction.marked import masked
from hermes_tui.text import clip, plural, visible, visible_map
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.sessions.marks import KIND_WORDS, marks_of
from hermes_tui.ui.sessions.times import moment_words, span_words

if TYPE_CHECKING:
    from hermes_tui.sessions.matcher import Matcher
    from hermes_tui.sessions.messages import Message
    from hermes_tui.sessions.summaries import Summary
    from hermes_tui.sessions.transcript import Part

MAX_MESSAGE_CHARS = 700
"""So much of one message is shown; enter opens all of it."""
LAST, WHOLE = 4, 6
"""So many of the last messages are shown, or all of them where there are no more than the second."""
_SHOWN_STATES = ("LIVE", "COMPACTED", "UNKNOWN")
_NAME = 9
"""Cells of the column of names."""

TITLE_WORDS = {
    "user": "named by a person",
    "llm": "named by a model",
    "derived": "made from the first message",
    "branch": "taken over from the branch's origin",
    "branch_fallback": "taken over from the branch's origin",
}


@dataclass(frozen=True, slots=True)
class Subject:
    """What there is to say about a row."""

    summary: Summary
    parts: tuple[Part, ...] = ()
    """Sessions of the lineage, oldest first; empty until they are read."""
    messages: tuple[Message, ...] = ()
    """Around the hit, or the last ones."""
    whole: bool = False
    """Whether these are all there are."""
    session_id: str = ""
    """The part that the row is about."""
    hit: int = 0
    """The message that was found; 0 for none."""
    matcher: Matcher | None = None
    continued: str = ""
    older: frozenset[str] = frozenset()
    """Sessions that were told something else of memory than one that begins now would be."""


def preview_paper(subject: Subject) -> Paper:
    """All of it."""
    paper = Paper()
    summary = subject.summary
    brief = summary.brief
    paper.fresh().raw(redact(summary.title) or "Untitled", "heading").words("\n")
    where = TITLE_WORDS.get(summary.title_source, "")
    if summary.derived:
        nowhere = f"stored nowhere: {key_for('sessions.title')} writes it"
        where = f"{TITLE_WORDS['derived']}, and {nowhere}" if summary.title else ""
    elif not where:
        where = f"title by {summary.title_source}" if summary.title_source else ""
    words = [mark.word for mark in marks_of(brief, summary, subject.continued, subject.older)]
    if where or words:
        paper.line(visible(" · ".join([*words, *([where] if where else [])]), multiline=False), "muted")
    if summary.warning:
        paper.line(visible(summary.warning), "warning")
    if subject.hit:
        # Who searches wants to read first what was found.
        _said(paper, subject)
        paper.fresh().line().line("The conversation", "heading")
        _facts(paper, subject)
    else:
        paper.line()
        _facts(paper, subject)
    if len(brief.parts) > 1:
        _parts(paper, subject)
    if not subject.hit:
        _said(paper, subject)
    return paper


def _fact(paper: Paper, name: str, value: str) -> None:
    if value:
        paper.fresh().words(name.ljust(_NAME), "muted").words(visible(value, multiline=False)).words("\n")


def _facts(paper: Paper, subject: Subject) -> None:
    summary, brief = subject.summary, subject.summary.brief
    _fact(paper, "id", brief.id)
    if subject.session_id and subject.session_id != brief.id:
        _fact(paper, "this part", subject.session_id)
    kind = KIND_WORDS.get(brief.kind, brief.kind)
    _fact(paper, "source", f"{brief.source or '–'}{f' ({kind})' if kind and kind != brief.source else ''}")
    _fact(paper, "model", brief.model or "–")
    branch = f" on {summary.git_branch}" if summary.git_branch else ""
    _fact(paper, "folder", f"{brief.cwd or '–'}{branch}")
    _fact(paper, "started", moment_words(brief.started_at))
    _fact(paper, "last", moment_words(brief.last_active))
    if summary.live:
        _fact(paper, "ended", "not yet: written to moments ago")
    elif summary.ended_at is not None:
        why = f" ({summary.end_reason})" if summary.end_reason else ""
        _fact(paper, "ended", f"{moment_words(summary.ended_at)}{why}")
    lasted = (brief.last_active or 0) - (brief.started_at or 0)
    over = f" over {span_words(lasted)}" if brief.started_at and lasted >= 60 else ""
    calls = f", {plural(summary.tool_calls, 'tool call')}" if summary.tool_calls else ""
    covers = f", in {len(brief.parts):,} parts" if len(brief.parts) > 1 else ""
    _fact(paper, "size", f"{plural(brief.messages, 'message')}{calls}{over}{covers}")
    tokens = (summary.input_tokens or 0, summary.output_tokens or 0)
    if any(tokens):
        _fact(paper, "tokens", f"{tokens[0]:,} in, {tokens[1]:,} out")
    if summary.cost is not None:
        _fact(paper, "cost", f"${summary.cost:,.4f}" if summary.cost < 1 else f"${summary.cost:,.2f}")


def _parts(paper: Paper, subject: Subject) -> None:
    parts = subject.parts
    paper.fresh().line().line("Parts, oldest first", "heading")
    if not parts:
        for number, id in enumerate(subject.summary.brief.parts, 1):
            _fact(paper, f"{number:>3}", id)
    for number, part in enumerate(parts, 1):
        why = f" · {part.end_reason}" if part.end_reason else ""
        here = "▸" if part.id == subject.session_id else " "
        paper.fresh().words(f"{here}{number:>3}  ", "muted").words(visible(part.id, multiline=False))
        facts = f"  {moment_words(part.started_at)} · {plural(part.counted, 'message')}{why}"
        paper.words(visible(facts, multiline=False), "muted").words("\n")


def _said(paper: Paper, subject: Subject) -> None:
    if not subject.messages:
        if subject.summary.preview:
            paper.fresh().line().line("It began", "heading")
            _text(paper, subject.summary.preview, subject.matcher)
        return
    shown = shown_messages(subject.messages, subject.hit)
    heading = "Around the hit"
    if not subject.hit:
        whole = subject.whole and len(shown) <= WHOLE
        shown = shown if whole else shown[-LAST:]
        heading = "All that was said" if whole else "Said last"
        if subject.summary.preview and not whole:
            paper.fresh().line().line("It began", "heading")
            _text(paper, subject.summary.preview, subject.matcher)
    paper.fresh().line().line(heading, "heading")
    for message in shown:
        here = message.id == subject.hit and subject.hit
        who = message.tool_name if message.role == "tool" and message.tool_name else message.role
        paper.fresh().words(f"{'▸ ' if here else ''}{visible(who, multiline=False)}", "strong")
        paper.words(f"  {moment_words(message.timestamp)}", "muted").words("\n")
        _text(paper, words_of(message, whole=bool(here)), subject.matcher)


def words_of(message: Message, *, whole: bool = False) -> str:
    """What a message says; a call is named by the argument that says most about it.

    Args:
        message: what was said.
        whole: whether calls have all their arguments, as what was found may be in any of them.
    """
    calls = [f"→ {call.name}: {call.text if whole else call.main_argument}" for call in message.calls]
    return "\n".join(filter(None, (message.text, *calls)))


def shown_messages(messages: Sequence[Message], hit: int) -> list[Message]:
    """What people and the agent said and did not take back; the one that was found in any case."""
    said = [message for message in messages if message.id == hit or (message.text.strip() and message.role != "tool")]
    return [message for message in said if message.id == hit or message.state.name in _SHOWN_STATES]


def _text(paper: Paper, text: str, matcher: Matcher | None) -> None:
    """The beginning of a text, or the part around its first match, with the matches marked."""
    spans = matcher.spans(text) if matcher else ()
    start = max(0, spans[0][0] - MAX_MESSAGE_CHARS // 3) if spans and spans[0][1] > MAX_MESSAGE_CHARS else 0
    part, cut = clip(text[start:], MAX_MESSAGE_CHARS)
    part, found = masked(part, [(first - start, last - start) for first, last in spans])
    lead = len(part) - len(part.lstrip("\n"))
    shown, places = visible_map(part.strip("\n"))
    paper.fresh().words("… " if start else "")
    at = 0
    for first, last in found:
        first, last = first - lead, last - lead
        if first < 0 or first >= len(places) - 1:
            continue
        left, right = places[first], places[min(last, len(places) - 1)]
        if right > left >= at:
            paper.words(shown[at:left]).words(shown[left:right], "finding")
            at = right
    paper.words(shown[at:]).words("\n")
    if cut:
        paper.line(f"… {cut:,} more characters", "muted")
