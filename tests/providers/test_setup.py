"""Setting up external memory providers: what is written, what is refused, and taking it back."""

from __future__ import annotations

import json
import socket
import stat
from pathlib import Path

import pytest

from hermes_tui.errors import Conflict, HermesTuiError, NotFound, Refused
from hermes_tui.home import HermesHome, data_dir
from hermes_tui.providers import setup as setting_up
from hermes_tui.providers.catalogue import catalogue
from hermes_tui.providers.setup import Plan, apply_plan, plan_off, plan_setup, undo_setup
from hermes_tui.providers.status import provider_status
from tests.cli.conftest import Ran, Run, run, tree

__all__ = ["run"]

KEY = "key-1234567890abcdef"


@pytest.fixture
def home(hermes_home: Path) -> HermesHome:
    """A home with settings of a person's own."""
    (hermes_home / "config.yaml").write_text("# mine\nmemory:\n  memory_char_limit: 500  # short\n")
    (hermes_home / "config.yaml").chmod(0o640)
    return HermesHome(hermes_home, "default", "--home")


def mode(path: Path) -> int:
    """The permissions of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def set_up(home: HermesHome, name: str, **given: str) -> Plan:
    """Plan and write."""
    plan = plan_setup(home, name, given)
    apply_plan(plan)
    return plan


def test_files_get_the_modes_of_secrets_and_every_other_line_stays(home: HermesHome) -> None:
    """A key would lie open, or comments and settings of a person's own be lost."""
    env, own = home.path / ".env", home.path / "mem0.json"
    env.write_text("# keys\nOTHER='x' # why\nMEM0_API_KEY=old\n")
    env.chmod(0o644)
    own.write_text('{"zeta": [1, {"a": null}], "user_id": "me"}')
    own.chmod(0o644)
    set_up(home, "mem0", api_key=KEY)
    assert env.read_text() == f"# keys\nOTHER='x' # why\nMEM0_API_KEY={KEY}\n"
    values = json.loads(own.read_text())
    assert list(values)[:2] == ["zeta", "user_id"]
    assert (values["zeta"], values["user_id"], values["mode"]) == ([1, {"a": None}], "me", "platform")
    assert "api_key" not in values
    assert home.config_path.read_text() == "# mine\nmemory:\n  memory_char_limit: 500  # short\n  provider: mem0\n"
    assert (mode(env), mode(own), mode(home.config_path)) == (0o600, 0o600, 0o640)
    assert not list(home.path.rglob("*.tmp"))
    assert plan_setup(home, "mem0", {"api_key": KEY}).changes_nothing


def test_links_are_followed_and_stay(home: HermesHome, isolated_machine: Path) -> None:
    """A `.env` kept elsewhere would be cut off from where it is kept."""
    kept = isolated_machine / "dotfiles"
    kept.mkdir()
    (kept / "env").write_text("A=1\n")
    (home.path / ".env").symlink_to(kept / "env")
    set_up(home, "retaindb", api_key=KEY)
    assert (home.path / ".env").is_symlink()
    assert (kept / "env").read_text() == f"A=1\nRETAINDB_API_KEY={KEY}\n"


def test_a_value_goes_where_it_counts(home: HermesHome, isolated_machine: Path) -> None:
    """A new key in `.env` would be passed over for the old one in the provider's own file."""
    (home.path / "mem0.json").write_text(json.dumps({"api_key": "an-older-key-0001"}))
    set_up(home, "mem0", api_key=KEY)
    assert json.loads((home.path / "mem0.json").read_text())["api_key"] == KEY
    assert not (home.path / ".env").exists()
    set_up(home, "honcho", base_url="http://192.168.1.5:8000", api_key=KEY)
    values = json.loads((home.path / "honcho.json").read_text())
    assert values["hosts"]["hermes"]["apiKey"] == KEY, "for a server in a private network only the profile's key counts"
    assert "apiKey" not in values
    managed = isolated_machine / "managed"
    managed.mkdir()
    (managed / ".env").write_text("SUPERMEMORY_API_KEY=pinned\n")
    with pytest.raises(Refused) as refused:
        plan_setup(home, "supermemory", {"api_key": KEY})
    assert refused.value.code == "managed"


def test_a_file_of_the_home_that_will_stand_before_a_shared_one_begins_as_its_copy(
    home: HermesHome, isolated_machine: Path
) -> None:
    """Settings that another program shares with the agent would silently count no more."""
    shared = isolated_machine / ".honcho" / "config.json"
    shared.parent.mkdir()
    shared.write_text(json.dumps({"apiKey": KEY, "sessions": {"/work": "w"}, "workspace": "shared"}))
    plan = set_up(home, "honcho", recall_mode="tools")
    values = json.loads((home.path / "honcho.json").read_text())
    assert (values["apiKey"], values["sessions"], values["hosts"]["hermes"]["recallMode"]) == (
        KEY,
        {"/work": "w"},
        "tools",
    )
    assert "workspace" not in values["hosts"]["hermes"], "it is said once, for all"
    assert "a copy of ~/.honcho/config.json" in plan.files[0].lines[0]
    assert json.loads(shared.read_text())["workspace"] == "shared"


