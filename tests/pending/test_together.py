"""Two reviewers at once, while an agent goes on staging."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from hermes_tui.home import data_dir, resolve_home
from hermes_tui.memory.entries import parse
from hermes_tui.memory.journal import Journal
from hermes_tui.pending.records import list_records
from hermes_tui.pending.staging import stage

Stage = Callable[[Sequence[str]], Sequence[str]]
"""Stages an addition for each text, and returns the ids."""


class ApproveAll:
    """`hermes-tui pending approve --all` as a process of its own."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        command = [sys.executable, "-m", "hermes_tui", "--home", str(home), "pending", "approve", "--all", "--json"]
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(environ)
        )
        self.listed = 0
        self.done: list[str] = []
        self.failed: dict[str, str] = {}

    def wait_for_the_list(self) -> None:
        """Until it has said over how many it decides."""
        assert self._process.stderr is not None
        line = self._process.stderr.readline()
        while line.startswith("Waiting for queue.lock"):
            line = self._process.stderr.readline()
        found = re.match(r"([\d,]+) writes? waiting at this moment", line)
        assert found, line
        self.listed = int(found[1].replace(",", ""))

    def wait_for_the_end(self) -> None:
        """Until it is through, with what it says then."""
        out, err = self._process.communicate(timeout=180)
        answer = json.loads(out)
        self.done = answer["done"]
        self.failed = {failure["id"]: failure["verdict"] for failure in answer["failed"]}
        assert self._process.returncode == (1 if self.failed else 0), err


def approve_all_twice_while_staging(
    home: Path, journal: Journal, environ: Mapping[str, str], stage_all: Stage, records: int
) -> int:
    """Let two reviewers approve everything while more is staged, and check that each write was decided once.

    Returns:
        How many writes the two came to at the same time.
    """
    text_of: dict[str, str] = {}

    def stage_more(name: str, count: int) -> list[str]:
        texts = [f"{name} fact {number} of the machine" for number in range(count)]
        ids = list(stage_all(texts))
        assert len(set(ids)) == count
        text_of.update(zip(ids, texts, strict=True))
        return ids

    early = stage_more("early", records)
    reviewers = [ApproveAll(home, environ), ApproveAll(home, environ)]
    stage_more("meanwhile", records // 10)
    for reviewer in reviewers:
        reviewer.wait_for_the_list()
    late = stage_more("late", records // 10)
    for reviewer in reviewers:
        reviewer.wait_for_the_end()
    one, other = reviewers
    assert not set(one.done) & set(other.done), "both say that they applied it"
    for reviewer in reviewers:
        assert reviewer.listed == len(reviewer.done) + len(reviewer.failed)
        assert set(reviewer.failed.values()) <= {"stale"}
    done = {*one.done, *other.done}
    assert set(early) <= done, "one that waited before they started was left"
    assert not set(late) & done, "one that arrived later was touched"
    for reviewer in reviewers:
        assert not set(late) & set(reviewer.failed)
    queued = [record.id for record in list_records(resolve_home(home=str(home)), "memory")]
    assert sorted([*done, *queued]) == sorted(text_of), "one was lost, or is both applied and queued"
    entries = Counter(parse((home / "memories" / "MEMORY.md").read_text()))
    assert entries == Counter(text_of[each] for each in done)
    applied = Counter(
        Path(record.others[0].path).stem
        for record in journal.records()
        if record.kind == "approve" and record.state == "done"
    )
    assert applied == Counter(done), "one was applied more than once"
    left = [path.name for path in (home / "pending" / "memory").iterdir() if path.suffix != ".json"]
    assert left == []
    return len(one.failed) + len(other.failed)


@pytest.mark.parametrize("number", [1, 2])
def test_two_reviewers_and_a_stager_decide_each_write_once(
    hermes_home: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """A write would be applied twice, be lost, or be approved before anybody had seen it."""
    (hermes_home / "config.yaml").write_text("memory: {memory_char_limit: 400000}\n")
    states = hermes_home.parent / f"states{number}"
    monkeypatch.setenv("HERMES_TUI_STATE_DIR", str(states))
    home = resolve_home()

    def stage_all(texts: Sequence[str]) -> list[str]:
        payloads = [{"action": "add", "target": "memory", "content": text, "old_text": None} for text in texts]
        return [stage(home, "memory", payload, summary="x", origin="foreground") for payload in payloads]

    journal = Journal(data_dir(home.path))
    approve_all_twice_while_staging(hermes_home, journal, os.environ, stage_all, 80)
