"""Stands in for the agent: answers its driver's requests, and writes as the agent writes, with nothing of ours.

Run as a program: one JSON request a line in; out comes when the file was replaced, then the answer.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

DELIMITER = "\n§\n"


def changed(entries: list[str], operation: dict[str, str]) -> list[str]:
    """The entries after one operation."""
    if operation["action"] == "add":
        return [*entries, operation["content"]]
    at = next(index for index, entry in enumerate(entries) if operation["old_text"] in entry)
    new = [operation["content"]] if operation["action"] == "replace" else []
    return entries[:at] + new + entries[at + 1 :]


def write(path: Path, operations: list[dict[str, str]]) -> None:
    """Lock, read, change, write beside, flush, and put in place."""
    with path.with_name(f"{path.name}.lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        entries = [part for part in path.read_text("utf-8").split(DELIMITER) if part.strip()]
        for operation in operations:
            entries = changed(entries, operation)
        handle, temp = tempfile.mkstemp(dir=path.parent, prefix=".mem_", suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(DELIMITER.join(entries))
            stream.flush()
            os.fsync(handle)
        at = time.monotonic_ns()
        Path(temp).replace(path)
    print(json.dumps({"replaced": at}), flush=True)


def main() -> None:
    """Answer until there are no more requests."""
    path = Path(os.environ["HERMES_HOME"]) / "memories" / "MEMORY.md"
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        args: dict[str, Any] = json.loads(line)["args"]
        write(path, args.get("operations") or [args])
        print(json.dumps({"result": {"success": True}}), flush=True)


if __name__ == "__main__":
    main()
