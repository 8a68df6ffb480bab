"""What one session was told."""

from __future__ import annotations

from typing import NamedTuple


class Told(NamedTuple):
    """One session and the block it was told; there may be a hundred thousand of them."""

    session_id: str
    row: int
    at: float
    """When its prompt was built, most likely, in epoch seconds; 0 when that is not known."""
    since: float
    """Not before this were the stores read."""
    until: float
    """Not after this was the prompt built."""
    size: int
    key: str
    last: float
    """When its last message was stored as the prompt was read."""
    block: int
    """Number of its block in `Index.blocks`; -1 when it has no prompt, or is of a kind that gets no memory."""
