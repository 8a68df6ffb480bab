"""The screens as text: everything by words and numbers, without a box, a colour or a cursor."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hermes_tui.cli.main import cli
from hermes_tui.cli.plain import Plain, open_plain
from tests.cli.conftest import Run
from tests.nasty import NASTY, raw_control_bytes
from tests.sessions.world import World

Say = Callable[..., str]


@pytest.fixture
def say(hermes_home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Say:
    """Type lines, and get what was printed."""

    def typed(*lines: str, flags: tuple[str, ...] = (), screen: str = "memory") -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        open_plain(cli, ["--home", str(hermes_home), *flags], screen)
        shown = capfd.readouterr()
        return shown.out + shown.err

    return typed


@pytest.fixture
def entries(hermes_home: Path) -> Path:
    """Two notes and a profile."""
    (hermes_home / "memories" / "USER.md").write_text("Likes tea.")
    path = hermes_home / "memories" / "MEMORY.md"
    path.write_text("The museum opens at ten.\n§\nCrates are in room 4.")
    return path


def test_memory_is_listed_read_edited_and_taken_back(say: Say, entries: Path) -> None:
    """Somebody who hears the screen could not change an entry."""
    shown = say("2", "edit 1 The museum opens at nine.", "delete 2", "add user Wakes early.", "list", "undo", "quit")
    assert "MEMORY.md: 2 entries, 2 percent full, 48 of 2,200 characters." in shown
    assert "2. MEMORY.md: Crates are in room 4.\n" in shown
    assert "3. USER.md entry 1: Likes tea.\n" in shown
    assert "Crates are in room 4.\n21 characters." in shown
    assert (
        "1. MEMORY.md: The museum opens at nine.\n2. USER.md entry 1: Likes tea.\n3. USER.md entry 2: Wakes early."
        in shown
    )
    assert "Undone: add in USER.md." in shown
    assert entries.read_text() == "The museum opens at nine."


@pytest.mark.usefixtures("entries")
def test_the_screen_that_was_asked_for_comes_first(say: Say, run: Run) -> None:
    """`--screen` would be passed over without a word."""
    assert "Likes tea" not in say(screen="pending")
    assert "Likes tea" not in run("--plain", "--screen", "pending").out
    assert "Likes tea" in run("--plain").out


def test_a_number_means_what_is_there_after_a_change(say: Say, entries: Path) -> None:
    """A changed entry would still be read as it was, as if nothing had been saved."""
    shown = say("replace 1 at ten => at nine", "1", "undo", "1", "delete 1", "1", "replace 1 e => x", "replace 2 tea")
    told, first, again, gone, twice = (
        "Now: 1. MEMORY.md: The museum opens at nine.\nThe museum opens at nine.\n28 characters.",
        "Now: 1. MEMORY.md: The museum opens at ten.\n",
        "The museum opens at ten.\n24 characters.",
        "The list is read again: there are 1 to 2.",
        "Row 1 holds 2 times “e”. Say more of the words around it.",
    )
    assert told.replace("28", "25") in shown
    assert [words in shown for words in (first, again, gone, twice)] == [True] * 4
    assert "Crates are in room 4.\n21 characters." in shown
    assert "Say what: replace 2 OLD WORDS => NEW WORDS." in shown
    assert entries.read_text() == "Crates are in room 4."


def test_a_row_that_is_another_one_by_now_is_not_touched(entries: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An agent that writes meanwhile would make a number delete its neighbour."""

    def run(words: Sequence[str]) -> int:
        try:
            cli.main(["--home", str(entries.parent.parent), *words], prog_name="hermes-tui")
        except SystemExit as leaving:
            return int(leaving.code or 0)
        return 0

    plain = Plain(run, frozenset())
    plain.show_list()
    entries.write_text("The museum opens at ten.\n§\nBetween.\n§\nCrates are in room 4.")
    capsys.readouterr()
    assert plain.do("1") == 0
    told = capsys.readouterr()
    assert told.out.startswith("Now: 2. MEMORY.md: Between.\nThe museum opens at ten.\n"), "also another row that moved"
    assert told.err == "The list is read again: there are 1 to 4.\n"
    entries.write_text("A new one.\n§\nThe museum opens at ten.\n§\nCrates are in room 4.")
    assert plain.do("delete 1") == 1
    assert entries.read_text().startswith("A new one.\n§\nThe museum")
    assert plain.do("delete 1") == 0
    assert entries.read_text().startswith("The museum")


def test_a_long_list_comes_in_pages(say: Say, entries: Path) -> None:
    """The prompt would be far below a wall of lines."""
    entries.write_text("\n§\n".join(f"Shelf {number} is full." for number in range(1, 31)))
    shown = say("more", "more", "more")
    assert "20. MEMORY.md: Shelf 20 is full.\n1 to 20 of 31. more goes on.\n21. MEMORY.md: Shelf 21" in shown
    assert shown.count("31. USER.md entry 1") == 1
    assert "That was all of the list." in shown


def test_a_batch_and_a_broken_record_say_what_they_are(say: Say, entries: Path) -> None:
    """A batch would read like one write, and a broken record would not say what is wrong with it."""
    folder = entries.parent.parent / "pending" / "memory"
    folder.mkdir(parents=True)
    steps = [{"action": "add", "content": "Room 2 is damp."}, {"action": "add", "content": "Room 3 is dry."}]
    for id, operations in (("abcd0001", steps), ("abcd0002", [])):
        record = {"id": id, "subsystem": "memory", "action": "batch", "summary": "", "origin": "foreground",
                  "created_at": 1.0, "payload": {"target": "memory", "operations": operations}}  # fmt: skip
        (folder / f"{id}.json").write_text(json.dumps(record))
    shown = say("pending")
    assert "batch of 2 operations in MEMORY.md, applies." in shown
    assert "batch of 0 operations in MEMORY.md, invalid." in shown
    assert "Its list of operations is empty or no list." in shown


