"""The pieces of what was typed into the search box, and what each of them asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes_tui.sessions.folding import MARKS, fold, glued, unspaced, words
from hermes_tui.sessions.matcher import Term

PREFIX_LETTERS = 2
"""The last word counts as the beginning of one from so many letters on."""


@dataclass(frozen=True)
class Chunk:
    """A piece of what was typed: a word, a quoted phrase, or a filter word with its value."""

    text: str
    quoted: bool = False
    filter: str = ""
    closed: bool = False
    """Whether white space follows, so that the person is done with it."""
    typed: str = ""
    """A filter word with its value, just as it was typed."""


def last_word(chunks: Sequence[Chunk]) -> int:
    """The place of the word that a person may still be typing; -1 when it is finished."""
    index = len(chunks) - 1
    return index if chunks and not chunks[-1].quoted and not chunks[-1].closed else -1


_EDGE_LEFT = "({[\"'`“”‘’«»„‚,;:!?^…¿¡<（「『【《〈"
_EDGE_RIGHT = ")}]\"'`“”‘’«»„‚,;:!?^….>）」』】》〉。、，！？；："
_DROPPED = re.compile(r"[(){}\"^]")
_TELLING = re.compile(rf"[^\w\s.:\-{MARKS}]|^[.\-]|[.\-]$|^_|_$")
"""Characters that an index of words does not have, in places where they matter to the person who types them."""


def terms_of(chunk: Chunk, *, growing: bool) -> Iterator[Term]:
    """What one chunk asks for."""
    text = chunk.text
    starred = not chunk.quoted and len(text) > 1 and text.endswith("*")
    if not chunk.quoted:
        text = text.strip("*") if starred or text.strip("*") else text
    core = text if chunk.quoted else _core(text)
    found = words(core)
    if not core.strip():
        return
    if unspaced(core):
        yield from (Term(literal=fold(piece)) for piece in ([core] if chunk.quoted else core.split()))
        return
    if not found or glued(core):
        yield Term(literal=fold(core.strip()))
        return
    telling = _TELLING.search(core) is not None and not chunk.quoted
    grows = (starred or (growing and len(found[-1]) >= PREFIX_LETTERS)) and core[-1:].isalnum()
    if ":" in core and not telling and not chunk.quoted:
        # `content:docker`, `TODO:fix`: two words; nothing else stands for a colon.
        pieces = [piece for piece in core.split(":") if words(piece)]
        for index, piece in enumerate(pieces):
            yield Term(tuple(words(piece)), grows and index == len(pieces) - 1, typed=fold(piece))
        return
    yield Term(tuple(found), grows, fold(core) if telling else "", typed=fold(core))


def _core(text: str) -> str:
    """A word without what only surrounds it: brackets, quotation marks, the punctuation of a sentence."""
    kept = text.lstrip(_EDGE_LEFT).rstrip(_EDGE_RIGHT)
    if words(kept):
        return _DROPPED.sub(" ", kept)
    return text if len(text) > 1 or text.strip(_EDGE_LEFT + _EDGE_RIGHT) else ""
