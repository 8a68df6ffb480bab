"""The texts that were read, and the rows that were drawn of them: as many as memory is set aside for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from hermes_tui.sessions.messages import Message
from hermes_tui.ui.transcript.layout import Laid, Look

MAX_CHARS = 6_000_000
MAX_LAID = 600


class Texts:
    """Messages by id, those forgotten first that were not looked at for longest."""

    def __init__(self, most_chars: int = MAX_CHARS, most_laid: int = MAX_LAID) -> None:
        self._most_chars, self._most_laid = most_chars, most_laid
        self._messages: OrderedDict[int, Message] = OrderedDict()
        self._laid: OrderedDict[int, tuple[Look, Laid]] = OrderedDict()
        self._suspect: set[int] = set()
        self._chars = 0

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
                self._chars -= weight(old)
            if old != message:
                self._laid.pop(message.id, None)
            self._messages[message.id] = message
            self._chars += weight(message)
        while self._chars > self._most_chars and len(self._messages) > 1:
            _, oldest = self._messages.popitem(last=False)
            self._chars -= weight(oldest)

    def drop(self, ids: Iterable[int]) -> None:
        """Forget some messages: they have changed."""
        for message_id in ids:
            old = self._messages.pop(message_id, None)
            if old is not None:
                self._chars -= weight(old)
            self._laid.pop(message_id, None)

    def clear(self) -> None:
        """Forget everything."""
        self._messages.clear()
        self._laid.clear()
        self._suspect.clear()
        self._chars = 0

    def laid(self, message_id: int, look: Look) -> Laid | None:
        """A message as it was drawn with that look."""
        found = self._laid.get(message_id)
        if found is None or found[0] != look:
            return None
        self._laid.move_to_end(message_id)
        return found[1]

    def put_laid(self, message_id: int, look: Look, laid: Laid) -> None:
        """Keep a message as it was drawn."""
        self._laid[message_id] = (look, laid)
        self._laid.move_to_end(message_id)
        while len(self._laid) > self._most_laid:
            self._laid.popitem(last=False)


def weight(message: Message) -> int:
    """About as many characters as a message holds."""
    calls = sum(len(call.arguments) for call in message.calls)
    return 200 + len(message.text) + len(message.reasoning) + calls
