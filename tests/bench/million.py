"""Databases of any number of messages, made by the real agent's own schema and triggers.

`python -m tests.bench.million LINE COUNT OUT`, where LINE is 0.19 or 0.22, with HERMES_TUI_PEER_019 or
HERMES_TUI_PEER_022 naming an interpreter that has such an agent.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, get_args

import apsw

from tests.bench.conversations import MESSAGE_COLUMNS, Conversations, SessionRow

Line = Literal["0.19", "0.22"]
AGENTS: dict[Line, str] = {"0.19": "HERMES_TUI_PEER_019", "0.22": "HERMES_TUI_PEER_022"}
"""Variables that name the interpreter of a real agent."""
KEPT_IN = "HERMES_TUI_BENCH_DIR"
"""Variable that names where made databases are kept for the next time."""

SEED = 7
BATCHES_PER_TRANSACTION = 5
LAST_ONE_BY_ONE = 200
"""Messages at the end that get a transaction each, as the agent gives to every one."""
CACHE_KIB = 262_144
WRITE_BUFFER_BYTES = 64 << 20
USUAL_BUFFER_BYTES = 1 << 20
"""What FTS5 gathers in memory before it writes, unless told."""

EMPTY = """
import sys
from pathlib import Path
from hermes_state import SessionDB
SessionDB(Path(sys.argv[1])).close()
"""


def make_database(line: Line, messages: int, folder: Path) -> Path:
    """A database of so many messages in `folder`; one that was made before by this code is used again."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"state-{line}-{messages}.db"
    if not (path.is_file() and _stamp_file(path).is_file() and _stamp_file(path).read_text() == _stamp(line, messages)):
        build(line, messages, path)
    return path


def bench_folder() -> Path:
    """Where databases are kept: as the environment says, else among the temporary files."""
    return Path(os.environ.get(KEPT_IN) or Path(tempfile.gettempdir()) / "hermes-tui-bench")


def build(line: Line, messages: int, path: Path) -> None:
    """Make a database at `path`, whatever is there; an interrupted run leaves nothing under that name."""
    _stamp_file(path).unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="making-", dir=path.parent) as name:
        made = Path(name) / "state.db"
        empty_database(line, made)
        fill(made, Conversations(messages, SEED))
        made.chmod(0o600 if line == "0.22" else 0o644)
        for ending in ("-wal", "-shm", "-journal"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        made.replace(path)
    _stamp_file(path).write_text(_stamp(line, messages))


def empty_database(line: Line, path: Path) -> None:
    """Let the agent itself make a database, as it does when it starts for the first time."""
    python = os.environ.get(AGENTS[line])
    if not python:
        raise SystemExit(f"{AGENTS[line]} is not set: it names an interpreter that has an agent of line {line}")
    with tempfile.TemporaryDirectory() as home:
        environ = {"PATH": os.environ.get("PATH", os.defpath), "HOME": home, "HERMES_HOME": f"{home}/.hermes"}
        made = Path(home) / "state.db"
        subprocess.run([python, "-c", EMPTY, made], env=environ, capture_output=True, check=True, timeout=120)
        shutil.copy(made, path)


def fill(path: Path, conversations: Conversations) -> None:
    """Write all conversations; the agent's triggers keep its search index."""
    connection = apsw.Connection(str(path))
    journal = connection.execute("PRAGMA journal_mode").fetchall()[0][0]
    for pragma in ("journal_mode=OFF", "synchronous=OFF", f"cache_size=-{CACHE_KIB}", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")
    indexes = [index for index in ("messages_fts", "messages_fts_trigram") if _columns(connection, index)]
    for index in indexes:
        _configure(connection, index, "hashsize", WRITE_BUFFER_BYTES)
    message_columns = _known(connection, "messages", MESSAGE_COLUMNS)
    write_message = _insert("messages", message_columns)
    places = [MESSAGE_COLUMNS.index(column) for column in message_columns]
    one_by_one = conversations.total - LAST_ONE_BY_ONE
    connection.execute("BEGIN")
    for number, batch in enumerate(conversations.batches(), 1):
        _write_prompts(connection, batch.prompts)
        _write_sessions(connection, batch.started)
        rows = [tuple(row[place] for place in places) for row in batch.messages]
        last = [row for row in rows if int(str(row[0])) > one_by_one]
        connection.executemany(write_message, rows[: len(rows) - len(last)])
        if last:
            connection.execute("COMMIT")
            for index in indexes:
                _configure(connection, index, "hashsize", USUAL_BUFFER_BYTES)
                connection.execute(f"INSERT INTO {index}({index}) VALUES('optimize')")
            for row in last:
                connection.execute(write_message, row)
            connection.execute("BEGIN")
        elif number % BATCHES_PER_TRANSACTION == 0:
            connection.execute("COMMIT")
            connection.execute("BEGIN")
        _finish_sessions(connection, batch.ended)
    connection.execute("COMMIT")
    connection.execute(f"PRAGMA journal_mode={journal}")
    connection.close()


def _write_prompts(connection: apsw.Connection, prompts: Iterable[tuple[str, str]]) -> None:
    if _columns(connection, "system_prompts"):
        connection.executemany("INSERT INTO system_prompts(hash, prompt) VALUES(?, ?)", prompts)


def _write_sessions(connection: apsw.Connection, rows: Iterable[SessionRow]) -> None:
    shared_prompts = bool(_columns(connection, "system_prompts"))
    for row in rows:
        given = row | {"system_prompt": None} if shared_prompts else row
        columns = _known(connection, "sessions", given)
        connection.execute(_insert("sessions", columns), [given[column] for column in columns])


def _finish_sessions(connection: apsw.Connection, rows: Iterable[SessionRow]) -> None:
    for row in rows:
        columns = _known(connection, "sessions", row)
        changes = ", ".join(f"{column} = ?" for column in columns)
        connection.execute(
            f"UPDATE sessions SET {changes} WHERE id = ?", [*(row[column] for column in columns), row["id"]]
        )
        used = {"session_id": row["id"], "last_seen": row["last_activity_at"], **row}
        columns = _known(connection, "session_model_usage", used)
        connection.execute(_insert("session_model_usage", columns), [used[column] for column in columns])


def _configure(connection: apsw.Connection, index: str, option: str, value: int) -> None:
    connection.execute(f"INSERT INTO {index}({index}, rank) VALUES('{option}', ?)", (value,))


def _columns(connection: apsw.Connection, table: str) -> list[str]:
    return [str(row[0]) for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))]


def _known(connection: apsw.Connection, table: str, columns: Iterable[str]) -> list[str]:
    """Those columns that the table has, in the given order."""
    there = set(_columns(connection, table))
    return [column for column in columns if column in there]


def _insert(table: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {table}({', '.join(columns)}) VALUES({', '.join('?' * len(columns))})"


def _stamp_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.made-by")


def _stamp(line: Line, messages: int) -> str:
    """What a database depends on: what is asked for, and the code that writes it."""
    code = hashlib.sha256()
    for name in ("million.py", "conversations.py", "sentences.py", "words.txt"):
        code.update(Path(__file__).with_name(name).read_bytes())
    return json.dumps({"line": line, "messages": messages, "seed": SEED, "code": code.hexdigest()[:16]})


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.million", description=__doc__)
    parser.add_argument("line", choices=get_args(Line))
    parser.add_argument("count", type=int)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    began = time.monotonic()
    given.out.parent.mkdir(parents=True, exist_ok=True)
    build(given.line, given.count, given.out)
    size = given.out.stat().st_size / 1e6
    print(f"{given.out}: {given.count:,} messages, {size:,.0f} MB, {time.monotonic() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
