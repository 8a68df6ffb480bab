"""Writing conversations to files: what can be chosen, a place for them, doing it, and saying where they are."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from hermes_tui.errors import HermesTuiError
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.messages import size_words
from hermes_tui.text import plural, short_path
from hermes_tui.ui.dialogs.following import Course
from hermes_tui.ui.sessions.aim import Aim

if TYPE_CHECKING:
    from hermes_tui.sessions.export.wish import Exported, Format
    from hermes_tui.sessions.listing import Brief
    from hermes_tui.ui.dialogs.exporting import ExportChoice, Source
    from hermes_tui.ui.sessions.changing import Changing


class Exporting:
    """The key that writes conversations to files; the database stays as it is."""

    def __init__(self, changing: Changing) -> None:
        self._changing = changing
        self._screen = changing.screen
        self._app = changing.app

    def action_export(self) -> None:
        """Ask how, then write."""
        self.export(self._changing.aim, shown=True)

    def export(self, aim: Aim, *, shown: bool = False) -> None:
        """Ask how to write these, then write.

        Args:
            aim: the conversations.
            shown: whether all that are shown can be chosen as well.
        """
        from hermes_tui.ui.dialogs.exporting import ExportDialog, Source

        sources = [Source(f"{len(aim.briefs):,} selected" if aim.several else "this conversation", aim.briefs)]
        every = tuple(self._screen.session_list.shown) if shown else ()
        if every and every != aim.briefs:
            sources.append(Source(f"all {len(every):,} shown" if len(every) > 1 else "the one shown", every))
        title = aim.summary.title if aim.summary else ""

        def suggest(source: Source, format: Format, together: bool) -> str:
            return suggested(source.briefs, title if source is sources[0] else "", format, together=together)

        self._app.push_screen(ExportDialog(sources, suggest), lambda choice: self._write(choice) if choice else None)

    def _write(self, choice: ExportChoice, *, overwrite: bool = False) -> None:
        from hermes_tui.sessions.export.export import export

        home = self._app.home

        def operation(_keeper: object, course: Course) -> Exported:
            ids = [brief.id for brief in choice.briefs]
            base = Database(home.state_db)
            try:
                return export(
                    base, ids, choice.target, choice.wish, together=choice.together, overwrite=overwrite,
                    progress=course.progress, stopped=course.stopped,
                )  # fmt: skip
            finally:
                base.close()

        def refused(error: HermesTuiError) -> bool:
            if error.code == "exists" and not overwrite:
                self._ask_to_replace(choice, error)
            elif error.code == "interrupted":
                self._app.say("Stopped: no file was written.", severity="warning")
            else:
                return False
            return True

        self._changing.writes.change(
            "export", operation, self._written, course=Course("Exporting", "message"), failed=refused
        )

    def _ask_to_replace(self, choice: ExportChoice, error: HermesTuiError) -> None:
        from hermes_tui.ui.dialogs.confirm import Confirm

        self._app.push_screen(
            Confirm("Replace what is there?", detail=error.message, yes="Replace", danger=True),
            lambda yes: self._write(choice, overwrite=True) if yes else None,
        )

    def _written(self, exported: Exported) -> None:
        where = short_path(exported.paths[0]) if len(exported.paths) == 1 else ""
        if not where and exported.paths:
            where = f"{plural(len(exported.paths), 'file')} in {short_path(exported.paths[0].parent)}"
        words = (
            f"{plural(exported.conversations, 'conversation')}, {plural(exported.messages, 'message')}"
            f" written to {where} ({size_words(exported.bytes)})."
        )
        if exported.masked:
            words += f" {plural(exported.masked, 'secret')} masked."
        if exported.lost:
            words += f" {plural(exported.lost, 'message')} could not be read."
        if exported.gone:
            verb = "was" if len(exported.gone) == 1 else "were"
            words += f" {plural(len(exported.gone), 'conversation')} {verb} deleted meanwhile."
        self._app.say(words, seconds=10, severity="warning" if exported.lost or exported.gone else "information")


def suggested(briefs: tuple[Brief, ...], title: str, format: Format, *, together: bool) -> str:
    """A path to write to: a name that tells what it is, in the folder one is in."""
    from hermes_tui.sessions.export.names import file_name
    from hermes_tui.sessions.export.wish import ENDINGS

    if len(briefs) == 1:
        name = file_name(title, briefs[0].id, briefs[0].started_at, format)
    else:
        name = time.strftime("hermes-sessions-%Y-%m-%d") + (ENDINGS[format] if together else "")
    return _short(_folder() / name)


def _folder() -> Path:
    """Where one is, or one's own directory where that is gone."""
    try:
        return Path.cwd()
    except OSError:
        return Path.home()


def _short(path: Path) -> str:
    """A path as it is typed."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
