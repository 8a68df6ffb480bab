"""The accounts at the end: what each side says must be the same, and nothing may be lost or counted twice."""

from __future__ import annotations

import fcntl
import hashlib
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hermes_tui.memory.journal import Journal, JournalRecord
from tests.soak.agent import WORDS, Agent, Write
from tests.soak.reviewer import Reviewer, run

FILES = {"memory": "MEMORY.md", "user": "USER.md"}
STANDS = ("done", "dropped")


@dataclass(slots=True)
class Accounts:
    """Numbers that must agree, and whether they do."""

    rows: list[tuple[str, str, bool]] = field(default_factory=list)
    """What, the numbers in words, and whether they agree."""

    def same(self, what: str, **values: object) -> None:
        """Every value must be the same."""
        found = list(values.values())
        said = ", ".join(f"{name.replace('_', ' ')} {_short(value)}" for name, value in values.items())
        self.rows.append((what, said, all(value == found[0] for value in found)))

    def none(self, what: str, found: Iterable[object]) -> None:
        """There must be none."""
        listed = [_short(each) for each in found]
        self.rows.append((what, "; ".join(listed[:5]) or "none", not listed))

    @property
    def wrong(self) -> list[str]:
        """What does not agree, in words."""
        return [f"{what}: {said}" for what, said, agrees in self.rows if not agrees]


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) < 200 else f"{text[:200]}…"


def digest(data: bytes) -> str:
    """As the journal names bytes."""
    return hashlib.sha256(data).hexdigest()


def parts(data: bytes) -> list[str]:
    """The entries in a memory file."""
    return [part.strip() for part in data.decode("utf-8").split("\n§\n") if part.strip()]


def bytes_of(home: Path, store: str) -> bytes:
    """A memory file as it is."""
    path = home / "memories" / FILES[store]
    return path.read_bytes() if path.exists() else b""


# Of memory


def account_for_memory(
    accounts: Accounts, home: Path, records: list[JournalRecord], writes: list[Write], told: Mapping[str, Any]
) -> None:
    """Every write of either side is one step of one chain, and the entries are what the steps add up to."""
    listed = {store["store"]: [entry["text"] for entry in store["entries"]] for store in told["ours"]["stores"]}
    for store, name in FILES.items():
        data = bytes_of(home, store)
        ours = [change for record in records for change in record.files if change.store == store]
        theirs = [write for write in writes if write.store == store]
        steps = [(change.before, change.after) for change in ours] + [(write.before, write.after) for write in theirs]
        balance: Counter[str] = Counter()
        for before, after in steps:
            balance[after] += 1
            balance[before] -= 1
        balance[digest(b"")] += 1
        balance[digest(data)] -= 1
        accounts.none(
            f"{name}: of {len(theirs)} writes by the agent and {len(ours)} by us, those made over one another",
            [f"{key[:8]} {number:+}" for key, number in balance.items() if number],
        )
        entries: Counter[str] = Counter()
        for change in ours:
            for hunk in change.hunks:
                entries.update(hunk.new)
                entries.subtract(hunk.old)
        for write in theirs:
            entries.update(write.new)
            entries.subtract(write.old)
        entries.subtract(parts(data))
        accounts.none(f"{name}: entries that nobody wrote, or that are lost",
                      [f"{number:+} {text}" for text, number in entries.items() if number])  # fmt: skip
        accounts.none(f"{name}: entries that are there twice",
                      [text for text, number in Counter(parts(data)).items() if number > 1])  # fmt: skip
        accounts.same(f"{name}: entries", on_disk=len(parts(data)), command_line=len(listed[store]),
                      agent=len(told["theirs"]["entries"][store]), screen=told["screen"][store])  # fmt: skip
        accounts.same(f"{name}: every entry, word for word, on disk, on the command line, in the agent", equal=True,
                      found=parts(data) == listed[store] == told["theirs"]["entries"][store])  # fmt: skip


# Of the queue


