"""`--view NAME`: what a screen was saved to show, for the commands that list the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from hermes_tui.cli.context import open_home, options
from hermes_tui.cli.texts import whole_characters
from hermes_tui.errors import Refused

if TYPE_CHECKING:
    from hermes_tui.pending.preview import Preview
    from hermes_tui.sessions.database import Database
    from hermes_tui.sessions.listing import Brief, Chosen
    from hermes_tui.sessions.query import Filters
    from hermes_tui.ui.sessions.viewed import Viewed
    from hermes_tui.views import Content, Screen

Function = TypeVar("Function", bound=Callable[..., Any])


def view_option(function: Function) -> Function:
    """`--view NAME`."""
    words = "As this saved view of the screen shows it."
    return click.option("--view", "view", metavar="NAME", help=words)(function)


def goes_without(view: str | None, **given: object) -> None:
    """See to it that what a view says itself is not said otherwise beside it."""
    for name, value in given.items():
        if view is not None and value:
            raise click.UsageError(f"--view and --{name} exclude each other: the view says it.")


def sessions_view(name: str, verb: Literal["list", "search", ""]) -> Viewed:
    """A saved view of the sessions.

    Args:
        name: of the view.
        verb: what it has to be good for.

    Raises:
        NotFound: there is none of this name.
        Unreadable: the file of views is broken.
        Refused: the view itself is, or it is good for the other thing.
    """
    from hermes_tui.ui.sessions.viewed import Viewed  # a module without a screen: the same words mean the same

    viewed = _made("sessions", name, Viewed.of)
    if verb and viewed.searches != (verb == "search"):
        what = "looks for words" if viewed.searches else "looks for no words"
        other = f"`sessions {'search' if viewed.searches else 'list'} --view` shows it."
        raise Refused(f"The view “{name}” {what}.", code="other_view", hint=other)
    return viewed


def sessions_shown(base: Database, briefs: Sequence[Brief], viewed: Viewed, filters: Filters) -> Chosen:
    """The conversations that a view lists, in its order, and what it leaves out."""
    from hermes_tui.sessions.listing import Chosen
    from hermes_tui.sessions.named import Names
    from hermes_tui.ui.sessions.choosing import Choosing, known_values

    def titled(text: str) -> list[str]:
        names = Names(base)
        names.refresh()
        return list(names.titled(text))

    choosing = Choosing(filters, viewed.kinds, viewed.order)
    shown, hidden = choosing.chosen(briefs, known_values(briefs), titled)
    return Chosen(tuple(shown), hidden)


def pending_shown(name: str, previews: Sequence[Preview]) -> list[Preview]:
    """The writes that a saved view of the queue shows, in its order.

    Raises:
        NotFound: there is none of this name.
        Unreadable: the file of views is broken.
        Refused: the view itself is.
    """
    import time

    from hermes_tui.ui.pending.choosing import chosen, in_order
    from hermes_tui.ui.pending.model import Row, items_of
    from hermes_tui.ui.pending.viewed import choice_of

    choice = _made("pending", name, choice_of)
    items = items_of(preview.record for preview in previews)
    found = {item.key: preview for item, preview in zip(items, previews, strict=True)}
    shown = chosen(items, choice, found, time.time())
    return [found[row.item.key] for row in in_order([Row((item,)) for item in shown], choice.order, found)]


Made = TypeVar("Made")


def _made(screen: Screen, name: str, make: Callable[[Content], Made]) -> Made:
    from hermes_tui.views import Views

    view = Views(open_home(options()).path, screen, read_only=True).named(whole_characters(name))
    try:
        return make(view.content)
    except ValueError as error:
        raise Refused(
            f"The view “{view.name}” cannot be shown: {error}.",
            code="bad_view",
            hint=f"Save it anew on the {screen.title()} screen.",
        ) from error
