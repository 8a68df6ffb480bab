"""What the list of the Settings screen holds: things with a name, a value, and a page that explains them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from hermes_tui.config.keys import Key, Value
from hermes_tui.config.rows import Row, Rows, shown_value
from hermes_tui.memory.limits import LIMIT_KEYS, limit_effect
from hermes_tui.text import visible
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.live import HomeState

Ink = Literal["foreground", "text-muted", "success", "warning", "error"]

WHEN = {
    "now": "at once, also for an agent that is running",
    "next session": "from the agent's next session on",
    "restart": "when the agent starts again",
}
FROM = {"user": "your config.yaml", "managed": "the administrator of this machine", "default": "the agent's default"}
_SIDES = {"user": "yours", "managed": "managed", "default": ""}


class Item(Protocol):
    """One row of the list."""

    @property
    def id(self) -> str:
        """What it is found again by."""

    @property
    def group(self) -> str:
        """The heading it stands under."""

    @property
    def label(self) -> str:
        """Its name; safe to show."""

    @property
    def value(self) -> tuple[str, Ink]:
        """What it is now, and in which colour; safe to show."""

    @property
    def side(self) -> str:
        """Where that comes from, in a word."""

    @property
    def odd(self) -> bool:
        """Whether there is something to look at."""

    @property
    def changed(self) -> bool:
        """Whether it is other than the agent's default."""

    @property
    def words(self) -> str:
        """Everything it can be found by."""

    def paper(self, state: HomeState) -> Paper:
        """All that is to be said about it."""


@dataclass(frozen=True, slots=True)
class SettingItem:
    """A setting of config.yaml."""

    row: Row

    @property
    def key(self) -> Key:
        """What it is."""
        return self.row.key

    @property
    def id(self) -> str:
        """Its dotted key."""
        return self.key.name

    @property
    def group(self) -> str:
        """Its group in the table."""
        return self.key.group

    @property
    def label(self) -> str:
        """Its few words."""
        return self.key.label

    @property
    def value(self) -> tuple[str, Ink]:
        """On and off for switches, the value for all others."""
        words = value_words(self.key, self.row.value)
        if self.key.kind == "switch":
            return words, "success" if self.row.value else "foreground"
        return words, "text-muted" if self.row.value == "" else "foreground"

    @property
    def side(self) -> str:
        """Where the value comes from."""
        return _SIDES[self.row.origin]

    @property
    def odd(self) -> bool:
        """Whether the agent reads it otherwise than it is written."""
        return bool(self.row.notes) and self.row.origin == "user"

    @property
    def changed(self) -> bool:
        """Whether a file says something."""
        return self.row.differs

    @property
    def words(self) -> str:
        """Key, name, meaning."""
        return f"{self.key.name} {self.key.label} {self.key.group} {self.key.meaning}".casefold()

    def paper(self, state: HomeState) -> Paper:
        """Meaning, value, defaults, where it comes from, when it counts, and what it does to the stores."""
        key, row = self.key, self.row
        paper = Paper().line(key.name, "heading").line(key.meaning).line()
        for note in row.notes:
            paper.line(f"! {visible(note)}", "warning" if self.odd else "muted")
        if effect := effect_words(key, row.value, state):
            paper.line(effect)
        if row.notes or effect:
            paper.line()
        facts = [
            ("value", self.value[0]),
            ("from", FROM[row.origin]),
            ("default", default_words(key)),
            ("takes", takes_words(key)),
            ("counts", WHEN[key.applies]),
        ]
        if key.only:
            facts.append(("agents", f"only those of the {key.only} line"))
        if row.written and row.written != str(row.value).lower() and key.kind not in ("secret", "text"):
            facts.append(("written", visible(row.written, multiline=False)))
        for name, said in facts:
            paper.words(f"{name:<9}", "muted").words(said).fresh()
        return paper


def value_words(key: Key, value: Value) -> str:
    """A value as the screen says it: on and off for switches, a secret by its ends."""
    if key.kind == "switch":
        return "on" if value else "off"
    return visible(shown_value(key, value), multiline=False)


def default_words(key: Key) -> str:
    """What counts when the file says nothing, for each line of the agent where they differ."""
    if key.newer is None:
        return value_words(key, key.default)
    return f"{value_words(key, key.default)} (0.19), {value_words(key, key.newer)} (0.22)"


def takes_words(key: Key) -> str:
    """What may be given."""
    return "on or off; true or false in the file" if key.kind == "switch" else key.range


def effect_words(key: Key, value: Value, state: HomeState) -> str:
    """What a limit does to the store as it stands; empty for everything else."""
    store = LIMIT_KEYS.get(key.name)
    return limit_effect(store, state.view(store).usage.chars, int(value)) if store else ""


def items_of(rows: Rows, others: Iterable[Item] = ()) -> list[Item]:
    """Everything the list can show, in its order: what is not a setting stands at the end of its group."""
    items: list[Item] = [*map(SettingItem, rows.rows)]
    for other in others:
        behind = [number for number, item in enumerate(items, 1) if item.group == other.group]
        items.insert(behind[-1] if behind else len(items), other)
    return items


def chosen(items: Sequence[Item], needle: str, *, only_changed: bool) -> list[Item]:
    """Those that hold every word of `needle`, and of them those that differ from the default."""
    words = needle.casefold().split()
    return [
        item
        for item in items
        if (item.changed or item.odd or not only_changed) and all(word in item.words for word in words)
    ]
