"""RetainDB: one user's memories in a project."""

from __future__ import annotations

from collections.abc import Mapping

from hermes_tui.providers.client import ProviderFailed, part
from hermes_tui.providers.remote_memories import Memory, Page, Probe, extras, id_in, score_in, text_in, time_in
from hermes_tui.providers.remote_speaker import HttpSpeaker

MOST_ROWS = 200
MOST_HITS = 20
OTHER_ROUTE = frozenset({404, 405, 501})
"""What an older server says to the newer of two routes."""


class RetainDb(HttpSpeaker):
    """Speaks with its API, by both names that it has for a route."""

    title = "RetainDB"

    @property
    def told(self) -> str:
        """What a request tells besides its own words."""
        return f"the name of the project ({self.project}) and of the user in it ({self.user})"

    @property
    def project(self) -> str:
        """Where the agent keeps them."""
        return self.settings.get("project", "") or "default"

    @property
    def user(self) -> str:
        """Whose they are."""
        return self.settings.get("user_id", "") or "default"

    def headers(self) -> dict[str, str]:
        """The key in both places in which it looks."""
        return {"Authorization": f"Bearer {self.key}", "X-API-Key": self.key} if self.key else {}

    def probe(self) -> Probe:
        """Ask for the user's profile."""
        count = len(self.list(MOST_ROWS, "").memories)
        return Probe(self.where, f"It answers and takes the key; memories of {self.user}: {count or 'none'}.")

    def list(self, limit: int, cursor: str) -> Page:  # noqa: ARG002 - it has no pages
        """The user's memories; the server gives up to two hundred at once."""
        try:
            query = {"project": self.project, "include_pending": True}
            found = self.client.get(f"/v1/memory/profile/{part(self.user)}", query)
        except ProviderFailed as error:
            if error.status not in OTHER_ROUTE:
                raise
            found = self.client.get("/v1/memories", {"project": self.project, "user_id": self.user, "limit": MOST_ROWS})
        memories = self.memories(found, _memory, "memories", "results", "items", "data")
        note = f"The server has more than it gives at once ({len(memories)})." if len(memories) >= MOST_ROWS else ""
        hidden = len(memories) - limit
        if hidden > 0:
            note = f"{hidden} more are there; this provider has no pages: ask for more at once."
        return Page(memories[:limit], "", len(memories), note)

    def search(self, query: str, limit: int) -> tuple[Memory, ...]:
        """The user's memories that match by meaning."""
        body = {
            "project": self.project,
            "query": query,
            "user_id": self.user,
            "top_k": max(1, min(limit, MOST_HITS)),
            "include_pending": True,
        }
        return self.memories(self.client.post("/v1/memory/search", body), _memory, "results", "memories")[:limit]

    def delete(self, id: str) -> None:
        """Delete a memory."""
        name = part(id)
        try:
            self.client.delete(f"/v1/memory/{name}")
        except ProviderFailed as error:
            if error.status not in OTHER_ROUTE:
                raise
            self.client.delete(f"/v1/memories/{name}")


def _memory(row: Mapping[str, object]) -> Memory:
    inner = row.get("memory")
    row = {**row, **inner} if isinstance(inner, Mapping) else row
    return Memory(
        id_in(row, "id", "memory_id"),
        text_in(row, "content", "memory", "text"),
        time_in(row, "created_at", "createdAt"),
        score_in(row, "score", "similarity"),
        text_in(row, "memory_type", "type"),
        extras(row, {"importance": "importance", "session_id": "session"}),
    )
