"""The tokenizer of the agent's index of CJK pairs, so that an index built with it can be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import apsw

from hermes_tui.sessions.folding import fold, is_cjk

NAME = "cjk_unicode61"


def tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """The tokens of a text: words as they are, runs of CJK characters as overlapping pairs; (start, end, token)."""
    start = 0
    for start, end, cjk in _runs(text):
        word = fold(text[start:end])
        if not cjk or end - start == 1:
            yield start, end, word
            continue
        for at in range(end - start - 1):
            yield start + at, start + at + 2, word[at : at + 2]


def _runs(text: str) -> Iterator[tuple[int, int, bool]]:
    """Stretches of letters and digits, split where CJK begins or ends."""
    start, kind = 0, ""
    for at, char in enumerate(text):
        here = ("cjk" if is_cjk(char) else "word") if char.isalnum() else ""
        if here != kind:
            if kind:
                yield start, at, kind == "cjk"
            start, kind = at, here
    if kind:
        yield start, len(text), kind == "cjk"


def register(connection: apsw.Connection) -> None:
    """Let a connection read indexes that were built with the agent's tokenizer."""

    def make(_connection: apsw.Connection, _args: list[str]) -> Callable[..., Any]:
        def tokenize(utf8: bytes, _reason: int, _locale: str | None) -> Iterator[tuple[Any, ...]]:
            text = utf8.decode("utf-8", errors="replace")
            offsets = [0]
            for char in text:
                offsets.append(offsets[-1] + len(char.encode("utf-8", errors="replace")))
            for start, end, token in tokens(text):
                yield offsets[start], offsets[end], token

        return tokenize

    connection.register_fts5_tokenizer(NAME, make)