def test_another_mode_takes_the_address_of_the_old_one_out(home: HermesHome) -> None:
    """Its cloud would be looked for on this machine."""
    set_up(home, "hindsight", mode="local_external")
    own = home.path / "hindsight" / "config.json"
    assert json.loads(own.read_text())["api_url"] == "http://localhost:8888"
    set_up(home, "hindsight", mode="cloud", api_key=KEY)
    assert "api_url" not in json.loads(own.read_text())
    assert mode(own) == 0o600


def test_openviking_can_take_its_connection_from_its_own_program(home: HermesHome, isolated_machine: Path) -> None:
    """Variables in `.env` would win over the file that was chosen."""
    conf = isolated_machine / ".openviking" / "ovcli.conf"
    conf.parent.mkdir()
    conf.write_text(json.dumps({"url": "http://localhost:1933", "api_key": KEY}))
    set_up(home, "openviking", endpoint="http://10.0.0.1:1", account="acme")
    assert "use_ovcli_config: false" in home.config_path.read_text()
    set_up(home, "openviking", use_ovcli_config="true")
    assert "use_ovcli_config: true" in home.config_path.read_text()
    assert "OPENVIKING" not in (home.path / ".env").read_text()
    found = provider_status(home).of("openviking")
    assert found is not None
    shown = {value.field.name: (value.shown, value.origin) for value in found.values}
    assert shown["api_key"] == ("key-12...cdef", "~/.openviking/ovcli.conf")


