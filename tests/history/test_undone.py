"""What was changed here and taken back here: the log tells both, and an entry with its old words has its old story."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from hermes_tui.cli.main import cli
from hermes_tui.config import load_config
from hermes_tui.history.blame import Blame, story_of
from hermes_tui.history.changes import By, Change, Kind
from hermes_tui.history.finished import parts_of, pasts_from
from hermes_tui.history.history import Timeline
from hermes_tui.history.taken_back import seen_through
from hermes_tui.home import resolve_home
from hermes_tui.memory.across import send
from hermes_tui.memory.editing import MemoryStore
from hermes_tui.memory.entries import StoreName
from hermes_tui.pending.records import list_records
from hermes_tui.pending.review import Review
from hermes_tui.ui.timeline.line import line_of
from hermes_tui.ui.timeline.story import facts, since_words, story
from hermes_tui.ui.timeline.words import by_words, row_by
from tests.history.conftest import Lives
from tests.history.life import DAY, START, Life

TEA = "Tea is at five"
MILK = "Milk goes in first"


@pytest.fixture
def life(live: Lives) -> Life:
    """A life in which the agent has written two entries."""
    made = live("0.22")
    made.session("a")
    made.add("a", TEA)
    made.add("a", MILK)
    made.wait(DAY)
    made.session("b")
    made.save()
    return made


@pytest.fixture
def store(life: Life) -> Review:
    """Its memory and its queue, as the person changes them."""
    return Review(life.home, load_config(life.home))


def told(life: Life) -> Timeline:
    """The timeline of what is on disk."""
    return life.history().timeline(life.views())


def ours(timeline: Timeline) -> list[tuple[str, str]]:
    """What the rows say of who made each change since the agent's own."""
    return [(change.kind, row_by(change)) for change in timeline.changes() if change.by != "tool call"]


def stories(life: Life, timeline: Timeline) -> dict[tuple[StoreName, str], Blame]:
    """The story of each entry on disk."""
    return {(each.store, each.text): each for each in timeline.blame(life.views())}


def edit(store: Review) -> None:
    """An entry gets other words."""
    store.edit(store.find_entry("memory", TEA), "Tea is at six")


def remove(store: Review) -> None:
    """An entry is deleted."""
    store.remove([store.find_entry("memory", TEA)])


def move(store: Review) -> None:
    """It goes to the other store."""
    store.move([store.find_entry("memory", TEA)], "user")


def merge(store: Review) -> None:
    """Two become one."""
    refs = [store.find_entry("memory", text) for text in (TEA, MILK)]
    store.merge(refs, f"{TEA}. {MILK}.")


def approve(store: Review) -> None:
    """A pending write is approved that would edit it."""
    folder = store.home.path / "pending" / "memory"
    folder.mkdir(parents=True)
    payload = {"action": "replace", "target": "memory", "old_text": "at five", "content": "Tea is at six"}
    record = {"id": "8529eaff", "subsystem": "memory", "action": "replace", "summary": "tea", "origin": "foreground",
              "created_at": START, "payload": payload}  # fmt: skip
    (folder / "8529eaff.json").write_text(json.dumps(record))
    store.approve(list_records(store.home))


WAYS = {"edit": edit, "remove": remove, "move": move, "merge": merge, "approve": approve}


@pytest.mark.parametrize("way", WAYS)
def test_an_entry_has_its_old_story_when_what_was_done_to_it_is_taken_back(way: str, life: Life, store: Review) -> None:
    """Its card would say that it was edited today, though it has the words that the agent gave it a year ago."""
    before = stories(life, told(life))
    WAYS[way](store)
    made = told(life)
    after = stories(life, made)
    store.undo()
    back = told(life)
    assert stories(life, back) == before
    assert since_words(before["memory", TEA].last) == "since 2023-11-14 · tool call"
    assert len(back.changes()) == len(made.changes()) * 2 - 2, "both stay in the log"
    assert {words.partition(",")[0] for _, words in ours(back)} == {
        "approved here" if way == "approve" else "edited here",
        "taken back here",
    }
    assert [change.taken_back for change in back.changes()] == [
        change.by in ("edited here", "approved here") for change in back.changes()
    ]
    store.redo()
    again = told(life)
    assert stories(life, again) == after
    assert not any(change.taken_back for change in again.changes())
    assert again.changes()[-1].by == "made again here"
    store.undo()
    assert stories(life, told(life)) == before
    assert [change.taken_back for change in told(life).changes()[2:]].count(False) == len(made.changes()) * 2 - 4


