"""The transcript as a person reads it: open, scroll, fold, find, follow."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import math
import shlex
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.sessions.database import Interrupted
from hermes_tui.sessions.matcher import Matcher, literal_matcher
from hermes_tui.sessions.messages import Message, State, ToolCall
from hermes_tui.text import cells, visible
from hermes_tui.ui.actions import BY_ID
from hermes_tui.ui.transcript.conversation import Hit
from hermes_tui.ui.transcript.hits import Hits
from hermes_tui.ui.transcript.layout import Laid, Look, lay_out
from hermes_tui.ui.transcript.lines import Line, Piece
from hermes_tui.ui.transcript.markdown import markdown_lines
from hermes_tui.ui.transcript.screen import TranscriptScreen
from hermes_tui.ui.transcript.texts import Texts
from hermes_tui.ui.transcript.view import TranscriptView
from hermes_tui.ui.widgets.footer import FooterLine
from tests.every import every
from tests.nasty import NASTY, raw_control_bytes
from tests.sessions.test_database import elsewhere
from tests.sessions.world import Shape, World
from tests.ui.conftest import Driver, Open

KEY = "sk-proj-abcdefghijklmnop1234567890"
CALL = json.dumps(
    [{"id": "c", "function": {"name": "terminal", "arguments": json.dumps({"command": "grep -r needle /etc"})}}]
)
SIZES = [(60, 15), (80, 24), (120, 36)]


class Reader:
    """The app with a transcript open."""

    def __init__(self, driver: Driver, screen: TranscriptScreen) -> None:
        self.driver, self.screen = driver, screen
        self.app, self.pilot = driver.app, driver.pilot
        self.shown, self.rows, self.until = driver.shown, driver.rows, driver.until

    @property
    def view(self) -> TranscriptView:
        """The messages."""
        return self.screen.view

    @property
    def lines(self) -> list[str]:
        """What the messages say on the screen, line by line."""
        return [each.line.text if each.line else "…" for each in self.view._drawn]

    @property
    def text(self) -> str:
        """What the messages say on the screen."""
        return "\n".join(self.lines)

    @property
    def cursor(self) -> str:
        """The line with the cursor."""
        at = [each.pos for each in self.view._drawn].index(self.view.reel.cursor)
        return self.lines[at]

    @property
    def marked(self) -> list[str]:
        """The words that are marked as matches."""
        lines = [each.line for each in self.view._drawn if each.line]
        return [piece.text for line in lines for piece in line.pieces if piece.tone in ("match", "current")]

    @property
    def frame(self) -> str:
        """What stands on the frame."""
        pane = self.screen.pane
        return f"{pane.border_title} | {pane.border_subtitle}"

    async def press(self, *keys: str) -> None:
        """Press keys and let everything they started finish."""
        await self.pilot.press(*keys)
        await self.settle()

    async def settle(self) -> None:
        """Wait until all is read, drawn and looked through."""
        await self.pilot.pause()
        await self.until(self._rested, "everything is read")
        await self.pilot.pause()

    def _rested(self) -> bool:
        reading, finding, view = self.screen.reading, self.screen.finding, self.view
        if reading.trouble is not None or (reading.gone and reading.facts is None):
            return True
        outline = view.conversation.outline
        found = finding.matcher is None or (finding.done and not finding._pending)
        return reading.complete.is_set() and outline.complete and not view.missing() and not view.heavy() and found


Opened = Callable[..., contextlib.AbstractAsyncContextManager[Reader]]


@pytest.fixture
def world(hermes_home: Path) -> Callable[..., World]:
    """Makes the database of the home."""

    def make(shape: Shape = "0.19", *, wal: bool = True) -> World:
        return World(hermes_home / "state.db", shape, wal=wal)

    return make


@pytest.fixture
def read(open_app: Open) -> Opened:
    """Opens the app with a transcript over it."""

    @contextlib.asynccontextmanager
    async def opened(
        session_id: str = "s",
        *,
        message_id: int | None = None,
        matcher: Matcher | None = None,
        title: str = "",
        settle: bool = True,
        **options: Any,
    ) -> AsyncIterator[Reader]:
        async with open_app(live=False, **options) as driver:
            screen = TranscriptScreen(session_id, message_id=message_id, matcher=matcher, title=title)
            await driver.app.push_screen(screen)
            await driver.until(lambda: screen.ready, "the screen is up")
            reader = Reader(driver, screen)
            if settle:
                await reader.settle()
            yield reader

    return opened


def long_talk(world: World, turns: int = 100, session: str = "s") -> None:
    """A conversation that does not fit on any screen."""
    if session == "s":
        world.session(session, title="A long talk")
    for number in range(turns):
        world.say(session, f"question {number}")
        world.say(session, f"answer {number}\n\n" + f"words of answer {number} " * 20, role="assistant")


# Opening


async def test_it_opens_at_the_end_with_who_said_what_and_when(world: Callable[..., World], read: Opened) -> None:
    """A person would have to scroll through a year to see what was said last."""
    made = world()
    long_talk(made)
    made.say("s", "the very last", timestamp=1_700_000_000.0)
    async with read() as reader:
        assert reader.lines[-1] == "the very last"
        assert reader.lines[-2] == "user  22:13:20"
        assert reader.cursor == "the very last"
        assert "A long talk · s · 201 messages · cli" in reader.shown()
        assert "201 of 201" in reader.frame
        assert "times in UTC" in reader.frame


@pytest.mark.parametrize("size", SIZES)
async def test_it_opens_at_the_match_with_matches_marked(
    world: Callable[..., World], read: Opened, size: tuple[int, int]
) -> None:
    """A hit of the search would be somewhere in the conversation."""
    made = world()
    long_talk(made)
    async with read(message_id=101, matcher=literal_matcher("question 50"), size=size) as reader:
        assert reader.cursor == "question 50"
        line = next(each.line for each in reader.view._drawn if each.pos == reader.view.reel.cursor)
        assert line is not None
        assert [piece.tone for piece in line.pieces if piece.text == "question 50"] == ["current"]
        assert "1 of 1" in reader.frame


async def test_it_opens_in_an_older_part_and_the_others_are_there(world: Callable[..., World], read: Opened) -> None:
    """A hit from before a compaction would open without what came after it."""
    made = world()
    made.session("a", "first", "second", end_reason="compression", ended_at=made._clock, title="Named")
    made.session("b", "third", "fourth", parent_session_id="a", started_at=made._clock + 5)
    async with read("a", message_id=2) as reader:
        assert reader.cursor.startswith("assistant")
        assert "part 1 of 2 · a" in reader.text
        assert "part 2 of 2 · b" in reader.text
        assert "Named · b · 2 parts · 4 messages" in reader.shown()


@pytest.mark.parametrize(("message_id", "text"), [(1, "compacted away"), (2, "taken back")])
async def test_a_message_out_of_sight_is_shown_to_who_asks_for_it(
    world: Callable[..., World], read: Opened, message_id: int, text: str
) -> None:
    """A link to a message would open beside it."""
    made = world()
    made.session("s")
    made.say("s", "compacted away", active=0, compacted=1)
    made.say("s", "taken back", active=0)
    made.say("s", "and so on")
    async with read(message_id=message_id) as reader:
        assert text in reader.text
        assert reader.view.current == message_id - 1


async def test_an_empty_conversation_says_so(world: Callable[..., World], read: Opened) -> None:
    """An empty screen leaves open whether something went wrong."""
    world().session("s", title="Nothing yet")
    async with read() as reader:
        assert "Nothing was said in this conversation." in reader.shown()
        await reader.press("j", "k", "g", "G", "space", "y", "n", "z", "asterisk", "v", "bracketleft")
        assert "There is no message here." in reader.driver.toasts


async def test_a_message_that_is_gone_is_said_to_be(world: Callable[..., World], read: Opened) -> None:
    """The end of the conversation would pass for the message that was looked for."""
    made = world()
    made.session("s", "one")
    async with read(message_id=77, matcher=literal_matcher("one")) as reader:
        assert "The message that was found is not in the conversation any more." in reader.driver.toasts
        assert reader.cursor == "one"


@pytest.mark.parametrize("shape", ["0.13", "0.19", "0.22"])
async def test_databases_of_every_age_are_read(world: Callable[..., World], read: Opened, shape: Shape) -> None:
    """The transcript would stay empty for who has not upgraded the agent."""
    made = world(shape)
    made.session("s", "hello", "hi")
    made.say("s", "out", role="tool", tool_name="terminal")
    async with read() as reader:
        assert [line.split("  ")[0] for line in reader.lines if line][1:5] == ["user", "hello", "assistant", "hi"]
        assert reader.lines[-1].startswith("▸ terminal result  out")


async def test_days_are_told_apart_by_local_date(
    world: Callable[..., World], read: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was said after midnight would stand under the day before."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    made = world()
    made.session("s")
    for hours in (0, 14, 16, 48):
        made.say("s", f"after {hours}", timestamp=1_700_000_000.0 - 22 * 3600 - 800 + hours * 3600)
    async with read() as reader:
        days = [line.strip("─ ") for line in reader.lines if line.startswith("──")]
        assert days == ["Tue 14 November 2023", "Wed 15 November 2023", "Thu 16 November 2023"]
        assert "times in JST" in reader.frame


async def test_odd_times_break_nothing(world: Callable[..., World], read: Opened) -> None:
    """One row with a time in milliseconds would end the program."""
    made = world()
    made.session("s")
    for stamp in (1.7e12, "nonsense", 1e300, -1e300, 0.0, float("inf"), 1.7e9):
        made.say("s", f"at {stamp}", timestamp=stamp)
    async with read() as reader:
        assert sum(line.startswith("at ") for line in reader.lines) == 7


# Nasty texts


def nasty_message(text: str, **more: Any) -> Message:
    """A message with a text everywhere."""
    calls = (ToolCall(text, json.dumps({text: text, "command": text})), ToolCall(text, text, malformed=True))
    return Message(1, text, "assistant", State.LIVE, 1.7e9, text, calls=calls, reasoning=text, note=text, **more)


@pytest.mark.parametrize("width", [12, 116])
@every("name", list(NASTY))
def test_no_line_holds_what_a_terminal_acts_on_or_is_too_long(name: str, width: int) -> None:
    """A message would clear the screen, change the title, or push the frame apart."""
    text = NASTY[name][:2_000]
    for message in (
        Message(4, "s", "assistant", State.LIVE, None, NASTY[name]),
        nasty_message(text),
        nasty_message(text, kind="summary"),
        nasty_message(text, kind="notice", unread=5_000_000),
        Message(2, "s", text, State.REWOUND, None, text),
        Message(3, "s", "tool", State.LIVE, math.inf, text, tool_name=text),
    ):
        for raw, all_open in itertools.product((False, True), repeat=2):
            look = Look(width, raw=raw, all_open=all_open, matcher=literal_matcher("e"), day="a day", part=text[:5])
            laid = lay_out(message, look._replace(part=visible(look.part, multiline=False)))
            for line in laid.lines:
                assert not raw_control_bytes(line.text)
                assert "\n" not in line.text
                assert cells(line.text) <= width
            assert len(laid.hits) == len(laid.keys)
            assert all(0 <= hit < len(laid.lines) for hit in laid.hits)


@every("name", list(NASTY))
def test_every_character_of_a_text_is_drawn_in_the_raw_view(name: str) -> None:
    """Brackets or blanks would be swallowed, and a person misled."""
    text = NASTY[name]
    look = Look(60, raw=True)
    drawn = "".join(line.text for line in lay_out(Message(1, "s", "user", State.LIVE, None, text), look).lines[1:])
    assert drawn.replace(" ", "") == visible(text).replace("\n", "").replace(" ", "") or not text.strip()


@pytest.mark.parametrize("size", [(60, 15), (120, 36)])
async def test_nothing_that_is_stored_reaches_the_terminal(
    world: Callable[..., World], read: Opened, size: tuple[int, int]
) -> None:
    """A title, a model or a tool's name would do what a text may not."""
    made = world("0.22")
    made.session("s", title="\x1b[31mtitle\x07\n\n", source="\x9b31m", model="[/x]\u202e")
    for text in list(NASTY.values())[::3]:
        raw = text.encode("utf-8", "surrogatepass")
        call = json.dumps([{"id": text, "function": {"name": text, "arguments": json.dumps({"command": text})}}])
        made.say("s", "said", tool_calls=call, reasoning=raw, role="assistant")
        made.say("s", raw, role="tool", tool_name=raw, tool_calls=raw)
        parts = json.dumps([{"type": "text", "text": text[:90]}, {"type": text, "image_url": text}])
        made.say("s", f"\x00json:{parts[:2_000]}", display_kind=raw or None)
        made.say("s", raw[:300], role=text.encode("utf-8", "replace").decode()[:30] or "user")
    async with read(size=size, matcher=literal_matcher("a")) as reader:
        for key in ("z", "v", "asterisk", "z", "g"):
            await reader.press(key)
            assert not raw_control_bytes(reader.shown())
        for _ in range(12):
            await reader.press("pagedown")
            assert not raw_control_bytes(reader.shown())


