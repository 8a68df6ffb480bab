"""Titles in a writing without spaces between words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hermes_tui.sessions.titles.characters import GAP, KEPT, UNSPACED_CHAR, writing_of
from hermes_tui.sessions.titles.languages.chinese import CHINESE, TO_SIMPLIFIED
from hermes_tui.sessions.titles.languages.japanese import JAPANESE
from hermes_tui.sessions.titles.languages.thai import THAI
from hermes_tui.sessions.titles.languages.unspaced import Unspaced

MIN_UNITS = 4
MAIN_UNITS = 8
"""A main clause from this length on says enough by itself."""
SHORT_UNITS = 6
"""A clause below this takes the next one along, if both have room."""
MAX_CHARS = 60
ROUNDS = 10
ENDING_CHARS = 60
"""What is dropped from the end of a clause is not longer."""
CLAUSE_CHARS = 400
"""So much of a clause is looked at."""

_LANGUAGES = {"zh": CHINESE, "ja": JAPANESE, "th": THAI}
_STOPS = re.compile(r"[。！？!?…؟]+|\.(?=\s|\Z)|\n+")
_UNIT = re.compile(r"[A-Za-zÀ-ɏ0-9][A-Za-zÀ-ɏ0-9_.+#'’/@%-]*|\S")
_MARK = re.compile(
    r"[\u0300-\u036f\u3099\u309a\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u102b-\u103e\u17b4-\u17d3\u200d\ufe00-\ufe0f]"
)
_NOT_FIRST = frozenset(
    "、。，．・：；？！…）］｝〕〉》」』】’”ー々〜ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮんン,.;:!?)]}%ๆฯ"
)
_EDGE = " \t\"'“”„‘’«»`*_~#|>、。，．・：；？！…,.;:!?-–—=/\\（）()［］[]【】{}" + GAP
_PAIRS = {
    "「": "」",
    "『": "』",
    "《": "》",
    "〈": "〉",
    "（": "）",
    "(": ")",
    "[": "]",
    "【": "】",
    "“": "”",
    "‘": "’",
}
_BRACKETED = re.compile(r"（[^（）\n]{0,200}）|\([^()\n]{0,200}\)|【[^【】\n]{0,60}】")
_PARTICLES = re.compile(r"(?<=..)(?:は|を|へ|が)\Z")
_UNDONE = re.compile(r"[がを][^\u3041-\u3096]+\Z")
"""What is done to something is still to come."""
_COUNTED = re.compile(r"一(?:个|個|份|篇|段|首|款|套|些|种|種|下|点|张|封)")
_LEFT = re.compile(r"(?:で|に|へ|から|まで|より|と)\Z")
"""A verb belongs after it."""
_PLEASE = re.compile(
    r"(?:ください|下さい|くれますか|くれませんか|もらえますか|いただけますか|ほしいです|欲しいです|くれる"
    r"|ほしい)[。、！？!?\s]*\Z"
)
_ODD = re.compile(r"[<>{}|\\^*~=`]|(?<![CF])#")
_QUOTED = re.compile(r"[：:]\s*[“\"「『《].*")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause without what is said around the matter of it."""

    text: str
    asked: bool
    told: bool
    troubled: bool
    said: bool
    """Whether it is about anything."""


def clauses(text: str, writing: str = "") -> Iterator[Clause]:
    """The clauses of a line.

    Args:
        text: a line.
        writing: which one it is in, if that is known from other lines.
    """
    language = _LANGUAGES[writing or writing_of(text)]
    bare = _BRACKETED.sub("", _QUOTED.sub("", text.replace(KEPT, "")))
    for sentence, mark in _sentences(bare):
        yield from _clauses(sentence, "?" in mark or "？" in mark, language)


