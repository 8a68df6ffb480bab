"""The command palette: every action of the table, and the themes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from rich.align import Align
from rich.text import Text
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.visual import Visual
from textual.widgets import Input
from textual.widgets.option_list import Option
from textual.worker import WorkerError

from hermes_tui.text import one_line
from hermes_tui.ui.actions import ACTIONS, EVERYWHERE, Action
from hermes_tui.ui.dialogs.backdrop import backdrop
from hermes_tui.ui.dialogs.option_rows import marked
from hermes_tui.ui.drawing import Drawn
from hermes_tui.ui.theme_preview import ThemePreview, UseTheme
from hermes_tui.ui.themes import load_all
from hermes_tui.ui.widgets.ink import Inked

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.css.styles import RulesMap
    from textual.strip import Strip
    from textual.style import Style
    from textual.visual import RenderOptions, VisualType
    from textual.worker import Worker

FILL_SECONDS = 0.25
"""The palette is shown with what is in it, unless that takes longer."""
QUOTED_CELLS = 24
"""How much is repeated of what was looked for."""
_THEME_HELP = "Seen at once; enter keeps it, esc brings the old one back."


@runtime_checkable
class ActionHost(Protocol):
    """A screen that runs actions of the table."""

    def why_not(self, action: Action) -> str | None:
        """Why an action makes no sense now; None when it does."""

    async def action_perform(self, action_id: str) -> None:
        """Run an action, or say why not."""


@runtime_checkable
class LabelHost(Protocol):
    """A screen on which some actions are called by what they would do now."""

    def label_of(self, action: Action) -> str:
        """The label, in a word or two."""


class Measured(Visual):
    """The words of a command; lines that fit are counted, not broken to see how many come of it."""

    def __init__(self, words: Content) -> None:
        self._words = words
        lines = words.split("\n")
        self._lines = len(lines)
        self._cells = max(line.cell_length for line in lines)

    def get_height(self, rules: RulesMap, width: int) -> int:
        """The rows that the words take."""
        return self._lines if self._cells <= width else self._words.get_height(rules, width)

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        """As wide as they are."""
        return self._words.get_optimal_width(rules, container_width)

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        """The words themselves."""
        return self._words.render_strips(width, height, style, options)


class Commands(Inked, CommandList):
    """The actions that were found, with a bar at the one that enter does."""

    def _get_visual(self, option: Option) -> Visual:
        if option._visual is None:
            visual = super()._get_visual(option)
            option._visual = Measured(visual) if isinstance(visual, Content) else visual
        return option._visual

    def render_line(self, y: int) -> Strip:
        """One row of a command."""
        return marked(self, super().render_line(y), self._inks, here=True)


class Palette(Drawn, CommandPalette):
    """The palette, over a screen that is dimmed as under every dialog."""

    _gathering: Worker[Any] | None = None

    @property
    def chosen(self) -> bool:
        """Whether something is to be done."""
        return self._selected_command is not None

    def compose(self) -> ComposeResult:
        """What it consists of, with a list of our own."""
        for part in super().compose():
            yield Commands() if isinstance(part, CommandList) else part

    def _gather_commands(self, search_value: str) -> Worker[Any]:
        """Look for commands."""
        self._gathering = super()._gather_commands(search_value)
        return self._gathering

    def _start_no_matches_countdown(self, search_value: str) -> None:
        """Say that nothing was found; it is known now, and half a second of no list would look like a fault."""
        if search_value:
            found_none = f"Nothing was found for “{one_line(search_value, QUOTED_CELLS)}”.\nFewer letters find more."
            words = Align.center(Text(found_none, "not bold", justify="center"))
            self.query_one(CommandList).add_option(Option(words, disabled=True))
            self._list_visible = True

    def _action_command_list(self, action: str) -> None:
        """Do something with the list; what is chosen is chosen from what fits all that was typed by then."""
        if action == "select" and self._gathering is not None and not self._gathering.is_finished:
            self.run_worker(
                self._choose_when_found(self._gathering), group="choose", exclusive=True, exit_on_error=False
            )
        else:
            super()._action_command_list(action)

    async def _choose_when_found(self, gathering: Worker[Any]) -> None:
        with suppress(WorkerError):  # something else is typed meanwhile, and nothing is chosen
            await gathering.wait()
            if self._list_visible and self.query_one(CommandList).highlighted is not None:
                super()._action_command_list("select")

    async def filled(self) -> None:
        """Wait for the commands, but not for long."""
        if self._gathering is not None:
            with suppress(TimeoutError, WorkerError):
                await asyncio.wait_for(asyncio.shield(self._gathering.wait()), FILL_SECONDS)

    def render(self) -> VisualType:  # type: ignore[override]
        """The screen below, dimmed."""
        return backdrop(super().render())


class ActionProvider(Provider):
    """Offers what works on the screen below the palette; what makes no sense now is greyed and says why."""

    async def startup(self) -> None:
        """Read the themes: only who opens the palette pays for them."""
        loaded = load_all()
        for theme in loaded.themes:
            if self.app.get_theme(theme.name) is None:
                self.app.register_theme(theme)
        self._themes = tuple(theme.name for theme in loaded.themes)
        for problem in loaded.problems:
            self.app.notify(problem, severity="warning", timeout=8, markup=False)
        self._preview = ThemePreview(self.app, self._theme_kept)
        if isinstance(palette := self.app.screen, CommandPalette):
            self._preview.follow(palette)
            palette.query_one(Input).cursor_blink = False

    def _theme_kept(self, name: str) -> None:
        from hermes_tui.ui.app import HermesTuiApp
        from hermes_tui.ui.preferences import keep_theme

        if isinstance(self.app, HermesTuiApp):
            keep_theme(self.app, name)

    async def shutdown(self) -> None:
        """Take a theme off that was only tried on; after the command that may keep it."""
        self.app.call_later(self._preview.leave)

    async def discover(self) -> Hits:
        """Everything, in the order of the table."""
        for action in self._actions():
            reason = self._why_not(action)
            yield DiscoveryHit(
                _label(Content(self._label_of(action)), action, reason),
                partial(self._run, action),
                self._label_of(action),
                _help(action, reason),
            )
        for name in self._themes:
            yield DiscoveryHit(f"Theme: {name}", UseTheme(self._preview, name), help=_THEME_HELP)

    async def search(self, query: str) -> Hits:
        """What the typed letters fit, by label, id or sentence."""
        matcher = self.matcher(query)
        for action in self._actions():
            name = self._label_of(action)
            score = max(
                matcher.match(name),
                matcher.match(action.label) * 0.9,
                matcher.match(action.id),
                matcher.match(action.help) * 0.6,
            )
            if score > 0:
                reason = self._why_not(action)
                label = _label(matcher.highlight(name), action, reason)
                # What cannot be done now comes after everything that can.
                yield Hit(
                    score * (0.4 if reason else 1.0),
                    label,
                    partial(self._run, action),
                    name,
                    _help(action, reason),
                )
        for name in self._themes:
            score = matcher.match(f"Theme: {name}")
            if score > 0:
                shown = matcher.highlight(f"Theme: {name}")
                yield Hit(score * 0.8, shown, UseTheme(self._preview, name), help=_THEME_HELP)

    def _actions(self) -> list[Action]:
        """What works here: the screen's own actions and those that work everywhere, but not opening this again."""
        name = self.screen.name if isinstance(self.screen, ActionHost) else None
        return [action for action in ACTIONS if action.screen in (name, EVERYWHERE) and action.id != "app.palette"]

    def _why_not(self, action: Action) -> str | None:
        screen = self.screen
        return screen.why_not(action) if isinstance(screen, ActionHost) else None

    def _label_of(self, action: Action) -> str:
        screen = self.screen
        return screen.label_of(action) if isinstance(screen, LabelHost) and action.screen else action.label

    async def _run(self, action: Action) -> None:
        host = self.app if action.screen == EVERYWHERE else self.screen
        await host.run_action(f"perform({action.id!r})")


def _label(label: Content, action: Action, reason: str | None) -> Content:
    words = Content.assemble(label, (f"  {action.all_keys}", "$text-muted"))
    return words.stylize("$text-disabled") if reason else words


def _help(action: Action, reason: str | None) -> str:
    return f"Not now: {reason}" if reason else action.help
