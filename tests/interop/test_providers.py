"""External memory providers: homes that the real agent set up as we see them, and homes we set up as it sees them."""

from __future__ import annotations

import json
import os
import random
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.home import HermesHome
from hermes_tui.memory.entries import DELIMITER
from hermes_tui.providers.catalogue import catalogue
from hermes_tui.providers.setup import apply_plan, plan_off, plan_setup, undo_setup
from hermes_tui.providers.status import ProvidersStatus, provider_status
from hermes_tui.providers.status_sources import Sources
from tests.interop.conftest import JsonLines, environment, python_of

DRIVER = Path(__file__).with_name("peers") / "drive_provider_setup.py"
NAMES = tuple(catalogue())


@dataclass(frozen=True, slots=True)
class Peer:
    """The real agent, and the environment that it and we both see."""

    process: JsonLines
    user_home: Path
    line: str

    def ask(self, do: str, home: Path, environ: Mapping[str, str] | None = None, **request: object) -> dict[str, Any]:
        """One question, answered by an agent that has seen nothing yet."""
        answer = self.process.ask({"do": do, "home": str(home), "environ": dict(environ or {}), **request})
        assert isinstance(answer, dict)
        return answer

    def ours(self, home: Path, environ: Mapping[str, str] | None = None) -> ProvidersStatus:
        """What we say of the same home."""
        return provider_status(self.home(home), self.environ(home, environ))

    def home(self, path: Path) -> HermesHome:
        """A home of the test's."""
        return HermesHome(path, "custom", "--home")

    def environ(self, home: Path, environ: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment for a home."""
        return {**environment(self.user_home, home), "USER": "ann", **(environ or {})}


@pytest.fixture
def start_peer(isolated_machine: Path) -> Iterator[Callable[[str], Peer]]:
    """Starts the real agent of a line."""
    started: list[JsonLines] = []

    def start(line: str) -> Peer:
        environ = {**environment(isolated_machine, isolated_machine / "none"), "USER": "ann"}
        process = JsonLines([python_of(line), str(DRIVER)], environ)
        started.append(process)
        assert process.read()["ready"]
        return Peer(process, isolated_machine, line)

    yield start
    for process in started:
        process.close()


@dataclass(frozen=True, slots=True)
class Setup:
    """One way to set a provider up, in the agent's own setup and in ours."""

    provider: str
    theirs: Mapping[str, Any]
    """What is typed and chosen there."""
    ours: Mapping[str, str]
    """The same here."""
    apart: frozenset[str] = frozenset()
    """Keys of the agent's files that we leave out, or write with their proper type."""


KEY = "key-1234567890abcdef"
SETUPS = {
    "byterover": Setup("byterover", {"generic": True, "choices": [0, 0], "typed": [KEY]}, {"api_key": KEY}),
    "hindsight": Setup(
        "hindsight",
        {"choices": [0], "typed_lines": [KEY], "typed": [""]},
        {"mode": "cloud", "api_key": KEY},
    ),
    "hindsight server": Setup(
        "hindsight",
        {"choices": [2], "typed_lines": [KEY], "typed": [""]},
        {"mode": "local_external", "api_key": KEY},
    ),
    "holographic": Setup("holographic", {"generic": True, "choices": [2, 1], "typed_lines": ["", "", ""]}, {}),
    "honcho": Setup("honcho", {"typed": ["cloud", "apikey", KEY] + [""] * 30}, {"api_key": KEY}),
    "honcho server": Setup(
        "honcho",
        {"typed": ["local", "http://localhost:8000", KEY] + [""] * 30},
        {"base_url": "http://localhost:8000", "api_key": KEY},
    ),
    "mem0": Setup(
        "mem0",
        {"argv": ["--mode", "platform", "--api-key", KEY], "typed_lines": ["", ""], "choices": [1]},
        {"mode": "platform", "api_key": KEY},
        frozenset({"host", "rerank"}),
    ),
    "mem0 server": Setup(
        "mem0",
        {"argv": ["--mode", "selfhosted", "--host", "http://127.0.0.1:1"], "typed": [""], "typed_lines": ["", ""]},
        {"host": "http://127.0.0.1:1"},
    ),
    "mem0 library": Setup(
        "mem0",
        {"argv": ["--mode", "oss", "--oss-llm-key", KEY]},
        {"mode": "oss", "openai_api_key": KEY},
        frozenset({"oss.vector_store.config.path"}),
    ),
    "openviking": Setup(
        "openviking",
        {"values": {"endpoint": "http://127.0.0.1:1", "api_key": KEY}},
        {"endpoint": "http://127.0.0.1:1", "api_key": KEY},
    ),
    "retaindb": Setup(
        "retaindb", {"generic": True, "choices": [6], "typed": [KEY], "typed_lines": ["", ""]}, {"api_key": KEY}
    ),
    "supermemory": Setup("supermemory", {"typed": [KEY]}, {"api_key": KEY}),
}
FILES = ("mem0.json", "honcho.json", "supermemory.json", "hindsight/config.json")


def leaves(values: Mapping[str, Any], before: str = "") -> dict[str, object]:
    """Every value of a JSON file by its dotted key."""
    found: dict[str, object] = {}
    for key, value in values.items():
        found |= leaves(value, f"{before}{key}.") if isinstance(value, dict) else {f"{before}{key}": value}
    return found


def put_brv(peer: Peer) -> dict[str, str]:
    """A program by the name of ByteRover's, and the environment in which it is found."""
    folder = peer.user_home / "programs"
    folder.mkdir(exist_ok=True)
    (folder / "brv").write_text("#!/bin/sh\n")
    (folder / "brv").chmod(0o755)
    return {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def said_available(text: str) -> bool:
    """What the agent's own status says of the active provider."""
    found = re.search(r"Status:\s+(not )?available", text)
    assert found, text
    return not found[1]


def test_homes_set_up_by_the_agent_are_seen_as_it_sees_them(start_peer: Callable[[str], Peer]) -> None:
    """A provider that works would be called not set up, or the reverse."""
    peer = start_peer("0.19")
    environ = put_brv(peer)
    for name, setup in SETUPS.items():
        home = peer.user_home / f"theirs {name}"
        done = peer.ask("setup", home, environ, provider=setup.provider, **setup.theirs)
        assert "raised" not in done, done.get("trace")
        theirs, ours = peer.ask("status", home, environ), peer.ours(home, environ)
        assert ours.active == setup.provider
        assert f"Provider:  {setup.provider}" in theirs["text"]
        for other in NAMES:
            mine = ours.of(other)
            assert mine is not None
            assert mine.configured == ("yes" if theirs["available"][other] else "no"), (name, other, mine.missing)
            assert mine.active == (f"• {other}  (" in theirs["text"] and f"{other}  (" in _active_line(theirs["text"]))
        active = ours.of(setup.provider)
        assert active is not None
        assert said_available(theirs["text"]) == (active.configured == "yes")
        values = {value.field.name: value for value in active.values}
        for key, value in setup.ours.items():
            assert values[key].text == value, (name, key)
            assert not values[key].field.secret or KEY not in values[key].shown


def _active_line(text: str) -> str:
    return next((line for line in text.splitlines() if "← active" in line), "")


def test_a_home_without_a_provider_is_seen_as_the_agent_sees_it(start_peer: Callable[[str], Peer]) -> None:
    """Somebody who uses none would be told that something is missing."""
    for line in ("0.19", "0.22"):
        peer = start_peer(line)
        home = peer.user_home / f"none {line}"
        theirs, ours = peer.ask("status", home), peer.ours(home)
        assert "(none — built-in only)" in theirs["text"]
        assert (ours.active, ours.origin) == ("", "default")
        assert not any(provider.active for provider in ours.providers)
        for name, available in theirs["available"].items():
            mine = ours.of(name)
            assert mine is not None
            assert (line in catalogue()[name].lines) == (available is not None), "the catalogue says which line has it"
            assert available is None or mine.configured == ("yes" if available else "no")


@dataclass(frozen=True, slots=True)
class Wrong:
    """A home about which the agent's own status is wrong or says too little."""

    why: str
    config: str
    available: bool
    """What the agent says."""
    configured: str
    """What is true."""
    env: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    told: str = ""
    """A piece of what we say about it."""


BIG = json.dumps({"api_key": KEY, "filler": "x" * (1 << 21)})
WRONG = [
    Wrong(
        "a key of blanks is none: its server would refuse it",
        "retaindb",
        True,
        "no",
        env="RETAINDB_API_KEY='   '\n",
        told="not set up",
    ),
    Wrong(
        "a mask that was copied from a screen is no key",
        "supermemory",
        True,
        "no",
        env="SUPERMEMORY_API_KEY=abcdef...wxyz\nSUPERMEMORY_BASE_URL=http://127.0.0.1:1\n",
        told="mask or a placeholder",
    ),
    Wrong(
        "its cloud needs a key, and an address of the same cloud is not one",
        "hindsight",
        True,
        "no",
        env="HINDSIGHT_API_URL=https://api.hindsight.vectorize.io\n",
        told="not set up",
    ),
    Wrong(
        "a number that is none keeps it from starting",
        "holographic",
        True,
        "no",
        files={"config.yaml": "memory: {provider: holographic}\nplugins:\n  hermes-memory-store: {hrr_dim: many}\n"},
        told="not set up",
    ),
    Wrong(
        "the text false counts as on, and facts are taken from conversations",
        "holographic",
        True,
        "yes",
        files={
            "config.yaml": "memory: {provider: holographic}\nplugins:\n  hermes-memory-store: {auto_extract: 'false'}\n"
        },
        told="takes for on",
    ),
    Wrong(
        "a file of two megabytes is not read here, so nothing is claimed",
        "mem0",
        True,
        "unknown",
        files={"mem0.json": BIG},
        told="larger than",
    ),
    Wrong(
        "a broken file of its own program keeps it from starting, whatever else is set",
        "openviking",
        True,
        "no",
        env="OPENVIKING_ENDPOINT=http://localhost:1\nOPENVIKING_CLI_CONFIG_FILE=ovcli.conf\n",
        files={
            "config.yaml": "memory:\n  provider: openviking\n  openviking: {use_ovcli_config: true}\n",
            "ovcli.conf": "{broken",
        },
        told="not set up",
    ),
    Wrong(
        "the address in config.yaml is not read by this line",
        "retaindb",
        True,
        "yes",
        env=f"RETAINDB_API_KEY={KEY}\n",
        files={"config.yaml": "memory:\n  provider: retaindb\n  retaindb: {base_url: 'http://localhost:9'}\n"},
        told="0.22 agents only",
    ),
    Wrong(
        "a broken file is passed over in silence",
        "mem0",
        True,
        "yes",
        env=f"MEM0_API_KEY={KEY}\n",
        files={"mem0.json": '{"api_key": '},
        told="no JSON",
    ),
    Wrong(
        "switched off in its own file, which the list of variables does not say",
        "honcho",
        False,
        "no",
        env=f"HONCHO_API_KEY={KEY}\n",
        files={"honcho.json": '{"enabled": false}'},
        told="not set up",
    ),
]


def test_where_the_agents_status_is_wrong_ours_is_right(start_peer: Callable[[str], Peer]) -> None:
    """A green tick would stand at a provider that cannot work, or nothing at what goes another way than meant."""
    peer = start_peer("0.19")
    for number, wrong in enumerate(WRONG):
        home = peer.user_home / f"wrong{number}"
        home.mkdir()
        (home / "config.yaml").write_text(f"memory:\n  provider: {wrong.config}\n")
        (home / ".env").write_text(wrong.env.replace("ovcli.conf", str(home / "ovcli.conf")))
        for name, text in wrong.files.items():
            (home / name).write_text(text)
        theirs, ours = peer.ask("status", home), peer.ours(home).of(wrong.config)
        assert ours is not None
        assert said_available(theirs["text"]) == wrong.available, (wrong.why, theirs["text"])
        assert ours.configured == wrong.configured, (wrong.why, ours.missing, ours.problems)
        assert wrong.told in " ".join(ours.problems), (wrong.why, ours.problems)
    broken = peer.user_home / "wrong3"
    assert "raised" in peer.ask("facts", broken, adds=[["memory", "tea"]]), (
        "the agent cannot start what it calls available"
    )


def some(rng: random.Random, **values: object) -> str:
    """A JSON file with a few of these settings."""
    return json.dumps({name: value for name, value in values.items() if rng.random() < 0.4})


def random_home(rng: random.Random, user_home: Path, path: Path) -> None:
    """A home with settings as they may come together, good and bad."""
    pick = rng.choice
    address = pick(["http://h.example", "http://localhost:1", ""])
    variables = {
        "MEM0_MODE": pick(["oss", "platform", "other"]),
        "HINDSIGHT_MODE": pick(["cloud", "local_external", "other"]),
        "HERMES_HONCHO_HOST": pick(["a", "hermes"]),
        "HONCHO_BASE_URL": address,
        **dict.fromkeys(("MEM0_HOST", "HINDSIGHT_API_URL", "OPENVIKING_ENDPOINT"), address or "http://x.example"),
        **dict.fromkeys((f"{name}_API_KEY" for name in ("MEM0", "HONCHO", "HINDSIGHT", "RETAINDB", "OPENVIKING")), KEY),
    }
    lines = [f"{name}={value}" for name, value in variables.items() if rng.random() < 0.15]
    store = pick([{}, {"vector_store": {}}, {"vector_store": {"provider": "qdrant"}}])
    block = {"apiKey": KEY, "enabled": pick([True, False])}
    honcho = {
        "apiKey": KEY,
        "baseUrl": address,
        "enabled": pick([True, False, None]),
        "defaultHost": pick(["a", "hermes", ""]),
        "hosts": pick([{}, {"hermes": block}, {"hermes_work": block}, {"hermes.work": block}, {"a": block}, None]),
    }
    hindsight = {"mode": pick(["cloud", "local_external", "other"]), "apiKey": pick([KEY, ""]), "api_url": address}
    files = {
        path / "mem0.json": some(rng, api_key=KEY, host=address, mode=pick(["oss", "platform", None]), oss=store),
        path / "honcho.json": some(rng, **honcho),
        user_home / ".honcho" / "config.json": some(rng, **honcho),
        path / "hindsight" / "config.json": some(rng, **hindsight),
        user_home / ".hindsight" / "config.json": some(rng, **hindsight),
    }
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        if rng.random() < 0.4:
            file.write_text(pick([text, text, text, "{broken", "[]"]))
    uses = pick(["true", "false"])
    (path / "config.yaml").write_text(f"memory:\n  openviking:\n    use_ovcli_config: {uses}\n")
    (path / ".env").write_text("\n".join(lines) + "\n")


def test_any_mixture_of_settings_is_judged_as_the_agent_judges_it(start_peer: Callable[[str], Peer]) -> None:
    """Which of two files or variables counts would be another than here."""
    peer = start_peer("0.19")
    rng = random.Random("mixtures")
    for number in range(40):
        profile = number % 4 == 0
        path = peer.user_home / f"mix{number}" / ("profiles/work" if profile else "")
        path.mkdir(parents=True)
        random_home(rng, peer.user_home, path)
        theirs = peer.ask("status", path)["available"]
        ours = provider_status(HermesHome(path, "work" if profile else "custom", "--home"), peer.environ(path))
        for name, available in theirs.items():
            mine = ours.of(name)
            assert mine is not None
            assert mine.configured == ("yes" if available else "no"), (number, name, mine.missing, mine.problems)


def test_what_is_missing_is_what_is_needed(start_peer: Callable[[str], Peer]) -> None:
    """The list of the agent names thirteen variables for OpenViking, and the same one twice for Hindsight."""
    peer = start_peer("0.19")
    needed = {
        "hindsight": {("api_key", "api_url")},
        "honcho": {("api_key", "base_url")},
        "mem0": {("api_key", "host")},
        "openviking": {("endpoint",)},
        "retaindb": {("api_key",)},
        "supermemory": {("api_key",)},
    }
    listed = {}
    for name, expected in needed.items():
        home = peer.user_home / f"missing {name}"
        home.mkdir()
        (home / "config.yaml").write_text(f"memory:\n  provider: {name}\n")
        text = peer.ask("status", home)["text"]
        listed[name] = re.findall(r"^    [✓✗] (\w+)", text, re.MULTILINE)
        ours = peer.ours(home).of(name)
        assert ours is not None
        assert {tuple(each.name for each in missing.fields) for missing in ours.missing} == expected
        assert not said_available(text)
    assert listed["hindsight"].count("HINDSIGHT_API_KEY") == 2
    assert len(listed["openviking"]) == 13


def test_memory_that_is_off_is_not_called_active(start_peer: Callable[[str], Peer]) -> None:
    """Somebody who switched memory off would be told that it is always active."""
    peer = start_peer("0.19")
    home = peer.user_home / "off"
    home.mkdir()
    (home / "config.yaml").write_text("memory:\n  memory_enabled: false\n  user_profile_enabled: false\n")
    assert "always active" in peer.ask("status", home)["text"]
    assert peer.ours(home).builtin.startswith("off")


def test_a_name_that_no_plugin_has_is_told_with_the_one_that_is_meant(start_peer: Callable[[str], Peer]) -> None:
    """A mistyped provider would look like one that has to be installed."""
    peer = start_peer("0.19")
    home = peer.user_home / "mistyped"
    (home / "plugins" / "mine").mkdir(parents=True)
    (home / "plugins" / "mine" / "__init__.py").write_text("class MyMemoryProvider: ...\n")
    (home / "config.yaml").write_text("memory:\n  provider: Memo\n")
    assert "NOT installed" in peer.ask("status", home)["text"]
    ours = peer.ours(home).of("Memo")
    assert ours is not None
    assert (ours.active, ours.installed, ours.configured) == (True, "no", "no")
    assert "Did you mean mem0?" in ours.problems[0]
    (home / "config.yaml").write_text("memory:\n  provider: ' mem0 '\n")
    assert "NOT installed" in peer.ask("status", home)["text"]
    assert not next(provider.active for provider in peer.ours(home).providers if provider.name == "mem0")
    mine = peer.ours(home).of("mine")
    assert mine is not None
    assert (mine.installed, mine.configured) == ("plugin", "unknown")


def test_homes_set_up_here_are_taken_by_the_agent_as_set_up(start_peer: Callable[[str], Peer]) -> None:
    """Setting up here would leave an agent that runs without the provider, and says nothing."""
    peers = {line: start_peer(line) for line in ("0.19", "0.22")}
    for name, setup in SETUPS.items():
        for line in catalogue()[setup.provider].lines:
            peer = peers[line]
            environ = put_brv(peer)
            path = peer.user_home / f"ours {name} {line}"
            path.mkdir()
            (path / "config.yaml").write_text("# mine\nmemory:\n  memory_char_limit: 500  # short\n")
            before = peer.ask("status", path, environ)["available"][setup.provider]
            env = peer.environ(path, environ)
            home = peer.home(path)
            apply_plan(plan_setup(home, setup.provider, setup.ours, env), env)
            after = peer.ask("status", path, environ)
            assert after["available"][setup.provider], (name, line, before)
            assert f"Provider:  {setup.provider}" in after["text"]
            assert said_available(after["text"])
            ours = peer.ours(path, environ).of(setup.provider)
            assert ours is not None
            assert (ours.configured, ours.active) == ("yes", True)
            for file in (path / ".env", *(path / each for each in FILES)):
                assert not file.exists() or stat.S_IMODE(file.stat().st_mode) == 0o600, file
            assert "limit: 500  # short" in (path / "config.yaml").read_text()
            apply_plan(plan_off(home, env), env)
            assert "(none — built-in only)" in peer.ask("status", path, environ)["text"]
            undo_setup(home, env)
            assert said_available(peer.ask("status", path, environ)["text"])


def test_the_same_answers_leave_the_same_variables_and_keys_as_the_agents_own_setup(
    start_peer: Callable[[str], Peer],
) -> None:
    """A setting would lie where the agent does not look, or go by another name."""
    peer = start_peer("0.19")
    for name, setup in SETUPS.items():
        theirs, ours = peer.user_home / f"a {name}", peer.user_home / f"b {name}"
        ours.mkdir()
        done = peer.ask("setup", theirs, provider=setup.provider, **setup.theirs)
        assert "raised" not in done, done.get("trace")
        env = peer.environ(ours)
        apply_plan(plan_setup(peer.home(ours), setup.provider, setup.ours, env), env)
        read = [Sources(peer.home(path), {}).env_file.values({}) for path in (theirs, ours)]
        assert read[0] == read[1], name
        for file in FILES:
            assert (theirs / file).exists() == (ours / file).exists() or file == "hindsight/config.json", (name, file)
            if not (ours / file).exists():
                continue
            expected, found = (leaves(json.loads((path / file).read_text())) for path in (theirs, ours))
            for key in setup.apart:
                expected.pop(key, None)
                found.pop(key, None)
            if setup.provider == "hindsight":
                # Its setup copies into the file what it makes of the environment; none of that is an answer.
                expected = {key: value for key, value in expected.items() if key in found}
            assert found == expected, name


def test_variables_are_read_as_the_agent_reads_them(start_peer: Callable[[str], Peer]) -> None:
    """A key in a `.env` with quotes, comments, export or a line twice would be shown as another."""
    peer = start_peer("0.19")
    rng = random.Random("variables")
    names = ["MEM0_API_KEY", "MEM0_HOST", "RETAINDB_PROJECT", "HONCHO_BASE_URL", "OPENVIKING_API_KEY"]
    values = [
        "plain",
        "'sin gle'",
        '"dou\\nble"',
        "a#b",
        "a # c",
        "",
        "${MEM0_HOST}x",
        "${NO:-d}",
        "ключ",
        "'open",
        '"',
    ]
    managed = peer.user_home / "managed"
    managed.mkdir()
    for number in range(150):
        home = peer.user_home / f"variables{number}"
        home.mkdir()
        lines = []
        for _ in range(rng.randint(1, 6)):
            start = rng.choice(["", "", "", "export ", "  ", "# ", "export\t"])
            equals = rng.choice(["=", "=", "=", " = ", "", ": "])
            lines.append(f"{start}{rng.choice(names)}{equals}{rng.choice(values)}{rng.choice([' # c', '', '', ' '])}")
        text = rng.choice(["\n", "\r\n", "\n", "\n\n"]).join(lines) + rng.choice(["", "\n"])
        if number % 10 == 0:
            text = f"MEM0_API_KEY=oneHONCHO_BASE_URL=two\n{text}"
        raw = text.encode("utf-8-sig") if number % 7 == 0 else text.encode()
        (home / ".env").write_bytes(raw)
        (managed / ".env").write_text("MEM0_HOST=pinned\n" if number % 5 == 0 else "")
        shell = {"MEM0_API_KEY": "from the shell", "OPENVIKING_USER": "me"}
        ours = Sources(peer.home(home), peer.environ(home, shell)).environ
        theirs = peer.ask("variables", home, shell, names=[*names, "OPENVIKING_USER"])
        assert "raised" not in theirs, theirs.get("trace")
        for name, value in theirs["values"].items():
            assert ours.get(name) == value, (raw, name)


def test_what_holographic_does_not_hold_is_listed(start_peer: Callable[[str], Peer]) -> None:
    """Entries made or approved here would be taken for known to the provider."""
    peer = start_peer("0.19")
    path = peer.user_home / "facts"
    (path / "memories").mkdir(parents=True)
    (path / "config.yaml").write_text("memory:\n  provider: holographic\n")
    (path / "memories" / "MEMORY.md").write_text(DELIMITER.join(["Likes tea", "Made by hand"]))
    adds = [["memory", "Likes tea"], ["user", "Left long ago"]]
    assert peer.ask("facts", path, adds=adds)["done"] == 2
    ours = peer.ours(path).of("holographic")
    assert ours is not None
    assert ours.diverged is not None
    assert [(text.store, text.text) for text in ours.diverged.absent] == [("memory", "Made by hand")]
    assert (ours.diverged.facts, ours.diverged.extra) == (2, 1)
    assert "approvals made here" in ours.mirroring
