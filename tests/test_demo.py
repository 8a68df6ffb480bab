"""The demo home and the simulated agent that writes to it."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

from hermes_tui.cli.main import cli
from hermes_tui.config import load_config
from hermes_tui.demo import build
from hermes_tui.demo.agent import JOURNAL, SimulatedAgent, start
from hermes_tui.demo.home import AGES_SECONDS, CONTENT, LOG, MARKER, SESSIONS, is_demo_home
from hermes_tui.demo.script import NoteStep, ProposeStep, read_script
from hermes_tui.errors import HermesTuiError, NotFound, Refused, Unreadable
from hermes_tui.home import HermesHome, list_profiles
from hermes_tui.memory.check import check_text
from hermes_tui.memory.editing import MemoryStore
from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.memory.tool_results import batch_summary, single_summary, staged
from hermes_tui.memory.view import StoreView, cached_scan, view_store
from hermes_tui.pending.decide import preview_all
from hermes_tui.pending.preview import Preview, Verdict
from hermes_tui.pending.queue import count_pending
from hermes_tui.pending.records import SKILL_ACTIONS, PendingRecord, list_records
from hermes_tui.pending.staging import stage
from hermes_tui.sessions.evidence import Evidence, find_evidence
from hermes_tui.text import visible

NOW = 1_800_000_000.0
SCRIPT = read_script()
NOTES = {text for step in SCRIPT if isinstance(step, NoteStep) for text in step.versions}


@pytest.fixture
def demo(tmp_path: Path) -> HermesHome:
    """A demo home, built just now."""
    return HermesHome(build(tmp_path / "place" / "home"), "default", "--home")


@pytest.fixture
def seen(tmp_path_factory: pytest.TempPathFactory) -> HermesHome:
    """A demo home that is only looked at: the same one for all."""
    if not _SEEN:
        _SEEN.append(HermesHome(build(tmp_path_factory.mktemp("seen") / "home"), "default", "--home"))
    return _SEEN[0]


_SEEN: list[HermesHome] = []


@cache
def queue_of(home: HermesHome) -> dict[str, Preview]:
    """What waits in a home that is only looked at."""
    return queue(home)


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


def queue(home: HermesHome) -> dict[str, Preview]:
    """What waits, by the name of the file."""
    found = preview_all(home, load_config(home), list_records(home))
    return {preview.record.path.name.removesuffix(".json"): preview for preview in found}


def profile(home: HermesHome, name: str) -> HermesHome:
    """One of the other profiles."""
    return HermesHome(home.path / "profiles" / name, name, "--profile")


def evidence(home: HermesHome, record: PendingRecord) -> Evidence | None:
    """The conversation that key c shows."""
    return find_evidence(home.state_db, record.id, record.created_at, from_review=record.from_review)


def rows(database: Path) -> list[tuple[object, ...]]:
    """Every row of a database, and how it is laid out; its bytes are up to the version of SQLite."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        found = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        for table in ("schema_version", "sessions", "messages"):
            found += connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
    connection.close()
    return found


# -- the home --------------------------------------------------------------------------------------


def test_memory_is_in_order_and_full_enough_to_be_worth_consolidating(seen: HermesHome) -> None:
    """The bar would not show its words."""
    view = look(seen, "memory")
    assert (view.state, view.canonical, view.usage.level) == ("ok", True, "hint")
    assert 88 <= view.usage.percent <= 93


def test_user_is_healthy(seen: HermesHome) -> None:
    """The other bar would not show a calm store."""
    view = look(seen, "user")
    assert (view.state, view.canonical, view.usage.level) == ("ok", True, "ok")
    assert 55 <= view.usage.percent <= 65
    assert not any(entry.blocked or entry.duplicate_of for entry in view.entries)


def test_memory_holds_entries_blocked_for_different_reasons(seen: HermesHome) -> None:
    """A class that newer agents let pass, joined emoji and Persian spelling would not be there to see."""
    found = [{(finding.id, finding.newer_pass) for finding in e.findings} for e in look(seen, "memory").entries]
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
def test_memory_shows(what: str, shown: Callable[[StoreView], bool], seen: HermesHome) -> None:
    """A state of the screen could only be seen by making it oneself."""
    assert shown(look(seen, "memory")), what


def test_no_text_needs_escaping_but_the_joiners(seen: HermesHome) -> None:
    """A stray control character in the demo would look like a fault of the screen."""
    for store in STORES:
        for entry in look(seen, store).entries:
            plain = entry.text.replace("\u200d", "").replace("\u200c", "").replace("\t", "")
            assert visible(plain) == plain


def test_the_gate_is_on_and_pending_writes_wait(demo: HermesHome) -> None:
    """The header would have nothing to count, and nothing would explain why."""
    config = load_config(demo)
    assert (config.state, config.notes, config.write_approval, config.skills_write_approval) == ("ok", (), True, True)
    assert "# " in demo.config_path.read_text()
    assert count_pending(demo) == (20, 9)


