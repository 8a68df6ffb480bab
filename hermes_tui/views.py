"""Saved views: what narrows and orders a screen, under a name; one small file for each home, outside of it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hermes_tui.disk import locked, make_folder, read_file, replace_file
from hermes_tui.errors import NotFound, Refused, Unreadable
from hermes_tui.home import data_dir

FILE_NAME = "views.json"
MOST_BYTES = 1_000_000
"""A larger file is none of ours."""
MOST_NAME_CHARS = 80
LOCK_SECONDS = 5.0
"""Another app of ours saves in a few milliseconds."""

Screen = Literal["sessions", "pending"]
Content = Mapping[str, Any]
"""What a view shows, by names that the screen gives: the same that it keeps for the next start."""


@dataclass(frozen=True, slots=True)
class View:
    """One saved view."""

    name: str
    content: Content


def clean_name(text: str) -> str:
    """A name as it is kept: on one line, in any language.

    Raises:
        Refused: it is empty or too long.
    """
    from unicodedata import normalize  # loaded here: only names need it

    name = " ".join(normalize("NFC", text).split())
    if not name:
        raise Refused("A view needs a name.", code="no_name")
    if len(name) > MOST_NAME_CHARS:
        raise Refused(
            f"A name has at most {MOST_NAME_CHARS} characters, and this one has {len(name):,}.", code="long_name"
        )
    return name


def same_name(one: str, other: str) -> bool:
    """Whether two names are one, whatever the case of their letters."""
    return _folded(one) == _folded(other)


def _folded(name: str) -> str:
    from unicodedata import normalize

    return normalize("NFKC", normalize("NFKC", name).casefold())


class Views:
    """The saved views of one screen on a home; every change is made to what lies on disk at that moment.

    Args:
        path: the home.
        screen: whose they are.
        kept: whether they are on disk; else they last as long as this value, as in a home that is thrown away.
        read_only: whether nothing may be changed.
    """

    def __init__(self, path: Path, screen: Screen, *, kept: bool = True, read_only: bool = False) -> None:
        self._screen = screen
        self._file = data_dir(path) / FILE_NAME if kept else None
        self._read_only = read_only
        self._unkept: dict[str, Any] = {}

    @property
    def every(self) -> tuple[View, ...]:
        """All there are, in the order in which they were saved.

        Raises:
            Unreadable: the file is broken.
        """
        return tuple(map(_view, self._items(self._read())))

    def named(self, name: str) -> View:
        """The view of this name.

        Raises:
            NotFound: there is none.
            Unreadable: the file is broken.
        """
        views = self.every
        found = next((view for view in views if same_name(view.name, name)), None)
        if found is not None:
            return found
        names = ", ".join(f"“{view.name}”" for view in views[:10])
        hint = f"There are {names}." if views else f"None is saved yet: the {self._screen.title()} screen saves them."
        raise NotFound(f"There is no view “{name}” of {self._screen}.", code="no_view", hint=hint)

    def save(self, name: str, content: Content, *, over: bool = False) -> View:
        """Save a view.

        Args:
            name: what to call it.
            content: what it shows.
            over: whether it may take the place of one of the same name.

        Raises:
            Refused: the name cannot be, or is taken, or nothing may be changed.
            Unreadable: the file is broken, or the disk refused; it is as it was.
        """
        made = {"name": clean_name(name), **content}

        def change(items: list[dict[str, Any]]) -> None:
            at = _place(items, made["name"])
            if at is None:
                items.append(made)
            elif over:
                items[at] = made
            else:
                raise _taken(items[at]["name"])

        self._change(change)
        return _view(made)

    def rename_to(self, name: str, new: str) -> View:
        """Call a view something else.

        Raises:
            NotFound: it is gone.
            Refused: the new name cannot be, or is that of another view, or nothing may be changed.
            Unreadable: the file is broken, or the disk refused; it is as it was.
        """
        new = clean_name(new)
        changed: list[View] = []

        def change(items: list[dict[str, Any]]) -> None:
            at, other = _found(items, name), _place(items, new)
            if other not in (None, at):
                raise _taken(new)
            items[at] = {**items[at], "name": new}
            changed.append(_view(items[at]))

        self._change(change)
        return changed[0]

    def delete(self, name: str) -> None:
        """Forget a view.

        Raises:
            NotFound: it is gone already.
            Refused: nothing may be changed.
            Unreadable: the file is broken, or the disk refused; it is as it was.
        """

        def change(items: list[dict[str, Any]]) -> None:
            del items[_found(items, name)]

        self._change(change)

    # The file

    def _change(self, change: Callable[[list[dict[str, Any]]], None]) -> None:
        """Read again under the lock, change that, write it back: nothing that another app saved is lost."""
        if self._read_only:
            raise Refused(
                "This is a read-only view; saved views stay as they are.",
                code="read_only",
                hint="Start without --read-only to change them.",
            )
        with self._held():
            data = self._read()
            items = self._items(data)
            change(items)
            data = {**data, self._screen: items}
            if self._file is None:
                self._unkept = data
                return
            written = json.dumps(data, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass")
            if len(written) > MOST_BYTES:
                raise Refused(
                    "There are too many views for one file.", code="too_many", hint="Delete some that are not used."
                )
            replace_file(self._file, written, follow=False)

    @contextlib.contextmanager
    def _held(self) -> Iterator[None]:
        if self._file is None:
            yield
            return
        make_folder(self._file.parent)
        with locked(self._file.with_name(f"{FILE_NAME}.lock"), timeout=LOCK_SECONDS):
            yield

    def _read(self) -> dict[str, Any]:
        """Everything in the file, that of other screens too."""
        if self._file is None:
            return self._unkept
        read = read_file(self._file)
        if read is None:
            return {}
        try:
            if len(read[0]) > MOST_BYTES:
                raise ValueError("it is too large")
            data = json.loads(read[0].decode("utf-8", "surrogatepass"))
            if not isinstance(data, dict):
                raise ValueError("it holds no object")
            self._items(data)
        except (ValueError, RecursionError) as error:
            raise Unreadable(
                f"The saved views in {self._file} cannot be used: {error}.",
                code="broken_views",
                hint="The file is left as it is. Mend it, or move it away to begin anew.",
            ) from error
        return data

    def _items(self, data: Mapping[str, Any]) -> list[dict[str, Any]]:
        items = data.get(self._screen, [])
        if not isinstance(items, list):
            raise ValueError(f"“{self._screen}” is no list")
        for number, item in enumerate(items, 1):
            name = item.get("name") if isinstance(item, dict) else None
            if not isinstance(name, str) or not name.strip():
                raise ValueError(f"number {number} of “{self._screen}” has no name")
        return list(items)


def _view(item: Mapping[str, Any]) -> View:
    return View(item["name"], {key: value for key, value in item.items() if key != "name"})


def _place(items: list[dict[str, Any]], name: str) -> int | None:
    return next((at for at, item in enumerate(items) if same_name(item["name"], name)), None)


def _found(items: list[dict[str, Any]], name: str) -> int:
    at = _place(items, name)
    if at is None:
        raise NotFound(f"The view “{name}” is gone: it was deleted elsewhere.", code="no_view")
    return at


def _taken(name: str) -> Refused:
    return Refused(f"There is a view “{name}” already.", code="exists")
