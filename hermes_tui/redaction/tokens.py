"""Secrets that tell by their own form: tokens of well-known makers, private keys, phone numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from hermes_tui.redaction.secret import HIDDEN, HIDDEN_KEY, WORD_CHARS, Redaction, mask

_ALNUM, _ANY = r"[^\W_]", r"[\w-]"
_BODIES: dict[str, str] = {
    **dict.fromkeys(("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "pplx-", "fc-", "hf_", "r8_", "npm_"), _ALNUM + "{10,}"),
    **dict.fromkeys(("tvly-", "exa_", "gsk_", "syt_", "retaindb_", "hsk-", "mem0_", "brv_"), _ALNUM + "{10,}"),
    **dict.fromkeys(("sk_live_", "sk_test_", "rk_live_", "dop_v1_", "doo_v1_", "ntn_"), _ALNUM + "{10,}"),
    **dict.fromkeys(("fal_", "bb_live_", "pypi-", "glpat-", "gloas-", "gldt-", "glcbt-", "glptt-"), _ANY + "{10,}"),
    **dict.fromkeys(("glft-", "glimt-", "glwt-", "glagent-", "glsoat-", "glffct-"), _ANY + "{10,}"),
    **dict.fromkeys(("glrt-", "glrtr-"), r"[\w.-]{10,}"),
    **dict.fromkeys(("xai-", "fw-", "fw_", "fpk_"), _ALNUM + "{30,}"),
    **dict.fromkeys(("xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-"), r"[A-Za-z0-9-]{10,}"),
    "xapp-": r"\d+-[A-Za-z0-9-]{10,}",
    "sk-": r"(?=(?:[\w-]\.?){9}[\w-])[\w-]++(?:\.[\w-]++)*+",
    "sk_": r"\w{10,}",
    "github_pat_": r"\w{10,}",
    "am_": rf"(?:org_)?{_ALNUM}{{20,}}",
    "pk-lf-": r"[A-Za-z0-9-]{8,}",
}
"""How the tokens of a maker begin, and what follows."""
_STEMS = frozenset(re.split("[-_]", beginning)[0] for beginning in _BODIES)
_LONGEST_STEM_CHARS = max(map(len, _STEMS))
# Searching for one character and looking back from it is ten times faster than searching for every beginning.
_SEPARATED = tuple(re.compile(rf"{separator}(?:[\w-]\.?){{8}}[\w-]*+", re.ASCII) for separator in "-_")
_STEM_ENDS = frozenset(stem[-2:] for stem in _STEMS)
_UNSEPARATED = tuple(
    (re.compile(pattern + r"(?![\w-])", re.ASCII), before)
    for pattern, before in (
        (r"A(?=Iza|KIA)(?:Iza[\w-]{30,}+|KIA[A-Z0-9]{16})", 0),
        (r"A(?<=gA)AAA[\w=-]{20,}+", 1),
        (r"S(?=G\.)G\.[\w-]{10,}+(?:\.[\w-]{10,}+)?", 0),
        (r"R(?<=GR)1348941[\w-]{10,}+", 1),
    )
)
"""Each with the characters before its first: it begins with one that is rare, which alone is searched for."""


@lru_cache(maxsize=1)
def _separated_token() -> re.Pattern[str]:
    """A whole token; one that holds digits may go on past its own alphabet, so that no tail of it is left."""
    exact = "|".join(f"{re.escape(start)}{body}" for start, body in _BODIES.items())
    starts = "|".join(map(re.escape, _BODIES))
    return re.compile(rf"(?:{exact})(?![\w-])|(?:{starts})(?=[^\W_]*\d)[^\W_]{{20,}}[\w-]*", re.ASCII)


def find_tokens(text: str) -> Iterator[Redaction]:
    """Tokens that begin as those of a maker do: `sk-`, `ghp_`, `AKIA` and many more."""
    for separated in _SEPARATED:
        for hit in separated.finditer(text):
            at = hit.start()
            if text[at - 2 : at] not in _STEM_ENDS:
                continue
            before = text[max(0, at - _LONGEST_STEM_CHARS - 1) : at]
            stem = before[len(before.rstrip(WORD_CHARS)) :]
            if stem not in _STEMS or before[: -len(stem)].endswith(("-", "_")):
                continue
            found = _separated_token().match(text, at - len(stem))
            if found:
                yield Redaction(*found.span(), mask(found[0]), "token")
    for unseparated, before_it in _UNSEPARATED:
        for found in unseparated.finditer(text):
            start = found.start() - before_it
            if not _goes_on_before(text, start):
                yield Redaction(start, found.end(), mask(text[start : found.end()]), "token")


def _goes_on_before(text: str, at: int) -> bool:
    """Whether what seems to begin here is the middle of something longer."""
    return at > 0 and (text[at - 1] in WORD_CHARS or text[at - 1] in "-_")


_JWT = re.compile(r"eyJ[\w-]{10,}+(?:\.[\w-]{4,}+){0,2}", re.ASCII)
_TELEGRAM = re.compile(r":(?<=\d{8}:)[\w-]{30,}+", re.ASCII)
_PHONE = re.compile(r"\+[1-9]\d{6,14}+(?!\d)", re.ASCII)
_KEY_BEGINS = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_ENDS = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINES = re.compile(
    r"(?:\s*+(?:Proc-Type|DEK-Info): [^\n]*+)*+"
    r"(?:(?:\s|\\[nr])*+[A-Za-z0-9+/=]{16,}+)*+"
    r"(?:\s*+[A-Za-z0-9+/=]{1,80}+\Z)?"
)


def find_jwts(text: str) -> Iterator[Redaction]:
    """Signed tokens: `eyJ…`, with or without their second and third part."""
    first = text.find("eyJ")
    for found in _JWT.finditer(text, first) if first >= 0 else ():
        if not _goes_on_before(text, found.start()):
            yield Redaction(*found.span(), mask(found[0]), "jwt")


def find_telegram_tokens(text: str) -> Iterator[Redaction]:
    """What follows the number of a Telegram bot."""
    for found in _TELEGRAM.finditer(text):
        yield Redaction(found.start() + 1, found.end(), HIDDEN, "telegram")


def find_phones(text: str) -> Iterator[Redaction]:
    """Phone numbers in their international form."""
    for found in _PHONE.finditer(text):
        number = found[0]
        ends = (2, 2) if len(number) <= 8 else (4, 4)
        yield Redaction(*found.span(), f"{number[: ends[0]]}****{number[-ends[1] :]}", "phone")


def find_private_keys(text: str) -> Iterator[Redaction]:
    """Private keys; of one without an end, as many lines as look like it."""
    done, more_ends = 0, True
    for begins in _KEY_BEGINS.finditer(text):
        if begins.start() < done:
            continue
        ends = _KEY_ENDS.search(text, begins.end()) if more_ends else None
        more_ends = ends is not None
        last = ends or _KEY_LINES.match(text, begins.end()) or begins
        done = last.end()
        yield Redaction(begins.start(), done, HIDDEN_KEY, "private_key")
