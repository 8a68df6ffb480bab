"""`hermes-tui sessions …`: what changes sessions, with a preview, a question, and a way back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hermes_tui.cli.asking import ProgressLine, confirm, tell_failures
from hermes_tui.cli.context import home_options, json_option, open_home, options
from hermes_tui.cli.output import emit, report, say
from hermes_tui.cli.sessions_filters import filter_options, pruned
from hermes_tui.cli.texts import typed_text, whole_characters
from hermes_tui.errors import Refused
from hermes_tui.text import plural

if TYPE_CHECKING:
    from hermes_tui.sessions.upkeep.changes import Change
    from hermes_tui.sessions.upkeep.deletion import Plan
    from hermes_tui.sessions.upkeep.keeper import Keeper

    Shelving = Callable[[ProgressLine], Change]

Function = TypeVar("Function", bound=Callable[..., Any])

PRUNED_DAYS = 90.0
"""Without a filter, prune takes what was not active for so long, as the agent's own command does."""

dry_run_option = click.option("--dry-run", is_flag=True, help="Show what would be done, and do nothing.")
yes_option = click.option("--yes", "-y", is_flag=True, help="Do it without a question.")
sessions_argument = click.argument("names", nargs=-1, metavar="SESSION...")


@click.command()
@click.argument("session", metavar="SESSION")
@click.argument("title", nargs=-1, metavar="TITLE...")
@click.option("--clear", is_flag=True, help="Take the title away.")
@dry_run_option
@home_options
@json_option
def rename(session: str, title: tuple[str, ...], clear: bool, dry_run: bool) -> int:
    """Give a conversation a title.

    It has at most 100 characters, and no other conversation has it. An empty one takes the title away.

    SESSION is an id, a title, or the beginning of an id.
    """
    from hermes_tui.sessions.upkeep.naming import TitleTaken, clean_title

    if not title and not clear:
        raise click.UsageError("Give the title, or --clear to take it away.")
    keeper = _keeper()
    id = _meant(keeper, [session])[0]
    wanted = clean_title("" if clear else typed_text(" ".join(title)))
    if wanted.removed:
        say(f"Taken out: {', '.join(wanted.removed)}.")
    try:
        if dry_run:
            _check_title(keeper, id, wanted.text)
            words = f"{id} would be called “{wanted.text}”." if wanted.text else f"{id} would lose its title."
            emit({"id": id, "title": wanted.text or None, "dry_run": True}, lambda: words, as_json=options().json)
            return 0
        change = keeper.rename(id, wanted.text)
    except TitleTaken as error:
        report(error.code, error.message, error.hint, as_json=options().json,
               extra={"holder": error.holder, "offer": error.offer})  # fmt: skip
        return error.exit_code
    return _tell(change, {"id": id, "title": wanted.text or None})


def _check_title(keeper: Keeper, id: str, title: str) -> None:
    """Refuse what renaming would refuse; nothing is changed."""
    from hermes_tui.sessions.database import Database
    from hermes_tui.sessions.upkeep import titling

    with Database(keeper.home.state_db) as base:
        titling.rename(base, id, title)


@click.command()
@sessions_argument
@click.option("--restore", is_flag=True, help="Take them out of the archive.")
@filter_options
@dry_run_option
@yes_option
@home_options
@json_option
def archive(names: tuple[str, ...], restore: bool, dry_run: bool, yes: bool, **filters: Any) -> int:
    """Put conversations away; nothing of them is lost.

    Named ones, or all that the filters match. With --restore the filters look among those that are archived.
    """
    keeper = _keeper()
    wanted = pruned({**filters, "archived": "only" if restore else "no", "include_large": True})
    if bool(names) == wanted.anything:
        raise click.UsageError("Name the conversations, or give at least one filter (see --help); not both.")
    if names:
        ids = _meant(keeper, names)
    else:
        with ProgressLine("Looking at") as progress:
            plan = keeper.plan_prune(wanted, progress=progress)
        ids = [each.id for each in plan.doomed]
        tell_failures([(each.id, each.reason) for each in plan.left_alone])
    verb = "Take out of the archive" if restore else "Archive"
    return _shelve(ids, f"{verb} {plural(len(ids), 'conversation')}?", dry_run, yes or bool(names),
                   lambda progress: keeper.archive(ids, not restore, progress=progress))  # fmt: skip


