"""A real agent at work while we search and follow it; and generated databases, which the agent itself can use."""

from __future__ import annotations

import gc
import json
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
import pytest

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.listing import SessionIndex
from hermes_tui.sessions.query import parse
from hermes_tui.sessions.search import Scope, Search
from hermes_tui.sessions.transcript import TranscriptReader
from tests.bench.million import AGENTS, Line, build
from tests.bench.report import percentile
from tests.bench.sentences import COMMON_WORD, NEEDLES
from tests.interop.conftest import JsonLines, environment, python_of
from tests.interop.measuring import TRIES, slowness

PEERS = Path(__file__).with_name("peers")
HISTORY = 10_000
"""Messages in the database before the agent begins."""
WRITTEN, PER_SECOND = 400, 50
LOOK_SECONDS = 0.1
"""How often we ask whether something was committed."""
SEEN_WITHIN_SECONDS = 0.25
STATEMENT_SECONDS = 0.05
QUERIES = ["harbour", "har", "number-3", "项目", "ferry anchor", COMMON_WORD, "琥珀", "-lighthouse number", "a@b.com"]
NOW = 1_800_000_000.0


@pytest.fixture
def make_history(monkeypatch: pytest.MonkeyPatch, isolated_machine: Path) -> Callable[[Line, int], Path]:
    """Makes a home in which a lot was said already."""

    def make(line: Line, messages: int) -> Path:
        monkeypatch.setenv(AGENTS[line], python_of(line))
        home = isolated_machine / "home"
        home.mkdir(mode=0o700)
        build(line, messages, home / "state.db")
        return home

    return make


@dataclass
class Reader:
    """One of our workers, at work until it is told to stop."""

    path: Path
    session: str
    since: int
    """The highest message id before the agent began."""
    seen: dict[int, float] = field(default_factory=dict)
    """When each message of the session was first there for us."""
    found: int = 0
    searches: int = 0
    listed: int = 0
    disturbed: int = 0
    """How often the tail believed that something else had happened than new messages."""
    longest: tuple[float, str] = (0.0, "")
    """Seconds of the longest statement, of processor time: how busy the machine is says nothing about us."""
    failure: BaseException | None = None
    stop: threading.Event = field(default_factory=threading.Event)

    def start(self, work: Callable[[Database], None]) -> threading.Thread:
        """Begin some work on a connection of its own."""
        thread = threading.Thread(target=self._run, args=(work,))
        thread.start()
        return thread

    def _run(self, work: Callable[[Database], None]) -> None:
        try:
            base = Timed(self.path)
            try:
                work(base)
            finally:
                self.longest = max(self.longest, base.longest)
                base.close()
        except BaseException as error:
            self.failure = error

    def tail(self, base: Database) -> None:
        """Follow the session, as an open transcript does."""
        reader = TranscriptReader(base, self.session)
        facts, high, version = reader.facts(), self.since, base.version()
        ending = False
        while not ending:
            ending = self.stop.wait(LOOK_SECONDS)
            now = base.version()
            if now == version and not ending:
                continue
            version = now
            news = reader.news(facts, high)
            assert news.facts is not None
            self.disturbed += news.disturbed
            texts = reader.messages(news.added.ids)
            at = time.monotonic()
            self.seen.update((message.id, at) for message in texts if "stood at number-" in message.text)
            facts, high = news.facts, news.high

    def search(self, base: Database) -> None:
        """Search for one thing after another, as somebody types."""
        while not self.stop.wait(0.02):
            query = QUERIES[self.searches % len(QUERIES)]
            page = Search(base, parse(query, NOW), sort=("newest", "relevance")[self.searches % 2]).more()
            self.found += len(page.found)
            self.searches += 1

    def browse(self, base: Database) -> None:
        """Keep the list of conversations up to date."""
        index = SessionIndex(base)
        index.load()
        while not self.stop.wait(0.2):
            index.refresh()
            self.listed += 1


class Timed(Database):
    """Measures each statement, from its beginning to its last row."""

    longest = (0.0, "")

    def _fetch(self, sql: str, values: Any) -> list[tuple[Any, ...]]:
        began = time.thread_time()
        try:
            return super()._fetch(sql, values)
        finally:
            self.longest = max(self.longest, (time.thread_time() - began, sql))


