"""Why nothing is shown, found or written, in words that every screen says alike."""

from __future__ import annotations

from pathlib import Path

from hermes_tui.config import HermesConfig
from hermes_tui.memory.view import NORMALISE
from hermes_tui.text import one_line, short_path, visible
from hermes_tui.ui.actions import Action, key_for

NEEDLE_CELLS = 60
"""What was looked for in vain is repeated up to this length."""
MORE = "hermes-tui doctor"
"""The command that says all of it."""


def on_screen(words: str) -> str:
    """What the domain says, which knows of no keys, with the key of what it names."""
    return words.replace(NORMALISE, f"{key_for('memory.normalize')} on the screen")


def quoted(needle: str) -> str:
    """What was looked for in vain, between quotation marks."""
    return f"“{one_line(needle, NEEDLE_CELLS)}”"


def read_only_words(action: Action) -> str:
    """Why an action that writes is off in a read-only view."""
    return f"{action.label} is off: this is a read-only view. Start without --read-only to make changes."


def nowhere_to_write(home: Path) -> str:
    """Why an action that writes is off where there is no home."""
    return f"There is no home at {short_path(home)} to write to. Bring it back first, or {key_for('app.quit')} leaves."


def no_home_words(home: Path) -> str:
    """What to say in the place of what a home would hold."""
    return (
        f"There is no home at {short_path(home)}: it was removed or moved, or its disk is not mounted.\n"
        f"Bring it back and it shows up here; {key_for('app.quit')} leaves."
    )


def config_words(config: HermesConfig) -> tuple[str, bool]:
    """What to know about config.yaml, and whether it keeps the agent from reading it; empty when all is well."""
    if config.problem:
        words = f"{config.problem} Limits are the agent's defaults until it is mended; {MORE} says more."
        return visible(words, multiline=False), True
    pinned = {
        note.key for note in config.notes if config.origin(note.key) == "managed" and note.value == note.effective
    }
    notes = [note for note in config.notes if note.key not in pinned and not note.key.startswith("security.")]
    if not notes:
        return "", False
    first, more = notes[0], len(notes) - 1
    where = "" if first.key == config.path.name or Path(first.key).is_absolute() else f"{first.key}: "
    rest = f" +{more:,} more: {MORE}" if more else ""
    return visible(f"config.yaml · {where}{first.message}{rest}", multiline=False), False
