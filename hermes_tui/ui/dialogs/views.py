"""The saved views of a screen: take one, save what is shown now, give another name, delete."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from hermes_tui.errors import HermesTuiError
from hermes_tui.text import fit, one_line, visible
from hermes_tui.ui.dialogs.base import Dialog, KeyBar, KeyHint
from hermes_tui.ui.dialogs.confirm import Confirm
from hermes_tui.ui.dialogs.option_rows import OptionRows
from hermes_tui.ui.dialogs.view_name import ViewName

if TYPE_CHECKING:
    from hermes_tui.ui.viewing import Viewing
    from hermes_tui.views import View

    Change = Callable[[], tuple[View, ...]]

NUMBER_CELLS = 9
"""The column of counts."""
BESIDE_CELLS = 6
"""Frame, free cells, scroll bar."""
NONE_YET = "No view is saved yet."
FIRST = Content.assemble(
    ("Save what is shown now", "bold"), ("\n  s gives it a name; it can be shown again from here.", "$text-muted")
)
"""The row of a list without views, so that there is something to stand on."""
SHOWN_CELLS = 40
"""Of a name in a sentence."""


class ViewsDialog(Dialog["View | None"]):
    """Leaves with the view to show; with nothing when what is shown stays."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "show", "Show", show=False),
        Binding("s", "save", "Save", show=False),
        Binding("r", "rename", "Rename", show=False),
        Binding("d,delete", "delete", "Delete", show=False),
        Binding("v,q", "leave", "Back", show=False),
    ]
    AUTO_FOCUS = "OptionRows"

    heading = "Saved views"
    size_class = "-small"

    rows = getters.query_one(OptionRows)
    name_line = getters.query_one(ViewName)

    def __init__(self, viewing: Viewing, views: Sequence[View]) -> None:
        super().__init__()
        self._viewing = viewing
        self._views = tuple(views)
        self._counts: dict[str, str] = {}
        self._named: Callable[[str], None] | None = None
        """What becomes of the name that is being written; None while none is."""

    def compose_body(self) -> ComposeResult:
        """The views, what is shown now, and what to say about it."""
        yield Static(id="views-none", markup=False)
        yield OptionRows()
        yield Static(self._now(), id="views-now", markup=False)
        yield Static(id="views-note", markup=False)
        yield ViewName()

    def _now(self) -> Content:
        showing = self._viewing.showing
        return Content.styled(f"Shown now: {showing.words(showing.content)}", "$text-muted")

    def on_mount(self) -> None:
        """Show them, the one in use under the cursor."""
        super().on_mount()
        self.say("")
        self._lay_out(self._viewing.in_use.name if self._viewing.in_use else "")

    def on_resize(self) -> None:
        """Numbers stand at the right edge."""
        self.call_after_refresh(self._redraw)

    # The rows

    def _lay_out(self, name: str) -> None:
        """Show the views, the cursor on one of them."""
        self.rows.clear_options()
        self.rows.add_options([Option(self._row(view)) for view in self._views] or [Option(FIRST)])
        none = self.query_one("#views-none", Static)
        none.display = not self._views
        none.update(Content.styled(NONE_YET, "$text-muted"))
        self.rows.highlighted = next((at for at, view in enumerate(self._views) if view.name == name), 0)
        self.rows.focus()
        self.query_one(KeyBar).show(self.key_hints())
        self.run_worker(self._count(), name="view counts", group="counts", exclusive=True, exit_on_error=False)

    def _redraw(self) -> None:
        for at, view in enumerate(self._views):
            self.rows.replace_option_prompt_at_index(at, self._row(view))

    def _row(self, view: View) -> Content:
        room = max(20, min(self.app.size.width, 72) - BESIDE_CELLS) - NUMBER_CELLS
        used = self._viewing.in_use is not None and self._viewing.in_use.name == view.name
        mark = ("  changed" if self._viewing.changed else "  in use") if used else ""
        # Assembled, not parsed: a view may be called anything.
        name = one_line(view.name, room - len(mark))
        return Content.assemble(
            (name, "bold"),
            (fit(mark, room - Content(name).cell_length), "$text-muted"),
            (f"{self._counts.get(view.name, ''):>{NUMBER_CELLS}}", "$text-muted"),
            (f"\n  {one_line(self._words(view), room + NUMBER_CELLS - 2)}", "$text-muted"),
        )

    def _words(self, view: View) -> str:
        try:
            return self._viewing.showing.words(view.content)
        except ValueError as error:
            return f"✗ cannot be shown: {error}"

    async def _count(self) -> None:
        for at, view in enumerate(self._views):
            try:
                words = await asyncio.to_thread(self._viewing.showing.count, view.content)
            except ValueError:
                continue
            if words != self._counts.get(view.name, ""):
                self._counts[view.name] = words
                self.rows.replace_option_prompt_at_index(at, self._row(view))

    @property
    def current(self) -> View | None:
        """The view under the cursor."""
        at = self.rows.highlighted
        return self._views[at] if at is not None and at < len(self._views) else None

    def key_hints(self) -> list[KeyHint]:
        """Show, save, rename, delete, back: those for which there is something."""
        if self._named is not None:
            works = self.name_line.works
            return [KeyHint("enter", "Save", "screen.name", works), KeyHint("esc", "Back", "screen.leave")]
        save = KeyHint("s", "Save what is shown", "screen.save")
        back = KeyHint("esc", "Back", "screen.leave")
        if not self._views:
            return [save, back]
        return [
            KeyHint("enter", "Show", "screen.show"),
            save,
            KeyHint("r", "Rename", "screen.rename"),
            KeyHint("d", "Delete", "screen.delete"),
            back,
        ]

    def say(self, words: str) -> None:
        """Say something under the list."""
        note = self.query_one("#views-note", Static)
        note.display = bool(words)
        note.update(Content.styled(visible(words), "$error"))

    # Taking one

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click takes one."""
        event.stop()
        self.action_show()

    def action_show(self) -> None:
        """Show the view under the cursor, unless it cannot be; where there is none, make the first."""
        view = self.current
        if view is None:
            self.action_save()
            return
        try:
            self._viewing.showing.words(view.content)
        except ValueError as error:
            self.say(f"✗ “{one_line(view.name, SHOWN_CELLS)}” cannot be shown: {error}.")
            return
        self.dismiss(view)

    # Changing them

    def action_save(self) -> None:
        """Ask for a name, and save what is shown now."""
        used = self._viewing.in_use
        self._ask("Save what is shown as", used.name if used else "", self._views, self._save, over=True)

    def _ask(
        self, heading: str, name: str, others: Sequence[View], named: Callable[[str], None], *, over: bool = False
    ) -> None:
        """Ask for a name in this box; the list waits meanwhile."""
        self.say("")
        self._named = named
        self.rows.disabled = True
        self.name_line.ask(heading, name, others, over=over)

    def on_view_name_checked(self) -> None:
        """Say whether the name can be saved."""
        self.query_one(KeyBar).show(self.key_hints())

    def action_name(self) -> None:
        """A click on the key that saves."""
        self.name_line.action_save()

    def on_view_name_named(self, message: ViewName.Named) -> None:
        """Do what the name was asked for."""
        named = self._named
        self._end_asking()
        if named is not None:
            named(message.name)

    def _end_asking(self) -> None:
        self._named = None
        self.name_line.end()
        self.rows.disabled = False
        self.rows.focus()
        self.query_one(KeyBar).show(self.key_hints())

    def leave(self) -> None:
        """Back out one step: of the name, then of the views."""
        if self._named is not None:
            self._end_asking()
        else:
            super().leave()

    def _save(self, name: str, *, over: bool = False) -> None:
        from hermes_tui.views import same_name

        there = next((view for view in self._views if same_name(view.name, name)), None)
        if there is None or over:
            self._do(lambda: self._viewing.save(name, over=over), name)
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self._save(name, over=True)

        question = f"Replace the view “{one_line(there.name, SHOWN_CELLS)}”?"
        detail = f"It shows: {self._words(there)}\nNow: {self._now().plain.partition(': ')[2]}"
        self.app.push_screen(Confirm(question, detail=detail, yes="Replace it"), answered)

    def action_rename(self) -> None:
        """Ask for another name."""
        view = self.current
        if view is None:
            return

        def named(name: str) -> None:
            if name != view.name:
                self._do(lambda: self._viewing.rename_to(view, name), name)

        self._ask("Rename the view", view.name, [each for each in self._views if each is not view], named)

    def action_delete(self) -> None:
        """Ask, and forget the view under the cursor."""
        view = self.current
        if view is None:
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self._do(lambda: self._viewing.delete(view), "")

        question = f"Delete the view “{one_line(view.name, SHOWN_CELLS)}”?"
        self.app.push_screen(Confirm(question, detail=f"It shows: {self._words(view)}", yes="Delete it"), answered)

    def _do(self, change: Change, name: str) -> None:
        self.run_worker(self._change(change, name), name="views", group="views", exit_on_error=False)

    async def _change(self, change: Change, name: str) -> None:
        """Do it, and show the views as they are then, the cursor on the one of this name."""
        self.say("")
        at = self.rows.highlighted or 0
        try:
            self._views = await asyncio.to_thread(change)
        except HermesTuiError as error:
            self.say(f"✗ {error}")
            self._views = await asyncio.to_thread(self._seen)
        self._lay_out(name)
        if not name and self._views:
            self.rows.highlighted = min(at, len(self._views) - 1)

    def _seen(self) -> tuple[View, ...]:
        """In a thread: the views as they are saved; those that were shown where that cannot be read."""
        try:
            return self._viewing.saved.every
        except HermesTuiError:
            return self._views
