"""What a conversation knew of memory, what it wrote into it, and what is different today; the way to each message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from hermes_tui.history.calls import MemoryCall
from hermes_tui.history.history import History
from hermes_tui.memory.batch import Operation
from hermes_tui.memory.entries import FILE_NAMES
from hermes_tui.memory.view import StoreView
from hermes_tui.text import one_line
from hermes_tui.ui.dialogs.base import Dialog, KeyBar, KeyHint
from hermes_tui.ui.dialogs.option_rows import OptionRows
from hermes_tui.ui.dialogs.paper import Paper, Tone
from hermes_tui.ui.dialogs.text_pane import TextPane
from hermes_tui.ui.timeline.chronicle import Known
from hermes_tui.ui.timeline.line import Line, Place
from hermes_tui.ui.timeline.then import then
from hermes_tui.ui.timeline.then_paper import write_then
from hermes_tui.ui.timeline.words import stamp_words

if TYPE_CHECKING:
    from hermes_tui.ui.app import HermesTuiApp

TEXT_CELLS = 70
OUTCOMES: dict[str, tuple[str, Tone]] = {
    "accepted": ("written", "good"),
    "refused": ("refused", "error"),
    "staged": ("staged", "warning"),
    "unknown": ("outcome not known", "muted"),
}


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a conversation has to do with memory."""

    parts: tuple[str, ...]
    """Its sessions, the newest first."""
    calls: tuple[MemoryCall, ...]
    """Its calls of the memory tool, oldest first."""
    paper: Paper

    @property
    def counts(self) -> tuple[int, int]:
        """For comparing two of them."""
        return len(self.calls), len(self.paper.text)


