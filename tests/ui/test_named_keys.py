"""Sentences that name a key name the one that a person has given it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import hermes_tui
from hermes_tui.ui.actions import ACTIONS, BY_ID, key_for, key_name, use_keys, with_keys
from hermes_tui.ui.dialogs.help import Help
from hermes_tui.ui.memory.screen import MemoryScreen
from hermes_tui.ui.pending.detail_paper import WHAT_TO_DO
from hermes_tui.ui.pending.screen import PendingScreen
from hermes_tui.ui.sessions.screen import SessionsScreen
from hermes_tui.ui.timeline.screen import TimelineScreen
from tests.ui.conftest import Open
from tests.ui.pending_app import Queue, add
from tests.ui.sessions_app import Home, sessions_home, three

__all__ = ["sessions_home"]
PACKAGE = Path(hermes_tui.__file__).parent
USUAL = sorted({key_name(key) for action in ACTIONS for key in action.keys}, key=len, reverse=True)
DOES = (
    r"(?:again|here|would|is for|sends?"
    r"|[a-z]+(?:es|s) (?:it|them|the|all|a|which|that|one|back|what|on|over|to|again)\b|selects\.|shows?\b)"
)
LEADS = r"(?:^|[.;:,(–] |\n|\bpress |\bor |\bonly by |\bthat |\bwhat |\bthen )"
NAMED = re.compile(rf"{LEADS}({'|'.join(map(re.escape, USUAL))}) {DOES}")
"""A key of the table as it is named in a sentence: `u brings them back`, `press a again`, `; f changes that`."""
OWN_KEYS = {
    "ui/action_table.py": ("esc leads",),
    "ui/app.py": ("esc leads back to it",),
    "ui/dialogs/conflict.py": ("g saves this",),
    "ui/dialogs/deletion.py": ("y looks again",),
    "ui/dialogs/titles.py": ("y sends", "esc stops"),
    "ui/dialogs/views.py": ("s saves what is shown",),
    "ui/palette.py": ("enter keeps it", "esc brings"),
    "ui/pending/simulation.py": ("f selects",),
    "ui/touring.py": ("delete here",),
}
"""What dialogs say of their own keys, which no keymap changes."""


OTHER = {action.id: (f"K{number}K",) for number, action in enumerate(ACTIONS)}


@pytest.fixture(autouse=True)
def other_keys() -> Iterator[None]:
    """Every action has a key that no action has otherwise; tests that come later find the table as it is."""
    use_keys(OTHER)
    yield
    use_keys({})


def literals(path: Path) -> Iterator[str]:
    """Every text in a module that is not a docstring; those of an f-string as one, with ¤ for what is put in."""
    tree = ast.parse(path.read_text())
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "¤" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not {id(node)} & (inside | told):
            yield node.value


def test_no_sentence_of_the_program_names_a_key_by_itself() -> None:
    """Somebody with keys of their own would be told to press one that does something else."""
    for words in ("Deleted 2 entries – u brings them back", "None.\nesc clears the filter.", "hidden, H shows"):
        assert NAMED.search(words), words
    found = [
        f"{path.relative_to(PACKAGE)}: {text}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if "languages" not in path.parts and "demo" not in path.parts
        for text in literals(path)
        if NAMED.search(_without_own_keys(path, text))
    ]
    assert not found, "\n".join(found)


def _without_own_keys(path: Path, text: str) -> str:
    for words in OWN_KEYS.get(path.relative_to(PACKAGE).as_posix(), ()):
        text = text.replace(words, "")
    return text


def test_every_key_in_a_sentence_is_one_of_the_table_and_follows_the_keymap() -> None:
    """A slip in a name would stand on the screen in braces."""
    texts = [text for path in (PACKAGE / "ui").rglob("*.py") for text in literals(path)]
    named = {
        name
        for text in texts
        for name in re.findall(r"\{((?:app|memory|pending|sessions|settings|timeline|transcript)\.\w+)\}", text)
    }
    assert named <= set(BY_ID), named - set(BY_ID)
    assert with_keys("{memory.undo} brings it back") == f"{BY_ID['memory.undo'].key} brings it back"
    assert with_keys("a {brace} and {no.such} stay") == "a {brace} and {no.such} stay"
    assert all("{" not in with_keys(words) for words in WHAT_TO_DO.values())
    assert key_for("memory.edit", "enter") == BY_ID["memory.edit"].key, "enter does not edit any more"
    use_keys({})
    assert (key_for("memory.edit"), key_for("memory.edit", "enter")) == ("e", "enter")


async def test_nothing_that_is_drawn_names_a_key_that_was_changed(
    open_app: Open, queue: Queue, sessions_home: Home
) -> None:
    """Empty states, reasons, toasts and the help would name keys that do something else."""
    queue.put("11111111", add("first fact"), created_at=10.0)
    queue.put("22222222", {"action": "remove", "target": "memory", "old_text": "not there"}, created_at=20.0)
    three(sessions_home.world())
    seen: list[str] = []
    async with open_app(memory=None) as driver:
        use_keys(OTHER)  # the app begins with the keys of its settings

        def look() -> None:
            seen.extend(row.replace("│", "\n") for row in driver.rows())
            for screen in driver.app.main_screens:
                seen.extend(filter(None, map(screen.why_not, ACTIONS)))
            seen.extend(driver.toasts)

        driver.write(["one", "two"])
        await driver.until(lambda: len(driver.cards.shown) == 2)
        driver.path().unlink()
        await driver.until(lambda: not driver.cards.shown)
        await driver.pilot.pause()
        look()
        driver.write(["one", "two"])
        await driver.until(lambda: len(driver.cards.shown) == 2)
        for screen, kind in (("pending", PendingScreen), ("sessions", SessionsScreen), ("timeline", TimelineScreen)):
            await driver.app.screens.go_to(screen)

            def there(kind: type[object] = kind) -> bool:
                return any(isinstance(each, kind) for each in driver.app.main_screens)

            await driver.until(there)
            await driver.settle()
            look()
        await driver.app.screens.go_to("sessions")
        sessions = driver.app.screens.sessions[0]
        await driver.until(lambda: sessions.reader.complete)
        for text in ("zzqx", "source:none", ""):
            sessions.box.put(text)
            await driver.pilot.pause(0.3)
            look()
        await driver.app.screens.go_to("memory")
        await driver.settle()
        memory = driver.app.screens.memory[0]
        assert isinstance(memory, MemoryScreen)
        await memory.action_perform("memory.remove")
        await driver.settle()
        look()
        paper = Help(ACTIONS, why_not=memory.why_not).paper(100).text
    text = "\n".join([*seen, paper])
    assert not (named := NAMED.search(text)), text[max(0, named.start() - 60) : named.end() + 40] if named else ""
    for action, words in (
        ("memory.add", "adds the first entry"),
        ("memory.undo", "brings it back"),
        ("pending.unfold", ""),
        ("sessions.back", "clears the search"),
        ("sessions.narrow", "changes it"),
    ):
        assert f"{BY_ID[action].key} {words}".strip() in text, action
