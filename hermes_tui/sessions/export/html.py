"""Conversations as one page of HTML that needs nothing else: no network, no other file, no right to run anything else.

Every text from disk is escaped. The page says by its policy that nothing but its own style and its own script, both
named by their hashes, may be used, so that even a text that slipped through could do nothing.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path

from hermes_tui.sessions.export.head import EXPORTER, Head
from hermes_tui.sessions.export.html_text import rendered
from hermes_tui.sessions.export.shown import Shown
from hermes_tui.sessions.export.speaking import (
    AGENT,
    NO_MESSAGES,
    NOTHING,
    RESULT,
    SUMMARY_WORDS,
    YOU,
    call_name,
    output,
    particulars,
    speaker,
)
from hermes_tui.sessions.export.times import clock, iso
from hermes_tui.sessions.export.wish import Wish
from hermes_tui.sessions.messages import Message, ToolCall
from hermes_tui.text import plural

UNFOLDED_LINES = 12
"""What a tool gave back or got is folded when it is longer."""
_CLASSES = {YOU: "you", AGENT: "agent", RESULT: "result"}


class Html:
    """Writes HTML.

    Args:
        wish: what is wanted.
        shown: makes texts fit to be shown.
        now: epoch seconds.
    """

    def __init__(self, wish: Wish, shown: Shown, now: float) -> None:
        self._wish, self._shown, self._now = wish, shown, now
        self._masked_elsewhere = shown.count
        self._several = False
        self._before = ""
        """What the name of an anchor begins with, where two conversations may have a part in common."""

    def opening(self, titles: Sequence[str]) -> str:
        """The head of the page, the search box, and where there are several conversations a list of them."""
        self._several = len(titles) > 1
        name = plural(len(titles), "conversation") if self._several else titles[0] if titles else NO_MESSAGES
        style, script = _part("page.css"), _part("page.js")
        policy = (
            f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}';"
            " base-uri 'none'; form-action 'none'"
        )
        above = f"<h1>{escape(name)}</h1>\n{_contents(titles)}" if self._several else ""
        return f"""<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="{escape(EXPORTER)}">
<title>{escape(name)}</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#messages">Skip to the messages</a>
<div class="tools" role="search" hidden>
<input type="search" id="find" aria-label="Find in messages" placeholder="Find in messages ( / )" autocomplete="off">
<output id="found" for="find" aria-live="polite"></output>
<button type="button" id="unfold">Unfold all</button>
<button type="button" id="theme">Light or dark</button>
</div>
{above}<main id="messages">
"""

    def head(self, head: Head, number: int) -> str:
        """The title, and what is known of the conversation."""
        rows = [
            ("Session", escape(head.id)),
            ("Source", escape(head.source)),
            ("Model", escape(head.model)),
            ("Folder", escape(head.cwd)),
            ("Began", _time(head.created_at)),
            ("Last message", _time(head.updated_at)),
            ("Messages", f"{head.messages:,}"),
            ("Parts", escape(", ".join(head.lineage)) if len(head.lineage) > 1 else ""),
        ]
        facts = "\n".join(f"<dt>{name}</dt><dd>{html}</dd>" for name, html in rows if html)
        self._before = f"c{number + 1}" if self._several else ""
        level = 2 if self._several else 1
        title = f'<h{level} dir="auto">{escape(head.title)}</h{level}>'
        kind = ' class="conversation"' if self._several else ""
        return f'<section id="c{number + 1}"{kind}>\n{title}\n<dl class="facts">\n{facts}\n</dl>\n'

    def border(self, words: str) -> str:
        """A line of its own."""
        return f'<p class="border">{escape(words)}</p>\n'

    def message(self, message: Message) -> str:
        """An article: who and when, and below it what was said and called."""
        who = speaker(message, self._shown)
        said = particulars(message, self._shown)
        when = clock(message.timestamp)
        others = "".join(f"<span>{escape(each)}</span>" for each in said if each != when)
        anchor, level = f"{self._before}m{int(message.id)}", 3 if self._several else 2
        blocks = "\n".join(self._blocks(message))
        return (
            f'<article id="{anchor}" class="{_CLASSES.get(who, "other")}" tabindex="-1">\n'
            f"<header><h{level}>{escape(who)}</h{level}>{others}{_time(message.timestamp)}"
            f'<a class="anchor" href="#{anchor}" aria-label="Link to this message">#</a></header>\n'
            f"{blocks}\n</article>\n"
        )

    def _blocks(self, message: Message) -> Iterator[str]:
        shown, whole = self._shown, self._wish.everything
        if whole and message.reasoning.strip():
            yield _folded("Thinking", f'<div class="plain" dir="auto">{escape(shown(message.reasoning))}</div>')
        if message.kind == "summary":
            yield _folded(SUMMARY_WORDS, _said(shown(message.text)))
        elif message.role == "tool":
            yield _code("Output", output(message.text, shown, whole=whole))
        elif message.text:
            yield _said(shown(message.text))
        elif not message.calls:
            yield f"<p><em>{NOTHING}</em></p>"
        for call in message.calls:
            yield self._call(call)

    def _call(self, call: ToolCall) -> str:
        told, _ = self._shown.arguments(call)
        name = f"Calls {call_name(call.name, self._shown)}"
        return _code(name, self._shown.seen(told)) if told else f"<p>{escape(name)}</p>"

    def ending(self, head: Head) -> str:
        """The end of the section, and that there was nothing in it."""
        return "</section>\n" if head.messages else f"<p><em>{NO_MESSAGES}</em></p>\n</section>\n"

    def closing(self) -> str:
        """When and by what it was made, and the script."""
        count = self._shown.count - self._masked_elsewhere
        masked = f" {plural(count, 'secret')} masked." if count else ""
        made = f"Exported {_time(self._now)} by {escape(EXPORTER)}; times are local to where that was.{masked}"
        return f"</main>\n<footer><p>{made}</p></footer>\n<script>{_part('page.js')}</script>\n</body>\n</html>\n"


def _contents(titles: Sequence[str]) -> str:
    """A list of the conversations, with links to them."""
    rows = "\n".join(f'<li dir="auto"><a href="#c{at}">{escape(title)}</a></li>' for at, title in enumerate(titles, 1))
    return f'<nav aria-label="Conversations"><ol>\n{rows}\n</ol></nav>\n'


def _said(text: str) -> str:
    return f'<div class="said" dir="auto">\n{rendered(text)}\n</div>'


def _code(name: str, text: str) -> str:
    """What went to a tool or came from it, folded when it is long."""
    lines = text.count("\n") + 1
    return _folded(
        f"{name} · {plural(lines, 'line')}" if lines > 1 else name,
        # A newline right after <pre> would be dropped.
        f'<pre dir="auto">\n{escape(text)}</pre>',
        unfolded=lines <= UNFOLDED_LINES,
    )


def _folded(name: str, html: str, *, unfolded: bool = False) -> str:
    return f"<details{' open' if unfolded else ''}><summary>{escape(name)}</summary>\n{html}\n</details>"


def _time(stamp: float | None) -> str:
    return f'<time datetime="{iso(stamp)}">{clock(stamp)}</time>' if clock(stamp) else ""


@cache
def _part(name: str) -> str:
    """The page's own style or script."""
    return Path(__file__).with_name(name).read_text("utf-8")


def _hash(text: str) -> str:
    """How a page's policy names what is allowed."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
