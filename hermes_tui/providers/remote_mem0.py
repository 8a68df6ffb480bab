"""Mem0: its platform, and a server of one's own."""

from __future__ import annotations

from collections.abc import Mapping

from hermes_tui.providers.client import part
from hermes_tui.providers.remote_memories import (
    Memory,
    Page,
    Probe,
    count_in,
    extras,
    id_in,
    score_in,
    text_in,
    time_in,
)
from hermes_tui.providers.remote_speaker import HttpSpeaker, page_of

MOST_ROWS = 100


class Mem0Platform(HttpSpeaker):
    """Speaks with api.mem0.ai."""

    title = "Mem0"

    @property
    def told(self) -> str:
        """What a request tells besides its own words."""
        return f"the user's name there ({self.user})"

    @property
    def user(self) -> str:
        """Whose memories these are."""
        return self.settings.get("user_id", "")

    def headers(self) -> dict[str, str]:
        """The platform has its own word before the key."""
        return {"Authorization": f"Token {self.key}"} if self.key else {}

    def probe(self) -> Probe:
        """Ask for the user's first memory."""
        total = self.list(1, "").total
        return Probe(self.where, f"It answers and takes the key; memories of {self.user}: {total or 'none'}.")

    def list(self, limit: int, cursor: str) -> Page:
        """The user's memories."""
        page = page_of(cursor)
        size = max(1, min(limit, MOST_ROWS))
        found = self.client.post(
            "/v3/memories/", {"filters": {"user_id": self.user}}, {"page": page, "page_size": size}
        )
        memories = self.memories(found, _memory, "results")
        more = isinstance(found, Mapping) and bool(found.get("next"))
        return Page(memories, str(page + 1) if more and memories else "", count_in(found, "count"))

    def search(self, query: str, limit: int) -> tuple[Memory, ...]:
        """The user's memories that match by meaning."""
        body = {"query": query, "filters": {"user_id": self.user}, "top_k": max(1, min(limit, MOST_ROWS))}
        return self.memories(self.client.post("/v3/memories/search/", body), _memory, "results")[:limit]

    def delete(self, id: str) -> None:
        """Delete a memory."""
        self.client.delete(f"/v1/memories/{part(id)}/")


class Mem0Server(Mem0Platform):
    """Speaks with a server of one's own."""

    def headers(self) -> dict[str, str]:
        """A key only where the server wants one."""
        return {"X-API-Key": self.key} if self.key else {}

    def probe(self) -> Probe:
        """Ask for the user's memories: such a server has nothing smaller to ask for."""
        count = len(self.list(MOST_ROWS, "").memories)
        return Probe(self.where, f"It answers; it has {count or 'no'} memories of {self.user}.")

    def list(self, limit: int, cursor: str) -> Page:
        """The user's memories; the server gives them all at once."""
        start = page_of(cursor, 0)
        found = self.client.get("/memories", {"user_id": self.user})
        memories = self.memories(found, _memory, "results", "memories")
        end = start + limit
        return Page(memories[start:end], str(end) if end < len(memories) else "", len(memories))

    def search(self, query: str, limit: int) -> tuple[Memory, ...]:
        """The user's memories that match by meaning."""
        body = {"query": query, "top_k": max(1, min(limit, MOST_ROWS)), "filters": {"user_id": self.user}}
        return self.memories(self.client.post("/search", body), _memory, "results")[:limit]

    def delete(self, id: str) -> None:
        """Delete a memory."""
        self.client.delete(f"/memories/{part(id)}")


def _memory(row: Mapping[str, object]) -> Memory:
    shown = {"agent_id": "agent", "updated_at": "updated", "categories": "categories"}
    return Memory(
        id_in(row),
        text_in(row, "memory", "text", "content"),
        time_in(row, "created_at"),
        score_in(row, "score"),
        text_in(row, "type"),
        extras(row, shown),
    )
