"""The errors that reach a person: what happened, to which thing, what to do next."""

from __future__ import annotations

from typing import ClassVar

CRASHED = 70
"""The exit code of an error nobody foresaw."""

_TITLES = {
    "disk_full": "Cannot write",
    "no_home": "No home",
    "no_permission": "Cannot write",
    "nothing_to_redo": "Nothing to redo",
    "nothing_to_undo": "Nothing to undo",
    "read_only_disk": "Cannot write",
    "write_failed": "Cannot write",
}
"""Titles of failures whose class alone would call them something else."""


class HermesTuiError(Exception):
    """Base of every error a person may see.

    `code` is the stable word scripts test for, `message` says what happened to which thing, and
    `hint` what to press or run next (may be empty).
    """

    exit_code: ClassVar[int] = 1
    kind_title: ClassVar[str] = "Not done"

    def __init__(self, message: str, *, code: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.hint = hint

    @property
    def title(self) -> str:
        """A few words that stand over it."""
        return _TITLES.get(self.code, self.kind_title)

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class Refused(HermesTuiError):
    """A rule of the store forbids the change; nothing was written."""

    kind_title = "Refused"


class NotFound(HermesTuiError):
    """The thing named does not exist (an entry, a home, a profile)."""

    kind_title = "Not found"


class Unreadable(HermesTuiError):
    """Something on disk exists but cannot be read or written as it is."""

    exit_code = 3
    kind_title = "Cannot read"


class Conflict(HermesTuiError):
    """The thing on disk is no longer what the person saw when they decided; nothing was written."""

    kind_title = "Changed meanwhile"
    undo_of: str = ""
    """The change that an undo could not take back because of this."""