def title_of(clause: str) -> str:
    """A clause, cut where it may be cut."""
    language = _LANGUAGES[writing_of(clause)]
    text = _balanced(clause.strip(_EDGE))
    text = _PARTICLES.sub("", text) if language is JAPANESE else text
    other = language.goes_on.search(_compared(text, language), SHORT_UNITS)
    text = text[: other.start()] if other else text
    if _fits(text, language):
        return text
    if language is CHINESE and _fits(shorter := _COUNTED.sub("", text, count=1), language):
        return shorter
    for turn in language.turn.finditer(text):
        main = text[turn.end() :].strip(_EDGE)
        if MAIN_UNITS <= units(main) <= language.units and main[0] not in "のはがをにもとへ":
            return _balanced(main)
    reach = range(1, min(len(text), MAX_CHARS + 1))
    ends = [(points, end) for end in reach if (points := _points(text, end, language)) is not None]
    for _, end in sorted(ends, reverse=True)[:8]:
        cut = _balanced(_unhung(text[:end], language))
        if cut and units(cut) >= MIN_UNITS:
            return cut
    whole = [end for _, end in sorted(ends, key=lambda pair: -pair[1])]
    return _balanced(text[: whole[0]].strip(_EDGE)) if whole else ""


def units(text: str) -> int:
    """How long a text is to the eye."""
    return sum(_size(piece) for piece in _UNIT.findall(text))


def _size(piece: str) -> int:
    if piece.isascii() and piece[0].isalnum():
        return 2
    return 0 if _MARK.match(piece) else 1


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    done = 0
    for stop in _STOPS.finditer(text):
        yield text[done : stop.start()], stop[0]
        done = stop.end()
    yield text[done:], ""


def _clauses(sentence: str, asks: bool, language: Unspaced) -> Iterator[Clause]:
    """The clauses of a sentence, short ones joined with what follows them."""
    parts = re.split(f"([{language.splits}{GAP}]|、(?<=[がどでてらはす]、))", sentence)
    pieces = [(piece, mark) for piece, mark in zip(parts[::2], [*parts[1::2], ""], strict=True) if piece.strip()]
    waiting: Clause | None = None
    for index, (piece, mark) in enumerate(pieces):
        clause = _peeled(piece, language, asks and index == len(pieces) - 1)
        if clause is None:
            continue
        if mark == GAP and not clause.asked:
            clause = replace(clause, told=True)
        if waiting is not None and (joined := _joined(waiting, clause)):
            yield joined
            waiting = None
            continue
        if waiting is not None:
            yield waiting
        waiting = clause if clause.said and units(clause.text) < SHORT_UNITS else None
        if waiting is None:
            yield clause
    if waiting is not None:
        yield waiting


def _joined(first: Clause, second: Clause) -> Clause | None:
    text = f"{first.text}，{second.text}"
    if not second.said or first.told or units(text) > CHINESE.units or _LANGUAGES[writing_of(text)] is not CHINESE:
        return None
    return Clause(text, first.asked or second.asked, False, first.troubled or second.troubled, True)


def _peeled(piece: str, language: Unspaced, asks: bool) -> Clause | None:
    text = piece.strip(_EDGE)[:CLAUSE_CHARS]
    told = language.tells.match(_compared(text, language)) is not None or language.tells_at_end.search(text) is not None
    leads_on = language.leads_on.search(text) is not None
    asked = asks
    for _ in range(ROUNDS):
        shorter, asking = _without_end(*_without_start(text, language), language)
        asked |= asking
        if shorter == text:
            break
        text = shorter
    if not text:
        return None
    compared = _compared(text, language)
    asked = asked or language.question.search(compared) is not None
    left = language.nothing.sub("", compared)
    return Clause(
        text,
        asked=asked,
        told=(told or leads_on) and not asked,
        troubled=not leads_on and language.troubled.search(compared) is not None,
        said=re.search(r"\w", left) is not None and len(re.findall(r"\w", text)) >= 2,
    )


def _compared(text: str, language: Unspaced) -> str:
    return text.translate(TO_SIMPLIFIED) if language is CHINESE else text


def _without_start(text: str, language: Unspaced) -> tuple[str, bool]:
    found = language.opening.match(_compared(text, language))
    if not found or not found.end():
        return text, False
    rest = text[found.end() :].strip(_EDGE)
    if 0 < len(rest) < 3 and found[1]:
        return text, True
    return rest, found[1] is not None


def _without_end(text: str, asking: bool, language: Unspaced) -> tuple[str, bool]:
    found = language.ending.search(_compared(text, language), max(0, len(text) - ENDING_CHARS))
    if not found or found.start() == found.end():
        return text, asking
    rest = text[: found.start()].strip(_EDGE)
    if language is JAPANESE and (_LEFT.search(rest) or (found[1] and language.turn.search(rest))):
        rest = _PLEASE.sub("", text).strip(_EDGE) or rest
    if not rest and found[1]:
        return ("", True) if len(text) > 12 or not re.search(r"[A-Za-z\u4e00-\u9fff]{4}", text) else (text, True)
    return rest, asking or found[1] is not None


