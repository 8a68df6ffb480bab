"""What a person typed into the search box, read as what to look for. Anything can be typed; nothing is an error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from hermes_tui.sessions.chunks import Chunk, last_word, terms_of
from hermes_tui.sessions.dates import period
from hermes_tui.sessions.folding import fold, unspaced
from hermes_tui.sessions.loosening import THREE, anywhere, apart, bare_groups, loosened
from hermes_tui.sessions.matcher import Group, Matcher, Term

FILTER_WORDS = (
    "source",
    "model",
    "after",
    "before",
    "cwd",
    "role",
    "title",
    "in",
    "archived",
    "knew",
    "wrote",
    "staged",
)
MEMORY_WORDS = ("knew", "wrote", "staged")
"""Those that ask what a session was told of memory, or did to it."""
ROLES = ("user", "assistant", "tool", "system")
ARCHIVED = ("no", "also", "only")
MAX_CHARS = 2_048
MAX_TERMS = 32
PROBED_MESSAGES = 3_000
MOST_APIECE = 3
"""So many filters are each taken as text by itself, before all of them are."""
APART = "words apart"
"""The words of a phrase, or of a name with signs in it, each for itself and in any order."""
INSIDE = "inside other words"

Archived = Literal["no", "also", "only"]
When = Literal["first", "if nothing", "if no whole word", "after", "at last"]


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
    nowhere; after: in any case, after all that the readings before it find; at last: if nothing was found, and when
    everything is asked for."""

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
    memory: tuple[tuple[str, str], ...] = ()
    """What a session has to have known, written or staged: the filter word, and the words of the entry."""
    memory_ids: frozenset[str] | None = None
    """The sessions of which that is true, which only the history of memory can tell; None until it was asked."""

    @property
    def of_sessions(self) -> bool:
        """Whether some of them are about the conversation as a whole."""
        return bool(self.source or self.model or self.cwd or self.title or self.within or self.archived or self.memory)

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
    """What could not be understood as a filter, in sentences."""
    label: str = ""
    """What is different from what was typed, in all readings."""
    as_text: tuple[str, ...] = ()
    """Filter words with their values that are looked for as they were typed."""
    instead: tuple[Query, ...] = ()
    """Other ways to take the filter words, each to be tried when nothing before it found anything."""
    growing: Chunk | None = None
    """The filter at the end, if the person may still be typing its value."""

    @cached_property
    def matcher(self) -> Matcher:
        """Marks everything that any reading looks for."""
        asked = (self, *self.instead)
        return Matcher(term for query in asked for reading in query.readings for term in reading.terms)

    @property
    def empty(self) -> bool:
        """Whether nothing was typed that says what to look for."""
        return not self.readings and not self.filters.any

    @cached_property
    def plain(self) -> str:
        """The typed text without what filters: what titles and ids are compared with."""
        chunks = (chunk for chunk in _chunks(self.text) if not chunk.filter or chunk.typed in self.as_text)
        return " ".join(chunk.typed or chunk.text for chunk in chunks).strip()


_CHUNK = re.compile(
    rf"(?P<minus>-?)(?P<filter>{'|'.join(FILTER_WORDS)}):(?:\"(?P<named>[^\"]*)\"|(?P<value>\S+|\Z))"
    r"|(?P<not>-?)\"(?P<phrase>[^\"]*)\""
    r"|(?P<word>[^\s\"]+|\")",
    re.IGNORECASE,
)


def _chunks(text: str) -> Iterator[Chunk]:
    for found in _CHUNK.finditer(text[:MAX_CHARS]):
        closed = found.end() < len(text)
        if found["filter"]:
            value = found["named"] if found["named"] is not None else found["value"]
            yield Chunk(value, filter=found["filter"].lower(), closed=closed, typed=found[0])
        elif found["phrase"] is not None:
            if found["not"]:
                yield Chunk("NOT", closed=True)
            yield Chunk(found["phrase"], quoted=True, closed=True)
        else:
            yield Chunk(found["word"].replace("\x00", " "), closed=closed)


