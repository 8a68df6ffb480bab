"""Themes: YAML files, shipped ones and a person's own, as Textual themes."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from textual.color import Color, ColorParseError
from textual.theme import Theme

from hermes_tui.errors import HermesTuiError, NotFound, Unreadable
from hermes_tui.settings import SHIPPED_FOLDER, config_dir, theme_files, theme_names
from hermes_tui.yaml_file import read_yaml

DEFAULT_THEME = "hermes-dark"
TERMINAL_THEME = "terminal"

COLOR_KEYS = (
    *("primary", "secondary", "accent"),
    *("background", "surface", "panel", "foreground"),
    *("success", "warning", "error"),
)
"""The ten colours a theme must give."""
_TEXTS = ("text-muted", "text-disabled")
_TOP_KEYS = ("name", "dark", "ansi", "colors", "variables")
STYLE_WORDS = frozenset({"bold", "dim", "italic", "underline", "reverse", "strike", "none", "not"})
"""What the variables that end in `-style` are made of."""
FORMAT_HINT = "The comment at the top of the shipped themes explains the format."
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")


class LoadedThemes(NamedTuple):
    """Every theme there is, and what is wrong with the files that are none."""

    themes: tuple[Theme, ...]
    problems: tuple[str, ...]


def default_theme_name(environ: Mapping[str, str] | None = None) -> str:
    """The theme for a terminal nobody chose one for: its own 16 colours when it has no more than these."""
    env = os.environ if environ is None else environ
    term = env.get("TERM", "").lower()
    many = env.get("COLORTERM", "").lower() in ("truecolor", "24bit") or term.endswith(
        ("256color", "direct", "kitty", "ghostty", "alacritty")
    )
    return DEFAULT_THEME if many or os.name == "nt" else TERMINAL_THEME


def user_folder(environ: Mapping[str, str] | None = None) -> Path:
    """Where a person keeps themes of their own."""
    return config_dir(environ) / "themes"


def load_theme(name: str) -> Theme:
    """The theme of that name; reads one file.

    Raises:
        NotFound: there is none.
        Unreadable: its file is no theme.
    """
    if _NAME.fullmatch(name):
        shipped = SHIPPED_FOLDER / f"{name}.yaml"
        if shipped.is_file():
            return read_theme(shipped)
        for path in theme_files(user_folder()):
            if path.stem == name:
                return read_theme(path)
    names = theme_names()
    from difflib import get_close_matches

    close = get_close_matches(name, names, 1)
    guess = f"Did you mean {close[0]}? " if close else ""
    raise NotFound(f"There is no theme {name!r}.", code="no_theme", hint=f"{guess}There are: {', '.join(names)}.")


def load_all() -> LoadedThemes:
    """Every shipped and own theme; a file that is none costs only itself."""
    themes: dict[str, Theme] = {}
    problems: list[str] = []
    for path in (*theme_files(SHIPPED_FOLDER), *theme_files(user_folder())):
        try:
            theme = read_theme(path)
        except HermesTuiError as error:
            problems.append(str(error))
            continue
        if theme.name in themes:
            other = "a shipped one" if (SHIPPED_FOLDER / f"{theme.name}.yaml").is_file() else "another file"
            problems.append(str(_bad(path, f"{other} is called {theme.name} too", hint="Give the file another name.")))
        themes.setdefault(theme.name, theme)
    return LoadedThemes(tuple(themes.values()), tuple(problems))


def read_theme(path: Path) -> Theme:
    """The theme in one file.

    Raises:
        Unreadable: it cannot be read, or something in it is not as the format says.
    """
    read = read_yaml(path)
    if read.state != "ok":
        raise _bad(path, read.problem.rstrip(".") or "there is no such file")
    return _theme_from(path, read.mapping)


def _bad(path: Path, reason: str, *, hint: str = FORMAT_HINT) -> Unreadable:
    return Unreadable(f"The theme {path} cannot be used: {reason}.", code="bad_theme", hint=hint)


def _theme_from(path: Path, loaded: Mapping[str, object]) -> Theme:
    if not loaded:
        raise _bad(path, "it holds no keys")
    for key in loaded:
        if key not in _TOP_KEYS:
            raise _bad(path, f"unknown key {key!r}")
    name = loaded.get("name")
    if name != path.stem:
        raise _bad(path, f"name is {name!r}, and the file is called {path.stem}")
    ansi, dark = loaded.get("ansi", False), loaded.get("dark", True)
    if not isinstance(ansi, bool) or not isinstance(dark, bool):
        raise _bad(path, "dark and ansi are true or false")
    colors = _mapping(path, loaded, "colors")
    for key in COLOR_KEYS:
        if key not in colors:
            raise _bad(path, f"colors.{key} is missing")
    for key, value in colors.items():
        if key not in COLOR_KEYS:
            raise _bad(path, f"unknown color {key!r}")
        _check_color(path, f"colors.{key}", value)
    variables = _mapping(path, loaded, "variables")
    theme = Theme(str(name), colors["primary"], dark=dark, ansi=ansi)
    for key in COLOR_KEYS:
        setattr(theme, key, colors[key])
    ours = derived_variables(theme)
    for key, value in variables.items():
        if key not in ours and key not in _TEXTS:
            _check_known(path, key, ours)
        if not key.endswith("-style"):
            _check_color(path, f"variables.{key}", value)
        elif not set(value.split()) <= STYLE_WORDS:
            raise _bad(path, f"variables.{key} is {value!r}; it is made of {', '.join(sorted(STYLE_WORDS))}")
    theme.variables = {**ours, **variables}
    return theme


def _check_known(path: Path, key: str, ours: Mapping[str, str]) -> None:
    """A variable that nothing is drawn with is most likely one with a letter wrong."""
    from textual.theme import BUILTIN_THEMES

    known = {*ours, *_TEXTS, *BUILTIN_THEMES["textual-dark"].to_color_system().generate()}
    if key not in known:
        from difflib import get_close_matches

        close = get_close_matches(key, known, 1)
        guess = f"; did you mean {close[0]!r}" if close else ""
        raise _bad(path, f"nothing is drawn with a variable {key!r}{guess}")


def _mapping(path: Path, loaded: Mapping[str, object], key: str) -> dict[str, str]:
    found = loaded.get(key) or {}
    if not isinstance(found, dict):
        raise _bad(path, f"{key} is not a list of names and colours")
    return {str(name): str(value) for name, value in found.items()}


def _check_color(path: Path, where: str, value: str) -> None:
    if value == "None":
        raise _bad(path, f'{where} has no value; a colour stands in quotes, as in "#8fb0ff"')
    try:
        Color.parse(value.split(" ")[0] if value.startswith("auto") else value)
    except ColorParseError as error:
        raise _bad(path, f"{where} is {value!r}, which is no colour") from error


def derived_variables(theme: Theme) -> dict[str, str]:
    """Our own variables, mixed from a theme's ten colours; also for themes that are not ours."""
    tones = {
        "error": theme.error or theme.primary,
        "warning": theme.warning or theme.primary,
        "info": theme.primary,
        "success": theme.success or theme.primary,
    }
    ground = theme.surface or ("#1e1e1e" if theme.dark else "#f5f5f5")
    text = theme.foreground or ("#e0e0e0" if theme.dark else "#1f1f1f")

    def mixed(color: str, share: float) -> str:
        return "ansi_default" if theme.ansi else Color.parse(ground).blend(Color.parse(color), share).hex

    variables = {
        "card-border": mixed(text, 0.2),
        "card-border-focus": theme.primary,
        "card-background-focus": mixed(theme.primary, 0.09),
        "usage-ok": theme.primary,
        "usage-hint": tones["warning"],
        "usage-alert": tones["error"],
        "usage-over": tones["error"],
        "usage-track": "ansi_bright_black" if theme.ansi else mixed(text, 0.16),
        "border": theme.primary,
        "border-blurred": "ansi_bright_black" if theme.ansi else mixed(text, 0.25),
        "block-cursor-background": theme.primary,
        "block-cursor-foreground": ground,
        "focus-style": "bold underline" if theme.ansi else "bold",
        "footer-key-foreground": theme.primary,
        "scrollbar": "ansi_bright_black" if theme.ansi else mixed(text, 0.25),
        "scrollbar-hover": theme.primary,
        "scrollbar-active": theme.primary,
        **{f"scrollbar-background{state}": mixed(ground, 0) for state in ("", "-hover", "-active")},
        "scrollbar-corner-color": mixed(ground, 0),
    }
    marks = {
        **{f"badge-{name}": (color, 0.14) for name, color in tones.items()},
        "diff-add": (tones["success"], 0.16),
        "diff-del": (tones["error"], 0.16),
        "finding": (tones["error"], 0.16),
        "match": (tones["warning"], 0.2),
    }
    for name, (color, share) in marks.items():
        variables[name] = color
        variables[f"{name}-background"] = mixed(color, share)
    for name in ("success", "warning", "error", "primary", "accent"):
        variables[f"text-{name}"] = getattr(theme, name) or theme.primary
    if theme.foreground:
        variables["text"] = theme.foreground
    if theme.ansi:
        variables |= {
            # Bold black is grey in many terminals; the line is what is left of the cursor under NO_COLOR.
            "block-cursor-foreground": "ansi_black",
            "block-cursor-text-style": "underline",
            "text-muted": "ansi_default",
            "text-disabled": "ansi_bright_black",
            # Textual's own stylesheet asks for these, and gives them to other themes only.
            "ansi-background": "ansi_default",
            "ansi-foreground": "ansi_default",
        }
    return variables
