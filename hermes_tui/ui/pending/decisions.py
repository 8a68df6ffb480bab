"""What a person decides over the queue from the screen: each key as one change, its questions and its answer."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hermes_tui.errors import HermesTuiError
from hermes_tui.memory.editing import Outcome
from hermes_tui.pending.proposals import named
from hermes_tui.pending.records import PendingRecord
from hermes_tui.pending.review import BREATH_SECONDS, Decision, Failed, Review
from hermes_tui.text import plural
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.operations import SAID_EVERY
from hermes_tui.ui.pending.detail_paper import only_newer
from hermes_tui.ui.pending.model import VERDICT_WORDS, RecordKey, Row, key_of
from hermes_tui.ui.turns import Progress

if TYPE_CHECKING:
    from hermes_tui.ui.live import HomeState
    from hermes_tui.ui.pending.rewrite import Rewrite
    from hermes_tui.ui.pending.screen import PendingScreen

Decide = Callable[[Review, PendingRecord], Decision]


@dataclass(frozen=True, slots=True)
class Tally:
    """How a decision over several records ended, each with its own reason."""

    done: tuple[PendingRecord, ...] = ()
    failed: tuple[tuple[PendingRecord, Failed], ...] = field(default=())


class Decisions:
    """The writing keys of the Pending screen."""

    def __init__(self, screen: PendingScreen) -> None:
        self.screen = screen
        self.app = screen.hermes
        self.rewrite: Rewrite | None = None
        """The editor that is open, if one is."""
        self.warned: frozenset[RecordKey] | None = None
        """What approve was pressed for once, although older agents mind."""

    # What the keys are about

    def chosen(self) -> list[Row]:
        """The selected rows, or else the one under the cursor."""
        queue = self.screen.queue_list
        return queue.selected or ([queue.current] if queue.current else [])

    def forget_warning(self) -> None:
        """The next press is a first one again."""
        self.warned = None

    def state_changed(self, before: HomeState, state: HomeState) -> None:
        """The disk changed; an open editor is told, its text stays."""
        if self.rewrite:
            self.rewrite.state_changed(before, state)

    # Deciding

    def action_approve(self) -> None:
        """Approve the record, or ask and approve all that are selected."""
        rows = self.chosen()
        if len(rows) > 1:
            self._ask("approve", rows, f"{plural(_count(rows), 'selected write')}")
            return
        preview = self.screen.reader.previews.get(rows[0].item.key)
        if only_newer(preview) and self.warned != rows[0].keys:
            self.warned = rows[0].keys
            self.screen.looking.show_detail()
            self.app.say(
                "Not approved yet: agents of the 0.19 line would hide this text from the model. "
                f"{key_for('pending.approve')} approves it all the same.",
                severity="warning",
                seconds=6,
            )
            return
        self._approve(rows, accept_newer=self.warned == rows[0].keys)

    def action_reject(self) -> None:
        """Reject the record, or ask and reject all that are selected."""
        rows = self.chosen()
        if len(rows) > 1:
            self._ask("reject", rows, f"{plural(_count(rows), 'selected write')}")
        else:
            self._reject(rows)

    def action_approve_shown(self) -> None:
        """Ask, then approve exactly what is shown now."""
        self._ask("approve", self.screen.queue_list.rows, self._shown_words())

    def action_reject_shown(self) -> None:
        """Ask, then reject exactly what is shown now."""
        self._ask("reject", self.screen.queue_list.rows, self._shown_words())

    def _shown_words(self) -> str:
        shown, every = self.screen.shown_records, len(self.screen.reader.items)
        return f"all {plural(every, 'write')}" if shown == every else f"the {shown:,} shown of {plural(every, 'write')}"

    def _ask(self, verb: str, rows: Sequence[Row], what: str) -> None:
        """Name what would be decided; what arrives while the question stands is not part of the answer."""
        from hermes_tui.ui.dialogs.confirm import Confirm

        rows = tuple(rows)
        detail = self._outlook(rows) if verb == "approve" else f"{self._makeup(rows)}\nMemory stays as it is."
        detail += f"\n{key_for('pending.undo')} brings them back together, also after a restart."
        act = self._approve if verb == "approve" else self._reject
        self.app.push_screen(
            Confirm(f"{verb.title()} {what}?", detail=detail, yes=verb.title(), danger=verb == "reject"),
            lambda answer: act(rows) if answer else None,
        )

    def _outlook(self, rows: Sequence[Row]) -> str:
        """What is to be expected of approving rows, counted by verdict."""
        verdicts: Counter[str] = Counter()
        for row in rows:
            for item in row.items:
                preview = self.screen.reader.previews.get(item.key)
                verdicts[preview.verdict if preview else ""] += 1
        fine = verdicts["applies"] + verdicts["duplicate"]
        others = [f"{VERDICT_WORDS.get(word, 'not looked at yet')} ({count:,})" for word, count in verdicts.items()
                  if word not in ("applies", "duplicate")]  # fmt: skip
        words = f"{fine:,} can be applied as memory is now."
        if others:
            words += f"\n{sum(verdicts.values()) - fine:,} would stay, each with its reason: {', '.join(others)}."
        return words

    @staticmethod
    def _makeup(rows: Sequence[Row]) -> str:
        stores = Counter(item.store for row in rows for item in row.items)
        return ", ".join(f"{count:,} for {store}" for store, count in stores.items()) + "."

    def _approve(self, rows: Sequence[Row], *, accept_newer: bool = False) -> None:
        self.forget_warning()
        self.decide(
            "approve", _oldest_first(rows), lambda review, record: review.approve([record], accept_newer=accept_newer)
        )

    def _reject(self, rows: Sequence[Row]) -> None:
        self.forget_warning()
        self.decide("reject", _oldest_first(rows), lambda review, record: review.reject([record]))

    def decide(
        self,
        verb: str,
        records: Sequence[PendingRecord],
        decide: Decide,
        *,
        refused: Callable[[], None] | None = None,
    ) -> None:
        """Decide over records one after the other, then say how each ended.

        Args:
            verb: `approve` or `reject`.
            records: as they were shown.
            decide: decides over one of them.
            refused: called when any of them stays.
        """
        say = self.screen.post_message

        def operation(review: Review) -> Tally:
            with review.as_one() if len(records) > 1 else nullcontext():
                return decide_each(review)

        def decide_each(review: Review) -> Tally:
            done: list[PendingRecord] = []
            failed: list[tuple[PendingRecord, Failed]] = []
            for number, record in enumerate(records, 1):
                if number > 1:
                    time.sleep(BREATH_SECONDS)
                if self.app.leaving:
                    failed.append((record, Failed(record.id, "left", "The app was closed before its turn.")))
                    continue
                outcome = decide(review, record)
                failed += [(record, failure) for failure in outcome.failed]
                if not outcome.failed:
                    done.append(record)
                if number % SAID_EVERY == 0:
                    say(Progress(f"◷ {number:,} of {len(records):,} decided"))
            return Tally(tuple(done), tuple(failed))

        def ended(tally: Tally) -> None:
            self._decided(verb, tally)
            if refused and tally.failed:
                refused()

        self.screen.operations.start(verb, lambda: operation, ended, _not_handled)

    def _decided(self, verb: str, tally: Tally) -> None:
        screen, past = self.screen, {"approve": "Approved", "reject": "Rejected"}[verb]
        for record in tally.done:
            screen.stayed.pop(key_of(record), None)
        screen.stayed |= {key_of(record): failure.reason for record, failure in tally.failed}
        screen.show_rows()
        if len(tally.done) + len(tally.failed) > 1 and tally.failed:
            from hermes_tui.ui.pending.results import Results

            screen.hermes.push_screen(Results(past, tally), lambda undo: self.action_undo() if undo else None)
        elif tally.failed:
            record, failure = tally.failed[0]
            self.app.say(
                f"{named(record)} stays: {failure.reason}", title=f"Not {past.lower()}", severity="warning", seconds=8
            )
        elif len(tally.done) > 1:
            self.app.say(f"{past} {plural(len(tally.done), 'write')} – {key_for('pending.undo')} brings them back")
        elif tally.done:
            self.app.say(f"{past} {named(tally.done[0])} – {key_for('pending.undo')} brings it back")

    # History

    def action_undo(self) -> None:
        """Take the last decision back, whatever else was changed since."""
        self.screen.operations.start(
            "undo", lambda: lambda review: review.undo_decision(), self._reverted, self._offer_to_leave
        )

    def action_redo(self) -> None:
        """Make it again."""
        self.screen.operations.start("redo", lambda: lambda review: review.redo(), self._reverted, _not_handled)

    def _offer_to_leave(self, error: HermesTuiError) -> bool:
        from hermes_tui.ui.undoing import offer_to_leave

        return offer_to_leave(self.app, self.screen.operations, error)

    def _reverted(self, outcome: Outcome) -> None:
        back = self.screen.came_back
        words = f" {plural(back, 'write is', 'writes are')} back in the queue." if back else ""
        self.app.say(outcome.message + words)

    # One at a time, with a dialog

    def action_edit(self) -> None:
        """Write another text in the place of the proposed one, then approve it."""
        from hermes_tui.ui.pending.rewrite import Rewrite
        from hermes_tui.ui.pending.skill_rewrite import SkillRewrite

        record = self.chosen()[0].item.record
        if record.action == "batch":
            self._one_operation("edit")
        else:
            self.rewrite = (SkillRewrite if record.subsystem == "skills" else Rewrite)(self, record)
            self.rewrite.open(self.rewrite.proposed)

    def action_operation(self) -> None:
        """Decide over one operation of a batch."""
        self._one_operation("approve")

    def _one_operation(self, rests_on: str) -> None:
        from hermes_tui.ui.pending.one_operation import OneOperation, StepChoice
        from hermes_tui.ui.pending.reading import previews_alone
        from hermes_tui.ui.pending.rewrite import Rewrite

        record = self.chosen()[0].item.record

        def decided(choice: StepChoice | None) -> None:
            if choice is None:
                return
            step = choice.step
            if choice.verb == "edit":
                self.rewrite = Rewrite(self, record, step)
                self.rewrite.open(self.rewrite.proposed)
            elif choice.verb == "approve":
                self.decide("approve", [record], lambda review, it: review.approve_step(it, step))
            else:
                self.decide("reject", [record], lambda review, it: review.reject_step(it, step))

        alone = previews_alone(self.app.home, self.screen.state.config, record)
        self.app.push_screen(OneOperation(record, alone, editing=rests_on == "edit"), decided)


def _not_handled(_error: HermesTuiError) -> bool:
    return False


def _count(rows: Sequence[Row]) -> int:
    return sum(len(row.items) for row in rows)


def _oldest_first(rows: Sequence[Row]) -> list[PendingRecord]:
    records = [record for row in rows for record in row.records]
    return sorted(records, key=lambda record: (record.created_at or 0.0, record.id))