@click.command()
@sessions_argument
@click.option("--remove", is_flag=True, help="Unpin them.")
@dry_run_option
@home_options
@json_option
def pin(names: tuple[str, ...], remove: bool, dry_run: bool) -> int:
    """Keep conversations from being pruned.

    Neither prune nor the agent's own sweep takes what is pinned.
    """
    if not names:
        raise click.UsageError("Name the conversations.")
    keeper = _keeper()
    ids = _meant(keeper, names)
    question = f"{'Unpin' if remove else 'Pin'} {plural(len(ids), 'conversation')}?"
    return _shelve(ids, question, dry_run, True, lambda progress: keeper.pin(ids, not remove, progress=progress))


def _shelve(ids: Sequence[str], question: str, dry_run: bool, yes: bool, change: Shelving) -> int:
    if not ids:
        raise Refused("No conversation matches.", code="nothing_matches", hint="Loosen the filters.")
    if dry_run:
        emit({"dry_run": True, "ids": list(ids)}, lambda: "\n".join(ids), as_json=options().json)
        return 0
    confirm(question, yes=yes)
    with ProgressLine("Changed") as progress:
        done = change(progress)
    return _tell(done, {})


@click.command()
@sessions_argument
@click.option("--only-part", is_flag=True, help="Only these very sessions, not all parts of their conversations.")
@dry_run_option
@yes_option
@home_options
@json_option
def delete(names: tuple[str, ...], only_part: bool, dry_run: bool, yes: bool) -> int:
    """Delete conversations; a copy is kept, and undo brings it back.

    All parts of each go, with the runs of their subagents; branches stay.
    """
    if not names:
        raise click.UsageError("Name the conversations.")
    keeper = _keeper()
    with ProgressLine("Looking at") as progress:
        plan = keeper.plan(_meant(keeper, names), whole=not only_part, progress=progress)
    return _delete(keeper, plan, dry_run, yes)


@click.command()
@filter_options
@click.option("--pinned-too", "include_pinned", is_flag=True, help="Pinned ones too.")
@click.option("--long-too", "include_large", is_flag=True,
              help="Long ones too, although the agent at work has to wait meanwhile.")  # fmt: skip
@dry_run_option
@yes_option
@home_options
@json_option
def prune(dry_run: bool, yes: bool, **filters: Any) -> int:
    """Delete what is old, small or empty.

    What the filters match, by last activity; without any, what was not active for 90 days. What is pinned or in use is
    left alone. A copy of everything is kept until you forget it (undo --forget), and the database keeps its size until
    you run vacuum.
    """
    from dataclasses import replace

    keeper = _keeper()
    wanted = pruned(filters)
    if not wanted.anything:
        wanted = replace(wanted, older_than_days=PRUNED_DAYS)
    with ProgressLine("Looking at") as progress:
        plan = keeper.plan_prune(wanted, progress=progress)
    return _delete(keeper, plan, dry_run, yes)


