"""Reading YAML that anybody may have written: a mapping or a sentence, in bounded time, never an exception."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from hermes_tui.disk import read_file
from hermes_tui.errors import Unreadable

if TYPE_CHECKING:
    import yaml

MAX_BYTES = 1 << 20
"""A larger file is not read; settings files are a few kilobytes."""
MAX_NUMBER_CHARS = 100
"""A longer number is refused: base-60 notation costs time in the square of its length."""
MAX_MERGED_KEYS = 100_000
"""Keys copied by `<<` merges; a few lines of nested merges would otherwise fill the memory."""


MERGE_TAG = "tag:yaml.org,2002:merge"
MAX_DEPTH = 400
"""What is nested deeper the agent cannot walk through; it falls back to its defaults between 400 and 500."""


class YamlFile(NamedTuple):
    """What a YAML file holds, or why it could not be read."""

    state: Literal["ok", "missing", "invalid", "unreadable"]
    mapping: Mapping[str, object] = MappingProxyType({})
    """The settings; empty unless the state is ok."""
    problem: str = ""
    """A sentence without the file's name, such as `line 3, column 5: expected …`; empty when ok."""
    duplicate_key: str = ""
    """Name and line of a key given twice in one mapping, in words; the last one counts here."""


def read_yaml(path: Path, *, max_bytes: int = MAX_BYTES) -> YamlFile:
    """The mapping in `path`."""
    try:
        if path.stat().st_size > max_bytes:
            return YamlFile("invalid", problem=f"it is larger than {max_bytes // 1024:,} KiB")
    except OSError:
        pass  # read_file says it better
    try:
        read = read_file(path)
    except Unreadable as error:
        return YamlFile("unreadable", problem=f"{error.message} {error.hint}".strip())
    if read is None:
        return YamlFile("missing")
    return parse_yaml(read[0])


def parse_yaml(data: bytes) -> YamlFile:
    """The mapping in the bytes of a YAML file, a leading byte order mark allowed."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = _position(data[: error.start].decode("utf-8", "replace"))
        byte = data[error.start]
        return YamlFile("invalid", problem=f"line {line}, column {column}: byte 0x{byte:02x} is not UTF-8")
    import yaml  # loaded here: 20 ms that only commands which read settings need

    loader_class = _loader_class()
    loader: Any = None
    try:
        loader = loader_class(text)
        node = loader.get_single_node()
        if node is not None and (tangle := _tangled(node)):
            return YamlFile("invalid", problem=tangle)
        value = None if node is None else loader.construct_document(node)
    except yaml.reader.ReaderError as error:
        line, column = _position(text[: error.position])
        # The C parser gives the character's number, the Python one the character.
        code = error.character if isinstance(error.character, int) else ord(error.character)
        problem = f"line {line}, column {column}: a control character (U+{code:04X})"
        return YamlFile("invalid", problem=problem)
    except yaml.MarkedYAMLError as error:
        return YamlFile("invalid", problem=_words(error))
    except RecursionError:
        return YamlFile("invalid", problem="line 1, column 1: it is nested too deeply")
    except Exception as error:
        # The parser's constructors fail in every way there is over a value that is not what its tag says.
        where = loader.where if loader is not None else "line 1, column 1"
        said = " ".join(str(error).split()) if isinstance(error, yaml.YAMLError | ValueError) else ""
        return YamlFile("invalid", problem=f"{where}: {said or 'a value that is not what its tag says'}")
    finally:
        if loader is not None:
            loader.dispose()
    if value is None:
        return YamlFile("ok")
    if not isinstance(value, dict):
        kind = "a list" if isinstance(value, list) else "a single value"
        return YamlFile("invalid", problem=f"line 1, column 1: it holds {kind}, not settings by name")
    return YamlFile("ok", value, duplicate_key=loader.duplicate_key)


def _tangled(root: Any) -> str:
    """What keeps an agent from walking through all of it: an alias inside what it names, or too many levels."""
    heights: dict[int, int] = {}
    way: list[tuple[Any, Iterator[Any]]] = [(root, _inside(root))]
    open_nodes = {id(root)}
    while way:
        node, inside = way[-1]
        for child in inside:
            if id(child) in open_nodes:
                line = child.start_mark.line + 1
                return f"line {line}, column {child.start_mark.column + 1}: what begins here contains itself"
            if id(child) not in heights:
                way.append((child, _inside(child)))
                open_nodes.add(id(child))
                break
        else:
            way.pop()
            open_nodes.discard(id(node))
            heights[id(node)] = 1 + max((heights[id(child)] for child in _inside(node)), default=0)
    return "line 1, column 1: it is nested too deeply" if heights[id(root)] > MAX_DEPTH else ""


def _inside(node: Any) -> Iterator[Any]:
    for each in node.value if isinstance(node.value, list) else ():
        if not isinstance(each, tuple):
            yield each
        elif each[0].tag != MERGE_TAG:  # what is merged stands beside the rest, and is somewhere else besides
            yield from each


def _position(before: str) -> tuple[int, int]:
    """Line and column, from 1, of the character after `before`."""
    line = before.count("\n") + 1
    return line, len(before) - (before.rfind("\n") + 1) + 1


def _words(error: yaml.MarkedYAMLError) -> str:
    mark = error.problem_mark or error.context_mark
    where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark is not None else ""
    said = ", ".join(part for part in (error.problem, error.context) if part)
    return f"{where}{' '.join(said.split())}"


def _loader_class() -> Any:
    """PyYAML's safe loader with limits on what a few bytes may cost, and an eye for repeated keys."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc]
        where = "line 1, column 1"
        duplicate_key = ""
        merged_keys = 0

        def construct_scalar(self, node: Any) -> Any:
            self.where = f"line {node.start_mark.line + 1}, column {node.start_mark.column + 1}"
            if len(node.value) > MAX_NUMBER_CHARS and node.tag.endswith((":int", ":float")):
                raise yaml.constructor.ConstructorError(
                    None, None, f"a number of {len(node.value):,} characters", node.start_mark
                )
            return super().construct_scalar(node)

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            if not self.duplicate_key:
                seen: set[object] = set()
                for key, _ in node.value:
                    if isinstance(key.value, str):
                        # By value, as the newer agent has it: yes and on are one key, 1 and "1" are two.
                        merge = key.tag == MERGE_TAG
                        value = (key.value, "") if merge else self.construct_object(key)
                        if value in seen:
                            self.duplicate_key = f"{key.value!r} (again in line {key.start_mark.line + 1})"
                        seen.add(value)
            return super().construct_mapping(node, deep=deep)

        def flatten_mapping(self, node: Any) -> None:
            super().flatten_mapping(node)
            self.merged_keys += len(node.value)
            if self.merged_keys > MAX_MERGED_KEYS:
                raise yaml.constructor.ConstructorError(None, None, "its << merges copy too many keys", node.start_mark)

    return Loader
