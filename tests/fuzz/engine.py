"""One target under atheris, which looks for inputs that reach more of the code: what `python -m tests.fuzz` starts."""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
import traceback
from pathlib import Path
from typing import Any

MOST_BYTES = 4096
"""Of one input."""
MOST_MEBIBYTES = 3000
HANGS_SECONDS = 120
"""After so long on one input the engine itself gives up."""


class Findings:
    """Inputs for which a target fails, one of each kind.

    Args:
        folder: where they are kept, each beside what it raised.
        name: the target.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self._kinds: set[tuple[str, ...]] = set()

    def add(self, data: bytes, error: BaseException) -> None:
        """Keep one, unless another one failed in the same way at the same place."""
        steps = traceback.extract_tb(error.__traceback__)
        here = [
            f"{step.filename}:{step.lineno}"
            for step in steps
            if "hermes_tui" in step.filename or "of_" in step.filename
        ]
        kind = (type(error).__name__, *here[-1:])
        if type(error).__name__ == "TooSlow":
            kind = (type(error).__name__, *getattr(error, "__notes__", ()))
        if kind in self._kinds:
            return
        self._kinds.add(kind)
        path = self._folder / f"{self._name.replace(' ', '_')}-{hashlib.sha256(data).hexdigest()[:10]}"
        path.write_bytes(data)
        told = "".join(traceback.format_exception(error))
        path.with_suffix(".txt").write_text(told, encoding="utf-8", errors="backslashreplace")
        print(f"FINDING {path}: {' '.join(str(error).split())[:200]}", file=sys.stderr, flush=True)


def run(name: str, folder: Path, options: list[str]) -> None:
    """Try inputs until the time is over; ends the process."""
    atheris = importlib.import_module("atheris")  # it is there only where somebody has asked for it

    setattr(os, "fsync", lambda _handle: None)  # noqa: B010 - nobody pulls the plug, and it takes most of the time
    instrumented: Any = atheris.instrument_imports(include=["hermes_tui"])
    instrumented.__enter__()  # for good: much is imported only when it is needed
    from tests.fuzz.targets import target, tried

    target(name)
    findings = Findings(folder, name)

    def once(data: bytes) -> None:
        try:
            tried(name, data)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            findings.add(data, error)

    atheris.Setup(
        [
            sys.argv[0],
            f"-max_len={MOST_BYTES}",
            f"-rss_limit_mb={MOST_MEBIBYTES}",
            f"-timeout={HANGS_SECONDS}",
            f"-artifact_prefix={folder / name.replace(' ', '_')}-",
            "-print_final_stats=1",
            *options,
        ],
        once,
    )
    atheris.Fuzz()


if __name__ == "__main__":
    run(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
