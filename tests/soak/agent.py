"""A real agent at work: it talks, remembers and stages, at random and in bursts."""

from __future__ import annotations

import json
import random
import subprocess
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tests.soak.tally import Tally

DRIVER = Path(__file__).parents[1] / "interop" / "peers" / "drive_soak.py"
WORDS = ("harbour", "fjord", "glacier", "otter", "lighthouse", "ferry", "anchor", "crate", "loom", "label", "café",
         "項目", "дом", "🧵", "tide", "room", "courier", "letter", "printer", "lamp")  # fmt: skip
SOURCES = ("cli", "cli", "tui", "telegram", "discord")
ORIGINS = ("assistant_tool", "assistant_tool", "background_review", "foreground")
PAUSE_SECONDS = 2.2
"""On average, between two things it does."""
LONGEST_PAUSE = 9.0
MOST_WAITING = 60
"""It stages nothing while so many writes wait."""
FULL_PERCENT = 70
"""Past this it rather removes than adds."""
OPEN_SESSIONS = 8


@dataclass(frozen=True, slots=True)
class Write:
    """One memory file put in the place of another, by an agent."""

    store: str
    before: str
    """Digest of the bytes."""
    after: str
    old: tuple[str, ...]
    """The entries before."""
    new: tuple[str, ...]


