"""Our `tool session_search` beside the real agents': the same modes, keys in the same order, and sessions."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.interop.conftest import JsonLines, environment, python_of

DRIVER = Path(__file__).with_name("peers") / "drive_session_search.py"
LINES = ["0.19", "0.22"]
START = 1_760_000_000.0
DAY = 86_400.0
OWN_WORDS = {"message", "hint", "link_hint", "warning", "error", "snippet"}
"""Keys whose texts are ours to choose."""
SESSIONS = 14
QUERIES = 60

Call = dict[str, Any]


def talk(*lines: Any) -> list[Any]:
    """Messages, people and the agent in turn."""
    return [["user" if place % 2 == 0 else "assistant", line] for place, line in enumerate(lines)]


TOOL_CALL = {"id": "c1", "type": "function", "function": {"name": "terminal", "arguments": '{"command": "ls"}'}}
WHALE = [{"type": "text", "text": "a picture of the docker whale"}, {"type": "image_url", "image_url": {"url": "x"}}]
WORLD: list[dict[str, Any]] = [
    {
        "id": "20260101_100000_aaaaaa",
        "title": "Docker networking",
        "messages": [
            *talk("how do I set up docker networking", "Use a bridge.", "and volumes?"),
            ["assistant", "named volumes", {"tool_calls": [TOOL_CALL]}],
            ["tool", "CONTAINER ID docker", {"tool_name": "terminal", "tool_call_id": "c1"}],
            ["assistant", "all docker done"],
        ],
    },
    {"id": "20260102_100000_bbbbbb", "source": "telegram", "messages": talk("docker again", "yes docker")},
    {"id": "20260103_100000_cccccc", "source": "cron", "messages": talk("docker nightly", "docker done")},
    {
        "id": "20260104_100000_dddddd",
        "source": "subagent",
        "parent": "20260101_100000_aaaaaa",
        "messages": talk("docker sub", "docker"),
    },
    {
        "id": "20260105_100000_eeeeee",
        "title": "Long one",
        "ended": "compression",
        "messages": talk(*(f"message {n} about kubernetes{' docker' if n == 7 else ''}" for n in range(40))),
    },
    {
        "id": "20260106_100000_ffffff",
        "parent": "20260105_100000_eeeeee",
        "messages": talk("continue docker tip", "ok tip"),
    },
    {"id": "20260107_100000_111111", "source": "tool", "messages": talk("docker tool", "docker")},
    {"id": "20260108_100000_222222", "messages": talk(WHALE, "nice whale")},
    {"id": "20260109_100000_333333", "title": "Old thing", "archived": 1, "messages": talk("old docker", "ok")},
    {"id": "20260110_100000_444444", "messages": []},
    {"id": "20260111_100000_555555", "source": "weird", "title": "Empty titled", "messages": []},
    {"id": "twin1", "messages": talk("twins", "ok")},
    {"id": "twin2", "messages": talk("twins", "ok")},
    {"id": "twin3", "messages": talk("twins", "ok")},
    {"id": "p1", "title": "Parent one", "ended": "branched", "messages": talk("parent apple text", "reply")},
    {
        "id": "b1",
        "title": "Branch",
        "parent": "p1",
        "config": {"_branched_from": "p1"},
        "messages": talk("branch apple text", "b reply"),
    },
    {"id": "p2", "title": "Delegator", "messages": talk("delegate apple?", "ok")},
    {"id": "d3", "parent": "p2", "messages": talk("child banana", "done banana")},
    {
        "id": "in_place",
        "title": "In place",
        "messages": [
            ["user" if n % 2 == 0 else "assistant", f"row {n} cherry", {"state": "compacted"} if n < 6 else {}]
            for n in range(20)
        ],
    },
    {
        "id": "big",
        "messages": [
            ["user", "durian " + "x" * 6_000],
            ["assistant", None],
            ["tool", "y" * 9_000, {"tool_name": "t", "tool_call_id": "q"}],
            ["assistant", "end durian"],
        ],
    },
    {"id": "n1", "title": "Numbered", "messages": talk("num fig", "x")},
    {"id": "n2", "title": "Numbered #2", "messages": talk("num fig two", "x")},
    {
        "id": "tools",
        "messages": [
            ["user", "kiwi start"],
            ["assistant", "", {"tool_calls": [TOOL_CALL]}],
            *([["tool", f"out {n}", {"tool_name": "t", "tool_call_id": "c1"}] for n in range(8)]),
            ["assistant", "mid lemon"],
            *([["tool", f"out {n}", {"tool_name": "t", "tool_call_id": "c1"}] for n in range(8)]),
            ["assistant", "finish"],
        ],
    },
    {"id": "spread", "messages": talk(*(f"filler {n}{' grape' if n == 8 else ''}" for n in range(31)))},
]
for _place, _session in enumerate(WORLD):
    _session["began"] = START + _place * DAY

NUMBERS: list[Any] = [*(20.0, 20.9, True, False, "+20", " 20 ", "2_0", "٢٠", "20.0", "", "0x14", [20], {}, 1e300, -20)]
EXACT: list[Call] = [
    {},
    {"limit": 2},
    {"limit": 10},
    {"query": "  ", "limit": 10},
    {"query": 5},
    {"around_message_id": 5},
    {"limit": 10, "current_session_id": "20260106_100000_ffffff"},
    {"session_id": "20260101_100000_aaaaaa"},
    {"session_id": "20260105_100000_eeeeee"},
    {"session_id": "20260106_100000_ffffff", "query": "docker"},
    {"session_id": "20260110_100000_444444"},
    {"session_id": "in_place"},
    {"session_id": "big"},
    {"session_id": "spread"},
    {"session_id": "nope"},
    {"session_id": "20260105_100000_eeeeee", "around_message_id": 20},
    {"session_id": "20260105_100000_eeeeee", "around_message_id": "20", "window": 2},
    {"session_id": "20260105_100000_eeeeee", "around_message_id": 20, "window": 0},
    {"session_id": "20260105_100000_eeeeee", "around_message_id": 20, "window": 500},
    {"session_id": "20260105_100000_eeeeee", "around_message_id": 14},
    {"session_id": "20260105_100000_eeeeee", "around_message_id": 52},
    {"session_id": "20260106_100000_ffffff", "around_message_id": 20},
    {"session_id": "20260105_100000_eeeeee", "around_message_id": 53},
    {"session_id": "20260101_100000_aaaaaa", "around_message_id": 5, "role_filter": "user"},
    {"session_id": "20260106_100000_ffffff", "around_message_id": 9},
    {"session_id": "20260106_100000_ffffff", "around_message_id": 99_999},
    {"session_id": "nope", "around_message_id": 5},
    {"session_id": "big", "around_message_id": "x"},
    {"session_id": "20260105_100000_eeeeee", "around_message_id": 20, "current_session_id": "20260106_100000_ffffff"},
    {"session_id": "20260106_100000_ffffff", "around_message_id": 53, "current_session_id": "20260106_100000_ffffff"},
    {"query": "docker", "sort": "newest", "limit": 10},
    {"query": "docker", "sort": "OLDEST", "limit": 10},
    {"query": "docker", "sort": "newest", "limit": 2},
    {"query": "docker", "sort": "newest", "limit": 0},
    {"query": "kubernetes", "sort": "newest"},
    {"query": "kubernetes", "sort": "oldest"},
    {"query": "docker", "role_filter": "tool"},
    {"query": "docker", "role_filter": "bogus"},
    {"query": "networking"},
    {"query": "Long one"},
    {"query": "Numbered"},
    {"query": "numbered"},
    {"query": '"Docker networking"'},
    {"query": "Empty titled"},
    {"query": "apple", "sort": "oldest", "limit": 10},
    {"query": "banana", "sort": "newest"},
    {"query": "cherry", "sort": "oldest"},
    {"query": "durian", "sort": "oldest"},
    {"query": "grape"},
    {"query": "lemon"},
    {"query": "zzzznothing"},
    {"query": "docker", "sort": "newest", "current_session_id": "20260106_100000_ffffff", "limit": 10},
    {"query": "apple", "sort": "newest", "current_session_id": "b1", "limit": 10},
    {"query": "cherry", "sort": "oldest", "current_session_id": "in_place"},
    {"profile": "nope"},
    {"query": "docker", "profile": 5},
    *({"session_id": "20260105_100000_eeeeee", "around_message_id": around} for around in NUMBERS),
    {"query": "twins", "limit": 2},
    *({"query": "docker", "sort": "newest", "limit": limit} for limit in (5.0, 2.7, True, False, "2.0", None, [1])),
    *(
        {"session_id": "20260105_100000_eeeeee", "around_message_id": 20, "window": window}
        for window in (1.0, 1.5, True, False, "1.0", None, [1])
    ),
]
NEWER_ONLY: list[Call] = [
    {"query": "docker", "sort": "newest", "profile": "default"},
    {"query": "docker", "sort": "newest", "limit": 10, "detail": "full"},
    {"query": "docker", "sort": "newest", "limit": 2, "detail": "bogus"},
    {"query": "docker", "sort": "newest", "limit": 10, "after": "2025-10-11"},
    {"query": "docker", "sort": "newest", "limit": 10, "before": "2025-10-13T00:00:00"},
    {"query": "docker", "after": "7d"},
    {"query": "docker", "after": "bogus"},
    {"query": "docker", "after": 5},
    {"query": "docker", "before": 1_767_500_000},
    {"query": "Docker networking", "after": "7d"},
    {"query": "docker", "sort": "newest", "limit": 10, "exclude_session_ids": ["20260102_100000_bbbbbb", "zzz"]},
    {"query": "docker", "sort": "newest", "limit": 10, "exclude_session_ids": "20260106_100000_ffffff"},
]
SETS: list[Call] = [
    {"query": query, "limit": 10}
    for query in (
        *("docker", "docker kubernetes", "docker OR apple", "docker NOT nightly", "dock*", '"docker again"', "apple"),
        *("cherry", "volumes bridge", "(docker", "docker AND", "parent-one", "whale", "num fig", "content:docker"),
    )
]


@pytest.fixture
def pair(isolated_machine: Path) -> Iterator[Callable[[str], tuple[JsonLines, JsonLines]]]:
    """Starts an agent of a line and our tool on one home."""
    started: list[JsonLines] = []

    def start(line: str) -> tuple[JsonLines, JsonLines]:
        home = isolated_machine / "home"
        home.mkdir()
        around = environment(isolated_machine, home)
        agent = JsonLines([python_of(line), str(DRIVER)], around)
        assert agent.read()["ready"]
        command = [sys.executable, "-m", "hermes_tui", "--home", str(home), "tool", "session_search", "--stdin"]
        ours = JsonLines([*command, "--dialect", line], around)
        started.extend((agent, ours))
        return agent, ours

    yield start
    for process in started:
        process.close()


def keys(value: Any) -> Any:
    """The keys of all objects, as deep as they go, in their order."""
    if isinstance(value, dict):
        return [(key, keys(inner)) for key, inner in value.items() if key != "content"]
    return [keys(inner) for inner in value] if isinstance(value, list) else None


def facts(value: Any) -> Any:
    """All but the texts that are ours to choose."""
    if isinstance(value, dict):
        return {key: facts(inner) for key, inner in value.items() if key not in OWN_WORDS}
    return [facts(inner) for inner in value] if isinstance(value, list) else value


def families(result: dict[str, Any]) -> set[str]:
    """The sessions that were found; of those that grew out of one another, the first."""
    return {each.get("parent_session_id", each["session_id"]) for each in result["results"]}


@pytest.mark.parametrize("line", LINES)
def test_every_mode_answers_with_the_agents_keys_and_facts(
    line: str, pair: Callable[[str], tuple[JsonLines, JsonLines]]
) -> None:
    """An agent that calls our tool in the place of its own would stumble over a result."""
    agent, ours = pair(line)
    agent.ask({"do": "keep", "sessions": WORLD})
    seen = set()
    for call in [*EXACT, *(NEWER_ONLY if line == "0.22" else [])]:
        theirs, mine = agent.ask({"do": "call", "args": call})["result"], ours.ask(call)
        where = f"{call}\nagent: {theirs}\nours:  {mine}"
        for recent in [theirs, mine] if theirs.get("mode") == "browse" else []:
            for shown in recent["results"]:
                shown.pop("preview")  # the agent has none for messages with pictures
        assert keys(mine) == keys(theirs), where
        assert facts(mine) == facts(theirs), where
        seen.add(theirs.get("mode", "error"))
    assert seen == {"browse", "read", "scroll", "discover", "error"}


@pytest.mark.parametrize("line", LINES)
def test_by_relevance_the_same_sessions_are_found(
    line: str, pair: Callable[[str], tuple[JsonLines, JsonLines]]
) -> None:
    """What the agent remembers of last month would not be what we find of it."""
    agent, ours = pair(line)
    agent.ask({"do": "keep", "sessions": WORLD})
    for call in SETS:
        theirs, mine = agent.ask({"do": "call", "args": call})["result"], ours.ask(call)
        if not theirs["results"]:
            continue  # what the agent leaves open, we may answer
        assert families(mine) == families(theirs), call
        assert [key for key, _ in keys(mine)] == [key for key, _ in keys(theirs)], call


@pytest.mark.parametrize("line", LINES)
def test_generated_queries_find_all_that_the_agent_finds(
    line: str, pair: Callable[[str], tuple[JsonLines, JsonLines]]
) -> None:
    """Some combination of words and operators would lose a session."""
    rng = random.Random(f"recall {line}")
    words = [f"{first}{second}" for first in ("ba", "do", "mi", "ku") for second in ("lan", "ter", "sol", "rig", "x")]
    sessions = [
        {
            "id": f"s{number}",
            "began": START + number * DAY,
            "messages": talk(*(" ".join(rng.choices(words, k=rng.randint(1, 9))) for _ in range(rng.randint(2, 6)))),
        }
        for number in range(SESSIONS)
    ]
    agent, ours = pair(line)
    agent.ask({"do": "keep", "sessions": sessions})
    found = 0
    for _ in range(QUERIES):
        some = rng.choices(words, k=rng.randint(1, 3))
        query = rng.choice([" ", " OR ", " AND ", " NOT "]).join(some) if rng.random() < 0.8 else f"{some[0][:3]}*"
        call = {"query": query, "limit": 10, "sort": "newest"}
        theirs, mine = agent.ask({"do": "call", "args": call})["result"], ours.ask(call)
        wanted = [each["session_id"] for each in theirs["results"]]
        got = [each["session_id"] for each in mine["results"]]
        assert got[: len(wanted)] == wanted, query
        assert got == wanted or not wanted or "*" in query, query
        found += len(wanted)
    assert found > QUERIES


@pytest.mark.parametrize("line", LINES)
def test_what_the_agent_cannot_look_for_is_found(line: str, pair: Callable[[str], tuple[JsonLines, JsonLines]]) -> None:
    """An apostrophe would be the end of remembering."""
    agent, ours = pair(line)
    said = "don't mail a@b.com about foo/bar"
    agent.ask({"do": "keep", "sessions": [{"id": "s1", "began": START, "messages": talk(said, "ok")}]})
    for query in ("don't", "a@b.com", "foo/bar"):
        [found] = ours.ask({"query": query})["results"]
        assert found["match_message_id"] == 1, query
