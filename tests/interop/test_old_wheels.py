"""Databases that agents of the past made: they list, search and open, each as far as its version went."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.listing import Choice, SessionIndex, choose
from hermes_tui.sessions.messages import Message, State
from hermes_tui.sessions.query import parse
from hermes_tui.sessions.search import Found, Scope, Search
from hermes_tui.sessions.summaries import Summary, summaries
from tests.interop.conftest import environment
from tests.sessions.whole import all_messages

VERSIONS = {
    "0.13.0": (11, 30, 15),
    "0.14.0": (11, 30, 15),
    "0.15.0": (13, 30, 17),
    "0.15.2": (13, 30, 17),
    "0.16.0": (14, 33, 18),
    "0.17.0": (16, 33, 18),
    "0.18.0": (17, 41, 19),
    "0.18.1": (19, 44, 19),
    "0.18.2": (19, 44, 19),
}
"""Each version with its schema's number, and how many columns its sessions and its messages have."""
COLUMNS_SINCE = {
    "observed": "0.15.0",
    "active": "0.16.0",
    "archived": "0.16.0",
    "compacted": "0.18.0",
    "git_branch": "0.18.0",
    "display_name": "0.18.1",
}
"""The version that brought a column."""
DRIVER = Path(__file__).with_name("peers") / "drive_conversations.py"
DESK, PICTURE, CHINESE = "20260102_090000_aaaaaa", "20260103_090000_bbbbbb", "20260104_090000_cccccc"
ROOT, TIP = "20260105_090000_dddddd", "20260105_100000_eeeeee"
CRON, IN_PLACE = "cron_backup_20260106_030000", "20260107_090000_ffffff"
REWOUND, ARCHIVED = "20260108_090000_abcabc", "20260109_090000_defdef"
NOW = 1_800_000_000.0

# Read before any test: tests run with an environment that has nothing of the developer's in it.
_AGENTS = os.environ.get("HERMES_TUI_OLD_AGENTS", "")


@dataclass(frozen=True, slots=True)
class Old:
    """A home as an old agent left it."""

    version: str
    path: Path
    said: dict[str, Any]
    """What the agent itself lists and finds in it."""

    def can(self, what: str) -> bool:
        """Whether the version has an ability."""
        return bool(self.said["can"][what])