@pytest.mark.parametrize(
    ("what", "name", "verdict", "short"),
    [
        ("an addition", "3f9c1a2e", "applies", "applies"),
        ("a replacement, pinned", "e10b64f9", "applies", "applies"),
        ("a replacement, not pinned", "d47a90c3", "applies", "applies"),
        ("a patch, pinned", "7c5be812", "applies", "applies"),
        ("a removal, pinned", "f08d3e61", "applies", "applies"),
        ("a removal by a review", "e6730b5d", "applies", "applies"),
        ("an id that is not the file's name", "5d0e7b36", "applies", "applies"),
        ("what is there already", "c5e2907d", "duplicate", "duplicate"),
        ("what does not fit", "8b41d7c0", "over", "over by 337"),
        ("an entry that is not there", "64ab1f0e", "no_match", "no match"),
        ("two entries that match", "a93c5d17", "ambiguous", "2 matches"),
        ("an entry that has changed", "0e8b36da", "stale", "stale"),
        ("a batch with one bad operation", "b2d90f4c", "no_match", "no match"),
        ("a class that newer agents let pass", "58c7e1ab", "blocked", "blocked: ssh_access"),
        ("text that reads backwards", "c19f04be", "blocked", "blocked: invisible_unicode_U+202E"),
        ("a store that is none", "2fd81c97", "invalid", "invalid"),
        ("a file that is no JSON", "9c27ffa1", "invalid", "invalid"),
        ("a half-written file", "b81e44d0.json.tmp", "invalid", "invalid"),
        ("a new skill", "c84e29f1", "applies", "applies"),
        ("a skill rewritten", "4d6a0b92", "applies", "applies"),
        ("a skill patched", "a7d3380b", "applies", "applies"),
        ("a file of a skill written", "91f7c3de", "applies", "applies"),
        ("a file of a skill removed", "6e02d8a4", "applies", "applies"),
        ("a skill deleted", "d3b85f10", "applies", "applies"),
        ("several steps on skills", "0a5c9e73", "applies", "applies"),
        ("a passage that stands twice", "7fb4162d", "ambiguous", "2 matches"),
        ("a skill that is not there", "e92c50a8", "no_match", "skill not found"),
    ],
)
def test_the_queue_shows(what: str, name: str, verdict: Verdict, short: str, seen: HermesHome) -> None:
    """A state of the Pending screen could only be seen by waiting for an agent to get into it."""
    found = queue_of(seen)[name]
    assert (found.verdict, found.short) == (verdict, short), what


def test_every_verdict_there_is_occurs_in_the_demo(seen: HermesHome) -> None:
    """A new verdict would have nothing to be looked at with; two need a store that only another profile has."""
    homes = (seen, profile(seen, "personal"))
    assert {found.verdict for home in homes for found in queue(home).values()} == set(get_args(Verdict))


def test_every_kind_of_skill_write_can_be_approved(seen: HermesHome) -> None:
    """One of the seven previews could not be looked at."""
    found = [preview for preview in queue_of(seen).values() if preview.record.subsystem == "skills"]
    assert {preview.record.action for preview in found if preview.can_apply} == set(SKILL_ACTIONS)
    assert sum(not preview.can_apply for preview in found) == 2


def test_nothing_in_the_queue_hides_anything_else(seen: HermesHome) -> None:
    """A broken file that keeps others from the list is what some agents do."""
    found = queue_of(seen)
    assert len(found) == count_pending(seen).total, "what is listed is what is counted"
    problems = {name: preview.record.problem for name, preview in found.items() if preview.record.problem}
    assert set(problems) == {"9c27ffa1", "2fd81c97", "b81e44d0.json.tmp"}
    assert problems["9c27ffa1"] == "It is not JSON (line 11)."
    assert found["5d0e7b36"].record.body["id"] == "5d0e7b63"


def test_what_each_hard_case_is_about_can_be_seen(seen: HermesHome) -> None:
    """A verdict alone explains little: the entries that are alike, the characters that hide, the ×2."""
    found = queue_of(seen)
    printer = next(text for text in look(seen, "memory").texts if text.startswith("The printer"))
    assert found["64ab1f0e"].closest == (printer,)
    assert "Press kit" in found["0e8b36da"].closest[0]
    assert len(found["b2d90f4c"].steps) == 2, "the third of three fails"
    assert "Operation 3" in found["b2d90f4c"].reason
    hidden = found["c19f04be"].after or ""
    assert "\x1b[1m" in hidden
    assert "\u202e" in hidden
    assert visible(hidden) != hidden
    assert found["58c7e1ab"].only_newer_pass
    assert not found["c19f04be"].only_newer_pass
    first, second = found["1b6f72d4"].record, found["92e0c85f"].record
    assert first.payload == second.payload
    assert (first.from_review, second.from_review) == (False, True)


def test_ages_in_the_queue_reach_from_minutes_to_three_weeks(demo: HermesHome) -> None:
    """Sorting and filtering by age would have nothing to tell apart."""
    ages = sorted(time.time() - (preview.record.created_at or 0) for preview in queue(demo).values())
    assert ages[0] < 3_600
    assert ages[-1] == pytest.approx(21 * 86_400, abs=60)
    assert sum(age > 7 * 86_400 for age in ages) > 5


