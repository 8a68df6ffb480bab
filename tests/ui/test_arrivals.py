"""A sign that a write waits: only when asked for, only when more wait than before."""

from __future__ import annotations

import pytest

from hermes_tui.pending.queue import PendingCount
from hermes_tui.ui.arrivals import announce_arrival


@pytest.mark.parametrize(
    ("setting", "before", "after", "signs"),
    [
        ("", 0, 1, []),
        ("bell", 0, 1, ["bell"]),
        ("bell", 2, 2, []),
        ("bell", 3, 1, []),
        ("osc9", 1, 2, ["\x1b]9;hermes-tui: 2 writes waiting for approval\x07"]),
        ("nonsense", 0, 1, []),
    ],
)
def test_a_sign_is_given_as_asked_for(setting: str, before: int, after: int, signs: list[str]) -> None:
    """Writes would wait unseen, or the terminal would ring unasked."""
    seen: list[str] = []
    announce_arrival(
        PendingCount(before, 0),
        PendingCount(after, 0),
        bell=lambda: seen.append("bell"),
        write=seen.append,
        environ={"HERMES_TUI_NOTIFY": setting},
    )
    assert seen == signs
