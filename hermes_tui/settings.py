"""Settings of our own: flag, environment, `settings.yaml` or default, whichever comes first."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from hermes_tui import SCREENS
from hermes_tui.home import own_folder

FILE_NAME = "settings.yaml"
YES = ("1", "true", "yes", "on")
NO = ("0", "false", "no", "off")

_PACKAGE = Path(__file__).parent
SHIPPED_FOLDER = next(
    (folder for folder in (_PACKAGE / "themes", _PACKAGE.parent / "themes") if folder.is_dir()),
    _PACKAGE / "themes",
)
"""The shipped themes: inside the package once installed, beside it in a checkout."""


class Setting(NamedTuple):
    """One thing that can be set."""

    key: str
    """Its name in `settings.yaml`."""
    flag: str
    """The option of the command line; empty when it has none."""
    variable: str
    """The variable of the environment; empty when it has none."""
    default: Any
    shown_default: str
    """The default in words."""
    help: str
    """One sentence for the README, the man page and `info`."""


SETTINGS: tuple[Setting, ...] = (
    Setting("theme", "--theme", "HERMES_TUI_THEME", "", "by the terminal's colours", "The colours of the screen."),
    Setting("screen", "--screen", "HERMES_TUI_SCREEN", "memory", "where you were last",
            f"What opens first: {', '.join(SCREENS[:-1])} or {SCREENS[-1]}."),
    Setting("reduced_motion", "--reduced-motion", "HERMES_TUI_REDUCED_MOTION", False, "false",
            "Nothing moves or fades."),
    Setting("read_only", "--read-only", "HERMES_TUI_READ_ONLY", False, "false",
            "Change nothing, neither from the screen nor from the command line."),
    Setting("mouse", "--no-mouse", "HERMES_TUI_MOUSE", True, "true",
            "The screen takes the mouse; without, the terminal keeps it for marking text."),
    Setting("keys", "", "", {}, "none", "Other keys for actions, by their ids: a key or a list of keys."),
)  # fmt: skip

BY_KEY = {setting.key: setting for setting in SETTINGS}


class Value(NamedTuple):
    """What a setting is, and what made it so."""

    key: str
    value: Any
    origin: str
    """`--theme`, `HERMES_TUI_THEME`, `settings.yaml` or `default`."""


class Settings(NamedTuple):
    """Everything that is set, and what is wrong with the place where it is set."""

    path: Path
    """The file; it need not exist."""
    exists: bool
    values: tuple[Value, ...]
    """In the order of the table."""
    troubles: tuple[str, ...] = ()
    """A sentence for each thing that could not be used; its default applies."""

    def get(self, key: str) -> Any:
        """The value of a setting by its name."""
        return next(value.value for value in self.values if value.key == key)

    def origin(self, key: str) -> str:
        """What made a setting so."""
        return next(value.origin for value in self.values if value.key == key)


def config_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Where settings and themes of a person's own lie; it need not exist."""
    return own_folder("config", environ)


