"""The memories that lie with a provider: looked at, searched and deleted, after a person agreed to ask for them."""

from __future__ import annotations

from collections.abc import Mapping

from hermes_tui.errors import NotFound, Refused
from hermes_tui.providers.remote_memories import Memory, Page, Probe, Representation
from hermes_tui.providers.remote_speaker import Ability, Speaker

PAGE_ROWS = 20
NAMES = ("byterover", "hindsight", "honcho", "mem0", "openviking", "retaindb", "supermemory")
"""Providers that can be asked; Holographic's facts are in a file of this machine."""

__all__ = ["NAMES", "PAGE_ROWS", "Memory", "Page", "Probe", "Remote", "Representation"]


class Remote:
    """One provider, asked by its own protocol.

    Making one sends nothing. Every request waits for `confirmed`: without it each of them is refused.

    Args:
        provider: its name.
        settings: what `remote_settings` gives: `base_url`, `api_key`, and what else it needs.
        confirmed: whether a person has agreed that it is asked.
        times: seconds to connect, between two bytes, and in all; None for the usual.

    Raises:
        Refused: it cannot be asked: the address or the key is none, or its memories lie elsewhere.
        NotFound: there is no such provider.
    """

    def __init__(
        self,
        provider: str,
        settings: Mapping[str, str],
        *,
        confirmed: bool = False,
        times: tuple[float, float, float] | None = None,
    ) -> None:
        self.provider = provider
        self.settings = settings
        self._speaker = _speaker(provider, settings, confirmed, times)

    def __enter__(self) -> Remote:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def title(self) -> str:
        """The provider in words."""
        return self._speaker.title

    @property
    def where(self) -> str:
        """Whom it asks, in words."""
        return self._speaker.where

    @property
    def told(self) -> str:
        """What a request tells besides its own words, in words; the key goes with every one."""
        return self._speaker.told

    def can(self, ability: Ability) -> bool:
        """Whether the provider can do this."""
        return self._speaker.can(ability)

    def check(self, ability: Ability) -> None:
        """See to it that the provider can do this, before anybody is asked.

        Raises:
            Refused: it cannot.
        """
        if not self.can(ability):
            self._speaker.refuse(ability)

    def probe(self) -> Probe:
        """Ask whether it is there and takes the key.

        Raises:
            ProviderFailed: it is not, or does not.
            Refused: nobody agreed.
        """
        return self._speaker.probe()

    def list(self, limit: int = PAGE_ROWS, cursor: str = "") -> Page:
        """Some memories; raises as `probe` does.

        Args:
            limit: how many.
            cursor: the one of the page before; empty for the first page.
        """
        return self._speaker.list(limit, cursor)

    def search(self, query: str, limit: int = PAGE_ROWS) -> tuple[Memory, ...]:
        """Memories that match, the best first; raises as `probe` does."""
        return self._speaker.search(query, limit)

    def delete(self, id: str) -> None:
        """Delete one for good; raises as `probe` does, and Refused where it cannot be deleted."""
        self._speaker.delete(id)

    def representation(self) -> tuple[Representation, ...]:
        """What the provider makes of each person (Honcho); raises as `probe` does."""
        return self._speaker.representation()

    def cancel(self) -> None:
        """Stop what runs, at once and for good; for another thread to call."""
        self._speaker.cancel()

    def close(self) -> None:
        """Let go of connections."""
        self._speaker.close()


def _speaker(
    provider: str, settings: Mapping[str, str], confirmed: bool, times: tuple[float, float, float] | None
) -> Speaker:
    # Each is loaded when it is asked for: a person has one of them.
    if provider == "honcho":
        from hermes_tui.providers.remote_honcho import Honcho

        return Honcho(settings, confirmed=confirmed, times=times)
    if provider == "openviking":
        from hermes_tui.providers.remote_openviking import OpenViking

        return OpenViking(settings, confirmed=confirmed, times=times)
    if provider == "mem0":
        from hermes_tui.providers.remote_mem0 import Mem0Platform, Mem0Server

        if settings.get("mode") == "oss":
            raise Refused(
                "Mem0 keeps its memories in a vector store of its own (mode oss), which has no server to ask.",
                code="not_supported",
                hint="Look into that store with its own tools.",
            )
        kind = Mem0Server if settings.get("mode") == "self-hosted" else Mem0Platform
        return kind(settings, confirmed=confirmed, times=times)
    if provider == "hindsight":
        from hermes_tui.providers.remote_hindsight import Hindsight

        if settings.get("mode") in ("local", "local_embedded") and not settings.get("base_url"):
            raise Refused(
                "Hindsight runs inside the agent (mode local_embedded), which has no server that is known here.",
                code="not_supported",
                hint="Start a server of it and name it as api_url, with mode local_external.",
            )
        return Hindsight(settings, confirmed=confirmed, times=times)
    if provider == "retaindb":
        from hermes_tui.providers.remote_retaindb import RetainDb

        return RetainDb(settings, confirmed=confirmed, times=times)
    if provider == "supermemory":
        from hermes_tui.providers.remote_supermemory import Supermemory

        return Supermemory(settings, confirmed=confirmed, times=times)
    if provider == "byterover":
        from hermes_tui.providers.remote_byterover import SECONDS, ByteRover

        return ByteRover(settings, confirmed=confirmed, seconds=times[2] if times else SECONDS)
    raise NotFound(
        f"{provider} is no provider that can be asked.",
        code="no_provider",
        hint=f"These can: {', '.join(NAMES)}.",
    )
