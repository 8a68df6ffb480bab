"""Keys that come all at once, as from a paste without brackets or a fast hand: none is lost, none goes astray."""

from __future__ import annotations

from textual import events
from textual.keys import _character_to_key
from textual.widgets import Input

from hermes_tui.ui.dialogs.confirm import Confirm
from hermes_tui.ui.dialogs.editor import EntryEditor
from hermes_tui.ui.dialogs.tour import TourStep
from hermes_tui.ui.palette import Palette
from tests.ui.conftest import Driver, Open
from tests.ui.pending_app import OpenPending, Queue, add

NAMED = {"enter": "\r", "escape": "\x1b", "space": " ", "f2": None, "ctrl+s": None, "ctrl+p": None}


def burst(driver: Driver, *keys: str) -> None:
    """Post keys back to back, without a moment in between."""
    for key in keys:
        name, character = (key, NAMED[key]) if key in NAMED else (_character_to_key(key), key)
        driver.app.post_message(events.Key(name, character))


async def test_a_filter_typed_in_one_go_filters_and_does_nothing_else(open_app: Open) -> None:
    """`/deploy` would delete an entry and open the editor on another."""
    facts = [f"fact {number} deploy" for number in range(9)]
    async with open_app(facts) as driver:
        burst(driver, *"/deploy e")
        await driver.until(lambda: driver.screen.filter_bar and driver.screen.filter_bar.input.value == "deploy e")
        await driver.settle()
        assert driver.texts() == facts
        assert len(driver.app.screen_stack) == 1


async def test_a_filter_closed_and_opened_in_one_go_ends_where_it_should(open_app: Open) -> None:
    """The second word would be typed into the list."""
    async with open_app() as driver:
        burst(driver, "/", "d", "escape", "/", "u", "d", "enter", "j")
        await driver.until(lambda: driver.screen.filter_bar and driver.screen.filter_bar.input.value == "ud")
        await driver.settle()
        assert driver.cards.has_focus
        assert len(driver.texts()) == 3


async def test_what_follows_the_key_for_a_new_entry_is_its_text(open_app: Open) -> None:
    """The first letters would be lost, or delete something."""
    async with open_app() as driver:
        burst(driver, "a", *"deduce", "f2")
        await driver.until(lambda: driver.texts()[-1] == "deduce")
        await driver.settle()
        assert driver.texts() == ["first fact", "second fact", "third fact", "deduce"]


async def test_what_follows_the_key_for_editing_goes_behind_the_text(open_app: Open) -> None:
    """`e` with a text behind it would lose its beginning."""
    async with open_app() as driver:
        burst(driver, "e", *" dead", "ctrl+s", "j", "e", *"!?", "f2")
        await driver.until(lambda: driver.texts()[1] == "second fact!?")
        assert driver.texts() == ["first fact dead", "second fact!?", "third fact"]


async def test_an_answer_typed_ahead_is_the_answer(open_app: Open) -> None:
    """`y` behind `d` would copy an entry, while the question stays."""
    async with open_app() as driver:
        burst(driver, "space", "j", "space", "d", "y")
        await driver.until(lambda: driver.texts() == ["third fact"])


async def test_keys_behind_a_dialog_that_closes_go_to_the_list(open_app: Open) -> None:
    """The cursor would not move, or text would be thrown away with a key meant for the list."""
    async with open_app() as driver:
        burst(driver, "a", "x", "escape", "y", "j", "e", "z")
        await driver.until(lambda: isinstance(driver.app.screen, EntryEditor) and driver.app.screen.changed)
        assert isinstance(driver.app.screen, EntryEditor)
        assert driver.app.screen.entry == "second factz"
        burst(driver, "escape", "n", "!")
        await driver.until(lambda: getattr(driver.app.screen, "entry", "") == "second factz!")
        burst(driver, "escape")
        await driver.until(lambda: isinstance(driver.app.screen, Confirm))


async def test_help_and_back_and_on_in_one_go(open_app: Open) -> None:
    """A key behind esc would be lost with the dialog."""
    async with open_app() as driver:
        burst(driver, "?", "escape", "p", "escape", "j", "j", "d")
        await driver.until(lambda: driver.texts() == ["first fact", "second fact"])
        assert len(driver.app.screen_stack) == 1


async def test_a_name_typed_ahead_goes_into_the_palette(open_app: Open) -> None:
    """Its letters would be keys of the list."""
    async with open_app() as driver:
        burst(driver, "ctrl+p", *"delete")
        await driver.until(lambda: [*driver.app.screen.query(Input)] and driver.app.screen.query_one(Input).value)
        await driver.until(lambda: driver.app.screen.query_one(Input).value == "delete")
        assert len(driver.texts()) == 3


