"""A server on this machine that behaves as it is told, and the ways in which one misbehaves."""

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

    @property
    def told(self) -> str:
        """What a model was told, in one text."""
        return "\n".join(message["content"] for message in self.body["messages"])


class Handler(BaseHTTPRequestHandler):
    """Notes a request down, and behaves."""

    server: Server
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
            behave = self.server.behaviour(asked)
        behave(self)

    do_POST = do_DELETE = do_GET

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


Behaviour = Callable[[Handler], None]


class Server(ThreadingHTTPServer):
    """The server; it forgets connections that hang when it is closed."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.asked: list[Asked] = []
        self.closing = threading.Event()
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def behaviour(self, asked: Asked) -> Behaviour:
        """What happens with a request."""
        raise AttributeError(f"nobody said what happens with {asked}")

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


def sends(status: int, body: Any, **headers: str) -> Behaviour:
    """An answer: JSON, or bytes as they are."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return lambda handler: handler.send(status, data, **headers)


def raw(data: bytes) -> Behaviour:
    """Bytes in the place of an answer, and then the end of the connection."""

    def send(handler: Handler) -> None:
        handler.wfile.write(data)
        handler.close_connection = True

    return send


garbles = raw(b"\x00\x01 what?\r\n\r\n")
"""Sends what is no HTTP."""


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


def floods(handler: Handler) -> None:
    """Sends without end."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.closing.is_set():
        handler.wfile.write(b"[" * 65536)
