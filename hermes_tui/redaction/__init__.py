"""Masking secrets where text is shown or handed to others.

For the eye only: what is masked is never written back. The rules are the agent's own, with these differences.
Passwords and tokens in URLs are masked too (`https://user:***@host/x?token=***`), because what is exported is for
others. Numbers and settings that merely sound secret (`max_tokens: 100`) are left alone, and so are references to
a secret that is kept elsewhere (`$TOKEN`, `os.environ[…]`). Quoted values are masked whole, and a private key also
when its end was cut off.
"""

from __future__ import annotations

from hermes_tui.redaction.form import find_form_fields, find_urls
from hermes_tui.redaction.named import find_named
from hermes_tui.redaction.secret import HIDDEN, HIDDEN_KEY, Kind, Redaction, mask
from hermes_tui.redaction.tokens import find_jwts, find_phones, find_private_keys, find_telegram_tokens, find_tokens

__all__ = ["Kind", "Redaction", "find_secrets", "mask", "redact"]

_FINDERS = (
    *(find_tokens, find_jwts, find_telegram_tokens, find_private_keys, find_phones),
    *(find_named, find_urls, find_form_fields),
)


def redact(text: str) -> str:
    """`text` with its secrets masked; the same object when there are none."""
    secrets = find_secrets(text)
    if not secrets:
        return text
    pieces: list[str] = []
    done = 0
    for secret in secrets:
        pieces += (text[done : secret.start], secret.shown)
        done = secret.end
    return "".join([*pieces, text[done:]])


def find_secrets(text: str) -> tuple[Redaction, ...]:
    """The secrets of a text in order, none overlapping another; linear in its length."""
    found = [secret for find in _FINDERS for secret in find(text)]
    if len(found) < 2:
        return tuple(found)
    found.sort(key=lambda secret: (secret.start, -secret.end))
    apart = found[:1]
    for secret in found[1:]:
        if secret.start >= apart[-1].end:
            apart.append(secret)
        else:
            apart[-1] = _joined(apart[-1], secret)
    return tuple(apart)


def _joined(first: Redaction, second: Redaction) -> Redaction:
    """Two that overlap, as one; a token under a telling name shows nothing of itself, as with the agent."""
    end = max(first.end, second.end)
    if "private_key" in (first.kind, second.kind):
        return Redaction(first.start, end, HIDDEN_KEY, "private_key")
    kinds = {first.kind, second.kind}
    told_apart = kinds <= {"token", "jwt"} or not kinds & {"token", "query"}
    return Redaction(first.start, end, first.shown if told_apart and second.end <= first.end else HIDDEN, first.kind)
