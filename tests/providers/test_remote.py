"""Memories that lie with a provider, asked from servers that speak its protocol."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.errors import HermesTuiError, NotFound, Refused
from hermes_tui.home import HermesHome
from hermes_tui.providers.client import ProviderFailed
from hermes_tui.providers.remote import NAMES, Remote
from hermes_tui.providers.remote_openviking import _is_memory
from hermes_tui.providers.remote_settings import remote_settings
from tests.providers.provider_server import ProviderServer, Raw
from tests.providers.speaking import (
    CREATED_SECONDS,
    KEY,
    HindsightServer,
    Holding,
    HonchoServer,
    Mem0OwnServer,
    Mem0PlatformServer,
    OpenVikingServer,
    RetainDbServer,
    SupermemoryServer,
)

WAYS: dict[str, tuple[type[Holding], str, dict[str, str]]] = {
    "honcho": (HonchoServer, "honcho", {"workspace": "hermes", "ai_peer": "hermes", "peer_name": "ana"}),
    "mem0": (Mem0PlatformServer, "mem0", {"mode": "platform", "user_id": "ana"}),
    "mem0 of one's own": (Mem0OwnServer, "mem0", {"mode": "self-hosted", "user_id": "ana"}),
    "hindsight": (HindsightServer, "hindsight", {"mode": "cloud", "bank": "hermes", "budget": "mid"}),
    "retaindb": (RetainDbServer, "retaindb", {"project": "default", "user_id": "default"}),
    "supermemory": (SupermemoryServer, "supermemory", {"container_tag": "hermes", "search_mode": "hybrid"}),
    "openviking": (OpenVikingServer, "openviking", {"agent": "hermes"}),
}
way = pytest.mark.parametrize("way", WAYS)


def opened(name: str, server: ProviderServer, **changes: str) -> Remote:
    """A provider that may be asked, at this server."""
    _, provider, settings = WAYS[name]
    values = {"base_url": server.url, "api_key": KEY, **settings, **changes}
    return Remote(provider, values, confirmed=True, times=(2.0, 5.0, 5.0))


@way
def test_memories_are_listed_page_by_page_searched_and_deleted(way: str) -> None:
    """A provider's memories would be a closed book, or one that cannot be corrected."""
    with WAYS[way][0]() as server, opened(way, server) as remote:
        assert isinstance(server, Holding)
        everything = dict(server.memories)
        assert "answers" in remote.probe().words
        page = remote.list(10)
        seen, pages = [memory for memory in page.memories if memory.id], 1
        assert page.total == 25
        while page.cursor:
            page = remote.list(10, page.cursor)
            seen += page.memories
            pages += 1
        ids = {memory.id.removeprefix("document:") for memory in seen}
        if way != "retaindb":
            assert pages == 3
            assert ids == set(everything)
        else:
            assert "15 more" in page.note
            assert {memory.id for memory in remote.list(100).memories} == set(everything)
        assert {memory.created_at for memory in seen} == {CREATED_SECONDS}
        assert all(memory.text == everything[memory.id.removeprefix("document:")] for memory in seen)
        hits = [memory for memory in remote.search("Memory 7 日本") if memory.id]
        assert [memory.text for memory in hits] == ["Memory 7 日本 [x]"]
        gone = "document:d1" if way == "hindsight" else hits[0].id
        remote.delete(gone)
        assert set(everything) - set(server.memories) == (set(everything) if way == "hindsight" else {gone})


def _code(ask: Callable[[], object]) -> str:
    """How asking fails; empty when it does not."""
    try:
        ask()
    except HermesTuiError as error:
        return error.code
    return ""


