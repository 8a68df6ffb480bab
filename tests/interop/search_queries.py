"""What people type to find something in the sample conversations; the same for every run."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

from tests.interop.search_samples import (
    ACCENTED,
    EMOJI,
    IDENTIFIERS,
    LATIN_INSIDE,
    OPERATORS,
    RUSSIAN,
    SEED,
    THAI,
    VOCABULARY,
    generated,
    some_words,
)

QUERIES = 300

BROKEN = (
    '"{0} {1}', '{0}" {1}', "({0} {1}", "{0} {1})", "^{0} {1}", "{0}({1})", "{0}^{1}", "[{0}] {1}", "{{{0}}} {1}",
    "{0} * {1}", "{0} +{1}", '"{0}" "{1}', "{0}, {1}", "{0}; {1}!", "{0} - {1}", "{0} — {1}", "{0}/{1}", "{0}'{1}",
    "{0} & {1}", "**{0}** {1}", "AND {0} {1}", "{0} {1} AND", "NOT {0}", "not {0} {1}", "or {0}", "{0} and", "{0} OR",
    "{0} {1} or", "{0} NOT", "and {0}",
)  # fmt: skip
"""Two words with something that no language of queries allows there."""


@dataclass(frozen=True)
class Typed:
    """What somebody types, and what it means by itself, before anything is read into it."""

    text: str
    wanted: tuple[tuple[str, ...], ...]
    """Alternatives; of one of them all has to be in a message."""
    unwanted: tuple[str, ...] = ()
    """Must not be in it."""


@cache
def queries() -> tuple[Typed, ...]:
    """What is looked for: of every kind so many, made of what was said."""
    rng = random.Random(SEED + 1)
    said = [
        message.content for session in generated() for message in session.messages if isinstance(message.content, str)
    ]
    kinds: list[tuple[int, Callable[[random.Random, Sequence[str]], Typed]]] = [
        (30, _one_word), (26, _together), (16, _apart), (8, _absent), (18, _beginning), (20, _phrase), (10, _either),
        (12, _without), (8, _both), (6, _grouped), (14, _joined), (8, _colon), (30, _cjk_run), (12, _cjk_words),
        (12, _cjk_mixed), (10, _accents), (10, _russian), (6, _thai_run), (8, _symbol),
        *((1, partial(_shaped, shape)) for shape in BROKEN),
    ]  # fmt: skip
    made = [make(rng, said) for count, make in kinds for _ in range(count)]
    made += [Typed(text, (tuple(text.split()),)) for text in rng.sample(IDENTIFIERS, QUERIES - len(made))]
    return tuple(made)


def _case(rng: random.Random, word: str) -> str:
    return word if word in OPERATORS else rng.choice((word, word, word, word.upper(), word.capitalize()))


def _some(rng: random.Random, count: int) -> list[str]:
    return [word for word in some_words(rng, count * 3).split() if word not in OPERATORS][:count]


def _spoken(rng: random.Random, said: Sequence[str], count: int) -> list[str]:
    """Plain words of one message that follow each other."""
    while True:
        words = rng.choice(said).split()
        start = rng.randrange(len(words))
        chosen = words[start : start + count]
        if len(chosen) == count and all(word.isascii() and word.isalnum() for word in chosen):
            return [word.lower() for word in chosen]


def _plain(*words: str) -> Typed:
    return Typed(" ".join(words), (words,))


def _one_word(rng: random.Random, said: Sequence[str]) -> Typed:
    if rng.random() < 0.3:
        return _plain(_case(rng, rng.choice(VOCABULARY)))
    return _plain(_case(rng, rng.choice(_spoken(rng, said, 2))))


def _together(rng: random.Random, said: Sequence[str]) -> Typed:
    words = rng.sample(_spoken(rng, said, 4), rng.choice((2, 2, 3)))
    return _plain(*(_case(rng, word) for word in words))


def _apart(rng: random.Random, _said: Sequence[str]) -> Typed:
    return _plain(*_some(rng, rng.choice((2, 3))))


def _absent(rng: random.Random, _said: Sequence[str]) -> Typed:
    nowhere = rng.choice(("qwertz", "xylo", "vvv"))
    return _plain(*rng.choice(([nowhere], [*_some(rng, 2), nowhere], [nowhere, *_some(rng, 1)], ["ugzwan"])))


def _beginning(rng: random.Random, _said: Sequence[str]) -> Typed:
    first, second = rng.sample(VOCABULARY, 2)
    begun = first[: max(2, len(first) // 2)] + rng.choice("*")
    return _plain(*rng.choice(([begun], [begun], [begun, second], [second, begun])))


def _phrase(rng: random.Random, said: Sequence[str]) -> Typed:
    words = _spoken(rng, said, rng.choice((2, 3)))
    if rng.random() < 0.3:
        words = words[::-1]
    phrase = " ".join(words)
    more = _some(rng, 1) if rng.random() < 0.3 else []
    return Typed(" ".join([f'"{phrase}"', *more]), ((phrase, *more),))


def _either(rng: random.Random, _said: Sequence[str]) -> Typed:
    one, two, three = rng.sample(VOCABULARY[11:], 3)
    if rng.random() < 0.5:
        return Typed(f"{one} OR {two}", ((one,), (two,)))
    return Typed(f"{one} {two} OR {three}", ((one, two), (three,)))


def _without(rng: random.Random, said: Sequence[str]) -> Typed:
    one, two, three = rng.sample(sorted(set(_spoken(rng, said, 3) + _some(rng, 6))), 3)
    if rng.random() < 0.7:
        return Typed(f"{one} NOT {two}", ((one,),), (two,))
    return Typed(f"{one} {two} NOT {three}", ((one, two),), (three,))


def _both(rng: random.Random, said: Sequence[str]) -> Typed:
    one, two = _spoken(rng, said, 2)
    return Typed(f"{one} AND {two}", ((one, two),))


def _grouped(rng: random.Random, said: Sequence[str]) -> Typed:
    one, two, three = _spoken(rng, said, 3)
    return rng.choice((
        Typed(f"{one} OR {two} NOT {three}", ((one,), (two,))),
        Typed(f"({one} OR {two}) AND {three}", ((one,), (two, three))),
        Typed(f"{one} NOT {two} {three}", ((one,),)),
    ))  # fmt: skip


def _shaped(shape: str, rng: random.Random, said: Sequence[str]) -> Typed:
    one, two = _spoken(rng, said, 2)
    return Typed(shape.format(one, two), (tuple(each for each, at in ((one, "{0}"), (two, "{1}")) if at in shape),))


def _joined(rng: random.Random, said: Sequence[str]) -> Typed:
    words = _spoken(rng, said, rng.choice((2, 2, 3)))
    joined = rng.choice(".-_").join(words)
    return Typed(joined, ((joined,),))


def _colon(rng: random.Random, said: Sequence[str]) -> Typed:
    one, two = _spoken(rng, said, 2)
    return Typed(rng.choice((f"{one}:{two}", f"{one}: {two}", f"content:{one} {two}")), ((one, two),))


def _run_of(rng: random.Random, said: Sequence[str], wanted: Callable[[str], bool], length: int) -> str:
    """So many characters that follow each other in some message."""
    while True:
        text = rng.choice(said)
        start = rng.randrange(max(1, len(text) - length))
        run = text[start : start + length]
        if len(run) == length and all(map(wanted, run)):
            return run


def is_east_asian(char: str) -> bool:
    """Whether it is a Chinese, Japanese or Korean letter."""
    return "\u3040" <= char <= "\u30ff" or "\u4e00" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3"


def _cjk_run(rng: random.Random, said: Sequence[str]) -> Typed:
    run = _run_of(rng, said, is_east_asian, rng.choice((1, 2, 2, 2, 3, 3, 4, 5, 6)))
    return Typed(rng.choice((run, run, run, run, f'"{run}"', f"{run}*", f"{run}。")), ((run,),))


def _cjk_words(rng: random.Random, said: Sequence[str]) -> Typed:
    one, two = (_run_of(rng, said, is_east_asian, rng.choice((2, 2, 3, 4))) for _ in range(2))
    together = [word for word in rng.choice(said).split() if all(map(is_east_asian, word))]
    if len(together) > 1 and rng.random() < 0.6:
        one, two = together[:2]
    if rng.random() < 0.2:
        return Typed(f"{one} OR {two}", ((one,), (two,)))
    return _plain(one, two)


def _cjk_mixed(rng: random.Random, said: Sequence[str]) -> Typed:
    run = _run_of(rng, said, is_east_asian, rng.choice((2, 3, 4)))
    latin = rng.choice(LATIN_INSIDE)
    inside = next((text for text in rng.sample(said, len(said)) if latin in text), latin)
    at = inside.find(latin)
    around = inside[max(0, at - 1) : at + len(latin) + 2].strip()
    shape = rng.choice(((latin,), (run, latin), (around,), (rng.choice(VOCABULARY), run)))
    return Typed(" ".join(shape), (tuple(" ".join(shape).split()),))


def _accents(rng: random.Random, _said: Sequence[str]) -> Typed:
    word = rng.choice((*ACCENTED, "ZÜRICH", "zurich", "senor", "angstrom", "creme brulee", "garcon", "NAÏVE", "cafe"))
    return _plain(*word.split())


def _russian(rng: random.Random, _said: Sequence[str]) -> Typed:
    words = rng.sample(RUSSIAN, rng.choice((1, 1, 2)))
    return _plain(*(_case(rng, word) for word in words))


def _thai_run(rng: random.Random, said: Sequence[str]) -> Typed:
    if rng.random() < 0.5:
        return _plain(rng.choice(THAI))
    return _plain(_run_of(rng, said, lambda char: "\u0e00" <= char <= "\u0e7f", rng.choice((3, 5, 8))))


def _symbol(rng: random.Random, said: Sequence[str]) -> Typed:
    symbol = rng.choice(EMOJI)
    return _plain(*rng.choice(([symbol], [symbol], [*_spoken(rng, said, 1), symbol])))
