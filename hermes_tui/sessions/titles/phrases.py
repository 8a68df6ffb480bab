"""Set phrases of a language, written down as short patterns, and finding them in a row of words.

`can|could you please?` is one of "can you", "could you", "can you please", "could you please"; `_` joins the words
of an alternative: `help_me|assist me?`. A `*` stands for any one word.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import dedent

Alternative = tuple[str, ...]
ANY = "*"


@dataclass(frozen=True, slots=True)
class Step:
    """One place of a pattern."""

    singles: frozenset[str]
    """Alternatives of one word."""
    longer: tuple[Alternative, ...]
    """Alternatives of several words."""
    optional: bool


class Phrases:
    """Many patterns, looked up by their first word."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._by_first: dict[str, list[tuple[Step, ...]]] = {}
        for line in lines:
            steps = tuple(_step(piece) for piece in line.split())
            for first in set(_firsts(steps)):
                self._by_first.setdefault(first, []).append(steps)

    def __contains__(self, word: str) -> bool:
        """Whether some pattern begins with this word."""
        return word in self._by_first

    def match(self, keys: Sequence[str], at: int = 0) -> int:
        """Where the longest phrase that begins at `at` ends; `at` itself if there is none."""
        patterns = self._by_first.get(keys[at]) if at < len(keys) else None
        return max(at, *(_end(steps, 0, keys, at) for steps in patterns)) if patterns else at

    def match_end(self, keys: Sequence[str], reach: int) -> int:
        """Where a phrase begins that ends where `keys` end, at most `reach` words before; their length if none."""
        for at in range(max(0, len(keys) - reach), len(keys)):
            if self.match(keys, at) == len(keys):
                return at
        return len(keys)


def lines(text: str) -> tuple[str, ...]:
    """The patterns of a block of text, one a line; a line that is indented more than the others goes on with one."""
    joined: list[str] = []
    for line in dedent(text).splitlines():
        if line.startswith(" ") and joined:
            joined[-1] += line.strip() if joined[-1].endswith("|") else f" {line.strip()}"
        elif line.strip():
            joined.append(line.strip())
    return tuple(joined)


def words(text: str) -> frozenset[str]:
    """The words of a block of text."""
    return frozenset(text.split())


def _step(piece: str) -> Step:
    choices = [tuple(choice.split("_")) for choice in piece.removesuffix("?").split("|")]
    singles = frozenset(choice[0] for choice in choices if len(choice) == 1)
    return Step(singles, tuple(choice for choice in choices if len(choice) > 1), piece.endswith("?"))


def _firsts(steps: Sequence[Step]) -> Iterable[str]:
    """The words that a pattern may begin with."""
    for step in steps:
        yield from step.singles
        yield from (longer[0] for longer in step.longer)
        if not step.optional:
            return


def _end(steps: Sequence[Step], which: int, keys: Sequence[str], at: int) -> int:
    """Where the rest of a pattern ends, or -1."""
    if which == len(steps):
        return at
    step = steps[which]
    best = _end(steps, which + 1, keys, at) if step.optional else -1
    if at >= len(keys):
        return best
    if keys[at] in step.singles or ANY in step.singles:
        best = max(best, _end(steps, which + 1, keys, at + 1))
    for longer in step.longer:
        after = at + len(longer)
        if keys[at] == longer[0] and tuple(keys[at:after]) == longer:
            best = max(best, _end(steps, which + 1, keys, after))
    return best
