"""One of Honcho's settings of cadence and depth as a row of the Settings screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes_tui.text import visible
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.settings.items import Ink

if TYPE_CHECKING:
    from hermes_tui.providers.honcho_settings import HonchoSettings, HonchoValue

GROUP = "Honcho: cadence and depth"
_SIDES = {"profile": "yours", "file": "yours", "default": ""}


@dataclass(frozen=True, slots=True)
class HonchoItem:
    """One key of honcho.json."""

    honcho: HonchoSettings
    now: HonchoValue

    @property
    def id(self) -> str:
        """Its key."""
        return f"honcho:{self.now.setting.key}"

    @property
    def group(self) -> str:
        """All of them stand together."""
        return GROUP

    @property
    def label(self) -> str:
        """Its key."""
        return self.now.setting.key

    @property
    def value(self) -> tuple[str, Ink]:
        """What the agent takes."""
        return (visible(self.now.value, multiline=False), "foreground") if self.now.value else ("not set", "text-muted")

    @property
    def side(self) -> str:
        """Where that comes from."""
        return _SIDES[self.now.origin]

    @property
    def odd(self) -> bool:
        """Whether the agent makes something else of it than it seems."""
        return bool(self.now.note)

    @property
    def changed(self) -> bool:
        """Whether the file says something."""
        return self.now.origin != "default"

    @property
    def words(self) -> str:
        """Key and meaning."""
        return f"honcho {self.now.setting.key} {self.now.setting.about}".casefold()

    def paper(self, state: HomeState) -> Paper:  # noqa: ARG002
        """Meaning, value, default, range, and where it is written."""
        setting = self.now.setting
        paper = Paper().line(setting.key, "heading").line(setting.about).line()
        if self.now.note:
            paper.raw(f"! {self.now.note}", "warning").fresh().line()
        origins = {"profile": f"the block {self.honcho.host}", "file": "the top of the file", "default": "the default"}
        facts = [
            ("value", self.value[0]),
            ("from", origins[self.now.origin]),
            ("default", setting.default or "not set"),
            ("takes", setting.range),
            ("counts", "from the agent's next session on"),
            ("file", str(self.honcho.path)),
        ]
        for name, said in facts:
            paper.words(f"{name:<9}", "muted").raw(said).fresh()
        if self.honcho.shared:
            paper.line().line("The file lies outside this home: other profiles and programs read it too.", "warning")
        return paper


def honcho_items(honcho: HonchoSettings) -> list[HonchoItem]:
    """All of them, where there is a file of Honcho's; none where there is none."""
    return [] if honcho.state == "missing" else [HonchoItem(honcho, value) for value in honcho.values]
