"""Texts on their way to a screen or to somebody else: shown, wrapped, masked, marked up, named."""

from __future__ import annotations

import itertools

from hermes_tui.memory.threats import blocking_ids, scan, suggest_rewrite
from hermes_tui.redaction import find_secrets, mask, redact
from hermes_tui.redaction.marked import masked
from hermes_tui.redaction.secret import HIDDEN, HIDDEN_KEY
from hermes_tui.sessions.export.html_text import rendered
from hermes_tui.sessions.title_model.cleaning import clean_title
from hermes_tui.sessions.titles import derive_title
from hermes_tui.text import cells, fit, one_line, visible, visible_map, wrap_cells
from hermes_tui.ui.transcript.markdown import markdown_lines
from tests.fuzz.given import number, one_of, split, text
from tests.fuzz.promises import is_calm
from tests.sessions.export.test_html_text import Checked
from tests.sessions.export.test_markdown_text import stays_inside
from tests.sessions.title_rules import broken_rules

PLANTED = (
    ("ghp_{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"),
    ("sk-proj-{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"),
    ("DB_PASSWORD={}", "Sommer2024x9"),
    ("password: {}", "Sommer2024x9"),
    ('"api_key": "{}"', "Sommer2024x9Winter"),
    ("Authorization: Bearer {}", "A1b2C3d4E5f6G7h8I9j0"),
    ("https://ann:{}@example.org/x", "Sommer2024x9"),
    ("https://example.org/x?token={}&a=1", "Sommer2024x9"),
)
"""Secrets on a line of their own, and what is secret about them."""
LEFT_TO_TASTE = {"whole words only", "no dangling mark", "a phrase of some 16 characters", "no greeting"}
"""Rules of titles that no program can keep for every text."""
MOST_CELLS = 60


def shown(data: bytes) -> None:
    """A text made visible has nothing that a terminal acts on, is as wide as it says, and keeps its places."""
    how, said = split(data, 2)
    raw, width = text(said), number(how, MOST_CELLS)
    for lines in (True, False):
        seen, places = visible_map(raw, multiline=lines)
        assert seen == visible(raw, multiline=lines)
        is_calm(seen, lines=lines)
        assert visible(seen, multiline=lines) == seen
        assert len(places) == len(raw) + 1
        assert places == sorted(places)
        assert places[-1] == len(seen)
    line = one_line(raw, width)
    is_calm(line, lines=False)
    assert cells(line) <= width
    for right in (True, False):
        assert cells(fit(raw, width, right=right)) == width
    wrapped = wrap_cells(visible(raw), width)
    assert "".join("".join(wrapped).split()) == "".join(visible(raw).split())
    for each in wrapped:
        assert cells(each) <= max(2, width) or len(each) <= 12, ascii(each)


def secrets(data: bytes) -> None:
    """A secret on a line of its own is never let through, whatever stands around it; masks stand in order."""
    how, before, after = split(data, 3)
    form, secret = one_of(how, PLANTED)
    raw = f"{text(before)}\n{form.format(secret)}\n{text(after)}"
    found = find_secrets(raw)
    assert all(each.start < each.end for each in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))
    for each in found:
        covered = raw[each.start : each.end]
        assert each.shown in (HIDDEN, HIDDEN_KEY) or each.kind == "phone" or each.shown == mask(covered), each
    told = redact(raw)
    assert secret not in told or secret in text(before) + text(after)
    marks = [(each.start, each.end) for each in found] + [(0, len(raw))]
    said, moved = masked(raw, marks)
    assert said == told
    assert all(0 <= start <= end <= len(said) for start, end in moved)


def transcript(data: bytes) -> None:
    """A message drawn as Markdown says what it says, no wider than its column; each piece knows where it is from."""
    how, said = split(data, 2)
    raw, width = visible(text(said)), 20 + number(how, MOST_CELLS)
    for line in markdown_lines(raw, width):
        assert cells(line.text) <= width, ascii(line.text)
        for piece in line.pieces:
            is_calm(piece.text, lines=False)
            assert piece.start < 0 or raw[piece.start : piece.start + len(piece.text)] == piece.text


def exported(data: bytes) -> None:
    """A message in an exported page or file stays in its place, whatever markup it has."""
    raw = visible(text(data))
    Checked(rendered(raw))
    stays_inside(raw)


def title(data: bytes) -> None:
    """The title of any text, or out of any answer of a model, keeps the rules of titles."""
    raw = text(data)
    made = derive_title(raw)
    is_calm(made, lines=False)
    assert set(broken_rules(made, raw)) <= LEFT_TO_TASTE
    is_calm(clean_title(raw), lines=False)


def threats(data: bytes) -> None:
    """What the scan finds stands where it says; what it suggests instead has no more of it."""
    raw = text(data)
    for found in scan(raw):
        assert 0 <= found.start < found.end <= len(raw)
        assert raw[found.start : found.end] == found.text
        is_calm(visible(found.explanation), lines=False)
        better = suggest_rewrite(raw, found)
        assert better is None or found.id not in blocking_ids(scan(better))
