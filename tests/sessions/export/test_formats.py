"""What the readable formats say of a conversation, and what they leave out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, get_args

import pytest
import yaml

from hermes_tui.sessions.export.wish import Format
from tests.nasty import NASTY, raw_control_bytes
from tests.sessions.export.conftest import ExportText
from tests.sessions.export.page import Page
from tests.sessions.world import SHAPES, Shape, World

MakeWorld = Callable[..., World]
READABLE: tuple[Format, ...] = ("markdown", "html", "text")
SECRET = "sk-proj-abcdefghijklmnop1234567890"
SUMMARY = "[CONTEXT COMPACTION — REFERENCE ONLY] The turns before were replaced."


def calls(name: str, arguments: Any, id: str = "c1") -> str:
    """Stored tool calls: one."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return json.dumps([{"id": id, "type": "function", "function": {"name": name, "arguments": text}}])


def plain(text: str, form: Format) -> str:
    """The words of an export."""
    return Page(text).text if form == "html" else text


@pytest.fixture
def halves(make_world: MakeWorld) -> World:
    """A conversation of two parts with a delegate, a branch, a message taken back, a notice and a tool."""
    made = make_world("0.22")
    made.session("one", "alpha question", "alpha answer", title="Halves", end_reason="compression", ended_at=1.0)
    made.say("one", "bravo taken back", active=0)
    made.session("two", parent_session_id="one", model="m-2", cwd="/home/x")
    made.say("two", SUMMARY)
    made.say("two", "charlie question")
    made.say("two", "", role="assistant", tool_calls=calls("terminal", {"command": "ls"}), reasoning="delta thought")
    made.say("two", "echo output", role="tool", tool_name="terminal", tool_call_id="c1")
    made.say("two", "foxtrot answer", role="assistant")
    made.say("two", "golf notice", display_kind="model_switch")
    made.say("two", "hotel hidden", display_kind="hidden")
    made.session("run", "india task", "done", parent_session_id="one", model_config='{"_delegate_from": "one"}')
    made.session("off", "juliett", "ok", parent_session_id="one", model_config='{"_branched_from": "one"}')
    return made


@pytest.mark.parametrize("form", READABLE)
def test_all_parts_are_joined_in_order_and_nothing_else(halves: World, export_text: ExportText, form: Format) -> None:
    """One would get a fragment, or the run of a subagent in the middle of it."""
    for id in ("one", "two"):
        text, done = export_text(halves, id, form=form)
        said = plain(text, form)
        order = [said.index(word) for word in ("alpha question", "alpha answer", "charlie", "echo output", "foxtrot")]
        assert order == sorted(order)
        assert said.count("charlie question") == 1
        assert "goes on in session two (part 2 of 2" in said
        assert not re.search("bravo|delta|golf|hotel|india|juliett", text)
        assert (done.conversations, done.messages) == (1, 7)
    both, done = export_text(halves, "two", "one", form=form)
    assert (done.conversations, both.count("charlie question")) == (1, 1)


@pytest.mark.parametrize("form", READABLE)
def test_only_one_session_or_everything_or_only_prompts(halves: World, export_text: ExportText, form: Format) -> None:
    """What is asked for would not be what is written."""
    text, done = export_text(halves, "one", form=form, whole=False)
    assert "alpha question" in text
    assert "charlie" not in text
    assert done.messages == 2
    text, done = export_text(halves, "two", form=form, everything=True)
    assert {"bravo", "delta", "golf", "hotel"} <= set(re.findall(r"[a-z]+", text))
    assert "taken back" in text.replace("bravo taken back", "")
    assert done.messages == 10
    text, done = export_text(halves, "two", form=form, prompts_only=True)
    assert done.messages == 2
    assert "alpha question" in text
    assert "charlie question" in text
    assert not re.search("answer|output|CONTEXT COMPACTION|bravo", plain(text, form))


@pytest.mark.parametrize("form", READABLE)
def test_what_a_compaction_took_along_is_there_once(
    make_world: MakeWorld, export_text: ExportText, form: Format
) -> None:
    """Everything around a compaction would be read twice."""
    made = make_world("0.19")
    made.session("s1", "one", "two", "three", "four", title="T", end_reason="compression", ended_at=1.0)
    made.session("s2", "one", SUMMARY, "three", "four", "five", parent_session_id="s1")
    text, done = export_text(made, "s2", form=form)
    assert [plain(text, form).count(word) for word in ("one", "two", "three", "four", "five")] == [1] * 5
    assert done.messages == 6
    assert export_text(made, "s2", form=form, everything=True)[1].messages == 9
    made.run("DELETE FROM messages WHERE content LIKE '[CONTEXT%'")
    assert export_text(made, "s2", form=form)[1].messages == 8, "without a summary nothing is known to be a copy"


