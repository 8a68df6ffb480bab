"""The status of external memory providers: only files are read, and what cannot be known is not claimed."""

from __future__ import annotations

import json
import os
import random
import socket
from collections.abc import Mapping
from pathlib import Path

import pytest

from hermes_tui.config import load_config
from hermes_tui.home import HermesHome
from hermes_tui.memory.check import EntryRef
from hermes_tui.memory.journal import Journal
from hermes_tui.pending.review import Review
from hermes_tui.providers.catalogue import NOT_MIRRORED, catalogue, closest
from hermes_tui.providers.setup import apply_plan, plan_setup
from hermes_tui.providers.status import ProvidersStatus, ProviderStatus, provider_status
from tests.cli.conftest import tree

KEY = "key-1234567890abcdef"


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be asked."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("nothing may be asked")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)


def at(path: Path, environ: Mapping[str, str] | None = None) -> ProvidersStatus:
    """The status of a home."""
    return provider_status(HermesHome(path, "default", "--home"), {**os.environ, **(environ or {})})


def one(path: Path, name: str, environ: Mapping[str, str] | None = None) -> ProviderStatus:
    """The status of one provider."""
    found = at(path, environ).of(name)
    assert found is not None
    return found


def config(home: Path, text: str) -> None:
    """Write config.yaml."""
    (home / "config.yaml").write_text(text)


def test_the_catalogue_says_everything_about_every_provider() -> None:
    """Somebody who chooses one would not know what is sent where."""
    assert len(catalogue()) == 8
    for name, provider in catalogue().items():
        assert provider.name == name
        assert provider.purpose.endswith(".")
        assert provider.leaves
        assert provider.mirroring.endswith(NOT_MIRRORED)
        assert bool(provider.mirrored) == ("none of" not in provider.mirrors)
        for field in provider.fields:
            assert field.about.endswith("."), field.name
            assert not field.choices or not field.default or field.default in field.choices
            assert field.secret == any(word in field.name for word in ("key", "password")), field.name
        assert {field for need in provider.needs for field in need.any_of} <= {field.name for field in provider.fields}
    assert [closest(name) for name in ("Mem", "HONCHO", "super memory", "none")] == [
        "mem0",
        "honcho",
        "supermemory",
        "",
    ]


def test_the_strongest_place_counts_and_is_named(hermes_home: Path, isolated_machine: Path) -> None:
    """Somebody would change a value in one file while another one wins."""
    managed = isolated_machine / "managed"
    managed.mkdir()
    shell = {"MEM0_API_KEY": "shell-1234567890", "MEM0_USER_ID": "me"}
    (hermes_home / ".env").write_text(f"MEM0_API_KEY={KEY}\n")
    values = {value.field.name: value for value in one(hermes_home, "mem0", shell).values}
    assert (values["api_key"].shown, values["api_key"].origin) == ("key-12...cdef", ".env")
    assert (values["user_id"].text, values["user_id"].origin) == ("me", "the environment")
    assert (values["agent_id"].text, values["agent_id"].origin) == ("hermes", "default")
    (managed / ".env").write_text("MEM0_API_KEY=pinned-by-them-1\n")
    assert "administrator" in next(v.origin for v in one(hermes_home, "mem0").values if v.field.name == "api_key")
    (hermes_home / "mem0.json").write_text(json.dumps({"api_key": "short", "user_id": "", "mode": None}))
    values = {value.field.name: value for value in one(hermes_home, "mem0", shell).values}
    assert (values["api_key"].shown, values["api_key"].origin) == ("***", "mem0.json")
    assert values["user_id"].text == "me", "an empty value in the file counts for nothing"


def test_a_profile_takes_honcho_from_the_root_and_its_own_block(isolated_machine: Path) -> None:
    """A profile would be called not set up, or shown with the key of another."""
    root = isolated_machine / ".hermes"
    path = root / "profiles" / "work"
    path.mkdir(parents=True)
    hosts = {"hermes": {"apiKey": "key-of-the-default-one"}, "hermes_work": {"apiKey": KEY, "peerName": "Ann"}}
    (root / "honcho.json").write_text(json.dumps({"hosts": hosts}))
    home = HermesHome(path, "work", "--profile")
    found = provider_status(home).of("honcho")
    assert found is not None
    assert found.configured == "yes"
    assert "~/.hermes/honcho.json" in found.problems[0]
    shown = {value.field.name: value.shown for value in found.values}
    assert (shown["api_key"], shown["peer_name"]) == ("key-12...cdef", "Ann")


