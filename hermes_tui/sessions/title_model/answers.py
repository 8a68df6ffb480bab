"""What a server's reply means: the model's words, or a sentence on why there are none."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from hermes_tui.exchange import Reply
from hermes_tui.redaction import redact
from hermes_tui.sessions.title_model.failures import ModelFailed
from hermes_tui.sessions.title_model.settings import API_KEY, TitleModelSettings
from hermes_tui.text import one_line

SHOWN_CELLS = 200
"""So much is shown of what a server says."""
UNREAL_STATUS = 200
MOST_BYTES = 262_144
"""More of an answer is not read; a title with its JSON is less than a kilobyte, long thoughts some dozens."""


def content_of(reply: Reply, settings: TitleModelSettings) -> str:
    """What the model said; its thoughts, where they come apart, are left out.

    Raises:
        ModelFailed: the reply is not one of the chat protocol.
    """
    if not reply.whole:
        raise _odd(settings, f"with more than {MOST_BYTES // 1024:,} KiB")
    if reply.headers.get("content-encoding", "identity").lower() != "identity":
        raise _odd(settings, "packed, which it was told not to")
    try:
        found = json.loads(reply.body)
    except (ValueError, RecursionError):
        words = "nothing at all" if not reply.body.strip() else "something that is not JSON"
        raise _odd(settings, f"with {words}") from None
    if isinstance(found, dict) and found.get("error") and not found.get("choices"):
        raise _refused(settings, _said(found, settings), reply.status)
    choices = found.get("choices") if isinstance(found, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise _odd(settings, "with JSON that is not of the chat protocol")
    message = choices[0].get("message")
    content = message.get("content") if isinstance(message, dict) else choices[0].get("text")
    text = _text(content)
    if not text.strip() and choices[0].get("finish_reason") == "length":
        raise _odd(settings, "with thoughts only, and had no room left for a title")
    return text


def _text(content: object) -> str:
    """A content as text: a string, or parts of which those that are text count."""
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict) and part.get("type") in ("text", "output_text")]
        return "".join(str(part.get("text") or "") for part in parts)
    return content if isinstance(content, str) else ""


def retry_after(reply: Reply, now: float) -> float | None:
    """How many seconds the server wants to be left alone; None when it does not say."""
    said = reply.headers.get("retry-after", "").strip()
    try:
        seconds = float(said)
        return max(0.0, seconds) if seconds == seconds else None
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(said)
        return max(0.0, (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() - now)
    except (ValueError, TypeError, OverflowError, OSError):
        return None


def refusal(reply: Reply, settings: TitleModelSettings) -> ModelFailed:
    """A reply with another status than success, as an error."""
    status = reply.status
    if 300 <= status < 400:
        target = urlsplit(reply.headers.get("location", ""))
        place = one_line(target.netloc.rpartition("@")[2] or target.path, SHOWN_CELLS)
        return ModelFailed(
            f"{settings.where} points to another address ({place}), which is not followed (HTTP {status}).",
            code="model_refused",
            hint="Give that address as the base URL, if it is the right one.",
            for_all=True,
        )
    try:
        found = json.loads(reply.body)
    except (ValueError, RecursionError):
        found = reply.body.decode("utf-8", errors="replace")
    return _refused(settings, _said(found, settings), status, retry_after(reply, datetime.now(UTC).timestamp()))


def _refused(settings: TitleModelSettings, said: str, status: int, pause: float | None = None) -> ModelFailed:
    answered = f"(HTTP {status})" if status != UNREAL_STATUS else "to answer"
    hints = {
        401: f"Check the key in {settings.key_origin}." if settings.api_key else f"It wants a key: see {API_KEY}.",
        403: f"Check the key in {settings.key_origin}." if settings.api_key else f"It wants a key: see {API_KEY}.",
        404: "Check the base URL and the model's name.",
        429: f"It asks for a pause of {pause:,.0f} s." if pause else "Try again later.",
    }
    tail = f": {said}{'' if said.endswith(('.', '!', '?', '…')) else '.'}" if said else "."
    return ModelFailed(
        f"{settings.where} refused {answered}{tail}",
        code="model_refused",
        hint=hints.get(status, "Try again later." if status >= 500 else ""),
        for_all=status in (401, 403, 404),
    )


def _said(found: Any, settings: TitleModelSettings) -> str:
    """The server's own sentence: cut, visible, and without the key, which some repeat."""
    for _ in range(4):
        if isinstance(found, list) and found:
            found = found[0]
        elif isinstance(found, dict):
            names = ("error", "message", "detail", "error_description", "msg")
            found = next((found[name] for name in names if found.get(name)), "")
    text = " ".join(str(found or "").split()) if not isinstance(found, dict | list) else ""
    if settings.api_key:
        text = text.replace(settings.api_key, settings.masked_key)
    return one_line(redact(text), SHOWN_CELLS)


def transport_failure(error: Exception, settings: TitleModelSettings, timeout: float) -> ModelFailed:
    """What went wrong on the way, as an error."""
    import httpx

    if isinstance(error, httpx.ConnectTimeout):
        return _unreachable(settings, "nothing answers there")
    if isinstance(error, TimeoutError | httpx.TimeoutException):
        return ModelFailed(
            f"{settings.where} did not answer within {max(timeout, 1):,.0f} s.",
            code="model_timeout",
            hint="Try a smaller model, or give it longer with auxiliary.title_generation.timeout.",
        )
    if isinstance(error, httpx.RemoteProtocolError | httpx.DecodingError):
        return _odd(settings, "with something that is not HTTP, or breaks off")
    if isinstance(error, httpx.ProxyError):
        return _unreachable(settings, f"the proxy says: {_reason(error)}")
    return _unreachable(settings, _reason(error))


def _reason(error: Exception) -> str:
    text = str(error).partition("] ")[2] if str(error).startswith("[Errno") else str(error)
    return one_line(redact(text or type(error).__name__), SHOWN_CELLS).rstrip(".")


def _unreachable(settings: TitleModelSettings, reason: str) -> ModelFailed:
    hint = "Does the server run?" if settings.local else f"Check the address ({settings.origin}) and the network."
    if "CERTIFICATE" in reason:
        hint = "SSL_CERT_FILE names the certificates that are trusted."
    return ModelFailed(
        f"{settings.where} cannot be reached: {reason}.",
        code="model_unreachable",
        hint=hint,
    )


def _odd(settings: TitleModelSettings, how: str) -> ModelFailed:
    return ModelFailed(
        f"{settings.where} answered {how}.",
        code="model_answer",
        hint="Is it a server that speaks OpenAI's chat protocol?",
    )
