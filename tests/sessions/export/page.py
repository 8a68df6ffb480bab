"""Reading an exported page the way a browser takes it apart, and refusing whatever does not belong there."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

VOID = {"meta", "input", "br", "hr"}
ALLOWED: dict[str, set[str]] = {
    **{tag: set() for tag in ("html", "head", "title", "style", "script", "body", "footer", "dt", "dd")},
    **{tag: set() for tag in ("p", "br", "hr", "em", "strong", "s", "code", "ul", "li", "blockquote", "summary")},
    **{tag: set() for tag in ("table", "thead", "tbody", "tr", "th", "td", "span", "header", "h4", "h5", "h6")},
    "meta": {"charset", "http-equiv", "content", "name"},
    "a": {"class", "href", "rel", "title", "aria-label"},
    "div": {"class", "role", "hidden", "dir"},
    "input": {"type", "id", "aria-label", "placeholder", "autocomplete"},
    "output": {"id", "for", "aria-live"},
    "button": {"type", "id"},
    "main": {"id"},
    "nav": {"aria-label"},
    "ol": {"start"},
    "li": {"dir"},
    "dl": {"class"},
    "p": {"class"},
    "section": {"id", "class"},
    "article": {"id", "class", "tabindex"},
    "h1": {"dir"},
    "h2": {"dir"},
    "h3": set(),
    "pre": {"dir"},
    "details": {"open"},
    "time": {"datetime"},
}
"""The tags that a page may have, and their attributes."""
HREF = re.compile(r"#[a-z0-9]+|https?://\S+|mailto:\S+")


class Page(HTMLParser):
    """A page, taken apart."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.html = html
        self.open: list[str] = []
        self.articles: list[str] = []
        """The text of each message."""
        self.text = ""
        """All of the conversations."""
        self.texts: dict[str, list[str]] = {}
        """The text directly inside of each tag."""
        self.links: list[dict[str, str | None]] = []
        self.policy = ""
        self.ids: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open, f"never closed: {self.open}"
        assert html.lower().count("<script") == html.lower().count("</script") == 1
        assert html.lower().count("<style") == html.lower().count("</style") == 1
        for name in ("script", "style"):
            digest = base64.b64encode(hashlib.sha256(self.texts[name][0].encode()).digest()).decode()
            assert f"{name}-src 'sha256-{digest}'" in self.policy
        assert self.policy.startswith("default-src 'none';")
        assert "unsafe" not in self.policy

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag begins."""
        assert tag in ALLOWED, f"<{tag}> does not belong there"
        names = {name for name, _ in attrs}
        assert names <= ALLOWED[tag], f"<{tag}> has {names - ALLOWED[tag]}"
        found = dict(attrs)
        if "id" in found:
            self.ids.append(str(found["id"]))
        if tag == "a":
            assert HREF.fullmatch(str(found["href"])), found
            if not str(found["href"]).startswith("#"):
                assert found["rel"] == "noopener noreferrer nofollow"
                self.links.append(found)
        if found.get("http-equiv") == "Content-Security-Policy":
            self.policy = str(found["content"])
        if tag == "article":
            self.articles.append("")
        self.texts.setdefault(tag, [])
        if tag not in VOID:
            self.open.append(tag)
            self.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        """A tag ends."""
        assert self.open, f"</{tag}> ends nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text."""
        if self.open:
            self.texts[self.open[-1]][-1] += data
        if "main" in self.open:
            self.text += data
        if "article" in self.open:
            self.articles[-1] += data

    def handle_comment(self, data: str) -> None:
        """A comment, of which there is none."""
        raise AssertionError(f"a comment: {data}")

    def unknown_decl(self, data: str) -> None:
        """A declaration, of which there is none."""
        raise AssertionError(f"a declaration: {data}")

    def handle_pi(self, data: str) -> None:
        """An instruction, of which there is none."""
        raise AssertionError(f"an instruction: {data}")
