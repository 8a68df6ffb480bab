"""Deleting Holographic's facts as the agent does it: links, fact, search index and the bank of its category."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hermes_tui.errors import Conflict, NotFound, Refused
from hermes_tui.home import HermesHome, data_dir
from hermes_tui.providers.fact_banks import Bank, bank_name, bundled
from hermes_tui.providers.fact_copies import Cells, FactCopies, FactCopy
from hermes_tui.providers.fact_failures import foreign, told
from hermes_tui.providers.facts import Fact, fact_settings
from hermes_tui.sessions.upkeep.writer import Writer

BUNCH_ROWS = 200
"""So many vectors (8 KiB each) are in memory at once."""
TRIES = 3
"""So often the banks are worked out while others may write; then the agent has to wait for it."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """What was deleted, or brought back."""

    facts: tuple[int, ...]
    """Ids."""
    categories: tuple[str, ...]
    """Whose banks were made anew."""
    copy: Path
    """The file with what was deleted; gone once it is back."""


class FactKeeper:
    """Deletes facts of one home, and takes it back.

    Args:
        home: whose.
        read_only: refuse every change.
    """

    def __init__(self, home: HermesHome, *, read_only: bool = False) -> None:
        self.settings = fact_settings(home)
        self.path = self.settings.path
        self.copies = FactCopies(data_dir(home.path), self.path)
        self.read_only = read_only

    def delete(self, facts: Sequence[Fact]) -> Deleted:
        """Delete these facts, all or none; a copy is kept.

        Raises:
            Conflict: one of them is no longer what was seen.
            NotFound: the database is gone.
            Refused: nothing is to be changed, or the bank or the search index could not be kept right.
            Unreadable: somebody else wrote all the time, or the disk refused.
        """
        self._check_allowed()
        seen = {fact.id: fact for fact in facts}
        if not seen:
            raise Refused("No fact is named.", code="nothing_named", hint="See `providers memories list` for the ids.")
        with self._writer() as writer:
            table = _Table(writer, self.path)
            table.check_index()
            rows = table.rows(seen)
            _check_seen(seen, rows)
            categories = _categories(rows.values())

            kept: list[FactCopy] = []

            def change(banks: Sequence[Bank]) -> None:
                rows = table.rows(seen)  # again, now that nobody else can write
                _check_seen(seen, rows)
                kept.append(self.copies.keep(list(rows.values()), table.entities(rows)))
                for id in rows:
                    if table.linked:
                        writer.execute("DELETE FROM fact_entities WHERE fact_id = ?", (id,))
                    writer.execute("DELETE FROM facts WHERE fact_id = ?", (id,))
                table.put(banks, self.settings.dimensions)

            try:
                table.changed(lambda: table.banks(categories, without=set(seen)), change)
            except BaseException:
                for copy in kept:
                    self.copies.drop(copy)
                raise
            return Deleted(tuple(rows), tuple(map(str, categories)), kept[-1].path)

    def undo(self) -> Deleted:
        """Bring back what was deleted last.

        Raises:
            NotFound: nothing was deleted here, or all of it is back.
            Conflict: something else has taken a fact's place.
            Refused: as for deleting.
            Unreadable: likewise.
        """
        self._check_allowed()
        copy = self._last()
        with self._writer() as writer:
            table = _Table(writer, self.path)
            table.check_index()
            while not table.missing(copy.facts):  # a crash came before they were deleted, or after they were back
                self.copies.drop(copy)
                copy = self._last(before=copy)
            categories = _categories(copy.facts)

            def change(banks: Sequence[Bank]) -> None:
                for row in table.missing(copy.facts):
                    table.insert("facts", row)
                    table.link(row, copy.entities.get(int(str(row["fact_id"])), ()))
                table.put(banks, self.settings.dimensions)

            table.changed(lambda: table.banks(categories, plus=table.missing(copy.facts)), change)
        self.copies.drop(copy)
        ids = tuple(int(str(row["fact_id"])) for row in copy.facts)
        return Deleted(ids, tuple(map(str, categories)), copy.path)

    def undoable(self) -> int:
        """How many deletions can be taken back."""
        return len(self.copies.paths())

    def _last(self, before: FactCopy | None = None) -> FactCopy:
        copy = self.copies.last(before)
        if copy is None:
            raise NotFound("No fact was deleted here that could be brought back.", code="nothing_to_undo")
        return copy

    def _check_allowed(self) -> None:
        if self.read_only:
            raise Refused(
                "This is a read-only view; no fact is deleted or brought back.",
                code="read_only",
                hint="Leave out --read-only.",
            )

    @contextmanager
    def _writer(self) -> Iterator[Writer]:
        with told(self.path), Writer(self.path) as writer:
            # As the agent leaves the file when it closes it: whole, with nothing beside it.
            writer.let_checkpoint()
            yield writer


class _Table:
    """The tables of facts, within one connection."""

    def __init__(self, writer: Writer, path: Path) -> None:
        self.writer = writer
        self.columns = writer.columns("facts")
        if not {"fact_id", "content", "category"} <= self.columns:
            raise foreign(path)
        self.linked = bool(writer.columns("fact_entities"))
        self.banked = bool(writer.columns("memory_banks")) and "hrr_vector" in self.columns

    def check_index(self) -> None:
        """See to it that the search index follows.

        Raises:
            Refused: it would not.
        """
        found = {str(name) for (name,) in self.writer.rows("SELECT name FROM sqlite_master WHERE tbl_name = 'facts'")}
        indexed = bool(self.writer.columns("facts_fts"))
        if indexed and not {"facts_ad", "facts_ai"} <= found:
            raise Refused(
                "The search index of the facts is not kept up by this database, so it would go on finding what is"
                " deleted. Nothing was changed.",
                code="facts_index",
                hint="Start the agent once with Holographic, which mends its tables.",
            )

    def rows(self, ids: Iterable[int]) -> dict[int, Cells]:
        """Whole rows of facts."""
        names = sorted(self.columns)
        found: dict[int, Cells] = {}
        for id in ids:
            for row in self.writer.rows(f"SELECT {', '.join(names)} FROM facts WHERE fact_id = ?", (id,)):
                found[id] = dict(zip(names, row, strict=True))
        return found

    def entities(self, ids: Iterable[int]) -> dict[int, list[Cells]]:
        """Whole rows of the entities of facts."""
        if not self.linked:
            return {}
        names = sorted(self.writer.columns("entities"))
        selected = ", ".join(f"e.{name}" for name in names)
        sql = (
            f"SELECT {selected} FROM fact_entities l JOIN entities e ON e.entity_id = l.entity_id"
            " WHERE l.fact_id = ? ORDER BY l.entity_id"
        )
        return {id: [dict(zip(names, row, strict=True)) for row in self.writer.rows(sql, (id,))] for id in ids}

    def changed(self, banks: Callable[[], list[Bank]], change: Callable[[Sequence[Bank]], None]) -> None:
        """Make a change with banks that fit it; they are worked out while others may write, as long as nobody does."""
        for _ in range(TRIES):
            version = self._version()
            found = banks()
            with self.writer.transaction():
                if self._version() == version:
                    change(found)
                    return
        with self.writer.transaction():
            change(banks())

    def _version(self) -> object:
        return self.writer.rows("PRAGMA data_version")[0][0]

    def banks(
        self, categories: Iterable[object], *, without: set[int] | None = None, plus: Sequence[Cells] = ()
    ) -> list[Bank]:
        """What the banks of these categories are without some facts, or with some more."""
        if not self.banked:
            return []
        return [bundled(name, self._vectors(name, without or set(), plus)) for name in categories]

    def _vectors(self, category: object, without: set[int], plus: Sequence[Cells]) -> Iterator[bytes]:
        """The vectors of a category in the order in which the agent adds them."""
        more: list[tuple[int, bytes]] = []
        for row in plus:
            vector = row.get("hrr_vector")
            if row.get("category") == category and isinstance(vector, bytes):
                more.append((int(str(row["fact_id"])), vector))
        more.sort()
        last = -(1 << 63)
        while True:
            rows = self.writer.rows(
                "SELECT fact_id, hrr_vector FROM facts WHERE category = ? AND hrr_vector IS NOT NULL AND fact_id > ?"
                " ORDER BY fact_id LIMIT ?",
                (category, last, BUNCH_ROWS),
            )
            for id, vector in rows:
                while more and more[0][0] < id:
                    yield more.pop(0)[1]
                if id not in without:
                    yield vector if isinstance(vector, bytes) else b""
            if not rows:
                break
            last = rows[-1][0]
        yield from (vector for _, vector in more)

    def put(self, banks: Sequence[Bank], dimensions: int | None) -> None:
        """Write banks as the agent does: one that has nothing in it is deleted."""
        for bank in banks:
            if not bank.facts:
                self.writer.execute("DELETE FROM memory_banks WHERE bank_name = ?", (bank.name,))
                continue
            self.writer.execute(
                "INSERT INTO memory_banks (bank_name, vector, dim, fact_count, updated_at)"
                " VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP) ON CONFLICT(bank_name) DO UPDATE SET vector = excluded.vector,"
                " dim = excluded.dim, fact_count = excluded.fact_count, updated_at = excluded.updated_at",
                (bank.name, bank.vector, dimensions or bank.dimensions, bank.facts),
            )

    def missing(self, rows: Sequence[Cells]) -> list[Cells]:
        """Those of these facts that are not there.

        Raises:
            Conflict: something else stands in the place of one.
        """
        found: list[Cells] = []
        for row in rows:
            id, text = row["fact_id"], row["content"]
            there = self.writer.rows("SELECT fact_id, content FROM facts WHERE fact_id = ? OR content = ?", (id, text))
            if not there:
                found.append(row)
            elif there != [(id, text)]:
                raise Conflict(
                    f"Fact {id} cannot come back: the agent has stored another one in its place, or the same text"
                    " again. Nothing was changed.",
                    code="conflict",
                    hint="Delete that one first, or leave it as it is.",
                )
        return found

    def insert(self, table: str, row: Cells) -> None:
        """Add a whole row; columns that the table has no more are left out."""
        names = [name for name in row if name in self.writer.columns(table)]
        marks = ", ".join("?" * len(names))
        self.writer.execute(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", [row[name] for name in names])

    def link(self, fact: Cells, entities: Sequence[Cells]) -> None:
        """Tie a fact to its entities again, which are made anew where they are gone."""
        for entity in entities if self.linked else ():
            name, id = entity.get("name"), entity.get("entity_id")
            there = self.writer.rows("SELECT entity_id FROM entities WHERE entity_id = ? AND name = ?", (id, name))
            there = there or self.writer.rows("SELECT entity_id FROM entities WHERE name = ? LIMIT 1", (name,))
            if not there:
                taken = self.writer.rows("SELECT 1 FROM entities WHERE entity_id = ?", (id,))
                kept = {key: value for key, value in entity.items() if not (taken and key == "entity_id")}
                self.insert("entities", kept)
                there = self.writer.rows("SELECT entity_id FROM entities WHERE name = ? LIMIT 1", (name,))
            self.writer.execute(
                "INSERT OR IGNORE INTO fact_entities (fact_id, entity_id) VALUES (?, ?)",
                (fact["fact_id"], there[0][0]),
            )


def _check_seen(seen: dict[int, Fact], rows: dict[int, Cells]) -> None:
    for id, fact in seen.items():
        row = rows.get(id)
        if row is None or row["content"] != fact.text or str(row["category"]) != fact.category:
            what = "is gone" if row is None else "is another one now"
            raise Conflict(f"Fact {id} {what}; nothing was deleted.", code="conflict", hint="Look at the facts again.")


def _categories(rows: Iterable[Cells]) -> list[object]:
    return list(dict.fromkeys(row["category"] for row in rows))


__all__ = ["Deleted", "FactKeeper", "bank_name"]
