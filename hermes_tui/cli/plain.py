"""`hermes-tui --plain`: the screens as lines of text, for screen readers and for terminals that can only print."""

from __future__ import annotations

import io
import json
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from typing import Any

import click

from hermes_tui.cli.output import print_text, say
from hermes_tui.cli.plain_rows import SCREENS, Row, Screen

RunCommand = Callable[[Sequence[str]], int]

PROMPT = "> "
PAGE_ROWS = 20
"""A list comes in pages of so many rows."""
TOLD_ROWS = 3
"""So many rows that a change made are told with their new numbers."""
BECOMES = "=>"
HELP = """\
memory, pending, sessions, timeline, settings, or the first letter of the first four: go to a screen and list what is
there. list: list it again. more: the next rows of it.
A number reads all of that row. help: this. quit: leave.
Memory: add TEXT, add user TEXT, edit NUMBER TEXT, replace NUMBER OLD WORDS => NEW WORDS, delete NUMBER, undo, prompt.
Pending: show NUMBER, approve NUMBER, reject NUMBER, edit NUMBER TEXT or replace NUMBER OLD WORDS => NEW WORDS to
approve it changed, undo.
Sessions: search WORDS, show NUMBER, rename NUMBER TITLE, archive NUMBER, delete NUMBER, undo.
Timeline: search WORDS, restore NUMBER, undo, at WHEN, blame.
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
    argv: tuple[str, ...] = ()
    """What was asked for what is listed."""
    told: int = 0
    """So many of the rows were listed."""
    more_to_ask: bool = False
    """Whether there are more than were asked for."""

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
        if not rest and name == "more":
            return self.show_more()
        if not rest and name.isdigit():
            return self.read(name)
        if name in self.screen.verbs:
            return self._verb(name, rest)
        if name in self.commands:
            return self._command(line)
        return self._say_usage(f"{verb} is no word of this screen. help lists them.")

    def show_list(self, argv: Sequence[str] = ()) -> int:
        """List what is on the screen, each row with its number; a long list page by page."""
        self.argv = tuple(argv) or self.screen.argv
        self.rows, self.told, self.more_to_ask = [], 0, False
        code, found = self._found(PAGE_ROWS)
        if not found.get("ok"):
            self.argv = ()
            return code
        self._take(found)
        print_text(self.screen.heading(found))
        self._tell_page()
        return code

    def show_more(self) -> int:
        """The next page of the list."""
        if self.told >= len(self.rows):
            if not self.more_to_ask:
                say("That was all of the list.")
                return 0
            were = self.rows
            code = self._read_again(len(were) + PAGE_ROWS)
            if code or [row.key for row in were] != [row.key for row in self.rows[: len(were)]]:
                say("The list has changed meanwhile.")
                return self.show_list(self.argv)
        self._tell_page()
        return 0

    def _tell_page(self) -> None:
        first, last = self.told, min(self.told + PAGE_ROWS, len(self.rows))
        for number, row in enumerate(self.rows[first:last], first + 1):
            print_text(f"{number}. {row.line}")
        self.told = last
        if last < len(self.rows):
            print_text(f"{first + 1} to {last} of {len(self.rows)}. more goes on.")
        elif self.more_to_ask:
            print_text(f"{first + 1} to {last}. more goes on.")

    def _asking(self, count: int) -> tuple[str, ...]:
        """The question, for so many rows where the command gives no more than it is asked for."""
        return (
            (*self.argv, "--limit", str(count)) if self.screen.limited and self.argv == self.screen.argv else self.argv
        )

    def _found(self, count: int) -> tuple[int, dict[str, Any]]:
        """What there is to list, as far as so many rows."""
        code, found = self._asked(self._asking(count))
        if found.get("ok"):
            found |= {name: self._asked(argv)[1] for name, argv in self.screen.beside.items()}
        return code, found

    def _take(self, found: Mapping[str, Any]) -> None:
        self.rows = self.screen.rows(found)
        self.more_to_ask = bool(found.get("more")) and self._asking(1) != self.argv

    def _read_again(self, count: int = 0) -> int:
        """Have the rows as they are now; the exit code where that cannot be."""
        if not self.argv:
            return 0
        code, found = self._found(count or max(PAGE_ROWS, len(self.rows)))
        if found.get("ok"):
            self._take(found)
        else:
            self.rows = []
        return code

    def _tell_changes(self, were: Sequence[Row]) -> bool:
        """After the rows were read again: say which are new, and that numbers mean others now; whether any is."""
        known = {row.key for row in were}
        moved = [row.key for row in were] != [row.key for row in self.rows]
        new = [(number, row) for number, row in enumerate(self.rows, 1) if row.key not in known]
        for number, row in new[:TOLD_ROWS]:
            print_text(f"Now: {number}. {row.line}")
        self.told = min(max(self.told, PAGE_ROWS), len(self.rows))
        one_for_one = (
            len(were) == len(self.rows)
            and len(new) <= TOLD_ROWS
            and all(old.key == now.key or now.key not in known for old, now in zip(were, self.rows, strict=True))
        )
        if moved and not one_for_one:
            say(f"The list is read again: {self._there()}.")
        return moved

    def _there(self) -> str:
        return f"there are 1 to {len(self.rows)}" if self.rows else "it is empty"

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
            return self._change([*verb.argv, *verb.words(rest)])
        number, _, text = rest.partition(" ")
        text = text.strip()
        row = self._row(number)
        if row is None:
            return 1
        argv = verb.argv if row.does is None else row.does.get(name)
        if argv is None:
            return self._say_usage(f"{name} is not for row {number}; its number reads what can be done.")
        if verb.within:
            whole = self._with_words(name, number, row, text)
            if whole is None:
                return 2
            text = whole
        elif verb.text and not text:
            return self._say_usage(f"Say what: {name} {number} TEXT.")
        return self._change([*argv, *verb.of(row), *([text] if verb.text else [])])

    def _with_words(self, name: str, number: str, row: Row, said: str) -> str | None:
        """The text of a row with some of its words replaced; None, said why, where it is not clear which."""
        old, arrow, new = (part.strip() for part in said.partition(BECOMES))
        if not old or not arrow:
            self._say_usage(f"Say what: {name} {number} OLD WORDS {BECOMES} NEW WORDS.")
            return None
        count = row.text.count(old)
        if count != 1:
            holds = "does not hold" if not count else f"holds {count} times"
            more = " Say more of the words around it." if count else ""
            self._say_usage(f"Row {number} {holds} “{old}”.{more}")
            return None
        return row.text.replace(old, new)

    def _change(self, argv: Sequence[str]) -> int:
        """Run a command that may change what is listed, and say which numbers mean what then."""
        code = self.run(argv)
        were = self.rows
        self._read_again()
        self._tell_changes(were)
        return code

    def _row(self, number: str) -> Row | None:
        """The row of this number, as it is now; None, said why, where there is none or it is another one by now."""
        if not number.isdigit() or not 1 <= int(number) <= len(self.rows):
            there = f"there are 1 to {len(self.rows)}" if self.rows else "there are none; list looks again"
            say(f"There is no row {number or 'without a number'}: {there}.")
            return None
        at = int(number) - 1
        if self.screen.by_place:
            were = self.rows
            self._read_again()
            same = at < len(self.rows) and self.rows[at].key == were[at].key
            if not same:
                say(f"Nothing was done: row {number} is another one now.")
            self._tell_changes(were)
            if not same:
                return None
        return self.rows[at]

    def _command(self, line: str) -> int:
        try:
            return self._change(shlex.split(line))
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


def open_plain(group: click.Group, flags: Sequence[str], screen: str) -> int:
    """Show the screens as text.

    Args:
        group: the command line.
        flags: the options that say which home, and whether to change nothing.
        screen: the one that comes first.
    """

    def run(words: Sequence[str]) -> int:
        try:
            group.main([*flags, *words], prog_name="hermes-tui")
        except SystemExit as leaving:
            return leaving.code if isinstance(leaving.code, int) else 1
        return 0

    return Plain(run, frozenset(group.list_commands(click.Context(group))), SCREENS[screen]).converse(typed)
