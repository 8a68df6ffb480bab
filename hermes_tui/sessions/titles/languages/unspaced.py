"""What is known of a language without spaces between its words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, eq=False)
class Unspaced:
    """Pieces of one language: regular expressions, if nothing else is said, of which one is enough."""

    code: str
    openings: str
    """What is dropped from the front of a clause, one after the other."""
    asking: str
    """Openings that ask for something."""
    telling: str
    """How a clause begins that tells how things are."""
    endings: str
    """What is dropped from the end of a clause, one after the other."""
    wanting: str
    """Endings that ask for something."""
    questions: str
    """What makes a clause ask for something, wherever it stands."""
    orders: str
    """How a clause begins that is an order."""
    context_endings: str
    """How a clause ends that only leads to the next one."""
    trouble: str
    empty: str
    """Pieces that alone are no title."""
    splits: str
    """Characters that clauses are parted by."""
    before: str
    """Pieces before which a phrase may be cut."""
    after: str
    """Pieces after which a phrase may be cut."""
    hanging: str
    """Pieces that end no title."""
    told_endings: str = "(?!)"
    """How a clause ends that tells how things are."""
    turns: str = "(?!)"
    """What ends a clause before the main one, which comes last."""
    units: int = 16
    """A title is at most so long; a character counts one, a Latin word or a number two."""
    clause_starts: str = "(?!)"
    """How another clause begins where no mark parts them."""
    words: str = ""
    """Words, not expressions, that are not cut; most of their pairs of letters begin no other word."""

    def _one(self, pieces: str) -> str:
        return "|".join(sorted(pieces.split(), key=len, reverse=True)) or "(?!)"

    @cached_property
    def opening(self) -> re.Pattern[str]:
        """What is dropped from the front; group 1 if it asks for something."""
        return re.compile(
            rf"[\s，,、。！!~～：:…]*(?:({self._one(self.asking)})"
            rf"|(?:{self._one(self.openings)}))[\s，,、。！!~～：:…]*",
            re.I,
        )

    @cached_property
    def ending(self) -> re.Pattern[str]:
        """What is dropped from the end; group 1 if it asks for something."""
        return re.compile(
            rf"[\s，,、]*(?:({self._one(self.wanting)})|(?:{self._one(self.endings)}))[\s，,、。．.！!？?~～：:…]*\Z",
            re.I,
        )

    @cached_property
    def question(self) -> re.Pattern[str]:
        """What makes a clause a question or an order."""
        return re.compile(rf"{self._one(self.questions)}|\A(?:{self._one(self.orders)})")

    @cached_property
    def tells(self) -> re.Pattern[str]:
        """How a clause begins that tells how things are."""
        return re.compile(rf"\A(?:{self._one(self.telling)})")

    @cached_property
    def leads_on(self) -> re.Pattern[str]:
        """How a clause ends that leads to the next one."""
        return re.compile(rf"(?:{self._one(self.context_endings)})\Z")

    @cached_property
    def tells_at_end(self) -> re.Pattern[str]:
        """How a clause ends that tells how things are."""
        return re.compile(rf"(?:{self._one(self.told_endings)})\Z")

    @cached_property
    def turn(self) -> re.Pattern[str]:
        """What ends a clause before the main one."""
        return re.compile(self._one(self.turns))

    @cached_property
    def troubled(self) -> re.Pattern[str]:
        """What says that something is wrong."""
        return re.compile(self._one(self.trouble))

    @cached_property
    def nothing(self) -> re.Pattern[str]:
        """Pieces that alone are no title."""
        return re.compile(self._one(self.empty), re.I)

    @cached_property
    def starts(self) -> re.Pattern[str]:
        """Pieces before which a phrase may be cut."""
        return re.compile(self._one(self.before))

    @cached_property
    def goes_on(self) -> re.Pattern[str]:
        """How another clause begins where no mark parts them."""
        return re.compile(self._one(self.clause_starts))

    @cached_property
    def stops(self) -> re.Pattern[str]:
        """A piece after which a phrase may be cut, at the end."""
        return re.compile(rf"(?:{self._one(self.after)})\Z")

    @cached_property
    def hangs(self) -> re.Pattern[str]:
        """What may not end a title, at the end."""
        return re.compile(rf"(?:{self._one(self.hanging)})+\Z")

    @cached_property
    def known(self) -> frozenset[str]:
        """Words that are not cut."""
        return frozenset(self.words.split())