# Folding and looking


async def test_tool_calls_results_and_reasoning_are_a_line_each_and_unfold(
    world: Callable[..., World], read: Opened
) -> None:
    """A page of a tool's output would bury what was said."""
    made = world()
    made.session("s", "find it")
    made.say("s", "", role="assistant", tool_calls=CALL, reasoning="I should look\nfor the needle")
    made.say("s", "line 1\nline 2\nneedle", role="tool", tool_name="terminal")
    async with read() as reader:
        assert "▸ reasoning · 2 lines · 28 B" in reader.text
        assert "▸ terminal  grep -r needle /etc · 28 B" in reader.text
        assert "▸ terminal result  line 1 line 2 needle · 3 lines · 20 B" in reader.text
        await reader.press("space")
        assert reader.cursor.startswith("▾ terminal result")
        assert reader.lines[-3:] == ["│ line 1", "│ line 2", "│ needle"]
        await reader.press("j", "j", "enter")
        assert reader.cursor.startswith("▸ terminal result")
        await reader.press("z")
        assert "│ I should look" in reader.text
        assert "│ command: grep -r needle /etc" in reader.text
        await reader.press("z")
        assert "│" not in reader.text


def test_on_a_narrow_line_what_a_fold_is_about_comes_before_how_much_of_it_there_is() -> None:
    """Every folded result of a small terminal would look like the others."""
    message = Message(1, "s", "tool", State.REWOUND, 1.7e9, "offset = page * SIZE + 1\nx", tool_name="terminal")
    look = Look(100, head=False, matcher=literal_matcher("x"))
    wide = "▸ terminal result  offset = page * SIZE + 1 x · 2 lines · 26 B · 22:13:20 · rewound · 1 match"
    assert lay_out(message, look).lines[0].text == wide
    narrow = [lay_out(message, look._replace(width=width)).lines[0].text for width in (72, 56)]
    assert narrow == [
        "▸ terminal result  offset = page *… · 2 lines · 26 B · rewound · 1 match",
        "▸ terminal result  offset = page * … · rewound · 1 match",
    ]
    summary = Message(1, "s", "user", State.LIVE, None, "what was said", kind="summary")
    assert lay_out(summary, Look(54)).lines[1].text == "▸ summary of what was said before · 13 B"


