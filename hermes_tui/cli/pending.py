"""`hermes-tui pending`: the writes that wait for approval, seen and decided without the screen."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hermes_tui.cli.asking import ProgressLine
from hermes_tui.cli.context import home_options, json_option, open_config, open_home, open_store, options, tell_wait
from hermes_tui.cli.output import UNREADABLE, emit, report, say
from hermes_tui.cli.texts import read_text
from hermes_tui.cli.views import pending_shown, view_option
from hermes_tui.errors import Conflict, HermesTuiError, NotFound, Refused, Unreadable
from hermes_tui.memory.entries import FILE_NAMES
from hermes_tui.pending.queue import SUBSYSTEMS, Subsystem
from hermes_tui.text import plural

if TYPE_CHECKING:
    from hermes_tui.home import HermesHome
    from hermes_tui.pending.preview import Preview
    from hermes_tui.pending.records import PendingRecord
    from hermes_tui.pending.review import Decision, Failed, Review

Function = TypeVar("Function", bound=Callable[..., Any])
Decide = Callable[["Sequence[PendingRecord]"], "Decision"]

LOOK_TIMEOUT_SECONDS = 0.2
"""Looking does not wait for a bulk of another process; what a crash left is settled when nobody is at work."""

TOLD_WRITES = 5
"""Of so many decided writes it is said what each one says."""

one_subsystem = click.option("--subsystem", type=click.Choice(SUBSYSTEMS), help="Only this queue; both without it.")
accept_newer = click.option(
    "--accept-newer", is_flag=True, help="Let pass text that 0.19 agents block but 0.22 agents do not."
)
if_match = click.option("--if-match", metavar="HASH", help="Only if the file still has this hash (see `list --json`).")
one_step = click.option("--step", type=click.IntRange(min=1), metavar="N", help="Only this operation of a batch.")


def which_options(function: Function) -> Function:
    """IDs or `--all`: which writes are meant."""
    ids = click.argument("ids", nargs=-1, metavar="[ID]...")
    everything = click.option("--all", "everything", is_flag=True, help="All that wait at this moment.")
    return ids(everything(one_subsystem(if_match(one_step(function)))))


@click.group()
def pending() -> None:
    """Decide over the writes that wait for approval.

    A write is named by its id, or by the start of it where no other begins so.
    """


@pending.command("list")
@one_subsystem
@view_option
@home_options
@json_option
def list_(subsystem: Subsystem | None, view: str | None) -> int:
    """Every write that waits, oldest first, and what approving it would do."""
    from hermes_tui.cli.pending_shapes import gate_shape, gate_text, preview_shape, previews_text

    chosen = options()
    home, records, closed = _look(subsystem)
    config = open_config(home)
    results = _previews(home, config, records)
    if view is not None:
        results = pending_shown(view, results)
    shape = {"gate": gate_shape(config), "records": [preview_shape(result) for result in results]}
    if not chosen.json:
        say(f"Gate: {gate_text(config)}. {plural(len(records), 'write')} waiting.")
        if view is not None:
            say(f"{len(results):,} of them in the view.")
    if not closed:
        emit(shape, lambda: previews_text(results), as_json=chosen.json)
        return 0
    if not chosen.json:
        emit(shape, lambda: previews_text(results), as_json=False)
    report("unreadable", closed[0].problem, "", as_json=chosen.json, answer=shape)
    return UNREADABLE


@pending.command()
@click.argument("id", metavar="ID")
@one_subsystem
@home_options
@json_option
def show(id: str, subsystem: Subsystem | None) -> None:
    """One write with all that is known about it."""
    from hermes_tui.cli.pending_shapes import full_shape, show_text

    home, records, closed = _look(subsystem)
    _refuse_closed(closed)
    record = _named(records, id)
    config = open_config(home)
    [result] = _previews(home, config, [record])
    emit(full_shape(result), lambda: show_text(result), as_json=options().json)


@pending.command()
@which_options
@accept_newer
@home_options
@json_option
def approve(
    ids: tuple[str, ...],
    everything: bool,
    subsystem: Subsystem | None,
    if_match: str | None,
    step: int | None,
    accept_newer: bool,
) -> int:
    """Apply writes, then take them out of the queue; one that cannot be applied stays."""
    review = open_store(options())
    chosen = _Choice(review, ids, everything, subsystem, if_match, step)

    def decide(records: Sequence[PendingRecord]) -> Decision:
        if step is None:
            return review.approve(records, accept_newer=accept_newer)
        return review.approve_step(records[0], step, accept_newer=accept_newer)

    return chosen.decide("approve", decide)


@pending.command()
@which_options
@home_options
@json_option
def reject(
    ids: tuple[str, ...], everything: bool, subsystem: Subsystem | None, if_match: str | None, step: int | None
) -> int:
    """Take writes out of the queue without applying them."""
    review = open_store(options())
    chosen = _Choice(review, ids, everything, subsystem, if_match, step)

    def decide(records: Sequence[PendingRecord]) -> Decision:
        return review.reject(records) if step is None else review.reject_step(records[0], step)

    return chosen.decide("reject", decide)


@pending.command()
@click.argument("id", metavar="ID")
@click.argument("text")
@one_subsystem
@if_match
@one_step
@accept_newer
@home_options
@json_option
def edit(
    id: str, text: str, subsystem: Subsystem | None, if_match: str | None, step: int | None, accept_newer: bool
) -> int:
    """Put TEXT in the place of the proposed text, then approve (- reads it from stdin)."""
    new = read_text(text)
    review = open_store(options())
    chosen = _Choice(review, (id,), False, subsystem, if_match, step)
    return chosen.decide(
        "edit", lambda records: review.edit_and_approve(records[0], new, step=step, accept_newer=accept_newer)
    )


@pending.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@home_options
@json_option
def simulate(ids: tuple[str, ...]) -> None:
    """Approve the memory writes in order on a copy: which fail, which fit together, how much room is missing."""
    from hermes_tui.cli.pending_shapes import simulation_shape, simulation_text
    from hermes_tui.pending.preview import simulate as work_through
    from hermes_tui.pending.preview import views_of

    home, records, closed = _look("memory")
    _refuse_closed(closed)
    wanted = [_named(records, id) for id in ids] or records
    views = views_of(home, open_config(home))
    outcome = work_through(wanted, views)
    emit(simulation_shape(outcome), lambda: simulation_text(outcome), as_json=options().json)


@pending.command()
@home_options
@json_option
@click.option("--skip", is_flag=True, help="Leave the last decision as it is, so that the one before it comes next.")
def undo(skip: bool) -> None:
    """Take back the last decision, or all that were made at once: entries are as they were, the writes wait again."""
    from hermes_tui.cli.memory import tell
    from hermes_tui.pending.review import is_decision

    review = open_store(options())
    try:
        with ProgressLine("Taken back") as review.on_progress:
            outcome = review.drop_undo(only=is_decision) if skip else review.undo_decision()
        tell(review, outcome)
    except Conflict as conflict:
        conflict.hint = "Nothing was written. Mend it by hand, or go on to the decision before with `undo --skip`."
        raise


@pending.command()
@click.argument("switch", type=click.Choice(["on", "off"]), required=False)
@click.option("--subsystem", type=click.Choice(SUBSYSTEMS), default="memory", show_default=True, help="Whose gate.")
@home_options
@json_option
def gate(switch: str | None, subsystem: Subsystem) -> None:
    """Whether the agent's writes wait for approval; with `on` or `off` it is switched in config.yaml."""
    from hermes_tui.cli.pending_shapes import gate_shape, gate_text
    from hermes_tui.config.edit import set_gate

    chosen = options()
    home = open_home(chosen)
    config = open_config(home)
    if switch:
        if chosen.read_only:
            raise Refused("This is a read-only view; the gate stays as it is.", code="read_only")
        config = set_gate(home, subsystem, switch == "on")
        say(f"{subsystem}.write_approval is {switch}. The agent looks at it before each write.")
    emit({"gate": gate_shape(config)}, lambda: gate_text(config), as_json=chosen.json)


