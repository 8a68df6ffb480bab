"""A second reviewer, on the command line."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.soak.agent import WORDS
from tests.soak.tally import Tally

GAPS = (3.0, 20.0)
"""The least and the most seconds between two commands."""
PATIENCE_SECONDS = 60.0
LOOKS = ("memory list", "memory log", "sessions list", "sessions stats", "count", "pending list", "history log",
         "pending simulate", "info")  # fmt: skip

TALKS = ("doctor", "gate", "pending undo")
"""What says more than its answer when all went well."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command said."""

    code: int
    shape: dict[str, Any]
    """Its JSON."""
    talk: str
    """What went to stderr."""
    seconds: float


def run(environ: Mapping[str, str], *words: str) -> Answer:
    """Run one command, with its answer as JSON."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "hermes_tui", *words, "--json"],
        env=environ, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS,
    )  # fmt: skip
    try:
        shape = json.loads(done.stdout)
    except ValueError:
        shape = {}
    return Answer(done.returncode, shape, done.stderr, time.monotonic() - began)


class Reviewer(threading.Thread):
    """Looks, decides, takes back, switches the gate."""

    def __init__(self, environ: Mapping[str, str], tally: Tally, seed: int) -> None:
        super().__init__(name="reviewer")
        self.environ = environ
        self.tally = tally
        self.dice = random.Random(seed)
        self.over = threading.Event()
        self.decided: list[tuple[str, str]] = []
        """What the command said it did: approve or reject, and the id."""
        self.seconds: list[float] = []
        """How long each command took."""

    def run(self) -> None:
        """Until it is over."""
        try:
            while not self.over.wait(self.dice.uniform(*GAPS)):
                self._do_something()
        except Exception as error:  # told at the end; the other two go on
            self.tally.blame(f"the reviewer's thread ended: {type(error).__name__}: {error}")

    def _do_something(self) -> None:
        kind = self.dice.random()
        if kind < 0.45:
            self._decide()
        elif kind < 0.52:
            self._command("pending undo", "pending", "undo")
        elif kind < 0.60:
            self._command("gate", "pending", "gate", "on" if self.dice.random() < 0.7 else "off")
        elif kind < 0.75:
            self._command("sessions search", "sessions", "search", *self.dice.choices(WORDS, k=self.dice.randint(1, 2)))
        elif kind < 0.79:
            self._command("doctor", "doctor")
        else:
            look = self.dice.choice(LOOKS)
            self._command(look, *look.split())

    def _decide(self) -> None:
        """One or several at once; what somebody else was quicker with is refused."""
        records = self._command("pending list", "pending", "list").shape.get("records", [])
        if not records:
            return
        fits = [record for record in records if record["verdict"] in ("applies", "duplicate")]
        others = [record for record in records if record not in fits]
        approve = bool(fits) and self.dice.random() < 0.6
        word = "approve" if approve else "reject"
        chosen = self.dice.sample(
            pool := fits if approve else others or records, min(len(pool), self.dice.choice((1, 1, 2, 3)))
        )
        words = ["pending", word, *(record["id"] for record in chosen)]
        if len(chosen) == 1 and self.dice.random() < 0.5:
            words += ["--if-match", chosen[0]["hash"]]
        answer = self._command(word, *words)
        self.decided += [(word, each) for each in answer.shape.get("done", [])]
        self.tally.add(
            f"reviewer: {word}d" if word == "approve" else f"reviewer: {word}ed", len(answer.shape.get("done", []))
        )

    def _command(self, name: str, *words: str) -> Answer:
        answer = run(self.environ, *words)
        self.seconds.append(answer.seconds)
        self.tally.add(f"reviewer: {name}")
        if answer.code not in (0, 1) or not answer.shape or (answer.code == 0 and answer.talk and name not in TALKS):
            self.tally.blame(f"{' '.join(words)}: {answer.code} {answer.shape or ''} {answer.talk}"[:1500])
        elif answer.code == 1 and name != "doctor":
            self.tally.add(f"reviewer: {name} refused")
        return answer
