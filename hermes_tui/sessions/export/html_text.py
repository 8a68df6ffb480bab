"""The Markdown of a message as HTML that can be nothing else. Pure.

What comes out is made of a few tags without attributes, code blocks, and links to the web or to an address of mail;
every other character is escaped. Line breaks stay where they are, as in a chat. What is no Markdown stands as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

MOST_CHARS = 200_000
"""A longer text was written by no hand: it stands as it is."""
MOST_LINE_CHARS = 4_000
"""A longer line too: looking for pairs in it takes its square."""
TARGET_CHARS = 200
"""So much is shown of where a link leads that is not followed."""
DEEPEST = 6
"""Lists and quotations inside each other; further in they are text."""
LOWER, LOWEST = 3, 6
"""Levels that headings are put lower, because those above are the page's own; and the lowest that there is."""

_FENCE = re.compile(r"(?P<indent> *)(?P<fence>`{3,}(?=[^`]*$)|~{3,})")
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})[ ]+(?P<text>\S.*?)(?:[ ]+#+)?[ ]*$")
_RULE = re.compile(r" {0,3}(?:(?:-[ ]*){3,}|(?:\*[ ]*){3,}|(?:_[ ]*){3,})$")
_QUOTE = re.compile(r" {0,3}>[ ]?")
_ITEM = re.compile(r"(?P<indent> *)(?P<sign>[-*+]|(?P<number>\d{1,9})[.)])(?P<gap>[ ]{1,4})(?=\S)")
_TABLE_RULE = re.compile(r" *\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *$")
_INLINE = re.compile(
    r"\\(?P<escaped>[\\`*_{}\[\]()#+\-.!|~<>])"
    r"|(?P<ticks>`{1,20})(?P<code>.{1,800}?)(?<!`)(?P=ticks)(?!`)"
    r"|(?P<image>!)?\[(?P<label>[^\[\]]{1,800})\]\((?P<target>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?: \"[^\"]*\")?\)"
    r"|\*\*(?=[^\s*])(?P<strong>.{1,800}?)(?<=[^\s])\*\*(?!\*)"
    r"|(?<!\w)__(?=[^\s_])(?P<strong2>.{1,800}?)(?<=[^\s])__(?!\w)"
    r"|\*(?=[^\s*])(?P<em>.{1,800}?)(?<=[^\s*])\*(?!\*)"
    r"|(?<!\w)_(?=[^\s_])(?P<em2>.{1,800}?)(?<=[^\s_])_(?!\w)"
    r"|~~(?=\S)(?P<s>.{1,800}?)(?<=\S)~~"
    r"|<?(?P<bare>(?:https?://|mailto:)[^\s<>\"]*[^\s<>\".,;:!?)\]}'*_])>?"
)
_PAIRS = (("strong", "strong"), ("strong2", "strong"), ("em", "em"), ("em2", "em"), ("s", "s"))
_FOLLOWED = re.compile(r"(?:https?://|mailto:)[!-~\u00a0-\uffff\U00010000-\U0010ffff]+\Z", re.IGNORECASE)
"""Where a link may lead."""


def rendered(text: str) -> str:
    """A visible text as blocks of HTML."""
    if len(text) > MOST_CHARS:
        return f'<div class="plain">{escape(text)}</div>'
    return _blocks(list(_spaced(text.split("\n"))), 0)


def _spaced(lines: Sequence[str]) -> Iterator[str]:
    """The lines with spaces for the tabs that they begin with; in code tabs stay."""
    closing = None
    for line in lines:
        if closing is None:
            body = line.lstrip(" \t")
            line = line[: len(line) - len(body)].expandtabs(4) + body
            fence = _FENCE.match(line)
            closing = _closing(fence) if fence else None
        elif closing.match(line):
            closing = None
        yield line


def _closing(fence: re.Match[str]) -> re.Pattern[str]:
    """What ends a block of code."""
    return re.compile(rf" *{fence['fence'][0]}{{{len(fence['fence'])},}} *$")


def link(target: str, words: str) -> str:
    """A link that says where it leads, `words` being HTML; empty where `target` is nothing to follow."""
    if not _FOLLOWED.match(target):
        return ""
    where = escape(target)
    return f'<a href="{where}" title="{where}" rel="noopener noreferrer nofollow">{words}</a>'


def _blocks(lines: Sequence[str], depth: int) -> str:
    made: list[str] = []
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        for block in (_code, _heading, _rule, _quote, _list, _table, _paragraph):
            found = block(lines, at, depth)
            if found:
                html, at = found
                made.append(html)
                break
    return "\n".join(made)


Found = tuple[str, int] | None
"""A block as HTML and the line after it; None where there is no such block."""


def _code(lines: Sequence[str], at: int, _depth: int) -> Found:
    fence = _FENCE.match(lines[at])
    if not fence:
        return None
    closing = _closing(fence)
    indent = len(fence["indent"])
    inside: list[str] = []
    at += 1
    while at < len(lines) and not closing.match(lines[at]):
        drop = min(indent, len(lines[at]) - len(lines[at].lstrip(" ")))
        inside.append(lines[at][drop:])
        at += 1
    return f"<pre><code>{escape(chr(10).join(inside))}</code></pre>", at + 1


def _heading(lines: Sequence[str], at: int, _depth: int) -> Found:
    found = _HEADING.match(lines[at]) if len(lines[at]) <= MOST_LINE_CHARS else None
    if not found:
        return None
    level = min(LOWEST, len(found["marks"]) + LOWER)
    return f"<h{level}>{inline(found['text'])}</h{level}>", at + 1


def _rule(lines: Sequence[str], at: int, _depth: int) -> Found:
    return ("<hr>", at + 1) if len(lines[at]) <= MOST_LINE_CHARS and _RULE.match(lines[at]) else None


def _quote(lines: Sequence[str], at: int, depth: int) -> Found:
    if depth >= DEEPEST:
        return None
    inside: list[str] = []
    while at < len(lines) and (sign := _QUOTE.match(lines[at])):
        inside.append(lines[at][sign.end() :])
        at += 1
    return (f"<blockquote>\n{_blocks(inside, depth + 1)}\n</blockquote>", at) if inside else None


def _list(lines: Sequence[str], at: int, depth: int) -> Found:
    first = _ITEM.match(lines[at])
    if not first or depth >= DEEPEST:
        return None
    ordered = bool(first["number"])
    items: list[str] = []
    while at < len(lines) and (sign := _ITEM.match(lines[at])) and bool(sign["number"]) == ordered:
        if abs(len(sign["indent"]) - len(first["indent"])) > 1 or _RULE.match(lines[at]):
            break
        inside, at = _item(lines, at, sign)
        items.append(f"<li>{_loosened(_blocks(inside, depth + 1))}</li>")
        following = next((later for later in range(at, min(at + 3, len(lines))) if lines[later].strip()), at)
        at = following if _ITEM.match(lines[following] if following < len(lines) else "") else at
    if not items:
        return None
    tag, start = ("ol", f' start="{int(first["number"])}"') if ordered else ("ul", "")
    return f"<{tag}{start}>\n" + "\n".join(items) + f"\n</{tag}>", at


def _item(lines: Sequence[str], at: int, sign: re.Match[str]) -> tuple[list[str], int]:
    """The lines of an item of a list, as if it were alone, and the line after it."""
    inside = [lines[at][sign.end() :]]
    deep = len(sign["indent"]) + 1
    offset = sign.end()
    at += 1
    while at < len(lines):
        line = lines[at]
        indent = len(line) - len(line.lstrip(" "))
        if not line.strip():
            following = next((later for later in lines[at + 1 : at + 3] if later.strip()), "")
            if len(following) - len(following.lstrip(" ")) <= deep:
                break
        elif indent <= deep and (inside[-1].strip() == "" or _starts(line)):
            break
        inside.append(line[min(indent, offset) :])
        at += 1
    return inside, at


def _starts(line: str) -> bool:
    """Whether a line begins something that is not the paragraph before it."""
    return len(line) <= MOST_LINE_CHARS and any(kind.match(line) for kind in (_ITEM, _FENCE, _HEADING, _RULE, _QUOTE))


def _loosened(html: str) -> str:
    """The inside of an item: its first words are no paragraph of their own."""
    return html.replace("<p>", "", 1).replace("</p>", "", 1) if html.startswith("<p>") else html


def _table(lines: Sequence[str], at: int, _depth: int) -> Found:
    if "|" not in lines[at] or at + 1 >= len(lines) or len(lines[at + 1]) > MOST_LINE_CHARS:
        return None
    if not _TABLE_RULE.match(lines[at + 1]):
        return None
    head, rule = _cells(lines[at]), _cells(lines[at + 1])
    if len(head) != len(rule) or len(head) < 2:
        return None
    at += 2
    rows: list[str] = []
    while at < len(lines) and "|" in lines[at]:
        row = _cells(lines[at])[: len(head)]
        rows.append("<tr>" + "".join(f"<td>{inline(cell)}</td>" for cell in row) + "</tr>")
        at += 1
    top = "".join(f"<th>{inline(cell)}</th>" for cell in head)
    return f"<table>\n<thead><tr>{top}</tr></thead>\n<tbody>{chr(10).join(rows)}</tbody>\n</table>", at


def _cells(line: str) -> list[str]:
    """The cells of a row; a | after a backslash belongs to its cell."""
    bare = line.strip().removeprefix("|")
    bare = bare.removesuffix("|") if not bare.endswith("\\|") else bare
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", bare)]


def _paragraph(lines: Sequence[str], at: int, _depth: int) -> Found:
    start = at
    at += 1
    while at < len(lines) and lines[at].strip() and not _starts(lines[at]):
        at += 1
    return "<p>" + "<br>\n".join(inline(line.strip(" ")) for line in lines[start:at]) + "</p>", at


def inline(text: str, *, links: bool = True) -> str:
    """The words of a line: emphasis, code, and links unless they are inside of one."""
    if len(text) > MOST_LINE_CHARS:
        return escape(text)
    made: list[str] = []
    at = 0
    for found in _INLINE.finditer(text):
        made += (escape(text[at : found.start()]), _marked(found, links))
        at = found.end()
    return "".join([*made, escape(text[at:])])


def _marked(found: re.Match[str], links: bool) -> str:
    if found["escaped"]:
        return escape(found["escaped"])
    if found["code"]:
        return f"<code>{escape(found['code'].strip() or found['code'])}</code>"
    if found["label"]:
        words = ("image: " if found["image"] else "") + inline(found["label"], links=False)
        linked = link(found["target"], words) if links else ""
        return linked or f"{words} ({escape(found['target'][:TARGET_CHARS])})"
    if found["bare"]:
        return _bare(found, links)
    for group, tag in _PAIRS:
        if found[group]:
            return f"<{tag}>{inline(found[group], links=links)}</{tag}>"
    return escape(found[0])


def _bare(found: re.Match[str], links: bool) -> str:
    """An address by itself, or between < and >."""
    address = found["bare"]
    words = (link(address, escape(address)) if links else "") or escape(address)
    return words if found[0] == f"<{address}>" else escape(found[0]).replace(escape(address), words, 1)
