"""Taking out what is secret, and what only identifies."""

from __future__ import annotations

import re
from itertools import pairwise

from hermes_tui.redaction import find_secrets
from hermes_tui.sessions.titles.characters import GAP
from hermes_tui.sessions.titles.said import said_secrets

ADDRESS_CHARS = 2_000
"""So far back the beginning of an address is looked for."""

_GLUED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-=:/@%+&?#~$*!^|\\")
"""What belongs to a token around a secret, when no space stands between."""

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_ID = re.compile(
    rf"(?<![\w/.-])(?:{_UUID}|0x[0-9a-f]{{4,64}}|(?=[a-f]{{0,40}}[0-9])(?=[0-9]{{0,40}}[a-f])[0-9a-f]{{7,64}}"
    r"|\d{9,40}|(?-i:[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,8}(?: ?[A-Z0-9]{1,4})?)|\d{4}(?:[ -]\d{4}){3})(?![\w-])",
    re.IGNORECASE | re.ASCII,
)
"""UUIDs, addresses, hashes, long numbers, bank accounts, cards."""
_OPAQUE = re.compile(r"[A-Za-z0-9_+/=-]{20,}", re.ASCII)
_MASKED = re.compile(r"\S{6}\.\.\.\S{4}(?!\S)|\*{3,}|«redacted[^»\n]{0,40}»|\[REDACTED[^\]\n]{0,40}\]")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}", re.ASCII)
_PHONE = re.compile(
    r"(?<![\w.])(?:\+\d[\d ().-]{6,20}\d|\(\d{2,5}\) ?\d[\d -]{4,12}\d|\d{3}[-. ]\d{3}[-. ]\d{4}"
    r"|0\d{2,5}[ /-]\d[\d -]{3,12}\d)(?!\w)",
    re.ASCII,
)


def without_secrets(text: str) -> str:
    """`text` with a gap for each secret, and for all that hangs on it."""
    spans: list[tuple[int, int]] = []
    for secret in find_secrets(text):
        at = text.rfind("://", max(0, secret.start - ADDRESS_CHARS), secret.start)
        if at >= 0 and not re.search(r"[\s\"'<>]", text[at : secret.end]):
            spans.append(_of_address(text, at, secret.start))
        else:
            spans.append(_whole(text, secret.start, secret.end))
    plain = _without(text, spans)
    return _without(plain, [_whole(plain, *span) for span in said_secrets(plain)])


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    if not spans:
        return text
    pieces: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if start >= done:
            pieces += (text[done:start], "" if text.endswith("://", 0, start) or text[start] == "?" else GAP)
        done = max(done, end)
    pieces.append(text[done:])
    return "".join(pieces)


def without_ids(line: str) -> str:
    """A line with gaps for mail addresses, numbers of phones and accounts, ids, hashes, and masked secrets."""
    if "@" in line:
        line = _EMAIL.sub(GAP, line)
    line = _MASKED.sub(GAP, line)
    line = _PHONE.sub(GAP, _ID.sub(GAP, line))
    return _OPAQUE.sub(lambda found: GAP if is_opaque(found[0]) else found[0], line)


def is_opaque(token: str) -> bool:
    """Whether a long token says nothing to a person: base64, keys."""
    digits = sum(map(str.isdigit, token))
    if len(token) >= 16 and digits >= 3 and not token.replace("-", "").isdigit():
        pieces = [piece for piece in re.split(r"[-_/+=.]", token) if piece]
        mixed = [piece for piece in pieces if len(piece) >= 8 and any(map(str.isdigit, piece)) and not piece.isdigit()]
        return bool(mixed)
    return len(token) >= 24 and ("_" not in token and "-" not in token and "/" not in token) and _is_scrambled(token)


def _is_scrambled(token: str) -> bool:
    changes = sum(a.islower() != b.islower() for a, b in pairwise(token))
    return changes > len(token) // 3


def _of_address(text: str, at: int, secret: int) -> tuple[int, int]:
    """What is taken out of the address of a page: who signs in, or all that is asked for."""
    query = text.rfind("?", at, secret)
    if query >= 0:
        return query, _whole(text, query, query)[1]
    return at + 3, text.find("@", secret) + 1


def _whole(text: str, start: int, end: int) -> tuple[int, int]:
    while start > 0 and text[start - 1] in _GLUED:
        start -= 1
    while end < len(text) and text[end] in _GLUED:
        end += 1
    return start, end
