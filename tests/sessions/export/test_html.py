"""The page of an export: what may be on it, that nothing on it is from a message but text, and how it is found in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from hermes_tui.sessions.export.html import Html
from hermes_tui.sessions.export.shown import Shown
from hermes_tui.sessions.export.wish import Wish
from tests.nasty import NASTY
from tests.sessions.export.conftest import ExportText
from tests.sessions.export.page import Page
from tests.sessions.world import World

INJECTIONS = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</style></title></head><body onload=alert(1)>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    '" onmouseover="alert(1)',
    "' onfocus='alert(1)' autofocus='",
    "<!-- never closed",
    "--><script>alert(1)</script><!--",
    "]]><x>",
    "<a href=javascript:alert(1)>x</a>",
    "[x](javascript:alert(1)) [y](https://x.example/\"onclick=alert(1)//) ![z](https://x.example/'x)",
    "<https://x.example/><script>alert(1)</script>",
    "`</code></pre></article><script>alert(1)</script>`",
    "```\n</code></pre></article><script>alert(1)</script>\n```",
    "| <b>a</b> | b |\n|---|---|\n| <script>x</script> | c |",
    "# <h1>x</h1>\n> <b>\n- <i>\n1. <u>",
    "<time onclick=alert(1)>",
    "<time datetime=x>",
    "&lt;script&gt; &#60;script&#62; &amp;",
    "a\u2028b\u2029c\u0085d",
    "<plaintext>",
    "<base href=https://x.example/>",
    "<meta http-equiv=refresh content='0;url=https://x.example/'>",
    "<textarea><xmp><noscript><template>",
    "{{constructor.constructor('alert(1)')()}} ${alert(1)}",
)


def injected(world: World, text: str, number: int) -> str:
    """A session that has the text wherever a text may be."""
    text = text.encode("utf-8", "replace").decode().replace("\0", "") or "-"
    id = f"{number} {text}"
    before = world.session(f"{id} begins", text, end_reason="compression", ended_at=1.0)
    world.session(id, title=f"{number} {text}", source=text, model=text, cwd=text, parent_session_id=before)
    world.say(id, text)
    world.say(id, text, role="assistant", reasoning=text)
    call = {"id": text, "type": "function", "function": {"name": text, "arguments": json.dumps({text: text})}}
    world.say(id, "", role="assistant", tool_calls=json.dumps([call]))
    bare = {"id": text, "type": "function", "function": {"name": text, "arguments": ""}}
    world.say(id, "", role="assistant", tool_calls=json.dumps([bare]))
    world.say(id, "", role="assistant", tool_calls=text)
    world.say(id, text, role="tool", tool_name=text, tool_call_id=text)
    world.say(id, text, role=text)
    world.say(id, text, display_kind=text)
    world.say(id, f"[CONTEXT COMPACTION] {text}")
    world.say(id, [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": text}}])
    return id


def test_no_text_becomes_a_part_of_the_page(make_world: Callable[..., World], export_text: ExportText) -> None:
    """Whoever opens the file would run what some web page once told the agent to write."""
    made = make_world("0.22")
    made.connection.execute("BEGIN")
    texts = [*INJECTIONS, *(text[:300] for text in NASTY.values())]
    ids = [injected(made, text, number) for number, text in enumerate(texts)]
    made.connection.execute("COMMIT")
    for id in ids:
        Page(export_text(made, id, form="html", everything=True, masked=False)[0])
    page = Page(export_text(made, *ids, form="html")[0])
    assert len(page.articles) >= 8 * len(ids)
    assert len(page.ids) == len(set(page.ids))
    for link in page.links:
        assert re.match("https?://|mailto:", str(link["href"]))


def test_every_message_has_an_anchor_of_its_own(make_world: Callable[..., World], export_text: ExportText) -> None:
    """A link would lead to the same message of another conversation."""
    made = make_world()
    made.session("root", "hello", "yes", end_reason="compression", ended_at=1.0)
    made.session("left", "more", parent_session_id="root")
    made.session("right", "less", parent_session_id="root")
    html, done = export_text(made, "left", "right", form="html")
    assert (done.conversations, done.messages) == (2, 6)
    ids = Page(html).ids
    assert len(ids) == len(set(ids))


def test_every_text_is_there_as_text(make_world: Callable[..., World], export_text: ExportText) -> None:
    """Something would be lost for the sake of safety."""
    made = make_world("0.22")
    made.session("s", title="T")
    for text in INJECTIONS[:8]:
        made.say("s", text, role="tool", tool_name="x")
        made.say("s", text, role="assistant")
    page = Page(export_text(made, "s", form="html")[0])
    for place, text in enumerate(INJECTIONS[:8]):
        assert text in page.articles[2 * place]
        assert text in page.articles[2 * place + 1]


def test_the_page_needs_nothing_and_may_do_nothing_else(
    make_world: Callable[..., World], export_text: ExportText
) -> None:
    """It would phone home, or be empty without a network."""
    made = make_world()
    made.session("s", "hello https://x.example/a", title="T")
    html, _ = export_text(made, "s", form="html")
    page = Page(html)
    directives = dict(part.strip().split(" ", 1) for part in page.policy.split(";"))
    assert directives["default-src"] == "'none'"
    assert directives["base-uri"] == directives["form-action"] == "'none'"
    assert set(directives) == {"default-src", "style-src", "script-src", "base-uri", "form-action"}
    own = page.texts["style"][0] + page.texts["script"][0]
    assert not re.search(r"https?:|//[a-z]|@import|@font-face|url\(|fetch\(|XMLHttp|innerHTML|eval|localStorage", own)
    assert re.findall(r"(?:src|href|action)=\"(?!#)([^\"]*)", html) == ["https://x.example/a"]
    assert "lang=" not in html
    assert html.startswith("<!DOCTYPE html>\n")


def test_it_is_made_for_any_eye_and_hand(make_world: Callable[..., World], export_text: ExportText) -> None:
    """Somebody could not read it at night, on paper, from right to left, or without a mouse."""
    made = make_world()
    made.session("s", "مرحبا", "hello", title="T")
    made.say("s", "\n".join(["line"] * 40), role="tool", tool_name="terminal")
    html, _ = export_text(made, "s", form="html")
    page = Page(html)
    style, script = page.texts["style"][0], page.texts["script"][0]
    for wanted in ("prefers-color-scheme: dark", '[data-theme="dark"]', "@media print", ":focus-visible"):
        assert wanted in style
    for wanted in ('"/"', '"j"', '"k"', '"Enter"', '"Escape"', "dataset.theme", "beforeprint"):
        assert wanted in script
    assert html.count('<div class="said" dir="auto">') == 2
    assert 'type="search"' in html
    assert "<summary>Output · 40 lines</summary>" in html
    assert re.findall(r'<article id="(m\d+)" class="(\w+)" tabindex="-1">', html) == [
        ("m1", "you"),
        ("m2", "agent"),
        ("m3", "result"),
    ]
    assert html.count('class="anchor" href="#m2"') == 1


def test_many_conversations_are_listed_first() -> None:
    """Nobody would find the one they look for."""
    opening = Html(Wish("html"), Shown(False), 1.8e9).opening(["<one>", "two"])
    assert '<a href="#c1">&lt;one&gt;</a>' in opening
    assert '<a href="#c2">two</a>' in opening
    assert "<title>2 conversations</title>" in opening
