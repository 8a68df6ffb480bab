"""A session as one line of JSON that loses nothing: the agents read it, and we bring back from it what was stored.

The line is what the agent's own export gives, with its live messages under `messages`. What an agent must not take
for live, because it was undone or compacted, is under `hermes_tui_put_away`, and what belongs to no message under
`hermes_tui`. Both are passed over by an agent that imports the line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from hermes_tui.sessions.database import Interrupted
from hermes_tui.sessions.export.masked_json import Masking
from hermes_tui.sessions.export.seen import Seen, Watch, look
from hermes_tui.sessions.export.stored_json import Said, Sayer, Stored, exact_pieces, sayer
from hermes_tui.sessions.export.stored_rows import Stopped, bunches, go_on
from hermes_tui.sessions.export.strict_json import dumped, loads, quoted, whole_chars
from hermes_tui.sessions.features import Reader
from hermes_tui.sessions.messages import kind_of, parts_text

FORMAT = 1
OURS = "hermes_tui"
PUT_AWAY = "hermes_tui_put_away"
FLUSHED_CHARS = 1 << 18
SAFE = frozenset(
    (
        *("id", "session_id", "parent_session_id", "role", "tool_call_id", "finish_reason", "message_uid"),
        *("tool_call_uid", "tool_call_uids", "absorbed_message_uids", "system_prompt_hash"),
    )
)
"""Columns that hold ids and words of the agent's own, which have to stay as they are."""
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


@dataclass(frozen=True, slots=True)
class _Columns:
    """Columns of a table, ready to be written."""

    names: tuple[str, ...]
    keys: tuple[str, ...]
    nulls: tuple[str, ...]
    """Each without a value."""
    sayers: tuple[Sayer, ...]

    @classmethod
    def of(cls, table: str, names: Iterable[str]) -> _Columns:
        """These columns."""
        listed = tuple(names)
        keys = tuple(f"{', ' if number else ''}{quoted(name)}: " for number, name in enumerate(listed))
        return cls(listed, keys, tuple(f"{key}null" for key in keys), tuple(sayer(table, name) for name in listed))


@dataclass(slots=True)
class _Line:
    """One line while it is written."""

    write: Callable[[str], object]
    masking: Masking | None
    _parts: list[str] = field(default_factory=list)
    _size: int = 0
    _columns: _Columns = _Columns((), (), (), ())
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
        shared = {"system_prompt": seen.prompt, "tool_names": seen.tools}
        shown = [value if shared.get(name) is None else shared[name] for name, value in seen.row.items()]
        inexact = {name for name, _ in self._pairs(_Columns.of("sessions", seen.row), shown)}
        return [(name, value) for name, value in seen.row.items() if name in inexact or shared.get(name) is not None]

    def about(self, seen: Seen, odd: Iterable[tuple[str, Stored]], home_key: str, *, prompts_only: bool) -> None:
        """What belongs to no message, and what only we read."""
        self.add(f', "{OURS}": {{"format": {FORMAT}, "home": {quoted(home_key)}, "store": {dumped(seen.store)}')
        self.add(f', "children": {dumped(whole_chars(list(seen.children)))}, "usage": [')
        names, rows = seen.usage
        kept = [at for at, name in enumerate(names) if self.masking is None or name not in LEAKY]
        columns = _Columns.of("session_model_usage", [names[at] for at in kept])
        for number, row in enumerate(rows):
            self.add(", " if number else "")
            self._object(columns, [row[at] for at in kept])
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
        self._columns, self._first = _Columns.of("messages", columns), True

    def message(self, row: Sequence[Stored], *, only_prompt: bool) -> bool:
        """A message; whether it was written."""
        if only_prompt and not _is_prompt(dict(zip(self._columns.names, row, strict=True))):
            return False
        if not self._first:
            self.add(", ")
        self._first = False
        self._object(self._columns, row)
        return True

    def _object(self, columns: _Columns, row: Sequence[Stored]) -> None:
        self.add("{")
        odd = self._pairs(columns, row)
        if odd:
            self.add(', "_stored": ')
            self._exact(odd)
        self.add("}")

    def _pairs(self, columns: _Columns, row: Sequence[Stored]) -> list[tuple[str, Stored]]:
        """Columns with their values; those come back whose stored value that does not give."""
        odd: list[tuple[str, Stored]] = []
        some: list[str] = []
        for number, value in enumerate(row):
            if value is None:
                some.append(columns.nulls[number])
                continue
            some.append(columns.keys[number])
            found = columns.sayers[number](value)
            if self.masking is not None:
                some.append(_masked(self.masking, columns.names[number], found))
                continue
            if not found.exact:
                odd.append((columns.names[number], value))
            if isinstance(found.json, str):
                some.append(found.json)
                continue
            self.add("".join(some))
            some.clear()
            for piece in found.json:
                self.add(piece)
        self.add("".join(some))
        return odd

    def _exact(self, values: Iterable[tuple[str, Stored]]) -> None:
        self.add("{")
        for number, (column, value) in enumerate(values):
            self.add(f"{', ' if number else ''}{quoted(column)}: ")
            for piece in exact_pieces(value):
                self.add(piece)
        self.add("}")


def _masked(masking: Masking, column: str, found: Said) -> str:
    text = found.text
    if column in SAFE or text[0] not in '"[{':
        return text
    return dumped(whole_chars(masking.value(loads(text))))


_content = sayer("messages", "content")


def _is_prompt(of: dict[str, Stored]) -> bool:
    """Whether a message is what the person said, and nothing that the agent says in their name."""
    if of.get("display_kind") or of.get("_compressed_summary"):
        return False
    return kind_of(parts_text(loads(_content(of.get("content")).text)), "") == "message"
