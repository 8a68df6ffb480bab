"""What a store must be to be changed, and what is said when it is not, or when the disk refuses halfway."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hermes_tui.disk import reason
from hermes_tui.errors import HermesTuiError, Refused, Unreadable
from hermes_tui.memory.entries import StoreName, fold_newlines, join, parse, usage_of
from hermes_tui.memory.view import StoreView

if TYPE_CHECKING:
    from hermes_tui.memory.store import OnDisk


def refuse_one_file(on_disk: Mapping[StoreName, OnDisk]) -> None:
    """Say no to a change over both stores when links make them one file: what goes into one would be lost.

    Raises:
        Refused: they are.
    """
    targets = {here.view.target for here in on_disk.values()}
    if len(targets) < len(on_disk):
        raise Refused(
            f"MEMORY.md and USER.md are one and the same file ({targets.pop()}); nothing was written.",
            code="same_file",
            hint="Remove the link and give each store its own file.",
        )


def half_done(error: BaseException) -> Unreadable:
    """The error of a change of which a part stands, since the disk also refuses to put it back."""
    said = error.message if isinstance(error, HermesTuiError) else f"The disk refused: {reason(error)}."  # type: ignore[arg-type]
    return Unreadable(
        f"{said} Part of the change is written, and could not be taken back.",
        code="half_done",
        hint="Nothing is lost: the next change or start puts it right, once the disk works again.",
    )


def refuse_disorder(on_disk: OnDisk) -> None:
    """Say no to a file that is not in order; one whose only fault is an oversize entry may be mended.

    Raises:
        Refused: with what is wrong and how to mend it.
    """
    view = on_disk.view
    if view.state == "unreadable":
        raise Unreadable(view.problem, code="unreadable", hint=view.hint)
    if view.state not in ("ok", "missing") and not _is_only_oversize(view):
        raise Refused(view.problem, code=view.state, hint=view.hint)


def refuse_overflow(on_disk: OnDisk, content: Sequence[str] | bytes) -> None:
    """Say no to entries past the limit, unless they make a full store smaller.

    Raises:
        Refused: with the overshoot.
    """
    view = on_disk.view
    after = usage_of(texts_of(content), view.usage.limit)
    if _is_only_oversize(view) and after.chars >= view.usage.chars:
        raise Refused(view.problem, code="drift", hint=view.hint)
    if after.over and after.chars > view.usage.chars:
        raise Refused(
            f"{view.file_name} would be at {after.chars:,}/{after.limit:,} chars: over by {after.over:,}.",
            code="over_limit",
            hint="Shorten it, or make room by merging or removing entries.",
        )


def _is_only_oversize(view: StoreView) -> bool:
    return view.state == "drift" and view.drift == ("oversize",)


def texts_of(content: Sequence[str] | bytes) -> list[str]:
    """The entries in what is to be written."""
    if isinstance(content, bytes):
        return parse(content.decode("utf-8", errors="replace").removeprefix("\ufeff"))
    return parse(join([fold_newlines(text) for text in content]))
