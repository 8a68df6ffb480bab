"""A long tool output for the demo: what building the museum's website prints."""

from __future__ import annotations

import random
from collections.abc import Iterator

KINDS = (("T", "textiles", 0.62), ("C", "costumes", 0.24), ("L", "looms", 0.14))
"""Letter of the object numbers, folder on the website, and share of the pages."""


def build_log(pages: int) -> str:
    """The output of one build, about one line a page; the same at every call."""
    return "\n".join(_lines(pages))


def _lines(pages: int) -> Iterator[str]:
    chance = random.Random(pages)
    yield "make: reading loans/list.csv"
    yield f"make: {pages} rows, 3 kinds, 2 languages"
    seconds = 0.0
    pictures = 0
    for letter, folder, share in KINDS:
        yield f"== {folder}"
        for number in range(1, round(pages * share) + 1):
            took = chance.uniform(0.02, 0.19)
            seconds += took
            found = chance.choice((1, 2, 2, 3, 4, 6))
            pictures += found
            plural = "picture" if found == 1 else "pictures"
            yield f"   site/{folder}/{letter}-{number:03}.html   {took:.2f} s   {found} {plural}"
            if letter == "T" and number == 114:
                yield "warning: T-114: “front view” is 640 px wide, the page wants 1200"
            if letter == "C" and number == 31:
                yield "warning: C-031: credit line is empty, page left out of the index"
    yield f"make: {pictures} pictures in {seconds:.1f} s"
    yield "make: site/index.html written, 1 page left out"
