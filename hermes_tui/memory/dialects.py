"""The two lines of the agent, and in what their memory tools differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hermes_tui.memory.batch import Rules

DialectName = Literal["0.19", "0.22"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """In what the two lines of the agent differ."""

    name: DialectName
    rules: Rules
    needs_target: bool
    spacing_is_drift: bool
    pins_entries: bool
    """Staged removals carry the whole entry they were decided on."""
    tells_old_text: bool
    """Successful changes carry what was there before."""
    batch_may_empty: bool
    batch_failure_lists_entries: bool
    honours_disabled: bool


DIALECTS: dict[DialectName, Dialect] = {
    "0.19": Dialect(
        name="0.19",
        rules=Rules(whole_first=False, folded=False, actions=("add", "replace", "remove")),
        needs_target=False,
        spacing_is_drift=True,
        pins_entries=False,
        tells_old_text=False,
        batch_may_empty=True,
        batch_failure_lists_entries=True,
        honours_disabled=False,
    ),
    # The newer agent offers `patch` in the place of `replace`; here both are understood.
    "0.22": Dialect(
        name="0.22",
        rules=Rules(),
        needs_target=True,
        spacing_is_drift=False,
        pins_entries=True,
        tells_old_text=True,
        batch_may_empty=False,
        batch_failure_lists_entries=False,
        honours_disabled=True,
    ),
}
