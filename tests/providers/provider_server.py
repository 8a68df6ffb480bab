"""A server on this machine that answers as a provider does, by what it is asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.http_server import Asked, Behaviour, Handler, Server


@dataclass(frozen=True, slots=True)
class Raw:
    """An answer that is not simply JSON with 200."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    act: Behaviour | None = None
    """What happens in the place of an answer."""

    def __call__(self, handler: Handler) -> None:
        """Give it."""
        if self.act is not None:
            self.act(handler)
        else:
            handler.send(self.status, self.body, **dict(self.headers))


Answer = Any
"""JSON, or a `Raw`."""
Answers = Callable[[Asked], Answer]


class ProviderServer(Server):
    """The server."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        super().__init__()

    def behaviour(self, asked: Asked) -> Behaviour:
        """The answer to what was asked."""
        answer = self.answers(asked)
        return answer if isinstance(answer, Raw) else Raw(body=json.dumps(answer).encode())
