"""The Pending screen: what it shows of whatever lies in the queue, and how it keeps up with the disk."""

from __future__ import annotations

import re

import pytest

from hermes_tui.clipboard import CopyResult
from hermes_tui.text import visible
from hermes_tui.ui.dialogs.confirm import Confirm
from hermes_tui.ui.dialogs.help import Help
from hermes_tui.ui.memory.screen import MemoryScreen
from hermes_tui.ui.pending.facet_picker import FacetPicker
from hermes_tui.ui.pending.gate import GateDialog
from hermes_tui.ui.pending.model import RecordKey
from hermes_tui.ui.pending.screen import PendingScreen
from tests.nasty import NASTY, raw_control_bytes
from tests.ui.conftest import Open
from tests.ui.pending_app import OpenPending, Queue, add, replace


async def test_one_and_two_lead_to_the_screens_and_each_keeps_its_place(
    open_pending: OpenPending, queue: Queue
) -> None:
    """Looking at the other screen would lose the place on this one."""
    for number in range(5):
        queue.put(f"0000000{number}", add(f"proposal {number}"))
    async with open_pending() as app:
        await app.press("j", "j")
        await app.driver.press("1")
        assert isinstance(app.app.screen, MemoryScreen)
        await app.driver.press("j")
        await app.press("2")
        assert isinstance(app.app.screen, PendingScreen)
        assert app.current == "00000002"
        await app.driver.press("1")
        assert app.driver.cards.cursor == 1


async def test_the_keys_of_the_screen_one_is_on_are_the_ones_explained(open_pending: OpenPending) -> None:
    """Help on Pending would explain the keys of Memory."""
    async with open_pending() as app:
        await app.driver.press("question_mark")
        assert isinstance(app.app.screen, Help)
        assert "Approve the write" in app.shown()


async def test_the_list_says_verdict_action_store_origin_and_the_proposed_words(
    open_pending: OpenPending, queue: Queue
) -> None:
    """A person would have to open each record to know which ones matter."""
    queue.put("00000001", add("Likes tea"))
    queue.put("00000002", add("x" * 2300), origin="background_review")
    queue.put("00000003", replace("no such thing", "new text"))
    queue.put("00000004", replace("fact", "new text"))
    queue.put("00000005", add("first fact"))
    queue.put("00000006", add("key in ~/.ssh/id"))
    queue.put("00000007", replace("gone", "other", matched_entry="gone entry"))
    async with open_pending() as app:
        listed = "\n".join(row[:54] for row in app.rows())
        for words in (
            "✓  Likes tea",
            "applies · add memory",
            "over by 140",
            "no match",
            "3 matches",
            "duplicate",
            "blocked: ssh_access",
            "stale",
        ):
            assert words in listed, words
        assert "review" in listed
        assert "chat" in listed
        assert "replace memory" in listed


async def test_the_detail_is_made_from_the_payload_and_shows_both_texts_whole(
    open_pending: OpenPending, queue: Queue
) -> None:
    """A person approves a text of which they saw 120 characters."""
    before = "The server is reached over port 22 " + "and there is more to know " * 12
    queue.put("00000001", replace("port 22", before.replace("22", "2222") + "to the very end"), summary="cut …")
    async with open_pending([before.strip()]) as app:
        detail = " ".join(app.detail.split())
        assert "[-22-]{+2222+}" in detail
        assert " ".join(before.split()) in detail
        assert "to the very end" in detail
        assert "cut …" not in detail
        assert "MEMORY.md after approving it" in app.shown()
        assert "/2,200 chars" in app.rows()[-3]


