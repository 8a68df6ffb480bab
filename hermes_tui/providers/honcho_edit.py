"""Changing one setting in honcho.json, and taking that back: every other byte of the file stays as it is."""

from __future__ import annotations

import copy
import json
import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from pathlib import Path
from typing import Any

from hermes_tui.config.undo import ConfigUndo, Step
from hermes_tui.disk import read_file, replace_file
from hermes_tui.errors import Conflict, NotFound, Refused
from hermes_tui.home import HermesHome, data_dir
from hermes_tui.providers.catalogue import catalogue
from hermes_tui.providers.honcho_settings import HonchoSetting, honcho_file, parsed, setting_named

UNDO_FILE = "honcho-undo.json"
_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class HonchoChange:
    """What was changed."""

    path: Path
    at: tuple[str, ...]
    """Where in the file: the keys down to the setting."""
    before: object
    """None where nothing stood."""
    after: object

    @property
    def key(self) -> str:
        """The setting."""
        return self.at[-1]


@dataclass(frozen=True, slots=True)
class _Member:
    """One member of an object, by its places in the text."""

    key: str
    start: int
    value_start: int
    end: int


def set_honcho(home: HermesHome, key: str, text: str | None, environ: Mapping[str, str] | None = None) -> HonchoChange:
    """Give a setting another value where it stands, or else in the profile's block, where there is one.

    Args:
        home: whose.
        key: the setting.
        text: the value as a person writes it; None takes the setting out, so that the default counts.
        environ: the environment; that of this process if it is left out.

    Raises:
        NotFound: there is no such setting.
        Refused: the value cannot be, or the file is not in a state to be changed.
        Conflict: somebody wrote the file meanwhile.
        Unreadable: the disk refused.
    """
    setting = setting_named(key)
    value = None if text is None else parsed(setting, text)
    sources, file = honcho_file(home, environ)
    if file.state != "ok":
        raise _not_to_be_changed(file.path, file.problem or "it does not exist", missing=file.state == "missing")
    host = sources.honcho_host(catalogue()["honcho"])
    at = _place(file.values, host, setting)
    return _written(file.path, at, value, log=_log(home, environ))


def take_back(change: HonchoChange, *, or_before: bool = False) -> HonchoChange:
    """Undo a change; with `or_before` one that is taken back already may stay so.

    Raises:
        Conflict: the setting is no longer what that change made of it.
        Refused, Unreadable: as for changing.
    """
    return _written(
        change.path, change.at, change.before, expected=(change.after, *([change.before] if or_before else []))
    )


def undo_honcho(home: HermesHome, environ: Mapping[str, str] | None = None) -> HonchoChange:
    """Take back the last change made here, as it was spelled; what that did.

    Raises:
        NotFound: nothing was changed here.
        Conflict, Refused, Unreadable: as for taking back.
    """
    log = _log(home, environ)
    path = honcho_file(home, environ)[1].path
    for step in reversed(log.steps()):
        try:
            before, after = (json.loads(word) if word else None for word in (step.before, step.after))
            change = HonchoChange(path, tuple(map(str, json.loads(step.key))), before, after)
        except (ValueError, TypeError, RecursionError):
            log.forget(step)  # damaged: it cannot be told what it was
            continue
        there = _undone(change, step)
        log.forget(step)
        if there:
            return HonchoChange(path, change.at, change.after, change.before)
    raise NotFound("No setting of Honcho was changed here.", code="nothing_to_undo")


def _undone(change: HonchoChange, step: Step) -> bool:
    """Take a change back; False where it is not there: the disk refused it, or it is as before already."""
    read = read_file(change.path)
    if read is not None and step.is_latest(read[0].decode("utf-8", "replace")):
        replace_file(change.path, step.text.encode(), mode=stat.S_IMODE(read[1].st_mode))
        return True
    back = take_back(change, or_before=True)
    return not _same(back.before, back.after)


def _log(home: HermesHome, environ: Mapping[str, str] | None) -> ConfigUndo:
    return ConfigUndo(data_dir(home.path, environ), UNDO_FILE)


def _place(values: Mapping[str, object], host: str, setting: HonchoSetting) -> tuple[str, ...]:
    hosts = values.get("hosts")
    blocks = hosts if isinstance(hosts, Mapping) else {}
    named = host
    if not blocks.get(host) and host.startswith("hermes_"):
        old = f"hermes.{host.removeprefix('hermes_')}"
        named = old if blocks.get(old) else host
    block = blocks.get(named)
    # A block that is not there is not made: its being there alone changes what the agent observes.
    if isinstance(block, Mapping) and block and (setting.key in block or setting.key not in values):
        return ("hosts", named, setting.key)
    return (setting.key,)


