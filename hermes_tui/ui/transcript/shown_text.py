"""A raw text made safe to show, its secrets masked, with a way from places in the raw text to places in it. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from hermes_tui.text import visible, visible_map
from hermes_tui.ui.transcript.lines import Overlay
from hermes_tui.ui.transcript.sections import secrets_in


class ShownText(NamedTuple):
    """What is drawn of a text."""

    text: str
    masks: tuple[Overlay, ...]
    """Where in it secrets are masked."""
    matches: tuple[tuple[int, int], ...]
    """Where in it the wanted slices of the raw text are."""


def shown_text(raw: str, wanted: Sequence[tuple[int, int]] = (), *, revealed: bool = False) -> ShownText:
    """The text to draw for `raw`, with its secrets masked unless `revealed`."""
    secrets = () if revealed else secrets_in(raw)
    if not secrets and not wanted:
        return ShownText(visible(raw), (), ())
    masked, starts, shifts, spans = _masked(raw, secrets)
    text, offsets = visible_map(masked)

    def place(at: int) -> int:
        number = bisect_right(starts, at) - 1
        if number < 0:
            return offsets[at]
        start, end, left, right = spans[number]
        return offsets[min(left + at - start, right) if at < end else at + shifts[number]]

    matches = tuple((place(start), max(place(end), place(start) + 1)) for start, end in wanted)
    masks = tuple(Overlay(offsets[left], offsets[right], "mask") for _, _, left, right in spans)
    return ShownText(text, masks, tuple((start, min(end, len(text))) for start, end in matches if start < len(text)))


def _masked(
    raw: str, secrets: Sequence[tuple[int, int, str]]
) -> tuple[str, list[int], list[int], list[tuple[int, int, int, int]]]:
    """The masked text; where secrets begin in the raw one; how far what follows has moved; both ends of each."""
    pieces: list[str] = []
    starts: list[int] = []
    shifts: list[int] = []
    spans: list[tuple[int, int, int, int]] = []
    done = length = 0
    for start, end, shown in secrets:
        pieces += (raw[done:start], shown)
        length += start - done
        spans.append((start, end, length, length + len(shown)))
        length += len(shown)
        starts.append(start)
        shifts.append(length - end)
        done = end
    pieces.append(raw[done:])
    return "".join(pieces), starts, shifts, spans
