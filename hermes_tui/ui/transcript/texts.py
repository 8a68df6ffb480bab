"""The texts that were read, and the rows that were drawn of them: as many as memory is set aside for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from sys import getsizeof

from hermes_tui.sessions.messages import Message
from hermes_tui.ui.transcript.layout import Laid, Look

MAX_BYTES = 16_000_000
"""Texts; so many that those of any screen fit, of which each is read up to a limit."""
MAX_LAID = 600
MAX_PIECES = 60_000
"""Pieces of drawn lines: a few hundred bytes each."""


class Texts:
    """Messages by id, those forgotten first that were not looked at for longest."""

    def __init__(self, most_bytes: int = MAX_BYTES, most_laid: int = MAX_LAID) -> None:
        self._most_bytes, self._most_laid = most_bytes, most_laid
        self._messages: OrderedDict[int, Message] = OrderedDict()
        self._laid: OrderedDict[int, tuple[Look, Laid, int]] = OrderedDict()
        self._suspect: set[int] = set()
        self._bytes = self._pieces = 0
        self.on_screen: frozenset[int] = frozenset()
        """Messages that are kept, whatever they take."""

    def __contains__(self, message_id: int) -> bool:
        return message_id in self._messages

    def __len__(self) -> int:
        return len(self._messages)

    def message(self, message_id: int) -> Message | None:
        """A message, if its text is here."""
        found = self._messages.get(message_id)
        if found is not None:
            self._messages.move_to_end(message_id)
        return found

    def wants(self, message_id: int) -> bool:
        """Whether a message has to be read, for the first time or again."""
        return message_id not in self._messages or message_id in self._suspect

    def suspect(self, ids: Iterable[int]) -> None:
        """Some messages may say something else by now; until they are read again they are shown as they were."""
        self._suspect.update(message_id for message_id in ids if message_id in self._messages)

    def suspect_all(self) -> None:
        """All messages may say something else by now."""
        self._suspect.update(self._messages)

    def put(self, messages: Iterable[Message]) -> None:
        """Keep messages; what was drawn of an older reading of them is forgotten when it was another text."""
        for message in messages:
            old = self._messages.pop(message.id, None)
            self._suspect.discard(message.id)
            if old is not None:
                self._bytes -= size_of(old)
            if old != message:
                self._forget_laid(message.id)
            self._messages[message.id] = message
            self._bytes += size_of(message)
        for oldest in list(self._messages) if self._bytes > self._most_bytes else ():
            if self._bytes <= self._most_bytes or len(self._messages) == 1:
                break
            if oldest not in self.on_screen:
                self._bytes -= size_of(self._messages.pop(oldest))

    def drop(self, ids: Iterable[int]) -> None:
        """Forget some messages: they have changed."""
        for message_id in ids:
            old = self._messages.pop(message_id, None)
            if old is not None:
                self._bytes -= size_of(old)
            self._forget_laid(message_id)

    def clear(self) -> None:
        """Forget everything."""
        self._messages.clear()
        self._laid.clear()
        self._suspect.clear()
        self._bytes = self._pieces = 0

    def laid(self, message_id: int, look: Look) -> Laid | None:
        """A message as it was drawn with that look."""
        found = self._laid.get(message_id)
        if found is None or found[0] != look:
            return None
        self._laid.move_to_end(message_id)
        return found[1]

    def put_laid(self, message_id: int, look: Look, laid: Laid) -> None:
        """Keep a message as it was drawn."""
        self._forget_laid(message_id)
        pieces = sum(len(line.pieces) + 1 for line in laid.lines)
        self._laid[message_id] = (look, laid, pieces)
        self._pieces += pieces
        while len(self._laid) > 1 and (len(self._laid) > self._most_laid or self._pieces > MAX_PIECES):
            self._pieces -= self._laid.popitem(last=False)[1][2]

    def _forget_laid(self, message_id: int) -> None:
        if message_id in self._laid:
            self._pieces -= self._laid.pop(message_id)[2]


def weight(message: Message) -> int:
    """About as many characters as a message holds."""
    calls = sum(len(call.arguments) for call in message.calls)
    return 200 + len(message.text) + len(message.reasoning) + calls


def size_of(message: Message) -> int:
    """About as many bytes as a message takes in memory: one for each character, or up to four."""
    calls = sum(getsizeof(call.arguments) for call in message.calls)
    return 400 + getsizeof(message.text) + getsizeof(message.reasoning) + calls
