"""Choosing the sentence that a conversation is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from hermes_tui.sessions.titles.characters import GAP, is_unspaced, writing_of
from hermes_tui.sessions.titles.languages import UNKNOWN, Language, detect, polite, straight
from hermes_tui.sessions.titles.peeling import Words, begins, is_question, matters, peeled
from hermes_tui.sessions.titles.shortening import MIN_WORDS, said, shortened
from hermes_tui.sessions.titles.spoken import rekeyed, sentences
from hermes_tui.sessions.titles.unspaced import clauses, title_of

NEAR = 5
"""So many sentences after a first one that only tells how things are, a request is looked for."""
FEW_WORDS = 5
"""A sentence with fewer words is rather a heading."""
REPLACED_WORDS = 6
"""In a longer wish nothing is put in the place of a pronoun."""
MANY_SENTENCES = 30
SENTENCE_WORDS = 120
"""So many words of a sentence are looked at."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may be the title."""

    matter: int
    """How many of its words are about something."""
    asks: bool
    tells: bool
    """Whether it most likely only tells how things are."""
    troubled: bool
    role: bool = False
    """Whether it only says who is to answer."""
    refers: bool = False
    """Whether it needs what was said before: "fix it"."""
    words: Words = ()
    language: Language = UNKNOWN
    clause: str = ""

    def title(self) -> tuple[str, bool]:
        """Its few words, not yet with a capital; and whether their first letter stays as it is."""
        if self.clause:
            return title_of(self.clause), True
        short = shortened(self.words, self.language)
        return said(short), bool(short) and short[0].kept


def candidates(lines: Sequence[str]) -> list[Candidate]:
    """What the lines of a message may be about, in order."""
    found: list[Candidate] = []
    spoken = detect([straight(word) for line in lines[:8] if not is_unspaced(line) for word in line[:400].split()])
    writing = "ja" if any(writing_of(line) == "ja" for line in lines if is_unspaced(line)) else ""
    for line in lines:
        found += _unspaced(line, writing) if is_unspaced(line) else _spaced(line, spoken)
        if len(found) >= MANY_SENTENCES:
            break
    return found


def chosen(found: Sequence[Candidate]) -> Candidate | None:
    """The one that the conversation is about, if one is about anything."""
    matters = [one for one in found if one.matter]
    if not matters:
        return None
    first = _replaced(found) or matters[0]
    if first.role:
        first = next((one for one in matters[1 : 1 + NEAR] if one.asks), first)
    if len(first.words) == 1:
        first = next((one for one in matters[1 : 1 + NEAR] if one.asks and one.matter >= 2), first)
    if first.asks or first.troubled or not first.tells:
        return first
    near = matters[1 : 1 + NEAR]
    wanted = next((one for one in near if one.asks and one.matter >= 2), None)
    if len(first.words) < FEW_WORDS and first.words and first.words[-1].pause == GAP:
        first = next((one for one in near if one.matter and len(one.words) >= MIN_WORDS and not one.tells), first)
    trouble = next((one for one in near if one.troubled and one.matter >= 2), None)
    if wanted and not (wanted.refers and trouble):
        return wanted
    return trouble or first


def _replaced(found: Sequence[Candidate]) -> Candidate | None:
    """ "my key is … please rotate it" as "rotate my key"."""
    for what, wish in pairwise(found):
        objects = wish.language.sets["objects"]
        taken_out = bool(what.words) and what.words[-1].pause == GAP and not what.asks
        if not taken_out or not wish.asks or len(wish.words) > REPLACED_WORDS:
            continue
        at = next((at for at, word in enumerate(wish.words) if at and word.key in objects), 0)
        thing = list(what.words)
        while thing and thing[-1].key in what.language.hanging:
            thing.pop()
        if at and thing:
            return replace(wish, words=(*wish.words[:at], *thing, *wish.words[at + 1 :]), matter=2)
    return None


