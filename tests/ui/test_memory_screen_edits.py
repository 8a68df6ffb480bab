"""What a person does to memory from the screen, and what is on disk afterwards."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

from hermes_tui.clipboard import CopyResult
from hermes_tui.ui.dialogs.confirm import Confirm
from hermes_tui.ui.dialogs.editor import EntryEditor
from tests.ui.conftest import Open


async def test_adding_writes_the_entry_and_says_when_it_counts(open_app: Open) -> None:
    """A person believes the running chat knows the new fact already."""
    async with open_app() as app:
        await app.press("a", *"new fact", "ctrl+s")
        assert app.texts() == ["first fact", "second fact", "third fact", "new fact"]
        assert "saved – used from the next session" in app.toasts
        assert app.cards.current is not None
        assert app.cards.current.entry.text == "new fact"


async def test_editing_changes_only_that_entry_and_keeps_the_cursor(open_app: Open) -> None:
    """An edit would land in another entry, or the cursor would jump to the top."""
    async with open_app() as app:
        await app.press("j", "enter", *"!!", "ctrl+s")
        assert app.texts() == ["first fact", "second fact!!", "third fact"]
        assert app.cards.cursor == 1


async def test_leaving_the_editor_writes_nothing(open_app: Open) -> None:
    """esc would save, or lose the entry."""
    async with open_app() as app:
        await app.press("e", "escape")
        assert app.texts() == ["first fact", "second fact", "third fact"]
        assert app.app.screen is app.screen


async def test_deleting_one_is_immediate_and_undone_with_u(open_app: Open) -> None:
    """One wrong key would cost an entry."""
    async with open_app() as app:
        await app.press("j", "d")
        assert app.texts() == ["first fact", "third fact"]
        assert "Deleted entry 2 of MEMORY.md – u brings it back" in app.toasts
        assert app.cards.current is not None
        assert app.cards.current.entry.text == "third fact"
        await app.press("u")
        assert app.texts() == ["first fact", "second fact", "third fact"]
        await app.press("U")
        assert app.texts() == ["first fact", "third fact"]


async def test_deleting_several_asks_with_the_count_and_rests_on_no(open_app: Open) -> None:
    """Two entries would be gone at one slip of a finger."""
    async with open_app() as app:
        await app.press("space", "j", "space", "d")
        assert isinstance(app.app.screen, Confirm)
        assert "Delete 2 entries of MEMORY.md?" in app.shown()
        await app.press("enter")
        assert len(app.texts()) == 3
        await app.press("d", "y")
        assert app.texts() == ["third fact"]


async def test_a_document_that_is_one_entry_is_shown_whole_before_it_is_deleted(open_app: Open) -> None:
    """One key would take a whole hand-written file, of which the card shows only the beginning."""
    document = "## Profile\n- likes tea\n\n## Work\n" + "\n".join(f"- fact {number}" for number in range(60))
    async with open_app([document]) as app:
        await app.press("d")
        assert isinstance(app.app.screen, Confirm)
        assert "It is all that MEMORY.md holds" in " ".join(app.shown().split())
        assert app.app.screen.detail == document
        await app.press("enter")
        assert app.texts() == [document]
        await app.press("d", "y")
        assert app.path().read_text() == ""
        await app.press("u")
        assert app.texts() == [document]


async def test_moving_takes_the_entry_to_the_other_store(open_app: Open) -> None:
    """The entry would be in both files, or in none."""
    async with open_app() as app:
        await app.press("m")
        assert app.texts() == ["second fact", "third fact"]
        assert app.texts("user") == ["name: Sam", "first fact"]


async def test_reordering_fast_lands_where_the_keys_say(open_app: Open) -> None:
    """Keys pressed while the disk writes would move the wrong entry."""
    async with open_app(["a", "b", "c", "d", "e"]) as app:
        await app.press("J", "J", "J", "K")
        assert app.texts() == ["b", "c", "a", "d", "e"]
        assert app.cards.current is not None
        assert app.cards.current.entry.text == "a"


async def test_selecting_marks_and_escape_backs_out_one_step_at_a_time(open_app: Open) -> None:
    """esc would drop the selection together with the filter."""
    async with open_app() as app:
        await app.press("space", "slash", *"fact", "enter")
        assert "[x]" in app.shown()
        assert "1 selected" in app.shown()
        await app.press("escape")
        assert app.screen.filter_bar is None
        assert app.cards.selection
        await app.press("escape")
        assert not app.cards.selection


async def test_merging_puts_both_texts_into_the_editor_and_one_entry_on_disk(open_app: Open) -> None:
    """Merging would lose one of the texts."""
    async with open_app() as app:
        await app.press("space", "j", "space", "M")
        assert isinstance(app.app.screen, EntryEditor)
        await app.press("ctrl+s")
        assert app.texts() == ["first fact\nsecond fact", "third fact"]


async def test_splitting_shows_the_pieces_first(open_app: Open) -> None:
    """A document would be cut up without a look at the pieces."""
    async with open_app(["## Profile\n- tea\n\n## Work\n- vim"]) as app:
        await app.press("S")
        assert len(app.texts()) == 1
        assert "Split" in app.shown()
        await app.press("y")
        assert app.texts() == ["## Profile\n- tea", "## Work\n- vim"]


async def test_copying_gives_the_exact_text(open_app: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is pasted would hold the symbols of the screen instead of the text."""
    copied: list[str] = []

    def copy(text: str, **_: object) -> CopyResult:
        copied.append(text)
        return CopyResult("xclip", len(text), f"Copied {len(text)} characters.")

    monkeypatch.setattr("hermes_tui.clipboard.copy", copy)
    async with open_app(["tab\there \x1b[31m"]) as app:
        await app.press("y")
        await app.until(lambda: copied)
        assert copied == ["tab\there \x1b[31m"]
        await app.until(lambda: any("Copied 14 characters" in toast for toast in app.toasts))


