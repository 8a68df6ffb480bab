"""Why a provider's server gave no answer that can be used, as sentences without any key in them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from hermes_tui.errors import HermesTuiError
from hermes_tui.exchange import Reply
from hermes_tui.redaction import redact
from hermes_tui.text import one_line

if TYPE_CHECKING:
    from hermes_tui.providers.client import Server

SHOWN_CELLS = 160
"""So much is shown of what a server says."""
_SAID = ("error", "message", "detail", "error_description", "msg", "title")


class ProviderFailed(HermesTuiError):
    """A provider's server did not do what it was asked.

    The code is one of provider_unreachable, provider_timeout, provider_unauthorized, provider_missing,
    provider_refused, provider_failing, provider_answer, provider_stopped.
    `status` is what HTTP says, 0 where it never came to that.
    """

    kind_title = "No answer"

    def __init__(self, message: str, *, code: str, hint: str = "", status: int = 0) -> None:
        super().__init__(message, code=code, hint=hint)
        self.status = status


def refusal(reply: Reply, server: Server) -> ProviderFailed:
    """A reply with another status than success, as an error."""
    status = reply.status
    if 300 <= status < 400:
        target = urlsplit(reply.headers.get("location", ""))
        place = one_line(target.netloc.rpartition("@")[2] or target.path or "nowhere", SHOWN_CELLS)
        return ProviderFailed(
            f"{server.where} points to another address ({place}), which is not followed (HTTP {status}).",
            code="provider_refused",
            hint="Give that address as the base URL, if it is the right one.",
            status=status,
        )
    said = said_by(reply.body, server)
    tail = f": {said}{'' if said.endswith(('.', '!', '?', '…')) else '.'}" if said else "."
    if status in (401, 403):
        hint = f"Check the key in {server.key_origin}." if server.key_origin else "It wants a key."
        return ProviderFailed(
            f"{server.where} does not accept the key (HTTP {status}){tail}",
            code="provider_unauthorized",
            hint=hint,
            status=status,
        )
    if status == 404:
        return ProviderFailed(
            f"{server.where} knows nothing of it (HTTP 404){tail}",
            code="provider_missing",
            hint="Is it still there? Is the base URL right?",
            status=status,
        )
    if status >= 500:
        return ProviderFailed(
            f"{server.where} failed (HTTP {status}){tail}",
            code="provider_failing",
            hint="Try again later.",
            status=status,
        )
    hint = "It asks for a pause; try again later." if status == 429 else ""
    return ProviderFailed(
        f"{server.where} refused (HTTP {status}){tail}", code="provider_refused", hint=hint, status=status
    )


def said_by(body: bytes, server: Server) -> str:
    """The server's own sentence: cut, visible, and without the key, which some repeat."""
    try:
        found: Any = json.loads(body)
    except (ValueError, RecursionError):
        found = body.decode("utf-8", errors="replace")
        if "<" in found[:200]:
            return ""  # a page for a browser
    return sentence_in(found, server)


def sentence_in(found: Any, server: Server) -> str:
    """The same of an answer that has been read."""
    for _ in range(4):
        if isinstance(found, list) and found:
            found = found[0]
        elif isinstance(found, dict):
            found = next((found[name] for name in _SAID if found.get(name)), "")
    text = " ".join(str(found or "").split()) if not isinstance(found, dict | list) else ""
    return one_line(without_secrets(text, server), SHOWN_CELLS)


def without_secrets(text: str, server: Server) -> str:
    """`text` with the server's keys, and what else looks like one, masked."""
    for secret in server.secrets:
        if secret:
            text = text.replace(secret, "***")
    return redact(text)


def transport_failure(error: Exception, server: Server, *, read: float, total: float) -> ProviderFailed:
    """What went wrong on the way, as an error."""
    import httpx

    if isinstance(error, httpx.ConnectTimeout):
        return _unreachable(server, "nothing answers there")
    if isinstance(error, TimeoutError | httpx.TimeoutException):
        seconds = read if isinstance(error, httpx.ReadTimeout) else total
        return ProviderFailed(
            f"{server.where} did not answer within {max(seconds, 1):,.0f} s.",
            code="provider_timeout",
            hint="Try again; if it stays, see whether the server is busy.",
        )
    if isinstance(error, httpx.RemoteProtocolError | httpx.DecodingError | httpx.ReadError):
        return odd(server, "with something that is not HTTP, or breaks off")
    if isinstance(error, httpx.ProxyError):
        return _unreachable(server, f"the proxy says: {_reason(error, server)}")
    reason = _reason(error, server)
    if "Connection refused" in reason:
        return _unreachable(server, "nothing listens there (connection refused)")
    if any(words in reason for words in ("Name or service", "nodename", "getaddrinfo", "name resolution")):
        return _unreachable(server, "there is no such host")
    return _unreachable(server, reason)


def _reason(error: Exception, server: Server) -> str:
    text = str(error).partition("] ")[2] if str(error).startswith("[Errno") else str(error)
    return one_line(without_secrets(text or type(error).__name__, server), SHOWN_CELLS).rstrip(".")


def _unreachable(server: Server, reason: str) -> ProviderFailed:
    hint = "Does the server run?" if server.local else "Check the address and the network."
    if "CERTIFICATE" in reason:
        hint = "SSL_CERT_FILE names the certificates that are trusted."
    return ProviderFailed(f"{server.where} cannot be reached: {reason}.", code="provider_unreachable", hint=hint)


def odd(server: Server, how: str) -> ProviderFailed:
    """An answer that is none."""
    return ProviderFailed(
        f"{server.where} answered {how}.",
        code="provider_answer",
        hint=f"Is it a server of {server.name}?",
    )


def stopped(server: Server) -> ProviderFailed:
    """Somebody does not want to know any more."""
    return ProviderFailed(f"Asking {server.where} was stopped.", code="provider_stopped")
