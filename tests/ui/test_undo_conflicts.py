"""An undo that no longer fits: chosen once, it is out of the way."""

from __future__ import annotations

from hermes_tui.ui.dialogs.conflict import ConflictDialog
from tests.ui.conftest import Open


async def test_after_a_decided_conflict_undo_goes_on_to_the_change_before(open_app: Open) -> None:
    """u would show the same conflict for ever, and nothing earlier could be taken back."""
    async with open_app(["likes tea"]) as app:
        await app.press("a", *"second", "ctrl+s")
        assert app.texts() == ["likes tea", "second"]
        await app.press("g", "e", *" daily", "ctrl+s")
        assert app.texts() == ["likes tea daily", "second"]
        app.write(["likes tea daily and at night", "second"])
        await app.until(lambda: "at night" in app.shown())
        await app.press("u")
        await app.until(lambda: isinstance(app.app.screen, ConflictDialog))
        await app.press("t")
        await app.until(lambda: not isinstance(app.app.screen, ConflictDialog))
        assert app.texts() == ["likes tea daily and at night", "second"]
        await app.settle()
        await app.press("u")
        assert app.texts() == ["likes tea daily and at night"]
