"""Searching and listing conversations at size: how soon the first page is there, and what it costs."""

from __future__ import annotations

import json
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import apsw

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.named import Names
from hermes_tui.sessions.query import parse
from hermes_tui.sessions.search import Search
from hermes_tui.text import one_line
from tests.bench.million import AGENTS, Line, bench_folder, make_database
from tests.bench.report import Row, percentile
from tests.bench.screen import Screen
from tests.bench.starting import paint
from tests.bench.terminal import Terminal
from tests.bench.world import HERE, HERMES_TUI, World, landmark

SMALL, LARGE = 100_000, 1_000_000
WORDS = ("docker", "the", "error", "config", "docker error", '"to the"', "项目进展", "don't", "v1.2", "my_var")
"""Found by whole words or by three characters: closed by a space where a word could go on."""
BEGINNINGS = ("do", "th", "con", "err", "docker co", "the do", "ma", "st")
SHORT_CJK = ("项目", "서울")
COMMON = ("docker", "the", "error")
BOX_ROW, COUNTS_ROW, FIRST_ROW = 1, 2, 4
TITLE_CELLS = 20
FIRST_PAGE = 8
"""Conversations that fill a screen."""
P50_MS, P95_MS = 50, 120
RAW_RATIO = 1.5
WHOLE_GROWTH, BEGINNING_GROWTH = 2.0, 5.0
SOONER = 20
FIRST_PAINT_RATIO = 1.15
MEGABYTES = 150
ROUNDS = 5


def searching(world: World, agents: Mapping[Line, str], presses: int) -> list[Row]:
    """Everything about sessions, on databases made by each agent's own schema."""
    rows: list[Row] = []
    for line in AGENTS:
        if line not in agents:
            continue
        small, large = (make_database(line, count, bench_folder()) for count in (SMALL, LARGE))
        rows += _growth(line, small, large)
        rows += _against_raw(line, large)
        rows += _against_agent(line, large, agents[line])
        rows += _on_screen(line, world, large, presses)
        rows += _first_paint(line, world, large)
    return rows


def _quickest(path: Path, queries: Sequence[str]) -> dict[str, float]:
    """Milliseconds to the first page of each query, of the quickest of some rounds."""
    base = Database(path)
    known = Names(base)
    known.refresh()
    took: dict[str, float] = {}
    for query in queries:
        times = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            Search(base, parse(query, time.time()), known=known).more(FIRST_PAGE)
            times.append((time.perf_counter() - began) * 1000)
        took[query] = min(times)
    base.close()
    return took


def _growth(line: Line, small: Path, large: Path) -> list[Row]:
    """How the time to the first page grows with ten times the messages."""
    whole = [f"{word} " for word in WORDS]
    rows = []
    for what, queries, budget in (
        ("whole words", whole, WHOLE_GROWTH),
        ("beginnings of words", BEGINNINGS, BEGINNING_GROWTH),
    ):
        before, after = _quickest(small, queries), _quickest(large, queries)
        worst = max(queries, key=lambda query: after[query] / before[query])
        middle = statistics.median(after[query] / before[query] for query in queries)
        note = f"worst {worst.strip()!r} {after[worst] / before[worst]:.1f} x; slowest {max(after.values()):.1f} ms"
        rows.append(Row(f"{line} first page, {what}: 1M to 100k", middle, "x", None, budget, note=note))
    return rows


