"""A session as one line of JSON: what agents find in it, what only we do, and that it all belongs together."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.errors import Conflict, NotFound
from hermes_tui.sessions.database import Database, Interrupted
from hermes_tui.sessions.export.lossless import PUT_AWAY, Written, write_session
from tests.sessions.world import SHAPES, Shape, World

MakeWorld = Callable[..., World]
SECRET = "sk-proj-abcdefghijklmnop1234567890"


def line_of(path: Path, session_id: str = "s", **wanted: Any) -> tuple[dict[str, Any], Written]:
    """The line of a session, decoded, and what was said about it."""
    base = Database(path)
    pieces: list[str] = []
    written = write_session(base, session_id, pieces.append, **wanted)
    base.close()
    text = "".join(pieces)
    assert text.endswith("\n")
    assert len(text.splitlines()) == 1, "a reader by lines would find several"
    text.encode("utf-8")
    found = json.loads(text)
    assert isinstance(found, dict)
    return found, written


def refuse(constant: str) -> None:
    """Whatever JSON does not know."""
    raise AssertionError(constant)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_line_has_every_column_under_its_name(make_world: MakeWorld, shape: Shape) -> None:
    """An agent would import less than it had."""
    world = make_world(shape)
    world.session("s", "hello", "hi", title="A title", model="m", source="cli")
    found, written = line_of(world.path)
    sessions = [row[0] for row in world.rows("SELECT name FROM pragma_table_info('sessions')")]
    messages = [row[0] for row in world.rows("SELECT name FROM pragma_table_info('messages')")]
    assert list(found) == [*sessions, "hermes_tui", "messages"]
    assert [list(filter(lambda name: name != "_stored", message)) for message in found["messages"]] == [messages] * 2
    assert [(m["role"], m["content"]) for m in found["messages"]] == [("user", "hello"), ("assistant", "hi")]
    assert (found["title"], found["model"], found["source"]) == ("A title", "m", "cli")
    assert written == Written(messages=2, masked=0)


def test_what_the_agent_decodes_is_decoded(make_world: MakeWorld) -> None:
    """An agent that imports it would show JSON in the place of a picture."""
    world = make_world("0.22")
    world.session("s")
    parts = [{"type": "text", "text": "what?"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,iV"}}]
    calls = [{"id": "c1", "type": "function", "function": {"name": "terminal", "arguments": '{"command": "ls"}'}}]
    world.say("s", "\x00json:" + json.dumps(parts), reasoning="hm")
    world.say("s", None, role="assistant", tool_calls=json.dumps(calls))
    found, _ = line_of(world.path)
    first, second = found["messages"]
    assert (first["content"], first["reasoning"]) == (parts, "hm")
    assert (second["content"], second["tool_calls"]) == (None, calls)
    assert all("content" not in message.get("_stored", {}) for message in found["messages"])


def test_what_json_cannot_say_is_there_as_it_is_stored(make_world: MakeWorld) -> None:
    """It would come back as something else."""
    world = make_world("0.22")
    world.session("s", ended_at=float("inf"), end_reason=b"\x01\xff")
    written_otherwise = '\x00json:[1,2,"é"]'
    id = world.say("s", written_otherwise, finish_reason=b"\x00", token_count="many")
    world.run("UPDATE messages SET tool_name = CAST(? AS TEXT) WHERE id = ?", (b"a\xffb", id))
    found, _ = line_of(world.path)
    message = found["messages"][0]
    assert message["content"] == [1, 2, "é"]
    assert message["tool_name"] == "a\ufffdb", "no half characters: the agents turn away a file that has one"
    assert (message["finish_reason"], message["token_count"]) == (None, None)
    stored = message["_stored"]
    assert stored["content"] == written_otherwise
    assert stored["tool_name"] == {"utf8": base64.b64encode(b"a\xffb").decode()}
    assert stored["finish_reason"] == {"base64": "AA=="}
    assert stored["token_count"] == "many"
    assert (found["ended_at"], found["end_reason"]) == (None, None)
    assert found["hermes_tui"]["stored"] == {"end_reason": {"base64": "Af8="}, "ended_at": {"real": "inf"}}


@pytest.mark.parametrize(
    "content",
    ["\x00json:[NaN]", "\x00json:[1e999]", "\x00json:[99999999999999999999]", "\x00json:{", "\x00json:" + "[" * 3000,
     "\x00json:" + json.dumps(["\ud83d"]), "\x00json:", "\x00json:\"x\"", "\x85\u2028 \u2029", "\x00\x1f\x7f"],
)  # fmt: skip
def test_a_line_is_json_whatever_a_content_is(make_world: MakeWorld, content: str) -> None:
    """No reader would take the file."""
    world = make_world("0.19")
    world.session("s", content)
    base = Database(world.path)
    pieces: list[str] = []
    write_session(base, "s", pieces.append)
    base.close()
    message = json.loads("".join(pieces), parse_constant=refuse)["messages"][0]
    json.dumps(message, ensure_ascii=False).encode("utf-8")
    assert content in (message["content"], message.get("_stored", {}).get("content"))


def test_what_is_out_of_the_agents_sight_stands_apart(make_world: MakeWorld) -> None:
    """An agent would take what was undone for said."""
    world = make_world("0.19")
    world.session("s", "kept")
    world.say("s", "compacted", active=0, compacted=1)
    world.say("s", "undone", active=0)
    world.say("s", "last")
    found, written = line_of(world.path)
    assert [message["content"] for message in found["messages"]] == ["kept", "last"]
    assert [message["content"] for message in found[PUT_AWAY]] == ["compacted", "undone"]
    assert written.messages == 4
    found, _ = line_of(world.path, everything=False)
    assert [message["content"] for message in found[PUT_AWAY]] == ["compacted"], "that was said, and not taken back"


def test_messages_stand_in_the_order_of_their_ids(make_world: MakeWorld) -> None:
    """Clocks go back; the order of what was said does not."""
    world = make_world("0.19")
    world.session("s")
    for number, when in enumerate((5.0, 1.0, 9.0, 1.0, "later")):
        world.say("s", f"m{number}", timestamp=when)
    found, _ = line_of(world.path)
    assert [message["content"] for message in found["messages"]] == ["m0", "m1", "m2", "m3", "m4"]


def test_what_belongs_to_no_message_is_there_too(make_world: MakeWorld) -> None:
    """Deleting and taking back would lose costs, children and the prompt."""
    world = make_world("0.22")
    world.session("s", "hello")
    hash = world.prompt("You are Hermes.", "s")
    tools = world.prompt('["terminal"]')
    world.run("UPDATE sessions SET tool_names = ? WHERE id = 's'", (tools,))
    world.session("b", parent_session_id="s")
    world.session("a", parent_session_id="s")
    world.use("s", "m1", last_seen=2.5)
    world.use("s", "m2")
    world.run("INSERT INTO state_meta VALUES ('store_instance_id', 'abc')")
    found, _ = line_of(world.path, home_key="home-1")
    assert (found["system_prompt"], found["tool_names"]) == ("You are Hermes.", '["terminal"]')
    assert found["system_prompt_hash"] == hash
    ours = found["hermes_tui"]
    assert (ours["format"], ours["home"], ours["store"]) == (1, "home-1", "abc")
    assert ours["stored"] == {"system_prompt": None, "tool_names": tools}
    assert set(ours["children"]) == {"a", "b"}
    assert [(row["model"], row["last_seen"]) for row in ours["usage"]] == [("m1", 2.5), ("m2", None)]


def test_no_secret_is_in_a_masked_line(make_world: MakeWorld) -> None:
    """It is made to be given to others."""
    world = make_world("0.22")
    config = json.dumps({"api_key": SECRET, "n": 1})
    world.session("s", f"my key is {SECRET}", title=f"about {SECRET}", model_config=config)
    world.prompt(f"TOKEN={SECRET}", "s")
    arguments = json.dumps({"command": f"export KEY={SECRET}\nls", "password": "hunter2", "deep": {"a": [SECRET]}})
    calls = [{"id": "c1", "function": {"name": "terminal", "arguments": arguments}}]
    world.say("s", f"\x00json:{json.dumps([{'type': 'text', 'text': SECRET}])}", tool_calls=json.dumps(calls))
    world.say("s", json.dumps({"note": f"line\n{SECRET}"}).replace(" ", ""), role="tool", reasoning=SECRET)
    world.say("s", f"\x00json:[1,{json.dumps(SECRET)}]", tool_name=b"\xff")
    world.use("s", "m1", billing_provider=f"https://user:{SECRET}@host")
    found, written = line_of(world.path, masked=True)
    assert SECRET not in json.dumps(found)
    assert "hunter2" not in json.dumps(found)
    assert found["hermes_tui"]["masked"] is True
    assert "stored" not in found["hermes_tui"]
    assert all("_stored" not in message for message in found["messages"])
    assert written.masked >= 9
    said = json.loads(found["messages"][1]["tool_calls"][0]["function"]["arguments"])
    assert said["command"].endswith("\nls")
    assert said["password"] == "***"
    assert json.loads(found["model_config"])["n"] == 1
    assert json.loads(found["messages"][2]["content"])["note"].startswith("line\n")


def test_prompts_only_are_what_the_person_said(make_world: MakeWorld) -> None:
    """Summaries and notices are written in their name."""
    world = make_world("0.22")
    world.session("s", "first", "an answer", "second")
    world.say("s", "[CONTEXT COMPACTION] all of it")
    world.say("s", "a notice", display_kind="notice")
    world.say("s", "taken back", active=0)
    found, written = line_of(world.path, prompts_only=True)
    assert [message["content"] for message in found["messages"]] == ["first", "second"]
    assert PUT_AWAY not in found
    assert found["hermes_tui"]["prompts_only"] is True
    assert written.messages == 2


def test_a_session_that_is_not_there_is_said_to_be_missing(make_world: MakeWorld) -> None:
    """An empty file would look like a session that was exported."""
    world = make_world("0.19")
    base = Database(world.path)
    with pytest.raises(NotFound):
        write_session(base, "nobody", lambda _: None)
    base.close()


class Busy(Database):
    """A reader beside whom something happens once, when the messages are read."""

    def __init__(self, path: Path, happens: Callable[[], object]) -> None:
        super().__init__(path)
        self._happens: Callable[[], object] | None = happens

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows, and then it happens."""
        found = super().rows(sql, values)
        if "json_each" in sql and "typeof" in sql and self._happens:
            happens, self._happens = self._happens, None
            happens()
        return found


