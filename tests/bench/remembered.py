"""Two years of sessions that were each told what was remembered, with everything that changed it, in either form."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import gmtime, strftime
from typing import Any

import apsw

from hermes_tui.memory.entries import STORES, StoreName, Usage, count
from hermes_tui.memory.prompt import render_block
from tests.bench.million import Line
from tests.bench.sentences import Writer
from tests.sessions.schemas import schema

SEED = 11
FIRST = 1_700_000_000.0
SECONDS = 2 * 365 * 86_400.0
LIMITS: dict[StoreName, int] = {"memory": 2_200, "user": 1_375}
LONGEST = 160
"""Characters of an entry."""
BETWEEN_CHANGES = 28
"""Sessions from one change to the next."""
HEADS = 24
HEAD_CHARS = (9_000, 18_000)
MODELS = ("claude-sonnet-4", "gpt-5.2", "hermes-4-405b")
SOURCES = {"cli": 55, "telegram": 20, "tui": 12, "cron": 8, "subagent": 5}
UNTOLD = {"cron", "subagent"}
PER_TRANSACTION = 2_000

Row = tuple[Any, ...]
MESSAGE_COLUMNS = (
    *("session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp", "active", "compacted"),
)


@dataclass(slots=True)
class Life:
    """What an agent remembers, and how it comes to do so."""

    line: Line
    random: Random = field(default_factory=lambda: Random(SEED))
    writer: Writer = field(default_factory=lambda: Writer(SEED))
    held: dict[StoreName, list[str]] = field(default_factory=lambda: {"memory": [], "user": []})
    calls: int = 0
    heads: list[str] = field(default_factory=list)
    staged: list[tuple[StoreName, str]] = field(default_factory=list)
    """Writes that wait for a person."""

    def __post_init__(self) -> None:
        for store in STORES:
            while count(self.held[store]) < LIMITS[store] * 0.6:
                self.held[store].append(self.entry())
        for number in range(HEADS):
            length = self.random.randint(*HEAD_CHARS)
            head = f"You are agent number {number}.\n\n"
            while len(head) < length:
                head += self.writer.text(60, 200) + "\n\n"
            self.heads.append(head.rstrip())

    def entry(self) -> str:
        """Something to remember."""
        return " ".join(self.writer.text(6, 24).split()).replace("§", "")[:LONGEST].strip()

    def prompt(self, at: float, model: str) -> str:
        """What a session is told."""
        blocks = [render_block(store, self.held[store], LIMITS[store]) for store in STORES]
        day = strftime("%A, %B %d, %Y", gmtime(at))
        tail = f"Conversation started: {day}\nModel: {model}\nProvider: openrouter"
        return "\n\n".join([self.random.choice(self.heads), *filter(None, blocks), tail])

    # Changes

    def unrecorded(self) -> None:
        """A background review, or a person with an editor: nothing is said of it anywhere."""
        if self.staged and self.random.random() < 0.3:  # approved somewhere else
            store, text = self.staged.pop(0)
            if text not in self.held[store]:
                self.held[store].append(text)
            return
        store = self._store()
        self._one(store, {})

    def called(self) -> tuple[str, str, str]:
        """A call of the memory tool, which is carried out: the number of the call, its arguments and its answer."""
        store = self._store()
        pins: dict[str, Any] = {}
        if self.random.random() < 0.12:
            operations = [self._one(store, {}) for _ in range(self.random.randint(2, 4))]
            arguments: dict[str, Any] = {"target": store, "operations": operations}
            words = f"Applied {len(operations)} operation(s)."
        else:
            arguments = {"target": store, **self._one(store, pins)}
            words = {"add": "Entry added.", "remove": "Entry removed."}.get(arguments["action"], "Entry replaced.")
        return self._answered(arguments, self._result(store, words) | pins)

    def refused(self) -> tuple[str, str, str]:
        """A call that comes to nothing."""
        store = self._store()
        asked = {"target": store, "action": "remove", "old_text": f"nothing like this {self.calls}"}
        return self._answered(asked, {"success": False, "error": "No entry matched."})

    def proposed(self) -> tuple[str, str, str]:
        """A call that waits for a person."""
        store, text = self._store(), self.entry()
        self.staged.append((store, text))
        asked = {"target": store, "action": "add", "content": text}
        return self._answered(asked, {"success": True, "staged": True, "pending_id": f"{self.calls:08x}"})

    def _store(self) -> StoreName:
        return "memory" if self.random.random() < 0.7 else "user"

    def _result(self, store: StoreName, words: str) -> dict[str, Any]:
        entries = self.held[store]
        usage = Usage(count(entries), LIMITS[store]).agent_label
        sizes = {"success": True, "done": True, "target": store, "usage": usage, "entry_count": len(entries)}
        return {**sizes, "message": words}

    def _answered(self, arguments: dict[str, Any], result: dict[str, Any]) -> tuple[str, str, str]:
        self.calls += 1
        shown = (json.dumps(each, ensure_ascii=False) for each in (arguments, result))
        return (f"call_{self.calls:024x}", *shown)  # type: ignore[return-value]

    def _one(self, store: StoreName, pins: dict[str, Any]) -> dict[str, str]:
        """One operation."""
        entries, random = self.held[store], self.random
        newer = self.line == "0.22"
        full = count(entries) > LIMITS[store] - LONGEST - 3
        chance = random.random()
        if entries and (full or chance < 0.2):
            old = entries.pop(random.randrange(len(entries)))
            pins.update({"removed_entry": old} if newer else {})
            return {"action": "remove", "old_text": old if newer else old[: max(30, len(old) - 5)]}
        if entries and chance < 0.5:
            place = random.randrange(len(entries))
            old = entries[place]
            if newer:
                entries[place] = f"{old} (since {self.calls})"[: LONGEST + 20]
                if entries[place] != old:
                    pins.update({"patched_entry_before": old, "patched_entry_after": entries[place]})
                    return {"action": "patch", "old_text": old, "content": entries[place]}
            entries[place] = self.entry()
            return {"action": "replace", "old_text": old, "content": entries[place]}
        text = self.entry()
        while text in entries:
            text = self.entry()
        entries.append(text)
        return {"action": "add", "content": text}


def make_past(line: Line, sessions: int, folder: Path) -> Path:
    """A database of so many sessions in `folder`, with the stores as they are in the end beside it.

    One that was made before by this code is used again; an interrupted run leaves nothing under that name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"past-{line}-{sessions}.db"
    made_by, stamp = path.with_name(f"{path.name}.made-by"), _stamp(line, sessions)
    if path.is_file() and made_by.is_file() and made_by.read_text() == stamp:
        return path
    made_by.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="making-", dir=folder) as name:
        made = Path(name) / "state.db"
        held = _fill(line, sessions, made)
        for ending in ("-wal", "-shm", "-journal"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        shutil.move(made, path)
    stores_file(path).write_text(json.dumps(held), "utf-8")
    made_by.write_text(stamp)
    return path


def stores_file(path: Path) -> Path:
    """What the stores hold in the end, as JSON."""
    return path.with_name(f"{path.name}.stores")


def _fill(line: Line, sessions: int, path: Path) -> dict[StoreName, list[str]]:
    life = Life(line)
    connection = apsw.Connection(str(path))
    for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -262144"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute(schema(line))
    triggers = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]
    for trigger in triggers:
        connection.execute(f"DROP TRIGGER {trigger}")  # the search index stays empty: nothing here looks at it
    marks = ", ".join("?" * len(MESSAGE_COLUMNS))
    write_message = f"INSERT INTO messages ({', '.join(MESSAGE_COLUMNS)}) VALUES ({marks})"
    connection.execute("BEGIN")
    for number in range(sessions):
        at = FIRST + SECONDS * number / sessions
        connection.executemany(write_message, list(_session(connection, life, number, at)))
        if number % PER_TRANSACTION == 0:
            connection.execute("COMMIT")
            connection.execute("BEGIN")
    connection.execute("COMMIT")
    connection.execute(f"PRAGMA journal_mode = {'WAL' if line == '0.19' else 'DELETE'}")
    connection.close()
    return life.held