async def test_a_record_that_cannot_be_applied_says_why_and_what_to_do(open_pending: OpenPending, queue: Queue) -> None:
    """A dead record would be a puzzle."""
    queue.put("00000001", replace("uses npm", "uses pnpm"))
    queue.put("00000002", {"action": "write_file", "name": "demo", "file_path": "references/a.md", "content": "x"},
              queue="skills")  # fmt: skip
    async with open_pending(["The build uses nqm here"]) as app:
        assert "No entry holds “uses npm”" in app.detail
        assert "r rejects it" in app.detail
        assert "Closest entries\n· The build uses nqm here" in app.detail
        await app.press("a")
        assert any("cannot be approved" in toast and "no match" in toast for toast in app.toasts)
        await app.go_to("00000002")
        assert "file_content is missing" in app.detail
        assert "no change" not in app.detail
        await app.press("r")
        assert queue.ids == ["00000001"]


async def test_every_operation_of_a_batch_is_shown_with_its_own_state(open_pending: OpenPending, queue: Queue) -> None:
    """One bad operation would make the whole batch a riddle."""
    operations = [
        {"action": "replace", "old_text": "first", "content": "first fact, corrected"},
        {"action": "remove", "old_text": "nowhere"},
        {"action": "add", "content": "a third thing"},
    ]
    queue.put("00000001", {"action": "batch", "target": "memory", "operations": operations})
    async with open_pending() as app:
        assert "1/3 replace  ✓ applies by itself" in app.detail
        assert "2/3 remove  ✗ no match by itself" in app.detail
        assert "3/3 add  ✓ applies by itself" in app.detail
        assert "a third thing" in app.detail


async def test_equal_proposals_are_one_row_until_they_are_unfolded(open_pending: OpenPending, queue: Queue) -> None:
    """The same decision would have to be made again and again."""
    for number in range(3):
        queue.put(f"0000000{number}", add("the same"))
    queue.put("00000009", add("another"))
    async with open_pending() as app:
        assert app.ids == ["00000000", "00000009"]
        assert "×3" in app.shown()
        await app.press("z")
        assert app.ids == ["00000000", "00000001", "00000002", "00000009"]
        assert "2 of 3" in app.shown()
        await app.press("j", "r")
        assert queue.ids == ["00000000", "00000002", "00000009"]
        await app.press("z", "a")
        assert app.texts() == ["first fact", "second fact", "third fact", "the same"]
        assert queue.ids == ["00000009"]


@pytest.mark.parametrize("size", [(120, 36), (60, 15)])
async def test_no_text_breaks_the_list_or_the_detail(
    open_pending: OpenPending, queue: Queue, size: tuple[int, int]
) -> None:
    """A proposal with brackets or escapes would crash the screen."""
    texts = [text for text in NASTY.values() if len(text) < 2_000]
    for number, text in enumerate(texts):
        queue.put(f"{number:08}", {**add(text), "old_text": text}, origin=text[:50], summary=text[:120])
    queue.put("00000900", {"action": "patch", "name": "[/x]", "old_string": "\x1b[2J", "new_string": "[red]"},
              queue="skills")  # fmt: skip
    async with open_pending(size=size, live=False) as app:
        await app.press("enter")
        shown = set()
        for place in range(len(app.queue_list.rows)):
            app.queue_list.move_to(place)
            await app.driver.pilot.pause(0.03)
            shown.add(app.detail)
            assert not raw_control_bytes(app.shown()), app.current
        assert len(shown) > len(texts) / 2


async def test_a_question_about_text_in_brackets_can_be_answered(open_pending: OpenPending, queue: Queue) -> None:
    """The dialog would break on the text, and neither y nor n would do anything."""
    for number, text in enumerate(["[tag=value: x]", "[/x]", "\\[red]", "[@click=app.quit]x[/]"]):
        queue.put(f"0000000{number}", add(text), origin=text)
    async with open_pending() as app:
        await app.press("A")
        assert isinstance(app.app.screen, Confirm)
        await app.press("n")
        assert len(queue.ids) == 4
        await app.press("R", "y")
        assert queue.ids == []


