"""One value in the text of a YAML file, changed at its place: every other character stays.

The places are those that the YAML parser gives. Whoever calls checks the result by parsing it again.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from hermes_tui.errors import Refused

_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*[ \t]+)+")
"""An anchor or a tag before a value."""
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_REST_OF_LINE = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\r?\n|\Z)")
INDENT = 2
"""Of a section that is made new."""


@dataclass(frozen=True, slots=True)
class _Found:
    """How far a path leads."""

    parents: tuple[tuple[Any, Any], ...]
    """Key and value of each section on the way, from outside."""
    body: Any
    """The innermost mapping that is there; None where a section holds nothing."""
    left: tuple[str, ...]
    """The names that are not there."""
    pair: tuple[Any, Any] | None
    """Key and value of the setting itself, when it is there."""


def word_for(value: bool | int | float | str, *, like: str = "") -> str:
    """A value in YAML, in the quotes of the spelling it takes the place of.

    Args:
        value: what is to be read.
        like: the old spelling; only its first character counts.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    if like.startswith("'") and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    return value if not like.startswith('"') and _is_plain(value) else json.dumps(value, ensure_ascii=False)


def _is_plain(value: str) -> bool:
    """Whether a text means itself without quotes, also between braces."""
    import yaml

    if not re.fullmatch(r"[A-Za-z_./~][\w./@+:~-]*", value) or value.endswith(":") or value.lower() in ("y", "n"):
        return False
    try:
        return bool(yaml.safe_load(value) == value)
    except yaml.YAMLError:
        return False


def spelling(text: str, path: tuple[str, ...]) -> str | None:
    """How the value at `path` is written, its anchor or tag apart; None when it is not there.

    Raises:
        Refused: its place cannot be told, since another one is meant by `*name`.
    """
    found = _find(text, path)
    if found.pair is None:
        return None
    start, end = _span(text, found.pair)
    return text[start:end]


def with_word(text: str, path: tuple[str, ...], word: str) -> str:
    """The text with `word` as the value at `path`, at its place where it has one, else at the end of its section.

    Raises:
        Refused: it is written in a way in which a value cannot be placed.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    found = _find(text, path)
    if found.pair is not None:
        return _replaced(text, found.pair, word, newline)
    if found.body is None:
        return _in_nothing(text, found, word, newline)
    if found.body.flow_style:
        return _in_braces(text, found, word)
    first = found.body.value[0][0].start_mark.column
    at = found.body.end_mark.index if not found.parents else _after(text, found.body)
    return _inserted(text, at, _lines(found.left, word, first, newline), newline)


def without(text: str, path: tuple[str, ...]) -> str:
    """The text without the setting at `path`, and without the sections that hold nothing else.

    Raises:
        Refused: it shares its lines with something else.
    """
    found = _find(text, path)
    if found.pair is None:
        return text
    bodies = [value for _key, value in found.parents]
    pairs = [*found.parents, found.pair]
    alone = len(pairs) - 1
    while alone and not bodies[alone - 1].flow_style and len(bodies[alone - 1].value) == 1:
        if _has_comment(text, pairs[alone - 1][0], pairs[alone][0], pairs[alone][1]):
            break  # a section with a comment stays, so that the comment is still about something
        alone -= 1
    owner = bodies[alone - 1] if alone else _root(text)
    if owner.flow_style:
        return _out_of_braces(text, owner, pairs[alone])
    for key, value in reversed(pairs[alone:]):
        start = key.start_mark.index - key.start_mark.column
        inner = value is not pairs[-1][1]
        end = key.end_mark.index if inner else max(_end(text, value), key.end_mark.index)
        if inner or end == key.end_mark.index:
            end = text.index(":", end) + 1
        rest = _REST_OF_LINE.match(text, end)
        if text[end - 1] == "\n":
            stop = end
        elif rest is None:
            raise _unplaceable(key, "it is not on lines of its own, or has an anchor or a tag")
        else:
            stop = rest.end()
        if text[start : key.start_mark.index].strip():
            raise _unplaceable(key, "it is not on lines of its own")
        text = text[:start] + text[stop:]
    return text


def _has_comment(text: str, section: Any, key: Any, value: Any) -> bool:
    """Whether a section holds a comment apart from its only setting, or behind its name."""
    inside = text[section.end_mark.index : key.start_mark.index - key.start_mark.column]
    return "#" in inside or any(
        line.startswith(" " * key.start_mark.column + "#") for line in _below(text, max(_end(text, value), 0))
    )


def _below(text: str, end: int) -> list[str]:
    """The lines after a setting, up to the next thing that is no comment."""
    lines = []
    for line in text[end:].split("\n")[1:]:
        if line.strip() and not line.lstrip().startswith("#"):
            break
        lines.append(line)
    return lines


def _root(text: str) -> Any:
    import yaml

    return yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _find(text: str, path: tuple[str, ...]) -> _Found:
    import yaml

    body = _root(text)
    if body is None:
        return _Found((), None, path, None)
    parents: list[tuple[Any, Any]] = []
    for depth, name in enumerate(path):
        if not isinstance(body, yaml.MappingNode):
            if isinstance(body, yaml.ScalarNode) and body.tag.endswith(":null"):
                return _Found(tuple(parents), None, path[depth:], None)
            raise _unplaceable(parents[-1][0], "it holds no settings by name")
        pair = next((pair for pair in reversed(body.value) if getattr(pair[0], "value", None) == name), None)
        if pair is None:
            if not body.value and not body.flow_style:
                return _Found(tuple(parents), None, path[depth:], None)
            return _Found(tuple(parents), body, path[depth:], None)
        key, value = pair
        if value.start_mark.index < key.end_mark.index:
            raise _unplaceable(key, f"its value is an alias of what stands in line {value.start_mark.line + 1}")
        if depth == len(path) - 1:
            return _Found(tuple(parents), body, (), pair)
        parents.append(pair)
        body = value
    raise AssertionError("a path has at least one name")


def _unplaceable(key: Any, why: str) -> Refused:
    line = key.start_mark.line + 1
    return Refused(
        f"{key.value} in line {line} of config.yaml cannot be changed safely: {why}.",
        code="config_form",
        hint="Change it in an editor; nothing was written.",
    )


def _span(text: str, pair: tuple[Any, Any]) -> tuple[int, int]:
    """Where a scalar's own characters begin and end."""
    import yaml

    key, value = pair
    if not isinstance(value, yaml.ScalarNode):
        raise _unplaceable(key, "it holds a list or a section, not one value")
    start, end = value.start_mark.index, value.end_mark.index
    properties = _PROPERTIES.match(text, start, end)
    return (properties.end() if properties else start), end


