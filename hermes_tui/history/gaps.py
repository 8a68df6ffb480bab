"""Sessions whose prompts leave it open what a store held."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple


class Gap(NamedTuple):
    """Some sessions in a row."""

    first: float
    """When the first was told what it was told, in epoch seconds."""
    last: float
    """When the last was."""
    sessions: int
    silent: bool
    """Whether their prompts do not speak of the store: it was empty, or switched off. Else they have something that
    looks like it, and may be something else."""


def gap_words(file_name: str, gaps: Sequence[Gap]) -> list[str]:
    """What is missing, in sentences: one for each of both kinds."""
    found = []
    for silent in (False, True):
        some = [gap for gap in gaps if gap.silent == silent]
        if not some:
            continue
        count = sum(gap.sessions for gap in some)
        ends = min(gap.first for gap in some), max(gap.last for gap in some)
        when = " to ".join(dict.fromkeys(time.strftime("%Y-%m-%d", time.localtime(at)) for at in ends))
        whose = f"the prompts of {count:,} sessions ({when})" if count > 1 else f"the prompt of 1 session ({when})"
        says = (
            f"{'do' if count > 1 else 'does'} not speak of it: it may have been empty then, or switched off"
            if silent
            else f"{'have' if count > 1 else 'has'} a block that may not be its own: what only that tells is left out"
        )
        found.append(f"{file_name}: {whose} {says}.")
    return found