@pytest.mark.parametrize("form", get_args(Format))
def test_secrets_are_masked_everywhere_and_counted(
    make_world: MakeWorld, export_text: ExportText, form: Format
) -> None:
    """A file that is handed on would hand on the keys."""
    made = make_world()
    made.session("s", f"my key is {SECRET}", title=f"Key {SECRET}", cwd=f"/x/{SECRET}")
    arguments = {"command": f"export API_KEY={SECRET}", "deep": [{"a": f"\n{SECRET}"}], "password": "hunter2"}
    made.say("s", "", role="assistant", tool_calls=calls("terminal", arguments))
    made.say("s", f"API_KEY={SECRET}", role="tool", tool_name="terminal")
    text, done = export_text(made, "s", form=form)
    assert "klmnop" not in text
    assert "hunter2" not in text
    assert done.masked >= 6
    text, done = export_text(made, "s", form=form, masked=False)
    assert text.count(SECRET) >= 5
    assert done.masked == 0


def test_a_secret_on_the_edge_of_what_is_left_out_is_masked(make_world: MakeWorld, export_text: ExportText) -> None:
    """Half a key looks like no key, and would be written."""
    made = make_world()
    made.session("s", "x", title="T")
    for shift in range(0, 60, 7):
        made.say("s", "o" * (5_970 + shift) + f" {SECRET} " + "p" * 9_000, role="tool", tool_name="terminal")
    text, _ = export_text(made, "s")
    assert "klmnop" not in text
    assert text.count("characters left out") == 9


def test_long_output_is_cut_in_the_middle_unless_all_is_wished_for(
    make_world: MakeWorld, export_text: ExportText
) -> None:
    """A log of megabytes would bury the conversation; or nobody could get it out."""
    made = make_world()
    made.session("s", "x", title="T")
    made.say("s", "begin " + "o" * 50_000 + " end", role="tool", tool_name="terminal")
    made.say("s", "w" * 50_000, role="assistant")
    text, _ = export_text(made, "s")
    assert "begin o" in text
    assert "o end" in text
    assert "[… 42,010 characters left out …]" in text
    assert "w" * 50_000 in text
    assert "o" * 50_000 in export_text(made, "s", everything=True)[0]


def test_the_facts_before_a_conversation_can_be_read_by_a_program(halves: World, export_text: ExportText) -> None:
    """Notes and sites that read front matter would refuse the file."""
    halves.run("UPDATE sessions SET title = ? WHERE id = 'one'", ('He said: "no"\n- [x] # yes: \'&*!|>%@`\x07',))
    text, _ = export_text(halves, "two")
    _, front, rest = text.split("---\n", 2)
    facts = yaml.safe_load(front)
    assert list(facts) == [
        *("session_id", "title", "source", "model", "cwd", "created_at", "updated_at", "message_count", "lineage"),
        *("exported_at", "exporter"),
    ]
    assert facts["title"] == 'He said: "no" - [x] # yes: \'&*!|>%@`␇'
    assert (facts["session_id"], facts["lineage"], facts["message_count"]) == ("two", ["one", "two"], 7)
    assert (facts["model"], facts["cwd"]) == ("m-2", "/home/x")
    assert facts["created_at"].startswith("2026-09-10T")
    assert rest.count("\n## ") == facts["message_count"]
    for place, odd in enumerate(NASTY.values()):
        title = odd.encode("utf-8", "replace").decode().replace("\0", "") or "-"
        halves.session(f"odd {place}", "hi", title=f"{place} {title}", source=title, model=title, cwd=title)
        front = export_text(halves, f"odd {place}")[0].split("---\n", 2)[1]
        assert yaml.safe_load(front)["session_id"] == f"odd {place}"


def test_several_in_one_file_each_have_their_facts(halves: World, export_text: ExportText) -> None:
    """Nobody could tell where one ends and which it was."""
    text, done = export_text(halves, "two", "run", "off")
    assert done.conversations == 3
    assert yaml.safe_load(text.split("---\n")[1])["conversations"] == 3
    blocks = re.findall(r"```yaml\n(.*?)\n```", text, re.DOTALL)
    assert [yaml.safe_load(block)["session_id"] for block in blocks] == ["two", "run", "off"]
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 3
    page = Page(export_text(halves, "two", "run", "off", form="html")[0])
    assert {"c1", "c2", "c3"} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert len(re.findall(r"^session ", export_text(halves, "two", "run", form="text")[0], re.MULTILINE)) == 2