class _Choice:
    """The writes that a command was asked to decide, as they stand in the queue at this moment."""

    def __init__(
        self,
        review: Review,
        ids: Sequence[str],
        everything: bool,
        subsystem: Subsystem | None,
        if_match: str | None,
        step: int | None,
    ) -> None:
        from hermes_tui.pending.review import Failed

        if everything == bool(ids):
            raise click.UsageError("Name the writes by their ids, or say --all.")
        for name, value in (("--if-match", if_match), ("--step", step)):
            if value is not None and len(ids) != 1:
                raise click.UsageError(f"{name} goes with exactly one id.")
        found, closed = _split(review.home, subsystem)
        if everything:
            _refuse_closed(closed)
        self.review = review
        self.step = step
        self.everything = everything
        self.failed: list[Failed] = []
        self.records: list[PendingRecord] = []
        for id in ids:
            try:
                self.records.append(_named(found, id))
            except HermesTuiError as error:
                _refuse_closed(closed)  # it may well be in there
                self.failed.append(Failed(id, error.code, str(error)))
        if everything:
            self.records = found
        self.records = list({record.path: record for record in self.records}.values())
        if if_match is not None and self.records and self.records[0].digest != if_match:
            record = self.records.pop()
            words = "It is not what --if-match names: it has changed since, or another hash was meant."
            self.failed.append(Failed(record.id, "stale", words))

    def decide(self, verb: str, decide: Decide, *, new: str | None = None) -> int:
        """Decide over them, with `new` as the text, say how it ended, and return the exit code."""
        if self.everything:
            say(f"{plural(len(self.records), 'write')} waiting at this moment.")
        done: tuple[str, ...] = ()
        told: Mapping[str, str] = {}
        if self.records:
            told = self._about(new)
            try:
                with ProgressLine("Decided") as self.review.on_progress:
                    decision = decide(self.records)
                done = decision.done
                self.failed += decision.failed
            except HermesTuiError as error:
                from hermes_tui.pending.review import Failed

                self.failed.append(Failed(self.records[0].id, error.code, str(error), isinstance(error, Unreadable)))
        return self._answer(verb, done, told)

    def _about(self, new: str | None) -> dict[str, str]:
        """What each of a few writes says; many are told by their ids alone."""
        if options().json or len(self.records) > TOLD_WRITES:
            return {}
        from hermes_tui.cli.pending_shapes import said_text

        previews = _previews(self.review.home, self.review.config, self.records)
        return {preview.record.id: said_text(preview, self.step, new) for preview in previews}

    def _say_done(self, word: str, done: Sequence[str], told: Mapping[str, str]) -> None:
        if not told:
            say(f"{word}: {' '.join(done)}.")
            return
        for id in done:
            say(f"{word} {id}: {told[id]}")
        changed = word != "Rejected"
        stores = {record.store: None for record in self.records if changed and record.id in done and record.store}
        for store in stores:
            say(f"{FILE_NAMES[store]} now: {self.review.view(store).usage.label}")

    def _answer(self, verb: str, done: Sequence[str], told: Mapping[str, str]) -> int:
        from hermes_tui.cli.pending_shapes import failed_shape

        as_json = options().json
        word = {"approve": "Approved", "reject": "Rejected", "edit": "Edited and approved"}[verb]
        if done and not as_json:
            self._say_done(word, done, told)
        if not self.failed:
            emit({"done": list(done), "failed": []}, str, as_json=as_json)
            return 0
        shapes = [failed_shape(failure) for failure in self.failed]
        for shape in shapes:
            say(f"{shape['id']} stays ({shape['verdict']}): {shape['reason']}")
        codes = {failure.verdict for failure in self.failed}
        code = codes.pop() if len(codes) == 1 else "not_all_done"
        total = len(done) + len(self.failed)
        message = f"{len(self.failed)} of {plural(total, 'write')} could not be decided."
        report(code, message, "", as_json=as_json, answer={"done": list(done), "failed": shapes})
        return UNREADABLE if all(failure.unreadable for failure in self.failed) else 1


