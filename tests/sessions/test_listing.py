"""The list of conversations, as a person sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hermes_tui.errors import NotFound, Refused
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.lineage import parts_of
from hermes_tui.sessions.listing import Brief, Choice, SessionIndex, choose, continued
from hermes_tui.sessions.meant import meant
from hermes_tui.sessions.summaries import Summary, summaries
from tests.sessions.world import NOW, SHAPES, Shape, World

Make = Callable[..., World]


def listed(world: World) -> tuple[Brief, ...]:
    """All conversations, read both ways, which have to agree."""
    base = Database(world.path)
    whole, quick = SessionIndex(base), SessionIndex(base)
    whole.load()
    assert quick.newest(1_000) == whole.briefs
    base.close()
    return whole.briefs


def summary_of(world: World, id: str) -> Summary:
    """The details of one conversation."""
    brief = next(brief for brief in listed(world) if brief.id == id)
    return summaries(Database(world.path), [brief], NOW)[0]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_last_active_conversation_comes_first(make_world: Make, shape: Shape) -> None:
    """A long conversation that was used today is at the top, whenever it began; equal ones keep their order."""
    world = make_world(shape)
    world.session("long", "hello", started_at=NOW - 864_000)
    world.session("b", started_at=NOW - 500, title="b", message_count=1)
    world.session("a", started_at=NOW - 500, title="a", message_count=1)
    world.say("long", "still here", timestamp=NOW - 5)
    assert [brief.id for brief in listed(world)] == ["long", "a", "b"]
    assert summary_of(world, "long").live


def test_the_parts_of_a_conversation_are_one_row(make_world: Make) -> None:
    """Compactions do not clutter the list: the newest part stands for all, with the title that was given."""
    world = make_world()
    world.session(
        "one", "how do I rotate logs?", "so", title="Logs", ended_at=NOW, end_reason="compression", started_at=1.0
    )
    world.session(
        "two", "summary", "and", parent_session_id="one", started_at=NOW, ended_at=NOW + 5, end_reason="compression"
    )
    world.session("three", "summary", parent_session_id="two", started_at=NOW + 5)
    (brief,) = listed(world)
    assert (brief.id, brief.root, brief.parts, brief.messages) == ("three", "one", ("one", "two", "three"), 5)
    summary = summary_of(world, "three")
    assert (summary.title, summary.derived, summary.preview) == ("Logs", False, "how do I rotate logs?")
    base = Database(world.path)
    assert {parts_of(base, id) for id in brief.parts} == {brief.parts}
    assert parts_of(base, "one")[-1] == "three"


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        ({"parent_session_id": "p"}, "subagent"),
        ({"parent_session_id": "p", "model_config": '{"_delegate_from": "p"}'}, "subagent"),
        ({"parent_session_id": "p", "model_config": '{"_branched_from": "p"}'}, "branch"),
        ({"parent_session_id": "p", "model_config": '{"_reset_from": "p"}'}, "chat"),
        ({"parent_session_id": "branched"}, "branch"),
        ({"source": "cron"}, "cron"),
        ({"source": "tool"}, "tool"),
        ({"source": "weird_new"}, "chat"),
        ({"model_config": "{bad"}, "chat"),
    ],
)
def test_each_kind_of_conversation_is_recognised(make_world: Make, columns: dict[str, Any], kind: str) -> None:
    """Branches are a person's own, helpers and scheduled runs are not; no source is dropped."""
    world = make_world()
    world.session("p", "hi", end_reason="cli_close")
    world.session("branched", "hi", end_reason="branched", ended_at=1.0)
    world.session("child", "hi", "ho", **columns)
    brief = next(brief for brief in listed(world) if brief.id == "child")
    assert brief.kind == kind
    assert ("does not parse" in summary_of(world, "child").warning) == (columns.get("model_config") == "{bad")


def test_what_is_left_out_is_counted(make_world: Make) -> None:
    """Empty sessions, archived ones and what filters hide are numbers, not silence."""
    world = make_world()
    for number in range(20):
        world.session(f"empty{number}")
    world.session("chat", "hi", source="telegram")
    world.session("job", "hi", source="cron")
    world.session("away", "hi", archived=1)
    world.session("named", title="Kept for later")
    briefs = listed(world)
    chosen = choose(briefs, Choice())
    assert {brief.id for brief in chosen.briefs} == {"chat", "named"}
    assert chosen.hidden == {"empty": 20, "cron": 1, "archived": 1}
    assert [brief.id for brief in choose(briefs, Choice(archived="only")).briefs] == ["away"]
    assert choose(briefs, Choice(sources=frozenset({"telegram"}))).hidden["filter"] == 1
    everything = Choice(kinds=frozenset({"empty", "cron", "subagent", "tool"}), archived="also")
    assert len(choose(briefs, everything).briefs) == 24


