"""Rows of the Settings screen that lead to something that has to be looked up first."""

from __future__ import annotations

from dataclasses import dataclass

from hermes_tui.ui.actions import key_for
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.settings.items import Ink


@dataclass(frozen=True, slots=True)
class LookedUp:
    """Something that enter looks up."""

    id: str
    group: str
    label: str
    about: str
    """A sentence on what is found there."""
    side: str = ""
    odd: bool = False
    changed: bool = False

    @property
    def value(self) -> tuple[str, Ink]:
        """What leads there."""
        return f"{key_for('settings.change')} shows them", "text-muted"

    @property
    def words(self) -> str:
        """Name and sentence."""
        return f"{self.label} {self.group} {self.about}".casefold()

    def paper(self, state: HomeState) -> Paper:  # noqa: ARG002
        """What is found there."""
        return Paper().line(self.label, "heading").line(self.about)


REVIEWS = LookedUp(
    "reviews",
    "Background review",
    "Reviews by week",
    "What background reviews staged and wrote, what was approved, edited and rejected, and what they cost, as far as"
    " the queue, the journal, the timeline, the agent's accounts and its logs tell.",
)
SECRETS = LookedUp(
    "secrets",
    "Secrets",
    "Secrets lying around",
    "Keys and passwords that lie in memory, in the queues, in sessions, logs and settings: where each is, and what"
    " takes it away. They are shown only by their ends.",
)
