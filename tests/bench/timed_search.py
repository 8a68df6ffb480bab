"""Runs in an agent's environment: how long its own search takes. Arguments: the database; queries as JSON on stdin."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path


def main() -> None:
    """Answer each query three times and print the milliseconds of the quickest."""
    from hermes_state import SessionDB  # type: ignore[import-not-found]

    # Not read-only: an agent of the 0.19 line does not use its index then.
    base = SessionDB(Path(sys.argv[1]))
    for query in json.load(sys.stdin):
        times = []
        for _ in range(3):
            began = time.perf_counter()
            found = base.search_messages(query, limit=20)
            times.append((time.perf_counter() - began) * 1000)
            if times[-1] > 3_000:
                break
        print(json.dumps({"query": query, "ms": min(times), "found": len(found)}), flush=True)


if __name__ == "__main__":
    main()
