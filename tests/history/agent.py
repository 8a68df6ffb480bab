"""An agent that lives on a clock of its own, writes its database as the real ones do, and keeps the truth."""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
import time
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from hermes_tui.memory.changes import hunks_between
from hermes_tui.memory.entries import FILE_NAMES, STORES, StoreName, Usage, count, join
from hermes_tui.memory.journal import FileChange, Journal, JournalRecord, OtherFile, new_id
from hermes_tui.memory.prompt import render_block
from hermes_tui.memory.view import digest_of

Form = Literal["0.19", "0.22"]

START = 1_780_000_000.0
LIMITS: dict[StoreName, int] = {"memory": 2_200, "user": 1_375}
TOOL_SECONDS = 0.01
"""So long a call takes at least."""
TAIL = 4
"""Messages that a compaction leaves as they are."""

SCHEMA = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, model TEXT, title TEXT, parent_session_id TEXT,
  started_at REAL NOT NULL, ended_at REAL, end_reason TEXT, message_count INTEGER DEFAULT 0, archived INTEGER DEFAULT 0,
  system_prompt TEXT{hash});
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT,
  tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, active INTEGER DEFAULT 1,
  compacted INTEGER DEFAULT 0);
CREATE TABLE session_model_usage (session_id TEXT, model TEXT, billing_provider TEXT, task TEXT DEFAULT '',
  first_seen REAL, last_seen REAL);
CREATE INDEX idx_messages_session ON messages(session_id, timestamp);
"""


@dataclass(slots=True)
class Talk:
    """A session, with the block that its process has in mind."""

    id: str
    frozen: dict[StoreName, tuple[str, ...]]
    read_at: float
    """When the stores were read for it."""
    model: str = "small"
    begun: bool = False
    stale_prompt: bool = False
    """Whether the next turn builds the prompt anew."""
    told_as: str = ""
    """The model that is named in its prompt."""
    gone: bool = False
    compacted: bool = False
    busy: float = 0.0
    """When its last message was stored: one comes after another."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that changed a store."""

    at: float
    """When the file was written."""
    told_at: float
    """When it was recorded; the same where nothing is."""
    store: StoreName
    before: tuple[str, ...]
    after: tuple[str, ...]
    recorded: bool
    session: str = ""
    message: int = 0


@dataclass(frozen=True, slots=True)
class Waiting:
    """A write that somebody has to decide on."""

    id: str
    session: str
    message: int
    store: StoreName
    arguments: dict[str, Any]