class Peer:
    """The process of one agent."""

    def __init__(self, python: str, environ: Mapping[str, str], talk: IO[str]) -> None:
        self._process = subprocess.Popen(
            [python, str(DRIVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=talk, env=environ, text=True
        )
        self._read()

    def ask(self, **request: Any) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("{"):
                answer: dict[str, Any] = json.loads(line)
                return answer
        raise RuntimeError(f"the agent ended with {self._process.wait()}")

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)
        assert self._process.stdout is not None
        self._process.stdout.close()


class Agent(threading.Thread):
    """What the agent does, one thing after another; in the second half by the newer line."""

    def __init__(self, home: Path, environ: Mapping[str, str], pythons: list[str], tally: Tally, seed: int) -> None:
        super().__init__(name="agent")
        self.home = home
        self.environ = environ
        self.pythons = list(pythons)
        self.tally = tally
        self.dice = random.Random(seed)
        self.over = threading.Event()
        self.staged: set[str] = set()
        """Ids of what was staged."""
        self.writes: list[Write] = []
        self.sessions = self.messages = 0
        """How many it made."""
        self.talk = (home.parent / "agent.err").open("a")
        self._change = threading.Event()
        self._open: list[str] = []
        self._number = 0
        self._patches = False
        self.peer = Peer(self.pythons.pop(0), environ, self.talk)

    def begin_with(self, sessions: int) -> None:
        """Conversations and entries from before."""
        for _ in range(sessions):
            self._begin_session()
        for _ in range(12):
            self._remember({"action": "add", "target": self.dice.choice(("memory", "user")), "content": self._fact()})

    def change_line(self) -> None:
        """Let the next agent take over."""
        self._change.set()

    def run(self) -> None:
        """Until it is over."""
        try:
            while not self.over.wait(min(LONGEST_PAUSE, self.dice.expovariate(1 / PAUSE_SECONDS))):
                if self._change.is_set() and self.pythons:
                    self._change.clear()
                    self.peer.close()
                    self.peer = Peer(self.pythons.pop(0), self.environ, self.talk)
                    self._patches = True
                    self.tally.add("agent: newer line takes over")
                self._do_something()
        except Exception as error:  # told at the end; the other two go on
            self.tally.blame(f"the agent's thread ended: {type(error).__name__}: {error}")

    def look(self, search: str = "") -> dict[str, Any]:
        """What its own stores hold, fresh from the disk."""
        return self.peer.ask(do="look", search=search)

    def close(self) -> None:
        """End it."""
        self.peer.close()
        self.talk.close()

    # One thing

    def _do_something(self) -> None:
        kind = self.dice.random()
        if kind < 0.42:
            self._say()
        elif kind < 0.48:
            self._begin_session()
        elif kind < 0.94:
            self._use_memory()
        elif kind < 0.97:
            self.tally.add("agent: burst of messages")
            for _ in range(self.dice.randint(8, 25)):
                self._say()
        else:
            self.tally.add("agent: burst of memory")
            for _ in range(self.dice.randint(3, 8)):
                self._use_memory()

    def _sentence(self, least: int = 3, most: int = 14) -> str:
        return " ".join(self.dice.choices(WORDS, k=self.dice.randint(least, most)))

    def _fact(self) -> str:
        self._number += 1
        return f"Fact {self._number:05} is about {self._sentence(2, 9)}."

    def _begin_session(self) -> None:
        self._number += 1
        name = f"{time.strftime('%Y%m%d_%H%M%S')}_{self._number:06x}"
        turns = self.dice.randint(1, 6)
        messages = [{"role": role, "content": self._sentence()} for _ in range(turns) for role in ("user", "assistant")]
        title = f"{self.dice.choice(WORDS)} {self._number}" if self.dice.random() < 0.6 else ""
        answer = self._ask(do="begin", session=name, source=self.dice.choice(SOURCES), messages=messages, title=title)
        if answer is None:
            return
        self.sessions += 1
        self._counted(answer["said"])
        self.tally.add("agent: session")
        self._open.append(name)
        if len(self._open) > OPEN_SESSIONS:
            self._ask(do="end", session=self._open.pop(self.dice.randrange(OPEN_SESSIONS)))

    def _counted(self, said: int) -> None:
        self.messages += said
        self.tally.add("agent: message", said)

    def _say(self) -> None:
        role = self.dice.choice(("user", "assistant"))
        text = self._sentence() if self.dice.random() < 0.95 else "\n\n".join(self._sentence() for _ in range(40))
        answer = self._ask(do="say", session=self.dice.choice(self._open), messages=[{"role": role, "content": text}])
        if answer is not None:
            self._counted(answer["said"])

    def _use_memory(self) -> None:
        store = self.dice.choice(("memory", "memory", "user"))
        entries = self._entries(store)
        limit = 6000 if store == "memory" else 3000
        full = 100 * sum(len(entry) + 3 for entry in entries) / limit > FULL_PERCENT
        args = self._call(store, entries, full=full)
        if sum(1 for _ in self.home.glob("pending/memory/*.json")) >= MOST_WAITING:
            self.tally.add("agent: waited for the reviewers")
            return
        result = self._remember(args)
        if result is not None and self.dice.random() < 0.5:
            self._tell(args, result)

    def _call(self, store: str, entries: list[str], *, full: bool) -> dict[str, Any]:
        kind = self.dice.random()
        chosen = self.dice.choice(entries) if entries else ""
        if chosen and (full or kind < 0.2):
            return {"action": "remove", "target": store, "old_text": chosen}
        if chosen and kind < 0.4:
            if self._patches:
                return {"action": "patch", "target": store, "old_text": chosen, "new_text": self._fact()}
            return {"action": "replace", "target": store, "old_text": chosen, "content": self._fact()}
        if chosen and kind < 0.5:
            operations = [
                {"action": "remove", "old_text": chosen},
                *({"action": "add", "content": self._fact()} for _ in range(self.dice.randint(1, 2))),
            ]
            return {"target": store, "operations": operations}
        return {"action": "add", "target": store, "content": self._fact()}

    def _remember(self, args: dict[str, Any]) -> dict[str, Any] | None:
        answer = self._ask(do="remember", args=args, origin=self.dice.choice(ORIGINS))
        if answer is None:
            return None
        for write in answer["writes"]:
            self.writes.append(
                Write(write["store"], write["before"], write["after"], tuple(write["old"]), tuple(write["new"]))
            )
        result: dict[str, Any] = answer["result"]
        action = args.get("action", "batch")
        if result.get("staged"):
            self.staged.add(result["pending_id"])
            self.tally.add(f"agent: staged {action}")
        elif result.get("success"):
            self.tally.add(f"agent: wrote {action}")
        else:
            self.tally.add(f"agent: was refused {action}")
        return result

    def _tell(self, args: dict[str, Any], result: dict[str, Any]) -> None:
        """The call and its result as part of a conversation, as an agent keeps them."""
        self._number += 1
        call_id = f"call_{self._number}"
        call = {"id": call_id, "type": "function", "function": {"name": "memory", "arguments": json.dumps(args)}}
        told = json.dumps(result, ensure_ascii=False)
        messages = [
            {"role": "assistant", "content": "I will remember that.", "tool_calls": [call]},
            {"role": "tool", "content": told, "tool_name": "memory", "tool_call_id": call_id},
        ]
        answer = self._ask(do="say", session=self.dice.choice(self._open), messages=messages)
        if answer is not None:
            self._counted(answer["said"])

    def _entries(self, store: str) -> list[str]:
        path = self.home / "memories" / ("MEMORY.md" if store == "memory" else "USER.md")
        text = path.read_text("utf-8") if path.exists() else ""
        return [entry for entry in text.split("\n§\n") if entry.strip()]

    def _ask(self, **request: Any) -> dict[str, Any] | None:
        answer = self.peer.ask(**request)
        if "raised" in answer:
            self.tally.add("agent: raised")
            self.tally.blame(f"the agent raised at {request['do']}: {answer['raised']}")
            return None
        return answer
