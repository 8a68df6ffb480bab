"""The record under the cursor: all of what it proposes, and how full the store would be."""

from __future__ import annotations

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from hermes_tui.memory.entries import FILE_NAMES
from hermes_tui.text import one_line, visible
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import SideText
from hermes_tui.ui.pending.detail_paper import Subject
from hermes_tui.ui.widgets.titled import Titled
from hermes_tui.ui.widgets.usage_bar import UsageBar


class DetailPane(SideText):
    """The text; `g` is the gate on this screen."""


class Detail(Vertical, Titled):
    """The pane beside the list."""

    pane = getters.query_one(DetailPane)
    usage_bar = getters.query_one(UsageBar)
    after = getters.query_one("#after", Static)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: object = None

    def compose(self) -> ComposeResult:
        """The text, and below it the usage as it would be."""
        yield DetailPane(id="detail-text")
        yield Static(id="after", markup=False)
        yield UsageBar(id="usage-after")

    def show(self, subject: Subject, paper: Paper) -> None:
        """Show a record; the place in the text stays while it is the same one."""
        row, preview = subject.row, subject.preview
        record = row.item.record
        self.pane.show(paper)
        if row.item.key.path != self._shown:
            self.pane.scroll_home(animate=False, immediate=True)
            self._shown = row.item.key.path
        if record.subsystem == "skills":
            name = record.payload.get("name")
            target = f"skill {name}" if isinstance(name, str) else "skill"
        else:
            target = FILE_NAMES[record.store] if record.store else "no store"
        facts = (record.action, target, row.item.origin) if record.action else ("a broken record", row.item.origin)
        self.show_title(one_line(" · ".join(facts), 60))
        self.border_subtitle = Content(visible(record.id[:40], multiline=False))
        usage = preview.usage_after if preview else None
        before = preview.usage_before if preview else None
        sized = preview is not None and preview.verdict in ("applies", "duplicate", "over", "blocked")
        self.set_class(sized and usage is not None and record.store is not None, "-sized")
        if usage and before and preview and record.store:
            self.usage_bar.usage = usage
            grown = usage.chars - before.chars
            would = "after approving it" if preview.can_apply else "if it were approved"
            change = f"{grown:+,} chars" if grown else "same size"
            self.after.update(Content(f"{FILE_NAMES[record.store]} {would} ({change})"))

    def show_nothing(self) -> None:
        """There is no record."""
        self._shown = None
        self.pane.show(Paper())
        self.show_title("")
        self.border_subtitle = None
        self.remove_class("-sized")
