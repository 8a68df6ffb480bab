"""A model on this machine that does as it is told: what the person says names the calls of the memory tool it makes."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Call = Mapping[str, Any]

ORDER = "Call the memory tool: "
REVIEW = "Review the conversation above"
"""How the agent asks itself to go over a conversation."""


def order(*calls: Call) -> str:
    """What a person says so that the model makes these calls, all in one answer."""
    return ORDER + json.dumps(calls)


class ModelServer:
    """Speaks the chat protocol of OpenAI, streamed or whole, on a port of its own."""

    def __init__(self) -> None:
        self.in_review: list[Sequence[Call]] = []
        """The calls that the next reviews make."""
        self.asked: list[str] = []
        """The last message of every request."""
        self._calls = 0
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._reply("application/json", json.dumps({"object": "list", "data": []}))

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if not self.path.endswith("/chat/completions"):  # it is asked what kind of server it is
                    self._reply("application/json", "{}", 404)
                    return
                said = server._answer(request)
                head = {"id": "answer", "created": 1, "model": request.get("model")}
                end = "tool_calls" if "tool_calls" in said else "stop"
                if not request.get("stream"):
                    choice = {"index": 0, "message": {"role": "assistant", **said}, "finish_reason": end}
                    whole = {**head, "object": "chat.completion", "choices": [choice], "usage": USAGE}
                    self._reply("application/json", json.dumps(whole))
                    return
                for number, call in enumerate(said.get("tool_calls", ())):
                    call["index"] = number
                choices: list[list[Any]] = [
                    [{"index": 0, "delta": {"role": "assistant", **said}, "finish_reason": None}],
                    [{"index": 0, "delta": {}, "finish_reason": end}],
                    [],
                ]
                chunks = [{**head, "object": "chat.completion.chunk", "choices": choice} for choice in choices]
                chunks[-1]["usage"] = USAGE
                lines = [*map(json.dumps, chunks), "[DONE]"]
                self._reply("text/event-stream", "".join(f"data: {line}\n\n" for line in lines))

            def _reply(self, kind: str, text: str, status: int = 200) -> None:
                body = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Nothing is printed."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        last = request["messages"][-1]
        text = last["content"] if isinstance(last["content"], str) else json.dumps(last["content"])
        with self._lock:
            self.asked.append(text)
            if last["role"] == "user" and request.get("tools"):
                if text.startswith(REVIEW):
                    return self._calling(self.in_review.pop(0) if self.in_review else ())
                if ORDER in text:
                    calls, _ = json.JSONDecoder().raw_decode(text.partition(ORDER)[2])
                    return self._calling(calls)
        return {"content": "Done." if request.get("tools") else "They spoke of small things."}

    def _calling(self, calls: Sequence[Call]) -> dict[str, Any]:
        made = []
        for call in calls:
            self._calls += 1
            function = {"name": "memory", "arguments": json.dumps(call, ensure_ascii=False)}
            made.append({"id": f"call_{self._calls}", "type": "function", "function": function})
        return {"content": "", "tool_calls": made} if made else {"content": "Nothing to save."}

    def close(self) -> None:
        """End it."""
        self._server.shutdown()
        self._server.server_close()


USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
