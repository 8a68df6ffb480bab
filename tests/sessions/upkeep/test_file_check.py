"""Files of exported sessions in every form, looked through before anything of them is brought in."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.errors import Conflict, NotFound, Unreadable
from hermes_tui.sessions.database import Interrupted
from hermes_tui.sessions.upkeep.file_check import check_file
from hermes_tui.sessions.upkeep.incoming import Contents, reading

MESSAGES = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]
ONE = {"id": "one", "title": "First", "source": "cli", "messages": MESSAGES}
TWO = {"id": "two", "parent_session_id": " one ", "messages": []}
MARK = {"format": 1, "home": "", "store": None, "children": [], "usage": [], "stored": {}}


def jsonl(*sessions: Any) -> str:
    """One a line."""
    return "".join(json.dumps(session) + "\n" for session in sessions)


def looked(tmp_path: Path, text: str | bytes, **how: Any) -> Contents:
    """What is found in a file that says this."""
    path = tmp_path / "file"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return check_file(path, **how)


def read(contents: Contents) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """All sessions as an import reads them."""
    with reading(contents) as sessions:
        return [(sessions.facts(header), list(sessions.messages(header))) for header in contents.sessions]


FORMS: dict[str, Callable[[], bytes]] = {
    "lines": lambda: jsonl(ONE, TWO).encode(),
    "no newline at the end": lambda: jsonl(ONE, TWO).rstrip().encode(),
    "blank lines": lambda: ("\n\n" + jsonl(ONE) + "\n  \n" + jsonl(TWO) + "\n").encode(),
    "CRLF": lambda: jsonl(ONE, TWO).replace("\n", "\r\n").encode(),
    "a mark in front": lambda: jsonl(ONE, TWO).encode("utf-8-sig"),
    "UTF-16, as a Windows shell redirects": lambda: jsonl(ONE, TWO).encode("utf-16"),
    "a list": lambda: json.dumps([ONE, TWO]).encode(),
    "objects over many lines": lambda: (json.dumps(ONE, indent=2) + json.dumps(TWO, indent=2)).encode(),
    "a list over many lines": lambda: json.dumps([ONE, TWO], indent=1).encode(),
    "packed": lambda: gzip.compress(jsonl(ONE, TWO).encode()),
    "packed in pieces": lambda: gzip.compress(jsonl(ONE).encode()) + gzip.compress(jsonl(TWO).encode()),
    "messages first": lambda: jsonl(dict(reversed(ONE.items())), dict(reversed(TWO.items()))).encode(),
    "packed, messages first": lambda: gzip.compress(jsonl(dict(reversed(ONE.items())), TWO).encode()),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_file_may_have_any_form_that_agents_write(tmp_path: Path, form: str) -> None:
    """A person has one file, and not the one that is expected."""
    contents = looked(tmp_path, FORMS[form]())
    assert contents.problems == ()
    one, two = contents.sessions
    assert (one.id, one.title, one.source, one.messages, one.ours) == ("one", "First", "cli", 2, False)
    assert (two.id, two.parent, two.messages) == ("two", "one", 0)
    assert contents.messages == 2
    (facts, messages), (_, none) = read(contents)
    assert facts["title"] == "First"
    assert (messages, none) == (MESSAGES, [])


def test_of_a_conversation_in_parts_the_parts_are_taken(tmp_path: Path) -> None:
    """Every message would be there twice, all in the last part."""
    parts = [{**ONE, "id": f"part{n}", "messages": MESSAGES[:n]} for n in range(3)]
    joined = {**parts[-1], "segments": parts, "lineage_session_ids": ["part0"], "messages": MESSAGES * 2, "timings": {}}
    contents = looked(tmp_path, jsonl(joined, TWO))
    assert contents.problems == ()
    assert [(header.id, header.messages) for header in contents.sessions] == [
        ("part0", 0), ("part1", 1), ("part2", 2), ("two", 0),
    ]  # fmt: skip
    assert [messages for _, messages in read(contents)] == [[], MESSAGES[:1], MESSAGES, []]


def test_what_was_put_away_comes_in_its_place(tmp_path: Path) -> None:
    """What was compacted would come after what followed it."""
    live = [{"id": id, "role": "user"} for id in (2, 5, 6)]
    away = [{"id": id, "role": "user", "active": 0} for id in (1, 3, 4, 9)]
    sessions = [{"id": f"s{n}", "hermes_tui": MARK, "messages": live, "hermes_tui_put_away": away} for n in range(3)]
    for data in (jsonl(*sessions).encode(), gzip.compress(jsonl(*sessions).encode())):
        contents = looked(tmp_path, data)
        assert all(header.exact and header.ours and header.messages == 7 for header in contents.sessions)
        for _, messages in read(contents):
            assert [message["id"] for message in messages] == [1, 2, 3, 4, 5, 6, 9]


@pytest.mark.parametrize(
    ("session", "said"),
    [
        (5, "this is no session"),
        (["a"], "this is no session"),
        ({"title": "x"}, "id is missing"),
        ({"id": ""}, "id is missing"),
        ({"id": True}, "id is missing"),
        ({"id": "s", "title": 5}, "session s: title is no text"),
        ({"id": "s", "parent_session_id": ["x"]}, "parent_session_id is no text"),
        ({"id": "s", "model_config": "[1]"}, "model_config is no JSON object"),
        ({"id": "s", "model_config": '{"a": NaN}'}, "model_config is no JSON object"),
        ({"id": "s", "started_at": "yesterday"}, "started_at is no number"),
        ({"id": "s", "messages": "hello"}, "messages is no list"),
        ({"id": "s", "messages": {}}, "messages is no list"),
        ({"id": "s", "messages": [{"role": "user"}, "x"]}, "messages[1] is no object"),
        ({"id": "s", "messages": [{"content": "x"}]}, "messages[0].role is no text"),
        ({"id": "s", "messages": [{"role": ""}]}, "messages[0].role is no text"),
        ({"id": "s", "messages": [{"role": "user", "tool_name": 5}]}, "messages[0].tool_name is no text"),
        ({"id": "s", "messages": [{"role": "user", "timestamp": {}}]}, "messages[0].timestamp is no number"),
        ({"id": "s", "messages": [{"role": "user", "timestamp": "nan"}]}, "messages[0].timestamp is no number"),
        ({"id": "s", "messages": [{"role": "user", "tool_calls": 5}]}, "messages[0].tool_calls is no list of calls"),
        ({"id": "s", "messages": [{"role": "user", "_stored": []}]}, "messages[0]._stored is no object"),
        ({"id": "s", "messages": [{"role": "user", "_stored": {"content": {"base64": "?"}}}]},
         "messages[0]._stored.content is no stored value"),
        ({"id": "s", "messages": [{"role": "user", "_stored": {"content": True}}]},
         "messages[0]._stored.content is no stored value"),
        ({"id": "s", "hermes_tui": {**MARK, "format": 2}}, "newer hermes-tui"),
        ({"id": "s", "hermes_tui": {**MARK, "children": [5]}}, "hermes_tui.children is no list of ids"),
        ({"id": "s", "hermes_tui": {**MARK, "usage": [5]}}, "hermes_tui.usage is no list of objects"),
        ({"id": "s", "hermes_tui": {**MARK, "stored": {"title": []}}}, "hermes_tui.stored.title is no stored value"),
        ({"id": "s", "hermes_tui": MARK, "messages": [{"role": "user", "id": "x"}]}, "messages[0].id is no number"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, session: Any, said: str) -> None:
    """Nobody would know what to mend."""
    contents = looked(tmp_path, jsonl(ONE, session, TWO))
    assert [header.id for header in contents.sessions] == ["one", "two"]
    (problem,) = contents.problems
    assert problem.startswith("Line 2, ")
    assert said in problem


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "There is no session in it."),
        ("\n \n", "There is no session in it."),
        ("[]", "There is no session in it."),
        ("hello", "Line 1: no JSON"),
        (jsonl(ONE) + '{"id": "x", "messages": [{"role": "user", "content": "brea', "Line 2: no JSON: Unterminated"),
        (jsonl(ONE) + '{"id": "x", "n": 1e999}', "Line 2: it has a number that is beyond all numbers"),
        (jsonl(ONE) + '{"id": "x", "n": NaN}', "Line 2: it has NaN"),
        (jsonl(ONE) + '{"id": "x", "n": 123456789012345678901}', "Line 2: it has a number that does not fit"),
        (jsonl(ONE) + '{"id": "x", "n": ' + "[" * 400 + "]" * 400 + "}", "Line 2: lists and objects nest too deeply"),
        ("[" + json.dumps(ONE) + "] 5", "Line 1: there is more after the end of the list"),
        (jsonl(ONE, TWO, ONE), "Line 3, session one: it was in line 1 already."),
    ],
)
def test_a_file_that_is_no_export_is_said_to_be_none(tmp_path: Path, text: str, said: str) -> None:
    """It would be imported as far as it goes."""
    (problem,) = looked(tmp_path, text).problems
    assert problem.startswith(said)


def test_not_more_problems_are_listed_than_anybody_reads(tmp_path: Path) -> None:
    """A file of something else would fill the memory with complaints."""
    contents = looked(tmp_path, jsonl(*({"id": n, "messages": [{}] * 50} for n in range(50))))
    assert 20 <= len(contents.problems) <= 30
    assert contents.problems[-1] == "There is more."


def test_a_forgiving_look_takes_what_is_whole(tmp_path: Path) -> None:
    """A crash while deleting would cost what had been kept until then."""
    packed = gzip.compress(jsonl(ONE).encode()) + gzip.compress(jsonl(TWO).encode())[:-12]
    contents = looked(tmp_path, packed, forgiving=True)
    assert ([header.id for header in contents.sessions], contents.problems) == (["one"], ())
    assert looked(tmp_path, packed).problems
    assert looked(tmp_path, jsonl(ONE) + "garbage that no crash leaves", forgiving=True).problems
    assert looked(tmp_path, b"", forgiving=True).problems == ()


def test_what_is_not_there_or_no_file_is_told_apart(tmp_path: Path) -> None:
    """A typing error in a name would look like a broken file."""
    with pytest.raises(NotFound):
        check_file(tmp_path / "nothing")
    with pytest.raises(Unreadable) as caught:
        check_file(tmp_path)
    assert "is a folder" in caught.value.message


def test_a_file_that_is_changed_after_the_look_is_not_imported(tmp_path: Path) -> None:
    """What comes would not be what was shown."""
    contents = looked(tmp_path, jsonl(ONE))
    contents.path.write_text(jsonl(ONE, TWO), encoding="utf-8")
    with pytest.raises(Conflict):
        read(contents)


def test_a_look_says_how_far_it_is_and_can_be_stopped(tmp_path: Path) -> None:
    """A file of gigabytes would seem to hang."""
    text = jsonl(*({**ONE, "id": f"s{n}", "messages": MESSAGES * 200} for n in range(20)))
    told: list[tuple[int, int]] = []
    looked(tmp_path, text, progress=lambda done, size: told.append((done, size)))
    assert told == sorted(told)
    assert told[-1] == (len(text), len(text))
    with pytest.raises(Interrupted):
        looked(tmp_path, text, stopped=lambda: True)
