"""Sessions changed by us and by the real agent: the same rows, and databases that the agent goes on with."""

from __future__ import annotations

import json
import os
import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.errors import HermesTuiError, Refused
from hermes_tui.home import data_dir
from hermes_tui.sessions.upkeep.keeper import Keeper
from hermes_tui.sessions.upkeep.naming import TitleTaken, clean_title
from hermes_tui.sessions.upkeep.pruning import Pruned
from hermes_tui.sessions.upkeep.writer import Writer
from tests.bench.million import AGENTS, Line
from tests.bench.report import percentile
from tests.interop.conftest import JsonLines, environment, python_of
from tests.interop.many_sessions import build
from tests.interop.measuring import TRIES, slowness
from tests.nasty import NASTY
from tests.sessions.upkeep.conftest import dump, finds, home_of, indexes, look

DRIVER = Path(__file__).with_name("peers") / "drive_upkeep.py"
LINES = ("0.19", "0.22", "0.19 and then 0.22")
"""The last one is a home of the older agent that the newer one has taken over, with the index as it was."""
ROOT, MIDDLE, TIP = "20260101_090000_aaaaaa", "20260101_100000_bbbbbb", "20260101_110000_cccccc"
IN_PLACE, BRANCH, RUN, NESTED = "20260102_090000_dddddd", "20260102_100000_eeeeee", "sub_1", "sub_2"
PICTURE, CHINESE, PLAIN, CRON = "20260103_090000_ffffff", "20260104_090000_111111", "plain_child", "cron_x_20260105"
NUMBERED, FIRST, GHOST = "20260106_090000_222222", "20260106_080000_333333", "20260107_090000_444444"
OLD, OTHER = "20250101_090000_555555", "20260108_090000_666666"
WORDS = ["otter", "fjord", "docker compose", "数据库", "otter tool picture", "zebra"]
Rows = dict[str, list[tuple[Any, ...]]]


@dataclass
class Peer:
    """An agent at work on homes of the test's own, each a copy of the one it has built."""

    line: str
    agent: JsonLines
    built: Path
    folder: Path
    made: int = 0

    def copy(self) -> Path:
        """A home like the one that was built."""
        self.made += 1
        home = self.folder / f"home{self.made}"
        shutil.copytree(self.built, home)
        return home

    def ask(self, do: str, home: Path, **more: Any) -> dict[str, Any]:
        """Let the agent do something in a home."""
        found: dict[str, Any] = self.agent.ask({"do": do, "home": str(home), **more})
        return found

    def call(self, home: Path, name: str, *args: Any, **kwargs: Any) -> Any:
        """One of the agent's own methods; a ValueError of it comes back as text."""
        found = self.ask("call", home, name=name, args=args, kwargs=kwargs)
        return found.get("error", found.get("result"))

    def rows(self, home: Path) -> Rows:
        """All tables once the agent has opened the home, as it would next."""
        self.ask("open", home)
        return dump(home / "state.db")


@pytest.fixture(scope="module", params=LINES)
def peer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peer]:
    """An agent of each line, and a home that it has built."""
    first, _, then = str(request.param).partition(" and then ")
    folder = tmp_path_factory.mktemp("upkeep")
    built = folder / "built"
    (built / "sessions").mkdir(parents=True)
    agent = start(first, folder, built)
    assert agent.ask({"do": "build", "home": str(built)})["journal"] == {"0.19": "wal", "0.22": "delete"}[first]
    if then:
        agent.close()
        agent = start(then, folder, built)
        agent.ask({"do": "open", "home": str(built)})
    for name in (f"{TIP}.json", f"{RUN}.jsonl", f"request_dump_{TIP}_20260101_100000_000001.json", f"{OTHER}.json"):
        (built / "sessions" / name).write_text(name)
    yield Peer(then or first, agent, built, folder)
    agent.close()


def start(line: str, folder: Path, home: Path) -> JsonLines:
    """An agent that waits for requests."""
    agent = JsonLines([python_of(line), str(DRIVER)], environment(folder, home))
    assert agent.read()["ready"]
    return agent


def keeper_of(home: Path) -> Keeper:
    """Who changes its sessions for us."""
    return Keeper(home_of(home))


def sound(peer: Peer, home: Path) -> None:
    """Both SQLites find nothing wrong, and every index has just what the messages say."""
    said = peer.ask("check", home)
    assert (said["integrity"], said["foreign"]) == (["ok"], [])
    assert set(said["indexes"].values()) == {"ok"}, said["indexes"]
    path = home / "state.db"
    age = "old" if tuple(map(int, said["version"].split("."))) < (3, 48) else "new"
    connection = look(path, age)  # type: ignore[arg-type]
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    for name in indexes(path):
        connection.execute(f"INSERT INTO {name}({name}, rank) VALUES('integrity-check', 1)")
    connection.close()


