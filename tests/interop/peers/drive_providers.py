"""Runs inside the real agent's environment: its own clients of providers, and its reading of honcho.json."""

from __future__ import annotations

import json
import sys
from typing import Any


def main() -> None:
    """Answer each request with one line of JSON."""
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps({"answer": _ANSWERS[request["provider"]](request)}, default=str), flush=True)


def _mem0(request: dict[str, Any]) -> Any:
    from plugins.memory.mem0._backend import SelfHostedBackend

    backend = SelfHostedBackend(request["key"], request["url"])
    if request["do"] == "search":
        found = backend.search(request["query"], filters={"user_id": "ana"}, top_k=10)
        return [[row["id"], row["memory"]] for row in found]
    return backend.delete(request["id"])


def _openviking(request: dict[str, Any]) -> Any:
    from plugins.memory.openviking import OpenVikingMemoryProvider, _VikingClient

    provider = OpenVikingMemoryProvider()
    provider._client = _VikingClient(request["url"], request["key"], agent="hermes")
    provider._session_id = ""
    if request["do"] == "search":
        found = json.loads(provider._tool_search({"query": request["query"]}))
        return [[row["uri"], row["abstract"]] for row in found["results"] if row["type"].startswith("memor")]
    if request["do"] == "list":
        found = json.loads(provider._tool_browse({"action": "tree", "path": request["path"]}))
        return [row["uri"] for row in found["entries"] if row["type"] == "file"]
    return json.loads(provider._tool_forget({"uri": request["id"]}))


def _retaindb(request: dict[str, Any]) -> Any:
    from plugins.memory.retaindb import _Client

    client = _Client(request["key"], request["url"], "default")
    if request["do"] == "search":
        return [[row["id"], row["content"]] for row in client.search("default", "s", request["query"])["results"]]
    if request["do"] == "list":
        return [row["id"] for row in client.get_profile("default")["memories"]]
    return client.delete_memory(request["id"])


def _honcho(request: dict[str, Any]) -> Any:  # noqa: ARG001 - the home is in the environment
    from plugins.memory.honcho.client import HonchoClientConfig

    read = HonchoClientConfig.from_global_config()
    return {name: getattr(read, name) for name in read.__dataclass_fields__ if name != "raw"}


_ANSWERS = {"mem0": _mem0, "openviking": _openviking, "retaindb": _retaindb, "honcho": _honcho}

main()