@pytest.mark.parametrize(
    ("name", "env", "place", "words"),
    [
        ("mem0", "MEM0_HOST=http://localhost:8888", "local", "this machine"),
        (
            "mem0",
            "MEM0_HOST=http://u:pw@192.168.1.7:8888",
            "remote",
            "another machine of your network, at http://***@192",
        ),
        ("mem0", f"MEM0_API_KEY={KEY}", "remote", "api.mem0.ai"),
        ("retaindb", f"RETAINDB_API_KEY={KEY}", "remote", "api.retaindb.com"),
        ("honcho", "HONCHO_BASE_URL=http://[::1]:8000", "local", "this machine"),
        ("openviking", "OPENVIKING_ENDPOINT=https://viking.example", "remote", "viking.example"),
        ("hindsight", "HINDSIGHT_MODE=local_external", "local", "localhost:8888"),
        ("hindsight", "HINDSIGHT_MODE=local_embedded", "either", "openai"),
        ("byterover", f"BRV_API_KEY={KEY}", "either", "cloud"),
        ("byterover", "", "local", "byterover"),
        ("holographic", "", "local", "memory_store.db"),
    ],
)
def test_where_the_data_is_follows_the_settings(name: str, env: str, place: str, words: str, hermes_home: Path) -> None:
    """Somebody would take what is sent away for something that stays."""
    (hermes_home / ".env").write_text(f"{env}\n")
    found = one(hermes_home, name)
    assert found.place == place
    assert words in found.place_words


def test_files_that_others_may_read_are_named_with_their_mode(hermes_home: Path) -> None:
    """A key would lie open to everybody on the machine."""
    for name, text in ((".env", f"SUPERMEMORY_API_KEY={KEY}\n"), ("supermemory.json", "{}")):
        (hermes_home / name).write_text(text)
        (hermes_home / name).chmod(0o644)
    problems = one(hermes_home, "supermemory").problems
    assert [problem.split(" can be")[0].rsplit("/", 1)[1] for problem in problems] == [".env", "supermemory.json"]
    assert "0644" in problems[0]


def test_what_cannot_be_known_is_not_claimed(hermes_home: Path, isolated_machine: Path) -> None:
    """A green tick would be a guess."""
    config(hermes_home, "memory:\n  provider: mem0\nsecrets:\n  bitwarden: {enabled: true}\n")
    found = one(hermes_home, "mem0")
    assert (found.configured, found.active) == ("unknown", True)
    assert "bitwarden" in found.problems[0]
    (hermes_home / "mem0.json").mkdir()
    assert one(hermes_home, "mem0").configured == "unknown"
    (hermes_home / "hindsight").mkdir()
    (hermes_home / "hindsight" / "config.json").write_text('{"mode": "local_embedded"}')
    assert one(hermes_home, "hindsight").configured == "unknown", "what packages the agent has is not known"
    assert one(hermes_home, "hindsight").installed == "unknown"
    packages = isolated_machine / "agent" / "lib" / "python3.11" / "site-packages"
    (packages / "plugins" / "memory" / "hindsight").mkdir(parents=True)
    (packages / "plugins" / "memory" / "hindsight" / "__init__.py").touch()
    command = isolated_machine / "agent" / "bin" / "hermes"
    command.parent.mkdir()
    command.write_text(f"#!{command.with_name('python3')}\n")
    command.chmod(0o755)
    path = {"PATH": str(command.parent)}
    found = one(hermes_home, "hindsight", path)
    assert (found.installed, found.configured) == ("bundled", "no")
    assert "hindsight-all" in found.missing[0].words
    assert one(hermes_home, "mem0", path).installed == "no"
    python = command.with_name("python3")
    command.write_text(f"#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''\nimport sys\n")
    assert one(hermes_home, "hindsight", path).installed == "bundled", "as scripts are whose path is long"
    for package in ("hindsight", "hindsight_embed"):
        (packages / package).mkdir()
    assert one(hermes_home, "hindsight", path).configured == "yes"


def test_problems_of_files_are_said_in_words(hermes_home: Path, isolated_machine: Path) -> None:
    """A file that counts for nothing would look like one that does."""
    (hermes_home / "honcho.json").symlink_to(isolated_machine / "nowhere")
    (hermes_home / "hindsight").mkdir()
    (hermes_home / "hindsight" / "config.json").write_text("{broken")
    (isolated_machine / ".hindsight").mkdir()
    (isolated_machine / ".hindsight" / "config.json").write_text(json.dumps({"apiKey": KEY, "timeout": "soon"}))
    (hermes_home / "supermemory.json").write_text('{"search_mode": "all", "auto_recall": "perhaps", "api_timeout": 1}')
    (hermes_home / "mem0.json").write_text('{"api_key": ["a"], "api_key": {"b": 1}}')
    status = at(hermes_home)
    said = {provider.name: " ".join(provider.problems) for provider in status.providers}
    assert "leads nowhere" in said["honcho"]
    assert "no JSON (line 1, column 2" in said["hindsight"]
    assert "uses ~/.hindsight/config.json" in said["hindsight"]
    assert "timeout in ~/.hindsight/config.json is 'soon', which is no number" in said["hindsight"]
    assert "known are hybrid, memories, documents" in said["supermemory"]
    assert "write true or false" in said["supermemory"]
    assert "gives 'api_key' twice" in said["mem0"]
    assert one(hermes_home, "mem0").configured == "no"
    assert one(hermes_home, "hindsight").configured == "yes"