async def test_compacted_messages_are_one_line_and_rewound_ones_come_at_a_key(
    world: Callable[..., World], read: Opened
) -> None:
    """What was said before a compaction would be lost, and what was taken back would stand there as said."""
    made = world()
    made.session("s")
    for number in range(41):
        made.say("s", f"old {number}", active=0, compacted=1)
    made.say("s", "taken back", active=0)
    made.say("s", "new")
    async with read() as reader:
        assert [line for line in reader.lines if line][1:] == [
            "▸ 41 compacted messages · 236 B", reader.lines[-2], "new",
        ]  # fmt: skip
        assert "42 of 42" in reader.frame
        await reader.press("k", "k", "space")
        assert reader.cursor == "▾ 41 compacted messages · 236 B"
        assert "old 0" in reader.text
        await reader.press("space")
        assert "old 0" not in reader.text
        await reader.press("r")
        assert "taken back" in reader.text
        assert "rewound" in reader.text
        assert "rewound shown" in reader.frame
        assert not reader.driver.toasts
        assert "43 of 43" not in reader.frame.replace("42 of 43", "")
        await reader.press("r")
        assert "taken back" not in reader.text


async def test_rewound_messages_that_show_elsewhere_are_announced(world: Callable[..., World], read: Opened) -> None:
    """The key would seem to do nothing."""
    made = world()
    made.session("s")
    made.say("s", "taken back", active=0)
    long_talk(made, 30, session="s2")
    made.run("UPDATE messages SET session_id = 's'")
    async with read() as reader:
        await reader.press("r")
        assert "1 rewound message shown, further up or down." in reader.driver.toasts
        await reader.press("r")
        assert "1 rewound message left out again." in reader.driver.toasts


async def test_markdown_is_rendered_and_shown_as_it_stands_at_a_key(world: Callable[..., World], read: Opened) -> None:
    """Stars and pipes would stand between the words, or the exact text would be nowhere."""
    made = world()
    text = (
        "# Title\n\n**bold** and `code`\n\n| a | b |\n|--|--|\n| 1 | 22 |\n\n```sh\nls *\n```\n- [link](https://x.io)"
    )
    made.session("s", "show me", text)
    async with read() as reader:
        assert "Title" in reader.lines
        assert "bold and code" in reader.lines
        assert "a │ b " in reader.text
        assert "  ls *" in reader.lines
        assert "• link (https://x.io)" in reader.lines
        await reader.press("v")
        for line in text.splitlines():
            assert line in reader.lines
        assert "raw text" in reader.frame
        await reader.press("v")
        assert "bold and code" in reader.lines


async def test_secrets_are_masked_until_a_key_shows_them(world: Callable[..., World], read: Opened) -> None:
    """A key would be on the screen of who shows somebody a conversation."""
    made = world()
    made.session("s", f"my key is {KEY}, keep it")
    call = json.dumps([{"function": {"name": "t", "arguments": json.dumps({"command": f"curl -H {KEY}"})}}])
    made.say("s", "", role="assistant", tool_calls=call)
    async with read() as reader:
        assert KEY not in reader.shown()
        assert "my key is sk-pro...7890, keep it" in reader.lines
        assert "1 secret masked" in reader.frame
        await reader.press("z")
        assert KEY not in reader.shown()
        await reader.press("asterisk")
        assert f"my key is {KEY}, keep it" in reader.lines
        assert "secrets shown" in reader.frame
        assert not reader.driver.toasts
        await reader.press("asterisk")
        assert KEY not in reader.shown()


