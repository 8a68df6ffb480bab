"""What an external provider holds, on the command line."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.providers.fact_world import make_facts
from tests.providers.speaking import KEY, HindsightServer, HonchoServer, Mem0OwnServer, Mem0PlatformServer

FACTS = [
    ("Ana likes [red]tabs[/]", "user_pref", 0.9),
    ("Deploys go out on Friday", "project", 0.5),
    ("東京", "general", 0.1),
]


@pytest.fixture
def facts(hermes_home: Path) -> Path:
    """A home with three facts of Holographic, which is active."""
    make_facts(hermes_home / "memory_store.db", FACTS).close()
    (hermes_home / "config.yaml").write_text("memory:\n  provider: holographic\n")
    return hermes_home


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever opens a socket fails the test."""

    def blocked(*_: object, **__: object) -> Any:
        raise AssertionError("a socket was opened")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, blocked)


@pytest.mark.usefixtures("no_network", "facts")
def test_facts_are_listed_searched_deleted_and_brought_back(run: Run) -> None:
    """Holographic's facts could only be seen by asking the agent."""
    listed = run("providers", "memories", "list", "--json", "--limit", "2").json
    assert [(row["id"], row["text"], row["trust"]) for row in listed["memories"]] == [
        ("1", FACTS[0][0], 0.9),
        ("2", FACTS[1][0], 0.5),
    ]
    assert (listed["provider"], listed["cursor"], listed["total"]) == ("holographic", "2", 3)
    rest = run("providers", "memories", "list", "holographic", "--cursor", "2").out
    assert "東京" in rest
    assert "3 facts in all." in rest
    assert "[red]tabs[/]" in run("providers", "memories", "search", "ANA").out
    assert run("providers", "memories", "search", "holographic", "東", "--json").json["memories"][0]["id"] == "3"
    asked = run("providers", "memories", "delete", "1", "2")
    assert (asked.code, "Delete 2 facts?" in asked.err) == (1, True)
    assert run("providers", "memories", "delete", "1", "9", "x", "--yes").code == 1
    assert run("providers", "--read-only", "memories", "delete", "1", "--yes").code in (1, 2)
    assert (
        run("providers", "memories", "delete", "1", "--yes", "--read-only", "--json").json["error"]["code"]
        == "read_only"
    )
    assert run("providers", "memories", "list", "--json").json["total"] == 3
    assert run("providers", "memories", "delete", "1", "2", "--yes", "--json").json["done"] == ["1", "2"]
    assert run("providers", "memories", "list", "--json").json["total"] == 1
    assert run("providers", "memories", "undo", "--yes").out == "2 facts brought back.\n"
    assert "3 facts" in run("providers", "test").out


@pytest.mark.usefixtures("no_network")
def test_nobody_is_asked_before_a_yes(run: Run, hermes_home: Path) -> None:
    """A key and a name would leave the machine while somebody only looks around."""
    (hermes_home / "config.yaml").write_text("memory:\n  provider: mem0\n")
    (hermes_home / ".env").write_text(f"MEM0_API_KEY={KEY}\nMEM0_USER_ID=ana\n")
    for words in (("test",), ("memories", "list"), ("memories", "search", "x"), ("memories", "delete", "m/1")):
        said = run("providers", *words, "--json")
        assert (said.code, said.json["error"]["code"]) == (1, "not_confirmed")
        assert "Mem0 at api.mem0.ai is told the user's name there (ana), and the key." in said.err
        assert KEY not in said.err + said.out
    assert run("providers", "status").code == 0


