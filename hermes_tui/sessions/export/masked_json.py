"""Secrets masked inside JSON: in every text of it, also in JSON that is itself a text, and it stays JSON."""

from __future__ import annotations

import json
from typing import Any

from hermes_tui.redaction import find_secrets, mask, redact
from hermes_tui.redaction.named import naming
from hermes_tui.redaction.secret import HIDDEN
from hermes_tui.sessions.export.strict_json import NotJson, dumped, loads

MOST_NAMED_CHARS = 4_000
"""A value under a telling name is a secret up to this length; a longer one is a text like any other."""


class Masking:
    """Masks secrets, and counts them."""

    def __init__(self) -> None:
        self.count = 0

    def text(self, text: str) -> str:
        """A text without its secrets; one that is JSON stays so."""
        if text.lstrip()[:1] in ("{", "["):
            try:
                value = loads(text)
            except NotJson:
                pass
            else:
                if isinstance(value, dict | list):
                    before = self.count
                    masked = self.value(value)
                    return dumped(masked) if self.count > before else text
        found = find_secrets(text)
        self.count += len(found)
        return redact(text) if found else text

    def value(self, value: Any) -> Any:
        """A JSON value without its secrets."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(each) for each in value]
        if isinstance(value, dict):
            return {self.text(name): self._named(name, each) for name, each in value.items()}
        return value

    def _named(self, name: str, value: Any) -> Any:
        """A value, which may be a secret only by its name."""
        if isinstance(value, dict | list | bool) or value is None or not naming(name):
            return self.value(value)
        if isinstance(value, str) and len(value) > MOST_NAMED_CHARS:
            return self.text(value)
        found = find_secrets(json.dumps({name: value}, ensure_ascii=False))
        if not found:
            return self.value(value)
        self.count += 1
        return mask(value) if isinstance(value, str) else HIDDEN
