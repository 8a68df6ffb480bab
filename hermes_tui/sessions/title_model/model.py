"""The model that writes titles, behind a server that speaks OpenAI's chat protocol."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Any

from hermes_tui import __version__
from hermes_tui.exchange import Exchange, Left, Reply, http_client
from hermes_tui.redaction import redact
from hermes_tui.sessions.title_model.answers import MOST_BYTES, content_of, refusal, retry_after, transport_failure
from hermes_tui.sessions.title_model.cleaning import clean_title
from hermes_tui.sessions.title_model.failures import ModelFailed
from hermes_tui.sessions.title_model.opening import Opening, request
from hermes_tui.sessions.title_model.settings import TitleModelSettings
from hermes_tui.sessions.titles import derive_title

if TYPE_CHECKING:
    pass

CONNECT_SECONDS = 10.0
ANSWER_TOKENS = 1_000
"""Room for the thoughts of a model that thinks first; a title takes about ten."""
RETRIED = frozenset({429, 500, 502, 503, 504, 529})
RETRY_SECONDS = 1.0
"""The pause before a second try, where the server does not name one."""
MOST_RETRY_SECONDS = 20.0
"""A server that asks for a longer one is not asked again."""


class TitleModel:
    """Asks for titles, from any number of threads.

    Args:
        settings: the server.
        timeout: seconds for one title, in the place of what the settings say.

    Raises:
        Refused: httpx is not installed, or cannot work with the environment's proxy or certificates.
    """

    def __init__(self, settings: TitleModelSettings, *, timeout: float | None = None) -> None:
        self.settings = settings
        self.timeout = settings.timeout if timeout is None else timeout
        self._client = http_client(
            settings,
            "Titles by a model need",
            code="model_unreachable",
            connect=min(CONNECT_SECONDS, self.timeout),
            read=self.timeout,
        )
        self._lock = threading.Lock()
        self._running: set[Exchange] = set()
        self._cancelled = threading.Event()
        self._room = "max_tokens"

    def title(self, first: str, answer: str) -> str:
        """A title for a conversation that began so.

        Args:
            first: what the person said first; only its beginning is sent, secrets masked.
            answer: what was answered, likewise.

        Raises:
            ModelFailed: the server did not answer (model_unreachable, model_timeout), did not want to (model_refused)
                or said nothing that is a title (model_answer); or `cancel` was called (model_stopped).
        """
        told = request(Opening(first, answer), self.settings.language)
        content = content_of(self._answered(told), self.settings)
        title = clean_title(content)
        if title:
            return title
        words = "nothing" if not content.strip() else "something that is no title"
        raise ModelFailed(
            f"{self.settings.model_name} answered with {words}.",
            code="model_answer",
            hint="Try another model.",
            offer=redact(derive_title(first)),
        )

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
        self._client.close()

    def _answered(self, told: list[dict[str, str]]) -> Reply:
        """The answer to a request, which is repeated once when the server is busy."""
        reply = self._asked(told)
        if reply.status == 400 and self._room == "max_tokens" and b"max_tokens" in reply.body:
            self._room = "max_completion_tokens"  # what newer models call it
            reply = self._asked(told)
        if reply.status in RETRIED:
            pause = retry_after(reply, time.time())
            seconds = RETRY_SECONDS if pause is None else pause
            if seconds <= MOST_RETRY_SECONDS:
                self._cancelled.wait(seconds)
                reply = self._asked(told)
        if not 200 <= reply.status < 300:
            raise refusal(reply, self.settings)
        return reply

    def _asked(self, told: list[dict[str, str]]) -> Reply:
        body = {
            self._room: ANSWER_TOKENS,
            **self.settings.extra_body,
            **{"model": self.settings.model, "messages": told, "stream": False},
        }
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            # Packed, a short answer could unpack to gigabytes.
            "Accept-Encoding": "identity",
            "User-Agent": f"hermes-tui/{__version__}",
        }
        if self.settings.api_key:
            headers["Authorization"] = f"Bearer {self.settings.api_key}"
        with self._lock:
            if self._cancelled.is_set():
                raise _stopped()
            exchange = Exchange(
                self._client,
                self.settings.endpoint,
                headers,
                _encoded(body),
                most_bytes=MOST_BYTES,
                name="title-request",
            )
            self._running.add(exchange)
        try:
            return exchange.reply(self.timeout)
        except Left:
            raise _stopped() from None
        except Exception as error:
            raise transport_failure(error, self.settings, self.timeout) from error
        finally:
            with self._lock:
                self._running.discard(exchange)


def _encoded(body: dict[str, Any]) -> bytes:
    return json.dumps(body, default=str).encode()


def _stopped() -> ModelFailed:
    return ModelFailed("Asking the model was stopped.", code="model_stopped")
