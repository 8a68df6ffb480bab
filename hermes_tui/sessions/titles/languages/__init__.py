"""The languages that titles can be made in; a new one is added here, and in a module of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from hermes_tui.sessions.titles.languages.arabic import ARABIC
from hermes_tui.sessions.titles.languages.english import ENGLISH
from hermes_tui.sessions.titles.languages.folding import folded, straight
from hermes_tui.sessions.titles.languages.french import FRENCH
from hermes_tui.sessions.titles.languages.german import GERMAN
from hermes_tui.sessions.titles.languages.language import Language
from hermes_tui.sessions.titles.languages.russian import RUSSIAN
from hermes_tui.sessions.titles.languages.spanish import SPANISH
from hermes_tui.sessions.titles.languages.vietnamese import VIETNAMESE
from hermes_tui.sessions.titles.phrases import Phrases, lines

__all__ = ["ENGLISH", "SPACED", "UNKNOWN", "Language", "detect", "folded", "greetings", "polite", "straight"]

SPACED = (ENGLISH, GERMAN, SPANISH, FRENCH, RUSSIAN, VIETNAMESE, ARABIC)
UNKNOWN = Language(code="")
"""A language of which nothing is known."""

_OTHER_GREETINGS = """
    ciao|salve|buongiorno|buonasera a_tutti?
    olá|oi|bom_dia|boa_tarde|boa_noite tudo_bem?
    hoi|goedemorgen|goedemiddag|goedenavond allemaal?
    hej|hei|hallå|terve|cześć|witam|ahoj|szia|salam|merhaba|selam
    안녕하세요|안녕|여보세요
    你好|您好|嗨|哈喽|こんにちは|こんばんは|おはよう|おはようございます|สวัสดี
"""
_FRENCH_ENDS = ("-tu", "-vous", "-moi", "-je", "-il", "-elle", "-on", "-nous", "-ce")
"""How French asks: "penses-tu"."""
_FRENCH_LETTERS = frozenset("àèùêâîôûëïç")
"""Spanish has none of these; Vietnamese has some."""


@cache
def greetings() -> Phrases:
    """The greetings of all languages: people greet in one and go on in another."""
    plain = folded(VIETNAMESE.greetings, "es").replace("đ", "d")
    return _of_all("greetings", plain, _OTHER_GREETINGS)


@cache
def polite() -> Phrases:
    """The words of politeness of all languages."""
    return _of_all("polite")


def _of_all(name: str, *more: str) -> Phrases:
    texts = [getattr(language, name) for language in SPACED]
    folds = [folded(getattr(language, name), language.code) for language in SPACED]
    return Phrases(dict.fromkeys(line for text in [*texts, *folds, *more] for line in lines(text)))


@cache
def _telling() -> dict[str, tuple[int, ...]]:
    """For each telling word, the languages it speaks for, by number."""
    told: dict[str, set[int]] = {}
    for number, language in enumerate(SPACED):
        for word in language.telltale:
            told.setdefault(word, set()).add(number)
    return {word: tuple(numbers) for word, numbers in told.items()}


def detect(words: Sequence[str], otherwise: Language = UNKNOWN) -> Language:
    """The language that some words, in small letters, most likely are in."""
    points = [0.0] * len(SPACED)
    told = _telling()
    for word in words:
        for form in _forms(word):
            for number in told.get(form, ()):
                points[number] += 1
        if not word.isascii():
            _count_letters(word, points)
        if word.endswith(_FRENCH_ENDS):
            points[SPACED.index(FRENCH)] += 1.5
    best = max(points)
    if best == 0:
        return otherwise
    if otherwise is not UNKNOWN and points[SPACED.index(otherwise)] >= best - 0.5:
        return otherwise
    return SPACED[points.index(best)]


def _forms(word: str) -> Iterable[str]:
    plain = {word} if word.isascii() else {word, folded(word, "es"), folded(word, "ar"), folded(word, "ru")}
    if "'" in word:
        plain.add(word.split("'", 1)[0] + "'")
    if "-" in word:
        plain.update(word.split("-"))
    return plain


def _count_letters(word: str, points: list[float]) -> None:
    if not _FRENCH_LETTERS.isdisjoint(word):
        points[SPACED.index(FRENCH)] += 0.5
        points[SPACED.index(SPANISH)] -= 1
    for number, language in enumerate(SPACED):
        if language.letters and not set(language.letters).isdisjoint(word):
            points[number] += 2.5
    if "\u0400" <= word[0] <= "\u04ff":
        points[SPACED.index(RUSSIAN)] += 2
    elif "\u0600" <= word[0] <= "\u06ff":
        points[SPACED.index(ARABIC)] += 2
