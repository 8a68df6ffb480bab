"""OpenViking: memories as files under viking://."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hermes_tui.errors import Refused
from hermes_tui.providers.client import ProviderFailed
from hermes_tui.providers.client_failures import sentence_in
from hermes_tui.providers.remote_memories import Memory, Page, Probe, score_in, text_in, time_in
from hermes_tui.providers.remote_speaker import HttpSpeaker, page_of

SUMMARIES = frozenset({".abstract.md", ".overview.md"})
"""Files that the server makes itself."""
MOST_NODES = 1000
WANTS_IDENTITY = "Trusted mode requests must include"
"""What a server says that takes the key, and wants the account and the user too."""


class OpenViking(HttpSpeaker):
    """Speaks with a server, usually one on this machine."""

    title = "OpenViking"
    _identify = False

    @property
    def told(self) -> str:
        """What a request tells besides its own words."""
        return f"the names of the agent ({self.agent}), the account and the user"

    @property
    def agent(self) -> str:
        """What the agent is called there."""
        return self.settings.get("agent", "") or "hermes"

    def headers(self) -> dict[str, str]:
        """The key, or without one the account and the user."""
        found = {"X-OpenViking-Actor-Peer": self.agent}
        if self.key:
            return {**found, "X-API-Key": self.key, "Authorization": f"Bearer {self.key}"}
        return {**found, **self._identity()}

    def probe(self) -> Probe:
        """Ask whether it is well, and whether it takes the key."""
        health, status = self._get("/health"), self._get("/api/v1/system/status")
        if not (isinstance(health, Mapping) and "status" in health and isinstance(status, Mapping)):
            raise self.other_form()
        return Probe(self.where, "It answers and takes who asks.")

    def list(self, limit: int, cursor: str) -> Page:
        """The agent's memory files with what is in them."""
        start = page_of(cursor, 0)
        try:
            found = self._get("/api/v1/fs/tree", {"uri": self._root(), "node_limit": MOST_NODES, "output": "original"})
        except ProviderFailed as error:
            if error.code == "provider_missing" or "NOT_FOUND" in error.message:
                return Page((), "", 0)
            raise
        rows = [row for row in self.rows(found, "entries", "items", "children") if _is_memory(text_in(row, "uri"))]
        rows.sort(key=lambda row: (-(time_in(row, "modTime", "mtime") or 0), text_in(row, "uri")))
        shown = rows[start : start + limit]
        note = f"Only the first {MOST_NODES:,} files and folders were looked at." if len(rows) >= MOST_NODES else ""
        more = start + limit < len(rows)
        return Page(tuple(map(self._read, shown)), str(start + limit) if more else "", len(rows), note)

    def search(self, query: str, limit: int) -> tuple[Memory, ...]:
        """Memories that match by meaning, each with its summary."""
        found = self._sent("POST", "/api/v1/search/find", {"query": query, "limit": max(1, limit)})
        memories = sorted(self.memories(found, _hit, "memories"), key=lambda memory: -(memory.score or 0.0))
        return tuple(memories[:limit])

    def delete(self, id: str) -> None:
        """Delete a memory file.

        Raises:
            Refused: it is not one.
        """
        if not _is_memory(id):
            raise Refused(
                "OpenViking deletes only memory files from here: viking://user/…/memories/….md.",
                code="bad_id",
                hint="See the list for the ids.",
            )
        self._sent("DELETE", "/api/v1/fs", None, {"uri": id, "recursive": False})

    def _root(self) -> str:
        return f"viking://user/peers/{self.agent}/memories"

    def _read(self, row: Mapping[str, object]) -> Memory:
        uri = text_in(row, "uri")
        found = self._get("/api/v1/content/read", {"uri": uri})
        text = found if isinstance(found, str) else ""
        if isinstance(found, Mapping):
            text = text_in(found, "content", "text")
        folder = uri.removeprefix(self._root()).strip("/").rpartition("/")[0]
        return Memory(uri, text or text_in(row, "abstract"), time_in(row, "modTime", "mtime"), kind=folder or "memory")

    def _identity(self) -> dict[str, str]:
        names = {"X-OpenViking-Account": "account", "X-OpenViking-User": "user"}
        return {header: self.settings.get(name, "") or "default" for header, name in names.items()}

    def _get(self, path: str, query: Mapping[str, object] | None = None) -> Any:
        return self._sent("GET", path, None, query)

    def _sent(self, method: str, path: str, body: object, query: Mapping[str, object] | None = None) -> Any:
        try:
            found = self._once(method, path, body, query)
        except ProviderFailed as error:
            if self._identify or not self.key or WANTS_IDENTITY not in error.message:
                raise
            self._identify = True
            self.client.add_headers(self._identity())
            found = self._once(method, path, body, query)
        return found["result"] if isinstance(found, Mapping) and "result" in found else found

    def _once(self, method: str, path: str, body: object, query: Mapping[str, object] | None) -> Any:
        if method == "GET":
            found = self.client.get(path, query)
        elif method == "POST":
            found = self.client.post(path, body, query)
        else:
            found = self.client.delete(path, query)
        if isinstance(found, Mapping) and found.get("status") == "error":
            raise ProviderFailed(
                f"{self.where} refused: {sentence_in(found, self.server) or 'it gives no reason.'}",
                code="provider_refused",
            )
        return found


def _hit(row: Mapping[str, object]) -> Memory:
    text = text_in(row, "abstract", "overview", "uri")
    return Memory(text_in(row, "uri"), text, score=score_in(row, "score"), kind="memory")


def _is_memory(uri: str) -> bool:
    """Whether this is a file that holds a memory of a user."""
    if not uri.startswith("viking://user/") or not uri.endswith(".md") or "?" in uri or "#" in uri:
        return False
    parts = uri.removeprefix("viking://").split("/")
    if parts[-1] in SUMMARIES or "" in parts or "." in parts or ".." in parts:
        return False
    ahead = {1: True, 2: True, 3: parts[1] == "peers", 4: len(parts) > 4 and parts[2] == "peers"}
    at = next((number for number, fits in ahead.items() if fits and parts[number : number + 1] == ["memories"]), 0)
    return bool(at) and len(parts) > at + 1
