"""Our search beside that of the real agents: what they find we find, and what we find was said."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from pathlib import Path

import pytest

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.lineage import Lineages
from hermes_tui.sessions.query import parse
from hermes_tui.sessions.search import Page, Scope, Search
from hermes_tui.sessions.sources import Sources, searched_text
from hermes_tui.sessions.stored import JSON_MARK
from tests.interop.conftest import PEERS, JsonLines, environment, python_of
from tests.interop.search_queries import QUERIES, Typed, is_east_asian, queries
from tests.interop.search_samples import UNANSWERED, conversations

DRIVER = Path(__file__).with_name("peers") / "search_driver.py"
NOW = 1_800_000_000.0


@dataclass(frozen=True)
class Stored:
    """One message as it is in the database."""

    session: str
    text: str
    undone: bool
    """Taken back by a person."""
    picture: bool
    """Kept as JSON, because it is more than text."""


class History:
    """What one line of the agent keeps of all conversations, and what it finds in them."""

    def __init__(self, line: str, folder: Path) -> None:
        self.path = folder / line / "state.db"
        self.path.parent.mkdir()
        self._agent = JsonLines([python_of(line), str(DRIVER)], environment(folder, self.path.parent))
        self._agent.send({"keep": conversations()})
        self._agent.send({"search": [*(typed.text for typed in queries()), *UNANSWERED]})

    def wait(self) -> History:
        """Let the agent come to its end."""
        self._agent.read()
        theirs: list[list[int]] = self._agent.read()["found"]
        self._agent.close()
        self.theirs, self.unanswered = theirs[:QUERIES], theirs[QUERIES:]
        self.base = Database(self.path)
        return self

    @cached_property
    def messages(self) -> dict[int, Stored]:
        """All messages."""
        rows = self.base.rows(
            "SELECT id, session_id, content, tool_name, tool_calls, active OR compacted FROM messages"
        )
        return {
            int(id): Stored(session, searched_text(*texts), not seen, str(texts[0] or "").startswith(JSON_MARK))
            for id, session, *texts, seen in rows
        }

    @cached_property
    def roots(self) -> dict[str, str]:
        """The first session of each session's conversation."""
        return Lineages(self.base).roots(message.session for message in self.messages.values())

    def search(self, text: str) -> Page:
        """All that we find."""
        return Search(self.base, parse(text, NOW), scope=Scope.everything(), exhaustive=True).all()


@pytest.fixture(scope="module")
def histories(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, History]]:
    """The same conversations, kept by an agent of each line; both are at work at once."""
    folder = tmp_path_factory.mktemp("agents")
    begun = {line: History(line, folder) for line in PEERS}
    yield {line: history.wait() for line, history in begun.items()}
    for history in begun.values():
        history.base.close()


KINDS = (
    r"\bOR\b", r"\bNOT\b", r"\bAND\b", r"\*$", r'^"[^"]+"$', r'^[^"]*"[^"]*$', r"[\[(^]", r"\w:", "[A-Z]{3}",
    r"\w[._-]\w", "[\u4e00-\u9fff]", "[\u3040-\u30ff]", "[\uac00-\ud7a3]", "[\u0400-\u04ff]", "[\u0e00-\u0e7f]",
    "[\U0001f300-\U0001faff]", "[\u00c0-\u024f]", r"[\u4e00-\u9fff]+[a-zA-Z]", r"[^\W\d] [^\W\d]", "^.$",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_typed_is_of_every_kind(kind: str) -> None:
    """A search that is only ever asked for plain words would pass."""
    typed = [each.text for each in queries()]
    assert len(typed) == QUERIES
    assert len(set(typed)) > QUERIES * 0.9
    assert any(re.search(kind, text) for text in typed)


@pytest.mark.parametrize("line", PEERS)
def test_everything_that_the_agent_finds_is_found(line: str, histories: dict[str, History]) -> None:
    """Somebody who knows the agent's own search would miss a conversation in ours."""
    history = histories[line]
    missing: dict[str, str] = {}
    undone: set[str] = set()
    for typed, theirs in zip(queries(), history.theirs, strict=True):
        page = history.search(typed.text)
        ours = {each.summary.brief.root for each in page.found}
        for message in map(history.messages.__getitem__, theirs):
            if history.roots[message.session] in ours:
                continue
            if message.undone:
                undone.add(typed.text)  # its scan for short CJK words forgets to leave out what was taken back
            else:
                missing[typed.text] = message.text
    assert missing == {}
    assert len(undone) < QUERIES / 10, undone
    assert sum(map(bool, history.theirs)) > QUERIES * 0.7, "most queries are about something that was said"
    assert len(set(history.roots.values())) < len(history.roots) - 20, "some conversations have several parts"


@pytest.mark.parametrize("line", PEERS)
def test_what_the_agent_answers_with_nothing_is_answered(line: str, histories: dict[str, History]) -> None:
    """`don't`, `a@b.com` or an emoji would be nowhere, although somebody said it."""
    history = histories[line]
    for number, typed in enumerate(UNANSWERED):
        found = {each.summary.brief.id: each.reading for each in history.search(typed).found}
        assert found.get(f"planted_{number:03}") == "", typed
    if line == "0.19":
        assert [typed for typed, theirs in zip(UNANSWERED, history.unanswered, strict=True) if theirs] == []
    seen = [message for message in history.messages.values() if not message.undone]
    unanswered = [query for query, theirs in zip(queries(), history.theirs, strict=True) if not theirs]
    there = [query.text for query in unanswered if any(is_said(query, message.text) for message in seen)]
    assert [text for text in there if not history.search(text).found] == []


@pytest.mark.parametrize("line", PEERS)
def test_what_is_found_as_typed_was_said(line: str, histories: dict[str, History]) -> None:
    """The first results would be noise."""
    history = histories[line]
    looked_at, wrong = 0, {}
    for typed in queries():
        for match in chain.from_iterable(Sources(history.base).stream(parse(typed.text, NOW).readings[0])):
            message = history.messages[match.id]
            if message.undone or not is_said(typed, message.text):
                wrong[typed.text] = message.text
            looked_at += 1
    assert wrong == {}
    assert looked_at > QUERIES * 20


# What was said, in plain Python


def is_said(typed: Typed, text: str) -> bool:
    """Whether a text has what was typed; the beginnings of its words will do."""
    wanted = any(all(says(text, word) for word in words) for words in typed.wanted)
    return wanted and not any(says(text, word, whole=True) for word in typed.unwanted)


def says(text: str, typed: str, *, whole: bool = False) -> bool:
    """Whether a text has a word, or some words in a row; signs count where they make the word what it is."""
    text, word = plain(text), plain(typed).lstrip("({[\"'`“<,;:!?^").rstrip(")}]\"'`”>,;:!?^….*。")
    if not word:
        return plain(typed) in text or plain(typed) == "<"
    if not re.fullmatch(r"\w([\w\s.:-]*\w)?", word) or any(map(is_east_asian, word)) or "\u0e00" < word[0] < "\u0e80":
        return word in text
    end = r"(?![^\W_])" if whole and "*" not in typed else ""
    rows = [re.findall(r"[^\W_]+", part) for part in word.split(":")]
    return all(re.search(r"(?<![^\W_])" + r"[\W_]+".join(row) + end, text) for row in rows)


@cache
def plain(text: str) -> str:
    """A text without case, accents and kinds of apostrophes."""
    bare = "".join(char for char in unicodedata.normalize("NFD", text) if not "\u0300" <= char <= "\u036f")
    return unicodedata.normalize("NFC", bare).casefold().replace("’", "'")
