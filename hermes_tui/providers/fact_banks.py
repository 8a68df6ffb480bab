"""Holographic's banks: one vector for each category, worked out from the vectors of its facts as the agent does it.

A vector is a row of angles, stored as 64-bit floats in the machine's byte order. The bank is their circular mean:
cosines and sines are added fact by fact in the order of their ids, and the angle of each sum is taken, from 0 to 2π.
With the C library's functions the bytes are those of the agent; its numpy may round the last bit of some angles
otherwise on processors with AVX-512.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from dataclasses import dataclass

from hermes_tui.errors import Refused

NUMBER_BYTES = 8
_FULL_TURN = 2.0 * math.pi


@dataclass(frozen=True, slots=True)
class Bank:
    """What a category's bank has to be."""

    name: str
    vector: bytes
    """Empty when there is nothing to make one of."""
    dimensions: int
    facts: int


def bank_name(category: object) -> str:
    """What the agent calls the bank of a category."""
    return f"cat:{category}"


def bundled(category: object, vectors: Iterable[bytes]) -> Bank:
    """The bank of a category whose facts have these vectors.

    Raises:
        Refused: a vector is damaged, or they are of different lengths, so that nobody can make a bank of them.
    """
    cosines: list[float] = []
    sines: list[float] = []
    count = 0
    for data in vectors:
        angles = array("d")
        try:
            angles.frombytes(data)
            ours = list(map(math.cos, angles)), list(map(math.sin, angles))
        except (ValueError, TypeError):
            raise _refused(category, "one of its vectors is damaged") from None
        if not angles:
            raise _refused(category, "one of its vectors is empty")
        if count and len(angles) != len(cosines):
            raise _refused(category, "its vectors are of different lengths")
        if count:
            cosines = [one + other for one, other in zip(cosines, ours[0], strict=True)]
            sines = [one + other for one, other in zip(sines, ours[1], strict=True)]
        else:
            cosines, sines = ours
        count += 1
    mean = array("d", (math.atan2(y, x) % _FULL_TURN for y, x in zip(sines, cosines, strict=True)))
    return Bank(bank_name(category), mean.tobytes(), len(mean), count)


def _refused(category: object, why: str) -> Refused:
    return Refused(
        f"The bank of the category {category} cannot be made anew: {why}. Nothing was changed.",
        code="bank_refused",
        hint="Have the agent delete the fact (fact_store with action remove), or make its vectors anew.",
    )
