"""The demo home and the simulated agent that writes to it."""

from __future__ import annotations

import json
import os
import shutil
import stat
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from hermes_tui.cli.main import cli
from hermes_tui.config import load_config
from hermes_tui.demo import build
from hermes_tui.demo.agent import JOURNAL, SimulatedAgent, start
from hermes_tui.demo.home import AGES_SECONDS, CONTENT, MARKER, is_demo_home
from hermes_tui.demo.script import NoteStep, ProposeStep, read_script
from hermes_tui.errors import HermesTuiError, NotFound, Refused, Unreadable
from hermes_tui.home import HermesHome, list_profiles
from hermes_tui.memory.check import EntryRef, check_text
from hermes_tui.memory.dialects import DIALECTS
from hermes_tui.memory.editing import MemoryStore
from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.memory.tool import MemoryTool
from hermes_tui.memory.view import StoreView, cached_scan, view_store
from hermes_tui.pending.queue import count_pending
from hermes_tui.pending.staging import stage
from hermes_tui.text import visible

NOW = 1_800_000_000.0
SCRIPT = read_script()
NOTES = {text for step in SCRIPT if isinstance(step, NoteStep) for text in step.versions}


@pytest.fixture
def demo(tmp_path: Path) -> HermesHome:
    """A demo home, built just now."""
    return HermesHome(build(tmp_path / "place" / "home"), "default", "--home")


def look(home: HermesHome, store: StoreName) -> StoreView:
    """A store as the screen sees it."""
    return view_store(home, load_config(home), store)