def usable(peer: Peer, home: Path) -> dict[str, Any]:
    """The agent lists, searches, opens and goes on in what is there; what it says about it."""
    sound(peer, home)
    said = peer.ask("use", home, words=WORDS, resumed=[ROOT, TIP, IN_PLACE, BRANCH, PICTURE, OTHER, FIRST])
    assert all(went["more"] == 1 and went["found"] for went in said["went_on"].values()), said["went_on"]
    sound(peer, home)
    return said


def same(peer: Peer, theirs: Path, ours: Path, *, but: tuple[str, ...] = ()) -> None:
    """Both homes hold the same rows, and the same files beside the database."""
    one, other = peer.rows(theirs), peer.rows(ours)
    assert one.keys() == other.keys()
    for table in one:
        if table not in but:
            assert other[table] == one[table], table
    assert {path.name for path in (ours / "sessions").iterdir()} == {
        path.name for path in (theirs / "sessions").iterdir()
    }


# Titles


def test_titles_are_cleaned_as_the_agent_cleans_them(peer: Peer) -> None:
    """The same name would be two, one given here and one there."""
    rng = random.Random(3)
    alphabet = [
        *map(chr, [*range(0x20), 0x7F, 0x85, 0xA0, *range(0x2000, 0x2070), 0x3000, 0xFEFF, *range(0xFFF9, 0xFFFE)]),
        *"ab c#é日🙂" * 8,
        "\ud800",
    ]
    texts = [*NASTY.values(), "x" * 100, "x" * 101, " " * 300, "👨\u200d👩\u200d👧 trip", "a" * 99 + "\u200b" + "b"]
    texts += ["".join(rng.choices(alphabet, k=rng.randrange(1, 130))) for _ in range(1500)]
    texts = json.loads(json.dumps(texts))  # on the way two halves become one character
    theirs = peer.ask("clean", peer.built, texts=texts)["titles"]
    for text, expected in zip(texts, theirs, strict=True):
        try:
            ours: Any = clean_title(text).text
        except Refused as error:
            count = error.message.rpartition(" ")[2].rstrip(".")
            ours = {"error": f"Title too long ({count} chars, max 100)"}
        assert ours == expected, ascii(text)


RENAMES = [
    (OTHER, "A new name"),
    (OTHER, "  much \t space\n and \u200b signs\x07 "),
    (CHINESE, ""),
    (CHINESE, "备份"),
    (TIP, "Otters"),
    (MIDDLE, "Otters"),
    (ROOT, "Otters #2"),
    (OTHER, "Otters"),
    (OTHER, "otters"),
    (OTHER, "Plans 100%_"),
    (OTHER, "Plans 100%_ #7"),
    (OTHER, "Ghost"),
    (OTHER, "x" * 101),
    (FIRST, "Plans 100%_"),
    ("nobody", "Name"),
]


@pytest.mark.parametrize(("session", "title"), RENAMES)
def test_a_rename_leaves_the_rows_that_the_agents_own_does(peer: Peer, session: str, title: str) -> None:
    """A title given here would be another one for the agent, or break its rule."""
    theirs, ours = peer.copy(), peer.copy()
    said = peer.call(theirs, "set_session_title", session, title)
    refused = why_not(lambda: keeper_of(ours).rename(session, title))
    if isinstance(refused, TitleTaken):
        assert said == f"Title '{title}' is already in use by session {refused.holder}"
        assert refused.offer == peer.call(theirs, "get_next_title_in_lineage", title)
    elif refused is not None:
        assert (refused.code, said if said is False else "too long" in said) in (
            ("no_such_session", False),
            ("title_too_long", True),
        )
    else:
        assert said is True
    same(peer, theirs, ours)
    usable(peer, ours)


def why_not(change: Callable[[], object]) -> HermesTuiError | None:
    """What a change was refused with; nothing when it was made."""
    try:
        change()
    except HermesTuiError as error:
        return error
    return None


def test_a_rename_is_taken_back(peer: Peer) -> None:
    """The agent would go on with another name than before."""
    home = peer.copy()
    before = peer.rows(home)
    keeper = keeper_of(home)
    for session, title in ((TIP, "Otters"), (OTHER, "New"), (CHINESE, "")):
        keeper.rename(session, title)
    for _ in range(3):
        keeper.undo()
    assert peer.rows(home) == before
    usable(peer, home)


