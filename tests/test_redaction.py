"""Masking secrets: every class of them, what must stay readable, and that it is quick on any text."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.redaction import Redaction, find_secrets, mask, redact
from tests.every import every
from tests.nasty import NASTY

LETTERS = "abcdefghijklmnopqrstuvwxyz"
PRIVATE_KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEabcd\nef==\n-----END RSA PRIVATE KEY-----"
QUICK_SECONDS = 0.5

MASKED = {
    "sk-proj-abcdefghijklmnop1234567890": "sk-pro...7890",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789": "ghp_ab...6789",
    "AKIAIOSFODNN7EXAMPLE": "AKIAIO...MPLE",
    "sk-abcdefghij": "***",
    f"AIza{LETTERS}0123": "AIzaab...0123",
    "xoxb-1234567890-abcdefgh": "xoxb-1...efgh",
    f"glpat-{LETTERS}": "glpat-...wxyz",
    "MY_PASSWORD=hunter2": "MY_PASSWORD=***",
    "db.password=hunter2": "db.password=***",
    "secret=abcdefghijklmnopqrstu": "secret=abcdef...rstu",
    "export GITHUB_TOKEN=abc ls": "export GITHUB_TOKEN=*** ls",
    "API_KEY='hunter2' ls": "API_KEY='***' ls",
    "OPENAI_API_KEY=sk-test-0000000000000000000000": "OPENAI_API_KEY=***",
    '{"api_key": "abcdefghijklmnopqrst", "name":"bob"}': '{"api_key": "abcdef...qrst", "name":"bob"}',
    '{"apiKey":"abc","a":1}': '{"apiKey":"***","a":1}',
    "{'client_secret': 'abc', 'a': 1}": "{'client_secret': '***', 'a': 1}",
    r'{"a": "{\"api_key\": \"abcdefghijklmnopqrst\"}"}': r'{"a": "{\"api_key\": \"abcdef...qrst\"}"}',
    r'{"password": "a\"b", "n": 1}': '{"password": "***", "n": 1}',
    r'{"content": "user: x\n  password: hunter2\nport: 1"}': r'{"content": "user: x\n  password: ***\nport: 1"}',
    "password: hunter2": "password: ***",
    'a:\n  - token: "hunter2"\n    b: c': 'a:\n  - token: "***"\n    b: c',
    "Authorization: Bearer abcdefghijklmnopqrstuvwxyz": "Authorization: Bearer abcdef...wxyz",
    "Authorization: Basic dXNlcjpwYXNz": "Authorization: Basic ***",
    "curl -H 'authorization: token abc' x": "curl -H 'authorization: token ***' x",
    '{"Authorization": "Bearer abc"}': '{"Authorization": "Bearer ***"}',
    "x-api-key: abcdefghijklmnop": "x-api-key: ***",
    "curl -H 'X-Api-Key: abc' x": "curl -H 'X-Api-Key: ***' x",
    "123456789:AAHabcdefghijklmnopqrstuvwxyz012345": "123456789:***",
    PRIVATE_KEY: "[REDACTED PRIVATE KEY]",
    f"a {PRIVATE_KEY} b {PRIVATE_KEY} c": "a [REDACTED PRIVATE KEY] b [REDACTED PRIVATE KEY] c",
    f'private_key: "{PRIVATE_KEY}"': 'private_key: "[REDACTED PRIVATE KEY]"',
    "postgres://user:secretpw@host/db": "postgres://user:***@host/db",
    "redis://:p@ss@host/0": "redis://:***@host/0",
    "https://abcdefghijklmnopqrstuvwxyz@github.com/x": "https://abcdef...wxyz@github.com/x",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijk": "eyJhbG...hijk",
    "a=1&password=foo&b=2": "a=1&password=***&b=2",
    "+15551234567": "+155****4567",
    "call +1555123 now": "call +1****23 now",
    "https://user:pw@host/x": "https://user:***@host/x",
    "https://x.io/cb?token=abc&a=1#top": "https://x.io/cb?token=***&a=1#top",
    "POST /hook?password=abc HTTP/1.1": "POST /hook?password=*** HTTP/1.1",
    "connect(host, password=hunter2, retries=3)": "connect(host, password=***, retries=3)",
    "connect(password=hunter2hunter2hun)": "connect(password=***)",
    "connect(password=hunter2hunter2hunter2)": "connect(password=hunter...ter2)",
    'password = "hunter 2"': 'password = "***"',
}
LEFT_ALONE = [
    "max_tokens: 100",
    "MAX_TOKENS=4096",
    '{"max_tokens": 100, "total_tokens": 5}',
    "tokenizer: bert",
    "author: Ann",
    "my password is hunter2",
    "bob@example.com",
    "4111 1111 1111 1111",
    'token = "abc"',
    "mysql://home/bob@host",
    "git@github.com:foo/bar",
    "ssh://git@github.com/foo",
    "https://x.io/a?page=2&b=@c",
    "Token: a unit of text",
    "The secret: nobody knows",
    "Authorization: the user must agree",
    "if password == 'x':",
    "password: str = ''",
    'api_key=os.environ["X"]',
    "token=get_token(x)",
    "API_KEY=$API_KEY",
    "secret: ${VAULT}",
    "token: /run/secrets/token",
    "MY_PASSWORD=<your-password>",
    "token=",
    "risk-management-committee",
    "disk-abcdefghijkl",
    "scikit sk-learn",
    "npm_config_registry",
    "12:30",
    "+0100",
    "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
    "std::token::Kind",
]


@pytest.mark.parametrize(("text", "shown"), MASKED.items(), ids=range(len(MASKED)))
def test_every_class_of_secret_is_masked(text: str, shown: str) -> None:
    """Somebody looking over the shoulder, or getting the export, could use it."""
    assert redact(text) == shown
    assert redact(f"before\n{text}\nafter") == f"before\n{shown}\nafter" or "=1&" in text


def test_a_private_key_whose_end_was_cut_off_is_masked_to_its_last_line() -> None:
    """A preview of 500 characters would show most of the key."""
    cut_off = f"-----BEGIN PRIVATE KEY-----\n{LETTERS}\n{LETTERS}\nabc"
    assert redact(cut_off) == "[REDACTED PRIVATE KEY]"
    assert redact(f"{cut_off[:-4]}\n\nThat was it.") == "[REDACTED PRIVATE KEY]\n\nThat was it."


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_only_sounds_secret_stays_readable(text: str) -> None:
    """A person would wonder which limit is set, and code would be full of stars."""
    assert redact(text) is text
    assert find_secrets(text) == ()


@pytest.mark.parametrize("secret", ["", "a", "a" * 17])
def test_a_short_secret_shows_nothing_of_itself(secret: str) -> None:
    """Ten of seventeen characters would be as good as all."""
    assert mask(secret) == "***"


def test_a_long_secret_shows_its_ends() -> None:
    """One could not tell two keys apart."""
    assert mask("abcdefghijklmnopqr") == "abcdef...opqr"


def test_each_secret_says_where_it_is_in_the_raw_text() -> None:
    """The screen would paint the mask over the wrong letters."""
    text = "é\u0130 token=abc and postgres://u:pw@h/ or sk-abcdefghij"
    assert find_secrets(text) == (
        Redaction(9, 12, "***", "named"),
        Redaction(text.index("pw"), text.index("pw") + 2, "***", "url"),
        Redaction(text.index("sk-"), len(text), "***", "token"),
    )


def test_what_is_masked_already_is_not_masked_again() -> None:
    """An export of an export would lose the ends that tell two keys apart."""
    for shown in MASKED.values():
        assert redact(shown) == shown


@every("text", NASTY)
def test_odd_text_passes_unchanged(text: str) -> None:
    """A transcript with strange characters could not be shown."""
    assert redact(text) == text


@given(
    st.lists(st.sampled_from([*MASKED, *LEFT_ALONE, " ", "\n", '"', "'", "\\", "=", ":", "é", "\u0130"])).map("".join)
)
def test_redactions_are_in_order_and_apart(text: str) -> None:
    """Text between two secrets would be lost or shown twice."""
    done = 0
    for secret in find_secrets(text):
        assert done <= secret.start < secret.end <= len(text)
        done = secret.end
    redact(text)


def once(text: str) -> float:
    """Seconds of processor time that looking through `text` takes."""
    times = []
    for _ in range(5):
        started = time.thread_time()
        find_secrets(text)
        times.append(time.thread_time() - started)
    return min(times)


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "a",
            "=",
            '{"',
            "sk-",
            "ghp_",
            "sk-a ",
            "token=",
            "key ",
            "eyJ",
            "://",
            "://a:b@",
            "-----BEGIN PRIVATE KEY-----",
        ),
        *('{"password":"', "?token=a&", "a=1&", '\\"', "api_key=/", "12345678:", "+", "password='", "authorization: "),
    ],
)
def test_no_text_makes_it_slow(piece: str) -> None:
    """One message could freeze the transcript; twice the text takes about twice the time."""
    small, large = (once((piece * size)[:size]) for size in (50_000, 400_000))
    assert large < max(QUICK_SECONDS, small * 24)


def test_ordinary_text_costs_next_to_nothing() -> None:
    """Scrolling through a transcript would stutter."""
    rng = random.Random(7)
    words = ["the", "of", "that", "was", "well-known", "memory", "conversation,", "notes:", "Bergen.", "deploy", "keys"]
    assert once(" ".join(rng.choices(words, k=40_000))) < QUICK_SECONDS / 4
