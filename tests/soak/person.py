"""A person at the keyboard: a seeded walk over all screens, with every key but the one that leaves."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from tests.bench.screen import Screen
from tests.soak.agent import WORDS
from tests.soak.shell import Shell
from tests.soak.tally import Tally

ESCAPE, ENTER, SAVE, SUSPEND, TAB = "\x1b", "\r", "\x13", "\x1a", "\t"
DOWN_PAGE, UP_PAGE, F1, F5, F8 = "\x1b[6~", "\x1b[5~", "\x1bOP", "\x1b[15~", "\x1b[19~"
WHEEL_DOWN, WHEEL_UP = "\x1b[<65;40;9M", "\x1b[<64;40;9M"
SIZES = ((120, 36), (120, 36), (80, 24), (60, 15))
PATIENCE_SECONDS = 20.0
STEP_SECONDS = (0.15, 0.7)
"""Between two keys of a walk."""
SLOW_MS = 1000.0

MEMORY, PENDING, SESSIONS, TIMELINE, SETTINGS = "12345"


def _footer(screen: Screen) -> str:
    return screen.lines[-1]


SHOWS: dict[str, Callable[[Screen], bool]] = {
    MEMORY: lambda screen: "a Add" in _footer(screen),
    PENDING: lambda screen: bool(re.search(r"─ ?Pending\b", screen.text)) and "esc Close" not in _footer(screen),
    SESSIONS: lambda screen: (
        ("/ Search" in _footer(screen) and "Earlier" not in _footer(screen))
        or bool(re.search(r"─ ?Transcript ·", screen.text))
    ),
    TIMELINE: lambda screen: "h Earlier" in _footer(screen),
    SETTINGS: lambda screen: bool(re.search(r"─ ?Settings\b", screen.text)),
}
"""Whether a screen is up, with no dialog on top and no text being typed."""

MOVES: dict[str, Sequence[str]] = {
    MEMORY: ("j", "j", "k", "G", "g", "\t", "h", "l", DOWN_PAGE, UP_PAGE, WHEEL_DOWN, WHEEL_UP, " ", "y"),
    PENDING: ("j", "j", "k", "n", "N", "G", "\t", DOWN_PAGE, UP_PAGE, WHEEL_DOWN, WHEEL_UP, " ", "y", "z", "o"),
    SESSIONS: ("j", "j", "j", "k", "G", "g", "\t", DOWN_PAGE, UP_PAGE, WHEEL_DOWN, WHEEL_UP, " ", "y", "c", "o", "z",
               "H", "p", "s", "*", "P"),
    TIMELINE: ("h", "h", "l", "j", "k", "[", "]", ",", ".", "<", ">", "G", "g", "\t", "w", "v", "x", "y", DOWN_PAGE,
               WHEEL_DOWN, WHEEL_UP),
    SETTINGS: ("j", "j", "k", "G", "g", "\t", "c", "y", DOWN_PAGE, UP_PAGE, WHEEL_DOWN, WHEEL_UP),
}  # fmt: skip
LOOKS = {MEMORY: "pvbSt", PENDING: "sgvfcx", SESSIONS: "fvRxTDX", TIMELINE: "bpx", SETTINGS: "\re"}
"""Keys that open a dialog, or what belongs to a screen; escape leaves it as it was."""
IN_TRANSCRIPT = ("j", "k", "J", "K", "n", "N", "[", "]", " ", "z", "v", "*", "y", "c", "g", "G", "r", "b", DOWN_PAGE,
                 UP_PAGE, WHEEL_DOWN, WHEEL_UP)  # fmt: skip


class Stuck(RuntimeError):
    """The app no longer does what a key asks for."""


class Person:
    """Who presses the keys."""

    def __init__(self, shell: Shell, tally: Tally, seed: int) -> None:
        self.shell = shell
        self.tally = tally
        self.dice = random.Random(seed)
        self.answered: list[float] = []
        """Milliseconds from a screen's digit to that screen."""
        self.screen = MEMORY
        self._number = 0
        self._things: list[tuple[float, Callable[[], None]]] = [
            (5.0, self._move),
            (1.2, self._filter),
            (1.2, self._look),
            (2.2, self._decide),
            (0.9, self._edit),
            (0.7, self._undo),
            (1.2, self._transcript),
            (0.5, self._palette),
            (0.4, self._help),
            (0.35, self._resize),
            (0.15, self._suspend),
            (0.2, self._gate),
            (0.2, self._reread),
            (0.25, self._outside),
        ]

    def do_something(self) -> None:
        """Go to a screen, do one thing there, come back to rest."""
        self.go(self.dice.choice(MEMORY + PENDING + PENDING + SESSIONS + SESSIONS + TIMELINE + SETTINGS))
        weights, things = zip(*self._things, strict=True)
        thing: Callable[[], None] = self.dice.choices(things, weights)[0]
        thing()

    # Going

    def go(self, screen: str) -> None:
        """Back out of whatever is up, and go to a screen; how long the last key took is noted."""
        shown = SHOWS[screen]
        for attempt in range(9):
            if self.shell.has_prompt:  # the palette has an entry for it, too
                self._come_back()
            self._escape(1 if attempt < 2 else 3)
            if attempt >= 2:  # a text that was changed is given up only after a question
                self._keys("y")
            if self.screen == screen and shown(self.shell.screen):
                return
            sent = self.shell.send(screen)
            at = self.shell.listen(3.0 + attempt, lambda _at: shown(self.shell.screen))
            if at is not None:
                if attempt == 0 and self.screen != screen:
                    self._answered((at - sent) / 1e6)
                self.screen = screen
                return
            if shown(self.shell.screen):
                self.screen = screen
                return
            self.tally.add("person: another escape was needed")
        raise Stuck(f"screen {screen} does not come; what is there:\n{self.shell.screen.text}")

    def _answered(self, milliseconds: float) -> None:
        self.answered.append(milliseconds)
        if milliseconds > SLOW_MS:
            self.tally.add("person: waited over a second for a screen")

    def rest(self, seconds: float) -> None:
        """Sit before the memory screen, without touching a key."""
        self.shell.resize(120, 36)
        self.go(MEMORY)
        self.shell.listen(seconds)

    def _escape(self, times: int) -> None:
        for _ in range(times):
            self.shell.send(ESCAPE)
            self.shell.listen(0.15)

    def _keys(self, *keys: str) -> None:
        for key in keys:
            self.shell.send(key)
            self.shell.listen(self.dice.uniform(*STEP_SECONDS))

    def _type(self, text: str) -> None:
        for character in text:
            self.shell.send(character)
            self.shell.listen(self.dice.uniform(0.02, 0.12))

    def _word(self) -> str:
        return self.dice.choice([word for word in WORDS if word.isascii()])

    # Doing

    def _move(self) -> None:
        self.tally.add("person: moved about")
        self._keys(*self.dice.choices(MOVES[self.screen], k=self.dice.randint(3, 12)))

    def _filter(self) -> None:
        """The filter, or the search, of whatever screen this is."""
        self.tally.add("person: filtered or searched")
        self._keys("/")
        self._type(self._word()[: self.dice.randint(2, 6)])
        self.shell.listen(self.dice.uniform(0.2, 1.0))
        if self.dice.random() < 0.6:
            self._keys(ENTER, *self.dice.choices(("j", "k", "j", "n"), k=3))
        self._escape(3)

    def _look(self) -> None:
        """A dialog that only shows, or a screen's own page."""
        key = self.dice.choice(LOOKS[self.screen])
        self.tally.add("person: opened a dialog")
        self._keys(key, *self.dice.choices((DOWN_PAGE, "\t", WHEEL_DOWN), k=2))
        self._escape(3)

    def _decide(self) -> None:
        self.go(PENDING)
        kind = self.dice.random()
        self._keys(*self.dice.choices(("j", "k", "n", "G", "j"), k=self.dice.randint(0, 5)))
        if kind < 0.40:
            self.tally.add("person: pressed approve")
            self._keys("a")
        elif kind < 0.70:
            self.tally.add("person: pressed reject")
            self._keys("r")
        elif kind < 0.82:
            self.tally.add("person: decided over several")
            self._keys(" ", "j", " ", self.dice.choice("ar"), "y")
        elif kind < 0.92:
            self.tally.add("person: edited and approved")
            self._keys("e")
            self._type(" It is so.")
            self._keys(SAVE)
        else:
            self.tally.add("person: decided over one operation")
            self._keys("x", ENTER)
        self.shell.listen(0.5)

    def _edit(self) -> None:
        self.go(MEMORY)
        self._keys(*self.dice.choices(("j", "k", "\t", "G"), k=self.dice.randint(0, 4)))
        kind = self.dice.random()
        self._number += 1
        if kind < 0.35:
            self.tally.add("person: added an entry")
            self._keys("a")
            self._type(f"Note {self._number:04} on the {self._word()}.")
            self._keys(SAVE)
        elif kind < 0.7:
            self.tally.add("person: edited an entry")
            self._keys("e")
            self._type(f" Seen {self._number:04}.")
            self._keys(SAVE)
        elif kind < 0.85:
            self.tally.add("person: deleted an entry")
            self._keys("d")
        else:
            self.tally.add("person: moved an entry")
            self._keys(self.dice.choice("JKm"))
        self.shell.listen(0.5)

    def _undo(self) -> None:
        self.tally.add("person: undid or redid")
        self.go(self.dice.choice((MEMORY, PENDING, TIMELINE)))
        self._keys("u")
        if self.dice.random() < 0.4:
            self._keys("U")
        self.shell.listen(0.5)

    def _transcript(self) -> None:
        self.tally.add("person: read a transcript")
        self.go(SESSIONS)
        self._keys(*self.dice.choices(("j", "k", DOWN_PAGE), k=self.dice.randint(0, 3)), ENTER)
        self._keys(*self.dice.choices(IN_TRANSCRIPT, k=self.dice.randint(4, 14)))
        if self.dice.random() < 0.3:
            self._keys("/")
            self._type(self._word()[:5])
            self._keys(ENTER, "n")
        self._escape(3)

    def _palette(self) -> None:
        self.tally.add("person: used the palette")
        self._keys(":")
        self._type(self.dice.choice(("help", "undo", "copy", "next", "re-read")))
        self._keys("\x1b[B", self.dice.choice((ENTER, ESCAPE)))
        self._escape(3)

    def _help(self) -> None:
        self.tally.add("person: opened help, tour, profiles or jump")
        self._keys(self.dice.choice(("?", F1, F8, "0", ";")), DOWN_PAGE)
        self._escape(3)

    def _resize(self) -> None:
        self.tally.add("person: changed the size")
        self.shell.resize(*self.dice.choice(SIZES))
        self.shell.listen(0.6)

    def _suspend(self) -> None:
        """Back to the shell, and here again."""
        self._escape(3)
        self.go(self.screen)
        self.shell.screen.recent = b""
        self.shell.send(SUSPEND)
        self.shell.wait_for_prompt(PATIENCE_SECONDS)
        if not self.shell.given_back:
            self.tally.blame(f"the terminal was not given back when the app was suspended: {self.shell.screen.modes}")
        self.shell.listen(self.dice.uniform(0.5, 4.0))
        self._come_back()

    def _come_back(self) -> None:
        if not self.shell.children:
            said = self.shell.screen.recent[-4_000:].decode("utf-8", "replace")
            raise Stuck(f"the app has ended; the last that came from the terminal:\n{said}")
        self.shell.run(["fg"])
        self.shell.wait_for(lambda screen: screen.text.strip() != "", "the app again", PATIENCE_SECONDS)
        self.tally.add("person: suspended and came back")

    def _gate(self) -> None:
        self.tally.add("person: switched the gate")
        self.go(PENDING)
        self._keys("g", ENTER)
        self._escape(2)

    def _reread(self) -> None:
        self.tally.add("person: re-read everything")
        self._keys(F5)

    def _outside(self) -> None:
        """The person's own editor, or pager."""
        if self.dice.random() < 0.6:
            self.tally.add("person: used an editor of their own")
            self.go(MEMORY)
            self._keys("E")
        else:
            self.tally.add("person: used a pager")
            self.go(SESSIONS)
            self._keys(ENTER, "o")
        self.shell.listen(1.5)
        self._keys(ENTER)
        self._escape(2)
