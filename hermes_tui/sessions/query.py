"""What a person typed into the search box, read as what to look for. Anything can be typed; nothing is an error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from hermes_tui.sessions.dates import period
from hermes_tui.sessions.folding import fold, glued, unspaced, words
from hermes_tui.sessions.matcher import Group, Matcher, Term

FILTER_WORDS = ("source", "model", "after", "before", "cwd", "role", "title", "in", "archived")
ROLES = ("user", "assistant", "tool", "system")
ARCHIVED = ("no", "also", "only")
MAX_CHARS = 2_048
MAX_TERMS = 32
PREFIX_LETTERS = 2
"""The last word counts as the beginning of one from so many letters on."""
PROBED_MESSAGES = 3_000

Archived = Literal["no", "also", "only"]
When = Literal["first", "if nothing", "if no whole word", "after"]


@dataclass(frozen=True)
class Reading:
    """One way to understand what was typed; a text matches if one of the groups does."""

    groups: tuple[Group, ...]
    label: str = ""
    """What is different from what was typed; empty for the plain reading."""
    probe: int = 0
    """So many of the newest candidates are looked at, when it is unlikely that it is meant; all if 0."""
    when: When = "first"
    """if nothing: only when no reading before it found anything; if no whole word: when the words themselves are
    nowhere; after: in any case, after all that the readings before it find."""

    def accepts(self, folded: str) -> bool:
        """Whether a folded text matches."""
        for group in self.groups:  # noqa: SIM110 - a generator would take as long as the looking
            if group.accepts(folded):
                return True
        return False

    @property
    def terms(self) -> Iterator[Term]:
        """All that is looked for."""
        return (term for group in self.groups for term in group.terms)


@dataclass(frozen=True)
class Filters:
    """What the conversation, or the message, has to be; empty fields let everything through."""

    source: tuple[str, ...] = ()
    model: tuple[str, ...] = ()
    cwd: tuple[str, ...] = ()
    role: tuple[str, ...] = ()
    title: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    """Ids of sessions, their beginnings, or exact titles."""
    after: float | None = None
    """Epoch seconds, included."""
    before: float | None = None
    """Epoch seconds, excluded."""
    archived: Archived | None = None

    @property
    def of_sessions(self) -> bool:
        """Whether some of them are about the conversation as a whole."""
        return bool(self.source or self.model or self.cwd or self.title or self.within or self.archived)

    @property
    def any(self) -> bool:
        """Whether there are any."""
        return self != Filters()


@dataclass(frozen=True)
class Query:
    """What to look for."""

    text: str
    """As it was typed."""
    readings: tuple[Reading, ...]
    """To be tried in this order; empty when there is nothing to look for but what the filters say."""
    filters: Filters
    problems: tuple[str, ...] = ()
    """What could not be understood and was left out, in sentences."""

    @cached_property
    def matcher(self) -> Matcher:
        """Marks everything that any reading looks for."""
        return Matcher(term for reading in self.readings for term in reading.terms)

    @property
    def empty(self) -> bool:
        """Whether nothing was typed that says what to look for."""
        return not self.readings and not self.filters.any

    @cached_property
    def plain(self) -> str:
        """The typed text without filter words: what titles and ids are compared with."""
        return " ".join(chunk.text for chunk in _chunks(self.text) if not chunk.filter).strip()


@dataclass(frozen=True)
class _Chunk:
    """A piece of what was typed: a word, a quoted phrase, or a filter word with its value."""

    text: str
    quoted: bool = False
    filter: str = ""
    closed: bool = False
    """Whether white space follows, so that the person is done with it."""


_CHUNK = re.compile(
    rf"(?P<minus>-?)(?P<filter>{'|'.join(FILTER_WORDS)}):(?:\"(?P<named>[^\"]*)\"|(?P<value>\S+|\Z))"
    r"|(?P<not>-?)\"(?P<phrase>[^\"]*)\""
    r"|(?P<word>[^\s\"]+|\")",
    re.IGNORECASE,
)


def _chunks(text: str) -> Iterator[_Chunk]:
    for found in _CHUNK.finditer(text[:MAX_CHARS]):
        closed = found.end() < len(text)
        if found["filter"]:
            value = found["named"] if found["named"] is not None else found["value"]
            yield _Chunk(value, filter=found["filter"].lower(), closed=closed)
        elif found["phrase"] is not None:
            if found["not"]:
                yield _Chunk("NOT", closed=True)
            yield _Chunk(found["phrase"], quoted=True, closed=True)
        else:
            yield _Chunk(found["word"].replace("\x00", " "), closed=closed)


def parse(text: str, now: float) -> Query:
    """Read what was typed.

    Args:
        text: the search box.
        now: epoch seconds, for `after:7d`.
    """
    chunks = list(_chunks(text))
    filters, problems = _filters([chunk for chunk in chunks if chunk.filter], now)
    typed = [chunk for chunk in chunks if not chunk.filter]
    if len(typed) > MAX_TERMS:
        problems.append(f"Only the first {MAX_TERMS} words are looked for.")
        typed = typed[:MAX_TERMS]
    return Query(text, tuple(_readings(typed)), filters, tuple(problems))


# Readings


def _readings(chunks: Sequence[_Chunk]) -> Iterator[Reading]:
    plain = _groups(chunks, dashes_exclude=False)
    if not plain:
        return
    excluding = any(map(_may_exclude, chunks[1:])) if chunks else False
    yield Reading(plain, probe=PROBED_MESSAGES if excluding else 0)
    if excluding:
        without = ", ".join(chunk.text[1:] for chunk in chunks if _may_exclude(chunk))
        yield Reading(_groups(chunks, dashes_exclude=True), f"without {without}", when="if nothing")
    loose = tuple(_loosened(group) for group in plain)
    if loose != plain:
        yield Reading(loose, "other punctuation", when="after")
    inside = tuple(_inside(group) for group in loose)
    if inside != plain:
        yield Reading(inside, "inside other words", when="if no whole word")
    single = {term for group in loose for term in group.terms}
    if len(plain) == 1 and not plain[0].excluded and len(single) > 1:
        # Alphabetical order would be as good; dict.fromkeys keeps it as typed.
        each = dict.fromkeys(replace(term, prefix=False) for group in loose for term in group.terms)
        yield Reading(tuple(Group((term,)) for term in each), "any of the words", when="if no whole word")


def _may_exclude(chunk: _Chunk) -> bool:
    """`-word`, which may as well be an option of a command that somebody looks for."""
    return not chunk.quoted and re.fullmatch(r"-[^\W_]\w{2,}", chunk.text) is not None


def _groups(chunks: Sequence[_Chunk], *, dashes_exclude: bool) -> tuple[Group, ...]:
    """Groups of terms, between them OR."""
    groups: list[Group] = []
    terms: list[Term] = []
    excluded: list[Term] = []
    negate = False
    last = _last_word(chunks)
    for index, chunk in enumerate(chunks):
        operator = "" if chunk.quoted else chunk.text
        if operator == "OR" and terms and index < len(chunks) - 1:
            groups.append(Group(tuple(dict.fromkeys(terms)), tuple(dict.fromkeys(excluded))))
            terms, excluded, negate = [], [], False
            continue
        if operator in ("AND", "OR"):
            continue
        if operator == "NOT":
            negate = bool(terms)
            continue
        text, minus = chunk.text, False
        if dashes_exclude and terms and _may_exclude(chunk):
            text, minus = text[1:], True
        found = list(_terms(replace(chunk, text=text), growing=index == last and not negate and not minus))
        (excluded if negate or minus else terms).extend(found)
        negate = False
    if terms:
        groups.append(Group(tuple(dict.fromkeys(terms)), tuple(dict.fromkeys(excluded))))
    return tuple(groups)


def _last_word(chunks: Sequence[_Chunk]) -> int:
    """The place of the word that a person may still be typing; -1 when it is finished."""
    index = len(chunks) - 1
    return index if chunks and not chunks[-1].quoted and not chunks[-1].closed else -1


_EDGE_LEFT = "({[\"'`“”‘’«»„‚,;:!?^…¿¡<"
_EDGE_RIGHT = ")}]\"'`“”‘’«»„‚,;:!?^….>"
_DROPPED = re.compile(r"[(){}\"^]")
_TELLING = re.compile(r"[^\w\s.:\-]|^[.\-]|[.\-]$|^_|_$")
"""Characters that an index of words does not have, in places where they matter to the person who types them."""


def _terms(chunk: _Chunk, *, growing: bool) -> Iterator[Term]:
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
    if ":" in core and not telling:
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


def _loosened(group: Group) -> Group:
    """The same without the punctuation that only some people type."""
    return Group(tuple(dict.fromkeys(loose for term in group.terms for loose in _loose(term))), group.excluded)


def _loose(term: Term) -> tuple[Term, ...]:
    if not term.indexed or "+" not in term.literal or re.search(r"[^\w\s.:\-+_]|^[.\-]", term.literal):
        return (term,)
    pieces = [tuple(words(piece)) for piece in term.literal.split("+")]
    return tuple(Term(piece, typed=" ".join(piece)) for piece in pieces if piece)


def _inside(group: Group) -> Group:
    """The same, but anywhere in a text, also within words."""
    return Group(tuple(_anywhere(term) for term in group.terms), group.excluded)


def _anywhere(term: Term) -> Term:
    if not term.indexed or sum(map(len, term.words)) < 3:
        return term
    return Term(literal=term.typed)


# Filters


def _filters(chunks: Sequence[_Chunk], now: float) -> tuple[Filters, list[str]]:
    values: dict[str, list[str]] = {}
    problems: list[str] = []
    after: float | None = None
    before: float | None = None
    archived: Archived | None = None
    for chunk in chunks:
        name, value = chunk.filter, chunk.text.strip()
        if not value:
            problems.append(f"{name}: has no value, so it is left out.")
        elif name in ("after", "before"):
            span = period(value, now)
            if span is None:
                problems.append(f"{name}:{value} is no date; write 2025, 2025-03, 2025-03-30, today or 7d.")
            elif name == "after":
                after = span[0] if after is None else max(after, span[0])
            else:
                before = span[0] if before is None else min(before, span[0])
        elif name == "role" and not any(role.startswith(value.lower()) for role in ROLES):
            problems.append(f"role:{value} is no role; there are {', '.join(ROLES)}.")
        elif name == "archived":
            state: Archived | None = next((each for each in _states() if each == value.lower()), None)
            if state is None:
                problems.append(f"archived:{value} is neither no, also nor only.")
            archived = state or archived
        else:
            values.setdefault(name, []).append(value)
    filters = Filters(
        **{name: tuple(values.get(name, ())) for name in ("source", "model", "cwd", "title")},
        role=tuple(role for value in values.get("role", ()) for role in ROLES if role.startswith(value.lower())),
        within=tuple(values.get("in", ())),
        after=after,
        before=before,
        archived=archived,
    )
    return filters, problems


def _states() -> tuple[Archived, ...]:
    return ("no", "also", "only")


def completions(text: str, caret: int, known: Mapping[str, Iterable[str]]) -> list[str]:
    """Whole texts of the search box that could come of what is typed before the caret, likeliest first.

    Args:
        text: the search box.
        caret: the place of the caret in it, in characters.
        known: values of filter words, such as the sources there are.
    """
    start = max(text.rfind(" ", 0, caret), text.rfind("\t", 0, caret)) + 1
    typed, rest = text[start:caret], text[caret:]
    if ":" in typed:
        name, _, begun = typed.partition(":")
        name = name.lower()
        if name not in FILTER_WORDS:
            return []
        options = {"role": ROLES, "archived": ARCHIVED, "after": _DAYS, "before": _DAYS, **known}.get(name, ())
        values = [value for value in options if fold(value).startswith(fold(begun.strip('"'))) and value != begun]
        return [f"{text[:start]}{name}:{_quoted(value)}{rest}" for value in values]
    if not typed:
        return []
    return [f"{text[:start]}{name}:{rest}" for name in FILTER_WORDS if name.startswith(typed.lower())]


_DAYS = ("today", "yesterday", "7d", "30d", "1y")


def _quoted(value: str) -> str:
    return f'"{value}"' if re.search(r"\s", value) else value
