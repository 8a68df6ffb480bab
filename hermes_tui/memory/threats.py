"""The threat scan: what the agent would refuse to remember, where it stands, and why."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from hermes_tui.memory.threat_finders import Span, fold
from hermes_tui.memory.threat_patterns import CLASSES

AgentLine = Literal["0.19", "0.22"]
"""The two lines of the agent whose scans differ."""

SCANNED_CHARS = 65_536
"""The agent looks no further into a text than this."""

INVISIBLE_CODE_POINTS = (
    *(0x200B, 0x200C, 0x200D, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2060),
    *(0x2062, 0x2063, 0x2064, 0x2066, 0x2067, 0x2068, 0x2069, 0xFEFF),
)
"""The code points that block a text by being in it."""

_INVISIBLE = re.compile(f"[{''.join(map(chr, INVISIBLE_CODE_POINTS))}]")
_INVISIBLE_PREFIX = "invisible_unicode_U+"
_INVISIBLE_IDS = {chr(point): f"{_INVISIBLE_PREFIX}{point:04X}" for point in INVISIBLE_CODE_POINTS}
_JOINERS = frozenset("\u200c\u200d")
_INDIC = frozenset(
    ("DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA")
)
_CLASS_WORDS = {threat.id: threat.words for threat in CLASSES}

Setting = Literal["", "emoji", "arabic", "indic"]
"""Where an invisible joiner is at home: between emoji, in Arabic script (Persian, Urdu), in an Indic script."""


class Finding(NamedTuple):
    """One reason the agent would block a text."""

    id: str
    """The agent's id of the class, such as `ssh_access` or `invisible_unicode_U+200D`."""
    start: int
    """Offset of the match in the scanned text, in code points from 0."""
    end: int
    text: str
    """The matched text as it stands in the entry."""
    newer_pass: bool = False
    """True where the 0.22 line of the agent narrowed the class and lets this text through."""
    newer_only: bool = False
    """True where only the 0.22 line blocks this text (it also looks across line breaks in one class)."""
    setting: Setting = ""
    """Where a joiner is part of ordinary writing."""

    @property
    def invisible(self) -> str:
        """The invisible character this is about; empty for a finding of another kind."""
        return chr(int(self.id[len(_INVISIBLE_PREFIX) :], 16)) if self.id.startswith(_INVISIBLE_PREFIX) else ""

    @property
    def explanation(self) -> str:
        """What was found at which character (counted from 1) and what the agent does about it, for people."""
        if char := self.invisible:
            name = unicodedata.name(char, "unnamed").lower()
            what = f"U+{ord(char):04X} ({name}), which cannot be seen{_AT_HOME[self.setting]}"
        else:
            what = f"this {_CLASS_WORDS[self.id]}" if self.id in _CLASS_WORDS else self.id
        lines = ""
        if self.newer_pass:
            lines = "; agents of the 0.22 line let this pass"
        elif self.newer_only:
            lines = "; agents of the 0.19 line let this pass"
        return f"At character {self.start + 1:,}: {what}. The agent hides a blocked entry from the model{lines}."

    @property
    def rewrite_note(self) -> str:
        """What following `suggest_rewrite` changes for the reader."""
        return _REWRITE_NOTES[self.setting] if self.invisible else "Says the same in words that the agent accepts."

    def blocks(self, line: AgentLine) -> bool:
        """Whether agents of this line block the text for this reason."""
        return not (self.newer_only if line == "0.19" else self.newer_pass)


_AT_HOME: dict[Setting, str] = {
    "": "",
    "emoji": "; it joins emoji into one picture, and is harmless there",
    "arabic": "; it is part of ordinary spelling in Persian and other languages in Arabic script",
    "indic": "; it is part of ordinary spelling in Hindi and other languages in Indic scripts",
}
_REWRITE_NOTES: dict[Setting, str] = {
    "": "Removes the code point; nothing else changes.",
    "emoji": "Removes the joiner; the emoji falls apart into the ones it is made of.",
    "arabic": "Removes the joiner; the letters on both sides of it connect.",
    "indic": "Removes the joiner; the letters on both sides of it take another shape.",
}


def scan(text: str) -> tuple[Finding, ...]:
    """Why the agent would block `text`: invisible code points first, then classes in the agent's order.

    Every place of an invisible code point is a finding; a class is one finding, at its first match.
    """
    if len(text) > SCANNED_CHARS:
        text = text[:SCANNED_CHARS]
    if text.isascii():
        norm = text
        findings: list[Finding] = []
    else:
        norm = unicodedata.normalize("NFKC", text)
        findings = list(_invisible(text))
    low = fold(norm)
    matches: list[tuple[str, Span, bool, bool]] = []
    for threat in CLASSES:
        for word in threat.any_of:
            if word in low:
                break
        else:
            continue
        span = threat.find(low, norm)
        if threat.find_newer is None:
            if span:
                matches.append((threat.id, span, False, False))
        elif newer := threat.find_newer(low, norm):
            matches.append((threat.id, newer, False, span is None))
        elif span:
            matches.append((threat.id, span, True, False))
    if matches:
        place = _identity if norm == text else _Origin(text, max(span[1] for _, span, _, _ in matches)).place
        for id_, span, newer_pass, newer_only in matches:
            start, end = place(span)
            findings.append(Finding(id_, start, end, text[start:end], newer_pass, newer_only))
    return tuple(findings)


