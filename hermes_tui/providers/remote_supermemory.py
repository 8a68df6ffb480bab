"""Supermemory: the documents of a container, and the memories that were made of them."""

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
DOCUMENT = "document:"
"""An id that begins so names a document, others a memory."""


class Supermemory(HttpSpeaker):
    """Speaks with its API."""

    title = "Supermemory"

    @property
    def told(self) -> str:
        """What a request tells besides its own words."""
        return f"the name of the container ({self.container})"

    @property
    def container(self) -> str:
        """Where the agent keeps them."""
        return self.settings.get("container_tag", "")

    def headers(self) -> dict[str, str]:
        """The key, and from where its memories come."""
        return {**super().headers(), "x-sm-source": "hermes"}

    def probe(self) -> Probe:
        """Ask for the container's profile."""
        count = len(self._profile())
        return Probe(self.where, f"It answers and takes the key; facts in the profile: {count or 'none'}.")

    def list(self, limit: int, cursor: str) -> Page:
        """What it knows of the person, and the documents, the newest first."""
        page = page_of(cursor)
        body = {
            "containerTags": [self.container],
            "limit": max(1, min(limit, MOST_ROWS)),
            "page": page,
            "sort": "createdAt",
            "order": "desc",
            "includeContent": True,
        }
        found = self.client.post("/v3/documents/list", body)
        documents = self.memories(found, _document, "memories", "documents")
        pages = found.get("pagination") if isinstance(found, Mapping) else None
        last = count_in(pages, "totalPages") or 0
        known = self._profile() if page == 1 else ()
        return Page(
            (*known, *documents),
            str(page + 1) if documents and page < last else "",
            count_in(pages, "totalItems"),
            "What it knows of the person comes first and cannot be deleted by itself." if known else "",
        )

    def search(self, query: str, limit: int) -> tuple[Memory, ...]:
        """Memories that match by meaning."""
        body = {
            "q": query,
            "containerTag": self.container,
            "limit": max(1, min(limit, MOST_ROWS)),
            "searchMode": self.settings.get("search_mode") or "hybrid",
        }
        return self.memories(self.client.post("/v4/search", body), _hit, "results")[:limit]

    def delete(self, id: str) -> None:
        """Delete a memory, or a document."""
        if id.startswith(DOCUMENT):
            self.client.delete(f"/v3/documents/{part(id.removeprefix(DOCUMENT))}")
            return
        part(id)
        self.client.delete("/v4/memories", body={"containerTag": self.container, "id": id})

    def _profile(self) -> tuple[Memory, ...]:
        found = self.client.post("/v4/profile", {"containerTag": self.container})
        profile = found.get("profile") if isinstance(found, Mapping) else None
        if not isinstance(profile, Mapping):
            raise self.other_form()
        kinds = {"static": "profile", "dynamic": "recent"}
        lines = {kind: profile.get(name) for name, kind in kinds.items()}
        return tuple(
            Memory("", line, kind=kind)
            for kind, texts in lines.items()
            if isinstance(texts, list)
            for line in texts
            if isinstance(line, str) and line.strip()
        )


def _document(row: Mapping[str, object]) -> Memory:
    id = id_in(row)
    return Memory(
        DOCUMENT + id if id else "",
        text_in(row, "content", "summary", "title", "url"),
        time_in(row, "createdAt", "created_at"),
        kind="document",
        extra=extras(row, {"title": "title", "status": "status", "type": "type"}),
    )


def _hit(row: Mapping[str, object]) -> Memory:
    text = text_in(row, "memory")
    return Memory(
        id_in(row) if text else "",
        text or text_in(row, "chunk", "content"),
        time_in(row, "updatedAt", "updated_at"),
        score_in(row, "similarity", "score"),
        "memory" if text else "part of a document",
    )
