"""A database as Holographic leaves it, made without the agent."""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Sequence
from pathlib import Path

import apsw

DIMENSIONS = 16
SCHEMA = """
CREATE TABLE facts (fact_id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL UNIQUE,
  category TEXT DEFAULT 'general', tags TEXT DEFAULT '', trust_score REAL DEFAULT 0.5,
  retrieval_count INTEGER DEFAULT 0, helpful_count INTEGER DEFAULT 0,
  created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, hrr_vector BLOB);
CREATE TABLE entities (entity_id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
  entity_type TEXT DEFAULT 'unknown', aliases TEXT DEFAULT '', created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE fact_entities (fact_id INTEGER REFERENCES facts(fact_id), entity_id INTEGER REFERENCES entities(entity_id),
  PRIMARY KEY (fact_id, entity_id));
CREATE INDEX idx_facts_category ON facts(category);
CREATE TABLE memory_banks (bank_id INTEGER PRIMARY KEY AUTOINCREMENT, bank_name TEXT NOT NULL UNIQUE,
  vector BLOB NOT NULL, dim INTEGER NOT NULL, fact_count INTEGER DEFAULT 0,
  updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
"""
INDEX = """
CREATE VIRTUAL TABLE facts_fts USING fts5(content, tags, content=facts, content_rowid=fact_id);
"""
TRIGGERS = """
CREATE TRIGGER facts_ai AFTER INSERT ON facts BEGIN
  INSERT INTO facts_fts(rowid, content, tags) VALUES (new.fact_id, new.content, new.tags); END;
CREATE TRIGGER facts_ad AFTER DELETE ON facts BEGIN
  INSERT INTO facts_fts(facts_fts, rowid, content, tags)
  VALUES ('delete', old.fact_id, old.content, old.tags); END;
"""


def vector(text: str, dimensions: int = DIMENSIONS) -> bytes:
    """Some angles, always the same for a text."""
    digest = hashlib.shake_256(text.encode()).digest(2 * dimensions)
    pairs = zip(digest[::2], digest[1::2], strict=True)
    return array("d", ((low + 256 * high) * 2 * math.pi / 65536 for low, high in pairs)).tobytes()


def make_facts(
    path: Path, facts: Sequence[tuple[str, str, float]], *, vectors: bool = True, triggers: bool = True
) -> apsw.Connection:
    """A database with facts (text, category, trust); the caller closes the connection."""
    base = apsw.Connection(str(path))
    base.execute("PRAGMA journal_mode = WAL")
    base.execute(SCHEMA + INDEX + (TRIGGERS if triggers else ""))
    for text, category, trust in facts:
        base.execute(
            "INSERT INTO facts (content, category, trust_score, hrr_vector, created_at, updated_at)"
            " VALUES (?, ?, ?, ?, '2026-01-02 03:04:05', '2026-01-02 03:04:05')",
            (text, category, trust, vector(text) if vectors else None),
        )
        id = base.last_insert_rowid()
        for word in (word for word in text.split() if word.istitle()):
            found = base.execute("SELECT entity_id FROM entities WHERE name = ?", (word,)).fetchall()
            if not found:
                base.execute("INSERT INTO entities (name) VALUES (?)", (word,))
            entity = found[0][0] if found else base.last_insert_rowid()
            base.execute("INSERT OR IGNORE INTO fact_entities VALUES (?, ?)", (id, entity))
    return base


def contents(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """All that is in a database, but for the times at which banks were written; its search index is whole."""
    tables = {
        "facts": "*",
        "entities": "*",
        "fact_entities": "*",
        "memory_banks": "bank_name, vector, dim, fact_count",
    }
    base = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        base.execute("INSERT INTO facts_fts(facts_fts, rank) VALUES ('integrity-check', 1)")
        return {
            name: list(base.execute(f"SELECT {columns} FROM {name} ORDER BY 1, 2")) for name, columns in tables.items()
        }
    finally:
        base.close()
