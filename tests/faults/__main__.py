"""Tries every operation at every call to the disk: `python -m tests.faults [--most N] [NAME …]`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.faults.operations import GROUPS
from tests.faults.points import EVERY_HOW, Trial, Tried

MOST = 600
"""Points of one operation; the long ones have thousands."""
SHOWN = 12
"""So many faults of one operation are told in full."""


def main() -> int:
    """Print a line for each operation, and each fault below it; 1 when there is one."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(GROUPS)}, or a part of a name")
    parser.add_argument("--most", type=int, default=MOST, help="points of one operation at most, which lie evenly")
    parser.add_argument("--first", type=int, default=0, help="begin with another one")
    parser.add_argument("--how", nargs="*", default=EVERY_HOW)
    asked = parser.parse_args()
    shared = Path("/dev/shm")
    total, faults = 0, 0
    print(
        f"{'operation':26}{'calls':>6}{'points':>8}{'done':>7}{'refused':>9}{'killed':>8}{'old':>7}{'new':>7}{'between':>9}{'faults':>8}"
    )
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as folder:
        for group, operations in GROUPS.items():
            for operation in operations:
                if asked.names and group not in asked.names and not any(each in operation.name for each in asked.names):
                    continue
                tried = Trial(operation, Path(folder)).run(asked.how, asked.most, asked.first)
                total += sum(tried.points.values())
                faults += len(tried.faults)
                print(_line(tried), flush=True)
                for fault in tried.faults[:SHOWN]:
                    print("    " + fault.replace("\n", "\n    "), flush=True)
    print(f"points={total} faults={faults}")
    return int(faults > 0)


def _line(tried: Tried) -> str:
    ends = tried.ends
    return (
        f"{tried.name:26}{tried.calls:6}{sum(tried.points.values()):8}{ends['done']:7}{ends['refused']:9}"
        f"{ends['killed']:8}{ends['old']:7}{ends['new']:7}{ends['between']:9}{len(tried.faults):8}"
    )


if __name__ == "__main__":
    sys.exit(main())
