"""The Markdown of a message as HTML: what it means, and that it can be nothing else."""

from __future__ import annotations

import time
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_tui.sessions.export.html_text import inline, rendered
from hermes_tui.text import visible
from tests.nasty import NASTY

TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "a", "ul", "ol", "li", "blockquote", "div"),
    *("table", "thead", "tbody", "tr", "th", "td", "h4", "h5", "h6"),
}
ATTRIBUTES = {("a", "href"), ("a", "title"), ("a", "rel"), ("ol", "start"), ("div", "class")}
LONGEST_SECONDS = 2.0


class Checked(HTMLParser):
    """Refuses what is not among the few tags, or not closed."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag begins."""
        assert tag in TAGS
        assert {(tag, name) for name, _ in attrs} <= ATTRIBUTES
        for name, value in attrs:
            assert name != "href" or str(value).lower().startswith(("http://", "https://", "mailto:"))
        assert tag != "a" or "a" not in self.open, "a link inside a link"
        if tag not in ("br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """A tag ends."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text."""
        self.text += data

    def handle_comment(self, data: str) -> None:
        """A comment."""
        raise AssertionError(data)


PIECES = (
    *(
        "- ",
        "* ",
        "1. ",
        "  ",
        "    ",
        "\t",
        "> ",
        "# ",
        "###### ",
        "```",
        "~~~",
        "---",
        "===",
        "\n",
        "\n\n",
        "| a | b |",
    ),
    *(
        "|---|---|",
        "a",
        "text ",
        "`",
        "``",
        "**",
        "*",
        "_",
        "__",
        "~~",
        "\\",
        "[",
        "]",
        "(",
        ")",
        "[a](b)",
        "!",
        "<",
        ">",
    ),
    *("<script>", "</p>", "<!--", "&", "&lt;", '"', "'", "https://x.example/a_b", "javascript:x", "mailto:a@b.example"),
)


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_any_mixture_gives_closed_tags_of_a_few_kinds(text: str) -> None:
    """A message could end the page, or run something in it."""
    Checked(rendered(visible(text)))


def test_every_odd_text_is_shown_and_does_nothing() -> None:
    """The same for texts that break careless programs."""
    for text in NASTY.values():
        Checked(rendered(visible(text)))


@pytest.mark.parametrize(
    "target",
    [
        *(
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc/passwd",
            "//x.example",
        ),
        *(
            " javascript:x",
            "&#106;avascript:x",
            "http:javascript:x",
            "/relative",
            "#top",
            "https:/x",
            "ftp://x.example",
        ),
        *('https://x.example/"onmouseover="x', "https://x.example/<script>"),
    ],
)
def test_only_addresses_of_the_web_and_of_mail_are_links(target: str) -> None:
    """A click would run what a message says."""
    html = rendered(f"[words]({target}) <{target}> {target} [{target}]({target}) ![x]({target})")
    Checked(html)
    for link in html.split('href="')[1:]:
        assert unescape(link.split('"')[0]).startswith("https://x.example/")


def test_markdown_that_people_write_is_drawn() -> None:
    """A page would be harder to read than the terminal."""
    assert rendered("One\ntwo\n\nthree") == "<p>One<br>\ntwo</p>\n<p>three</p>"
    assert rendered("# Head\ntext") == "<h4>Head</h4>\n<p>text</p>"
    assert rendered("**b** *i* `c<d` ~~s~~ \\*x\\*") == (
        "<p><strong>b</strong> <em>i</em> <code>c&lt;d</code> <s>s</s> *x*</p>"
    )
    assert rendered("- a\n- b\n  - c\n\ntext") == (
        "<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul></li>\n</ul>\n<p>text</p>"
    )
    assert rendered("3. a\n\n4. b") == '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'
    assert rendered("1. a\n   ```sh\n   # c\n   ```\n2. b") == (
        '<ol start="1">\n<li>a\n<pre><code># c</code></pre></li>\n<li>b</li>\n</ol>'
    )
    assert rendered("> a\n> > b") == "<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>"
    assert rendered("```\n\tcode <b>\n```\n---") == "<pre><code>\tcode &lt;b&gt;</code></pre>\n<hr>"
    assert "<td>1 | 2</td>" in rendered("a | b\n--- | ---\n1 \\| 2 | 3")
    assert rendered("snake_case_name and 2 * 3 * 4") == "<p>snake_case_name and 2 * 3 * 4</p>"


def test_a_link_says_where_it_leads() -> None:
    """Words could pretend to be another address."""
    where = 'href="https://x.example/a" title="https://x.example/a" rel="noopener noreferrer nofollow"'
    assert inline("[bank](https://x.example/a)") == f"<a {where}>bank</a>"
    assert inline("<https://x.example/a>") == f"<a {where}>https://x.example/a</a>"
    assert inline("see https://x.example/a.") == f"see <a {where}>https://x.example/a</a>."
    assert inline("![a picture](https://x.example/a)") == f"<a {where}>image: a picture</a>"
    assert inline("[bank](javascript:x)") == "bank (javascript:x)"


LONG = {
    "backticks": "`" * 4_000,
    "brackets": "[" * 4_000,
    "links": "[a](" * 1_000,
    "strong": "**a" * 1_300,
    "emphasis": "*a_" * 1_300,
    "angles": "<" * 4_000,
    "spaces in a heading": "# " + " " * 190_000 + "x",
    "quotations": "> " * 50_000,
    "lists in lists": "- " * 50_000,
    "items": "- a\n" * 40_000,
    "stairs": "".join(" " * steps + "- a\n" for steps in range(400)),
    "a wide table": "|" * 4_000 + "\n" + "|-" * 2_000,
    "lines": "a\n" * 90_000,
    "a long fence": "~" * 190_000,
    "addresses": "https://" * 20_000,
    "pairs of backticks": ("`a" * 1_999 + "\n") * 40,
    "open links": ("[a](b" * 700 + "\n") * 40,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_no_text_takes_long(text: str) -> None:
    """One message would hold up the export of all."""
    began = time.process_time()
    Checked(rendered(text))
    assert time.process_time() - began < LONGEST_SECONDS
