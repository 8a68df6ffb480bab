"""What deleting would do, in words: what goes, what goes with it, what stays, and how it comes back. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hermes_tui.redaction import redact
from hermes_tui.sessions.messages import size_words
from hermes_tui.text import one_line, plural, visible
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.dialogs.paper import Paper

if TYPE_CHECKING:
    from hermes_tui.sessions.upkeep.deletion import Doomed, LeftAlone, Other, Plan

LISTED = 200
"""So many conversations are listed by name."""
NAMED = 6
"""So many of the others are."""
TITLE_CELLS = 60

KIND_NAMES = {
    "branch": ("branch", "branches"),
    "subagent": ("subagent run", "subagent runs"),
    "cron": ("scheduled run", "scheduled runs"),
    "tool": ("run by a program", "runs by a program"),
}


def title_words(title: str, id: str) -> str:
    """A conversation by its title, else by its id."""
    return one_line(redact(title), TITLE_CELLS) or one_line(id, TITLE_CELLS)


def what_goes(plan: Plan) -> str:
    """`3 conversations in 5 parts, 412 messages, about 1.2 MB`."""
    parts = sum(len(each.parts) for each in plan.doomed)
    split = f" in {plural(parts, 'part')}" if parts != len(plan.doomed) else ""
    runs = " with those of the subagent runs" if plan.delegates else ""
    return (
        f"{plural(len(plan.doomed), 'conversation')}{split}, {plural(plan.messages, 'message')}{runs}"
        f", about {size_words(plan.bytes)}"
    )


def deletion_paper(plan: Plan, now: float, *, home: Path, titled: bool = False) -> Paper:
    """All of it, what matters most first.

    Args:
        plan: worked out by the keeper.
        now: epoch seconds.
        home: what paths of files are shown relative to.
        titled: whether the heading above has named the only conversation already.
    """
    paper = Paper()
    paper.line(f"{what_goes(plan)}.", "strong")
    _in_use(paper, plan.doomed)
    if plan.slow:
        paper.line(visible(plan.slow), "warning")
    if plan.delegates:
        verb = "is deleted too" if len(plan.delegates) == 1 else "are deleted too"
        _others(paper, plan.delegates, verb)
    if plan.surfacing:
        one = len(plan.surfacing) == 1
        verb = "is kept" if one else "are kept"
        _others(paper, plan.surfacing, f"{verb}, and {'stands' if one else 'stand'} in the list by itself then"
                if one else f"{verb}, and stand in the list by themselves then")  # fmt: skip
    if plan.files:
        _files(paper, plan.files, home)
    pinned = sum(each.pinned for each in plan.doomed)
    if pinned:
        paper.line("It is pinned." if len(plan.doomed) == 1 else f"{pinned:,} of them are pinned.", "warning")
    if plan.missing:
        gone = "is not there any more" if len(plan.missing) == 1 else "are not there any more"
        paper.line(f"{plural(len(plan.missing), 'conversation')} {gone}: deleted already.", "muted")
    left_alone(paper, plan.left_alone)
    back = "it" if len(plan.doomed) == 1 else "them"
    paper.line(f"A copy is kept: {key_for('sessions.undo')} brings {back} back, also after a restart.", "good")
    if not (titled and len(plan.doomed) == 1):
        doomed_list(paper, plan.doomed, now)
    return paper


def _in_use(paper: Paper, doomed: Sequence[Doomed]) -> None:
    used = [each for each in doomed if each.in_use]
    if len(doomed) == 1 and used:
        paper.line(f"! {visible(used[0].in_use)}", "warning")
        return
    for each in used[:NAMED]:
        paper.line(f"! {title_words(each.title, each.id)}: {visible(each.in_use)}", "warning")
    if len(used) > NAMED:
        paper.line(f"! {len(used) - NAMED:,} more may be in use.", "warning")


def _others(paper: Paper, others: Sequence[Other], verb: str) -> None:
    """`1 subagent run is deleted too: title`."""
    counted = Counter(other.kind for other in others)
    named = [plural(count, *KIND_NAMES.get(kind, ("session", "sessions"))) for kind, count in counted.items()]
    titles = [f"“{title_words(other.title, '')}”" if other.title else other.id for other in others[:NAMED]]
    if len(others) > NAMED:
        titles.append(f"{len(others) - NAMED:,} more")
    paper.line(visible(f"{', '.join(named)} {verb}: {', '.join(titles)}.", multiline=False))


def _files(paper: Paper, files: Sequence[Path], home: Path) -> None:
    shown = [str(path.relative_to(home)) if path.is_relative_to(home) else str(path) for path in files[:NAMED]]
    if len(files) > NAMED:
        shown.append(f"{len(files) - NAMED:,} more")
    verb = "goes" if len(files) == 1 else "go"
    paper.line(visible(f"{plural(len(files), 'file')} {verb} too: {', '.join(shown)}.", multiline=False))


def left_alone(paper: Paper, left: Sequence[LeftAlone]) -> None:
    """What stays, counted by the reason."""
    if not left:
        return
    reasons = Counter(_short_reason(each.reason) for each in left)
    words = ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common())
    verb = "is" if len(left) == 1 else "are"
    paper.line(f"{len(left):,} that match {verb} left alone: {words}.", "muted")
    if len(left) <= NAMED:
        for each in left:
            paper.line(f"  {title_words(each.title, each.id)}: {visible(each.reason, multiline=False)}", "muted")


def _short_reason(reason: str) -> str:
    if "pinned" in reason:
        return "pinned"
    return "very long while an agent works" if reason.startswith("It is long") else "most likely in use"


def doomed_list(paper: Paper, doomed: Sequence[Doomed], now: float) -> None:
    """The conversations by name, oldest activity first as they stand in the plan."""
    from hermes_tui.ui.sessions.times import when_words

    paper.line().line("These go", "heading")
    for each in doomed[:LISTED]:
        when = when_words(each.last_active or None, now)
        parts = f" · {plural(len(each.parts), 'part')}" if len(each.parts) > 1 else ""
        paper.words(title_words(each.title, each.id))
        paper.words(f"  {plural(each.messages, 'message')}{parts} · {when}", "muted").words("\n")
    if len(doomed) > LISTED:
        paper.line(f"… and {len(doomed) - LISTED:,} more", "muted")