def _fits(text: str, language: Unspaced) -> bool:
    return units(text) <= language.units and len(text) <= MAX_CHARS


def _points(text: str, end: int, language: Unspaced) -> float | None:
    """How well a text may be cut at `end`; None where it may not."""
    if not _is_border(text, end) or not _fits(text[:end], language):
        return None
    length = units(text[:end])
    if length < 2 or _cuts_known_word(text, end, language):
        return None
    points = min(length, 12) * 0.5 + (1.0 if length > 12 else 0.0)
    before, after = text[:end], text[end:]
    named = (
        " " in (text[end - 1], text[end]) and _is_latin(text[end - 2]) and _is_latin(text[end + 1 : end + 2] or "。")
    )
    if not named and (text[end - 1] in "，、：；,:; " or text[end] in "，、：；,:; "):
        points += 7
    elif language.starts.match(_compared(after, language)):
        points += 4
    elif language.stops.search(before):
        points += 4 if language.code == "ja" else 2
    elif language.code == "ja":
        points += _border_in_japanese(text, end)
    elif _is_latin(text[end - 1]) != _is_latin(text[end]):
        points += 0.5
    if language.code == "ja" and _UNDONE.search(before) and not after.startswith(("し", "す", "さ", "でき")):
        points -= 5
    if before.endswith(("的", "の")) or (language.code == "ja" and text[end] == "の"):
        points -= 4
    return points


def _border_in_japanese(text: str, end: int) -> float:
    """A word of Chinese characters or Katakana ends here, and "do" or the like follows."""
    denied = re.match(r"\w{0,5}(?:ない|ません)", text[end:])
    if (
        not denied
        and text.startswith(("して", "した", "する", "され", "でき"), end)
        and UNSPACED_CHAR.match(text[end - 1])
    ):
        return 3.0
    if text[end] in "がをはにで" and _kind(text[end - 1]) != "kana":
        return 4.0
    kinds = [_kind(text[end - 1]), _kind(text[end])]
    return -4.0 if kinds[0] == kinds[1] or kinds == ["kanji", "kana"] else -1.0


def _kind(char: str) -> str:
    if "\u3041" <= char <= "\u3096":
        return "kana"
    if "\u30a1" <= char <= "\u30ff":
        return "katakana"
    return "latin" if _is_latin(char) else "kanji"


def _is_latin(char: str) -> bool:
    return char.isalnum() and not UNSPACED_CHAR.match(char)


def _is_border(text: str, end: int) -> bool:
    """Whether neither a word of letters, a number nor a character with its marks is cut at `end`."""
    before, after = text[end - 1], text[end]
    if _MARK.match(after) or after in _NOT_FIRST:
        return False
    glue = "_.+#'’/@%-"
    inside = (_is_latin(before) or before in glue) and (_is_latin(after) or after in glue)
    return not inside and not ("\u0e40" <= before <= "\u0e44")


def _cuts_known_word(text: str, end: int, language: Unspaced) -> bool:
    compared = _compared(text, language)
    for size in (2, 3, 4, 5):
        for start in range(max(0, end - size + 1), end):
            if compared[start : start + size] in language.known:
                return True
    return False


def _unhung(text: str, language: Unspaced) -> str:
    """Without what may not end a title."""
    for _ in range(4):
        text = text.strip(_EDGE)
        hanging = language.hangs.search(_compared(text, language))
        if not hanging or not hanging.start() or _cuts_known_word(text, hanging.start(), language):
            break
        text = text[: hanging.start()]
    return text


def _balanced(text: str) -> str:
    """Without quotation marks and brackets that have lost their other half."""
    for opening, closing in _PAIRS.items():
        if text.count(opening) != text.count(closing):
            text = text.replace(opening, "").replace(closing, "")
    for mark in ('"', "'", "`"):
        text = text.replace(mark, "") if mark != "'" else text
    text = _ODD.sub("", text)
    return re.sub(r"\s{2,}", " ", text).strip(_EDGE.replace("（", "").replace("）", "")) if text else text