def _session(connection: apsw.Connection, life: Life, number: int, at: float) -> Iterator[Row]:
    """One session; its messages."""
    random = life.random
    id = f"{strftime('%Y%m%d_%H%M%S', gmtime(at))}_{number:06x}"
    source = random.choices(list(SOURCES), list(SOURCES.values()))[0]
    model = random.choice(MODELS)
    changes = number % BETWEEN_CHANGES == BETWEEN_CHANGES - 1
    recorded = random.random() < 0.85
    compacts = random.random() < 0.03
    prompt = "" if source in UNTOLD else life.prompt(at, model)
    if changes and not recorded:
        life.unrecorded()
    turns = 1 + int(8 * random.random() ** 2)
    messages: list[list[Any]] = []
    now = at + 0.5
    for turn in range(turns):
        messages.append([id, "user", life.writer.text(2, 60), None, None, None, now, 1, 0])
        if turn == turns // 2 and source not in UNTOLD:
            for answered in _calls(life, changes=changes and recorded):
                now += 2.0
                messages += _call(id, now, *answered)
        now += 6.0
        messages.append([id, "assistant", life.writer.text(4, 110), None, None, None, now, 1, 0])
        now += 20.0 * random.random()
    if compacts and prompt and turns > 2:
        half = len(messages) // 2
        for message in messages[:half]:
            message[-2:] = [0, 1]
        prompt = life.prompt(at, model)  # the stores are read again
    shown = {"id": id, "source": source, "model": model, "started_at": at, "ended_at": now + 60.0}
    _tell(connection, life.line, {**shown, "end_reason": "cli_close", "message_count": len(messages)}, prompt)
    connection.execute(
        "INSERT INTO session_model_usage (session_id, model, billing_provider, first_seen, last_seen)"
        " VALUES (?, ?, 'openrouter', ?, ?)",
        (id, model, at + 1.0, now),
    )
    yield from map(tuple, messages)