def tree(folder: Path) -> dict[str, tuple[bytes | None, int, float]]:
    """Every path under a folder with its bytes, mode, and for files the time."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        is_file = path.is_file()
        mode = stat.S_IMODE(status.st_mode)
        found[str(path.relative_to(folder))] = (path.read_bytes() if is_file else None, mode, is_file * status.st_mtime)
    return found


def records(home: HermesHome) -> list[dict[str, object]]:
    """The pending memory writes, oldest first."""
    found = [json.loads(path.read_text("utf-8")) for path in home.pending("memory").glob("*.json")]
    return sorted(found, key=lambda record: record["created_at"])


# -- the home --------------------------------------------------------------------------------------


def test_memory_is_in_order_and_full_enough_to_be_worth_consolidating(demo: HermesHome) -> None:
    """The bar would not show its words."""
    view = look(demo, "memory")
    assert (view.state, view.canonical, view.usage.level) == ("ok", True, "hint")
    assert 88 <= view.usage.percent <= 93


def test_user_is_healthy(demo: HermesHome) -> None:
    """The other bar would not show a calm store."""
    view = look(demo, "user")
    assert (view.state, view.canonical, view.usage.level) == ("ok", True, "ok")
    assert 55 <= view.usage.percent <= 65
    assert not any(entry.blocked or entry.duplicate_of for entry in view.entries)


def test_memory_holds_entries_blocked_for_different_reasons(demo: HermesHome) -> None:
    """A class that newer agents let pass, joined emoji and Persian spelling would not be there to see."""
    found = [{(finding.id, finding.newer_pass) for finding in e.findings} for e in look(demo, "memory").entries]
    blocked = [findings for findings in found if findings]
    assert {("ssh_access", True)} in blocked
    assert {("invisible_unicode_U+200D", False)} in blocked
    assert {("invisible_unicode_U+200C", False)} in blocked
    assert len(blocked) < len(found) / 4, "most of a believable memory is fine"


@pytest.mark.parametrize(
    ("what", "shown"),
    [
        ("a duplicate", lambda view: any(entry.duplicate_of for entry in view.entries)),
        ("several lines", lambda view: any(entry.text.count("\n") >= 4 for entry in view.entries)),
        ("bullets in one entry", lambda view: any("\n- " in entry.text for entry in view.entries)),
        ("a tab", lambda view: any("\t" in entry.text for entry in view.entries)),
        ("Chinese characters", lambda view: any("美術館" in entry.text for entry in view.entries)),
        ("Arabic", lambda view: any("بطاقات" in entry.text for entry in view.entries)),
        ("Hebrew", lambda view: any("שטיח" in entry.text for entry in view.entries)),
        ("emoji", lambda view: any("🟢" in entry.text for entry in view.entries)),
        ("tags in brackets", lambda view: any("[object=T-114: front view]" in entry.text for entry in view.entries)),
        ("an index", lambda view: any("photos[0]" in entry.text for entry in view.entries)),
        ("§ inside a line", lambda view: any("§ 12" in entry.text for entry in view.entries)),
        ("a link and an address", lambda view: any("https://" in e.text and "@" in e.text for e in view.entries)),
        ("long prose", lambda view: any(entry.chars > 180 and "\n" not in entry.text for entry in view.entries)),
    ],
)
def test_memory_shows(what: str, shown: Callable[[StoreView], bool], demo: HermesHome) -> None:
    """A state of the screen could only be seen by making it oneself."""
    assert shown(look(demo, "memory")), what


def test_no_text_needs_escaping_but_the_joiners(demo: HermesHome) -> None:
    """A stray control character in the demo would look like a fault of the screen."""
    for store in STORES:
        for entry in look(demo, store).entries:
            plain = entry.text.replace("\u200d", "").replace("\u200c", "").replace("\t", "")
            assert visible(plain) == plain


def test_the_gate_is_on_and_pending_writes_wait(demo: HermesHome) -> None:
    """The header would have nothing to count, and nothing would explain why."""
    config = load_config(demo)
    assert (config.state, config.notes, config.write_approval, config.skills_write_approval) == ("ok", (), True, True)
    assert "# " in demo.config_path.read_text()
    assert count_pending(demo) == (4, 1)


def test_one_pending_write_fits_one_does_not_and_one_says_nothing_new(demo: HermesHome) -> None:
    """Approving would always go the same way."""
    found = []
    for record in records(demo):
        payload = record["payload"]
        assert isinstance(payload, dict)
        view = look(demo, payload["target"])
        replacing = None
        if payload["action"] == "replace":
            entry = payload["matched_entry"]
            assert payload["old_text"] in entry
            replacing = EntryRef(view.store, view.texts.index(entry) + 1, entry)
        found.append((payload["action"], check_text(view, payload["content"], replacing=replacing).code))
    assert sorted(found) == [("add", ""), ("add", "duplicate"), ("add", "over_limit"), ("replace", "")]


def test_pending_writes_look_as_if_the_agent_had_queued_them(demo: HermesHome, tmp_path: Path) -> None:
    """Approving works on the agent's form; another form would be a demo of nothing."""
    other = HermesHome(tmp_path, "default", "--home")
    for path in [*demo.pending("memory").iterdir(), *demo.pending("skills").iterdir()]:
        record = json.loads(path.read_text("utf-8"))
        assert record["id"] == path.stem
        assert record["created_at"] == pytest.approx(path.stat().st_mtime)
        words = {"summary": record["summary"], "origin": record["origin"]}
        mirrored = other.pending(record["subsystem"]) / (
            stage(other, record["subsystem"], record["payload"], **words) + ".json"
        )
        theirs = json.loads(mirrored.read_text("utf-8"))
        changed = {"id": theirs["id"], "created_at": theirs["created_at"]}
        assert mirrored.read_text("utf-8") == json.dumps({**record, **changed}, indent=2, ensure_ascii=False)
        if record["subsystem"] == "memory":
            payload = {key: value for key, value in record["payload"].items() if key != "matched_entry"}
            assert record["summary"] == summary_of(demo, payload)


def summary_of(home: HermesHome, arguments: dict[str, str]) -> str:
    """The summary our own memory tool would queue these arguments under."""
    queued: list[str] = []

    def queue(_payload: Mapping[str, object], summary: str) -> str:
        queued.append(summary.strip())
        return "00000000"

    environ = {"HERMES_TUI_STATE_DIR": str(home.path / "state")}
    tool = MemoryTool(MemoryStore(home, load_config(home), environ=environ), DIALECTS["0.22"], queue)
    assert tool.call(arguments)["success"]
    return queued[0]


def test_a_pending_patch_matches_the_skill_it_is_about(demo: HermesHome) -> None:
    """It would fail on approval for no reason a person could see."""
    [path] = demo.pending("skills").iterdir()
    payload = json.loads(path.read_text("utf-8"))["payload"]
    skill = (demo.path / "skills" / payload["name"] / "SKILL.md").read_text("utf-8")
    assert skill.count(payload["old_string"]) == 1


