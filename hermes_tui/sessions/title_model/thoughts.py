"""What a model thought before it spoke, taken out of its answer."""

from __future__ import annotations

import re

_THOUGHTS = "think|thinking|thought|thoughts|reasoning|reason|reflection|analysis|scratchpad|seed:think"
_THOUGHT = re.compile(rf"[<\[◁](/?)(?:{_THOUGHTS})\b[^<>\[\]▷\n]{{0,80}}[>\]▷]", re.IGNORECASE)
_CHANNEL = re.compile(r"<\|?channel\|?>\s*(\w+)[^<\n]{0,80}(?:<\|message\|>|\n|(?=<))", re.IGNORECASE)
_BARE_CHANNELS = re.compile(r"\A\s*(?:analysis|commentary)(?=[\sA-Z]).*?assistant\s*final", re.DOTALL)


def without_thoughts(text: str) -> str:
    """What was said aloud: thoughts end with their mark, or never."""
    channels = list(_CHANNEL.finditer(text))
    if channels:
        final = [channel for channel in channels if channel[1].lower() == "final"]
        text = text[final[-1].end() :] if final else text[: channels[0].start()]
        text = text.split("<|", 1)[0] if final else text
    text = _BARE_CHANNELS.sub("", text, count=1)
    said: list[str] = []
    done = depth = 0
    for mark in _THOUGHT.finditer(text):
        if mark[1]:
            if depth == 0:
                said.clear()  # they began before the answer did
            depth = max(0, depth - 1)
            done = mark.end()
        else:
            if depth == 0:
                said.append(text[done : mark.start()])
            depth += 1
    if depth == 0:
        said.append(text[done:])
    return "".join(said)
