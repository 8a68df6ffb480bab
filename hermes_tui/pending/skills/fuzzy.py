"""Where a patch lands: the one place that the agent would find too, or a sentence that says why there is none.

The agent forgives white space and typography, and then goes on to guess at text that is merely alike. Only what
both lines of the agent find at the same single place is found here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

TYPOGRAPHY = {
    "\u2018": "'",
    "\u2019": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u2013": "-",
    "\u2014": "--",
    "\u2026": "...",
    "\u00a0": " ",
}
"""What both lines of the agent take for the same; other dashes, quotes and spaces they do not agree on."""

_DISPUTED = re.compile(r"[^\S \t\n\u00a0]|[\u2010-\u2012\u2015\u2212]")
_SPACES = re.compile(r"[^\S\n]+")
_DASHES = re.compile(r"[\u2010-\u2015\u2212]")

MAX_COMPARED = 4_000_000
"""Pairs of characters compared at most when new text is fitted to old typography, a fraction of a second."""

Tolerance = Literal["exact", "edges", "blanks", "typography"]


@dataclass(frozen=True, slots=True)
class Patched:
    """A text with the patch in it."""

    text: str
    places: int
    """How often it was put in."""
    tolerance: Tolerance
    """What had to be forgiven for the old text to be found."""


@dataclass(frozen=True, slots=True)
class NotPatched:
    """Why a patch has no single place."""

    matches: int
    """How many places would do; none where no place is certain."""


def patch_text(text: str, old: str, new: str, *, everywhere: bool = False) -> Patched | NotPatched:
    """Put `new` in the place of `old`.

    Args:
        text: the file, its line ends already plain newlines.
        old: what the agent wants to replace; not blank.
        new: what comes instead.
        everywhere: replace every occurrence; only occurrences that are exactly `old` are ever more than one.
    """
    count = text.count(old)
    if count == 1 or (count and everywhere):
        return Patched(text.replace(old, new), count, "exact")
    if count:
        return NotPatched(count)
    for find in (_by_edges, _by_blanks, _by_typography):
        found = find(text, old, new)
        if isinstance(found, Patched) and _is_only_place(text, old):
            return found
        if isinstance(found, Patched) or found.matches:
            return NotPatched(0 if isinstance(found, Patched) or everywhere else found.matches)
    return NotPatched(0)


def _by_edges(text: str, old: str, new: str) -> Patched | NotPatched:
    """Whole lines that differ at their ends only; the new lines are moved to the indent found."""
    lines, wanted = text.split("\n"), [line.strip() for line in old.split("\n")]
    stripped = [line.strip() for line in lines]
    starts = [at for at in range(len(lines) - len(wanted) + 1) if stripped[at : at + len(wanted)] == wanted]
    if len(starts) != 1:
        return NotPatched(len(starts))
    at = starts[0]
    region = lines[at : at + len(wanted)]
    fitted = _indented(new, _first_indent(old.split("\n")), _first_indent(region))
    return Patched("\n".join([*lines[:at], fitted, *lines[at + len(wanted) :]]), 1, "edges")


def _first_indent(lines: list[str]) -> str:
    first = next((line for line in lines if line.strip()), "")
    return first[: len(first) - len(first.lstrip(" \t"))]


def _indented(new: str, from_indent: str, to_indent: str) -> str:
    if from_indent == to_indent:
        return new
    return "\n".join(
        line
        if not line.strip()
        else to_indent + (line[len(from_indent) :] if line.startswith(from_indent) else line.lstrip(" \t"))
        for line in new.split("\n")
    )


def _by_blanks(text: str, old: str, new: str) -> Patched | NotPatched:
    """Text in which runs of blanks have another length."""
    if old != old.strip():
        return NotPatched(0)
    pattern = re.compile("".join(r"[ \t]+" if part.isspace() else re.escape(part) for part in _parts(old)))
    spots = list(pattern.finditer(text))
    if len(spots) != 1:
        return NotPatched(len(spots))
    start, end = spots[0].span()
    if text[:start].endswith(("  ", " \t", "\t ", "\t\t")):
        return NotPatched(0)  # the two lines do not agree on how much of the run goes along
    return Patched(text[:start] + new + text[end:], 1, "blanks")


def _parts(old: str) -> list[str]:
    return re.findall(r"[ \t]+|[^ \t]+", old)


def _by_typography(text: str, old: str, new: str) -> Patched | NotPatched:
    """Text with other quotes, dashes or spaces; those that the patch leaves alone stay as they are."""
    if old[0].isspace() or old[-1] in " \t\u00a0":
        return NotPatched(0)
    plain, starts = _plain(text)
    wanted = _plain(old)[0]
    count = plain.count(wanted)
    if count != 1:
        return NotPatched(count)
    at = plain.index(wanted)
    first, last = starts[at], starts[at + len(wanted)]
    if _plain(text[first:last])[0] != wanted or _DISPUTED.search(text[first:last]):
        return NotPatched(0)  # half of a dash or of an ellipsis, or spaces that only one line knows
    fitted = _fitted(text[first:last], new)
    return NotPatched(0) if fitted is None else Patched(text[:first] + fitted + text[last:], 1, "typography")


def _plain(text: str) -> tuple[str, list[int]]:
    """The text without typography, and for each of its characters, and its end, where it stands in the text."""
    plain: list[str] = []
    starts: list[int] = []
    for index, character in enumerate(text):
        simple = TYPOGRAPHY.get(character, character)
        plain.append(simple)
        starts += [index] * len(simple)
    starts.append(len(text))
    return "".join(plain), starts


def _fitted(region: str, new: str) -> str | None:
    """The new text with the region's own typography wherever the two say the same; None where nobody can tell."""
    plain, starts = _plain(region)
    if len(plain) * len(new) > MAX_COMPARED:
        return None
    fitted: list[str] = []
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, plain, new, autojunk=False).get_opcodes():
        kept = region[starts[a1] : starts[a2]]
        if tag == "equal" and _plain(kept)[0] != plain[a1:a2]:
            return None
        fitted.append(kept if tag == "equal" else new[b1:b2])
    return "".join(fitted)


def _is_only_place(text: str, old: str) -> bool:
    """Whether forgiving everything at once finds a single place, so that no other could have been meant."""
    wanted = _loose(old)
    return bool(wanted) and _loose(text).count(wanted) <= 1


def _loose(text: str) -> str:
    """A text without spaces of any kind and without typography."""
    return _DASHES.sub("-", _plain(_SPACES.sub("", text))[0]).strip("\n")
