"""Filter words that ask what a conversation was told of memory, or did to it."""

from __future__ import annotations

import json
from functools import partial

from tests.sessions.world import World
from tests.ui.sessions_app import Home, OpenSessions, SessionsDriver, open_sessions, sessions_home

__all__ = ["open_sessions", "sessions_home"]

CALL = {"action": "add", "target": "memory", "content": "Likes jasmine tea"}


def remembering(world: World) -> None:
    """One conversation that wrote, one that proposed, one that talks of it."""
    for id, result in (("wrote", {"success": True, "usage": "1% — 17/2,200 chars"}), ("staged", {"staged": True})):
        world.session(id, "remember the tea", title=f"It {id}")
        calls = [{"id": "c1", "type": "function", "function": {"name": "memory", "arguments": json.dumps(CALL)}}]
        world.say(id, "", role="assistant", tool_calls=json.dumps(calls))
        world.say(id, json.dumps(result), role="tool", tool_name="memory", tool_call_id="c1")
    world.session("talked", "jasmine tea, please", title="It talked")


def finds(app: SessionsDriver, ids: list[str]) -> bool:
    """Whether just these are in the list."""
    return app.ids == ids


async def test_conversations_are_found_by_what_they_wrote_and_proposed(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """Nobody would find where an entry came from by the words it has."""
    remembering(sessions_home.world())
    async with open_sessions() as app:
        for asked, found in (("wrote:jasmine", ["wrote"]), ('staged:"TEA jasmine"', ["staged"]), ("knew:jasmine", [])):
            app.screen.box.put(asked)
            await app.until(partial(finds, app, found), asked)
            await app.settle()


async def test_words_beside_them_are_looked_for_in_those_conversations(
    open_sessions: OpenSessions, sessions_home: Home
) -> None:
    """A search would go through all the others."""
    remembering(sessions_home.world())
    async with open_sessions() as app:
        app.screen.box.put("wrote:jasmine tea")
        await app.until(lambda: bool(app.ids) and all(id.startswith("wrote@") for id in app.ids), "hits of it alone")
        await app.settle()
