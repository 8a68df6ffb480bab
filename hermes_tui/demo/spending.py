"""What the conversations of the demo would have cost: tokens counted from their length, at list prices."""

from __future__ import annotations

from dataclasses import dataclass

from hermes_tui.demo.conversations import Conversation

CHARS_PER_TOKEN = 4
PROMPT_TOKENS = 11_400
"""The system prompt and the tools, sent with every call."""
CACHED_PRICE_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Price:
    """Who runs a model, and what it takes for a million tokens in and out, in dollars."""

    provider: str
    dollars_in: float = 0.0
    dollars_out: float = 0.0


PRICES = {
    "hermes-3-70b": Price("nous", 0.30, 0.30),
    "hermes-4-70b": Price("nous", 0.13, 0.40),
    "hermes-4-405b": Price("nous", 1.0, 3.0),
    "anthropic/claude-sonnet-4.5": Price("openrouter", 3.0, 15.0),
    "openai/gpt-5-mini": Price("openrouter", 0.25, 2.0),
}
OWN_MACHINE = Price("custom")


@dataclass(frozen=True, slots=True)
class Spending:
    """The counters of one session."""

    provider: str
    calls: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    reasoning_tokens: int
    cost: float
    cost_status: str
    """estimated, or included for a model on one's own machine."""


def provider_of(model: str) -> str:
    """Who runs a model."""
    return PRICES.get(model, OWN_MACHINE).provider


def spending(conversation: Conversation) -> Spending:
    """The tokens and the cost of a conversation."""
    price = PRICES.get(conversation.model, OWN_MACHINE)
    calls = fresh = cached = out = thought = 0
    context, known = PROMPT_TOKENS, 0
    for message in conversation.messages:
        size = (len(message.content) + len(message.tool_calls or "")) // CHARS_PER_TOKEN + 4
        if message.role == "assistant":
            calls += 1
            fresh += context - known
            cached += known
            known = context
            reasoned = len(message.reasoning or "") // CHARS_PER_TOKEN
            thought += reasoned
            out += size + reasoned
        context += size
    dollars = (fresh + cached * CACHED_PRICE_SHARE) * price.dollars_in + out * price.dollars_out
    status = "included" if price is OWN_MACHINE else "estimated"
    return Spending(price.provider, calls, fresh, out, cached, thought, round(dollars / 1e6, 6), status)
