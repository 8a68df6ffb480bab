"""Writing characters that an editor cannot hold: each stands as ⟨U+001B⟩ and comes back exact. Pure."""

from __future__ import annotations

import re

from hermes_tui.text import visible, visible_map

_WRITTEN = re.compile(r"⟨U\+([0-9A-F]{4,6})⟩")
_LITERAL = re.compile(r"⟨(?=U\+[0-9A-F]{4,6}⟩)")


def written(text: str) -> str:
    """`text` with every hidden or harmful character spelled out; `spoken` is the way back.

    Text that happens to look like the notation is spelled out too, so that nothing is ambiguous.
    """
    text = _LITERAL.sub(lambda _: _spell("⟨"), text)
    if visible(text, tab_size=1) == text.replace("\t", " "):
        return text
    shown, places = visible_map(text)
    # Tabs stay: an editor draws them itself. Marks beyond a handful are cut when shown, so they are spelled out.
    return "".join(
        char if char == "\t" or shown[places[at] : places[at + 1]] == char else _spell(char)
        for at, char in enumerate(text)
    )


def _spell(char: str) -> str:
    return f"⟨U+{ord(char):04X}⟩"


def spoken(text: str) -> str:
    """The text that `text` in the notation stands for."""
    if "⟨U+" not in text:
        return text
    return _WRITTEN.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return chr(code) if code <= 0x10FFFF else match[0]


def spelled_out(text: str) -> int:
    """How many characters stand spelled out in `text`."""
    return sum(1 for match in _WRITTEN.finditer(text) if int(match[1], 16) <= 0x10FFFF)


def spoken_offset(text: str, offset: int) -> int:
    """The offset in `spoken(text)` of what stands at `offset` of `text`."""
    return len(spoken(text[:offset])) if "⟨U+" in text else offset


def written_offsets(text: str) -> list[int] | None:
    """For each offset of `spoken(text)`, its end included, where it stands in `text`; None when they are equal."""
    if not spelled_out(text):
        return None
    offsets: list[int] = []
    at = 0
    for match in _WRITTEN.finditer(text):
        if int(match[1], 16) <= 0x10FFFF:
            offsets += [*range(at, match.start()), match.start()]
            at = match.end()
    offsets += range(at, len(text) + 1)
    return offsets
