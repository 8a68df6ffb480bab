"""One message as lines of a width: its head, its text, and a line for everything that is folded. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hermes_tui.redaction import redact
from hermes_tui.sessions.matcher import Matcher
from hermes_tui.sessions.messages import Message, State, size_words
from hermes_tui.sessions.some_matches import MOST_MATCHES, first_matches
from hermes_tui.text import cells, one_line, visible
from hermes_tui.ui.actions import key_for
from hermes_tui.ui.transcript.lines import BLANK, Line, Overlay, Piece, Tone, clipped, layered, overlaid, verbatim
from hermes_tui.ui.transcript.markdown import markdown_lines
from hermes_tui.ui.transcript.sections import Section, sections_of
from hermes_tui.ui.transcript.shown_text import shown_text
from hermes_tui.ui.transcript.times import clock_words

SHOWN_CHARS = 100_000
"""So much of one part of a message is drawn at first; a key draws more."""
REACH_STEP = 8
SEPARATOR_CELLS = 4
FACTS_CELLS = 20
DETAIL_CELLS = 18
"""So much of what a folded part is about is shown before how much of it there is."""

ROLE_TONES: dict[str, Tone] = {"user": "user", "assistant": "assistant"}


class Look(NamedTuple):
    """All that decides how a message is drawn, besides the message."""

    width: int
    raw: bool = False
    """Whether markdown is shown as it stands."""
    revealed: bool = False
    """Whether secrets are shown."""
    all_open: bool = False
    """Whether every part is unfolded, other than those named next."""
    toggled: frozenset[str] = frozenset()
    """The parts that are not as all others."""
    reach: int = 0
    """How many times more of a long text was asked for."""
    matcher: Matcher | None = None
    current: int = -1
    """The number of the match that is stood on."""
    day: str = ""
    part: str = ""
    run: str = ""
    """What an unfolded row of compacted messages begins with."""
    head: bool = True
    gap: bool = False
    """Whether a blank line comes first."""


class Laid(NamedTuple):
    """A message as it is drawn."""

    lines: tuple[Line, ...]
    hits: tuple[int, ...] = ()
    """The line of each match, in order."""
    keys: tuple[str, ...] = ()
    """The part that each match is in; a folded one is opened to see it."""
    masked: int = 0
    """Secrets that are not shown."""
    body: int = 0
    """The first line that is the message's own."""


def _above(look: Look) -> list[Line]:
    """What stands above a message because of where it is: a blank line, a new part, a new day."""
    lines = [BLANK] if look.gap else []
    for words in (look.part, look.day):
        if words:
            said = one_line(words, max(4, look.width - SEPARATOR_CELLS - 4))
            rest = max(0, look.width - cells(said) - SEPARATOR_CELLS)
            lines.append(Line((Piece("── ", "rule"), Piece(said, "muted"), Piece(f" {'─' * rest}", "rule"))))
    return lines


def _run_line(sign: str, look: Look) -> Line:
    return Line((Piece(f"{sign} ", "accent"), Piece(one_line(look.run, look.width - 2), "muted")), fold="run")


def lay_out_run(look: Look) -> Laid:
    """The one line that stands for messages a compaction has taken out of sight."""
    above = _above(look)
    return Laid((*above, _run_line("▸", look)), body=len(above))


def lay_out(message: Message, look: Look) -> Laid:
    """A message as lines."""
    lines = _above(look)
    body = len(lines)
    if look.run:
        lines.append(_run_line("▾", look))
    if look.head:
        lines.append(_head(message, look.width))
    hits: list[int] = []
    keys: list[str] = []
    masked = 0
    sections = sections_of(message)
    for number, section in enumerate(sections):
        drawn = _Section(section, number, message, look, first_hit=len(hits))
        hits += [len(lines) + hit for hit in drawn.hits]
        keys += [section.key] * len(drawn.hits)
        masked += drawn.masked
        lines += drawn.lines
    if not sections:
        lines.append(Line((Piece("(nothing)", "muted"),)))
    return Laid(tuple(lines), tuple(hits), tuple(keys), masked, body)


def _head(message: Message, width: int) -> Line:
    """`assistant  14:02:33  rewound`."""
    role = visible(message.role or "no role", multiline=False)[:40]
    if message.kind == "summary":
        role = "compaction"
    pieces = [Piece(one_line(role, max(9, width - 12)), ROLE_TONES.get(role, "other"))]
    if clock := clock_words(message.timestamp):
        pieces.append(Piece(f"  {clock}", "muted"))
    if message.state == State.REWOUND:
        pieces.append(Piece("  rewound", "warning"))
    if message.kind == "notice" and message.note:
        pieces.append(Piece(f"  {one_line(message.note, 40)}", "muted"))
    return Line(clipped(pieces, width))


