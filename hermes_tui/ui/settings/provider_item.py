"""An external memory provider as a row of the Settings screen, and its page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes_tui.text import visible
from hermes_tui.ui.dialogs.paper import Paper
from hermes_tui.ui.live import HomeState
from hermes_tui.ui.settings.items import Ink

if TYPE_CHECKING:
    from hermes_tui.providers.status import ProviderStatus

GROUP = "External providers"
MOST_TEXTS = 20
_SET_UP: dict[str, str] = {"yes": "set up", "no": "not set up", "unknown": "cannot be told from here"}


@dataclass(frozen=True, slots=True)
class ProviderItem:
    """One provider."""

    status: ProviderStatus

    @property
    def id(self) -> str:
        """Its name."""
        return f"provider:{self.status.name}"

    @property
    def group(self) -> str:
        """All of them stand together."""
        return GROUP

    @property
    def label(self) -> str:
        """Its title."""
        return visible(self.status.title, multiline=False)

    @property
    def value(self) -> tuple[str, Ink]:
        """Whether it is active, and whether it could be."""
        status = self.status
        state = "" if status.active and status.configured == "yes" else _SET_UP[status.configured]
        words = " · ".join(filter(None, ["active" if status.active else "", state]))
        if status.active:
            return words, "success" if status.configured == "yes" else "warning"
        return words, "foreground" if status.configured == "yes" else "text-muted"

    @property
    def side(self) -> str:
        """Where its data is."""
        return "" if self.status.place == "unknown" else self.status.place

    @property
    def odd(self) -> bool:
        """Whether there is something to look at."""
        return bool(self.status.problems) and self.status.active

    @property
    def changed(self) -> bool:
        """Whether it is the active one."""
        return self.status.active

    @property
    def words(self) -> str:
        """Name, title, purpose."""
        return f"{self.status.name} {self.status.title} {GROUP} {self.status.purpose}".casefold()

    def paper(self, state: HomeState) -> Paper:  # noqa: ARG002
        """What it is for, what it has and what is missing, where the data is, and what it is not told."""
        status = self.status
        paper = Paper().line(visible(status.title, multiline=False), "heading").raw(status.purpose).fresh().line()
        for problem in status.problems:
            paper.raw(f"! {problem}", "warning" if status.active else "muted").fresh()
        if status.problems:
            paper.line()
        place = "" if status.place == "unknown" else f"{status.place}, {status.place_words}"
        _facts(
            paper,
            [
                ("active", "yes" if status.active else "no"),
                ("set up", _SET_UP[status.configured]),
                *(("missing", missing.words) for missing in status.missing),
                ("agents", status.installed_words),
                ("data", place or "not known"),
            ],
        )
        for heading, words in (("What leaves this machine", status.leaves), ("What it is told", status.mirroring)):
            if words:
                paper.line().line(heading, "strong").raw(words).fresh()
        self._settings(paper)
        self._diverged(paper)
        return paper

    def _settings(self, paper: Paper) -> None:
        shown = [value for value in self.status.values if value.given or (value.field.listed and value.text)]
        if shown:
            paper.line().line("Settings", "strong")
            _facts(paper, [(value.field.name, f"{value.shown} ({value.origin})") for value in shown])
        for file in self.status.files:
            mode = f"mode {file.mode:04o}" if file.state in ("ok", "invalid") and file.mode else file.state
            paper.raw(f"{file.path} ({mode})", "muted").fresh()

    def _diverged(self, paper: Paper) -> None:
        diverged = self.status.diverged
        if diverged is None or not diverged.words:
            return
        paper.line().line("What differs from MEMORY.md and USER.md", "strong")
        for words in diverged.words:
            paper.raw(words).fresh()
        for sign, texts in (("+ not there", diverged.absent), ("- still there", diverged.stale)):
            for text in texts[:MOST_TEXTS]:
                paper.words(f"{sign}, {text.store}: ", "muted").raw(text.text[:200]).fresh()
            if len(texts) > MOST_TEXTS:
                paper.line(f"… and {len(texts) - MOST_TEXTS:,} more", "muted")


def _facts(paper: Paper, facts: list[tuple[str, str]]) -> None:
    width = max(9, *(len(name) + 1 for name, _ in facts)) if facts else 9
    for name, said in facts:
        paper.words(f"{name:<{width}}", "muted").raw(said).fresh()