def _look(subsystem: Subsystem | None) -> tuple[HermesHome, list[PendingRecord], list[PendingRecord]]:
    """The home, its queue, and what of the queue cannot be looked into; what a crash left is settled first."""
    chosen = options()
    home = open_home(chosen)
    if not chosen.read_only:
        from hermes_tui.config import load_config
        from hermes_tui.pending.review import Review

        with contextlib.suppress(HermesTuiError):
            Review(home, load_config(home), on_wait=tell_wait).recover(timeout=LOOK_TIMEOUT_SECONDS)
    return (home, *_split(home, subsystem))


def _split(home: HermesHome, subsystem: Subsystem | None) -> tuple[list[PendingRecord], list[PendingRecord]]:
    """What waits, and apart from it the queues that cannot be looked into."""
    from hermes_tui.pending.records import list_records

    folders = [home.pending(name) for name in SUBSYSTEMS]
    records = list_records(home, subsystem)
    return (
        [record for record in records if record.path not in folders],
        [record for record in records if record.path in folders],
    )


def _refuse_closed(closed: Sequence[PendingRecord]) -> None:
    for folder in closed:
        raise Unreadable(folder.problem, code="unreadable", hint=f"Try chmod u+rwx {folder.path}.")


def _named(records: Sequence[PendingRecord], id: str) -> PendingRecord:
    """The write of this id, or the only one whose id begins so."""
    exact = [record for record in records if record.id == id]
    found = exact or [record for record in records if id and record.id.startswith(id)]
    if not found:
        raise NotFound(f"No pending write has the id “{id}”.", code="not_found", hint="See what waits: `pending list`.")
    if len(found) > 1:
        names = ", ".join(f"{record.id} ({record.subsystem})" for record in found[:5])
        more = f" and {len(found) - 5} more" if len(found) > 5 else ""
        raise Refused(
            f"“{id}” names {len(found)} pending writes: {names}{more}.",
            code="ambiguous_id",
            hint="Give more of the id, or --subsystem.",
        )
    return found[0]


def _previews(home: HermesHome, config: Any, records: Sequence[PendingRecord]) -> list[Preview]:
    from hermes_tui.pending.decide import preview_all

    return preview_all(home, config, records)
