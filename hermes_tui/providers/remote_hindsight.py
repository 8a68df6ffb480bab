"""Hindsight: the units of one bank."""

from __future__ import annotations

from collections.abc import Mapping

from hermes_tui.errors import Refused
from hermes_tui.providers.client import part
from hermes_tui.providers.remote_memories import Memory, Page, Probe, count_in, extras, id_in, text_in, time_in
from hermes_tui.providers.remote_speaker import HttpSpeaker, page_of

MOST_ROWS = 100
RECALL_TOKENS = 4096
DOCUMENT = "document:"
"""An id that begins so names a whole document."""


class Hindsight(HttpSpeaker):
    """Speaks with the cloud, or a server of one's own."""

    title = "Hindsight"

    @property
    def told(self) -> str:
        """What a request tells besides its own words."""
        return f"the name of the bank ({self.settings.get('bank', '')})"

    def probe(self) -> Probe:
        """Ask for the bank's first memory."""
        total = self.list(1, "").total
        return Probe(self.where, f"It answers and takes the key; memories in the bank: {total or 'none'}.")

    def list(self, limit: int, cursor: str) -> Page:
        """The bank's memories."""
        start = page_of(cursor, 0)
        query = {"limit": max(1, min(limit, MOST_ROWS)), "offset": start}
        found = self.client.get(self._path("/memories/list"), query)
        memories = self.memories(found, _memory, "items")
        total = count_in(found, "total")
        end = start + len(memories)
        more = bool(memories) and total is not None and end < total
        return Page(memories, str(end) if more else "", total)

    def search(self, query: str, limit: int) -> tuple[Memory, ...]:
        """What the agent would recall for these words."""
        body = {"query": query, "budget": self.settings.get("budget") or "mid", "max_tokens": RECALL_TOKENS}
        return self.memories(self.client.post(self._path("/memories/recall"), body), _memory, "results")[:limit]

    def delete(self, id: str) -> None:
        """Delete a document with all that was learnt from it.

        Raises:
            Refused: the id is that of a single memory, which the server cannot delete.
        """
        if not id.startswith(DOCUMENT):
            raise Refused(
                "Hindsight deletes no single memory, only a whole document with all that was learnt from it.",
                code="not_supported",
                hint=f"Give the document's id with {DOCUMENT} before it; a memory names its document.",
            )
        self.client.delete(self._path(f"/documents/{part(id.removeprefix(DOCUMENT))}"))

    def _path(self, rest: str) -> str:
        return f"/v1/default/banks/{part(self.settings.get('bank', ''))}{rest}"


def _memory(row: Mapping[str, object]) -> Memory:
    shown = {"document_id": "document", "context": "context", "entities": "entities", "tags": "tags"}
    return Memory(
        id_in(row, "id", "unit_id"),
        text_in(row, "text", "content"),
        time_in(row, "mentioned_at", "date", "occurred_start", "created_at"),
        kind=text_in(row, "fact_type", "type"),
        extra=extras(row, shown),
    )
