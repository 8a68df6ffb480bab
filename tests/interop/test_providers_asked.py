"""Providers beside the real agent: its clients and ours on the same servers, and its reading of what we write."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.home import HermesHome
from hermes_tui.providers.honcho_edit import set_honcho
from hermes_tui.providers.honcho_settings import SETTINGS, honcho_settings
from hermes_tui.providers.remote import Remote
from hermes_tui.providers.remote_settings import remote_settings
from tests.interop.conftest import JsonLines, environment, python_of
from tests.providers.speaking import KEY, Holding, Mem0OwnServer, OpenVikingServer, RetainDbServer

DRIVER = Path(__file__).with_name("peers") / "drive_providers.py"


@pytest.fixture
def agent(isolated_machine: Path, hermes_home: Path) -> Iterator[JsonLines]:
    """The agent's own clients."""
    peer = JsonLines([python_of("0.19"), str(DRIVER)], environment(isolated_machine, hermes_home))
    assert peer.read()["ready"]
    yield peer
    peer.close()


@pytest.mark.parametrize(
    ("provider", "server_class", "settings"),
    [
        ("mem0", Mem0OwnServer, {"mode": "self-hosted", "user_id": "ana"}),
        ("openviking", OpenVikingServer, {"agent": "hermes"}),
        ("retaindb", RetainDbServer, {"project": "default"}),
    ],
)
def test_the_agent_and_we_find_and_delete_the_same_memories(
    agent: JsonLines, provider: str, server_class: Callable[[int], Holding], settings: dict[str, str]
) -> None:
    """The servers of our tests would speak a protocol that nobody else speaks."""
    with server_class(12) as server:
        request = {"provider": provider, "url": server.url, "key": KEY}

        def theirs(do: str, **more: Any) -> Any:
            return agent.ask({**request, "do": do, **more})["answer"]

        with Remote(provider, {"base_url": server.url, "api_key": KEY, **settings}, confirmed=True) as remote:
            found = theirs("search", query="Memory 1")
            assert len(found) == 3
            assert [[memory.id, memory.text] for memory in remote.search("Memory 1")] == found
            if provider != "mem0":
                listed = theirs("list", path="viking://user/peers/hermes/memories")
                files = [uri for uri in listed if not str(uri).endswith(".abstract.md")]
                assert sorted(memory.id for memory in remote.list(50).memories) == sorted(files)
            theirs("delete", id=found[0][0])
            remote.delete(found[1][0])
            assert [memory.id for memory in remote.search("Memory 1")] == [found[2][0]]
            assert theirs("search", query="Memory 1") == [found[2]]


FILES: list[dict[str, Any]] = [
    {"apiKey": "k"},
    {"apiKey": "k", "hosts": {"hermes": {"enabled": True, "aiPeer": "my agent"}}},
    {"baseUrl": "http://localhost:8000/v3", "dialecticDepth": "2", "contextCadence": "often", "recallMode": "auto"},
    {"apiKey": "k", "dialecticDepth": 7, "queryRewrite": "false", "hosts": {"hermes": {"dialecticDepth": 0}}},
    {"apiKey": "k", "dialecticDepthLevels": ["low", "huge"], "dialecticDepth": 2, "contextTokens": "800"},
    {"apiKey": "k", "defaultHost": "local", "hosts": {"local": {"dialecticMaxChars": 2.7, "firstTurnBaseWait": -1}}},
    {"apiKey": "k", "reasoningLevelCap": "", "writeFrequency": 4, "peerName": "A b"},
]
CHANGES = {"dialecticCadence": "4", "dialecticDepth": "3", "firstTurnBaseWait": "0.5", "queryRewrite": "on"}


@pytest.mark.parametrize("file", FILES)
def test_the_agent_takes_honchos_settings_as_we_say(agent: JsonLines, hermes_home: Path, file: dict[str, Any]) -> None:
    """A person would set a cadence that the agent does not keep."""
    home = HermesHome(hermes_home, "default", "default")
    path = hermes_home / "honcho.json"
    path.write_text(json.dumps(file, indent=2))

    def compare() -> None:
        theirs = agent.ask({"provider": "honcho"})["answer"]
        for value in honcho_settings(home, environment(hermes_home.parent, hermes_home)).values:
            name = re.sub(r"([A-Z])", lambda match: "_" + match[1].lower(), value.setting.key)
            expected = theirs[name]
            if value.setting.kind == "levels" and value.origin != "default":
                depth = theirs["dialectic_depth"]
                shown = [*value.value.split(", ")[:depth], *["low"] * depth][:depth]
                assert shown == expected
            elif isinstance(expected, bool):
                assert value.value == str(expected).lower()
            elif isinstance(expected, int | float):
                assert float(value.value) == expected
            else:
                assert value.value == (expected or "")
        asked = remote_settings(home, "honcho", environment(hermes_home.parent, hermes_home))
        assert asked["workspace"] == theirs["workspace_id"]
        assert asked["ai_peer"] == re.sub(r"[^a-zA-Z0-9_-]", "-", theirs["ai_peer"])

    compare()
    for key, text in CHANGES.items():
        set_honcho(home, key, text, environment(hermes_home.parent, hermes_home))
    compare()
    counted = {value.setting.key: value.value for value in honcho_settings(home, {}).values}
    assert {key: counted[key] for key in CHANGES} == {**CHANGES, "queryRewrite": "true"}
    assert len(counted) == len(SETTINGS)
