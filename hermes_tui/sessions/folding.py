"""Text as the search indexes see it: case and accents folded, cut into words, writing systems told apart."""

from __future__ import annotations

import re
import unicodedata

MARKS = "\u0300-\u0304\u0306-\u030c\u030f\u0311\u031b\u0323-\u0328\u032d\u032e\u0330\u0331"
"""Accents that stand by themselves, as far as the index looks through them."""

_APOSTROPHES = dict.fromkeys(map(ord, "’‘＇`´"), "'")


class _Folding(dict[int, str]):
    """The folded form of each character, worked out when it is first met; always one character."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        lower = folded if char.isalpha() and len(folded := char.casefold()) == 1 else char.lower()
        base = unicodedata.normalize("NFD", lower)
        # The index takes one accent off Latin letters and leaves all others as they are: й is not и, ộ is not o.
        bare = len(base) == 2 and base[0].isascii() and "\u0300" <= base[1] <= "\u036f"
        self[code] = base[0] if bare else lower if len(lower) == 1 else char
        return self[code]


_FOLDING = _Folding(_APOSTROPHES)


def fold(text: str) -> str:
    """`text` in lower case without accents; every character stays in its place."""
    return text.lower() if text.isascii() else text.translate(_FOLDING)


_CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7af\ud7b0-\ud7ff\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_UNSPACED = re.compile(f"[{_CJK}\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_CJK_CHAR = re.compile(f"[{_CJK}]")


def is_cjk(char: str) -> bool:
    """Whether it is a Chinese, Japanese or Korean character."""
    return _CJK_CHAR.match(char) is not None


def unspaced(text: str) -> bool:
    """Whether a text has characters of a script without spaces between words, or with endings glued to them."""
    return not text.isascii() and _UNSPACED.search(text) is not None


_SYMBOLS = "\u20a0-\u20cf\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
_GLUED = re.compile(f"[^\\W_][{_SYMBOLS}]|[{_SYMBOLS}][^\\W_]")


def glued(text: str) -> bool:
    """Whether a symbol touches a word: the index takes those that are younger than itself for letters of the word."""
    return not text.isascii() and _GLUED.search(text) is not None


WORD = re.compile(f"[^\\W_](?:[^\\W_]|[{MARKS}])*")
"""A word as the index cuts it: letters and digits; everything else stands between words."""


def words(text: str) -> list[str]:
    """The words of a text, folded."""
    return [re.sub(f"[{MARKS}]", "", word) for word in WORD.findall(fold(text))]
