"""Whether a text may become an entry, and what the store would look like with it: the editor's every keystroke."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from hermes_tui.errors import Refused
from hermes_tui.memory.entries import FILE_NAMES, StoreName, Usage, fold_newlines, survives_reload, usage_of
from hermes_tui.memory.threats import Finding, first_threat_message
from hermes_tui.memory.view import StoreView, cached_scan, has_lookalike

CheckCode = Literal["", "blank", "would_split", "not_utf8", "blocked", "duplicate", "over_limit"]


@dataclass(frozen=True, slots=True)
class EntryRef:
    """An entry as a person saw it: by place and exact text, so that it is never mistaken for another."""

    store: StoreName
    index: int
    """Place in the file, from 1."""
    text: str
    beside: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """The other entries as they were seen with it: none of them can be what became of it."""


@dataclass(frozen=True, slots=True)
class TextCheck:
    """What saving a text would mean."""

    store: StoreName
    text: str
    """The text as it would be stored: stripped, with LF line ends."""
    usage_after: Usage
    over: int
    """Characters past the limit; 0 when it fits, or when the change makes a full store smaller."""
    findings: tuple[Finding, ...]
    duplicate_of: int | None
    """Index of the entry that says the same already."""
    would_split: bool
    """Whether the agent would read it back as several entries, or a person take it for several."""
    encodable: bool
    """False when the text holds half a character (a lone surrogate), which no file can hold."""

    @property
    def blank(self) -> bool:
        """Whether nothing but white space is left."""
        return not self.text

    @property
    def only_newer_pass(self) -> bool:
        """Whether all findings are ones that the 0.22 line of the agent lets pass."""
        return bool(self.findings) and all(finding.newer_pass for finding in self.findings)

    @property
    def code(self) -> CheckCode:
        """The first reason against saving; empty when there is none."""
        if self.blank:
            return "blank"
        if not self.encodable:
            return "not_utf8"
        if self.would_split:
            return "would_split"
        if self.findings:
            return "blocked"
        if self.duplicate_of is not None:
            return "duplicate"
        return "over_limit" if self.over else ""

    @property
    def ok(self) -> bool:
        """Whether it may be saved as it is."""
        return not self.code

    @property
    def sentence(self) -> str:
        """The reason against saving in a sentence; empty when there is none."""
        usage = f"{self.usage_after.chars:,}/{self.usage_after.limit:,} chars"
        words = {
            "": "",
            "blank": "The text is blank.",
            "not_utf8": "The text holds half a character (a lone surrogate) and cannot be written as UTF-8.",
            "would_split": "The text would split into several entries: § stands alone on a line.",
            "blocked": first_threat_message(self.findings) if self.findings else "",
            "duplicate": f"Entry {self.duplicate_of} says the same already.",
            "over_limit": f"{FILE_NAMES[self.store]} would be at {usage}: over by {self.over:,}.",
        }
        return words[self.code]

    @property
    def hint(self) -> str:
        """What to do about the reason."""
        return {
            "": "",
            "blank": "Write something, or remove the entry.",
            "not_utf8": "Take that character out.",
            "would_split": "Make them separate entries, or write something else on that line.",
            "blocked": "Rewrite the part it names.",
            "duplicate": "The agent keeps a text only once.",
            "over_limit": "Shorten it, or make room by merging or removing entries.",
        }[self.code]


def check_text(view: StoreView, text: str, *, replacing: EntryRef | None = None, at: int | None = None) -> TextCheck:
    """What adding `text` to a store, or putting it in the place of an entry, would mean.

    Args:
        view: the store as it stands.
        text: the text as typed.
        replacing: the entry it takes the place of; None to add.
        at: where to add, from 1; None for the end.
    """
    texts = view.texts
    clean = fold_newlines(text).strip()
    if replacing is None:
        place = len(texts) if at is None else max(0, min(at - 1, len(texts)))
        after = [*texts[:place], clean, *texts[place:]]
        others = list(enumerate(texts, 1))
    else:
        place = replacing.index - 1
        after = [*texts[:place], clean, *texts[place + 1 :]]
        others = [(index, entry) for index, entry in enumerate(texts, 1) if index != replacing.index]
    usage = usage_of([entry for entry in after if entry], view.usage.limit)
    return TextCheck(
        store=view.store,
        text=clean,
        usage_after=usage,
        over=usage.over if usage.chars > view.usage.chars else 0,
        findings=cached_scan(clean),
        duplicate_of=next((index for index, entry in others if entry == clean), None),
        would_split=bool(clean) and (not _reads_back(after, place) or has_lookalike(clean)),
        encodable=is_encodable(clean),
    )


def _reads_back(after: Sequence[str], place: int) -> bool:
    # The neighbours suffice: whether an entry splits depends on its own text and on one following it.
    nearby = [*after[max(0, place - 1) : place], after[place], "next"]
    return survives_reload(nearby)


def is_encodable(text: str) -> bool:
    """Whether `text` can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def require(check: TextCheck, *, accept_newer: bool = False) -> str:
    """The text to store, if nothing speaks against it.

    Args:
        check: the outcome of `check_text`.
        accept_newer: let pass what the 0.22 line of the agent lets pass.

    Raises:
        Refused: with the first reason that stands.
    """
    code = check.code
    if code == "blocked" and accept_newer and check.only_newer_pass:
        code = "duplicate" if check.duplicate_of is not None else "over_limit" if check.over else ""
    if not code:
        return check.text
    hint = check.hint
    if code == "blocked" and check.only_newer_pass:
        hint += " Agents of the 0.22 line let this pass; it can be saved for them on request."
    raise Refused(_sentence_for(check, code), code=code, hint=hint)


def _sentence_for(check: TextCheck, code: CheckCode) -> str:
    if code == check.code:
        return check.sentence
    return TextCheck(
        check.store, check.text, check.usage_after, check.over, (), check.duplicate_of, False, True
    ).sentence
