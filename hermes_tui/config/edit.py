"""Changing one setting in config.yaml: every other byte of the file stays as it is."""

from __future__ import annotations

import copy
import os
import secrets
import stat
from collections.abc import Mapping
from typing import Any, Literal

from hermes_tui.config import HermesConfig, load_config
from hermes_tui.disk import OWNER_ONLY, read_file, replace_file
from hermes_tui.errors import Conflict, Refused
from hermes_tui.home import HermesHome
from hermes_tui.yaml_file import parse_yaml


def set_gate(
    home: HermesHome, subsystem: Literal["memory", "skills"], on: bool, environ: Mapping[str, str] | None = None
) -> HermesConfig:
    """Switch the approval of an agent's writes on or off, and return the settings as they are then.

    Raises:
        Refused: an administrator has pinned the setting, or the file is not in a state to be edited.
        Conflict: somebody wrote the file meanwhile.
        Unreadable: the disk refused.
    """
    key = f"{subsystem}.write_approval"
    config = load_config(home, environ)
    if config.origin(key) == "managed":
        raise Refused(
            f"{key} is set by the administrator of this machine, which wins over your config.yaml.",
            code="managed",
            hint="Ask them to change it; nothing was written.",
        )
    if (os.environ if environ is None else environ).get("HERMES_MANAGED") or (home.path / ".managed").exists():
        raise Refused(
            "This home is managed by a package manager, which writes its config.yaml.",
            code="managed",
            hint=f"Set {key} where the package is configured; nothing was written.",
        )
    if config.state in ("invalid", "unreadable"):
        raise Refused(
            f"{config.problem} Nothing was written.", code="config_invalid", hint="Mend the file first, then try again."
        )
    _set_bool(home, subsystem, "write_approval", on)
    return load_config(home, environ)


def _set_bool(home: HermesHome, section: str, leaf: str, value: bool) -> None:
    path = home.config_path
    found = read_file(path)
    data, mode = (found[0], stat.S_IMODE(found[1].st_mode)) if found else (b"", OWNER_ONLY)
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    text = data[len(mark) :].decode("utf-8")
    changed = with_setting(text, section, leaf, value)
    expected: dict[str, Any] = copy.deepcopy(dict(parse_yaml(data).mapping))
    if not isinstance(expected.get(section), dict):
        expected[section] = {}
    expected[section][leaf] = value
    if parse_yaml(changed.encode()).mapping != expected:
        raise Refused(
            f"{path.name} is written in a way that this program cannot change safely.",
            code="config_form",
            hint=f"Set {section}.{leaf} to {str(value).lower()} in an editor; nothing was written.",
        )
    now = read_file(path)
    if (now[0] if now else b"") != data:
        raise Conflict(f"{path.name} was changed by somebody else just now.", code="conflict", hint="Try again.")
    new = mark + changed.encode()
    if new != data:
        replace_file(path, new, temp_name=f".{path.name}.{secrets.token_hex(4)}.tmp", mode=mode)


def with_setting(text: str, section: str, leaf: str, value: bool) -> str:
    """The text of a config.yaml with one setting written into it, at its place where it has one.

    The positions come from the YAML parser; what cannot be placed comes back unchanged.
    """
    import yaml

    word = "true" if value else "false"
    newline = "\r\n" if "\r\n" in text else "\n"
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if root is None or (isinstance(root, yaml.MappingNode) and _child(root, section) is None and not root.flow_style):
        start = "" if not text or text.endswith("\n") else newline
        return f"{text}{start}{section}:{newline}  {leaf}: {word}{newline}"
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        return text
    pair = _child(root, section)
    assert pair is not None
    key, body = pair
    if isinstance(body, yaml.ScalarNode) and body.tag.endswith(":null") and not body.value:
        end = text.find("\n", key.end_mark.index)
        at = len(text) if end < 0 else end + 1
        start = "" if end >= 0 else newline
        indent = " " * (key.start_mark.column + 2)
        return f"{text[:at]}{start}{indent}{leaf}: {word}{newline}{text[at:]}"
    if not isinstance(body, yaml.MappingNode) or body.flow_style or not body.value:
        return text
    known = _child(body, leaf)
    if known is None:
        first = body.value[0][0].start_mark
        line = first.index - first.column
        return f"{text[:line]}{' ' * first.column}{leaf}: {word}{newline}{text[line:]}"
    old = known[1]
    if not isinstance(old, yaml.ScalarNode):
        return text
    space = " " if old.start_mark.index == known[0].end_mark.index + 1 and not old.value else ""
    return f"{text[: old.start_mark.index]}{space}{word}{text[old.end_mark.index :]}"


def _child(node: Any, name: str) -> tuple[Any, Any] | None:
    """The key and value of a mapping's last entry of that name, which is the one that counts."""
    found = [(key, value) for key, value in node.value if getattr(key, "value", None) == name]
    return found[-1] if found else None
