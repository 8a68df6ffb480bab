"""The agent's log of the demo: a line for each turn and for each tool, as far back as it has not been rotated away."""

from __future__ import annotations

import json
import time
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path

from hermes_tui.demo.conversations import Conversation, Message
from hermes_tui.demo.remembering import Review
from hermes_tui.demo.spending import provider_of

KEPT_SECONDS = 110 * 86_400.0
SHOWN_CHARS = 80
"""So much of a message is in the log."""
REVIEW_PROMPT = "Review the conversation above and keep what is worth remembering. Say nothing to the person."
STAGED_CHARS = 169
"""Characters of the answer that something waits for a person."""
LEAST_PAUSE_SECONDS = 8.0
"""A review begins no sooner after the last message."""
REVIEW_THREAD = "thread=bg-review:140211863500352"


def staging(conversations: Sequence[Conversation], pending: Path) -> Iterator[tuple[Review, str]]:
    """The reviews that have staged what waits in the queue, each with the tool that it called.

    Args:
        conversations: of which the last before it is the one that was gone over.
        pending: the folder of both queues.
    """
    ended = sorted((talk.messages[-1].at, talk.id) for talk in conversations if talk.messages)
    for tool, subsystem in (("memory", "memory"), ("skill_manage", "skills")):
        for path in sorted((pending / subsystem).glob("*.json")):
            try:
                record = json.loads(path.read_bytes())
            except ValueError:
                continue  # some of them are broken, to show what is said of such
            if isinstance(record, dict) and record.get("origin") == "background_review":
                place = bisect_right(ended, (record["created_at"] - LEAST_PAUSE_SECONDS, "")) - 1
                yield Review(ended[place][1], record["created_at"]), tool


def log_lines(
    conversations: Sequence[Conversation],
    reviews: Sequence[Review],
    now: float,
    staged: Sequence[tuple[Review, str]] = (),
) -> Iterator[str]:
    """The lines, oldest first."""
    lines = [
        line
        for talk in conversations
        if talk.messages and talk.messages[-1].at > now - KEPT_SECONDS
        for line in _talk_lines(talk)
    ]
    by_id = {talk.id: talk for talk in conversations}
    for review in reviews:
        lines += _review_lines(by_id[review.session_id], review, "memory completed (0.01s, 204 chars)")
    for review, tool in staged:
        lines += _review_lines(by_id[review.session_id], review, f"{tool} completed (0.01s, {STAGED_CHARS} chars)")
    for at, text in sorted(lines):
        stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))
        yield f"{stamp},{int(at % 1 * 1000):03} INFO {text}\n"


Line = tuple[float, str]


def _talk_lines(talk: Conversation) -> Iterator[Line]:
    before = talk.messages[0]
    for number, message in enumerate(talk.messages):
        if message.role == "user":
            yield message.at, _turn(talk, number, message.content)
        elif message.role == "tool":
            yield message.at, _tool(talk, message, message.at - before.at)
        before = message


def _review_lines(talk: Conversation, review: Review, done: str) -> Iterator[Line]:
    whose = f"{REVIEW_THREAD} provider={provider_of(talk.model)} base_url=https://models.example/v1 model={talk.model}"
    yield review.at - 6.4, f"run_agent: OpenAI client created (agent_init, shared=True) {whose}"
    yield review.at - 6.1, _turn(talk, len(talk.messages), REVIEW_PROMPT)
    yield review.at, f"[{talk.id}] agent.tool_executor: tool {done}"
    closed = "run_agent: OpenAI client closed (agent_close, shared=True, tcp_force_closed=0)"
    yield review.at + 2.2, f"[{talk.id}] {closed} {whose}"


def _turn(talk: Conversation, history: int, text: str) -> str:
    shown = (f"{text[:SHOWN_CHARS]}..." if len(text) > SHOWN_CHARS else text).replace("\n", " ")
    return (
        f"[{talk.id}] agent.turn_context: conversation turn: session={talk.id} model={talk.model}"
        f" provider={provider_of(talk.model)} platform={talk.source} history={history} msg={shown!r}"
    )


def _tool(talk: Conversation, message: Message, seconds: float) -> str:
    took = f"{seconds:.2f}s, {len(message.content)} chars"
    return f"[{talk.id}] agent.tool_executor: tool {message.tool_name} completed ({took})"
