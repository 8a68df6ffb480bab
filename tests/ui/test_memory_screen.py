"""The Memory screen as a person looks at it: both stores, the cursor, sizes, the filter, the keys."""

from __future__ import annotations

from functools import partial

import pytest
from textual import events

from hermes_tui.ui.dialogs.confirm import Confirm
from hermes_tui.ui.dialogs.editor import EntryEditor
from hermes_tui.ui.memory.card_painter import CardPainter
from tests.ui.conftest import Open


async def test_both_stores_are_on_screen_with_path_usage_and_cards(open_app: Open) -> None:
    """The first look would not answer what this is, where it is, and how full it is."""
    async with open_app() as app:
        shown = app.shown()
        assert "hermes-tui" in shown
        assert "~/.hermes/memories/MEMORY.md" in shown
        assert "~/.hermes/memories/USER.md" in shown
        assert "1% — 37/2,200 chars · 2,160 left" in shown
        assert "second fact" in shown
        assert "name: Sam" in shown
        assert "gate off" in shown
        assert "0 pending" in shown
        assert "● live" in shown


@pytest.mark.parametrize("size", [(120, 36), (100, 30), (80, 24), (60, 15), (80, 40), (40, 10), (20, 5)])
async def test_every_size_shows_the_cursor_card_and_the_help_key(open_app: Open, size: tuple[int, int]) -> None:
    """On a small terminal the entry under the cursor would be out of sight."""
    async with open_app([f"fact number {number}" for number in range(30)], size=size) as app:
        await app.press("G")
        rows = app.rows()
        assert len(rows) == size[1]
        if size[1] >= 10:
            assert any("fact number 29" in row for row in rows)
        assert "? Help" in rows[-1]


async def test_tabs_say_how_the_hidden_store_is_doing(open_app: Open) -> None:
    """With room for one store the other could fill up unseen."""
    async with open_app(user=["x" * 1200], size=(80, 24)) as app:
        assert "USER.md 87% · consolidate soon" in app.shown()
        assert "xxxx" not in app.shown()
        await app.press("tab")
        assert "xxxx" in app.shown()
        assert "MEMORY.md 1%" in app.shown()


async def test_resizing_keeps_cursor_and_layout_follows(open_app: Open) -> None:
    """Making the window smaller and larger again would lose the place."""
    async with open_app([f"fact number {number}" for number in range(60)]) as app:
        app.cards.move_to(40)
        for size in ((60, 15), (80, 40), (120, 36)):
            await app.pilot.resize_terminal(*size)
            await app.settle()
            assert app.cards.current is not None
            assert app.cards.current.entry.text == "fact number 40"
            assert "fact number 40" in app.shown()


async def test_two_hundred_entries_take_every_key(open_app: Open) -> None:
    """Holding j down would skip or lose keys."""
    async with open_app([f"fact number {number} " + "word " * 20 for number in range(200)], live=False) as app:

        def cursor_is(place: int) -> bool:
            return app.cards.cursor == place

        for key, times, there in (("j", 60, 60), ("k", 20, 40)):
            for _ in range(times):
                app.app.post_message(events.Key(key, key))
            await app.until(partial(cursor_is, there))
        await app.press("g")
        assert app.cards.cursor == 0
        await app.press("end")
        assert app.cards.cursor == 199
        assert "fact number 199" in app.shown()
        await app.press("pageup")
        assert 185 < app.cards.cursor < 199


async def test_moving_draws_only_the_cards_that_change(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scrolling 200 entries would draw all of them at every key."""
    async with open_app([f"fact {number}" for number in range(200)], live=False) as app:
        drawn: list[str] = []
        draw = CardPainter._draw

        def counted(self: CardPainter, card, *rest, **more):  # type: ignore[no-untyped-def]
            drawn.append(card.entry.text)
            return draw(self, card, *rest, **more)

        monkeypatch.setattr(CardPainter, "_draw", counted)
        await app.press("j")
        assert set(drawn) <= {"fact 0", "fact 1"}


async def test_a_click_moves_the_cursor_and_a_second_one_edits(open_app: Open) -> None:
    """The mouse would do nothing on a card."""
    async with open_app() as app:
        row = next(at for at, words in enumerate(app.rows()) if "third fact" in words)
        await app.pilot.click(offset=(10, row))
        await app.settle()
        assert app.cards.cursor == 2
        await app.pilot.click(offset=(10, row), times=2)
        await app.settle()
        assert isinstance(app.app.screen, EntryEditor)


async def test_the_filter_counts_in_both_stores_and_keeps_all_keys_as_text(open_app: Open) -> None:
    """Typing d in the filter would delete an entry."""
    async with open_app() as app:
        await app.press("slash", *"second")
        assert app.texts() == ["first fact", "second fact", "third fact"]
        assert "MEMORY.md · 1 of 3" in app.shown()
        assert "USER.md 0 of 1" in app.shown()
        assert "first fact" not in app.shown()
        await app.press("escape")
        assert "first fact" in app.shown()


async def test_a_filter_without_hits_names_itself_and_the_way_out(open_app: Open) -> None:
    """An empty list would look like lost memory."""
    async with open_app() as app:
        await app.press("slash", *"zz[z")
        assert "No entry of MEMORY.md holds “zz[z”." in app.shown()
        assert "esc clears the filter." in app.shown()


async def test_q_quits_and_ctrl_c_does_not(open_app: Open) -> None:
    """A habit from the shell would throw a half-typed entry away."""
    async with open_app() as app:
        await app.press("a", *"half typed", "ctrl+c")
        assert isinstance(app.app.screen, EntryEditor)
        await app.press("ctrl+q")
        assert isinstance(app.app.screen, Confirm)
        await app.press("n")
        assert isinstance(app.app.screen, EntryEditor)
        await app.press("escape", "y", "q")
        await app.until(lambda: not app.app.is_running)


async def test_help_and_palette_open_from_the_same_table(open_app: Open) -> None:
    """Keys would be listed that do something else, or not at all."""
    async with open_app() as app:
        await app.press("question_mark")
        assert "Add an entry to this store." in app.shown()
        await app.press("escape", "ctrl+p", *"reread", "escape")
        await app.press("escape")


async def test_a_click_in_the_footer_does_what_the_key_does(open_app: Open) -> None:
    """The footer looks like buttons and would be none."""
    async with open_app() as app:
        row = app.rows()[-1]
        await app.pilot.click(offset=(row.index("Edit"), 35))
        await app.settle()
        assert isinstance(app.app.screen, EntryEditor)


async def test_a_filter_that_ends_while_a_store_is_hidden_shows_all_of_it_again(open_app: Open) -> None:
    """With one store a time on a narrow terminal, esc after a filter and tab would end the app."""
    many = [f"fact {number} of {'cats' if number % 2 else 'dogs'}" for number in range(40)]
    async with open_app(many, many, size=(60, 15)) as driver:
        await driver.press("slash", *"cats", "enter", "G", "tab", "G")
        assert "fact 39" in driver.shown()
        await driver.press("tab", "escape")
        assert len(driver.cards.shown) == 40
        await driver.press("tab")
        assert "fact 39" in driver.shown()
        assert driver.cards.cursor == 39
