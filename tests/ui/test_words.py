"""What the screen says is what happened, in words that fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_tui.clipboard import CopyResult
from hermes_tui.disk import write_failure
from hermes_tui.errors import HermesTuiError, NotFound, Refused, Unreadable
from tests.ui.conftest import Open


@pytest.mark.parametrize(
    ("error", "title"),
    [
        (write_failure(Path("/x/y"), PermissionError(13, "no")), "Cannot write"),
        (NotFound("There is nothing to undo.", code="nothing_to_undo"), "Nothing to undo"),
        (NotFound("No entry matches.", code="no_match"), "Not found"),
        (Unreadable("It is a directory.", code="is_directory"), "Cannot read"),
        (Refused("It is over.", code="over_limit"), "Refused"),
    ],
)
def test_the_title_of_a_failure_is_about_that_failure(error: HermesTuiError, title: str) -> None:
    """`Cannot read` over a full disk sends a person to the wrong place."""
    assert error.title == title


async def test_several_deleted_entries_come_back_as_several(open_app: Open) -> None:
    """`u brings it back` for three leaves open which of them."""
    async with open_app() as app:
        await app.press("space", "j", "space", "d", "y")
        assert app.toasts == ["Deleted 2 entries of MEMORY.md – u brings them back"]
        await app.press("u")
        assert app.toasts == ["Undone: remove in MEMORY.md."]


async def test_putting_in_order_is_undone_under_the_name_of_its_key(open_app: Open) -> None:
    """The key is called Normalise, and the journal's own word is another one."""
    async with open_app() as app:
        app.path().write_text("a\n\n§\n\nb")
        await app.until(lambda: "non-canonical whitespace" in app.shown())
        await app.press("n", "u")
        assert app.toasts == ["Undone: normalise in MEMORY.md."]


async def test_what_stands_for_unreadable_bytes_is_said_when_it_is_copied(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`Copied 12 characters` sounds exact, and the bytes of the file are others."""
    monkeypatch.setattr(
        "hermes_tui.clipboard.copy", lambda text, **_: CopyResult("xclip", len(text), f"Copied {len(text)} characters.")
    )
    async with open_app() as app:
        app.path().write_bytes(b"caf\xe9 at noon\n\xc2\xa7\nsecond")
        await app.until(lambda: "not UTF-8" in app.shown())
        await app.press("g", "y")
        await app.until(lambda: app.toasts)
        assert "U+FFFD stands where the file has bytes that are not UTF-8" in app.toasts[0]
        await app.press("j", "y")
        await app.until(lambda: "entry 2" in app.toasts[0])
        assert "U+FFFD" not in app.toasts[0]


async def test_a_lone_byte_order_mark_hides_no_entry(open_app: Open) -> None:
    """The screen would speak of a first entry in a file that has none."""
    async with open_app() as app:
        app.path().write_bytes(b"\xef\xbb\xbf")
        await app.until(lambda: "byte order mark and no entry" in " ".join(app.shown().split()))


@pytest.mark.parametrize(
    ("there", "words"),
    [
        ("the slow brown fox jumps", "both versions: this entry of MEMORY.md was changed on disk 0s ago."),
        ("something else entirely", "This entry of MEMORY.md was removed on disk 0s ago."),
    ],
)
async def test_what_became_of_the_entry_and_when_is_one_sentence(open_app: Open, there: str, words: str) -> None:
    """`saving will show both versions 0s ago` is a puzzle."""
    async with open_app(["the quick brown fox jumps", "other"]) as app:
        await app.press("e", *" now")
        app.write([there, "other"] if "fox" in there else ["other"])
        await app.until(lambda: words in " ".join(app.shown().split()))
