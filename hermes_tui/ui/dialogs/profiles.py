"""The profiles of a root, to go to one, to look into one, or to send entries there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, TypeVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from hermes_tui.text import fit, one_line, plural, short_path
from hermes_tui.ui.dialogs.base import Dialog, KeyBar, KeyHint
from hermes_tui.ui.dialogs.option_rows import OptionRows

if TYPE_CHECKING:
    from hermes_tui.home import Profile
    from hermes_tui.memory.entries import Usage
    from hermes_tui.ui.profiles import Fullness

WIDEST_CELLS = 92
"""Of the dialog, as its style has it."""
BESIDE_CELLS = 7
"""Frame, free cells, scroll bar."""
USAGE_CELLS, SHORT_USAGE_CELLS = 26, 16
"""The column of how full the stores are, and how wide it is on a narrow screen."""
PENDING_CELLS = 12
NARROW_CELLS = 70
NAME_CELLS = 12
"""A name has so much room at least, whatever else there is to say."""

Result = TypeVar("Result")


class ProfileRows(Dialog[Result], Generic[Result]):
    """A list of profiles; how full each is follows as it is read."""

    AUTO_FOCUS = "OptionRows"
    size_class = "-fitting"

    rows = getters.query_one(OptionRows)

    def __init__(self, profiles: Sequence[Profile], look_into: Callable[[Profile], Fullness], here: str = "") -> None:
        super().__init__()
        self._profiles = tuple(profiles)
        self._look_into = look_into
        self._here = here
        self._known: dict[str, Fullness] = {}

    def compose_body(self) -> ComposeResult:
        """A row for each."""
        yield OptionRows(*(Option(self._row(profile)) for profile in self._profiles))

    def on_mount(self) -> None:
        """Begin at the one after the one that is open, and read what is in them."""
        super().on_mount()
        at = next((at for at, each in enumerate(self._profiles) if each.name == self._here), -1)
        self.rows.highlighted = (at + 1) % len(self._profiles) if self._profiles else None
        self.run_worker(self._look(), name="profiles", group="profiles", exclusive=True, exit_on_error=False)

    def on_resize(self) -> None:
        """Numbers stand at the right edge."""
        self.call_after_refresh(self._redraw)

    def _redraw(self) -> None:
        for at, profile in enumerate(self._profiles):
            self.rows.replace_option_prompt_at_index(at, self._row(profile))

    async def _look(self) -> None:
        for at, profile in enumerate(self._profiles):
            self._known[profile.name] = await asyncio.to_thread(self._look_into, profile)
            self.rows.replace_option_prompt_at_index(at, self._row(profile))

    def _row(self, profile: Profile) -> Content:
        width = max(30, min(self.app.size.width, WIDEST_CELLS) - BESIDE_CELLS)
        narrow = width < NARROW_CELLS
        usage_cells = SHORT_USAGE_CELLS if narrow else USAGE_CELLS
        room = width - usage_cells - PENDING_CELLS
        marks = [
            word
            for word, on in (
                ("open" if narrow else "open here", profile.name == self._here),
                ("active", profile.active),
            )
            if on
        ]
        mark = f"  {' · '.join(marks)}" if marks else ""
        name = one_line(profile.name, max(NAME_CELLS, room - len(mark)))
        known = self._known.get(profile.name)
        usage = "" if known is None else _usage_words(known.usage, short=narrow)
        waits = "" if known is None else _pending_words(known.pending)
        # Assembled, not parsed: a description may say anything.
        return Content.assemble(
            (name, "bold"),
            (fit(mark, room - len(name)), "$text-muted"),
            (fit(usage, usage_cells), "$text-muted"),
            (fit(waits, PENDING_CELLS, right=True), "$warning" if known and known.pending else "$text-muted"),
            (
                f"\n  {one_line(profile.note or profile.description or short_path(profile.path), width - 2)}",
                "$text-muted",
            ),
        )

    @property
    def current(self) -> str:
        """The name of the profile under the cursor."""
        return self._profiles[self.rows.highlighted or 0].name


class ProfilesDialog(ProfileRows[None]):
    """All profiles of a root: to go to one, or to look into it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go", "Go there", show=False),
        Binding("c", "compare", "Compare", show=False),
        Binding("q", "leave", "Back", show=False),
    ]
    heading = "Profiles"

    def __init__(
        self,
        profiles: Sequence[Profile],
        here: str,
        look_into: Callable[[Profile], Fullness],
        *,
        go: Callable[[str], None],
        compare: Callable[[str], None],
    ) -> None:
        """Show `profiles`.

        Args:
            profiles: all of them.
            here: the name of the one that is open.
            look_into: reads, in a thread, what is in one.
            go: leaves for the one of that name.
            compare: shows what the open one and another remember.
        """
        super().__init__(profiles, look_into, here)
        self._go = go
        self._compare = compare

    def key_hints(self) -> list[KeyHint]:
        """Go there, compare, back; on the open one there is nowhere to go."""
        other = len(self._profiles) > 1 and not (self.is_mounted and self.current == self._here)
        return [
            KeyHint("enter", "Go there", "screen.go", other),
            KeyHint("c", "Compare with the open one", "screen.compare", other),
            KeyHint("esc", "Back", "screen.leave"),
        ]

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Say which keys make sense for the row."""
        event.stop()
        self.query_one(KeyBar).show(self.key_hints())

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click goes there."""
        event.stop()
        self.action_go()

    def action_go(self) -> None:
        """Leave for it, unless it is open already."""
        if self.current != self._here:
            self._go(self.current)
        else:
            self.notify(f"{self.current} is open already: go to another row.", markup=False)

    def action_compare(self) -> None:
        """Show what both remember."""
        if self.current != self._here:
            self._compare(self.current)
        else:
            self.notify(f"{self.current} is the open one: go to another row to compare.", markup=False)


class Wish(NamedTuple):
    """Where entries are to go."""

    name: str
    keep: bool
    """Whether they stay here too."""


class SendDialog(ProfileRows["Wish | None"]):
    """Leaves with the profile that entries go to, and whether they stay."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,c", "send(True)", "Copy there", show=False),
        Binding("m", "send(False)", "Move there", show=False),
        Binding("q", "leave", "Back", show=False),
    ]

    def __init__(self, profiles: Sequence[Profile], look_into: Callable[[Profile], Fullness], what: str) -> None:
        super().__init__(profiles, look_into)
        self.heading = f"Where does {what} go?" if what.startswith("entry") else f"Where do {what} go?"

    def key_hints(self) -> list[KeyHint]:
        """Copy, move, back."""
        return [
            KeyHint("enter", "Copy there", "screen.send(True)"),
            KeyHint("m", "Move there", "screen.send(False)"),
            KeyHint("esc", "Back", "screen.leave"),
        ]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click only goes to the row: what it would do must be said."""
        event.stop()

    def action_send(self, keep: bool) -> None:
        """Leave with it."""
        self.dismiss(Wish(self.current, keep))


def _usage_words(usage: Sequence[Usage | None], *, short: bool) -> str:
    names = ("M", "U") if short else ("MEMORY", "USER")
    sides = (f"{name} {'?' if each is None else f'{each.percent}%'}" for name, each in zip(names, usage, strict=True))
    return " · ".join(sides)


def _pending_words(count: int) -> str:
    return plural(count, "pending", "pending") if count else ""
