"""Any life of an agent, told from what it left behind: nothing that is said to be certain is wrong."""

from __future__ import annotations

import math
import tempfile
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes_tui.config import load_config
from hermes_tui.history.changes import Change
from hermes_tui.history.heads import IDLE_SECONDS
from hermes_tui.history.history import History, Timeline
from hermes_tui.home import resolve_home
from hermes_tui.memory.entries import STORES, StoreName
from hermes_tui.memory.view import view_store
from hermes_tui.sessions.database import Database
from tests.history.agent import Agent, Deed, Form, Talk

WAITS = (0.0, 0.001, 2.0, 600.0, 7 * 3600.0, 20 * 3600.0, 5 * 86_400.0)
SKEWS = (0.0, 0.003, 0.03)
EXAMPLES = 80


class Act(NamedTuple):
    """Something that is done, by a number, with two more that say by whom and how."""

    number: int
    who: int
    how: int

    @property
    def store(self) -> StoreName:
        """The store that it is about."""
        return STORES[self.how % 2]


class Edit(NamedTuple):
    """A change, after which a session that is named as real ones are begins on what it left."""

    what: str
    who: int
    how: int


@dataclass
class Script:
    """Plays acts; what cannot be done is left out."""

    agent: Agent
    read: Callable[[], None]
    quiet: bool
    """Whether everything that is done is recorded."""

    def play(self, acts: Sequence[Act]) -> None:
        """Play them all."""
        recorded: list[Callable[[Act], None]] = [
            *(self.open, self.turn, self.turn, self.add, self.add, self.replace, self.remove, self.batch, self.ours),
            *(self.note, self.wait, self.wait, self.compact, self.remodel, self.end, self.read_on, self.branch),
        ]
        others: list[Callable[[Act], None]] = [
            *(self.outside, self.outside, self.take_back, self.empty, self.spree, self.forget, self.stage, self.decide),
            self.rewrite,
        ]
        doing = recorded if self.quiet else [*recorded, *others]
        for act in acts:
            doing[act.number % len(doing)](act)
            self.agent.wait(0.001)

    # Sessions

    def talk(self, act: Act, *, begun: bool = True) -> Talk | None:
        """One of the latest sessions."""
        talks = [talk for talk in self.agent.talks if not talk.gone and (talk.begun or not begun)]
        return talks[-1 - act.who % min(3, len(talks))] if talks else None

    def open(self, act: Act) -> None:
        switched_on: tuple[StoreName, ...] = STORES[act.how % 10 - 7 :] if act.how % 10 > 7 else STORES
        self.agent.open(*switched_on)

    def turn(self, act: Act) -> None:
        if talk := self.talk(act, begun=False):
            idle = self.agent.now - talk.read_at
            if not talk.begun and (self.quiet or idle > IDLE_SECONDS):
                talk.frozen = {store: self.agent.held[store] for store in talk.frozen}
                talk.read_at = self.agent.now
            self.agent.turn(talk)

    def compact(self, act: Act) -> None:
        talk = self.talk(act)
        if talk and not talk.stale_prompt:
            self.agent.compact(talk)

    def branch(self, act: Act) -> None:
        if talk := self.talk(act):
            self.agent.branch(talk, told_anew=self.quiet or act.how % 2 == 0)

    def rewrite(self, act: Act) -> None:
        talk = self.talk(act)
        if talk and not talk.compacted:  # else nothing would tell that its prompt was built anew
            self.read()  # older agents do not keep the time at which something was said first
            self.agent.rewrite(talk)

    def remodel(self, act: Act) -> None:
        if talk := self.talk(act):
            self.agent.remodel(talk)

    def end(self, act: Act) -> None:
        if talk := self.talk(act):
            self.agent.end(talk)

    def forget(self, act: Act) -> None:
        if talk := self.talk(act):
            self.agent.forget(talk)

    # Changes

    def edit(self, edit: Edit) -> None:
        """A change, and a new session."""
        act = Act(0, edit.who, edit.how)
        {"outside": self.outside, "take_back": self.take_back, "empty": self.empty, "add": self.add,
         "remove": self.remove}[edit.what](act)  # fmt: skip
        self.agent.wait(WAITS[3 + edit.who % 4])
        self.agent.open(*STORES, named=True)
        self.turn(act._replace(who=0))
        self.agent.wait(WAITS[3 + edit.how % 4])

    def text(self, act: Act) -> str:
        """A new entry."""
        number = self.agent.number()
        return f"entry {number}{'x' * (number % 5 + act.how % 3)}"

    def one(self, act: Act) -> str | None:
        """An entry that is there."""
        entries = self.agent.held[act.store]
        return entries[act.who % len(entries)] if entries else None

    def call(self, act: Act, *operations: dict[str, str]) -> None:
        """The tool is called in a session."""
        if talk := self.talk(act):
            skew = SKEWS[act.how % len(SKEWS)]
            self.agent.call(talk, act.store, *operations, skew=skew)
            if self.quiet:  # the answer is stored before anything else happens
                self.agent.wait(skew)

    def add(self, act: Act) -> None:
        again = self.one(act) if act.how % 7 == 6 else None
        self.call(act, {"action": "add", "content": again or self.text(act)})

    def replace(self, act: Act) -> None:
        old = self.one(act) or "never there"
        self.call(act, {"action": "replace", "old_text": old, "content": self.text(act)})

    def remove(self, act: Act) -> None:
        self.call(act, {"action": "remove", "old_text": self.one(act) or "never there"})

    def batch(self, act: Act) -> None:
        operations = [{"action": "add", "content": self.text(act)}, {"action": "add", "content": self.text(act)}]
        if old := self.one(act):
            operations.append({"action": "remove", "old_text": old})
        self.call(act, *operations)

    def edited(self, act: Act) -> list[str]:
        """The entries with something changed."""
        entries = list(self.agent.held[act.store])
        if act.who % 3 == 0 or not entries:
            entries.insert(act.how % (len(entries) + 1), self.text(act))
        elif act.who % 3 == 1:
            del entries[act.how % len(entries)]
        else:
            entries[act.how % len(entries)] = self.text(act)
        return entries

    def ours(self, act: Act) -> None:
        self.agent.ours(act.store, self.edited(act))

    def outside(self, act: Act) -> None:
        entries = self.edited(act)
        past = [deed.before for deed in self.agent.deeds if deed.store == act.store]
        if act.how % 5 == 4 and past:  # what was there long ago is there again
            entries = list(past[act.who % len(past)])
        if tuple(entries) != self.agent.held[act.store]:
            self.agent.outside(act.store, entries)

    def take_back(self, act: Act) -> None:
        """The last change is undone without a trace; a store that was emptied is filled again."""
        past = [deed.before for deed in self.agent.deeds if deed.store == act.store]
        if past:
            self.agent.outside(act.store, past[-1])

    def empty(self, act: Act) -> None:
        if self.agent.held[act.store]:
            self.agent.outside(act.store, ())

    def spree(self, act: Act) -> None:
        """Several edits a day, each told to another session."""
        for _ in range(2 + act.who % 3):
            self.outside(act)
            self.agent.wait(600)
            self.open(act)
            self.turn(act._replace(who=0))

    def stage(self, act: Act) -> None:
        if talk := self.talk(act):
            self.agent.stage(talk, {"action": "add", "target": act.store, "content": self.text(act)})

    def decide(self, act: Act) -> None:
        if not self.agent.waiting:
            return
        waiting = self.agent.waiting.pop(act.who % len(self.agent.waiting))
        after = [*self.agent.held[waiting.store], waiting.arguments["content"]]
        if act.how % 3 == 0:
            self.agent.outside(waiting.store, after)
        elif act.how % 3 == 1:
            self.agent.ours(waiting.store, after, waiting.id)

    # Everything else

    def note(self, _: Act) -> None:
        self.agent.note()

    def wait(self, act: Act) -> None:
        self.agent.wait(WAITS[act.how % len(WAITS)])

    def read_on(self, _: Act) -> None:
        self.read()


