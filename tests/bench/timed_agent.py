"""Runs the driver of a real agent, and says when that agent puts a memory file in place.

Run as a program by the agent's own interpreter, with the driver's path.
"""

from __future__ import annotations

import json
import runpy
import sys
import time
from typing import Any


def tell_replaced(event: str, args: tuple[Any, ...]) -> None:
    """Print the time just before MEMORY.md is replaced."""
    if event == "os.rename" and str(args[1]).endswith("MEMORY.md"):
        print(json.dumps({"replaced": time.monotonic_ns()}), flush=True)


if __name__ == "__main__":
    sys.addaudithook(tell_replaced)
    runpy.run_path(sys.argv[1], run_name="__main__")
