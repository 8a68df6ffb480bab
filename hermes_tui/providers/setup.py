"""Setting up an external memory provider, switching it off, and taking the last such step back."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermes_tui.config.edit import set_setting, undo_setting, unset_setting
from hermes_tui.config.undo import ConfigUndo
from hermes_tui.disk import OWNER_ONLY, make_folder, read_file, refusals, replace_file
from hermes_tui.errors import Conflict, HermesTuiError, NotFound, Unreadable
from hermes_tui.home import HermesHome, data_dir
from hermes_tui.providers.setup_plan import check_writable, plan_off, plan_setup
from hermes_tui.providers.setup_writes import FileWrite, Plan, SettingWrite
from hermes_tui.providers.status_sources import leaf
from hermes_tui.yaml_file import read_yaml

__all__ = ["FileWrite", "Plan", "SettingWrite", "Undone", "apply_plan", "plan_off", "plan_setup", "undo_setup"]

UNDO_FILE = "provider_setup.json"
"""The last step, so that it can be taken back: with keys in it, as they were; only its owner may read it."""


@dataclass(frozen=True, slots=True)
class Undone:
    """What taking a step back has brought back."""

    provider: str
    """Which is active now; empty for none."""
    paths: tuple[Path, ...]


def apply_plan(plan: Plan, environ: Mapping[str, str] | None = None) -> None:
    """Write what a plan says: the files with keys first, `memory.provider` last; all of it or nothing.

    Raises:
        Conflict: a file has changed since the plan was made.
        Refused: a file is not ours to write.
        Unreadable: the disk refused.
    """
    check_writable(plan.home, os.environ if environ is None else environ)
    for write in plan.files:
        if _bytes(write.path) != write.before:
            raise Conflict(f"{write.path} was changed by somebody else just now.", code="conflict", hint="Try again.")
    settings = [_setting_before(plan.home, write.key) for write in plan.settings]
    path = _undo_path(plan.home, environ)
    last_step = _bytes(path)
    _remember(plan, settings, _cut_off(plan.home, path), environ)
    done: list[FileWrite] = []
    set_so_far: list[SettingWrite] = []
    try:
        for write in plan.files:
            _write(write.path, write.after)
            done.append(write)
        for setting, before in zip(plan.settings, settings, strict=True):
            _set(plan.home, setting, environ)
            set_so_far.append(before)
    except HermesTuiError as error:
        try:
            for before in reversed(set_so_far):
                _set_back(plan.home, before, environ)
            for write in reversed(done):
                _put_back(write.path, write.before)
            _put_back(path, last_step)
        except HermesTuiError as worse:
            raise _halfway(error, "Part of it is written, and could not be taken back.") from worse
        raise


def undo_setup(home: HermesHome, environ: Mapping[str, str] | None = None) -> Undone:
    """Take the last setting up or switching off back: the files as they were, and `memory.provider`.

    Raises:
        NotFound: there is none.
        Conflict: somebody has changed one of the files since.
        HermesTuiError: a file cannot be read or written.
    """
    check_writable(home, os.environ if environ is None else environ)
    path = _undo_path(home, environ)
    step = _read_step(path)
    if step is None:
        raise _nothing_to_undo()
    files, settings = _landed(home, step, path)
    try:
        for setting in reversed(settings):
            _set_back(home, setting, environ)
        for file, before in files:
            _put_back(file, before)
    except HermesTuiError as error:
        raise _halfway(error, "What was taken back until then stays so.") from error
    with contextlib.suppress(OSError):  # what is left of it says that everything is as before
        path.unlink(missing_ok=True)
    if not files and not settings:
        raise _nothing_to_undo()
    active = leaf(read_yaml(home.config_path).mapping, "memory.provider")
    paths = [file for file, _ in files] + ([home.config_path] if settings else [])
    return Undone(active if isinstance(active, str) else "", tuple(paths))


def _landed(
    home: HermesHome, step: Mapping[str, Any], path: Path
) -> tuple[list[tuple[Path, bytes | None]], list[SettingWrite]]:
    """What of a step is there to be taken back: all of it, unless the disk or a crash came between.

    Raises:
        Conflict: something in it is neither as before nor as the step left it.
    """
    files: list[tuple[Path, bytes | None]] = []
    for each in step["files"]:
        file, before = Path(each["path"]), _before(each)
        now = _bytes(file)
        if hashlib.sha256(now or b"").hexdigest() == each["after"]:
            files.append((file, before))
        elif now != before:
            raise Conflict(
                f"{file} has been changed since by somebody else.",
                code="conflict",
                hint=f"What it was is kept in {path}.",
            )
    settings: list[SettingWrite] = []
    for each in step["settings"]:
        value = _setting(home, each["key"])
        if value == each["after"]:
            settings.append(SettingWrite(each["key"], each["before"]))
        elif value != each["before"]:
            raise Conflict(
                f"{each['key']} has been changed since by somebody else.",
                code="conflict",
                hint="Set it to what you want.",
            )
    return files, settings


def _cut_off(home: HermesHome, path: Path) -> dict[str, bytes | None]:
    """What files held before a step that came only halfway, by path: the next one takes these back, too."""
    try:
        step = _read_step(path)
        files, settings = _landed(home, step, path) if step else ([], [])
    except (Conflict, Unreadable):
        return {}
    if step is None or len(files) + len(settings) == len(step["files"]) + len(step["settings"]):
        return {}
    return {str(file): before for file, before in files}


def _before(each: Mapping[str, Any]) -> bytes | None:
    return None if each["before"] is None else base64.b64decode(each["before"])


def _nothing_to_undo() -> NotFound:
    return NotFound("No provider was set up here, or it was taken back already.", code="nothing_to_undo")


def _halfway(error: HermesTuiError, what: str) -> Unreadable:
    hint = "Nothing is lost: `hermes-tui providers undo` takes it back, once the disk works again."
    return Unreadable(f"{error.message} {what}", code="half_done", hint=hint)


def _bytes(path: Path) -> bytes | None:
    read = read_file(path)
    return read[0] if read else None


def _write(path: Path, data: bytes) -> None:
    with refusals(path):
        if not path.parent.exists():
            make_folder(path.parent)
    replace_file(path, data, mode=OWNER_ONLY)


def _put_back(path: Path, before: bytes | None) -> None:
    if before is None:
        with refusals(path):
            Path(os.path.realpath(path)).unlink(missing_ok=True)
    else:
        _write(path, before)


def _setting(home: HermesHome, key: str) -> object:
    """What config.yaml says, which must be sure: what was not read would not come back.

    Raises:
        Unreadable: it cannot be read.
    """
    found = read_yaml(home.config_path)
    if found.state not in ("ok", "missing"):
        raise Unreadable(found.problem, code="unreadable", hint="Nothing was changed.")
    return leaf(found.mapping, key)


def _setting_before(home: HermesHome, key: str) -> SettingWrite:
    value = _setting(home, key)
    return SettingWrite(key, value if isinstance(value, bool | int | float | str) else None)


def _set(home: HermesHome, write: SettingWrite, environ: Mapping[str, str] | None) -> None:
    if write.value is None:
        unset_setting(home, write.key, environ)
    else:
        set_setting(home, write.key, write.value, environ)


def _set_back(home: HermesHome, write: SettingWrite, environ: Mapping[str, str] | None) -> None:
    """Give a setting its old value, in its old spelling where that is known."""
    last = ConfigUndo(data_dir(home.path, environ)).last()
    if last is not None and last.key == write.key:
        undo_setting(home, environ)
    now = _setting_before(home, write.key).value
    if now != write.value or type(now) is not type(write.value):
        _set(home, write, environ)


def _undo_path(home: HermesHome, environ: Mapping[str, str] | None) -> Path:
    return data_dir(home.path, environ) / UNDO_FILE


def _remember(
    plan: Plan,
    settings: Sequence[SettingWrite],
    cut_off: Mapping[str, bytes | None],
    environ: Mapping[str, str] | None,
) -> None:
    """Keep what was there before, in a file that only its owner may read."""
    files = {str(write.path): (write.before, write.after) for write in plan.files}
    files = {path: (before, _bytes(Path(path)) or b"") for path, before in cut_off.items()} | {
        path: (cut_off.get(path, before), after) for path, (before, after) in files.items()
    }
    step = {
        "files": [
            {
                "path": path,
                "before": None if before is None else base64.b64encode(before).decode(),
                "after": hashlib.sha256(after).hexdigest(),
            }
            for path, (before, after) in files.items()
        ],
        "settings": [
            {"key": write.key, "before": before.value, "after": write.value}
            for write, before in zip(plan.settings, settings, strict=True)
        ],
    }
    path = _undo_path(plan.home, environ)
    make_folder(path.parent)
    replace_file(path, json.dumps(step).encode(), follow=False)


def _read_step(path: Path) -> dict[str, Any] | None:
    read = read_file(path)
    if read is None:
        return None
    try:
        step: dict[str, Any] = json.loads(read[0])
        for each in step["files"]:
            _before(each)
            if not (isinstance(each["path"], str) and isinstance(each["after"], str)):
                raise TypeError("not a file of ours")
        for each in step["settings"]:
            if not (isinstance(each["key"], str) and {"before", "after"} <= each.keys()):
                raise TypeError("not a setting of ours")
        return step
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    raise Unreadable(f"{path}, which keeps the last step, cannot be read.", code="unreadable", hint="Remove it.")
