"""What is wrong with a home or its config.yaml as a whole, in words that every screen says alike."""

from __future__ import annotations

from pathlib import Path

from hermes_tui.config import HermesConfig
from hermes_tui.memory.view import NORMALISE
from hermes_tui.text import visible
from hermes_tui.ui.actions import key_for

MORE = "hermes-tui doctor"
"""The command that says all of it."""


def on_screen(words: str) -> str:
    """What the domain says, which knows of no keys, with the key of what it names."""
    return words.replace(NORMALISE, f"{key_for('memory.normalize')} on the screen")


def no_home_words(shown_path: str) -> str:
    """What to say in the place of what a home would hold."""
    return (
        f"There is no home at {shown_path}: it was removed or moved, or its disk is not mounted.\n"
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
