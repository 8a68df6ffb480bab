"""What a store looks like on disk right now, as one value; reading it changes nothing."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from hermes_tui.config import HermesConfig
from hermes_tui.disk import is_link, read_file
from hermes_tui.errors import Unreadable
from hermes_tui.home import HermesHome
from hermes_tui.memory.entries import (
    DELIMITER,
    FILE_NAMES,
    StoreName,
    Usage,
    begins_with_mark,
    fold_newlines,
    join,
    parse,
    usage_of,
)
from hermes_tui.memory.threats import Finding, scan

StoreState = Literal["ok", "missing", "drift", "unreadable", "invalid_utf8", "bom"]
DriftKind = Literal["spacing", "lookalike", "oversize"]

BOM = b"\xef\xbb\xbf"
_LOOKALIKE = re.compile(r"^[^\S\n]*§[^\S\n]*$", re.MULTILINE)
_MARKS_AHEAD = re.compile(r"\A[\s\ufeff]+")
_STRUCTURE = re.compile(r"^(?:#{1,6} |[-*+] |\d+[.)] )", re.MULTILINE)

NORMALISE = "Normalise on the screen"
"""The screen says its key in the place of this."""
MEND = f"Put it in order: {NORMALISE}, or `hermes-tui memory normalize`; a backup is made first."
"""What to do about a file that the agent would not have written like that."""
AWAY_HINT = "Its folder is not there: bring it back if it was moved; the first entry that is added makes a new one."
"""What to do about a store whose folder is not there."""

cached_scan = lru_cache(maxsize=4096)(scan)
"""The scan is pure and entries repeat from one reading to the next."""


@dataclass(frozen=True, slots=True)
class EntryView:
    """One entry as it stands in the file."""

    index: int
    """Place in the file, from 1."""
    text: str
    """The exact text, as the agent would read it."""
    chars: int
    duplicate_of: int | None
    """Index of the earlier equal entry; the agent drops this one at its next write."""
    findings: tuple[Finding, ...]

    @property
    def blocked(self) -> bool:
        """Whether the agent hides this entry from the model."""
        return bool(self.findings) and not self.text.startswith("[BLOCKED:")


class StoreView(NamedTuple):
    """One store as it stands on disk."""

    store: StoreName
    path: Path
    """The file as the home names it."""
    target: Path
    """Where the bytes really are: the same file, or what a link leads to."""
    state: StoreState
    problem: str
    """What is wrong, in a sentence; empty when nothing is."""
    hint: str
    """What to do about it."""
    enabled: bool
    """False when config.yaml keeps the agent from reading this store."""
    usage: Usage
    entries: tuple[EntryView, ...]
    notes: tuple[str, ...]
    """Things worth knowing that are not problems."""
    digest: str
    """Names the exact bytes; empty when there is no file."""
    mtime: float | None
    """Last change of the file, in epoch seconds."""
    drift: tuple[DriftKind, ...] = ()
    unstructured: bool = False
    """One entry that is really several: headings and bullets without a single § line."""
    canonical: bool = True
    """Whether writing the entries back would give these very bytes."""
    away: bool = False
    """Whether not even its folder is there, so that nobody knows what it holds: moved, or on a disk not mounted."""

    @property
    def file_name(self) -> str:
        """`MEMORY.md` or `USER.md`."""
        return FILE_NAMES[self.store]

    @property
    def texts(self) -> list[str]:
        """The entries' exact texts, in file order, repeats included."""
        return [entry.text for entry in self.entries]


def digest_of(data: bytes) -> str:
    """A name for exact bytes."""
    return hashlib.sha256(data).hexdigest()


def view_store(home: HermesHome, config: HermesConfig, store: StoreName) -> StoreView:
    """Read one store, without a lock and without changing anything; every failure is a state, not an error."""
    path = home.memories / FILE_NAMES[store]
    try:
        found = read_file(path)
        if found is None:
            if not home.memories.is_dir():
                return _empty(path, config, store, "missing", "", AWAY_HINT)._replace(away=True)
            found = read_file(path)  # the folder may have come back in between
    except Unreadable as error:
        return _empty(path, config, store, "unreadable", error.message, error.hint)
    if found is None and is_link(path):
        problem = f"{path} is a link to {os.path.realpath(path)}, where there is no file."
        return _empty(path, config, store, "unreadable", problem, "Mount or make what it leads to, or remove the link.")
    if found is None:
        return _empty(path, config, store, "missing", "", "The first entry that is added makes the file.")
    data, status = found
    return view_bytes(path, config, store, data, status.st_mtime)


def _empty(path: Path, config: HermesConfig, store: StoreName, state: StoreState, problem: str, hint: str) -> StoreView:
    return StoreView(
        store=store,
        path=path,
        target=Path(os.path.realpath(path)),
        state=state,
        problem=problem,
        hint=hint,
        enabled=config.enabled(store),
        usage=Usage(0, config.limit(store)),
        entries=(),
        notes=(),
        digest="",
        mtime=None,
    )


