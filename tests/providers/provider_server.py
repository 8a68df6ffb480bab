"""A server on this machine that answers as it is told, and writes down what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True, slots=True)
class Asked:
    """One request."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    """By their names in small letters."""
    body: Any


@dataclass(frozen=True, slots=True)
class Raw:
    """An answer that is not simply JSON with 200."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    act: Callable[[Handler], None] | None = None
    """What happens in the place of an answer."""


Answer = Any
"""JSON, or a `Raw`."""
Answers = Callable[[Asked], Answer]


class Handler(BaseHTTPRequestHandler):
    """Answers by what its server was told."""

    server: ProviderServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Whatever the method is."""
        url = urlsplit(self.path)
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        query = dict(parse_qsl(url.query, keep_blank_values=True))
        asked = Asked(self.command, url.path, query, headers, json.loads(body) if body else None)
        with self.server.lock:
            self.server.asked.append(asked)
        answer = self.server.answers(asked)
        if not isinstance(answer, Raw):
            answer = Raw(body=json.dumps(answer).encode())
        if answer.act is not None:
            answer.act(self)
            return
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in answer.headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)

    do_POST = do_DELETE = do_GET

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class ProviderServer(ThreadingHTTPServer):
    """The server; it forgets connections that hang when it is closed."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, answers: Answers) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = answers
        self.lock = threading.Lock()
        self.asked: list[Asked] = []
        self.closing = threading.Event()
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what some tests are about."""

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self.shutdown()
        self.server_close()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_port}"


def hangs(handler: Handler) -> None:
    """Never answers."""
    handler.server.closing.wait(30)


def drips(handler: Handler) -> None:
    """Sends a byte now and then, so that no single reading takes too long."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not handler.server.closing.wait(0.05):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def floods(handler: Handler) -> None:
    """Sends without end."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.closing.is_set():
        handler.wfile.write(b"[" * 65536)


def garbles(handler: Handler) -> None:
    """Sends what is no HTTP."""
    handler.wfile.write(b"\x00\x01 what?\r\n\r\n")
    handler.close_connection = True
