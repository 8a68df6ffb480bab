"""Secrets that lie about, as a dialog: where each is, by its ends, and what takes it away."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from hermes_tui.text import one_line, plural, visible
from hermes_tui.ui.dialogs.base import Dialog, KeyBar, KeyHint
from hermes_tui.ui.dialogs.option_rows import OptionRows
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import TextPane

if TYPE_CHECKING:
    from hermes_tui.secrets_found.look import Looked
    from hermes_tui.ui.app import HermesTuiApp

ROW_CELLS = 160
TELL_SECONDS = 0.3


class SecretsDialog(Dialog[None]):
    """What was found; all of it is looked through when that is asked for."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "deep", "Look through all", show=False),
        Binding("s", "stop", "Stop", show=False),
        Binding("q", "leave", "Back", show=False),
        Binding("tab", "app.focus_next", "Switch", show=False),
    ]
    AUTO_FOCUS = "OptionRows"
    DEFAULT_CSS = """
    SecretsDialog #secrets-words { width: 1fr; height: auto; max-height: 5; color: $text-muted; }
    SecretsDialog #secrets-rows { height: 1fr; max-height: 50%; margin-top: 1; }
    SecretsDialog #secrets-text { height: 1fr; border-top: solid $card-border; }
    SecretsDialog.-low #secrets-rows { margin-top: 0; }
    """

    heading = "Secrets lying around"

    rows = getters.query_one(OptionRows)
    pane = getters.query_one(TextPane)

    def __init__(self, app: HermesTuiApp) -> None:
        super().__init__()
        self._hermes = app
        self._looked: Looked | None = None
        self._busy = False
        self._stop = False
        self._share = (0, 0)

    def compose_body(self) -> ComposeResult:
        """How far it goes, where they are, what to do."""
        yield Static("Looking …", id="secrets-words", markup=False)
        yield OptionRows(id="secrets-rows")
        yield TextPane(Paper(), id="secrets-text")

    def on_mount(self) -> None:
        """Look through what is quick to look through."""
        super().on_mount()
        self._clock = self.set_interval(TELL_SECONDS, self._tell)
        self._look(deep=False)

    def on_unmount(self) -> None:
        """Nothing more is wanted."""
        self._stop = True

    def key_hints(self) -> list[KeyHint]:
        """Look through all, stop, back."""
        looking = self._busy and self._looked is not None
        deep = (
            KeyHint("s", "Stop", "screen.stop")
            if looking
            else KeyHint("f", "Look through all", "screen.deep", self._looked is not None and not self._looked.deep)
        )
        return [deep, KeyHint("tab", "Places or words", "app.focus_next"), KeyHint("esc", "Back", "screen.leave")]

    # Looking

    def _look(self, *, deep: bool) -> None:
        self._busy, self._stop, self._share = True, False, (0, 0)
        self._clock.resume()
        self.run_worker(self._run(deep), name="secrets", exclusive=True, exit_on_error=False)

    async def _run(self, deep: bool) -> None:
        from hermes_tui.secrets_found.look import look  # loaded here: few ask for it

        def tell(done: int, total: int) -> None:
            self._share = (done, total)
            if self._stop:
                raise KeyboardInterrupt  # as for the command line: what was found so far is given

        app = self._hermes
        looked = await asyncio.to_thread(look, app.home, app.state.views, deep=deep, progress=tell)
        self._busy = False
        if self.is_attached:
            self._clock.pause()
            self._looked = looked
            self._show()

    def _show(self) -> None:
        looked = self._looked
        assert looked is not None
        self.rows.clear_options()
        self.rows.add_options(
            Option(Content(one_line(f"{found.label} in {found.where}", ROW_CELLS))) for found in looked.found
        )
        self.rows.add_options(
            Option(Content(one_line(f"open to others ({each.mode:04o}): {each.path}", ROW_CELLS)))
            for each in looked.open_files
        )
        if self.rows.option_count:
            self.rows.highlighted = 0
        self._show_one()
        self._tell()

    def _tell(self) -> None:
        looked = self._looked
        if self._busy:
            done, total = self._share
            words = f"Looking … {done * 100 // total} %" if total else "Looking …"
        elif looked is None:
            return
        else:
            count = len(looked.found)
            found = f"{plural(count, 'secret')} found." if count else "No secret was found in what was looked through."
            words = " ".join([found, *looked.left])
        self.query_one("#secrets-words", Static).update(Content(visible(words)))
        self.query_one(KeyBar).show(self.key_hints())

    @on(OptionList.OptionHighlighted)
    def _show_one(self) -> None:
        from hermes_tui.secrets_found.remedy import remedy  # loaded here: few ask for it

        looked, at = self._looked, self.rows.highlighted
        paper = Paper()
        if looked is not None and at is not None:
            if at < len(looked.found):
                found = looked.found[at]
                paper.words("! ", "warning").raw(found.label, "strong").fresh().raw(f"in {found.where}").fresh()
                paper.line().raw(remedy(found)).fresh()
            else:
                each = looked.open_files[at - len(looked.found)]
                paper.raw(f"{each.path} holds secrets, and its mode {each.mode:04o} lets others read it.").fresh()
                paper.line().raw(f"chmod 600 {each.path}").fresh()
        self.pane.show(paper)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click only moves the cursor."""
        event.stop()

    # Keys

    def action_deep(self) -> None:
        """Look through everything, however long it takes."""
        if not self._busy and self._looked is not None and not self._looked.deep:
            self._look(deep=True)

    def action_stop(self) -> None:
        """Leave it at what was found so far."""
        self._stop = True