def _written(
    path: Path,
    at: tuple[str, ...],
    value: object,
    *,
    expected: tuple[object, ...] = (),
    log: ConfigUndo | None = None,
) -> HonchoChange:
    read = read_file(path)
    if read is None:
        raise _not_to_be_changed(path, "it does not exist", missing=True)
    data, status = read
    try:
        text = data.decode("utf-8")
        found: Any = json.loads(text)
        before = _leaf(found, at)
        changed = _with(text, at, value)
        wanted = copy.deepcopy(found)
        _put(wanted, at, value)
        fits = _same(json.loads(changed), wanted)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _not_to_be_changed(path, "it is not written in a form that can be changed safely") from None
    if not fits:
        raise _not_to_be_changed(path, "a key stands twice in it")
    if expected and before not in expected:
        raise Conflict(f"{at[-1]} was changed again since; nothing was written.", code="conflict")
    now = read_file(path)
    if (now[0] if now else b"") != data:
        raise Conflict(f"{path.name} was changed by somebody else just now.", code="conflict", hint="Try again.")
    if changed != text:
        step = Step.of(json.dumps(at), (_spelled(before), _spelled(value)), (text, changed))
        if log is not None:
            log.add(step)  # first: what is not kept cannot be taken back
        try:
            replace_file(path, changed.encode("utf-8"), mode=stat.S_IMODE(status.st_mode))
        except BaseException:
            if log is not None:
                log.forget(step)
            raise
    return HonchoChange(path, at, before, value)


def _spelled(value: object) -> str | None:
    return None if value is None else json.dumps(value)


def _with(text: str, at: Sequence[str], value: object) -> str:
    """The text of an object with one value changed, added, or (None) taken out."""
    start = _after_space(text, 0)
    for name in at[:-1]:
        start = _find(_members(text, start), name).value_start
    members = _members(text, start)
    there = [number for number, member in enumerate(members) if member.key == at[-1]]
    if value is None:
        return _without(text, start, members, there[-1]) if there else text
    written = json.dumps(value, ensure_ascii=False)
    if there:
        member = members[there[-1]]
        return text[: member.value_start] + written + text[member.end :]
    if not members:
        return f'{text[: start + 1]}"{at[-1]}": {written}{text[start + 1 :]}'
    last = members[-1]
    # As its neighbour is written: the same space before the key, and around the colon.
    before = members[-2].end if len(members) > 1 else start
    space = text[text.index("," if len(members) > 1 else "{", before) + 1 : last.start]
    colon = text[last.start : last.value_start].rpartition('"')[2]
    if len(members) == 1 and not space.strip("\t "):
        space = " " if colon.endswith(" ") else ""  # a single line
    return f'{text[: last.end]},{space}"{at[-1]}"{colon}{written}{text[last.end :]}'


def _without(text: str, start: int, members: Sequence[_Member], number: int) -> str:
    member = members[number]
    if number + 1 < len(members):
        return text[: member.start] + text[members[number + 1].start :]
    return text[: members[number - 1].end if number else start + 1] + text[member.end :]


def _members(text: str, start: int) -> list[_Member]:
    if text[start : start + 1] != "{":
        raise ValueError("no object")
    found: list[_Member] = []
    at = _after_space(text, start + 1)
    while text[at] != "}":
        key, end = scanstring(text, at + 1)
        value_start = _after_space(text, _after_space(text, end) + 1)
        _, value_end = _DECODER.raw_decode(text, value_start)
        found.append(_Member(key, at, value_start, value_end))
        at = _after_space(text, value_end)
        if text[at] == ",":
            at = _after_space(text, at + 1)
    return found


def _find(members: Sequence[_Member], key: str) -> _Member:
    return [member for member in members if member.key == key][-1]


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _leaf(found: Any, at: Sequence[str]) -> object:
    for name in at[:-1]:
        found = found[name]
    return found.get(at[-1])


def _put(found: Any, at: Sequence[str], value: object) -> None:
    for name in at[:-1]:
        found = found[name]
    if value is None:
        found.pop(at[-1], None)
    else:
        found[at[-1]] = value


def _same(one: object, other: object) -> bool:
    """Whether two values are alike to the letter: 1 is not true, and not 1.0."""
    return json.dumps(one) == json.dumps(other)


def _not_to_be_changed(path: Path, why: str, *, missing: bool = False) -> Refused:
    hint = "Set it up first: `hermes-tui providers setup honcho`." if missing else "Mend the file, then try again."
    return Refused(
        f"{path} cannot be changed: {why.rstrip('.')}. Nothing was written.",
        code="honcho_file",
        hint=hint,
    )