@pytest.fixture(scope="module", params=VERSIONS)
def old(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Old]:
    """A database of each version; looking at it must leave it as it was."""
    assert _AGENTS, "HERMES_TUI_OLD_AGENTS is not set: run `make interop`, which prepares old agents"
    home = tmp_path_factory.mktemp("old")
    agent = Path(_AGENTS) / request.param
    run = subprocess.run(
        [sys.executable, DRIVER],
        env={**environment(home, home), "PYTHONPATH": str(agent)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    said = json.loads(next(line for line in run.stdout.splitlines() if line.startswith("{")))
    before = {path.name: path.read_bytes() for path in home.iterdir() if path.is_file()}
    yield Old(request.param, home / "state.db", said)
    assert {path.name: path.read_bytes() for path in home.iterdir() if path.is_file()} == before


@pytest.fixture
def base(old: Old) -> Iterator[Database]:
    """That database, opened by us."""
    database = Database(old.path)
    yield database
    database.close()


def listed(base: Database, choice: Choice) -> dict[str, Summary]:
    """The conversations that a list shows, by id."""
    index = SessionIndex(base)
    index.load()
    return {each.brief.id: each for each in summaries(base, choose(index.briefs, choice).briefs, NOW)}


def found(base: Database, text: str) -> dict[str, Found]:
    """The conversations a search finds, by the id of their first session."""
    page = Search(base, parse(text, NOW), scope=Scope.everything(), exhaustive=True).all()
    return {each.summary.brief.root: each for each in page.found}


def opened(base: Database, session: str) -> list[Message]:
    """All messages of a conversation."""
    return [message for part in all_messages(base, session) for message in part]


def test_what_the_database_has_is_known(old: Old, base: Database) -> None:
    """A column that is not there would be asked for."""
    features = base.features()
    assert (features.schema_version, len(features.sessions), len(features.messages)) == VERSIONS[old.version]
    assert features.sessions == set(old.said["columns"]["sessions"])
    assert features.messages == set(old.said["columns"]["messages"])
    order = list(VERSIONS)
    for column, since in COLUMNS_SINCE.items():
        there = column in features.sessions | features.messages
        assert there == (order.index(old.version) >= order.index(since)), column
    assert (features.words, features.trigram, features.bigrams) == ("inline", True, False)


def test_the_list_is_the_agents_own_list(old: Old, base: Database) -> None:
    """A conversation would be missing, or a part of one would show as a conversation of its own."""
    shown = listed(base, Choice(kinds=frozenset({"cron"})))
    assert shown.keys() == {row["id"] for row in old.said["listed"]}
    for row in old.said["listed"]:
        summary = shown[row["id"]]
        assert summary.brief.source == row["source"]
        assert row["title"] is None or summary.title == row["title"]
    assert (shown[TIP].brief.root, shown[TIP].brief.parts, shown[TIP].title) == (ROOT, (ROOT, TIP), "Fjord trip")
    assert (shown[TIP].brief.messages, shown[DESK].brief.messages) == (4, 4)
    assert (shown[DESK].title, shown[DESK].end_reason) == ("Harbour office", "cli_close")
    assert (shown[DESK].input_tokens, shown[DESK].output_tokens, shown[DESK].tool_calls) == (1200, 80, 1)
    assert (shown[PICTURE].derived, "lighthouse" in shown[PICTURE].title) == (True, True)
    assert shown[CHINESE].preview.startswith("数据库的备份在哪里")


def test_what_is_put_away_is_hidden_where_the_version_can_do_that(old: Old, base: Database) -> None:
    """One would miss a conversation, or see what was put away."""
    assert (ARCHIVED in listed(base, Choice())) != old.can("archive")
    assert ARCHIVED in listed(base, Choice(archived="also"))
    assert CRON not in listed(base, Choice())


def test_a_search_finds_all_that_the_agent_finds(old: Old, base: Database) -> None:
    """The agent's own search would be the better one."""
    for query, hits in old.said["found"].items():
        theirs = {ROOT if session == TIP else session for session, _ in hits}
        assert theirs <= found(base, query).keys(), query
    assert old.said["found"]["harbour"], "the agent of this version finds something"


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("don't", DESK),
        ("a@b.com", DESK),
        ("C#", DESK),
        (".env", DESK),
        ("docker comp", DESK),
        ("exited", DESK),
        ("项目", CHINESE),
        ("备份", CHINESE),
        ("명령", CHINESE),
        ("готов", CHINESE),
        ("lighthouse?", PICTURE),
        ("🙂", PICTURE),
        ("glacier, second", ROOT),
        ("Fjord trip", ROOT),
        ("otter said", IN_PLACE),
    ],
)
def test_a_search_finds_what_the_agent_cannot(base: Database, query: str, where: str) -> None:
    """What was said could not be found again."""
    assert where in found(base, query)


def test_taken_back_messages_are_not_found(old: Old, base: Database) -> None:
    """A hit would open on words that are no longer part of the conversation."""
    hits = found(base, "rewound")
    assert (REWOUND in hits) != old.can("rewind")
    states = [message.state for message in opened(base, REWOUND)]
    assert states == [State.LIVE, State.LIVE, *[State.REWOUND if old.can("rewind") else State.LIVE] * 2]


def test_a_conversation_opens_with_all_it_holds(base: Database) -> None:
    """A call, a result, a picture or a thought would be missing."""
    question, call, result, answer = opened(base, DESK)
    assert (question.role, question.text[:11]) == ("user", "I don't kno")
    assert (call.calls[0].name, call.calls[0].main_argument) == ("terminal", "docker compose ps")
    assert (result.role, result.tool_name, result.tool_call_id) == ("tool", "terminal", "call_1")
    assert (answer.text, answer.reasoning) == ("The web container ended: C# build, see .env at the café.", "hm")
    picture, _ = opened(base, PICTURE)
    assert picture.text.startswith("What is this lighthouse?")
    assert "image" in picture.text
    assert "base64" not in picture.text


def test_the_parts_of_a_compacted_conversation_open_as_one(old: Old, base: Database) -> None:
    """What was said before a compaction would be out of reach."""
    for session in (ROOT, TIP):
        messages = opened(base, session)
        assert [message.session_id for message in messages] == [ROOT, ROOT, TIP, TIP]
        assert messages[0].text == "Plan the trip to the fjord, first part."
        assert messages[-1].text == "Day two: the glacier, second part."
    texts = [message.text for message in opened(base, IN_PLACE)]
    assert texts[:2] == ["What did the otter say before?", "The otter said nothing."]
    assert len(texts) == (4 if old.can("compact_in_place") else 2)
