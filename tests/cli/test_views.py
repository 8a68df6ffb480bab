"""`--view NAME`: the commands list what a screen was saved to show."""

from __future__ import annotations

from pathlib import Path

from hermes_tui.home import data_dir
from hermes_tui.views import Views
from tests.cli.conftest import Run
from tests.sessions.world import World
from tests.ui.pending_app import Queue, add


def test_a_saved_view_of_the_sessions_is_listed_and_searched(run: Run, hermes_home: Path) -> None:
    """What was put together with care on the screen would be typed anew for every script."""
    world = World(hermes_home / "state.db")
    world.session("aaaaaa", "how do I rotate logs?", "With logrotate.", title="Rotating logs", source="telegram")
    world.session("bbbbbb", "a docker question", "Use docker.", "More.", source="telegram")
    world.session("cccccc", "docker here", "ok")
    world.session("dddddd", "nightly docker", "done", source="cron")
    world.close()
    views = Views(hermes_home, "sessions")
    views.save("Phöne", {"text": "source:telegram after:100y", "order": "messages"})
    views.save("titles", {"text": "title:logs"})
    views.save("runs", {"kinds": ["cron"]})
    views.save("docker", {"text": "docker", "kinds": ["cron"], "sort": "relevance"})
    views.save("newer", {"order": "by colour"})

    def listed(name: str) -> list[str]:
        return [row["id"] for row in run("sessions", "list", "--view", name, "--json").json["sessions"]]

    assert listed("PHÖNE") == ["bbbbbb", "aaaaaa"]
    assert listed("titles") == ["aaaaaa"]
    assert set(listed("runs")) == {"aaaaaa", "bbbbbb", "cccccc", "dddddd"}
    found = run("sessions", "search", "--view", "docker", "--json").json
    assert {row["session_id"] for row in found["results"]} == {"bbbbbb", "cccccc", "dddddd"}
    assert (found["query"], found["sort"]) == ("docker", "relevance")
    found = run("sessions", "search", "--view", "Phöne", "docker", "--json").json
    assert [row["session_id"] for row in found["results"]] == ["bbbbbb"]
    assert found["query"] == "source:telegram after:100y docker"

    for words, code, said in (
        (("list", "--view", "docker"), 1, "looks for words. `sessions search --view` shows it."),
        (("search", "--view", "titles"), 1, "looks for no words. `sessions list --view` shows it."),
        (("list", "--view", "none"), 1, "There is no view “none” of sessions. There are “Phöne”"),
        (("list", "--view", "newer"), 1, "cannot be shown: the orders are active, started, messages."),
        (("list", "--view", "titles", "--source", "cli"), 2, "--view and --source exclude each other"),
        (("search",), 2, "Missing argument"),
    ):
        result = run("sessions", *words)
        assert result.code == code, words
        assert said in " ".join(result.err.split()), words


def test_a_saved_view_of_the_queue_is_listed_and_a_broken_file_is_told(run: Run, hermes_home: Path) -> None:
    """A script could not ask for what is blocked, as the screen can."""
    queue = Queue(hermes_home)
    queue.put("11111111", add("one fact"), created_at=10.0)
    queue.put("22222222", add("another fact"), created_at=20.0)
    queue.put("33333333", {"action": "remove", "target": "memory", "old_text": "not there"}, created_at=30.0)
    Views(hermes_home, "pending").save("fits", {"only": {"verdict": ["applies"]}, "order": "newest", "text": "FACT"})
    result = run("pending", "list", "--view", "fits", "--json").json
    assert [record["id"] for record in result["records"]] == ["22222222", "11111111"]
    assert "2 of them in the view." in run("pending", "list", "--view", "fits").err
    file = data_dir(hermes_home) / "views.json"
    file.write_text("{")
    result = run("pending", "list", "--view", "fits")
    assert result.code == 3
    assert "left as it is" in " ".join(result.err.split())
    assert file.read_text() == "{"
