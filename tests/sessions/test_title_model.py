"""Titles by a model: what is sent, what comes back, and what is said when nothing does."""

from __future__ import annotations

import builtins
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from hermes_tui.errors import Refused
from hermes_tui.sessions.title_model import ModelFailed, TitleModel
from tests.http_server import Behaviour, drips, hangs, raw, sends
from tests.sessions.title_server import TitleServer, says

SECRET = "sk-proj-abcdefghijklmnop1234567890"
KEY = "sk-test-0123456789abcdefghijklmnop"
GOOD = "Docker networks across hosts"


@pytest.fixture
def server() -> Iterator[TitleServer]:
    """A server on this machine."""
    with TitleServer() as made:
        yield made


@pytest.fixture
def model(server: TitleServer) -> Iterator[TitleModel]:
    """A model behind that server, with a key."""
    made = TitleModel(server.settings(api_key=KEY, key_origin="HERMES_TUI_TITLE_API_KEY"))
    yield made
    made.close()


def failure(model: TitleModel, first: str = "how do I connect containers?", answer: str = "") -> ModelFailed:
    """Why there is no title; the key is never part of it."""
    with pytest.raises(ModelFailed) as caught:
        model.title(first, answer)
    assert KEY not in f"{caught.value!r} {caught.value} {vars(caught.value)}"
    return caught.value


def test_a_title_is_asked_for_in_the_chat_protocol(server: TitleServer, model: TitleModel) -> None:
    """No server would understand the request."""
    server.behaviours = [says(f'"{GOOD}."')]
    assert model.title("how do I connect containers on two hosts?", "With an overlay network.") == GOOD
    [request] = server.asked
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["accept-encoding"] == "identity"
    assert (request.body["model"], request.body["stream"]) == ("tiny", False)
    assert [message["role"] for message in request.body["messages"]] == ["system", "user"]
    assert "connect containers on two hosts?" in request.told
    assert "With an overlay network." in request.told
    assert "language that the user writes in" in request.told


def test_what_is_sent_is_masked_and_short(server: TitleServer, model: TitleModel) -> None:
    """A key that somebody pasted, and pages of a log, would go to a stranger."""
    model.title(f"my key is {SECRET}, what is it? " + "a long log line " * 500, f"password: hunter2secret {'y' * 5000}")
    told = server.asked[0].told
    assert SECRET not in told
    assert "hunter2secret" not in told
    assert len(told) < 3_000 + 1_000


def test_a_secret_across_the_cut_is_not_sent_in_part(server: TitleServer, model: TitleModel) -> None:
    """The half of a key that is before the cut would not look like one, and be sent."""
    for length in range(3_960, 4_010, 5):
        private = "-----BEGIN RSA PRIVATE KEY-----\n" + "A" * 2_000 + "\n-----END RSA PRIVATE KEY-----\n"
        model.title((private + "x " * 2_000)[: length - 12] + " " + SECRET, "")
    assert all("sk-proj-ab" not in request.told for request in server.asked)


def test_text_in_any_script_and_half_characters_arrive(server: TitleServer, model: TitleModel) -> None:
    """A message with a broken emoji could not be sent at all."""
    server.behaviours = [says("配置 Docker 网络")]
    assert model.title("如何配置 Docker 网络？\ud83d", "🐳") == "配置 Docker 网络"
    assert "如何配置 Docker 网络？\ufffd" in server.asked[0].told


def test_settings_of_the_agent_are_passed_on(server: TitleServer) -> None:
    """A model that thinks for a minute unless it is told not to would do so for each title."""
    extra = {"reasoning_effort": "none", "temperature": 0, "model": "other"}
    model = TitleModel(server.settings(extra_body=extra, language="Deutsch"))
    model.title("hello there", "")
    body = server.asked[0].body
    assert (body["reasoning_effort"], body["temperature"], body["model"]) == ("none", 0, "tiny")
    assert "in Deutsch" in server.asked[0].told
    assert "authorization" not in server.asked[0].headers
    model.close()


def test_a_model_that_knows_another_name_for_the_room_is_asked_again(server: TitleServer, model: TitleModel) -> None:
    """Newer models refuse `max_tokens`, and there would never be a title."""
    server.behaviours = [sends(400, {"error": {"message": "Unsupported parameter: 'max_tokens'"}}), says(GOOD)]
    assert model.title("first", "") == GOOD
    assert model.title("second", "") == GOOD
    assert [set(request.body) & {"max_tokens", "max_completion_tokens"} for request in server.asked] == [
        {"max_tokens"},
        {"max_completion_tokens"},
        {"max_completion_tokens"},
    ]


