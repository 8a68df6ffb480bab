"""Servers that speak the providers' protocols over a few memories, as strictly as the real ones."""

from __future__ import annotations

from typing import Any

from tests.http_server import Asked
from tests.providers.provider_server import Answer, ProviderServer, Raw

KEY = "test-key-0123456789abcdef"
CREATED = "2026-03-04T05:06:07Z"
CREATED_SECONDS = 1772600767.0


class Holding(ProviderServer):
    """A server with memories (id to text), some of which may be deleted."""

    def __init__(self, count: int = 25) -> None:
        self.memories = {f"m/{number}": f"Memory {number} 日本 [x]" for number in range(count)}
        super().__init__(self._checked)

    def _checked(self, asked: Asked) -> Answer:
        if not self.knows(asked):
            return Raw(401, b'{"detail": "who are you?"}')
        answer = self.answer(asked)
        return Raw(404, b'{"error": "no such thing"}') if answer is None else answer

    def knows(self, asked: Asked) -> bool:
        """Whether the key is where it belongs."""
        return asked.headers.get("authorization") == f"Bearer {KEY}"

    def answer(self, asked: Asked) -> Answer:
        """What the provider answers; None for what it does not know."""

    def gone(self, id: str) -> Answer:
        """Delete one."""
        return Raw(204) if self.memories.pop(id, None) else None

    def found(self, query: str) -> list[tuple[str, str]]:
        """Those that hold the words."""
        return [(id, text) for id, text in self.memories.items() if query in text]


