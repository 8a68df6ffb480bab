"""`hermes-tui --plain`: the screens as lines of text, for screen readers and for terminals that can only print."""

from __future__ import annotations

import io
import json
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from typing import Any

import click

from hermes_tui.cli.output import print_text, say
from hermes_tui.cli.plain_rows import SCREENS, Row, Screen

RunCommand = Callable[[Sequence[str]], int]

PROMPT = "> "
HELP = """\
memory, pending, sessions, timeline, settings, or the first letter of the first four: go to a screen and list what is
there. list: list it again.
A number reads all of that row. help: this. quit: leave.
Memory: add TEXT, add user TEXT, edit NUMBER TEXT, delete NUMBER, undo, prompt.
Pending: show NUMBER, approve NUMBER, reject NUMBER, undo.
Sessions: search WORDS, show NUMBER, rename NUMBER TITLE, archive NUMBER, delete NUMBER, undo.
Timeline: search WORDS, restore NUMBER, at WHEN, blame.
Settings: set NUMBER VALUE, default NUMBER, undo.
Every command of the command line works too, without hermes-tui in front: memory log, doctor, sessions stats."""


@dataclass(slots=True)
class Plain:
    """One sitting: what screen one is on, and what its numbers mean."""

    run: RunCommand
    """Runs a command of the command line; its exit code."""
    commands: frozenset[str]
    """What the command line knows."""
    screen: Screen = SCREENS["memory"]
    rows: list[Row] = field(default_factory=list)

    def converse(self, lines: Callable[[], str | None]) -> int:
        """Read lines and do what they say until there are no more; the exit code of the last."""
        say("hermes-tui, as text. help says what can be typed; quit leaves.")
        code = self.show_list()
        while (line := lines()) is not None:
            words = line.split()
            if not words:
                continue
            if words[0].lower() in ("quit", "exit", "q"):
                return 0
            code = self.do(line)
        return code

    def do(self, line: str) -> int:
        """What one line says."""
        verb, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        name = verb.lower()
        if name in ("help", "?", "h"):
            print_text(HELP)
            return 0
        if not rest and name in _SCREEN_WORDS:
            self.screen = SCREENS[_SCREEN_WORDS[name]]
            return self.show_list()
        if not rest and name == "list":
            return self.show_list()
        if not rest and name.isdigit():
            return self.read(name)
        if name in self.screen.verbs:
            return self._verb(name, rest)
        if name in self.commands:
            return self._command(line)
        return self._say_usage(f"{verb} is no word of this screen. help lists them.")

    def show_list(self, argv: Sequence[str] = ()) -> int:
        """List what is on the screen, each row with its number."""
        code, found = self._asked(argv or self.screen.argv)
        if not found.get("ok"):
            return code
        self.rows = self.screen.rows(found)
        print_text(self.screen.heading(found))
        for number, row in enumerate(self.rows, 1):
            print_text(f"{number}. {row.line}")
        return code

    def read(self, number: str) -> int:
        """All of one row."""
        row = self._row(number)
        if row is None:
            return 1
        if not row.show:
            print_text(row.whole)
            return 0
        return self.run(row.show)

    def _verb(self, name: str, rest: str) -> int:
        verb = self.screen.verbs[name]
        if not verb.numbered:
            if name == "search" and rest:
                return self.show_list([*verb.argv, *rest.split()])
            return self.run([*verb.argv, *verb.words(rest)])
        number, _, text = rest.partition(" ")
        row = self._row(number)
        if row is None:
            return 1
        if verb.text and not text.strip():
            return self._say_usage(f"Say what: {name} {number} TEXT.")
        return self.run([*verb.argv, *verb.of(row), *([text.strip()] if verb.text else [])])

    def _row(self, number: str) -> Row | None:
        if number.isdigit() and 1 <= int(number) <= len(self.rows):
            return self.rows[int(number) - 1]
        there = f"1 to {len(self.rows)}" if self.rows else "none; list looks again"
        say(f"There is no row {number or 'without a number'}: there are {there}.")
        return None

    def _command(self, line: str) -> int:
        try:
            return self.run(shlex.split(line))
        except ValueError as error:
            return self._say_usage(f"That cannot be taken apart: {error}.")

    def _asked(self, argv: Sequence[str]) -> tuple[int, dict[str, Any]]:
        answer = io.StringIO()
        with redirect_stdout(answer):
            code = self.run([*argv, "--json"])
        try:
            found: dict[str, Any] = json.loads(answer.getvalue())
        except ValueError:
            return code, {}
        return code, found

    def _say_usage(self, words: str) -> int:
        say(words)
        return 2


_SCREEN_WORDS = {word: name for name in reversed(list(SCREENS)) for word in (name, name[0])}


def typed() -> str | None:
    """The next line that is typed or piped in; None at the end."""
    if sys.stdin is None:
        return None
    if not sys.stdin.isatty():
        line = sys.stdin.readline()
        return line if line else None
    try:
        return input(PROMPT)
    except (EOFError, KeyboardInterrupt):
        print_text("")
        return None


def open_plain(group: click.Group, flags: Sequence[str]) -> int:
    """Show the screens as text.

    Args:
        group: the command line.
        flags: the options that say which home, and whether to change nothing.
    """

    def run(words: Sequence[str]) -> int:
        try:
            group.main([*flags, *words], prog_name="hermes-tui")
        except SystemExit as leaving:
            return leaving.code if isinstance(leaving.code, int) else 1
        return 0

    return Plain(run, frozenset(group.list_commands(click.Context(group)))).converse(typed)
