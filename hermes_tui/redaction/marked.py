"""Masking the secrets of a text of which some places are marked. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_tui.redaction import find_secrets

Span = tuple[int, int]


def masked(text: str, marks: Sequence[Span] = ()) -> tuple[str, list[Span]]:
    """A text with its secrets masked, and the marks where they are then; one within a secret covers its mask."""
    pieces: list[str] = []
    kept: list[tuple[int, int, int, int]] = []
    done = length = 0
    for secret in find_secrets(text):
        pieces += (text[done : secret.start], secret.shown)
        length += secret.start - done
        kept.append((secret.start, secret.end, length, length + len(secret.shown)))
        length += len(secret.shown)
        done = secret.end
    if not kept:
        return text, list(marks)

    def moved(place: int, *, end: bool) -> int:
        shift = 0
        for start, stop, new_start, new_stop in kept:
            if place <= start:
                break
            if place < stop:
                return new_stop if end else new_start
            shift = new_stop - stop
        return place + shift

    pieces.append(text[done:])
    return "".join(pieces), [(moved(a, end=False), moved(b, end=True)) for a, b in marks]