class HonchoServer(Holding):
    """Honcho, version 3."""

    base = "/v3/workspaces/hermes"

    def answer(self, asked: Asked) -> Answer:
        """Its routes for conclusions and peers."""
        rest = asked.path.removeprefix(self.base)
        if rest == asked.path:
            return None
        if asked.method == "POST" and rest == "/peers/list":
            return self._page(asked, [{"id": "hermes"}, {"id": "ana"}, {"id": "ben"}])
        if asked.method == "POST" and rest == "/conclusions/list":
            about = (asked.body.get("filters") or {}).get("observed_id", "ana")
            return self._page(asked, [self._row(id, about) for id in self.memories])
        if asked.method == "POST" and rest == "/conclusions/query":
            filters = asked.body["filters"]
            assert set(filters) == {"observer_id", "observed_id"}
            if (filters["observer_id"], filters["observed_id"]) != ("hermes", "ana"):
                return []
            return [self._row(id, "ana") for id, _ in self.found(asked.body["query"])][: asked.body["top_k"]]
        if asked.method == "DELETE" and rest.startswith("/conclusions/"):
            return self.gone(rest.removeprefix("/conclusions/").replace("%2F", "/"))
        if asked.method == "GET" and rest == "/peers/hermes/context":
            known = asked.query["target"] == "ana"
            card = ["Name: Ana", "Likes tabs"] if known else None
            return {"peer_id": "hermes", "target_id": "x", "peer_card": card, "representation": "Ana builds." * known}
        if asked.method == "GET" and rest == "/peers/ben/context":
            return {"peer_card": ["Name: Ben"], "representation": None}
        return None

    def _row(self, id: str, about: str) -> dict[str, Any]:
        text = self.memories[id]
        return {"id": id, "content": text, "observer_id": "hermes", "observed_id": about, "session_id": None,
                "level": "explicit", "created_at": CREATED}  # fmt: skip

    def _page(self, asked: Asked, rows: list[Any]) -> Answer:
        page, size = int(asked.query["page"]), int(asked.query["size"])
        assert 1 <= size <= 100
        some = rows[(page - 1) * size : page * size]
        return {"items": some, "page": page, "size": size, "total": len(rows), "pages": -(-len(rows) // size)}


class Mem0PlatformServer(Holding):
    """Mem0's platform."""

    def knows(self, asked: Asked) -> bool:
        """It has a word of its own."""
        return asked.headers.get("authorization") == f"Token {KEY}"

    def answer(self, asked: Asked) -> Answer:
        """Its routes."""
        if asked.method == "DELETE":
            assert asked.path.endswith("/")
            return self.gone(asked.path.removeprefix("/v1/memories/").rstrip("/").replace("%2F", "/"))
        assert asked.body["filters"] == {"user_id": "ana"}
        if asked.path == "/v3/memories/search/":
            rows = [self._row(id, 0.5) for id, _ in self.found(asked.body["query"])]
            return {"results": rows[: asked.body["top_k"]]}
        if asked.path == "/v3/memories/":
            page, size = int(asked.query["page"]), int(asked.query["page_size"])
            rows = [self._row(id) for id in self.memories]
            more = page * size < len(rows)
            return {"count": len(rows), "next": "https://x/?page=2" if more else None, "previous": None,
                    "results": rows[(page - 1) * size : page * size]}  # fmt: skip
        return None

    def _row(self, id: str, score: float | None = None) -> dict[str, Any]:
        text = self.memories[id]
        row: dict[str, Any] = {"id": id, "memory": text, "created_at": CREATED, "categories": ["a"]}
        return row if score is None else {**row, "score": score}


class Mem0OwnServer(Mem0PlatformServer):
    """A Mem0 of one's own."""

    def knows(self, asked: Asked) -> bool:
        """The key has a header of its own."""
        return asked.headers.get("x-api-key") == KEY and "authorization" not in asked.headers

    def answer(self, asked: Asked) -> Answer:
        """Its routes."""
        if asked.method == "DELETE":
            done = self.gone(asked.path.removeprefix("/memories/").replace("%2F", "/"))
            return done and {"message": "Memory deleted successfully"}
        if asked.path == "/search":
            assert asked.body["filters"] == {"user_id": "ana"}
            return {"results": [self._row(id, 0.5) for id, _ in self.found(asked.body["query"])]}
        if (asked.method, asked.path, asked.query) == ("GET", "/memories", {"user_id": "ana"}):
            return {"results": [self._row(id) for id in self.memories]}
        return None


class HindsightServer(Holding):
    """Hindsight."""

    base = "/v1/default/banks/hermes"

    def answer(self, asked: Asked) -> Answer:
        """Its routes for one bank."""
        rest = asked.path.removeprefix(self.base)
        if (asked.method, rest) == ("GET", "/memories/list"):
            start, size = int(asked.query["offset"]), int(asked.query["limit"])
            rows: list[dict[str, Any]] = [
                {"id": id, "text": text, "fact_type": "world", "date": CREATED, "document_id": "d1"}
                for id, text in self.memories.items()
            ]
            return {"items": rows[start : start + size], "total": len(rows), "limit": size, "offset": start}
        if (asked.method, rest) == ("POST", "/memories/recall"):
            assert asked.body["budget"] in ("low", "mid", "high")
            rows = [
                {"id": id, "text": text, "type": "world", "mentioned_at": CREATED, "entities": ["Ana"]}
                for id, text in self.found(asked.body["query"])
            ]
            return {"results": rows}
        if asked.method == "DELETE" and rest == "/documents/d1":
            self.memories.clear()
            return {"success": True}
        return None


class RetainDbServer(Holding):
    """RetainDB; `old` knows only the older of two routes."""

    old = False

    def knows(self, asked: Asked) -> bool:
        """The key is in two places."""
        return super().knows(asked) and asked.headers.get("x-api-key") == KEY

    def answer(self, asked: Asked) -> Answer:
        """Its routes."""
        rows = [
            {"id": id, "content": text, "memory_type": "factual", "createdAt": 1000 * CREATED_SECONDS}
            for id, text in self.memories.items()
        ]
        route = "/v1/memories" if self.old else "/v1/memory"
        if asked.method == "DELETE" and asked.path.startswith(route + "/"):
            return self.gone(asked.path.removeprefix(route + "/").replace("%2F", "/"))
        if asked.path == "/v1/memory/profile/default" and not self.old:
            assert asked.query == {"project": "default", "include_pending": "true"}
            return {"memories": rows}
        if asked.path == "/v1/memories" and self.old:
            assert asked.query == {"project": "default", "user_id": "default", "limit": "200"}
            return {"memories": rows}
        if asked.path == "/v1/memory/search":
            assert 1 <= asked.body["top_k"] <= 20
            return {"results": [{**row, "score": 0.5} for row in rows if asked.body["query"] in str(row["content"])]}
        return None


class SupermemoryServer(Holding):
    """Supermemory."""

    def answer(self, asked: Asked) -> Answer:
        """Its routes."""
        assert asked.headers["x-sm-source"] == "hermes"
        if asked.path == "/v4/profile":
            assert asked.body == {"containerTag": "hermes"}
            return {"profile": {"static": ["Ana builds"], "dynamic": ["", "Ana was here"]}}
        if asked.path == "/v3/documents/list":
            page, size = asked.body["page"], asked.body["limit"]
            rows = [
                {"id": id, "content": text, "createdAt": CREATED, "status": "done"}
                for id, text in self.memories.items()
            ]
            pages = {"currentPage": page, "totalItems": len(rows), "totalPages": -(-len(rows) // size)}
            return {"memories": rows[(page - 1) * size : page * size], "pagination": pages}
        if asked.path == "/v4/search":
            assert asked.body["searchMode"] in ("hybrid", "memories", "documents")
            hits = [
                {"id": id, "memory": text, "similarity": 0.5, "updatedAt": CREATED}
                for id, text in self.found(asked.body["q"])
            ]
            return {"results": [*hits, {"id": "c", "chunk": "A part", "similarity": 0.1}], "timing": 1, "total": 1}
        if asked.method == "DELETE" and asked.path == "/v4/memories":
            return {"id": asked.body["id"], "forgotten": True} if self.gone(asked.body["id"]) else None
        if asked.method == "DELETE" and asked.path.startswith("/v3/documents/"):
            return self.gone(asked.path.removeprefix("/v3/documents/").replace("%2F", "/"))
        return None


class OpenVikingServer(Holding):
    """OpenViking; `trusted` wants to know who asks also where there is a key."""

    root = "viking://user/peers/hermes/memories"
    trusted = False

    def __init__(self, count: int = 25) -> None:
        super().__init__(count)
        self.memories = {
            f"{self.root}/patterns/mem_{number:012x}.md": text for number, text in enumerate(self.memories.values())
        }

    def knows(self, asked: Asked) -> bool:
        """A key in both places, or none and a name."""
        if asked.headers.get("x-openviking-actor-peer") != "hermes":
            return False
        if "x-api-key" in asked.headers:
            return asked.headers["x-api-key"] == KEY and super().knows(asked)
        return asked.headers.get("x-openviking-account") == "default"

    def answer(self, asked: Asked) -> Answer:
        """Its routes."""
        if asked.path == "/health":
            return {"status": "ok"}
        if self.trusted and "x-openviking-account" not in asked.headers:
            words = "Trusted mode requests must include X-OpenViking-Account."
            return {"status": "error", "error": {"code": "INVALID", "message": words}}
        uri = asked.query.get("uri", "")
        result: Any = None
        if asked.path == "/api/v1/system/status":
            result = {"initialized": True}
        elif asked.path == "/api/v1/fs/tree" and uri == self.root:
            folder = [{"uri": f"{uri}/patterns", "isDir": True}, {"uri": f"{uri}/patterns/.abstract.md"}]
            files = [{"uri": each, "isDir": False, "modTime": CREATED, "abstract": ""} for each in self.memories]
            result = folder + files
        elif asked.path == "/api/v1/content/read":
            result = self.memories.get(uri)
        elif asked.path == "/api/v1/search/find":
            hits = [{"uri": each, "abstract": text, "score": 0.5} for each, text in self.found(asked.body["query"])]
            result = {"memories": hits, "resources": [{"uri": "viking://resources/x"}], "total": len(hits)}
        elif asked.method == "DELETE" and asked.path == "/api/v1/fs":
            assert asked.query["recursive"] == "false"
            result = {"uri": uri} if self.memories.pop(uri, None) else None
        if result is None:
            return Raw(404, b'{"status": "error", "error": {"code": "NOT_FOUND", "message": "no such file"}}')
        return {"status": "ok", "result": result}
