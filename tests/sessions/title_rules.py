"""What every derived title has to keep to, whatever the message; shared by the tests of titles."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

FIRST_MESSAGES = Path(__file__).with_name("first_messages.jsonl")
UNSPACED = re.compile("[\u3041-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
GREETED = re.compile(
    r"(?:hi|hello|hey|good (?:morning|evening)|dear|please|thanks"
    r"|hallo|moin|servus|guten (?:tag|morgen|abend)|bitte|danke"
    r"|hola|buen[oa]s (?:días|tardes|noches)|por favor|gracias|bonjour|bonsoir|salut|merci|s'il vous"
    r"|привет|здравствуйте|добрый (?:день|вечер)|пожалуйста|спасибо|xin chào|chào|làm ơn|vui lòng"
    r"|مرحبا|السلام عليكم|من فضلك|شكرا)(?!\w)|你好|您好|请|谢谢|こんにちは|こんばんは|お疲れ",
    re.IGNORECASE,
)
WORLD = re.compile(r"hello world", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FirstMessage:
    """What a person said first, and what the conversation is called then."""

    lang: str
    text: str
    title: str


def first_messages() -> list[FirstMessage]:
    """All of the file."""
    return [FirstMessage(**json.loads(line)) for line in FIRST_MESSAGES.read_text(encoding="utf-8").splitlines()]


def broken_rules(title: str, text: str) -> list[str]:
    """The rules that the title of a message breaks, each in a few words."""
    rules = {
        "at most 60 characters": len(title) <= 60,
        "at most seven words": bool(UNSPACED.search(title)) or len(title.split()) <= 7,
        "a phrase of some 16 characters": not UNSPACED.search(title) or _units(title) <= 18,
        "no control, hidden or direction character": not any(_is_hidden(char) for char in title),
        "one line, single spaces": title == " ".join(title.split()),
        "no greeting": not GREETED.match(title) or bool(WORLD.match(title)),
        "no markup": not re.search(r"[`*<>|{}\\]|^#|~~|\[|\]|https?:", title),
        "no dangling mark": not title or title[-1] not in ",.;:!?-–—…，。、：；！？،؛؟\"'«»“”",
        "whole words only": not cut_words(title, text),
        "balanced": all(title.count(a) == title.count(b) for a, b in ("()", "「」", "“”", "《》")),
    }
    return [rule for rule, kept in rules.items() if not kept]


def cut_words(title: str, text: str) -> list[str]:
    """The words of a title that are no words of the message."""
    said = unicodedata.normalize(
        "NFC", re.sub("[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad]", "", text)
    ).lower()
    said = said.replace("`", "")
    if UNSPACED.search(title):
        parts = re.split(r"[，\s]+", title.lower())
        said += re.sub(r"[\w.~-]+/", "", said, flags=re.ASCII) + re.sub("一[个份篇段首款套些种下点张封]", "", said)
        runs = re.findall(r"[a-z0-9]+", title.lower())
        lost = [part for part in parts if part not in said.replace(" ", "") and part not in said]
        return lost + [run for run in runs if not re.search(rf"(?<![a-z0-9]){run}(?![a-z0-9])", said)]
    words = [word.strip(",;:،؛–") for word in title.lower().split()]
    return [word for word in words if word and not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", said)]


def _units(title: str) -> int:
    latin = re.findall(r"[a-z0-9][\w.+#'-]*", title, re.IGNORECASE | re.ASCII)
    return len(latin) * 2 + sum(unicodedata.category(char)[0] != "M" for char in UNSPACED.findall(title))


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
