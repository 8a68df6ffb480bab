"""Foreign text made fit for the eyes of others: secrets masked, what cannot be seen made visible."""

from __future__ import annotations

import json
import re

from hermes_tui.redaction import find_secrets
from hermes_tui.sessions.messages import ToolCall
from hermes_tui.text import visible

LINE_CHARS = 500
"""A title or a name is not longer than this."""

_AS_IT_IS = re.compile("\t|(?<=[^\x00-\x7f\u200b-\u200f])[\u200c\u200d](?=[^\x00-\x7f\u200b-\u200f])")
"""Harmless in a file, other than in the cells of a terminal: tabs, and what joins the letters of Persian and the
parts of an emoji. A joiner elsewhere hides something and is shown."""


class Shown:
    """Makes texts fit to be shown, and counts the secrets that it masks.

    Args:
        masked: whether to mask any.
    """

    def __init__(self, masked: bool) -> None:
        self.masked = masked
        self.count = 0
        """Secrets masked so far."""

    def __call__(self, text: str) -> str:
        """A text of several lines; every line ends in a newline and nothing else."""
        return self.seen(self.mask(text))

    def line(self, text: str, most: int = LINE_CHARS) -> str:
        """A text on one line, cut when it is long."""
        said = " ".join(self.mask(text).split())
        return visible(f"{said[:most]}…" if len(said) > most else said, multiline=False)

    def mask(self, text: str) -> str:
        """A text with its secrets masked, or as it is."""
        secrets = find_secrets(text) if self.masked and text else ()
        if not secrets:
            return text
        self.count += len(secrets)
        pieces: list[str] = []
        done = 0
        for secret in secrets:
            pieces += (text[done : secret.start], secret.shown)
            done = secret.end
        return "".join([*pieces, text[done:]])

    def arguments(self, call: ToolCall) -> tuple[str, bool]:
        """What a tool was called with, masked but not yet made visible, and whether that is JSON."""
        values = call.values
        if values is None:
            return self.mask(call.arguments), False
        try:
            # First text by text, because a secret may be cut into pieces by the escapes of JSON.
            told = json.dumps(self._masked(dict(values)), ensure_ascii=False, indent=2)
        except (RecursionError, ValueError):
            return self.mask(call.arguments), False
        return self.mask(told), True

    def _masked(self, value: object) -> object:
        if isinstance(value, str):
            return self.mask(value)
        if isinstance(value, dict):
            return {name: self._masked(inner) for name, inner in value.items()}
        return [self._masked(inner) for inner in value] if isinstance(value, list) else value

    @staticmethod
    def seen(text: str) -> str:
        """A text with everything a person could not see, or a program could act on, as printable symbols."""
        text = text.replace("\r\n", "\n")
        if not _AS_IT_IS.search(text):
            return visible(text)
        pieces: list[str] = []
        done = 0
        for kept in _AS_IT_IS.finditer(text):
            pieces += (visible(text[done : kept.start()]), kept[0])
            done = kept.end()
        return "".join([*pieces, visible(text[done:])])
