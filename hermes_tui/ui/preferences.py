"""What a person has set, taken up by the app: other keys, no motion, a theme."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hermes_tui import SCREENS
from hermes_tui.errors import HermesTuiError
from hermes_tui.text import short_path
from hermes_tui.ui.actions import use_keys

if TYPE_CHECKING:
    from hermes_tui.settings import Settings
    from hermes_tui.ui.app import HermesTuiApp


def first_screen(settings: Settings | None, last: str) -> str:
    """The screen to open: the one that is set, else the one that was up last, else Memory."""
    if settings is not None and (settings.origin("screen") != "default" or last not in SCREENS):
        return str(settings.get("screen"))
    return last if last in SCREENS else SCREENS[0]


def take_up(app: HermesTuiApp, settings: Settings | None) -> tuple[str, ...]:
    """Put settings into effect; a sentence for each that could not be used."""
    use_keys({})
    if settings is None:
        return ()
    if settings.get("reduced_motion"):
        app.animation_level = "none"
    if not settings.get("keys"):
        return settings.troubles
    from hermes_tui.ui.keymap import keymap_of  # loaded here: most people keep the keys

    keymap = keymap_of(settings)
    use_keys(keymap.keys)
    app.set_keymap({action: ",".join(keys) for action, keys in keymap.keys.items()})
    return (*settings.troubles, *keymap.troubles)


def wear(app: HermesTuiApp, name: str | None) -> tuple[str, ...]:
    """Read and put on one theme, the usual one where it cannot be read; the others wait until somebody looks."""
    from hermes_tui.ui.themes import default_theme_name, load_theme

    troubles: tuple[str, ...] = ()
    try:
        theme = load_theme(name or default_theme_name())
    except HermesTuiError as error:
        troubles = (str(error),)
        theme = load_theme(default_theme_name())
    app.register_theme(theme)
    app.theme = theme.name
    app.stylesheet.set_variables(app.get_css_variables())  # Textual would parse all in its own colours first
    return troubles


def keep_theme(app: HermesTuiApp, name: str) -> None:
    """A theme was chosen: the next start wears it too, unless something else decides over that."""
    if app.demo or not app.kept or app.read_only:
        app.say(f"Theme {name}, for this run.")
    elif app.theme_chosen_by:
        app.say(f"Theme {name}, for this run: {app.theme_chosen_by} decides at the start.")
    else:
        app.run_worker(_keep_theme(app, name), name="keep theme", exit_on_error=False)


async def _keep_theme(app: HermesTuiApp, name: str) -> None:
    from hermes_tui.settings import keep_setting  # loaded here: only a choice needs it

    try:
        file = await asyncio.to_thread(keep_setting, "theme", name)
    except HermesTuiError as error:
        app.say(f"Theme {name}, for this run. {error}", severity="warning", seconds=8)
    else:
        app.say(f"Theme {name}, kept in {short_path(file)}.")


def theme_chosen_by(settings: Settings | None) -> str:
    """What decides over the theme before the person's file does: a flag or a variable; empty for nothing."""
    origin = settings.origin("theme") if settings is not None else ""
    return origin if origin.startswith(("--", "HERMES_TUI_")) else ""


def say_troubles(app: HermesTuiApp, troubles: tuple[str, ...]) -> None:
    """Say what of the settings could not be used."""
    if troubles:
        more = f"\nand {len(troubles) - 1} more: hermes-tui doctor" if len(troubles) > 1 else ""
        app.say(troubles[0] + more, title="Settings", severity="warning", seconds=12)
