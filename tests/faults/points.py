"""Tries an operation once for each call to the disk, with this call failing, and looks at what is left."""

from __future__ import annotations

import json
import os
import re
import shutil
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hermes_tui.errors import HermesTuiError
from tests.faults import sqlite_calls
from tests.faults.operation import Look, Operation, Place, never
from tests.faults.shim import KILLED, NEEDS_SPACE, How, Shim

EVERY_HOW: tuple[How, ...] = ("EIO", "ENOSPC", "EACCES", "EINTR", "dead", "kill")
_UNSTEADY = re.compile(r"[0-9a-f]{6,}|\d{5,}|\d{8}-\d{6}")
_LOCKS = re.compile(r"\.lock$|-wal$|-shm$|-journal$")
_CLAIMS_NOTHING = re.compile(r"(?i)nothing (of it )?(was|were) |left as it was")


@dataclass(slots=True)
class Tried:
    """What became of an operation at all its points."""

    name: str
    calls: int = 0
    points: Counter[str] = field(default_factory=Counter)
    """By how the call failed."""
    ends: Counter[str] = field(default_factory=Counter)
    """What was there after the next start: `old`, `new`, `between`; and `refused` for each sentence."""
    faults: list[str] = field(default_factory=list)


class Trial:
    """One operation on a machine that is made anew for each point.

    Args:
        operation: what is tried.
        folder: where the machine may be.
    """

    def __init__(self, operation: Operation, folder: Path) -> None:
        self.operation = operation
        self.place = Place(folder / "machine")
        self._template = folder / "template"
        shutil.rmtree(self._template, ignore_errors=True)
        shutil.rmtree(self.place.root, ignore_errors=True)
        self.place.home.memories.mkdir(parents=True, mode=0o700)
        with self.place.lived_in():
            operation.prepare(self.place)
        shutil.move(self.place.root, self._template)
        self.tried = Tried(operation.name)
        self._make()
        self.old = self._look()
        names = self._names()
        self.old_undone = self._undone()
        self._make()
        self.calls = self._counted()
        self.tried.calls = len(self.calls)
        self.new = self._look()
        self.names = names | self._names()
        if self.new == self.old:
            self.tried.faults.append("it does nothing at all")
        self.new_undone = self._undone()
        self.names |= self._names()

    def run(self, hows: Sequence[How], most: int, first: int = 0) -> Tried:
        """Try it at each point in each way to fail, or at so many at most, which lie evenly, from the `first` on."""
        points = [
            (number, how)
            for how in hows
            for number in range(1, len(self.calls) + 1)
            if how != "ENOSPC" or self.calls[number - 1] in NEEDS_SPACE
        ]
        stride = -(-len(points) // most)
        for place, (number, how) in enumerate(points[first % stride :: stride]):
            for again in (False, True) if stride == 1 and how != "kill" else (bool(place % 2),):
                self.tried.points[how] += 1
                self._try(number, how, again=again and how != "kill")
        return self.tried

    # One point

    def _try(self, number: int, how: How, *, again: bool) -> None:
        self._make()
        said = self._forked(Shim(self.place.root, number, how), again=again)
        try:
            self._check(said, how)
        except AssertionError as error:
            said["fault"] = str(error)
        except Exception as error:
            said["fault"] = _where(error)
        if "fault" in said:
            call = self.calls[number - 1]
            self.tried.faults.append(f"{how} at {number} ({call}){' and again' if again else ''}: {said['fault']}")

    def _check(self, said: dict[str, Any], how: How) -> None:
        tried, ended = self.tried, said["ended"]
        if ended == "leaked":
            said["fault"] = "no sentence: " + said["sentence"]
            return
        tried.ends[ended] += 1
        if ended != "killed":
            state = said["state"]
            if ended == "done" and state not in self._fine and not self.operation.silent:
                raise AssertionError(f"it said that it is done: {state}")
            if ended == "refused" and state != "old" and _CLAIMS_NOTHING.search(said["sentence"]):
                raise AssertionError(f"it said “{said['sentence']}”: {state}")
        if "then" in said:
            if said["then"] == "leaked":
                raise AssertionError(f"the second time, no sentence: {said['second']}")
            if said["then_state"] not in self._fine:
                raise AssertionError(f"the second time {said['then']} “{said['second']}”: {said['then_state']}")
        if ended == "refused" and how != "dead" and (left := self._names() - self.names):
            raise AssertionError(f"left after it was refused: {sorted(left)}")
        self._start()
        now = self._look()
        end = self._named(now)
        tried.ends[end.partition(":")[0]] += 1
        if end not in ("old", "new", "between"):
            raise AssertionError(f"after the next start: {end}")
        if "then" in said and end not in ("new", said["then_state"]):
            raise AssertionError(f"after the next start what was done the second time is gone: {end}")
        left = self._names() - self.names
        if left:
            raise AssertionError(f"left after the next start: {sorted(left)}")
        self._start()
        if self._look() != now:
            raise AssertionError("the start after that changes something")
        if end == "between" and self.operation.mends:
            expected = next(each for each in (self.old_undone, self.new_undone) if each[0] == "done")
            if (undone := self._undone()) != expected:
                raise AssertionError(f"undo of a half does “{undone[0]}”: {_differ(undone, expected)}")
        if self.operation.undo and end != "between" and not ("then" in said and self.operation.between is not never):
            undone, expected = self._undone(), self.old_undone if end == "old" else self.new_undone
            if undone != expected:
                raise AssertionError(
                    f"undo of {end} does “{undone[0]}”, not “{expected[0]}”: {_differ(undone, expected)}"
                )

    def _forked(self, shim: Shim, *, again: bool = False) -> dict[str, Any]:
        """What a process of its own says about it."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            said = json.dumps(self._in_child(shim, again=again)).encode()
            with open(writing, "wb") as pipe:  # noqa: PTH123 - a handle
                pipe.write(said)
            os._exit(0)
        os.close(writing)
        with open(reading, "rb") as pipe:  # noqa: PTH123 - a handle
            read = pipe.read()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status == KILLED:
            return {"ended": "killed"}
        if status or not read:
            return {"ended": "leaked", "sentence": f"the process ended with {status}"}
        found: dict[str, Any] = json.loads(read)
        return found

    def _in_child(self, shim: Shim, *, again: bool) -> dict[str, Any]:
        with self.place.lived_in():
            deed = self.operation.sit(self.place)
            shim.install()
            sqlite_calls.install(shim, rollback=self.operation.rollback)
            with shim.armed():
                ended, sentence = _done(deed)
            if not shim.at:
                return {"ended": ended, "sentence": sentence, "calls": shim.calls}
            said = {"ended": ended, "sentence": sentence, "state": self._named(self._look())}
            if again and ended == "refused":
                said["then"], said["second"] = _done(deed)
                said["then_state"] = self._named(self._look())
            return said

    def _counted(self) -> list[str]:
        """The calls of an operation that nothing disturbs."""
        said = self._forked(Shim(self.place.root))
        if said["ended"] != "done":
            raise AssertionError(f"{self.operation.name} does not work at all: {said['sentence']}")
        calls: list[str] = said["calls"]
        return calls

    @property
    def _fine(self) -> tuple[str, ...]:
        """What may be there when it is said to be done."""
        return ("new",) if self.operation.between is never else ("new", "between")

    # What is there

    def _make(self) -> None:
        shutil.rmtree(self.place.root, ignore_errors=True)
        shutil.copytree(self._template, self.place.root, symlinks=True)

    def _start(self) -> None:
        with self.place.lived_in():
            self.operation.start(self.place)

    def _look(self) -> Look:
        with self.place.lived_in():
            return self.operation.look(self.place)

    def _named(self, now: Look) -> str:
        if now == self.new:
            return "new"
        if now == self.old:
            return "old"
        if self.operation.between(now, self.old, self.new):
            return "between"
        neither = [
            name
            for name in sorted({*now, *self.old, *self.new})
            if now.get(name) not in (self.old.get(name), self.new.get(name))
        ]
        mixed = sorted(name for name in {*now, *self.old, *self.new} if now.get(name) != self.old.get(name))
        return f"neither old nor new: {neither}" if neither else f"half of it: {mixed}"

    def _undone(self) -> tuple[str, Look]:
        """What taking the last change back says and leaves."""
        if self.operation.undo is None:
            return "", {}
        undo = self.operation.undo
        with self.place.lived_in():
            ended, sentence = _done(lambda: undo(self.place))
        return (ended if ended == "done" else sentence), self._look()

    def _names(self) -> set[str]:
        """The files and folders there are, by names without what differs each time."""
        root = self.place.root
        found = {_UNSTEADY.sub("#", path.relative_to(root).as_posix()) for path in root.rglob("*")}
        return {name for name in found if not _LOCKS.search(name)}


def _done(deed: Callable[[], object]) -> tuple[str, str]:
    """How something ended, and what was said."""
    try:
        deed()
    except HermesTuiError as error:
        if not error.message or "Traceback" in error.message:
            return "leaked", repr(error)
        return "refused", str(error)
    except BaseException as error:
        return "leaked", _where(error)
    return "done", ""


def _where(error: BaseException) -> str:
    """An error that nobody foresaw, and where in our code."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if "hermes_tui" in each.filename]
    places = [f"{each.filename.rpartition('hermes_tui/')[2]}:{each.lineno}" for each in frames[-3:]]
    return f"{error!r} from {' > '.join(places)}"


def _differ(one: tuple[str, Look], other: tuple[str, Look]) -> list[str]:
    return sorted(name for name in {*one[1], *other[1]} if one[1].get(name) != other[1].get(name))