def theme_names(environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The names of all themes, shipped ones first; no theme is read."""
    folders = (SHIPPED_FOLDER, config_dir(environ) / "themes")
    return tuple(dict.fromkeys(path.stem for folder in folders for path in theme_files(folder)))


def theme_files(folder: Path) -> list[Path]:
    """The files of a folder that may be themes; none where it cannot be read."""
    try:
        return sorted(path for path in folder.iterdir() if path.suffix in (".yaml", ".yml"))
    except OSError:
        return []


def load_settings(
    flags: Mapping[str, Any] | None = None, environ: Mapping[str, str] | None = None, path: Path | None = None
) -> Settings:
    """Every setting with its origin.

    Args:
        flags: what was asked for on the command line, by the names of settings; None where nothing was.
        environ: the environment; the process's own when None.
        path: the file; the one in the directory of our settings when None.
    """
    env = os.environ if environ is None else environ
    file = config_dir(env) / FILE_NAME if path is None else path
    exists = os.path.lexists(file)
    troubles: list[str] = []
    written = _read(file, env, troubles) if exists else {}
    values = []
    for setting in SETTINGS:
        value, origin = setting.default, "default"
        if setting.key in written:
            value, origin = written[setting.key], FILE_NAME
        text = env.get(setting.variable, "").strip() if setting.variable else ""
        if text:
            meant, wrong = _checked(setting, text, env)
            if wrong:
                troubles.append(f"{setting.variable} {wrong}.")
            else:
                value, origin = meant, setting.variable
        if flags and flags.get(setting.key) is not None:
            value, origin = flags[setting.key], setting.flag
        values.append(Value(setting.key, value, origin))
    return Settings(file, exists, tuple(values), tuple(troubles))


def keep_setting(key: str, value: str | bool, environ: Mapping[str, str] | None = None) -> Path:
    """Write a setting into the person's file, at its place, the rest as it was; the file.

    Raises:
        HermesTuiError: the file is not in a state to be edited, or the disk refused; nothing was written.
    """
    from hermes_tui.config.file_edit import FileEdit  # loaded here: only who keeps something needs it
    from hermes_tui.disk import make_folder

    file = config_dir(environ) / FILE_NAME
    edit = FileEdit(file, key)
    new = edit.changed(value)
    if new != edit.text:
        make_folder(file.parent)
        edit.write(new)
    return file


def _read(file: Path, env: Mapping[str, str], troubles: list[str]) -> dict[str, Any]:
    """What the file sets; what cannot be used is said in `troubles`."""
    from hermes_tui.yaml_file import read_yaml  # loaded here: most people have no such file

    found = read_yaml(file)
    if found.problem:
        at = "" if found.state == "unreadable" else f"{file}, " if found.problem.startswith("line") else f"{file}: "
        troubles.append(f"{at}{found.problem.rstrip('.')}. None of its settings are used.")
        return {}
    if found.duplicate_key:
        troubles.append(f"{file}: {found.duplicate_key} is set twice; the last one counts.")
    values: dict[str, Any] = {}
    wrongs: list[tuple[str, str]] = []
    for key, value in found.mapping.items():
        setting = BY_KEY.get(key)
        if setting is None:
            wrongs.append((str(key), f"there is no setting {key!r}{closest(str(key), BY_KEY)}"))
            continue
        meant, wrong = _checked(setting, value, env)
        if wrong:
            wrongs.append((key, f"{key} {wrong}"))
        elif key == "keys":
            values[key] = {}
            for action, keys in meant.items():
                listed, bad = _key_list(keys)
                if bad:
                    wrongs.append((f"keys.{action}", f"keys.{action} {bad}"))
                else:
                    values[key][str(action)] = listed
        else:
            values[key] = meant
    if wrongs:
        lines = key_lines(file)
        troubles += [f"{file}, line {lines.get(key, 1)}: {words}." for key, words in wrongs]
    return values


def _checked(setting: Setting, value: Any, env: Mapping[str, str]) -> tuple[Any, str]:
    """A value as it is meant, or what is wrong with it, to stand behind its name."""
    shown = repr(value) if isinstance(value, str | bool | int | float) else "a list or mapping" if value else "empty"
    if setting.key == "keys":
        if isinstance(value, dict):
            return value, ""
        return None, f"is {shown}; it holds ids of actions with their keys, as in `memory.add: a`"
    if isinstance(setting.default, bool):
        if isinstance(value, bool):
            return value, ""
        if isinstance(value, str) and value.lower() in (*YES, *NO):
            return value.lower() in YES, ""
        return None, f"is {shown}; it can be true or false"
    names = SCREENS if setting.key == "screen" else theme_names(env)
    if value in names:
        return value, ""
    return None, f"is {shown}; it can be {', '.join(names)}{closest(str(value), names)}"


def _key_list(keys: object) -> tuple[tuple[str, ...], str]:
    """The keys of an action, however they are written, or what is wrong with them."""
    listed = keys if isinstance(keys, list) else [keys]
    words = tuple(str(key) for key in listed if isinstance(key, str | int) and not isinstance(key, bool))
    if not words or len(words) != len(listed) or not all(words):
        return (), "is no key or list of keys; keys such as ?, y and on stand in quotes"
    return words, ""


def closest(name: str, names: Mapping[str, object] | tuple[str, ...]) -> str:
    """` (did you mean …?)` where a name comes near; else empty."""
    from difflib import get_close_matches  # loaded here: only mistakes need it

    near = get_close_matches(name, list(names), 1, 0.5)
    return f" (did you mean {near[0]}?)" if near else ""


def key_lines(file: Path) -> dict[str, int]:
    """The line of each key, `keys.memory.add` for those one level down."""
    import yaml

    try:
        top = yaml.compose(file.read_text(encoding="utf-8-sig"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return {}
    lines: dict[str, int] = {}
    for key, value in _pairs(top):
        lines[key.value] = key.start_mark.line + 1
        for inner, _ in _pairs(value):
            lines[f"{key.value}.{inner.value}"] = inner.start_mark.line + 1
    return lines


def _pairs(node: Any) -> Iterator[tuple[Any, Any]]:
    pairs = getattr(node, "value", None)
    if isinstance(pairs, list) and getattr(node, "id", "") == "mapping":
        yield from ((key, value) for key, value in pairs if isinstance(key.value, str))


def shown(key: str, value: object, origin: str) -> str:
    """A value as it stands in the file; a default in its own words."""
    if origin == "default":
        return BY_KEY[key].shown_default
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {' '.join(keys)}" for name, keys in value.items()) or "none"
    return str(value)


def settings_table() -> str:
    """The settings as a Markdown table, for the README."""
    rows = ["| setting | flag | environment | default | what it does |", "| --- | --- | --- | --- | --- |"]
    for setting in SETTINGS:
        names = " | ".join(f"`{name}`" if name else "–" for name in (setting.key, setting.flag, setting.variable))
        rows.append(f"| {names} | {setting.shown_default} | {setting.help} |")
    return "\n".join(rows)
