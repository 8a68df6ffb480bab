"""Taking off what programs put around the words of a person."""

from __future__ import annotations

import re

from hermes_tui.sessions.titles.phrases import words

READ_CHARS = 8_000
"""So much of a message is looked at."""

_HARNESS = re.compile(
    r"\s*(?:review the conversation above\b|review the conversation history and\b"
    r"|you are running as hermes'? background\b|a background (?:subagent|fan-out)\b|cronjob response:"
    r"|\[?async delegation\b|\[?context (?:compaction|summary)\b|\[prior context\b|\[your active task list\b"
    r"|\[planning state preserved\b|\(the user sent a message with no text content\)"
    r"|\[important: background process\b)",
    re.IGNORECASE,
)
"""How messages begin that no person wrote any of."""

_BLOCKS = (
    ("[thread context", "[end of thread context]"),
    ("[recent channel messages]", "[new message]"),
    ("[context around the replied-to message]", "[new message]"),
    ("[prior context", "[end of prior context — compaction summary below]"),
    ("[out-of-band user message", "]"),
)
"""Small letters: how something begins that belongs to a program, and how it ends."""

_SKILL_START = re.compile(r"\s*\[IMPORTANT: The \S", re.IGNORECASE)
_SKILL_NAME = re.compile(
    r"\s*\[IMPORTANT: The (?:user has invoked the |user launched [^\"\n]{0,60})?\"([^\"\n]{1,80})\""
)
_INSTRUCTION = "The user has provided the following instruction alongside the skill invocation: "
_BUNDLE_INSTRUCTION = "\nUser instruction: "
_BUNDLE_SKILL = "\n\n[Loaded as part of the "
_RUNTIME_NOTE = "\n\n[Runtime note:"
_SKILL_FOOTER = "then run them with the terminal tool using the absolute path."

_CONTENT_OF = re.compile(r"\s*\[Content of ([^\]\n]{1,200})\]:\n")
_FOOTER = re.compile(r"\n+--- (?:Context Warnings|Attached Context) ---\n")
_PASTED = re.compile(r"\[Pasted text #\d{1,6}[^\]\n]{0,400}\]")
_REFERENCE = re.compile(r"(?<![\w@])@(?:file|folder|url|diff|staged|git)\b:?(\S{0,400})")
_TAG = re.compile(r"\s*<([a-zA-Z][\w-]{1,40})\b[^<>\n]{0,300}>")
_OPEN_TAGS = words(
    """
    task question request query prompt instruction instructions goal user user_query user-query user_message
    user-message message problem issue input ask
    """
)
"""Tags that people put around their own words."""
_HTML = words(
    """
    a abbr article aside b big blockquote body br button center code details div dl dt em font footer form h1 h2
    h3 h4 h5 h6 head header hr html i iframe img input ins kbd label li link main mark meta nav ol option p pre
    s samp script section select small span strong style sub summary sup svg table tbody td template textarea
    tfoot th thead time title tr tt u ul var video
    """
)
_BRACKET = re.compile(r"[\[\]]")
_MACHINE = re.compile(
    r"(?:system|note|context|important|session|reminder|the user\b|user (?:sent|attached|shared)|replying to|image"
    r"|voice|audio|video|document|file|sticker|photo|sent |quoted|if you need|runtime|skill|this skill|background"
    r"|attached|attachment|message|cron|end of|/|forwarded)",
    re.IGNORECASE,
)
"""How the text in a bracket begins that a program put there."""
_VOICE = re.compile(
    r"(?:the user sent )?(?:an? )?(?:voice|audio) (?:message|note)\b[^\"]{0,80}: ?\"(.*)\"\s*\Z", re.I | re.S
)
"""What was said, as a program wrote it down."""
_CHAT_TOKEN = re.compile(r"<\|[\w -]{1,40}\|>(?:(?:user|system|assistant)\s)?")
_COMMAND = re.compile(
    r"\s*/(?:model|provider|personality|reasoning|verbose|usage|compress|title|resume|retry|undo|status|help|skills"
    r"|tools|toolsets|memory|cron|sethome|config|insights|history|save|quit|exit|stop|yolo|fast|background|rollback"
    r"|platforms|reload-mcp|update|voice)(?: [^\n]{0,60})?\s*"
)
"""An order to the agent's own program, and nothing else."""
_SENDER_CHARS = 60


