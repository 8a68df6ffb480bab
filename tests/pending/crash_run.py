"""Kills a process of ours in the middle of its decisions over the queue, again and again, and looks at what is left.

Run by test_crash.py with the home and the number of kills; prints one line per kill.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
from pathlib import Path
from typing import Any

from hermes_tui.config import load_config
from hermes_tui.errors import HermesTuiError, NotFound
from hermes_tui.home import HermesHome, resolve_home
from hermes_tui.memory.entries import STORES
from hermes_tui.pending.queue import SUBSYSTEMS
from hermes_tui.pending.records import PendingRecord, list_records
from hermes_tui.pending.review import Review
from hermes_tui.pending.staging import stage
from tests.killing import killed

STAGED = {"summary": "x", "origin": "foreground"}
IN_QUEUE = 12
"""So many records wait when a reviewer starts."""
MOSTLY = 0.8
"""The share of kills that come once the reviewer is at work; the others may come while it starts."""


def open_review(home: HermesHome) -> Review:
    """As a fresh process would."""
    return Review(home, load_config(home))


def mark_of(text: str) -> str:
    """What names an intent wherever its text ends up: `<17>`."""
    found = re.search(r"<\d+>", text)
    assert found, text
    return found[0]


def marks_in_queue(home: HermesHome) -> list[str]:
    """The intents that wait."""
    found = []
    for record in list_records(home):
        assert not record.problem, f"{record.path.name}: {record.problem}"
        found += [mark_of(raw["content"]) for raw in record.raw_operations]
    return found


def marks_carried_out(home: HermesHome) -> list[str]:
    """The intents that have become entries or skills."""
    review = open_review(home)
    texts = [text for store in STORES for text in review.view(store).texts]
    texts += [path.read_text() for path in sorted(home.path.glob("skills/*/SKILL.md"))]
    return [mark_of(text) for text in texts]


def marks_rejected(review: Review) -> list[str]:
    """The intents that were thrown away for good, as the journal has them."""
    gone: dict[str, list[str]] = {}
    for record in review.journal.records():
        if record.state == "done" and record.kind == "reject":
            gone[record.id] = _difference(record.others[0].before, record.others[0].after)
        elif record.state == "done" and record.kind == "undo":
            gone.pop(record.of, None)
    return [mark for marks in gone.values() for mark in marks]


def _difference(before: bytes | None, after: bytes | None) -> list[str]:
    left = _marks(after)
    return [mark for mark in _marks(before) if mark not in left]


def _marks(data: bytes | None) -> list[str]:
    if data is None:
        return []
    payload = json.loads(data)["payload"]
    return [mark_of(raw["content"]) for raw in payload.get("operations") or [payload]]


def refill(home: HermesHome, rng: random.Random, number: int) -> int:
    """Stage until the queue is full again; each text carries a number that is used once."""
    waiting = len(list_records(home))
    for _ in range(max(0, IN_QUEUE - waiting)):
        target = rng.choice(STORES)
        if rng.random() < 0.2:
            number += 1
            content = f"---\nname: skill-{number}\ndescription: <{number}> a skill\n---\n\nDo it.\n"
            stage(home, "skills", {"action": "create", "name": f"skill-{number}", "content": content}, **STAGED)
            continue

        def text() -> str:
            nonlocal number
            number += 1
            return f"<{number}> fact" + " words" * rng.randrange(12)

        operations: list[dict[str, Any]] = [
            {"action": "add", "content": text()} for _ in range(rng.choice([1, 1, 2, 3]))
        ]
        payload = {"target": target, **operations[0]}
        if len(operations) > 1:
            payload = {"action": "batch", "target": target, "operations": operations}
        stage(home, "memory", payload, **STAGED)
    return number


def review_on(home: HermesHome, seed: float, begins: int) -> None:
    """Decide without end: approve one or many, reject, edit, one step of a batch, undo."""
    rng = random.Random(seed)
    review = open_review(home)
    review.recover()
    os.write(begins, b"x")
    while True:
        records = list_records(home)
        if not records:
            review.undo()
            continue
        record = rng.choice(records)
        try:
            decide(review, rng.randrange(7), record, records)
        except HermesTuiError:
            review.approve([record])


def decide(review: Review, choice: int, record: PendingRecord, records: list[PendingRecord]) -> None:
    """One of the decisions that there are."""
    steps = len(record.raw_operations)
    batch = record.action == "batch"
    if choice == 0:
        review.approve(records[:4])
    elif choice == 1:
        review.approve([record])
    elif choice == 2:
        review.reject([record])
    elif choice == 3:
        step = 1 if batch else None
        review.edit_and_approve(record, f"{record.raw_operations[0]['content']} edited", step=step)
    elif choice == 4 and batch:
        review.approve_step(record, steps)
    elif choice == 5 and batch:
        review.reject_step(record, 1)
    else:
        review.undo()


def kill_one(home: HermesHome, rng: random.Random, number: int) -> int:
    """Fill the queue, start a reviewer, kill it after a moment, and check the promises."""
    number = refill(home, rng, number)
    seed = rng.random()
    moment, begun = rng.uniform(0.001, 0.06), rng.random() < MOSTLY
    assert killed(lambda begins: review_on(home, seed, begins), moment, begun=begun), "the reviewer ended by itself"
    if rng.random() < 0.3:  # and the start after it is killed too
        killed(lambda _: open_review(home).recover(), rng.uniform(0.0, 0.004), begun=False)
    review = open_review(home)
    claims = len([path for path in waiting_files(home) if ".claim-" in path.name])
    unfinished = len(review.journal.open_ids())
    review.recover()
    left = [path.name for path in waiting_files(home) if path.name.startswith(".") or path.suffix != ".json"]
    left += [str(path) for path in home.path.glob("skills/*/*") if path.name != "SKILL.md"]
    assert not left, f"left in the queue: {left}"
    assert not list(home.memories.glob(".mem_*")), "a temp file survived the next start"
    assert not review.journal.open_ids(), "an unfinished decision survived the next start"
    seen = marks_in_queue(home) + marks_carried_out(home) + marks_rejected(review)
    assert len(seen) == len(set(seen)), f"twice: {sorted({mark for mark in seen if seen.count(mark) > 1})}"
    lost = {f"<{each}>" for each in range(1, number + 1)} - set(seen)
    assert not lost, f"neither queued, applied nor rejected: {sorted(lost)}"
    undo_works(home, review)
    print(f"ok open={unfinished} claims={claims}", flush=True)
    return number


def undo_works(home: HermesHome, review: Review) -> None:
    """Decisions made after the crash are taken back to the last byte."""
    before = contents(home)
    done = [*review.approve(list_records(home)[:1]).done, *review.reject(list_records(home)[:1]).done]
    for _ in done:
        review.undo()
    assert contents(home) == before, "undo does not work after a crash"


def contents(home: HermesHome) -> dict[str, bytes]:
    """Every file of the queue and of memory with something in it."""
    paths = [*waiting_files(home), *home.memories.iterdir(), *home.path.glob("skills/*/*")]
    return {str(path): data for path in paths if (data := path.read_bytes())}


def waiting_files(home: HermesHome) -> list[Path]:
    """Every file in either queue, whatever its name."""
    return [path for name in SUBSYSTEMS for path in home.pending(name).glob("*")]


def main() -> None:
    """Kill as often as asked, then take everything back."""
    home = resolve_home(home=str(Path(sys.argv[1])))
    kills = int(sys.argv[2])
    rng = random.Random(int(sys.argv[3]))
    number = 0
    for _ in range(kills):
        number = kill_one(home, rng, number)
    review = open_review(home)
    undone = 0
    while True:
        try:
            review.undo()
            undone += 1
        except NotFound:
            break
    for store in STORES:
        assert review.view(store).texts == [], "undo did not lead back to the start"
    assert not list(home.path.glob("skills/*/*")), "undo left a skill"
    queued = marks_in_queue(home)
    assert sorted(queued) == sorted(f"<{each}>" for each in range(1, number + 1)), "undo did not put every record back"
    print(f"undone={undone}", flush=True)


if __name__ == "__main__":
    main()
