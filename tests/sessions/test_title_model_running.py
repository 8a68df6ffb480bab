"""Titles for many conversations: a few at a time, stopped at once, and given up when the server is of no use."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from hermes_tui.errors import HermesTuiError
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.title_model import ModelFailed, TitleModel, read_opening, titles
from tests.http_server import Handler, hangs, sends
from tests.sessions.title_server import TitleServer, says
from tests.sessions.world import SHAPES, Shape, World


@pytest.fixture
def server() -> Iterator[TitleServer]:
    """A server on this machine."""
    with TitleServer() as made:
        yield made


@pytest.fixture
def model(server: TitleServer) -> Iterator[TitleModel]:
    """A model behind that server."""
    made = TitleModel(server.settings())
    yield made
    made.close()


@pytest.fixture
def base(make_world: Callable[..., World]) -> Iterator[Database]:
    """Forty conversations, and an empty one."""
    world = make_world()
    world.run("BEGIN")
    for number in range(40):
        world.session(f"s{number:02}", f"question number {number} about docker", f"answer {number}")
    world.session("empty")
    world.run("COMMIT")
    with Database(world.path) as opened:
        yield opened


IDS = [f"s{number:02}" for number in range(40)]


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_shown_to_a_model_is_how_the_conversation_began(make_world: Callable[..., World], shape: Shape) -> None:
    """After a compaction the title would be about the agent's summary."""
    world = make_world(shape)
    world.session("root", "how do I rotate logs?", end_reason="compression", ended_at=1.0)
    world.say("root", "", role="assistant", tool_calls='[{"id": "1"}]')
    world.say("root", "rotated", role="tool")
    world.say("root", [{"type": "text", "text": "With logrotate."}], role="assistant")
    world.session("tip", "[CONTEXT COMPACTION] all of it", "ok", parent_session_id="root")
    with Database(world.path) as base:
        for id in ("root", "tip"):
            opening = read_opening(base, id)
            assert (opening.first, opening.answer) == ("how do I rotate logs?", "With logrotate.")
        assert read_opening(base, "nowhere").first == ""


def test_every_conversation_gets_an_answer_and_progress_is_told(
    base: Database, server: TitleServer, model: TitleModel
) -> None:
    """Some would be forgotten, or the wait would be without a sign of life."""
    server.behaviours = [lambda handler: says(f"Title {len(server.asked)}")(handler)]
    steps: list[tuple[int, int]] = []
    found = dict(titles(base, [*IDS[:7], "empty"], model, progress=lambda *step: steps.append(step)))
    assert set(found) == {*IDS[:7], "empty"}
    assert all(isinstance(found[id], str) for id in IDS[:7])
    assert isinstance(found["empty"], ModelFailed)
    assert found["empty"].code == "nothing_said"
    assert (steps[0][1], steps[-1]) == (8, (8, 8))
    assert len(server.asked) == 7
    assert "answer 3" in "".join(request.told for request in server.asked)


def test_no_more_than_a_few_are_asked_at_once(base: Database, server: TitleServer, model: TitleModel) -> None:
    """A small server would fall over, and a large one refuse."""
    together: list[int] = []
    running = 0
    lock = threading.Lock()

    def counted(handler: Handler) -> None:
        nonlocal running
        with lock:
            running += 1
            together.append(running)
        time.sleep(0.03)
        with lock:
            running -= 1
        says("A fine title")(handler)

    server.behaviours = [counted]
    assert len(list(titles(base, IDS[:12], model, parallel=3))) == 12
    assert max(together) == 3
    together.clear()
    assert len(list(titles(base, IDS[:4], model))) == 4
    assert max(together) == 1, "a server on this machine does one thing at a time"


def test_a_run_that_hangs_is_stopped_at_once(base: Database, server: TitleServer, model: TitleModel) -> None:
    """Escape would wait for the slowest request."""
    server.behaviours = [says("A fine title"), says("A fine title"), hangs]
    stop = threading.Event()
    found: list[str] = []
    for id, _ in titles(base, IDS, model, stopped=stop.is_set, parallel=2):
        found.append(id)
        if len(found) == 2:
            threading.Timer(0.3, stop.set).start()
            begun = time.monotonic()
    assert time.monotonic() - begun < 1.3
    assert len(found) == 2
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("titles")]


def test_whoever_walks_away_stops_it(base: Database, server: TitleServer, model: TitleModel) -> None:
    """Requests would go on in the background after the screen was left."""
    server.behaviours = [says("A fine title"), hangs]
    running = titles(base, IDS, model, parallel=2)
    next(running)
    begun = time.monotonic()
    running.close()  # type: ignore[attr-defined]
    assert time.monotonic() - begun < 1
    assert len(server.asked) <= 4


def test_a_model_that_is_cancelled_ends_the_run(base: Database, server: TitleServer, model: TitleModel) -> None:
    """A run would report a failure for each conversation that is left."""
    server.behaviours = [hangs]
    threading.Timer(0.2, model.cancel).start()
    assert list(titles(base, IDS, model)) == []


def test_one_failure_does_not_end_the_run(base: Database, server: TitleServer, model: TitleModel) -> None:
    """One odd conversation would leave all the others without a title."""
    server.behaviours = [says("One title"), sends(400, {"error": "odd"}), says(""), says("Another title")]
    found = [outcome for _, outcome in titles(base, IDS[:6], model)]
    assert [isinstance(outcome, str) for outcome in found] == [True, False, False, True, True, True]


def test_a_server_that_fails_again_and_again_is_given_up_with_one_sentence(
    base: Database, server: TitleServer, model: TitleModel
) -> None:
    """Thousands of conversations would each wait for the same failure, and each say so."""
    server.behaviours = [says("One title"), sends(418, {"error": {"message": "I am a teapot"}})]
    found: list[str | HermesTuiError] = []
    with pytest.raises(ModelFailed) as caught:
        found.extend(outcome for _, outcome in titles(base, IDS, model))
    del found
    assert caught.value.code == "model_refused"
    assert caught.value.message.startswith("Stopped after 5 failures in a row, with 34 conversations left: 127.0.0.1")
    assert "I am a teapot" in caught.value.message
    assert len(server.asked) == 6


def test_a_wrong_key_is_not_tried_on_every_conversation(base: Database, server: TitleServer, model: TitleModel) -> None:
    """The words of five conversations would go out for nothing."""
    server.behaviours = [sends(401, {"error": {"message": "bad key"}})]
    with pytest.raises(ModelFailed, match="Stopped after 1 failure in a row, with 39 conversations left"):
        list(titles(base, IDS, model))
    assert len(server.asked) == 1


def test_titles_from_the_first_words_open_no_connection(base: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something would leave the machine although nobody asked for a model."""
    from hermes_tui.sessions.summaries import first_words
    from hermes_tui.sessions.titles import derive_title

    def blocked(*_: object, **__: object) -> None:
        raise AssertionError("a connection was opened")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, blocked)
    assert all("docker" in derive_title(first_words(base, id)) for id in IDS)