def _delete(keeper: Keeper, plan: Plan, dry_run: bool, yes: bool) -> int:
    from hermes_tui.cli.sessions_plans import plan_shape, plan_text

    as_json = options().json
    shape = plan_shape(plan)
    if not plan.doomed:
        if not as_json:
            say(plan_text(plan))
        reason = "They were deleted already." if plan.missing and not plan.left_alone else "No conversation matches."
        report("nothing_matches", reason, "", as_json=as_json, answer={"plan": shape, "dry_run": dry_run})
        return 1
    if dry_run:
        emit({"dry_run": True, "plan": shape}, lambda: plan_text(plan), as_json=as_json)
        return 0
    if not yes:
        say(plan_text(plan))
    confirm(f"Delete {plural(len(plan.doomed), 'conversation')}?", yes=yes)
    with ProgressLine("Deleted") as progress:
        change = keeper.delete(plan, progress=progress)
    if change.step and not as_json:
        say("`hermes-tui sessions undo` brings them back; `vacuum` gives their space back to the disk.")
    return _tell(change, {"plan": shape})


@click.command()
@click.option("--list", "listed", is_flag=True, help="What can be taken back, the next one last.")
@click.option(
    "--forget", multiple=True, metavar="STEP", help="Delete what is kept of this step; `all` for all of them."
)
@yes_option
@home_options
@json_option
def undo(listed: bool, forget: tuple[str, ...], yes: bool) -> int:
    """Take back the last change made here.

    Changes to sessions that were made with hermes-tui, also before a restart, the last one first.
    """
    from hermes_tui.cli.sessions_plans import steps_shape, steps_text
    from hermes_tui.sessions.messages import size_words

    keeper = _keeper()
    steps = keeper.undoable()
    as_json = options().json
    if listed:
        emit({"steps": steps_shape(steps)}, lambda: steps_text(steps), as_json=as_json)
        return 0
    if forget:
        chosen = [step for step in steps if "all" in forget or step.id in forget]
        if not chosen:
            raise Refused("There is no such step.", code="no_such_step", hint="See `sessions undo --list`.")
        size = size_words(sum(step.size for step in chosen))
        confirm(f"Forget {plural(len(chosen), 'step')} ({size})? They cannot be taken back then.", yes=yes)
        freed = keeper.forget([step.id for step in chosen])
        emit({"forgotten": [step.id for step in chosen], "bytes": freed}, lambda: f"{size_words(freed)} freed.",
             as_json=as_json)  # fmt: skip
        return 0
    with ProgressLine("Brought back") as progress:
        change = keeper.undo(progress=progress)
    return _tell(change, {})


@click.command()
@yes_option
@home_options
@json_option
def vacuum(yes: bool) -> int:
    """Give the space of what was deleted back.

    state.db is written anew without its holes. Stop the agents of this home first: they wait until it is done, and
    it may take minutes.
    """
    keeper = _keeper()
    confirm(f"Write {keeper.home.state_db} anew?", yes=yes)
    return _tell(keeper.vacuum(), {})


def _keeper() -> Keeper:
    from hermes_tui.sessions.upkeep.keeper import Keeper

    chosen = options()
    return Keeper(open_home(chosen), read_only=chosen.read_only)


def _meant(keeper: Keeper, names: Iterable[str]) -> list[str]:
    """The ids of the sessions that are named by an id, a title, or the beginning of an id."""
    from hermes_tui.sessions.database import Database
    from hermes_tui.sessions.meant import meant

    with Database(keeper.home.state_db) as base:
        return list(dict.fromkeys(meant(base, whole_characters(name)) for name in names))


def _tell(change: Change, extra: dict[str, Any]) -> int:
    """Say what was done; 1 when something was not."""
    failed = [{"id": failure.id, "reason": failure.reason} for failure in change.failed]
    shape = {"message": change.message, "done": list(change.done), "failed": failed, "step": change.step or None}
    if not options().json:
        tell_failures([(failure.id, failure.reason) for failure in change.failed])
    if failed and not change.done:
        report("not_done", change.message, "", as_json=options().json, answer={**extra, **shape})
        return 1
    emit({**extra, **shape}, lambda: change.message, as_json=options().json)
    return 1 if failed else 0


def register(group: click.Group) -> None:
    """Add the commands to a group."""
    for command in (rename, archive, pin, delete, prune, undo, vacuum):
        group.add_command(command)
