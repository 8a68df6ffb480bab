"""Secrets that tell by the name before them: `API_KEY=…`, `password: …`, `"token": "…"`, `Authorization: …`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from hermes_tui.redaction.secret import HIDDEN, WORD_CHARS, Redaction, is_masked, mask

Naming = Literal["password", "secret", "token", "auth", "authorization", ""]
"""How sure a name is: after a password anything is masked, after the others not what is plainly no secret."""

_STEMS = ("passw", "passphrase", "secret", "token", "key", "credential", "auth", "bearer")
_NAMES = tuple(re.compile(stem + r"[a-z0-9_.-]{0,64}+\\*+[\"']?[ \t]{0,8}+[:=]") for stem in _STEMS)
_LONGEST_NAME_CHARS = 96
_NAME_CHARS = WORD_CHARS + "_.-"
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_KEYS_OF = frozenset(
    (
        "access",
        "account",
        "admin",
        "api",
        "auth",
        "client",
        "encryption",
        "license",
        "master",
        "private",
        "service",
        "signing",
    )
)
_HEADERS = frozenset(
    ("api-key", "apikey", "x-access-token", "x-api-key", "x-api-token", "x-auth-token", "x-goog-api-key")
)
_SCHEMES = frozenset(
    (
        "apikey",
        "aws4-hmac-sha256",
        "basic",
        "bearer",
        "bot",
        "digest",
        "dpop",
        "hmac",
        "key",
        "negotiate",
        "ntlm",
        "oauth",
        "token",
    )
)

_GAP = re.compile(r"[ \t]*+")
_QUOTED = {quote: re.compile(rf"((?:[^{quote}\\\n]|\\.)*+){quote}") for quote in "\"'`"}
_LINE_HEAD = re.compile(r"[ \t#>*{-]*+\Z")
_SCHEME = re.compile(r"([A-Za-z][\w-]*+)[ \t]++(?=\S)", re.ASCII)

_LOOKED_UP = re.compile(r"(?:os\.(?:environ|getenv)|process\.env|(?:getenv|env|ENV)[(\[])")
_REFERENCE = re.compile(
    r"\$\{?\w+[^}]*\}?|\$\(.*|\{\{.*|%\w+%|!?(?:env|secrets?)[.:]\S*|(?:~|\.{1,2})?(?:/[\w.@-]+)+/?"
)
_OPAQUE_CHARS = 20
_TYPE = re.compile(r"(?:str|string|bytes|bool|int|SecretStr|Optional\[\S*)[,;)]*")
_PLAIN = re.compile(r"(?i:true|false|null|none|nil|yes|no|on|off)[,;)]*|[\w.]+\(.*|[|>][+-]?|[\[{(]+")
_COUNT = re.compile(r"\d{1,7}[,;)]*")
_PROSE = re.compile(r"[A-Za-z]{1,14}[,.;]?(?=[ \t]+[A-Za-z])")


def find_named(text: str) -> Iterator[Redaction]:
    """Values after a name that says they are secret."""
    if "=" not in text and ":" not in text:
        return
    # One character of Unicode gets longer in small letters, which would shift all that follows.
    lowered = (text if text.isascii() else text.replace("\u0130", "i")).lower()
    ends = {found.end() - 1 for name in _NAMES for found in name.finditer(lowered)}
    done = 0
    for separator in sorted(ends):
        if separator < done:
            continue
        secret = _Named(text, separator).secret()
        if secret:
            done = secret.end
            yield secret


class _Named:
    """A name, the `:` or `=` after it, and what follows."""

    def __init__(self, text: str, separator: int) -> None:
        self.text = text
        self.separator = separator
        before = text[max(0, separator - _LONGEST_NAME_CHARS) : separator]
        self.quoted_name = ""
        closed = before.rstrip(" \t")
        self.spaced = len(closed) < len(before)
        bare = closed
        if closed.endswith(('"', "'")):
            bare = closed[:-1].rstrip("\\")
            self.quoted_name = closed[len(bare) :]
        self.name = bare[len(bare.rstrip(_NAME_CHARS)) :]
        self.start = separator - (len(before) - len(bare)) - len(self.name)
        self.naming = naming(self.name)

    def secret(self) -> Redaction | None:
        """The secret after it, if there is one."""
        if not self.naming:
            return None
        if self.text[self.separator] == "=":
            return self._assigned()
        if self.text.startswith(("::", "://", ":="), self.separator):
            return None
        if self.naming == "authorization":
            return self._authorization()
        if self.quoted_name:
            return self._field()
        return self._entry()

    def _assigned(self) -> Redaction | None:
        """`NAME=value`."""
        if self.text.startswith("==", self.separator) or self.naming == "authorization":
            return None
        capitals = self.name.isupper()
        at = self.separator + 1
        after = _end(_GAP, self.text, at)
        if self.spaced or after > at:
            quoted = self.text[after : after + 1] in ('"', "'")
            if not capitals and not (self.naming == "password" and quoted):
                return None
        in_query = self.text[self.start - 1 : self.start] in ("?", "&") and self.start > 0
        secret = self._masked(after, always_hidden=capitals or in_query, until="" if capitals else "&#")
        if secret and not capitals and not self._head_of_line()[0]:
            return self._without_brackets(secret)
        return secret

    def _without_brackets(self, secret: Redaction) -> Redaction | None:
        """`call(token=value)`: what closes after a value on the way is not part of it."""
        value = self.text[secret.start : secret.end]
        bare = value.rstrip(")]},;")
        if not bare:
            return secret
        if is_masked(bare):
            return None
        shown = HIDDEN if secret.shown == HIDDEN else mask(bare)
        return Redaction(secret.start, secret.start + len(bare), shown, secret.kind)

    def _authorization(self) -> Redaction | None:
        """`Authorization: Bearer value`."""
        at = _end(_GAP, self.text, self.separator + 1)
        if self.quoted_name:
            if not self.text.startswith(self.quoted_name, at):
                return None
            at += len(self.quoted_name)
        scheme = _SCHEME.match(self.text, at)
        if scheme:
            at = scheme.end()
            if scheme[1].lower() not in _SCHEMES and not _is_opaque(self.text[at : at + _OPAQUE_CHARS]):
                return None  # a sentence about authorization
        found = _bare().match(self.text, at)
        if not found or is_masked(found[0]):
            return None
        return Redaction(*found.span(), mask(found[0]), "header")

    def _field(self) -> Redaction | None:
        """`"name": "value"`, also inside a string that is quoted itself."""
        if self.naming == "auth":
            return None
        at = _end(_GAP, self.text, self.separator + 1)
        if not self.text.startswith(self.quoted_name, at):
            number = re.compile(r"\d{4,}\b").match(self.text, at) if self.naming == "password" else None
            return Redaction(*number.span(), HIDDEN, "named") if number else None
        return self._masked(at, quote=self.quoted_name)

    def _entry(self) -> Redaction | None:
        """`name: value` at the head of a line, or a header anywhere."""
        line, literal = self._head_of_line()
        header = self.name.lower() in _HEADERS
        if self.spaced or not (line or header) or (self.naming == "auth" and not header):
            return None
        at = _end(_GAP, self.text, self.separator + 1)
        if not header and self.naming != "password" and self.name.isalpha() and _PROSE.match(self.text, at):
            return None
        secret = self._masked(at, always_hidden=header and line, until="\\" if literal else "")
        return Redaction(secret.start, secret.end, secret.shown, "header") if secret and header else secret

    def _head_of_line(self) -> tuple[bool, bool]:
        """Whether the name is the first on its line, and whether that line is one inside a quoted string."""
        reach = self.text[max(0, self.start - 64) : self.start]
        line = reach[reach.rfind("\n") + 1 :]
        escaped = line.rfind("\\n")
        if escaped >= 0:
            line = line[escaped + 2 :]
        whole = escaped >= 0 or "\n" in reach or self.start <= 64
        return whole and _LINE_HEAD.fullmatch(line) is not None, escaped >= 0

    def _masked(self, at: int, *, quote: str = "", always_hidden: bool = False, until: str = "") -> Redaction | None:
        start, end = _value(self.text, at, quote, until)
        value = self.text[start:end]
        if start == end or not value.strip() or is_masked(value) or self._is_harmless(value, quoted=start > at):
            return None
        return Redaction(start, end, HIDDEN if always_hidden else mask(value), "named")

    def _is_harmless(self, value: str, *, quoted: bool) -> bool:
        """Whether a value is no secret, but says where one is kept or whether there is one."""
        if _LOOKED_UP.match(value):
            return True
        if not quoted and (_TYPE.fullmatch(value) or value in ("|", ">", "|-", ">-", "{", "[")):
            return True
        if self.naming == "password":
            return False
        if not quoted and (_PLAIN.fullmatch(value) or (self.naming == "token" and _COUNT.fullmatch(value))):
            return True
        return _REFERENCE.fullmatch(value) is not None and not any(map(_is_opaque, value.split("/")))


@lru_cache(maxsize=1024)
def naming(name: str) -> Naming:
    """What a name says about its value: `DB_PASSWORD`, `apiKey`, `max_tokens`."""
    words = [word.lower() for word in _WORDS.findall(name)]
    if not words:
        return ""
    joined, last = "_".join(words), words[-1]
    if "passw" in joined or "passphrase" in joined:
        return "password"
    if "authorization" in words:
        return "authorization"
    if any(word.startswith("secret") and word != "secretary" for word in words) or "credential" in joined:
        return "secret"
    if last.endswith("apikey") or last.endswith("secret") or joined.endswith("key_material"):
        return "secret"
    if any(key in ("key", "keys") and before in _KEYS_OF for before, key in pairwise(words)):
        return "secret"
    if last.endswith("token") or last == "bearer":
        return "token"
    return "auth" if "auth" in words else ""


def _is_opaque(value: str) -> bool:
    """Whether a value looks thrown together rather than written: long, with letters and digits."""
    return (
        len(value) >= _OPAQUE_CHARS and re.search(r"\d", value) is not None and re.search("[A-Za-z]", value) is not None
    )


@lru_cache(maxsize=8)
def _bare(until: str = "") -> re.Pattern[str]:
    """A value without quotes around it; a quote inside belongs to it unless it closes something."""
    char = rf"[^\s\"'`{re.escape(until)}]"
    return re.compile(rf"{char}++(?:[\"'`](?![\s,;)\]}}]|$){char}*+)*+")


def _value(text: str, at: int, quote: str, until: str) -> tuple[int, int]:
    """Where a value begins and ends: between quotes, or up to the next white space."""
    opening = quote or text[at : at + 1]
    if opening in _QUOTED:
        closed = _QUOTED[opening].match(text, at + 1)
        if closed:
            return closed.span(1)
    elif quote:
        start = at + len(quote)
        end = text.find(quote, start)
        return start, len(text) if end < 0 else end
    if opening in _QUOTED:
        at += 1  # it was opened, and cut off before its end
    return at, _end(_bare(until), text, at)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
