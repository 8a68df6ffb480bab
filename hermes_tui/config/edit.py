"""Changing one setting in config.yaml: every other byte of the file stays as it is."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from typing import Any, Literal

from hermes_tui.config.keys import Value
from hermes_tui.config.reading import HermesConfig, load_config, pinned
from hermes_tui.config.splice import spelling, with_word, without, word_for
from hermes_tui.config.undo import ConfigUndo, Step
from hermes_tui.disk import OWNER_ONLY, clear_temps, read_file, refusals, replace_file
from hermes_tui.errors import Conflict, NotFound, Refused
from hermes_tui.home import HermesHome, data_dir
from hermes_tui.yaml_file import MAX_BYTES, YamlFile, parse_yaml

BOM = b"\xef\xbb\xbf"
MOST_VALUES = 1_000_000
"""In one file, each alias counted anew."""
GONE = object()
"""In the place of a value: it is taken out."""


def set_gate(
    home: HermesHome, subsystem: Literal["memory", "skills"], on: bool, environ: Mapping[str, str] | None = None
) -> HermesConfig:
    """Switch the approval of an agent's writes on or off, and return the settings as they are then.

    Raises:
        HermesTuiError: as `set_setting`.
    """
    set_setting(home, f"{subsystem}.write_approval", on, environ)
    return load_config(home, environ)


def set_setting(home: HermesHome, key: str, value: Value, environ: Mapping[str, str] | None = None) -> bool:
    """Write a setting to its place, or to the end of its section; whether the file had to be changed.

    Raises:
        Refused: an administrator has pinned it, or the file is not in a state to be edited.
        Conflict: somebody wrote the file meanwhile.
        Unreadable: the disk refused.
    """
    return _change(home, key, value, environ)


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
    edit = _Edit(home, key)
    return edit.text, edit.changed(GONE if value is None else value)


def undo_setting(home: HermesHome, environ: Mapping[str, str] | None = None) -> Step:
    """Take back the last change made here, as it was spelled; what it was.

    Raises:
        NotFound: nothing was changed here.
        Conflict: somebody has changed the setting since.
        HermesTuiError: as `set_setting`.
    """
    log = ConfigUndo(data_dir(home.path, environ))
    with refusals(home.config_path):
        for step in reversed(log.steps()):
            if _undone(home, step, environ):
                return log.forget(step)
            log.forget(step)
    raise NotFound("No setting was changed here.", code="nothing_to_undo")


def _undone(home: HermesHome, step: Step, environ: Mapping[str, str] | None) -> bool:
    """Take a change back; False where it is not there: the disk refused it, or it is as before already."""
    edit = _Edit(home, step.key)
    _check_allowed(home, step.key, environ)
    if step.is_latest(edit.text):
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


def _change(home: HermesHome, key: str, value: Any, environ: Mapping[str, str] | None) -> bool:
    with refusals(home.config_path):
        _check_allowed(home, key, environ)
        edit = _Edit(home, key)
        before = edit.word
        new = edit.changed(value)
        if new == edit.text:
            return False
        after = None if value is GONE else spelling(new, edit.path)
        log, step = ConfigUndo(data_dir(home.path, environ)), Step.of(key, (before, after), (edit.text, new))
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


class _Edit:
    """One change of one setting, from the bytes that were read to the bytes that are written."""

    def __init__(self, home: HermesHome, key: str) -> None:
        self.path = tuple(key.split("."))
        self._key = key
        self._file = home.config_path
        found = read_file(self._file)
        self._data, self._mode = (found[0], stat.S_IMODE(found[1].st_mode)) if found else (b"", OWNER_ONLY)
        self._parsed = self._usable(found is not None)
        self._mark = BOM if self._data.startswith(BOM) else b""
        self.text = self._data[len(self._mark) :].decode("utf-8")
        """What the file says, without a byte order mark."""
        self.word = spelling(self.text, self.path)
        """How the setting is written; None when it is not."""

    def _usable(self, exists: bool) -> YamlFile:
        if len(self._data) > MAX_BYTES:
            raise self._refused(f"is larger than {MAX_BYTES // 1024:,} KiB")
        parsed = parse_yaml(self._data)
        if parsed.state == "invalid":
            raise self._refused(f"does not parse: {parsed.problem}", "config_invalid")
        if parsed.duplicate_key:
            raise self._refused(f"gives the key {parsed.duplicate_key} twice, and agents differ over it")
        if exists and not self._mode & stat.S_IWUSR:
            raise self._refused("is read-only", "config_readonly")
        return parsed

    def _refused(self, why: str, code: str = "config_form") -> Refused:
        return Refused(
            f"{self._file.name} {why}. Nothing was written.", code=code, hint="Mend the file first, then try again."
        )

    def changed(self, value: Any) -> str:
        """The text with the value in it, checked by reading it again."""
        if value is GONE:
            new = without(self.text, self.path)
        elif self.word is not None and _copied(_at(self._parsed.mapping, self.path)) == _copied(value):
            return self.text
        else:
            new = with_word(self.text, self.path, word_for(value, like=self.word or ""))
        self._check(new, value)
        return new

    def text_with(self, word: str | None) -> str:
        """The text with a spelling in it that it had before, checked by reading it again."""
        new = without(self.text, self.path) if word is None else with_word(self.text, self.path, word)
        if parse_yaml(new.encode()).state != "ok" or spelling(new, self.path) != word:
            raise self._unsafe()
        return new

    def _check(self, new: str, value: Any) -> None:
        parsed = parse_yaml(new.encode())
        try:
            expected, found = _copied(self._parsed.mapping), _copied(parsed.mapping)
        except RecursionError:
            raise self._unsafe() from None
        _put(expected, self.path, GONE if value is GONE else _copied(value))
        if parsed.state != "ok" or parsed.duplicate_key or _pruned(found, self.path) != _pruned(expected, self.path):
            raise self._unsafe()

    def _unsafe(self) -> Refused:
        return Refused(
            f"{self._file.name} is written in a way that this program cannot change safely.",
            code="config_form",
            hint=f"Change {self._key} in an editor; nothing was written.",
        )

    def write(self, new: str) -> None:
        """Put the new text in the file's place, if nobody wrote it meanwhile."""
        now = read_file(self._file)
        if (now[0] if now else b"") != self._data:
            raise Conflict(
                f"{self._file.name} was changed by somebody else just now.", code="conflict", hint="Try again."
            )
        clear_temps(self._file.parent)
        replace_file(self._file, self._mark + new.encode(), mode=self._mode)


