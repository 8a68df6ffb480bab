"""Themes: legible in every terminal, quick to load, and clear about what is wrong with a file."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.color import Color as RichColor
from rich.color import ColorSystem
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from hermes_tui.errors import NotFound, Unreadable
from hermes_tui.settings import SHIPPED_FOLDER, load_settings, theme_names
from hermes_tui.ui import themes
from hermes_tui.ui.preferences import keep_theme, theme_chosen_by
from hermes_tui.ui.themes import default_theme_name, derived_variables, load_all, load_theme
from tests.ui.conftest import Open

SHIPPED = (
    *("colour-blind", "hermes-dark", "hermes-ember", "hermes-light", "hermes-paper"),
    *("high-contrast", "terminal"),
)
TRUE_COLOR = tuple(name for name in SHIPPED if name != "terminal")
GROUNDS = ("background", "surface", "panel", "card-background-focus")
WORDS = (
    *("foreground", "text", "text-muted", "text-disabled", "primary", "secondary", "accent"),
    *("success", "warning", "error", "text-primary", "text-success", "text-warning", "text-error"),
    *("usage-hint", "usage-alert", "usage-over", "card-border-focus", "match"),
)
MARKED = (
    *("badge-error", "badge-warning", "badge-info", "badge-success"),
    *("diff-add", "diff-del", "finding", "match"),
)


def resolved(theme: Theme) -> dict[str, str]:
    return {**theme.to_color_system().generate(), **theme.variables}


def text_pairs(theme: Theme) -> list[tuple[str, Color, Color]]:
    """Every text colour with every ground it is drawn on."""
    values = resolved(theme)
    names = [(word, ground) for word in WORDS for ground in GROUNDS]
    names += [(mark, f"{mark}-background") for mark in MARKED]
    names += [("foreground", f"{mark}-background") for mark in MARKED]
    names += [
        ("block-cursor-foreground", "block-cursor-background"),
        # Reversed: the tab that is shown, an answer with the focus, the hit one stands on.
        *(("background", "accent"), ("surface", "accent"), ("panel", "accent"), ("panel", "error")),
        ("match-background", "match"),
        # A bar says how much of its track it fills.
        *((f"usage-{level}", "usage-track") for level in ("hint", "alert", "over", "ok")),
        ("footer-key-foreground", "panel"),
        ("footer-description-foreground", "panel"),
    ]
    return [(f"{fg} on {bg}", Color.parse(values[fg]), Color.parse(values[bg])) for fg, bg in names]


def luminance(color: Color) -> float:
    """Relative luminance as WCAG 2 defines it."""

    def linear(channel: int) -> float:
        share = channel / 255
        return share / 12.92 if share <= 0.03928 else float(((share + 0.055) / 1.055) ** 2.4)

    return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b)


def contrast(one: Color, other: Color) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_the_contrast_formula_is_the_standard_one() -> None:
    assert contrast(Color.parse("#000"), Color.parse("#fff")) == pytest.approx(21)
    assert contrast(Color.parse("#777"), Color.parse("#fff")) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", TRUE_COLOR)
def test_every_text_can_be_read_on_its_ground(name: str) -> None:
    """Grey on grey is how a badge or a disabled key goes unseen."""
    needed = 7.0 if name == "high-contrast" else 4.5
    weak = {
        pair: round(contrast(text, ground), 2)
        for pair, text, ground in text_pairs(load_theme(name))
        if contrast(text, ground) < needed
    }
    assert weak == {}


@pytest.mark.parametrize("name", TRUE_COLOR)
def test_every_text_can_be_read_without_colour(name: str) -> None:
    """NO_COLOR turns colours into greys of their brightness; two of one brightness would vanish."""
    weak = {
        pair: round(contrast(text.monochrome, ground.monochrome), 2)
        for pair, text, ground in text_pairs(load_theme(name))
        if contrast(text.monochrome, ground.monochrome) < 4.0
    }
    assert weak == {}


@pytest.mark.parametrize("name", TRUE_COLOR)
@pytest.mark.parametrize("system", [ColorSystem.EIGHT_BIT, ColorSystem.STANDARD])
def test_no_text_melts_into_its_ground_with_fewer_colours(name: str, system: ColorSystem) -> None:
    """A terminal of 256 or 16 colours takes the nearest it has, which must not be the ground's."""

    def nearest(color: Color) -> RichColor:
        return RichColor.from_rgb(color.r, color.g, color.b).downgrade(system)

    same = [pair for pair, text, ground in text_pairs(load_theme(name)) if nearest(text) == nearest(ground)]
    assert same == []