@dataclass(slots=True)
class Agent:
    """The agent, its home, and everything else that writes there.

    Args:
        home: its home.
        data: our data about it.
        form: how its prompts are stored.
    """

    home: Path
    data: Path
    form: Form = "0.22"
    now: float = START
    held: dict[StoreName, tuple[str, ...]] = field(default_factory=lambda: dict.fromkeys(STORES, ()))
    deeds: list[Deed] = field(default_factory=list)
    found: list[Deed] = field(default_factory=list)
    """Calls that changed nothing, but whose answers tell how much there was."""
    talks: list[Talk] = field(default_factory=list)
    built: list[tuple[str, float]] = field(default_factory=list)
    """For every prompt the session, and when the stores were read for it."""
    looks: dict[StoreName, list[float]] = field(default_factory=lambda: {store: [] for store in STORES})
    """When a store was certainly seen, other than by a session."""
    written: dict[StoreName, float] = field(default_factory=dict)
    waiting: list[Waiting] = field(default_factory=list)
    rewritten: set[str] = field(default_factory=set)
    """Sessions whose messages have other numbers than they had."""
    _numbers: int = 0
    _connection: Any = None

    def __post_init__(self) -> None:
        (self.home / "memories").mkdir(parents=True)
        self._connection = sqlite3.connect(self.home / "state.db", isolation_level=None)
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.executescript(SCHEMA.format(hash=", system_prompt_hash TEXT" if self.form == "0.22" else ""))
        if self.form == "0.22":
            self.run("CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT)")

    def run(self, sql: str, *values: object) -> Any:
        """A statement."""
        return self._connection.execute(sql, values)

    def number(self) -> int:
        """One that was not used yet."""
        self._numbers += 1
        return self._numbers

    def wait(self, seconds: float) -> None:
        """Time passes."""
        self.now += seconds

    # What changes the stores

    def change(
        self,
        store: StoreName,
        after: Sequence[str],
        *,
        recorded: bool,
        told_at: float | None = None,
        session: str = "",
        message: int = 0,
    ) -> None:
        """Somebody writes a file."""
        self._tick()
        before = self.held[store]
        self.held[store] = tuple(after)
        self.written[store] = self.now
        told_at = self.now if told_at is None else told_at
        self.deeds.append(Deed(self.now, told_at, store, before, tuple(after), recorded, session, message))

    def _tick(self) -> None:
        """No write is at the very same time as another, or as a look."""
        last = max(
            [deed.at for deed in self.deeds[-1:]] + [at for looks in self.looks.values() for at in looks[-1:]] + [0]
        )
        if self.now <= last:
            self.now = math.nextafter(last, math.inf)

    def _settle(self) -> None:
        """Every answer is stored before somebody writes again: it takes some milliseconds."""
        self.now = max([self.now, *(talk.busy for talk in self.talks)])

    def outside(self, store: StoreName, after: Sequence[str]) -> None:
        """Somebody writes it without a trace."""
        self._settle()
        self.change(store, after, recorded=False)

    def ours(self, store: StoreName, after: Sequence[str], pending: str = "") -> str:
        """We write it, and keep a record."""
        self._settle()
        self._tick()
        before = self.held[store]
        before_bytes, after_bytes = join(before).encode(), join(after).encode()
        hunks = hunks_between(before, after)
        change = FileChange(
            store, digest_of(before_bytes), digest_of(after_bytes), hunks, None, ".mem_0123456789abcdef.tmp"
        )
        path = self.home / "pending" / "memory" / f"{pending}.json"
        others = (OtherFile(str(path), b"{}", None),) if pending else ()
        record = JournalRecord(new_id(), self.now, "edit", "cli", "open", (change,), "", others)
        journal = Journal(self.data)
        journal.begin(record)
        journal.close(record.id, "done")
        self.change(store, after, recorded=True)
        self.looks[store] += [math.nextafter(self.now, 0), self.now]
        return record.id

    def look(self, store: StoreName) -> None:
        """The store was seen for certain at this moment."""
        self.looks[store].append(self.now)

    def note(self) -> None:
        """We see what the stores hold, and keep it."""
        folder = self.data / "history"
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "seen.jsonl").open("a") as stream:
            for store in STORES:
                at = self.written.get(store, self.now)
                line = {"at": at, "seen": self.now, "store": store, "entries": self.held[store]}
                stream.write(json.dumps(line) + "\n")
                self.look(store)

    # Sessions

    def open(self, *stores: StoreName, named: bool = False) -> Talk:
        """A process of the agent begins a session, and reads the stores that are not switched off.

        Args:
            stores: those.
            named: whether the session's name says when.
        """
        memory = {store: self.held[store] for store in stores}
        name = time.strftime("%Y%m%d_%H%M%S_", time.localtime(self.now)) if named else "s"
        talk = Talk(f"{name}{self.number():06x}" if named else f"s{self.number()}", memory, self.now)
        self.talks.append(talk)
        return talk

    def turn(self, talk: Talk) -> None:
        """A person says something, and gets an answer."""
        self.now = max(self.now, talk.busy)
        if not talk.begun:
            columns = "id, source, model, started_at"
            self.run(f"INSERT INTO sessions ({columns}) VALUES (?, 'cli', ?, ?)", talk.id, talk.model, self.now)
        if not talk.begun or talk.stale_prompt:
            self._tell(talk)
        talk.begun, talk.stale_prompt = True, False
        self.say(talk, "user", "hello")
        self.say(talk, "assistant", "Hello.")
        known = self.run("SELECT 1 FROM session_model_usage WHERE session_id = ? AND model = ?", talk.id, talk.model)
        if not known.fetchone():
            self.run(
                "INSERT INTO session_model_usage (session_id, model, first_seen) VALUES (?, ?, ?)",
                *(talk.id, talk.model, self.now),
            )
        sql = "UPDATE session_model_usage SET last_seen = ? WHERE session_id = ? AND model = ?"
        self.run(sql, self.now, talk.id, talk.model)

    def _tell(self, talk: Talk) -> None:
        blocks = [render_block(store, talk.frozen.get(store, ()), LIMITS[store]) for store in STORES]
        text = "\n\n".join(["You are an agent.", *filter(None, blocks), f"Model: {talk.model}"])
        self.built.append((talk.id, talk.read_at))
        talk.told_as = talk.model
        if self.form == "0.22":
            name = hashlib.sha256(text.encode()).hexdigest()
            self.run("INSERT OR IGNORE INTO system_prompts VALUES (?, ?)", name, text)
            self.run("UPDATE sessions SET system_prompt_hash = ? WHERE id = ?", name, talk.id)
        else:
            self.run("UPDATE sessions SET system_prompt = ? WHERE id = ?", text, talk.id)

    def say(self, talk: Talk, role: str, content: str, at: float | None = None, **columns: object) -> int:
        """A message."""
        talk.busy = self.now if at is None else at
        row = {"session_id": talk.id, "role": role, "content": content, "timestamp": talk.busy, **columns}
        marks = ", ".join("?" * len(row))
        return int(self.run(f"INSERT INTO messages ({', '.join(row)}) VALUES ({marks})", *row.values()).lastrowid)

    def call(self, talk: Talk, store: StoreName, *operations: dict[str, str], skew: float = 0.0) -> None:
        """The memory tool is called: one operation, or a batch of several.

        Args:
            talk: the session.
            store: which one.
            operations: each with an action, and the content, and the whole entry that it is about.
            skew: so many seconds later the answer is stored.
        """
        self._settle()
        single = {**operations[0], "target": store}
        message = self._asked(talk, single if len(operations) == 1 else {"target": store, "operations": operations})
        before = list(self.held[store])
        after = list(before)
        for each in operations:
            content, old = each.get("content", ""), each.get("old_text", "")
            if each["action"] == "add":
                after += [content] if content not in after else []
            elif old not in after:
                self._answered(talk, message, {"success": False, "error": "No entry matched."}, skew)
                return
            else:
                place = after.index(old)
                after[place : place + 1] = [content] if each["action"] == "replace" else []
        if after != before:
            self.change(store, after, recorded=True, told_at=self.now + skew, session=talk.id, message=message)
        usage = Usage(count(after), LIMITS[store]).agent_label
        words = "Applied." if len(operations) > 1 else "Done."
        if after == before:
            self.found.append(Deed(self.now, self.now + skew, store, self.held[store], self.held[store], True, talk.id))
        if after == before and operations[0]["action"] == "add":
            words = "Entry already exists (no duplicate added)."
        result = {"success": True, "target": store, "usage": usage, "entry_count": len(after), "message": words}
        if self.form == "0.22" and len(operations) == 1 and "old_text" in single:
            result["removed_entry" if single["action"] == "remove" else "replaced_entry"] = single["old_text"]
        self._answered(talk, message, result, skew)

    def stage(self, talk: Talk, arguments: dict[str, Any]) -> None:
        """The memory tool is called, and what it wants has to wait."""
        pending = f"{self.number():08x}"
        message = self._asked(talk, arguments)
        self._answered(talk, message, {"success": True, "staged": True, "pending_id": pending}, 0.0)
        self.waiting.append(Waiting(pending, talk.id, message, arguments["target"], arguments))

    def _asked(self, talk: Talk, arguments: dict[str, Any]) -> int:
        function = {"name": "memory", "arguments": json.dumps(arguments)}
        message = self.say(talk, "assistant", "")
        call = {"id": f"call_{message}", "type": "function", "function": function}
        self.run("UPDATE messages SET tool_calls = ? WHERE id = ?", json.dumps([call]), message)
        self.wait(TOOL_SECONDS)
        self._tick()
        return message

    def _answered(self, talk: Talk, message: int, result: dict[str, Any], skew: float) -> None:
        columns = {"tool_name": "memory", "tool_call_id": f"call_{message}"}
        self.say(talk, "tool", json.dumps(result), self.now + skew, **columns)

    def compact(self, talk: Talk) -> None:
        """What was said is put away, the last messages are written again, and the prompt is built anew."""
        self.run("UPDATE sessions SET ended_at = NULL, end_reason = NULL WHERE id = ?", talk.id)
        self.now = max(self.now, talk.busy)
        talk.compacted = True
        tail = self._rows(talk)[-TAIL:][1:]
        ids = self.run("SELECT id FROM messages WHERE session_id = ? AND active = 1 ORDER BY id", talk.id).fetchall()
        self.run("UPDATE messages SET active = 0, compacted = 1 WHERE session_id = ? AND active = 1", talk.id)
        for (id,) in ids[-len(tail) :] if self.form == "0.22" else ():
            self.run("UPDATE messages SET compacted = 0 WHERE id = ?", id)
        talk.frozen, talk.read_at = dict(self.held), self.now
        if self.form == "0.19":
            self.say(talk, "user", "[CONTEXT COMPACTION] A summary.")
        self._copy(tail, talk)
        self._tell(talk)

    def branch(self, parent: Talk, *, told_anew: bool) -> None:
        """A new session goes on from an old one, whose messages are written again for it."""
        self.now = max(self.now, parent.busy)
        talk = Talk(f"s{self.number()}", dict(self.held) if told_anew else parent.frozen, self.now, parent.model)
        if not told_anew:
            talk.read_at = parent.read_at
        self.talks.append(talk)
        columns = "id, source, model, started_at, parent_session_id"
        values = (talk.id, "cli", talk.model, self.now, parent.id)
        self.run(f"INSERT INTO sessions ({columns}) VALUES (?, ?, ?, ?, ?)", *values)
        self._tell(talk)
        self._copy(self._rows(parent), talk)
        talk.begun = True

    def rewrite(self, talk: Talk) -> None:
        """All messages of a session are deleted and written again."""
        self.now = max(self.now, talk.busy)
        rows = self._rows(talk)
        self.run("DELETE FROM messages WHERE session_id = ?", talk.id)
        self._copy(rows, talk)
        self.rewritten.add(talk.id)

    def _rows(self, talk: Talk) -> list[Any]:
        columns = "role, content, tool_call_id, tool_calls, tool_name, timestamp"
        sql = f"SELECT {columns} FROM messages WHERE session_id = ? AND active = 1 ORDER BY id"
        found: list[Any] = self.run(sql, talk.id).fetchall()
        return found

    def _copy(self, rows: Sequence[Any], talk: Talk) -> None:
        """Messages written again; older agents give them the time of it."""
        columns = "role, content, tool_call_id, tool_calls, tool_name, timestamp, session_id"
        for number, row in enumerate(rows, 1):
            stamp = row[-1] if self.form == "0.22" else self.now + number * 1e-6
            self.run(f"INSERT INTO messages ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", *row[:-1], stamp, talk.id)

    def remodel(self, talk: Talk) -> None:
        """The session goes on in another process with another model, so that its prompt is built anew."""
        talk.frozen, talk.read_at = dict(self.held), self.now
        talk.model = "large" if talk.model == "small" else "small"
        talk.stale_prompt = talk.model != talk.told_as

    def end(self, talk: Talk) -> None:
        """The session is over."""
        self.run("UPDATE sessions SET ended_at = ?, end_reason = 'cli_close' WHERE id = ?", self.now, talk.id)

    def forget(self, talk: Talk) -> None:
        """The session is deleted."""
        self.run("DELETE FROM messages WHERE session_id = ?", talk.id)
        self.run("DELETE FROM sessions WHERE id = ?", talk.id)
        self.run("DELETE FROM session_model_usage WHERE session_id = ?", talk.id)
        if self.form == "0.22":
            self.run(
                "DELETE FROM system_prompts WHERE hash NOT IN (SELECT coalesce(system_prompt_hash, '') FROM sessions)"
            )
        talk.gone = True

    # The truth

    def truth(self, store: StoreName, when: float) -> tuple[str, ...]:
        """What a store held at a moment."""
        deeds = [deed for deed in self.deeds if deed.store == store]
        found = bisect_right(deeds, when, key=lambda deed: deed.at)
        return deeds[found - 1].after if found else ()

    def save(self) -> None:
        """What the stores hold is on disk."""
        for store in STORES:
            (self.home / "memories" / FILE_NAMES[store]).write_text(join(self.held[store]))

    def close(self) -> None:
        """Let go of the database."""
        self._connection.close()
