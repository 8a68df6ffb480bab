"""What is left of a model's answer when it becomes a title."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.redaction import find_secrets
from hermes_tui.sessions.title_model import clean_title
from tests.nasty import NASTY

GOOD = "Docker networking basics"
ZH = "配置 Docker 网络"


@pytest.mark.parametrize(
    "answer",
    [
        GOOD,
        f"{GOOD}.",
        f'"{GOOD}."',
        f"“{GOOD}”",
        f"„{GOOD}“",
        f"«{GOOD}»",
        f"「{GOOD}」",
        f"'{GOOD}'",
        f"`{GOOD}`",
        f"**{GOOD}**",
        f"## {GOOD} ##",
        f"- {GOOD}",
        f"1. {GOOD}\n2. Networks of containers",
        f"Title: {GOOD}",
        f"**Title:** {GOOD}",
        f'**Title: "{GOOD}"**',
        f"Session title: {GOOD}",
        f"Suggested title:\n\n{GOOD}\n",
        f'The title is "{GOOD}"',
        f"Titel: {GOOD}",
        f"标题：{GOOD}",
        f"Tiêu đề: {GOOD}",
        f"العنوان: {GOOD}",
        f"Sure! Here's a title for the conversation:\n\n**{GOOD}**\n\nLet me know if you want another.",
        f"Sure, here is one: “{GOOD}”",
        f"好的！以下是标题：{GOOD}",
        f"Let me look at what this is about first.\nTitle: {GOOD}",
        f'{{"title": "{GOOD}"}}',
        f'```json\n{{"title": "{GOOD}", "language": "en"}}\n```',
        f'Here you go: {{"title": "{GOOD}"}}',
        f'["{GOOD}"]',
        f"<title>{GOOD}</title>",
        f"{GOOD}</s>",
        "Docker\u200b netw\u202eork\u2066ing\ufeff basics\x00",
        f"[{GOOD}](https://example.org/x)",
    ],
)
def test_only_the_title_is_left(answer: str) -> None:
    """Titles would have quotation marks, stars, and polite words in them."""
    assert clean_title(answer) == GOOD


@pytest.mark.parametrize(
    "answer",
    [
        f"<think>\nThe user asks about it.\nTitle: no\n</think>\n\n{GOOD}",
        f"<thinking mode='deep'>no</thinking>{GOOD}",
        f"<think>a <think>b</think> c</think>{GOOD}",
        f"The user asks about it, so\n</think>\n{GOOD}",
        f"{GOOD}\n<think>was that good?",
        f"<reasoning>no</reasoning>\n{GOOD}",
        f"<THINK>no</THINK>{GOOD}",
        f"[THINK]no[/THINK]{GOOD}",
        f"◁think▷no◁/think▷{GOOD}",
        "<|channel|>analysis<|message|>We need one.<|end|><|start|>assistant<|channel|>final<|message|>"
        f"{GOOD}<|return|>",
        f"analysisWe need a short title.assistantfinal{GOOD}",
    ],
)
def test_what_a_model_thinks_is_no_part_of_the_title(answer: str) -> None:
    """A session would be called “The user asks about it”."""
    assert clean_title(answer) == GOOD


@pytest.mark.parametrize(
    "answer",
    [
        *("", "   \n ", "...", "🐳", "Untitled", "New conversation", "Title", "Title:", "null", "无标题", "OK."),
        *("<think>The user asks about", "<|channel|>analysis<|message|>We need a title"),
        *('{"title": "Docker networ', '{"name": 5}', "{}", "[]", "```json\n```"),
        *("I'm sorry, but I can't help with that.", "As an AI language model, I cannot", "I don’t have any context"),
        *("The user is asking about Docker", "Please provide the conversation", "How can I help you today?"),
        *(
            "Es tut mir leid, aber",
            "К сожалению, я не могу",
            "抱歉，我无法",
            "申し訳ありません",
            "Xin lỗi, tôi không thể",
            "عذراً، لا أستطيع",
        ),
        "To connect containers on several hosts you first create an overlay network, then attach each of them to it.",
        "word " * 40,
        "你可以先创建一个覆盖网络，然后把每个容器都连接到这个网络上，这样它们就可以互相通信了，下面是详细的步骤和示例配置文件以及常见问题的解决办法",
        "x" * 81,
        "Key sk-proj-abcdefghijklmnop1234567890 leaked",
        "Key sk-pro...7890 leaked",
        "password=***",
    ],
)
def test_what_is_no_title_is_none(answer: str) -> None:
    """A session would be called “I'm sorry”, or by a key that somebody pasted."""
    assert clean_title(answer) == ""


@pytest.mark.parametrize(
    "title",
    [
        *(
            ZH,
            "Docker-Netzwerke über mehrere Hosts",
            "Настройка сети Docker",
            "إعداد شبكة دوكر",
            "Cấu hình mạng Docker",
        ),
        *("Docker のネットワーク設定", "도커 네트워크 설정", "Rock 'n' roll history", "“Foo” and “bar” compared"),
        *("Vec<String> lifetimes", "asyncio.gather() vs TaskGroup()", "Fix user_id in snake_case", "Using C# and C++"),
        *(
            ".env files in Docker",
            "Docker: networking basics",
            "Change window title: tmux",
            "Unable to connect to MySQL",
        ),
        *(
            "Title is missing in the page header",
            "Hello, world in “Rust”",
            "SELECT * FROM users is slow",
            "Sorry page for nginx",
        ),
        *("Okay Google alternatives", "Here documents in bash", "Analysis of nginx logs", "Naïve café 🐳 menu"),
    ],
)
def test_a_good_title_stays_as_it_is(title: str) -> None:
    """Half of a title would be taken for manners or markup."""
    assert clean_title(title) == title


def test_a_long_title_ends_with_a_whole_word() -> None:
    """The list would be full of halves of words."""
    words = "Connecting containers on several hosts with an overlay network and encrypted traffic"
    assert clean_title(words) == "Connecting containers on several hosts with an overlay network and encrypted"


def test_a_long_and_hostile_answer_takes_no_time() -> None:
    """A server could keep the program busy for hours with one answer."""
    for piece in (
        "<think>",
        "</think>",
        '{"title": ',
        "**a",
        "[a](",
        "“",
        "_a_",
        "<|channel|>",
        "Title: ",
        "1. ",
        '\\"',
    ):
        begun = time.thread_time()
        clean_title(piece * (200_000 // len(piece)))
        assert time.thread_time() - begun < 1.0, piece


@given(st.text(max_size=300) | st.sampled_from(sorted(NASTY.values())))
def test_whatever_the_answer_the_title_fits_a_list(answer: str) -> None:
    """A title could command the terminal, or be refused by the database."""
    title = clean_title(answer)
    assert len(title) <= 80
    assert title == title.strip()
    assert not {unicodedata.category(char) for char in title} & {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    assert not find_secrets(title)