@pytest.mark.parametrize(
    "behave",
    [
        says(GOOD, reasoning_content="The user asks", reasoning="so we"),
        says(f"<think>\nThe user asks\n</think>\n\n{GOOD}"),
        says([{"type": "reasoning", "text": "The user asks"}, {"type": "text", "text": GOOD}]),
        sends(200, {"choices": [{"text": f"\n\n{GOOD}\n"}]}),
        says('{"title": "Docker networks across hosts"}'),
    ],
)
def test_thoughts_are_left_out(server: TitleServer, model: TitleModel, behave: Behaviour) -> None:
    """A title would be the beginning of what a model thinks."""
    server.behaviours = [behave]
    assert model.title("how do I connect containers?", "") == GOOD


@pytest.mark.parametrize("content", [None, "", "<think>not finished", "I'm sorry, I can't.", "word " * 60, SECRET])
def test_an_answer_that_is_no_title_is_an_error_with_another_offer(
    server: TitleServer, model: TitleModel, content: Any
) -> None:
    """Conversations would be called “I'm sorry, I can't”."""
    server.behaviours = [says(content)]
    error = failure(model, "please rotate the nginx logs every night")
    assert error.code == "model_answer"
    assert "nginx" in error.offer
    assert "I'm sorry" not in error.offer