def parse(text: str, now: float, *, typing: bool = True) -> Query:
    """Read what was typed.

    Args:
        text: the search box.
        now: epoch seconds, for `after:7d`.
        typing: whether the value of a filter at the end may still be without an end.
    """
    # A lone half of a surrogate pair is in no text that SQLite keeps.
    text = text.encode("utf-8", errors="replace").decode("utf-8")
    chunks = list(_chunks(text))
    filters, wrong = _filters(chunks, now)
    problems = [problem for _, problem in wrong]
    typed = [chunk for chunk in chunks if not chunk.filter]
    if len(typed) > MAX_TERMS:
        problems.append(f"Only the first {MAX_TERMS} words are looked for.")
        typed = typed[:MAX_TERMS]
    growing = chunks[-1] if typing and chunks and chunks[-1].filter and not chunks[-1].closed else None
    query = Query(text, tuple(_readings(typed)), filters, tuple(problems), growing=growing)
    held = growing if growing and _unfinished(growing, senseless=any(growing is chunk for chunk, _ in wrong)) else None
    senseless = [chunk for chunk, _ in wrong if chunk is not held]
    others = [chunk for chunk in chunks if chunk.filter and chunk is not held and chunk not in senseless]
    apiece = [[chunk] for chunk in others[:MOST_APIECE]] if len(others) > 1 else []
    taken = [[*senseless, *some] for some in (*apiece, others) if some]
    instead = [_as_text(query, chunks, some, now) for some in taken]
    if not senseless:
        return replace(query, instead=tuple(instead))
    if not query.empty:
        instead.append(replace(query, label=f"without {_listed(senseless)}"))
    return replace(_as_text(query, chunks, senseless, now), growing=growing, instead=tuple(instead))


def _as_text(query: Query, chunks: Sequence[Chunk], taken: Sequence[Chunk], now: float) -> Query:
    """The same with some filters taken as what stands there, letter for letter."""
    pieces = [
        replace(chunk, text=chunk.typed.replace("\x00", " "), filter="", quoted=True, closed=True)
        if chunk in taken
        else chunk
        for chunk in chunks
        if not chunk.filter or chunk in taken
    ]
    groups = _groups(pieces[:MAX_TERMS], dashes_exclude=False)
    filters, _ = _filters([chunk for chunk in chunks if chunk not in taken], now)
    return replace(
        query,
        readings=(Reading(groups),) if groups else (),
        filters=filters,
        label=f"{_listed(taken)} as text",
        as_text=tuple(chunk.typed for chunk in taken),
        growing=None,
    )


def _listed(chunks: Sequence[Chunk]) -> str:
    return ", ".join(dict.fromkeys(chunk.typed for chunk in chunks))


def _unfinished(chunk: Chunk, *, senseless: bool) -> bool:
    """Whether a filter that is being typed may well become another by typing on."""
    value = chunk.text.strip().lower()
    if not value or value.startswith('"'):
        return True
    if chunk.filter in ("after", "before"):
        begins = senseless and any(day.startswith(value) for day in _DAYS)
        return begins or re.fullmatch(r"[\d-]+", value) is not None
    return chunk.filter == "archived" and senseless and any(state.startswith(value) for state in ARCHIVED)


# Readings


