"""Sessions that go from an agent to us and back: each reads of them what the other has written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.export.lossless import write_session
from hermes_tui.sessions.upkeep.importing import Imported, import_sessions
from hermes_tui.sessions.upkeep.writer import Writer
from tests.interop.conftest import PEERS, JsonLines, environment, python_of
from tests.sessions.upkeep.conftest import dump

DRIVER = Path(__file__).with_name("peers") / "drive_portability.py"
REWOUND = "20260104_090000_eeeeee"

Drive = Callable[..., Any]


def counted(answer: Any) -> bool:
    """Whether every session says how many live messages it has."""
    return all(session["counted"] == len(session["live"]) for session in answer["sessions"].values())


@pytest.fixture(scope="module")
def drive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Drive]:
    """Let an agent of a line do something in a home, and read its answer."""
    nobody = tmp_path_factory.mktemp("nobody")
    started: dict[str, JsonLines] = {}

    def run(line: str, home: Path, do: str, *words: str | Path | bool) -> Any:
        home.mkdir(exist_ok=True, mode=0o700)
        if line not in started:
            started[line] = JsonLines([python_of(line), str(DRIVER)], environment(nobody, home))
            assert started[line].read()["ready"]
        given = [str(word) if isinstance(word, Path) else word for word in words]
        return started[line].ask({"do": do, "home": str(home), "words": given})

    yield run
    for agent in started.values():
        agent.close()


@pytest.fixture
def homes(isolated_machine: Path) -> tuple[Path, Path]:
    """One home that has sessions, and another one that gets them."""
    return isolated_machine / "one", isolated_machine / "other"


def export(home: Path, **wanted: Any) -> Path:
    """All sessions of a home as our lines."""
    file = home.parent / "ours.jsonl"
    base = Database(home / "state.db")
    ids = [row[0] for row in base.rows("SELECT id FROM sessions ORDER BY started_at, id")]
    with file.open("w", encoding="utf-8", newline="") as lines:
        for id in ids:
            write_session(base, id, lines.write, **wanted)
    base.close()
    return file


def bring_in(home: Path, file: Path) -> Imported:
    """What we do with a file."""
    with Writer(home / "state.db") as writer:
        return import_sessions(writer, file)


def told(answer: Any, *left_out: str) -> Any:
    """What an agent reads of the sessions, without some of it, as every line of agents has it.

    Without the counts too: rewinding leaves one of them as it was, and every import counts anew.
    """
    newer = {"display_kind", "display_metadata", "_compressed_summary", "absorbed_message_uids"}
    sessions = {}
    for id, session in answer["sessions"].items():
        kept = {name: value for name, value in session.items() if name not in (*left_out, "counted")}
        for name in ("live", "all"):
            if name in kept:
                kept[name] = [{key: value for key, value in row.items() if key not in newer} for row in kept[name]]
        sessions[id] = kept
    return {**answer, "sessions": sessions}


def rows(home: Path) -> Any:
    """Every row that belongs to sessions."""
    tables = dump(home / "state.db")
    return [tables.get(name) for name in ("sessions", "messages", "session_model_usage", "system_prompts")]


LINES = list(PEERS)
PAIRS = [(one, other) for one in LINES for other in LINES]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_what_an_agent_exports_we_bring_to_another(
    drive: Drive, homes: tuple[Path, Path], one: str, other: str
) -> None:
    """A person moves to a new computer with what the agent itself has written."""
    home, target = homes
    drive(one, home, "make")
    file = home.parent / "agents.jsonl"
    drive(one, home, "export", file)
    drive(other, target, "read")
    imported = bring_in(target, file)
    assert (len(imported.imported), imported.retitled, imported.detached) == (6, (), 0)
    there, here = told(drive(one, home, "read"), "all"), told(drive(other, target, "read"), "all")
    assert here["sessions"] == there["sessions"]
    assert (here["sound"], here["listed"]) == (["ok"], there["listed"])
    assert drive(other, target, "go on")["sound"] == ["ok"]


def test_of_every_row_that_an_agent_exports_none_comes_to_life(drive: Drive, homes: tuple[Path, Path]) -> None:
    """What was undone would be said again."""
    home, target = homes
    drive("0.22", home, "make")
    file = home.parent / "agents.jsonl"
    drive("0.22", home, "export", file, True)
    drive("0.22", target, "read")
    bring_in(target, file)
    assert told(drive("0.22", target, "read"))["sessions"] == told(drive("0.22", home, "read"))["sessions"]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_our_lines_an_agent_imports_itself(drive: Drive, homes: tuple[Path, Path], one: str, other: str) -> None:
    """What we write would be of use to us alone."""
    home, target = homes
    drive(one, home, "make")
    result = drive(other, target, "import", export(home))
    assert (result["ok"], result["imported"], result["errors"]) == (True, 6, [])
    there, here = told(drive(one, home, "read"), "all"), told(drive(other, target, "read"), "all")
    assert here["sessions"] == there["sessions"]
    assert here["sound"] == ["ok"]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_our_lines_come_whole_to_another_agent(drive: Drive, homes: tuple[Path, Path], one: str, other: str) -> None:
    """What was undone or compacted would be lost on the way."""
    home, target = homes
    drive(one, home, "make")
    drive(other, target, "read")
    assert len(bring_in(target, export(home)).imported) == 6
    there, here = drive(one, home, "read"), drive(other, target, "read")
    assert told(here) == told(there)
    assert counted(here)
    after = drive(other, target, "go on")
    assert (after["found"], after["sound"]) == (5, ["ok"])


@pytest.mark.parametrize("line", LINES)
def test_what_an_agent_had_comes_back_row_by_row(drive: Drive, homes: tuple[Path, Path], line: str) -> None:
    """Deleting and taking back would not be as if nothing had happened."""
    home, _ = homes
    drive(line, home, "make")
    read = drive(line, home, "read")
    before = rows(home)
    file = export(home)
    with Writer(home / "state.db") as writer, writer.transaction():
        writer.trigrams.old = read["old_sqlite"]
        for table in ("messages", "sessions"):
            writer.execute("UPDATE sessions SET parent_session_id = NULL")
            writer.execute(f"DELETE FROM {table}")
        if writer.features().prompts_table:
            writer.execute("DELETE FROM system_prompts")
    assert drive(line, home, "read")["sessions"] == {}
    with Writer(home / "state.db") as writer:
        writer.trigrams.old = read["old_sqlite"]  # deleting notes how the agent takes texts apart
        assert len(import_sessions(writer, file, exact=True).imported) == 6
    assert rows(home) == before
    assert drive(line, home, "read") == read
    assert drive(line, home, "go on")["sound"] == ["ok"]


@pytest.mark.parametrize("line", LINES)
def test_a_masked_line_is_still_a_session_to_an_agent(drive: Drive, homes: tuple[Path, Path], line: str) -> None:
    """What is given to others could be looked at with a text editor only."""
    home, target = homes
    drive(line, home, "make")
    result = drive(line, target, "import", export(home, masked=True))
    assert (result["ok"], result["imported"]) == (True, 6)
    assert len(drive(line, target, "read")["sessions"][REWOUND]["live"]) == 2
