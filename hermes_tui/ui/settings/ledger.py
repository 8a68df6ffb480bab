"""The ledger of background reviews as a dialog: a line for each week, and the writes behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from hermes_tui.memory.entries import FILE_NAMES
from hermes_tui.text import plural, visible
from hermes_tui.ui.dialogs.base import Dialog, KeyHint
from hermes_tui.ui.dialogs.option_rows import OptionRows
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import TextPane
from hermes_tui.ui.timeline.words import stamp_words

if TYPE_CHECKING:
    from hermes_tui.history.review_week import Ledger, Week, Write
    from hermes_tui.ui.app import HermesTuiApp

_FATES = {
    "waiting": "? waits",
    "approved": "✓ approved",
    "edited": "~ edited, then approved",
    "rejected": "✗ rejected",
    "taken back": "= decided, and taken back",
    "written": "~ written by a review (likely)",
}
_SURE = {"exact": "", "at least": "at least ", "likely": "likely ", "unknown": ""}


class LedgerDialog(Dialog[None]):
    """Every week of which anything is known, the latest first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "Back", show=False),
        Binding("tab", "app.focus_next", "Switch", show=False),
    ]
    AUTO_FOCUS = "OptionRows"
    DEFAULT_CSS = """
    LedgerDialog #ledger-words { width: 1fr; height: auto; color: $text-muted; }
    LedgerDialog #ledger-weeks { height: 1fr; max-height: 40%; margin-top: 1; }
    LedgerDialog #ledger-writes { height: 1fr; border-top: solid $card-border; }
    LedgerDialog.-low #ledger-weeks { margin-top: 0; }
    """

    heading = "Background reviews by week"

    rows = getters.query_one(OptionRows)
    pane = getters.query_one(TextPane)

    def __init__(self, app: HermesTuiApp) -> None:
        super().__init__()
        self._hermes = app
        self._weeks: Sequence[Week] = ()
        self._ledger: Ledger | None = None

    def compose_body(self) -> ComposeResult:
        """How far it goes, the weeks, what was written."""
        yield Static("Reading history …", id="ledger-words", markup=False)
        yield OptionRows(id="ledger-weeks")
        yield TextPane(Paper(), id="ledger-writes")

    def on_mount(self) -> None:
        """Have history read to its end, then count."""
        super().on_mount()
        chronicle = self._hermes.past.chronicle
        chronicle.listen(self._more_known)
        chronicle.refresh()
        self._more_known()

    def on_unmount(self) -> None:
        """Nothing more is wanted."""
        self._hermes.past.chronicle.ignore(self._more_known)

    def _more_known(self) -> None:
        chronicle = self._hermes.past.chronicle
        if self._ledger is None and chronicle.known is not None and (chronicle.complete or chronicle.trouble):
            self.run_worker(self._count(), name="ledger", exclusive=True, exit_on_error=False)

    async def _count(self) -> None:
        from hermes_tui.review_account import read_ledger  # loaded here: few ask for it

        app, known = self._hermes, self._hermes.past.chronicle.known
        assert known is not None
        views = list(known.views)
        ledger = await app.past.chronicle.ask(lambda history: read_ledger(app.home, history, known.timeline, views))
        if not self.is_attached:
            return
        self._ledger, self._weeks = ledger, tuple(reversed(ledger.weeks))
        words = " ".join(ledger.missing) or "Everything that is counted here is told by something on disk."
        if not self._weeks:
            words = f"Nothing is known of any background review. {words}"
        self.query_one("#ledger-words", Static).update(Content(visible(words)))
        self.rows.add_options(Option(_row(week)) for week in self._weeks)
        if self._weeks:
            self.rows.highlighted = 0
        self._show_week()

    @on(OptionList.OptionHighlighted)
    def _show_week(self) -> None:
        at = self.rows.highlighted
        week = self._weeks[at] if at is not None and at < len(self._weeks) else None
        self.pane.show(week_paper(week) if week else Paper())

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click only moves the cursor."""
        event.stop()

    def key_hints(self) -> list[KeyHint]:
        """Scroll, back."""
        return [KeyHint("tab", "Weeks or writes", "app.focus_next"), KeyHint("esc", "Back", "screen.leave")]


def _row(week: Week) -> str:
    """`2026-W48  23 Nov – 29 Nov  3 reviews · 2 staged, 1 approved`."""
    facts = [_runs(week)]
    for name, tally in (("memory", week.memory), ("skills", week.skills)):
        counted = [
            f"{number:,} {word}"
            for number, word in (
                (tally.staged, "staged"),
                (tally.approved, "approved"),
                (tally.edited, "edited"),
                (tally.rejected, "rejected"),
            )
            if number
        ]
        if counted:
            facts.append(f"{name}: {', '.join(counted)}")
    if week.wrote:
        facts.append(f"{week.wrote:,} written (likely)")
    return f"{week.name}  {week.start:%d %b} – {week.end:%d %b}  {' · '.join(filter(None, facts))}"


def _runs(week: Week) -> str:
    if week.runs_certainty == "unknown":
        return "reviews not known"
    return f"{_SURE[week.runs_certainty]}{plural(week.runs, 'review')}"


def week_paper(week: Week) -> Paper:
    """What a week's numbers are made of."""
    paper = Paper()
    if week.elsewhere:
        paper.line(f"{plural(week.elsewhere, 'write')} staged by the logs, and neither waiting nor decided here.")
    if week.unseen:
        paper.line(f"{plural(week.unseen, 'answer')} of the memory tool of which no change is known.")
    if week.calls is not None:
        tokens = f", {week.tokens:,} tokens" if week.tokens is not None else ""
        cost = f", ${week.dollars:,.2f}" if week.dollars is not None else ""
        paper.line(f"{plural(week.calls, 'request')} to the model{tokens}{cost}.")
    if paper.text and week.writes:
        paper.line()
    for write in week.writes:
        _write(paper, write)
    if not paper.text:
        paper.line("Nothing was staged or written in this week, as far as anything tells.", "muted")
    return paper


def _write(paper: Paper, write: Write) -> None:
    where = FILE_NAMES[write.store] if write.store else "a skill" if write.subsystem == "skills" else "no store"
    there = "" if write.there is None else " · there today" if write.there else " · changed or gone since"
    head = (
        f"{_FATES[write.fate]} · {stamp_words(write.at)} · {visible(write.action, multiline=False)} in {where}{there}"
    )
    paper.line(head, "strong")
    if write.before:
        paper.words("- ", "muted").raw(write.before).fresh()
    paper.raw(write.text).fresh()
    for text in write.stored:
        paper.words("stored as: ", "muted").raw(text).fresh()
    paper.line()