async def test_brackets_are_shown_as_they_stand(open_pending: OpenPending, queue: Queue) -> None:
    """Text in brackets would be taken for markup, and a person would approve what they never saw."""
    text = "arr[0] and [stage] item [tag=value: x] [/INST]"
    queue.put("00000001", add(text))
    async with open_pending() as app:
        assert text in app.detail
        assert text[:30] in app.shown()


@pytest.mark.parametrize(
    "data", [b"[]", b"{", b"", b"\xff\xfe", b"null", b'{"payload": 5}', b'{"payload": {"action": "batch", '
             b'"target": "memory", "operations": 7}}', b'{"payload": {"action": "add", "target": "x", "content": {}}}']
)  # fmt: skip
async def test_a_broken_file_is_a_row_among_the_others(open_pending: OpenPending, queue: Queue, data: bytes) -> None:
    """One bad file would hide the whole queue."""
    queue.put_bytes("00000001", data)
    queue.put("00000002", add("a good one"))
    async with open_pending() as app:
        assert sorted(app.ids) == ["00000001", "00000002"]
        await app.go_to("00000001")
        assert "invalid" in app.detail
        await app.press("e", "y", "x", "a")
        assert queue.ids == ["00000001", "00000002"]
        await app.press("r")
        assert queue.ids == ["00000002"]


async def test_a_queue_of_nothing_but_broken_records_says_so(open_pending: OpenPending, queue: Queue) -> None:
    """A person would press approve on each of them and wonder."""
    queue.put_bytes("00000001", b"[]")
    queue.put_bytes("00000002", b"{")
    async with open_pending() as app:
        assert "All 2 records here are broken" in " ".join(app.shown().split())


@pytest.mark.parametrize(("gate", "words"), [(False, "The gate is off"), (True, "The gate is on for memory")])
async def test_an_empty_queue_says_what_would_fill_it(
    open_pending: OpenPending, queue: Queue, gate: bool, words: str
) -> None:
    """An empty screen would look like a broken one."""
    (queue.home / "config.yaml").write_text(f"memory:\n  write_approval: {str(gate).lower()}\n")
    async with open_pending() as app:
        assert "Nothing waits for approval." in app.shown()
        assert words in app.shown()
        await app.press("a")
        assert any("no pending write here" in toast for toast in app.toasts)


async def test_a_new_record_appears_marked_and_the_cursor_stays(open_pending: OpenPending, queue: Queue) -> None:
    """The record under the cursor would be another one at the moment of pressing a."""
    for number in range(30):
        queue.put(f"{number:08}", add(f"proposal {number}"))
    async with open_pending() as app:
        await app.go_to("00000020")
        queue.put("11111111", add("just staged"), created_at=1.0)
        await app.until(lambda: "11111111" in app.ids)
        await app.settle()
        assert app.current == "00000020"
        app.queue_list.move_to(0)
        assert app.current == "11111111"
        await app.until(lambda: "new 0s" in app.shown() or "new 1s" in app.shown())


async def test_nothing_ticks_while_no_record_is_new(open_pending: OpenPending, queue: Queue) -> None:
    """An idle screen would keep a laptop awake."""
    queue.put("00000001", add("one"))
    async with open_pending() as app:
        assert not app.screen.news_clock.ticking
        queue.put("00000002", add("two"))
        await app.until(lambda: app.screen.news_clock.ticking)


async def test_what_is_decided_elsewhere_leaves_and_the_cursor_goes_to_its_neighbour(
    open_pending: OpenPending, queue: Queue
) -> None:
    """The cursor would jump to the top whenever somebody else decides."""
    paths = [queue.put(f"{number:08}", add(f"proposal {number}")) for number in range(10)]
    async with open_pending() as app:
        await app.go_to("00000005")
        await app.press("space")
        paths[2].unlink()
        await app.until(lambda: "00000002" not in app.ids)
        assert app.current == "00000005"
        assert app.queue_list.selection == {app.key("00000005")}
        paths[5].unlink()
        await app.until(lambda: "00000005" not in app.ids)
        assert app.current == "00000006"
        assert not app.queue_list.selection