def test_the_rows_tell_what_happened(life: Life, store: Review) -> None:
    """Two rows would say that it was edited here, and none that one of them was undo."""
    edit(store)
    store.undo()
    assert ours(told(life)) == [("edit", "edited here, taken back"), ("edit", "taken back here")]
    store.redo()
    timeline = told(life)
    assert ours(timeline) == [("edit", "edited here"), ("edit", "taken back here"), ("edit", "made again here")]
    kept = pasts_from({name: json.dumps(part).encode() for name, part in parts_of(timeline.pasts).items()})
    assert kept is not None
    assert {name: past.changes for name, past in kept.items()} == {
        name: past.changes for name, past in timeline.pasts.items()
    }


def test_what_took_an_approval_back_is_no_approval_and_leads_to_no_message(life: Life, store: Review) -> None:
    """Taking it back would read as if the person had approved it twice."""
    staged = {"success": True, "staged": True, "pending_id": "8529eaff"}
    life.call("b", {"action": "replace", "target": "memory", "old_text": "at five", "content": "Tea is at six"}, staged)
    approve(store)
    store.undo()
    first, second = told(life).changes()[-2:]
    assert (first.by, first.session_id, first.taken_back) == ("approved here", "b", True)
    assert (second.by, second.session_id, second.taken_back) == ("taken back here", "", False)
    life.file("memory").write_text(f"Tea is at six\n§\n{MILK}")
    last = told(life).changes()[-1]
    assert (last.by, last.certainty, last.session_id) == ("approved elsewhere", "likely", "b"), "it waited again"


def test_the_story_of_what_was_added_and_taken_back_is_told(life: Life, store: Review) -> None:
    """A row of the timeline would have no story."""
    store.add("memory", "Cake on Sundays")
    store.undo()
    timeline = told(life)
    views = life.views()
    found = story(timeline, line_of(timeline, ()), views, "memory", "Cake on Sundays")
    assert [by_words(step) for step in found.steps] == ["taken back here", "edited here, taken back since"]
    old = story(timeline, line_of(timeline, ()), views, "memory", TEA)
    assert facts(old)[0] == f"Came {facts(old)[0].split(' ', 1)[1]}"
    assert [step.by for step in old.steps] == ["tool call"]


def test_a_change_made_meanwhile_keeps_its_place_in_the_story(life: Life, store: Review) -> None:
    """What another did to the entry would be forgotten with what was taken back."""
    edit(store)
    store.edit(store.find_entry("memory", MILK), "Milk goes in last")
    store.undo()
    store.undo()
    assert [by for _, by in ours(told(life))] == [
        *("edited here, taken back", "edited here, taken back", "taken back here", "taken back here"),
    ]
    edit(store)
    found = stories(life, told(life))
    assert [step.by for step in found["memory", "Tea is at six"].story] == ["edited here", "tool call"]
    assert found["memory", MILK].by == "tool call"


def test_only_what_is_taken_back_word_for_word_is_seen_through() -> None:
    """A change would vanish of which something is left."""

    def one(at: float, before: str, after: str, **more: str) -> Change:
        by = "taken back here" if "about" in more else "edited here"
        return Change("memory", "edit", before, after, at, at, by, "exact", **more)  # type: ignore[arg-type]

    made = one(1, "a", "b", record_id="x")
    assert seen_through([made, one(2, "b", "a", record_id="y", about="x")]) == []
    other = [made, one(2, "b", "c", record_id="y", about="x")]
    assert seen_through(other) == other
    lost = [one(2, "b", "a", record_id="y", about="gone")]
    assert seen_through(lost) == lost
    assert seen_through([made]) == [made]