def _unspaced(line: str, writing: str) -> Iterator[Candidate]:
    for clause in clauses(line, writing):
        yield Candidate(
            matter=2 if clause.said else 0,
            asks=clause.asked,
            tells=clause.told,
            troubled=clause.troubled,
            clause=clause.text,
        )


def _spaced(line: str, spoken: Language) -> Iterator[Candidate]:
    for sentence in sentences(line):
        words = sentence.words[:SENTENCE_WORDS]
        language = detect([word.key for word in words], spoken)
        whole = rekeyed(words, language)
        parts = [whole] if sentence.quotes else _parted(whole, language)
        for number, part in enumerate(parts, 1):
            yield _candidate(part, sentence.end if number == len(parts) else ",", language)


def _parted(words: Words, language: Language) -> list[Words]:
    """A sentence cut where it comes to ask for something, and where something was taken out."""
    keys = [word.key for word in words]
    parting = frozenset().union(*(language.sets[name] for name in ("joining", "clauses", "relatives")))
    starts = [0]
    told = keys[0] in language.sets["telling"] and not language.phrases["frames"].match(keys)
    begun = max(language.phrases[name].match(keys) for name in ("fillers", "frames"))
    for at in range(max(2, begun), len(words) - 1):
        before = words[at - 1]
        if at - starts[-1] < 2 or (before.key in language.sets["auxiliaries"] and not before.pause):
            continue
        frame = language.phrases["frames"].match(keys, at) - at
        joined = frame > 0 and not words[at].text.startswith(words[at].key[:1])
        parted = bool(before.pause) or before.key in parting
        turned = told and before.pause in (",", "-", ":", ";") and _turns(keys, at, language)
        after_and = before.key in language.sets["joining"] and at > 1 and words[at - 2].pause == GAP
        resumed = after_and or (before.pause == GAP and _starts(keys, at, language))
        small = at < 3 and language.phrases["small"].match(keys, at) > at
        if joined or turned or resumed or (frame >= (2 if parted else 3) and not small):
            starts.append(at)
    parts = [words[start:end] for start, end in zip(starts, [*starts[1:], len(words)], strict=True)]
    return [part[:-1] if part[-1].key in language.sets["joining"] and len(part) > 1 else part for part in parts]


def _turns(keys: list[str], at: int, language: Language) -> bool:
    """Whether an order or a question begins here."""
    wish = polite().match(keys, at)
    but = at + (keys[at] in language.sets["clauses"])
    return at < wish < len(keys) or keys[at] in language.sets["orders"] or is_question(keys, but, language)


def _starts(keys: list[str], at: int, language: Language) -> bool:
    """Whether a clause may begin here, after something that was taken out."""
    sets = language.sets
    return (
        polite().match(keys, at) > at
        or begins(keys, at, language)
        or keys[at] in sets["clauses"] | sets["telling"] - sets["prepositions"]
    )


def _candidate(words: Words, end: str, language: Language) -> Candidate:
    sets = language.sets
    bare = peeled(words, language)
    first = bare.words[0].key if bare.words else ""
    matter = {word.key for word in bare.words if matters(word, language)}
    troubled = any(word.key in sets["trouble"] for word in bare.words)
    questioned = end == "?" or is_question([word.key for word in bare.words], 0, language)
    asks = bare.asked or questioned or first in sets["orders"]
    begin = bare.whole[0].key if bare.whole else ""
    sentence = end in (".", "!") and len(bare.whole) >= FEW_WORDS
    return Candidate(
        matter=len(matter),
        asks=asks,
        tells=not asks and (bare.told or begin in sets["telling"] or sentence or words[-1].pause == GAP),
        troubled=troubled and bool(matter),
        role=language.phrases["roles"].match([word.key for word in bare.whole]) > 0,
        refers=any(word.key in sets["refers"] for word in bare.words[:6]),
        words=bare.words,
        language=language,
    )