@pytest.mark.parametrize(
    ("behave", "words"),
    [
        (sends(200, b'{"choices": [{"mess'), "not JSON"),
        (sends(200, b""), "nothing at all"),
        (sends(200, b"[" * 100_000), "not JSON"),
        (sends(200, {"choices": []}), "not of the chat protocol"),
        (sends(200, ["no"]), "not of the chat protocol"),
        (sends(200, b"x" * 3_000_000), "more than 256 KiB"),
        (sends(200, b"\x1f\x8b\x08", Content_Encoding="gzip"), "packed"),
        (sends(200, {"choices": [{"message": {"content": ""}, "finish_reason": "length"}]}), "thoughts only"),
        (raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nrubbish\r\n"), "not HTTP, or breaks off"),
        (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"), "not HTTP, or breaks off"),
        (raw(b"SSH-2.0-OpenSSH_9.2\r\n"), "not HTTP, or breaks off"),
    ],
)
def test_an_answer_that_is_none_is_said_to_be(
    server: TitleServer, model: TitleModel, behave: Behaviour, words: str
) -> None:
    """Rubbish would end the program, fill the memory, or become a title."""
    server.behaviours = [behave]
    error = failure(model)
    assert error.code == "model_answer"
    assert words in error.message


def test_a_refusal_is_shown_with_the_servers_words_and_without_the_key(server: TitleServer, model: TitleModel) -> None:
    """A person would not know what is wrong, or have the key in their terminal's history."""
    message = f"Incorrect API key provided: {KEY}.\x1b[2J\u202e " + "more " * 200
    server.behaviours = [sends(401, {"error": {"message": message, "type": "auth"}})]
    error = failure(model)
    assert error.code == "model_refused"
    assert error.for_all
    assert error.message.startswith(f"127.0.0.1:{server.server_port} (this machine) refused (HTTP 401): Incorrect API")
    assert "HERMES_TUI_TITLE_API_KEY" in error.hint
    assert "\x1b" not in error.message
    assert "\u202e" not in error.message
    assert len(error.message) < 320
    assert len(server.asked) == 1


def test_an_error_with_a_good_status_is_a_refusal(server: TitleServer, model: TitleModel) -> None:
    """Some servers say 200 and mean no."""
    server.behaviours = [sends(200, {"error": {"message": "No credits left"}})]
    assert "No credits left" in failure(model).message


def test_a_busy_server_is_asked_once_more_after_the_pause_it_wants(server: TitleServer, model: TitleModel) -> None:
    """One hiccup of a server would leave a conversation without a title."""
    server.behaviours = [sends(429, {"error": "slow down"}, Retry_After="0.3"), says(GOOD)]
    begun = time.monotonic()
    assert model.title("first", "") == GOOD
    assert time.monotonic() - begun >= 0.3
    server.behaviours = [sends(503, b"<html>busy</html>", Retry_After="0")]
    assert "busy" in failure(model).message
    assert len(server.asked) == 4


def test_a_long_pause_is_not_waited_for(server: TitleServer, model: TitleModel) -> None:
    """The program would seem to hang for an hour."""
    server.behaviours = [sends(429, {"error": {"message": "quota"}}, Retry_After="3600")]
    begun = time.monotonic()
    error = failure(model)
    assert time.monotonic() - begun < 2
    assert (error.code, error.hint) == ("model_refused", "It asks for a pause of 3,600 s.")


def test_a_redirect_is_not_followed(server: TitleServer, model: TitleModel) -> None:
    """What was meant for one server would go to another one, with the key."""
    with TitleServer() as other:
        server.behaviours = [sends(307, b"", Location=f"{other.base_url}/chat/completions")]
        error = failure(model)
        assert error.code == "model_refused"
        assert f"127.0.0.1:{other.server_port}" in error.message
        assert other.asked == []


@pytest.mark.parametrize("behave", [hangs, drips])
def test_a_server_that_does_not_come_to_an_end_is_left(server: TitleServer, behave: Behaviour) -> None:
    """A title would be waited for forever."""
    server.behaviours = [behave]
    model = TitleModel(server.settings(), timeout=0.4)
    begun = time.monotonic()
    error = failure(model)
    assert time.monotonic() - begun < 2
    assert error.code == "model_timeout"
    assert "did not answer within" in error.message
    model.close()


@pytest.mark.parametrize("behave", [hangs, drips])
def test_a_request_that_hangs_can_be_cancelled_at_once(
    server: TitleServer, model: TitleModel, behave: Behaviour
) -> None:
    """Escape would do nothing for half a minute."""
    server.behaviours = [behave]
    threading.Timer(0.2, model.cancel).start()
    begun = time.monotonic()
    assert failure(model).code == "model_stopped"
    assert time.monotonic() - begun < 1
    assert failure(model).code == "model_stopped"
    assert len(server.asked) == 1


def test_the_thread_of_a_cancelled_request_ends_with_it(server: TitleServer, model: TitleModel) -> None:
    """Each one that was cancelled would leave a thread and a connection behind."""
    server.behaviours = [hangs]
    threading.Timer(0.2, model.cancel).start()
    failure(model)
    deadline = time.monotonic() + 2
    while any(thread.name == "title-request" for thread in threading.enumerate()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not [thread for thread in threading.enumerate() if thread.name == "title-request"]


def test_a_cancelled_pause_ends_at_once(server: TitleServer, model: TitleModel) -> None:
    """Escape would wait for the server's pause."""
    server.behaviours = [sends(503, b"", Retry_After="15")]
    threading.Timer(0.2, model.cancel).start()
    begun = time.monotonic()
    assert failure(model).code == "model_stopped"
    assert time.monotonic() - begun < 1


def test_a_server_that_is_not_there_is_said_to_be_unreachable(server: TitleServer) -> None:
    """A person would look for the fault in their conversations."""
    settings = server.settings()
    server.shutdown()
    server.server_close()
    model = TitleModel(settings)
    error = failure(model)
    assert error.code == "model_unreachable"
    assert error.message == f"127.0.0.1:{server.server_port} (this machine) cannot be reached: Connection refused."
    assert error.hint == "Does the server run?"
    model.close()


def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(
    server: TitleServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A conversation that is meant for a model at home would pass through a company's proxy."""
    with TitleServer() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.server_port}")
        model = TitleModel(server.settings())
        assert model.title("first", "") == "A title for this"
        assert proxy.asked == []
        model.close()


def test_a_proxy_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch, server: TitleServer) -> None:
    """The program would end with the inside of a library on the screen."""
    monkeypatch.setenv("ALL_PROXY", "nonsense://x:y@proxy")
    with pytest.raises(Refused, match="ALL_PROXY") as caught:
        TitleModel(server.settings(base_url="https://models.example.org/v1"))
    assert "x:y" not in str(caught.value)


def test_without_the_extra_it_is_said_how_to_get_it(server: TitleServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """`No module named 'httpx'` tells a person nothing."""
    real = builtins.__import__

    def without(name: str, *args: Any, **named: Any) -> Any:
        if name.split(".")[0] == "httpx":
            raise ImportError(name)
        return real(name, *args, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(Refused) as caught:
        TitleModel(server.settings())
    assert caught.value.code == "http_not_installed"
    assert "pip install 'hermes-tui[llm]'" in caught.value.hint


def test_the_library_for_requests_is_loaded_only_when_a_model_is_asked() -> None:
    """Everybody would wait for what few people use."""
    code = "import sys, hermes_tui.sessions.title_model, hermes_tui.cli.sessions_title; print('httpx' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert ran.stdout.strip() == "False"