class KnewDialog(Dialog[int | None]):
    """All of it; leaves with the message that is wanted."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go", "Message", show=False),
        Binding("b,q", "leave", "Back", show=False),
        Binding("tab", "switch", "Switch", show=False),
    ]
    AUTO_FOCUS = "TextPane"
    DEFAULT_CSS = """
    KnewDialog #calls, KnewDialog #calls:focus { max-height: 35%; border-bottom: solid $card-border; }
    """

    heading = "What it knew, and what it wrote"

    rows = getters.query_one(OptionRows)
    pane = getters.query_one(TextPane)

    def __init__(self, app: HermesTuiApp, parts: Sequence[str]) -> None:
        super().__init__()
        self._hermes = app
        self._parts = tuple(reversed(parts))
        self._found: Knowledge | None = None
        self.waiting = True
        """Whether it is still being worked out."""

    def compose_body(self) -> ComposeResult:
        """The calls to go to, and all of it to read."""
        yield OptionRows(id="calls")
        yield TextPane(Paper().line("Reading history …", "muted"), id="knew")

    def on_mount(self) -> None:
        """Show what is known; more comes by itself."""
        super().on_mount()
        self.rows.display = False
        chronicle = self._hermes.past.chronicle
        chronicle.listen(self.show_known)
        self.show_known()
        chronicle.refresh()

    def on_unmount(self) -> None:
        """Listen no more."""
        self._hermes.past.chronicle.ignore(self.show_known)

    def show_known(self) -> None:
        """More is known."""
        self.run_worker(self._show(), name="knew", group="knew", exclusive=True, exit_on_error=False)

    async def _show(self) -> None:
        chronicle = self._hermes.past.chronicle
        known, trouble = chronicle.known, chronicle.trouble
        if known is None:
            if trouble is not None:
                self.pane.show(Paper().raw(str(trouble)))
            return
        views, parts = self._hermes.state.views, self._parts

        def look(history: History) -> Knowledge:
            ids = set(parts)
            calls = sorted((call for call in history.index.calls.values() if call.session_id in ids), key=_at)
            return Knowledge(parts, tuple(calls), knew_paper(known, views, parts, calls))

        found = await chronicle.ask(look)
        self.waiting = not known.complete and chronicle.share is not None
        if self._found is not None and self._found.counts == found.counts:
            return
        self._found = found
        here = self.rows.highlighted
        self.rows.clear_options()
        self.rows.add_options([Option(_row(call)) for call in found.calls])
        self.rows.display = bool(found.calls)
        if found.calls:
            self.rows.highlighted = min(here or 0, len(found.calls) - 1)
            if self.focused is None or self.focused is self.pane:
                self.rows.focus()
        self.pane.show(found.paper)
        self.query_one(KeyBar).show(self.key_hints())

    def key_hints(self) -> list[KeyHint]:
        """Message, scroll, back."""
        return [
            KeyHint("enter", "Message", "screen.go", bool(self._found and self._found.calls)),
            KeyHint("tab", "Scroll", "screen.switch"),
            KeyHint("esc", "Back", "screen.leave"),
        ]

    def on_option_list_option_selected(self) -> None:
        """Enter, or a click on the row under the cursor."""
        self.action_go()

    def action_go(self) -> None:
        """Leave towards the message."""
        place = self.rows.highlighted
        if self._found and self._found.calls and place is not None:
            self.dismiss(self._found.calls[place].message_id)

    def action_switch(self) -> None:
        """From the calls to the text, and back."""
        (self.rows if self.pane.has_focus and self.rows.display else self.pane).focus()


def _at(call: MemoryCall) -> tuple[float, int]:
    return call.at, call.result_id


def _row(call: MemoryCall) -> Content:
    words, _ = OUTCOMES[call.outcome]
    first = call.operations[0]
    more = f" and {len(call.operations) - 1:,} more" if len(call.operations) > 1 else ""
    text = one_line(_text_of(first).replace("\n", " "), TEXT_CELLS)
    return Content.assemble(
        (f"{stamp_words(call.at)}  ", "$text-muted"),
        f"{words}: {first.action} in {call.store}{more}  ",
        (text, "$text-muted"),
    )


def _text_of(operation: Operation) -> str:
    return operation.content or operation.old_text


def knew_paper(known: Known, views: Sequence[StoreView], parts: Sequence[str], calls: Sequence[MemoryCall]) -> Paper:
    """All of it, to be read.

    Args:
        known: what is known of the past.
        views: the stores as they are.
        parts: the sessions of the conversation, the newest first.
        calls: its calls of the memory tool.
    """
    paper = Paper()
    paper.line(_wrote(calls), "strong")
    line, told = known.line, known.timeline.told
    for number, id in enumerate(parts):
        named = f"Part {len(parts) - number} of {len(parts)}, {one_line(id, 48)}" if len(parts) > 1 else ""
        place = line.at_session(id)
        if place is None:
            if named:
                paper.fresh().line().line(named, "heading")
            paper.line(_untold(id, known), "muted")
            continue
        if named:
            paper.fresh().line().line(named, "heading")
        for view in views:
            _store(paper, line, known, view, place)
    if not told:
        paper.line("No session that is known was told anything.", "muted")
    return paper


def _store(paper: Paper, line: Line, known: Known, view: StoreView, place: Place) -> None:
    found = then(line, known.timeline.told, view, place, "now")
    paper.fresh().line()
    usage = f" · {found.usage.agent_label}" if found.compared else ""
    paper.line(f"{FILE_NAMES[view.store]} as it was told{usage}", "heading")
    write_then(paper, found, told=True)


def _untold(id: str, known: Known) -> str:
    if id in known.timeline.told:
        return "It was told nothing of memory: the stores were empty or off, or it was a run that gets none."
    if not known.complete:
        return "What it was told is not known so far."
    return "What it was told is not known: no prompt of it is stored."


def _wrote(calls: Sequence[MemoryCall]) -> str:
    """`It called the memory tool 3 times: 1 written, 1 refused, 1 staged.`"""
    if not calls:
        return "It wrote nothing into memory."
    counts = {outcome: sum(call.outcome == outcome for call in calls) for outcome in OUTCOMES}
    said = [f"{counts[outcome]:,} {words}" for outcome, (words, _) in OUTCOMES.items() if counts[outcome]]
    times = "once" if len(calls) == 1 else f"{len(calls):,} times"
    return f"It called the memory tool {times}: {', '.join(said)}."


def show_knew(app: HermesTuiApp, parts: Sequence[str], go: Callable[[int], object]) -> None:
    """Show it, and go to the message that is chosen."""

    def chosen(message_id: int | None) -> None:
        if message_id:
            go(message_id)

    app.push_screen(KnewDialog(app, parts), chosen)
