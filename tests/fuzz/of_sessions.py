"""Conversations: what is stored of them, what is asked about them, and what servers answer."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hermes_tui.exchange import Reply
from hermes_tui.providers.client import Server
from hermes_tui.providers.client_failures import refusal, said_by
from hermes_tui.providers.remote_hindsight import Hindsight
from hermes_tui.providers.remote_honcho import Honcho
from hermes_tui.providers.remote_mem0 import Mem0Platform, Mem0Server
from hermes_tui.providers.remote_openviking import OpenViking
from hermes_tui.providers.remote_retaindb import RetainDb
from hermes_tui.providers.remote_speaker import HttpSpeaker
from hermes_tui.providers.remote_supermemory import Supermemory
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.export.export import export_to
from hermes_tui.sessions.export.wish import Format, Wish
from hermes_tui.sessions.query import completions, parse
from hermes_tui.sessions.search import Scope, Search, Sort
from hermes_tui.sessions.session_search import SessionSearch
from hermes_tui.sessions.snippets import snippet_of
from hermes_tui.sessions.title_model.answers import content_of, retry_after
from hermes_tui.sessions.title_model.settings import TitleModelSettings
from hermes_tui.sessions.transcript import TranscriptReader
from hermes_tui.sessions.upkeep.file_check import check_file
from hermes_tui.ui.transcript.sections import page_text, sections_of, whole_text
from tests.fuzz.given import number, one_of, split, text, value
from tests.fuzz.machine import folder, machine, put
from tests.fuzz.promises import can_be_shown, is_calm, ours
from tests.nasty import NASTY
from tests.sessions.whole import all_messages
from tests.sessions.world import NOW, SHAPES, Shape, World

LINES: tuple[Shape, ...] = ("0.19", "0.22")
MOST_CHARS = 2_000
"""Of an odd text in the database that is searched."""
_bases: dict[Shape, Path] = {}


def sessions_of(shape: Shape) -> Path:
    """A database with every odd text in it, made once."""
    if shape not in _bases:
        path = folder() / f"{SHAPES.index(shape)}.db"
        world = World(path, shape)
        for name, said in NASTY.items():
            world.session(
                name, "the otter", said.encode("utf-8", "replace").decode()[:MOST_CHARS], title=f"about {name}"
            )
        world.session("later", "docker swarm", "項目组 部署成功。", "C#项目组", title="Later", source="cron")
        world.session("latest", "and on", parent_session_id="later")
        world.close()
        _bases[shape] = path
    return _bases[shape]


def query(data: bytes) -> None:
    """Whatever is typed into the search box finds or does not; what is marked lies in the line that is shown."""
    how, said = split(data, 2)
    typed = text(said)
    for caret in (0, len(typed) // 2, len(typed)):
        completions(typed, caret, {"source": ("cli", "a b"), "model": ("m",)})
    asked = parse(typed, NOW)
    base = Database(sessions_of(one_of(how, LINES)))
    try:
        scope = Scope.everything() if number(how[2:], 2) else None
        sort: Sort = "relevance" if number(how[1:], 2) else "newest"
        page = Search(base, asked, sort=sort, scope=scope, exhaustive=number(how[3:], 2) == 1).all()
        assert page.done
        for found in page.found:
            for hit in found.hits:
                can_be_shown(hit.snippet)
                assert "\n" not in hit.snippet
                assert all(0 <= start <= end <= len(hit.snippet) for start, end in hit.marks)
                assert all(one[1] <= other[0] for one, other in zip(hit.marks, hit.marks[1:], strict=False))
        for words in (*asked.problems, *page.notes, page.reading):
            can_be_shown(words)
    finally:
        base.close()


SEARCH_NAMES = ("query", "session_id", "around_message_id", "sort", "role_filter", "limit", "window", "after", "before")


def asked_by_agent(data: bytes) -> None:
    """Whatever a model says to the search tool, it gets a result that says nothing of the database's own errors."""
    how, overlay, *texts = split(data, 2 + len(SEARCH_NAMES))
    given: dict[str, Any] = {name: value(each) for name, each in zip(SEARCH_NAMES, texts, strict=True) if each}
    loaded = value(overlay)
    given |= loaded if isinstance(loaded, dict) else {}
    line = one_of(how, ("0.19", "0.22"))
    path = sessions_of(one_of(how[1:], LINES))
    result = ours(
        lambda: SessionSearch(lambda _profile: Database(path), "0.22" if line == "0.22" else "0.19").call(given)
    )
    if result is None:
        return
    told = json.dumps(result)
    assert isinstance(result["success"], bool)
    if not result["success"]:
        assert result["error"].strip()
        assert not any(words in told for words in ("fts5:", "no such column", "syntax error", "unterminated"))


