"""Conversations with every kind of text, the same for every run."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import accumulate
from typing import Any, Literal

SEED = 20260214
SESSIONS = 300
MESSAGES = 10
"""In each session, on average."""

FAMILIES = """
the|a|and|of|in|to|it|is|on|for|not|or|with|then|that|do|don
doc|docs|docker|dockerfile|docking|document|documents|documented|documentation|doctor
work|works|worker|workers|working|workflow|workspace|worked|workshop
test|tests|tested|tester|testing|testimony|testament
deploy|deploys|deployed|deployment|deployments|deployer
con|connect|connection|connections|config|configure|configuration|container|containers|contain|content
data|database|databases|dataset|datum|date|dates|dated
back|backup|backups|backend|background|backwards
re|read|reads|reader|readme|ready|real|release|released|releases|remote|remove|removed
serve|server|servers|service|services|serial
harbour|harbours|harvest|hard|hardly|hardware
light|lights|lighthouse|lighter|lightning
run|runs|runner|running|runtime|rune
user|users|use|used|useful|useless|usage
branch|branches|branched|bran|brand
time|times|timer|timezone|timeout|timestamp
port|ports|portable|portrait|report|reports
night|nightly|nights|knight
anchor|anchors|ferry|fjord|glacier|otter|zebra|zugzwang|quokka|bergen|oslo|kernel|python|swarm|podman|kubernetes
"""
OPERATORS = ("and", "or", "not")
VOCABULARY = tuple(word for line in FAMILIES.split() for word in line.split("|"))

IDENTIFIERS = (
    "docker-compose", "my_var", "v1.2", "v1.20", "C#", "c++", "C++", ".env", "don't", "don’t", "a@b.com", "foo/bar",
    "#tag", "C:\\Users\\demo", "--force", "rm -rf", "_private", "__init__", "print(x)", "$HOME", "~/.ssh/config",
    "100%", "x=1", "a && b", "x => y", "[INST]", "what?", "hello, world", "TODO: fix", "content:docker", "10:30",
    "https://example.com/docs?q=1#top", "read-me.txt", "main.py", "git push --force", "it's", "o'clock", "node.js",
    "@anna", "path/to/data-set_v2.csv", "5 < 6", "std::vector", "SELECT * FROM users;", "key: value", "e-mail", "`run`",
    "“quoted”", "(aside)", "naïve-test", "x^2", "{brace}", "1,000", "3.14", "R&D", "a|b", "wait…", "end.", "re:run",
)  # fmt: skip

CHINESE = (
    "大别山", "项目", "进展", "部署", "成功", "数据库", "备份", "服务器", "今天", "发布", "在哪里", "配置",
    "文件", "我", "的", "进", "秃发乌孤", "桂林", "广西", "漓江", "测试", "容器", "日志", "明天见",
)  # fmt: skip
JAPANESE = (
    "港",
    "船",
    "データベース",
    "を",
    "確認",
    "しました",
    "東京",
    "京都",
    "明日",
    "の",
    "天気",
    "サーバー",
    "ありがとう",
)
KOREAN = (
    "명동",
    "맛집",
    "추천",
    "서울",
    "부산",
    "기차",
    "명령을",
    "실행했습니다",
    "데이터베이스",
    "백업",
    "날씨",
    "오늘",
)
LATIN_INSIDE = ("youer", "docker", "API", "v2", "C#", "foo_bar")
RUSSIAN = (
    "Москва", "сегодня", "мой", "новый", "сервер", "ёлка", "всё", "готово", "настройки", "который", "файл", "Сергей",
    "копия", "резервная", "ещё", "йод", "їжак", "базы", "данных",
)  # fmt: skip
THAI = ("ฉัน", "พูด", "ภาษา", "ไทย", "ได้", "ฐานข้อมูล", "สำรอง", "วันนี้", "เซิร์ฟเวอร์", "ทะเล")
ACCENTED = (
    "café", "cafe\u0301", "cafe", "Zürich", "naïve", "señor", "Ångström", "crème", "brûlée", "garçon", "Łódź", "Hà",
    "Nội", "tiếng", "Việt", "λόγος", "ΛΌΓΟΣ", "ἀρχή", "καλημέρα", "straße", "STRASSE", "İstanbul", "ısı", "Ærø", "ﬁn",
)  # fmt: skip
EMOJI = ("🚀", "👍", "👍🏽", "🎉", "🤖", "🧪", "🙄", "👨‍👩‍👧", "❤️", "done🤖", "done🎉", "🇳🇴")
PUNCTUATION = (".", ".", ",", "!", "?", ";", ":", " —", "…", ")")

State = Literal["live", "rewound", "compacted"]


@dataclass(frozen=True)
class Message:
    """One message to be kept."""

    role: str
    content: str | list[dict[str, Any]] | None
    state: State = "live"
    tool_name: str | None = None
    tool_calls: list[dict[str, Any]] | None = None
    tool_call_id: str | None = None


@dataclass(frozen=True)
class Session:
    """One session to be kept, with its messages."""

    id: str
    source: str
    messages: tuple[Message, ...]
    parent: str = ""
    """The session that it goes on with after a compaction."""
    title: str = ""
    archived: bool = False


UNANSWERED = {
    "don't": "Nobody said: I don't know.",
    "hello, world": "It printed hello, world again",
    "foo/bar": "see foo/bar.txt",
    "a@b.com": "write to a@b.com please",
    "#tag": "with a #tag here",
    "what?": "So what? Nothing.",
    "C#": "written in C# mostly",
    "x=1": "set x=1 first",
    "100%": "it is 100% sure",
    "a;b": "run a;b now",
    "R&D": "ask R&D for it",
    "a|b": "either a|b or c",
    "[INST]": "the [INST] tag",
    "$HOME": "echo $HOME",
    "~/.ssh": "in ~/.ssh/config",
    "`run`": "type `run` there",
    "C:\\Users\\demo": "look in C:\\Users\\demo for it",
    "--force": "git push --force now",
    "-rf": "then rm -rf build",
    "rm -rf": "then rm -rf build",
    "- docker": "a list: - docker",
    ".env": "put it in .env first",
    "👍": "fine 👍 then",
    "dock": "the docker daemon",
}
"""What the older line of the agent answers with nothing, each with a text that has it."""


def conversations() -> list[dict[str, Any]]:
    """All sessions, as JSON has them."""
    planted = (
        Session(f"planted_{number:03}", "cli", (Message("user", text),))
        for number, text in enumerate(UNANSWERED.values())
    )
    return [asdict(session) for session in (*generated(), *planted)]


def generated() -> Iterator[Session]:
    """Sessions as an agent has them after some months."""
    rng = random.Random(SEED)
    sources = ["cli", "telegram", "tui", "discord", "cron", "subagent", "tool"]
    made: list[str] = []
    for number in range(SESSIONS):
        parent = rng.choice(made[-6:]) if made and rng.random() < 0.15 else ""
        source = rng.choices(sources, [40, 15, 15, 8, 8, 8, 6])[0]
        count = max(1, min(40, round(rng.expovariate(1 / MESSAGES))))
        id = f"20260{number // 100 + 1}{number % 28 + 1:02}_1{number % 6}{number % 60:02}00_{number:06x}"
        made = [each for each in made if each != parent] + [id]
        title = some_words(rng, rng.randint(1, 4)) + f" {number}" if rng.random() < 0.4 else ""
        messages = tuple(message for _ in range(count) for message in _messages(rng))
        yield Session(id, source, messages, parent, title, archived=rng.random() < 0.08)


def _messages(rng: random.Random) -> Iterator[Message]:
    state: State = rng.choices(("live", "rewound", "compacted"), [88, 6, 6])[0]
    kind = rng.random()
    if kind < 0.08:
        call = f"call_{rng.randrange(10**6)}"
        command = {"command": _text(rng)}
        function = {"name": "terminal", "arguments": json.dumps(command)}
        calls = [{"id": call, "type": "function", "function": function}]
        yield Message("assistant", _text(rng), state, tool_calls=calls)
        yield Message("tool", _text(rng), state, tool_name="terminal", tool_call_id=call)
    elif kind < 0.12:
        image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
        yield Message("user", [{"type": "text", "text": _text(rng)}, image], state)
    else:
        yield Message(rng.choice(("user", "assistant")), _text(rng), state)


_OFTEN = tuple(accumulate(1 / (rank + 12) for rank in range(len(VOCABULARY))))
"""How often each word is said: a few make up most of a text."""


def some_words(rng: random.Random, count: int) -> str:
    return " ".join(rng.choices(VOCABULARY, cum_weights=_OFTEN, k=count))


def _text(rng: random.Random) -> str:
    """Some sentences in some language, with what people paste between."""
    make = rng.choices((_english, _chinese, _japanese, _korean, _cyrillic, _thai, _accented), [50, 14, 8, 8, 8, 5, 7])[
        0
    ]
    pieces = [make(rng) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.35:
        pieces.insert(rng.randrange(len(pieces) + 1), rng.choice(IDENTIFIERS))
    if rng.random() < 0.12:
        pieces.append(rng.choice(EMOJI))
    return rng.choice((" ", " ", "\n")).join(pieces)


def _english(rng: random.Random) -> str:
    text = some_words(rng, rng.randint(3, 10))
    return rng.choice((text, text.capitalize(), text.upper() if rng.random() < 0.1 else text)) + rng.choice(PUNCTUATION)


def _chinese(rng: random.Random) -> str:
    text = "".join(rng.choice(CHINESE) for _ in range(rng.randint(1, 6)))
    if rng.random() < 0.3:
        text += rng.choice(LATIN_INSIDE) + rng.choice(CHINESE) + rng.choice(CHINESE)
    return text + rng.choice("。，！ ")


def _japanese(rng: random.Random) -> str:
    return "".join(rng.choice(JAPANESE) for _ in range(rng.randint(2, 6))) + rng.choice("。、 ")


def _korean(rng: random.Random) -> str:
    return " ".join(rng.choice(KOREAN) + rng.choice(("", "", "은", "에서")) for _ in range(rng.randint(2, 5))) + "."


def _cyrillic(rng: random.Random) -> str:
    return " ".join(rng.choice(RUSSIAN) for _ in range(rng.randint(2, 6))) + "."


def _thai(rng: random.Random) -> str:
    return "".join(rng.choice(THAI) for _ in range(rng.randint(2, 6)))


def _accented(rng: random.Random) -> str:
    return " ".join(rng.choice(ACCENTED) for _ in range(rng.randint(1, 4)))
