"""Secrets in URLs and in the bodies of forms: who signs in, and what a query carries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hermes_tui.redaction.secret import HIDDEN, Redaction, is_masked, mask

_URL = re.compile(r"://[^\s\"'`<>\\]++")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}+\Z")
_USER_INFO = re.compile(r"://([^/?#@:]{0,256})(:[^/?#]{0,512})?@")
_TOKEN_SCHEMES = frozenset(("http", "https", "ws", "wss", "ftp", "sftp", "ssh", "git"))
_TOKEN_USER_CHARS = 8
"""A user part without a password is taken for a token from this length on; `git@` is not one."""
_PARAMETER = re.compile(r"[?&;]([\w.-]{1,40}+)=([^&#\s]++)", re.ASCII)
_FORM = re.compile(r"\s*[\w.%\[\]-]++=[^\s&]*+(?:&[\w.%\[\]-]++=[^\s&]*+)++\s*", re.ASCII)
_FIELD = re.compile(r"([\w.%\[\]-]++)=([^\s&]++)", re.ASCII)
_SECRET_PARAMETERS = frozenset(
    (
        "access_token",
        "api_key",
        "apikey",
        "auth",
        "auth_token",
        "client_secret",
        "code",
        "id_token",
        "jwt",
        "key",
        "passwd",
        "password",
        "refresh_token",
        "secret",
        "session",
        "sig",
        "signature",
        "token",
        "x-amz-security-token",
        "x-amz-signature",
        "x-goog-signature",
    )
)


def find_urls(text: str) -> Iterator[Redaction]:
    """The password or token before a URL's `@`, and the secret parameters of its query."""
    for url in _URL.finditer(text):
        at, end = url.span()
        who = _USER_INFO.match(text, at, end)
        if who and who[2] and len(who[2]) > 1:
            if not is_masked(who[2][1:]):
                yield Redaction(who.start(2) + 1, who.end(2), HIDDEN, "url")
        elif who and len(who[1]) >= _TOKEN_USER_CHARS and not is_masked(who[1]):
            scheme = _SCHEME.search(text, max(0, at - 31), at)
            if scheme and scheme[0].lower() in _TOKEN_SCHEMES:
                yield Redaction(*who.span(1), mask(who[1]), "url")
        yield from _secrets_among(_PARAMETER, text, at, end)


def find_form_fields(text: str) -> Iterator[Redaction]:
    """The secrets of a text that is nothing but the body of a form."""
    if "&" in text and "=" in text and _FORM.fullmatch(text):
        yield from _secrets_among(_FIELD, text, 0, len(text))


def _secrets_among(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[Redaction]:
    for found in pattern.finditer(text, start, end):
        if found[1].lower() in _SECRET_PARAMETERS and not is_masked(found[2]):
            yield Redaction(*found.span(2), HIDDEN, "query")