async def test_a_record_changed_on_disk_is_no_longer_selected(open_pending: OpenPending, queue: Queue) -> None:
    """A text nobody has seen would be approved along with the selection."""
    queue.put("00000001", add("harmless"))
    queue.put("00000002", add("second"))
    async with open_pending() as app:
        await app.press("space")
        queue.put("00000001", add("something else"), created_at=1.0)
        await app.until(lambda: "something else" in app.detail)
        assert app.current == "00000001"
        assert not app.queue_list.selection


async def test_verdicts_follow_the_store(open_pending: OpenPending, queue: Queue) -> None:
    """A verdict would be about the memory of a minute ago."""
    queue.put("00000001", replace("third", "third fact, corrected"))
    async with open_pending() as app:
        assert "✓  third fact" in app.shown()
        app.write(["first fact", "second fact"])
        await app.until(lambda: "✗  third fact" in app.shown())
        assert "no match · replace memory" in app.shown()


async def test_the_text_filter_narrows_what_is_shown_and_escape_ends_it(
    open_pending: OpenPending, queue: Queue
) -> None:
    """With hundreds of records nothing could be found."""
    for number, text in enumerate(["tea at four", "coffee at nine", "tea at noon"]):
        queue.put(f"0000000{number}", add(text))
    async with open_pending() as app:
        await app.press("slash", *"tea", "enter")
        assert app.ids == ["00000000", "00000002"]
        assert "2 of 3" in app.shown()
        await app.press("escape")
        assert len(app.ids) == 3


async def test_ticks_narrow_by_verdict_origin_store_and_age(open_pending: OpenPending, queue: Queue) -> None:
    """Dead records could not be swept out together."""
    queue.put("00000001", add("one"))
    queue.put("00000002", replace("nothing like it", "x"), origin="background_review")
    queue.put("00000003", add("three", "user"), origin="background_review")
    async with open_pending() as app:
        await app.press("f")
        assert isinstance(app.app.screen, FacetPicker)
        picker = app.app.screen
        picker.ticked = {("origin", "review")}
        await app.press("enter")
        assert app.ids == ["00000002", "00000003"]
        await app.press("f")
        assert isinstance(app.app.screen, FacetPicker)
        app.app.screen.ticked |= {("verdict", "no_match")}
        await app.press("enter")
        assert app.ids == ["00000002"]
        assert "no match · review" in app.shown()
        await app.press("escape")
        assert len(app.ids) == 3


async def test_a_tick_is_set_by_the_key_that_is_shown(open_pending: OpenPending, queue: Queue) -> None:
    """The picker would only look as if it worked."""
    queue.put("00000001", add("one"))
    queue.put("00000002", replace("nothing like it", "x"))
    async with open_pending() as app:
        await app.press("f", "j", "space")
        assert re.search(r"\[x\] no match +1 ", app.shown())
        await app.press("enter")
        assert app.ids == ["00000002"]


async def test_the_order_can_be_changed_and_the_cursor_stays(open_pending: OpenPending, queue: Queue) -> None:
    """The newest of hundreds would be at the far end."""
    queue.put("00000001", replace("nothing like it", "x"))
    queue.put("00000002", add("two"))
    queue.put("00000003", add("three"))
    async with open_pending() as app:
        await app.press("o")
        assert app.ids == ["00000003", "00000002", "00000001"]
        assert app.current == "00000001"
        assert "newest first" in app.shown()
        await app.press("o")
        assert app.ids == ["00000002", "00000003", "00000001"]


async def test_where_there_is_room_for_one_enter_opens_and_escape_goes_back(
    open_pending: OpenPending, queue: Queue
) -> None:
    """On a small terminal the proposal could not be read at all."""
    queue.put("00000001", add("the whole of this proposal"))
    queue.put("00000002", add("the next one"))
    async with open_pending(size=(60, 15)) as app:
        assert "+ New entry" not in app.shown()
        await app.press("enter")
        assert "+ New entry" in app.shown()
        await app.press("n")
        assert "the next one" in app.shown()
        await app.press("escape")
        assert "+ New entry" not in app.shown()


