"""A bare app that opens one dialog, for pilot tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from hermes_tui.config import load_config
from hermes_tui.home import HermesHome
from hermes_tui.memory.check import EntryRef, check_text
from hermes_tui.memory.entries import DELIMITER
from hermes_tui.memory.view import StoreView, view_bytes
from hermes_tui.ui.dialogs.base import CopyRequested
from hermes_tui.ui.dialogs.editor import Check, EntryEditor, ExternalEditRequested
from hermes_tui.ui.themes import derived_variables, load_theme

SIZES = [(60, 15), (80, 24), (120, 36)]


class DialogApp(App[None]):
    """Shows a page of text, and dialogs over it."""

    def __init__(self, dialog: Screen[Any] | None = None, *, theme: str = "hermes-dark") -> None:
        super().__init__()
        self.dialog = dialog
        self.answers: list[Any] = []
        """What dialogs left with."""
        self.copied: list[CopyRequested] = []
        self.external: list[ExternalEditRequested] = []
        self._wanted = load_theme(theme)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our variables, also under themes that are not ours."""
        return derived_variables(self.current_theme)

    def compose(self) -> ComposeResult:
        """Something to be over."""
        yield Static("\n".join(["the screen below " * 8] * 60), markup=False)

    def on_mount(self) -> None:
        """Open the dialog."""
        self.register_theme(self._wanted)
        self.theme = self._wanted.name
        if self.dialog is not None:
            self.push_screen(self.dialog, self.answers.append)

    def on_copy_requested(self, message: CopyRequested) -> None:
        """Keep what was to be copied."""
        self.copied.append(message)

    def on_external_edit_requested(self, message: ExternalEditRequested) -> None:
        """Keep what was to be edited elsewhere."""
        self.external.append(message)

    @property
    def shown(self) -> str:
        """The screen as plain text, row by row."""
        lines = self.screen._compositor.render_strips()
        return "\n".join(strip.text for strip in lines)


def view_of(entries: list[str], limit: int = 2200) -> StoreView:
    """A store that holds `entries`, without a file."""
    home = HermesHome(Path("/nowhere"), "default", "default")
    config = load_config(home, {"HERMES_MANAGED_DIR": "/nowhere"})._replace(memory_char_limit=limit)
    data = DELIMITER.join(entries).encode()
    return view_bytes(Path("/nowhere/memories/MEMORY.md"), config, "memory", data, None)


def check_of(view: StoreView, ref: EntryRef | None = None) -> Check:
    """What the editor asks about each text."""
    return lambda typed: check_text(view, typed, replacing=ref)


def editor_on(
    entries: list[str],
    index: int | None = None,
    *,
    text: str | None = None,
    can_accept_newer: bool = True,
    limit: int = 2200,
) -> EntryEditor:
    """The editor of entry `index` (from 1) of a store that holds `entries`, or of a new one."""
    ref = EntryRef("memory", index, entries[index - 1]) if index else None
    return EntryEditor(
        title=f"Edit entry {index} of MEMORY.md" if index else "Add to MEMORY.md",
        text=text if text is not None else (ref.text if ref else ""),
        check=check_of(view_of(entries, limit), ref),
        path="~/.hermes/memories/MEMORY.md",
        can_accept_newer=can_accept_newer,
    )
