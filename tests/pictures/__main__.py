"""Makes all pictures, or those whose names are given, in as many processes as there are cores."""

from __future__ import annotations

import multiprocessing
import os
import sys

from tests.pictures.making import make
from tests.pictures.shots import BY_NAME, FOLDER
from tests.pictures.tour import TOUR


def main() -> int:
    """All pictures, or those that are named."""
    FOLDER.mkdir(exist_ok=True)
    names = sys.argv[1:] or [TOUR, *BY_NAME]
    shares = min(len(names), os.cpu_count() or 1)
    if unknown := set(names) - {TOUR, *BY_NAME}:
        print(
            f"There is no picture {', '.join(sorted(unknown))}; there are {', '.join([TOUR, *BY_NAME])}.",
            file=sys.stderr,
        )
        return 2
    with multiprocessing.get_context("spawn").Pool(shares) as processes:
        return 0 if all(processes.map(make, names, chunksize=1)) else 1


if __name__ == "__main__":
    sys.exit(main())