async def test_a_name_typed_ahead_goes_past_the_tour_that_steps_aside_for_the_palette(open_app: Open) -> None:
    """Its letters would be keys of the list that comes to light."""
    async with open_app() as driver:
        await driver.pilot.press("f8")
        await driver.until(lambda: isinstance(driver.app.screen, TourStep), "the tour")
        burst(driver, "ctrl+p", *"delete")
        await driver.until(lambda: isinstance(driver.app.screen, Palette))
        await driver.until(lambda: driver.app.screen.query_one(Input).value == "delete")
        assert (len(driver.app.screen_stack), len(driver.texts())) == (2, 3)


async def test_a_paste_waits_for_the_editor_it_is_meant_for(open_app: Open) -> None:
    """The text would vanish on its way into a dialog that is not there yet."""
    async with open_app() as driver:
        burst(driver, "a")
        driver.app.post_message(events.Paste("pasted dada"))
        burst(driver, "!", "f2")
        await driver.until(lambda: driver.texts()[-1] == "pasted dada!")


async def test_a_filter_of_the_queue_decides_nothing(open_pending: OpenPending, queue: Queue) -> None:
    """`/area` would approve, reject and open things."""
    for number in range(5):
        queue.put(f"000000a{number}", add(f"area {number}"))
    async with open_pending() as driver:
        driver.app.post_message(events.Key("slash", "/"))
        for character in "area":
            driver.app.post_message(events.Key(character, character))
        screen = driver.app.screens.pending[0]
        await driver.until(lambda: screen.filter_bar and screen.filter_bar.input.value == "area")
        await driver.settle()
        assert len(driver.app.screen_stack) == 1
        assert all(queue.path(f"000000a{number}").exists() for number in range(5))


async def test_keys_are_let_through_even_when_what_has_the_focus_is_gone(open_app: Open) -> None:
    """The app would be deaf after a widget vanished with a key in its hands."""
    async with open_app() as driver:
        burst(driver, "/")
        await driver.until(lambda: driver.screen.filter_bar and driver.screen.filter_bar.input.has_focus)
        assert driver.screen.filter_bar
        driver.screen.filter_bar.remove()
        burst(driver, "x", "1", "?")
        await driver.until(lambda: len(driver.app.screen_stack) == 2)


async def test_joiners_are_typed_like_any_letter(open_app: Open) -> None:
    """A Persian word would be spelled wrong, and not be found."""
    word = "می\u200cخواهم"
    async with open_app([word, "other"]) as driver:
        burst(driver, "a", *word, "\u200d", "\u00a0", "!")
        await driver.until(lambda: getattr(driver.app.screen, "entry", "").endswith("!"))
        assert getattr(driver.app.screen, "entry", "") == word + "\u200d\u00a0!"
        await driver.settle()
        assert "⟨U+200C⟩" in driver.shown()
        burst(driver, "escape", "y", "/", *word)
        await driver.until(lambda: driver.screen.filter_bar and driver.screen.filter_bar.input.value == word)
        await driver.until(lambda: "1 of 2" in driver.shown())


async def test_what_is_pasted_into_the_editor_is_spelled_out_and_kept(open_app: Open) -> None:
    """A pasted NUL or ESC would be lost without a word."""
    async with open_app() as driver:
        burst(driver, "a")
        driver.app.post_message(events.Paste("a\x00b\x1b[31mc"))
        await driver.until(lambda: getattr(driver.app.screen, "entry", "") == "a\x00b\x1b[31mc")
        await driver.settle()
        assert "a⟨U+0000⟩b⟨U+001B⟩[31mc" in driver.shown()


async def test_a_huge_text_pasted_into_the_filter_is_not_repeated_all_over(open_app: Open) -> None:
    """What esc does would be pushed out of sight by a wall of text."""
    async with open_app(size=(100, 30)) as driver:
        burst(driver, "/")
        driver.app.post_message(events.Paste("\x1b[31m" + "wall of text " * 1_600))
        await driver.until(lambda: "esc clears the filter" in driver.shown())
        assert driver.shown().count("wall of text") < 30
        assert driver.screen.filter_bar
        assert driver.screen.filter_bar.input.value.startswith("[31mwall")


async def test_a_huge_filter_of_the_queue_is_not_repeated_all_over(open_pending: OpenPending, queue: Queue) -> None:
    """What esc does would be pushed out of sight by a wall of text."""
    queue.put("000000a1", add("area"))
    async with open_pending() as driver:
        driver.app.post_message(events.Key("slash", "/"))
        driver.app.post_message(events.Paste("wall of text " * 1_600))
        await driver.until(lambda: "esc shows all again" in driver.shown())
        assert driver.shown().count("wall of text") < 30
