"""The checks of `doctor`: each looks at one thing, changes nothing, and says ok, warn or problem in a sentence."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermes_tui.config import HermesConfig, load_config
from hermes_tui.errors import Unreadable
from hermes_tui.home import HermesHome, data_dir
from hermes_tui.memory.entries import FILE_NAMES, STORES
from hermes_tui.memory.journal import Journal
from hermes_tui.memory.view import StoreView, view_store
from hermes_tui.pending.queue import SUBSYSTEMS, count_pending
from hermes_tui.text import plural

Status = Literal["ok", "warn", "problem"]

SMALLEST_SCREEN = (60, 15)
"""Columns and rows below which the screen cannot show all of itself."""
CLIPBOARD_TOOLS = {"wl-copy": "WAYLAND_DISPLAY", "xclip": "DISPLAY", "xsel": "DISPLAY", "pbcopy": "darwin"}
"""Each tool with the variable or the system it needs."""
OPEN_TO_OTHERS = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at."""

    id: str
    status: Status
    message: str
    hint: str = ""
    """What to do; empty when nothing is to do."""


def all_checks(home: HermesHome) -> list[Check]:
    """Every check that makes sense for `home`, in reading order."""
    checks = [_home(home)]
    if home.exists:
        config = load_config(home)
        views = [view_store(home, config, store) for store in STORES]
        checks += _folders(home)
        checks += _config(config)
        for view in views:
            checks += _store(view)
        checks += _leftovers(home)
        checks += _pending(home, config)
        checks += _sessions(home)
        checks += _own_data(home)
    return [*checks, *_terminal()]


def _home(home: HermesHome) -> Check:
    chosen = f"{home.path} (profile {home.profile}, chosen by {home.chosen_by})"
    if not home.exists:
        hint = "Name one with --home DIR, or look around with `hermes-tui --demo`."
        return Check("home", "problem", f"There is no Hermes home at {chosen}.", hint)
    if home.note:
        return Check("home", "warn", f"{chosen}: {home.note}")
    return Check("home", "ok", chosen)


def _folders(home: HermesHome) -> Iterator[Check]:
    for path in (home.path, home.memories):
        try:
            mode = path.stat().st_mode
        except FileNotFoundError:
            continue
        except OSError as error:
            hint = "Give yourself access to the folders above it."
            yield Check("folder", "problem", f"{path} cannot be looked at: {error.strerror}.", hint)
            continue
        if not stat.S_ISDIR(mode):
            yield Check("folder", "problem", f"{path} is not a directory.", "Move it away.")
        elif not os.access(path, os.R_OK | os.X_OK):
            yield Check("folder", "problem", f"{path} is closed to you.", f"chmod u+rwx {path}")
        elif not os.access(path, os.W_OK):
            hint = "Looking works, changing does not; chmod u+w, or mount it writable."
            yield Check("folder", "warn", f"{path} is read-only.", hint)
        elif mode & OPEN_TO_OTHERS:
            yield Check("folder", "warn", f"{path} is open to other users ({_octal(mode)}).", f"chmod 700 {path}")
        else:
            yield Check("folder", "ok", f"{path} is yours alone ({_octal(mode)}).")


def _config(config: HermesConfig) -> Iterator[Check]:
    if config.state == "missing":
        yield Check("config", "ok", f"There is no {config.path.name}; the agent's defaults apply.")
    elif config.problem:
        hint = "Repair it by hand; nothing here ever writes to it."
        yield Check("config", "problem", config.problem, hint)
    else:
        gate = "on" if config.write_approval else "off"
        yield Check("config", "ok", f"{config.path.name} reads well; write approval is {gate}.")
    for note in config.notes:
        value = f" ({note.value})" if note.value else ""
        yield Check("config", "warn", f"{note.key}{value}: {note.message}")


