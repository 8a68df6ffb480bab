"""Honcho: conclusions about peers, and what it makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hermes_tui.providers.client import ProviderFailed, part
from hermes_tui.providers.remote_memories import (
    Memory,
    Page,
    Probe,
    Representation,
    count_in,
    extras,
    id_in,
    text_in,
    time_in,
)
from hermes_tui.providers.remote_speaker import HttpSpeaker, page_of

MOST_ROWS = 100
MOST_PEERS = 10
"""So many people are looked up where none is named in the settings."""


class Honcho(HttpSpeaker):
    """Speaks version 3 of Honcho's API; it never makes a workspace or a peer."""

    title = "Honcho"

    @property
    def told(self) -> str:
        """What a request tells besides its own words."""
        return f"the names of the workspace ({self.settings.get('workspace', '')}) and of its peers"

    def probe(self) -> Probe:
        """Ask for the workspace's peers."""
        try:
            found = self.client.post(self._path("/peers/list"), {}, {"page": 1, "size": 1})
        except ProviderFailed as error:
            if error.code != "provider_missing":
                raise
            return Probe(self.where, "It answers; the workspace is not there yet. The agent makes it at its first use.")
        count = max(len(self.rows(found, "items")), count_in(found, "total") or 0)
        return Probe(self.where, f"It answers and takes the key; peers in the workspace: {count if count else 'none'}.")

    def list(self, limit: int, cursor: str) -> Page:
        """Conclusions about anyone, the newest first."""
        page = page_of(cursor)
        found = self.client.post(
            self._path("/conclusions/list"), {}, {"page": page, "size": max(1, min(limit, MOST_ROWS))}
        )
        memories = self.memories(found, _conclusion, "items")
        pages = count_in(found, "pages") or 0
        return Page(memories, str(page + 1) if memories and page < pages else "", count_in(found, "total"))

    def search(self, query: str, limit: int) -> tuple[Memory, ...]:
        """Conclusions about people, by their meaning."""
        found: dict[str, Memory] = {}
        agent = self.settings.get("ai_peer", "")
        for peer in self._people():
            for observer in dict.fromkeys((agent, peer)):
                if not observer:
                    continue
                body = {
                    "query": query,
                    "top_k": max(1, min(limit, MOST_ROWS)),
                    "filters": {"observer_id": observer, "observed_id": peer},
                }
                answer = self.client.post(self._path("/conclusions/query"), body)
                for memory in self.memories(answer, _conclusion, "items", "results"):
                    found.setdefault(memory.id or memory.text, memory)
        return tuple(found.values())[:limit]

    def delete(self, id: str) -> None:
        """Delete a conclusion."""
        self.client.delete(self._path(f"/conclusions/{part(id)}"))

    def representation(self) -> tuple[Representation, ...]:
        """What Honcho makes of each person: card, account, and newest conclusions."""
        return tuple(map(self._about, self._people()))

    def _about(self, peer: str) -> Representation:
        agent = self.settings.get("ai_peer", "")
        card: tuple[str, ...] = ()
        text, observer = "", peer
        # As the agent: first how it sees the person, then how the person is seen by themselves.
        for observer in dict.fromkeys(name for name in (agent, peer) if name):
            query: dict[str, object] = {} if observer == peer else {"target": peer}
            try:
                found = self.client.get(self._path(f"/peers/{part(observer)}/context"), query)
            except ProviderFailed as error:
                if error.code != "provider_missing":
                    raise
                continue
            row: Mapping[str, Any] = found if isinstance(found, Mapping) else {}
            lines = row.get("peer_card")
            card = tuple(str(line) for line in lines) if isinstance(lines, list) else ()
            text = text_in(row, "representation", "peer_representation")
            if card or text:
                break
        body = {"filters": {"observed_id": peer}}
        newest = self.client.post(self._path("/conclusions/list"), body, {"page": 1, "size": 20})
        return Representation(peer, observer, card, text, self.memories(newest, _conclusion, "items"))

    def _people(self) -> tuple[str, ...]:
        """The peers that are people: the one in the settings, or all but the agent."""
        named = self.settings.get("peer_name", "")
        if named:
            return (named,)
        found = self.client.post(self._path("/peers/list"), {}, {"page": 1, "size": MOST_PEERS + 1})
        names = [id_in(row) for row in self.rows(found, "items")]
        return tuple(name for name in names if name and name != self.settings.get("ai_peer"))[:MOST_PEERS]

    def _path(self, rest: str) -> str:
        return f"/v3/workspaces/{part(self.settings.get('workspace', ''))}{rest}"


def _conclusion(row: Mapping[str, object]) -> Memory:
    shown = {"observed_id": "about", "observer_id": "by", "session_id": "session"}
    return Memory(
        id_in(row),
        text_in(row, "content"),
        time_in(row, "created_at"),
        kind=text_in(row, "level") or "conclusion",
        extra=extras(row, shown),
    )
