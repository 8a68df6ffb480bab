"""Looser ways to understand what was typed: other punctuation, none at all, within words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, product
from unicodedata import category

from hermes_tui.sessions.chunks import Chunk, last_word, terms_of
from hermes_tui.sessions.folding import is_cjk, words
from hermes_tui.sessions.matcher import Group, Term

THREE = 3
"""Characters that can be looked for anywhere in a text; an index of parts of words knows nothing shorter."""
_ASCII_SIGNS = re.compile(r"[!-/:-@\[-`{-~]+")
OPERATORS = ("and", "or", "not")
MOST_GROUPS = 32
"""Combinations looked for when several runs of words are left out."""


def loosened(group: Group) -> Group:
    """The same without the punctuation that only some people type."""
    return Group(tuple(dict.fromkeys(loose for term in group.terms for loose in _loose(term))), group.excluded)


def _loose(term: Term) -> tuple[Term, ...]:
    if not term.indexed or "+" not in term.literal or re.search(r"[^\w\s.:\-+_]|^[.\-]", term.literal):
        return (term,)
    pieces = [tuple(words(piece)) for piece in term.literal.split("+")]
    return tuple(Term(piece, typed=" ".join(piece)) for piece in pieces if piece)


def apart(group: Group) -> Group:
    """The same with the words of a phrase each for itself."""
    return Group(tuple(dict.fromkeys(part for term in group.terms for part in _apart(term))), group.excluded)


def _apart(term: Term) -> tuple[Term, ...]:
    pieces = _pieces(term)
    if not term.indexed or len(term.typed.split()) < 2:
        return (term,)
    last = len(pieces) - 1
    parts = (
        Term(tuple(words(piece)), term.prefix and number == last, typed=piece) for number, piece in enumerate(pieces)
    )
    return tuple(parts) or (term,)


def _pieces(term: Term) -> list[str]:
    """What stands between spaces, without the words that only join others."""
    pieces = term.typed.split()
    if len(pieces) > 1:
        pieces = [piece for piece in pieces if words(piece) and piece not in OPERATORS]
    return pieces


def anywhere(group: Group) -> Group:
    """The same, but anywhere in a text, also within words; the words of a phrase each for itself."""
    return Group(tuple(dict.fromkeys(part for term in group.terms for part in _parts(term))), group.excluded)


def _parts(term: Term) -> tuple[Term, ...]:
    if not term.indexed or sum(map(len, term.words)) < THREE:
        return (term,)
    pieces = _pieces(term)
    parts = (Term(literal=piece) if len(piece) >= THREE else Term(tuple(words(piece))) for piece in pieces)
    return tuple(parts) or (term,)


def bare_groups(chunks: Sequence[Chunk]) -> tuple[Group, ...]:
    """Words and phrases alone, wherever in a text, as an index of words would take what was typed."""
    pieces = [piece for chunk in chunks for piece in _bare(chunk)]
    for end in (0, -1):
        if len(pieces) > 1 and _left_over(pieces[end]):
            del pieces[end]
    pieces = [piece for piece in pieces if words(piece.text)] or pieces
    cjk = [sum(map(is_cjk, piece.text)) for piece in pieces]
    if any(cjk) and all(count == 0 or count >= THREE for count in cjk):
        pieces = [piece for piece in pieces if len(piece.text) >= THREE or piece.text == "OR"]
    groups: list[Group] = []
    wanted: list[Term] = []
    unwanted: list[list[Term]] = []
    last, into = last_word(pieces), wanted
    for index, piece in enumerate(pieces):
        operator = "" if piece.quoted else piece.text
        if operator == "OR":
            groups += _spread(wanted, unwanted)
            wanted, unwanted = [], []
            into = wanted
        elif operator == "AND":
            into = wanted
        elif operator == "NOT" and wanted:
            into = []
            unwanted.append(into)
        elif operator != "NOT":
            into.extend(map(_cut, terms_of(piece, growing=index == last and into is wanted)))
    return (*groups, *_spread(wanted, unwanted))


def _bare(chunk: Chunk) -> list[Chunk]:
    """The pieces of a chunk with nothing but letters and digits, and the joints of names; else its symbols."""
    if chunk.quoted or chunk.text.lower() in OPERATORS:
        return [chunk]
    kept = "".join(
        char if char.isalnum() or char in "._-*" or category(char).startswith("M") else " " for char in chunk.text
    )
    found = [piece for piece in re.sub(r"\*+(?=\w)", " ", kept).lower().split() if words(piece)]
    found = [piece.strip("._-*") + "*" * piece.endswith("*") for piece in found] or _ASCII_SIGNS.split(chunk.text)
    return [Chunk(piece, closed=chunk.closed or number < len(found)) for number, piece in enumerate(found, 1) if piece]


def _cut(term: Term) -> Term:
    """Thai and its like as the index has it: cut at every vowel and tone that stands above or below a letter."""
    if term.indexed or term.literal.isascii() or any(map(is_cjk, term.literal)):
        return term
    pieces = tuple(words(term.literal))
    return Term(pieces, typed=term.literal) if pieces else term


def _left_over(chunk: Chunk) -> bool:
    """Whether it is an operator with nothing beside it, in capitals or not."""
    return not chunk.quoted and chunk.text.lower() in OPERATORS


def _spread(wanted: Sequence[Term], unwanted: Sequence[Sequence[Term]]) -> Iterator[Group]:
    """All that is wanted, without all of one run: for an index, `a NOT b c` is a without both b and c."""
    if wanted:
        for chosen in islice(product(*filter(None, unwanted)), MOST_GROUPS):
            yield Group(tuple(dict.fromkeys(wanted)), tuple(dict.fromkeys(chosen)))