def own_words(text: str) -> str:
    """What a person wrote of a message; empty when a program wrote it all. Not longer than `READ_CHARS`."""
    if _SKILL_START.match(text):
        text = _after_skill(text)
    elif content := _CONTENT_OF.match(text):
        last = text.rfind("\n\n")
        text = text[last:] if last > content.end() else content[1]
    rest = _CHAT_TOKEN.sub("", _whole_words(text))
    if _COMMAND.fullmatch(rest):
        return ""
    rest = _FOOTER.split(rest, maxsplit=1)[0]
    for _ in range(40):
        shorter = _without_first(rest)
        if shorter is None:
            break
        rest = shorter
    rest = _PASTED.sub(" ", rest)
    return _REFERENCE.sub(r" \1 ", rest) if "@" in rest else rest


def is_html(tag: str) -> bool:
    """Whether a tag is one of web pages."""
    return tag.lower() in _HTML


def _whole_words(text: str) -> str:
    """The beginning of a text, not cut within a word."""
    if len(text) <= READ_CHARS:
        return text
    part = text[:READ_CHARS]
    space = max(part.rfind(" ", READ_CHARS - 200), part.rfind("\n", READ_CHARS - 200))
    return part[:space] if space > 0 else part


def _after_skill(text: str) -> str:
    """What was typed with a skill, else the name of the skill, else what follows the first bracket."""
    bundled = text.find(_BUNDLE_INSTRUCTION)
    if bundled >= 0 and " skill bundle," in text[:400]:
        return text[bundled + len(_BUNDLE_INSTRUCTION) :].split(_BUNDLE_SKILL, 1)[0]
    given = text.rfind(_INSTRUCTION)
    if given >= 0:
        return text[given + len(_INSTRUCTION) :].split(_RUNTIME_NOTE, 1)[0]
    footer = text.rfind(_SKILL_FOOTER)
    if footer >= 0 and text[footer + len(_SKILL_FOOTER) :].strip():
        return text[footer + len(_SKILL_FOOTER) :]
    name = _SKILL_NAME.match(text)
    return name[1].replace("/", " ") if name else text


def _without_first(rest: str) -> str | None:
    """The text without the block of a program that it begins with; None when it begins with none."""
    if _HARNESS.match(rest):
        return ""
    at = len(rest) - len(rest.lstrip())
    if rest.startswith("[", at):
        return _without_bracket(rest, at)
    if rest.startswith("<", at):
        return _without_tag(rest)
    return None


def _without_bracket(rest: str, at: int) -> str | None:
    lowered = rest[at : at + 80].lower()
    for start, end in _BLOCKS:
        if lowered.startswith(start):
            ended = rest.lower().find(end, at + len(start))
            return rest[ended + len(end) :] if ended >= 0 else ""
    closed = _closing(rest, at)
    if closed < 0 or rest.startswith("(", closed):
        return None
    inside, after = rest[at + 1 : closed - 1], rest[closed:]
    if voice := _VOICE.match(inside):
        return f"{voice[1]}\n{after}"
    if _MACHINE.match(inside):
        return after[1:] if after.startswith(":") else after
    # Who speaks, in a chat of many; a list of values and a check box begin alike.
    spoken = 1 < len(inside) <= _SENDER_CHARS and "\n" not in inside and "," not in inside
    return after if spoken and re.match(r" ?[^\s,.;:\[]", after) else None


def _closing(rest: str, at: int) -> int:
    """Where the bracket that opens at `at` is closed, or -1."""
    depth = 0
    for bracket in _BRACKET.finditer(rest, at):
        depth += 1 if bracket[0] == "[" else -1
        if depth == 0:
            return bracket.end()
    line = rest.find("]\n", at)
    return line + 1 if line >= 0 else -1


def _without_tag(rest: str) -> str | None:
    tag = _TAG.match(rest)
    if not tag or is_html(tag[1]):
        return None
    closing = f"</{tag[1]}>"
    end = rest.find(closing, tag.end())
    inside = rest[tag.end() : end] if end >= 0 else ""
    after = rest[end + len(closing) :] if end >= 0 else rest[tag.end() :]
    if tag[1].lower() in _OPEN_TAGS:
        return f"{inside}\n{after}"
    return after if end >= 0 else None
