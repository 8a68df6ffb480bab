"""The palette: the same table as the keys, and the themes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.app import App
from textual.command import CommandList, CommandPalette, Hits
from textual.content import Content
from textual.pilot import Pilot
from textual.screen import Screen

import hermes_tui.ui
from hermes_tui.settings import SHIPPED_FOLDER
from hermes_tui.ui.actions import Action, actions_for
from hermes_tui.ui.palette import ActionProvider, Palette
from hermes_tui.ui.theme_preview import REST_SECONDS
from hermes_tui.ui.themes import derived_variables
from tests.ui.conftest import Open
from tests.ui.test_bursts import burst

SHIPPED_CSS = Path(hermes_tui.ui.__file__).parent / "memory" / "memory.tcss"


class TableScreen(Screen[None]):
    """A screen that notes the actions it was asked for."""

    def __init__(self) -> None:
        super().__init__(name="memory")
        self.performed: list[str] = []

    def why_not(self, action: Action) -> str | None:
        """Undo makes no sense."""
        return "There is nothing to take back." if action.id == "memory.undo" else None

    async def action_perform(self, action_id: str) -> None:
        """Note it."""
        self.performed.append(action_id)


class PaletteApp(App[None]):
    """The palette over such a screen."""

    COMMANDS = {ActionProvider}  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self.table = TableScreen()
        self.everywhere: list[str] = []

    def on_mount(self) -> None:
        """Show the screen."""
        self.push_screen(self.table)

    async def action_perform(self, action_id: str) -> None:
        """Note what works everywhere."""
        self.everywhere.append(action_id)


async def offered(app: PaletteApp, query: str) -> list[str]:
    provider = ActionProvider(app.table)
    await provider.startup()
    hits = provider.search(query) if query else provider.discover()
    return [str(hit.text) for hit in sorted([hit async for hit in hits], key=lambda hit: -hit.score)]


async def test_everything_that_works_here_is_offered() -> None:
    """Who does not know the key finds the word."""
    app = PaletteApp()
    async with app.run_test():
        labels = await offered(app, "")
        assert [action.label for action in actions_for("memory") if action.id != "app.palette"] == labels[
            : -len(THEMES)
        ]
        assert labels[-len(THEMES) :] == THEMES


THEMES = [f"Theme: {path.stem}" for path in sorted(SHIPPED_FOLDER.glob("*.yaml"))]


async def test_typing_finds_by_letters_in_order() -> None:
    """`nrm` finds Normalise; `backup` finds it by its sentence."""
    app = PaletteApp()
    async with app.run_test():
        assert (await offered(app, "nrm"))[0] == "Normalise"
        assert "Normalise" in await offered(app, "backup")
        assert await offered(app, "zzzz") == []


async def test_what_makes_no_sense_now_is_greyed_and_says_why() -> None:
    """It stays in place, so that one learns it exists."""
    app = PaletteApp()
    async with app.run_test():
        provider = ActionProvider(app.table)
        await provider.startup()
        hits = [hit async for hit in provider.search("undo") if hit.text == "Undo"]
        assert hits[0].help == "Not now: There is nothing to take back."
        prompt = hits[0].prompt
        assert isinstance(prompt, Content)
        assert "$text-disabled" in {span.style for span in prompt.spans}


async def test_a_chosen_action_runs_on_its_screen() -> None:
    app = PaletteApp()
    async with app.run_test() as pilot:
        app.action_command_palette()
        await pilot.pause()
        assert isinstance(app.screen, CommandPalette)
        await pilot.press(*"normalise")
        await app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        if isinstance(app.screen, CommandPalette):
            await pilot.press("enter")
            await pilot.pause()
        assert app.table.performed == ["memory.normalize"]


async def test_choosing_a_theme_changes_the_colours() -> None:
    """The themes are read when the palette opens, not before."""
    app = PaletteApp()
    async with app.run_test():
        assert app.get_theme("high-contrast") is None
        provider = ActionProvider(app.table)
        await provider.startup()
        hits = [hit async for hit in provider.search("high-contrast")]
        await app.table.run_action("perform('memory.add')")
        hits[0].command()
        assert app.theme == "high-contrast"


class HermesPaletteApp(PaletteApp):
    """The same with the variables of our own that the stylesheets use, and the stylesheet of the palette."""

    CSS_PATH = SHIPPED_CSS

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our variables, also under themes that are not ours."""
        return {**super().get_theme_variable_defaults(), **derived_variables(self.current_theme)}


