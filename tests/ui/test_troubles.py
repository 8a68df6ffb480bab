"""A home, a store or a config.yaml that cannot be used is never shown as one that is empty or in order."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_tui.ui.memory.preview import prompt_preview
from tests.ui.conftest import Open


def _directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def _nowhere(path: Path) -> None:
    path.unlink()
    path.symlink_to("/nowhere/at/all")


def _file_for_folder(path: Path) -> None:
    shutil.rmtree(path.parent)
    path.parent.write_text("a file")


BREAK = (_directory, _pipe, _loop, _nowhere, _file_for_folder)


@pytest.mark.parametrize("spoil", BREAK)
@pytest.mark.parametrize("size", [(60, 15), (120, 36)])
async def test_a_store_that_cannot_be_read_has_no_numbers(
    open_app: Open, spoil: Callable[[Path], None], size: tuple[int, int]
) -> None:
    """`0% · 0 entries · 2,200 left` would tell a person that the agent has forgotten everything."""
    async with open_app(user=None, size=size) as app:
        spoil(app.path())
        await app.press("f5")
        await app.until(lambda: app.screen.state.memory.state == "unreadable")
        await app.settle()
        pane = app.screen.pane("memory")
        assert "MEMORY.md · cannot be read" in app.shown()
        assert "nobody knows how full it is" in app.shown()
        assert pane.count_words == "cannot be read"
        assert "2,200" not in app.shown()
        notes = prompt_preview(app.screen.state)._blocks[0].notes
        assert any("What it holds is not known" in note for note in notes)
        assert not any("empty" in note or "0%" in note for note in notes)
    assert "MEMORY.md cannot be read" in app.app.header_facts.alert


async def test_a_home_that_goes_while_it_is_open_is_named(open_app: Open) -> None:
    """`a adds the first entry` would lead into an error, and the header would call it live."""
    async with open_app() as app:
        shutil.rmtree(app.home)
        await app.until(lambda: "There is no home at" in app.shown())
        assert str(app.home.name) in app.shown()
        assert "q leaves" in app.shown()
        assert "a adds the first entry" not in app.shown()
        assert "no such home" in app.rows()[0]
        assert "● live" not in app.rows()[0]
        assert "2,200" not in app.shown()
        await app.press("a")
        assert app.app.screen is app.screen
        assert "There is no home at" in app.toasts[0]
        await app.press("2")
        assert "There is no home at" in app.shown()


async def test_a_home_that_comes_back_is_shown_again(open_app: Open) -> None:
    """The words about the missing home would stay until a restart."""
    async with open_app() as app:
        away = app.home.with_name("away")
        app.home.rename(away)
        await app.until(lambda: "There is no home at" in app.shown())
        away.rename(app.home)
        await app.press("f5")
        await app.until(lambda: "second fact" in app.shown())
        assert "no such home" not in app.shown()


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (120, 36)])
async def test_a_config_that_does_not_parse_says_where_and_what_to_do(open_app: Open, size: tuple[int, int]) -> None:
    """The header would say that something is wrong, and nothing would say what."""
    async with open_app(size=size) as app:
        (app.home / "config.yaml").write_text("memory:\n  write_approval: true\n  bad: [\n")
        await app.until(lambda: "gate" in app.rows()[0] and "gate off ·" not in app.rows()[0])
        header = app.rows()[0]
        assert "gate off? config does not parse" in header or "gate unknown" in header
        assert app.screen.query("Notice").first().display
        words = " ".join(app.shown().split())
        assert "config.yaml does not parse: line" in words
        await app.press("2")
        assert "config.yaml does not parse: line" in " ".join(app.shown().split())
        assert "The gate is off" not in app.shown()
        (app.home / "config.yaml").write_text("memory:\n  write_approval: true\n")
        await app.press("1")
        await app.until(lambda: "does not parse" not in app.shown())
        assert "gate on" in app.rows()[0]


async def test_a_setting_the_agent_reads_otherwise_is_a_notice(open_app: Open) -> None:
    """`write_approval: 1` looks like a gate, and every write goes through."""
    async with open_app(size=(80, 24)) as app:
        (app.home / "config.yaml").write_text(
            "memory:\n  write_approval: 1\n  memory_char_limit: '900'\n  user_char_limit: '900'\n"
        )
        await app.until(lambda: "+2 more: hermes-tui doctor" in " ".join(app.shown().split()))
        (app.home / "config.yaml").write_text("memory: []\n")
        await app.until(lambda: "holds no settings by name" in " ".join(app.shown().split()))


async def test_a_gate_that_is_on_stays_in_the_header_of_a_small_terminal(open_app: Open) -> None:
    """Whether writes wait for a person is left out, and the path of the home is not."""
    async with open_app(["x" * 2195], size=(60, 15), read_only=True) as app:
        (app.home / "config.yaml").write_text("memory:\n  write_approval: true\n")
        await app.until(lambda: "gate on" in app.rows()[0])
        assert "read-only" in app.rows()[0]


async def test_header_and_bar_call_a_full_store_the_same(open_app: Open) -> None:
    """`full, 99%` above and `nearly full` below are two stories."""
    async with open_app(["x" * 2190]) as app:
        assert "MEMORY.md nearly full, 99%" in app.rows()[0]
        assert "7 left · nearly full" in app.shown()
        app.write(["x" * 2200])
        await app.until(lambda: "0 left · full" in app.shown())
        assert "MEMORY.md full, 100%" in app.rows()[0]