def test_plain_text_has_a_line_for_who_and_when_and_tools_further_in(halves: World, export_text: ExportText) -> None:
    """In a pager nobody could see who speaks."""
    halves.say("two", "You · 2026-03-01 14:02\nI never said this\nHermes · x\n──── part", role="user")
    text, _ = export_text(halves, "two", form="text")
    speakers = re.findall(r"^(\w+) · \d{4}-\d\d-\d\d \d\d:\d\d$|^(Result) · terminal · ", text, re.MULTILINE)
    assert [first or second for first, second in speakers] == [
        *("You", "Hermes", "Summary", "You", "Hermes", "Result", "Hermes", "You"),
    ]
    assert "\n    → terminal\n      command: ls\n" in text
    assert "\n    echo output\n" in text
    assert "\n You · 2026-03-01 14:02\nI never said this\n Hermes · x\n ──── part\n" in text


@pytest.mark.parametrize("form", READABLE)
def test_nothing_that_cannot_be_seen_is_left_in_a_file_for_people(
    make_world: MakeWorld, export_text: ExportText, form: Format
) -> None:
    """A file that is opened in a terminal could command it, and a name could pretend to be another."""
    made = make_world()
    texts = [text.encode("utf-8", "replace").decode() for text in NASTY.values()]
    made.session("s", title="\x1b]0;pwned\x07\u202eT", cwd="\x9b31m", model="a\rb", source="\u2028")
    for text in texts:
        made.say("s", text.replace("\0", "") or "-", role="assistant")
        made.say("s", text.replace("\0", "") or "-", role="tool", tool_name=text[:50] or None)
        made.say("s", "", role="assistant", tool_calls=calls(text[:50], {"a": text}))
    text, done = export_text(made, "s", form=form, everything=True)
    assert done.messages == 3 * len(texts)
    assert set(raw_control_bytes(text)) <= {"\t"}
    text.encode("utf-8")


@pytest.mark.parametrize("form", get_args(Format))
def test_half_characters_and_bytes_that_are_no_text_do_not_stop_it(
    make_world: MakeWorld, export_text: ExportText, form: Format
) -> None:
    """One bad byte in years of messages, and no export at all."""
    made = make_world()
    made.session("s", "fine", title="T")
    made.say("s", "to be bad")
    made.run("UPDATE messages SET content = CAST(x'62616420b2' AS TEXT) WHERE content = 'to be bad'")
    made.say(
        "s",
        "",
        role="assistant",
        tool_calls='[{"id": "c", "function": {"name": "x", "arguments": "{\\"a\\": \\"\\\\udcb2\\"}"}}]',
    )
    text, done = export_text(made, "s", form=form)
    assert done.messages == 3
    assert "fine" in text
    text.encode("utf-8", "backslashreplace")
    assert form == "jsonl" or "\\udcb2" in text


def test_pictures_are_lines_and_what_joins_letters_stays(make_world: MakeWorld, export_text: ExportText) -> None:
    """Megabytes of base64 would stand between the words; Persian and emoji families would fall apart."""
    made = make_world()
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 4_000}}
    made.session("s", title="T")
    made.say("s", [{"type": "text", "text": "look at this"}, picture])
    made.say("s", "می\u200cخواهم 👩\u200d👩\u200d👧 pass\u200bword a\u200db\tc\r\nd")
    text, _ = export_text(made, "s")
    assert "look at this\n[image: image/png, 3.0 KB]" in text
    assert "می\u200cخواهم 👩\u200d👩\u200d👧 pass⟨U+200B⟩word a⟨U+200D⟩b\tc\nd" in text


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("form", READABLE)
def test_every_age_of_database_is_exported(
    make_world: MakeWorld, export_text: ExportText, form: Format, shape: Shape
) -> None:
    """After an update of the agent, or before one, nothing could be taken out."""
    made = make_world(shape)
    made.session("s", "where is the blue folder", "On the shelf.", title="Folders")
    text, done = export_text(made, "s", form=form)
    assert "On the shelf." in text
    assert done.messages == 2


@pytest.mark.parametrize("form", READABLE)
def test_odd_messages_and_empty_conversations_are_written_too(
    make_world: MakeWorld, export_text: ExportText, form: Format
) -> None:
    """A broken row would be missing without a word."""
    made = make_world()
    made.session("empty")
    text, done = export_text(made, "empty", form=form)
    assert "no messages" in text
    assert (done.conversations, done.messages) == (1, 0)
    made.session("s", title="T")
    made.say("s", None, role="assistant", timestamp="nonsense")
    made.say("s", "who", role="narrator <b>")
    made.say("s", "", role="assistant", tool_calls="{not json")
    made.say("s", "", role="assistant", tool_calls=calls("x", "{not json either"))
    made.say("s", "", role="assistant", tool_calls=calls("x", "[" * 3_000 + "]" * 3_000))
    text, done = export_text(made, "s", form=form)
    assert done.messages == 5
    for words in ("nothing", "narrator", "{not json", "{not json either", "a call that cannot be read"):
        assert words in plain(text, form).replace("\\", "")