def test_profiles_are_listed_and_show_the_states_the_home_does_not(demo: HermesHome) -> None:
    """A missing store and a file edited by hand could not be looked at."""
    default, personal, work = list_profiles(demo.path)
    assert (default.active, personal.name, work.name) == (True, "personal", "work")
    assert personal.description
    assert work.description
    assert not personal.note
    assert not work.note
    at_work = HermesHome(work.path, "work", "--profile")
    assert (look(at_work, "memory").state, look(at_work, "user").state) == ("ok", "missing")
    assert look(at_work, "memory").usage.limit == 1200
    at_home = HermesHome(personal.path, "personal", "--profile")
    assert (look(at_home, "memory").drift, look(at_home, "user").state) == (("spacing",), "ok")


def test_modes_are_the_ones_an_agent_leaves(tmp_path: Path) -> None:
    """Whatever the umask, a private home is private, and the queue is as open as the agent makes it."""
    before = os.umask(0o077)
    try:
        path = build(tmp_path / "home")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    for name, (data, mode, _) in tree(path).items():
        queue = name.startswith("pending")
        assert mode == ((0o644 if queue else 0o600) if data is not None else (0o755 if queue else 0o700)), name
    assert (path / "logs").is_dir()
    assert not (path / "active_profile").exists()


def test_ages_look_natural_and_name_files_that_are_there(tmp_path: Path) -> None:
    """Everything made this second would look like a demo, and a name mistyped in the table as well."""
    path = build(tmp_path / "home", now=NOW)
    for name, age in AGES_SECONDS.items():
        assert (path / name).stat().st_mtime == pytest.approx(NOW - age)
    files = [entry for entry in path.rglob("*") if entry.is_file()]
    assert all(60 < NOW - entry.stat().st_mtime < 60 * 86_400 for entry in files)


def test_the_same_call_makes_the_same_home(tmp_path: Path) -> None:
    """Pictures and snapshots made from it would differ from day to day."""
    first = tree(build(tmp_path / "home", now=NOW))
    shutil.rmtree(tmp_path / "home")
    assert tree(build(tmp_path / "home", now=NOW)) == first
    later = tree(build(tmp_path / "later", now=NOW + 60))
    assert {name: data for name, (data, *_) in later.items() if "pending" not in name and name != MARKER} == {
        name: data for name, (data, *_) in first.items() if "pending" not in name and name != MARKER
    }


def test_building_is_quick(tmp_path: Path) -> None:
    """`--demo` opens on it: the first frame would wait."""
    began = time.perf_counter()
    build(tmp_path / "home")
    assert time.perf_counter() - began < 1.0


def test_building_touches_nothing_but_the_directory_it_is_given(tmp_path: Path, isolated_machine: Path) -> None:
    """A demo that leaves something behind is not one."""
    build(tmp_path / "a" / "home")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["home"]
    assert tree(isolated_machine) == {}


def test_building_refuses_a_directory_that_holds_something(hermes_home: Path) -> None:
    """A real home is never built over."""
    before = tree(hermes_home)
    with pytest.raises(Refused):
        build(hermes_home)
    assert tree(hermes_home) == before


def test_a_place_that_cannot_be_written_is_said_in_a_sentence(tmp_path: Path) -> None:
    """A traceback is no answer."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(Unreadable, match="cannot be written"):
        build(tmp_path / "file" / "home")


def test_the_content_is_files_that_ship_with_the_package() -> None:
    """An installed program would have no demo."""
    assert CONTENT.is_relative_to(Path(build.__code__.co_filename).parent)
    assert {path.suffix for path in CONTENT.rglob("*") if path.is_file()} == {".md", ".yaml", ".json"}


def test_the_list_command_agrees(demo: HermesHome) -> None:
    """What scripts read of the demo is what the screen shows."""
    ran = CliRunner().invoke(cli, ["memory", "list", "--home", str(demo.path), "--json"], catch_exceptions=False)
    assert ran.exit_code == 0
    listed = json.loads(ran.stdout)["stores"]
    for shape, store in zip(listed, STORES, strict=True):
        view = look(demo, store)
        assert [entry["text"] for entry in shape["entries"]] == view.texts
        assert shape["usage"]["chars"] == view.usage.chars


# -- the simulated agent ---------------------------------------------------------------------------


def others(view: StoreView) -> list[str]:
    """The entries that are not the agent's own."""
    return [text for text in view.texts if text not in NOTES]


