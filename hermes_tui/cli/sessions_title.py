"""`hermes-tui sessions title`: titles for conversations that have none, from their first words or by a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from hermes_tui.cli.asking import ProgressLine, confirm
from hermes_tui.cli.context import home_options, json_option, open_home, options
from hermes_tui.cli.output import emit, print_text, report, say
from hermes_tui.cli.sessions_filters import Day
from hermes_tui.cli.sessions_untitled import TITLE_CELLS, Source, Suggested, derived, named, untitled
from hermes_tui.errors import HermesTuiError, Refused
from hermes_tui.text import one_line, plural

if TYPE_CHECKING:
    from hermes_tui.sessions.database import Database
    from hermes_tui.sessions.title_model import TitleModelSettings
    from hermes_tui.sessions.upkeep.keeper import Keeper


LISTED = 20
"""So many surprises are said one by one."""
UNASKED = "model_not_asked"


@click.command()
@click.argument("names", nargs=-1, metavar="[SESSION]...")
@click.option("--all", "everything", is_flag=True, help="All conversations without a title.")
@click.option("--derive/--model", "derive", default=True,
              help="From the first words (nothing leaves this machine), or by a model.")  # fmt: skip
@click.option("--source", "sources", multiple=True, metavar="SOURCE", help="Only of this source; may be repeated.")
@click.option("--after", type=Day(), metavar="DATE", help="Last active on this day or later.")
@click.option("--before", type=Day(), metavar="DATE", help="Last active before this day.")
@click.option("--archived", is_flag=False, flag_value="also", default="no", type=click.Choice(["no", "also", "only"]),
              help="Archived ones too, or them only.")  # fmt: skip
@click.option("--hidden", is_flag=True, help="Those of subagents, schedules and programs too.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="So many titles at most, the last active first.")
@click.option("--dry-run", is_flag=True, help="Show what would be done, and do nothing.")
@click.option("--yes", "-y", is_flag=True, help="Do it without a question.")
@home_options
@json_option
def title(
    names: tuple[str, ...], everything: bool, derive: bool, limit: int | None, dry_run: bool, yes: bool, **filters: Any
) -> int:
    """Give titles to conversations that have none.

    One that has a title keeps it; `rename` changes it. With --model the beginning of each conversation, secrets
    masked, is sent to the server that is configured for titles, after a question that names it; with --dry-run it is
    only shown what would be sent, unless --yes is given too.

    SESSION is an id, a title, or the beginning of an id.
    """
    from hermes_tui.sessions.upkeep.keeper import Keeper

    if everything == bool(names):
        raise click.UsageError("Name the conversations, or say --all.")
    given = [name for name, value in filters.items() if value not in (None, (), False, "no")]
    if names and given:
        raise click.UsageError(
            f"{', '.join(f'--{name}' for name in given)} goes with --all.".replace("sources", "source")
        )
    chosen = options()
    keeper = Keeper(open_home(chosen), read_only=chosen.read_only)
    if chosen.read_only and not dry_run:
        raise Refused("This is a read-only view; no title is written.", code="read_only", hint="Leave out --read-only.")
    return _Titling(keeper, dry_run, yes).run(names, filters, limit, derive)


class _Titling:
    """One run of the command."""

    def __init__(self, keeper: Keeper, dry_run: bool, yes: bool) -> None:
        self.keeper = keeper
        self.dry_run = dry_run
        self.yes = yes
        self.as_json = options().json
        self.sends: dict[str, Any] | None = None
        """To whom what goes; None when nothing does."""
        self.failure: HermesTuiError | None = None
        """Why it ended early."""

    def run(self, names: Sequence[str], filters: Mapping[str, Any], limit: int | None, derive: bool) -> int:
        from hermes_tui.sessions.database import Database

        settings = None if derive else _settings(self.keeper)
        with Database(self.keeper.home.state_db) as base:
            found = list(named(base, names)) if names else untitled(base, filters)
            with ProgressLine("Looked at") as progress:
                rows = derived(base, found, limit, progress)
            if settings is not None:
                rows = self._by_model(base, settings, rows)
        if not self.as_json or not (self.yes or self.dry_run):
            self._show(rows)
        after = self._written(rows)
        self._tell_changed(rows, after)
        return self._answer(after, named=bool(names))

    def _by_model(self, base: Database, settings: TitleModelSettings, rows: Sequence[Suggested]) -> list[Suggested]:
        """The same, with titles of the model in the place of those from the first words."""
        from hermes_tui.sessions.title_model import TitleModel, announcement, read_opening, sent, titles

        wanted = {row.id: row for row in rows if row.said}
        self.sends = {
            "host": settings.host,
            "model": settings.model,
            "configured_by": settings.origin,
            "conversations": len(wanted),
            "sent": False,
        }
        if not wanted:
            return list(rows)
        say(announcement(settings, len(wanted)))
        if self.dry_run and not self.yes:
            openings = {id: read_opening(base, id) for id in wanted}
            self.sends["texts"] = [
                {"id": id, "first": sent(opening.first), "answer": sent(opening.answer)}
                for id, opening in openings.items()
            ]
            say("Nothing was sent. With --yes it is, and the titles are shown.")
            unasked = "The model was not asked (--dry-run)."
            return [replace(row, title="", source="llm", reason=unasked, code="") if row.said else row for row in rows]
        with closing(TitleModel(settings)) as model:
            if not self.dry_run:
                confirm(
                    f"Send the beginning of {plural(len(wanted), 'conversation')} to {settings.where}?", yes=self.yes
                )
            self.sends["sent"] = True
            found: dict[str, Suggested] = {}
            with ProgressLine("Titles:") as progress:
                try:
                    for id, outcome in titles(base, list(wanted), model, progress=progress):
                        found[id] = _by_outcome(wanted[id], outcome)
                except HermesTuiError as error:
                    self.failure = error
        return [found.get(row.id) or _unasked(row) if row.said else row for row in rows]

    def _show(self, rows: Sequence[Suggested]) -> None:
        for row in rows:
            if row.code != UNASKED:  # those have one sentence together
                words = (one_line(row.title, TITLE_CELLS), f"({row.reason})" if row.reason else "")
                (say if self.as_json else print_text)("  ".join(filter(None, (row.id, *words))))
        for text in (self.sends or {}).get("texts", ()) if not self.as_json else ():
            print_text(f"\n{text['id']}\nUser: {text['first']}\nAssistant: {text['answer'] or '–'}")

    def _written(self, rows: list[Suggested]) -> list[Suggested]:
        """Write the titles, after asking; the rows as they are then."""
        wanted = [row for row in rows if row.title]
        if self.dry_run or not wanted:
            return rows
        confirm(f"Write {plural(len(wanted), 'title')}?", yes=self.yes)
        kept: dict[str, Suggested] = {}
        sources: tuple[Source, ...] = ("derived", "llm")
        with ProgressLine("Wrote") as progress:
            for source in sources:
                some = {row.id: row for row in wanted if row.source == source}
                if some:
                    kept.update(self._entitled(some, source, progress))
        return [kept.get(row.id, row) for row in rows]

    def _entitled(
        self, rows: Mapping[str, Suggested], source: Source, progress: ProgressLine
    ) -> Iterator[tuple[str, Suggested]]:
        titles = {id: row.title for id, row in rows.items()}
        try:
            change = self.keeper.entitle(titles, source, progress=progress)
        except HermesTuiError as error:
            self.failure = error
            yield from ((id, replace(row, reason=error.message, code=error.code)) for id, row in rows.items())
            return
        stored = _stored_titles(self.keeper, change.done)
        for id in change.done:
            title = stored.get(id) or titles[id]
            renamed = f"It is “{title}”, since another conversation has that title." if title != titles[id] else ""
            yield id, replace(rows[id], title=title, written=True, reason=renamed or rows[id].reason)
        for failure in change.failed:
            yield failure.id, replace(rows[failure.id], reason=failure.reason, code="not_written")

    def _tell_changed(self, before: Sequence[Suggested], after: Sequence[Suggested]) -> None:
        """Say what came out otherwise than it was shown."""
        changed = [row for old, row in zip(before, after, strict=True) if row.reason != old.reason]
        for row in changed[:LISTED]:
            say(f"{row.id}: {row.reason}")
        if len(changed) > LISTED:
            say(f"… and {len(changed) - LISTED:,} more.")

    def _answer(self, rows: Sequence[Suggested], *, named: bool) -> int:
        """Say what became of it, and return the exit code."""
        written = sum(row.written for row in rows)
        failed = [row for row in rows if row.code and (named or row.code != "nothing_said")]
        shape = {
            "titles": [
                {
                    "id": row.id,
                    "title": row.title or None,
                    "source": row.source,
                    "written": row.written,
                    "reason": row.reason or None,
                }
                for row in rows
            ],
            "dry_run": self.dry_run,
            **({"sends": self.sends} if self.sends else {}),
        }
        if not self.as_json:
            if not rows:
                say("Every conversation that was looked at has a title.")
            elif not self.dry_run:
                say(f"{plural(written, 'title')} written. `hermes-tui sessions undo` takes them back." if written else
                    "No title was written.")  # fmt: skip
        if self.failure is not None:
            error = self.failure
            report(error.code, error.message, error.hint, as_json=self.as_json, answer=shape)
            return error.exit_code
        if failed:
            codes = {row.code for row in failed}
            message = failed[0].reason if len(rows) == 1 else f"{len(failed):,} of {len(rows):,} have no title."
            report(codes.pop() if len(codes) == 1 else "not_all_done", message, "", as_json=self.as_json, answer=shape)
            return 1
        emit(shape, str, as_json=self.as_json)
        return 0


def _settings(keeper: Keeper) -> TitleModelSettings:
    from hermes_tui.sessions.title_model import title_settings

    return title_settings(keeper.home)


def _unasked(row: Suggested) -> Suggested:
    return replace(row, title="", source="llm", reason="The model was not asked.", code=UNASKED)


def _by_outcome(row: Suggested, outcome: str | HermesTuiError) -> Suggested:
    if isinstance(outcome, str):
        return replace(row, title=outcome, source="llm", reason="", code="")
    offer = getattr(outcome, "offer", "")
    if offer:
        return replace(row, title=offer, reason=f"{outcome.message} The title is from the first words.")
    return replace(row, title="", source="llm", reason=str(outcome), code=outcome.code)


def _stored_titles(keeper: Keeper, ids: Sequence[str]) -> dict[str, str]:
    """Titles as they are now: one that was taken has a number."""
    from hermes_tui.sessions.database import Database
    from hermes_tui.sessions.lineage import Lineages

    with Database(keeper.home.state_db) as base:
        return {id: fact.title for id, fact in Lineages(base).facts(ids).items()}
