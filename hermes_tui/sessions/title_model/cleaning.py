"""A title out of what a model answered: without its thoughts, its manners and its markup."""

from __future__ import annotations

import json
import re
import unicodedata

from hermes_tui.redaction import find_secrets
from hermes_tui.sessions.title_model.manners import LABEL, NO_TITLES, PREAMBLE, PREAMBLE_ALONE, REFUSAL
from hermes_tui.sessions.title_model.thoughts import without_thoughts
from hermes_tui.text import cells

TITLE_CHARS = 80
MOST_CELLS = 120
"""A longer line is no title but an answer."""
MOST_WORDS = 16
READ_CHARS = 40_000
READ_LINES = 200
LINE_CHARS = 1_000

_TOKEN = re.compile(r"<\|[\w-]{1,40}\|>|</?s>|<(?:end|start)_of_turn>|<channel\|>")
_WRAPPER = re.compile(
    r"</?(?:title|titel|answer|output|response|final|result|h[1-6]|b|i|em|strong|u|p|br|code)\s*/?>", re.IGNORECASE
)
_JSON_TITLE = re.compile(r"\{[^{}]*?[\"'](?:title|titel|name|topic)[\"']\s*:\s*(\"(?:[^\"\\]|\\.)*\"|'[^']*')", re.I)
_FENCE = re.compile(r"\A\s*(?:```|~~~)[\w-]*\s*\Z")
_RULE = re.compile(r"\A[\s\-_*=#]*\Z")

_LIST_MARK = re.compile(r"\A(?:#{1,6}\s+|>\s*|[-*+•·]\s+|\(?\d{1,2}[.)]\s+|[①-⑳]\s*)+")
_HEADING_END = re.compile(r"\s+#+\Z")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_STRONG = re.compile(r"(\*\*\*|\*\*|\*|~~)(?=[^\s*])(.{1,200}?)(?<=[^\s*])\1")
_UNDERSCORED = re.compile(r"(?<!\w)(__|_)(?=[^\s_])(.{1,200}?)(?<=[^\s_])\1(?!\w)")

_QUOTED = (
    '""',
    "''",
    "``",
    "´´",
    "“”",
    "„“”‟",
    "‟”",
    "””",
    "‘’",
    "‚‘’",
    "’’",
    "«»",
    "»«",
    "‹›",
    "›‹",
    "「」",
    "『』",
    "《》",
)
_QUOTED_TOO = ("〈〉", "【】", "＂＂", "＇＇")
_PAIRS = {pair[0]: pair[1:] for pair in (*_QUOTED, *_QUOTED_TOO, "()", "[]", "（）")}
"""What a title may stand in, and what ends it then."""
_QUOTES = frozenset("".join((*_QUOTED, *_QUOTED_TOO))) - set("’'")
_ENDS = " \t.,;:!?…。．，、；：！？·-–—*~|/\\،؛؟।"

_MASK = re.compile(r"\*{3}|\w\.\.\.\w|\[REDACTED|«redacted", re.IGNORECASE)


def clean_title(answer: str) -> str:
    """The title in a model's answer; empty when there is none: nothing, a refusal, an essay, a secret."""
    said = _without_tokens(without_thoughts(answer[:READ_CHARS]))
    lines = [_plain(line[:LINE_CHARS]) for line in _unwrapped(said).splitlines()[:READ_LINES]]
    labelled = [LABEL.sub("", line) for line in lines if LABEL.match(line)]
    for line in (*labelled, *lines):
        title = _bare(line)
        if title:
            return _shortened(title) if _is_title(title) and not _MASK.search(line) else ""
    return ""


def _without_tokens(text: str) -> str:
    return _WRAPPER.sub("\n", _TOKEN.sub("\n", text)).strip()


def _unwrapped(text: str) -> str:
    """The title in a JSON object, or the text as it is."""
    if "{" not in text and not text.startswith('["'):
        return text
    inner = "\n".join(line for line in text.splitlines() if not _FENCE.match(line)).strip()
    try:
        value = json.loads(inner)
    except (ValueError, RecursionError):
        value = None
    if found := _in_json(value):
        return found
    if match := _JSON_TITLE.search(text):
        quoted = match[1]
        try:
            return str(json.loads(quoted))
        except ValueError:
            return quoted[1:-1]
    return "" if inner.startswith(("{", "[{")) else text


def _in_json(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return _in_json(value[0]) if value else ""
    if isinstance(value, dict):
        named = {str(name).lower(): each for name, each in value.items()}
        for name in ("title", "titel", "name", "topic"):
            if isinstance(named.get(name), str | dict):
                return _in_json(named[name])
    return ""


def _plain(line: str) -> str:
    """A line without markup, and without characters that cannot be seen."""
    seen = "".join(_kept(char) for char in line)
    text = " ".join(seen.split())
    if _FENCE.match(text) or _RULE.match(text):
        return ""
    text = _LINK.sub(r"\1", _LIST_MARK.sub("", text))
    text = _UNDERSCORED.sub(r"\2", _STRONG.sub(r"\2", text))
    text = _unquoted(text.replace("`", "").strip())
    return _HEADING_END.sub("", _LIST_MARK.sub("", text))


def _kept(char: str) -> str:
    kind = unicodedata.category(char)
    if kind in ("Cf", "Cs", "Co"):
        return ""
    return " " if kind == "Cc" or kind[0] == "Z" else char


def _bare(line: str) -> str:
    """A line without what introduces the title and what ends it; empty when nothing is left."""
    before = ""
    while line and line != before:
        before = line
        line = PREAMBLE.sub("", line)
        line = LABEL.sub("", line)
        line = _unquoted(line.strip().rstrip(_ENDS).lstrip(" ,;:–—…，。、"))
    return "" if PREAMBLE_ALONE.match(before) or not any(char.isalnum() for char in line) else line


def _unquoted(text: str) -> str:
    """`text` without quotation marks around all of it."""
    while len(text) > 1 and text[-1] in _PAIRS.get(text[0], ""):
        inner = text[1:-1]
        if text[0] in inner or text[-1] in inner:
            break
        text = inner.strip()
    marks = [char for char in text if char in _QUOTES]
    if len(marks) == 1:
        text = text.removeprefix(marks[0]).removesuffix(marks[0]).strip()
    return text


def _is_title(text: str) -> bool:
    if cells(text) > MOST_CELLS or len(text.split()) > MOST_WORDS or REFUSAL.match(text):
        return False
    if len(text) > TITLE_CHARS and " " not in text[: TITLE_CHARS + 1]:
        return False
    return text.casefold() not in NO_TITLES and not text.startswith(("{", "[{")) and not find_secrets(text)


def _shortened(text: str) -> str:
    """At most 80 characters, no word of it cut."""
    if len(text) <= TITLE_CHARS:
        return text
    return text[: text.rindex(" ", 0, TITLE_CHARS + 1)].rstrip(_ENDS)