def played(
    folder: Path, form: Form, acts: Sequence[Act] | Sequence[Edit], *, quiet: bool
) -> tuple[Agent, Timeline, History]:
    """A life, and what we make of it."""
    agent = Agent(folder / "home", folder / "data", form)
    home = resolve_home(home=str(agent.home))
    config = load_config(home)
    history = History(agent.data, home.logs)

    def read() -> None:
        with Database(home.state_db) as base:
            for _ in history.read(base):
                pass

    try:
        script = Script(agent, read, quiet)
        for act in acts:
            script.edit(act) if isinstance(act, Edit) else script.play([act])
        agent.wait(1)
        agent.save()
        read()
        agent.note()
        timeline = history.timeline([view_store(home, config, store) for store in STORES])
    finally:
        agent.close()
    return agent, timeline, history


def untold(agent: Agent, history: History, store: StoreName) -> list[tuple[float, float]]:
    """The times of which nothing is left that could tell that somebody changed a store and took it back."""
    looks = list(agent.looks[store])
    for told in (*history.index.former, *history.index.sessions.values()):
        block = history.index.blocks[told.block] if told.block >= 0 else {}
        stated = block[store].entries if store in block else ()
        reads = [at for id, at in agent.built if id == told.session_id]
        if block:
            last = told is history.index.sessions.get(told.session_id)
            looks += [at for at in (reads[-1:] if last else reads[:-1]) if agent.truth(store, at) == stated]
    # What a call found, its answer tells by the length of what it left.
    called = [deed for deed in (*agent.deeds, *agent.found) if deed.store == store and is_recorded(deed, history)]
    looks += [math.nextafter(deed.at, 0) for deed in called]
    edges = [-math.inf, *sorted(set(looks)), math.inf]
    hidden = [deed.at for deed in agent.deeds if deed.store == store and not is_recorded(deed, history)]
    return [(low, high) for low, high in pairwise(edges) if any(low < at <= high for at in hidden)]


