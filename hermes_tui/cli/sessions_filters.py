"""The filters of commands that put away or delete many conversations at once."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from hermes_tui.sessions.upkeep.pruning import Pruned

Function = TypeVar("Function", bound=Callable[..., Any])

_SPAN = re.compile(r"(\d{1,5}(?:\.\d+)?)\s*([hdwmy]?)", re.IGNORECASE)
_DAYS = {"h": 1 / 24, "": 1.0, "d": 1.0, "w": 7.0, "m": 30.0, "y": 365.0}


class Span(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A number of days, or `12h`, `8w`, `6m`, `1y`."""

    name = "span"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Days."""
        found = _SPAN.fullmatch(str(value).strip())
        if not found:
            self.fail(f"{value!r} is no number of days, nor a span such as 12h, 8w, 6m or 1y", param, ctx)
        return float(found[1]) * _DAYS[found[2].lower()]


class Day(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A day or month as it is typed into a search; the moment it begins."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Epoch seconds."""
        from hermes_tui.sessions.dates import period

        found = period(str(value), time.time())
        if found is None:
            self.fail(f"{value!r} is no date: write 2025, 2025-03, 2025-03-30, today or 7d", param, ctx)
        return found[0]


def filter_options(function: Function) -> Function:
    """The filters, as parameters of a command that hands them to `pruned`."""
    for option in (
        click.option("--empty", "empty_only", is_flag=True, help="Only those in which nothing was said."),
        click.option("--archived", is_flag=False, flag_value="also", default="no",
                     type=click.Choice(["no", "also", "only"]), help="Archived ones too, or them only."),
        click.option("--max-messages", type=click.IntRange(min=0), metavar="N", help="At most so many messages."),
        click.option("--min-messages", type=click.IntRange(min=0), metavar="N", help="At least so many messages."),
        click.option("--end-reason", default="", metavar="WORD", help="Ended for this reason."),
        click.option("--cwd", default="", metavar="DIR", help="Ran in this folder or below."),
        click.option("--model", default="", metavar="TEXT", help="Part of the model's name."),
        click.option("--title", default="", metavar="TEXT", help="Part of the title."),
        click.option("--source", "sources", multiple=True, metavar="SOURCE", help="Of this source; may be repeated."),
        click.option("--after", type=Day(), metavar="DATE", help="Last active on this day or later."),
        click.option("--before", type=Day(), metavar="DATE", help="Last active before this day."),
        click.option("--older-than", "older_than_days", type=Span(), metavar="SPAN",
                     help="Not active for so many days, or 12h, 8w, 6m, 1y."),
    ):  # fmt: skip
        function = option(function)
    return function


def pruned(filters: dict[str, Any]) -> Pruned:
    """The filters of a command as the domain takes them."""
    from hermes_tui.sessions.upkeep.pruning import Pruned

    return Pruned(**{**filters, "sources": frozenset(filters["sources"])})
