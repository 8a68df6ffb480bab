"""Reviews that real agents run on sessions: the ledger counts what they did, and says what it cannot know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from hermes_tui.history.history import History
from hermes_tui.history.review_week import Ledger
from hermes_tui.memory.entries import STORES
from hermes_tui.memory.view import view_store
from hermes_tui.review_account import read_ledger
from tests.interop.test_history import REVIEWED_AFTER, Life, settings
from tests.interop.test_history import live as live

TOKENS = 110
"""Of one request to the model on this machine."""


def review(life: Life, *calls: Mapping[str, Any]) -> None:
    """A session goes on until the agent goes over it, and calls the tool so."""
    life.model.in_review.append(list(calls))
    for _ in range(REVIEWED_AFTER):
        life.say("It rains.")


def ledger(life: Life) -> Ledger:
    """The ledger as it is now."""
    history = History(life.data, life.home.logs)
    timeline = life.timeline(history)
    return read_ledger(life.home, history, timeline, [view_store(life.home, life.config, store) for store in STORES])


@pytest.mark.parametrize("line", ["0.19", "0.22"])
def test_the_ledger_counts_what_reviews_did(line: str, live: Callable[[str], Life]) -> None:
    """A person would decide over the reviews by numbers that are wrong."""
    life = live(line)
    life.open()
    life.greet()
    review(life, {"action": "add", "target": "user", "content": "Likes short answers."})
    review(life)  # finds nothing
    life.end()
    (life.path / "config.yaml").write_text("memory:\n" + settings(gate=True))
    life.begin()
    life.greet()
    review(
        life,
        {"action": "add", "target": "user", "content": "Likes tea."},
        {"action": "add", "target": "memory", "content": "Bus at nine."},
    )
    review(life, {"action": "remove", "target": "user", "old_text": "short"})
    review(life, {"action": "remove", "target": "user", "old_text": "no such thing"})
    life.end()
    ids = {path.stem: path.read_text() for path in (life.path / "pending" / "memory").glob("*.json")}
    bus, tea, removal = (next(id for id in ids if words in ids[id]) for words in ("Bus", "Likes tea", '"short"'))
    life.ours("pending", "approve", bus)
    life.ours("pending", "reject", tea)
    life.ask(do="command", words=["reject", removal])
    life.shut()

    found = ledger(life)
    week = found.weeks[-1]
    assert week.runs == 5
    waiting = int(line == "0.19")  # which stages also what fits no entry
    assert (week.memory.staged, week.memory.waiting) == (2 + waiting, waiting)
    assert (week.memory.approved, week.memory.rejected) == (1, 1)
    assert (week.wrote, week.unseen) == (1, 0)
    assert {write.text for write in week.writes if write.fate == "written"} == {"Likes short answers."}
    # What was rejected in the agent left no record but the line in its log.
    assert week.elsewhere == 1
    if line == "0.22":
        assert (week.calls, week.tokens) == (9, 9 * TOKENS)
    else:
        assert (week.calls, week.tokens) == (None, None)
        assert any("0.19 keeps none" in words for words in found.missing)
