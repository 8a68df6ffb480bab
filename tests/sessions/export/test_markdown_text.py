"""A message inside a Markdown file: its words as they are, and no way out of its section."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hermes_tui.sessions.export.markdown_text import code_span, escaped, fenced, message_body, quoted
from hermes_tui.text import visible
from tests.nasty import NASTY

FAKE = "## You · 2026-03-01 14:02"
END = "## The next section"
PARSER = MarkdownIt("commonmark")

PIECES = (
    *("- ", "* ", "1. ", "2. ", "  ", "   ", "    ", "      ", "\t", "> ", "# ", "## ", "###### ", "#", "```", "````"),
    *(
        "~~~",
        "``` sh",
        "~~~ sh",
        "---",
        "===",
        "--",
        "-",
        "=",
        "<!--",
        "-->",
        "<pre>",
        "</pre>",
        "<div>",
        "<?",
        "<a b>",
    ),
    *("<![CDATA[", "<x", "a", "text", "`", "\\", "[a]: /b", "| a | b |", "|---|---|", FAKE, "\n", "\n", "\n\n"),
)


def outside_headings(text: str) -> list[tuple[str, str]]:
    """The headings of a document that are in no list and no quotation: their tags and words."""
    tokens = PARSER.parse(text)
    return [
        (token.tag, tokens[place + 1].content)
        for place, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0
    ]


def stays_inside(text: str) -> None:
    """Whether what follows a message is read as what it is, and nothing before it as such."""
    headings = outside_headings(f"# Title\n\n## You\n\n{message_body(text)}\n\n{END}\n")
    ours = [heading for heading in headings if heading[0] in ("h1", "h2")]
    assert ours == [("h1", "Title"), ("h2", "You"), ("h2", END[3:])]


@pytest.mark.parametrize(
    "text",
    [
        FAKE,
        f"text\n{FAKE}\nmore",
        f"   {FAKE}",
        "You · 2026-03-01 14:02\n---",
        "You\n===",
        "You\n-",
        "```\nnever closed",
        "~~~~ sh\nnever closed\n~~~",
        "<!-- never closed",
        "<script>\nnever closed",
        "<details>\n<summary>",
        f"- item\n  ```\n{FAKE}\n  ```",
        f"1. item\n   ```\n   # a comment\n{FAKE}",
        f"para\n2. ```\n   {FAKE}\n   ```",
        f"- ```\n{FAKE}",
        f"> ```\n{FAKE}",
        f"<div>\n```\n\n{FAKE}\n```",
        f"    ```\n{FAKE}\n    ```",
        f"- a\n  <!--\n{FAKE}",
        f"```\n    ```\n{FAKE}\n```",
        f"   ```\n{FAKE}\n   ```",
        f"para\n2. ``` sh\n   text\n   ```\n{FAKE}",
        "para\n2. ``` sh",
    ],
)
def test_a_message_cannot_make_a_section_nor_swallow_the_next(text: str) -> None:
    """A message could put words into the mouth of somebody else."""
    stays_inside(visible(text))


def test_no_odd_text_gets_out_either() -> None:
    """The same for texts that break careless programs."""
    for text in NASTY.values():
        stays_inside(visible(text))


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_no_mixture_of_signs_gets_out(text: str) -> None:
    """The same, for mixtures that nobody thought of, read by another reader of Markdown."""
    stays_inside(visible(text))


def test_words_and_code_stay_as_they_are() -> None:
    """What is copied out of the file would not be what was written."""
    for text in (
        "Plain words, *emphasis*, a [link](https://x.example) and `code`.",
        "```bash\n# a comment\n<b>\n---\nmake #\n```\n\nAfter it.",
        "1. Install it:\n\n   ```bash\n   # as root\n   apt install x\n   ```\n\n2. Done",
        "- one\n- two\n  - three\n\n> quoted\n> # with a heading",
        "a | b\n--- | ---\n1 | 2",
        "    # indented code\n",
        "above\n\n---\n\nbelow",
        "2 < 3 and <https://x.example> and <me@x.example>",
        "#hashtag and #5",
    ):
        assert message_body(text) == text


def test_headings_go_two_levels_lower_and_html_is_shown() -> None:
    """The outline of the file would be that of the messages."""
    assert message_body("# One\n## Two\n##### Five\n###### Six") == "### One\n#### Two\n###### Five\n###### Six"
    assert message_body("- # One") == "- ### One"
    assert message_body("<b>bold</b>") == "\\<b>bold</b>"
    assert message_body("Title\n=====\ntext") == "Title\n\\=====\ntext"
    assert message_body("Title\n-----") == "Title\n\n-----"
    assert message_body("```\nopen") == "```\nopen\n```"


def test_what_cannot_be_told_for_sure_is_quoted_whole() -> None:
    """Half of it would be taken for code by one reader, and for a heading by another."""
    text = f"- item\n  ```\n{FAKE}\n\n  ```"
    assert message_body(text) == quoted(text) == f"> - item\n>   ```\n> {FAKE}\n>\n>   ```"


TICKS = {"fences": "```\n````\n`````", "tildes": "~~~", "ticks": "a`b``c", "one": "`", "pair": "``a``"}
NAMES = {**NASTY, **TICKS, "all kinds": "a *b* [c](javascript:x) <img> #"}


def test_a_block_of_code_holds_any_text() -> None:
    """The output of a tool would end its own block."""
    for text in map(visible, NAMES.values()):
        tokens = PARSER.parse(f"{fenced(text, 'json')}\n\n{END}\n")
        assert (tokens[0].type, tokens[0].content) == ("fence", f"{text}\n" if text else "\n")
        assert tokens[1].tag == "h2"


def test_a_title_or_a_name_is_words_only() -> None:
    """A title could be a link, or HTML."""
    for text in NAMES.values():
        is_words(" ".join(visible(text, multiline=False).split()) or "x")


def is_words(text: str) -> None:
    """Whether a title and a name are read as just what they are."""
    tokens = PARSER.parse(f"# {escaped(text)}\n\n## {code_span(text)}\n")
    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h1", "h2"]
    for inside in (tokens[1].children or [], tokens[4].children or []):
        assert {child.type for child in inside} <= {"text", "code_inline", "text_special"}
    assert "".join(child.content for child in tokens[1].children or []) == text