def _against_raw(line: Line, path: Path) -> list[Row]:
    """The first page of a common word, and the one statement that reads the same messages newest first."""
    base = Database(path)
    known = Names(base)
    known.refresh()
    raw = apsw.Connection(f"file:{path}?mode=ro", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    ratios, notes = [], []
    for word in COMMON:
        ours, plain, count = [], [], 0
        for _ in range(ROUNDS):
            began = time.perf_counter()
            count = Search(base, parse(f"{word} ", time.time()), known=known).more(FIRST_PAGE).matches
            ours.append((time.perf_counter() - began) * 1000)
            began = time.perf_counter()
            raw.execute(
                "SELECT m.id, m.session_id, m.role, m.timestamp, m.content, s.title, s.source FROM messages_fts"
                " JOIN messages m ON m.id = messages_fts.rowid JOIN sessions s ON s.id = m.session_id"
                " WHERE messages_fts MATCH ? ORDER BY messages_fts.rowid DESC LIMIT ?",
                (word, count),
            ).fetchall()
            plain.append((time.perf_counter() - began) * 1000)
        ratios.append(min(ours) / min(plain))
        notes.append(f"{word} {min(ours):.1f} / {min(plain):.1f} ms of {count}")
    raw.close()
    base.close()
    note = "; ".join(notes)
    return [Row(f"{line} first page to the same messages by SQL", statistics.median(ratios), "x", note=note)]


def _against_agent(line: Line, path: Path, python: str) -> list[Row]:
    """Against the agent's own search, in the same run."""
    queries = [*COMMON, *SHORT_CJK]
    answered = subprocess.run(
        [python, str(HERE / "timed_search.py"), str(path)],
        input=json.dumps(queries), text=True, capture_output=True, check=True,
        env={"HOME": str(path.parent), "HERMES_HOME": str(path.parent), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    theirs = {found["query"]: found["ms"] for found in map(json.loads, filter(_is_json, answered.stdout.splitlines()))}
    ours = _quickest(path, queries)
    rows = []
    for what, some in (("common words", COMMON), ("two CJK characters", SHORT_CJK)):
        least = min(theirs[query] / ours[query] for query in some)
        note = "; ".join(f"{query} {theirs[query]:.0f} / {ours[query]:.1f} ms" for query in some)
        # As a share of the agent's time, so that less is better like everywhere.
        rows.append(Row(f"{line} {what}, of the agent's time", 100 / least, "%", None, 100 / SOONER, note=note))
    return rows


def _is_json(line: str) -> bool:
    return line.startswith("{")


def _first_titles(path: Path, queries: Sequence[str]) -> dict[str, str]:
    """How the first result of each query is called, cut to what a narrow list shows of it."""
    base = Database(path)
    known = Names(base)
    known.refresh()
    titles: dict[str, str] = {}
    for query in queries:
        page = Search(base, parse(query, time.time()), known=known).more(FIRST_PAGE)
        if page.found:
            titles[query] = one_line(page.found[0].summary.title, TITLE_CELLS).rstrip("…").strip()
    base.close()
    return titles


def _on_screen(line: Line, world: World, path: Path, presses: int) -> list[Row]:
    """From the key to the frame that shows the first results, in a real terminal."""
    home = world.demo(f"sessions-{line}")
    _put_in(home, path)
    queries = [*WORDS, *BEGINNINGS, *SHORT_CJK]
    titles = _first_titles(path, queries)
    queries = [query for query in queries if query in titles]
    with Terminal([HERMES_TUI], world.environ(home)) as terminal:
        terminal.wait_for(lambda screen: "live" in screen.lines[0], "the word live")
        pressed = terminal.send("3")
        opened = terminal.wait_for(lambda screen: "Preview" in screen.text, "the list")
        terminal.listen(8.0)
        terminal.send("/")
        delays: dict[str, float] = {}
        for turn in range(presses):
            query = queries[turn % len(queries)]
            terminal.send("\x15")
            terminal.wait_for(lambda screen: "sessions" in screen.lines[COUNTS_ROW], "the whole list")
            terminal.listen(0.3)
            # One event, like one key: letters one by one would show the same results before the last of them.
            sent = terminal.send(f"\x1b[200~{query}\x1b[201~")
            shown = terminal.wait_for(_shows(query, titles[query]), f"{titles[query]!r} for {query!r}")
            delays[f"{query} {turn}"] = (shown - sent) / 1e6
        terminal.send("\x1b\x1b")
        for _ in range(60):
            terminal.send("\x1b[6~")
            terminal.listen(0.03)
        megabytes = terminal.resident_megabytes()
    slowest = max(delays, key=lambda query: delays[query])
    took = list(delays.values())
    note = f"{presses} queries; slowest {slowest!r} {delays[slowest]:.0f} ms"
    return [
        Row(f"{line} key to the list, 1M messages", (opened - pressed) / 1e6, "ms", note="its first visit"),
        Row(f"{line} key to results, 1M messages: p50", statistics.median(took), "ms", None, P50_MS, note=note),
        Row(f"{line} key to results, 1M messages: p95", percentile(took, 0.95), "ms", None, P95_MS),
        Row(f"{line} memory held while searching and scrolling", megabytes, "MB", None, MEGABYTES),
    ]


def _shows(query: str, title: str) -> Callable[[Screen], bool]:
    """Whether the screen has a query in the box and its first result on top of the list."""

    def shown(screen: Screen) -> bool:
        found = "hit" in screen.lines[COUNTS_ROW] and title in screen.lines[FIRST_ROW]
        return found and query.strip() in screen.lines[BOX_ROW]

    return shown


def _put_in(home: Path, path: Path) -> None:
    database = home / "state.db"
    database.unlink(missing_ok=True)
    database.symlink_to(path)


def _first_paint(line: Line, world: World, path: Path) -> list[Row]:
    """What the size of the database costs at the start: nothing."""
    empty, full = world.demo(f"empty-{line}"), world.demo(f"full-{line}")
    (empty / "state.db").unlink()
    _put_in(full, path)
    paints: dict[Path, list[float]] = {empty: [], full: []}
    for turn in range(8):
        for home in (empty, full) if turn % 2 else (full, empty):
            took, _ = paint([HERMES_TUI], world.environ(home), (landmark(home, "MEMORY.md"),))
            if turn:
                paints[home].append(took)
    floor, ours = statistics.median(paints[empty]), statistics.median(paints[full])
    return [Row(f"{line} first paint with 1M messages", ours, "ms", floor, FIRST_PAINT_RATIO)]
