"""The head of a SKILL.md: what the agent asks of it before it takes one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from hermes_tui.yaml_file import parse_yaml

MAX_DESCRIPTION_CHARS = 1024
MAX_NEW_DESCRIPTION_CHARS = 60
"""What the 0.22 line allows a new skill, so that its index shows the whole of it."""

_END = re.compile(r"\n---\s*\n")
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """What the head of a SKILL.md holds."""

    problem: str
    """Why the agent would not take it, as the end of a sentence; empty when it would."""
    fields: Mapping[str, object] = field(default_factory=dict)
    duplicate_key: str = ""
    """A key given twice, with its line: the 0.19 line takes the last one, the 0.22 line refuses."""

    @property
    def name(self) -> str:
        """The name in it; empty when there is none."""
        value = self.fields.get("name")
        return value if isinstance(value, str) else ""

    @property
    def description(self) -> str:
        """The description in it; empty when there is none."""
        value = self.fields.get("description")
        return "" if value is None else str(value)


def read_frontmatter(content: str) -> Frontmatter:
    """Look at the head of a SKILL.md."""
    text = content.removeprefix(_BYTE_ORDER_MARK)
    if not text.strip():
        return Frontmatter("it is empty")
    if not text.startswith("---"):
        return Frontmatter("it does not start with frontmatter (a line ---)")
    end = _END.search(text, 3)
    if end is None:
        return Frontmatter("its frontmatter is not closed (a second line --- with text after it)")
    try:
        data = text[3 : end.start()].encode()
    except UnicodeEncodeError:
        return Frontmatter("its frontmatter holds half a character")
    head = parse_yaml(data)
    if head.state != "ok":
        return Frontmatter(f"its frontmatter is not a YAML mapping ({head.problem})")
    for name in ("name", "description"):
        if name not in head.mapping:
            return Frontmatter(f"its frontmatter has no {name}")
    found = Frontmatter("", head.mapping, head.duplicate_key)
    if isinstance(head.mapping["description"], list | dict):
        return Frontmatter("its description is no text", head.mapping)
    if len(found.description) > MAX_DESCRIPTION_CHARS:
        return Frontmatter(
            f"its description has {len(found.description):,} characters, {MAX_DESCRIPTION_CHARS:,} are allowed",
            head.mapping,
        )
    if not text[end.end() :].strip():
        return Frontmatter("nothing follows its frontmatter", head.mapping)
    return found
