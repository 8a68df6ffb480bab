"""Conversations, hits and messages for a person to read, in columns that hold on any script."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import indent

from hermes_tui.sessions.checkup import Checkup, index_words
from hermes_tui.sessions.dates import to_the_minute
from hermes_tui.sessions.gathering import Hit
from hermes_tui.sessions.messages import Message, State, size_words
from hermes_tui.sessions.search import Found
from hermes_tui.sessions.summaries import Summary
from hermes_tui.sessions.transcript import Facts, Part
from hermes_tui.text import cells, fit, one_line, plural, visible

Mask = Callable[[str], str]

PLAIN_WIDTH = 140
"""Cells of a line that goes to a file or a pipe."""
LEAST_TITLE = 20
HIDDEN_WORDS = {
    "empty": "empty",
    "subagent": "of subagents",
    "cron": "scheduled",
    "tool": "of programs",
    "archived": "archived",
    "filter": "of other sources",
}
STATE_WORDS = {State.COMPACTED: "compacted", State.REWOUND: "undone", State.HIDDEN: "bookkeeping"}


def width() -> int:
    """The cells of a line."""
    return shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else PLAIN_WIDTH


def day_words(stamp: float | None) -> str:
    """A local time to the minute; a dash for what is none."""
    return to_the_minute(stamp or None, "–")


def _local(stamp: float | None, form: str) -> str:
    try:
        return time.strftime(form, time.localtime(stamp)) if stamp else "–"
    except (ValueError, OverflowError, OSError):
        return "–"


def list_text(summaries: Sequence[Summary], continued: str) -> str:
    """One line for each conversation: id, last activity, messages, source, title and what is special about it."""
    rows = [(summary, _marks(summary, continued)) for summary in summaries]
    ids = max((cells(visible(row[0].brief.id, multiline=False)) for row in rows), default=0)
    sources = min(12, max((cells(visible(row[0].brief.source, multiline=False)) for row in rows), default=0))
    lines = []
    for summary, marks in rows:
        brief = summary.brief
        # An id is for copying, so it is never cut.
        when = f"{day_words(brief.last_active):16}  {brief.messages:>6,}"
        head = f"{fit(brief.id, ids)}  {when}  {fit(brief.source, sources)}"
        room = max(LEAST_TITLE, width() - cells(head) - 2 - (cells(marks) + 2 if marks else 0))
        title = one_line(summary.title or "(nothing said)", room)
        lines.append(f"{head}  {title}{f'  {marks}' if marks else ''}")
    return "\n".join(lines)


def _marks(summary: Summary, continued: str) -> str:
    brief = summary.brief
    words = [
        "live" if summary.live else "",
        "continues with --continue" if brief.id == continued else "",
        f"{len(brief.parts)} parts" if len(brief.parts) > 1 else "",
        brief.kind if brief.kind != "chat" else "",
        "archived" if brief.archived else "",
        "pinned" if summary.pinned else "",
        "odd: see --json" if summary.warning else "",
    ]
    found = " · ".join(filter(None, words))
    return f"[{found}]" if found else ""


def hidden_words(hidden: Mapping[str, int]) -> str:
    """`20 empty, 3 scheduled`: what is left out, and why."""
    return ", ".join(f"{count:,} {HIDDEN_WORDS.get(kind, kind)}" for kind, count in sorted(hidden.items()) if count)


def found_text(found: Sequence[Found]) -> str:
    """Each conversation with the lines of it that match; what matches stands between ‹ and ›."""
    return "\n\n".join(_found_text(each) for each in found)


def _found_text(found: Found) -> str:
    brief = found.summary.brief
    kind = f" · {brief.kind}" if brief.kind != "chat" else ""
    archived = " · archived" if brief.archived else ""
    reading = f" · {found.reading}" if found.reading else ""
    head = f"{brief.id}  {day_words(brief.last_active)}  {brief.source}{kind}{archived}{reading}"
    lines = [visible(head, multiline=False), f"  {one_line(found.summary.title or '(nothing said)', width() - 2)}"]
    lines += [_hit_text(hit) for hit in found.hits]
    if found.more:
        lines.append(f"    … and {plural(found.more, 'more message')}")
    return "\n".join(lines)


def _hit_text(hit: Hit) -> str:
    text = hit.snippet
    for start, end in reversed(hit.marks):
        text = f"{text[:start]}‹{text[start:end]}›{text[end:]}"
    where = {"title": "title", "id": "id"}.get(hit.kind, f"{hit.role} {hit.message_id}")
    head = f"    {fit(where, 18)}  "
    return head + one_line(text, max(40, width() - cells(head)))


def head_text(facts: Facts, title: str) -> str:
    """What stands over a transcript."""
    newest, first = facts.newest, facts.parts[0]
    rows = [
        ("session", newest.id),
        ("source", newest.source),
        ("model", newest.model),
        ("folder", newest.cwd),
        ("began", day_words(first.started_at)),
        ("parts", str(len(facts.parts)) if len(facts.parts) > 1 else ""),
    ]
    return "\n".join(
        [f"# {visible(title, multiline=False)}", *(f"{fit(name, 8)} {said}" for name, said in rows if said)]
    )


def parts_text(facts: Facts) -> str:
    """The parts of a conversation, oldest first."""
    return "\n".join(
        f"{number:>3}  {part.id}  {day_words(part.started_at)}  {plural(part.counted, 'message')}"
        + (f"  ended: {part.end_reason}" if part.end_reason else "")
        for number, part in enumerate(facts.parts, 1)
    )


def part_line(facts: Facts, part: Part) -> str:
    """The line where another part begins."""
    number = facts.parts.index(part) + 1
    return f"──── part {number} of {len(facts.parts)} · {part.id} · {day_words(part.started_at)} ────"


def message_text(message: Message, mask: Mask) -> str:
    """A message: who and when, what was thought, said and called."""
    return "\n".join(_message_lines(message, mask))


def _message_lines(message: Message, mask: Mask) -> Iterator[str]:
    words = [
        message.role + (f" {message.tool_name}" if message.tool_name else ""),
        _local(message.timestamp, "%Y-%m-%d %H:%M:%S"),
        STATE_WORDS.get(message.state, ""),
        message.kind if message.kind != "message" else "",
        size_words(message.size) if message.role == "tool" else "",
    ]
    yield f"[{message.id}] " + " · ".join(filter(None, words))
    if message.reasoning:
        yield "(thinking)"
        yield indent(mask(message.reasoning), "  ")
    if message.text:
        yield mask(message.text)
    for call in message.calls:
        yield f"→ {call.name or 'a call that cannot be read'}"
        yield indent(mask(call.text), "  ")


def stats_text(found: Checkup, shape: Mapping[str, int], sources: Sequence[Mapping[str, object]], covers: str) -> str:
    """Totals, and what they cover."""
    lines = [
        f"{plural(shape['conversations'], 'conversation')} of {plural(shape['sessions'], 'session')},"
        f" {plural(shape['messages'], 'message')}.",
        covers,
        "",
    ]
    names = max((cells(visible(str(row["source"]), multiline=False)) for row in sources), default=0)
    for row in sources:
        lines.append(f"  {fit(str(row['source']), min(names, 24))}  {row['sessions']:>8,}  {row['messages']:>10,}")
    return "\n".join([*lines, *([""] if sources else []), *checkup_lines(found)])


def checkup_lines(found: Checkup) -> list[str]:
    """The state of the database, a line or two."""
    if found.state == "missing":
        return [f"{found.path}  (missing)"]
    lines = [f"{found.path}  ({found.state}, {size_words(found.size)})"]
    if found.features is None:
        return [*lines, f"{found.problem} {found.hint}".strip()]
    schema = found.features.schema_version
    said = [
        f"schema {schema}" if schema is not None else "no schema version",
        f"journal {found.journal}",
        index_words(found.features),
        f"{plural(found.unindexed, 'message')} not indexed yet" if found.unindexed else "",
    ]
    return [*lines, " · ".join(filter(None, said)), *found.features.missing]
