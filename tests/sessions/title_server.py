"""A server on this machine that speaks the chat protocol, and misbehaves when told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from hermes_tui.sessions.title_model import TitleModelSettings

Behaviour = Callable[["Handler"], None]


@dataclass(frozen=True, slots=True)
class Received:
    """One request."""

    path: str
    headers: dict[str, str]
    """By their names in small letters."""
    body: Any

    @property
    def told(self) -> str:
        """What the model was told, in one text."""
        return "\n".join(message["content"] for message in self.body["messages"])


class Handler(BaseHTTPRequestHandler):
    """Answers by what its server was told."""

    server: TitleServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Note the request down, and behave."""
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length))
        headers = {name.lower(): value for name, value in self.headers.items()}
        with self.server.lock:
            self.server.received.append(Received(self.path, headers, body))
            behaviours = self.server.behaviours
            behave = behaviours.pop(0) if len(behaviours) > 1 else behaviours[0]
        behave(self)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def send(self, status: int, body: bytes, **headers: str) -> None:
        """A whole answer."""
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


class TitleServer(ThreadingHTTPServer):
    """The server; it forgets connections that hang when it is closed."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.received: list[Received] = []
        self.behaviours: list[Behaviour] = [says("A title for this")]
        """What happens with each request; the last one goes on."""
        self.closing = threading.Event()
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what some tests are about."""

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self.shutdown()
        self.server_close()

    @property
    def base_url(self) -> str:
        """What a person would configure."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def settings(self, **changes: Any) -> TitleModelSettings:
        """Settings that lead here."""
        return TitleModelSettings(**{"base_url": self.base_url, "model": "tiny", "timeout": 5.0, **changes})


def says(content: Any, **message: Any) -> Behaviour:
    """An answer of the model."""
    return sends(200, {"choices": [{"message": {"role": "assistant", "content": content, **message}}]})


def sends(status: int, body: Any, **headers: str) -> Behaviour:
    """An answer of the server: JSON, or bytes as they are."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return lambda handler: handler.send(status, data, **headers)


def hangs(handler: Handler) -> None:
    """Never answers."""
    handler.server.closing.wait(60)


def drips(handler: Handler) -> None:
    """Sends a byte now and then, so that no single reading takes too long."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not handler.server.closing.wait(0.05):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def raw(data: bytes) -> Behaviour:
    """Bytes in the place of an answer, and then the end of the connection."""

    def send(handler: Handler) -> None:
        handler.wfile.write(data)
        handler.close_connection = True

    return send