def test_a_write_is_read_and_approved_by_its_number(say: Say, entries: Path) -> None:
    """The queue could only be seen."""
    folder = entries.parent.parent / "pending" / "memory"
    folder.mkdir(parents=True)
    for number, text in enumerate(["Room 2 is damp.", "Room 3 is dry."]):
        payload = {"action": "add", "target": "memory", "content": text, "old_text": None}
        record = {"id": f"abcd000{number}", "subsystem": "memory", "action": "add", "summary": text,
                  "origin": "foreground", "created_at": 1.0 + number, "payload": payload}  # fmt: skip
        (folder / f"abcd000{number}.json").write_text(json.dumps(record))
    shown = say("pending", "2", "approve 2", "reject 1", "p")
    assert "Pending. 2 writes wait for a decision." in shown
    assert "2. add in MEMORY.md, applies." in shown
    assert "Approved abcd0001: add to MEMORY.md, “Room 3 is dry.”" in shown
    assert "MEMORY.md now: 2% — 65/2,200 chars" in shown
    assert "Rejected abcd0000: add to MEMORY.md, “Room 2 is damp.”" in shown
    assert "Pending. 0 writes wait for a decision." in shown
    assert entries.read_text().endswith("Room 3 is dry.")


def test_a_conversation_is_found_and_read(say: Say, hermes_home: Path) -> None:
    """One would have to know its id."""
    world = World(hermes_home / "state.db", "0.22")
    world.session("s1", "where is the otter", "In the river.", title="Otters")
    world.session("s2", "and the owl", "In the barn.", title="Owls")
    world.close()
    shown = say("s", "search otter", "show 1", "rename 1 River otters", "sessions", "q")
    assert "Search for otter: 1 conversation, titles first, then the newest.\n1. Otters." in shown
    assert "In the river." in shown
    assert "In the barn." not in shown
    assert "River otters. cli, 2 messages" in shown


def test_what_is_gone_is_found_in_the_timeline(say: Say, entries: Path) -> None:
    """A removal could not be undone without the screen."""
    shown = say("memory remove --index 2", "timeline", "search crates", "restore 1", "m")
    assert "Timeline." in shown
    assert "Restored “Crates are in room 4.” to MEMORY.md; `memory undo` takes it back." in shown
    assert entries.read_text().endswith("Crates are in room 4.")
    assert "Undone: add in MEMORY.md." in say("timeline", "undo")
    assert entries.read_text() == "The museum opens at ten."


def test_settings_are_those_of_the_screen(say: Say, hermes_home: Path) -> None:
    """Providers, and what is to be looked up, would be known to those only who see the screen."""
    (hermes_home / "honcho.json").write_text('{"apiKey": "k"}')
    shown = say("settings", *["more"] * 4, "set 83 3", "83", "set 72 x", "set 1 false")
    rows = [line.partition(". ")[2] for line in shown.splitlines() if line.partition(". ")[0].isdigit()]
    assert "Background review, reviews by week." in rows
    assert "Compression, auxiliary.compression.api_key: not set, the default." in rows
    assert rows.index("Secrets lying around.") == 71
    assert "External provider, Honcho: set up." in rows
    assert "Honcho, dialecticDepth: 3, yours." in shown
    assert json.loads((hermes_home / "honcho.json").read_text())["dialecticDepth"] == 3
    assert "set is not for row 72" in shown
    assert "memory_enabled: false" in (hermes_home / "config.yaml").read_text()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("frobnicate", "frobnicate is no word of this screen. help lists them."),
        ("9", "There is no row 9: there are 1 to 3."),
        ("delete", "There is no row without a number: there are 1 to 3."),
        ("edit 1", "Say what: edit 1 TEXT."),
        ('memory add "open', "That cannot be taken apart: No closing quotation."),
        ("help", "A number reads all of that row."),
        ("doctor", "MEMORY.md"),
    ],
)
def test_what_cannot_be_done_is_said_and_it_goes_on(say: Say, entries: Path, line: str, words: str) -> None:
    """One wrong word would end it."""
    shown = say(line, "add It goes on.")
    assert words in shown
    assert entries.read_text().endswith("It goes on.")


def test_read_only_changes_nothing(say: Say, entries: Path) -> None:
    """The option would hold only on the screen."""
    before = entries.read_bytes()
    assert "read-only" in say("add x", flags=("--read-only",))
    assert entries.read_bytes() == before


def test_an_empty_home_is_told_as_empty(say: Say) -> None:
    """A newcomer would be met by errors."""
    assert "Memory.\nMEMORY.md: 0 entries" in say("s", "p", "t")


def test_no_text_is_acted_on_by_the_terminal(say: Say, entries: Path) -> None:
    """An entry could clear what was heard."""
    texts = [text for text in NASTY.values() if text.strip() and "§" not in text]
    entries.write_bytes("\n§\n".join(texts).encode("utf-8", "surrogatepass").replace(b"\xed\xb2\xb2", b""))
    shown = say("1", "2", "list")
    assert not raw_control_bytes(shown.replace("\n", ""))
