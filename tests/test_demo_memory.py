"""What the demo home tells of its memory: two years that history can put together again, without a gap."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from hermes_tui.config import load_config
from hermes_tui.demo import build
from hermes_tui.demo.conversations import Conversation, read_conversations
from hermes_tui.demo.home import AGES_SECONDS, LOG
from hermes_tui.demo.remembering import STORY, prompts, remember
from hermes_tui.history.blame import Blame
from hermes_tui.history.changes import Change
from hermes_tui.history.exposure import exposures
from hermes_tui.history.history import History, Timeline
from hermes_tui.history.usage import curve, full_in_days
from hermes_tui.home import HermesHome
from hermes_tui.memory.editing import MemoryStore
from hermes_tui.memory.entries import FILE_NAMES, STORES, StoreName, Usage, count, unique
from hermes_tui.memory.prompt import block_of, parse_blocks, sanitized
from hermes_tui.memory.view import StoreView, view_store
from hermes_tui.pending.records import list_records
from hermes_tui.sessions.database import Database

DAY = 86_400.0
NOTHING_SAID = ("ghost-1", "ghost-2", "ghost-3", "ghost-4", "ghost-5", "ghost-6", "ghost-7")


@dataclass(frozen=True)
class Told:
    """A demo home and what history makes of it."""

    home: HermesHome
    now: float
    talks: dict[str, Conversation]
    history: History
    timeline: Timeline
    views: dict[StoreName, StoreView]

    def changes(self, text: str) -> list[Change]:
        """The changes to or from an entry with these words."""
        return [change for change in self.timeline.changes() if text in change.before or text in change.after]

    def blame(self, start: str) -> Blame:
        """The story of an entry of today."""
        found = self.timeline.blame(self.views.values())
        return next(each for each in found if each.text.startswith(start))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """A demo home that nobody writes to, and its history."""
    place, now = tmp_path_factory.mktemp("told"), time.time()
    home = HermesHome(build(place / "home", now=now), "default", "--home")
    config = load_config(home)
    views = {store: view_store(home, config, store) for store in STORES}
    history = History(place / "data", home.logs)
    with Database(home.state_db) as base:
        for _ in history.read(base):
            pass
    talks = {talk.key: talk for talk in read_conversations(now)}
    return Told(home, now, talks, history, history.timeline(views.values()), views)


def stored(home: HermesHome) -> dict[str, tuple[str, str | None]]:
    """The source and the prompt of every session."""
    with sqlite3.connect(f"file:{home.state_db}?mode=ro", uri=True) as connection:
        rows = connection.execute("SELECT id, source, system_prompt FROM sessions").fetchall()
    connection.close()
    return {id: (source, prompt) for id, source, prompt in rows}


# -- the prompts -----------------------------------------------------------------------------------


def test_every_session_in_which_something_was_said_has_its_prompt(told: Told) -> None:
    """The timeline would have holes, or a run without memory would seem to have had some."""
    found = stored(told.home)
    assert {id for id, (_, prompt) in found.items() if prompt is None} == {told.talks[key].id for key in NOTHING_SAID}
    for source, prompt in found.values():
        blocks = list(parse_blocks(prompt or ""))
        if prompt is None or source in ("cron", "subagent", "tool"):
            assert not blocks
            continue
        assert all(block.complete and block.framed for block in blocks)
        assert [block.store for block in blocks] == [store for store in STORES if store in {b.store for b in blocks}]
        assert all(block.usage.limit == (2200 if block.store == "memory" else 1375) for block in blocks)
        assert re.search(r"\n\nConversation started: \w+day, [A-Z]\w+ \d\d, 20\d\d\nModel: \S+\nProvider: \w+$", prompt)


def test_the_latest_prompt_is_what_the_agent_would_have_built(told: Told) -> None:
    """A reader of prompts that works on the demo would fail on a real home."""
    [(_, prompt)] = [row for id, row in stored(told.home).items() if id == told.talks["april-holiday"].id]
    blocks = {block.store: block for block in parse_blocks(prompt or "")}
    user = blocks["user"]
    assert prompt is not None
    assert prompt[user.start : user.end] == block_of(told.views["user"], "0.19")
    here = unique(told.views["memory"].texts)
    assert list(blocks["memory"].entries) == [sanitized("MEMORY.md", text, "0.19") for text in here[:-1]]


def test_notes_stand_for_blocked_entries_once_the_agent_scans(told: Told) -> None:
    """Exposure would never end, or never have begun."""
    since: dict[str, list[float]] = {"notes": [], "words": []}
    for talk in told.talks.values():
        block = told.timeline.told.get(talk.id, {}).get("memory")
        for text in block.entries if block else ():
            if text.startswith("[BLOCKED: MEMORY.md entry contained threat pattern(s): ssh_access."):
                since["notes"].append(talk.started_at)
            elif "~/.ssh/museum_web" in text:
                since["words"].append(talk.started_at)
    assert max(since["words"]) < min(since["notes"])
    assert 90 < (told.now - min(since["notes"])) / DAY < 120


# -- what history says of it -----------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
def test_history_finds_what_was_there_at_every_time(store: StoreName, told: Told) -> None:
    """A prompt that contradicts the conversations would make the story doubtful."""
    past = told.timeline.pasts[store]
    assert not past.stale
    made = remember(list(told.talks.values()), told.now)
    # What held only until the next call is not seen by any session, and of the first nothing tells what was before.
    assert sum(not state.certain for state in past.states) * 3 <= len(past.states)
    for talk in told.talks.values():
        block = told.timeline.told.get(talk.id, {}).get(store)
        if block is None:
            continue
        state = told.timeline.state(store, talk.messages[0].at)
        assert state is not None
        shown = [sanitized(FILE_NAMES[store], text, "0.19") for text in unique(state.entries)]
        assert list(block.entries) in (shown, unique(state.entries)), talk.key
        assert unique(state.entries) == unique(made.at(talk.started_at)[store])
    assert unique(past.states[-1].entries) == unique(told.views[store].texts)
    assert list(made.at(told.now)[store]) == told.views[store].texts, "repeats and order, too"


def test_every_change_has_its_author_or_is_one_of_four_that_nobody_recorded(told: Told) -> None:
    """A gap in the story would look like somebody else's hand."""
    changes = told.timeline.changes()
    assert len(changes) > 60
    assert all(change.since is not None for change in changes)
    by = {kind: [change for change in changes if change.by == kind] for kind in {change.by for change in changes}}
    unknown = by["outside edit or unknown"]
    starts = [(change.store, change.kind, (change.after or change.before)[:12]) for change in unknown]
    assert starts == [
        ("memory", "edit", "Backups are "),
        ("memory", "edit", "The printer "),
        ("memory", "remove", "Room 1 is ke"),
        ("user", "remove", "Practises th"),
    ]
    assert all(change.certainty == "exact" and change.message_id for change in by["tool call"])
    assert all(change.session_id for change in changes if change.by != "outside edit or unknown")


