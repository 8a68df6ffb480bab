"""Exporting from the screen: which, how, where to, and what is said of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hermes_tui.ui.dialogs.confirm import Confirm
from hermes_tui.ui.dialogs.exporting import ExportDialog
from hermes_tui.ui.dialogs.form import Line
from tests.nasty import raw_control_bytes
from tests.ui.sessions_app import (
    ODD_SHARES,
    Home,
    OpenSessions,
    SessionsDriver,
    ago,
    odd_titles,
    open_sessions,
    sessions_home,
    three,
)

__all__ = ["open_sessions", "sessions_home"]

DAY = 86_400.0
SIZES = [(60, 15), (80, 24), (120, 36)]
SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where one is."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def path_of(app: SessionsDriver) -> str:
    """The path in the form."""
    return app.dialog.query_one("#path", Line).text


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_conversation_is_written_where_the_form_says_with_secrets_masked(
    open_sessions: OpenSessions, sessions_home: Home, folder: Path, size: tuple[int, int]
) -> None:
    """Nobody would find the file, or a key would be in it."""
    world = sessions_home.world()
    world.session("one", f"my key is {SECRET}", "Never show it.", title="A key", started_at=ago(DAY))
    async with open_sessions(size=size) as app:
        shown = await app.ask("x")
        assert isinstance(app.dialog, ExportDialog)
        assert "[x] mask secrets" in shown
        assert "1 conversation, 2 messages." in app.dialog.note()
        assert path_of(app).endswith(".md")
        whole = app.dialog.note().splitlines()[-1]
        assert whole.startswith(str(folder))
        await app.press("enter")
        written = Path(whole)
        assert "A key" in written.read_text()
        assert SECRET not in written.read_text()
        assert f"1 conversation, 2 messages written to {whole}" in app.toasts[-1]
        assert "1 secret masked." in app.toasts[-1]


@pytest.mark.parametrize(("steps", "ending"), [(0, ".md"), (1, ".html"), (2, ".txt"), (3, ".jsonl")])
async def test_the_path_follows_the_format_until_somebody_types_one(
    open_sessions: OpenSessions, sessions_home: Home, folder: Path, steps: int, ending: str
) -> None:
    """JSON would be written into a file called .md."""
    three(sessions_home.world())
    async with open_sessions() as app:
        await app.ask("x")
        await app.pilot.press(*["right"] * steps)
        assert path_of(app).endswith(ending)
        await app.press("enter")
        (written,) = folder.iterdir()
        assert written.suffix == ending
        if ending == ".jsonl":
            assert json.loads(written.read_text().splitlines()[0])["id"] == "last"


async def test_a_path_that_was_typed_stays_whatever_is_chosen_after_it(
    open_sessions: OpenSessions, sessions_home: Home, folder: Path
) -> None:
    """The file would land somewhere else than typed."""
    three(sessions_home.world())
    async with open_sessions() as app:
        await app.ask("x")
        app.dialog.query_one("#path", Line).input.put("mine [bold].out")
        await app.pilot.press("right")
        assert path_of(app) == "mine [bold].out"
        await app.press("enter")
        assert (folder / "mine [bold].out").is_file()


async def test_what_is_selected_or_shown_is_written_together_or_each_by_itself(
    open_sessions: OpenSessions, sessions_home: Home, folder: Path
) -> None:
    """Exporting a filter would write the whole history."""
    three(sessions_home.world())
    async with open_sessions() as app:
        await app.press("space", "j", "space")
        shown = await app.ask("x")
        assert "(•) 2 selected" in shown
        assert "( ) all 3 shown" in shown
        assert "Into (•) one file ( ) one file each" in shown
        await app.press("enter")
        (together,) = folder.iterdir()
        assert "2 conversations, 4 messages written to" in app.toasts[-1]
        assert "login page" in together.read_text()
        assert "logrotate" not in together.read_text()
        await app.ask("x")
        await app.pilot.press("up", "right")
        await app.pilot.press(*["down"] * 5, "right")
        await app.press("enter")
        made = [path for path in folder.iterdir() if path.is_dir()]
        assert len(list(made[0].iterdir())) == 3
        assert f"written to 3 files in {made[0]}" in app.toasts[-1]


async def test_what_is_there_is_replaced_only_after_a_yes(
    open_sessions: OpenSessions, sessions_home: Home, folder: Path
) -> None:
    """A letter would be overwritten by a list of messages."""
    three(sessions_home.world())
    (folder / "letter.md").write_text("Dear aunt")
    async with open_sessions() as app:
        await app.ask("x")
        app.dialog.query_one("#path", Line).input.put("letter.md")
        await app.press("enter")
        assert isinstance(app.app.screen, Confirm)
        assert "Replace what is there?" in app.shown()
        await app.press("enter")
        assert (folder / "letter.md").read_text() == "Dear aunt"
        await app.ask("x")
        app.dialog.query_one("#path", Line).input.put("letter.md")
        await app.press("enter", "y")
        assert "login page" in (folder / "letter.md").read_text()


async def test_ticks_decide_what_is_in_it(open_sessions: OpenSessions, sessions_home: Home, folder: Path) -> None:
    """Answers would be in a file of prompts, or secrets masked that were wanted."""
    world = sessions_home.world()
    world.session("one", f"my key is {SECRET}", "The answer.", title="A key", started_at=ago(DAY))
    async with open_sessions() as app:
        await app.ask("x")
        await app.pilot.press("down", "space")
        assert isinstance(app.dialog, ExportDialog)
        assert "Secrets stand in it as they are." in app.dialog.note()
        await app.pilot.press("down", "space")
        await app.press("enter")
        (written,) = folder.iterdir()
        assert SECRET in written.read_text()
        assert "The answer." not in written.read_text()


async def test_a_folder_that_cannot_be_written_is_said_and_nothing_is_left(
    open_sessions: OpenSessions, sessions_home: Home, folder: Path
) -> None:
    """One would look for a file that is not there."""
    three(sessions_home.world())
    (folder / "file").write_text("no folder")
    async with open_sessions() as app:
        await app.ask("x")
        app.dialog.query_one("#path", Line).input.put("file/out.md")
        await app.press("enter")
        await app.until(lambda: app.toasts, "it is said")
        assert "file" in app.toasts[-1]
        assert [path.name for path in folder.iterdir()] == ["file"]


async def test_looking_only_may_export(open_sessions: OpenSessions, sessions_home: Home, folder: Path) -> None:
    """A file of one's own changes nothing in the home."""
    three(sessions_home.world())
    async with open_sessions(read_only=True) as app:
        await app.ask("x")
        await app.press("enter")
        assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("share", range(ODD_SHARES))
async def test_every_odd_title_makes_a_name_and_a_form(
    open_sessions: OpenSessions, sessions_home: Home, folder: Path, share: int
) -> None:
    """A title could style the form, or lead the file out of its folder."""
    world = sessions_home.world()
    number = odd_titles(world, share)
    async with open_sessions(size=(60, 15), live=False) as app:
        await app.press("H")
        assert len(app.ids) == number
        for done in range(number):
            assert not raw_control_bytes(await app.ask("x"))
            await app.press("enter")
            assert len(list(folder.iterdir())) == done + 1, app.ids[done]
            app.app.clear_notifications()
            await app.pilot.press("down")
