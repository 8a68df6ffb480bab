"""The keys that work where you are, and all others, from the one table of actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from hermes_tui.text import cells, visible, wrap_cells
from hermes_tui.ui.actions import ACTIONS, BY_ID, Action
from hermes_tui.ui.dialogs.base import Dialog, KeyHint
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.dialogs.text_pane import TextPane

WhyNot = Callable[[Action], str | None]

SAID_ONCE_FROM = 3
"""A reason that stops so many keys is said over all of them, and not with each."""

IN_DIALOGS: tuple[tuple[str, str], ...] = (
    ("esc", "Back out one step; an editor with changes asks first."),
    ("ctrl+s / f2", "Editor: save."),
    ("f3 / ctrl+o", "Editor: write what is offered for a finding."),
    ("f6", "Editor: go to the next finding."),
    ("ctrl+e / f4", "Editor: go on in $EDITOR."),
    ("ctrl+z / ctrl+y", "Editor: undo and redo typing."),
    ("y / n", "Answer a question; it rests on no."),
    ("tab", "Go to the next part of a dialog."),
)
"""The keys of the dialogs, which are not actions of a screen."""


class Help(Dialog[None]):
    """A page of keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1,q", "leave", "Back", show=False),
        Binding("ctrl+p,colon", "app.command_palette", "Palette", show=False, id="app.palette"),
    ]
    AUTO_FOCUS = "TextPane"

    heading = "Keys"

    def __init__(self, actions: Sequence[Action], *, why_not: WhyNot | None = None) -> None:
        """Explain `actions`, those that work where the person is, then the other screens'.

        Args:
            actions: what works here.
            why_not: says why an action makes no sense now; it is shown greyed with the reason.
        """
        super().__init__()
        self._actions = tuple(actions)
        self._why_not = why_not

    def compose_body(self) -> ComposeResult:
        """The keys in groups."""
        yield TextPane()

    def on_mount(self) -> None:
        """Lay the table out."""
        super().on_mount()
        self.call_after_refresh(self._lay_out)

    def on_resize(self) -> None:
        """Lay the table out for the new width."""
        self.call_after_refresh(self._lay_out)

    def _lay_out(self) -> None:
        pane = self.query_one(TextPane)
        pane.show(self.paper(pane.line_cells))

    def paper(self, width: int) -> Paper:
        """The page, for a pane of `width` cells."""
        paper = Paper()
        here = {action.id for action in self._actions}
        reasons = {action.id: reason for action in self._actions if (reason := self._reason(action))}
        for reason, times in Counter(reasons.values()).items():
            if times >= SAID_ONCE_FROM:
                paper.fresh().line(f"Not now: {visible(reason, multiline=False)}", "warning")
                reasons |= {id: "not now" for id, its in reasons.items() if its == reason}
        _groups(paper, self._actions, reasons, width)
        elsewhere = [action for action in ACTIONS if action.id not in here]
        for screen in dict.fromkeys(action.screen for action in elsewhere):
            paper.fresh().line().line(f"On the {screen.title()} screen", "strong")
            _groups(paper, [action for action in elsewhere if action.screen == screen], {}, width)
        paper.fresh().line().line("In dialogs", "heading")
        for keys, words in IN_DIALOGS:
            _row(paper, keys, words, _key_width(width), width)
        return paper

    def _reason(self, action: Action) -> str | None:
        return self._why_not(action) if self._why_not else None

    def key_hints(self) -> list[KeyHint]:
        """Scroll, back, and the way to every action for a mouse."""
        return [
            KeyHint("↑↓", "Scroll", "screen.focus_next"),
            KeyHint(BY_ID["app.palette"].key, "Do one of them", "app.command_palette"),
            KeyHint("esc", "Back", "screen.leave"),
        ]

    def step_aside(self) -> None:
        """Offer all of it to be done, on the screen below."""
        self.dismiss(None)
        self.app.call_later(self.app.action_command_palette)


def _key_width(width: int) -> int:
    """Cells for the column of keys."""
    return 22 if width >= 70 else 16


def _groups(paper: Paper, actions: Sequence[Action], reasons: Mapping[str, str], width: int) -> None:
    for group in dict.fromkeys(action.group for action in actions):
        if paper.text:
            paper.fresh().line()
        paper.line(group, "heading")
        for action in actions:
            if action.group == group:
                _row(paper, action.all_keys, _words(action), _key_width(width), width, reasons.get(action.id))


def _words(action: Action) -> str:
    """What it does, after the word that the bottom line has for it."""
    told = action.help.casefold().startswith(action.label.casefold())
    return action.help if told else f"{action.label}: {action.help}"


def _row(paper: Paper, keys: str, words: str, key_width: int, width: int, reason: str | None = None) -> None:
    """Keys on the left, what they do on the right, both wrapped in their columns."""
    left = wrap_cells(keys, key_width - 2)
    text = f"{words} ({reason})" if reason else words
    right = wrap_cells(visible(text, multiline=False), max(10, width - key_width))
    for row in range(max(len(left), len(right))):
        key = left[row] if row < len(left) else ""
        paper.fresh().words(key, "muted" if reason else "strong").words(" " * (key_width - cells(key)))
        paper.words(right[row] if row < len(right) else "", "muted" if reason else "plain").words("\n")
