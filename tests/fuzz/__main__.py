"""Looks for inputs that break something, guided by what they reach: `python -m tests.fuzz --minutes 60 [TARGET …]`."""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.seeds import seeds, words
from tests.fuzz.targets import TARGETS, tried

ROOT = Path(__file__).parents[2]
KEPT = Path("build/fuzz")
"""Where inputs and findings are kept, from one run to the next."""
SHARES = {"grown": 3.0, "command": 2.0}
"""Targets that get another share of the time than the others."""
MOST_STARTS = 5
"""So often one target is begun anew after the process itself broke down."""
GROWN_CHARS, GROWN_SECONDS = "50000", "2.5"
"""What the readers of long texts are given here, where every line takes several times as long."""
_LINE = re.compile(r"^#(\d+)\s+(\w+)\s+cov: (\d+) ft: (\d+) corp: (\d+)/", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of one target."""

    name: str
    runs: int
    reached: tuple[int, int]
    """Places in the code that the first inputs reached, and those that all of them do."""
    inputs: tuple[int, int]
    """How many inputs there were that each reach something else, and how many there are."""
    findings: tuple[str, ...]
    seconds: float

    def __str__(self) -> str:
        cov, inputs = (f"{first:,} → {last:,}" for first, last in (self.reached, self.inputs))
        each = f"{self.runs / max(self.seconds, 1):,.0f}/s"
        return f"{self.name:16}{self.runs:11,}{each:>10}  {cov:>17}{inputs:>17}{len(self.findings):10}"


def main() -> int:
    """Print a line for each target, and how to run each finding again; 1 when there is one."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("names", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; all without one")
    parser.add_argument("--minutes", type=float, default=60, help="for all of them together")
    parser.add_argument("--keep", type=Path, default=KEPT, help="the folder for inputs and findings")
    parser.add_argument("--again", type=Path, nargs="+", metavar="FILE", help="run findings again instead")
    asked = parser.parse_args()
    if asked.again:
        return again(asked.again)
    if importlib.util.find_spec("atheris") is None:
        parser.error("atheris is not there: pip install 'hermes-tui[fuzz]', in an environment of its own.")
    names = asked.names or list(TARGETS)
    if unknown := [name for name in names if name not in TARGETS]:
        parser.error(f"no target: {', '.join(unknown)}")
    share = asked.minutes * 60 / sum(SHARES.get(name, 1.0) for name in names)
    print(f"{'target':16}{'inputs run':>11}{'':10}  {'places reached':>17}{'inputs kept':>17}{'findings':>10}")
    every = []
    for name in names:
        ran = fuzz(name, asked.keep.resolve(), share * SHARES.get(name, 1.0))
        every.append(ran)
        print(ran, flush=True)
        for finding in ran.findings:
            print(f"    {finding}", flush=True)
    found = sum(len(ran.findings) for ran in every)
    print(f"inputs={sum(ran.runs for ran in every)} targets={len(every)} findings={found}")
    return int(found > 0)


def fuzz(name: str, kept: Path, seconds: float) -> Ran:
    """Try inputs on one target for so long."""
    file_name = name.replace(" ", "_")
    corpus, findings = kept / "corpus" / file_name, kept / "findings"
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    for seed in seeds(name):
        (corpus / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
    began, told, before = time.monotonic(), "", set(findings.iterdir())
    shared = Path("/dev/shm")
    for start in range(MOST_STARTS):
        left = seconds - (time.monotonic() - began)
        if left < 1:
            break
        with tempfile.TemporaryDirectory(prefix="fuzz-", dir=shared if shared.is_dir() else None) as alone:
            words_path = Path(alone) / "words"
            words_path.write_text("".join(f'"{_spelled(word)}"\n' for word in words()), encoding="ascii")
            options = [f"-max_total_time={int(left)}", f"-dict={words_path}", str(corpus)]
            log = kept / f"{file_name}.log"
            with log.open("ab" if start else "wb") as file:
                child = [sys.executable, "-m", "tests.fuzz.engine", name, str(findings), *options]
                done = subprocess.run(child, cwd=ROOT, env=_alone(Path(alone)), stdout=file, stderr=file, check=False)
            told = log.read_text(encoding="utf-8", errors="replace")
        if done.returncode == 0:
            break
    new = sorted(set(findings.iterdir()) - before)
    return _ran(name, told, [path for path in new if path.suffix != ".txt"], time.monotonic() - began)


def _alone(folder: Path) -> dict[str, str]:
    """An environment with nothing of the person's in it."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "HERMES_MANAGED_DIR": str(folder / "managed"),
        "HERMES_TUI_FUZZ_CHARS": GROWN_CHARS,
        "HERMES_TUI_FUZZ_SECONDS": GROWN_SECONDS,
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }


def _spelled(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


def _ran(name: str, log: str, findings: Sequence[Path], seconds: float) -> Ran:
    lines = [(int(number), kind, int(cov), int(corpus)) for number, kind, cov, _, corpus in _LINE.findall(log)]
    first = next((line for line in lines if line[1] == "INITED"), (0, "", 0, 0))
    last = lines[-1] if lines else first
    runs = sum(map(int, re.findall(r"^stat::number_of_executed_units:\s*(\d+)", log, re.MULTILINE)))
    return Ran(
        name,
        max(runs, last[0]),
        (first[2], last[2]),
        (first[3], last[3]),
        tuple(f"python -m tests.fuzz --again {path}" for path in findings),
        seconds,
    )


def again(paths: Sequence[Path]) -> int:
    """Run inputs again, and show what they raise; 1 when one does."""
    failed = 0
    for path in paths:
        name = path.name.partition("-")[0].replace("_", " ")
        print(f"{path}: {name}: {path.read_bytes()!r}")
        try:
            tried(name, path.read_bytes())
        except BaseException as error:
            failed = 1
            traceback.print_exception(error)
    return failed


if __name__ == "__main__":
    sys.exit(main())
