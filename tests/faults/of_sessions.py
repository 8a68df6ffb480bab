"""Sessions: titles, the archive, deleting and bringing back, files in and out, and facts of a provider."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import apsw

from hermes_tui.providers.fact_deletion import FactKeeper
from hermes_tui.providers.facts import Facts
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.export.export import export
from hermes_tui.sessions.export.lossless import write_session
from hermes_tui.sessions.export.wish import Wish
from hermes_tui.sessions.upkeep.keeper import Keeper
from hermes_tui.sessions.upkeep.pruning import Pruned
from tests.faults.of_memory import open_store
from tests.faults.operation import Look, Operation, Place
from tests.providers.fact_world import contents, make_facts
from tests.sessions.upkeep.conftest import check, dump
from tests.sessions.world import World

FEW = ("s0", "s1", "s2")


def prepare(place: Place, *, wal: bool = True) -> None:
    """Conversations with files beside them; one was renamed here."""
    path = place.home.state_db
    world = World(path, "0.22" if wal else "0.19", wal=wal, age="new")
    (place.home.path / "sessions").mkdir()
    for number in range(6):
        id = f"s{number}"
        world.session(
            id, f"an otter {number}", "hello " * 300, ended_at=1.0, title=f"Title {number}" if number < 3 else None
        )
        world.use(id)
        (place.home.path / "sessions" / f"{id}.json").write_text(id)
    world.close()
    with (place.root / "in.jsonl").open("w", encoding="utf-8") as file, Database(path) as base:
        for id in FEW:
            write_session(base, id, file.write)
    Keeper(place.home).rename("s5", "Before")


def _without_log(place: Place) -> None:
    prepare(place, wal=False)


def look(place: Place) -> Look:
    """Every row, and every file beside them; the database is sound."""
    check(place.home.state_db)
    files = sorted((place.home.path / "sessions").iterdir())
    return {**dump(place.home.state_db), **{f"sessions/{path.name}": path.read_bytes() for path in files}}


def start(place: Place) -> None:
    """As the app does it."""
    open_store(place.home).recover()


def undo(place: Place) -> None:
    """The last change of sessions."""
    Keeper(place.home).undo()


def _each_whole(now: Look, old: Look, new: Look) -> bool:
    """A slow machine takes few at once: each conversation is as before or as after, and so is each file beside them.

    Files go after the rows, and come after them: until then there is one too many, or a copy of ours has it.
    """
    files = [name for name in {*old, *new, *now} if name.startswith("sessions/")]
    return all(now.get(name) in (old.get(name), new.get(name)) for name in files) and all(
        _rows_of(id, now) in (_rows_of(id, old), _rows_of(id, new)) for id in (f"s{number}" for number in range(6))
    )


def _rows_of(id: str, found: Look) -> dict[str, list[object]]:
    """All that the tables say about a session."""
    tables = {name: rows for name, rows in found.items() if isinstance(rows, list)}
    return {name: [row for row in rows if id.encode() in row] for name, rows in tables.items()}


def _keeping(
    name: str,
    deed: Callable[[Keeper], Callable[[], object]],
    before: Callable[[Place], object] = prepare,
    between: Callable[[Look, Look, Look], bool] = _each_whole,
) -> Operation:
    rollback = before is _without_log
    return Operation(
        f"sessions {name}", before, lambda place: deed(Keeper(place.home)), look, start, undo, between,
        rollback=rollback,
    )  # fmt: skip


def _deletes(keeper: Keeper) -> Callable[[], object]:
    plan = keeper.plan(FEW)
    return lambda: keeper.delete(plan)


def _prunes(keeper: Keeper) -> Callable[[], object]:
    plan = keeper.plan_prune(Pruned(older_than_days=1))
    return lambda: keeper.delete(plan)


def _deleted(place: Place) -> None:
    prepare(place)
    keeper = Keeper(place.home)
    keeper.delete(keeper.plan(FEW))


def _imports(place: Place) -> Callable[[], object]:
    keeper = Keeper(place.home)
    return lambda: keeper.import_file(place.root / "in.jsonl")


def _imported(place: Place) -> None:
    _deleted(place)
    Keeper(place.home).import_file(place.root / "in.jsonl")


def _with_holes(place: Place) -> Look:
    base = apsw.Connection(str(place.home.state_db))
    holes = next(iter(base.execute("PRAGMA freelist_count")))[0]
    base.close()
    return {**look(place), "holes": holes > 0}


def _exports(name: str, *, together: bool) -> Operation:
    def sit(place: Place) -> Callable[[], object]:
        return lambda: _export(place, together=together, overwrite=False)

    def written(place: Place) -> Look:
        folder = place.root / "out"
        return {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.suffix == ".jsonl"}

    def left(place: Place) -> None:
        """What a kill leaves, the next export to the same place clears away."""
        if any(path.name.endswith(".part") for path in (place.root / "out").rglob("*")):
            _export(place, together=together, overwrite=True)

    def whole(now: Look, _old: Look, new: Look) -> bool:
        return all(data == new.get(name) for name, data in now.items())

    def before(place: Place) -> None:
        prepare(place)
        (place.root / "out").mkdir()

    return Operation(name, before, sit, written, left, None, whole)


def _export(place: Place, *, together: bool, overwrite: bool) -> None:
    target = place.root / "out"
    with Database(place.home.state_db) as base:
        export(
            base, FEW, target / "all.jsonl" if together else target, Wish("jsonl", masked=False), together=together,
            overwrite=overwrite,
        )  # fmt: skip


def _facts(place: Place) -> None:
    path = place.home.path / "memory_store.db"
    make_facts(path, [(f"Fact {number} about Ana", "general", 0.5) for number in range(6)]).close()
    _delete_fact(place, 6)()


def _delete_fact(place: Place, *ids: int) -> Callable[[], object]:
    keeper = FactKeeper(place.home)
    with Facts(keeper.path) as facts:
        seen = facts.some(ids)
    return lambda: keeper.delete(seen)


def _undo_facts(place: Place) -> None:
    FactKeeper(place.home).undo()


def _facts_deleted(place: Place) -> None:
    _facts(place)
    _delete_fact(place, 1, 2)()


def _look_at_facts(place: Place) -> Mapping[str, object]:
    return contents(place.home.path / "memory_store.db")


OPERATIONS = (
    _keeping("rename", lambda keeper: lambda: keeper.rename("s0", "Another title")),
    _keeping("rename, no log", lambda keeper: lambda: keeper.rename("s0", "Another title"), _without_log),
    _keeping("titles", lambda keeper: lambda: keeper.entitle({"s3": "Three", "s4": "Four"})),
    _keeping("archive", lambda keeper: lambda: keeper.archive(FEW, True)),
    _keeping("delete", _deletes),
    _keeping("delete, no log", _deletes, _without_log),
    _keeping("prune", _prunes),
    _keeping("undo of delete", lambda keeper: keeper.undo, _deleted),
    _keeping("undo of import", lambda keeper: keeper.undo, _imported),
    Operation("sessions import", _deleted, _imports, look, start, undo, _each_whole),
    Operation("sessions vacuum", _deleted, lambda place: Keeper(place.home).vacuum, _with_holes, start),
    _exports("export to one file", together=True),
    _exports("export to files", together=False),
)
FACTS = (
    Operation("facts delete", _facts, lambda place: _delete_fact(place, 1, 2), _look_at_facts, start, _undo_facts),
    Operation(
        "facts undo", _facts_deleted, lambda place: FactKeeper(place.home).undo, _look_at_facts, start, _undo_facts
    ),
)