def test_pending_writes_look_as_if_the_agent_had_queued_them(demo: HermesHome, tmp_path: Path) -> None:
    """Approving works on the agent's form; another form would be a demo of nothing."""
    other = HermesHome(tmp_path, "default", "--home")
    homes = (demo, profile(demo, "personal"))
    for record in [preview.record for home in homes for preview in queue(home).values() if preview.record.body]:
        assert record.created_at == pytest.approx(record.path.stat().st_mtime)
        pending_id = stage(
            other, record.subsystem, record.payload, summary=record.summary, origin=record.body["origin"]
        )
        mirrored = json.loads((other.pending(record.subsystem) / f"{pending_id}.json").read_text("utf-8"))
        changed = {"id": record.body["id"], "created_at": record.body["created_at"]}
        staged_bytes = json.dumps({**mirrored, **changed}, indent=2, ensure_ascii=False).encode()
        assert record.path.read_bytes() == staged_bytes
        if record.subsystem == "memory":
            assert record.summary in summaries(record), record.id


def summaries(record: PendingRecord) -> set[str]:
    """The lines that either agent may have put over a memory write."""
    store: StoreName = record.store or "memory"
    if record.action == "batch":
        return {batch_summary(store, record.operations).strip()}
    [operation] = record.operations or [None]
    content, old_text = (operation.content, operation.old_text) if operation else (str(record.payload["content"]), "")
    return {
        *(single_summary(store, record.action, content, old_text, whole=whole) for whole in (True, False)),
        f"background review consolidation ({record.action} on {store}): - {record.action}: {old_text}",
    }


def test_a_chosen_write_is_named_in_a_session(demo: HermesHome) -> None:
    """Key c would have no conversation to show."""
    record = queue(demo)["3f9c1a2e"].record
    found = evidence(demo, record)
    assert found is not None
    assert (found.certainty, found.title) == ("exact", "Before the holiday in April")
    assert [turn.role for turn in found.turns] == ["user", "assistant", "user", "assistant", "tool"]
    assert found.turns[2].text == "Rui does. Remember that, please."
    assert json.loads(found.turns[-1].text) == staged(record.id)
    assert found.turns[-1].timestamp == pytest.approx(record.created_at)


def test_a_removal_by_a_review_follows_a_conversation_it_is_likely_about(demo: HermesHome) -> None:
    """The other label of the dialog could not be seen."""
    record = queue(demo)["e6730b5d"].record
    assert record.from_review
    assert record.summary.startswith("background review consolidation (")
    found = evidence(demo, record)
    assert found is not None
    assert (found.certainty, found.title, len(found.turns)) == ("likely", "Autumn exhibition", 6)
    assert any("floor plan" in turn.text for turn in found.turns)


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
    assert (look(at_work, "user").enabled, look(at_home, "user").enabled) == (True, False)
    assert load_config(at_home).notes == ()


def test_modes_are_the_ones_an_agent_leaves(tmp_path: Path) -> None:
    """Whatever the umask, a private home is private, and the queue is as open as the agent makes it."""
    before = os.umask(0o077)
    try:
        path = build(tmp_path / "home")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    for name, (data, mode, _) in tree(path).items():
        queued = "pending" in name.split("/")
        assert mode == ((0o644 if queued else 0o600) if data is not None else (0o755 if queued else 0o700)), name
    assert (path / LOG).is_file()
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

    def made() -> dict[str, object]:
        path = build(tmp_path / "home", now=NOW)
        found: dict[str, object] = {**tree(path), SESSIONS: rows(path / SESSIONS)}
        shutil.rmtree(path)
        return found

    first = made()
    assert made() == first
    later = tree(build(tmp_path / "later", now=NOW + 60))

    def lasting(found: Mapping[str, object]) -> set[str]:
        return {name for name in found if "pending" not in name and name not in (MARKER, SESSIONS, LOG)}

    assert lasting(first) == lasting(later)
    for name in lasting(first):
        assert isinstance(before := first[name], tuple)
        assert before[0] == later[name][0]


def test_building_is_quick(tmp_path: Path) -> None:
    """`--demo` opens on it: the first frame would wait."""
    seconds = []
    for name in ("a", "b", "c"):
        began = time.process_time()
        build(tmp_path / name)
        seconds.append(time.process_time() - began)
    assert min(seconds) < 0.25


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
    assert {path.suffix for path in CONTENT.rglob("*") if path.is_file()} == {".md", ".yaml", ".json", ".tmp"}


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
    before = count_pending(demo).memory
    agent = SimulatedAgent(demo.path)
    for _ in range(3 * len(SCRIPT)):
        agent.step()
    assert count_pending(demo).memory == before + 1, "one proposal waits until somebody decides"
    newest = list_records(demo)[-1]
    assert newest.origin == "background_review"
    newest.path.unlink()
    for _ in SCRIPT:
        agent.step()
    assert count_pending(demo).memory == before + 1


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
    store.edit(store.find_entry("memory", added), f"{added} Meet it at the side door.")
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