def is_recorded(deed: Deed, history: History) -> bool:
    """Whether the record of it was read before it was deleted."""
    calls = {(call.session_id, call.at) for call in history.index.calls.values()}
    return deed.recorded and (not deed.session or (deed.session, deed.told_at) in calls)


def without_trace(agent: Agent, history: History, store: StoreName) -> list[tuple[float, float]]:
    """Those in which what was done without a record does not show at their ends either."""
    found = []
    for low, high in untold(agent, history, store):
        entries = list(agent.truth(store, low)) if low > -math.inf else []
        for deed in agent.deeds:
            if deed.store == store and is_recorded(deed, history) and low < deed.at <= high:
                entries = _redone(entries, deed)
        if high == math.inf or tuple(entries) == agent.truth(store, high) or low == -math.inf:
            found.append((low, high))
    return found


def _redone(entries: list[str], deed: Deed) -> list[str]:
    gone = [text for text in deed.before if text not in deed.after]
    come = [text for text in deed.after if text not in deed.before]
    if len(gone) == len(come) == 1 and gone[0] in entries:
        return [come[0] if text == gone[0] else text for text in entries]
    return [*(text for text in entries if text not in gone), *come]


def moments(agent: Agent) -> list[float]:
    """Times to ask for: around everything that happened, and in between."""
    at = sorted({deed.at for deed in agent.deeds} | {deed.told_at for deed in agent.deeds} | {agent.now})
    between = [(one + other) / 2 for one, other in pairwise(at)]
    return sorted({*at, *between, *(each + 0.0005 for each in at)})


def assert_certain_is_true(agent: Agent, timeline: Timeline, history: History) -> None:
    """What is said to be certain was so."""
    for store in STORES:
        mute = without_trace(agent, history, store)
        skewed = [(deed.at, deed.told_at) for deed in agent.deeds if deed.store == store]
        for at in moments(agent):
            state = timeline.state(store, at)
            if state is None or not state.certain or any(low < at < high for low, high in mute):
                continue
            if any(low <= at < high for low, high in skewed):
                continue  # it was written, and the answer not yet stored
            # At the very moment of a write it is both.
            assert state.entries in (agent.truth(store, at), agent.truth(store, math.nextafter(at, 0))), (store, at)


def assert_changes_happened(agent: Agent, timeline: Timeline) -> None:
    """A change with an exact author was made then and there; one without tells of entries that there were."""
    for change in timeline.changes():
        deeds = [deed for deed in agent.deeds if deed.store == change.store]
        if change.certainty == "exact":
            assert change.since in (change.until, None)
            assert any(_is(change, deed, agent) for deed in deeds), change
        elif change.by == "outside edit or unknown":
            # Its words were there by then: nothing is made up. Who read what when is not always to be told, and so
            # an entry that went may have gone a little earlier.
            written = [deed for deed in deeds if deed.at <= change.until]
            for text in filter(None, (change.before, change.after)):
                assert any(text in deed.after for deed in written), change
            assert change.since is None or change.since < change.until


