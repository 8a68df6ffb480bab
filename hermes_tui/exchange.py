"""Asking a server: whom, by which way, and a request on a thread of its own that one can leave at any moment."""

from __future__ import annotations

import contextlib
import logging
import queue
import socket
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from hermes_tui.errors import Refused
from hermes_tui.text import one_line

if TYPE_CHECKING:
    import httpx

SHOWN_CELLS = 60
"""A name out of the settings is shown so wide."""
_log = logging.getLogger(__name__)


class Addressed:
    """Something with a `base_url`, and what that says in words."""

    __slots__ = ()
    base_url: str
    HOST_CELLS: ClassVar[int] = SHOWN_CELLS
    """The server's name is shown so wide."""

    @property
    def host(self) -> str:
        """The server's name, with the port where one is given."""
        return one_line(urlsplit(self.base_url).netloc.rpartition("@")[2], self.HOST_CELLS)

    @property
    def local(self) -> bool:
        """Whether it runs on this machine."""
        return is_local(urlsplit(self.base_url).hostname or "")

    @property
    def encrypted(self) -> bool:
        """Whether nobody on the way can read what is sent."""
        return urlsplit(self.base_url).scheme == "https"

    @property
    def where(self) -> str:
        """The server in words: `api.openai.com`, `127.0.0.1:1933 (this machine)`."""
        if self.local:
            return f"{self.host} (this machine)"
        return self.host if self.encrypted else f"{self.host} (unencrypted)"


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server answered."""

    status: int
    headers: Mapping[str, str]
    """By their names in small letters."""
    body: bytes
    whole: bool
    """Whether the body was read to its end."""


def http_client(server: Addressed, what: str, *, code: str, connect: float, read: float) -> httpx.Client:
    """What asks a server, by the straight way unless nobody on it can read along.

    Args:
        server: which.
        what: what needs it, as a sentence begins: `Titles by a model need`.
        code: of the error when the environment's proxy or certificates cannot be used.
        connect: seconds until it must be there.
        read: seconds between two bytes.

    Raises:
        Refused: httpx is not installed, or cannot work with the environment's proxy or certificates.
    """
    try:
        import httpx  # loaded here: 100 ms that only a person who asks a server needs, and an extra
    except ImportError:
        raise Refused(
            f"{what} httpx, which is not installed.",
            code="http_not_installed",
            hint="Install it: pip install 'hermes-tui[llm]'.",
        ) from None
    # A proxy sees where an encrypted request goes, and all of one that is not: that stays on the straight way.
    proxied = server.encrypted and not server.local
    try:
        return httpx.Client(
            timeout=httpx.Timeout(read, connect=connect),
            # Each request has a connection of its own, so that to hang up one of them disturbs no other.
            limits=httpx.Limits(max_keepalive_connections=0),
            follow_redirects=False,
            trust_env=proxied,
            # SSL_CERT_FILE is for all servers, a proxy is not.
            verify=httpx.create_ssl_context() if server.encrypted else True,
        )
    except (ImportError, OSError, ValueError, httpx.InvalidURL) as error:
        kind = "the proxy or the certificates that the environment names"
        raise Refused(
            f"{server.where} cannot be asked with {kind} ({type(error).__name__}).",
            code=code,
            hint="See HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE.",
        ) from error


class Left(Exception):
    """Nobody waits for the reply any more."""


class Exchange:
    """A request that runs.

    Args:
        client: the httpx client.
        url: where to.
        headers: what is sent before the body.
        body: JSON; None for a request without one.
        method: what is done with the URL.
        most_bytes: more of an answer is not read.
        name: what the thread is called.
    """

    def __init__(
        self,
        client: httpx.Client,
        url: str,
        headers: Mapping[str, str],
        body: bytes | None,
        *,
        method: str = "POST",
        most_bytes: int,
        name: str,
    ) -> None:
        self._request = client.build_request(
            method, url, headers=dict(headers), content=body, extensions={"trace": self._trace}
        )
        self._client = client
        self._most_bytes = most_bytes
        self._inbox: queue.SimpleQueue[Reply | Exception] = queue.SimpleQueue()
        self._socket: socket.socket | None = None
        self._left = False
        # A name that is being looked up cannot be stopped, so the thread must not keep the process alive.
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def reply(self, seconds: float) -> Reply:
        """What the server answers.

        Args:
            seconds: how long to wait, all in all.

        Raises:
            TimeoutError: it did not answer in time.
            Left: `leave` was called meanwhile.
            Exception: what httpx says is wrong.
        """
        try:
            outcome = self._inbox.get(timeout=max(0.0, seconds))
        except queue.Empty:
            self._hang_up()
            raise TimeoutError from None
        if self._left:
            raise Left
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def leave(self) -> None:
        """Stop waiting, and hang up; for another thread to call."""
        self._hang_up()  # first: a connection that the client has closed meanwhile wakes nobody
        self._inbox.put(Left())

    def _hang_up(self) -> None:
        self._left = True
        if self._socket is not None:
            with contextlib.suppress(OSError):
                # The plain socket's, which leaves the reader's state of an encrypted connection alone.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Remember the connection that this request got; it is the only way to wake a thread that reads from it."""
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            self._socket = info["return_value"].get_extra_info("socket")
            if self._left:
                self._hang_up()

    def _run(self) -> None:
        try:
            self._inbox.put(self._exchanged())
        except Exception as error:  # the edge of the thread: whoever waits gets it
            if not self._left:
                _log.debug("No answer to a request", exc_info=True)
            self._inbox.put(error)

    def _exchanged(self) -> Reply:
        response = self._client.send(self._request, stream=True)
        with contextlib.closing(response):
            body = bytearray()
            whole = True
            if not response.has_redirect_location:
                for chunk in response.iter_raw():
                    body += chunk
                    if len(body) > self._most_bytes:
                        whole = False
                        break
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Reply(response.status_code, headers, bytes(body[: self._most_bytes]), whole)


def is_local(host: str) -> bool:
    """Whether a name or address leads to this machine, so that nothing leaves it."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
