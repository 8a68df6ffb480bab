"""Fifty profiles of one root: whatever is done in one, nothing of another changes."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hermes_tui.config import load_config
from hermes_tui.home import data_dir, home_of, list_profiles, state_dir
from hermes_tui.memory.across import send
from hermes_tui.memory.check import EntryRef
from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.pending.records import PendingRecord, list_records
from hermes_tui.pending.review import Review
from hermes_tui.pending.staging import record_bytes
from hermes_tui.sitting import Sitting
from hermes_tui.watch_plan import Plan, make_plan, topics_of

PROFILES = 50
STEPS = 180
SEED = int(os.environ.get("HERMES_TUI_SEED", "8"))

State = dict[str, list[str]]
Trace = dict[str, tuple[int, int, int]]


@dataclass
class Expected:
    """What must be in a profile, by nothing but what was done in it."""

    state: State
    before: list[State] = field(default_factory=list)
    """What undo leads back to, the next one last."""
    after: list[State] = field(default_factory=list)
    """The same for redo."""
    written: int = 0
    """Changes in its journal."""
    left_at: int = -1

    def become(self, state: State) -> None:
        """Something was done in it."""
        self.before.append(self.state)
        self.after.clear()
        self.state = state
        self.written += 1

    def turn(self, back: list[State], forth: list[State]) -> None:
        """Undo or redo."""
        forth.append(self.state)
        self.state = back.pop()
        self.written += 1


def waiting(records: Sequence[PendingRecord]) -> list[str]:
    """The texts that wait."""
    return [str(record.payload["content"]) for record in records]


class World:
    """The profiles, what is expected of each, and the one that is open."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.rng = random.Random(seed)
        names = ["default", *(f"p{number:02d}" for number in range(1, PROFILES))]
        self.expected = {name: Expected(self._make(name)) for name in names}
        self.names = names
        self.homes = {name: home_of(root, name) for name in names}
        self.plans: dict[str, Plan] = {name: make_plan(home) for name, home in self.homes.items()}
        self.numbers = iter(range(10_000))
        self.here, self.review, self.sitting = self._arrive("default")

    def _make(self, name: str) -> State:
        path = self.root if name == "default" else self.root / "profiles" / name
        state: State = {"memory": [f"{name} knows"], "user": [], "queue": []}
        for folder in ("memories", "pending/memory"):
            (path / folder).mkdir(parents=True, exist_ok=True)
        (path / "config.yaml").write_text(f"# {name}\nmemory:\n  write_approval: true\n")
        (path / "memories" / "MEMORY.md").write_text(state["memory"][0])
        for number in range(3):
            text = f"{name} wants {number}"
            payload = {"action": "add", "target": "memory", "content": text}
            body = {"id": f"{number:08x}", "subsystem": "memory", "action": "add", "summary": "s"}
            more = {"origin": "foreground", "created_at": 1_700_000_000.0 + number, "payload": payload}
            (path / "pending" / "memory" / f"{number:08x}.json").write_bytes(record_bytes(body | more))
            state["queue"].append(text)
        return state

    # Being somewhere

    def open(self, name: str) -> Review:
        """What decides and writes there, as the app makes it."""
        return Review(self.homes[name], load_config(self.homes[name]), origin="tui")

    def go_to(self, name: str) -> None:
        """Switch: where one was is kept there, and found again."""
        self.there.left_at = place = self.rng.randrange(100)
        self.sitting.keep("memory", {"memory": {"cursor": place}})
        self.here, self.review, self.sitting = self._arrive(name)
        found = self.sitting.take("memory").get("cursor", -1)
        assert found == self.there.left_at, f"{name} opens where another was left"

    def _arrive(self, name: str) -> tuple[str, Review, Sitting]:
        return name, self.open(name), Sitting(self.homes[name].path, kept=True)

    @property
    def there(self) -> Expected:
        """What is expected of the open one."""
        return self.expected[self.here]

    # Doing something; each tells which profiles it may touch

    def switch(self) -> set[str]:
        """Go elsewhere."""
        before = self.here
        self.go_to(self.rng.choice(self.names))
        return {before}

    def add(self) -> set[str]:
        """A new entry."""
        store: StoreName = self.rng.choice(STORES)
        text = f"{self.here} learned {next(self.numbers)}"
        self.review.add(store, text)
        state = deepcopy(self.there.state)
        state[store].append(text)
        self.there.become(state)
        return {self.here}

    def edit(self) -> set[str]:
        """Another text for an entry."""
        if (ref := self.some_entry()) is None:
            return set()
        text = f"{self.here} corrected {next(self.numbers)}"
        self.review.edit(ref, text)
        state = deepcopy(self.there.state)
        state[ref.store][ref.index - 1] = text
        self.there.become(state)
        return {self.here}

    def remove(self) -> set[str]:
        """An entry less."""
        if (ref := self.some_entry()) is None:
            return set()
        self.review.remove([ref])
        state = deepcopy(self.there.state)
        del state[ref.store][ref.index - 1]
        self.there.become(state)
        return {self.here}

    def decide(self) -> set[str]:
        """Approve or reject what waits longest."""
        records = list_records(self.homes[self.here], "memory")
        assert waiting(records) == self.there.state["queue"], "another queue is shown"
        if not records:
            return set()
        state = deepcopy(self.there.state)
        text = state["queue"].pop(0)
        if self.rng.random() < 0.5:
            decision = self.review.approve(records[:1])
            state["memory"].append(text)
        else:
            decision = self.review.reject(records[:1])
        assert decision.done
        self.there.become(state)
        return {self.here}

    def undo(self) -> set[str]:
        """Take the last one of here back."""
        if not self.there.before:
            return set()
        self.review.undo()
        self.there.turn(self.there.before, self.there.after)
        return {self.here}

    def redo(self) -> set[str]:
        """Make it again."""
        if not self.there.after:
            return set()
        self.review.redo()
        self.there.turn(self.there.after, self.there.before)
        return {self.here}

    def send(self) -> set[str]:
        """An entry goes to another profile."""
        ref, keep = self.some_entry(), self.rng.random() < 0.5
        name = self.rng.choice([name for name in self.names if name != self.here])
        if ref is None:
            return set()
        sent = send(self.review, [ref], self.open(name), keep=keep)
        if not sent.there.already:
            state = deepcopy(self.expected[name].state)
            state[ref.store].append(ref.text)
            self.expected[name].become(state)
        if not keep:
            state = deepcopy(self.there.state)
            del state[ref.store][ref.index - 1]
            self.there.become(state)
        return {self.here, name}

    def some_entry(self) -> EntryRef | None:
        """One that is there."""
        state = self.there.state
        places = [(store, index) for store in STORES for index in range(len(state[store]))]
        if not places:
            return None
        store, index = self.rng.choice(places)
        return EntryRef(store, index + 1, state[store][index])

    # Looking at all of them

    def own_folders(self, name: str) -> tuple[str, ...]:
        """Where something of a profile may be written."""
        path = self.homes[name].path
        return tuple(f"{folder}/" for folder in (path / "memories", path / "pending", data_dir(path)))

    def seen(self, name: str) -> State:
        """What is on disk."""
        home = self.homes[name]
        files = self.open(name)
        queue = waiting(list_records(home, "memory"))
        return {"memory": files.view("memory").texts, "user": files.view("user").texts, "queue": queue}