def busy_line(world: World, sql: str) -> dict[str, Any]:
    """The line of a session that is changed while it is written."""
    base = Busy(world.path, lambda: world.run(sql))
    pieces: list[str] = []
    try:
        write_session(base, "s", pieces.append)
    finally:
        base.close()
    found = json.loads("".join(pieces))
    assert isinstance(found, dict)
    return found


APPENDING = (
    "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'new', 1)",
    "UPDATE sessions SET message_count = 9 WHERE id = 's'",
    "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('other', 'user', 'new', 1)",
)
REWRITING = (
    "UPDATE messages SET active = 0 WHERE id = 2",
    "UPDATE messages SET content = 'HELLO' WHERE id = 1",
    "DELETE FROM messages WHERE id = 1",
    "DELETE FROM messages",
)


@pytest.mark.parametrize("wal", [True, False])
@pytest.mark.parametrize("sql", APPENDING)
def test_what_comes_while_a_line_is_written_is_not_in_it(make_world: MakeWorld, sql: str, wal: bool) -> None:
    """A conversation that goes on could not be exported, or would be half of then and half of now."""
    world = make_world("0.19", wal=wal)
    world.session("other")
    world.session("s", "hello", "hi")
    found = busy_line(world, sql)
    assert [message["content"] for message in found["messages"]] == ["hello", "hi"]
    assert found["message_count"] == 2


