"""The rules of the house: who may import whom, and who may write what."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "hermes_tui"
MODULES = sorted(PACKAGE.rglob("*.py"))
DOMAIN = ("memory", "pending", "sessions", "history", "providers")
SCREEN_LIBRARIES = {"textual", "click"}
BELOW = {
    "memory": set(),
    "pending": {"memory"},
    "sessions": set(),
    "history": {"sessions", "memory"},
    "providers": {"sessions", "memory"},
}
"""The domain packages that each may reach; itself apart."""
MAX_LINES = 450


def name_of(path: Path) -> str:
    """A module's path inside the package: `memory/store.py`."""
    return path.relative_to(PACKAGE).as_posix()


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All that a file consists of; each is read once."""
    return tuple(ast.walk(ast.parse(path.read_text())))


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in it."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def each(paths: Sequence[Path]) -> Callable[[Callable[[Path], None]], Callable[[], None]]:
    """A test of every module at once: hundreds of tests of a millisecond each take half a minute."""

    def over(check: Callable[[Path], None]) -> Callable[[], None]:
        def test() -> None:
            for path in paths:
                try:
                    check(path)
                except AssertionError as error:
                    raise AssertionError(f"{name_of(path)}: {error}") from error

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        return test

    return over


def is_domain(path: Path) -> bool:
    """Whether a file belongs to what knows neither screen nor command line."""
    name = name_of(path)
    return name.split("/")[0] in (*DOMAIN, "config") or name in ("home.py", "text.py", "watch.py", "disk.py")


@each([path for path in MODULES if is_domain(path)])
def test_the_domain_knows_neither_the_screen_nor_the_command_line(path: Path) -> None:
    """Scripts would need Textual, and tests a terminal."""
    tops = {module.split(".")[0] for module in imports(path)}
    assert not tops & SCREEN_LIBRARIES
    inside = {module.split(".")[1] for module in imports(path) if module.startswith("hermes_tui.")}
    assert not inside & {"ui", "cli", "demo"}
    package = name_of(path).split("/")[0]
    if package in BELOW:
        assert inside & set(DOMAIN) <= BELOW[package] | {package}


@each([path for path in MODULES if name_of(path).startswith("ui/")])
def test_the_screen_touches_no_file_and_no_database(path: Path) -> None:
    """A view could change what it shows."""
    source = path.read_text()
    tops = {module.split(".")[0] for module in imports(path)}
    if "shutil.get_terminal_size" in source:
        tops -= {"shutil"}
    assert not tops & {"sqlite3", "apsw", "shutil", "tempfile", "click"}
    assert not re.search(r"shutil\.(?!get_terminal_size)", source)
    assert not re.search(r"(?<!keeper)(?<!self)\.(write_text|write_bytes|unlink|rename|mkdir|rmdir)\(", source)
    called = {node.func.id for node in nodes(path) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert "open" not in called


@each(MODULES)
def test_memory_files_and_queue_files_each_have_one_writer(path: Path) -> None:
    """Two places that write would follow two protocols."""
    writers = {"disk.py", "memory/store.py", "memory/journal.py"}
    name = name_of(path)
    if name in writers or name.startswith(("pending/", "sessions/upkeep/", "demo/")):
        return  # what upkeep writes beside state.db is ours: its steps, its copies, and files that it brings back
    from_disk = {
        alias.name
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and node.module == "hermes_tui.disk"
        for alias in node.names
    }
    if name in ("providers/fact_copies.py", "providers/honcho_edit.py", "providers/setup.py"):
        return  # what deleted facts leave is ours, and a provider's keys and settings are no files of memory
    if name in ("config/file_edit.py", "config/undo.py"):
        return  # the one writer of settings files, and what it keeps of our own to take that back
    if name in ("clipboard.py", "external_editor.py", "history/cache.py", "sitting.py", "views.py"):
        return  # these write files of their own outside the home
    assert not from_disk & {"replace_file", "append_line", "locked"}


@each(MODULES)
def test_a_module_has_one_noun_and_a_docstring(path: Path) -> None:
    """A file that grows past one idea is hard to find anything in."""
    source = path.read_text()
    module = nodes(path)[0]
    assert isinstance(module, ast.Module)
    assert ast.get_docstring(module), "says what it is for"
    assert source.count("\n") <= MAX_LINES


def test_the_top_level_holds_what_was_asked_for() -> None:
    """A newcomer would not find their way."""
    expected = {"pyproject.toml", "README.md", "hermes_tui", "tests", "themes", "screenshots"}
    allowed = expected | {"Makefile", "LICENSE", "CHANGELOG.md", ".ci", ".gitignore", ".git"}
    import subprocess

    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    tops = {line.split("/")[0] for line in listed.splitlines()} or {path.name for path in ROOT.iterdir()} & allowed
    assert expected <= tops | {path.name for path in ROOT.iterdir()}
    assert tops <= allowed


READER, WRITER = "sessions/database.py", "sessions/upkeep/writer.py"
LENT = {"sessions/failures.py", "sessions/bigrams.py", "sessions/scoring.py", "sessions/upkeep/trigrams.py"}
"""What knows SQLite's errors, and what is lent to it for its indexes."""


@each(MODULES)
def test_one_module_opens_state_db_to_read_and_one_to_write(path: Path) -> None:
    """A second one would forget to leave no trace, or keep the agent waiting; the demo makes its own."""
    name = name_of(path)
    if name.startswith("demo/"):
        return
    assert "sqlite3" not in imports(path)
    assert "apsw" not in set(imports(path)) or name in {READER, WRITER} | LENT
    source = path.read_text()
    assert "apsw.Connection(" not in source.replace('apsw.Connection(":memory:")', "") or name in (READER, WRITER)
    assert "OPEN_READWRITE" not in source or name == WRITER


CHANGING = ("INSERT ", "UPDATE ", "DELETE ", "REPLACE ", "ALTER ", "DROP ", "CREATE ", "VACUUM")


@each(MODULES)
def test_only_upkeep_changes_sessions(path: Path) -> None:
    """A change made elsewhere would be without its copy, and could not be taken back."""
    if name_of(path).startswith(("sessions/upkeep/", "demo/")) or name_of(path) == "providers/fact_deletion.py":
        return  # the latter changes facts, never sessions
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not node.value.lstrip().startswith(CHANGING)


@each([path for path in MODULES if name_of(path).startswith("ui/")])
def test_work_in_the_background_does_not_end_the_app(path: Path) -> None:
    """An error nobody foresaw would take the whole screen away, where a sentence would do."""
    for node in nodes(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "run_worker":
            given = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
            assert given.get("exit_on_error") == "False", f"{name_of(path)}:{node.lineno}"
