"""Kills a process of ours in the middle of its writing, again and again, and looks at what is left.

Run by test_crash.py with the home and the number of kills; prints one line per kill.
"""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

from hermes_tui.config import load_config
from hermes_tui.errors import HermesTuiError, NotFound
from hermes_tui.home import HermesHome, resolve_home
from hermes_tui.memory.check import EntryRef
from hermes_tui.memory.editing import MemoryStore
from hermes_tui.memory.entries import STORES
from hermes_tui.memory.journal import read_record
from hermes_tui.memory.view import digest_of
from tests.killing import killed

MOSTLY = 0.8
"""The share of kills that come once the writer is at work; the others may come while it starts."""


def open_store(home: HermesHome) -> MemoryStore:
    """As a fresh process would."""
    return MemoryStore(home, load_config(home))


def write_on(home: HermesHome, seed: float, begins: int) -> None:
    """Change memory without end: add, edit, move, remove, undo."""
    rng = random.Random(seed)
    store = open_store(home)
    store.recover()
    os.write(begins, b"x")
    while True:
        try:
            texts = store.view("memory").texts
            choice = rng.randrange(6)
            if choice < 2 or len(texts) < 3:
                store.add("memory", f"entry {rng.random()} " + "words " * rng.randrange(60))
            elif choice == 2:
                store.edit(EntryRef("memory", 1, texts[0]), f"changed {rng.random()}")
            elif choice == 3:
                store.move([EntryRef("memory", 2, texts[1])], "user")
            elif choice == 4:
                store.remove([EntryRef("memory", 1, texts[0])])
            else:
                store.undo()
        except HermesTuiError:
            store.remove([EntryRef("memory", 1, texts[0])])


def kill_one(home: HermesHome, rng: random.Random) -> None:
    """Start a writer, kill it after a moment, and check the promises."""
    seed, moment, begun = rng.random(), rng.uniform(0.001, 0.06), rng.random() < MOSTLY
    assert killed(lambda begins: write_on(home, seed, begins), moment, begun=begun), "the writer ended by itself"
    store = open_store(home)
    torn = 0
    for head in store.journal.heads():
        if head.state == "open" and (record := read_record(head)):
            for change in record.files:
                path = store.path(change.store)
                digest = digest_of(path.read_bytes() if path.exists() else b"")
                assert digest in (change.before, change.after), f"{path.name} is neither the old nor the new file"
                torn += 1
    left = [path.name for path in home.memories.glob(".mem_*")]
    store.recover()
    assert not list(home.memories.glob(".mem_*")), "a temp file survived the next start"
    assert not store.journal.open_ids(), "an unfinished change survived the next start"
    seen = [text for name in STORES for text in store.view(name).texts]
    assert len(seen) == len(set(seen)), "a move left the entry in both stores"
    before = [store.path(name).read_bytes() if store.path(name).exists() else b"" for name in STORES]
    store.add("memory", f"after {time.time_ns()}", at=1) if store.view("memory").usage.room > 60 else None
    if store.view("memory").texts and store.view("memory").texts[0].startswith("after "):
        store.undo()
        after = [store.path(name).read_bytes() if store.path(name).exists() else b"" for name in STORES]
        assert before == after, "undo does not work after a crash"
    print(f"ok open={torn} temp={len(left)}", flush=True)


def main() -> None:
    """Kill as often as asked, then take everything back."""
    path, kills = Path(sys.argv[1]), int(sys.argv[2])
    home = resolve_home(home=str(path))
    rng = random.Random(int(sys.argv[3]))
    for _ in range(kills):
        kill_one(home, rng)
    store = open_store(home)
    undone = 0
    while True:
        try:
            store.undo()
            undone += 1
        except NotFound:
            break
    for name in STORES:
        assert store.view(name).texts == [], "undo did not lead back to the start"
    print(f"undone={undone}", flush=True)


main()
