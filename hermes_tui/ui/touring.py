"""The tour: five steps through the screens, for somebody who has never seen them."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes_tui.ui.actions import key_for

if TYPE_CHECKING:
    from hermes_tui.ui.app import HermesTuiApp


@dataclass(frozen=True, slots=True)
class Step:
    """One screen, and what to know of it first."""

    screen: str
    title: str
    words: str
    """`{memory.add}` stands for the key of that action."""


STEPS = (
    Step(
        "memory",
        "Memory",
        "What the agent is told when a session begins: MEMORY.md holds its notes, USER.md what it knows of you, and a"
        " bar says how full each is. {memory.add} adds an entry, {memory.edit} edits the one under the cursor,"
        " {memory.remove} deletes it, {memory.undo} takes it back, {memory.story} tells where it came from."
        " {memory.switch} goes to the other file.",
    ),
    Step(
        "pending",
        "Pending",
        "What the agent wants to remember waits here while the gate is on, and {pending.gate} switches that."
        " {pending.open} goes to what would change. {pending.approve} approves, {pending.reject} rejects,"
        " {pending.edit} edits it first, {pending.undo} takes a decision back.",
    ),
    Step(
        "sessions",
        "Sessions",
        "Every conversation there was, the last active first. {sessions.search} searches in all of them while you type,"
        " {sessions.open} opens one at what was found, {sessions.resume} copies the command that resumes it. A word"
        " like after:2025-03 or source:telegram narrows the list, and {sessions.views} keeps a search as a view.",
    ),
    Step(
        "timeline",
        "Timeline",
        "What the agent believed at any time, and who wrote it. {timeline.earlier} and {timeline.later} go back and on,"
        " {timeline.search} searches in all entries there ever were, {timeline.restore} brings one back that is gone.",
    ),
    Step(
        "memory",
        "Everywhere",
        "{app.memory} to {app.settings} go to the screens, the last of them the agent's settings; {app.profiles} goes"
        " to another profile. {app.help} lists the keys of where you are, {app.palette} finds any action by its name,"
        " this tour too, and {app.quit} leaves. Nothing is lost: whatever you change or delete here, undo brings back.",
    ),
)
_KEY = re.compile(r"\{([\w.]+)\}")


def said(words: str) -> list[tuple[str, str]]:
    """Words in pieces, each with its style: the keys as they are bound, and bold."""
    pieces = _KEY.split(words)
    return [(key_for(piece), "bold $accent") if at % 2 else (piece, "") for at, piece in enumerate(pieces)]


async def tour(app: HermesTuiApp) -> None:
    """Lead through the steps until the last one is done, or somebody has seen enough."""
    from hermes_tui.ui.dialogs.tour import TourStep  # loaded here: once in a lifetime

    number = 0
    while number < len(STEPS):
        step = STEPS[number]
        await app.screens.go_to(step.screen)
        by = await app.push_screen_wait(TourStep(step.title, said(step.words), number=number, steps=len(STEPS)))
        if isinstance(by, str):
            await app.screens.go_to(by)
            break
        if by is None or (by == 0 and await _chosen(app)):
            break
        number += by
    app.say(f"{key_for('app.tour')} shows the tour again. {key_for('app.help')} lists the keys of where you are.")


async def _chosen(app: HermesTuiApp) -> bool:
    """Open the palette, and wait for what comes of it: whether something is to be done now."""
    closed: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    await app.show_palette(closed.set_result)
    return await closed
