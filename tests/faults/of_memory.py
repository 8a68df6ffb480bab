"""Memory: every change of the stores, and going to another profile."""

from __future__ import annotations

from collections.abc import Callable

from hermes_tui.config import load_config
from hermes_tui.errors import Refused
from hermes_tui.home import HermesHome
from hermes_tui.memory.across import send
from hermes_tui.memory.batch import Operation as Step
from hermes_tui.memory.check import EntryRef
from hermes_tui.memory.editing import MemoryStore, Outcome
from hermes_tui.memory.entries import join
from hermes_tui.pending.review import Review
from tests.faults.operation import Look, Operation, Place

FIRST = "The deploy runs on Friday at noon."
SECOND = "Ana wants short answers."
THIRD = "The office is closed in August."


def prepare(place: Place) -> None:
    """Entries in both stores of two homes, and a change that can be taken back."""
    config = "memory:\n  memory_char_limit: 4000\n  user_char_limit: 4000\n"
    for home in (place.home, place.profile("work")):
        home.memories.mkdir(parents=True, exist_ok=True, mode=0o700)
        home.config_path.write_text(config)
        (home.memories / "MEMORY.md").write_text(join([FIRST, SECOND]))
        (home.memories / "USER.md").write_text(join([f"{home.profile} has a user"]))
        open_store(home).add("memory", THIRD)


def open_store(home: HermesHome) -> Review:
    """As a process of its own would."""
    return Review(home, load_config(home))


def look(place: Place) -> Look:
    """Both stores of both homes."""
    paths = [home.memories / name for home in homes(place) for name in ("MEMORY.md", "USER.md")]
    return {path.relative_to(place.root).as_posix(): path.read_bytes() for path in paths if path.exists()}


def homes(place: Place) -> tuple[HermesHome, HermesHome]:
    """Both of them."""
    return place.home, place.profile("work")


def start(place: Place) -> None:
    """As the app does it in each home."""
    for home in homes(place):
        open_store(home).recover()


def undo(place: Place) -> None:
    """In the home."""
    open_store(place.home).undo()


def _change(
    name: str, deed: Callable[[MemoryStore], Outcome], before: Callable[[Place], object] = prepare
) -> Operation:
    def sit(place: Place) -> Callable[[], object]:
        store = open_store(place.home)
        return lambda: deed(store)

    return Operation(f"memory {name}", before, sit, look, start, undo)


def _untidy(place: Place) -> None:
    prepare(place)
    path = place.home.memories / "MEMORY.md"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))


def _undone(place: Place) -> None:
    prepare(place)
    open_store(place.home).undo()


def _sent(name: str, *, keep: bool) -> Operation:
    def sit(place: Place) -> Callable[[], object]:
        source, target = (MemoryStore(home, load_config(home)) for home in homes(place))
        return lambda: send(source, [EntryRef("memory", 2, SECOND)], target, keep=keep, to="user")

    return Operation(name, prepare, sit, look, start, undo=undo, between=_is_copy)


def _is_copy(now: Look, old: Look, new: Look) -> bool:
    """Two files cannot change in one step: the entry is in both homes then, and never in none."""
    here, there = ".hermes/memories/MEMORY.md", ".hermes/profiles/work/memories/USER.md"
    return dict(now) == {**old, there: new[there]} and now[here] == old[here]


def _once(store: MemoryStore, deed: Callable[[], Outcome]) -> Outcome:
    """A person who sees that it was done does not do it again."""
    if FIRST not in store.view("memory").texts:
        raise Refused("It is done.", code="done")
    return deed()


OPERATIONS = (
    _change("add", lambda store: store.add("memory", "A new entry.")),
    _change("replace", lambda store: store.edit(EntryRef("memory", 1, FIRST), "The deploy runs on Monday.")),
    _change("patch", lambda store: store.patch("memory", "Friday", "Sunday")),
    _change("remove", lambda store: store.remove([EntryRef("memory", 1, FIRST)])),
    _change("move", lambda store: store.move([EntryRef("memory", 2, SECOND)], "user")),
    _change(
        "batch",
        lambda store: _once(
            store,
            lambda: store.batch("memory", [Step("add", "Another one."), Step("remove", old_text="deploy runs")]),
        ),
    ),
    _change("normalize", lambda store: store.normalize("memory"), _untidy),
    _change("undo", lambda store: store.undo()),
    _change("redo", lambda store: store.redo(), _undone),
    _sent("copy to a profile", keep=True),
    _sent("move to a profile", keep=False),
)