def _calls(life: Life, *, changes: bool) -> Iterator[tuple[str, str, str]]:
    if changes:
        yield life.called()
    chance = life.random.random()
    if chance < 0.006:
        yield life.refused()
    elif chance < 0.009:
        yield life.proposed()


def _call(id: str, at: float, call_id: str, arguments: str, answer: str) -> list[list[Any]]:
    """The message that makes a call, and the one that answers it."""
    function = {"name": "memory", "arguments": arguments}
    calls = json.dumps([{"id": call_id, "call_id": call_id, "type": "function", "function": function}])
    return [
        [id, "assistant", "", None, calls, None, at, 1, 0],
        [id, "tool", answer, call_id, None, "memory", at + 0.05, 1, 0],
    ]


def _tell(connection: apsw.Connection, line: Line, row: dict[str, Any], prompt: str) -> None:
    if line == "0.22" and prompt:
        name = hashlib.sha256(prompt.encode()).hexdigest()
        connection.execute("INSERT OR IGNORE INTO system_prompts (hash, prompt) VALUES (?, ?)", (name, prompt))
        row = {**row, "system_prompt_hash": name}
    elif prompt:
        row = {**row, "system_prompt": prompt}
    marks = ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO sessions ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))


def _stamp(line: Line, sessions: int) -> str:
    """What a database depends on: what is asked for, and the code that writes it."""
    code = hashlib.sha256()
    for name in ("remembered.py", "sentences.py", "words.txt"):
        code.update(Path(__file__).with_name(name).read_bytes())
    return json.dumps({"line": line, "sessions": sessions, "seed": SEED, "code": code.hexdigest()[:16]})