def test_a_change_by_a_background_review_is_said_to_be_likely(told: Told) -> None:
    """The author that leaves no message could not be seen."""
    [change] = [change for change in told.timeline.changes() if change.by == "background review"]
    assert (change.kind, change.certainty) == ("edit", "likely")
    assert change.after.endswith("and is renewed in October.")
    assert change.session_id == told.talks["insurance-sum"].id


def test_writes_that_were_staged_and_approved_elsewhere_name_their_session(told: Told) -> None:
    """What the agent's own command line approves would look like an outside edit."""
    found = [change for change in told.timeline.changes() if change.by == "approved elsewhere"]
    sessions = [told.talks[key].id for key in ("page-typo", "press-noa", "calendar-house", "loan-letter-aloud")]
    assert [change.session_id for change in found] == sessions
    assert {change.certainty for change in found} == {"likely"}
    waiting = {record.id for record in list_records(told.home)}
    approved = [entry for entry in json.loads(STORY.read_text("utf-8"))["unseen"] if "approves" in entry]
    assert not waiting & {entry["approves"] for entry in approved}


def test_an_entry_that_matters_was_removed_a_year_ago_and_can_come_back(told: Told) -> None:
    """There would be nothing to restore."""
    gone = [ever for ever in told.timeline.ever() if "passphrase" in ever.text and ever.until is not None]
    newest = gone[0]
    assert 350 < (told.now - (newest.until or 0)) / DAY < 380
    assert newest.sessions > 30
    [removed] = [change for change in told.changes("passphrase") if change.kind == "remove"]
    assert (removed.by, removed.session_id) == ("tool call", told.talks["year-of-notes"].id)
    asked = told.talks["passphrase"].messages[0].content
    assert "frase-passe" in asked, "and it is missed"
    home = HermesHome(build(told.home.path.parent / "restored"), "default", "--home")
    outcome = MemoryStore(home, load_config(home)).add("memory", newest.text)
    assert not outcome.already


@pytest.mark.parametrize(
    ("what", "start", "holds"),
    [
        ("edited several times", "The spring exhibition", lambda story: len(story) >= 4),
        ("moved from the other store", "The spring exhibition", lambda story: {c.store for c in story} == set(STORES)),
        (
            "merged from two",
            "The floor plan",
            lambda story: [c.kind for c in story] == ["add", "remove", "add"] and story[0].message_id > 0,
        ),
        ("unchanged for two years", "Wants the answer first", lambda story: len(story) == 1),
        ("changed by hand", "The printer", lambda story: story[0].certainty == "unknown" and len(story) == 3),
        ("of the last minutes", "Loan letters", lambda story: len(story) == 1),
    ],
)
def test_an_entry_was(what: str, start: str, holds: Callable[[tuple[Change, ...]], bool], told: Told) -> None:
    """A kind of story could not be looked at."""
    assert holds(told.blame(start).story), what