@pytest.mark.parametrize(
    ("name", "given", "code"),
    [
        ("mem0", {}, "missing_setting"),
        ("retaindb", {"project": "p"}, "missing_setting"),
        ("mem0", {"nope": "x"}, "no_setting"),
        ("memo", {}, "no_provider"),
        ("mem0", {"host": "localhost"}, "bad_value"),
        ("mem0", {"mode": "cloud", "api_key": KEY}, "bad_value"),
        ("supermemory", {"api_key": KEY, "api_timeout": "soon"}, "bad_value"),
        ("supermemory", {"api_key": "two\nlines"}, "bad_value"),
        ("holographic", {"auto_extract": "perhaps"}, "bad_value"),
        ("supermemory", {"api_key": "a${HOME}b"}, "bad_value"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_written(
    name: str, given: dict[str, str], code: str, home: HermesHome
) -> None:
    """A half set up provider would be left, or a setting that the agent does not know."""
    before = tree(home.path)
    with pytest.raises(HermesTuiError) as refused:
        plan_setup(home, name, given)
    assert refused.value.code == code
    assert KEY not in str(refused.value)
    assert tree(home.path) == before


def test_homes_and_files_that_are_not_ours_to_write_are_refused(
    home: HermesHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package manager would find its files changed, or a broken file be replaced by a new one."""
    (home.path / "mem0.json").write_text('{"api_key": ')
    with pytest.raises(Refused, match="no JSON"):
        plan_setup(home, "mem0", {"api_key": KEY})
    (home.path / "mem0.json").write_text('{"a": 1, "a": 2}')
    with pytest.raises(Refused, match="twice"):
        plan_setup(home, "mem0", {"api_key": KEY})
    (home.path / ".env").write_bytes(b"A=\xff\n")
    with pytest.raises(Refused, match="UTF-8"):
        plan_setup(home, "retaindb", {"api_key": KEY})
    (home.path / ".env").unlink()
    home.config_path.write_text("memory: [\n")
    with pytest.raises(Refused):
        plan_setup(home, "retaindb", {"api_key": KEY})
    with pytest.raises(Refused):
        plan_off(home)
    home.config_path.write_text("memory: {provider: mem0}\n")
    monkeypatch.setenv("HERMES_MANAGED", "true")
    with pytest.raises(Refused, match="package manager"):
        plan_setup(home, "retaindb", {"api_key": KEY})
    with pytest.raises(Refused, match="package manager"):
        plan_off(home)


def test_all_is_written_or_nothing(home: HermesHome, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk would leave a key without its settings, or settings without the provider."""
    (home.path / ".env").write_text("A=1\n")
    before = tree(home.path)
    plan = plan_setup(home, "mem0", {"api_key": KEY})
    (home.path / ".env").write_text("A=2\n")
    with pytest.raises(Conflict):
        apply_plan(plan)
    (home.path / ".env").write_text("A=1\n")
    assert tree(home.path) == before

    def fail(*_: object) -> bool:
        raise Refused("No.", code="no")

    monkeypatch.setattr(setting_up, "set_setting", fail)
    with pytest.raises(Refused):
        apply_plan(plan)
    assert tree(home.path) == before
    with pytest.raises(NotFound):
        undo_setup(home)


@pytest.mark.parametrize("name", catalogue())
def test_every_setup_can_be_taken_back_to_the_byte(name: str, home: HermesHome) -> None:
    """Somebody who tried a provider could not go back to what was before."""
    (home.path / ".env").write_text("# mine\nA=1")
    given = {"api_key": KEY} if name != "holographic" else {"default_trust": "0.7", "auto_extract": "yes"}
    before = tree(home.path)
    set_up(home, name, **given)
    after = tree(home.path)
    assert after != before
    assert provider_status(home).active == name
    kept = data_dir(home.path) / setting_up.UNDO_FILE
    assert (mode(kept), mode(kept.parent)) == (0o600, 0o700)
    apply_plan(plan_off(home))
    assert provider_status(home).active == ""
    assert undo_setup(home).provider == name
    assert tree(home.path) == after
    with pytest.raises(NotFound):
        undo_setup(home)
    set_up(home, name, **{**given, **({"api_key": f"{KEY}2"} if "api_key" in given else {"default_trust": "0.8"})})
    undo_setup(home)
    assert tree(home.path) == after


def test_what_somebody_changed_since_is_not_taken_back(home: HermesHome) -> None:
    """A key that was given later would be lost."""
    set_up(home, "retaindb", api_key=KEY)
    (home.path / ".env").write_text("RETAINDB_API_KEY=later\n")
    with pytest.raises(Conflict):
        undo_setup(home)
    assert (home.path / ".env").read_text() == "RETAINDB_API_KEY=later\n"


def test_a_fresh_home_goes_back_to_having_nothing_set(hermes_home: Path) -> None:
    """A key would stay behind."""
    home = HermesHome(hermes_home, "default", "--home")
    before = tree(hermes_home)
    set_up(home, "mem0", mode="oss", llm="ollama", embedder="ollama")
    values = json.loads((hermes_home / "mem0.json").read_text())["oss"]
    assert values["llm"]["config"] == {"model": "llama3.1:8b", "ollama_base_url": "http://localhost:11434"}
    assert values["embedder"]["config"]["embedding_dims"] == 768
    assert values["vector_store"]["config"] == {"path": str(hermes_home / "mem0_qdrant")}
    undo_setup(home)
    assert tree(hermes_home) == before


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be asked."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("nothing may be asked")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)


@pytest.mark.usefixtures("no_network")
def test_the_commands_set_up_show_and_take_back_without_asking_anybody(run: Run, home: HermesHome) -> None:
    """A key would be sent somewhere, shown, or taken from where others can read it."""
    here = ("--home", home.path)
    assert run("providers", "status", *here, "--json").json["active"] == ""
    assert run("providers", "setup", "supermemory", *here, "--set", f"api_key={KEY}").code == 1
    dry = run("providers", "setup", "supermemory", *here, "--secret-file", "-", "--dry-run", "--json", stdin=f"{KEY}\n")
    assert dry.json["written"] is False
    assert dry.json["changes"][0]["lines"] == ["SUPERMEMORY_API_KEY=key-12...cdef"]
    assert not (home.path / ".env").exists()
    unasked = run("providers", "setup", "supermemory", *here, "--secret-file", "-", stdin=KEY)
    assert unasked.code == 1
    assert "Say yes with --yes" in unasked.err
    assert "memory.provider" in unasked.err, "what would be written is shown before it is asked"
    done = run("providers", "setup", "supermemory", *here, "--secret-file", "-", "--yes", stdin=KEY)
    assert (done.code, KEY in done.out + done.err) == (0, False)
    shown = run("providers", "status", "supermemory", *here)
    assert "api_key = key-12...cdef (.env)" in shown.out
    assert "approvals made here" in " ".join(shown.out.split())
    every: list[Ran] = [run("providers", "status", *here), run("providers", "status", *here, "--json"), shown]
    assert not any(KEY in each.out + each.err for each in every)
    assert "Nothing to write" in run("providers", "setup", "supermemory", *here, "--yes").out
    assert run("providers", "off", *here, "--yes", "--json").json["provider"] == ""
    assert run("--read-only", "providers", "undo", *here, "--yes").code == 1
    assert run("providers", "undo", *here, "--yes", "--json").json["provider"] == "supermemory"
    assert run("providers", "status", "nobody", *here, "--json").code == 1


@pytest.mark.usefixtures("no_network")
def test_secret_files_name_the_setting_and_are_read_whole(run: Run, home: HermesHome, tmp_path: Path) -> None:
    """The key of a language model would be taken for that of the provider."""
    file = tmp_path / "a=b"
    file.write_text(f"  {KEY}\n")
    done = run(
        *("providers", "setup", "mem0", "--home", home.path, "--set", "mode=oss", "--yes"),
        *("--secret-file", f"openai_api_key={file}"),
    )
    assert done.code == 0, done.err
    assert (home.path / ".env").read_text() == f"OPENAI_API_KEY={KEY}\n"
    assert run("providers", "setup", "mem0", "--home", home.path, "--secret-file", file, "--yes").code == 0
    for content in (b"", b"\xff\xfe", b"x" * (1 << 17)):
        file.write_bytes(content)
        assert run("providers", "setup", "mem0", "--home", home.path, "--secret-file", file, "--yes").code == 1
    assert run("providers", "setup", "mem0", "--home", home.path, "--secret-file", tmp_path / "none").code == 3
    assert run("providers", "setup", "mem0", "--home", home.path, "--set", "novalue").code == 2