async def test_the_prompt_preview_shows_what_the_next_session_gets(open_app: Open) -> None:
    """The one thing that matters, what the agent will read, could not be seen."""
    async with open_app() as app:
        await app.press("p")
        assert "MEMORY (your personal notes)" in app.shown()
        await app.press("escape")
        assert app.app.screen is app.screen


async def test_viewing_shows_all_of_a_long_entry_and_e_edits_it(open_app: Open) -> None:
    """The end of a long entry could not be read without editing it."""
    async with open_app(["start " + "word " * 900 + "the end"]) as app:
        assert "more chars, enter opens" in app.shown()
        await app.press("v", "G")
        assert "the end" in app.shown()
        await app.press("e")
        assert isinstance(app.app.screen, EntryEditor)


async def test_ones_own_editor_comes_back_as_one_change(
    open_app: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An edit in vim would need several undos, or come back half."""
    script = tmp_path / "editor"
    script.write_text('#!/bin/sh\nprintf "from\\nvim\\n" > "$1"\n')
    script.chmod(0o755)
    async with open_app() as app:
        monkeypatch.setattr(app.app, "suspend", nullcontext)
        monkeypatch.setenv("EDITOR", str(script))
        await app.press("j", "E")
        assert app.texts() == ["first fact", "from\nvim", "third fact"]
        await app.press("u")
        assert app.texts() == ["first fact", "second fact", "third fact"]


async def test_without_an_editor_of_ones_own_the_built_in_one_opens(open_app: Open) -> None:
    """E would do nothing on a machine without $EDITOR."""
    async with open_app() as app:
        await app.press("E")
        assert isinstance(app.app.screen, EntryEditor)


async def test_what_ones_own_editor_wrote_is_not_lost_when_refused(
    open_app: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A text that is too long would be thrown away with the temporary file."""
    script = tmp_path / "editor"
    script.write_text('#!/bin/sh\nhead -c 3000 /dev/zero | tr "\\0" x > "$1"\n')
    script.chmod(0o755)
    async with open_app() as app:
        monkeypatch.setattr(app.app, "suspend", nullcontext)
        monkeypatch.setenv("EDITOR", str(script))
        await app.press("E")
        assert isinstance(app.app.screen, EntryEditor)
        assert app.app.screen.entry == "x" * 3000
        assert app.texts() == ["first fact", "second fact", "third fact"]


async def test_what_the_filter_hides_is_not_deleted(open_app: Open) -> None:
    """An entry selected before the filter was typed would go, unseen, instead of the one in view."""
    async with open_app() as app:
        await app.press("space", "slash", *"third", "enter", "d")
        assert app.texts() == ["first fact", "second fact"]


async def test_d_pressed_twice_at_once_deletes_two_entries_and_blames_nobody(open_app: Open) -> None:
    """The second press would ask about a conflict that does not exist, and offer to delete a neighbour."""
    async with open_app(["First note about it", "Second note about it", "Third"]) as app:
        await app.press("d", "d")
        assert app.texts() == ["Third"]
        assert type(app.app.screen).__name__ == "MemoryScreen"


async def test_an_entry_removed_while_it_is_edited_never_offers_its_neighbour(open_app: Open) -> None:
    """Saving “in its place” would overwrite an entry that nobody meant."""
    async with open_app(["First note about the deploy.", "Second note: deploy again", "Third"]) as app:
        await app.press("j", "e", *" MINE")
        app.write(["First note about the deploy.", "Third"])
        await app.until(lambda: "removed" in app.shown())
        await app.press("ctrl+s")
        assert "First note" not in app.shown().split("On disk now", 1)[-1]
        await app.press("escape")
        assert "Second note: deploy again MINE" in app.shown()
        await app.press("escape")
        assert "Discard" in app.shown()
        assert app.texts() == ["First note about the deploy.", "Third"]


async def test_the_cursor_stays_with_the_entry_that_was_edited_where_another_says_the_same(open_app: Open) -> None:
    """It would jump to the other one, and the next key would delete an entry that nobody meant."""
    async with open_app(["a", "twin", "b", "c", "twin"]) as app:
        await app.press("j", "e", "X", "ctrl+s")
        assert (app.texts()[1], app.cards.cursor) == ("twinX", 1)
        await app.press("u")
        assert (app.texts()[1], app.cards.cursor) == ("twin", 1)
        await app.press("ctrl+r")
        assert (app.texts()[1], app.cards.cursor) == ("twinX", 1)
        await app.press("u", "J", "J", "J")
        assert (app.texts(), app.cards.cursor) == (["a", "b", "c", "twin", "twin"], 4)
        await app.press("K", "d")
        assert (app.texts(), app.cards.cursor) == (["a", "b", "c", "twin"], 3)
        await app.press("m")
        assert (app.texts(), app.texts("user")) == (["a", "b", "c"], ["name: Sam", "twin"])
