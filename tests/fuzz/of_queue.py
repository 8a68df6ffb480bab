"""What waits in the queues: records of any shape, and the skills that they would change."""

from __future__ import annotations

import inspect
import json
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from hermes_tui.config import HermesConfig
from hermes_tui.memory.entries import STORES, unique
from hermes_tui.pending.preview import preview, simulate
from hermes_tui.pending.proposals import proposal_of
from hermes_tui.pending.records import PendingRecord, parse_record
from hermes_tui.pending.review import Review
from hermes_tui.pending.rewriting import split_step, with_content
from hermes_tui.pending.skills import external_dirs, preview_skill
from hermes_tui.pending.skills.frontmatter import read_frontmatter
from hermes_tui.pending.staging import record_bytes
from tests.fuzz.given import number, one_of, split, text, value
from tests.fuzz.machine import machine, put
from tests.fuzz.of_memory import LIMIT, is_sound
from tests.fuzz.promises import can_be_shown, ours
from tests.pending.skill_home import add_skill

DEPTH = 150
"""So many calls further in than where a record is read may it be used."""
MEMORY = "The user likes tea\n§\nDeploys go out on Friday\n§\nUse uv, not pip"


def deeper(action: Callable[[], object], depth: int = DEPTH) -> object:
    """Do something further in, as a screen does."""
    return deeper(action, depth - 1) if depth else action()


def record(data: bytes) -> None:
    """Any file of the queue is listed; approving it changes the store as was foreseen, or leaves everything."""
    how, body = split(data, 2)
    with machine() as place:
        put(place.home.memories / "MEMORY.md", MEMORY.encode())
        path = put(place.home.pending("memory") / "00c0ffee.json", body)
        read = parse_record("memory", path, body, 1.0)
        _looked_at(read)
        review = Review(
            place.home, HermesConfig(place.home.config_path, memory_char_limit=LIMIT, user_char_limit=LIMIT)
        )
        views = {name: review.view(name) for name in STORES}
        foreseen = preview(read, views)
        simulate([read, read], views)
        can_be_shown(f"{foreseen.reason} {foreseen.short}")
        if number(how, 3) == 2:
            ours(lambda: review.reject([read]))
            assert not path.exists()
        else:
            decision = review.approve([read])
            assert bool(decision.done) == foreseen.can_apply, (decision, foreseen.verdict)
            assert path.exists() != bool(decision.done)
            if read.store and decision.done:
                after = review.view(read.store)
                assert tuple(unique(after.texts)) == foreseen.entries_after
                is_sound(after, after.path.read_bytes() if after.path.exists() else b"")
        if not path.exists():
            review.undo()
            assert path.read_bytes() == body
            assert (place.home.memories / "MEMORY.md").read_text() == MEMORY


def _looked_at(read: PendingRecord) -> None:
    """What every list and card does with a record."""
    can_be_shown(f"{read.problem} {read.summary} {read.action} {read.origin} {' '.join(read.notes)}")
    if not read.problem:
        assert len(read.pinned) == len(read.raw_operations)
        assert len(read.operations) == (len(read.raw_operations) if read.subsystem == "memory" else 0)
    used = len(inspect.stack(0)) + DEPTH
    assert used < sys.getrecursionlimit()
    deeper(lambda: proposal_of(read))
    deeper(lambda: json.dumps(read.body))
    for step in (None, 1, 2):
        ours(partial(with_content, read, "another", step))
    parts = ours(lambda: split_step(read, 1))
    assert parts is None or parts[0].subsystem == read.subsystem
    if read.body:
        again = parse_record(read.subsystem, read.path, record_bytes(read.body), read.created_at or 0.0)
        assert again.problem == read.problem
        assert repr(again.body) == repr(read.body)


SKILL_NAMES = ("name", "category", "content", "file_path", "file_content", "old_string", "new_string")
SKILL_ACTIONS = ("create", "edit", "patch", "write_file", "remove_file", "delete", "batch", "")


def skill(data: bytes) -> None:
    """A write to a skill touches nothing but files in the folder of skills, and is as it was told."""
    how, overlay, *texts = split(data, 2 + len(SKILL_NAMES))
    payload = {name: text(each) for name, each in zip(SKILL_NAMES, texts, strict=True) if each}
    payload["action"] = one_of(how, SKILL_ACTIONS)
    loaded = value(overlay)
    payload |= loaded if isinstance(loaded, dict) else {}
    with machine() as place:
        add_skill(place.home.path, "demo", files={"references/notes.md": b"notes\n"})
        add_skill(place.home.path, "group/other")
        body = json.dumps({"id": "00c0ffee", "subsystem": "skills", "payload": payload}).encode()
        read = parse_record("skills", place.home.pending("skills") / "00c0ffee.json", body, 0.0)
        _looked_at(read)
        found = preview_skill(place.home, external_dirs(place.home), read)
        can_be_shown(f"{found.title} {found.reason} {found.short} {' '.join(found.notes)}")
        skills = place.home.path / "skills"
        for change in found.changes:
            assert Path(os.path.realpath(change.path)).is_relative_to(skills), change.path
            assert change.path == os.path.normpath(change.path)
            assert "\0" not in change.path


def frontmatter(data: bytes) -> None:
    """The head of any SKILL.md is one or has a problem that can be told."""
    found = read_frontmatter(text(data))
    can_be_shown(f"{found.problem} {found.name} {found.description} {found.duplicate_key}")
    assert found.problem or (found.fields and "name" in found.fields)
