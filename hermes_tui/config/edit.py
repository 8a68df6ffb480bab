"""Changing one setting in config.yaml: every other byte of the file stays as it is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Literal

from hermes_tui.config.file_edit import GONE, FileEdit
from hermes_tui.config.keys import Value
from hermes_tui.config.reading import HermesConfig, load_config, pinned
from hermes_tui.config.splice import spelling
from hermes_tui.config.undo import ConfigUndo, Step
from hermes_tui.disk import refusals
from hermes_tui.errors import Conflict, NotFound, Refused
from hermes_tui.home import HermesHome, data_dir

ANYTHING = object()
"""In the place of what was seen: it does not matter."""


def set_gate(
    home: HermesHome, subsystem: Literal["memory", "skills"], on: bool, environ: Mapping[str, str] | None = None
) -> HermesConfig:
    """Switch the approval of an agent's writes on or off, and return the settings as they are then.

    Raises:
        HermesTuiError: as `set_setting`.
    """
    set_setting(home, f"{subsystem}.write_approval", on, environ)
    return load_config(home, environ)


def set_setting(
    home: HermesHome, key: str, value: Value, environ: Mapping[str, str] | None = None, *, seen: object = ANYTHING
) -> bool:
    """Write a setting to its place, or to the end of its section; whether the file had to be changed.

    Args:
        home: whose.
        key: the dotted key.
        value: what it is to be.
        environ: the environment; of this process without it.
        seen: what stood there when somebody decided; None for nothing.

    Raises:
        Refused: an administrator has pinned it, or the file is not in a state to be edited.
        Conflict: somebody wrote the file meanwhile, or it is not what was seen.
        Unreadable: the disk refused.
    """
    return _change(home, key, value, environ, seen)


def unset_setting(home: HermesHome, key: str, environ: Mapping[str, str] | None = None) -> bool:
    """Take a setting out of the file, so that the agent's default counts; whether it was there.

    Raises:
        HermesTuiError: as `set_setting`.
    """
    return _change(home, key, GONE, environ)


def preview_setting(home: HermesHome, key: str, value: Value | None) -> tuple[str, str]:
    """The text of the file as it is and as it would be; None for a setting that is taken out.

    Raises:
        HermesTuiError: as `set_setting`.
    """
    edit = FileEdit(home.config_path, key)
    return edit.text, edit.changed(GONE if value is None else value)


def undo_setting(home: HermesHome, environ: Mapping[str, str] | None = None) -> Step:
    """Take back the last change made here, as it was spelled; what it was.

    Raises:
        NotFound: nothing was changed here.
        Conflict: somebody has changed the setting since.
        HermesTuiError: as `set_setting`.
    """
    log = ConfigUndo(data_dir(home.path, environ))
    with refusals(home.config_path), log.turn():
        for step in reversed(log.steps()):
            if _undone(home, step, environ):
                return log.forget(step)
            log.forget(step)
    raise NotFound("No setting was changed here.", code="nothing_to_undo")


def _undone(home: HermesHome, step: Step, environ: Mapping[str, str] | None) -> bool:
    """Take a change back; False where it is not there: the disk refused it, or it is as before already."""
    edit = FileEdit(home.config_path, step.key)
    _check_allowed(home, step.key, environ)
    if step.is_latest(edit.text):
        if step.made:
            edit.remove()
        else:
            edit.write(step.text)
        return True
    if edit.word == step.before:
        return False
    if edit.word != step.after:
        raise Conflict(
            f"{step.key} has been changed since by somebody else.",
            code="conflict",
            hint="Look at it, and set it to what you want.",
        )
    edit.write(edit.text_with(step.before))
    return True


def _change(home: HermesHome, key: str, value: Any, environ: Mapping[str, str] | None, seen: object = ANYTHING) -> bool:
    log = ConfigUndo(data_dir(home.path, environ))
    with refusals(home.config_path):
        _check_allowed(home, key, environ)
    with refusals(home.config_path), log.turn():
        edit = FileEdit(home.config_path, key)
        if seen is not ANYTHING:
            edit.check_seen(seen)
        before = edit.word
        new = edit.changed(value)
        if new == edit.text:
            return False
        after = None if value is GONE else spelling(new, edit.path)
        step = Step.of(key, (before, after), (edit.text, new), made=not edit.exists)
        log.add(step)  # first: what is not kept cannot be taken back
        try:
            edit.write(new)
        except BaseException:
            log.forget(step)
            raise
    return True


def _check_allowed(home: HermesHome, key: str, environ: Mapping[str, str] | None) -> None:
    env = os.environ if environ is None else environ
    if pinned(key, env):
        raise Refused(
            f"{key} is set by the administrator of this machine, which wins over your config.yaml.",
            code="managed",
            hint="Ask them to change it; nothing was written.",
        )
    if env.get("HERMES_MANAGED") or (home.path / ".managed").exists():
        raise Refused(
            "This home is managed by a package manager, which writes its config.yaml.",
            code="managed",
            hint=f"Set {key} where the package is configured; nothing was written.",
        )
