"""The agent's rules for titles: what may stand in one, and which are free."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hermes_tui.errors import Refused
from hermes_tui.sessions.features import Reader
from hermes_tui.sessions.stored import text_of

MAX_TITLE_CHARS = 100
BOT_CHAT = "Bot Chat"
"""A hidden session of this title is found by it, so it must not lose it."""

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_INVISIBLE = re.compile("[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffc\ufff9-\ufffb]")
_HALF = re.compile("[\ud800-\udfff]")
_SPACE = re.compile(r"\s+")
_NUMBERED = re.compile(r"(.*?) #(\d{1,9})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Title:
    """A title as it would be stored."""

    text: str
    """Empty for none."""
    removed: tuple[str, ...]
    """What was taken out of it, in words: `U+200D ZERO WIDTH JOINER`."""


class TitleTaken(Refused):
    """Another session has the title."""

    def __init__(self, title: str, holder: str, offer: str) -> None:
        super().__init__(
            f"The title “{title}” belongs to session {holder}.",
            code="title_taken",
            hint=f"“{offer}” is free.",
        )
        self.holder = holder
        self.offer = offer
        """The next title that is free."""


def clean_title(text: str) -> Title:
    """A title without what the agent takes out of it.

    Raises:
        Refused: it is too long.
    """
    kept = _SPACE.sub(" ", _INVISIBLE.sub("", _CONTROLS.sub("", _HALF.sub("\ufffd", text)))).strip()
    if len(kept) > MAX_TITLE_CHARS:
        raise Refused(
            f"A title has at most {MAX_TITLE_CHARS} characters; this one has {len(kept)}.",
            code="title_too_long",
            hint=f"Take out {len(kept) - MAX_TITLE_CHARS}.",
        )
    gone = dict.fromkeys((*_CONTROLS.findall(text), *_INVISIBLE.findall(text)))
    return Title(kept, tuple(_char_words(char) for char in gone))


def _char_words(char: str) -> str:
    import unicodedata

    return f"U+{ord(char):04X} {unicodedata.name(char, '')}".strip()


def base_of(title: str) -> str:
    """A title without the number that a continuation has."""
    found = _NUMBERED.fullmatch(title)
    return found[1] if found else title


def next_free(base: Reader, title: str) -> str:
    """The next `title #N` after those there are; never longer than a title may be."""
    stem = base_of(title)
    rows = base.rows(
        "SELECT title FROM sessions WHERE title = ? OR (title >= ? AND title < ?)", (stem, f"{stem} #", f"{stem} $")
    )
    numbers = [1]
    for row in rows:
        found = _NUMBERED.fullmatch(text_of(row[0]))
        if found and found[1] == stem:
            numbers.append(int(found[2]))
    ending = f" #{max(numbers) + 1}"
    if len(stem) + len(ending) > MAX_TITLE_CHARS:
        cut = stem[: MAX_TITLE_CHARS - len(ending)].rstrip()
        taken = base.rows("SELECT 1 FROM sessions WHERE title = ?", (cut + ending,))
        return next_free(base, cut) if taken else cut + ending
    return stem + ending
