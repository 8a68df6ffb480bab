"""Makes one picture, in whatever process it is asked for."""

from __future__ import annotations

import asyncio
import sys
import traceback

from tests.pictures.shots import BY_NAME, take
from tests.pictures.stage import machine
from tests.pictures.tour import TOUR, take_tour


def make(name: str) -> bool:
    """Take a picture, or the tour, on a machine of its own, and say so; whether it could be taken."""
    try:
        with machine():
            asyncio.run(take_tour() if name == TOUR else take(BY_NAME[name]))
    except Exception:
        print(f"screenshots/{name}: not taken", file=sys.stderr)
        traceback.print_exc()
        return False
    print(f"screenshots/{name}", flush=True)
    return True
