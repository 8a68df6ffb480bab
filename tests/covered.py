"""How many lines of the domain the tests run, package by package: `make coverage`."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.test_layout import MODULES, PACKAGE, ROOT, SCREEN_LIBRARIES, imports, name_of

LEAST = 95
"""The share of lines, in percent, under which a package fails."""
TESTS = ("cli", "config", "faults", "history", "hostile", "memory", "pending", "providers", "sessions")
"""The folders of tests that run the domain without a screen; the tests beside them are run too."""
OTHERS = ("ui/", "cli/", "demo/")
ALONE = "(single modules)"


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of one module that can be run."""

    module: str
    all: int
    missed: tuple[int, ...]
    """The numbers of those that no test ran."""


def domain() -> Iterator[Path]:
    """The modules that know neither screen nor command line."""
    for path in MODULES:
        tops = {module.split(".")[0] for module in imports(path)}
        if not name_of(path).startswith(OTHERS) and not tops & {*SCREEN_LIBRARIES, "rich"}:
            yield path


def run_tests(data: Path, processes: int) -> None:
    """Run the tests of the domain, and keep which lines they ran in a file."""
    paths = [f"tests/{name}" for name in TESTS] + sorted(map(str, Path("tests").glob("test_*.py")))
    words = ["-n", str(processes), "--dist", "worksteal", "--cov", PACKAGE.name, "--cov-report", ""]
    command = [sys.executable, "-m", "pytest", *words, *paths]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "COVERAGE_FILE": str(data)}, check=False)
    if done.returncode:
        raise SystemExit(done.returncode)


def lines_of(data: Path) -> list[Lines]:
    """What is in that file about the domain."""
    told = data.with_name(f"{data.name}.json")
    command = [sys.executable, "-m", "coverage", "json", "--quiet", "--data-file", str(data), "-o", str(told)]
    subprocess.run(command, cwd=ROOT, check=True)
    files = json.loads(told.read_text())["files"]
    found = []
    for path in domain():
        file = files[path.relative_to(ROOT).as_posix()]
        found.append(Lines(name_of(path), file["summary"]["num_statements"], tuple(file["missing_lines"])))
    return found


def by_package(modules: list[Lines]) -> Mapping[str, list[Lines]]:
    """The modules of each package; those that are in none come last."""
    packages: dict[str, list[Lines]] = defaultdict(list)
    for each in sorted(modules, key=lambda each: (each.module.count("/") == 0, each.module)):
        folder = str(Path(each.module).parent)
        packages[ALONE if folder == "." else folder].append(each)
    return packages


def share(modules: list[Lines]) -> float:
    """The lines that were run, in percent."""
    all_ = sum(each.all for each in modules)
    return 100 * (all_ - sum(len(each.missed) for each in modules)) / all_ if all_ else 100.0


def main() -> None:
    """Run, count, print, and fail where too little was run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--missed", action="store_true", help="name the lines that no test ran")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--data", type=Path, help="a file that an earlier run has left, in the place of a run")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = wanted.data or Path(folder) / "coverage"
        if not wanted.data or not data.exists():
            run_tests(data, wanted.processes)
        modules = lines_of(data)
    packages = {**by_package(modules), "all": modules}
    print(f"{'package':<32}{'lines':>8}{'not run':>9}{'run':>9}")
    for name, inside in packages.items():
        missed = sum(len(each.missed) for each in inside)
        print(f"{name:<32}{sum(each.all for each in inside):>8,}{missed:>9,}{share(inside):>8.1f}%")
    if wanted.missed:
        for each in modules:
            if each.missed:
                print(f"{each.module}: {', '.join(map(str, each.missed))}")
    low = [name for name, inside in packages.items() if share(inside) < LEAST]
    if low:
        raise SystemExit(f"under {LEAST} %: {', '.join(low)}")


if __name__ == "__main__":
    main()
