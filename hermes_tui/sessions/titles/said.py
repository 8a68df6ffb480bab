"""Secrets that are said in a sentence or given to a program: "the password for the router is admin1234"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise

from hermes_tui.sessions.titles.characters import GAP

REACH = 200
"""A secret is looked for within so many characters after the word that announces it."""
WORDS_BETWEEN = 6
"""At most so many words stand between "password" and "is"."""

_KEYWORD = re.compile(
    r"pass(?:word|wort|wd|phrase|code)|\bpass(?= ?[:=])|\bpwd?\b|kennwort|contraseña|\bclave|mot de passe|\bmdp\b"
    r"|парол[ья]|mật khẩu|密码|密碼|パスワード|暗証番号|كلمة (?:السر|المرور)"
    r"|\bpin\b|secret|api[ _-]?key|access key|\btoken"
    r"|schlüssel|ключ|密钥|credentials?|\b(?:otp|2fa|mfa|tan|cvv|cvc|(?:sms|auth|security|verification)[ -]?code)\b"
    r"|\b(?:passport|licen[cs]e|account|policy|ausweis)(?: ?(?:number|no\.?|nr\.?|id))\b",
    re.IGNORECASE,
)
_COPULA = re.compile(
    rf"(?:[ ,][^\s:=：]{{0,20}}){{0,{WORDS_BETWEEN}}}?(?: ?[（(][^()（）\n]{{0,20}}[)）])?"
    r" ?(?:\b(?:is|ist|lautet|es|est|là|la|was)\b|هي|هو|是|为|は|=|:|：|->|—|–) ?",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"([\"'`“„«])([^\"'`“”„«»\n]{3,80})[\"'`”“»]")
_TOKEN = re.compile(r"[`\"'“«„(\[]?([!-~]{3,200})")
_WORD = re.compile(r"[^\s:=：]{1,200}")
_CLAUSE = re.compile(r"[.!?;。！？；](?:\s|$)|[。！？；\n]")
_PHRASE = re.compile(
    r"\b(?:seed|recovery|mnemonic) (?:phrase|words?)\b[^\n:=]{0,20}?(?:\bis\b|\bare\b|[:=])", re.IGNORECASE
)
_PAIR = re.compile(
    r"\b(?:log ?in|user(?:name)?|credentials?|zugang(?:sdaten)?|anmeldung)\b ?[:=]?"
    r" ?[\w.@-]{1,60} ?[/:] ?([!-~]{4,200})",
    re.IGNORECASE,
)
_GIVEN = (
    re.compile(r"(?<!\S)(?:-u|-U|--user|--proxy-user)[ =]?[\w.@-]{1,64}:([!-~]{1,200})"),
    re.compile(r"\bsshpass[ ]+-p[ ]*([!-~]{1,200})"),
    re.compile(r"\b(?:mysql|mariadb)(?:dump|admin)?\b[^\n|;]{0,200}? -p([!-~]{2,200})"),
    re.compile(r"\b(?:docker|podman|helm|oc|az|npm|gh)(?: \w{1,20})? login\b[^\n|;]{0,200}? -p[ =]?([!-~]{2,200})"),
    re.compile(r"\bredis-cli\b[^\n|;]{0,200}? -a[ ]?([!-~]{2,200})"),
    re.compile(r"\bmosquitto_\w{3}\b[^\n|;]{0,200}? -P[ ]?([!-~]{2,200})"),
    re.compile(r"\b(?:Basic|Bearer) ([A-Za-z0-9+/=._~-]{8,2000})"),
)
"""How programs are given a password."""


def said_secrets(text: str) -> Iterator[tuple[int, int]]:
    """Where passwords, codes and keys stand that a person has said or given to a program; begin and end of each."""
    for pattern in _GIVEN:
        for found in pattern.finditer(text):
            if " " not in found[1] and GAP not in found[1]:
                yield found.span(1)
    for found in _PHRASE.finditer(text):
        yield found.end(), _end_of_clause(text, found.end())
    for found in _PAIR.finditer(text):
        if is_odd(found[1]):
            yield found.span(1)
    for keyword in _KEYWORD.finditer(text):
        if span := _announced(text, keyword):
            yield span


def is_odd(token: str) -> bool:
    """Whether no dictionary has it: with a digit, a sign, a capital inside, or several words in one."""
    value = token.rstrip(".,;:!?)\"'`")
    odd = any(map(str.isdigit, value)) or any(char in "!$%^*#@&+=~" for char in value[:-1]) or value.count("-") > 1
    return odd or any(a.islower() and b.isupper() for a, b in pairwise(value))


def _announced(text: str, keyword: re.Match[str]) -> tuple[int, int] | None:
    """What follows the word that announces it, if it looks like a secret."""
    end = _end_of_clause(text, keyword.end())
    if is_said := _COPULA.match(text, keyword.end(), end):
        if quoted := _QUOTED.match(text, is_said.end()):
            return quoted.span(2)
        token = _TOKEN.match(text, is_said.end())
        if token and (span := _secret(keyword[0], token)):
            return span
    for word in islice(_WORD.finditer(text, keyword.end(), end), 4):
        if (token := _TOKEN.match(text, word.start(), end)) and (span := _secret(keyword[0], token)):
            return span
    return None


def _secret(keyword: str, token: re.Match[str]) -> tuple[int, int] | None:
    value = token[1].rstrip(".,;:!?)\"'`")
    if value.isdigit() and "token" in keyword.lower():
        return None
    if len(value) < 3 or (len(value) == 3 and not value.isdigit()) or not is_odd(value):
        return None
    if GAP in value or value.startswith(("http", "/", "$")):
        return None
    return token.start(1), token.start(1) + len(value)


def _end_of_clause(text: str, start: int) -> int:
    found = _CLAUSE.search(text, start, start + REACH)
    # A mark belongs to a password that ends with it: what is cut off later is no loss.
    return found.start() + 1 if found else min(len(text), start + REACH)
