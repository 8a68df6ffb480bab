"""Checking a file of exported sessions from beginning to end before anything of it is brought in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hermes_tui.sessions.database import Interrupted
from hermes_tui.sessions.export.lossless import OURS
from hermes_tui.sessions.export.strict_json import whole_chars
from hermes_tui.sessions.upkeep.changes import Progress, Stopped
from hermes_tui.sessions.upkeep.checked_values import (
    is_ours,
    message_problem,
    number_of,
    session_id_of,
    session_problem,
)
from hermes_tui.sessions.upkeep.incoming import LISTS, MESSAGES, SEGMENTS, Contents, Header, Place, opened
from hermes_tui.sessions.upkeep.json_stream import BadJson, JsonStream

MOST_PROBLEMS = 20
"""After so many nobody reads on."""
TOLD_EVERY = 200
"""Messages between two words about how far it is."""
IGNORED = frozenset(("timings", "lineage_session_ids"))
"""What agents say after the messages and nobody needs."""


def check_file(
    path: Path, *, progress: Progress | None = None, stopped: Stopped | None = None, forgiving: bool = False
) -> Contents:
    """Look through a file: an export of ours or of an agent, one session a line, a list of them, or a single one.

    Args:
        path: the file; it may be packed with gzip.
        progress: told how many of its bytes are through.
        stopped: whether to give up.
        forgiving: whether a file that breaks off is good for what it has whole, as after a crash.

    Raises:
        NotFound: there is no such file.
        Unreadable: it cannot be read.
        Interrupted: somebody gave up.
    """
    with opened(path) as (stream, stamp):
        check = _Check(progress, stopped, stamp[1], forgiving)
        try:
            read, check.position = stream()
            check.file(read)
        except BadJson as error:
            if not (forgiving and error.ended):
                check.problems.append(f"{_capital(error)}")
        except _Enough:
            check.problems.append("There is more.")
        if not check.sessions and not check.problems and not forgiving:
            check.problems.append("There is no session in it.")
        return Contents(path, tuple(check.sessions.values()), tuple(check.problems), stamp)


class _Enough(Exception):
    """There are more problems than anybody wants to read."""


def _capital(error: BadJson) -> str:
    return str(error)[:1].upper() + str(error)[1:]


@dataclass(slots=True)
class _Draft:
    """A session while it is read."""

    at: Place
    facts: dict[str, Any] = field(default_factory=dict)
    lists: dict[str, Place] = field(default_factory=dict)
    messages: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    first_at: float | None = None
    ordered: bool = True
    segments: bool = False


_NEEDED = ("id", "title", "source", "parent_session_id")


@dataclass(slots=True)
class _Check:
    progress: Progress | None
    stopped: Stopped | None
    size: int
    forgiving: bool
    sessions: dict[str, Header] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    position: Callable[[], int] = lambda: 0
    _count: int = 0
    _inner: list[_Draft] = field(default_factory=list)

    def file(self, stream: JsonStream) -> None:
        """Everything that is in it."""
        if stream.peek() == "[":
            for _ in stream.elements():
                self._top(stream)
            if stream.peek():
                raise BadJson(stream.line, "there is more after the end of the list.")
        else:
            while stream.peek():
                self._top(stream)

    def _top(self, stream: JsonStream) -> None:
        self._inner = []
        draft = self._session(stream, outer=True)
        for each in self._inner if draft.segments else [draft]:
            self._keep(each)

    def _session(self, stream: JsonStream, *, outer: bool) -> _Draft:
        char = stream.peek()
        draft = _Draft((stream.offset, stream.line))
        if char != "{":
            stream.skip()
            draft.problems.append("this is no session.")
            return draft
        for name in stream.members():
            if name in LISTS:
                self._messages(stream, name, draft)
            elif name == SEGMENTS and outer and stream.peek() == "[":
                for _ in stream.elements():
                    self._inner.append(self._session(stream, outer=False))
                    draft.segments = True
            else:
                value = stream.value()
                draft.ordered = draft.ordered and (not draft.lists or name in IGNORED)
                problem = session_problem(name, value)
                if problem:
                    draft.problems.append(f"{problem}.")
                if name in _NEEDED:
                    draft.facts[name] = value
                elif name == OURS and is_ours(value):
                    draft.facts[name] = {key: value.get(key) for key in ("masked", "prompts_only")}
        if not session_id_of(draft.facts.get("id")) and not draft.segments:
            draft.problems.append("id is missing.")
        return draft

    def _messages(self, stream: JsonStream, name: str, draft: _Draft) -> None:
        char = stream.peek()
        if char != "[":
            if stream.value() is not None:
                draft.problems.append(f"{name} is no list.")
            return
        draft.lists[name] = (stream.offset, stream.line)
        draft.messages[name] = 0
        ours = OURS in draft.facts
        for number in stream.elements():
            message = stream.value()
            problem = message_problem(message)
            if not problem and ours and not isinstance(message.get("id"), int):
                problem = ".id is no number"
            if problem:
                draft.problems.append(f"{name}[{number}]{problem}.")
                if len(draft.problems) > MOST_PROBLEMS:
                    self.problems += self._said(draft)
                    raise _Enough
            elif number == 0 and name == MESSAGES:
                draft.first_at = number_of(message.get("timestamp"))
            draft.messages[name] = number + 1
            self._count += 1
            if self._count % TOLD_EVERY == 0:
                self._tell()

    def _tell(self) -> None:
        if self.stopped and self.stopped():
            raise Interrupted
        if self.progress:
            self.progress(min(self.position(), self.size), self.size)

    def _said(self, draft: _Draft) -> list[str]:
        id = session_id_of(draft.facts.get("id"))
        whose = f"session {id}: " if id else ""
        return [f"Line {draft.at[1]:,}, {whose}{problem}" for problem in dict.fromkeys(draft.problems)]

    def _keep(self, draft: _Draft) -> None:
        id = session_id_of(draft.facts.get("id"))
        if id in self.sessions and not self.forgiving and not draft.problems:
            draft.problems.append(f"it was in line {self.sessions[id].line:,} already.")
        self.problems += self._said(draft)
        if len(self.problems) > MOST_PROBLEMS:
            raise _Enough
        if draft.problems:
            return
        ours = draft.facts.get(OURS)
        whole = ours is not None and not any(ours.values())
        self.sessions[id] = Header(
            id=id,
            title=whole_chars(draft.facts.get("title") or ""),
            source=whole_chars(draft.facts.get("source") or ""),
            parent=whole_chars(draft.facts.get("parent_session_id") or "").strip(),
            line=draft.at[1],
            messages=sum(draft.messages.values()),
            first_at=draft.first_at,
            ours=ours is not None,
            exact=whole,
            masked=bool(ours and ours["masked"]),
            at=draft.at,
            lists=tuple((name, place) for name, place in draft.lists.items() if draft.messages[name]),
            ordered=draft.ordered,
        )
        self._tell()