def blocking_ids(findings: Iterable[Finding], line: AgentLine | None = None) -> list[str]:
    """The ids in `findings`, each once, in order; of one line of the agent, or of either."""
    return list(dict.fromkeys(f.id for f in findings if line is None or f.blocks(line)))


def first_threat_message(findings: Iterable[Finding]) -> str:
    """The agent's words when it refuses a text, which name the first finding only; empty without one."""
    for finding in findings:
        if char := finding.invisible:
            return f"Blocked: content contains invisible unicode character U+{ord(char):04X} (possible injection)."
        return (
            f"Blocked: content matches threat pattern '{finding.id}'. Content is injected into the system prompt "
            "and must not contain injection or exfiltration payloads."
        )
    return ""


_REWRITES: dict[str, tuple[str, str]] = {
    # The braces mean the same to a shell and to a reader.
    "ssh_access": (r"(?:~|\$HOME)(?=/\.ssh)", "${HOME}"),
    "hermes_env": (r"(?:~|\$HOME)(?=/\.hermes/\.env)", "${HOME}"),
    "c2_heartbeat": (r"(?i)check[-\s]?in(?=\s+with\s)", "touch base"),
    "c2_task_pull": (r"(?i)pull(?:\s+down)?(?=\s+(?:new\s+)?task)", "fetch"),
    "c2_network_connect": (r"(?i)(?<=connect\sto)\s+the(?=\s+network)", ""),
    "c2_explicit_long": (r"(?i)(?<=command\s)and(?=\scontrol)", "&"),
    "send_to_url": (r"(?i)(?<=\s)https?://\S*[^\s.,;:!?)]", r"<\g<0>>"),
}


def suggest_rewrite(text: str, finding: Finding) -> str | None:
    """`text` with the same meaning and without findings of this class and without new ones; None if unknown."""
    if char := finding.invisible:
        result = text.replace(char, "")
    elif rule := _REWRITES.get(finding.id):
        pattern, replacement = rule

        def put(match: re.Match[str]) -> str:
            new = match.expand(replacement)
            return new[:1].upper() + new[1:] if match[0][:1].isupper() else new

        result = re.sub(pattern, put, text)
    else:
        return None
    left = set(blocking_ids(scan(result)))
    if not result.strip() or finding.id in left or not left <= set(blocking_ids(scan(text))):
        return None
    return result


def _invisible(text: str) -> Iterator[Finding]:
    """Each invisible code point, by code point and then by place."""
    places = [match.start() for match in _INVISIBLE.finditer(text)]
    if len(set(map(text.__getitem__, places))) > 1:
        places.sort(key=text.__getitem__)
    for start in places:
        char = text[start]
        setting = _setting(text[start - 1 : start], text[start + 1 : start + 2]) if char in _JOINERS else ""
        yield Finding(_INVISIBLE_IDS[char], start, start + 1, char, setting=setting)


@lru_cache(maxsize=4096)
def _setting(before: str, after: str) -> Setting:
    """What the characters on both sides make of a joiner."""
    left, right = _kind(before), _kind(after)
    if left == right == "emoji":
        return "emoji"
    if left == "ARABIC":
        return "arabic"
    return "indic" if left in _INDIC else ""


def _kind(char: str) -> str:
    """`emoji`, or the first word of the character's name, which for letters is the script."""
    if not char:
        return ""
    if unicodedata.category(char) in ("So", "Sm") or char == "\ufe0f" or "\U0001f3fb" <= char <= "\U0001f3ff":
        return "emoji"
    return unicodedata.name(char, "").partition(" ")[0]


def _identity(span: Span) -> Span:
    return span


class _Origin:
    """Where pieces of the NFKC form of a text come from in the text, up to an offset in the form.

    The text falls into clusters that normalise independently of each other.
    """

    def __init__(self, text: str, norm_stop: int) -> None:
        self._text_starts = [0]
        self._norm_starts = [0]
        start = norm_length = 0
        for place, char in enumerate(text):
            if place == start or (char > "\x7f" and _joins(text[max(start, place - _REACH) : place], char)):
                continue
            norm_length += len(unicodedata.normalize("NFKC", text[start:place]))
            start = place
            self._text_starts.append(start)
            self._norm_starts.append(norm_length)
            if norm_length >= norm_stop:
                return
        self._text_starts.append(len(text))
        self._norm_starts.append(norm_length + len(unicodedata.normalize("NFKC", text[start:])))

    def place(self, span: Span) -> Span:
        """The stretch of the text that a stretch of its NFKC form comes from, whole clusters."""
        first = bisect_right(self._norm_starts, span[0]) - 1
        after = bisect_left(self._norm_starts, span[1])
        return self._text_starts[first], self._text_starts[after]


_REACH = 8
"""No character composes with one further back than this; it keeps long runs of combining marks cheap."""


@lru_cache(maxsize=4096)
def _joins(before: str, char: str) -> bool:
    """Whether `char` changes how the cluster `before` normalises when it follows."""
    first = unicodedata.normalize("NFKD", char)[0]
    if first < "\x80":
        return False
    if unicodedata.combining(first):
        return True
    together = unicodedata.normalize("NFKC", before + char)
    return together != unicodedata.normalize("NFKC", before) + unicodedata.normalize("NFKC", char)