def _at(mapping: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    """The value that is there."""
    value: Any = mapping
    for name in path:
        value = value[name]
    return value


def _put(mapping: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Set or take out what is at `path`."""
    *sections, leaf = path
    for name in sections:
        if not isinstance(mapping.get(name), dict):
            if value is GONE:
                return
            mapping[name] = {}
        mapping = mapping[name]
    if value is GONE:
        mapping.pop(leaf, None)
    else:
        mapping[leaf] = value


def _pruned(mapping: Mapping[str, Any], path: tuple[str, ...]) -> Mapping[str, Any]:
    """Without the sections on the way that hold nothing: a section without settings and none are the same."""
    if len(path) < 2 or path[0] not in mapping:
        return mapping
    inner = mapping[path[0]]
    kept = _pruned(inner, path[1:]) if isinstance(inner, Mapping) else inner
    return {name: kept if name == path[0] else value for name, value in mapping.items() if name != path[0] or kept}


def _copied(value: Any) -> Any:
    """A value whose parts stand each for itself, whatever anchors they came from, and in which true is not 1.

    Raises:
        RecursionError: it holds itself, or unfolds to more than anybody has written.
    """
    left = MOST_VALUES

    def copied(value: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise RecursionError
        if isinstance(value, Mapping):
            return {name: copied(inner) for name, inner in value.items()}
        if isinstance(value, list | tuple | set):
            return [copied(inner) for inner in value]
        return type(value).__name__, repr(value)

    return copied(value)
