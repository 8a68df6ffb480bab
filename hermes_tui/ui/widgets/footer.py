"""The bottom line: the keys that work here, folding to `? Help` where the row is short, or what one of them did."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from hermes_tui.text import cells
from hermes_tui.ui.actions import ACTIONS, EVERYWHERE, Action, actions_for
from hermes_tui.ui.widgets.message_line import MessageLine

_GAP = 2
_TABLE = {action.id: number for number, action in enumerate(ACTIONS)}


def _place(action: Action) -> tuple[bool, int]:
    """Where a key stands among those for which there is room."""
    everywhere = action.screen == EVERYWHERE
    return everywhere, _TABLE[action.id] if everywhere else action.footer


class FooterLine(MessageLine):
    """Keys and labels from the action table, by rank; a disabled one stays in its place, greyed."""

    DEFAULT_CSS = "FooterLine { height: 1; dock: bottom; background: $panel; }"

    class Chosen(Message):
        """An action was clicked."""

        def __init__(self, action: Action) -> None:
            super().__init__()
            self.action = action

    def __init__(
        self,
        screen_name: str,
        why_not: Callable[[Action], str | None],
        label_of: Callable[[Action], str] = lambda action: action.label,
        *,
        id: str | None = None,
    ) -> None:
        """Show the keys of a screen.

        Args:
            screen_name: as in the table of actions.
            why_not: says why an action makes no sense now; None when it does.
            label_of: what an action would do now.
            id: as of every widget.
        """
        super().__init__(id=id)
        # The way to the screen one is on already is left out.
        offered = (action for action in actions_for(screen_name) if action.footer and action.id != f"app.{screen_name}")
        ranked = sorted(offered, key=lambda action: action.footer)
        self._help, *self._actions = ranked
        self._why_not = why_not
        self._label_of = label_of
        self._labels = {action.id: action.label for action in ranked}
        self._disabled: frozenset[str] = frozenset()
        self._typing: tuple[tuple[str, str], ...] = ()
        """Keys and labels while a line is typed into, which takes all the other keys."""

    def on_mount(self) -> None:
        """Say what keys do where they go now."""
        self.watch(self.screen, "focused", self._follow_focus)

    def follow_typing(self) -> None:
        """The keys of the line that is typed into may be others now."""
        self._follow_focus(self.screen.focused)

    def _follow_focus(self, focused: Widget | None) -> None:
        typing = getattr(focused, "typing_keys", ())
        if typing != self._typing:
            self._typing = typing
            self.refresh()

    def update_disabled(self) -> None:
        """Look again at which actions make sense now, and what they would do; draws only when that changed."""
        disabled = frozenset(action.id for action in self._actions if self._why_not(action))
        labels = {action.id: self._label_of(action) for action in (*self._actions, self._help)}
        if (disabled, labels) != (self._disabled, self._labels):
            self._disabled, self._labels = disabled, labels
            self.refresh()

    def fitting(self, width: int) -> list[tuple[Action, int]]:
        """The actions that fit into `width` cells and the column each begins at.

        The keys of the screen stand together, then those that work everywhere, help always at the end.
        """
        help_size = self.label_cells(self._help)
        room = width - 2 - help_size
        shown: list[Action] = []
        for action in self._actions:
            room -= self.label_cells(action) + _GAP
            if room < 0:
                break
            shown.append(action)
        placed: list[tuple[Action, int]] = []
        x = 1
        for action in sorted(shown, key=_place):
            placed.append((action, x))
            x += self.label_cells(action) + _GAP
        return [*placed, (self._help, max(1, width - 1 - help_size))]

    def label_cells(self, action: Action) -> int:
        """The cells that key and label of an action take."""
        return cells(action.key) + 1 + cells(self._labels[action.id])

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        """Keys and labels, or the message."""
        width = self.size.width
        base = self.rich_style
        if self.message:
            return self.message_strip()
        if self._typing:
            return Strip(list(self._typed_line(base))).adjust_cell_length(width, base)
        segments: list[Segment] = []
        x = 0
        for action, start in self.fitting(width):
            disabled = action.id in self._disabled
            segments.append(Segment(" " * (start - x), base))
            key = self._inks("text-disabled") if disabled else self._inks("accent", "", "bold")
            label = self._inks("text-disabled" if disabled else "foreground")
            segments += [Segment(action.key, key), Segment(f" {self._labels[action.id]}", label)]
            x = start + self.label_cells(action)
        return Strip(segments).adjust_cell_length(width, base)

    def _typed_line(self, base: Style) -> Iterator[Segment]:
        for number, (key, label) in enumerate(self._typing):
            yield Segment(" " * (_GAP if number else 1), base)
            yield Segment(key, self._inks("accent", "", "bold"))
            yield Segment(f" {label}", self._inks("foreground"))

    def on_click(self, event: events.Click) -> None:
        """A click on a label does what its key does."""
        if self.took_click() or self._typing:
            return
        for action, start in self.fitting(self.size.width):
            if start <= event.x < start + self.label_cells(action):
                self.post_message(self.Chosen(action))
                return