def test_titles_are_written_as_the_agent_writes_its_own(peer: Peer) -> None:
    """A derived title would look like one that a person gave, and never be bettered."""
    theirs, ours = peer.copy(), peer.copy()
    if peer.line == "0.22":
        assert peer.call(theirs, "set_auto_title", OTHER, "Otter of today", source="derived") is True
        assert peer.call(theirs, "set_auto_title", CHINESE, "Something else", source="derived") is False
    else:
        assert peer.call(theirs, "set_auto_title_if_empty", OTHER, "Otter of today") is True
        assert peer.call(theirs, "set_auto_title_if_empty", CHINESE, "Something else") is False
    change = keeper_of(ours).entitle({OTHER: "Otter of today", CHINESE: "Something else"})
    assert change.done == (OTHER,)
    same(peer, theirs, ours)
    usable(peer, ours)


# Archive and pins


@pytest.mark.parametrize("session", [ROOT, TIP, IN_PLACE, PLAIN])
@pytest.mark.parametrize("archived", [True, False])
def test_the_archive_is_the_agents(peer: Peer, session: str, archived: bool) -> None:
    """A part would stay in the list that the agent puts away."""
    theirs, ours = peer.copy(), peer.copy()
    for home in (theirs, ours):
        peer.call(home, "delete_session", BRANCH)  # see the test after this one
        if not archived:
            for each in (TIP, IN_PLACE, PLAIN):
                peer.call(home, "set_session_archived", each, True)
    before = peer.rows(ours)
    keeper = keeper_of(ours)
    assert peer.call(theirs, "set_session_archived", session, archived) is True
    keeper.archive([session], archived)
    same(peer, theirs, ours)
    keeper.undo()
    assert peer.rows(ours) == before
    keeper.archive([session], archived)
    usable(peer, ours)


def test_a_branch_and_what_it_left_are_put_away_by_themselves(peer: Peer) -> None:
    """The agent takes a branch for a continuation when what it left was compacted later; here neither takes the other
    along."""
    home = peer.copy()
    keeper = keeper_of(home)
    archived = "SELECT id FROM sessions WHERE archived = 1 ORDER BY id"

    def away() -> list[str]:
        connection = look(home / "state.db")
        found = [str(row[0]) for row in connection.execute(archived)]
        connection.close()
        return found

    keeper.archive([BRANCH], True)
    assert away() == [BRANCH]
    keeper.archive([BRANCH], False)
    keeper.archive([ROOT], True)
    assert away() == [ROOT, MIDDLE, TIP]
    with pytest.raises(TitleTaken):
        keeper.rename(BRANCH, "Otters")  # the same there: the conversation would lose its name to its branch
    usable(peer, home)


@pytest.mark.parametrize("session", [ROOT, TIP, IN_PLACE])
def test_pins_are_the_agents(peer: Peer, session: str) -> None:
    """What is pinned here would be pruned there."""
    theirs, ours = peer.copy(), peer.copy()
    keeper = keeper_of(ours)
    if peer.line == "0.19":
        with pytest.raises(Refused):
            keeper.pin([session], True)
        same(peer, theirs, ours)
        return
    for home in (theirs, ours):
        peer.call(home, "delete_session", BRANCH)
        peer.call(home, "set_session_hidden", session, True)
    before = peer.rows(ours)
    for pinned in (True, False):
        assert peer.call(theirs, "set_session_pinned", session, pinned) is True
        keeper.pin([session], pinned)
        same(peer, theirs, ours)
    keeper.undo()
    keeper.undo()
    assert peer.rows(ours) == before
    usable(peer, ours)


# Deleting


DELETIONS = {
    "one": ([OTHER], True),
    "one with a picture": ([PICTURE], True),
    "one compacted in place": ([IN_PLACE], True),
    "a scheduled one": ([CRON], True),
    "a branch": ([BRANCH], True),
    "a run with its own run": ([RUN], True),
    "one part": ([TIP], False),
    "the first part": ([ROOT], False),
    "a conversation of three parts": ([TIP], True),
    "many": ([TIP, OTHER, PICTURE, CHINESE, BRANCH, CRON], True),
    "all": ([TIP, OTHER, PICTURE, CHINESE, BRANCH, CRON, IN_PLACE, PLAIN, NUMBERED, FIRST, GHOST, OLD], True),
}


