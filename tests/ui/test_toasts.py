"""What the app says stays out of the way of what a person must read."""

from __future__ import annotations

import pytest
from textual.notifications import Notification

from hermes_tui.ui.toasts import Toasts
from tests.ui.conftest import Driver, Open


def rows_of_toasts(app: Driver) -> list[range]:
    """The rows of the screen that toasts cover."""
    toasts = app.app.screen.query("Toast")
    return [range(toast.region.y, toast.region.bottom) for toast in toasts if toast.region.height]


async def test_one_informing_toast_at_a_time(open_app: Open) -> None:
    """Four undos in a row would fill the screen with words nobody needs any more."""
    async with open_app([f"fact {number}" for number in range(6)]) as app:
        for _ in range(3):
            await app.press("d")
        for _ in range(3):
            await app.press("u")
        assert len(app.toasts) == 1
        assert app.toasts[0].startswith("Undone")


async def test_errors_keep_their_time_and_stand_once(open_app: Open) -> None:
    """The reason of a failure would be pushed away by the next harmless word, or stand there three times."""
    async with open_app() as app:
        for _ in range(2):
            app.app.say("The disk is full.", severity="error")
        app.app.say("one")
        app.app.say("two")
        await app.settle()
        assert app.toasts == ["The disk is full.", "two"]


async def test_a_dialog_opens_without_what_merely_informed(open_app: Open) -> None:
    """A toast would cover the answers of the question that has just come up."""
    async with open_app(size=(60, 15)) as app:
        app.app.say("The disk is full.", severity="error")
        app.app.say("Read again.")
        await app.settle()
        await app.press("a")
        assert app.toasts == ["The disk is full."]
        await app.press("escape")
        await app.settle()
        assert "Read again." not in app.shown()


def test_where_there_is_no_room_the_hint_goes_first_and_a_quoted_text_is_never_cut() -> None:
    """Half a sentence would be said, or a toast would cover the row for the sake of a key that stands below."""

    def said(words: str, room: int, title: str = "") -> str:
        return Toasts().add(Notification(words, title)).shown(room)[0]

    words = "Deleted entry 1 of MEMORY.md – u brings it back"
    assert said(words, 60) == words
    assert said(words, 40) == "Deleted entry 1 of MEMORY.md"
    assert said("Restored “tea – never coffee” into MEMORY.md", 30) == ""
    assert said("Two lines\nare a toast", 80) == ""
    assert said("yes", 40, "It works") == "It works: yes"


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (120, 36)])
async def test_toasts_leave_the_rows_of_keys_free(open_app: Open, size: tuple[int, int]) -> None:
    """The footer, or the editor's usage and keys, would be under a toast."""
    async with open_app(size=size) as app:
        app.app.say("Something was done, and this is what it was, in two sentences.\nThe second one.")
        await app.settle()
        assert rows_of_toasts(app)
        assert all(rows.stop <= size[1] - 2 for rows in rows_of_toasts(app))
        await app.press("a")
        app.app.say("The disk is full, and nothing was written.", severity="error")
        await app.settle()
        assert rows_of_toasts(app)
        assert all(rows.stop <= 5 for rows in rows_of_toasts(app))


async def test_what_a_key_did_is_said_in_the_bottom_line_until_the_next_key(open_app: Open) -> None:
    """A toast would lie over the card that it speaks of, and go along to other screens."""
    async with open_app(size=(80, 24)) as app:
        await app.press("d")
        assert app.rows()[-1].startswith(" » Deleted entry 1 of MEMORY.md – u brings it back")
        assert not rows_of_toasts(app)
        await app.press("j")
        assert "a Add" in app.rows()[-1]
        assert app.toasts == ["Deleted entry 1 of MEMORY.md – u brings it back"], "it is told to whoever asks"
        app.app.say("short", seconds=0.2)
        await app.settle()
        assert "» short" in app.rows()[-1]
        await app.until(lambda: "a Add" in app.rows()[-1], "its time is over")


async def test_what_was_said_does_not_follow_to_another_screen(open_app: Open) -> None:
    """Words about an entry would stand over the list of pending writes."""
    async with open_app(size=(60, 15)) as app:
        app.app.say("A sentence that is longer than a row of this low and narrow terminal.")
        await app.settle()
        assert rows_of_toasts(app)
        await app.press("2")
        assert not rows_of_toasts(app)


async def test_a_click_on_a_message_is_not_one_on_the_key_below_it(open_app: Open) -> None:
    """Whoever clicks a message away would open an editor."""
    async with open_app(size=(80, 24)) as app:
        app.app.say("Something was done.")
        await app.settle()
        await app.pilot.click("FooterLine", offset=(2, 0))
        await app.settle()
        assert "a Add" in app.rows()[-1]
        assert len(app.app.screen_stack) == 1
        await app.pilot.click("FooterLine", offset=(2, 0))
        await app.settle()
        assert len(app.app.screen_stack) == 2


async def test_a_dialog_says_what_a_key_did_in_the_place_of_its_keys(open_app: Open) -> None:
    """A toast would cover the first lines of what one reads."""
    async with open_app(size=(80, 24)) as app:
        await app.press("v")
        app.app.say("Copied 10 characters.")
        await app.settle()
        assert not rows_of_toasts(app)
        assert "» Copied 10 characters." in app.shown()


async def test_a_toast_has_the_rows_that_its_words_need(open_app: Open) -> None:
    """The end of a reason, which says what to do, would be cut off."""
    async with open_app(size=(80, 24)) as app:
        for words in ("and then z shows the parts.", "so that z shows it."):
            app.app.toasts.clear()
            app.app.say(f"Hits of all parts stand together; esc leaves the search, {words}", severity="warning")
            await app.settle()
            assert words.split()[-1] in app.shown()
            assert {toast.region.right for toast in app.app.screen.query("Toast")} == {78}
