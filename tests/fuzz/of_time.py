"""What is read grows, and the time with it, but no faster: a piece of text is repeated, and every reader reads it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from hermes_tui.env_file import parse_env
from hermes_tui.history.prompts import read_prompt
from hermes_tui.history.reviews import Logs
from hermes_tui.memory.entries import parse, usage_of
from hermes_tui.memory.matching import closest, find
from hermes_tui.memory.threats import scan
from hermes_tui.memory.view import has_lookalike, is_unstructured, propose_split
from hermes_tui.memory.worddiff import word_diff
from hermes_tui.pending.skills.frontmatter import read_frontmatter
from hermes_tui.redaction import redact
from hermes_tui.sessions.dates import moment, period
from hermes_tui.sessions.export.html_text import rendered
from hermes_tui.sessions.export.markdown_text import message_body
from hermes_tui.sessions.messages import kind_of, message_text, tool_calls
from hermes_tui.sessions.query import parse as parse_query
from hermes_tui.sessions.snippets import snippet
from hermes_tui.sessions.title_model.cleaning import clean_title
from hermes_tui.sessions.titles import derive_title
from hermes_tui.text import fit, visible_map, wrap_cells
from hermes_tui.ui.transcript.markdown import markdown_lines
from hermes_tui.yaml_file import parse_yaml
from tests.fuzz.given import one_of, split, text
from tests.fuzz.machine import machine, put
from tests.fuzz.promises import at_most
from tests.sessions.world import NOW

CHARS = int(os.environ.get("HERMES_TUI_FUZZ_CHARS", "8000"))
"""So long is what is read."""
SECONDS = float(os.environ.get("HERMES_TUI_FUZZ_SECONDS", "3"))
"""Of processor time that one reader may take for it."""


def _logged(line: str) -> None:
    with machine() as place:
        stamped = f"2026-01-01 10:00:00,000 INFO {line}\n"
        put(place.home.logs / "agent.log", stamped.encode("utf-8", "replace"))
        Logs(place.home.logs).read()


def _entries(said: str) -> None:
    entries = parse(said)
    usage_of(entries, 100)
    is_unstructured(entries)
    for entry in entries[:1]:
        has_lookalike(entry)
        propose_split(entry)


READERS: Mapping[str, Callable[[str], object]] = {
    "visible": visible_map,
    "wrap": lambda said: wrap_cells(said.replace("\t", " "), 40),
    "fit": lambda said: fit(said, 40),
    "redact": redact,
    "scan": scan,
    "entries": _entries,
    "closest": lambda said: (closest([said, "tea"], said), find([said, "tea"], said[:50])),
    "word diff": lambda said: word_diff(said, said[1:] + "x"),
    "prompt": read_prompt,
    "log": _logged,
    "env": parse_env,
    "yaml": lambda said: parse_yaml(said.encode("utf-8", "replace")),
    "frontmatter": read_frontmatter,
    "message": lambda said: (message_text("\x00json:" + said), tool_calls(said), kind_of(said, "")),
    "dates": lambda said: (moment(said), period(said, NOW)),
    "query": lambda said: parse_query(said, NOW).matcher.spans(said),
    "snippet": lambda said: snippet(said, parse_query("the otter a", NOW).matcher),
    "title": derive_title,
    "answer": clean_title,
    "markdown": lambda said: markdown_lines(said, 60),
    "html": rendered,
    "markdown file": message_body,
}
"""Everything that reads a text by patterns."""


def grown(data: bytes) -> None:
    """A text that repeats itself takes each reader a moment."""
    which, before, unit, after = split(data, 4)
    name = one_of(which, list(READERS))
    repeated = text(unit) or "a"
    said = text(before) + repeated * (CHARS // len(repeated)) + text(after)
    try:
        with at_most(SECONDS):
            READERS[name](said)
    except BaseException as error:
        error.add_note(f"reading as {name}")
        raise