def test_the_agent_adds_changes_and_removes_its_own_entries_and_leaves_the_rest(demo: HermesHome) -> None:
    """The demo would wear out, or change what a person wrote there."""
    before = {store: look(demo, store) for store in STORES}
    agent = SimulatedAgent(demo.path)
    seen: set[str] = set()
    for _ in SCRIPT:
        assert agent.step()
        for store in STORES:
            view = look(demo, store)
            assert (view.state, view.usage.level) == ("ok", before[store].usage.level)
            assert others(view) == before[store].texts
            seen.update(view.texts)
    assert seen >= NOTES
    assert {store: look(demo, store).digest for store in STORES} == {store: before[store].digest for store in STORES}


def test_the_agent_never_grows_the_home_for_ever(demo: HermesHome) -> None:
    """A demo left open over night would fill up."""
    agent = SimulatedAgent(demo.path)
    for _ in range(3 * len(SCRIPT)):
        agent.step()
    assert count_pending(demo).memory == 5, "one proposal waits until somebody decides"
    newest = records(demo)[-1]
    assert newest["origin"] == "background_review"
    (demo.pending("memory") / f"{newest['id']}.json").unlink()
    for _ in SCRIPT:
        agent.step()
    assert count_pending(demo).memory == 5


def test_the_script_itself_passes_every_check(demo: HermesHome) -> None:
    """The agent would be seen to write what its own rules forbid."""
    assert 8 <= len(SCRIPT) <= 12
    for step in SCRIPT:
        texts = step.versions if isinstance(step, NoteStep) else (step.content,)
        for text in texts:
            assert not cached_scan(text)
            assert check_text(look(demo, step.store), text).ok
    kinds = {step.version if isinstance(step, NoteStep) else "propose" for step in SCRIPT}
    assert kinds >= {0, 1, 2, "propose"}


def test_the_agent_stops_at_the_limit(demo: HermesHome) -> None:
    """A full store stays as the person filled it."""
    store = MemoryStore(demo, load_config(demo))
    view = look(demo, "memory")
    store.add("memory", "x" * (view.usage.room - 20))
    digest = look(demo, "memory").digest
    agent = SimulatedAgent(demo.path, clock=lambda: time.time() + 3600)
    for _ in SCRIPT:
        agent.step()
        assert look(demo, "memory").digest == digest


def test_a_store_the_person_just_changed_is_left_alone_for_a_minute(demo: HermesHome) -> None:
    """Somebody trying out an edit would be interrupted by the demo itself."""
    MemoryStore(demo, load_config(demo)).add("memory", "Mine.")
    digest = look(demo, "memory").digest
    offset = 0.0
    agent = SimulatedAgent(demo.path, clock=lambda: time.time() + offset)
    assert not agent.step(), "the first step would add to MEMORY.md"
    assert look(demo, "memory").digest == digest
    assert agent.step(), "USER.md has not been touched"
    offset = 61.0
    for _ in SCRIPT[2:]:
        agent.step()
    assert agent.step()
    assert others(look(demo, "memory"))[-1] == "Mine."
    assert look(demo, "memory").digest != digest


def test_an_entry_of_the_agent_that_the_person_changed_is_the_persons(demo: HermesHome) -> None:
    """An edit in the demo would be overwritten."""
    agent = SimulatedAgent(demo.path, clock=lambda: time.time() + 3600)
    agent.step()
    store = MemoryStore(demo, load_config(demo))
    [added] = [text for text in look(demo, "memory").texts if text in NOTES]
    store.replace_match("memory", added, f"{added} Meet it at the side door.")
    for _ in range(2 * len(SCRIPT)):
        agent.step()
    assert f"{added} Meet it at the side door." in look(demo, "memory").texts


def test_the_persons_undo_never_takes_back_what_the_agent_wrote(demo: HermesHome) -> None:
    """u would surprise: it undoes one's own last change."""
    agent = SimulatedAgent(demo.path)
    agent.step()
    store = MemoryStore(demo, load_config(demo))
    with pytest.raises(NotFound):
        store.undo()
    store.add("user", "Mine.")
    agent.step()
    written = look(demo, "memory").texts
    store.undo()
    assert look(demo, "memory").texts == written
    assert "Mine." not in look(demo, "user").texts


def test_the_agent_touches_nothing_outside_the_home(demo: HermesHome, isolated_machine: Path) -> None:
    """A demo that writes elsewhere is a danger."""
    agent = SimulatedAgent(demo.path)
    for _ in SCRIPT:
        agent.step()
    assert [path.name for path in demo.path.parent.iterdir()] == ["home"]
    assert tree(isolated_machine) == {}
    assert (demo.path / JOURNAL).is_dir()


