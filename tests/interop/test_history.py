"""Sessions that real agents run, with everything that can change a memory: the timeline tells it as it was."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hermes_tui.config import load_config
from hermes_tui.history.changes import By, Certainty, Kind
from hermes_tui.history.history import History, Timeline
from hermes_tui.home import data_dir, resolve_home
from hermes_tui.memory.entries import FILE_NAMES, STORES, StoreName, join, parse
from hermes_tui.memory.view import view_store
from hermes_tui.sessions.database import Database
from tests.interop.conftest import JsonLines, environment, python_of
from tests.interop.model_server import ModelServer, order

DRIVER = Path(__file__).with_name("peers") / "drive_agent.py"
EDIT = {"0.19": "replace", "0.22": "patch"}
LONG = "It rained all day. " * 2_500
"""So long that a compaction is worth it."""
LONG_TURNS = 4
PAUSE_SECONDS = 0.03
"""Between two steps, so that no two have the same time."""
REVIEWED_AFTER = 3
"""Turns without a call of the tool after which the agent goes over a session."""


class Seen(NamedTuple):
    """A change as it should be told."""

    store: StoreName
    kind: Kind
    before: str
    after: str
    by: By
    certainty: Certainty
    session: str


@dataclass(frozen=True)
class Step:
    """What the stores held after something was done."""

    at: float
    stores: Mapping[StoreName, tuple[str, ...]]
    hidden: frozenset[StoreName]
    """Those that somebody has changed without a trace, with nothing yet that shows it."""


class Life:
    """A home in which an agent lives, and everything that has happened there."""

    def __init__(self, line: str, path: Path, start: Callable[[str, Path], JsonLines], user_home: Path) -> None:
        self.line = line
        self.path = path
        self.home = resolve_home(home=str(path))
        self.config = load_config(self.home)
        self.model = ModelServer()
        self.steps: list[Step] = []
        self.told: list[Seen] = []
        self.session = ""
        self.hidden: set[StoreName] = set()
        self._start = start
        self._environ = environment(user_home, path)
        self._agent: JsonLines | None = None
        self.data = data_dir(path)
        self.watching = History(self.data, self.home.logs)

    # The agent

    def open(self, session: str = "", model: str = "small") -> str:
        """A new process of the agent, with a new session or an old one."""
        self.shut()
        self._agent = self._start(self.line, self.path)
        return self.begin(session, model)

    def begin(self, session: str = "", model: str = "small") -> str:
        """The same process goes on with a new session or an old one."""
        answer = self.ask(do="open", url=self.model.url, session=session or None, model=model)
        self.session = str(answer["session"])
        return self.session

    def ask(self, **request: Any) -> Any:
        """Have the agent do something."""
        assert self._agent is not None
        answer = self._agent.ask(request)
        self.session = answer["session"] or self.session
        return answer

    def say(self, text: str, *changes: Seen) -> None:
        """One turn; what changes in it, a background review has done."""
        self.ask(do="turn", text=text)
        self.hidden |= {change.store for change in changes}
        self.done(*changes)

    def greet(self) -> None:
        """The first turn of a session, in which it is told what the stores hold."""
        self.hidden.clear()
        self.say("Good morning.")

    def call(self, call: Mapping[str, Any], *changes: tuple[Kind, str, str]) -> None:
        """One turn in which the model calls the memory tool."""
        store: StoreName = call["target"]
        self.ask(do="turn", text=order(call))
        self.done(*(self.by_call(store, *change) for change in changes))

    def by_call(self, store: StoreName, kind: Kind, before: str, after: str) -> Seen:
        """A change that the session has made."""
        return Seen(store, kind, before, after, "tool call", "exact", self.session)

    def compact(self) -> None:
        """The session is compacted."""
        assert self.ask(do="compact")["compacted"]
        self.hidden.clear()
        self.done()

    def end(self) -> None:
        """The session is over."""
        self.ask(do="end")

    def shut(self) -> None:
        """The process ends."""
        if self._agent is not None:
            self._agent.close()
            self._agent = None

    # Everybody else

    def ours(self, *words: str) -> Any:
        """One command of ours."""
        command = [sys.executable, "-m", "hermes_tui", *words, "--home", str(self.path), "--json"]
        ran = subprocess.run(command, env=self._environ, capture_output=True, text=True, timeout=60, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return json.loads(ran.stdout)

    def outside(self, store: StoreName, entries: Sequence[str], *changes: tuple[Kind, str, str]) -> None:
        """Somebody writes the file with an editor."""
        (self.path / "memories" / FILE_NAMES[store]).write_text(join(entries))
        unknown: By = "outside edit or unknown"
        self.hidden.add(store)
        self.done(*(Seen(store, *change, unknown, "unknown", "") for change in changes))

    # What came of it

    def entries(self, store: StoreName) -> tuple[str, ...]:
        """What a store holds."""
        path = self.path / "memories" / FILE_NAMES[store]
        return tuple(parse(path.read_text())) if path.exists() else ()

    def done(self, *changes: Seen) -> None:
        """Something has been done."""
        self.told += changes
        time.sleep(PAUSE_SECONDS)
        self.steps.append(Step(time.time(), {store: self.entries(store) for store in STORES}, frozenset(self.hidden)))
        self.watching.note(view_store(self.home, self.config, store) for store in STORES)
        time.sleep(PAUSE_SECONDS)

    def look(self) -> None:
        """What is new is read, as it is while somebody watches."""
        with Database(self.home.state_db) as base:
            for _ in self.watching.read(base):
                pass

    def timeline(self, history: History) -> Timeline:
        """What a history makes of it."""
        with Database(self.home.state_db) as base:
            for _ in history.read(base):
                pass
        return history.timeline([view_store(self.home, self.config, store) for store in STORES])

    def forgotten(self) -> Path:
        """Our data with nothing in it but the journal."""
        bare = self.data.with_name("bare")
        bare.mkdir()
        shutil.copy(self.data / "journal.jsonl", bare)
        return bare

    def close(self) -> None:
        """End everything."""
        self.shut()
        self.model.close()


@pytest.fixture
def live(make_home: Callable[..., Path], isolated_machine: Path) -> Iterator[Callable[[str], Life]]:
    """Makes a home with an agent of a line."""
    lives: list[Life] = []

    def start(line: str, home: Path) -> JsonLines:
        peer = JsonLines([python_of(line), str(DRIVER)], environment(isolated_machine, home))
        assert peer.read()["ready"]
        return peer

    def make(line: str) -> Life:
        home = make_home("life", extra=settings())
        lives.append(Life(line, home, start, isolated_machine))
        return lives[-1]

    yield make
    for life in lives:
        life.close()


def settings(*, gate: bool = False, in_place: bool = True) -> str:
    """The rest of config.yaml."""
    return (
        f"  memory_enabled: true\n  user_profile_enabled: true\n  write_approval: {str(gate).lower()}\n"
        f"  nudge_interval: {REVIEWED_AFTER}\n"
        f"compression:\n  in_place: {str(in_place).lower()}\n  protect_first_n: 1\n  protect_last_n: 4\n"
        "model:\n  context_length: 200000\n"
    )


def told(timeline: Timeline) -> list[Seen]:
    """The changes of a timeline, as far as they should always be the same."""
    return [
        Seen(each.store, each.kind, each.before, each.after, each.by, each.certainty, each.session_id)
        for each in timeline.changes()
    ]


def assert_states(timeline: Timeline, steps: Sequence[Step], *, watched: bool) -> None:
    """Every state is as it was recorded; what nobody could know is marked, and turns up all the same."""
    for number, step in enumerate(steps):
        for store, entries in step.stores.items():
            state = timeline.state(store, step.at)
            held = state.entries if state else ()
            if watched or store not in step.hidden:
                assert held == entries, (number, store, watched)
            elif held != entries:
                assert state is None or not state.certain, (number, store)


@pytest.mark.parametrize("line", ["0.19", "0.22"])
def test_the_timeline_is_what_happened(line: str, live: Callable[[str], Life]) -> None:
    """It would tell another past than the one that was, or name somebody else for a change."""
    life = live(line)
    edit = EDIT[line]
    background: tuple[By, Certainty] = ("background review", "likely")

    first = life.open()
    life.greet()
    life.ask(
        do="turn",
        text=order(
            {"action": "add", "target": "memory", "content": "The ferry leaves at nine."},
            {"action": "add", "target": "user", "content": "Name: Ines"},
        ),
    )
    life.done(
        life.by_call("memory", "add", "", "The ferry leaves at nine."), life.by_call("user", "add", "", "Name: Ines")
    )
    new = "The ferry leaves at ten." if edit == "replace" else "ten"
    old = "ferry leaves" if edit == "replace" else "nine"
    life.call(
        {"action": edit, "target": "memory", "old_text": old, "content": new},
        ("edit", "The ferry leaves at nine.", "The ferry leaves at ten."),
    )
    for _ in range(REVIEWED_AFTER - 1):
        life.say("It rains.")
    life.model.in_review.append([{"action": "add", "target": "user", "content": "Likes short answers."}])
    life.say("It still rains.", Seen("user", "add", "", "Likes short answers.", *background, first))
    life.call({"action": "remove", "target": "memory", "old_text": "no such thing"})
    life.call(
        {
            "target": "memory",
            "operations": [
                {"action": "add", "content": "Room 4 has no window."},
                {"action": "add", "content": "The key is under the mat.\nAsk Ole."},
                {"action": "remove", "old_text": "ferry"},
            ],
        },
        ("add", "", "Room 4 has no window."),
        ("add", "", "The key is under the mat.\nAsk Ole."),
        ("remove", "The ferry leaves at ten.", ""),
    )
    life.end()
    life.look()

    # Somebody writes the file, and the next session is told so.
    kept = list(life.entries("memory"))
    life.outside("memory", [*kept, "Written by hand."], ("add", "", "Written by hand."))
    second = life.begin()
    life.say("Hello again.")  # what it was told is written over when it is compacted
    life.call({"action": "remove", "target": "memory", "old_text": "Room 4"}, ("remove", "Room 4 has no window.", ""))
    for _ in range(LONG_TURNS):
        life.say(LONG)
    life.call({"action": "add", "target": "memory", "content": "Kept in the tail."}, ("add", "", "Kept in the tail."))
    life.outside("user", ["Name: Ines"], ("remove", "Likes short answers.", ""))
    life.compact()
    life.say("After the compaction.")
    life.call({"action": "add", "target": "user", "content": "Lives in Bergen."}, ("add", "", "Lives in Bergen."))
    life.look()

    # Changes of ours, while the session goes on.
    mine: By = "edited here"
    life.ours("memory", "add", "From the command line.")
    life.done(Seen("memory", "add", "", "From the command line.", mine, "exact", ""))
    life.ours("memory", "move", "--match", "Written by hand.")
    life.done(
        Seen("memory", "remove", "Written by hand.", "", mine, "exact", ""),
        Seen("user", "add", "", "Written by hand.", mine, "exact", ""),
    )
    life.ours("memory", "replace", "From our command line.", "--match", "From the command line.")
    life.done(Seen("memory", "edit", "From the command line.", "From our command line.", mine, "exact", ""))
    life.ours("memory", "undo")
    back: By = "taken back here"
    life.done(Seen("memory", "edit", "From our command line.", "From the command line.", back, "exact", ""))
    life.call({"action": "add", "target": "memory", "content": "On top of ours."}, ("add", "", "On top of ours."))
    life.end()

    # The first session goes on, with the block that it was told first; then another model answers in it.
    assert life.open(first) == first
    life.call({"action": "add", "target": "memory", "content": "Gone on with."}, ("add", "", "Gone on with."))
    assert life.begin(first, model="large") == first
    life.say("Who are you now?")
    life.end()

    # Writes that wait for a person.
    (life.path / "config.yaml").write_text("memory:\n" + settings(gate=True))
    gated = life.begin()
    staged = [
        {"action": "add", "target": "memory", "content": "Approved by the agent."},
        {"action": "add", "target": "memory", "content": "Approved here."},
        {"action": "add", "target": "memory", "content": "Rejected."},
        {"action": "remove", "target": "user", "old_text": "Bergen"},
    ]
    for call in staged:
        life.call(call)
    waiting = sorted((life.path / "pending" / "memory").glob("*.json"), key=lambda path: path.stat().st_mtime)
    by_agent, by_us, rejected, removal = [path.stem for path in waiting]
    life.ask(do="command", words=["approve", by_agent])
    life.hidden.add("memory")
    life.done(Seen("memory", "add", "", "Approved by the agent.", "approved elsewhere", "likely", gated))
    life.ours("pending", "approve", by_us)
    life.hidden.remove("memory")
    life.done(Seen("memory", "add", "", "Approved here.", "approved here", "exact", gated))
    life.ask(do="command", words=["reject", rejected])
    life.ask(do="command", words=["approve", removal])
    life.hidden.add("user")
    life.done(Seen("user", "remove", "Lives in Bergen.", "", "approved elsewhere", "likely", gated))
    life.end()

    # A compaction that goes on in another session, with the last messages written there again.
    (life.path / "config.yaml").write_text("memory:\n" + settings(in_place=False))
    parent = life.begin()
    life.greet()
    for _ in range(LONG_TURNS):
        life.say(LONG)
    life.call({"action": "add", "target": "memory", "content": "Before the split."}, ("add", "", "Before the split."))
    life.compact()
    assert life.session != parent
    life.call({"action": "remove", "target": "memory", "old_text": "Before"}, ("remove", "Before the split.", ""))
    life.end()
    watched = life.timeline(life.watching)
    assert_states(watched, life.steps, watched=True)
    assert told(watched) == life.told
    assert_messages(life, watched)

    # The agent forgets a session, and we do not; then we forget all, and find again what the agent still has.
    scratch = life.timeline(History(life.forgotten(), life.home.logs))
    assert_states(scratch, life.steps, watched=False)
    life.ask(do="delete", session=second)
    again = History(life.data, life.home.logs)
    again.load()
    assert told(life.timeline(again)) == life.told


def assert_messages(life: Life, timeline: Timeline) -> None:
    """Every change that a call made leads to the message with the call."""
    with Database(life.home.state_db) as base:
        for change in timeline.changes():
            if change.by == "tool call" and change.session_id in timeline.told:
                rows = base.rows(
                    "SELECT tool_calls FROM messages WHERE id = ? AND session_id = ?",
                    (change.message_id, change.session_id),
                )
                assert not rows or '"memory"' in rows[0][0], change