FORMATS: tuple[Format, ...] = ("jsonl", "markdown", "html", "text")
COLUMNS = ("content", "tool_calls", "reasoning", "tool_name", "tool_call_id", "role", "display_kind")


def stored_message(data: bytes) -> None:
    """A message of any content, calls and names is read, found, drawn and exported, and comes in again."""
    how, *pieces = split(data, 1 + len(COLUMNS))
    row: dict[str, Any] = {name: _stored(piece, how[2:]) for name, piece in zip(COLUMNS, pieces, strict=True) if piece}
    with machine() as place:
        world = World(place.home.state_db, one_of(how, LINES))
        world.session("s", "the otter", title="Odd")
        content, role = row.pop("content", "plain"), row.pop("role", "assistant")
        world.say("s", content, role=role, **row)
        world.close()
        base = Database(place.home.state_db)
        try:
            _is_read(base, row.get("tool_calls"))
            for wish in (Wish(one_of(how[1:], FORMATS)), Wish("jsonl", masked=False)):
                pieces_of: list[str] = []
                export_to(base, ["s"], pieces_of.append, wish)
                whole = "".join(pieces_of)
                if wish.format != "jsonl":
                    is_calm(whole.replace("\t", " "))
                    continue
                lines = [json.loads(line) for line in whole.splitlines() if line]
                assert len(lines) == 1
            contents = check_file(put(place.root / "out.jsonl", whole.encode()))
            assert not contents.problems, contents.problems
            assert contents.messages == 2
        finally:
            base.close()


def _stored(piece: bytes, how: bytes) -> Any:
    """A value as SQLite may keep it: text, mostly."""
    if number(how, 5) == 4:
        return piece
    return piece.decode("utf-8", "replace")


def _is_read(base: Database, calls: object) -> None:
    reader = TranscriptReader(base, "s")
    reader.window()
    for some in all_messages(base, "s"):
        for message in some:
            for section in sections_of(message):
                can_be_shown(f"{section.label} {section.detail} {section.facts} {section.text}")
            whole_text(message)
            can_be_shown(page_text(message))
            for call in message.calls:
                can_be_shown(f"{call.name} {call.main_argument} {call.text}")
            found = snippet_of(message.text, message.tool_name, calls, parse("otter a", NOW).matcher)
            assert all(0 <= start <= end <= len(found.text) for start, end in found.marks)
    for typed in ("otter", "a", '"text"'):
        Search(base, parse(typed, NOW), scope=Scope.everything(), exhaustive=True).all()


def imported(data: bytes) -> None:
    """Any file that somebody wants to import is checked to its end, and what is wrong with it is said."""
    with machine() as place:
        found = ours(lambda: check_file(put(place.root / "in.jsonl", data)))
        ours(lambda: check_file(place.root / "in.jsonl", forgiving=True))
        if found is not None:
            for problem in found.problems:
                can_be_shown(problem)
                assert problem.endswith((".", "!", "?", "…")), problem


SETTINGS = {
    **{"base_url": "https://api.example", "api_key": "k" * 24, "workspace": "w", "ai_peer": "hermes", "bank_id": "b"},
    **{"user_id": "u", "project": "p", "container_tag": "c", "account": "a", "user": "u"},
}
SPEAKERS: tuple[type[HttpSpeaker], ...] = (
    Honcho,
    Hindsight,
    Mem0Platform,
    Mem0Server,
    OpenViking,
    RetainDb,
    Supermemory,
)


def answer(data: bytes) -> None:
    """Whatever a server answers is a memory, a title, or a sentence on why it is none; the key is not in it."""
    how, body = split(data, 2)
    settings = TitleModelSettings("https://api.example/v1", "m", "k" * 24)
    said = ours(lambda: content_of(Reply(200, {}, body, True), settings))
    assert said is None or isinstance(said, str)
    retry_after(Reply(429, {"retry-after": text(body)}, body, True), time.time())
    server = Server("Honcho", "https://api.example", secrets=("k" * 24,))
    assert "k" * 24 not in said_by(body, server)
    is_calm(said_by(body, server), lines=False)
    for status in (302, 401, 404, 418, 429, 503):
        can_be_shown(str(refusal(Reply(status, {"location": text(body)}, body, True), server)))
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return
    made: Any = one_of(how, SPEAKERS)
    speaker = made(SETTINGS, confirmed=True)
    for name in ("get", "post", "delete"):
        setattr(speaker.client, name, lambda *_args, **_named: found)
    for ask in (speaker.probe, lambda: speaker.list(20, ""), lambda: speaker.search("tea", 5), speaker.representation):
        told = ours(ask)
        for memory in getattr(told, "memories", told if isinstance(told, tuple) else ()) or ():
            assert isinstance(getattr(memory, "text", ""), str)
            assert not isinstance(memory, Mapping)