def _store(view: StoreView) -> Iterator[Check]:
    name = view.file_name
    if view.state == "missing":
        yield Check(view.store, "ok", f"There is no {name} yet.")
        return
    if view.problem:
        bad = view.state in ("unreadable", "invalid_utf8")
        yield Check(view.store, "problem" if bad else "warn", view.problem, view.hint)
    if view.usage.over:
        hint = "Shorten, merge or remove entries; until then the agent cannot add anything."
        yield Check(view.store, "warn", f"{name} is over its limit: {view.usage.label}.", hint)
    elif view.state == "ok":
        count = plural(len(view.entries), "entry", "entries")
        yield Check(view.store, "ok", f"{name}: {count}, {view.usage.label}.")
    if not view.enabled:
        yield Check(view.store, "warn", f"{name} is off in config.yaml: the agent does not read it.")
    for entry in view.entries:
        if entry.findings:
            ids = ", ".join(dict.fromkeys(finding.id for finding in entry.findings))
            who = "0.19 agents" if all(finding.newer_pass for finding in entry.findings) else "the agent"
            message = f"Entry {entry.index} of {name} is hidden from {who}: {ids}."
            hint = f"`hermes-tui memory scan --store {view.store}` shows where; reword or remove it."
            yield Check(view.store, "warn", message, hint)
        if entry.duplicate_of is not None:
            message = f"Entry {entry.index} of {name} repeats entry {entry.duplicate_of}."
            hint = "The agent drops it at its next write; remove it to be sure which one stays."
            yield Check(view.store, "warn", message, hint)
    yield from _file_mode(view)


def _file_mode(view: StoreView) -> Iterator[Check]:
    try:
        status = view.path.stat()
    except OSError:
        return
    if stat.S_ISREG(status.st_mode) and status.st_mode & OPEN_TO_OTHERS:
        message = f"{view.file_name} is open to other users ({_octal(status.st_mode)})."
        yield Check(view.store, "warn", message, f"chmod 600 {view.target}")
    if view.path.is_symlink():
        yield Check(view.store, "ok", f"{view.file_name} is a link to {view.target}; writes go there.")


def _leftovers(home: HermesHome) -> Iterator[Check]:
    names = _names(home.memories)
    if names is None:
        return  # said above
    temps = [name for name in names if name.startswith(".mem_") and name.endswith(".tmp")]
    if temps:
        message = f"{plural(len(temps), 'temp file')} in {home.memories}, oldest {_age(home.memories / temps[0])}."
        hint = "A write is going on, or one was cut off; delete those that are older than a minute."
        yield Check("leftovers", "warn", message, hint)
    backups = [name for name in names if any(name.startswith(f"{file}.bak.") for file in FILE_NAMES.values())]
    if backups:
        message = f"{plural(len(backups), 'backup')} that the agent made of a file it refused to touch."
        yield Check(
            "leftovers", "warn", message, f"Look whether {backups[-1]} holds anything you miss, then delete it."
        )
    for store in STORES:
        yield from _lock(home.memories / f"{FILE_NAMES[store]}.lock")
    if not temps and not backups:
        yield Check("leftovers", "ok", "No temp files or backups left behind; lock files are meant to stay.")