class _Section:
    """One part of a message as it is drawn."""

    def __init__(self, section: Section, number: int, message: Message, look: Look, first_hit: int) -> None:
        self.section, self.number, self.message, self.look = section, number, message, look
        self.first_hit = first_hit
        self.lines: list[Line] = []
        self.hits: list[int] = []
        self.masked = 0
        self.limit = SHOWN_CHARS * REACH_STEP**look.reach
        self.spans = first_matches(look.matcher, section.text) if look.matcher else ()
        if section.folds:
            self._fold_line(open_=self.open)
        if self.open or not section.folds:
            self._body()
        else:
            self.hits = [0] * len(self.spans)

    @property
    def open(self) -> bool:
        """Whether it is unfolded."""
        return self.look.all_open != (self.section.key in self.look.toggled)

    def _fold_line(self, *, open_: bool) -> None:
        """`▸ terminal  ls -la /var/log · 24 B`."""
        section, width = self.section, self.look.width
        detail = "" if open_ else section.detail if self.look.revealed else redact(section.detail)
        label = one_line(section.label, max(8, width // 2 if detail else width - FACTS_CELLS))
        facts = [section.facts]
        if self.message.unread and section.key in ("text", "result", "summary"):
            facts = [size_words(self.message.size)]
        facts.append(clock_words(self.message.timestamp) if section.key == "result" and not self.look.head else "")
        rewound = " · rewound" if self.message.state == State.REWOUND and not self.look.head else ""
        many = "+" if len(self.spans) >= MOST_MATCHES else ""
        count = f"{len(self.spans):,}{many} {'match' if len(self.spans) == 1 else 'matches'}"
        found = f" · {count}" if self.spans and not open_ else ""
        while True:
            tail = "".join(f" · {fact}" for fact in facts if fact) + rewound
            room = width - 2 - cells(label) - cells(tail) - cells(found)
            if not facts or room >= min(cells(detail) + 2 if detail else 0, DETAIL_CELLS):
                break
            # What it is about says more than how much of it there is, and when it came.
            facts.pop()
        pieces = [Piece("▾ " if open_ else "▸ ", "accent"), Piece(label, "strong")]
        if detail and room > 8:
            pieces.append(Piece(f"  {one_line(detail, room - 2)}"))
        tail = one_line(tail, max(0, width - 2 - cells(label) - cells(found))) if room < 0 else tail
        pieces.append(Piece(tail, "muted"))
        if found:
            current = self.first_hit <= self.look.current < self.first_hit + len(self.spans)
            pieces += [Piece(" · ", "muted"), Piece(found[3:], "current" if current else "match")]
        self.lines.append(Line(clipped(pieces, width), fold=section.key, section=self.number))

    def _body(self) -> None:
        section, look = self.section, self.look
        raw = section.text[: self.limit]
        spans = [span for span in self.spans if span[0] < len(raw)]
        shown = shown_text(raw, [(start, min(end, len(raw))) for start, end in spans], revealed=look.revealed)
        self.masked = len(shown.masks)
        lead = (Piece("│ ", "rule"),) if section.folds else ()
        width = look.width - 2 * len(lead)
        lines = verbatim(shown.text, width) if section.verbatim or look.raw else markdown_lines(shown.text, width)
        tones: Sequence[Tone] = ["match"] * len(shown.matches)
        matches = [
            Overlay(start, end, "current" if self.first_hit + number == look.current else tone)
            for number, ((start, end), tone) in enumerate(zip(shown.matches, tones, strict=True))
        ]
        _, places = overlaid(lines, matches)
        lines, _ = overlaid(lines, layered(shown.masks, matches))
        first = len(self.lines)
        fold = section.key if section.folds else ""
        self.lines += [line._replace(pieces=(*lead, *line.pieces), section=self.number, fold=fold) for line in lines]
        # What is not drawn yet is found when more of it is.
        last = len(self.lines) - 1
        self.hits = [first + place for place in places] + [last] * (len(self.spans) - len(places))
        self._more(len(section.text) - len(raw), lead)

    def _more(self, undrawn: int, lead: Sequence[Piece]) -> None:
        """Say how much of a long text is not drawn, and how to see it."""
        section = self.section
        unread = self.message.unread if section.key in ("text", "result", "summary") else 0
        if undrawn or unread:
            # What folds is folded by the same key, everywhere but on this line.
            key = f"{key_for('transcript.fold', 'enter')}{' here' if section.folds else ''} shows more"
            pager = f"{key_for('transcript.pager')} opens all of it in a pager"
            words = f"… {size_words(undrawn + unread)} more · {key} · {pager}"
            said = Piece(one_line(words, self.look.width - 2 * len(lead)), "muted")
            self.lines.append(Line((*lead, said), fold="more", section=self.number))
