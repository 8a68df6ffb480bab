"""From a record that a real agent staged to the turns before it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_tui.home import resolve_home
from hermes_tui.pending.records import list_records
from hermes_tui.sessions.evidence import find_evidence
from tests.interop.conftest import environment, python_of

DRIVER = Path(__file__).with_name("peers") / "drive_session.py"


@pytest.mark.parametrize("line", ["0.19", "0.22"])
def test_the_conversation_behind_a_record_is_found_in_the_agents_own_database(
    line: str, make_home: Callable[..., Path], isolated_machine: Path
) -> None:
    """One would decide over a write without seeing what was said."""
    path = make_home("talked", extra="  write_approval: true\n")
    run = subprocess.run(
        [python_of(line), str(DRIVER)],
        env=environment(isolated_machine, path),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    answer = json.loads(next(text for text in run.stdout.splitlines() if text.startswith("{")))
    home = resolve_home(home=str(path))
    (record,) = list_records(home, "memory")
    assert record.id == answer["pending"]
    before = sorted((name.name, name.stat().st_mtime_ns) for name in path.iterdir())
    evidence = find_evidence(home.state_db, record.id, record.created_at)
    assert evidence is not None
    assert (evidence.certainty, evidence.session_id) == ("exact", answer["session"])
    assert [turn.role for turn in evidence.turns] == ["user", "assistant", "tool"]
    assert evidence.turns[0].text == "I have moved: my desk is in Bergen now."
    assert sorted((name.name, name.stat().st_mtime_ns) for name in path.iterdir()) == before