@pytest.mark.parametrize("what", DELETIONS)
def test_deleting_leaves_the_rows_that_the_agents_own_does(peer: Peer, what: str) -> None:
    """Something would stay behind that the agent takes away, or the other way round; or undo not lead back."""
    asked, whole = DELETIONS[what]
    theirs, ours = peer.copy(), peer.copy()
    before = peer.rows(ours)
    found = {
        (word, name): finds(ours / "state.db", word, name) for word in WORDS for name in indexes(ours / "state.db")
    }
    said = usable_words(peer, ours)
    keeper = keeper_of(ours)
    plan = keeper.plan(asked, whole=whole)
    parts = [part for each in plan.doomed for part in each.parts]
    folder = str(theirs / "sessions")
    if len(parts) == 1:
        assert peer.call(theirs, "delete_session", parts[0], sessions_dir=folder) is True
    else:
        assert peer.call(theirs, "delete_sessions", parts, sessions_dir=folder) == len(parts)
    change = keeper.delete(plan)
    assert (len(change.done), change.failed) == (len(plan.doomed), ())
    same(peer, theirs, ours)
    went_on = peer.copy()
    shutil.copytree(ours, went_on, dirs_exist_ok=True)
    for path in went_on.glob("state.db*"):
        if not (ours / path.name).exists():
            path.unlink()
    usable(peer, went_on)

    assert keeper.undo().failed == ()
    assert peer.rows(ours) == before
    assert {key: finds(ours / "state.db", *key) for key in found} == found
    assert usable_words(peer, ours) == said
    assert not list((data_dir(ours) / "sessions" / "copies").iterdir())
    usable(peer, ours)


def usable_words(peer: Peer, home: Path) -> dict[str, Any]:
    """What the agent lists and finds, without going on anywhere."""
    sound(peer, home)
    return peer.ask("use", home, words=WORDS)


PRUNES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "by age": ({"older_than_days": 90}, {"older_than_days": 90.0}),
    "by source": ({"older_than_days": None, "source": "cron"}, {"sources": frozenset({"cron"})}),
    "by title": ({"older_than_days": None, "title_like": "plans"}, {"title": "plans"}),
}


@pytest.mark.parametrize("what", PRUNES)
def test_pruning_takes_what_the_agents_own_does_where_the_rules_agree(peer: Peer, what: str) -> None:
    """The rows that stay would differ."""
    theirs = peer.copy()
    for session in (CRON, FIRST, NUMBERED):  # the agent takes what was ended, we what is not in use
        peer.call(theirs, "end_session", session, "cli_close")
    ours = theirs.with_name(f"{theirs.name}_ours")
    shutil.copytree(theirs, ours)
    given, wanted = PRUNES[what]
    before = peer.rows(ours)
    count = peer.call(theirs, "prune_sessions", sessions_dir=str(theirs / "sessions"), **given)
    keeper = keeper_of(ours)
    plan = keeper.plan_prune(Pruned(**wanted))
    change = keeper.delete(plan)
    assert (len(change.done), plan.left_alone) == (count, ())
    assert count > 0
    same(peer, theirs, ours)
    usable_words(peer, ours)
    keeper.undo()
    assert peer.rows(ours) == before
    usable(peer, ours)


def test_vacuum_gives_the_agent_the_same_database(peer: Peer) -> None:
    """A row would be lost on the way."""
    home = peer.copy()
    keeper = keeper_of(home)
    keeper.delete(keeper.plan([TIP, PICTURE]))
    before = peer.rows(home)
    keeper.vacuum()
    assert peer.rows(home) == before
    usable_words(peer, home)
    keeper.undo()
    usable(peer, home)


def test_an_import_into_a_home_of_the_agents_own_is_one_it_goes_on_with(
    peer: Peer, make_home: Callable[..., Path]
) -> None:
    """What was exported here could not be brought into another home."""
    from hermes_tui.sessions.database import Database
    from hermes_tui.sessions.export.lossless import write_session

    home, fresh = peer.copy(), make_home("fresh")
    peer.ask("open", fresh)
    path = home / "export.jsonl"
    with Database(home / "state.db") as base, path.open("w", encoding="utf-8") as file:
        for (id,) in base.rows("SELECT id FROM sessions ORDER BY started_at"):
            write_session(base, id, file.write)
    (fresh / "sessions").mkdir()
    keeper = keeper_of(fresh)
    nothing = peer.rows(fresh)
    found = keeper.import_file(path)
    assert len(found.imported) == len(dump(home / "state.db")["sessions"])
    there, here = usable_words(peer, fresh)["found"], usable_words(peer, home)["found"]
    for word in ("fjord", "docker compose", "数据库"):  # words that every layout of an index has in the same messages
        assert len(there[word]) == len(here[word]) > 0, word
    again = keeper.import_file(path)
    assert (again.imported, len(again.skipped)) == ((), len(found.imported))
    keeper.undo()
    sound(peer, fresh)
    now = peer.rows(fresh)
    assert {table: now[table] for table in ("sessions", "messages", "session_model_usage")} == {
        table: nothing[table] for table in ("sessions", "messages", "session_model_usage")
    }


