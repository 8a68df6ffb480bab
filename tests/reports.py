"""What people reported of programs of this kind, each with the tests that hold it: `python -m tests.reports [ID …]`."""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import yaml

TESTS = Path(__file__).parent
PASSED = "passed"


@dataclass(frozen=True, slots=True)
class Report:
    """One report."""

    id: str
    """What it is called in public."""
    says: str
    """What holds here, in a sentence."""
    tests: tuple[str, ...]
    """The tests that hold it: `ui/test_live.py::test_name`, with or without a class and parameters."""


def reports() -> tuple[Report, ...]:
    """All of them, in the order of the file."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    read = yaml.load((TESTS / "reports.yaml").read_text(encoding="utf-8"), loader)
    return tuple(Report(id, entry["says"], tuple(entry["tests"] or ())) for id, entry in read.items())


def without_parameters(test: str) -> str:
    """The function of a test: `test_name[a]` is one run of `test_name`."""
    return test.partition("[")[0]


@cache
def tests_in(module: str) -> frozenset[str]:
    """The tests of a module, read without importing it; none where there is no such file."""
    path = TESTS / module
    if not path.is_file():
        return frozenset()
    return frozenset(f"{module}::{name}" for name in _names(ast.parse(path.read_bytes()).body))


def _names(body: Iterable[ast.stmt], owner: str = "") -> Iterable[str]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _names(node.body, f"{owner}{node.name}::")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield owner + node.name


def faults(found: Sequence[Report]) -> list[str]:
    """A line for each report without a test, and for each test that does not exist or stands twice."""
    lines = []
    for report in found:
        if not report.tests:
            lines.append(f"{report.id} has no test")
        for test, times in Counter(report.tests).items():
            function = without_parameters(test)
            if function not in tests_in(function.partition("::")[0]):
                lines.append(f"{report.id}: there is no {test}")
            if times > 1:
                lines.append(f"{report.id} names {test} twice")
    return lines


def run(tests: Iterable[str]) -> Mapping[str, Counter[str]]:
    """How each run of the tests ended, by the test's name with and without its parameters."""
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "ended.xml"
        named = [f"{TESTS.name}/{test}" for test in dict.fromkeys(tests)]
        command = [sys.executable, "-m", "pytest", "-n", "4", "--dist", "worksteal", f"--junitxml={written}", *named]
        subprocess.run(command, cwd=TESTS.parent, stdout=sys.stderr, check=False)
        return _ended(written) if written.exists() else {}


def _ended(path: Path) -> Mapping[str, Counter[str]]:
    ends: dict[str, Counter[str]] = {}
    for case in ElementTree.parse(path).iter("testcase"):
        end = next((part.tag for part in case if part.tag in ("failure", "error", "skipped")), PASSED)
        name = f"{case.get('classname')}.{case.get('name')}"
        for each in {name, without_parameters(name)}:
            ends.setdefault(each, Counter())[end] += 1
    return ends


def told(test: str) -> str:
    """A test as pytest tells of it when it has run: `tests.ui.test_live.test_name`."""
    function, bracket, parameters = test.partition("[")
    dotted = function.replace(".py::", ".").replace("::", ".").replace("/", ".")
    return f"{TESTS.name}.{dotted}{bracket}{parameters}"


def main() -> int:
    """Run the tests and print the table; 1 when a report is not held."""
    parser = argparse.ArgumentParser(prog="python -m tests.reports", description=__doc__)
    parser.add_argument("ids", nargs="*", metavar="ID", help="of these reports only")
    asked = parser.parse_args().ids
    chosen = [report for report in reports() if not asked or report.id in asked]
    if wrong := faults(chosen):
        print("\n".join(wrong), file=sys.stderr)
        return 1
    ends = run(test for report in chosen for test in report.tests)
    held = 0
    for report in chosen:
        counts = [ends.get(told(test), Counter({"not run": 1})) for test in report.tests]
        well = all(set(count) == {PASSED} for count in counts)
        held += well
        print(f"{report.id}  {'held' if well else 'FAILS':5}  {report.says}")
        for test, count in zip(report.tests, counts, strict=True):
            print(f"             {test}: {', '.join(f'{number} {end}' for end, number in count.items())}")
    named = len({test for report in chosen for test in report.tests})
    print(f"{held} of {len(chosen)} reports are held, by {named} named tests.")
    return int(held < len(chosen) or not chosen)


if __name__ == "__main__":
    sys.exit(main())
