"""The queue: every decision over pending writes and skills, and taking it back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from hermes_tui.errors import Refused, Unreadable
from hermes_tui.memory.entries import join
from hermes_tui.pending.records import PendingRecord, list_records
from hermes_tui.pending.review import Decision, Review
from hermes_tui.pending.staging import stage
from tests.faults.of_memory import open_store
from tests.faults.operation import Look, Operation, Place, never

BATCH = "0000000b"
NEW_SKILL = "---\nname: knots\ndescription: How to tie them.\n---\n\nLeft over right.\n"
OLD_SKILL = "---\nname: sails\ndescription: How to set them.\n---\n\nInto the wind.\n"


def prepare(place: Place) -> None:
    """Writes of each kind wait; one was decided already."""
    home = place.home
    home.config_path.write_text("memory:\n  memory_char_limit: 4000\n  user_char_limit: 4000\n")
    (home.memories / "MEMORY.md").write_text(join(["The first entry.", "The second entry."]))
    (home.path / "skills" / "sails").mkdir(parents=True)
    (home.path / "skills" / "sails" / "SKILL.md").write_text(OLD_SKILL)
    put(place, "memory", "00000000", {"action": "add", "target": "user", "content": "Decided before."})
    open_store(home).approve(list_records(home))
    put(place, "memory", "0000000a", {"action": "add", "target": "memory", "content": "A pending entry."})
    steps = [{"action": "add", "content": "One of two."}, {"action": "remove", "old_text": "second"}]
    put(place, "memory", BATCH, {"action": "batch", "target": "memory", "operations": steps})
    put(place, "skills", "0000000c", {"action": "create", "name": "knots", "content": NEW_SKILL})
    put(place, "skills", "0000000d", {"action": "delete", "name": "sails"})
    put(place, "skills", "0000000e", {"action": "patch", "name": "sails", "old_string": "Into", "new_string": "Off"})


def put(place: Place, queue: str, id: str, payload: Mapping[str, Any]) -> None:
    """As an agent does it."""
    folder = place.home.path / "pending" / queue
    folder.mkdir(parents=True, exist_ok=True)
    body = {"id": id, "subsystem": queue, "action": payload["action"], "summary": "s", "origin": "foreground"}
    (folder / f"{id}.json").write_text(
        json.dumps({**body, "created_at": 1_700_000_000.5, "payload": payload}, indent=2)
    )


def look(place: Place) -> Look:
    """Memory, the queue and the skills: every file, whatever it is called."""
    home = place.home.path
    folders = [home / "memories", home / "pending", home / "skills"]
    paths = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in paths if path.suffix in (".md", ".json")}


def start(place: Place) -> None:
    """As the app does it."""
    open_store(place.home).recover()


def undo(place: Place) -> None:
    """The last decision."""
    open_store(place.home).undo()


def chosen(place: Place, *ids: str) -> list[PendingRecord]:
    """Records, as they are shown."""
    return [record for record in list_records(place.home) if record.id in ids]


def told(decision: Decision) -> None:
    """What stays in the queue is told with its reason; here it is raised, as that of a single one."""
    for failed in decision.failed:
        reason = f"{failed.id} stays, the rest is decided." if decision.done else failed.reason
        raise Unreadable(reason, code=failed.verdict)


def _decision(name: str, *ids: str, deed: Callable[[Review, list[PendingRecord]], Decision]) -> Operation:
    def sit(place: Place) -> Callable[[], object]:
        review, records, first = open_store(place.home), chosen(place, *ids), True

        def once() -> None:
            nonlocal first
            shown = records
            if not first:
                start(place)  # as the command does before it shows the queue again
                shown = chosen(place, *ids)
                if len(ids) == 1 and [each.digest for each in shown] != [each.digest for each in records]:
                    raise Refused("It is another one now.", code="stale")
            first = False
            told(deed(review, shown))

        return once

    return Operation(f"pending {name}", prepare, sit, look, start, undo, _each_whole if len(ids) > 1 else never)


def _each_whole(now: Look, old: Look, new: Look) -> bool:
    """Many are decided one after the other: each is queued, or decided and gone."""
    queued = [name for name in old if name.startswith("pending/") and name in now]
    return all(
        now.get(name) in (old.get(name), new.get(name)) for name in now if name.startswith(("pending", "sk"))
    ) and (
        ("pending/memory/0000000a.json" in queued) != (b"A pending entry." in _memory(now))
        and (f"pending/memory/{BATCH}.json" in queued) != (b"One of two." in _memory(now))
    )


def _memory(now: Look) -> bytes:
    found = now["memories/MEMORY.md"]
    assert isinstance(found, bytes)
    return found


def _approved(place: Place) -> None:
    prepare(place)
    told(open_store(place.home).approve(chosen(place, "0000000a")))


def _skill_deleted(place: Place) -> None:
    prepare(place)
    told(open_store(place.home).approve(chosen(place, "0000000d")))


def _undo(name: str, before: Callable[[Place], None]) -> Operation:
    def sit(place: Place) -> Callable[[], object]:
        review = open_store(place.home)
        return lambda: review.undo()

    return Operation(f"pending {name}", before, sit, look, start, undo)


def _stage(place: Place) -> Callable[[], object]:
    payload = {"action": "add", "target": "memory", "content": "Staged."}
    return lambda: stage(place.home, "memory", payload, summary="s", origin="foreground")


def _staged(place: Place) -> Look:
    """What is asked for; each has an id of its own."""
    return {**look(place), "pending": sorted(str(record.payload) for record in list_records(place.home))}


OPERATIONS = (
    _decision("approve", "0000000a", deed=lambda review, records: review.approve(records)),
    _decision("approve a batch", BATCH, deed=lambda review, records: review.approve(records)),
    _decision("reject", "0000000a", deed=lambda review, records: review.reject(records)),
    _decision("edit", "0000000a", deed=lambda review, records: review.edit_and_approve(records[0], "Another.")),
    _decision("approve one step", BATCH, deed=lambda review, records: review.approve_step(records[0], 1)),
    _decision("reject one step", BATCH, deed=lambda review, records: review.reject_step(records[0], 2)),
    _decision("approve several", "0000000a", BATCH, deed=lambda review, records: review.approve(records)),
    _decision("skill made", "0000000c", deed=lambda review, records: review.approve(records)),
    _decision("skill patched", "0000000e", deed=lambda review, records: review.approve(records)),
    _decision("skill deleted", "0000000d", deed=lambda review, records: review.approve(records)),
    _undo("undo", _approved),
    _undo("undo of a skill", _skill_deleted),
)
