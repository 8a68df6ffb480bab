"""A server on this machine that speaks the chat protocol, and misbehaves when told to."""

from __future__ import annotations

from typing import Any

from hermes_tui.sessions.title_model import TitleModelSettings
from tests.http_server import Asked, Behaviour, Server, sends


class TitleServer(Server):
    """The server."""

    def __init__(self) -> None:
        self.behaviours: list[Behaviour] = [says("A title for this")]
        """What happens with each request; the last one goes on."""
        super().__init__()

    def behaviour(self, asked: Asked) -> Behaviour:  # noqa: ARG002
        """The next one."""
        return self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]

    @property
    def base_url(self) -> str:
        """What a person would configure."""
        return f"{self.url}/v1"

    def settings(self, **changes: Any) -> TitleModelSettings:
        """Settings that lead here."""
        return TitleModelSettings(**{"base_url": self.base_url, "model": "tiny", "timeout": 5.0, **changes})


def says(content: Any, **message: Any) -> Behaviour:
    """An answer of the model."""
    return sends(200, {"choices": [{"message": {"role": "assistant", "content": content, **message}}]})