def test_the_one_that_continue_would_open_is_known(make_world: Make) -> None:
    """`hermes --continue` takes the last one at a terminal, not the newest of all."""
    world = make_world()
    world.session("terminal", "hi")
    world.session("chat", "hi", source="telegram")
    assert continued(listed(world)) == "terminal"
    assert continued(()) == ""


@pytest.mark.parametrize("bad", [None, "soon", 1_790_000_000_000.0, -5.0, 1e300, float("inf"), ""])
def test_odd_times_never_break_the_list(make_world: Make, bad: object) -> None:
    """Milliseconds, text and nothing in the place of a time still give a list."""
    world = make_world()
    world.run("PRAGMA ignore_check_constraints = ON")
    world.session("good", "hi")
    world.session("odd", started_at=bad if bad is not None else "null", message_count=1, title="x", ended_at=bad)
    world.say("odd", "hi", timestamp=bad if bad is not None else "")
    assert {brief.id for brief in listed(world)} == {"good", "odd"}
    if bad == 1_790_000_000_000.0:
        assert next(brief for brief in listed(world) if brief.id == "odd").started_at == NOW
    assert summary_of(world, "odd").title == "x"


def test_a_ring_of_sessions_does_not_hang(make_world: Make) -> None:
    """Sessions that claim to continue each other are shown all the same."""
    world = make_world()
    world.session("a", "hi", parent_session_id="b", end_reason="compression")
    world.session("b", "hi", parent_session_id="a", end_reason="compression")
    world.session("self", "hi", parent_session_id="self", end_reason="compression")
    assert parts_of(Database(world.path), "a")
    assert parts_of(Database(world.path), "self") == ("self",)
    base = Database(world.path)
    index = SessionIndex(base)
    index.load()
    assert {part for brief in index.briefs for part in brief.parts} == {"a", "b", "self"}


def test_the_list_follows_what_is_written(make_world: Make) -> None:
    """New messages move a conversation up, new sessions appear, deleted ones go."""
    world = make_world(wal=True)
    world.session("a", "hi")
    world.session("b", "hi")
    base = Database(world.path)
    index = SessionIndex(base)
    index.load()
    before = base.version()
    assert index.refresh() is False
    world.say("a", "more", timestamp=NOW)
    assert base.version() != before
    assert index.refresh()
    assert [brief.id for brief in index.briefs] == ["a", "b"]
    world.session("c", "hi", parent_session_id="a", started_at=NOW + 1)
    world.run("UPDATE sessions SET end_reason = 'compression', ended_at = ? WHERE id = 'a'", (NOW,))
    assert index.refresh()
    index.take(["a", "c"])
    assert {brief.parts for brief in index.briefs} == {("a", "c"), ("b",)}
    world.run("DELETE FROM messages WHERE session_id = 'b'")
    world.run("DELETE FROM sessions WHERE id = 'b'")
    assert index.refresh()
    assert {brief.id for brief in index.briefs} == {"c"}


def test_titles_that_nobody_gave_come_from_what_was_said(make_world: Make) -> None:
    """An untitled conversation is called by its first real words, and that it is not a stored title is known."""
    world = make_world()
    world.session("s", "[System note: resumed]\n\nHello! How do I rotate the logs of nginx every night? Thanks")
    summary = summary_of(world, "s")
    assert (summary.derived, summary.title) == (True, "Rotate the logs of nginx every night")
    assert summary.preview.startswith("Hello! How do I")
    world.session("picture")
    world.say("picture", [{"type": "image_url"}, {"type": "text", "text": "what is this?"}])
    assert "what is this" in summary_of(world, "picture").preview


def test_a_session_is_found_by_what_a_person_calls_it(make_world: Make) -> None:
    """Exact id, exact title, the newest of a numbered title, the beginning of an id; never a guess."""
    world = make_world()
    for number, title in enumerate(["Bug hunt", "bug HUNT #9", "Bug hunt #notes", "Bug hunt #2", "Other"]):
        world.session(f"2026010{number}_abc", "hi", title=title)
    world.session("20260101", "hi")
    base = Database(world.path)
    assert meant(base, "Bug hunt") == "20260100_abc"
    world.run("UPDATE sessions SET title = NULL WHERE id = '20260100_abc'")
    assert meant(base, "Bug hunt") == "20260103_abc"
    assert meant(base, "Other") == "20260104_abc"
    assert meant(base, "20260101") == "20260101"
    assert meant(base, "20260102") == "20260102_abc"
    with pytest.raises(Refused, match="beginning of several ids"):
        meant(base, "2026")
    for wrong in ("Bug hunt #note", "nothing", ""):
        with pytest.raises((NotFound, Refused)):
            meant(base, wrong)