# While an agent writes

PRUNED = int(os.environ.get("HERMES_TUI_PRUNED_SESSIONS", "2000"))
PER_SECOND = 25.0
QUIET_SECONDS = 2.0
"""How long the agent writes alone, before and after, so that its waits can be compared."""
WAITS_AT_MOST = 0.3


@pytest.mark.alone
@pytest.mark.parametrize("line", ["0.19", "0.22"])
def test_an_agent_that_writes_throughout_a_prune_never_waits_for_long(
    line: Line, isolated_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The agent would say that its database is locked, lose a message, or seem to hang."""
    monkeypatch.setenv(AGENTS[line], python_of(line))
    built = isolated_machine / "built"
    built.mkdir(mode=0o700)
    build(line, PRUNED, built / "state.db")
    held = timed(monkeypatch)
    for number in range(TRIES):
        home = isolated_machine / f"try{number}"
        shutil.copytree(built, home)
        held.clear()
        longest, at_most = prune_beside_an_agent(line, home, isolated_machine, held)
        if longest <= at_most:
            break
    assert longest <= at_most


def prune_beside_an_agent(line: str, home: Path, user_home: Path, held: list[float]) -> tuple[float, float]:
    """Prune while an agent writes: nothing may be lost; how long it waited, and how long it may on this machine."""
    slow = slowness()
    command = [python_of(line), str(DRIVER), "write", str(home), str(PER_SECOND / slow)]
    agent = JsonLines(command, environment(user_home, home))
    assert agent.read()["ready"]
    agent.send({"begin": True})
    time.sleep(QUIET_SECONDS)
    keeper = keeper_of(home)
    began = time.monotonic()
    plan = keeper.plan_prune(Pruned(older_than_days=90))
    planned = time.monotonic()
    change = keeper.delete(plan)
    ended = time.monotonic()
    time.sleep(QUIET_SECONDS)
    said = agent.ask({"stop": True})
    agent.close()

    during = [took for start, took, _ in said["took"] if began < start + took and start < ended]
    alone = [took for start, took, _ in said["took"] if start + took <= began or start >= ended]
    print(
        f"\n{line}: {len(change.done):,} of {len(plan.doomed) + len(plan.left_alone):,} conversations,"
        f" {plan.messages:,} messages, {plan.bytes / 1e6:.0f} MB of text; looked at in {planned - began:.1f} s,"
        f" deleted in {ended - planned:.1f} s in {len(held):,} changes; longest {max(held) * 1e3:.0f} ms,"
        f" 99 % {percentile(held, 0.99) * 1e3:.0f} ms, half {percentile(held, 0.5) * 1e3:.0f} ms"
    )
    for name, waits in (("alone", alone), ("meanwhile", during)):
        shares = ", ".join(f"{share:.0%} {percentile(waits, share) * 1e3:.0f} ms" for share in (0.5, 0.9, 0.99))
        print(f"  the agent {name}: {len(waits):,} writes; {shares}, longest {max(waits) * 1e3:.0f} ms")
    own = max(merging for _, _, merging in said["took"])
    print(f"  not counted in: its own merging of its index, {own * 1e3:.0f} ms at most")
    log = home / "state.db-wal"
    sizes = [path.stat().st_size / 1e6 for path in (home / "state.db", log) if path.exists()]
    print(f"  state.db and its log: {' and '.join(f'{size:.0f} MB' for size in sizes)}")
    assert (said["errors"], said["complaints"]) == ([], [])
    assert said["written"] == len(said["took"])
    assert change.failed == ()
    assert len(change.done) > PRUNED * 0.8
    connection = look(home / "state.db", "old")
    assert connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    for name in indexes(home / "state.db"):
        connection.execute(f"INSERT INTO {name}({name}, rank) VALUES('integrity-check', 1)")
    connection.close()
    return max(during), WAITS_AT_MOST * max(slow, slowness())


def timed(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long each of our changes keeps others from writing, in seconds; it fills as they are made."""
    held: list[float] = []
    real = Writer.transaction

    @contextmanager
    def transaction(writer: Writer) -> Iterator[None]:
        with real(writer):
            began = time.monotonic()
            yield
        held.append(time.monotonic() - began)

    monkeypatch.setattr(Writer, "transaction", transaction)
    return held