def files_under(*folders: Path) -> Iterator[Path]:
    """Every file."""
    for folder in folders:
        for path, _, names in os.walk(folder):
            yield from (Path(path, name) for name in names)


def traces(*folders: Path) -> Trace:
    """What tells of every file that it was written to, even with the same bytes."""
    found: Trace = {}
    left = [str(folder) for folder in folders]
    while left:
        with os.scandir(left.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)
                else:
                    status = entry.stat(follow_symlinks=False)
                    found[entry.path] = (status.st_ino, status.st_mtime_ns, status.st_size)
    return found


def test_whatever_is_done_in_one_profile_leaves_all_others_as_they_are(
    hermes_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A correction meant for one agent would be written into another, or undo would reach across."""
    monkeypatch.setattr(os, "fsync", lambda _handle: None)  # nothing here is about power cuts
    world = World(hermes_home, SEED)
    steps: list[Callable[[], set[str]]] = [
        *[world.switch] * 4,
        *[world.add] * 3,
        *[world.decide] * 3,
        *[world.undo] * 3,
        world.edit,
        world.remove,
        world.redo,
        *[world.send] * 2,
    ]
    bytes_before = {path: path.read_bytes() for path in files_under(hermes_home)}
    visited = set()
    state_dir().mkdir(parents=True)
    before = traces(hermes_home, state_dir())
    for _ in range(STEPS):
        step = world.rng.choice(steps)
        touched = step()
        visited.add(world.here)
        now = traces(hermes_home, state_dir())
        changed = {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}
        allowed = tuple(folder for name in touched for folder in world.own_folders(name))
        assert all(path.startswith(allowed) for path in changed), f"{step.__name__} in {world.here} wrote elsewhere"
        told = {name for name, plan in world.plans.items() if topics_of(plan, changed)}
        assert told <= touched, f"{step.__name__} in {world.here} is shown as news in {told - touched}"
        assert world.seen(world.here) == world.there.state, f"{step.__name__} in {world.here}"
        before = now
    assert len(visited) > PROFILES // 3
    for name, expected in world.expected.items():
        assert world.seen(name) == expected.state, name
        heads = world.open(name).journal.heads()
        assert [head.state for head in heads] == ["done"] * expected.written, name
    assert [profile.name for profile in list_profiles(hermes_home)] == world.names
    # To the end of every profile's own way back: what it was, byte by byte.
    for name, expected in world.expected.items():
        review = world.open(name)
        while expected.before:
            review.undo()
            expected.turn(expected.before, expected.after)
    kept = {path: path.read_bytes() for path in files_under(hermes_home) if path.suffix not in (".lock",)}
    gone = {path for path, data in kept.items() if path.name == "USER.md" and not data}
    assert {path: data for path, data in kept.items() if path not in gone} == bytes_before
