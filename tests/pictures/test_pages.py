"""The pages beside the pictures tell the truth: their keys are those of the screens, and their pictures are there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_tui.ui.actions import EVERYWHERE, actions_for, key_name
from tests.pictures.shots import BY_NAME, FOLDER

PAGES = sorted(FOLDER.glob("*.md"))
UI = FOLDER.parent / "hermes_tui" / "ui"
KEY = re.compile(r"(ctrl\+\S|shift\+\S+|f\d+|enter|esc|tab|space|delete|home|end|pgup|pgdn|\S)( .+)?")
"""How a page names a key: alone, or followed by the word that the screen shows beside it."""

KEYS_IN_TEXT_BOXES = frozenset({"tab", "enter"})
"""What a search box takes, whatever screen it is on."""


def texts(node: ast.expr, named: dict[str, set[str]]) -> set[str]:
    """The texts that an expression may be, with those of the names in it."""
    if isinstance(node, ast.IfExp):
        return texts(node.body, named) | texts(node.orelse, named)
    if isinstance(node, ast.Name):
        return named.get(node.id, set())
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def dialog_keys() -> Iterator[str]:
    """Every key of a dialog with its word, as its bar shows them."""
    for file in UI.rglob("*.py"):
        tree, named = ast.parse(file.read_text()), dict[str, set[str]]()
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                named.setdefault(node.targets[0].id, set()).update(texts(node.value, {}))
        for node in ast.walk(tree):
            pair = node.args if isinstance(node, ast.Call) else node.elts if isinstance(node, ast.Tuple) else []
            if len(pair) >= 2:
                yield from (f"{key} {word}" for key in texts(pair[0], {}) for word in texts(pair[1], named))


def keys_named(page: str) -> set[str]:
    """The keys that a page names."""
    spans = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", page)
    return {span for span in spans if KEY.fullmatch(span)}


def wrong_keys(page: str) -> set[str]:
    """What a page names as a key that its screens do not have, or call otherwise."""
    named = re.match(r"<!-- screens: ([a-z ]+) -->", page)
    assert named, "its first line names its screens"
    actions = [action for screen in [*named.group(1).split(), EVERYWHERE] for action in actions_for(screen)]
    alone = {key_name(key) for action in actions for key in action.keys} | KEYS_IN_TEXT_BOXES
    worded = {f"{key_name(key)} {action.label}" for action in actions for key in action.keys}
    return keys_named(page) - alone - worded - set(dialog_keys())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_names_keys_that_its_screen_has(page: Path) -> None:
    """Somebody would press a key that does something else, or nothing."""
    assert not wrong_keys(page.read_text())


@pytest.mark.parametrize("wrong", ["Z", "Q Quit", "a Approve", "ctrl+y Save", "f9 Rewrite"])
def test_a_key_that_a_screen_does_not_have_is_noticed(wrong: str) -> None:
    """A page could name any key."""
    assert wrong_keys(f"<!-- screens: memory -->\nPress `{wrong}`, or `e Edit`.") == {wrong}


def test_every_page_is_found_from_the_readme_and_shows_its_screen() -> None:
    """A page nobody finds, or one without its picture, or a picture that nothing makes."""
    readme = (FOLDER.parent / "README.md").read_text()
    assert PAGES
    for page in PAGES:
        assert f"](screenshots/{page.name})" in readme
        links = re.findall(r"\]\(([^)#:]+)\)", page.read_text())
        assert any(link.endswith(".png") for link in links)
        assert all((FOLDER / link).is_file() for link in links), page.name


def test_the_folder_holds_what_is_made_and_nothing_else() -> None:
    """A picture of a screen as it was long ago would stay beside the others."""
    made = {f"{name}.{kind}" for name in BY_NAME for kind in ("svg", "png")} | {"tour.gif"}
    assert {path.name for path in FOLDER.iterdir()} == made | {page.name for page in PAGES}
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 6_000_000
