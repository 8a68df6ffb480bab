"""Putting one value into a settings file, with every other byte kept, and checked by reading it again."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hermes_tui.config.splice import spelling, with_word, without, word_for
from hermes_tui.disk import OWNER_ONLY, clear_temps, read_file, replace_file
from hermes_tui.errors import Conflict, Refused
from hermes_tui.yaml_file import MAX_BYTES, YamlFile, parse_yaml

BOM = b"\xef\xbb\xbf"
MOST_VALUES = 1_000_000
"""In one file, each alias counted anew."""
GONE = object()
"""In the place of a value: it is taken out."""


class FileEdit:
    """One change of one setting, from the bytes that were read to the bytes that are written.

    Args:
        file: which need not exist.
        key: the dotted key.

    Raises:
        Refused: the file is not in a state to be edited.
        Unreadable: the disk refused.
    """

    def __init__(self, file: Path, key: str) -> None:
        self.path = tuple(key.split("."))
        self._key = key
        self._file = file
        found = read_file(self._file)
        self.exists = found is not None
        self._data, self._mode = (found[0], stat.S_IMODE(found[1].st_mode)) if found else (b"", OWNER_ONLY)
        self._parsed = self._usable()
        self._mark = BOM if self._data.startswith(BOM) else b""
        self.text = self._data[len(self._mark) :].decode("utf-8")
        """What the file says, without a byte order mark."""
        self.word = spelling(self.text, self.path)
        """How the setting is written; None when it is not."""

    def _usable(self) -> YamlFile:
        if len(self._data) > MAX_BYTES:
            raise self._refused(f"is larger than {MAX_BYTES // 1024:,} KiB")
        parsed = parse_yaml(self._data)
        if parsed.state == "invalid":
            raise self._refused(f"does not parse: {parsed.problem}", "config_invalid")
        if parsed.duplicate_key:
            raise self._refused(f"gives the key {parsed.duplicate_key} twice, and agents differ over it")
        if self.exists and not self._mode & stat.S_IWUSR:
            raise self._refused("is read-only", "config_readonly")
        return parsed

    def _refused(self, why: str, code: str = "config_form") -> Refused:
        return Refused(
            f"{self._file.name} {why}. Nothing was written.", code=code, hint="Mend the file first, then try again."
        )

    def check_seen(self, seen: object) -> None:
        """See to it that the setting is what somebody saw before they decided.

        Raises:
            Conflict: it is not.
        """
        value: Any = self._parsed.mapping
        for name in self.path:
            value = value.get(name) if isinstance(value, Mapping) else None
        if _copied(value) != _copied(seen):
            raise Conflict(
                f"{self._key} was changed by somebody else meanwhile; it is {self.word or 'not set'} now.",
                code="conflict",
                hint="Look at it, and change it again if you still want to.",
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
        if parsed.state != "ok" or parsed.duplicate_key:
            raise self._unsafe("it would not parse any more")
        other = _difference(_pruned(found, self.path), _pruned(expected, self.path))
        if other == self._key:
            raise self._unsafe("its value has a tag, an anchor, or comes from a merge (<<)")
        if other:
            raise self._unsafe(f"{other} would change with it")

    def _unsafe(self, why: str = "it holds itself, or the same many times over") -> Refused:
        return Refused(
            f"{self._key} cannot be changed safely in {self._file.name}: {why}.",
            code="config_form",
            hint=f"Change {self._key} in an editor; nothing was written.",
        )

    def remove(self) -> None:
        """Have no file again, if nobody wrote it meanwhile."""
        self._check_same()
        self._file.unlink(missing_ok=True)

    def write(self, new: str) -> None:
        """Put the new text in the file's place, if nobody wrote it meanwhile."""
        self._check_same()
        clear_temps(self._file.parent)
        replace_file(self._file, self._mark + new.encode(), mode=self._mode)

    def _check_same(self) -> None:
        now = read_file(self._file)
        if (now[0] if now else b"") != self._data:
            raise Conflict(
                f"{self._file.name} was changed by somebody else just now.", code="conflict", hint="Try again."
            )


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
    kept = _pruned(inner, path[1:]) if isinstance(inner, Mapping) else None if inner == _copied(None) else inner
    return {name: kept if name == path[0] else value for name, value in mapping.items() if name != path[0] or kept}


def _difference(found: Any, expected: Any, path: str = "") -> str:
    """The dotted key of the first thing that is not the same; empty when all is."""
    if not isinstance(found, Mapping) or not isinstance(expected, Mapping):
        return "" if found == expected else path or "the whole file"
    for name in [*expected, *(name for name in found if name not in expected)]:
        inner = f"{path}.{name}" if path else str(name)
        if (name in found) != (name in expected):
            return inner
        if different := _difference(found[name], expected[name], inner):
            return different
    return ""


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
