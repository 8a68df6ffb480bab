"""Bringing a sentence to a few words, cut where it may be cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from hermes_tui.sessions.titles.characters import GAP
from hermes_tui.sessions.titles.languages import Language
from hermes_tui.sessions.titles.peeling import Words, matters
from hermes_tui.sessions.titles.spoken import Word

MIN_WORDS = 3
MAX_WORDS = 7
MAX_CHARS = 60
SEEN_WORDS = 20
"""No title has so many words, even where apostrophes part them."""

_LENGTH_POINTS = {1: -9.0, 2: -4.5, 3: -1.0, 4: 1.5, 5: 3.0, 6: 4.5, 7: 5.0}
_SYLLABLE_POINTS = {1: -9.0, 2: -6.0, 3: -4.0, 4: 0.0, 5: 2.5, 6: 5.0, 7: 6.0}
_WHOLE_POINTS = 12.0
_LOST = 5.0
"""What a cut inside a clause costs where the verb stands last."""
_WENT_ON = 2.0
"""What the beginning of another clause inside the title costs, when that is cut."""
_HALF = 4.0
"""What it costs to end where the main clause begins."""
_BEGUN = 4.0
"""What it costs when a clause has but one word of its own."""
_SAYS_LITTLE = 3.0
"""What it costs to have but one word that is about something, where there are more."""
_QUOTED = 6.0
"""What a cut inside quotation marks costs."""
_PAUSED = 5.0
"""What a comma or the like costs when it stands where the title might have ended."""


_MARKS = {",": ",", ";": ";", ":": ":", "-": " –"}
_ARABIC_MARKS = {**_MARKS, ",": "،", ";": "؛"}


@dataclass(frozen=True, slots=True)
class Cut:
    """A way to say it shortly."""

    points: float
    words: Words


def shortened(words: Words, language: Language) -> Words:
    """The best few words of a sentence."""
    best: Cut | None = None
    for variant, cost in _variants(words, language):
        cut = _best_cut(variant, language)
        if cut and (best is None or cut.points - cost > best.points):
            best = Cut(cut.points - cost, cut.words)
    return _without_infinitive(best.words, language) if best else ()


def spaced_length(words: Words) -> int:
    """How many words they are to the eye: those that an apostrophe joins are one."""
    dashes = sum(word.pause == "-" for word in words[:-1])
    return dashes + sum(not word.glued for word in words) + (1 if words and words[-1].glued else 0)


def said(words: Words) -> str:
    """Words as they are written, with the marks between them."""
    pieces: list[str] = []
    for index, word in enumerate(words):
        pieces.append(word.text)
        if index + 1 < len(words) and not word.glued:
            marks = _ARABIC_MARKS if "\u0600" <= word.text[0] <= "\u06ff" else _MARKS
            mark = marks.get(word.pause, "")
            pieces.append(f"{mark} ")
    return "".join(pieces)


def _variants(words: Words, language: Language) -> Iterator[tuple[Words, float]]:
    """The sentence, and what it is with less at the front or in the middle; each with what that costs."""
    bare = _without_leading(words, language)
    yield bare, 0.0
    if _fits(bare):
        return
    keys = [word.key for word in words]
    fronts = [(bare, 0.0), (words, 1.5)]
    for name in ("making", "asides"):
        end = language.phrases[name].match(keys)
        if end and len(words) - end >= MIN_WORDS:
            told = name == "asides" and language.verb_last and (end == 2 or keys[-1] in language.sets["auxiliaries"])
            rest = words[end:-1] if told and len(words) - end > MIN_WORDS else words[end:]
            fronts += [(_without_leading(rest, language), 1.0), (rest, 2.5)]
    yield from fronts[1:]
    for front, cost in fronts:
        paired = _without_articles_between(front, language)
        terse = _without_skipped(front, language)
        both = _without_skipped(paired, language)
        yield from ((less, cost + price) for less, price in ((paired, 1.0), (terse, 3.5), (both, 4.0)) if less != front)


def _without_skipped(words: Words, language: Language) -> Words:
    """Without the small words in the middle that may be left out."""
    skipped = language.sets["skipped"]
    return words[:1] + tuple(word for word in words[1:] if word.key not in skipped or word.pause)


def _without_articles_between(words: Words, language: Language) -> Words:
    """Without the articles after "between" and its "and"."""
    sets = language.sets
    if not any(word.key in sets["pairing"] for word in words):
        return words
    before = sets["pairing"] | sets["joining"]
    return tuple(
        word
        for index, word in enumerate(words)
        if not (index and word.key in sets["articles"] and words[index - 1].key in before)
    )


def _fits(words: Words) -> bool:
    return spaced_length(words) <= MAX_WORDS and len(said(words)) <= MAX_CHARS


def _without_leading(words: Words, language: Language) -> Words:
    """Without an article or the like in front, as long as enough remains."""
    sets = language.sets
    if len(words) <= MIN_WORDS:
        return words
    first, second = words[0], words[1]
    if first.pause or first.glued or first.kept:
        return words
    plain = first.key in sets["leading"]
    if plain or (first.key in sets["leading_before_capital"] and second.text[:1].isupper()):
        return words[1:]
    if first.key in sets["questions"] and second.key in sets["possessives"] and language.code == "en":
        return (first, *words[2:]) if first.key in ("why", "how", "where", "when") else words
    return words


def _without_infinitive(words: Words, language: Language) -> Words:
    """Without the "zu" that a frame wanted: "den Dienst neu zu starten"."""
    if language.code != "de" or len(words) <= MIN_WORDS or not words[-1].key.endswith("n"):
        return words
    if words[-2].key == "zu":
        return (*words[:-2], words[-1])
    return words


def _best_cut(words: Words, language: Language) -> Cut | None:
    best: Cut | None = None
    inside = _inside_clauses(words, language)
    matter = [matters(word, language) for word in words[:SEEN_WORDS]]
    points_of = _SYLLABLE_POINTS if language.syllables else _LENGTH_POINTS
    for end in range(1, min(len(words), SEEN_WORDS) + 1):
        part = words[:end]
        length = spaced_length(part)
        if length > MAX_WORDS or len(said(part)) > MAX_CHARS:
            break
        if part[-1].glued or not _may_end(words, end, language):
            continue
        border = _border(words, end, language)
        if end < len(words) and _holds_on(part[-1], words[end], border, language):
            continue
        points = points_of[length] + border - _losses(words, end, border, language)
        points -= _LOST if inside[end - 1] else 0.0
        points -= _SAYS_LITTLE if sum(matter[:end]) < min(2, sum(matter)) else 0.0
        if best is None or points >= best.points:
            best = Cut(points, part)
    return best or _trimmed(words, language)


def _holds_on(last: Word, following: Word, border: float, language: Language) -> bool:
    """Whether two words are not to be parted: parts of one word, a number and what it counts."""
    joined = f"{last.key}_{following.key}" in language.sets["joined"]
    loose = last.key in language.sets["loose"] and border < 3
    return joined or loose or (last.key.isdigit() and border < 2)


def _losses(words: Words, end: int, border: float, language: Language) -> float:
    """What is lost with a cut at `end`, beyond its border."""
    part = words[:end]
    lost = _PAUSED if any(word.pause for word in part[2:-1]) else 0.0
    if end > 3 and part[-2].key in _openers(language):
        lost += _BEGUN
    if end == len(words):
        return lost
    if any(word.key in language.sets["clauses"] for word in part[3:]):
        lost += _WENT_ON
    if border >= 4 and _is_half(words, language):
        lost += _HALF
    if _acts_twice(part, language):
        lost += _BEGUN
    return lost + (_QUOTED if part[-1].quoted and words[end].quoted else 0.0)


def _trimmed(words: Words, language: Language) -> Cut | None:
    """As much as there is room for, when no end is a good one."""
    part = words[:SEEN_WORDS]
    while part and (spaced_length(part) > MAX_WORDS or len(said(part)) > MAX_CHARS):
        part = part[:-1]
    while len(part) > 1 and (part[-1].key in language.never_last or part[-1].glued):
        part = part[:-1]
    return Cut(-20.0, part) if part else None


def _may_end(words: Words, end: int, language: Language) -> bool:
    word = words[end - 1]
    if end > 1 and word.text[0].isupper() and word.text != "I":
        return True  # a name: "tiếng Anh", "the US"
    if word.pause and word.pause != GAP and word.key not in language.never_last:
        return True
    if 1 < end < len(words) and word.key in language.sets["toward"] and words[end].key in language.sets["prepositions"]:
        return True  # entitled to under
    if (
        1 < end < len(words)
        and word.key in language.sets["prepositions"]
        and words[end].key in language.sets["joining"]
    ):
        return True  # zeigt Fehler an und …
    if end == len(words) and word.pause != GAP:
        return word.key not in language.never_last or len(words) == 1
    if end > 1 and f"{words[end - 2].key}_{word.key}" in language.sets["joined"]:
        return True
    return word.key not in language.hanging and word.key not in language.sets["pronouns"]


def _is_half(words: Words, language: Language) -> bool:
    """Whether a clause comes first that is not the main one: "when I start the car …"."""
    sets = language.sets
    begins = words[0].key in (sets["clauses"] - sets["questions"]) | sets["half"]
    return begins and len(words) > 1 and words[1].key not in sets["auxiliaries"]


def _acts_twice(part: Words, language: Language) -> bool:
    """Whether a second thing to do has begun: "check this and tell me"."""
    sets = language.sets
    acting = sets["orders"] | sets["clitics"] | sets["subjects"]
    pairs = pairwise(part[2:])
    return any(word.key in sets["joining"] and following.key in acting for word, following in pairs)


def _openers(language: Language) -> frozenset[str]:
    """Words that begin a clause, and nothing else."""
    return (language.sets["clauses"] | language.sets["relatives"]) - language.sets["prepositions"]


def _border(words: Words, end: int, language: Language) -> float:
    """How well a sentence may be cut before the word at `end`."""
    if end == len(words):
        return _WHOLE_POINTS
    last, following = words[end - 1], words[end]
    sets = language.sets
    if last.pause in (":", ";", "-", GAP):
        return 8.0
    if last.pause == ",":
        return 1.0 if end <= 4 and _is_list(words, end, language) else 7.0
    if end + 1 == len(words) and following.key in language.never_last | sets["prepositions"] | sets["auxiliaries"]:
        return 6.0
    acting = sets["orders"] | sets["clitics"] | sets["subjects"]
    if following.key in sets["joining"] and end + 1 < len(words) and words[end + 1].key in acting:
        return 6.5
    if following.key in sets["until"] and any(word.key in sets["since"] for word in words[max(0, end - 3) : end]):
        return -5.0
    if following.key in sets["toward"] and words[end + 1 : end + 2] and words[end + 1].text[0].isupper():
        return 3.0
    if following.key in sets["pronouns"] and words[end + 1 : end + 2] and words[end + 1].key in sets["auxiliaries"]:
        return 6.0
    if following.key in sets["prepositions"] and words[end + 1 : end + 2] and words[end + 1].text[0].isdigit():
        return 1.5
    return _before(following, words[:end], language, sets)


def _is_list(words: Words, end: int, language: Language) -> bool:
    """Whether the comma here stands in a list: eggs, milk and bread."""
    after = words[end : end + 3]
    return any(word.key in language.sets["joining"] for word in after) or (len(after) > 1 and after[0].pause == ",")


def _before(following: Word, part: Words, language: Language, sets: dict[str, frozenset[str]]) -> float:
    key = following.key
    if key in sets["postposed"]:
        return -8.0
    if key in sets["phrasal"]:
        return -2.0
    if key in sets["joining"]:
        if any(word.key in sets["pairing"] for word in part):
            return -8.0
        return -2.0 if key in sets["choosing"] else 2.0
    if key in sets["tight"]:
        return 0.5 if key in sets["toward"] else -1.0
    if key in sets["subjects"] and len(part) > 2 and (following.text.islower() or language.code != "vi"):
        return 6.0
    if key in sets["clauses"]:
        return 5.0
    if key in sets["relatives"]:
        return 3.0
    if key in sets["clitics"]:
        return 3.0
    if key in sets["prepositions"]:
        return 4.0
    if key in sets["pairing"]:
        return 2.0
    if key in sets["auxiliaries"]:
        return 1.0
    if key in sets["articles"] or key in sets["possessives"]:
        return -1.5
    if language.code == "ar" and key.startswith("و") and len(key) > 3 and key not in sets["particles"]:
        return 5.0
    return -3.5


def _inside_clauses(words: Words, language: Language) -> list[bool]:
    """For each word that may be in a title, whether the clause it is in has not come to its verb yet."""
    seen = words[:SEEN_WORDS]
    if not language.verb_last:
        return [False] * len(seen)
    inside: list[bool] = []
    opening = language.sets["clauses"] | language.sets["relatives"] | language.sets["articles"] | {"um"}
    is_open = False
    for before, word in pairwise((None, *seen)):
        if word is None:
            continue
        if before and before.pause:
            is_open = word.key in opening
        inside.append(is_open and not word.pause)
    if inside and len(seen) == len(words) and not words[-1].pause:
        inside[-1] = False
    return inside
