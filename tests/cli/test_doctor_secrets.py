"""`doctor` on secrets that lie about: each is named with its place, masked, and with what takes it away."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.config import load_config
from hermes_tui.home import resolve_home
from hermes_tui.memory.entries import STORES
from hermes_tui.memory.view import view_store
from hermes_tui.secrets_found.allowance import Allowance
from hermes_tui.secrets_found.files import in_logs
from hermes_tui.secrets_found.found import secrets_in
from hermes_tui.secrets_found.look import look
from hermes_tui.secrets_found.sessions import in_sessions
from hermes_tui.sessions.database import Database
from tests.cli.conftest import Run, tree
from tests.sessions.world import Shape, World
from tests.test_redaction import LEFT_ALONE

BODY = "proj-abcdefghijklmnop12345678"
KEY = f"sk-{BODY}90"
HOOK = "xoxb-1234567890-abcdefghijkl"
SHOWN = "sk-pro...7890"


def secrets(shown: Any) -> list[dict[str, Any]]:
    """The checks that are about secrets and not ok."""
    return [row for row in shown["checks"] if row["id"] == "secrets" and row["status"] != "ok"]


def whole_home(home: Path, shape: Shape) -> None:
    """A home with a secret in every place."""
    home.chmod(0o755)
    home.parent.chmod(0o755)
    (home / "memories" / "MEMORY.md").write_text(f"tea\n§\nThe key is {KEY}")
    (home / "memories" / "USER.md").write_text(f"Hook\nSLACK_TOKEN={HOOK}")
    for name, payload in {
        "memory/aa": {"action": "add", "target": "memory", "content": f"x {KEY}"},
        "skills/bb": {"action": "create", "name": "s", "content": f"---\n---\npassword: hunter22\n{KEY}"},
    }.items():
        path = home / "pending" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"id": path.stem, "summary": "s", "created_at": 1.8e9, "payload": payload}))
    (home / "config.yaml").write_text(f"model:\n  default: m\n  api_key: {KEY}\n  max_tokens: 4096\n")
    (home / ".env").write_text(f"OPENAI_API_KEY={KEY}\n")
    (home / "honcho.json").write_text(json.dumps({"apiKey": KEY}))
    for path in (home / "config.yaml", home / ".env", home / "honcho.json"):
        path.chmod(0o644)
    (home / "logs").mkdir()
    (home / "logs" / "agent.log").write_text(f"one\ntwo\nAuthorization: Bearer {KEY}\n")
    world = World(home / "state.db", shape)
    world.session("s1", "hello", f"Use `export OPENAI_API_KEY={KEY}` then.", title=f"About {KEY}")
    call = {"function": {"name": "terminal", "arguments": json.dumps({"command": f"curl -H 'x-api-key: {KEY}' a"})}}
    world.session("s2", "hi")
    world.say("s2", "", role="assistant", tool_calls=json.dumps([call]))
    if shape == "0.22":
        world.prompt(f"You know {KEY}", "s2")
    else:
        world.run("UPDATE sessions SET system_prompt = ? WHERE id = 's2'", (f"You know {KEY}",))
    world.close()


@pytest.mark.parametrize("shape", ["0.19", "0.22"])
def test_every_place_is_named_with_what_takes_it_away_and_no_secret_is_shown_whole(
    shape: Shape, run: Run, hermes_home: Path, isolated_machine: Path
) -> None:
    """A key would lie there for years, or doctor itself would spread it."""
    whole_home(hermes_home, shape)
    before = tree(isolated_machine)
    shown = run("doctor", "--json", "--deep")
    assert shown.code == 1
    found = secrets(shown.json)
    said: dict[str, str] = {row["message"]: row["hint"] for row in found}

    def hint(words: str) -> str:
        (message,) = (message for message in said if words in message)
        assert SHOWN in message or "***" in message or "xoxb-1...ijkl" in message
        return said[message]

    assert "memory remove --store memory --index 2" in hint("entry 2 of MEMORY.md")
    assert "memory remove --store user --index 1" in hint("entry 1 of USER.md: SLACK_TOKEN")
    assert "pending reject aa" in hint("memory write aa")
    assert "pending reject bb" in hint("2 secrets in the pending skill write bb")
    assert "sessions rename s1" in hint("title of session s1")
    assert "sessions delete s1" in hint("of session s1: OPENAI_API_KEY")
    assert "sessions delete s2" in hint("of session s2: x-api-key")
    assert "sessions delete s2" in hint("stored prompt of session s2")
    assert "rm " in hint(f"line 3 of {hermes_home / 'logs'}")
    assert "${NAME}" in hint("line 3 of config.yaml: api_key")
    assert all("replace the key" in row["hint"] or row["hint"].startswith("chmod 600") for row in found)
    opened = [Path(each["path"]).name for each in shown.json["secrets"]["open_files"]]
    assert opened == [".env", "config.yaml", "honcho.json"]
    places = shown.json["secrets"]["found"]
    assert {(each["session_id"], each["place"]) for each in places if each["session_id"]} == {
        *(("s1", "session title"), ("s1", "message"), ("s2", "message"), ("s2", "prompt")),
    }
    assert all(each["message_id"] for each in places if each["place"] == "message")
    plain = run("doctor")
    for text in (shown.out, shown.err, plain.out, plain.err):
        assert BODY not in text
        assert "hunter22" not in text
        assert HOOK not in text
    assert tree(isolated_machine) == before


def test_a_home_without_secrets_is_told_so_and_what_only_sounds_secret_is_no_alarm(run: Run, hermes_home: Path) -> None:
    """A person would stop reading what doctor says."""
    hermes_home.chmod(0o700)
    memory = hermes_home / "memories" / "MEMORY.md"
    harmless = [*LEFT_ALONE, "sk-xxxxxxxxxxxxxxxxxxxx", "OPENAI_API_KEY=your-key-here", "API_KEY=sk-pro...7890",
                "api_key: ollama", "f(api_key=self.api_key, token=token_of_user)", "call +15551234567"]  # fmt: skip
    memory.write_text("\n§\n".join(harmless))
    memory.chmod(0o600)
    (hermes_home / "config.yaml").write_text("a: {api_key: '${KEY}', api_key_env: OPENAI_API_KEY, max_tokens: 100}\n")
    (hermes_home / ".env").write_text("A_KEY=abcdefgh12345\n")
    (hermes_home / ".env").chmod(0o600)
    shown = run("doctor", "--json").json
    assert secrets(shown) == []
    assert any("No secrets were found" in row["message"] for row in shown["checks"])


def test_a_key_in_settings_is_found_however_it_is_written(run: Run, hermes_home: Path) -> None:
    """Who writes settings in one line would be told that all is well."""
    hermes_home.chmod(0o700)
    (hermes_home / "config.yaml").write_text(
        "a:\n  b: {name: x, api_key: abcdef-1234567890}\n  c: [{token: 'qrst98765'}]\n"
    )
    (hermes_home / "config.yaml").chmod(0o600)
    found = run("doctor", "--json").json["secrets"]["found"]
    assert [(each["line"], each["name"], each["place"]) for each in found] == [
        (2, "api_key", "config"),
        (3, "token", "config"),
    ]


def test_an_open_env_in_a_closed_folder_is_less_of_a_problem(run: Run, hermes_home: Path) -> None:
    """A person would be alarmed over nothing, or not be told at all."""
    hermes_home.chmod(0o700)
    (hermes_home / ".env").write_text(f"OPENAI_API_KEY={KEY}\n")
    (hermes_home / ".env").chmod(0o644)
    (row,) = secrets(run("doctor", "--json").json)
    assert (row["status"], row["hint"]) == ("warn", f"chmod 600 {hermes_home / '.env'}")
    assert "only a folder above" in row["message"]


def test_what_was_taken_out_here_is_told_to_be_in_our_journal_still(run: Run, hermes_home: Path) -> None:
    """The person would think it gone."""
    memory = hermes_home / "memories" / "MEMORY.md"
    memory.write_text(f"tea\n§\nkey {KEY}")
    assert run("memory", "remove", "--index", "2").code == 0
    assert KEY not in memory.read_text()
    (row,) = secrets(run("doctor", "--json").json)
    assert "the journal for undo" in row["message"]
    assert "journal.jsonl" in row["hint"]


def test_a_huge_home_is_looked_through_from_the_newest_and_it_is_said_where_it_ended(hermes_home: Path) -> None:
    """Doctor would keep a person waiting, or call clean what it has not seen."""
    world = World(hermes_home / "state.db", "no index")
    world.session("s1", f"old {KEY}", *["word " * 9_000] * 60, f"new {KEY}")
    world.say("s1", "x" * 2_500_000 + f" deep {KEY}")
    world.close()
    (hermes_home / "logs").mkdir()
    (hermes_home / "logs" / "agent.log").write_text("line\n" * 400_000 + f"{KEY}\n")
    with Database(hermes_home / "state.db") as base:
        hurried = Allowance(seconds=0.0)
        hurried.begin()
        assert list(in_sessions(base, hurried)) == []
        assert "the newest 0 were looked through" in hurried.left[0]
        calm = Allowance(seconds=60.0)
        calm.begin()
        assert [each.message_id for each in in_sessions(base, calm)] == [62, 1]
        assert "1 long message was looked through to 200,000 bytes." in calm.left
        shares: list[tuple[int, int]] = []
        deep = Allowance(deep=True, progress=lambda done, total: shares.append((done, total)))
        assert [each.message_id for each in in_sessions(base, deep)] == [63, 62, 1]
        assert (deep.left, shares[-1]) == ([], (63, 63))
    home = resolve_home(home=str(hermes_home))
    (found,) = in_logs(home, Allowance(deep=True))
    assert found.line == 400_001
    hurried.left.clear()
    assert list(in_logs(home, hurried)) == []
    assert "0.0 MB of 2.0 MB" in hurried.left[0]


def test_it_can_be_stopped_and_tells_what_it_has_found_so_far(hermes_home: Path) -> None:
    """Ctrl+c would throw away minutes of looking."""
    (hermes_home / "memories" / "MEMORY.md").write_text(KEY)
    world = World(hermes_home / "state.db", "no index")
    world.session("s1", "hello")
    world.close()
    home = resolve_home(home=str(hermes_home))
    views = [view_store(home, load_config(home), store) for store in STORES]

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    looked = look(home, views, deep=True, progress=stop)
    assert looked.stopped
    assert [each.where for each in looked.found] == ["entry 1 of MEMORY.md"]
    assert "stopped before" in looked.left[-1]


@pytest.mark.parametrize(
    ("text", "usable"),
    [
        ("https://ann:hunter2secret@host/x", True),
        ("https://user:password@host/x", False),
        ("https://host/x?code=abcdefgh12345678", True),
        ("https://host/x?code=abcdefghijklmnop", False),
        ("Authorization: Bearer aaaaaaaaaaaaaaaaaaaaaaaa", False),
        ("OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxx", False),
        ("-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----", True),
        ("call +47 912 34 567", False),
    ],
)
def test_only_what_somebody_could_use_is_a_secret(text: str, usable: bool) -> None:
    """Doctor would cry over every example of a manual, or be silent about a real key."""
    assert bool(list(secrets_in(text))) is usable


def test_a_log_that_is_gone_or_locked_is_said_and_no_end_of_it(
    hermes_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file that is rotated away meanwhile would end the whole look."""
    (hermes_home / "logs").mkdir()
    for name in ("a.log", "b.log"):
        (hermes_home / "logs" / name).write_text(f"key {KEY}\n")
    real = os.open

    def gone(path: str | Path, *args: Any, **more: Any) -> int:
        if str(path).endswith("a.log"):
            raise FileNotFoundError(2, "No such file or directory")
        return real(path, *args, **more)

    monkeypatch.setattr(os, "open", gone)
    allowance = Allowance(deep=True)
    assert [found.place for found in in_logs(resolve_home(), allowance)] == ["log"]
    assert any("a.log cannot be read: No such file" in words for words in allowance.left)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"export OPENAI_API_KEY={KEY}", "OPENAI_API_KEY"),
        (f'{{"a": "b\\nMAPS_KEY={KEY}"}}', "MAPS_KEY"),
        (f'{{"apiKey": "{KEY}"}}', "apiKey"),
        (f"Authorization: Bearer {KEY}", "Authorization"),
        (f"it is {KEY}", ""),
        (f"{KEY}: password=hunter22", ""),
    ],
)
def test_a_secret_is_called_by_the_name_before_it(text: str, name: str) -> None:
    """A person could not tell which key to replace; or the name would be a secret itself."""
    assert next(secrets_in(text)).name == name
    assert all(BODY not in hit.name for hit in secrets_in(text))
