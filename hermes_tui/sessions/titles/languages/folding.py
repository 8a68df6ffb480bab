"""How the words of a language are compared: in small letters, without what people leave out when they type."""

from __future__ import annotations

import re
import unicodedata

_ARABIC_MARKS = re.compile("[\u0640\u064b-\u0652\u0670]")
_ARABIC = str.maketrans("أإآٱىؤ", "اااايو")
_STRAIGHT = str.maketrans("’‘`´ʼ＇", "''''''")
_UNACCENTED = frozenset({"es", "fr"})


def straight(text: str) -> str:
    """`text` in small letters with plain apostrophes."""
    lowered = text.lower()
    return lowered if lowered.isascii() else lowered.translate(_STRAIGHT)


def folded(text: str, code: str) -> str:
    """`text` as words of the language `code` are compared."""
    lowered = straight(text)
    if lowered.isascii():
        return lowered
    if code in _UNACCENTED:
        return "".join(char for char in unicodedata.normalize("NFD", lowered) if not "\u0300" <= char <= "\u036f")
    if code == "ar":
        return _ARABIC_MARKS.sub("", lowered).translate(_ARABIC)
    if code == "ru":
        return lowered.replace("ё", "е")
    return lowered if lowered.isalpha() and code != "vi" else unicodedata.normalize("NFC", lowered)
