"""What is common to all that speak with a provider."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Literal, NoReturn

from hermes_tui.errors import Refused
from hermes_tui.providers.client import Client, ProviderFailed, Server, checked_key, checked_url
from hermes_tui.providers.client_failures import odd
from hermes_tui.providers.remote_memories import Memory, Page, Probe, Representation, rows_in

Ability = Literal["list", "search", "delete", "representation"]


class Speaker(ABC):
    """Speaks with one provider; what a provider cannot do is refused with a sentence."""

    title: ClassVar[str]
    lacks: ClassVar[Mapping[Ability, str]] = {}
    """Why something cannot be done."""
    where: str
    """Whom it asks, in words."""

    @property
    @abstractmethod
    def told(self) -> str:
        """What a request tells besides its own words, in words."""

    def can(self, ability: Ability) -> bool:
        """Whether a provider can do this."""
        return ability not in self.lacks and (ability != "representation" or "representation" in vars(type(self)))

    @abstractmethod
    def probe(self) -> Probe:
        """Ask whether it is there and takes the key."""

    def list(self, limit: int, cursor: str) -> Page:  # noqa: ARG002 - what others can do
        """Some memories."""
        self.refuse("list")

    def search(self, query: str, limit: int) -> tuple[Memory, ...]:  # noqa: ARG002
        """Memories that match."""
        self.refuse("search")

    def delete(self, id: str) -> None:  # noqa: ARG002
        """Delete one."""
        self.refuse("delete")

    def representation(self) -> tuple[Representation, ...]:
        """What it makes of people."""
        self.refuse("representation")

    def refuse(self, ability: Ability) -> NoReturn:
        """Say why this cannot be done."""
        why = self.lacks.get(ability) or f"{self.title} has no picture of a person that could be shown."
        raise Refused(why, code="not_supported")

    @abstractmethod
    def cancel(self) -> None:
        """Stop what runs; for another thread to call."""

    def close(self) -> None:
        """Let go of connections."""
        self.cancel()


class HttpSpeaker(Speaker):
    """Speaks with a server.

    Args:
        settings: the address as `base_url`, the key as `api_key`, and what else the provider needs.
        confirmed: whether a person has agreed.
        times: seconds to connect, between two bytes, and in all; None for the usual.
    """

    def __init__(
        self, settings: Mapping[str, str], *, confirmed: bool, times: tuple[float, float, float] | None = None
    ) -> None:
        self.settings = settings
        self.key_origin = settings.get("key_origin", "") or "api_key"
        self.key = checked_key(settings.get("api_key", "").strip(), self.key_origin)
        url = checked_url(self.address(), settings.get("url_origin", "") or "base_url")
        secrets = (self.key,) if self.key else ()
        self.server = Server(self.title, url, self.headers(), secrets, self.key_origin if self.key else "")
        self.client = (
            Client(self.server, confirmed=confirmed)
            if times is None
            else Client(self.server, confirmed=confirmed, connect=times[0], read=times[1], total=times[2])
        )
        self.where = self.server.where

    def address(self) -> str:
        """The base URL."""
        return self.settings.get("base_url", "")

    def headers(self) -> dict[str, str]:
        """What every request carries."""
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def rows(self, found: object, *names: str) -> Sequence[Mapping[str, object]]:
        """The list of objects in an answer.

        Raises:
            ProviderFailed: there is none.
        """
        rows = rows_in(found, *names)
        if rows is None:
            raise self.other_form()
        return rows

    def memories(
        self, found: object, read: Callable[[Mapping[str, object]], Memory], *names: str
    ) -> tuple[Memory, ...]:
        """The memories in an answer, each of which has an id or words.

        Raises:
            ProviderFailed: there are none, or something else.
        """
        made = tuple(map(read, self.rows(found, *names)))
        if not all(memory.id or memory.text for memory in made):
            raise self.other_form()
        return made

    def other_form(self) -> ProviderFailed:
        """An answer that is not one of this provider's: perhaps another server stands there."""
        return odd(self.server, "with JSON of another form than is known")

    def cancel(self) -> None:
        """Stop what runs, at once and for good."""
        self.client.cancel()

    def close(self) -> None:
        """Let go of the connections."""
        self.client.close()


def page_of(cursor: str, first: int = 1) -> int:
    """The number in a cursor.

    Raises:
        Refused: it is none of ours.
    """
    if not cursor:
        return first
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 9:
        raise Refused("This is no place in the list.", code="bad_cursor", hint="Take it from the answer before.")
    return max(first, int(cursor))