@way
def test_nothing_is_asked_without_consent(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking at a list of providers would tell them all."""

    def blocked(*_: object, **__: object) -> Any:
        raise AssertionError("a socket was opened")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, blocked)
    _, provider, settings = WAYS[way]
    with Remote(provider, {"base_url": "https://x.invalid", "api_key": KEY, **settings}) as remote:
        assert "x.invalid" in remote.where
        for ask in (remote.probe, remote.list, lambda: remote.search("x"), lambda: remote.delete("document:x")):
            with pytest.raises(Refused) as caught:
                ask()
            assert caught.value.code in ("not_confirmed", "bad_id")


@way
def test_a_wrong_key_or_strange_json_is_a_sentence(way: str) -> None:
    """An empty list would look as if nothing were stored."""
    with WAYS[way][0]() as server, opened(way, server, api_key="wrong") as remote:
        with pytest.raises(ProviderFailed) as caught:
            remote.list()
        assert caught.value.code == "provider_unauthorized"
    for strange in ([1, "x", None], {"items": 5}, "text", None, 7, {"results": [{"id": {}, "memory": [], "uri": 3}]}):
        with ProviderServer(lambda _, strange=strange: strange) as odd, opened(way, odd) as remote:  # type: ignore[misc]
            asks: list[Callable[[], object]] = [remote.list, partial(remote.search, "x"), remote.probe]
            assert {_code(ask) for ask in asks} == {"provider_answer"}


def test_honchos_picture_of_each_person_is_shown_as_the_agent_sees_it() -> None:
    """A person could not see what is thought of them."""
    with HonchoServer(3) as server:
        with opened("honcho", server) as remote:
            (ana,) = remote.representation()
        assert (ana.about, ana.observer, ana.card, ana.text) == (
            "ana", "hermes", ("Name: Ana", "Likes tabs"), "Ana builds.",
        )  # fmt: skip
        assert len(ana.conclusions) == 3
        with opened("honcho", server, peer_name="") as remote:
            both = remote.representation()
            assert [memory.text for memory in remote.search("Memory 1")] == ["Memory 1 日本 [x]"]
        assert [(each.about, each.observer, each.card) for each in both][1] == ("ben", "ben", ("Name: Ben",))
        with opened("honcho", server, workspace="other/one") as remote:
            assert "not there yet" in remote.probe().words
    with opened("mem0", server) as other, pytest.raises(Refused):
        other.representation()


def test_servers_of_an_older_or_stricter_kind_are_asked_in_their_way() -> None:
    """Half of the installations would say that nothing is there."""

    class Old(RetainDbServer):
        old = True

    class Trusted(OpenVikingServer):
        trusted = True

    with Old(2) as server, opened("retaindb", server) as remote:
        page = remote.list()
        assert len(page.memories) == 2
        remote.delete(page.memories[0].id)
        assert len(server.memories) == 1
    with Trusted(2) as trusted, opened("openviking", trusted) as remote:
        assert len(remote.list().memories) == 2
    with OpenVikingServer(2) as viking, opened("openviking", viking, api_key="") as remote:
        assert len(remote.list().memories) == 2
    with OpenVikingServer(2) as viking, opened("openviking", viking) as remote:
        viking.root = "viking://elsewhere"
        assert remote.list().memories == ()


def test_what_a_provider_cannot_do_is_refused_with_a_sentence() -> None:
    """Something else than what was meant would be deleted."""
    with HindsightServer() as server, opened("hindsight", server) as remote:
        with pytest.raises(Refused, match="no single memory"):
            remote.delete("m/1")
        assert server.asked == []
    for settings, name in (({"mode": "oss"}, "mem0"), ({"mode": "local_embedded", "base_url": ""}, "hindsight")):
        with pytest.raises(Refused) as caught:
            Remote(name, settings)
        assert caught.value.code == "not_supported"
    with pytest.raises(NotFound):
        Remote("holographic", {})
    with OpenVikingServer() as viking, opened("openviking", viking) as remote:
        for uri in ("viking://user/memories", "viking://resources/x.md", "viking://user/memories/.overview.md", "x"):
            with pytest.raises(Refused):
                remote.delete(uri)
    for uri, fits in {
        "viking://user/memories/a.md": True,
        "viking://user/ana/memories/b/a.md": True,
        "viking://user/peers/hermes/memories/a.md": True,
        "viking://user/ana/peers/hermes/memories/a.md": True,
        "viking://user/a/b/c/memories/a.md": False,
        "viking://user/memories/../../x/a.md": False,
        "viking://user/memories/a.txt": False,
    }.items():
        assert _is_memory(uri) is fits, uri


def _program(folder: Path, script: str) -> Path:
    path = folder / "brv"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_byterovers_program_is_asked_without_a_shell_and_not_for_ever(tmp_path: Path) -> None:
    """A search with a quotation mark would run a command."""
    folder = tmp_path / "byterover"
    settings = {"folder": str(folder), "path": str(tmp_path), "user_home": str(tmp_path), "api_key": KEY}
    log = tmp_path / "log"
    _program(tmp_path, f'(pwd; for a in "$@"; do echo "$a"; done; echo "key $BRV_API_KEY") > {log}; echo said')
    remote = Remote("byterover", settings, confirmed=True, times=(1, 1, 5.0))
    with pytest.raises(NotFound, match="holds nothing yet"):
        remote.search("x")
    folder.mkdir()
    assert [memory.text for memory in remote.search("$(rm x); 'q' --help")] == ["said"]
    assert log.read_text() == f"{folder}\nquery\n--\n$(rm x); 'q' --help\nkey {KEY}\n"
    for ability in ("list", "delete"):
        with pytest.raises(Refused):
            remote.check(ability)
    with pytest.raises(Refused, match="Nobody has agreed"):
        Remote("byterover", settings).search("x")
    _program(tmp_path, f"echo 'no good: {KEY}' >&2; exit 3")
    with pytest.raises(ProviderFailed) as failed:
        remote.probe()
    assert "exit 3" in failed.value.message
    assert KEY not in failed.value.message
    _program(tmp_path, "/bin/sleep 20 & /bin/sleep 20")
    started = time.monotonic()
    with pytest.raises(ProviderFailed) as late:
        Remote("byterover", settings, confirmed=True, times=(1, 1, 0.2)).search("x")
    assert late.value.code == "provider_timeout"
    assert time.monotonic() - started < 5
    (tmp_path / "brv").unlink()
    with pytest.raises(NotFound, match="not installed"):
        Remote("byterover", {**settings, "path": str(folder)}, confirmed=True).search("x")


HOMES: dict[str, tuple[str, Mapping[str, str], Mapping[str, str]]] = {
    "honcho": (
        "honcho.json",
        {"": '{"apiKey": "k1", "baseUrl": "https://own.example/v3/", "hosts": {"hermes": {"peerName": "A b"}}}'},
        {
            "base_url": "https://own.example",
            "workspace": "hermes",
            "ai_peer": "hermes",
            "peer_name": "A-b",
            "api_key": "k1",
        },
    ),
    "mem0": (
        "mem0.json",
        {"": '{"host": "http://127.0.0.1:5", "user_id": "u"}'},
        {"mode": "self-hosted", "base_url": "http://127.0.0.1:5", "user_id": "u"},
    ),
    "hindsight": (
        "hindsight/config.json",
        {"": '{"mode": "local_external", "bank_id_template": "h-{profile}-"}'},
        {"base_url": "http://localhost:8888", "bank": "h-default"},
    ),
    "retaindb": (
        ".env",
        {"": "RETAINDB_API_KEY=Bearer k2\n"},
        {"base_url": "https://api.retaindb.com", "api_key": "k2", "project": "default"},
    ),
    "supermemory": (
        "supermemory.json",
        {"": '{"container_tag": "me {identity}!"}', ".env": "SUPERMEMORY_API_KEY=k3\n"},
        {"container_tag": "me_default", "api_key": "k3", "search_mode": "hybrid"},
    ),
    "openviking": (
        ".env",
        {"": "OPENVIKING_ENDPOINT=http://127.0.0.1:7\n"},
        {"base_url": "http://127.0.0.1:7", "agent": "hermes"},
    ),
}


@pytest.mark.parametrize("name", HOMES)
def test_where_to_ask_comes_from_the_agents_own_files(name: str, hermes_home: Path) -> None:
    """Another server than the agent's would be asked, with the key of this one."""
    file, contents, expected = HOMES[name]
    for path, text in contents.items():
        target = hermes_home / (path or file)
        target.parent.mkdir(exist_ok=True)
        target.write_text(text)
    home = HermesHome(hermes_home, "default", "default")
    found = remote_settings(home, name, os.environ)
    assert {key: found[key] for key in expected} == expected
    Remote(name, found)
    for path in contents:
        (hermes_home / (path or file)).unlink()
    if name in ("honcho", "mem0", "retaindb", "supermemory"):
        with pytest.raises(Refused) as caught:
            remote_settings(home, name, {})
        assert caught.value.code == "provider_unconfigured"


def test_a_cloud_key_does_not_go_to_a_server_nearby(hermes_home: Path) -> None:
    """A key for the whole account would lie in the log of a test server."""
    home = HermesHome(hermes_home, "default", "default")
    file = hermes_home / "honcho.json"
    for url in ("http://localhost:8000", "http://192.168.2.3:8000", "http://100.64.0.9"):
        file.write_text(json.dumps({"apiKey": "cloud", "baseUrl": url}))
        assert remote_settings(home, "honcho", {})["api_key"] == "local"
        file.write_text(json.dumps({"apiKey": "cloud", "baseUrl": url, "hosts": {"hermes": {"apiKey": "mine"}}}))
        assert remote_settings(home, "honcho", {})["api_key"] == "mine"
    for name in NAMES:
        assert _code(partial(remote_settings, home, name, {})) in ("", "provider_unconfigured")
    with pytest.raises(NotFound):
        remote_settings(home, "holographic", {})


def test_an_error_of_a_server_shows_no_key() -> None:
    """The key would be on the screen, and in a bug report."""
    with ProviderServer(lambda _: Raw(500, f'{{"message": "token {KEY} is bad"}}'.encode())) as server:
        for name in WAYS:
            with opened(name, server) as remote, pytest.raises(ProviderFailed) as caught:
                remote.list()
            assert KEY not in str(caught.value)
