"""What is small on disk or quickly typed and costs a careless program all its memory or an hour: time and room end."""

from __future__ import annotations

import gzip
import json
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hermes_tui.memory.threats import scan
from hermes_tui.redaction import redact
from hermes_tui.sessions.upkeep import json_stream
from hermes_tui.sessions.upkeep.json_stream import BadJson, JsonStream
from tests.cli.conftest import Run
from tests.cli.conftest import run as run
from tests.pending.conftest import put as put
from tests.sessions.world import World

QUERIES = {
    "long": "otter " * 17_000,
    "one word": "o" * 100_000,
    "quotes": '"' * 10_000,
    "odd quotes": '"otter ' * 9_999,
    "near": "NEAR(" * 5_000,
    "near of many": f"NEAR({'otter ' * 5_000}, 999999)",
    "columns": "content : otter {a b} : x - col : " * 2_000,
    "brackets": "(" * 50_000,
    "carets": "^" * 50_000,
    "not": "NOT " * 10_000 + "otter",
    "fields": "source:x title:y before:z " * 4_000,
    "wildcards": "%_" * 50_000,
    "chinese": "水獺" * 20_000,
    "marks": "o" + "\u0301" * 50_000,
    "minus": "-" * 100_000,
    "nul": "otter\x00" * 5_000,
}
REPEATED = (
    "a",
    " ",
    "=",
    '"',
    "sk-",
    "key=",
    "://:@",
    "ignore all ",
    "-----BEGIN ",
    "eyJ.",
    "{[",
    "<!--",
    "\u200b",
    "é.",
)
BUDGET_SECONDS = 4.0
"""Of processor time, far more than any of these takes and far less than what they would take unguarded."""


@contextmanager
def budget(mebibytes: int = 0) -> Iterator[None]:
    """Fail when what is done takes too long, or more memory than this."""
    began = time.process_time()
    if mebibytes:
        tracemalloc.start()
    try:
        yield
        if mebibytes:
            assert tracemalloc.get_traced_memory()[1] < mebibytes << 20
    finally:
        tracemalloc.stop()
    assert time.process_time() - began < BUDGET_SECONDS


@pytest.mark.parametrize("query", QUERIES.values(), ids=list(QUERIES))
def test_no_query_is_a_command_to_the_index_or_takes_long(run: Run, hermes_home: Path, query: str) -> None:
    """What somebody pastes into the search box would hang the program, or be an error of SQLite."""
    world = World(hermes_home / "state.db", "0.22")
    for number in range(10):
        world.session(f"s{number}", f"the otter {number} swims " * 50)
    world.close()
    with budget():
        for ran in (
            run("sessions", "search", "--", query),
            run("history", "search", "--", query),
            run("tool", "session_search", json.dumps({"query": query})),
        ):
            assert ran.code in (0, 1, 2), ran.err[:500]
            assert "fts5" not in ran.err + ran.out
            assert "SQL" not in ran.err


