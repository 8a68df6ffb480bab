"""A session as one line of JSON that loses nothing: the agents read it, and we bring back from it what was stored.

The line is what the agent's own export gives, with its live messages under `messages`. What an agent must not take
for live, because it was undone or compacted, is under `hermes_tui_put_away`, and what belongs to no message under
`hermes_tui`. Both are passed over by an agent that imports the line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hermes_tui.sessions.database import Interrupted
from hermes_tui.sessions.export.masked_json import Masking
from hermes_tui.sessions.export.seen import Seen, Watch, look
from hermes_tui.sessions.export.stored_json import Stored, exact_pieces, said, scalar
from hermes_tui.sessions.export.stored_rows import Stopped, bunches, go_on
from hermes_tui.sessions.export.strict_json import NotJson, dumped, loads, quoted, whole_chars
from hermes_tui.sessions.features import Reader
from hermes_tui.sessions.messages import kind_of, parts_text

FORMAT = 1
OURS = "hermes_tui"
PUT_AWAY = "hermes_tui_put_away"
FLUSHED_CHARS = 1 << 18
LEAKY = frozenset({"billing_base_url"})
"""What a masked line leaves out of the usage."""

Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class Written:
    """What a line has."""

    messages: int
    """Those put away counted in."""
    masked: int
    """Secrets that were masked."""


def write_session(
    base: Reader,
    session_id: str,
    write: Callable[[str], object],
    *,
    masked: bool = False,
    prompts_only: bool = False,
    everything: bool = True,
    home_key: str = "",
    progress: Progress | None = None,
    stopped: Stopped = go_on,
) -> Written:
    """Write one session as a line, a slice at a time.

    Args:
        base: the reader; or the writer, within a change.
        write: takes the next piece of the line; the last one ends with a newline.
        masked: without secrets, and so not to be restored exactly.
        prompts_only: of the messages only what the person said.
        everything: also what the person took back.
        home_key: which home it comes from.

    Raises:
        NotFound: there is no such session.
        Conflict: it was changed meanwhile, more than by new messages; what was written is to be thrown away.
        Interrupted: `stopped` said so.
    """
    seen = look(base, session_id, stopped)
    watch = Watch(base, seen)
    known = seen.messages
    places = range(len(known.ids))
    live = [at for at in places if known.live[at] == 1 and (known.users[at] or not prompts_only)]
    put_away = [at for at in places if known.live[at] != 1 and not prompts_only and (everything or known.live[at] == 2)]
    line = _Line(write, Masking() if masked else None)
    line.add("{")
    odd = line.session(seen)
    line.about(seen, odd, home_key, prompts_only=prompts_only)
    written = done = 0
    for key, group in (("messages", live), (PUT_AWAY, put_away)):
        if not group and key == PUT_AWAY:
            continue
        line.begin_messages(key, seen.columns)
        for ids in bunches(known, group):
            if stopped():
                raise Interrupted
            rows = watch.rows(ids)
            rows.reverse()
            while rows:  # one by one, so that what is long is let go
                written += line.message(rows.pop(), only_prompt=prompts_only)
            done += len(ids)
            if progress:
                progress(done, len(live) + len(put_away))
        line.add("]")
    watch.check(stopped)
    line.add("}\n")
    line.flush()
    return Written(written, line.masking.count if line.masking else 0)


@dataclass(slots=True)
class _Line:
    """One line while it is written."""

    write: Callable[[str], object]
    masking: Masking | None
    _parts: list[str] = field(default_factory=list)
    _size: int = 0
    _columns: tuple[str, ...] = ()
    _keys: tuple[str, ...] = ()
    _first: bool = True

    def add(self, text: str) -> None:
        """The next piece."""
        self._parts.append(text)
        self._size += len(text)
        if self._size > FLUSHED_CHARS:
            self.flush()

    def flush(self) -> None:
        """Hand over what has come together."""
        self.write("".join(self._parts))
        self._parts.clear()
        self._size = 0

    def session(self, seen: Seen) -> list[tuple[str, Stored]]:
        """What is known of the session itself; what that does not say exactly comes back."""
        odd: list[tuple[str, Stored]] = []
        for number, (column, value) in enumerate(seen.row.items()):
            shared = {"system_prompt": seen.prompt, "tool_names": seen.tools}.get(column)
            exact = self._pair("sessions", number, _key(column), column, value if shared is None else shared)
            if not exact or shared is not None:
                odd.append((column, value))
        return odd

    def about(self, seen: Seen, odd: Iterable[tuple[str, Stored]], home_key: str, *, prompts_only: bool) -> None:
        """What belongs to no message, and what only we read."""
        self.add(f', "{OURS}": {{"format": {FORMAT}, "home": {quoted(home_key)}, "store": {dumped(seen.store)}')
        self.add(f', "children": {dumped(whole_chars(list(seen.children)))}, "usage": [')
        columns, rows = seen.usage
        kept = [at for at, column in enumerate(columns) if self.masking is None or column not in LEAKY]
        names = tuple(columns[at] for at in kept)
        for number, row in enumerate(rows):
            self.add(", " if number else "")
            self._object("session_model_usage", names, tuple(map(_key, names)), [row[at] for at in kept])
        self.add("]")
        if self.masking is None:
            self.add(', "stored": ')
            self._exact(odd)
        else:
            self.add(', "masked": true')
        self.add(', "prompts_only": true}' if prompts_only else "}")

    def begin_messages(self, key: str, columns: tuple[str, ...]) -> None:
        """The head of a list of messages."""
        self.add(f', "{key}": [')
        self._columns, self._keys, self._first = columns, tuple(map(_key, columns)), True

    def message(self, row: Sequence[Stored], *, only_prompt: bool) -> bool:
        """A message; whether it was written."""
        if only_prompt and not _is_prompt(dict(zip(self._columns, row, strict=True))):
            return False
        if not self._first:
            self.add(", ")
        self._first = False
        self._object("messages", self._columns, self._keys, row)
        return True

    def _object(self, table: str, columns: Sequence[str], keys: Sequence[str], row: Sequence[Stored]) -> None:
        odd: list[tuple[str, Stored]] = []
        self.add("{")
        for number, column in enumerate(columns):
            if not self._pair(table, number, keys[number], column, row[number]):
                odd.append((column, row[number]))
        if odd:
            self.add(', "_stored": ')
            self._exact(odd)
        self.add("}")

    def _pair(self, table: str, number: int, key: str, column: str, value: Stored) -> bool:
        """A column and its value; whether that gives the stored value back."""
        self.add(f", {key}" if number else key)
        if value is None:
            self.add("null")
            return True
        if self.masking is not None:
            self.add(dumped(_masked(self.masking, table, column, value)))
            return True
        found = said(table, column, value)
        for piece in found.pieces:
            self.add(piece)
        return found.exact

    def _exact(self, values: Iterable[tuple[str, Stored]]) -> None:
        self.add("{")
        for number, (column, value) in enumerate(values):
            self.add(f", {_key(column)}" if number else _key(column))
            for piece in exact_pieces(value):
                self.add(piece)
        self.add("}")


def _key(column: str) -> str:
    return f"{quoted(column)}: "


def _masked(masking: Masking, table: str, column: str, value: Stored) -> Any:
    plain = loads("".join(said(table, column, value).pieces)) if isinstance(value, str) else scalar(value)
    if column in ("id", "session_id", "parent_session_id"):
        return plain
    return masking.value(plain)


def _is_prompt(of: dict[str, Stored]) -> bool:
    """Whether a message is what the person said, and nothing that the agent says in their name."""
    if of.get("display_kind") or of.get("_compressed_summary"):
        return False
    try:
        text = parts_text(loads("".join(said("messages", "content", of.get("content")).pieces)))
    except NotJson:
        return True
    return kind_of(text, "") == "message"
