"""Errors nobody foresaw: a report for whoever mends them, which holds nothing that a person or an agent wrote."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from hermes_tui import __version__
from hermes_tui.disk import make_folder
from hermes_tui.errors import HermesTuiError
from hermes_tui.home import state_dir
from hermes_tui.streaming import streamed_file

REPORTS_KEPT = 20
FRAMES_SHOWN = 80
"""Of a longer traceback (an endless recursion) the beginning and the end are told."""
CHAIN_SHOWN = 8
LIBRARIES = ("textual", "rich", "click", "apsw", "watchfiles")
TERMINAL_VARIABLES = ("TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TMUX", "STY", "SSH_TTY", "LC_ALL")


class Crashed(Exception):
    """The screen was ended by an error nobody foresaw, which is the cause of this one."""


def keep_report(error: BaseException) -> Path:
    """Write a report into a file of its own, which only its owner can read; older ones make room.

    Raises:
        HermesTuiError: the disk refused.
    """
    folder = _folder()
    make_folder(folder)
    path = folder / f"crash-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    with streamed_file(path, overwrite=True) as file:
        file.write(report(error))
    for old in reports()[:-REPORTS_KEPT]:
        old.unlink(missing_ok=True)
    return path


def reports() -> list[Path]:
    """The reports that are kept, newest last."""
    try:
        return sorted(_folder().glob("crash-*.txt"))
    except OSError:
        return []


def _folder() -> Path:
    return state_dir() / "crashes"


def tell(error: BaseException) -> str:
    """Write a report, and say in one sentence where it is; where it cannot be written, the report itself."""
    cause = error.__cause__ if isinstance(error, Crashed) and error.__cause__ is not None else error
    words = "hermes-tui was ended by an error nobody foresaw;"
    try:
        return f"{words} a report without any text of yours is in {keep_report(cause)}"
    except (HermesTuiError, OSError):
        return f"{words} no report could be written, so here it is:\n{report(cause)}"


def report(error: BaseException) -> str:
    """Versions, machine and traceback: no values, and no message of an error, which may quote what is on disk."""
    import platform  # loaded here: nobody hopes to come this way

    return "\n".join(
        [
            "hermes-tui was ended by an error nobody foresaw.",
            "Messages of errors and values are left out: they may hold what somebody wrote.",
            "",
            f"when        {time.strftime('%Y-%m-%d %H:%M:%S %z')}",
            f"hermes-tui  {__version__}",
            f"python      {platform.python_implementation()} {platform.python_version()}",
            f"platform    {platform.platform()}",
            *(f"{name:11} {version}" for name, version in _versions()),
            f"terminal    {_terminal()}",
            "",
            *_chain(error),
            "",
        ]
    )


def _versions() -> Iterator[tuple[str, str]]:
    from importlib import metadata

    for name in LIBRARIES:
        try:
            yield name, metadata.version(name)
        except metadata.PackageNotFoundError:
            continue


def _terminal() -> str:
    """Which terminal it is, and how large: names and numbers only."""
    told = []
    for name in TERMINAL_VARIABLES:
        value = os.environ.get(name, "")
        if value:
            told.append(f"{name}={value}" if name not in ("TMUX", "STY", "SSH_TTY") else f"{name} is set")
    try:
        size = os.get_terminal_size(2)
        told.append(f"{size.columns}×{size.lines}")
    except (OSError, ValueError):
        told.append("no size")
    told.append(getattr(sys.stderr, "encoding", None) or "no encoding")
    return ", ".join(told)


def _chain(error: BaseException) -> Iterator[str]:
    """The error and those it came of, the first one first."""
    links: list[tuple[BaseException, str]] = [(error, "")]
    seen = {id(error)}
    while len(links) < CHAIN_SHOWN:
        last = links[-1][0]
        cause, context = last.__cause__, last.__context__
        before = cause or (None if last.__suppress_context__ else context)
        if before is None or id(before) in seen:
            break
        seen.add(id(before))
        links.append((before, "which was the cause of" if cause else "while it was handled came"))
    for link, word in reversed(links):
        yield f"{type(link).__module__}.{type(link).__qualname__}{_number(link)}"
        yield from _frames(link.__traceback__)
        if isinstance(link, BaseExceptionGroup):
            for part in link.exceptions[:CHAIN_SHOWN]:
                yield f"  in the group: {type(part).__module__}.{type(part).__qualname__}"
                yield from _frames(part.__traceback__)
        if word:
            yield f"… {word} …"


def _number(error: BaseException) -> str:
    number = error.errno if isinstance(error, OSError) else None
    return f" (errno {number})" if number is not None else ""


def _frames(trace: TracebackType | None) -> Iterator[str]:
    frames = []
    while trace is not None:
        code = trace.tb_frame.f_code
        frames.append(f"  {_short(code.co_filename)}:{trace.tb_lineno} in {code.co_name}")
        trace = trace.tb_next
    half = FRAMES_SHOWN // 2
    if len(frames) > FRAMES_SHOWN:
        frames[half:-half] = [f"  … {len(frames) - 2 * half:,} more …"]
    yield from frames


def _short(file: str) -> str:
    """A module's file from its package on: the folders above name the person."""
    parts = Path(file).parts
    for at in range(len(parts) - 1, -1, -1):
        if parts[at] in ("site-packages", "dist-packages"):
            return "/".join(parts[at + 1 :])
        if parts[at] == "hermes_tui" and at < len(parts) - 1:
            return "/".join(parts[at:])
        if parts[at].startswith("python3"):
            return "/".join(parts[at:])
    return parts[-1] if parts else "?"
