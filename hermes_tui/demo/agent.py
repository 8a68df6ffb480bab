"""The simulated agent: somebody else who writes to the demo home now and then while the app is open."""

from __future__ import annotations

import logging
import math
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from hermes_tui.demo.home import is_demo_home
from hermes_tui.errors import Refused
from hermes_tui.home import HermesHome

if TYPE_CHECKING:
    from hermes_tui.demo.live import LiveConversation
    from hermes_tui.demo.script import Performer

FIRST_PAUSE_SECONDS = 6.0
PAUSE_SECONDS = (15.0, 40.0)
"""Bounds of the random pause between two writes."""
STOP_SECONDS = 0.1
"""How long leaving may wait for a write that is going on."""

JOURNAL = ".hermes-tui-demo-agent"
"""The agent's own journal, in the home: the person's undo knows nothing of it."""


class SimulatedAgent:
    """Writes to one demo home from a thread of its own.

    Args:
        home_path: the home; only one that the demo builder made there is accepted.
        first_pause: seconds before the first write.
        pauses: bounds of the seconds between two writes.
        seed: decides the pauses.
        clock: tells how long ago a person wrote.

    Raises:
        Refused: it is no demo home.
    """

    def __init__(
        self,
        home_path: Path,
        *,
        first_pause: float = FIRST_PAUSE_SECONDS,
        pauses: tuple[float, float] = PAUSE_SECONDS,
        seed: int = 1,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if not is_demo_home(home_path):
            raise Refused(
                f"{home_path} is not a demo home; the simulated agent does not write there.",
                code="not_a_demo",
                hint="Use --demo, which makes a home for it.",
            )
        self.home = HermesHome(home_path, "default", "--home")
        self._first_pause = first_pause
        self._pauses = pauses
        self._random = random.Random(seed)
        self._clock = clock
        self._performer: Performer | None = None
        self._conversation: LiveConversation | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="simulated agent", daemon=True)

    def start(self) -> None:
        """Begin; the first write comes after the first pause."""
        self._thread.start()

    def stop(self) -> None:
        """Write no more; returns within a tenth of a second."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)

    @property
    def running(self) -> bool:
        """Whether more writes may come."""
        return self._thread.is_alive()

    def step(self) -> bool:
        """Carry out the next step of the script now; False when it left everything as it was.

        Raises:
            Refused: the home is gone, or is no demo home any more.
            Unreadable: the disk refused.
        """
        self._check_home()
        if self._performer is None:
            from hermes_tui.demo.script import Performer  # loaded here: not before the first frame

            self._performer = Performer(self.home, self.home.path / JOURNAL, clock=self._clock)
        return self._performer.perform()

    def speak(self) -> float | None:
        """Say the next line in the live session, if it can be said now.

        Returns:
            The seconds before the line after it; None when everything is said.

        Raises:
            Refused: the home is gone, or is no demo home any more.
        """
        conversation = self._talk()
        conversation.say_next()
        return conversation.pause()

    def _talk(self) -> LiveConversation:
        self._check_home()
        if self._conversation is None:
            from hermes_tui.demo.live import LiveConversation  # loaded here: not before the first frame

            self._conversation = LiveConversation(self.home, clock=self._clock)
        return self._conversation

    def _check_home(self) -> None:
        if not is_demo_home(self.home.path):
            raise Refused(f"{self.home.path} is no demo home any more.", code="not_a_demo")

    def _run(self) -> None:
        writes_at = time.monotonic() + self._first_pause
        speaks_at = writes_at + self._random.uniform(*self._pauses) / 4
        while not self._stopping.wait(min(writes_at, speaks_at) - time.monotonic()):
            try:
                if writes_at <= speaks_at:
                    self.step()
                    writes_at = time.monotonic() + self._random.uniform(*self._pauses)
                else:
                    pause = self.speak()
                    speaks_at = math.inf if pause is None else time.monotonic() + pause
            except Exception:
                # The outer edge: the demo goes on without it.
                logging.getLogger(__name__).debug("the simulated agent ended", exc_info=True)
                return


def start(home: HermesHome) -> Callable[[], None]:
    """Let a simulated agent write to a demo home until the returned function is called.

    Raises:
        Refused: it is no demo home.
    """
    agent = SimulatedAgent(home.path)
    agent.start()
    return agent.stop