def test_a_provider_is_asked_after_a_yes(run: Run, hermes_home: Path) -> None:
    """Its memories could be seen only in its own dashboard."""
    (hermes_home / "config.yaml").write_text("memory:\n  provider: mem0\n")
    with Mem0OwnServer(3) as server:
        (hermes_home / "mem0.json").write_text(json.dumps({"host": server.url, "api_key": KEY, "user_id": "ana"}))
        page = run("providers", "memories", "list", "--yes", "--json", "--limit", "2").json
        assert ([row["id"] for row in page["memories"]], page["cursor"], page["total"]) == (["m/0", "m/1"], "2", 3)
        assert "Memory 1 日本 [x]" in run("providers", "memories", "search", "mem0", "Memory 1", "-y").out
        assert "It answers" in run("providers", "test", "mem0", "-y").out
        done = run("providers", "memories", "delete", "m/1", "m/9", "--yes", "--json")
        assert (done.code, done.json["done"], done.json["failed"][0]["id"]) == (1, ["m/1"], "m/9")
        assert "m/1" not in server.memories
    gone = run("providers", "test", "-y", "--json")
    assert (gone.code, gone.json["error"]["code"]) == (1, "provider_unreachable")
    with Mem0PlatformServer(1) as other:
        (hermes_home / "mem0.json").write_text(json.dumps({"host": other.url, "api_key": KEY}))
        assert run("providers", "test", "-y", "--json").json["error"]["code"] == "provider_unauthorized"


def test_honchos_picture_is_shown_and_its_settings_are_changed(run: Run, hermes_home: Path) -> None:
    """A person would need another program to see it, and an editor to change it."""
    file = hermes_home / "honcho.json"
    with HonchoServer(2) as server:
        block = {"hermes": {"apiKey": KEY, "peerName": "ana"}}
        file.write_text(json.dumps({"baseUrl": server.url, "dialecticCadence": 3, "hosts": block}, indent=2))
        shown = run("providers", "honcho", "show", "--yes").out
        assert "ana, as hermes sees them:\n  Name: Ana\n  Likes tabs\n\nAna builds." in shown
    before = file.read_text()
    assert "dialecticCadence           3              honcho.json" in run("providers", "honcho", "settings").out
    done = run("providers", "honcho", "set", "dialecticCadence", "5", "--json").json
    assert (done["setting"]["value"], done["before"], done["changed"]) == ("5", 3, True)
    assert file.read_text() == before.replace('"dialecticCadence": 3', '"dialecticCadence": 5')
    assert run("providers", "honcho", "set", "dialecticDepth", "4").code == 1
    assert run("providers", "honcho", "unset", "dialecticCadence", "--read-only").code == 1
    assert "dialecticCadence is 1 (default)" in run("providers", "honcho", "unset", "dialecticCadence").out


@pytest.mark.usefixtures("no_network")
def test_what_cannot_be_done_is_said_before_anybody_is_asked(run: Run, hermes_home: Path) -> None:
    """A question that leads nowhere would be asked first."""
    none = run("providers", "memories", "list", "--json")
    assert none.json["error"]["code"] == "no_provider"
    assert "Did you mean honcho?" in run("providers", "memories", "list", "honhco").err
    assert run("providers", "memories", "list", "byterover", "--json").json["error"]["code"] == "not_supported"
    assert run("providers", "memories", "list", "holographic", "--json").json["error"]["code"] == "no_facts"
    assert run("providers", "memories", "list", "retaindb", "--json").json["error"]["code"] == "provider_unconfigured"
    assert run("providers", "memories", "search", "a", "b", "c").code == 2
    (hermes_home / "hindsight").mkdir()
    (hermes_home / "hindsight/config.json").write_text('{"mode": "local_embedded"}')
    assert run("providers", "test", "hindsight", "--json").json["error"]["code"] == "not_supported"


def test_a_whole_document_is_deleted_only_by_its_own_id(run: Run, hermes_home: Path) -> None:
    """One memory would take all others of its document with it."""
    with HindsightServer(2) as server:
        (hermes_home / ".env").write_text(f"HINDSIGHT_API_KEY={KEY}\nHINDSIGHT_API_URL={server.url}\n")
        refused = run("providers", "memories", "delete", "hindsight", "m/1", "--yes", "--json")
        assert refused.json["failed"][0]["code"] == "not_supported"
        assert len(server.memories) == 2
        assert run("providers", "memories", "delete", "hindsight", "document:d1", "--yes").code == 0
        assert not server.memories