async def test_a_copied_message_is_exact_and_a_secret_in_it_is_named(
    world: Callable[..., World], read: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A masked or escaped text would be pasted somewhere as if it were the real one."""
    copied: list[str] = []
    made = world()
    text = f"**key** {KEY}\x1b[31m\ttab"
    made.session("s", text, "a" * 400_000)
    async with read() as reader:
        monkeypatch.setattr(reader.app, "copy_out", lambda text, what: copied.extend((text, what)))
        await reader.press("y")
        await reader.until(lambda: copied)
        assert copied == ["a" * 400_000, "the assistant's message"]
        await reader.press("g", "y")
        await reader.until(lambda: len(copied) == 4)
        assert copied[2:] == [text, "the user's message, with 1 secret in it"]
        await reader.press("c")
        assert copied[4:] == ["hermes --resume s", "hermes --resume s"]


async def test_the_command_that_resumes_is_quoted_and_names_the_home(
    world: Callable[..., World], read: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is pasted would run something else, or look for the conversation in another home."""
    copied: list[str] = []
    world().session("a $(b); c", "one")
    async with read("a $(b); c") as reader:
        home = reader.app.home._replace(chosen_by="--home")
        monkeypatch.setattr(reader.app, "home", home)
        monkeypatch.setattr(reader.app, "copy_out", lambda text, _what: copied.append(text))
        await reader.press("c")
        assert copied == [f"HERMES_HOME={shlex.quote(str(home.path))} hermes --resume 'a $(b); c'"]


async def test_a_message_opens_in_the_persons_pager(
    world: Callable[..., World], read: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long output could only be read in the frame."""
    shown: list[str] = []
    made = world()
    made.session("s", f"here: {KEY}")
    monkeypatch.setattr("hermes_tui.pager.page", shown.append)
    async with read() as reader:
        monkeypatch.setattr(type(reader.app), "suspend", lambda _app: contextlib.nullcontext())
        await reader.press("o")
        await reader.until(lambda: shown)
        assert shown == ["here: sk-pro...7890"]
        await reader.press("asterisk", "o")
        await reader.until(lambda: len(shown) == 2)
        assert shown[1] == f"here: {KEY}"


async def test_a_very_long_text_is_shown_in_part_and_further_at_a_key(
    world: Callable[..., World], read: Opened
) -> None:
    """Five megabytes on one line would stop the screen for minutes."""
    made = world()
    made.session("s", "x" * 300_000 + "END", "short")
    async with read() as reader:
        await reader.press("k", "k")
        await reader.until(lambda: "more · enter shows more" in reader.text)
        assert reader.cursor.startswith("… 200 KB more")
        await reader.press("enter")
        await reader.until(lambda: "END" in reader.text)


async def test_more_of_a_long_text_is_a_key_away_from_every_line_of_it(
    world: Callable[..., World], read: Opened
) -> None:
    """The last line says that enter shows more, and on all others enter would say that nothing folds."""
    made = world()
    made.session("s", "words to read, line by line\n" * 5_000 + "END", "short")
    made.say("s", "out " * 40_000, role="tool", tool_name="terminal")
    async with read() as reader:
        await reader.press("enter", "G")
        assert "more · enter here shows more" in reader.text
        await reader.press("g", "j", "j", "enter")
        assert not reader.driver.toasts
        await reader.press("J", "k")
        await reader.until(lambda: reader.cursor.endswith("END"))


async def test_the_key_of_the_list_leads_back_to_it(world: Callable[..., World], open_app: Open) -> None:
    """A key that is lit in the footer would do nothing and say nothing."""
    world().session("s", "one")
    async with open_app(live=False, size=(60, 15)) as driver:
        await driver.app.action_perform("app.sessions")
        await driver.until(lambda: driver.app.screens.sessions, "the list is up")
        listed = driver.app.screen
        for way in ("key", "click", "escape"):
            screen = TranscriptScreen("s")
            await driver.app.push_screen(screen)
            await driver.until(lambda: driver.app.screen is not listed, "the transcript is up")
            await driver.pilot.pause()
            assert "esc Back" in driver.rows()[-1]
            if way == "click":
                screen.footer.post_message(FooterLine.Chosen(BY_ID["app.sessions"]))
            else:
                await driver.pilot.press("3" if way == "key" else way)
            await driver.until(lambda: driver.app.screen is listed, f"{way} leads back")
        assert not driver.toasts


async def test_the_key_of_the_list_leads_to_it_from_another_screen(world: Callable[..., World], read: Opened) -> None:
    """A conversation that was opened from the Pending screen would be a dead end."""
    world().session("s", "one")
    async with read() as reader:
        await reader.pilot.press("3")
        await reader.until(lambda: reader.app.current_mode == "sessions", "the list is up")


async def test_a_transcript_that_is_left_keeps_no_database_open(world: Callable[..., World], read: Opened) -> None:
    """After a day of reading the system would give out no more handles."""
    world().session("s", "one")
    async with read() as reader:
        await reader.press("slash", *"one", "enter")
        links = [*reader.screen.reading._links, reader.screen.finding._link]
        bases = [link.open().base for link in links]
        await reader.pilot.press("escape", "escape")
        await reader.until(lambda: not any(base.opened for base in bases), "all are closed")
        for link in links:
            with pytest.raises(Interrupted):
                link.open()


# Moving


async def test_keys_move_by_line_message_turn_screen_and_to_both_ends(
    world: Callable[..., World], read: Opened
) -> None:
    """A long conversation could only be crossed line by line."""
    made = world()
    long_talk(made)
    async with read() as reader:
        await reader.press("g")
        assert reader.cursor.startswith("user")
        await reader.press("j")
        assert reader.cursor == "question 0"
        await reader.press("j")
        assert reader.cursor.startswith("assistant")
        await reader.press("J", "J")
        assert reader.cursor.startswith("assistant")
        await reader.press("K")
        assert reader.cursor.startswith("user")
        assert "question 1" in reader.text
        await reader.press("right_square_bracket", "right_square_bracket", "j")
        assert reader.cursor == "question 3"
        await reader.press("left_square_bracket", "left_square_bracket", "j")
        assert reader.cursor == "question 1"
        top = reader.view.reel.top
        await reader.press("pagedown")
        assert reader.view.reel.top > top
        await reader.press("pageup")
        assert reader.view.reel.top == top
        await reader.press("G", "right_square_bracket")
        assert reader.view.reel.at_end
        assert "There is no later message of yours." in reader.driver.toasts


async def test_the_scrollbar_and_the_wheel_go_where_they_point(world: Callable[..., World], read: Opened) -> None:
    """The middle of a long conversation would be out of reach for a mouse."""
    made = world()
    long_talk(made, 400)
    async with read() as reader:
        view = reader.view
        view.scroll_to(y=view.conversation.heights.total // 2)
        await reader.settle()
        assert 300 < view.reel.top.place < 500
        assert view.scroll_y == view.reel.y
        top, text = view.reel.top, reader.lines
        for by in (3, 3, -3, -3):
            view._wheel(by)
            await reader.settle()
        assert (view.reel.top, reader.lines) == (top, text)
        view.scroll_to(y=10**9)
        await reader.settle()
        assert view.reel.at_end
        view.scroll_to(y=0)
        await reader.settle()
        assert view.reel.y == 0


@pytest.mark.parametrize("sizes", [[(120, 36), (60, 15), (120, 36)], [(80, 24), (200, 60), (80, 24)]])
async def test_the_text_at_the_top_stays_there_when_the_terminal_changes_its_size(
    world: Callable[..., World], read: Opened, sizes: list[tuple[int, int]]
) -> None:
    """The place one was reading would be lost."""
    made = world()
    made.session("s")
    for number in range(60):
        made.say("s", " ".join(f"w{number}-{word}" for word in range(300)), role="assistant")
    async with read(message_id=30, size=sizes[0]) as reader:
        await reader.press("pagedown", "j", "j")
        word = reader.lines[0].split()[0]
        for size in sizes[1:]:
            await reader.pilot.resize_terminal(*size)
            await reader.settle()
            assert word in reader.lines[0].split()


# Finding


async def test_finding_goes_to_the_match_as_one_types_and_counts_them(
    world: Callable[..., World], read: Opened
) -> None:
    """A word in a long conversation could only be found by reading all of it."""
    made = world()
    long_talk(made)
    made.say("s", "a Needle and a needle")
    async with read(message_id=1) as reader:
        await reader.press("slash", *"needle")
        assert reader.cursor == "a Needle and a needle"
        counts = reader.screen.filter_bar
        assert counts is not None
        assert "1 of 2" in reader.shown()
        await reader.press("enter", "n")
        assert "2 of 2" in reader.shown()
        await reader.press("n")
        assert "1 of 2 · from the top again" in reader.shown()
        await reader.press("N")
        assert "2 of 2 · from the end again" in reader.shown()
        await reader.press("slash", *["backspace"] * 6, *"answer 42")
        assert reader.cursor == "answer 42"
        await reader.press("escape")
        assert reader.screen.filter_bar is None
        assert reader.app.screen is reader.screen
        assert not reader.marked


async def test_a_match_that_is_folded_away_is_unfolded(world: Callable[..., World], read: Opened) -> None:
    """`n` would stand on a line without the word."""
    made = world()
    made.session("s")
    made.say("s", "the needle of old", active=0, compacted=1)
    made.say("s", "", role="assistant", tool_calls=CALL, reasoning="needle?")
    made.say("s", "x\n" * 200 + "needle\n" + "y\n" * 50, role="tool", tool_name="terminal")
    made.say("s", "done")
    async with read(matcher=literal_matcher("needle")) as reader:
        found = []
        for _ in range(4):
            await reader.press("n")
            found.append(reader.cursor)
        assert found == ["the needle of old", "│ needle?", "│ command: grep -r needle /etc", "│ needle"]
        await reader.press("N", "N", "N")
        assert reader.cursor == "the needle of old"


async def test_each_key_looks_from_where_typing_began(world: Callable[..., World], read: Opened) -> None:
    """A longer word would be found only behind where its first letters led to."""
    made = world()
    made.session("s", "start here", "abacus", "abandon", "abacus again")
    async with read(message_id=1) as reader:
        await reader.press("slash", *"aba")
        assert reader.cursor == "abacus"
        await reader.press(*"ndon")
        assert reader.cursor == "abandon"
        await reader.press(*["backspace"] * 4, *"cus")
        assert reader.cursor == "abacus"


async def test_a_word_that_comes_while_one_looks_for_it_is_counted(world: Callable[..., World], read: Opened) -> None:
    """The count would be that of a minute ago."""
    made = world()
    made.session("s", "needle")
    async with read(matcher=literal_matcher("needle")) as reader:
        assert "1 match ·" in reader.frame
        made.say("s", "another needle")
        await reader.until(lambda: "2 matches" in reader.frame)


async def test_of_very_many_matches_some_are_counted_and_it_goes_on_behind_them(
    world: Callable[..., World], read: Opened
) -> None:
    """One letter in a text of megabytes would fill the memory with its places."""
    made = world()
    made.session("s", "start", "needle " * 30_000, "a needle")
    async with read(message_id=1, matcher=literal_matcher("needle")) as reader:
        assert "10,001+ matches in 2 messages" in reader.frame
        await reader.press("n")
        assert "match 1 of 10,001+" in reader.frame
        reader.view.go_to_hit(Hit(2, 9_999))
        await reader.settle()
        assert "match 10,000 of 10,001+" in reader.frame
        await reader.press("n")
        assert reader.cursor == "a needle"
        assert "match 10,001 of 10,001+" in reader.frame


async def test_long_messages_one_after_the_other_are_read_once(world: Callable[..., World], read: Opened) -> None:
    """What is kept would be too little for what is wanted, and the disk be read without an end."""
    made = world()
    made.session("s")
    for number in range(60):
        made.say("s", f"{number} " + "語" * 300_000, role="tool", tool_name="terminal")
    async with read(size=(120, 60)) as reader:
        assert reader.lines[-1].startswith("▸ terminal result  59")
        assert not reader.view.missing()
        await reader.press("g")
        assert not reader.view.missing()
        assert "terminal result  0 語" in reader.text


async def test_what_is_not_there_is_said_not_to_be(world: Callable[..., World], read: Opened) -> None:
    """A person would go on waiting for a match."""
    made = world()
    long_talk(made, 10)
    async with read() as reader:
        await reader.press("n")
        assert "Nothing is looked for: / finds words in this conversation." in reader.driver.toasts
        await reader.press("slash", *"xyzzy")
        assert "no match" in reader.shown()
        await reader.press("enter", "n")
        assert "There is no match in this conversation." in reader.driver.toasts


async def test_matches_in_text_behind_markup_are_found_where_they_are_drawn(
    world: Callable[..., World], read: Opened
) -> None:
    """The mark would stand beside the word, or on another line."""
    made = world()
    made.session("s", f"**first** `{KEY}` tab\there **second** then\n\n| a | second |\n|--|--|\n| second | b |\n")
    async with read(matcher=literal_matcher("second")) as reader:
        assert reader.marked == ["second", "second", "second"]


# Living


async def test_new_messages_are_followed_at_the_end_and_counted_elsewhere(
    world: Callable[..., World], read: Opened
) -> None:
    """A running conversation would stand still, or tear a person away from what they read."""
    made = world()
    long_talk(made)
    async with read() as reader:
        assert "following" in reader.frame
        made.say("s", "fresh one")
        await reader.until(lambda: "fresh one" in reader.text)
        assert reader.cursor == "fresh one"
        await reader.press("g", "j")
        text = reader.lines
        for number in range(3):
            made.say("s", f"later {number}")
        await reader.until(lambda: "3 new below" in reader.frame)
        assert reader.lines == text
        await reader.press("G")
        assert reader.cursor == "later 2"
        assert "new below" not in reader.frame


async def test_a_compaction_a_rewind_and_a_new_part_show_at_once(world: Callable[..., World], read: Opened) -> None:
    """The screen would show a conversation that is not the one on disk."""
    made = world()
    made.session("s", "one", "two", "three")
    async with read() as reader:
        made.run("UPDATE messages SET active = 0 WHERE id = 3")
        await reader.until(lambda: "three" not in reader.text)
        made.run("UPDATE messages SET active = 0, compacted = 1 WHERE id < 3")
        await reader.until(lambda: "2 compacted messages" in reader.text)
        made.run("UPDATE sessions SET end_reason = 'compression', ended_at = ? WHERE id = 's'", (made._clock,))
        made.session("t", "going on", parent_session_id="s", started_at=made._clock + 1)
        await reader.until(lambda: "going on" in reader.text)
        assert "part 2 of 2 · t" in reader.text
        await reader.press("c")


async def test_an_edited_message_is_read_again(world: Callable[..., World], read: Opened) -> None:
    """An answer that is still being written would stay at its first words."""
    made = world()
    made.session("s", "ask", "first wor")
    async with read() as reader:
        made.run("UPDATE messages SET content = 'first words, and the rest' WHERE id = 2")
        await reader.until(lambda: "first words, and the rest" in reader.text)


async def test_a_deleted_conversation_stays_on_the_screen_and_is_said_to_be_gone(
    world: Callable[..., World], read: Opened
) -> None:
    """What a person was reading would vanish under their eyes."""
    made = world()
    made.session("s", "keep this")
    async with read() as reader:
        made.run("DELETE FROM messages")
        made.run("DELETE FROM sessions")
        await reader.until(lambda: "was deleted meanwhile" in " ".join(reader.shown().split()))
        assert "keep this" in reader.text
        made.session("s", "keep this", "and go on")
        await reader.until(lambda: "and go on" in reader.text)
        await reader.until(lambda: "was deleted" not in reader.shown())


async def test_a_conversation_that_is_gone_already_says_so(world: Callable[..., World], read: Opened) -> None:
    """An empty transcript would look like a conversation without a word."""
    world().session("other", "x")
    async with read("nowhere") as reader:
        await reader.until(lambda: "not in the database any more" in reader.shown())


async def test_without_a_database_it_says_so_and_goes_on_when_there_is_one(
    world: Callable[..., World], read: Opened
) -> None:
    """A person would have to leave and come back."""
    async with read() as reader:
        await reader.until(lambda: "There are no sessions" in reader.shown())
        made = world()
        made.session("s", "here it is")
        await reader.until(lambda: "here it is" in reader.text)
        assert "There are no sessions" not in reader.shown()


async def test_a_locked_database_is_said_to_be_and_read_when_it_is_free(
    world: Callable[..., World], read: Opened
) -> None:
    """The screen would stay empty, as if nothing had been said."""
    made = world(wal=False)
    made.session("s", "patience")
    with elsewhere(made, "c.execute('BEGIN EXCLUSIVE'); print(1, flush=True); time.sleep(60)") as holder:
        assert holder.stdout
        holder.stdout.readline()
        async with read(settle=False) as reader:
            await reader.until(lambda: "is locked by another process" in " ".join(reader.shown().split()))
            holder.kill()
            await reader.until(lambda: "patience" in reader.text)
            await reader.until(lambda: "is locked" not in reader.shown())


async def test_a_damaged_file_leaves_what_was_read_and_is_read_again_when_it_is_whole(
    world: Callable[..., World], read: Opened, hermes_home: Path
) -> None:
    """A traceback, or an empty screen, in the place of the conversation."""
    made = world(wal=False)
    made.session("s", "kept text")
    made.close()
    path = hermes_home / "state.db"
    whole = path.read_bytes()
    async with read() as reader:
        beside = hermes_home / "new.db"
        beside.write_bytes(b"\x00garbage" * 4_000)
        beside.replace(path)
        await reader.until(lambda: "is damaged" in " ".join(reader.shown().split()))
        assert "kept text" in reader.text
        beside.write_bytes(whole)
        beside.replace(path)
        await reader.until(lambda: "is damaged" not in reader.shown())
        assert "kept text" in reader.text


def harm(path: Path, how: str) -> Callable[[], object]:
    """Do something bad to the database; what puts it right again."""
    aside = path.with_name("aside")
    if how == "emptied":
        whole = path.read_bytes()
        path.write_bytes(b"")
        return lambda: path.write_bytes(whole)
    path.rename(aside)
    if how == "a folder":
        path.mkdir()

    def back() -> None:
        if path.is_dir():
            path.rmdir()
        aside.rename(path)

    return back


HARMS = {"moved away": "does not exist", "emptied": "is empty (0 bytes)", "a folder": "is not a file"}


@pytest.mark.parametrize("how", HARMS)
async def test_a_database_that_is_not_there_for_a_while_is_said_to_be_and_read_on(
    world: Callable[..., World], read: Opened, hermes_home: Path, how: str
) -> None:
    """A backup that moves the file would end the program, or leave a transcript that never moves again."""
    made = world(wal=False)
    long_talk(made, 20)
    made.close()
    path = hermes_home / "state.db"
    async with read(matcher=literal_matcher("answer 3")) as reader:
        text = reader.lines[-1]
        back = harm(path, how)
        await reader.until(lambda: HARMS[how] in " ".join(reader.shown().split()), "it is said")
        assert "not one with sessions" not in reader.shown()
        assert reader.lines[-1] == text
        await reader.pilot.press("slash", *"question 7")
        await reader.until(lambda: "the database cannot be read now" in reader.shown())
        await reader.pilot.press("enter", "n", "N", "g", "G", "space", "asterisk", "y", "f5")
        back()
        await reader.until(lambda: HARMS[how] not in " ".join(reader.shown().split()), "it is read again")
        await reader.until(lambda: reader.screen.finding.done, "it is looked through")
        assert reader.screen.finding.words.split(" · ")[0] in ("1 match", "match 1 of 1")
        await reader.press("escape", "G")
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as agent:
            agent.execute("INSERT INTO messages(session_id, role, content, timestamp) VALUES ('s', 'user', 'new', 2e9)")
        await reader.until(lambda: reader.cursor == "new", "the conversation is followed")


@pytest.mark.parametrize("how", HARMS)
async def test_a_transcript_is_left_also_while_its_database_is_not_there(
    world: Callable[..., World], read: Opened, hermes_home: Path, how: str
) -> None:
    """The way back would be a traceback."""
    made = world(wal=False)
    long_talk(made, 3)
    made.close()
    async with read(matcher=literal_matcher("answer")) as reader:
        harm(hermes_home / "state.db", how)
        await reader.until(lambda: HARMS[how] in " ".join(reader.shown().split()))
        await reader.pilot.press("escape")
        await reader.until(lambda: reader.app.screen is not reader.screen)
        await reader.until(lambda: reader.screen.reading.closed)


async def test_a_failure_that_nobody_foresaw_is_not_blamed_on_the_file(
    world: Callable[..., World], read: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person would repair a database that is whole."""
    made = world()
    made.session("s", "kept")

    def fail(_self: object) -> object:
        raise AttributeError("no such thing")

    async with read() as reader:
        monkeypatch.setattr("hermes_tui.sessions.database.Database.version", fail)
        await reader.until(lambda: "unexpected error" in " ".join(reader.shown().split()))
        words = " ".join(reader.shown().replace("│", "").replace("▌", "").split())
        assert "(AttributeError: no such thing)" in words
        assert "TEXTUAL_LOG" in words
        assert "cannot be read" not in words
        monkeypatch.undo()
        await reader.until(lambda: "unexpected error" not in reader.shown())


async def test_another_database_in_its_place_is_read(
    world: Callable[..., World], read: Opened, hermes_home: Path
) -> None:
    """Texts of the file that was replaced would stay on the screen under the same numbers."""
    made = world(wal=False)
    made.session("s", "from the old file", "old answer")
    made.close()
    async with read() as reader:
        other = World(hermes_home / "other.db", "0.22")
        other.session("s", "from the new file", "new answer")
        other.close()
        (hermes_home / "other.db").replace(hermes_home / "state.db")
        await reader.until(lambda: "from the new file" in reader.text)
        assert "old" not in reader.text


async def test_nothing_is_read_while_another_screen_is_up(world: Callable[..., World], read: Opened) -> None:
    """A transcript nobody looks at would keep the disk busy."""
    made = world()
    made.session("s", "one")
    async with read() as reader:
        await reader.app.switch_mode("memory")
        await reader.pilot.press("question_mark")
        await reader.pilot.pause()
        await reader.until(lambda: reader.screen.reading.paused)
        made.say("s", "two")
        await asyncio.sleep(0.2)
        assert len(reader.view.conversation.outline) == 1
        await reader.pilot.press("escape")
        await reader.until(lambda: len(reader.view.conversation.outline) == 2)


async def test_everything_is_read_again_when_somebody_asks_for_it(world: Callable[..., World], read: Opened) -> None:
    """A text that was changed without changing its length would stay as it was."""
    made = world()
    made.session("s", "old words")
    async with read() as reader:
        made.run("UPDATE messages SET content = 'new words'")
        await asyncio.sleep(0.2)
        reader.screen.look_soon(afresh=True)
        await reader.until(lambda: "new words" in reader.text)


# Leaving


async def test_help_names_the_keys_of_the_transcript(world: Callable[..., World], read: Opened) -> None:
    """The keys of the screen below would be explained."""
    made = world()
    made.session("s", "one")
    async with read() as reader:
        await reader.pilot.press("question_mark")
        await reader.until(lambda: "Fold or unfold what is under the cursor" in reader.shown())


@pytest.mark.parametrize("size", SIZES)
async def test_without_colours_the_cursor_and_the_matches_are_still_told(
    world: Callable[..., World], read: Opened, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """On a terminal without colours nobody would know where they are."""
    monkeypatch.setenv("NO_COLOR", "1")
    made = world()
    made.session("s", "a needle here", "and no more")
    async with read(message_id=1, matcher=literal_matcher("needle"), size=size) as reader:
        row = next(row for row in reader.rows() if "a needle here" in row)
        assert "▌" in row
        strips = [strip for strips in reader.app.screen._compositor.render_strips() for strip in strips]
        assert any(segment.text == "needle" and segment.style and segment.style.reverse for segment in strips)


async def test_escape_leads_back_to_where_one_came_from(world: Callable[..., World], read: Opened) -> None:
    """A person would be stuck in the transcript."""
    made = world()
    made.session("s", "one")
    async with read() as reader:
        await reader.press("slash", "o")
        await reader.pilot.press("escape")
        await reader.pilot.pause()
        assert reader.app.screen is reader.screen
        await reader.pilot.press("escape")
        await reader.pilot.pause()
        assert reader.app.screen is not reader.screen
        await reader.until(lambda: reader.screen.reading.closed)


# Pure parts


@every("name", list(NASTY))
def test_every_drawn_piece_knows_where_it_stands_in_the_text(name: str) -> None:
    """Matches would be marked beside the words."""
    text = visible(NASTY[name][:5_000]) + "\n| a | b |\n|-|-|\n| **c** | `d` |\n```x\ny\n```\n> *q*"
    for width in (10, 80):
        for line in markdown_lines(text, width):
            for piece in line.pieces:
                assert piece.start < 0 or text[piece.start : piece.start + len(piece.text)] == piece.text


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("# One\n### Two #", ["One", "Two"]),
        ("snake_case and 2 * 3 * 4", ["snake_case and 2 * 3 * 4"]),
        ("**bold** *it* ~~no~~ `a*b`", ["bold it no a*b"]),
        ("\\*kept\\*", ["*kept*"]),
        ("- a\n  - b\n10. c\n- [x] d\n- [ ] e", ["• a", "  • b", "10. c", "• ☑ d", "• ☐ e"]),
        ("> a\n>> b", ["▎ a", "▎ ▎ b"]),
        ("a\n\n\n\nb\n\n", ["a", "", "b"]),
        ("![pic](x.png) [same](same)", ["image: pic (x.png) same"]),
        ("```\n# no heading\n\n  kept", ["  # no heading", "  ", "    kept"]),
        ("a | b\n--|--\n1 | 2", ["a │ b", "──┼──", "1 │ 2"]),
        ("a | b\n-- no", ["a | b", "-- no"]),
        ("**not closed", ["**not closed"]),
        ("", [""]),
    ],
)
def test_markdown_becomes_lines(text: str, lines: list[str]) -> None:
    """A message would be read with its markup between the words, or lose words that only look like markup."""
    assert [line.text for line in markdown_lines(text, 60)] == lines


def test_matches_are_walked_in_order_both_ways_from_where_one_is() -> None:
    """`n` would jump over matches before the place where looking began."""
    hits = Hits(10)
    hits.looked_after(20, [(15, 2), (10, 1)])
    hits.looked_before(5, [(7, 3), (9, 1)])
    assert [hits.next(place) for place in (0, 7, 8, 10, 11, 16)] == [7, 7, 9, 10, 15, None]
    assert [hits.previous(place) for place in (20, 15, 10, 9, 8, 7)] == [15, 10, 9, 7, 7, None]
    assert [hits.count(place) for place in (7, 8, 9, 10, 15, 99)] == [3, 0, 1, 1, 2, 0]
    assert [hits.rank(7, 0), hits.rank(7, 2), hits.rank(9, 0), hits.rank(10, 0), hits.rank(15, 1)] == [1, 3, 4, 5, 7]
    assert hits.total == 7


def test_texts_that_were_not_looked_at_for_longest_are_forgotten() -> None:
    """Reading a long conversation would fill the memory."""
    texts = Texts(most_bytes=3_200)
    for number in range(1, 6):
        texts.put([Message(number, "s", "user", State.LIVE, None, "x" * 500)])
        texts.message(1)
    assert 1 in texts
    assert 2 not in texts
    assert len(texts) == 3
    texts.suspect([1, 2])
    assert texts.wants(1)
    assert texts.wants(2)
    texts.drop([1])
    assert texts.message(1) is None


def test_the_memory_for_texts_is_counted_in_bytes_and_keeps_what_is_on_the_screen() -> None:
    """A conversation in Chinese would take four times the memory, or a text on the screen be read again forever."""
    wide = [Message(number, "s", "user", State.LIVE, None, "語" * 1_000) for number in range(1, 6)]
    texts = Texts(most_bytes=6_000)
    texts.on_screen = frozenset({1, 2, 3})
    texts.put(wide)
    assert [number for number in range(1, 6) if number in texts] == [1, 2, 3]
    laid = Laid(tuple(Line((Piece("x"),)) for _ in range(20_000)))
    for number in range(1, 6):
        texts.put_laid(number, Look(80), laid)
    assert [bool(texts.laid(number, Look(80))) for number in range(1, 6)] == [False, False, False, False, True]


# Size


def million(path: Path, rows: int) -> None:
    """A conversation of so many messages, by plain SQL."""
    made = World(path, "no index", wal=True)
    made.session("s", title="The long one", message_count=rows)
    made.run(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
        " INSERT INTO messages(session_id, role, content, timestamp)"
        " SELECT 's', CASE i % 2 WHEN 1 THEN 'user' ELSE 'assistant' END,"
        " 'message ' || i || char(10) || 'second' || char(10) || 'third' || char(10) || 'fourth', 1.6e9 + i FROM n",
        (rows,),
    )
    made.close()


async def test_a_million_lines_open_scroll_and_find_like_ten(read: Opened, hermes_home: Path) -> None:
    """A conversation of years would take seconds to open, and each jump again."""
    rows = 200_000
    million(hermes_home / "state.db", rows)
    async with read(settle=False) as reader:
        await reader.until(lambda: f"message {rows}" in reader.text)
        # Nothing but the end of it was read when the first screen is there.
        assert len(reader.view.conversation.texts) <= 200
        await reader.press("g")
        assert "message 1" in reader.lines
        view = reader.view
        assert view.conversation.heights.total > 1_000_000
        view.scroll_to(y=view.conversation.heights.total // 2)
        await reader.settle()
        assert abs(view.reel.top.place - rows // 2) < rows // 50
        assert len(view.conversation.texts) <= 600
        held = reader.lines
        await reader.pilot.pause(0.1)
        assert reader.lines == held
        await reader.pilot.press("slash")
        assert reader.screen.filter_bar is not None
        reader.screen.filter_bar.input.value = "message 150000"
        await reader.until(lambda: reader.cursor == "message 150000", "the match is found")