def _names(folder: Path) -> list[str] | None:
    """What is in a folder; None when it may not be looked into."""
    try:
        return sorted(path.name for path in folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError:
        return None


def _lock(path: Path) -> Iterator[Check]:
    try:
        mode = path.lstat().st_mode
    except OSError:
        return
    if not stat.S_ISREG(mode):
        yield Check("lock", "problem", f"{path} is not a plain file, so no agent can lock it.", "Move it away.")
    elif _is_held(path):
        message = f"{path.name} is held by another process right now."
        yield Check("lock", "warn", message, "An agent is writing; if it stays so, look for one that hangs.")


def _is_held(path: Path) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        return False
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(handle)
    return False


def _pending(home: HermesHome, config: HermesConfig) -> Iterator[Check]:
    for subsystem in SUBSYSTEMS:
        folder = home.pending(subsystem)
        names = _names(folder)
        if names is None:
            yield Check("pending", "problem", f"{folder} cannot be looked into.", f"chmod u+rx {folder}")
            return
        stray = [name for name in names if name.endswith(".tmp")]
        if stray:
            message = f"{plural(len(stray), 'temp file')} in {folder}: a queued write was cut off."
            yield Check("pending", "warn", message, f"Delete {stray[0]} if no agent is running.")
    waiting = count_pending(home)
    words = f"{plural(waiting.total, 'write')} waiting for approval (memory {waiting.memory}, skills {waiting.skills})."
    if waiting.memory and not config.write_approval:
        hint = "New writes go through now, but these still wait for you."
        yield Check("pending", "warn", f"{words} Write approval is off meanwhile.", hint)
    else:
        yield Check("pending", "ok", words)


def _sessions(home: HermesHome) -> Iterator[Check]:
    from hermes_tui.sessions.checkup import check_up, index_words

    found = check_up(home.state_db, whole_list=True)
    if found.state == "missing":
        yield Check("sessions", "ok", "There are no sessions yet; the agent makes state.db when it starts.")
        return
    if found.features is None:
        yield Check("sessions", "warn" if found.state == "locked" else "problem", found.problem, found.hint)
        return
    schema = found.features.schema_version
    said = [
        plural(found.sessions, "session"),
        f"schema {'unknown' if schema is None else schema}",
        f"journal {found.journal}",
        index_words(found.features),
    ]
    yield Check("sessions", "ok", f"state.db can be listed: {', '.join(said)}.")
    if found.problem:
        yield Check("sessions", "problem", found.problem, found.hint)
    for sentence in found.features.missing:
        broken = "damaged" in sentence or "out of date" in sentence
        yield Check("sessions", "warn" if broken else "ok", sentence)
    if found.unindexed:
        message = f"{plural(found.unindexed, 'message')} not in the search index yet; they are found by a plain scan."
        yield Check("sessions", "ok", message)


def _own_data(home: HermesHome) -> Iterator[Check]:
    folder = data_dir(home.path)
    existing = next(path for path in (folder, *folder.parents) if os.path.lexists(path))
    if not os.access(existing, os.W_OK | os.X_OK) or existing.is_file():
        hint = "Changes cannot be made without a journal; point HERMES_TUI_STATE_DIR at a place you can write to."
        yield Check("our data", "problem", f"{existing} cannot be written to.", hint)
    else:
        yield from _journal(folder)


def _journal(folder: Path) -> Iterator[Check]:
    journal = Journal(folder)
    try:
        unsettled, damaged = journal.open_ids(), journal.damaged_lines()
    except Unreadable as error:
        yield Check("our data", "problem", error.message, error.hint)
        return
    if folder.exists() and folder.stat().st_mode & 0o077:
        yield Check("our data", "warn", f"{folder} is open to other users.", f"chmod 700 {folder}")
    if damaged:
        message = f"{plural(damaged, 'line')} of {journal.path} cannot be read: undo does not reach behind them."
        yield Check("our data", "warn", message, "If you have a copy of that file, put it back.")
    elif unsettled:
        message = f"A change is being made, or was cut off ({folder})."
        yield Check("our data", "warn", message, "The next change made here settles it; nothing is to do.")
    else:
        yield Check("our data", "ok", f"The journal for undo goes to {folder}.")


def _terminal() -> Iterator[Check]:
    term = os.environ.get("TERM", "")
    size = shutil.get_terminal_size()
    if not sys.stdout.isatty():
        yield Check("terminal", "ok", "Output goes to a file or a pipe; the screen needs a terminal.")
    elif term.lower() in ("", "dumb"):
        yield Check("terminal", "problem", f"TERM={term or 'unset'} cannot draw a screen.", "The commands still work.")
    elif size.columns < SMALLEST_SCREEN[0] or size.lines < SMALLEST_SCREEN[1]:
        message = f"{size.columns}×{size.lines} is small; the screen wants {SMALLEST_SCREEN[0]}×{SMALLEST_SCREEN[1]}."
        yield Check("terminal", "warn", message, "Make the window larger.")
    else:
        yield Check("terminal", "ok", f"{term}, {size.columns}×{size.lines}, {_colours(term)}.")
    encoding = (getattr(sys.stdout, "encoding", None) or "unknown").lower()
    if encoding.replace("-", "") == "utf8":
        yield Check("locale", "ok", "UTF-8.")
    else:
        message = f"The locale is {encoding}: § and other signs will not show."
        yield Check("locale", "warn", message, "Set LC_ALL=C.UTF-8 or a UTF-8 locale of your language.")
    tool = _clipboard_tool()
    if tool:
        yield Check("clipboard", "ok", f"Copying uses {tool}.")
    else:
        message = "Copying goes through the terminal (OSC 52)."
        hint = "If pasting brings nothing: allow it in the terminal's settings, or install wl-clipboard or xclip."
        yield Check("clipboard", "ok", message, hint)


def _clipboard_tool() -> str | None:
    if any(name in os.environ for name in ("SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT")):
        return None  # a tool here would reach the clipboard of the other machine
    for name, needs in CLIPBOARD_TOOLS.items():
        if (needs in os.environ or needs == sys.platform) and shutil.which(name):
            return name
    return None


def _colours(term: str) -> str:
    if "NO_COLOR" in os.environ:
        return "no colour (NO_COLOR is set)"
    if os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return "16 million colours"
    return "256 colours" if "256" in term else "16 colours"


def _octal(mode: int) -> str:
    return f"{stat.S_IMODE(mode):04o}"


def _age(path: Path) -> str:
    from hermes_tui.text import ago

    try:
        return f"{ago(max(0.0, time.time() - path.stat().st_mtime))} old"
    except OSError:
        return "gone already"
