"""One sitting in a real terminal: start, edit, approve, search, another size, the shell and back, quit."""

from __future__ import annotations

import json
from pathlib import Path

from tests.sessions.world import World
from tests.ui.pty_app import PtyShell


def staged(home: Path, id: str, text: str) -> Path:
    """A write that waits."""
    folder = home / "pending" / "memory"
    folder.mkdir(parents=True, exist_ok=True)
    payload = {"action": "add", "target": "memory", "content": text, "old_text": None}
    record = {"id": id, "subsystem": "memory", "action": "add", "summary": text, "origin": "foreground",
              "created_at": 1.0, "payload": payload}  # fmt: skip
    path = folder / f"{id}.json"
    path.write_text(json.dumps(record))
    return path


def test_a_person_does_a_days_work_in_a_terminal(hermes_home: Path, tmp_path: Path) -> None:
    """Each part would work alone, and the way from one to the next would not."""
    memory = hermes_home / "memories" / "MEMORY.md"
    memory.write_text("The museum opens at ten.\n§\nCrates are in room 4.")
    record = staged(hermes_home, "abcd0001", "Room 2 is damp.")
    world = World(hermes_home / "state.db", "0.22")
    world.session("s1", "where does the otter sleep", "Under the willow.", title="Otters")
    world.session("s2", "and the owl", "In the barn.", title="Owls")
    world.close()
    with PtyShell(hermes_home, tmp_path) as app:
        app.start()
        app.send(b"e")
        app.shows("Save")
        app.send(b" Closed on Mondays.")
        app.shows("Mondays")
        app.send(b"\x13")
        app.until(lambda: "The museum opens at ten. Closed on Mondays." in memory.read_text(), "it is saved")
        app.send(b"2")
        app.shows("Room 2 is damp.")
        app.send(b"a")
        app.until(lambda: memory.read_text().endswith("§\nRoom 2 is damp."), "it is approved")
        assert not record.exists()
        app.send(b"3")
        app.shows("Owls")
        app.send(b"/otter")
        app.shows("otter")
        app.send(b"\r")
        app.shows("willow")
        app.resize(80, 24)
        app.shows("willow")
        app.send(b"\x1a")
        app.shows("here$ ")
        app.send(b"fg\r")
        app.shows("willow")
        app.send(b"q")
        app.shows("here$ ")
        assert app.given_back
        app.send(b"exit $?\r")
        assert app.wait() == 0


def test_a_terminal_of_a_few_cells_ends_nothing(hermes_home: Path, tmp_path: Path) -> None:
    """A pane that is dragged to nothing would take the app with it."""
    with PtyShell(hermes_home, tmp_path) as app:
        app.start()
        for columns, rows in ((1, 1), (10, 3), (60, 15), (200, 60)):
            app.resize(columns, rows)
            app.until(lambda: len(app.output) > app.asked_at, f"anything drawn at {columns}x{rows}")
        app.resize(120, 36)
        app.shows("Help")
        app.send(b"q")
        app.shows("here$ ")
        assert app.given_back
