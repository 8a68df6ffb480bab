"""Reading one conversation, all its parts, in short statements: what messages there are, their texts, what is new."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hermes_tui.errors import NotFound, Unreadable
from hermes_tui.sessions.database import Database, Interrupted, Row
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.lineage import parts_of
from hermes_tui.sessions.matcher import Matcher
from hermes_tui.sessions.message_rows import (
    SHOWN_BYTES,
    TIME_SQL,
    by_bytes,
    count_matches,
    json_list,
    read_messages,
    state_sql,
)
from hermes_tui.sessions.messages import Message, State
from hermes_tui.sessions.outline import (
    CALLS,
    MAX_SIZE,
    NO_DETAILS,
    REASONING,
    Details,
    Names,
    Outline,
    joined,
    unreadable,
)
from hermes_tui.sessions.salvage import is_damage, salvaged, scanned_ids
from hermes_tui.sessions.stored import text_of

FIRST_ROWS = 400
"""Messages of the first answer: some screens full, a few milliseconds."""
IDS_PER_SLICE = 20_000
DETAILS_PER_SLICE = 2_000
SEARCHED_PER_SLICE = 500
NEW_IDS_PER_SLICE = 20_000
NAME_CHARS = 200
PLAIN_TIME = 1e11
"""A number below this is a time in seconds."""
SMALL = 1_500
"""A conversation of so many messages is read again whole after every commit: 3 ms."""

_SESSION_COLUMNS = (
    *("title", "source", "model", "cwd", "started_at", "ended_at", "end_reason", "message_count", "rewind_count"),
)


@dataclass(frozen=True, slots=True)
class Part:
    """One session of a conversation."""

    id: str
    title: str
    source: str
    model: str
    cwd: str
    started_at: float | None
    end_reason: str
    counted: int
    """Live messages, as the agent counts them."""
    rewinds: int


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a conversation as a whole."""

    parts: tuple[Part, ...]
    """Oldest first."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the parts."""
        return tuple(part.id for part in self.parts)

    @property
    def newest(self) -> Part:
        """The part that an agent resumes."""
        return self.parts[-1]

    @property
    def title(self) -> str:
        """The newest title that a part has."""
        return next((part.title for part in reversed(self.parts) if part.title), "")


@dataclass(frozen=True, slots=True)
class Window:
    """The first answer: messages around the wanted place."""

    facts: Facts
    details: Details
    complete: bool
    """Whether these are all messages there are."""
    found: bool
    """Whether the wanted message is among them."""
    high: int
    """The highest id of any message when it was read."""


@dataclass(frozen=True, slots=True)
class News:
    """What a commit brought."""

    facts: Facts | None
    """None when the conversation is gone."""
    added: Details
    high: int
    disturbed: bool
    """Whether messages that were there have changed, so that all of it has to be read again."""


