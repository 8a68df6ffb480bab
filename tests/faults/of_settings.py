"""Settings of the agent and of providers: config.yaml, keys, and the files of a provider."""

from __future__ import annotations

from collections.abc import Callable

from hermes_tui.config.edit import set_setting, undo_setting, unset_setting
from hermes_tui.home import HermesHome
from hermes_tui.providers.honcho_edit import set_honcho
from hermes_tui.providers.setup import apply_plan, plan_setup, undo_setup
from tests.faults.of_memory import open_store
from tests.faults.operation import Look, Operation, Place

CONFIG = "# mine\nmodel: otter-1\nmemory:\n  memory_char_limit: 500  # short\n  user_char_limit: 600\n"
KEY = "key-1234567890abcdef"


def prepare(place: Place) -> None:
    """Settings of a person's own, one of them changed here."""
    place.home.config_path.write_text(CONFIG)
    place.home.config_path.chmod(0o640)
    (place.home.path / ".env").write_text("# keys\nOTHER='x' # why\nMEM0_API_KEY=old\n")
    (place.home.path / "mem0.json").write_text('{"zeta": [1, {"a": null}], "user_id": "me"}')
    (place.home.path / "honcho.json").write_text('{\n  "apiKey": "k",\n  "recallMode": "hybrid"\n}\n')
    set_setting(place.home, "memory.user_char_limit", 700)


def look(place: Place) -> Look:
    """Every file with settings."""
    names = ("config.yaml", ".env", "mem0.json", "honcho.json")
    paths = [path for name in names if (path := place.home.path / name).exists()]
    return {path.name: path.read_bytes() for path in paths}


def start(place: Place) -> None:
    """As the app does it."""
    open_store(place.home).recover()


def undo(place: Place) -> None:
    """The last change of a setting."""
    undo_setting(place.home)


def _config(name: str, deed: Callable[[HermesHome], object], before: Callable[[Place], object] = prepare) -> Operation:
    return Operation(f"config {name}", before, lambda place: lambda: deed(place.home), look, start, undo)


def _set(place: Place) -> None:
    prepare(place)
    set_setting(place.home, "memory.memory_char_limit", 900)


def _set_up(place: Place) -> None:
    prepare(place)
    apply_plan(plan_setup(place.home, "mem0", {"api_key": KEY}))


def _apply(place: Place) -> Callable[[], object]:
    def deed() -> None:
        plan = plan_setup(place.home, "mem0", {"api_key": KEY})
        if not plan.changes_nothing:
            apply_plan(plan)

    return deed


def _each_whole(now: Look, old: Look, new: Look) -> bool:
    """A step writes several files; each is as before or as after."""
    return all(now.get(name) in (old.get(name), new.get(name)) for name in {*now, *old, *new})


def _undo_setup(place: Place) -> None:
    undo_setup(place.home)


OPERATIONS = (
    _config("set", lambda home: set_setting(home, "memory.memory_char_limit", 900)),
    _config("set a new one", lambda home: set_setting(home, "skills.write_approval", True)),
    _config("unset", lambda home: unset_setting(home, "memory.memory_char_limit")),
    _config("undo", undo_setting, _set),
    Operation("provider set up", prepare, _apply, look, start, _undo_setup, _each_whole, mends=True),
    Operation(
        "provider undone",
        _set_up,
        lambda place: lambda: undo_setup(place.home),
        look,
        start,
        _undo_setup,
        _each_whole,
        mends=True,
    ),
    Operation("honcho set", prepare, lambda place: lambda: set_honcho(place.home, "recallMode", "tools"), look, start),
)
