"""Who said a message, and what is particular about it, in words that all readable formats share."""

from __future__ import annotations

from hermes_tui.sessions.export.shown import Shown
from hermes_tui.sessions.export.times import clock
from hermes_tui.sessions.messages import Message, State

NAME_CHARS = 80
OUTPUT_CHARS = 8_000
"""Of the output of a tool so much is written, unless all is asked for: what it began with, and how it ended."""
OUTPUT_END_CHARS = 2_000

YOU, AGENT, RESULT, SUMMARY, NOTICE = "You", "Hermes", "Result", "Summary", "Notice"
_SPEAKERS = {"user": YOU, "assistant": AGENT, "tool": RESULT, "system": "System"}
_STATES = {State.REWOUND: "taken back", State.HIDDEN: "bookkeeping"}
NOTHING = "(nothing)"
NO_MESSAGES = "(no messages)"
SUMMARY_WORDS = "What the agent noted of all that was said before, to go on with."


def speaker(message: Message, shown: Shown) -> str:
    """Who a message is from."""
    if message.kind == "summary":
        return SUMMARY
    if message.kind == "notice":
        return NOTICE
    return _SPEAKERS.get(message.role) or shown.line(message.role, NAME_CHARS) or "Unknown"


def particulars(message: Message, shown: Shown) -> list[str]:
    """What else stands over a message: the tool, the time, what became of it."""
    tool = shown.line(message.tool_name, NAME_CHARS) if message.role == "tool" else ""
    note = shown.line(message.note, NAME_CHARS) if message.kind == "notice" else ""
    return [said for said in (tool, note, clock(message.timestamp), _STATES.get(message.state, "")) if said]


def call_name(name: str, shown: Shown) -> str:
    """What a tool that was called is named."""
    return shown.line(name, NAME_CHARS) or "a call that cannot be read"


def output(text: str, shown: Shown, *, whole: bool) -> str:
    """What a tool gave back; its middle left out where it is long."""
    # Masked as a whole: half a secret looks like none.
    text = shown.mask(text)
    if not whole and len(text) > OUTPUT_CHARS:
        left_out = len(text) - OUTPUT_CHARS
        text = (
            f"{text[: OUTPUT_CHARS - OUTPUT_END_CHARS]}\n"
            f"[… {left_out:,} characters left out …]\n{text[-OUTPUT_END_CHARS:]}"
        )
    return shown.seen(text)
