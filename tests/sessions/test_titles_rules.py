"""What holds for every derived title: over the file of first messages, what breaks programs, and made-up messages."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes_tui.redaction import find_secrets
from hermes_tui.sessions.titles import derive_title
from tests.every import every
from tests.nasty import NASTY
from tests.sessions.title_rules import broken_rules, first_messages

MESSAGES = first_messages()
SECONDS = 2.0
"""What no message may take, however it was made; the slowest takes a twentieth of that."""

GREETINGS = [
    "",
    "Hi! ",
    "Hey Hermes, ",
    "Good morning,\n",
    "Hallo zusammen, ",
    "Bonjour, ",
    "¡Hola! ",
    "Привет! ",
    "Xin chào, ",
]
FRAMES = {
    "Could you please ": "",
    "Can you help me to ": "",
    "I'd like you to ": "",
    "I need to ": "",
    "please ": "",
    "It would be great if you could ": "",
}
REQUESTS = [
    "rotate the logs of nginx",
    "plan a birthday party",
    "migrate the shop to Postgres",
    "translate this letter into Spanish",
    "compare three electric cars",
]
NOISE = [
    "",
    "\n\nThanks!",
    "\n\n```\nfoo(bar)\n```",
    "\n\n> quoted words here",
    "\n\nhttps://example.com/a/b",
    " 🙏",
    "\n\nBest regards,\nAnn",
    "\n\nTraceback (most recent call last):\nValueError: bad",
    "\n\n550e8400-e29b-41d4-a716-446655440000",
    "\n\n-- \nSent from my phone",
]
PIECES = st.sampled_from(
    [
        *(
            "hi",
            "please",
            "can you",
            "fix",
            "the",
            "of",
            "word",
            "`x`",
            "**b**",
            "# ",
            "- ",
            "> ",
            "\n",
            "\n\n",
            "```",
            "|",
        ),
        *(
            "<b>",
            "</b>",
            "http://a.b/c?d=e",
            "/usr/lib/x.py",
            "请",
            "帮我",
            "的",
            "教えて",
            "ください",
            "и",
            "من",
            "ở",
            "d'",
        ),
        *(
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            '"',
            "'",
            "“",
            "«",
            "…",
            "—",
            ":",
            "，",
            "。",
            "?",
            "!",
            "🎉",
            "\u200d",
            "\u202e",
        ),
        *("e\u0301", "\x00", "\x1b[31m", "Error: x", "sk-proj-Ab3dEf6hIj9kLmN2pQr5tUvW8xYz", "Straße", "naïve", "ข้อ"),
        *("데이터", "१२", "1.5", "C++", "a=b", "__init__", "\\n"),
    ]
)
quick = settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])


def test_every_title_of_the_file_keeps_to_the_rules() -> None:
    """A title with markup, half a word or a greeting looks broken in a list."""
    broken = {m.title: rules for m in MESSAGES if (rules := broken_rules(derive_title(m.text), m.text))}
    assert not broken


def test_titles_have_three_words_where_the_message_says_enough() -> None:
    """One word tells nothing of what a conversation was about."""
    said = [m for m in MESSAGES if m.lang not in ("zh", "ja", "mixed") and len(m.text.split()) >= 6]
    short = [m.title for m in said if m.title and len(m.title.split()) < 3 and "Error" not in m.title]
    assert len(short) <= len(said) * 0.02


@every("text", NASTY)
def test_what_breaks_programs_gives_a_title_within_the_rules(text: str) -> None:
    """The list is drawn from whatever is stored."""
    title = derive_title(text)
    allowed = {"whole words only", "no dangling mark"}
    assert set(broken_rules(title, text)) <= allowed


@quick
@given(st.sampled_from(GREETINGS), st.sampled_from(list(FRAMES)), st.sampled_from(REQUESTS), st.sampled_from(NOISE))
def test_a_request_has_one_title_however_it_is_dressed(greeting: str, frame: str, request: str, noise: str) -> None:
    """The same wish would be found under ten names."""
    assert derive_title(f"{greeting}{frame}{request}{noise}") == request[0].upper() + request[1:]


@quick
@given(st.lists(PIECES, max_size=40), st.booleans())
def test_pieces_in_any_order_give_a_title_within_the_rules(pieces: list[str], spaced: bool) -> None:
    """Nobody writes in the order that rules are made for."""
    text = (" " if spaced else "").join(pieces)
    title = derive_title(text)
    assert title == derive_title(text)
    assert set(broken_rules(title, text)) <= {"whole words only", "no greeting", "a phrase of some 16 characters"}
    assert "Ab3d" not in title
    assert "sk-" not in title


@quick
@given(st.text(max_size=300))
def test_any_text_gives_a_title_within_the_rules(text: str) -> None:
    """A file of bytes is a message too."""
    broken = set(broken_rules(derive_title(text), text))
    assert broken <= {"whole words only", "no dangling mark", "a phrase of some 16 characters"}


def test_brackets_that_go_leave_neither_a_half_nor_a_gap() -> None:
    """A title would seem to be cut off."""
    assert derive_title("e n A on A o 「編む」の違「") == "N A on A o 編むの違"
    assert derive_title("请问你 [] 馆藏的缂丝和织锦怎么区分？") == "你 馆藏的缂丝和织锦怎么区分"


@pytest.mark.parametrize("message", MESSAGES[:: len(MESSAGES) // 40], ids=lambda message: message.title[:20] or "none")
def test_no_secret_of_a_message_is_in_its_title(message: object) -> None:
    """Also when one is put between its words."""
    text = getattr(message, "text", "")
    for secret in ("ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8", "AKIAIOSFODNN7EXAMPLE", "password=Sommer2024!x"):
        for where in (f"{secret} {text}", f"{text} {secret}", f"{text}\n{secret}"):
            title = derive_title(where)
            assert not find_secrets(title)
            assert not any(
                secret[at : at + 6] in title for at in range(0, len(secret) - 6, 3) if secret[at : at + 6] != "passwo"
            )


HUGE = {
    "one letter": "a",
    "brackets": "[",
    "pairs": "()",
    "angles": "<",
    "tags": "<a-b>",
    "slashes": "/",
    "path": "a/",
    "dots": ".",
    "ticks": "`",
    "code": "`a",
    "stars": "*",
    "settings": "a=",
    "quotes": ">",
    "pipes": "|",
    "spaces": " ",
    "lines": "\n",
    "hashes": "#",
    "commas": "a,",
    "mails": "a@",
    "links": "http://",
    "pictures": "![a](",
    "targets": "[a](",
    "hex": "a1",
    "numbers": "1 ",
    "phones": "1-",
    "backslashes": "\\",
    "system": "[System: ",
    "json": '{"a":',
    "keys": "key=",
    "please": "please ",
    "asking": "can you ",
    "greeting": "hi ",
    "chinese": "我",
    "asking in chinese": "请帮我",
    "particles": "的",
    "japanese": "あ",
    "asking in japanese": "教えて",
    "mixed": "漢あ",
    "thai": "ก",
    "arabic": "و",
    "vietnamese": "ạ ",
    "elisions": "d'",
    "log": "2024-01-01 10:00:00 ",
    "errors": "Error: ",
    "names": "a.b.",
    "statements": "x = 1;\n",
    "prose": "hello world this is\n",
    "mail": "On a wrote ",
    "headers": "Authorization: Bearer ",
    "arrows": "→",
    "marks": "e\u0301",
    "emoji": "😀",
    "passwords": "password is ",
    "fences": "```\n",
    "bullets": "- ",
    "urls": "https://a.b/c ",
    "entities": "&amp;",
    "escapes": "\x1b[3",
    "tabs": "a\t",
}


@pytest.mark.parametrize("piece", HUGE.values(), ids=list(HUGE))
def test_a_megabyte_of_anything_takes_no_time(piece: str) -> None:
    """One pasted file would freeze the list; only its beginning is looked at."""
    text = piece * (1_000_000 // len(piece))
    started = time.thread_time()
    title = derive_title(text)
    assert time.thread_time() - started < SECONDS
    assert len(title) <= 60
    assert derive_title(f"Rotate the logs of nginx\n{text}") == "Rotate the logs of nginx"