async def at_theme(app: PaletteApp, pilot: Pilot[None], query: str) -> CommandList:
    """Open the palette, type, and wait until the rows are there."""
    app.action_command_palette()
    await pilot.pause()
    await pilot.press(*query)
    rows = app.screen.query_one(CommandList)
    for _ in range(100):
        await pilot.pause(0.02)
        prompts = [str(row.prompt) for row in rows.options]
        if prompts and all("Theme: " in prompt for prompt in prompts) and rows.highlighted is not None:
            break
    await pilot.pause(REST_SECONDS * 2)
    return rows


async def test_moving_over_a_theme_shows_it_and_escape_brings_the_old_one_back() -> None:
    """A name says little about colours; to try all of them by choosing each would take a minute."""
    app = HermesPaletteApp()
    async with app.run_test() as pilot:
        before = app.theme
        rows = await at_theme(app, pilot, "themehermes")
        assert app.theme == "hermes-dark"
        ground = rows.styles.background
        await pilot.press("down", "down")
        await pilot.pause(REST_SECONDS * 3)
        assert app.theme == "hermes-light"
        assert rows.styles.background != ground, "the palette itself shows it too"
        assert app.screen.is_modal
        await pilot.press("escape")
        await pilot.pause(0.1)
        assert not app.screen.is_modal
        assert app.theme == before


async def test_enter_keeps_the_theme_that_is_seen() -> None:
    """It would jump back just when it was chosen."""
    app = HermesPaletteApp()
    async with app.run_test() as pilot:
        await at_theme(app, pilot, "themehermespaper")
        assert app.theme == "hermes-paper"
        await pilot.press("enter")
        await pilot.pause(0.2)
        assert not app.screen.is_modal
        assert app.theme == "hermes-paper"


async def test_leaving_the_themes_for_an_action_takes_the_theme_off() -> None:
    """Who moved over the themes on the way to something else has chosen none."""
    app = HermesPaletteApp()
    async with app.run_test() as pilot:
        before = app.theme
        rows = await at_theme(app, pilot, "themehermespaper")
        assert app.theme == "hermes-paper"
        await pilot.press(*["backspace"] * len("themehermespaper"))
        for _ in range(100):
            await pilot.pause(0.02)
            if rows.options and "Theme: " not in str(rows.options[0].prompt):
                break
        rows.highlighted = 0
        await pilot.pause(REST_SECONDS * 3)
        assert app.theme == before


async def test_a_held_key_does_not_put_on_every_theme_it_runs_over() -> None:
    """Each change draws everything again; the cursor would lag behind the key."""
    app = HermesPaletteApp()
    async with app.run_test() as pilot:
        rows = await at_theme(app, pilot, "theme")
        worn: list[str] = []
        app.theme_changed_signal.subscribe(app.table, lambda theme: worn.append(theme.name))
        for place in range(len(rows.options)):
            rows.highlighted = place
        await pilot.pause(REST_SECONDS * 3)
        assert len(worn) == 1


async def test_enter_does_what_was_typed_and_not_what_was_found_before(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine the list is behind the letters: the first action of all would be done, whatever was typed."""
    done: list[str] = []
    search = ActionProvider.search

    async def late(self: ActionProvider, query: str) -> Hits:
        await asyncio.sleep(0.2)
        async for hit in search(self, query):
            yield hit

    monkeypatch.setattr(ActionProvider, "search", late)
    monkeypatch.setattr(ActionProvider, "_run", lambda _self, action: done.append(action.id))
    async with open_app(("first fact",)) as driver:
        await driver.pilot.press("ctrl+p")
        await driver.until(lambda: isinstance(driver.app.screen, Palette), "the palette")
        await driver.settle()
        burst(driver, *"re-read", "enter")
        await driver.until(lambda: bool(done), "something is done")
        assert done == ["app.reread"]
