"""What background reviews have cost, as newer agents keep account of it."""

from __future__ import annotations

from dataclasses import dataclass

from hermes_tui.sessions.database import Database
from hermes_tui.sessions.dates import moment
from hermes_tui.sessions.stored import text_of

_TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
_NO_COST = "included"
"""What an agent says of a model that costs nothing by itself."""


@dataclass(frozen=True, slots=True)
class Spent:
    """The account of the reviews of one session with one model."""

    session_id: str
    since: float
    """When the first of them was over."""
    until: float
    """When the last was."""
    calls: int
    """Requests to the model."""
    tokens: int
    """In and out, those from the cache too."""
    dollars: float | None
    """None where the agent does not know."""


def spent_in(base: Database) -> tuple[Spent, ...] | None:
    """The accounts, oldest first; None where the database keeps none by task.

    Raises:
        NotFound: there are no sessions.
        Unreadable: they cannot be read.
    """
    has = base.columns("session_model_usage")
    if not {"session_id", "task", "first_seen", "last_seen"} <= has:
        return None

    def of(name: str) -> str:
        return name if name in has else "NULL"

    columns = ", ".join(map(of, ("api_call_count", *_TOKENS, "actual_cost_usd", "estimated_cost_usd", "cost_status")))
    rows = base.rows(
        f"SELECT session_id, first_seen, last_seen, {columns} FROM session_model_usage WHERE task = 'background_review'"
    )
    found = []
    for id, first, last, calls, *tokens, actual, estimated, status in rows:
        since = moment(first)
        until = moment(last) or since
        if since is None or until is None:
            continue
        dollars = _number(actual) or _number(estimated)
        known = dollars > 0 or text_of(status) == _NO_COST
        total = sum(int(_number(each)) for each in tokens)
        found.append(Spent(text_of(id), since, until, int(_number(calls)), total, dollars if known else None))
    return tuple(sorted(found, key=lambda spent: spent.until))


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and value == value and abs(value) < 1e15 else 0.0
