"""Prose in a writing with spaces, cut into sentences and words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hermes_tui.sessions.titles.characters import GAP, KEPT
from hermes_tui.sessions.titles.languages import Language, folded, straight
from hermes_tui.sessions.titles.phrases import words

WORD_CHARS = 40
"""Longer words are left out."""

LINE_CHARS = 1_500
"""So much of a line is looked at; a word that is cut there is far from any title."""

QUOTED_AFTER_WORDS = 3
"""What is quoted after so many words and a colon is set aside."""

_QUOTED = re.compile(r":\s{0,3}(?=[\"“„«»「『])")
_WIDE_MARKS = re.compile(r"([。！？，；：、،؛؟])(?=\S)")
_DASHES = re.compile(r"(?<=[^\W\d])(?:—|–)(?=[^\W\d])|(?<=\s)-{1,3}(?=\s\D)|—|(?<=\s)–(?=\s)")
_DOTS = re.compile(r"\.{2,}|…")
_COMMA = re.compile(r"(?<=[^\W\d]),(?=[^\W\d])")
_BRACKETED = re.compile(r"\s\([^()\n]{0,300}\)|\s\[[^\[\]\n]{0,300}\](?!\()")
_PIECE = re.compile(r"\S+")
_OPENING = "\"'“”„‚‘’«»‹›「」『』《》〈〉([{<*_~#|¿¡`,;:!?.…。，、；：！？،؛؟–—-+=/^"
_CLOSING = "\"'“”„‚‘’«»‹›「」『』《》〈〉)]}>*_~|`,;:!?.…。，、；：！？،؛؟–—-=/\\^#"
_STOPS = frozenset(".!?。！？؟…")
_PAUSES = {",": ",", "，": ",", "،": ",", "、": ",", ";": ";", "；": ";", "؛": ";", ":": ":", "：": ":"}
_ODD = re.compile(r"[<>{}|\\=\"“”„«»()\[\]*`~#](?<![CF]#)|[!?;].")
_MARKUP = re.compile(r"[<>{}|\\`*\"\[\]]")
_ABBREVIATIONS = words(
    """
    mr mrs ms dr prof st vs etc e.g i.e eg ie approx no nr z.b zb d.h u.a bzw ca evtl ggf usw inkl str hr fr sr
    sra srta p.ej ej av m mme mlle т.е т.д т.п т.к г ул им напр см тыс руб тел p.s jan feb aug sept sep oct nov
    dec inc ltd co corp jr fig vol tp ths ts st abs art mind max min tel
    """
)
_NUMBER = re.compile(r"\d{1,2}")
_AND = "و"
"""Written together with the word that follows it."""
_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»"}
_OPERATORS = frozenset("+-=×÷−")
_TERM = re.compile(r"[\w.^]{0,12}\d[\w.^]{0,12}|[a-zA-Z]", re.ASCII)
_ELISION = re.compile(r"(qu|quelqu|jusqu|lorsqu|puisqu|[dljmtsnc])['’](?=\w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence."""

    text: str
    key: str
    """As it is compared."""
    pause: str = ""
    """What follows it: a comma, colon, semicolon, dash, or `GAP` for something that was taken out."""
    kept: bool = False
    """Whether its letters stay as they are."""
    glued: bool = False
    """Whether the next word follows without a space."""
    quoted: bool = False
    """Whether it stands among others in quotation marks."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of a sentence."""

    words: tuple[Word, ...]
    end: str
    """The mark that ends it; empty at the end of a line."""
    quotes: bool = False
    """Whether it is but a word or two before something that is quoted."""


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a line; the keys of their words are in small letters."""
    spaced = _DOTS.sub(" … ", text) if "..." in text or "…" in text or ".." in text else text
    if not spaced.isascii():
        spaced = _WIDE_MARKS.sub(r"\1 ", spaced)
    spaced = _COMMA.sub(", ", spaced) if "," in spaced else spaced
    if "(" in spaced or "[" in spaced:
        spaced = _BRACKETED.sub(" ", spaced)
    quoted = _QUOTED.search(spaced)
    if quoted and len(spaced[: quoted.start()].split()) >= QUOTED_AFTER_WORDS:
        spaced, quoted = spaced[: quoted.end()], None
    spaced = _DASHES.sub(" – ", spaced).replace(GAP, f" {GAP} ")
    words: list[Word] = []
    pieces = _PIECE.findall(spaced[:LINE_CHARS])
    quoting = ""
    for index, piece in enumerate(pieces):
        following = pieces[index + 1] if index + 1 < len(pieces) else ""
        word, stop = _operator(piece, words, following) or _word(piece, following)
        quoting = quoting or _QUOTES.get(piece[0], "")
        if word:
            words.append(replace(word, quoted=True) if quoting else word)
        elif words and (mark := _pause_of(piece)):
            words[-1] = replace(words[-1], pause=mark if words[-1].pause in ("", ",") else words[-1].pause)
        if quoting and quoting in piece[1:]:
            quoting = ""
        if stop and words:
            yield Sentence(tuple(words), stop, quoted is not None)
            words = []
    if words:
        yield Sentence(tuple(words), "", quoted is not None)


def rekeyed(words: tuple[Word, ...], language: Language) -> tuple[Word, ...]:
    """Words as that language compares them; where an apostrophe ends a word there, cut at it."""
    if language.elided:
        words = tuple(part for word in words for part in _elided(word))
    frames = language.phrases["frames"]
    keyed = (replace(word, key=folded(word.text, language.code)) for word in words)
    if language.code != "ar":
        return tuple(keyed)
    joined = ((word, word.key.startswith(_AND) and word.key[1:] in frames) for word in keyed)
    return tuple(replace(word, key=word.key[1:]) if is_joined else word for word, is_joined in joined)


def _operator(piece: str, words: Sequence[Word], following: str) -> tuple[Word, str] | None:
    """A plus or the like between numbers or the letters of a formula."""
    if piece not in _OPERATORS or not words or not _TERM.fullmatch(words[-1].text):
        return None
    return (Word(piece, piece), "") if _TERM.fullmatch(following.rstrip(".,;:?!")) else None


def _elided(word: Word) -> Iterator[Word]:
    cut = _ELISION.match(word.text)
    if not cut or word.kept:
        yield word
        return
    yield Word(cut[0], "", glued=True)
    yield from _elided(replace(word, text=word.text[cut.end() :]))


def _pause_of(piece: str) -> str:
    """What a piece that is no word says about the word before it."""
    if GAP in piece:
        return GAP
    for char in piece:
        if char in _PAUSES:
            return _PAUSES[char]
    return "-" if piece[0] in "–—-…•·/|" else ""


def _word(piece: str, following: str) -> tuple[Word | None, str]:
    """The word in a piece between spaces, and the mark that ends a sentence with it."""
    if piece == GAP:
        return None, ""
    if piece == "…":
        return None, "…" if following[:1].isupper() else ""
    kept = piece.lstrip(_OPENING).startswith(KEPT)
    bare = piece.replace(KEPT, "")
    core = bare.rstrip(_CLOSING)
    tail = bare[len(core) :]
    core = _opened(core, kept)
    core, tail = _refined(core, tail, kept, following)
    if not core or not any(map(str.isalnum, core)):
        return (Word("&", "&"), "") if bare == "&" else (None, _stop(tail or bare, "", following))
    if len(core) > WORD_CHARS or (_MARKUP if kept else _ODD).search(core):
        return _salvaged(core, tail, following)
    mark = next((_PAUSES[char] for char in tail if char in _PAUSES), "-" if tail[-1:] in ("–", "—") else "")
    return Word(core, straight(core), mark, kept), _stop(tail, core, following)


def _salvaged(core: str, tail: str, following: str) -> tuple[Word | None, str]:
    """What remains of a piece that is no plain word: `print(x)` is print."""
    call = re.match(r"([A-Za-z_][\w.]{1,30})\(", core, re.ASCII)
    stop = _stop(tail, core, following)
    if call:
        return Word(call[1], straight(call[1]), "", kept=True), stop
    return None, stop


def _opened(core: str, kept: bool) -> str:
    """A word without what stands before it; `.env`, `-v` and `__init__` keep their beginnings."""
    if kept:
        return core
    bare = core.lstrip(_OPENING)
    before = core[: len(core) - len(bare)]
    if before.endswith(".") and bare[:1].isalpha():
        return f".{bare}"
    if before in ("-", "--") and bare[:1].isalpha() and bare.isascii():
        return before + bare
    if before.endswith("__"):
        return f"__{bare}"
    return f"-{bare}" if before == "-" and bare[:1].isdigit() else bare


def _refined(core: str, tail: str, kept: bool, following: str) -> tuple[str, str]:
    """Give back to a word the marks that belong to it: C#, __init__, C++."""
    if tail.startswith("#") and core in ("C", "F", "c", "f"):
        return core + "#", tail[1:]
    if tail.startswith("__") and core.startswith("__"):
        return core + "__", tail[2:]
    if core.endswith("+") and not re.search(r"[A-Za-z0-9]\+{1,2}\Z", core):
        return core.rstrip("+"), tail
    if tail == "." and _NUMBER.fullmatch(core) and following and not following[:1].isdigit():
        return f"{core}.", ""  # 3. März
    if kept and tail.startswith("_"):
        return core + "_", tail[1:]
    return core, tail


def _stop(tail: str, core: str, following: str) -> str:
    """The mark in `tail` that ends a sentence, if it does."""
    stops = [char for char in tail if char in _STOPS]
    if not stops:
        return ""
    mark = "?" if any(char in "?？؟" for char in stops) else stops[0]
    if mark != "." or not following:
        return mark
    key = core.lower()
    if key in _ABBREVIATIONS or (len(core) == 1 and core.isalpha() and core.isupper()):
        return ""
    return mark if not following[:1].islower() or len(core) > 3 else ""
