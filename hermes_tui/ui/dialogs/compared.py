"""What two profiles remember, entry by entry, and sending one over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Literal, NamedTuple, Protocol

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from hermes_tui.memory.across import Comparison
from hermes_tui.memory.check import EntryRef
from hermes_tui.memory.entries import StoreName
from hermes_tui.memory.view import EntryView
from hermes_tui.memory.worddiff import word_diff
from hermes_tui.text import one_line, visible
from hermes_tui.ui.dialogs.base import CopyRequested, Dialog, KeyHint
from hermes_tui.ui.dialogs.confirm import Confirm
from hermes_tui.ui.dialogs.option_rows import OptionRows
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import TextPane

Sign = Literal["=", "~", "<", ">"]

ROW_CHARS = 200
"""So much of an entry is in its row at most; the pane beside it has all."""
BESIDE_CELLS = 6
"""Sign, free cells, scroll bar."""


class Send(Protocol):
    """Copies or moves an entry between the two profiles."""

    def __call__(self, ref: EntryRef, from_here: bool, keep: bool, done: Callable[[], None]) -> None:
        """Do it, and say when it is done."""


class Row(NamedTuple):
    """One entry, or two that belong together."""

    store: StoreName
    file_name: str
    sign: Sign
    here: EntryView | None
    there: EntryView | None

    @property
    def entry(self) -> EntryView:
        """The one that is sent or copied: ours where there is one."""
        found = self.here or self.there
        assert found is not None
        return found


class ComparedDialog(Dialog[None]):
    """Both stores of the open profile and of another one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "send(True)", "Copy over", show=False),
        Binding("m", "send(False)", "Move over", show=False),
        Binding("y", "copy", "Copy", show=False),
        Binding("tab,shift+tab", "app.focus_next", "Read", show=False),
        Binding("c,q", "leave", "Back", show=False),
    ]
    AUTO_FOCUS = "OptionRows"

    rows = getters.query_one(OptionRows)
    pane = getters.query_one(TextPane)

    def __init__(
        self,
        here: str,
        there: str,
        found: Sequence[Comparison],
        *,
        read: Callable[[], Sequence[Comparison]],
        send: Send | None,
    ) -> None:
        """Show a comparison.

        Args:
            here: what the open profile is called.
            there: what the other one is called.
            found: both stores.
            read: compares them again, in a thread.
            send: copies or moves an entry; None where nothing may be written.
        """
        super().__init__()
        self.heading = visible(f"{here} (here) and {there} (there)", multiline=False)
        self._here, self._there = here, there
        self._found = tuple(found)
        self._read = read
        self._send = send
        self._rows: dict[str, Row] = {}

    def compose_body(self) -> ComposeResult:
        """The entries, and all of the one under the cursor."""
        with Container(classes="sides"):
            yield OptionRows(id="compared")
            yield TextPane(classes="side")

    def on_mount(self) -> None:
        """Show them."""
        super().on_mount()
        self._lay_out()

    def on_resize(self) -> None:
        """Rows are as wide as there is room."""
        self.call_after_refresh(self._redraw)

    # The rows

    def _lay_out(self) -> None:
        at = self.rows.highlighted
        self.rows.clear_options()
        self._rows.clear()
        for found in self._found:
            self.rows.add_option(Option(self._heading(found), disabled=True))
            for row in _rows_of(found):
                id = f"row-{len(self._rows)}"
                self._rows[id] = row
                self.rows.add_option(Option(self._words(row), id=id))
        if self._rows:
            self.rows.highlighted = max(1, min(at or 1, self.rows.option_count - 1))
        self._show_whole()

    def _redraw(self) -> None:
        for id, row in self._rows.items():
            self.rows.replace_option_prompt(id, self._words(row))

    def _heading(self, found: Comparison) -> Content:
        if found.closed is not None:
            return Content.styled(visible(found.closed.problem), "$error")
        kinds = ((found.both, "in both"), (found.near, "alike"), (found.only_one, "only here"))
        counts = [f"{len(some):,} {what}" for some, what in (*kinds, (found.only_other, "only there")) if some]
        counts += [] if found.looked_for_near else ["too many to look for alike ones"]
        words = "the same in both" if found.same and found.both else "no entry" if found.same else " · ".join(counts)
        return Content.assemble((found.one.file_name, "$accent bold"), (f"  {words}", "$text-muted"))

    def _words(self, row: Row) -> Content:
        width = max(20, self.rows.size.width - BESIDE_CELLS)
        tone = {"=": "$text-muted", "~": "$warning", "<": "$diff-del", ">": "$diff-add"}[row.sign]
        text = one_line(" ".join(row.entry.text[:ROW_CHARS].split()), width)
        return Content.assemble((f"{row.sign} ", f"{tone} bold"), (text, "$text-muted" if row.sign == "=" else ""))

    @property
    def current(self) -> Row | None:
        """The row under the cursor."""
        at = self.rows.highlighted
        option = self.rows.get_option_at_index(at) if at is not None else None
        return self._rows.get(option.id) if option and option.id else None

    def on_option_list_option_highlighted(self) -> None:
        """All of the entry is beside it."""
        self._show_whole()

    def _show_whole(self) -> None:
        row = self.current
        paper = Paper()
        if row is None:
            self.pane.show(paper.line("There is nothing to compare.", "muted"))
            return
        where = {
            "=": f"In both: entry {row.here and row.here.index} here, {row.there and row.there.index} there",
            "~": f"Nearly the same: entry {row.here and row.here.index} here, {row.there and row.there.index} there",
            "<": f"Only in {self._here}: entry {row.here and row.here.index}",
            ">": f"Only in {self._there}: entry {row.there and row.there.index}",
        }[row.sign]
        paper.line(visible(f"{where} of {row.file_name}", multiline=False), "heading").line()
        if row.sign == "~" and row.here and row.there:
            paper.line(f"[-{visible(self._here)}-] {{+{visible(self._there)}+}}", "muted")
            paper.diff(word_diff(row.here.text, row.there.text))
        else:
            paper.found(row.entry.text, row.entry.findings)
        self.pane.show(paper)
        self.pane.scroll_home(animate=False)

    def key_hints(self) -> list[KeyHint]:
        """Copy over, move over, copy, read, back."""
        can = self._send is not None
        return [
            KeyHint("enter", "Copy over", "screen.send(True)", can),
            KeyHint("m", "Move over", "screen.send(False)", can),
            KeyHint("y", "Copy exact text", "screen.copy"),
            KeyHint("tab", "Read", "app.focus_next"),
            KeyHint("esc", "Back", "screen.leave"),
        ]

    # What is done with one

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click only shows it."""
        event.stop()

    def action_copy(self) -> None:
        """Ask for the exact text on the clipboard."""
        if row := self.current:
            self.post_message(CopyRequested(row.entry.text, f"entry {row.entry.index} of {row.file_name}"))

    def action_send(self, keep: bool) -> None:
        """Ask, and copy or move the entry to where it is not."""
        row, send = self.current, self._send
        if row is None:
            return
        if send is None:
            self.notify("This is a read-only view: nothing is sent.", markup=False)
            return
        if row.sign == "=":
            self.notify("It is in both already.", markup=False)
            return
        from_here = row.here is not None
        source, target = (self._here, self._there) if from_here else (self._there, self._here)
        ref = EntryRef(row.store, row.entry.index, row.entry.text)
        verb = "Copy" if keep else "Move"
        note = f"\n\n{target} keeps its own version beside it." if row.sign == "~" else ""

        def answered(yes: bool | None) -> None:
            if yes:
                send(ref, from_here, keep, self.look_again)

        question = f"{verb} entry {ref.index} of {row.file_name} from {source} to {target}?"
        self.app.push_screen(Confirm(question, detail=f"{ref.text}{note}", yes=f"{verb} it"), answered)

    def look_again(self) -> None:
        """Show both as they are now."""
        if self.is_mounted:
            self.run_worker(self._look_again(), name="compare", group="compare", exclusive=True, exit_on_error=False)

    async def _look_again(self) -> None:
        self._found = tuple(await asyncio.to_thread(self._read))
        self._lay_out()


def _rows_of(found: Comparison) -> Iterator[Row]:
    """What differs comes first."""
    if found.closed is not None:
        return
    store, name = found.store, found.one.file_name
    yield from (Row(store, name, "~", pair.one, pair.other) for pair in found.near)
    yield from (Row(store, name, "<", entry, None) for entry in found.only_one)
    yield from (Row(store, name, ">", None, entry) for entry in found.only_other)
    yield from (Row(store, name, "=", one, other) for one, other in found.both)
