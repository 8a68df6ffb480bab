"""Numbers: beside a value, in the line under the box, in the dialog of filters; they have to say the same."""

from __future__ import annotations

import re
import threading
from typing import Any

import pytest

from hermes_tui.ui.actions import BY_ID
from hermes_tui.ui.dialogs.option_rows import OptionRows
from hermes_tui.ui.sessions.reading import SessionReader
from tests.sessions.world import World
from tests.ui.conftest import Open
from tests.ui.sessions_app import Home, OpenSessions, SessionsDriver, open_sessions, sessions_home

__all__ = ["open_sessions", "sessions_home"]


def many(world: World) -> None:
    """Ten shown of one source, four of another; archived, empty and nightly ones besides."""
    for number in range(10):
        world.session(f"cli-{number}", "hello", source="cli", model="small" if number < 3 else "small-2")
    for number in range(4):
        world.session(f"chat-{number}", "hello", source="telegram", model="large")
    for number in range(2):
        world.session(f"old-{number}", "hello", source="cli", model="small", archived=1)
    for number in range(3):
        world.session(f"ghost-{number}", message_count=0, source="cli")
    world.session("ghost-chat", message_count=0, source="telegram")
    for number in range(2):
        world.session(f"night-{number}", "hello", source="cron")


def offered(app: SessionsDriver) -> dict[str, str]:
    """The values offered, each with its number."""
    return {each.word: each.note for each in app.screen.box.offer.offered}


async def test_the_number_beside_a_value_is_how_many_rows_it_shows(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """`source:cli 15`, and then ten rows of it."""
    many(sessions_home.world())
    async with open_sessions() as app:
        await app.press("slash")
        await app.type("source:")
        assert offered(app) == {"source:cli": "10", "source:telegram": "4", "source:cron": "2"}
        for value, number in offered(app).items():
            await app.search(value)
            assert len(app.ids) == int(number), value
        await app.search("archived:also source:")
        assert offered(app)["source:cli"] == "12"
        await app.search("source:telegram model:")
        assert offered(app) == {"model:small-2": "0", "model:small": "0", "model:large": "4"}
        await app.search("model:")
        assert offered(app) == {"model:small-2": "7", "model:small": "10", "model:large": "4"}
        await app.search("model:small")
        assert len(app.ids) == 10


async def test_of_so_many_means_what_is_shown_without_the_filter_words(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """The number of all sessions would jump while one types a filter."""
    many(sessions_home.world())
    async with open_sessions() as app:
        assert app.counts.startswith("14 sessions · 4 empty, 2 cron, 2 archived hidden")
        await app.search("source:cli")
        assert app.counts.startswith("10 of 14 sessions · only source:cli · 3 empty, 2 archived hidden")
        await app.search("source:cron")
        assert app.counts.startswith("2 sessions · only source:cron |")
        await app.search("archived:only")
        assert app.counts.startswith("2 sessions · only archived:only |")
        await app.search("source:none")
        assert "0 shown, 14 sessions hidden by source:none." in app.instead
        await app.search("title:nothing source:telegram")
        assert app.counts.startswith("0 of 14 sessions · only title:nothing source:telegram |")
        await app.search("in:ghost-chat")
        assert "1 empty would fit and is hidden; H shows them." in app.instead


async def test_the_dialog_counts_as_the_list_does_in_a_column(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """Two places would give two numbers for the same thing, ragged beside the names."""
    many(sessions_home.world())
    async with open_sessions(size=(120, 60)) as app:
        await app.pilot.press("f")
        await app.until(lambda: "14 sessions" in app.shown(), "it has counted")

        def numbers() -> dict[str, tuple[str, int]]:
            found = re.findall(r"^(.*[\[(].[\])] (\S+).*?  +(\d+)) ", app.shown(), re.MULTILINE)
            return {name: (number, len(line)) for line, name, number in found}

        shown = numbers()
        assert shown["cli"][0] == "10"
        assert shown["telegram"][0] == "4"
        assert shown["small"][0] == "10"
        assert shown["empty:"][0] == "4"
        assert len({end for _, end in shown.values()}) == 1
        rows = app.app.screen.query_one(OptionRows)
        prompts = [str(rows.get_option_at_index(place).prompt) for place in range(rows.option_count)]
        rows.highlighted = next(place for place, prompt in enumerate(prompts) if "telegram" in prompt)
        await app.pilot.press("space")
        await app.until(lambda: "4 of 14 sessions" in app.shown(), "it has counted again")
        assert numbers()["empty:"][0] == "1"
        assert numbers()["large"][0] == "4"
        assert numbers()["small"][0] == "0"
        assert numbers()["cli"][0] == "10"


@pytest.mark.parametrize("width", [60, 80])
async def test_the_numbers_of_the_dialog_are_there_on_a_small_terminal(
    open_sessions: OpenSessions, sessions_home: Home, width: int
) -> None:
    """They would be cut off with the names."""
    many(sessions_home.world())
    async with open_sessions(size=(width, 40)) as app:
        await app.pilot.press("f")
        await app.until(lambda: "14 sessions" in app.shown(), "it has counted")
        assert re.search(r"\[ \] cli +10 ", app.shown())


async def test_while_sessions_are_being_read_no_number_is_given_and_the_dialog_fills_in(
    open_app: Open, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`today 0`, no sources, and it would stay so."""
    many(sessions_home.world())
    go_on = threading.Event()
    load = SessionReader._load

    def slow(self: SessionReader, *args: Any) -> None:
        go_on.wait(20)
        load(self, *args)

    monkeypatch.setattr("hermes_tui.ui.sessions.reading.FIRST_ROWS", 9)
    monkeypatch.setattr(SessionReader, "_load", slow)
    async with open_app() as driver:
        app = SessionsDriver(driver)
        try:
            await driver.pilot.press("3")
            await app.until(lambda: app.app.screens.sessions and app.screen.reader.listed, "the first row")
            await app.until(lambda: app.screen.session_list.brief, "it is shown")
            assert "are being read, 13 so far." in str(app.screen.why_not(BY_ID["sessions.unfold"]))
            await app.pilot.press("f")
            await app.until(lambda: "being read, 13 so far" in app.shown(), "the dialog says so")
            assert not re.search(r"today +\d", app.shown())
        finally:
            go_on.set()
        await app.until(lambda: "14 sessions" in app.shown(), "all are read")
        assert re.search(r"telegram +4", app.shown())
        assert re.search(r"also those +2", app.shown())