@pytest.mark.usefixtures("no_network")
def test_any_rubbish_gives_a_status_and_nothing_is_written_or_asked(hermes_home: Path, isolated_machine: Path) -> None:
    """The screen would crash over a broken file, or leave something in the home that it only looked at."""
    rng = random.Random("rubbish")
    names = ["config.yaml", ".env", "mem0.json", "honcho.json", "supermemory.json", "hindsight/config.json", ".op.env"]
    names += ["retaindb_queue.db", "memory_store.db", "plugins/mine/__init__.py", "plugins/mine/plugin.yaml"]
    junk: list[bytes] = [
        *(b"", b"{}", b"[]", b"null", b"\xff\xfe\x00x", b"{" * 5000, b'{"a": ' * 3000, b"a: [", b"1" * 9000, b"\x00"),
        b"memory: []\nplugins: 3\n",
        b"memory: {provider: [1], openviking: 7, byterover: [x]}\nplugins: {hermes-memory-store: x}\nsecrets: [1]\n",
        b"memory: {provider: ../../etc, openviking: {use_ovcli_config: 1, ovcli_config_path: '~/x'}}\n",
        b'{"hosts": 7, "oss": 3, "mode": {"x": 1}, "api_key": 5, "enabled": null, "baseUrl": "http://[bad"}',
        b'{"hosts": {"hermes": 3}, "oss": {"vector_store": "q", "llm": []}, "mode": "oss", "timeout": true}',
        b"MEM0_HOST=http://[::\nOPENVIKING_ENDPOINT=\nHERMES_HONCHO_HOST=../x\nOPENVIKING_CLI_CONFIG_FILE=~nobody/x\n",
    ]
    for number in range(60):
        for name in names:
            path = hermes_home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            if rng.random() < 0.7:
                path.write_bytes(rng.choice(junk))
            elif rng.random() < 0.3:
                path.symlink_to(rng.choice([path, isolated_machine / "nowhere", Path("/dev/zero"), isolated_machine]))
        before = tree(hermes_home)
        status = at(hermes_home)
        assert {provider.name for provider in status.providers} >= set(catalogue()), number
        assert tree(hermes_home) == before
        for provider in status.providers:
            assert provider.configured in ("yes", "no", "unknown")
            assert all(isinstance(problem, str) for problem in provider.problems)


@pytest.mark.usefixtures("no_network")
def test_what_was_changed_here_is_listed_as_not_mirrored(hermes_home: Path) -> None:
    """Somebody would believe that a removed entry is gone from the provider, too."""
    config(hermes_home, "memory:\n  provider: retaindb\n")
    (hermes_home / "memories" / "MEMORY.md").write_text("Likes tea\n§\nOld address")
    home = HermesHome(hermes_home, "default", "--home")
    store = Review(home, load_config(home), origin="cli")
    store.remove([EntryRef("memory", 2, "Old address")])
    store.add("user", "Called Ann")
    assert Journal(store.data_dir).records()
    found = one(hermes_home, "retaindb").diverged
    assert found is not None
    assert [(text.store, text.text) for text in found.absent] == [("user", "Called Ann")]
    assert [(text.store, text.text) for text in found.stale] == [("memory", "Old address")]
    store.undo()
    found = one(hermes_home, "retaindb").diverged
    assert found is not None
    assert (found.absent, len(found.stale)) == ((), 1)
    config(hermes_home, "memory:\n  provider: mem0\n")
    found = one(hermes_home, "mem0").diverged
    assert found is not None
    assert not found.words, "it is told of no memory writes at all"


def test_a_provider_that_is_active_and_not_set_up_is_said_to_be_passed_over(hermes_home: Path) -> None:
    """The agent runs without it and says nothing."""
    config(hermes_home, "memory:\n  provider: supermemory\n  memory_enabled: false\n")
    status = at(hermes_home)
    found = status.of("supermemory")
    assert found is not None
    assert any("runs without it" in problem for problem in found.problems)
    assert status.builtin == "USER.md is on, MEMORY.md is off"
    assert [missing.words for missing in found.missing] == ["api_key"]
    assert "base_url" in [value.field.name for value in found.optional]
    home = HermesHome(hermes_home, "default", "--home")
    apply_plan(plan_setup(home, "supermemory", {"api_key": KEY}))
    assert one(hermes_home, "supermemory").problems == ()
