"""The palette: the same table as the keys, and the themes."""

from __future__ import annotations

from textual.app import App
from textual.command import CommandPalette
from textual.content import Content
from textual.screen import Screen

from hermes_tui.ui.actions import Action, actions_for
from hermes_tui.ui.palette import ActionProvider


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


THEMES = [f"Theme: {name}" for name in ("colour-blind", "hermes-dark", "hermes-light", "high-contrast", "terminal")]


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
