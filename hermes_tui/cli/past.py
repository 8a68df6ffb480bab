"""What the commands of history share: the past of the chosen home, and the times that are asked for."""

from __future__ import annotations

import re
import time
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hermes_tui.cli.asking import ProgressLine
from hermes_tui.cli.context import open_config, open_home, options
from hermes_tui.cli.output import emit, print_text, report, say
from hermes_tui.errors import HermesTuiError, NotFound, Refused, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable

    from hermes_tui.history.ever import Ever
    from hermes_tui.history.history import History, Timeline
    from hermes_tui.memory.view import StoreView

TIMES = "A time is written like 2025-03, 2025-03-30, 2025-03-30T14:05, today, or 7d for seven days ago."
_EPOCH = re.compile(r"\d{9,}(?:\.\d+)?", re.ASCII)
_DATED = re.compile(r"\d{4}-\d\d?(?:-\d\d?)?(?:[T ][\d:.Z+-]*)?", re.ASCII)
"""What is meant as a time, whether it is one or not."""
_MINUTE = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?:Z|[+-]\d\d:?\d\d)?", re.ASCII)
"""A minute as a whole: what was at its end."""


class Past:
    """The history of the chosen home, read up to now."""

    def __init__(self) -> None:
        from hermes_tui.history.history import History
        from hermes_tui.home import data_dir
        from hermes_tui.memory.entries import STORES
        from hermes_tui.memory.view import view_store

        self.home = open_home(options())
        self.config = open_config(self.home)
        self.history: History = History(data_dir(self.home.path), self.home.logs, kept=not options().read_only)
        self.history.load()
        self.trouble: HermesTuiError | None = None
        """Why not all of it could be read."""
        self._read()
        self.views = [view_store(self.home, self.config, store) for store in STORES]
        self.history.note(self.views)
        self.timeline: Timeline = self.history.timeline(self.views)

    def _read(self) -> None:
        from hermes_tui.sessions.database import Database

        try:
            with Database(self.home.state_db) as base, ProgressLine("Read") as progress:
                for share in self.history.read(base):
                    progress(int(share * 100), 100)
        except HermesTuiError as error:
            # What was found before, and what we know ourselves, is there all the same.
            self.trouble = error

    @property
    def missing(self) -> list[str]:
        """What could not be read, or was left out, in sentences."""
        from hermes_tui.history.gaps import gap_words

        stores = (f"{view.file_name}: {view.problem}" for view in self.views if view.problem)
        gaps = (
            words for view in self.views for words in gap_words(view.file_name, self.timeline.pasts[view.store].gaps)
        )
        return [*([self.trouble.message] if self.trouble else []), *stores, *gaps]

    @property
    def _complete(self) -> bool:
        """Whether everything is in it that the agent has stored."""
        left_out = any(not gap.silent for past in self.timeline.pasts.values() for gap in past.gaps)
        return self.timeline.complete and not left_out

    def answer(self, shape: dict[str, Any], text: Callable[[], str], *words: str) -> int:
        """Print what was found, and what it rests on; the exit code.

        Args:
            shape: the answer as JSON.
            text: the same in words.
            words: what to say to the person beside it.
        """
        facts = {"sessions_known": self.timeline.sessions, "complete": self._complete, "missing": self.missing}
        as_json, trouble = options().json, self.trouble
        if isinstance(trouble, Unreadable):
            # What was found before, and what we know ourselves, is there all the same; it must not look like all.
            if not as_json and (plain := text()):
                print_text(plain)
            report(trouble.code, trouble.message, trouble.hint, as_json=as_json, answer={**shape, **facts})
            return trouble.exit_code
        emit({**shape, **facts}, text, as_json=as_json)
        if not as_json:
            for sentence in (*words, *self.missing):
                if sentence:
                    say(sentence)
        return 0

    def ever(self, text: str) -> tuple[Ever, ...]:
        """Every entry there ever was that has these words."""
        from hermes_tui.history.ever import search as search_in

        return search_in(self.timeline.ever(), text)

    def held(self, moment: float) -> list[tuple[StoreView, bool]]:
        """What the stores held at a time, as far as that is known, and whether it is certain."""
        from hermes_tui.history.history import past_view

        states = [(view, self.timeline.state(view.store, moment)) for view in self.views]
        return [(past_view(view, self.config, state.entries), state.certain) for view, state in states if state]

    def told(self, name: str) -> tuple[str, list[tuple[StoreView, bool]]]:
        """What a session was told, and whether that is certain; also one that the agent has deleted since.

        Raises:
            NotFound: it is not known, or was told nothing.
            Refused: several could be meant.
        """
        from hermes_tui.history.history import past_view

        id = name if name in self.timeline.told else self._meant(name)
        blocks = self.timeline.told.get(id)
        if not blocks:
            raise NotFound(
                f"Session {id} has no block of memory stored.",
                code="no_snapshot",
                hint="Both stores may have been empty or switched off; scheduled runs and subagents get none, and a"
                " session has it only after its first answer.",
            )
        stated = [(view, blocks[view.store]) for view in self.views if view.store in blocks]
        return id, [
            (past_view(view, self.config, each.entries, each.limit), not each.doubtful) for view, each in stated
        ]

    def _meant(self, name: str) -> str:
        from hermes_tui.sessions.database import Database
        from hermes_tui.sessions.meant import meant

        try:
            with Database(self.home.state_db) as base:
                return meant(base, name)
        except NotFound as error:
            deleted = [id for id in self.timeline.told if name and id.startswith(name)]
            if len(deleted) != 1:
                raise NotFound(error.message, code=error.code, hint=f"{error.hint} {TIMES}") from error
            return deleted[0]


def doubt_words(view: StoreView, session_id: str) -> str:
    """Why it is not certain what a store held."""
    if session_id:
        return (
            f"The prompt leaves it in doubt what it says of {view.file_name}: it ends too early, or says it twice, or"
            " that may be part of a file of the project."
        )
    return f"What {view.file_name} held then follows from what is known before and after; nothing recorded it."


def moment_meant(text: str) -> float | None:
    """A time that is typed; None when it is none.

    Raises:
        Refused: it looks like one, and is none.
    """
    from hermes_tui.sessions.dates import moment, period

    now = time.time()
    at: float | None = None
    if _EPOCH.fullmatch(text):
        at = moment(text)  # as in the JSON
    elif found := period(text, now):
        at = found[1] - 1  # a day, a month or a year as a whole: what was at its end
    elif _DATED.fullmatch(text):
        try:
            at = datetime.fromisoformat(text).timestamp() + (59 if _MINUTE.fullmatch(text) else 0)
        except (ValueError, OverflowError, OSError):
            raise Refused(
                f"“{text}” is no time.", code="bad_time", hint="Write it like 2025-03-30 or 2025-03-30T14:05."
            ) from None
    # What is to come is not known.
    return None if at is None else min(at, now)