def _is(change: Change, deed: Deed, agent: Agent) -> bool:
    if change.by == "tool call":
        if change.since is None:  # all that is left of it was written later, for another session
            return _same_words(change, deed) and deed.at <= change.until
        gone = {talk.id for talk in agent.talks if talk.gone}
        if change.until != deed.told_at or (change.session_id != deed.session and deed.session not in gone):
            return False
        if change.message_id != deed.message and deed.session not in agent.rewritten | gone:
            return False
    elif not deed.recorded or deed.at != change.until:
        return False
    return _same_words(change, deed)


def _same_words(change: Change, deed: Deed) -> bool:
    went = change.partial or not change.before or (change.before in deed.before and change.before not in deed.after)
    return went and (not change.after or (change.after in deed.after and change.after not in deed.before))


acts = st.lists(st.builds(Act, st.integers(0, 25), st.integers(0, 8), st.integers(0, 20)), max_size=60)
quickly = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@pytest.mark.parametrize("form", ["0.19", "0.22"])
@quickly
@given(acts=acts)
def test_nothing_certain_is_wrong(form: Form, acts: Sequence[Act]) -> None:
    """A guess would be shown as a fact."""
    with tempfile.TemporaryDirectory() as folder:
        agent, timeline, history = played(Path(folder), form, acts, quiet=False)
        assert_certain_is_true(agent, timeline, history)
        assert_changes_happened(agent, timeline)
        for store in STORES:
            state = timeline.state(store, time.time())
            assert state is not None
            assert (state.entries, state.certain) == (agent.held[store], True)


@pytest.mark.parametrize("form", ["0.19", "0.22"])
@quickly
@given(acts=acts)
def test_where_everything_is_recorded_everything_is_known(form: Form, acts: Sequence[Act]) -> None:
    """The past would be patchy though all of it is on the disk."""
    with tempfile.TemporaryDirectory() as folder:
        agent, timeline, history = played(Path(folder), form, acts, quiet=True)
        assert_certain_is_true(agent, timeline, history)
        assert_changes_happened(agent, timeline)
        assert_all_known(agent, timeline)


kinds = st.sampled_from(["outside", "outside", "take_back", "empty", "add", "remove"])
edits = st.lists(st.builds(Edit, kinds, st.integers(0, 8), st.integers(0, 20)), max_size=30)


@pytest.mark.parametrize("form", ["0.19", "0.22"])
@quickly
@given(edits=edits)
def test_what_a_session_was_told_is_what_the_store_held(form: Form, edits: Sequence[Edit]) -> None:
    """A session on the disk says what there was, and the timeline would say something else."""
    with tempfile.TemporaryDirectory() as folder:
        agent, timeline, history = played(Path(folder), form, edits, quiet=False)
        assert_certain_is_true(agent, timeline, history)
        assert_changes_happened(agent, timeline)
        for store in STORES:
            assert not timeline.pasts[store].stale
            for _, at in agent.built:
                state, truth = timeline.state(store, at + 1), agent.truth(store, at)
                # The prompt does not speak of an empty store, nor of one that is switched off.
                assert not truth or (state is not None and state.entries == truth), (store, at)
            held: set[str] = set()
            for change in timeline.pasts[store].changes:
                assert (change.before in held) == (change.kind != "add"), change
                held = held - {change.before} | ({change.after} if change.after else set())
            assert held == set(agent.held[store])


def assert_all_known(agent: Agent, timeline: Timeline) -> None:
    """Every state is as it was, and every change has an author."""
    for store in STORES:
        deeds = [deed for deed in agent.deeds if deed.store == store]
        for deed in deeds:
            last = deeds[bisect_right(deeds, deed.told_at, key=lambda other: other.at) - 1]
            state = timeline.state(store, deed.told_at)
            if last.told_at <= deed.told_at:  # nothing was written that is not yet recorded
                assert state is not None, (store, deed)
                assert state.entries == last.after, (store, deed)
        unknown = [change for change in timeline.pasts[store].changes if change.by == "outside edit or unknown"]
        assert unknown == []
