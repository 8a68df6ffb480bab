"""The same thousands of calls through our tool and through the real agent's own store."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.memory.entries import FILE_NAMES, parse, unique
from tests.interop.conftest import JsonLines
from tests.interop.operations import call

CALLS = int(os.environ.get("HERMES_TUI_INTEROP_CALLS", "3000"))
LIMITS = {"memory": 400, "user": 240}
ACTIONS = {"0.19": ("add", "replace", "remove"), "0.22": ("add", "patch", "remove")}


def read(home: Path, name: str) -> bytes | None:
    """The bytes of a store's file."""
    path = home / "memories" / name
    return path.read_bytes() if path.exists() else None


def may_refuse(theirs: dict[str, Any], after: bytes) -> bool:
    """Whether the agent accepted something that its own next reading takes apart."""
    text = after.decode()
    return len(parse(text)) != theirs["entry_count"] or "\n§\n§\n" in text


@pytest.mark.parametrize("line", ["0.19", "0.22"])
def test_the_same_calls_leave_the_same_bytes(
    line: str,
    make_home: Callable[..., Path],
    start_agent: Callable[[str, Path], JsonLines],
    start_ours: Callable[..., JsonLines],
) -> None:
    """Our tool would accept, refuse or write something else than the agent."""
    rng = random.Random(f"calls {line}")
    theirs_home = make_home("theirs", memory_limit=LIMITS["memory"], user_limit=LIMITS["user"])
    ours_home = make_home("ours", memory_limit=LIMITS["memory"], user_limit=LIMITS["user"])
    agent, ours = start_agent(line, theirs_home), start_ours(ours_home, line)
    accepted = refused = kept_back = 0
    for number in range(CALLS):
        store = rng.choice(["memory", "memory", "user"])
        data = read(ours_home, FILE_NAMES[store]) or b""  # type: ignore[index]
        entries = unique(parse(data.decode()))
        arguments = call(rng, ACTIONS[line], entries, store, LIMITS[store])
        answer = agent.ask({"do": "tool", "args": arguments})
        result, files = answer["result"], answer["files"]
        mine = ours.ask(arguments)
        where = f"call {number}: {arguments!r}\nagent: {result!r}\nours:  {mine!r}\nbefore: {data!r}"
        name = FILE_NAMES[store]  # type: ignore[index]
        after = (files[name] or "").encode("latin-1")
        if result.get("success") and not mine["success"]:
            assert may_refuse(result, after), where
            (theirs_home / "memories" / name).write_bytes(data)
            kept_back += 1
            continue
        assert bool(result.get("success")) == mine["success"], where
        assert (read(ours_home, name) or b"") == after, where
        if mine["success"]:
            accepted += 1
            assert list(mine) == list(result), where
            for key in ("target", "usage", "entry_count", "message", "note"):
                assert mine[key] == result[key], where
            for key in set(mine) - {"target", "usage", "entry_count", "message", "note"}:
                assert mine[key] == result[key], where
        else:
            refused += 1
            if "raised" not in result:
                assert list(mine) == list(result), where
                if "needs old_text" in mine["error"]:
                    continue  # the agent lists what it last held in memory, we what is on disk
                for key in ("current_entries", "usage", "matches", "closest_entries"):
                    assert mine.get(key) == result.get(key), where
    assert accepted > CALLS // 10, f"{accepted} accepted, {refused} refused, {kept_back} kept back"
    assert refused > CALLS // 10


def test_replace_is_kept_in_the_newer_dialect(
    make_home: Callable[..., Path],
    start_agent: Callable[[str, Path], JsonLines],
    start_ours: Callable[..., JsonLines],
) -> None:
    """Scripts written for the older agent would break, or write other bytes than the newer store does."""
    rng = random.Random("replace")
    theirs_home, ours_home = make_home("theirs", memory_limit=400), make_home("ours", memory_limit=400)
    agent, ours = start_agent("0.22", theirs_home), start_ours(ours_home, "0.22")
    for _ in range(300):
        data = read(ours_home, "MEMORY.md") or b""
        entries = unique(parse(data.decode()))
        arguments = call(rng, ("replace",), entries, "memory", 400)
        if "operations" in arguments or arguments["action"] not in ("add", "replace"):
            continue
        do = "replace" if arguments["action"] == "replace" and arguments.get("content") else "tool"
        if do == "replace" and not arguments.get("old_text"):
            continue
        answer = agent.ask({"do": do, "args": arguments})
        mine = ours.ask(arguments)
        after = (answer["files"]["MEMORY.md"] or "").encode("latin-1")
        if answer["result"].get("success") and not mine["success"]:
            assert may_refuse(answer["result"], after)
            (theirs_home / "memories" / "MEMORY.md").write_bytes(data)
            continue
        if arguments["action"] == "replace" and do == "tool":
            continue  # the newer agent refuses the word itself
        assert answer["result"]["success"] == mine["success"], (arguments, answer, mine)
        assert (read(ours_home, "MEMORY.md") or b"") == after
        assert list(answer["result"]) == list(mine)
