"""What one store held, entry by entry, in words and signs. Pure, so that a thread can make it."""

from __future__ import annotations

from collections.abc import Mapping

from hermes_tui.memory.worddiff import word_diff
from hermes_tui.text import plural
from hermes_tui.ui.dialogs.paper import Paper, Tone
from hermes_tui.ui.timeline.then import Compared, Sign, Then
from hermes_tui.ui.timeline.words import MARKS

TONES: dict[Sign, Tone] = {"came": "good", "went": "error", "edited": "warning", "same": "muted"}
SIGN_WORDS: dict[str, dict[Sign, str]] = {
    "before": {"came": "came", "went": "went", "edited": "edited", "same": "the same"},
    "now": {"came": "came since", "went": "gone since", "edited": "edited since", "same": "the same"},
}
"""What a difference is called, by what is compared with."""
AS_TOLD = "As this session was told."
ORDER: tuple[Sign, ...] = ("came", "edited", "went")


def then_paper(then: Then) -> Paper:
    """The whole page."""
    paper = Paper()
    write_then(paper, then)
    return paper


def write_then(paper: Paper, then: Then, *, told: bool = False) -> None:
    """Add what a store held.

    Args:
        paper: where to.
        then: what it held.
        told: whether it was said already that it is what a session was told.
    """
    for words in notes(then):
        if not (told and words == AS_TOLD):
            paper.line(words, "muted")
    if not then.known:
        return
    changed = [each for each in then.compared if each.sign != "same"]
    same = then.with_sign("same")
    if then.against_known and not then.now:
        paper.line(summary(then), "strong")
    for each in changed:
        changed_entry(paper, each, SIGN_WORDS[then.against])
    if changed and same:
        paper.fresh().line("─ the same" + (" now ─" if then.against == "now" else " as before ─"), "muted")
    for each in same:
        paper.fresh().words(f"{each.number:>3}  ", "muted").raw(each.after)
    if not then.compared:
        paper.line("It held nothing." if not then.now else "It holds nothing.", "muted")


def notes(then: Then) -> list[str]:
    """What to know about the page before reading it, in sentences."""
    if not then.known:
        return [f"Nothing tells what {then.file_name} held then."]
    found = [repeat_words(then)] if then.repeats else []
    if then.told and not then.compared:
        found.append(f"The session was told nothing of {then.file_name}: it was empty, or switched off.")
    elif then.told:
        found.append(AS_TOLD)
    if then.stale:
        found.append(
            "That was likely out of date already: it seems the file had changed shortly before the session began."
        )
    if then.doubtful:
        found.append(
            "It may be incomplete or a copy: the stored prompt ends within it, or holds another one, or a file of"
            " the project has it in it."
        )
    if not then.certain:
        found.append("Nothing recorded the whole file just then: it follows from what is known around it.")
    if then.maybe_empty:
        found.append("A session was told nothing of it around then: it may have been empty, or switched off.")
    if not then.against_known:
        found.append(
            "There is nothing before it to compare with."
            if then.against == "before"
            else "The file cannot be read now, so there is nothing to compare with."
        )
    return found


def repeat_words(then: Then) -> str:
    """`Entry 10 says the same as entry 5: both count as one.`"""
    if len(then.repeats) > 1:
        return f"{len(then.repeats):,} entries repeat others: each text counts once."
    ((place, first),) = then.repeats
    return f"Entry {place} says the same as entry {first}: both count as one."


def count_words(then: Then) -> str:
    """`19 entries, 1 duplicate`: as many as the file has."""
    every = len([each for each in then.compared if each.number]) + len(then.repeats)
    words = plural(every, "entry", "entries")
    return f"{words}, {plural(len(then.repeats), 'duplicate')}" if then.repeats else words


def summary(then: Then) -> str:
    """`1 came · 2 edited · 12 the same`: how the two moments differ."""
    words = SIGN_WORDS[then.against]
    counts = [(len(then.with_sign(sign)), words[sign]) for sign in ORDER]
    said = [f"{count:,} {word}" for count, word in counts if count]
    same = len(then.with_sign("same"))
    if not said:
        other = "now" if then.against == "now" else "before"
        return f"The same as {other}: {plural(same, 'entry', 'entries')}." if same else f"Empty, as it {_was(then)}."
    return " · ".join([*said, f"{same:,} the same"] if same else said)


def _was(then: Then) -> str:
    return "is now" if then.against == "now" else "was before"


def changed_entry(paper: Paper, each: Compared, words: Mapping[Sign, str]) -> None:
    """An entry that is not the same in both moments: what became of it, then its text."""
    number = f" · entry {each.number}" if each.number else ""
    paper.fresh().words(f"{MARKS[each.sign]} {words[each.sign]}{number}", TONES[each.sign]).fresh()
    if each.sign == "edited":
        paper.diff(word_diff(each.before, each.after))
    else:
        paper.raw(each.after or each.before)
