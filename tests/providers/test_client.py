"""Asking a server: nothing without consent, nothing without end, and a sentence for each way in which it fails."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.errors import HermesTuiError, Refused
from hermes_tui.providers import client as client_module
from hermes_tui.providers.client import Client, ProviderFailed, Server, checked_key, checked_url, part
from tests.http_server import drips, floods, garbles, hangs
from tests.nasty import NASTY
from tests.providers.provider_server import Answers, ProviderServer, Raw

STRANGER = """
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmOOTP9+tLg69WtbP
QIfK4rHY8JOd/kadfFkJyjZbzTuhRANCAATwuTmQUmlhaCAJQx0nYjgVmzzd4kLZ
7z7d/aeKsz6vFJxRm/zKN4qYKWNLkc/+rzivbrZenIUW/QyqiDtEKmBQ
-----END PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUex4VrHfayL4gG+fIy0JlmqZucFYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDIwMzEyNloYDzIxMjYxMTA2
MjAzMTI2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATwuTmQUmlhaCAJQx0nYjgVmzzd4kLZ7z7d/aeKsz6vFJxRm/zKN4qY
KWNLkc/+rzivbrZenIUW/QyqiDtEKmBQo28wbTAdBgNVHQ4EFgQUaO6WTOZWRF2z
73PD+kqZJrMN8/owHwYDVR0jBBgwFoAUaO6WTOZWRF2z73PD+kqZJrMN8/owDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgGxtNgehOresdWbyaJS0pPkd/wdJJa47Et1bL3RdOucECIELO
aosoqtGfBbJFuI07btuqXwB43a25wf1TMsQWbpsT
-----END CERTIFICATE-----
"""
"""A certificate that nobody vouches for, with its key; it is used nowhere else."""
KEY = "sk-very-secret-key-0123456789"
TIMES: dict[str, float] = {"connect": 1.0, "read": 0.3, "total": 0.6}


def client_of(url: str, **times: float) -> Client:
    """A client that may ask, and has a key."""
    headers = {"Authorization": f"Bearer {KEY}"}
    server = Server("Testing", url, headers, (KEY,), "TEST_API_KEY")
    return Client(server, confirmed=True, **{**TIMES, **times})


def failure(answers: Answers, path: str = "/x", **times: float) -> ProviderFailed:
    """How asking a server that answers so fails."""
    with ProviderServer(answers) as server:
        client = client_of(server.url, **times)
        with pytest.raises(ProviderFailed) as caught:
            client.get(path)
        client.close()
    said = f"{caught.value} {caught.value.__cause__}"
    assert KEY not in said
    assert KEY not in repr(client.server)
    return caught.value


def test_nothing_is_sent_before_a_person_agreed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening a screen would tell a server who is there."""

    def blocked(*_: object, **__: object) -> Any:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", blocked)
    monkeypatch.setattr(socket, "create_connection", blocked)
    monkeypatch.setattr(socket, "getaddrinfo", blocked)
    client = Client(Server("Testing", "https://example.invalid"))
    asks: list[Callable[[], object]] = [
        partial(client.get, "/x"),
        partial(client.post, "/x", {}),
        partial(client.delete, "/x"),
    ]
    for ask in asks:
        with pytest.raises(Refused) as caught:
            ask()
        assert caught.value.code == "not_confirmed"


def test_what_is_asked_arrives_as_it_was_meant() -> None:
    """A name with a slash or a space would ask for something else."""
    with ProviderServer(lambda asked: {"path": asked.path}) as server:
        client = client_of(server.url + "/base")
        client.post("/a", {"text": "half \ud83d 日本"}, {"q": "a b&c=ä", "deep": False, "page": 2})
        client.delete(f"/m/{part('../x y/?#')}", body={"id": 1})
        assert client.get("/c") == {"path": "/base/c"}
        client.close()
        first, second, third = server.asked
    assert (first.method, first.path) == ("POST", "/base/a")
    assert first.query == {"q": "a b&c=ä", "deep": "false", "page": "2"}
    assert first.body == {"text": "half \ud83d 日本"}
    assert first.headers["authorization"] == f"Bearer {KEY}"
    assert first.headers["accept-encoding"] == "identity"
    assert (second.method, second.path, second.body) == ("DELETE", "/base/m/..%2Fx%20y%2F%3F%23", {"id": 1})
    assert "content-type" not in third.headers


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (401, "provider_unauthorized", "the key (HTTP 401): bad *** here. Check the key in TEST_API_KEY."),
        (403, "provider_unauthorized", "(HTTP 403)"),
        (404, "provider_missing", "knows nothing of it (HTTP 404)"),
        (422, "provider_refused", "refused (HTTP 422)"),
        (429, "provider_refused", "pause"),
        (500, "provider_failing", "failed (HTTP 500)"),
        (503, "provider_failing", "Try again later."),
    ],
)  # fmt: skip
def test_each_refusal_is_a_sentence_without_the_key(status: int, code: str, words: str) -> None:
    """A person would see a number, or their key on the screen."""
    body = f'{{"detail": [{{"msg": "bad {KEY} here"}}]}}'.encode()
    error = failure(lambda _: Raw(status, body))
    assert (error.code, error.status) == (code, status)
    assert words in str(error)