def _replaced(text: str, pair: tuple[Any, Any], word: str, newline: str) -> str:
    start, end = _span(text, pair)
    if start == end and text[start - 1] in ":-?":
        word = f" {word}"
    if start < end and text[end - 1] == "\n":  # a text of lines after | or > ends where the next line begins
        word += newline
    return text[:start] + word + text[end:]


def _lines(names: tuple[str, ...], word: str, column: int, newline: str) -> str:
    """A setting and the sections it needs, in lines of their own."""
    rows = [f"{' ' * (column + INDENT * depth)}{name}:" for depth, name in enumerate(names)]
    return newline.join(rows) + f" {word}{newline}"


def _inserted(text: str, at: int, lines: str, newline: str) -> str:
    start = "" if at == 0 or text[at - 1] == "\n" else newline
    return text[:at] + start + lines + text[at:]


def _after(text: str, body: Any) -> int:
    """Where the line after the last setting of a block begins."""
    key, value = body.value[-1]
    end = key.end_mark.index if value.start_mark.index < key.end_mark.index else _end(text, value)
    if text[end - 1 : end] == "\n":
        return end
    found = text.find("\n", max(end, key.end_mark.index))
    return len(text) if found < 0 else found + 1


def _end(text: str, node: Any) -> int:
    """Where what a node says is over; a block's own mark comes after the comments that follow it."""
    import yaml

    if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    if not isinstance(node, yaml.MappingNode):
        return max(_end(text, last), int(node.start_mark.index))
    key, value = last
    return max(int(key.end_mark.index), 0 if value.start_mark.index < key.end_mark.index else _end(text, value))


def _in_nothing(text: str, found: _Found, word: str, newline: str) -> str:
    """Into a file or a section that holds nothing."""
    if not found.parents:
        at = len(text)
        return _inserted(text, at, _lines(found.left, word, 0, newline), newline)
    key, value = found.parents[-1]
    start, end = value.start_mark.index, value.end_mark.index
    if text[start:end] not in _NULLS:
        raise _unplaceable(key, "it has an anchor or a tag, and holds nothing")
    outer = found.parents[-2][1] if len(found.parents) > 1 else _root(text)
    if outer.flow_style:
        return f"{text[:start]}{'' if end > start else ' '}{_braces(found.left, word)}{text[end:]}"
    if end > start:
        text = text[:start].rstrip(" \t") + text[end:]
    colon = text.index(":", key.end_mark.index)
    rest = text.find("\n", colon)
    at = len(text) if rest < 0 else rest + 1
    return _inserted(text, at, _lines(found.left, word, key.start_mark.column + INDENT, newline), newline)


def _braces(names: tuple[str, ...], word: str) -> str:
    return "".join(f"{{{name}: " for name in names) + word + "}" * len(names)


def _in_braces(text: str, found: _Found, word: str) -> str:
    name, *deeper = found.left
    said = f"{name}: {_braces(tuple(deeper), word)}"
    if not found.body.value:
        at = text.index("{", found.body.start_mark.index) + 1
        return text[:at] + said + text[at:]
    key, value = found.body.value[-1]
    at = max(int(key.end_mark.index), _end(text, value))
    return f"{text[:at]}, {said}{text[at:]}"


def _out_of_braces(text: str, owner: Any, pair: tuple[Any, Any]) -> str:
    key, value = pair
    start, end = key.start_mark.index, max(int(key.end_mark.index), _end(text, value))
    follows = re.compile(r"[ \t]*,[ \t]*").match(text, end)
    if follows:
        return text[:start] + text[follows.end() :]
    if len(owner.value) > 1:
        start = text.rindex(",", 0, start)
    return text[:start] + text[end:]
