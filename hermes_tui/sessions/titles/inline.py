"""One line of prose without the marks of Markdown and HTML, and with short names for links, paths and code."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from hermes_tui.sessions.titles.characters import GAP, KEPT
from hermes_tui.sessions.titles.injected import is_html
from hermes_tui.sessions.titles.private import is_opaque, without_ids

NAME_CHARS = 30
"""Longer names of files and pieces of code are left out."""

_CODE = re.compile(r"(`{1,3})([^`\n]{1,400})\1")
_IMAGE = re.compile(r"!\[[^\]\n]{0,200}\]\([^()\n]{0,2000}\)")
_LINK = re.compile(r"\[([^\[\]\n]{0,200})\]\((?:[^()\n]|\([^()\n]{0,200}\)){0,2000}\)")
_URL = re.compile(
    r"(?:(?<![A-Za-z])(?:[a-zA-Z][a-zA-Z0-9+]{1,12}://|mailto:|tel:)|(?<![\w.])www\.)[!#-&(-;=?-\[\]-_a-z"
    r"|~]{1,2000}"
    r"|(?<![\w@./-])(?:[a-zA-Z0-9-]{1,63}\.){1,4}(?:com|org|net|io|dev|de|fr|es|ru|cn|jp|vn|ai|app|co|me|gov|edu|uk)"
    r"/[!#-&(-;=?-\[\]-_a-z|~]{1,2000}",
    re.ASCII,
)
_PATH = re.compile(
    r"(?<![A-Za-z0-9_/:.@-])(?:"
    r"[A-Za-z]:\\[^\s\"'`<>|*?\u3000-\u303f\u4e00-\u9fff\u3040-\u30ff]{0,400}"
    r"|(?:~|\.{1,2}|\$\{?[A-Z_]{1,30}\}?)(?:/[\w.@+%-]{1,255}){1,40}/?"
    r"|(?:/[\w.@+%~-]{1,255}){2,40}/?"
    r"|[\w.@+-]{1,100}(?:/[\w.@+-]{1,100}){0,30}/[\w.@+-]{0,100}\.[A-Za-z]\w{0,7}"
    r"|[\w.-]{1,100}(?:/[\w.-]{1,100}){2,30}/?"
    r"|(?:[\w.-]{1,100}\\){2,30}[\w.-]{0,100}"
    r")(?::\d{1,6}){0,2}",
    re.ASCII,
)
_ONE_UP = re.compile(r"(?<![A-Za-z0-9_/:.@<-])/([a-z][\w.-]{1,40})", re.ASCII)
_TAG = re.compile(r"</?([a-zA-Z][\w-]{0,40})(?:\s[^<>\n]{0,400})?/?>|<!--.{0,400}?-->")
_ENTITY = re.compile(r"&(?:[a-zA-Z]{2,10}|#\d{1,6}|#x[0-9a-fA-F]{1,6});")
_OPTION = re.compile(r"(?<=\s)--?[A-Za-z][\w-]{0,30}[ =](?:\"[^\"\n]{0,400}\"|'[^'\n]{0,400}')")
_NAME = re.compile(r"[\w.$@+#:/&%~-]{1,60}(?:\(\))?")
_CALL = re.compile(r"([\w.$]{2,40})\(")
_SIMPLE = re.compile(r"[\w.+:@-]{1,40}", re.ASCII)
_FORGES = frozenset({"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "huggingface.co"})
"""Sites where the first part of an address is an owner."""
_LAST_WORD = re.compile(r"([^\W\d_]+)[\s`\"'“„«(]*\Z")


@dataclass(slots=True)
class Found:
    """What was taken out of the lines, in order."""

    links: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def plain_line(line: str, found: Found, leads: frozenset[str]) -> str:
    """A line as words; what was taken out is in `found`.

    Args:
        line: one line, without what is secret.
        found: gets the links and names of files.
        leads: words in small letters that want something to follow, as "in" does: a link after one is named.
    """
    if "`" in line:
        line = _CODE.sub(lambda code: _kept(code[2]), line)
    if "[" in line:
        line = _LINK.sub(r"\1", _IMAGE.sub(" ", line))
    if "&" in line:
        from html import unescape  # loaded here: few messages need its 2,000 names

        line = _ENTITY.sub(lambda entity: unescape(entity[0]), line)
    if "<" in line:
        line = _TAG.sub(lambda tag: " " if not tag[1] or is_html(tag[1]) or " " in tag[0] else tag[0], line)
    if " -" in line:
        line = _OPTION.sub(GAP, line)
    if "/" in line or "www." in line or ":" in line:
        line = _URL.sub(lambda url: _named_link(url, found, leads), line)
    if "/" in line or "\\" in line:
        line = _PATH.sub(lambda path: _named_file(path[0], found), line)
        line = _ONE_UP.sub(r"\1", line)
    return without_ids(line)


def link_words(url: str) -> list[str]:
    """The site and the words of the page that a link leads to."""
    bare = re.split(r"[?#]", re.sub(r"\A[A-Za-z0-9]{1,8}:/{1,2}", "", url, count=1), maxsplit=1)[0]
    host, _, page = bare.partition("/")
    site = host.lower().rpartition("@")[2].split(":")[0].removeprefix("www.").strip(".")
    words = [site]
    pieces = [piece for piece in unquote(page).split("/") if piece]
    if site in _FORGES and len(pieces) > 1:
        pieces = pieces[1:]
    named = [_page_words(re.sub(r"\.(?:html?|php|aspx?|md|git)\Z", "", piece)) for piece in pieces]
    longest = max(named, key=len, default=[])
    words += longest if len(longest) > 2 else [word for piece in named[-2:] for word in piece]
    return [word for word in words if word][:7]


def _page_words(stem: str) -> list[str]:
    coded = sum(map(str.isdigit, stem)) >= 3 and "-" not in stem
    if len(stem) > 80 or is_opaque(stem) or coded or not re.fullmatch(r"[\w.~+ -]+", stem):
        return []
    if len(stem) <= 24 and not stem.isdigit():
        return [stem] if stem.count("-") + stem.count("_") < 3 else re.split(r"[-_]", stem)
    return [] if stem.isdigit() else [word for word in re.split(r"[-_ ]", stem) if word and len(word) <= NAME_CHARS]


def _named_link(url: re.Match[str], found: Found, leads: frozenset[str]) -> str:
    """The site where something has to stand, else a gap."""
    address = url[0].rstrip(".,;:!?)]}'\"*_")
    rest = url[0][len(address) :]
    found.links.append(address)
    before = url.string[max(0, url.start() - 40) : url.start()]
    word = _LAST_WORD.search(before)
    site = link_words(address)[:1]
    if site and word and word[1].lower() in leads:
        return f"{site[0]}{rest}"
    return f"{GAP}{rest}"


def _named_file(path: str, found: Found) -> str:
    """The name of the file."""
    bare = re.sub(r"(?::\d+)+\Z", "", path.rstrip("."))
    rest = path[len(path.rstrip(".")) :]
    if re.fullmatch(r"[a-zA-Z]{1,12}(?:/[a-zA-Z]{1,12})+", bare, re.ASCII) and not path.startswith("/"):
        return path  # read/write/execute
    if re.fullmatch(r"[\d./-]+", bare):
        return path  # 12/05/2024
    name = re.split(r"[/\\]", bare.rstrip("/\\"))[-1]
    if not re.search(r"[A-Za-z]", name) or len(name) > NAME_CHARS or is_opaque(name):
        return f"{GAP}{rest}"
    found.files.append(name)
    return f"{KEPT}{name}{rest}"


def _kept(code: str) -> str:
    """A piece of code as it may stand among words."""
    bare = code.strip()
    if len(bare) <= NAME_CHARS and _NAME.fullmatch(bare):
        return f"{KEPT}{bare.removesuffix('()')}"
    if "/" in bare and " " not in bare:
        return bare
    call = _CALL.match(bare)
    if call:
        return f"{KEPT}{call[1]}"
    simple: list[str] = []
    for piece in bare.split(" "):
        if not _SIMPLE.fullmatch(piece) or piece.startswith("-") or len(simple) == 3:
            break
        simple.append(piece)
    if simple and len(" ".join(simple)) <= NAME_CHARS and len(bare.split(" ")) <= 6:
        return f"{KEPT}{' '.join(simple)}"
    return GAP