def test_the_terminal_theme_uses_only_the_terminals_own_colours() -> None:
    """On an unknown palette only the terminal's own pairs are sure to be legible."""
    theme = load_theme("terminal")
    assert theme.ansi
    colours = {value for name, value in theme.variables.items() if not name.endswith("-style")}
    assert {value for value in colours if not value.startswith("ansi_")} == set()
    assert "underline" in theme.variables["block-cursor-text-style"]


@pytest.mark.parametrize(
    ("first", "second"), [("diff-add", "diff-del"), ("success", "error"), ("badge-success", "badge-error")]
)
def test_good_and_bad_differ_for_colour_blind_eyes(first: str, second: str) -> None:
    """With red and green alike, added and removed words still differ in the theme made for that."""
    values = resolved(load_theme("colour-blind"))
    one, other = Color.parse(values[first]), Color.parse(values[second])
    # Blue against yellow is the axis that red-green blindness leaves; b - (r+g)/2 measures it.
    assert abs((one.b - (one.r + one.g) / 2) - (other.b - (other.r + other.g) / 2)) > 100


def test_every_shipped_theme_loads_and_says_what_its_format_is() -> None:
    """A person makes a theme by copying one, so each explains itself."""
    loaded = load_all()
    assert tuple(sorted(theme.name for theme in loaded.themes)) == SHIPPED
    assert loaded.problems == ()
    for name in SHIPPED:
        text = (SHIPPED_FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
        assert text.startswith("# A theme of hermes-tui.")
        for variable in ("text-muted", "card-border", "usage-track", "badge-info", "diff-add", "match"):
            assert variable in text


def test_the_chosen_theme_loads_in_no_time() -> None:
    """The first frame waits for it."""
    load_theme("hermes-dark")
    times = []
    for _ in range(5):
        started = time.thread_time()
        load_theme("hermes-dark")
        times.append(time.thread_time() - started)
    assert min(times) < 0.003


def test_only_the_chosen_file_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty themes of one's own must not slow the start."""
    read: list[Path] = []
    original = themes.read_theme

    def noted(path: Path) -> Theme:
        read.append(path)
        return original(path)

    monkeypatch.setattr(themes, "read_theme", noted)
    load_theme("hermes-light")
    assert [path.name for path in read] == ["hermes-light.yaml"]


def test_a_shipped_theme_needs_no_search_for_the_configuration_directory() -> None:
    """Looking that up costs more than the theme itself."""
    code = (
        "import sys; from hermes_tui.ui.themes import load_theme; load_theme('hermes-dark');"
        " print('platformdirs' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.fixture
def own_themes(isolated_machine: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HERMES_TUI_CONFIG_DIR", str(isolated_machine / "config"))
    folder = isolated_machine / "config" / "themes"
    folder.mkdir(parents=True)
    return folder


def own_theme(folder: Path, name: str, change: tuple[str, str] = ("", "")) -> Path:
    text = (SHIPPED_FOLDER / "hermes-dark.yaml").read_text(encoding="utf-8")
    path = folder / f"{name}.yaml"
    path.write_text(text.replace("name: hermes-dark", f"name: {name}").replace(*change), encoding="utf-8")
    return path


def test_a_theme_of_ones_own_is_a_copy_in_the_configuration_directory(own_themes: Path) -> None:
    own_theme(own_themes, "mine", ('primary: "#8fb0ff"', 'primary: "#ff00ff"'))
    assert "mine" in theme_names()
    assert load_theme("mine").primary == "#ff00ff"
    assert load_theme("mine").variables["card-border-focus"] == "#ff00ff"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('error: "#f28b90"', ""), "colors.error is missing"),
        (('error: "#f28b90"', 'error: "reddish"'), "colors.error is 'reddish', which is no colour"),
        (('error: "#f28b90"', "error: #f28b90"), "a colour stands in quotes"),
        (('error: "#f28b90"', 'error: "#f28b90"\n  eror: "#fff"'), "unknown color 'eror'"),
        (("dark: true", "dark: maybe"), "dark and ansi are true or false"),
        (("dark: true", "drak: true"), "unknown key 'drak'"),
        (("name: broken", "name: other"), "name is 'other'"),
        (("colors:", "colors: ["), "line 22"),
        (('card-border: "#3a4152"', 'card-border: "#3"'), "variables.card-border"),
        (('card-border: "#3a4152"', 'card-boarder: "#3a4152"'), "'card-boarder'; did you mean 'card-border'"),
        (('card-border: "#3a4152"', 'focus-style: "blinking"'), "variables.focus-style is 'blinking'"),
    ],
)
def test_what_is_wrong_with_a_theme_is_named(own_themes: Path, change: tuple[str, str], words: str) -> None:
    """`Theme broken` alone would send a person looking through fifty lines."""
    path = own_theme(own_themes, "broken", change)
    with pytest.raises(Unreadable) as caught:
        load_theme("broken")
    assert words in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_broken_theme_costs_only_itself(own_themes: Path) -> None:
    own_theme(own_themes, "mine")
    (own_themes / "broken.yaml").write_bytes(b"\xff\xfe")
    (own_themes / "notes.txt").write_text("not a theme")
    loaded = load_all()
    assert {theme.name for theme in loaded.themes} == {*SHIPPED, "mine"}
    assert len(loaded.problems) == 1
    assert "broken.yaml" in loaded.problems[0]


