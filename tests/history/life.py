"""A past that a test makes step by step: sessions, what they were told, and calls of the memory tool."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hermes_tui.config import load_config
from hermes_tui.history.history import History, Timeline
from hermes_tui.home import HermesHome, data_dir, resolve_home
from hermes_tui.memory.entries import FILE_NAMES, STORES, StoreName, Usage, count, join
from hermes_tui.memory.prompt import render_block
from hermes_tui.memory.view import StoreView, view_store
from hermes_tui.sessions.database import Database
from tests.sessions.world import Shape, World

START = 1_700_000_000.0
DAY = 86_400.0
LIMITS: dict[StoreName, int] = {"memory": 2_200, "user": 1_375}

Args = Mapping[str, Any]


def prompt_of(stores: Mapping[StoreName, Sequence[str]], *, head: str = "You are an agent.", tail: str = "") -> str:
    """The prompt of a session that is told what the stores hold."""
    blocks = [render_block(store, stores.get(store, ()), LIMITS[store]) for store in STORES]
    return "\n\n".join(filter(None, [head, *blocks, tail]))


def answer(store: StoreName, entries: Sequence[str], message: str = "Done.", **more: Any) -> dict[str, Any]:
    """What the tool says when it has done something, and the store holds these entries."""
    usage = Usage(count(entries), LIMITS[store]).agent_label
    return {
        "success": True,
        "done": True,
        "target": store,
        "usage": usage,
        "entry_count": len(entries),
        "message": message,
        **more,
        "note": "Write saved. This update is complete — do not repeat it.",
    }


class Life:
    """An agent's life on a clock that only moves when told to.

    Args:
        path: the home, which is there already.
        shape: of the database.
    """

    def __init__(self, path: Path, shape: Shape = "0.22") -> None:
        self.home: HermesHome = resolve_home(home=str(path))
        self.world = World(path / "state.db", shape)
        self.shape = shape
        self.stores: dict[StoreName, list[str]] = {"memory": [], "user": []}
        self.now = START
        self.called = 0

    def wait(self, seconds: float) -> None:
        """Time passes."""
        self.now += seconds

    # Sessions

    def session(self, id: str, *, told: bool = True, **columns: Any) -> str:
        """A session begins and gets an answer; it is told what there is, if it is told anything."""
        self.world.session(id, **{"started_at": self.now, "ended_at": self.now + 100, **columns})
        self.say(id, "hello")
        self.say(id, "Hello.", role="assistant")
        self.world.use(id, first_seen=self.now)
        if told:
            self.tell(id, prompt_of(self.stores))
        self.wait(100)
        return id

    def say(self, id: str, text: Any, **columns: Any) -> int:
        """A message, now."""
        message = self.world.say(id, text, **{"timestamp": self.now, **columns})
        self.wait(1)
        return message

    def tell(self, id: str, prompt: str) -> None:
        """A session's prompt is stored, or written over."""
        if self.shape == "0.22":
            self.world.prompt(prompt, id)
        else:
            self.world.run("UPDATE sessions SET system_prompt = ? WHERE id = ?", (prompt, id))

    def forget(self, id: str) -> None:
        """The agent deletes a session."""
        for sql in ("DELETE FROM messages WHERE session_id = ?", "DELETE FROM sessions WHERE id = ?"):
            self.world.run(sql, (id,))

    # Calls

    def call(self, id: str, arguments: Args | str, result: Args | str, **columns: Any) -> int:
        """The memory tool is called and answers; the message that called it."""
        self.called += 1
        call_id = f"call_{self.called}"
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        calls = [{"id": call_id, "type": "function", "function": {"name": "memory", "arguments": text}}]
        made = self.say(id, "", role="assistant", tool_calls=json.dumps(calls), **columns)
        said = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
        self.say(id, said, role="tool", tool_name="memory", tool_call_id=call_id, **columns)
        return made

    def add(self, id: str, text: str, store: StoreName = "memory") -> int:
        """The agent adds an entry."""
        self.stores[store].append(text)
        return self.call(
            id, {"action": "add", "target": store, "content": text}, answer(store, self.stores[store], "Entry added.")
        )

    def remove(self, id: str, text: str, store: StoreName = "memory") -> int:
        """The agent removes one; newer agents say which."""
        self.stores[store].remove(text)
        more = {"removed_entry": text} if self.shape == "0.22" else {}
        arguments = {"action": "remove", "target": store, "old_text": text}
        return self.call(id, arguments, answer(store, self.stores[store], "Entry removed.", **more))

    def change(self, id: str, old: str, new: str, store: StoreName = "memory") -> int:
        """The agent edits one, the way its line does."""
        entries = self.stores[store]
        entries[entries.index(old)] = new
        if self.shape == "0.22":
            more = {"patched_entry_before": old, "patched_entry_after": new}
            arguments = {"action": "patch", "target": store, "old_text": old, "new_text": new}
            return self.call(id, arguments, answer(store, entries, "Entry patched.", **more))
        arguments = {"action": "replace", "target": store, "old_text": old, "content": new}
        return self.call(id, arguments, answer(store, entries, "Entry replaced."))

    # What is made of it

    def save(self) -> None:
        """What the stores hold is on disk."""
        for store, entries in self.stores.items():
            self.file(store).write_text(join(entries), encoding="utf-8", newline="")

    def file(self, store: StoreName) -> Path:
        """A store's file."""
        return self.home.path / "memories" / FILE_NAMES[store]

    @contextmanager
    def base(self) -> Iterator[Database]:
        """The database, as we read it."""
        with Database(self.home.state_db) as base:
            yield base

    def history(self, *, data: Path | None = None) -> History:
        """The history, read to its end."""
        history = History(data or data_dir(self.home.path), self.home.logs)
        history.load()
        with self.base() as base:
            for _ in history.read(base):
                pass
        return history

    def views(self) -> list[StoreView]:
        """The stores as they are on disk."""
        config = load_config(self.home)
        return [view_store(self.home, config, store) for store in STORES]

    def timeline(self) -> Timeline:
        """The timeline, with what is on disk now as its end."""
        self.save()
        return self.history().timeline(self.views())

    def close(self) -> None:
        """Let go of the database."""
        self.world.close()
