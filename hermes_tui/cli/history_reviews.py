"""`hermes-tui history reviews`: the ledger of background reviews."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from hermes_tui.cli.context import home_options, json_option
from hermes_tui.cli.past import Past
from hermes_tui.text import cells, fit, one_line

if TYPE_CHECKING:
    from hermes_tui.history.review_week import Tally, Week, Write

WEEKS = 12
TEXT_CELLS = 90
HEADS = ("week", "runs", "staged", "approved", "edited", "rejected", "elsewhere", "wrote", "skills", "tokens", "cost")
LEGEND = (
    "≥ at least so many · ~ likely, nothing records it · +N? saved by the logs, fits no known change · ? not known\n"
    "elsewhere: staged by the logs, neither waiting nor decided here · skills: staged/approved/rejected"
)


@click.command()
@click.option("--weeks", type=click.IntRange(min=1), default=WEEKS, show_default=True, metavar="N",
              help="So many weeks at most, the latest ones.")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="Also every write behind the numbers.")
@home_options
@json_option
def reviews(weeks: int, everything: bool) -> int:
    """What background reviews staged and wrote, and what became of it, week by week.

    Counted from the queue, from what was decided here, from the timeline, and from the agent's accounts and logs; what
    none of them tells is said to be unknown.
    """
    from hermes_tui.review_account import read_ledger

    past = Past()
    ledger = read_ledger(past.home, past.history, past.timeline, past.views)
    shown = ledger.weeks[-weeks:]
    shape = {
        "weeks": [week_shape(week, listed=everything) for week in shown],
        "more": len(ledger.weeks) > len(shown),
        "known_since": ledger.known_since,
        "sources": [asdict(source) for source in ledger.sources],
        "not_known": list(ledger.missing),
    }
    return past.answer(shape, lambda: weeks_text(shown, listed=everything), *ledger.missing)


def week_shape(week: Week, *, listed: bool) -> dict[str, Any]:
    """A week as `history reviews --json` shows it."""
    shape: dict[str, Any] = {
        "week": week.name,
        "start": week.start.isoformat(),
        "end": week.end.isoformat(),
        "runs": week.runs if week.runs_certainty != "unknown" else None,
        "runs_certainty": week.runs_certainty,
        "memory": {**asdict(week.memory), "elsewhere": week.elsewhere},
        "skills": asdict(week.skills),
        "wrote": week.wrote,
        "wrote_certainty": "likely",
        "unseen": week.unseen,
        "calls": week.calls,
        "tokens": week.tokens,
        "dollars": week.dollars,
    }
    if listed:
        shape["writes"] = [asdict(write) for write in week.writes]
    return shape


def weeks_text(weeks: Sequence[Week], *, listed: bool) -> str:
    """A table of weeks, the latest last, with what each is made of if that is `listed`."""
    if not weeks:
        return "Nothing is known of any background review."
    rows = [HEADS, *(_row(week) for week in weeks)]
    widths = [max(cells(row[place]) for row in rows) for place in range(len(HEADS))]
    lines = [_line(HEADS, widths)]
    for week, row in zip(weeks, rows[1:], strict=True):
        lines.append(_line(row, widths))
        lines += [line for write in week.writes for line in _write_lines(write)] if listed else []
    return "\n".join([*lines, LEGEND])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (
        fit(cell, width, right=place > 0) for place, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join([first, *others])


def _row(week: Week) -> tuple[str, ...]:
    memory = week.memory
    return (
        f"{week.name} {_days(week)}",
        {"exact": f"{week.runs:,}", "unknown": "?"}.get(week.runs_certainty, f"≥{week.runs:,}"),
        f"{memory.staged:,}",
        f"{memory.approved:,}",
        f"{memory.edited:,}",
        f"{memory.rejected:,}",
        "?" if week.elsewhere is None else f"{week.elsewhere:,}",
        f"{'~' if week.wrote else ''}{week.wrote:,}{f' +{week.unseen:,}?' if week.unseen else ''}",
        _skills(week.skills),
        "?" if week.tokens is None else f"{week.tokens:,}",
        "?" if week.dollars is None else f"${week.dollars:,.2f}",
    )


def _days(week: Week) -> str:
    """`23 Nov – 29 Nov`."""
    return f"{week.start:%d %b} – {week.end:%d %b}"


def _skills(tally: Tally) -> str:
    return f"{tally.staged:,}/{tally.approved + tally.edited:,}/{tally.rejected:,}"


def _write_lines(write: Write) -> list[str]:
    from hermes_tui.cli.history_shapes import stamp
    from hermes_tui.memory.entries import FILE_NAMES

    where = FILE_NAMES[write.store] if write.store else "a skill" if write.subsystem == "skills" else "no store"
    facts = [write.fate, f"{write.action} in {where}"]
    if write.fate == "written":
        facts[0] = "written by a review (likely)"
    if write.fate not in ("waiting", "written") and write.staged_at is not None:
        facts.append(f"staged {stamp(write.staged_at)}")
    facts += [write.pending_id] if write.pending_id else []
    facts += [f"session {write.session_id}"] if write.session_id else []
    facts += ["one operation of a batch"] if write.part else []
    if write.there is not None:
        facts.append("there today" if write.there else "changed or gone since")
    lines = [f"    {stamp(write.at)}  {' · '.join(facts)}"]
    lines += [f"      - {one_line(write.before, TEXT_CELLS)}"] if write.before else []
    lines.append(f"      {one_line(write.text, TEXT_CELLS)}")
    return [*lines, *(f"      stored as: {one_line(text, TEXT_CELLS)}" for text in write.stored)]