def test_an_answer_that_is_none_is_told_as_such() -> None:
    """Nothing would be shown, or the program would end."""
    assert failure(lambda _: Raw(body=b"<html>")).code == "provider_answer"
    assert failure(lambda _: Raw(body=b"[" * 100_000)).code == "provider_answer"
    assert failure(lambda _: Raw(body=b"\x1f\x8b", headers=(("Content-Encoding", "gzip"),))).code == "provider_answer"
    assert failure(lambda _: Raw(act=garbles)).code == "provider_answer"
    page = failure(lambda _: Raw(502, b"<html><body>Bad Gateway"))
    assert page.message.endswith("failed (HTTP 502).")
    texts = list(NASTY.values())
    with ProviderServer(lambda _: Raw(500, texts.pop().encode("utf-8", "replace"))) as server:
        client = client_of(server.url, read=5.0, total=5.0)
        while texts:
            with pytest.raises(ProviderFailed) as caught:
                client.get("/x")
            assert caught.value.code == "provider_failing"
            assert caught.value.message.isprintable()
        client.close()


def test_an_empty_answer_is_nothing() -> None:
    """Deleting succeeds with no words at all."""
    with ProviderServer(lambda _: Raw(204)) as server:
        client = client_of(server.url)
        assert client.delete("/x") is None
        client.close()


def test_a_server_that_is_slow_or_endless_is_left_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The screen would wait for ever, or the memory fill up."""
    monkeypatch.setattr(client_module, "MOST_BYTES", 1 << 20)
    started = time.monotonic()
    assert failure(lambda _: Raw(act=hangs)).code == "provider_timeout"
    dripping = failure(lambda _: Raw(act=drips))
    assert dripping.code == "provider_timeout"
    assert "did not answer within" in dripping.message
    assert failure(lambda _: Raw(act=floods), total=5.0, read=5.0).message.endswith("with more than 1 MiB.")
    assert time.monotonic() - started < 4


def test_who_does_not_want_to_wait_leaves_at_once() -> None:
    """Escape would do nothing until the time is up."""
    with ProviderServer(lambda _: Raw(act=hangs)) as server:
        client = client_of(server.url, read=20.0, total=20.0)
        threading.Timer(0.1, client.cancel).start()
        started = time.monotonic()
        with pytest.raises(ProviderFailed) as caught:
            client.get("/x")
        assert caught.value.code == "provider_stopped"
        assert time.monotonic() - started < 5
        with pytest.raises(ProviderFailed):
            client.get("/x")
        client.close()


def test_a_server_that_is_not_there_is_told_by_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody would look for their key, while only the address is wrong."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    refused = pytest.raises(ProviderFailed, match="nothing listens there")
    with refused:
        client_of(f"http://127.0.0.1:{port}").get("/x")

    def unknown(*_: object, **__: object) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(ProviderFailed, match="there is no such host"):
        client_of("http://nowhere.invalid").get("/x")


def test_the_key_follows_no_redirect_to_another_place() -> None:
    """A server could send the key to whom it likes."""
    with ProviderServer(lambda _: {"stolen": True}) as other:
        error = failure(lambda _: Raw(307, headers=(("Location", f"{other.url}/x"),)))
        assert other.asked == []
    assert (error.code, "points to another address" in error.message) == ("provider_refused", True)
    loop = failure(lambda _: Raw(302, headers=(("Location", "/x"),)))
    assert loop.status == 302

    def moved(asked: Any) -> Any:
        return {"ok": asked.method} if asked.path.endswith("/") else Raw(308, headers=(("Location", asked.path + "/"),))

    with ProviderServer(moved) as server:
        client = client_of(server.url)
        assert client.post("/x", {"a": 1}) == {"ok": "POST"}
        assert server.asked[1].body == {"a": 1}
        client.close()


def test_a_server_whose_certificate_nobody_vouches_for_gets_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody on the way could pose as the provider, and read key and memories."""
    pem = tmp_path / "stranger.pem"
    pem.write_text(STRANGER)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    with ProviderServer(lambda _: {"ok": True}) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        url = server.url.replace("http:", "https:")
        client = client_of(url, read=5.0, total=5.0)
        with pytest.raises(ProviderFailed, match="CERTIFICATE_VERIFY_FAILED") as caught:
            client.get("/x")
        client.close()
        assert "SSL_CERT_FILE" in caught.value.hint
        assert server.asked == []
        monkeypatch.setenv("SSL_CERT_FILE", str(pem))
        trusting = client_of(url, read=5.0, total=5.0)
        assert trusting.get("/x") == {"ok": True}
        trusting.close()


def test_a_local_or_open_request_passes_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy would see the key and all that is stored."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with ProviderServer(lambda _: {"ok": True}) as server:
        client = client_of(server.url)
        assert client.get("/x") == {"ok": True}
        client.close()


@pytest.mark.parametrize(
    "url", ["", "example.com", "ftp://x", "http://", "http://a b", "http://x:99999", "http://u:p@x"]
)
def test_an_address_that_is_none_is_refused_without_being_shown(url: str) -> None:
    """A password in it would be on the screen."""
    with pytest.raises(Refused) as caught:
        checked_url(url, "TEST_URL")
    assert "TEST_URL" in caught.value.message
    assert "u:p" not in str(caught.value)


def test_a_key_or_an_id_that_cannot_be_one_is_refused() -> None:
    """A line break in a key would add a header of its own."""
    assert checked_url(" https://x.example/api/ ", "x") == "https://x.example/api"
    for key in ("a b", "a\r\nX: y", "schlüssel", "\x00"):
        with pytest.raises(HermesTuiError):
            checked_key(key, "TEST_API_KEY")
    for id in ("", ".", ".."):
        with pytest.raises(HermesTuiError):
            part(id)