@pytest.mark.parametrize("wal", [True, False])
@pytest.mark.parametrize("sql", REWRITING)
def test_a_session_that_is_rewritten_meanwhile_is_not_passed_off_as_whole(
    make_world: MakeWorld, sql: str, wal: bool
) -> None:
    """The copy that deleting keeps would be of a session that never was."""
    world = make_world("0.19", wal=wal)
    world.session("s", "hello", "hi")
    with pytest.raises(Conflict) as caught:
        busy_line(world, sql)
    assert caught.value.code == "session_changed"


class Counting(Database):
    """A reader that remembers how much each statement gave."""

    most_rows = most_bytes = 0

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows."""
        found = super().rows(sql, values)
        if "json_each" in sql and "typeof" in sql:
            self.most_rows = max(self.most_rows, len(found))
            size = sum(len(value) for row in found for value in row if isinstance(value, bytes))
            self.most_bytes = max(self.most_bytes, size)
        return found


def test_a_long_session_is_read_and_written_in_slices(make_world: MakeWorld) -> None:
    """A session of 200,000 messages would fill the memory, and keep its agent waiting."""
    world = make_world("0.19")
    world.session("s")
    world.run("BEGIN")
    for number in range(3_000):
        world.say("s", f"message {number} " + "x" * (3_000 if number % 3 else 10))
    world.run("COMMIT")
    base = Counting(world.path)
    pieces: list[int] = []
    told: list[tuple[int, int]] = []
    written = write_session(
        base, "s", lambda text: pieces.append(len(text)), progress=lambda done, all: told.append((done, all))
    )
    base.close()
    assert written.messages == 3_000
    assert base.most_rows <= 500
    assert base.most_bytes < 2_000_000
    assert max(pieces) < 1_000_000
    assert told == sorted(told)
    assert told[-1] == (3_000, 3_000)
    assert len(told) > 5


def test_a_text_of_megabytes_is_written_in_pieces(make_world: MakeWorld) -> None:
    """It would be held once more for every piece of the way."""
    world = make_world("0.19")
    long = "ä 'quoted\" \u2028 " * 200_000
    world.session("s", long)
    base = Database(world.path)
    pieces: list[str] = []
    write_session(base, "s", pieces.append)
    base.close()
    assert json.loads("".join(pieces))["messages"][0]["content"] == long
    assert max(map(len, pieces)) < 2_000_000


def test_a_line_can_be_stopped(make_world: MakeWorld) -> None:
    """Escape would seem to hang."""
    world = make_world("0.19")
    world.session("s", "hello")
    base = Database(world.path)
    with pytest.raises(Interrupted):
        write_session(base, "s", lambda _: None, stopped=lambda: True)
    base.close()
