"""Taking the greeting, the politeness and the asking off a sentence, down to what it is about."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hermes_tui.sessions.titles.characters import GAP
from hermes_tui.sessions.titles.languages import ENGLISH, Language, greetings, polite
from hermes_tui.sessions.titles.phrases import Phrases
from hermes_tui.sessions.titles.spoken import Word

ROUNDS = 12
CLOSING_REACH = 6
SALUTED_WORDS = 4
"""A line that greets so many more words and ends with a comma is all salutation: "Dear Mrs Miller,"."""
_WORLD = frozenset({"world", "mundo", "welt", "monde", "мир", "kitty", "الم", "thế"})
"""What makes a greeting none: hello world."""

Words = tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Peeled:
    """What a sentence is about."""

    words: Words
    """Without greeting and frame, and without what opens a telling."""
    asked: bool
    """Whether something was taken off that asks for something."""
    told: bool
    """Whether something was taken off that tells how things are."""
    whole: Words
    """Without greeting and politeness only."""


def peeled(words: Words, language: Language) -> Peeled:
    """A sentence without what is said around the matter of it."""
    words = _impolite(words, language)
    words = _without_gaps(_without_closing(words, language), language)
    words, asked, told = _greeted(words, language), False, False
    whole = words
    for _ in range(ROUNDS):
        shorter, kind = _step(words, language)
        if len(shorter) == len(words):
            break
        asked |= kind == "asked"
        told |= kind == "told"
        words = shorter
        if kind == "greeted" and not asked:
            whole = words
    echo = language.phrases["echo"].match_end(_keys(words), CLOSING_REACH) if asked else len(words)
    return Peeled(_without_small(words[:echo], language), asked, told, whole)


def matters(word: Word, language: Language) -> bool:
    """Whether a word is about something."""
    if word.kept:
        return True
    if word.key in language.phrases["soft_fillers"] or word.key in language.sets["names"]:
        return False
    return word.key not in (language if language.code else ENGLISH).empty


def _keys(words: Words) -> list[str]:
    return [word.key for word in words]


def _impolite(words: Words, language: Language) -> Words:
    """Without "please" and its like, wherever they stand."""
    at = 0
    while at < len(words):
        end = polite().match(_keys(words), at) if words[at].key in polite() else at
        spoken = at > 0 and words[at - 1].key in language.sets["speakers"]
        if end > at and not spoken:
            words = _cut_out(words, at, end, language)
        else:
            at += 1
    return words


def _cut_out(words: Words, at: int, end: int, language: Language) -> Words:
    """Without some words in the middle, and without the comma before them that has no more use."""
    before = words[:at]
    if before and before[-1].pause == "," and not (words[end:] and begins(_keys(words), end, language)):
        before = (*before[:-1], replace(before[-1], pause=""))
    return before + words[end:]


def _without_closing(words: Words, language: Language) -> Words:
    """Without thanks and their like at the end."""
    for _ in range(3):
        keys = _keys(words)
        ends = [found.phrases["closing"].match_end(keys, CLOSING_REACH) for found in (language, ENGLISH)]
        cut = min(ends)
        if cut == len(words):
            break
        words = words[:cut]
    return words


def _without_gaps(words: Words, language: Language) -> Words:
    """Without prepositions before something that was taken out."""
    kept: list[Word] = []
    for word in words:
        while kept and kept[-1].pause == GAP and kept[-1].key in language.hanging and len(kept) > 1:
            kept.pop()
            kept[-1] = replace(kept[-1], pause=GAP)
        kept.append(word)
    while len(kept) > 1 and kept[-1].pause == GAP and kept[-1].key in language.hanging:
        kept.pop()
        kept[-1] = replace(kept[-1], pause=GAP)
    return tuple(kept)


def _greeted(words: Words, language: Language) -> Words:
    """Without a greeting, and whom it was for."""
    for _ in range(4):
        end = greetings().match(_keys(words))
        if end == 0 or (end < len(words) and words[end].key in _WORLD):
            return _unnamed(words, language)
        rest = words[end:]
        if rest and len(rest) <= SALUTED_WORDS and rest[-1].pause == ",":
            return ()
        words = _without_name(rest, words[end - 1], language)
    return words


def _unnamed(words: Words, language: Language) -> Words:
    """Without a name that is spoken to: "Hermes, …"."""
    names = language.sets["names"] | ENGLISH.sets["names"]
    named = len(words) > 1 and words[0].key in names
    parted = named and (words[0].pause in (",", "-", ":") or begins(_keys(words), 1, language))
    return words[1:] if parted else words


def _without_name(words: Words, before: Word, language: Language) -> Words:
    """Without who was greeted, when `before` was the last word of the greeting."""
    names = language.sets["names"] | ENGLISH.sets["names"]
    while words and words[0].key in names and before.pause in ("", ",", "-"):
        if before.pause == "," and words[0].pause != "," and len(words) > 1:
            break
        before, words = words[0], words[1:]
        if before.pause:
            return words
    if before.pause:
        return words
    for count, word in enumerate(words[:4], 1):
        if not (word.text[:1].isupper() or word.key in names or word.key in language.common):
            break
        if word.pause in (",", "-") or (count == len(words) and count <= 3 and words[0].text[:1].isupper()):
            return words[count:]
    return words


def _step(words: Words, language: Language) -> tuple[Words, str]:
    """One thing less at the front, and what it was."""
    if not words:
        return words, ""
    keys = _keys(words)
    phrases = language.phrases
    if words[0].pause == ":" and words[0].key in language.sets["labels"] | ENGLISH.sets["labels"] and len(words) > 1:
        return words[1:], "greeted"
    sets = language.sets
    if len(words) > 2 and words[0].key in sets["joining"] - sets["choosing"]:
        return words[1:], "greeted"
    filled, framed = phrases["fillers"].match(keys), phrases["frames"].match(keys)
    asked = phrases["asking"].match(keys)
    if asked > max(filled, framed) and is_question(keys, asked, language):
        return words[asked:], "asked"
    if framed < len(keys) and keys[framed] in language.sets["blocks"]:
        framed = 0
    if filled > framed:
        return words[filled:], "greeted"
    if framed:
        rest = words[_before_article(words, framed, language) :]
        whole = language.verb_last and sets["blocks"].intersection(keys[:framed]) and len(rest) > SALUTED_WORDS
        return rest[:-1] if whole else rest, "asked"
    end = phrases["soft_fillers"].match(keys)
    if end and end < len(words) and (words[end - 1].pause in (",", "-", ":") or begins(keys, end, language)):
        return words[end:], "greeted"
    end = phrases["openers"].match(keys)
    if end and len(words) - end >= 2:
        return words[_before_article(words, end, language) :], "told"
    return _greeted(words, language), "greeted"


def _before_article(words: Words, end: int, language: Language) -> int:
    """`end`, or one word less where little remains without an article, or its adjective would be left alone."""
    if not 1 < end < len(words):
        return end
    last, following = words[end - 1], words[end]
    agrees = last.key in language.sets["agreeing"] and following.text[:1].islower()
    short = len(words) < end + 3 and last.key in language.sets["articles"]
    return end - 1 if short or agrees else end


def begins(keys: list[str], at: int, language: Language) -> bool:
    """Whether a sentence may begin here."""
    key = keys[at]
    sets = language.sets
    begins: list[Phrases] = [language.phrases[name] for name in ("frames", "fillers", "openers", "soft_fillers")]
    return (
        key in sets["questions"]
        or key in sets["subjects"]
        or key in sets["orders"]
        or any(phrases.match(keys, at) > at for phrases in begins)
    )


def is_question(keys: list[str], at: int, language: Language) -> bool:
    """Whether a question may begin here."""
    questions = language.sets["questions"]
    return at < len(keys) and (keys[at] in questions or "_".join(keys[at : at + 2]) in questions)


def _without_small(words: Words, language: Language) -> Words:
    """Without "me" after an order: write me a letter."""
    small = language.phrases["small"]
    if len(words) < 3 or words[0].key not in language.sets["orders"]:
        return words
    keys = _keys(words)
    for at in (1, 2):
        end = small.match(keys, at)
        if at < end < len(words) and keys[end] not in language.hanging - language.sets["articles"]:
            return words[:at] + words[end:]
    return words