def test_a_theme_called_like_another_is_told_of(own_themes: Path) -> None:
    """Its person would change colour after colour, and see none of it."""
    own_theme(own_themes, "mine")
    path = own_themes / "hermes-light.yaml"
    path.write_text((SHIPPED_FOLDER / "hermes-light.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    loaded = load_all()
    assert len(loaded.problems) == 1
    assert str(path) in loaded.problems[0]
    assert "a shipped one is called hermes-light too" in loaded.problems[0]


def test_a_wrong_name_gets_the_right_ones() -> None:
    with pytest.raises(NotFound) as caught:
        load_theme("hermes-drak")
    assert "Did you mean hermes-dark?" in str(caught.value)
    assert "high-contrast" in str(caught.value)


def test_a_name_is_not_a_path(own_themes: Path) -> None:
    """`--theme ../../x` must not read files elsewhere."""
    own_theme(own_themes.parent, "outside")
    with pytest.raises(NotFound):
        load_theme("../outside")


def test_a_plain_terminal_gets_its_own_colours() -> None:
    """On a Linux console a true-colour theme would be rounded to something nobody chose."""
    assert default_theme_name({"TERM": "linux"}) == "terminal"
    assert default_theme_name({"TERM": "xterm-256color"}) == "hermes-dark"
    assert default_theme_name({"TERM": "xterm", "COLORTERM": "truecolor"}) == "hermes-dark"


@pytest.mark.parametrize("name", sorted(BUILTIN_THEMES))
def test_a_theme_of_textual_gets_our_variables_too(name: str) -> None:
    """Otherwise picking it would leave the stylesheets with unknown names."""
    assert set(derived_variables(BUILTIN_THEMES[name])) >= {f"{mark}-background" for mark in MARKED}


async def test_a_theme_that_was_chosen_is_worn_at_the_next_start_and_the_file_stays_as_it_was(
    open_app: Open, isolated_machine: Path
) -> None:
    """One would choose it again every day, or find one's comments gone."""
    file = isolated_machine / ".config" / "hermes-tui" / "settings.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("# mine\nmouse: true\n")
    async with open_app() as driver:
        keep_theme(driver.app, "hermes-paper")
        await driver.until(lambda: "this run" in "".join(driver.toasts), "it is thrown away")
        driver.app.kept = True
        keep_theme(driver.app, "hermes-paper")
        await driver.until(lambda: "kept in" in "".join(driver.toasts), "it is kept")
        assert file.read_text() == "# mine\nmouse: true\ntheme: hermes-paper\n"
        file.write_text("theme: [oops\n")
        keep_theme(driver.app, "hermes-light")
        await driver.until(lambda: "does not parse" in "".join(driver.toasts), "it is said why not")
    assert file.read_text() == "theme: [oops\n"


@pytest.mark.parametrize(
    ("flags", "environ", "said"),
    [
        ({}, {}, ""),
        ({"theme": "hermes-dark"}, {}, "--theme"),
        ({}, {"HERMES_TUI_THEME": "hermes-dark"}, "HERMES_TUI_THEME"),
    ],
)
def test_what_decides_over_the_theme_at_the_start_is_named(
    flags: dict[str, str], environ: dict[str, str], said: str
) -> None:
    """A choice would be written, and not be seen at the next start."""
    assert theme_chosen_by(load_settings(flags, environ)) == said
