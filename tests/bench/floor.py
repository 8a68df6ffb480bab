"""The least a Textual app with a header, two lists and a footer can be: what ours is compared with."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.widgets import Footer, Header, OptionList

ITEMS = 15


class Floor(App[None]):
    """Two lists beside each other."""

    def compose(self) -> ComposeResult:
        """Header, lists, footer."""
        yield Header()
        with Horizontal():
            yield OptionList(*[f"memory item {number}" for number in range(ITEMS)])
            yield OptionList(*[f"user item {number}" for number in range(ITEMS)])
        yield Footer()


if __name__ == "__main__":
    Floor().run()