@pytest.fixture
def only_our_garbage() -> Iterator[None]:
    """The thousands of objects of a test run are not looked through in the midst of a statement: 75 ms each time."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.alone
@pytest.mark.usefixtures("only_our_garbage")
@pytest.mark.parametrize(("line", "journal"), [("0.19", "wal"), ("0.22", "delete")])
def test_an_agent_at_work_is_followed_and_never_held_up(
    line: Line, journal: str, make_history: Callable[[Line, int], Path], isolated_machine: Path
) -> None:
    """The agent would lose a message or say that its database is locked, or we would; or we would lag behind."""
    built = make_history(line, HISTORY)
    for number in range(TRIES):
        home = isolated_machine / f"try{number}"
        shutil.copytree(built, home)
        late = beside_an_agent(line, journal, home, isolated_machine)
        if not late:
            break
    assert late == []


def beside_an_agent(line: Line, journal: str, home: Path, user_home: Path) -> list[str]:
    """Follow and search what an agent writes: nothing may be lost; and what took too long for this machine."""
    slow = slowness()
    pace = PER_SECOND / slow
    command = [python_of(line), str(PEERS / "drive_writing.py"), str(WRITTEN), str(pace)]
    agent = JsonLines(command, environment(user_home, home))
    ready = agent.read()
    assert ready["journal"] == journal, "both ways to keep a database are tried"
    reader = Reader(home / "state.db", "20260201_090000_aaaaaa", HISTORY + 1)
    threads = [reader.start(work) for work in (reader.tail, reader.search, reader.search, reader.browse)]
    agent.send({"begin": True})
    committed: dict[int, dict[str, Any]] = {}
    while "done" not in (answer := agent.read()):
        committed[answer["id"]] = answer
    time.sleep(LOOK_SECONDS * 2)
    reader.stop.set()
    for thread in threads:
        thread.join(60)
    agent.close()

    assert reader.failure is None, repr(reader.failure)
    assert (answer["errors"], answer["complaints"]) == ([], [])
    assert len(committed) == WRITTEN
    followed = {id: said for id, said in committed.items() if said["session"] == reader.session}
    assert reader.seen.keys() == followed.keys()
    assert min(reader.searches, reader.found, reader.listed) > 10, "we were at work all the time"

    connection = apsw.Connection(str(home / "state.db"), flags=apsw.SQLITE_OPEN_READONLY)
    stored = connection.execute("SELECT id FROM messages WHERE id > ?", (HISTORY + 1,)).fetchall()
    connection.close()
    assert {id for (id,) in stored} == committed.keys(), "every commit is there"
    after = Database(home / "state.db")
    page = Search(after, parse("number-399", NOW), scope=Scope.everything()).all()
    after.close()
    assert [hit.message_id for hit in page.found[0].hits] == [max(committed)]

    slow = max(slow, slowness())
    delays = [reader.seen[id] - said["at"] for id, said in followed.items()]
    spent, statement = reader.longest
    limits = {
        "the agent did not keep its pace": (answer["lasted"] - WRITTEN / pace, 1.0),
        "a commit waited until the agent's patience ended": (max(answer["took"]), 1.0),
        "we lagged behind": (percentile(delays, 0.95), SEEN_WITHIN_SECONDS),
        f"a statement kept the database to itself for long: {statement}": (spent, STATEMENT_SECONDS),
    }
    return [
        f"{name}: {took:.3f} s, {slow:.1f} x {at_most} s"
        for name, (took, at_most) in limits.items()
        if took >= at_most * slow
    ]


@pytest.mark.parametrize("line", ["0.19", "0.22"])
def test_a_generated_database_is_one_that_the_agent_itself_uses(
    line: Line, make_history: Callable[[Line, int], Path], isolated_machine: Path
) -> None:
    """What is measured on it would say nothing about a person's own database."""
    home = make_history(line, HISTORY)
    connection = apsw.Connection(str(home / "state.db"))
    for index in ("messages_fts", "messages_fts_trigram"):  # an error if it is not just what the messages say
        connection.execute(f"INSERT INTO {index}({index}, rank) VALUES('integrity-check', 1)")
    connection.close()
    run = subprocess.run(
        [python_of(line), str(PEERS / "use_database.py"), *NEEDLES, COMMON_WORD],
        env=environment(isolated_machine, home),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    said = json.loads(next(text for text in run.stdout.splitlines() if text.startswith("{")))
    assert {needle: said["found"][needle] for needle in NEEDLES} == NEEDLES
    assert said["share"][COMMON_WORD] == pytest.approx(0.77, abs=0.05)
    assert (said["messages"], said["check"]) == (HISTORY, "ok")
    assert said["listed"] > 50
    assert said["continued"] > 3
    assert said["found_after_writing"] == NEEDLES["zugzwang"] + 1