async def test_the_exact_proposed_text_is_copied(
    open_pending: OpenPending, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is pasted would hold the symbols of the screen instead of the text."""
    copied: list[str] = []

    def copy(text: str, **_: object) -> CopyResult:
        copied.append(text)
        return CopyResult("xclip", len(text), f"Copied {len(text)} characters.")

    monkeypatch.setattr("hermes_tui.clipboard.copy", copy)
    text = "tab\there \x1b[31m \u202e"
    queue.put("00000001", add(text))
    async with open_pending() as app:
        assert visible(text) in app.detail
        await app.press("y")
        await app.until(lambda: copied)
        assert copied == [text]


async def test_a_read_only_view_greys_what_writes_and_says_why(open_pending: OpenPending, queue: Queue) -> None:
    """A view for looking would decide."""
    queue.put("00000001", add("one"))
    async with open_pending(read_only=True) as app:
        for key in ("a", "r", "e", "A", "R", "u", "ctrl+r"):
            await app.press(key)
            assert app.app.screen is app.screen, key
        assert any("read-only view" in toast for toast in app.toasts)
        await app.press("g")
        assert isinstance(app.app.screen, GateDialog)
        await app.press("space", "escape")
        assert queue.ids == ["00000001"]
        assert not (queue.home / "config.yaml").exists()


async def test_looking_at_the_queue_writes_nothing(open_pending: OpenPending, queue: Queue) -> None:
    """Looking would leave files in the agent's home."""
    queue.put("00000001", add("one"))
    before = {path: path.stat().st_mtime_ns for path in queue.home.rglob("*")}
    async with open_pending() as app:
        await app.press(
            "enter", "escape", "s", "escape", "g", "escape", "f", "escape", "o", "z", "space", "f5", "1", "2"
        )
    after = {path: path.stat().st_mtime_ns for path in queue.home.rglob("*")}
    assert {path.name for path in after} - {path.name for path in before} == {"MEMORY.md", "USER.md"}


async def test_two_thousand_records_move_without_a_wait(open_pending: OpenPending, queue: Queue) -> None:
    """A queue that nobody looked at for weeks could not be worked through."""
    for number in range(2000):
        queue.put(f"{number:08}", add(f"proposal {number}"))
    async with open_pending(live=False) as app:
        assert len(app.ids) == 2000
        drawn: list[int] = []
        line = app.queue_list.render_line
        app.queue_list.render_line = lambda y: drawn.append(y) or line(y)  # type: ignore[method-assign, func-returns-value]
        await app.driver.pilot.press("j")
        await app.driver.pilot.pause()
        # Two rows change; a list that draws all of them, or all that are in view, would draw more.
        assert 0 < len(drawn) <= 4
        await app.press("G")
        assert app.current == "00001999"
        assert "proposal 1999" in app.shown()


async def test_the_first_look_shows_the_list_before_any_verdict(
    open_app: Open, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds of verdicts would have to be waited for."""
    for number in range(300):
        queue.put(f"{number:08}", add(f"proposal {number}"))
    seen: list[tuple[int, int]] = []
    async with open_app() as driver:
        original = PendingScreen.show_previews

        def show(screen: PendingScreen, found: frozenset[RecordKey]) -> None:
            seen.append((len(screen.queue_list.rows), len(screen.reader.previews)))
            original(screen, found)

        monkeypatch.setattr(PendingScreen, "show_previews", show)
        await driver.pilot.press("2")
        await driver.until(lambda: driver.app.screens.pending and driver.app.screens.pending[0].reader.complete)
    assert seen == [(300, 100), (300, 200), (300, 300)]