@pytest.mark.parametrize("unit", REPEATED)
def test_no_repeated_text_makes_redaction_or_the_threat_scan_slow(unit: str) -> None:
    """One message of a tool would keep the screen from being drawn for minutes."""
    text = unit * (200_000 // len(unit))
    with budget():
        redact(text)
        scan(text[:20_000])


def _bomb(head: bytes, unit: bytes, mebibytes: int) -> bytes:
    """So much of the same, packed a thousand to one; each member goes on where the last one ended."""
    one = gzip.compress(unit * (1 << 20), 6)
    return gzip.compress(head) + one * mebibytes


@pytest.mark.parametrize("head", [b"", b'{"id": "', b'{"id": [1', b'{"id": 1', b'{"id": "a"}\n'])
@pytest.mark.parametrize("unit", [b"\0", b"0"])
def test_a_packed_gigabyte_is_imported_in_little_room(
    run: Run, hermes_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: bytes, unit: bytes
) -> None:
    """A file of a megabyte would fill the memory."""
    monkeypatch.setattr(json_stream, "MOST_CHARS", 1 << 20)
    World(hermes_home / "state.db", "0.22").close()
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(_bomb(head, unit, 1024))
    with budget(mebibytes=40):
        ran = run("sessions", "import", path, "--dry-run")
    assert ran.code in (1, 3), ran.err


class _Endless:
    """A file whose first value has no end."""

    def __init__(self, first: bytes, unit: bytes) -> None:
        self.first, self.unit, self.at, self.given = first, unit, 0, 0

    def read1(self, size: int = -1, /) -> bytes:
        self.given += size
        assert self.given < 16 << 20, "it is read for ever"
        start, self.at = self.at, self.at + size
        return (self.first[start : start + size] + self.unit * size)[:size]

    def seek(self, offset: int, _whence: int = 0, /) -> int:
        self.at = offset
        return offset


@pytest.mark.parametrize(("first", "unit"), [(b'"', b"a"), (b"", b"["), (b"[", b"1"), (b'["', b"\\")])
def test_a_value_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch, first: bytes, unit: bytes) -> None:
    """A single text in a file would be gathered until there is no memory left."""
    monkeypatch.setattr(json_stream, "MOST_CHARS", 1 << 20)
    with pytest.raises(BadJson), budget():
        JsonStream(_Endless(first, unit)).value()


FIELDS = {
    "deep lists": "[" * 100_000,
    "deep objects": '{"a":' * 100_000,
    "long number": "9" * 100_000,
    "many lists": f"[{'[],' * 10_000}[]]",
    "many halves": '"' + "\\ud800" * 20_000 + '"',
}


@pytest.mark.parametrize("value", FIELDS.values(), ids=list(FIELDS))
def test_a_field_of_any_depth_and_length_is_shown_or_refused(
    run: Run, hermes_home: Path, put: Callable[..., Path], value: str
) -> None:
    """One tool call in one session would end the transcript, the search, the history and the export."""
    world = World(hermes_home / "state.db", "0.22")
    world.session("a", "otter", model_config=value, system_prompt=value, title=value[:100_000])
    calls = json.dumps([{"id": "1", "function": {"name": "memory", "arguments": value}}])
    world.say("a", "otter", role="assistant", tool_calls=calls, reasoning_details=value)
    world.say("a", "\x00json:" + value, role="assistant", tool_calls=value)
    world.say("a", value, role="tool", tool_name="memory", tool_call_id="1")
    world.close()
    put("a.json", raw=value.encode())
    put("b.json", raw=f'{{"id": "b", "payload": {value}}}'.encode())
    put("c.json", raw=f'{{"id": "c", "created_at": {value}, "payload": {{"action": "add"}}}}'.encode())
    with budget():
        for words in (
            "pending list", "sessions list", "sessions show a", "sessions search otter", "history log",
            "sessions export a --output - --format html", "sessions export a --output - --format md",
            "sessions export a --output - --format jsonl", "sessions title --all --dry-run", "sessions stats",
        ):  # fmt: skip
            assert run(*words.split()).code in (0, 1), words


TYPES: list[object] = [None, True, 0, -1e400, 1.5, "x", "", [], {}, [[]], [{}], {"a": []}]


def test_no_type_of_a_field_of_a_record_ends_the_list(run: Run, put: Callable[..., Path]) -> None:
    """A record with a list where a text should be would hide all others."""
    number = 0
    payload = {"action": "add", "target": "memory", "content": "c", "old_text": "o", "name": "n", "operations": []}
    for queue in ("memory", "skills"):
        for field in (*payload, "matched_entry", "file_path", "category", "new_string", "old_string", "absorbed_into"):
            for value in TYPES:
                for action in ("replace", "batch", "patch"):
                    whole = {**payload, "action": action, "operations": [payload], field: value}
                    put(f"{number:05}.json", whole, queue=queue)
                    number += 1
        for field in ("id", "subsystem", "action", "summary", "origin", "created_at", "payload"):
            for value in TYPES:
                put(f"{number:05}.json", queue=queue, raw=json.dumps({"payload": payload, field: value}).encode())
                number += 1
    ran = run("pending", "list", "--json")
    assert ran.code == 0, ran.err
    assert len(ran.json["records"]) == number
