"""Characters: what may not be in a title, and which writing a text is in."""

from __future__ import annotations

import re

GAP = "\ufffc"
"""Stands where something was taken out of a text."""
KEPT = "\ue000"
"""Stands before a name that was marked as code: its letters stay as they are."""

_ESCAPES = re.compile(
    "\x1b\\][^\x07\x1b\n]{0,500}(?:\x07|\x1b\\\\)|[\x1b]\\[[0-9;?]{0,30}[ -/]?[@-~]|\x9b[0-9;?]{0,30}[@-~]"
)
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SPACES = re.compile("[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\x1c-\x1f]")
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\ufff0-\uffff\U000e0000-\U000e0fff]"
)
"""Printed, as far as Unicode goes, but not to be seen; and what stands for things taken out."""
_PICTURES = re.compile(
    "[#*0-9]?\u20e3|[\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u2500-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d"
    "\u3297\u3299\U0001f000-\U0001faff\ufffc\ufffd]+"
)
_ARROWS = re.compile("[\u2190-\u21ff\u27f0-\u27ff]|[-=]>")
_HIGH_MARKS = re.compile("([\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u1ab0-\u1aff\u20d0-\u20f0]{2})[\u0300-\u036f]+")

_WIDE = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_SOUTHEAST = "\u0e01-\u0e4e\u0e80-\u0eff\u1000-\u109f\u1780-\u17d3"
UNSPACED_CHAR = re.compile(f"[{_WIDE}{_SOUTHEAST}]")
_LATIN_WORD = re.compile("[A-Za-zÀ-ɏ0-9][\\w.+#'’-]*", re.ASCII)
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_SOUTHEAST_CHAR = re.compile(f"[{_SOUTHEAST}]")


def cleaned(text: str) -> str:
    """`text` with plain line ends and spaces, and without what has no place in a title: controls, pictures, marks."""
    if "\x1b" in text or "\x9b" in text:
        text = _ESCAPES.sub("", text)
    text = _SPACES.sub(" ", _LINE_ENDS.sub("\n", text))
    text = text.translate(
        {ord(char): _unprinted(char) for char in set(text) if char != "\n" and not char.isprintable()}
    )
    if text.isascii():
        return text
    text = _PICTURES.sub(" ", _ARROWS.sub(" – ", _UNSEEN.sub("", text)))
    return _HIGH_MARKS.sub(r"\1", text)


def _unprinted(char: str) -> str:
    """What stands for a character that is not printed: nothing, or a space where there was half a picture."""
    return " " if "\ud800" <= char <= "\uf8ff" or char >= "\U000f0000" else ""


def is_unspaced(text: str) -> bool:
    """Whether a text is mostly in a writing without spaces between words."""
    if text.isascii():
        return False
    wide = len(UNSPACED_CHAR.findall(text))
    return wide > 0 and wide >= len(_LATIN_WORD.findall(text))


def writing_of(text: str) -> str:
    """Which writing without spaces a text is in: ja, zh, or th for those of Southeast Asia."""
    if _KANA.search(text):
        return "ja"
    return "th" if _SOUTHEAST_CHAR.search(text) else "zh"
