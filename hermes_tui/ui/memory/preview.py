"""What the next session will be told, with what is worth knowing about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hermes_tui.memory.prompt import block_of
from hermes_tui.memory.view import StoreView
from hermes_tui.text import plural
from hermes_tui.ui.live import HomeState

if TYPE_CHECKING:
    from hermes_tui.ui.dialogs.prompt_preview import PreviewBlock, PromptPreview


def prompt_preview(state: HomeState) -> PromptPreview:
    """The dialog that shows both blocks."""
    from hermes_tui.ui.dialogs.prompt_preview import PromptPreview

    return PromptPreview(preview_blocks(state))


def preview_blocks(state: HomeState) -> list[PreviewBlock]:
    """Both blocks, each with what is worth knowing about it."""
    from hermes_tui.ui.dialogs.prompt_preview import PreviewBlock

    return [PreviewBlock(view.file_name, block_of(view), tuple(_notes(view))) for view in state.views]


def _notes(view: StoreView) -> Iterator[str]:
    if not view.enabled:
        yield "Disabled in config: the agent does not read this file."
        return
    if view.state == "missing":
        yield "There is no file, so the session gets no block."
        return
    if view.state == "unreadable":
        yield view.problem
        yield "What it holds is not known; an agent that cannot read it either gives the session no block."
        return
    if view.problem:
        yield view.problem
    hidden = [entry for entry in view.entries if any(not finding.newer_pass for finding in entry.findings)]
    if hidden:
        yield f"{plural(len(hidden), 'entry', 'entries')} hidden from the model; a [BLOCKED] note stands instead."
    older = sum(entry.blocked for entry in view.entries) - len(hidden)
    if older > 0:
        yield f"Agents of the 0.19 line hide {plural(older, 'more entry', 'more entries')}."
    repeats = sum(entry.duplicate_of is not None for entry in view.entries)
    if repeats:
        yield f"{plural(repeats, 'duplicate')} left out."
    if not view.entries:
        yield "It is empty, so the session gets no block."
    yield view.usage.label