def test_the_agent_does_not_follow_a_link_out_of_the_home(demo: HermesHome, tmp_path: Path) -> None:
    """Somebody may link real memory into a demo to look at it."""
    real = tmp_path / "real"
    demo.memories.rename(real)
    demo.memories.symlink_to(real)
    shutil.move(demo.path / "pending", tmp_path / "queue")
    (demo.path / "pending").symlink_to(tmp_path / "queue")
    before = (tree(real), tree(tmp_path / "queue"))
    agent = SimulatedAgent(demo.path)
    for _ in SCRIPT:
        assert not agent.step()
    assert (tree(real), tree(tmp_path / "queue")) == before


@pytest.mark.parametrize("how", ["no marker", "a copy", "an empty marker", "a directory as marker"])
def test_only_a_home_that_was_built_there_has_an_agent(how: str, demo: HermesHome, tmp_path: Path) -> None:
    """A demo home copied over a real one, or a real one, is never written to."""
    path = demo.path
    if how == "a copy":
        path = Path(shutil.copytree(demo.path, tmp_path / "copy"))
    else:
        (path / MARKER).unlink()
        if how == "an empty marker":
            (path / MARKER).touch()
        elif how == "a directory as marker":
            (path / MARKER).mkdir()
    before = tree(path)
    assert not is_demo_home(path)
    with pytest.raises(Refused) as refusal:
        SimulatedAgent(path)
    assert refusal.value.code == "not_a_demo"
    with pytest.raises(Refused):
        start(HermesHome(path, "default", "--home"))
    assert tree(path) == before


def test_a_home_that_is_gone_is_not_made_again(demo: HermesHome) -> None:
    """The temporary directory would come back after it was cleaned up."""
    agent = SimulatedAgent(demo.path)
    agent.step()
    shutil.rmtree(demo.path)
    for _ in SCRIPT:
        with pytest.raises(Refused):
            agent.step()
    assert not demo.path.exists()


def wait_for(condition: Callable[[], bool]) -> None:
    """Until it holds; five seconds at most."""
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_the_agent_writes_by_itself_and_stops_when_told(demo: HermesHome) -> None:
    """The demo would stand still, or go on after the app has closed."""
    digest = look(demo, "memory").digest
    agent = SimulatedAgent(demo.path, first_pause=0.0, pauses=(0.0, 0.005))
    agent.start()
    wait_for(lambda: look(demo, "memory").digest != digest)
    began = time.monotonic()
    agent.stop()
    assert time.monotonic() - began < 0.2
    wait_for(lambda: not agent.running)
    before = tree(demo.path)
    time.sleep(0.03)
    assert tree(demo.path) == before


def test_stopping_does_not_wait_for_a_lock_held_by_the_person(demo: HermesHome) -> None:
    """Leaving the app in the middle of a write would hang."""
    agent = SimulatedAgent(demo.path, first_pause=0.0, pauses=(0.0, 0.0))
    with MemoryStore(demo, load_config(demo)).hold(STORES):
        agent.start()
        time.sleep(0.05)
        began = time.monotonic()
        agent.stop()
        assert time.monotonic() - began < 0.2
        wait_for(lambda: not agent.running)


def test_an_error_ends_the_agent_silently(demo: HermesHome, capfd: pytest.CaptureFixture[str]) -> None:
    """A traceback would be printed over the screen."""
    agent = SimulatedAgent(demo.path, first_pause=0.0, pauses=(0.0, 0.0))
    (demo.path / JOURNAL).write_text("in the way")
    agent.start()
    wait_for(lambda: not agent.running)
    assert capfd.readouterr() == ("", "")
    with pytest.raises(HermesTuiError):
        SimulatedAgent(demo.path).step()


def test_start_gives_back_what_ends_it(demo: HermesHome) -> None:
    """The app holds nothing but this function."""

    def running() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name == "simulated agent"]

    stop = start(demo)
    [thread] = running()
    assert thread.daemon
    before = tree(demo.path)
    stop()
    assert not running()
    assert tree(demo.path) == before, "nothing before the first pause is over"


def test_proposals_go_where_the_gate_sends_them() -> None:
    """The pending count in the header would never move by itself."""
    assert [step.store for step in SCRIPT if isinstance(step, ProposeStep)] == ["user"]
