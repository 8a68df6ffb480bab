"""Titles written from the screen: what would be written is shown first, and by a model only when asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from hermes_tui.errors import HermesTuiError
from hermes_tui.sessions.title_model import ModelFailed
from hermes_tui.ui.dialogs.titles import TitlesDialog
from tests.nasty import NASTY
from tests.sessions.world import SHAPES, Shape, World
from tests.ui.sessions_app import Home, OpenSessions, SessionsDriver, ago, open_sessions, sessions_home

__all__ = ["open_sessions", "sessions_home"]

DAY = 86_400.0
SIZES = [(60, 15), (80, 24), (120, 36)]


def untitled(world: World) -> None:
    """Two conversations without a title, one with one, and one that says nothing."""
    world.session("logs", "rotate the nginx logs every week", "Done.", started_at=ago(5 * DAY))
    world.session("login", "the login page loops for ever", "I look.", started_at=ago(4 * DAY))
    world.session("named", "hello", title="Named already", started_at=ago(3 * DAY))
    world.session("mute", "", started_at=ago(2 * DAY), message_count=1)


def titles(world: World) -> dict[str, str | None]:
    """What is stored."""
    return dict(world.rows("SELECT id, title FROM sessions"))


def plan_words(app: SessionsDriver) -> str:
    """What the dialog says."""
    assert isinstance(app.dialog, TitlesDialog)
    return " ".join(app.dialog.pane.plain.split())


@pytest.mark.parametrize("shape", SHAPES)
async def test_a_derived_title_is_shown_before_it_is_written_and_taken_back(
    open_sessions: OpenSessions, sessions_home: Home, shape: Shape
) -> None:
    """Titles would be written that nobody has read."""
    world = sessions_home.world(shape)
    untitled(world)
    async with open_sessions() as app:
        await app.go_to("login")
        derived = app.rows_list.summary
        assert derived is not None
        await app.ask("T")
        assert derived.title in plan_words(app)
        assert "1 title would be written" in plan_words(app)
        await app.press("enter")
        assert titles(world)["login"] is None
        await app.ask("T")
        await app.press("y")
        assert titles(world) == {"login": derived.title, "logs": None, "named": "Named already", "mute": None}
        assert "1 title written – u takes it back" in app.toasts[-1]
        if shape == "0.22":
            assert world.rows("SELECT title_source FROM sessions WHERE id = 'login'") == [("derived",)]
        await app.until(lambda: f"“{derived.title}”" not in app.row_with(derived.title[:8]), "no quotes any more")
        await app.press("u")
        assert titles(world)["login"] is None


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_all_untitled_that_are_shown_get_theirs_on_a_key(
    open_sessions: OpenSessions, sessions_home: Home, size: tuple[int, int]
) -> None:
    """One would have to go through hundreds one by one."""
    world = sessions_home.world()
    untitled(world)
    async with open_sessions(size=size) as app:
        await app.go_to("login")
        await app.ask("T")
        await app.pilot.press("a")
        await app.told()
        words = plan_words(app)
        assert "2 titles would be written" in words
        assert "1 conversation with a title stay" in words
        assert "1 say nothing that a title could be made from." in words
        assert "Write 2 titles" in app.shown()
        await app.press("y")
        assert None not in (titles(world)["login"], titles(world)["logs"])
        assert titles(world)["named"] == "Named already"
        await app.press("u")
        assert titles(world)["login"] is None


async def test_on_a_titled_row_the_key_is_about_all_that_are_shown(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """The key would be dead on every second row."""
    untitled(sessions_home.world())
    async with open_sessions() as app:
        await app.go_to("named")
        await app.ask("T")
        assert "2 titles would be written" in plan_words(app)


async def test_a_selection_gets_titles_and_nothing_else_does(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """Titles would be written for what was not selected."""
    world = sessions_home.world()
    untitled(world)
    async with open_sessions() as app:
        await app.go_to("logs")
        await app.press("space")
        await app.go_to("named")
        await app.press("space")
        await app.ask("T")
        assert "1 title would be written" in plan_words(app)
        await app.press("y")
        assert titles(world)["logs"]
        assert titles(world)["login"] is None


async def test_when_everything_has_a_title_there_is_nothing_to_say_yes_to(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """A yes to nothing would be taken for work done."""
    world = sessions_home.world()
    world.session("named", "hello", title="Named already")
    async with open_sessions() as app:
        await app.ask("T")
        assert "There is no conversation here that needs a title." in plan_words(app)
        assert not app.dialog.query_one("#yes").display
        await app.press("y")
        assert isinstance(app.app.screen, TitlesDialog)
        await app.press("escape")
        assert len(app.app.screen_stack) == 1


async def test_without_a_model_none_is_offered(open_sessions: OpenSessions, sessions_home: Home) -> None:
    """A choice that can only fail would stand there."""
    untitled(sessions_home.world())
    async with open_sessions() as app:
        await app.ask("T")
        assert not app.dialog.query("#by")
        assert "y sends" not in plan_words(app)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A model that is named by the settings, and what it answers; the server itself is tested elsewhere."""
    answers: dict[str, Any] = {"logs": "Rotating logs", "login": ModelFailed("It took too long.", code="timeout")}
    monkeypatch.setenv("HERMES_TUI_TITLE_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("HERMES_TUI_TITLE_MODEL", "tiny-titles")

    def asked(
        _base: object, ids: Sequence[str], _model: object, **how: Any
    ) -> Iterator[tuple[str, str | HermesTuiError]]:
        for number, id in enumerate(ids, 1):
            how["progress"](number, len(ids))
            yield id, answers[id]

    monkeypatch.setattr("hermes_tui.sessions.title_model.titles", asked)
    monkeypatch.setattr("hermes_tui.sessions.title_model.TitleModel", lambda _settings: object())
    return answers


@pytest.mark.usefixtures("model")
async def test_a_model_is_asked_only_after_a_yes_that_says_what_is_sent_where(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """What somebody said would leave the machine before they knew."""
    world = sessions_home.world("0.22")
    untitled(world)
    async with open_sessions() as app:
        await app.go_to("named")
        await app.ask("T")
        assert "tiny-titles at 127.0.0.1:9 (this machine)" in app.shown()
        await app.pilot.press("m")
        await app.told()
        words = plan_words(app)
        assert "y sends the beginning of each, secrets masked, to 127.0.0.1:9 (this machine)." in words
        assert "Ask the model" in app.shown()
        await app.pilot.press("y")
        await app.until(lambda: "1 title would be written" in plan_words(app), "the answers have come")
        assert "1 title did not come: It took too long." in plan_words(app)
        assert "Rotating logs" in plan_words(app)
        assert titles(world)["logs"] is None
        await app.press("y")
        assert titles(world)["logs"] == "Rotating logs"
        assert world.rows("SELECT title_source FROM sessions WHERE id = 'logs'") == [("llm",)]
        assert titles(world)["login"] is None


@pytest.mark.usefixtures("model")
async def test_a_model_that_fails_altogether_says_why_and_writes_nothing(
    open_sessions: OpenSessions, sessions_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dialog would stay at `Asking` for ever."""

    def broken(*_: object, **__: object) -> Iterator[tuple[str, str]]:
        raise ModelFailed("The server does not answer.", code="unreachable", hint="Is it running?")
        yield "", ""

    monkeypatch.setattr("hermes_tui.sessions.title_model.titles", broken)
    world = sessions_home.world()
    untitled(world)
    async with open_sessions() as app:
        await app.ask("T")
        await app.pilot.press("m")
        await app.told()
        await app.pilot.press("y")
        await app.until(lambda: "The server does not answer. Is it running?" in plan_words(app), "it is said")
        await app.press("escape")
        assert set(titles(world).values()) == {None, "Named already"}


@pytest.mark.parametrize("size", [(60, 15), (120, 36)], ids=str)
async def test_every_odd_first_message_is_shown_as_data(
    open_sessions: OpenSessions, sessions_home: Home, size: tuple[int, int]
) -> None:
    """A message could style the list of titles, or end the program."""
    world = sessions_home.world()
    for number, text in enumerate(NASTY.values()):
        world.session(f"odd-{number:03}", text.encode("utf-8", "replace").decode(), started_at=ago(number + 60))
    async with open_sessions(size=size, live=False) as app:
        await app.press("ctrl+a")
        await app.ask("T")
        assert isinstance(app.dialog, TitlesDialog)
        for _ in range(8):
            shown = app.shown()
            assert not any(ord(char) < 32 and char != "\n" for char in shown)
            assert "\u202e" not in shown
            await app.pilot.press("pagedown")
        await app.press("y")
        assert "written" in app.toasts[-1]
