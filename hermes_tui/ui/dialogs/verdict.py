"""What the editor says about a text: what stands against saving it, where, and what to do. Pure."""

from __future__ import annotations

from hermes_tui.memory.check import TextCheck
from hermes_tui.memory.threats import Finding
from hermes_tui.text import plural, visible
from hermes_tui.ui.dialogs.paper import Paper, Tone, finding_words

OLDER_AGENTS = (
    "Agents of the 0.19 line would refuse this text, and show the model a [BLOCKED] note in its place; "
    "0.22 and later let it pass."
)


def verdict(
    check: TextCheck,
    *,
    chosen: int = 0,
    rewrite: str | None = None,
    untouched: bool = False,
    warned: bool = False,
    refused: bool = False,
    newer_would_do: bool = False,
) -> Paper:
    """What to say about a text.

    Args:
        check: what saving it would mean.
        chosen: which finding the keys are about.
        rewrite: the whole text with that finding rewritten, when there is an offer.
        untouched: nothing was typed yet.
        warned: save was pressed once, and older agents mind.
        refused: save was pressed although it cannot be.
        newer_would_do: only older agents mind.
    """
    paper = Paper()
    if check.ok:
        paper.words(f"✓ {plural(len(check.text), 'character')}", "good")
        return paper.words(" · fits" + (" · not changed yet" if untouched else ""), "muted")
    if check.code == "blank" and untouched and not refused:
        return paper.words("Write the entry; room and findings follow every key.", "muted")
    if check.code == "duplicate" and untouched and not refused:
        return paper.words("!", "warning").words(
            f" Entry {check.duplicate_of} says the same: one of them can go.", "muted"
        )
    # What answers a key comes first: on a low screen only the first lines are in view.
    if newer_would_do:
        if warned:
            paper.line("Not saved yet: press ctrl+s again to save it all the same.", "strong")
        paper.line(f"! {OLDER_AGENTS}", "warning")
    elif refused:
        paper.line(f"Not saved: {_reason(check)}", "strong")
    if check.code == "blocked":
        _findings(paper, check.findings, chosen, check.text, rewrite)
        if check.duplicate_of is not None:
            sign = "!" if untouched else "✗"
            role: Tone = "warning" if untouched else "error"
            paper.fresh().words(f"{sign} Entry {check.duplicate_of} says the same already.", role)
    else:
        paper.words(f"✗ {visible(check.sentence)}", "error").words(f" {check.hint}", "muted")
    if check.code != "over_limit" and check.over:
        paper.fresh().words(f"✗ Over by {check.over:,}.", "error")
    return paper


def _reason(check: TextCheck) -> str:
    """Why it cannot be saved, in a few words."""
    first = check.findings[0].id if check.findings else ""
    return {
        "": "",
        "blank": "blank.",
        "not_utf8": "half a character cannot be written.",
        "would_split": "it would split into several entries.",
        "blocked": f"blocked by {first}.",
        "duplicate": f"entry {check.duplicate_of} says the same.",
        "over_limit": f"over by {check.over:,}.",
    }[check.code]


def _findings(paper: Paper, findings: tuple[Finding, ...], chosen: int, text: str, rewrite: str | None) -> None:
    """The findings, from the chosen one on, so that it is in view however many there are."""
    for number, finding in enumerate((*findings[chosen:], *findings[:chosen])):
        place = f"{(chosen + number) % len(findings) + 1}/{len(findings)} " if len(findings) > 1 else ""
        words = finding_words(finding, explained=number == 0)
        paper.fresh().words(f"✗ {place}{words}", "warning" if finding.newer_pass else "error")
        if number == 0:
            paper.fresh().words(visible(finding.explanation), "muted")
            if rewrite is not None:
                paper.fresh().words("f3", "heading").words(f" {offer(text, rewrite)}. ").words(
                    finding.rewrite_note, "muted"
                )


def offer(text: str, rewrite: str) -> str:
    """What a rewrite would change: `writes “SSH keys” for “~/.ssh”`."""
    old, new = changed_part(text, rewrite)
    shown_old, shown_new = (visible(part[:60], multiline=False) for part in (old, new))
    return f"writes “{shown_new}” for “{shown_old}”" if new.strip() else f"takes out “{shown_old}”"


def changed_part(before: str, after: str) -> tuple[str, str]:
    """What of both texts is left without the start and the end that they share."""
    shorter = min(len(before), len(after))
    head = next((place for place in range(shorter) if before[place] != after[place]), shorter)
    rest = shorter - head
    tail = next((place for place in range(rest) if before[-1 - place] != after[-1 - place]), rest)
    return before[head : len(before) - tail], after[head : len(after) - tail]