def _readings(chunks: Sequence[Chunk]) -> Iterator[Reading]:
    plain = _groups(chunks, dashes_exclude=False)
    if not plain:
        return
    excluding = any(map(_may_exclude, chunks[1:])) if chunks else False
    yield Reading(plain, probe=PROBED_MESSAGES if excluding else 0)
    if excluding:
        without = ", ".join(chunk.text[1:] for chunk in chunks if _may_exclude(chunk))
        yield Reading(_groups(chunks, dashes_exclude=True), f"without {without}", when="if nothing")
    loose = tuple(loosened(group) for group in plain)
    if loose != plain:
        split = sum(len(group.terms) for group in loose) > sum(len(group.terms) for group in plain)
        yield Reading(loose, APART if split else "other punctuation", when="after")
    bare = bare_groups(chunks)
    less = bool(bare) and bare != plain
    if less:
        yield Reading(bare, "less strictly", when="at last")
    parted = tuple(map(apart, loose))
    if parted not in (plain, loose, bare):
        yield Reading(parted, APART, when="if no whole word")
    inside = tuple(dict.fromkeys(anywhere(group) for group in (*loose, *bare)))
    if inside != plain:
        ways = ("less strictly" if less else "", APART if parted != plain else "", INSIDE)
        yield Reading(inside, ", ".join(filter(None, ways)), when="if no whole word")
    if len(plain) == 1 and not plain[0].excluded:
        typed = [replace(chunk, closed=True) for chunk in chunks]
        groups = (*map(loosened, _groups(typed, dashes_exclude=False)), *bare_groups(typed))
        each = dict.fromkeys(term for group in groups for term in group.terms)
        label = "any of the words"
        if any(not term.indexed and unspaced(term.literal) for term in each):
            # Latin words stand between Chinese ones without a space.
            label += f", {INSIDE}" if any(term.indexed for term in each) else ""
            each = dict.fromkeys(Term(literal=term.typed or term.literal) for term in each)
        if len(each) > 1:
            # Some people's agents take short Chinese words for alternatives, so who asks for everything gets them.
            short = any(unspaced(term.literal) and len(term.literal) < THREE for term in each)
            when: When = "at last" if short else "if no whole word"
            yield Reading(tuple(Group((term,)) for term in each), label, when=when)


def _may_exclude(chunk: Chunk) -> bool:
    """`-word`, which may as well be an option of a command that somebody looks for."""
    return not chunk.quoted and re.fullmatch(r"-[^\W_]\w{2,}", chunk.text) is not None


def _groups(chunks: Sequence[Chunk], *, dashes_exclude: bool) -> tuple[Group, ...]:
    """Groups of terms, between them OR."""
    groups: list[Group] = []
    terms: list[Term] = []
    excluded: list[Term] = []
    negate = False
    last = last_word(chunks)
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
        found = list(terms_of(replace(chunk, text=text), growing=index == last and not negate and not minus))
        (excluded if negate or minus else terms).extend(found)
        negate = False
    if terms:
        groups.append(Group(tuple(dict.fromkeys(terms)), tuple(dict.fromkeys(excluded))))
    return tuple(groups)


# Filters


def _filters(chunks: Iterable[Chunk], now: float) -> tuple[Filters, list[tuple[Chunk, str]]]:
    """What the chunks filter, and those that make no sense with the reason in a sentence."""
    values: dict[str, list[str]] = {}
    wrong: list[tuple[Chunk, str]] = []
    after: float | None = None
    before: float | None = None
    archived: Archived | None = None
    for chunk in chunks:
        name, value = chunk.filter, chunk.text.strip()
        if not name:
            continue
        if not value:
            wrong.append((chunk, f"{name}: has no value, so it is left out."))
        elif name in ("after", "before"):
            span = period(value, now)
            if span is None:
                wrong.append((chunk, f"{name}:{value} is no date; write 2025, 2025-03, 2025-03-30, today or 7d."))
            elif name == "after":
                after = span[0] if after is None else max(after, span[0])
            else:
                before = span[0] if before is None else min(before, span[0])
        elif name == "role" and not any(role.startswith(value.lower()) for role in ROLES):
            wrong.append((chunk, f"role:{value} is no role; there are {', '.join(ROLES)}."))
        elif name == "archived":
            state: Archived | None = next((each for each in _states() if each == value.lower()), None)
            if state is None:
                wrong.append((chunk, f"archived:{value} is neither no, also nor only."))
            archived = state or archived
        else:
            values.setdefault(name, []).append(value)
    filters = Filters(
        source=tuple(values.get("source", ())),
        model=tuple(values.get("model", ())),
        cwd=tuple(values.get("cwd", ())),
        title=tuple(values.get("title", ())),
        role=tuple(role for value in values.get("role", ()) for role in ROLES if role.startswith(value.lower())),
        within=tuple(values.get("in", ())),
        after=after,
        before=before,
        archived=archived,
        memory=tuple((name, value) for name in MEMORY_WORDS for value in values.get(name, ())),
    )
    return filters, wrong


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