def view_bytes(path: Path, config: HermesConfig, store: StoreName, data: bytes, mtime: float | None) -> StoreView:
    """The view of a store whose file holds `data`."""
    limit = config.limit(store)
    name = FILE_NAMES[store]
    state: StoreState = "ok"
    problem = hint = ""
    notes: list[str] = []
    body = data
    if data.startswith(BOM):
        state = "bom"
        body = data[len(BOM) :]
        problem = f"{name} starts with a byte order mark: agents of the 0.19 line hide its first entry because of it."
        hint = MEND
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        text = body.decode("utf-8", errors="replace")
        offset = len(data) - len(body) + error.start
        state = "invalid_utf8"
        problem = f"{name} is not UTF-8: byte {data[offset]:#04x} at offset {offset:,} means nothing there."
        hint = f"{MEND} Bytes that mean nothing become U+FFFD."
    if b"\r" in body:
        notes.append("The file has Windows line ends; the first save turns them into LF.")
        text = fold_newlines(text)
    entries = parse(text)
    if state == "bom" and not entries:
        problem = f"{name} holds a byte order mark and no entry; agents of the 0.19 line take the mark for an entry."
    drift = drift_of(text, entries, limit)
    if drift and state == "ok":
        state = "drift"
        problem, hint = _drift_words(name, drift)
    return StoreView(
        store=store,
        path=path,
        target=Path(os.path.realpath(path)),
        state=state,
        problem=problem,
        hint=hint,
        enabled=config.enabled(store),
        usage=usage_of(entries, limit),
        entries=_entry_views(entries),
        notes=tuple(notes),
        digest=digest_of(data),
        mtime=mtime,
        drift=drift,
        unstructured=is_unstructured(entries),
        canonical=state != "invalid_utf8" and join(entries).encode() == data,
    )


def _entry_views(entries: list[str]) -> tuple[EntryView, ...]:
    first_seen: dict[str, int] = {}
    views = []
    for index, text in enumerate(entries, 1):
        duplicate_of = first_seen.get(text)
        if duplicate_of is None:
            first_seen[text] = index
        views.append(EntryView(index, text, len(text), duplicate_of, cached_scan(text)))
    return tuple(views)


def drift_of(text: str, entries: list[str], limit: int) -> tuple[DriftKind, ...]:
    """In which ways a file differs from what the agent would have written.

    `spacing`: blank or padded text around a separator (0.19 then refuses every replace and remove).
    `lookalike`: a line of § and blanks that the agent does not take for a separator.
    `oversize`: one entry longer than the whole limit (both lines refuse to touch the file).
    """
    kinds: list[DriftKind] = []
    if text.strip() != join(entries):
        kinds.append("spacing")
    if any(has_lookalike(entry) for entry in entries):
        kinds.append("lookalike")
    if any(len(entry) > limit for entry in entries):
        kinds.append("oversize")
    return tuple(kinds)


def has_lookalike(entry: str) -> bool:
    """Whether an entry holds, between two of its lines, a line of § and blanks that looks like a separator."""
    if "§" not in entry:
        return False
    return any(match.start() > 0 and match.end() < len(entry) for match in _LOOKALIKE.finditer(entry))


def _drift_words(name: str, drift: tuple[DriftKind, ...]) -> tuple[str, str]:
    if "spacing" in drift:
        return (
            f"{name} has non-canonical whitespace around §: agents of the 0.19 line refuse to replace or remove in it.",
            MEND,
        )
    if "lookalike" in drift:
        return (
            f"{name} has a line with § plus spaces, which is not a separator for the agent: it reads one entry there.",
            MEND,
        )
    return (
        f"{name} holds an entry longer than the whole limit: agents refuse to change this file.",
        "Edit, split or remove that entry here; a backup is made first.",
    )


def is_unstructured(entries: list[str]) -> bool:
    """Whether a file is one entry written like a Markdown document, so that any edit would hit all of it."""
    return len(entries) == 1 and len(_STRUCTURE.findall(entries[0])) >= 2


def propose_split(entry: str) -> list[str]:
    """The pieces a long entry falls into: at look-alike separators, else blank lines, else headings or bullets."""
    pieces = [piece.strip() for piece in _LOOKALIKE.split(entry)]
    if len([piece for piece in pieces if piece]) < 2:
        pieces = [piece.strip() for piece in re.split(r"\n[^\S\n]*\n", entry)]
    if len([piece for piece in pieces if piece]) < 2:
        pieces = [piece.strip() for piece in re.split(r"\n(?=(?:#{1,6} |[-*+] |\d+[.)] ))", entry)]
    return [piece for piece in pieces if piece]


def normalized(view: StoreView, data: bytes) -> list[str]:
    """The entries a file will hold once it is put in order: no BOM, clean separators, U+FFFD for bad bytes."""
    body = data.removeprefix(BOM)
    text = fold_newlines(body.decode("utf-8", errors="replace"))
    if "lookalike" in view.drift:
        text = DELIMITER.join(propose_lookalike_pieces(text))
    entries = parse(text)
    while begins_with_mark(entries):
        entries[:1] = parse(_MARKS_AHEAD.sub("", entries[0]))
    return entries


def propose_lookalike_pieces(text: str) -> list[str]:
    """`text` cut at every line that holds nothing but § and blanks."""
    return [piece.strip() for piece in _LOOKALIKE.split(text)]