def test_every_entry_of_today_has_a_story_with_a_beginning(told: Told) -> None:
    """Somebody who asks where a line comes from would get no answer."""
    for blame in told.timeline.blame(told.views.values()):
        assert blame.first is not None, blame.text
        assert (blame.first.kind, blame.first.by) in {("add", "tool call"), ("add", "approved elsewhere")}, blame.text
        assert blame.sessions or blame.text.startswith("Loan letters")


def test_memory_fills_up_with_a_trend(told: Told) -> None:
    """The chart would have no line to go on with."""
    points = curve(told.timeline.pasts["memory"].states)
    days = full_in_days(points, told.views["memory"].usage.limit, told.now)
    assert days is not None
    assert 15 < days < 90
    assert max(chars for _, chars in points) > 2100, "it was full before, and was thinned out"


def test_sessions_ran_with_a_text_that_is_blocked_today(told: Told) -> None:
    """Exposure would be an empty list; one of them is over, and was an attempt on the agent."""
    found = {each.text.split()[0]: each for each in exposures(told.history.index)}
    assert set(found) == {"Spam", "Publish", "Family", "برچسب\u200cهای"}
    spam = found["Spam"]
    assert spam.findings == ("prompt_injection",)
    assert 5 <= len(spam.session_ids) <= 20
    assert 190 < (told.now - (spam.until or 0)) / DAY < 205
    [removed] = [change for change in told.changes("Spam in the newsletter") if change.kind == "remove"]
    assert removed.session_id == told.talks["odd-note"].id


def test_the_session_that_goes_on_runs_on_an_older_block(told: Told) -> None:
    """Drift could only be seen by waiting for it."""
    live = told.talks["case-b2"]
    assert live.ended_at is None
    entries = told.timeline.told[live.id]["memory"].entries
    assert len(unique(told.views["memory"].texts)) - len(entries) == 1
    assert live.started_at < told.now - AGES_SECONDS["memories/MEMORY.md"] < told.now


def test_files_are_as_old_as_what_changed_them_last() -> None:
    """A file that is newer than its last change would mean another change."""
    unseen = json.loads(STORY.read_text("utf-8"))["unseen"]
    by_id = {entry["approves"]: entry["when"] for entry in unseen if "approves" in entry}
    assert (by_id["17e5c93b"], AGES_SECONDS["memories/MEMORY.md"]) == ("12m", 12 * 60)
    assert (by_id["c4f80e62"], AGES_SECONDS["memories/USER.md"]) == ("2d 3h", 51 * 3600)


# -- how it is made --------------------------------------------------------------------------------


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/New_York"])
@pytest.mark.parametrize("day", range(0, 14, 4))
def test_the_agent_is_told_the_right_numbers_whenever_and_wherever_it_is_made(
    day: int, zone: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """An answer that names another length than the store had would make what follows doubtful."""
    request.addfinalizer(time.tzset)
    monkeypatch.setenv("TZ", zone)
    request.addfinalizer(monkeypatch.undo)
    time.tzset()
    now = 1_800_000_000.0 + day * DAY + day * 3_600
    talks = read_conversations(now)
    made = remember(talks, now)
    answered = 0
    for talk in talks:
        for message in talk.messages:
            result: dict[str, Any] = json.loads(message.content) if message.tool_name == "memory" else {}
            if "entry_count" in result:
                entries = unique(made.at(message.at)[result["target"]])
                usage = Usage(count(entries), 2200 if result["target"] == "memory" else 1375)
                assert (result["usage"], result["entry_count"]) == (usage.agent_label, len(entries)), talk.key
                answered += 1
    assert answered > 50
    assert prompts(talks, made, now) == prompts(talks, remember(talks, now), now)


def test_the_log_has_one_review_that_wrote_and_one_for_each_write_of_theirs_that_waits(told: Told) -> None:
    """The tool calls of a person's own turns would be taken for a review's."""
    lines = (told.home.path / LOG).read_text("utf-8").splitlines()
    assert all(re.match(r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} INFO (\[\w+\] )?[\w.]+: ", line) for line in lines)
    assert lines == sorted(lines, key=lambda line: line[:23])
    waiting = sum("background_review" in path.read_text() for path in (told.home.path / "pending").glob("*/*.json"))
    assert waiting > 5
    assert sum("thread=bg-review:" in line and "created" in line for line in lines) == 1 + waiting
    assert sum("msg='Review the conversation above" in line for line in lines) == 1 + waiting
    assert sum("tool memory completed" in line for line in lines) > 10


def test_the_database_stays_small(told: Told) -> None:
    """The demo would take its time to be made and thrown away."""
    assert told.home.state_db.stat().st_size < 3_500_000
