"""Holographic's facts, read from its own database without leaving a trace: not even that they were looked at."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from hermes_tui.home import HermesHome
from hermes_tui.providers.fact_failures import foreign, told
from hermes_tui.sessions.database import PATIENCE_SECONDS, Database, Row
from hermes_tui.sessions.folding import fold
from hermes_tui.yaml_file import read_yaml

SECTION = "hermes-memory-store"
"""Its settings are under `plugins` by this name."""
FILE = "memory_store.db"
PAGE_ROWS = 500
IDS_AT_ONCE = 500

_WANTED = {
    "category": "'general'",
    "tags": "''",
    "trust_score": "NULL",
    "retrieval_count": "0",
    "helpful_count": "0",
    "created_at": "NULL",
    "updated_at": "NULL",
}
"""Columns, and what stands for one that this database has not."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact."""

    id: int
    text: str
    category: str
    tags: str
    trust: float | None
    """From 0 to 1; the agent passes over those below its threshold."""
    entities: tuple[str, ...]
    """Names that the agent found in it."""
    retrieved: int
    """How often a search of the agent gave it."""
    helpful: int
    """How often the agent said that it helped."""
    created_at: float | None
    updated_at: float | None


@dataclass(frozen=True, slots=True)
class FactCounts:
    """What the database holds in all."""

    facts: int
    categories: Mapping[str, int]
    """Facts by category, the largest first."""
    entities: int
    retrieved: int
    helpful: int


@dataclass(frozen=True, slots=True)
class FactSettings:
    """Where the facts are, and what decides over them."""

    path: Path
    min_trust: float
    """The agent recalls none below."""
    dimensions: int | None
    """Numbers in a vector; None where the setting cannot be used."""
    note: str = ""
    """A sentence about the path; usually empty."""


def fact_settings(home: HermesHome) -> FactSettings:
    """What config.yaml says about Holographic; the agent's defaults for what it does not."""
    plugins = read_yaml(home.config_path).mapping.get("plugins")
    found = plugins.get(SECTION) if isinstance(plugins, Mapping) else None
    section: Mapping[object, object] = found if isinstance(found, Mapping) else {}
    named = section.get("db_path")
    path, note = home.path / FILE, ""
    if isinstance(named, str) and named.strip():
        text = named.replace("$HERMES_HOME", str(home.path)).replace("${HERMES_HOME}", str(home.path))
        try:
            path = Path(text).expanduser()
        except RuntimeError:
            path = Path(text)
        if not path.is_absolute():
            note = f"plugins.{SECTION}.db_path is a relative path: another file in every directory."
            path = Path.cwd() / path
    return FactSettings(
        path,
        _number(section.get("min_trust_threshold"), 0.3),
        _whole(section.get("hrr_dim", 1024)),
        note,
    )