class TranscriptReader:
    """Reads one conversation; each worker has one of its own.

    Args:
        base: the database, for this reader alone.
        session_id: any part of the conversation.
        outline: gives the numbers for names; only these are touched.
    """

    def __init__(self, base: Database, session_id: str, outline: Outline | None = None) -> None:
        self.base = base
        self.session_id = session_id
        self.damaged = False
        """Whether something could not be read because the file is damaged there."""
        self._names = Outline() if outline is None else outline

    # What there is

    def facts(self) -> Facts:
        """The parts of the conversation.

        Raises:
            NotFound: there is no such session.
        """
        ids = parts_of(self.base, self.session_id)
        has = self.base.features().sessions
        columns = ", ".join(name if name in has else "NULL" for name in _SESSION_COLUMNS)
        found = {
            text_of(row[0]): _part(row)
            for row in self.base.rows(
                f"SELECT id, {columns} FROM sessions WHERE id IN (SELECT value FROM json_each(?))", (json_list(ids),)
            )
        }
        if not found:
            raise NotFound(
                f"There is no session {self.session_id}.", code="no_such_session", hint="It was deleted meanwhile."
            )
        return Facts(tuple(found[id] for id in ids if id in found))

    def window(self, message_id: int | None = None, rows: int = FIRST_ROWS) -> Window:
        """The messages around one, or the newest.

        Raises:
            NotFound: there is no such session.
        """
        high = self.high()
        facts = self.facts()
        try:
            taken, complete, found = self._around(facts, message_id, rows)
        except Unreadable as error:
            if not is_damage(error):
                raise
            taken, complete, found = self._salvaged_end(facts, rows), False, False
        taken.sort(key=lambda row: (facts.ids.index(text_of(row[0])), row[1]))
        details = self.details([row[1] for row in taken])
        sessions = {row[1]: text_of(row[0]) for row in taken}
        details = replace(details, sessions=tuple(sessions[id] for id in details.ids))
        return Window(facts, details, complete, found, high)

    def _around(self, facts: Facts, message_id: int | None, rows: int) -> tuple[list[Row], bool, bool]:
        place = self._place(facts, message_id) if message_id is not None else None
        if place is None:
            return *self._backwards(facts.ids, len(facts.ids) - 1, None, rows), False
        part, stamp = place
        before, all_before = self._backwards(facts.ids, part, (stamp, message_id), rows // 2)
        after, all_after = self._forwards(facts.ids, part, (stamp, message_id), rows // 2)
        return [*before, *after], all_before and all_after, True

    def _salvaged_end(self, facts: Facts, rows: int) -> list[Row]:
        """The newest messages that can be read, where the index of them is damaged."""
        self.damaged = True
        newest = facts.newest.id
        return [(newest, id) for id in scanned_ids(self.base, newest, self.high(), lambda: False)[-rows:]]

    def _place(self, facts: Facts, message_id: int) -> tuple[int, object] | None:
        rows = self.base.rows("SELECT session_id, timestamp FROM messages WHERE id = ?", (message_id,))
        if not rows or text_of(rows[0][0]) not in facts.ids or rows[0][1] is None:
            return None
        return facts.ids.index(text_of(rows[0][0])), rows[0][1]

    def _backwards(
        self, parts: Sequence[str], part: int, start: tuple[object, object] | None, rows: int
    ) -> tuple[list[Row], bool]:
        """The messages up to a place, and whether there are no others before.

        By time, because that is what the index has; where times are no times, the full list of ids puts it right.
        """
        taken: list[Row] = []
        for number in range(part, -1, -1):
            where, values = ("AND (timestamp, id) <= (?, ?)", start) if start and number == part else ("", ())
            taken += self.base.rows(
                f"SELECT session_id, id FROM messages WHERE session_id = ? {where}"
                " ORDER BY timestamp DESC, id DESC LIMIT ?",
                (parts[number], *values, rows - len(taken) + 1),
            )
            if len(taken) > rows:
                return taken[:rows], False
        return taken, True

    def _forwards(
        self, parts: Sequence[str], part: int, start: tuple[object, object], rows: int
    ) -> tuple[list[Row], bool]:
        taken: list[Row] = []
        for number in range(part, len(parts)):
            where, values = ("AND (timestamp, id) > (?, ?)", start) if number == part else ("", ())
            taken += self.base.rows(
                f"SELECT session_id, id FROM messages WHERE session_id = ? {where} ORDER BY timestamp, id LIMIT ?",
                (parts[number], *values, rows - len(taken) + 1),
            )
            if len(taken) > rows:
                return taken[:rows], False
        return taken, True

    def high(self) -> int:
        """The highest id of any message."""
        return int(self.base.rows("SELECT max(id) FROM messages")[0][0] or 0)

    def all_ids(self, parts: Sequence[str], stopped: Callable[[], bool] = lambda: False) -> list[array[int]]:
        """The ids of every message, part by part, in order.

        Raises:
            Interrupted: `stopped` said so.
        """
        return [self._ids(part, stopped) for part in parts]

    def _ids(self, part: str, stopped: Callable[[], bool]) -> array[int]:
        try:
            return self._indexed_ids(part, stopped)
        except Unreadable as error:
            if not is_damage(error):
                raise
        self.damaged = True
        return scanned_ids(self.base, part, self.high(), stopped)

    def _indexed_ids(self, part: str, stopped: Callable[[], bool]) -> array[int]:
        found = array("q")
        where: str = "timestamp IS NULL AND id > ?"
        values: tuple[object, ...] = (-1,)
        while True:
            if stopped():
                raise Interrupted
            rows = self.base.rows(
                f"SELECT id, timestamp FROM messages WHERE session_id = ? AND {where} ORDER BY timestamp, id LIMIT ?",
                (part, *values, IDS_PER_SLICE),
            )
            found.extend([row[0] for row in rows])
            if len(rows) == IDS_PER_SLICE:
                last_id, last_time = rows[-1]
                where, values = (
                    (where, (last_id,)) if last_time is None else ("(timestamp, id) > (?, ?)", (last_time, last_id))
                )
            elif where.startswith("timestamp IS NULL"):
                where, values = "timestamp IS NOT NULL", ()
            else:
                return array("q", sorted(found))

    def details(self, ids: Iterable[int]) -> Details:
        """Role, state, size and so on of these messages, in the order of `ids`; what is gone is left out."""
        return joined(list(salvaged(self._details_of, list(ids), self._lost)) or [NO_DETAILS])

    def _lost(self, message_id: int) -> Details:
        self.damaged = True
        return unreadable(message_id)

    def _details_of(self, ids: Sequence[int]) -> Details:
        rows = self.base.rows(
            f"SELECT m.id, {self._detail_columns()} FROM json_each(?) j CROSS JOIN messages m ON m.id = j.value",
            (json_list(ids),),
        )
        return self._details(rows)

    def _detail_columns(self) -> str:
        """SQL for one value of each column of `Details` that is stored."""
        has = self.base.features().messages
        size = {name: f"coalesce(octet_length({name}), 0)" if name in has else "0" for name in _SIZED}
        calls = f"({size['tool_calls']} > 2) * {CALLS}"
        reasoning = f"({size['reasoning']} + {size['reasoning_content']} > 0) * {REASONING}"
        tool = "CAST(tool_name AS BLOB)" if "tool_name" in has else "NULL"
        return (
            f"CAST(role AS BLOB), {state_sql(has)}, {calls} + {reasoning}, min({size['content']}, {MAX_SIZE}),"
            f" CASE role WHEN 'tool' THEN 0 ELSE min({size['content']}, {SHOWN_BYTES}) END, {TIME_SQL}, {tool}"
        )

    def _details(self, rows: Sequence[Row], sessions: tuple[str, ...] = ()) -> Details:
        if not rows:
            return NO_DETAILS
        ids, roles, states, flags, sizes, weights, stamps, tools = zip(*rows, strict=True)
        return Details(
            ids=array("q", ids),
            roles=bytes(map(_numbers(roles, self._names.role_names), roles)),
            states=bytes(states),
            flags=bytes(flags),
            sizes=array("I", sizes),
            weights=array("I", weights),
            # Nearly all times are plain; looking closer at each would take half the time of the whole reading.
            times=array("d", [s if type(s) is float and 0 < s < PLAIN_TIME else _stamp(s) for s in stamps]),
            tools=array("H", map(_numbers(tools, self._names.tool_names), tools)),
            sessions=sessions,
        )

    # Texts

    def messages(self, ids: Sequence[int], most_bytes: int = SHOWN_BYTES) -> tuple[Message, ...]:
        """These messages with their texts, in the order of `ids`; of long ones the first `most_bytes`."""
        return read_messages(self.base, ids, most_bytes)

    def whole(self, message_id: int) -> Message | None:
        """One message with all of its text; None when it is gone."""
        found = self.messages([message_id], MAX_SIZE)
        return found[0] if found else None

    def matches(self, ids: Sequence[int], matcher: Matcher) -> list[tuple[int, int]]:
        """Those of these messages that hold what is looked for, and how often, as far as it is counted."""
        found = salvaged(lambda some: count_matches(self.base, some, matcher), ids, lambda _lost: [])
        return [match for some in found for match in some]

    # What is new

    def news(self, before: Facts, high: int, watched: Details = NO_DETAILS) -> News:
        """What became of the conversation.

        Args:
            before: what was known of it.
            high: the highest id that was known.
            watched: some messages that are on screen, as they were known.
        """
        newest = self.high()
        try:
            facts = self.facts()
        except NotFound:
            return News(None, NO_DETAILS, newest, False)
        added = self._after(facts.ids, high, newest)
        live = sum(state == State.LIVE for state in added.states)
        disturbed = newest < high or not _grew_only(before, facts, live) or self._changed(watched)
        return News(facts, added, newest, disturbed)

    def _after(self, parts: Sequence[str], high: int, newest: int) -> Details:
        rows: list[Row] = []
        for start in range(high + 1, newest + 1, NEW_IDS_PER_SLICE):
            rows += self.base.rows(
                f"SELECT CAST(session_id AS BLOB), m.id, {self._detail_columns()} FROM messages AS m NOT INDEXED"
                " WHERE m.id BETWEEN ? AND ? AND session_id IN (SELECT value FROM json_each(?)) ORDER BY m.id",
                (start, min(start + NEW_IDS_PER_SLICE - 1, newest), json_list(parts)),
            )
        return self._details([row[1:] for row in rows], tuple(text_of(row[0]) for row in rows))

    def _changed(self, watched: Details) -> bool:
        now = self.details(watched.ids)
        return (now.ids, now.states, now.sizes) != (watched.ids, watched.states, watched.sizes)


def messages_of(reader: TranscriptReader, ids: Sequence[int]) -> Iterator[tuple[Message, ...]]:
    """Messages with all their texts, as they are asked for, in bunches that do not take much memory."""
    for start in range(0, len(ids), SEARCHED_PER_SLICE):
        details = reader.details(ids[start : start + SEARCHED_PER_SLICE])
        for some in by_bytes(details.ids, details.sizes):
            yield reader.messages(some, MAX_SIZE)


_SIZED = ("content", "tool_calls", "reasoning", "reasoning_content")


def _numbers(found: Iterable[object], names: Names) -> Callable[[object], int]:
    """What gives each stored name its number."""
    return {value: names.code(text_of(value)[:NAME_CHARS]) for value in set(found)}.__getitem__


def _stamp(value: object) -> float:
    stamp = moment(value)
    return math.nan if stamp is None else stamp


def _part(row: Row) -> Part:
    session_id, title, source, model, cwd, started, _ended, reason, counted, rewinds = row
    return Part(
        id=text_of(session_id),
        title=text_of(title),
        source=text_of(source),
        model=text_of(model),
        cwd=text_of(cwd),
        started_at=moment(started),
        end_reason=text_of(reason),
        counted=counted if isinstance(counted, int) else 0,
        rewinds=rewinds if isinstance(rewinds, int) else 0,
    )


def _grew_only(before: Facts, now: Facts, live: int) -> bool:
    """Whether a conversation went on, and nothing else: no rewind, no compaction, no part that vanished."""
    if now.ids[: len(before.ids)] != before.ids:
        return False
    if [part.rewinds for part in now.parts[: len(before.parts)]] != [part.rewinds for part in before.parts]:
        return False
    grown = sum(part.counted for part in now.parts) - sum(part.counted for part in before.parts)
    # Who writes without counting has not necessarily changed anything else.
    return grown in (0, live)
