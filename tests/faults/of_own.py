"""What is our own: saved views, where somebody was, and what history keeps."""

from __future__ import annotations

from collections.abc import Callable

from hermes_tui.history.cache import Cache
from hermes_tui.memory.entries import STORES
from hermes_tui.sitting import Sitting
from hermes_tui.views import Views
from tests.faults.of_memory import open_store
from tests.faults.of_memory import prepare as remember
from tests.faults.operation import Look, Operation, Place

NOW = 1_790_000_000.0


def prepare(place: Place) -> None:
    """Each file is there."""
    views(place).save("kept", {"text": "x"})
    views(place, "pending").save("another screen's", {"text": "y"})
    Sitting(place.home.path, kept=True).keep("memory", {"memory": {"entry": 3}})


def views(place: Place, screen: str = "sessions") -> Views:
    """The views of a screen."""
    return Views(place.home.path, "pending" if screen == "pending" else "sessions")


def look(place: Place) -> Look:
    """What each file says."""
    sitting = Sitting(place.home.path, kept=True)
    return {
        "sessions": views(place).every,
        "pending": views(place, "pending").every,
        "sitting": (sitting.screen, dict(sitting.take("memory"))),
    }


def start(place: Place) -> None:
    """As the app does it."""
    open_store(place.home).recover()


def _viewing(name: str, deed: Callable[[Views], object]) -> Operation:
    def sit(place: Place) -> Callable[[], object]:
        opened = views(place)
        return lambda: deed(opened)

    return Operation(f"views {name}", prepare, sit, look, start)


def _leaves(place: Place) -> Callable[[], object]:
    sitting = Sitting(place.home.path, kept=True)
    return lambda: sitting.keep("sessions", {"memory": {"entry": 5}})


def _history(place: Place) -> None:
    remember(place)
    cache = Cache(place.data)
    cache.note([open_store(place.home).view("user")], NOW)
    cache.add({"large": "x" * 100_000})


def _noted(place: Place) -> Callable[[], object]:
    cache, files = Cache(place.data), open_store(place.home)
    seen = [files.view(store) for store in STORES]

    def deed() -> None:
        cache.note(seen, NOW + 60)
        index = cache.load()
        cache.add({"large": "y" * 150_000})
        cache.fold(index)

    return deed


def _look_at_history(place: Place) -> Look:
    cache = Cache(place.data)
    cache.load()
    found = cache.path.read_bytes() if cache.path.exists() else b""
    whole = [line for line in found.split(b"\n") if line.endswith(b"}")]
    sights = [list(dict.fromkeys(sight.entries for sight in cache.sights(store))) for store in STORES]
    return {"sights": sights, "lines": whole}


def _some_lost(now: Look, old: Look, new: Look) -> bool:
    """Each line is there or not; what is not is found again."""
    return all(now[name] in (old[name], new[name]) for name in ("sights", "lines"))


OPERATIONS = (
    _viewing("save", lambda opened: opened.save("new", {"text": "z"})),
    _viewing("rename", lambda opened: opened.rename_to("kept", "other")),
    _viewing("delete", lambda opened: opened.delete("kept")),
    Operation("sitting", prepare, _leaves, look, start),
    Operation("history kept", _history, _noted, _look_at_history, start, between=_some_lost, silent=True),
)
