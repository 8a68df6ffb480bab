"""The keys of the Pending screen that open something to consult: the simulation, the conversation, the gate."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hermes_tui.errors import HermesTuiError
from hermes_tui.pending.records import PendingRecord
from hermes_tui.text import plural
from hermes_tui.ui.actions import key_for

if TYPE_CHECKING:
    from hermes_tui.ui.pending.screen import PendingScreen


class Consulting:
    """What helps to decide, and decides nothing."""

    def __init__(self, screen: PendingScreen) -> None:
        self.screen = screen
        self.app = screen.hermes

    def action_simulate(self) -> None:
        """What would happen if the whole queue was approved in order."""
        from hermes_tui.ui.pending.simulation import SimulationDialog

        def picked(ids: frozenset[str] | None) -> None:
            if ids:
                items = [item for item in self.screen.reader.items if item.store != "skill" and item.record.id in ids]
                self.screen.queue_list.selection = {item.key for item in items}
                self.screen.queue_list.refresh()
                self.screen.show_selection()
                approves = f"{key_for('pending.approve')} approves them"
                self.app.say(f"Selected {plural(len(items), 'write')} that fit together – {approves}")

        records = [item.record for item in self.screen.reader.items if item.record.subsystem == "memory"]
        self.app.push_screen(SimulationDialog(self.app.home, self.screen.state.config, records), picked)

    def action_conversation(self) -> None:
        """What was said before the write was staged."""
        record = self.screen.decisions.chosen()[0].item.record
        self.screen.run_worker(
            self._show_conversation(record),
            name="conversation",
            group="conversation",
            exclusive=True,
            exit_on_error=False,
        )

    async def _show_conversation(self, record: PendingRecord) -> None:
        from hermes_tui.sessions.evidence import find_evidence  # loaded here: SQLite is for this alone
        from hermes_tui.ui.dialogs.conversation import ConversationDialog

        database = self.app.home.state_db
        try:
            evidence = await asyncio.to_thread(
                find_evidence, database, record.id, record.created_at, from_review=record.from_review
            )
        except HermesTuiError as error:
            self.app.say_error(error)
            return
        if evidence is None:
            self.app.say("No session speaks of this write; it may have been deleted since.", seconds=6)
        else:
            self.app.push_screen(ConversationDialog(evidence))

    def action_gate(self) -> None:
        """See whether writes wait for a person, and change it."""
        from hermes_tui.ui.pending.gate import GateDialog

        self.app.push_screen(GateDialog(self.app))
