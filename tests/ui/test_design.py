"""The page of the design is true: its variables exist, there is one accent, and no colour comes from anywhere else."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from textual.theme import BUILTIN_THEMES
from textual.widgets import Input

import hermes_tui.ui
from hermes_tui.settings import SHIPPED_FOLDER
from hermes_tui.ui.themes import derived_variables, load_all, load_theme
from tests.every import every
from tests.ui.conftest import Open

UI = Path(hermes_tui.ui.__file__).parent
MODULES = sorted(UI.rglob("*.py"))
PAGE = (SHIPPED_FOLDER / "DESIGN.md").read_text(encoding="utf-8")
STOCK = BUILTIN_THEMES["textual-dark"].to_color_system().generate()
COLOR_RULES = re.compile(r"(?:^|-)(?:color|background|border(?:-\w+)?|tint)$")
BORDER_KINDS = {"round", "solid", "outer", "none", "hkey", "blank"}
NOT_A_COLOR = {*BORDER_KINDS, "transparent", "70%"}


def name_of(path: Path) -> str:
    return str(path.relative_to(UI))


def stylesheets() -> dict[str, str]:
    """Every stylesheet, those inside of modules too."""
    sheets = {name_of(path): path.read_text(encoding="utf-8") for path in UI.rglob("*.tcss")}
    for path in MODULES:
        for found in re.findall(
            r'DEFAULT_CSS = f?"(?:"")?(.*?)"(?:"")?\n', path.read_text(encoding="utf-8"), re.DOTALL
        ):
            sheets[name_of(path)] = sheets.get(name_of(path), "") + found.replace("{{", "{").replace("}}", "}")
    return {name: re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL) for name, sheet in sheets.items()}


def rules(sheet: str) -> list[tuple[str, str]]:
    """The names and values of a stylesheet."""
    return re.findall(r"(?:^|[{;])\s*([a-z-]+): ([^;{}]+);", sheet.replace("\n", " ").replace("; ", ";;"))


def test_the_stylesheets_are_found() -> None:
    """A check of nothing would always pass."""
    sheets = stylesheets()
    assert {"dialogs/dialogs.tcss", "memory/memory.tcss", "dialogs/text_pane.py", "widgets/footer.py"} <= set(sheets)
    assert ("border", "round $accent") in rules(sheets["dialogs/dialogs.tcss"])
    assert ("color", "$diff-add") in rules(sheets["dialogs/text_pane.py"])


def test_the_page_names_only_variables_that_exist() -> None:
    """Who writes a theme by it would set something that nothing is drawn with."""
    named = set(re.findall(r"`\$([a-z-]+)`", PAGE))
    assert named <= {*derived_variables(load_theme("hermes-dark")), *STOCK}
    assert len(named) > 25


def test_the_page_names_every_variable_that_is_used() -> None:
    """A variable that is explained nowhere is used for two things before long."""
    used = {name for sheet in stylesheets().values() for name in re.findall(r"\$([a-z-]+)", sheet)}
    ours = {name for name in derived_variables(load_theme("hermes-dark")) if name not in STOCK}
    named = set(re.findall(r"`\$([a-z-]+)`", PAGE))
    grounds = {name for name in used | ours if name.endswith("-background")}
    assert (used | ours) - grounds - named == set()
    assert {name.removesuffix("-background") for name in grounds} <= named


def test_there_is_one_accent() -> None:
    """A second one would compete for the eye with where the keys go."""
    for theme in load_all().themes:
        assert theme.accent == theme.primary, theme.name
        states = {theme.success, theme.warning, theme.error}
        assert len(states) == 3, theme.name
        assert theme.accent not in states, theme.name
    used = {name for sheet in stylesheets().values() for name in re.findall(r"\$([a-z-]+)", sheet)}
    assert not used & {"primary", "secondary"}


def test_no_stylesheet_has_a_colour_of_its_own() -> None:
    """It would stay the same in every theme, and be invisible in one."""
    for name, sheet in stylesheets().items():
        for rule, value in rules(sheet):
            if COLOR_RULES.search(rule):
                strange = [word for word in value.split() if not word.startswith("$") and word not in NOT_A_COLOR]
                assert strange == [], f"{name}: {rule}: {value}"


@every("path", {name_of(path): path for path in MODULES if path.name != "themes.py"})
def test_no_painter_has_a_colour_of_its_own(path: Path) -> None:
    """The same."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not re.fullmatch(r"#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?|rgba?\(.*\)|ansi_\w+", node.value), node.lineno
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Style":
            for keyword in node.keywords:
                if keyword.arg in ("color", "bgcolor"):
                    assert not isinstance(keyword.value, ast.Constant), node.lineno


@every("path", {name_of(path): path for path in MODULES})
def test_nothing_moves_by_itself(path: Path) -> None:
    """A list that glides is behind the key that moves it, and makes some people ill."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            assert name != "animate", node.lineno
            own = isinstance(node.func.value, ast.Attribute) and node.func.value.attr == "reel"
            if (
                re.fullmatch(
                    r"scroll_(to|home|end|up|down|left|right|page_\w+|relative|visible|to_widget|to_region)", name
                )
                and not own
            ):
                still = [each.value for each in node.keywords if each.arg == "animate"]
                assert [ast.unparse(value) for value in still] == ["False"], node.lineno
    sheet = stylesheets().get(name_of(path), "")
    assert "transition" not in sheet
    assert "blink" not in sheet


def test_nothing_pops_up_under_the_pointer() -> None:
    """A hint over the text would hide it, and read what is stored as markup."""
    for path in MODULES:
        assert "tooltip" not in path.read_text(encoding="utf-8").lower(), name_of(path)


def test_no_caret_blinks() -> None:
    """The eye goes to what moves, and the entry is elsewhere."""
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == Input.__name__ for base in node.bases):
                assert "self.cursor_blink = False" in ast.unparse(node), name_of(path)


async def test_the_row_with_the_cursor_has_a_bar_in_dialogs_too(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without colours a ground a shade darker is all that tells it from the others, and that is nothing."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with open_app(size=(80, 24)) as app:
        await app.press("ctrl+p")
        await app.until(lambda: "▌ Add" in app.shown(), "the first command is marked")
        await app.press("escape", "2", "g")
        marked = [row for row in app.rows() if "│ ▌" in row]
        assert len(marked) == 2, "a row of two lines"
        await app.press("j")
        assert [row for row in app.rows() if "│ ▌" in row] not in ([], marked)
