"""Runs inside the real agent's environment: Holographic's own store, asked line by line."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

if os.environ.get("NO_NUMPY"):
    sys.modules["numpy"] = None  # type: ignore[assignment]  # as where it is not installed

from plugins.memory.holographic.retrieval import FactRetriever
from plugins.memory.holographic.store import MemoryStore


def main() -> None:
    """Answer each request with one line of JSON."""
    store: Any = None
    print(json.dumps({"ready": True, "vectors": _vectors()}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "open":
            store = MemoryStore(Path(request["path"]), hrr_dim=request.get("dim", 1024))
            answer: Any = True
        elif request["do"] == "close":
            store.close()
            answer = True
        elif request["do"] == "add":
            answer = [store.add_fact(**fact) for fact in request["facts"]]
        elif request["do"] == "remove":
            answer = [store.remove_fact(id) for id in request["ids"]]
        elif request["do"] == "helpful":
            answer = store.record_feedback(request["id"], helpful=True)
        elif request["do"] == "list":
            answer = store.list_facts(limit=1000)
        elif request["do"] == "search":
            answer = [fact["content"] for fact in store.search_facts(request["query"], min_trust=0.0)]
        elif request["do"] == "probe":
            found = FactRetriever(store, hrr_dim=request.get("dim", 1024)).probe(request["entity"])
            answer = [[fact["content"], fact["score"]] for fact in found]
        else:
            raise ValueError(request["do"])
        print(json.dumps({"answer": answer}), flush=True)


def _vectors() -> bool:
    from plugins.memory.holographic import holographic

    return bool(holographic._HAS_NUMPY)


main()
