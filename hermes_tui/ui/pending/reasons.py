"""Why a key makes no sense right now, and what there is to say about the queue as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes_tui.pending.rewriting import editable_part
from hermes_tui.text import plural
from hermes_tui.ui.actions import Action, key_for, with_keys
from hermes_tui.ui.pending.detail_paper import only_newer, what_to_do
from hermes_tui.ui.pending.model import short_words
from hermes_tui.ui.troubles import config_words, no_home_words, quoted, read_only_words

if TYPE_CHECKING:
    from hermes_tui.ui.pending.model import Row
    from hermes_tui.ui.pending.screen import PendingScreen

_NEED_A_RECORD = {
    "pending.approve": "approve",
    "pending.reject": "reject",
    "pending.edit": "edit",
    "pending.operation": "take apart",
    "pending.copy": "copy",
    "pending.select": "select",
    "pending.unfold": "unfold",
    "pending.open": "read",
    "pending.switch": "read",
    "pending.approve_shown": "approve",
    "pending.reject_shown": "reject",
    "pending.conversation": "look up",
}
"""What cannot be done without a write, as in `There is no pending write here to copy.`"""


def why_not(action: Action, screen: PendingScreen) -> str | None:
    """The reason, or None when the action can be done."""
    if action.writes and screen.hermes.read_only and action.id != "pending.gate":
        return read_only_words(action)
    if not screen.ready:
        return None
    rows = screen.decisions.chosen()
    if not screen.reader.was_read and (action.id in _NEED_A_RECORD or action.id == "pending.simulate"):
        return "The queue is being read."
    if action.id in _NEED_A_RECORD and not rows:
        return f"There is no pending write here to {_NEED_A_RECORD[action.id]}."
    if action.id == "pending.simulate" and not any(item.store != "skill" for item in screen.reader.items):
        return "No write to memory waits, so there is nothing to simulate."
    if action.id == "pending.narrow" and not screen.reader.items:
        return "No write waits, so there is nothing to choose from."
    if len(rows) != 1:
        if action.id in ("pending.edit", "pending.operation") and rows:
            ends = f"{key_for('pending.back')} ends the selection"
            return f"{action.label} is for one record, and {len(rows):,} rows are selected: {ends}."
        return None
    return _about(action, screen, rows[0])


def _about(action: Action, screen: PendingScreen, row: Row) -> str | None:
    """Why an action makes no sense for this row."""
    record, preview = row.item.record, screen.reader.previews.get(row.item.key)
    if action.id == "pending.approve" and preview and not preview.can_apply and not only_newer(preview):
        what = what_to_do(preview) if record.subsystem == "memory" else with_keys("{pending.reject} rejects it.")
        return f"It cannot be approved as it is: {short_words(preview)}. {what}".strip()
    if action.id == "pending.edit":
        if record.problem:
            return f"{record.problem} It can only be rejected."
        if record.action != "batch" and not editable_part(record, record.action):
            return "It removes something; there is no text to edit."
        if record.subsystem == "skills":
            return "A batch of skill writes is decided on as it is." if record.action == "batch" else None
        if preview and preview.verdict in ("no_match", "stale", "ambiguous") and record.action != "batch":
            return f"Another text does not help: {short_words(preview)}. {what_to_do(preview)}"
    if action.id == "pending.operation" and (record.action != "batch" or record.problem):
        return record.problem or with_keys("It is one operation already: {pending.operation} is for batches.")
    if action.id == "pending.open" and screen.detail.pane.has_focus:
        return with_keys("It is open: {pending.back} leads back to the list.")
    if action.id == "pending.unfold" and row.equal < 2:
        return "No other record proposes the same."
    return None


def empty_words(screen: PendingScreen) -> str:
    """What an empty list says."""
    choice, config = screen.choice, screen.state.config
    if screen.reader.items:
        looked_for = f" with {quoted(choice.needle)}" if choice.needle else ""
        ticked = f" that is {choice.words}" if choice.words else ""
        none = f"None of {plural(len(screen.reader.items), 'pending write')}{looked_for}{ticked}."
        return f"{none}\n{key_for('pending.back')} shows all again."
    if not screen.state.exists:
        return no_home_words(screen.hermes.home.path)
    if not screen.reader.was_read:
        return "Reading the queue …"
    if config.problem and not config.write_approval:
        return (
            "Nothing waits for approval.\nWhether agents ask before they write is not known: config.yaml cannot be "
            "used, and they run with the gate off until it is mended."
        )
    if config.write_approval or config.skills_write_approval:
        which = " and ".join(
            name for name, on in (("memory", config.write_approval), ("skills", config.skills_write_approval)) if on
        )
        return (
            f"Nothing waits for approval.\nThe gate is on for {which}: what an agent wants to write there comes here "
            f"first.\n{key_for('app.memory')} leads to Memory."
        )
    return (
        "Nothing waits for approval.\nThe gate is off, so agents write without asking.\n"
        f"{key_for('pending.gate')} turns it on; then every write waits here for you."
    )


def notice_words(screen: PendingScreen) -> tuple[str, bool]:
    """What to say above the list, and whether it is serious."""
    items = screen.reader.items
    if screen.choice.narrows:
        return "", False
    words, unusable = config_words(screen.state.config) if screen.state.exists else ("", False)
    broken = [item for item in items if item.record.problem]
    if items and len(broken) == len(items):
        what = "The only record here is" if len(items) == 1 else f"All {len(items):,} records here are"
        return (
            f"{what} broken: nothing of it can be approved. "
            + with_keys("{pending.reject_shown} rejects what is shown, and {pending.undo} would bring it back."),
            True,
        )
    return words, unusable
