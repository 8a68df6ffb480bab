"""Asking a memory provider's server: JSON in, JSON out, in bounded time, and only after a person agreed."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal
from urllib.parse import SplitResult, quote, urlencode, urljoin, urlsplit, urlunsplit

from hermes_tui import __version__
from hermes_tui.errors import HermesTuiError, Refused
from hermes_tui.exchange import Addressed, Exchange, Left, Reply, http_client
from hermes_tui.providers.client_failures import (
    SHOWN_CELLS,
    ProviderFailed,
    odd,
    refusal,
    stopped,
    transport_failure,
)
from hermes_tui.text import one_line

if TYPE_CHECKING:
    import httpx

Method = Literal["GET", "POST", "DELETE"]

CONNECT_SECONDS = 5.0
READ_SECONDS = 15.0
"""No byte for so long, and the server is given up."""
TOTAL_SECONDS = 30.0
MOST_BYTES = 8 << 20
"""More of an answer is not read; a page of memories is some dozen kilobytes."""
MOST_REDIRECTS = 3
KEPT_METHOD = frozenset({307, 308})
"""Redirects after which the same thing is asked; after others only a GET is one."""


@dataclass(frozen=True, slots=True)
class Server(Addressed):
    """Where a provider answers, and how it is told who asks."""

    HOST_CELLS: ClassVar[int] = SHOWN_CELLS
    name: str
    """The provider in words: `Honcho`."""
    base_url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Sent with every request; the key is among them."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """What must not be in any message."""
    key_origin: str = ""
    """The variable or setting that the key comes from."""


def checked_url(url: str, origin: str) -> str:
    """A base URL that can be asked, without the slashes at its end.

    Raises:
        Refused: it is none, or holds a password.
    """
    url = url.strip()
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - reading it checks it
    except ValueError:
        parts = SplitResult("", "", "", "", "")
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"[\x00-\x20\x7f]", url):
        raise Refused(
            f"{origin} is no address that begins with http:// or https://.",
            code="provider_unconfigured",
            hint="Correct it; nothing was sent.",
        )
    if "@" in parts.netloc:
        raise Refused(
            f"{origin} holds a name or password; a key is given apart from the address.",
            code="provider_unconfigured",
            hint="Take it out of the address; nothing was sent.",
        )
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))


def checked_key(key: str, origin: str) -> str:
    """A key that can stand in a header.

    Raises:
        Refused: no key looks like that.
    """
    if key and not re.fullmatch(r"[\x21-\x7e]+", key):
        raise Refused(
            f"The key in {origin} holds a space or a character that no key has.",
            code="provider_unconfigured",
            hint="Correct it; nothing was sent.",
        )
    return key


def part(value: str) -> str:
    """A value as one part of a path.

    Raises:
        Refused: it cannot be one.
    """
    if not value or value in (".", ".."):
        raise Refused(f"“{one_line(value, SHOWN_CELLS)}” is no id.", code="bad_id", hint="See the list for the ids.")
    try:
        return quote(value, safe="")
    except UnicodeEncodeError:
        raise Refused("An id holds half a character.", code="bad_id", hint="See the list for the ids.") from None


class Client:
    """Asks one server, from any number of threads.

    Args:
        server: which.
        confirmed: whether a person has agreed that it is asked; without that nothing is sent, not even a
            question for its address.
        total: seconds for one answer, all in all.
    """

    def __init__(
        self,
        server: Server,
        *,
        confirmed: bool = False,
        connect: float = CONNECT_SECONDS,
        read: float = READ_SECONDS,
        total: float = TOTAL_SECONDS,
    ) -> None:
        self.server = server
        self.confirmed = confirmed
        self._times = (connect, read, total)
        self._client: httpx.Client | None = None
        self._lock = threading.Lock()
        self._running: set[Exchange] = set()
        self._cancelled = threading.Event()

    def get(self, path: str, query: Mapping[str, object] | None = None) -> Any:
        """What the server has under this path; None when it says nothing.

        Raises:
            ProviderFailed: it did not answer, did not want to, or not with JSON.
            Refused: nobody agreed, or it cannot be asked from here.
        """
        return self._asked("GET", path, query, None)

    def post(self, path: str, body: object, query: Mapping[str, object] | None = None) -> Any:
        """What the server answers to this; raises the same."""
        return self._asked("POST", path, query, body)

    def delete(self, path: str, query: Mapping[str, object] | None = None, body: object = None) -> Any:
        """Have something deleted; raises the same."""
        return self._asked("DELETE", path, query, body)

    def add_headers(self, headers: Mapping[str, str]) -> None:
        """From now on, send these too."""
        self.server = replace(self.server, headers={**self.server.headers, **headers})

    def cancel(self) -> None:
        """Stop all that runs, at once and for good; for another thread to call."""
        with self._lock:
            self._cancelled.set()
            running = tuple(self._running)
        for exchange in running:
            exchange.leave()

    def close(self) -> None:
        """Stop all that runs, and let go of the connections."""
        self.cancel()
        if self._client is not None:
            self._client.close()

    def _asked(self, method: Method, path: str, query: Mapping[str, object] | None, body: object) -> Any:
        if not self.confirmed:
            raise Refused(
                f"Nobody has agreed yet that {self.server.where} is asked; nothing was sent.",
                code="not_confirmed",
                hint="Say yes to the question, or give --yes.",
            )
        url = self.server.base_url + path
        if query:
            url += "?" + urlencode({name: _plain(value) for name, value in query.items()}, errors="replace")
        for _ in range(MOST_REDIRECTS + 1):
            reply = self._replied(method, url, body)
            target = reply.headers.get("location", "")
            if not (300 <= reply.status < 400 and target):
                break
            there = urljoin(url, target)
            if not _same_place(there, url) or (method != "GET" and reply.status not in KEPT_METHOD):
                break
            url = there
        return self._content(reply)

    def _content(self, reply: Reply) -> Any:
        if not 200 <= reply.status < 300:
            raise refusal(reply, self.server)
        if not reply.whole:
            raise odd(self.server, f"with more than {MOST_BYTES >> 20} MiB")
        if reply.headers.get("content-encoding", "identity").lower() != "identity":
            raise odd(self.server, "packed, which it was told not to")
        if not reply.body.strip():
            return None
        try:
            return json.loads(reply.body)
        except (ValueError, RecursionError):
            raise odd(self.server, "with something that is not JSON") from None

    def _replied(self, method: Method, url: str, body: object) -> Reply:
        headers = {
            "Accept": "application/json",
            # Packed, a short answer could unpack to gigabytes.
            "Accept-Encoding": "identity",
            "User-Agent": f"hermes-tui/{__version__}",
            **self.server.headers,
        }
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode("ascii")
        connect, read, total = self._times
        with self._lock:
            if self._cancelled.is_set():
                raise stopped(self.server)
            if self._client is None:
                self._client = http_client(
                    self.server,
                    "Asking a provider's server needs",
                    code="provider_unreachable",
                    connect=min(connect, total),
                    read=min(read, total),
                )
            exchange = Exchange(
                self._client, url, headers, data, method=method, most_bytes=MOST_BYTES, name="provider-request"
            )
            self._running.add(exchange)
        try:
            return exchange.reply(total)
        except Left:
            raise stopped(self.server) from None
        except HermesTuiError:
            raise
        except Exception as error:
            raise transport_failure(error, self.server, read=read, total=total) from error
        finally:
            with self._lock:
                self._running.discard(exchange)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _same_place(one: str, other: str) -> bool:
    first, second = urlsplit(one), urlsplit(other)
    return (first.scheme, first.netloc) == (second.scheme, second.netloc)


__all__ = ["Client", "ProviderFailed", "Server", "checked_key", "checked_url", "part"]
