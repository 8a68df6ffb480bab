"""Small mistakes made in copies of the modules that matter most, and whether the tests notice: `make mutants`."""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
GROUPS: Mapping[str, tuple[str, ...]] = {
    "store": tuple(f"memory/{name}" for name in ("changes", "editing", "entries", "matching", "rules", "store")),
    "preview": ("memory/batch", "memory/prompt", "pending/preview", "pending/skills/preview"),
    "search": tuple(
        f"sessions/{name}"
        for name in (
            *("chunks", "expressions", "folding", "gathering", "loosening", "matcher", "named"),
            *("narrowing", "query", "relevance", "scoring", "search", "snippets"),
        )
    ),
}
"""The modules of each group."""
LEFT_OUT = (
    *("memory/test_crash", "pending/test_crash", "pending/test_together", "pending/test_profiles_apart"),
    *("memory/test_threats", "memory/test_worddiff"),
)
"""Tests that start other programs, take seconds, or are about other modules."""
TESTS = (
    *("tests/memory", "tests/pending", "tests/history/test_blocks.py", "tests/history/test_calls.py"),
    *(f"tests/sessions/test_{name}.py" for name in ("folding", "query", "search", "search_details", "search_model")),
    *(f"--ignore=tests/{name}.py" for name in LEFT_OUT),
    "--deselect=tests/pending/test_review.py::"
    "test_a_bulk_of_hundreds_is_undone_and_redone_in_seconds_and_says_how_far_it_is",
)
"""What is run: of these, for each mutant, only those that reach its function."""
COPIED = ("hermes_tui", "tests", "themes", "README.md", "pyproject.toml")
EACH = 40
"""Mutants of each group."""
LEAST = 85
"""The share that the tests have to notice in each group, in percent."""
NOTICED = (1, 3)
"""What pytest ends with when a test fails."""
TOO_LONG = (24, -24, 36, 152, 255)
"""A mutant that never ends is noticed too."""
SPELLED = re.compile(r"""["(](?:SELECT |instr\()[^']*$|(?:en|de)code\("utf-8\"""")
"""SQL without a text in it, and the name of an encoding: capitals make no difference to whoever reads these."""
ASSERTED = re.compile(r"(zip\(.*), (?:strict=\w+)?\)")
"""What `zip` asserts holds in every right program, so that leaving it out makes no difference."""


def prepare(folder: Path) -> None:
    """A copy of the project, with what the maker of mutants is told."""
    left_out = shutil.ignore_patterns("__pycache__", "bench", "pictures", "fuzz", "soak")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=left_out)
        else:
            shutil.copy2(ROOT / name, folder / name)
    told = {
        "source_paths": ["hermes_tui"],
        "only_mutate": [f"hermes_tui/{module}.py" for modules in GROUPS.values() for module in modules],
        "also_copy": ["themes", "README.md"],
        "pytest_add_cli_args": ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov", "-W", "ignore"],
        "pytest_add_cli_args_test_selection": list(TESTS),
        "timeout_multiplier": 3.0,
        "timeout_constant": 3.0,
    }
    with (folder / "pyproject.toml").open("a") as file:
        file.write("\n[tool.mutmut]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in told.items()))


def run(folder: Path, names: Sequence[str]) -> None:
    """Make all mutants, and run the tests against those named."""
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", "1", *names]
    log = folder / "log"
    with log.open("wb") as file:
        done = subprocess.run(command, cwd=folder, stdout=file, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        lines = log.read_text(errors="replace").replace("\r", "\n").splitlines()
        raise SystemExit("\n".join(lines[-40:]))


def outcomes(folder: Path, module: str) -> dict[str, int | None]:
    """How the tests ended for each mutant of a module; None where it was not tried."""
    found: dict[str, int | None] = json.loads((folder / f"mutants/hermes_tui/{module}.py.meta").read_text())[
        "exit_code_by_key"
    ]
    return found


def sample(folder: Path, seed: int, each: int) -> dict[str, list[str]]:
    """Some mutants of each group, the same for the same code and seed."""
    chosen = {}
    for group, modules in GROUPS.items():
        names = sorted(name for module in modules for name in outcomes(folder, module))
        print(f"{group}: {min(each, len(names))} of {len(names):,} mutants of {len(modules)} modules", flush=True)
        chosen[group] = random.Random(f"{seed} {group}").sample(names, min(each, len(names)))
    return chosen


def difference(folder: Path, name: str) -> str:
    """What is different in a mutant."""
    command = [sys.executable, "-m", "mutmut", "show", name]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def alike(difference: str) -> bool:
    """Whether a mutant is the same program: capitals differ where they mean nothing, or an assertion is left out."""
    lines = [line for line in difference.splitlines() if line[:3] not in ("---", "+++")]
    before, after = ("\n".join(line[1:] for line in lines if line[:1] == sign) for sign in "-+")
    if before.lower() == after.lower():
        return SPELLED.search(before) is not None
    return ASSERTED.sub(r"\1)", before) == ASSERTED.sub(r"\1)", after)


def main() -> None:
    """Make, choose, try, print, and fail where too little was noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="chooses the sample")
    parser.add_argument("--each", type=int, default=EACH, help="mutants of each group")
    parser.add_argument("--folder", type=Path, help="where the copy is made and left; a temporary place otherwise")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = wanted.folder or Path(place)
        if not (folder / "mutants").exists():
            folder.mkdir(exist_ok=True)
            prepare(folder)
            run(folder, ["hermes_tui.memory.entries.x_join__mutmut_1"])
        chosen = sample(folder, wanted.seed, wanted.each)
        run(folder, [name for names in chosen.values() for name in names])
        ends = {
            name: end
            for modules in GROUPS.values()
            for module in modules
            for name, end in outcomes(folder, module).items()
        }
        low = []
        for group, names in chosen.items():
            survived = [name for name in names if ends[name] not in (*NOTICED, *TOO_LONG)]
            left = [shown for name in survived if not alike(shown := difference(folder, name))]
            tried = len(names) - len(survived) + len(left)
            share = 100 * (1 - len(left) / tried)
            print(f"{group}: {tried - len(left)} of {tried} noticed, {share:.0f} %", end="")
            print(f"; {len(names) - tried} are the same program" if tried < len(names) else "")
            print(*left, sep="\n")
            if share < LEAST:
                low.append(group)
    if low:
        raise SystemExit(f"under {LEAST} %: {', '.join(low)}")


if __name__ == "__main__":
    main()
