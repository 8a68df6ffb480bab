"""The gate: whether an agent's writes wait for a person, where that is set, and switching it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from hermes_tui.errors import HermesTuiError
from hermes_tui.pending.queue import SUBSYSTEMS, Subsystem
from hermes_tui.text import short_path
from hermes_tui.ui.dialogs.base import Dialog, KeyHint
from hermes_tui.ui.dialogs.option_rows import OptionRows
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import TextPane
from hermes_tui.ui.live import reread

if TYPE_CHECKING:
    from hermes_tui.ui.app import HermesTuiApp

_ORIGINS = {
    "user": "set in config.yaml",
    "managed": "pinned by the administrator of this machine",
    "default": "the default: config.yaml does not say",
}


class GateDialog(Dialog[None]):
    """Both gates with their values; a key switches the one under the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "switch", "Switch", show=False),
        Binding("g,q", "leave", "Back", show=False),
    ]
    AUTO_FOCUS = "OptionRows"

    heading = "The gate"
    size_class = "-small"

    rows = getters.query_one(OptionRows)
    pane = getters.query_one(TextPane)

    def __init__(self, app: HermesTuiApp) -> None:
        super().__init__()
        self._hermes = app
        self.footing = short_path(app.state.config.path)
        self.failure = ""

    def compose_body(self) -> ComposeResult:
        """The gates, then what they mean."""
        yield OptionRows(*(Option(self._words(name), id=name) for name in SUBSYSTEMS))
        yield TextPane(self.paper(), id="gate-words")

    def on_mount(self) -> None:
        """Rest on memory."""
        super().on_mount()
        self.rows.highlighted = 0
        self.pane.can_focus = False

    def is_on(self, subsystem: Subsystem) -> bool:
        """Whether writes of a kind wait."""
        config = self._hermes.state.config
        return config.write_approval if subsystem == "memory" else config.skills_write_approval

    def _words(self, subsystem: Subsystem) -> Content:
        on = self.is_on(subsystem)
        state = "on " if on else "off"
        origin = self._hermes.state.config.origin(f"{subsystem}.write_approval")
        what = "writes wait for you" if on else "the agent writes without asking"
        return Content.assemble(
            (f"{subsystem:<7}", "bold"), (f" gate {state}", "$success bold" if on else "$warning bold"),
            f"  {what}", (f"\n        {_ORIGINS[origin]}", "$text-muted"),
        )  # fmt: skip

    def paper(self) -> Paper:
        """What the gate is, and what is odd about the settings."""
        paper, config = Paper(), self._hermes.state.config
        if self.failure:
            paper.raw(self.failure, "error").fresh().line()
        if config.problem:
            paper.raw(config.problem, "warning").fresh()
        for note in config.notes:
            if note.key in ("memory.write_approval", "skills.write_approval"):
                paper.raw(note.message, "warning").fresh()
        paper.line(
            "With the gate on, what an agent wants to remember or to write into a skill comes here first.", "muted"
        )
        if self._hermes.read_only:
            paper.line("This is a read-only view: start without --read-only to switch it.", "warning")
        return paper

    def key_hints(self) -> list[KeyHint]:
        """Switch, back."""
        return [
            KeyHint("space", "Switch the one under the cursor", "screen.switch", not self._hermes.read_only),
            KeyHint("esc", "Back", "screen.leave"),
        ]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click only moves the cursor."""
        event.stop()

    async def action_switch(self) -> None:
        """Turn the gate under the cursor on or off, in config.yaml."""
        if self._hermes.read_only:
            self._hermes.say(
                "This is a read-only view: the gate stays as it is. Start without --read-only to switch it."
            )
            return
        from hermes_tui.config.edit import set_gate  # loaded here: only this key needs it

        subsystem = SUBSYSTEMS[self.rows.highlighted or 0]
        self.failure = ""
        try:
            await asyncio.to_thread(set_gate, self._hermes.home, subsystem, not self.is_on(subsystem))
        except HermesTuiError as error:
            self.failure = str(error)
        await reread(self._hermes)
        self.call_later(self._show)

    def _show(self) -> None:
        for name in SUBSYSTEMS:
            self.rows.replace_option_prompt(name, self._words(name))
        self.pane.show(self.paper())