def test_what_was_done_to_an_entry_before_it_was_made_again_is_told_with_all_of_it() -> None:
    """The agent would be named as the author of an entry that it has removed."""

    def one(at: float, kind: Kind, by: By, **more: str) -> Change:
        before, after = ("", "b") if kind == "add" else ("b", "")
        return Change("memory", kind, before, after, at, at, by, "exact", **more)  # type: ignore[arg-type]

    made, back = one(1, "add", "edited here", record_id="x"), one(2, "remove", "taken back here", about="x")
    again = one(5, "add", "made again here", about="x")
    assert seen_through([made, back, again]) == [made]
    whole = [made, back, one(3, "add", "tool call"), one(4, "remove", "tool call"), again]
    assert seen_through(whole) == whole
    assert story_of("memory", "b", seen_through(whole))[0] is again


def test_what_is_restored_after_its_coming_was_taken_back_was_never_gone(life: Life, store: Review) -> None:
    """Its story would say that it was gone, and tell of no going."""
    store.add("memory", "Cake on Sundays")
    store.undo()
    store.add("memory", "Cake on Sundays")
    timeline = told(life)
    assert timeline.changes()[-1].back
    found = stories(life, timeline)["memory", "Cake on Sundays"]
    assert (found.by, found.back_since, found.sessions_since, len(found.story)) == ("edited here", None, None, 1)


@pytest.fixture
def work(life: Life) -> MemoryStore:
    """Another profile of the same home."""
    path = life.home.path / "profiles" / "work"
    (path / "memories").mkdir(parents=True)
    (path / "config.yaml").write_text("{}\n")
    home = resolve_home(home=str(path))
    found = MemoryStore(home, load_config(home))
    found.add("memory", "Stand-up is at nine")
    return found


def words_of(home: Path, *command: str) -> str:
    """What the command line says."""
    result = CliRunner().invoke(cli, [*command, "--home", str(home)])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("keep", [True, False])
def test_an_entry_of_another_profile_says_where_it_came_from(
    keep: bool, life: Life, store: Review, work: MemoryStore
) -> None:
    """It would be told as the person's own words."""
    send(work, [work.find_entry("memory", "nine")], store, keep=keep)
    blame = stories(life, told(life))["memory", "Stand-up is at nine"]
    assert blame.last is not None
    way = "copied here" if keep else "moved here"
    assert (blame.by, row_by(blame.last)) == (way, f"{way} from work")
    store.undo()
    assert ours(told(life)) == [("add", f"{way} from work, taken back"), ("remove", "taken back here")]


def test_an_entry_that_left_says_where_it_went(life: Life, store: Review, work: MemoryStore) -> None:
    """It would be told as deleted."""
    send(store, [store.find_entry("memory", TEA)], work, keep=False)
    assert ours(told(life)) == [("remove", "moved to work")]


def test_the_command_line_tells_the_same(life: Life, store: Review, work: MemoryStore) -> None:
    """A script would count a change that does not stand."""
    edit(store)
    store.undo()
    send(work, [work.find_entry("memory", "nine")], store, keep=True)
    home = life.home.path
    changes: Sequence[dict[str, object]] = json.loads(words_of(home, "history", "log", "--json"))["changes"]
    rows = {(change["by"], change["taken_back"], change["profile"]) for change in changes}
    assert rows == {
        ("tool call", False, None),
        ("edited here", True, None),
        ("taken back here", False, None),
        ("copied here", False, "work"),
    }
    log = words_of(home, "history", "log")
    assert "edited here, taken back since\n" in log
    assert "taken back here\n" in log
    blame = words_of(home, "history", "blame")
    assert " copied here from work · 0 sessions" in blame
    assert "taken back" not in blame