def account_for_queue(
    accounts: Accounts, home: Path, records: list[JournalRecord], agent: Agent, reviewer: Reviewer, screen: object
) -> dict[str, int]:
    """Every staged write was approved, rejected or waits; each once."""
    folder = home / "pending" / "memory"
    waiting = {path.stem for path in folder.glob("*.json")}
    away: Counter[str] = Counter()
    last: dict[str, str] = {}
    for record in records:
        for other in record.others:
            path = Path(other.path)
            if path.parent != folder:
                continue
            away[path.stem] += (other.after is None) - (other.before is None)
            if record.kind in ("approve", "reject") and other.after is None:
                last[path.stem] = record.kind
            elif record.kind == "redo" and other.after is None:
                last[path.stem] = next(
                    (each.kind for each in reversed(records) if each.kind in ("approve", "reject")
                     and any(Path(one.path) == path for one in each.others)), "approve")  # fmt: skip
    accounts.none("pending: decided more than once, or taken back more than once",
                  [f"{id} {number}" for id, number in away.items() if number not in (0, 1)])  # fmt: skip
    gone = {id for id, number in away.items() if number == 1}
    accounts.none("pending: neither decided nor waiting", agent.staged - gone - waiting)
    accounts.none("pending: decided, and waiting all the same", gone & waiting)
    accounts.none("pending: of which nobody knows who staged it", (gone | waiting) - agent.staged)
    approved = sum(last.get(id) == "approve" for id in gone)
    rejected = sum(last.get(id) == "reject" for id in gone)
    accounts.same("pending: staged = approved + rejected + waiting", staged=len(agent.staged),
                  sum=approved + rejected + len(waiting))  # fmt: skip
    shape = run(reviewer.environ, "pending", "list").shape
    accounts.same("pending: waiting", on_disk=len(waiting), command_line=len(shape["records"]), screen=screen)
    by_command = Counter((record.kind, Path(other.path).stem) for record in records if record.origin == "cli"
                         for other in record.others if record.kind in ("approve", "reject"))  # fmt: skip
    said = Counter(reviewer.decided)
    accounts.none("pending: what the command line said it decided, and the journal does not, or the other way",
                  [*(said - by_command), *(by_command - said)])  # fmt: skip
    return {"staged": len(agent.staged), "approved": approved, "rejected": rejected, "waiting": len(waiting)}


# Of sessions


def account_for_sessions(
    accounts: Accounts, home: Path, agent: Agent, environ: Mapping[str, str], screen: object
) -> None:
    """The agent, SQLite, the command line and the screen count the same."""
    with sqlite3.connect(f"file:{home / 'state.db'}?mode=ro", uri=True) as base:
        (sessions,) = base.execute("SELECT count(*) FROM sessions").fetchone()
        (messages,) = base.execute("SELECT count(*) FROM messages").fetchone()
        (check,) = base.execute("PRAGMA quick_check").fetchone()
    base.close()
    word = WORDS[0]
    theirs = agent.look(word)
    stats = run(environ, "sessions", "stats").shape
    listed = run(environ, "sessions", "list", "--all").shape["sessions"]
    hits = run(environ, "sessions", "search", word, "--all").shape["results"]
    accounts.same("sessions", made=agent.sessions, in_SQLite=sessions, agent=theirs["sessions"],
                  command_line=stats["sessions"], listed=len(listed), screen=screen)  # fmt: skip
    accounts.same("messages", made=agent.messages, in_SQLite=messages, agent=theirs["messages"],
                  command_line=stats["messages"])  # fmt: skip
    said_in = {hit["session_id"] for result in hits for hit in result["hits"] if hit["message_id"] is not None}
    accounts.same(f"sessions in which “{word}” was said", agent=len(theirs["found"]), command_line=len(said_in))
    accounts.none(f"those only one of them finds for “{word}”", said_in ^ set(theirs["found"]))
    accounts.same("SQLite's own check", expected="ok", found=check)


# What is left


def standing(state: Path) -> tuple[Journal, list[JournalRecord]]:
    """The one journal below a state folder, and its changes that were made."""
    (folder,) = (path.parent for path in state.glob("hermes-tui/homes/*/journal.jsonl"))
    journal = Journal(folder)
    return journal, [record for record in journal.records() if record.state in STANDS]


def account_for_leavings(accounts: Accounts, home: Path, state: Path, scratch: Path, journal: Journal) -> None:
    """No lock is held, nothing half-written lies about, the journal is whole, no report of a crash."""
    places = [path for folder in (home / "memories", home / "pending", state) for path in folder.rglob("*")]
    usual = re.compile(r"\.md|\.md\.lock|[0-9a-f]{8}\.json")
    accounts.none("files left in memories and pending",
                  [path.name for path in places if path.is_file() and home in path.parents
                   and not re.search(f"({usual.pattern})$", path.name)])  # fmt: skip
    accounts.none("temporary files left", [path.name for path in [*places, *scratch.rglob("*")]
                                           if ".tmp" in path.name or scratch in path.parents])  # fmt: skip
    accounts.none("locks that are held", [path.name for path in places if path.suffix == ".lock" and _held(path)])
    accounts.none("changes that the journal says are not ended", journal.open_ids())
    accounts.same("journal: damaged lines", expected=0, found=journal.damaged_lines())
    accounts.none("reports of crashes", (path.name for path in state.rglob("crash-*")))


def _held(path: Path) -> bool:
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def number_in(pattern: str, text: str) -> int | None:
    """The number a screen shows, where it does."""
    match = re.search(pattern, text)
    return int(match[1].replace(",", "")) if match else None