class Facts:
    """Reads the facts; any thread may call, one at a time.

    Args:
        path: the database.
        patience: seconds to wait while somebody else keeps it locked.

    Raises:
        NotFound: there is none, or it is empty.
        Unreadable: it is locked, damaged, or holds something else.
    """

    def __init__(self, path: Path, *, patience: float = PATIENCE_SECONDS) -> None:
        self.path = path
        with told(path):
            self._base = Database(path, patience=patience)
        try:
            self._columns()
        except BaseException:
            self._base.close()
            raise

    def __enter__(self) -> Facts:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self._base.close()

    def list(
        self, *, category: str | None = None, min_trust: float = 0.0, limit: int | None = None, offset: int = 0
    ) -> tuple[Fact, ...]:
        """Facts, the most trusted first."""
        where, values = self._where(category, min_trust)
        order = "trust_score DESC, fact_id" if "trust_score" in self._columns() else "fact_id"
        rows = self._rows(
            f"SELECT {self._selected()} FROM facts {where} ORDER BY {order} LIMIT ? OFFSET ?",
            (*values, -1 if limit is None else limit, offset),
        )
        return self._facts(rows)

    def search(
        self, text: str, *, category: str | None = None, min_trust: float = 0.0, limit: int | None = None
    ) -> tuple[Fact, ...]:
        """Facts that hold `text` as it stands, in any case, in their text, tags or entities; the most trusted first."""
        wanted = _folded(text.strip())
        if not wanted:
            return ()
        found = [
            fact
            for page in self._pages(category, min_trust)
            for fact in page
            if any(wanted in _folded(each) for each in (fact.text, fact.tags, *fact.entities))
        ]
        found.sort(key=lambda fact: (-(fact.trust or 0.0), fact.id))
        return tuple(found[:limit])

    def some(self, ids: Sequence[int]) -> tuple[Fact, ...]:
        """Those of these ids that are there, in the order of the ids."""
        found: dict[int, Fact] = {}
        for start in range(0, len(ids), IDS_AT_ONCE):
            bunch = ids[start : start + IDS_AT_ONCE]
            marks = ",".join("?" * len(bunch))
            rows = self._rows(f"SELECT {self._selected()} FROM facts WHERE fact_id IN ({marks})", bunch)
            found.update((fact.id, fact) for fact in self._facts(rows))
        return tuple(found[id] for id in dict.fromkeys(ids) if id in found)

    def counts(self) -> FactCounts:
        """How much there is."""
        columns = self._columns()
        category = "category" if "category" in columns else "'general'"
        categories = self._rows(f"SELECT {category}, COUNT(*) FROM facts GROUP BY 1 ORDER BY 2 DESC, 1")
        sums = [f"SUM({name})" if name in columns else "0" for name in ("retrieval_count", "helpful_count")]
        ((retrieved, helpful),) = self._rows(f"SELECT {', '.join(sums)} FROM facts")
        entities = self._rows("SELECT COUNT(*) FROM entities")[0][0] if self._has("entities") else 0
        return FactCounts(
            facts=sum(_int(count) for _, count in categories),
            categories={_text(name): _int(count) for name, count in categories},
            entities=_int(entities),
            retrieved=_int(retrieved),
            helpful=_int(helpful),
        )

    def _columns(self) -> frozenset[str]:
        with told(self.path):
            columns = self._base.columns("facts")
        if not {"fact_id", "content"} <= columns:
            raise foreign(self.path)
        return columns

    def _has(self, table: str) -> bool:
        with told(self.path):
            return bool(self._base.columns(table))

    def _selected(self) -> str:
        columns = self._columns()
        return "fact_id, content, " + ", ".join(name if name in columns else other for name, other in _WANTED.items())

    def _where(self, category: str | None, min_trust: float) -> tuple[str, tuple[object, ...]]:
        columns = self._columns()
        wanted: dict[str, object] = {}
        if min_trust > 0 and "trust_score" in columns:
            wanted["trust_score >= ?"] = min_trust
        if category is not None and "category" in columns:
            wanted["category = ?"] = category
        return ("WHERE " + " AND ".join(wanted) if wanted else ""), tuple(wanted.values())

    def _pages(self, category: str | None, min_trust: float) -> Iterator[tuple[Fact, ...]]:
        where, values = self._where(category, min_trust)
        where = f"{where} AND fact_id > ?" if where else "WHERE fact_id > ?"
        last = -(1 << 63)
        while True:
            rows = self._rows(
                f"SELECT {self._selected()} FROM facts {where} ORDER BY fact_id LIMIT ?", (*values, last, PAGE_ROWS)
            )
            if not rows:
                return
            last = int(rows[-1][0])
            yield self._facts(rows)

    def _facts(self, rows: Sequence[Row]) -> tuple[Fact, ...]:
        entities = self._entities([int(row[0]) for row in rows])
        return tuple(
            Fact(
                id=int(id),
                text=_text(content),
                category=_text(category),
                tags=_text(tags),
                trust=float(trust) if isinstance(trust, int | float) else None,
                entities=entities.get(int(id), ()),
                retrieved=_int(retrieved),
                helpful=_int(helpful),
                created_at=_seconds(created),
                updated_at=_seconds(updated),
            )
            for id, content, category, tags, trust, retrieved, helpful, created, updated in rows
        )

    def _entities(self, ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
        if not (ids and self._has("entities") and self._has("fact_entities")):
            return {}
        found: dict[int, tuple[str, ...]] = {}
        for start in range(0, len(ids), IDS_AT_ONCE):
            bunch = ids[start : start + IDS_AT_ONCE]
            rows = self._rows(
                "SELECT l.fact_id, e.name FROM fact_entities l JOIN entities e ON e.entity_id = l.entity_id"
                f" WHERE l.fact_id IN ({','.join('?' * len(bunch))}) ORDER BY l.fact_id, l.entity_id",
                bunch,
            )
            for id, name in rows:
                found[int(id)] = (*found.get(int(id), ()), _text(name))
        return found

    def _rows(self, sql: str, values: Sequence[object] = ()) -> Sequence[Row]:
        with told(self.path):
            return self._base.rows(sql, values)


def _folded(text: str) -> str:
    return fold(unicodedata.normalize("NFC", text)).casefold()


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    return "" if value is None else str(value)


def _int(value: object) -> int:
    return value if isinstance(value, int) else 0


def _number(value: object, default: float) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return default


def _whole(value: object) -> int | None:
    try:
        found = int(value)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        return None
    return found if found > 0 else None


def _seconds(value: object) -> float | None:
    """A time as SQLite writes it, in UTC, or as a number."""
    if isinstance(value, int | float):
        return float(value)
    if not isinstance(value, str):
        return None
    try:
        when = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
