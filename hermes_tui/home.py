"""The Hermes home: which directory it is, which rule chose it, and where everything in it lies."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from hermes_tui.errors import NotFound, Unreadable

ChosenBy = Literal["--home", "--profile", "HERMES_HOME", "active profile", "default", "chosen here"]
Subsystem = Literal["memory", "skills"]

MARKER = "active_profile"
"""The file in the root that names the profile the `hermes` command opens."""

PROFILE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
RESERVED_NAMES = frozenset({"hermes", "default", "test", "tmp", "root", "sudo"})

IDENTITY_FILES = ("config.yaml", ".env", "SOUL.md", "profile.yaml", "auth.json", "state.db")
"""One of these must be in a profile's directory before the 0.22 line counts it as a profile."""

MARKER_MAX_BYTES = 4096
DESCRIPTION_MAX_BYTES = 64 * 1024


class HermesHome(NamedTuple):
    """A home directory, as chosen; it need not exist.

    A named tuple because `count` runs in shell prompts: importing dataclasses costs it two milliseconds.
    """

    path: Path
    """The directory, as named (links not resolved)."""
    profile: str
    """`default`, the profile's name, or `custom` for a directory inside a root that is no profile."""
    chosen_by: ChosenBy
    """The rule that decided; `chosen here` for a profile that was named beside another one."""
    note: str = ""
    """A sentence worth knowing about the choice; usually empty."""

    @property
    def exists(self) -> bool:
        """Whether the home is a directory that can be reached."""
        return _is_dir(self.path)

    @property
    def root(self) -> Path:
        """The directory that holds `profiles/`: the home itself unless it is a profile's."""
        return self.path.parent.parent if self.path.parent.name == "profiles" else self.path

    @property
    def memories(self) -> Path:
        """The directory of MEMORY.md and USER.md."""
        return self.path / "memories"

    @property
    def config_path(self) -> Path:
        """config.yaml of this home."""
        return self.path / "config.yaml"

    @property
    def state_db(self) -> Path:
        """The database of sessions."""
        return self.path / "state.db"

    @property
    def logs(self) -> Path:
        """The agent's log directory."""
        return self.path / "logs"

    def pending(self, subsystem: Subsystem) -> Path:
        """The directory of writes that wait for approval."""
        return self.path / "pending" / subsystem


class Profile(NamedTuple):
    """One profile of a root; `default` is the root itself."""

    name: str
    path: Path
    active: bool
    """Whether the `hermes` command opens this one when nothing else is said."""
    description: str
    note: str = ""
    """Why an agent may not count the directory as a profile; usually empty."""


def resolve_home(
    *,
    home: str | None = None,
    profile: str | None = None,
    environ: Mapping[str, str] | None = None,
    platform: str = sys.platform,
) -> HermesHome:
    """The home to open, by the first of: `--home`, `--profile`, HERMES_HOME, the active profile, the default.

    HERMES_HOME and the marker meet as they do in the `hermes` command: the variable names the root,
    and a marker in that root picks the profile, unless the variable points into a `profiles/`
    directory already. Nothing is created.
    """
    env = os.environ if environ is None else environ
    default = _default_home(env, platform)
    if home is not None:
        if not home.strip():
            raise NotFound("--home names no directory.", code="no_home", hint="Give it a directory: --home DIR.")
        path = _absolute(_expand_user(home, env))
        return HermesHome(path, _profile_of(path, default), "--home")

    named, note = _named_home(env)
    root = default if named is None else _root_of(named, default)
    if profile is not None:
        name = _checked_name(profile, f"--profile {profile!r}", "See `hermes-tui profiles list`.")
        return _profile_home(root, name, "--profile", hint=_known_profiles(root))

    if named is not None and named.parent.name == "profiles":
        return HermesHome(named, _profile_of(named, default), "HERMES_HOME", note)
    marker = _marker(root)
    if marker != "default" and env.get("HERMES_S6_SUPERVISED_CHILD"):
        note = f"The active profile {marker!r} is ignored because HERMES_S6_SUPERVISED_CHILD is set."
        marker = "default"
    if marker != "default":
        back = "Go back with `hermes profile use default`, or choose with --profile NAME or --home DIR."
        name = _checked_name(marker, f"The marker {root / MARKER} holds {marker!r}, which", back)
        chosen = _profile_home(root, name, "active profile", hint=back)
        if named is None:
            return chosen
        why = f"HERMES_HOME names {named}; its {MARKER} file picks {name!r}, as in the hermes command."
        return HermesHome(chosen.path, name, "active profile", f"{why} {chosen.note}".strip())
    if named is not None:
        return HermesHome(named, _profile_of(named, default), "HERMES_HOME", note)
    return HermesHome(default, "default", "default", note)


def list_profiles(root: Path) -> tuple[Profile, ...]:
    """The profiles of `root`: `default` first, then by name; the active one is marked.

    Raises:
        Unreadable: the folder of profiles is there but may not be looked into.
    """
    active = _marker(root)
    found = [Profile("default", root, active == "default", _description(root))]
    try:
        names = sorted(path.name for path in (root / "profiles").iterdir())
    except PermissionError as error:
        raise Unreadable(
            f"{root / 'profiles'} may not be looked into.", code="unreadable", hint="Give yourself access to it."
        ) from error
    except OSError:
        names = []
    for name in names:
        path = root / "profiles" / name
        if PROFILE_NAME.fullmatch(name) and name not in RESERVED_NAMES and _is_dir(path):
            found.append(Profile(name, path, active == name, _description(path), _ghost_note(path)))
    return tuple(found)


def home_of(root: Path, name: str) -> HermesHome:
    """The home of a profile of `root`, which must be there and open to us.

    Raises:
        NotFound: there is no such profile.
        Unreadable: it may not be looked into.
    """
    name = _checked_name(name, f"{name!r}", "See `hermes-tui profiles list`.")
    home = _profile_home(root, name, "chosen here", hint=_known_profiles(root))
    if not home.exists or not os.access(home.path, os.R_OK | os.X_OK):
        raise Unreadable(
            f"The home of the profile {name!r} ({home.path}) is closed to you: permission denied.",
            code="unreadable",
            hint="Give yourself access to it and to the folders above.",
        )
    return home


def data_dir(home_path: Path, environ: Mapping[str, str] | None = None) -> Path:
    """Where our own data about a home lives (journal, cache): outside the home, keyed by its real path.

    HERMES_TUI_STATE_DIR moves it. The directory is made by whoever writes to it, mode 0700.
    """
    import hashlib  # loaded here: `count` never comes this way

    real = os.path.realpath(home_path)
    digest = hashlib.sha256(os.fsencode(real)).hexdigest()[:12]
    slug = re.sub(r"[^A-Za-z0-9]+", "-", "/".join(Path(real).parts[-3:])).strip("-").lower()[-40:]
    return state_dir(environ) / "homes" / f"{slug or 'home'}-{digest}"


def state_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Where all data of our own lives; it need not exist."""
    return own_folder("state", environ)


def own_folder(kind: Literal["state", "config"], environ: Mapping[str, str] | None = None) -> Path:
    """Where our data or a person's settings lie: what `HERMES_TUI_STATE_DIR` or `HERMES_TUI_CONFIG_DIR` says first."""
    env = os.environ if environ is None else environ
    named = env.get(f"HERMES_TUI_{kind.upper()}_DIR", "").strip()
    if named:
        return Path(named)
    if sys.platform not in ("win32", "darwin"):
        # As platformdirs has it, whose import takes longer than all the rest here.
        base = env.get(f"XDG_{kind.upper()}_HOME", "").strip()
        usual = {"state": ".local/state", "config": ".config"}[kind]
        return (Path(base) if base else Path.home() / usual) / "hermes-tui"
    import platformdirs

    return Path({"state": platformdirs.user_state_dir, "config": platformdirs.user_config_dir}[kind]("hermes-tui"))


def _default_home(env: Mapping[str, str], platform: str) -> Path:
    if platform == "win32":
        local = env.get("LOCALAPPDATA", "").strip()
        return (Path(local) if local else _user_dir(env, platform) / "AppData" / "Local") / "hermes"
    return _user_dir(env, platform) / ".hermes"


def _user_dir(env: Mapping[str, str], platform: str = sys.platform) -> Path:
    variable = "USERPROFILE" if platform == "win32" else "HOME"
    return Path(env.get(variable) or env.get("HOME") or Path.home())


def _named_home(env: Mapping[str, str]) -> tuple[Path | None, str]:
    """The home HERMES_HOME names and what to say about it; None when it is unset or blank."""
    raw = env.get("HERMES_HOME", "").strip()
    if not raw:
        return None, ""
    expanded = re.sub(r"\$(?:(\w+)|\{(\w+)\})", lambda m: env.get(m[1] or m[2], m[0]), raw, flags=re.ASCII)
    path = _expand_user(expanded, env)
    if str(path) != str(Path(raw)):
        return _absolute(path), f"HERMES_HOME is {raw!r}: the 0.22 agents expand it, 0.19 takes it literally."
    if not path.is_absolute():
        return _absolute(path), f"HERMES_HOME is {raw!r}: a relative path, another home in every directory."
    return path, ""


def _expand_user(text: str, env: Mapping[str, str]) -> Path:
    if text == "~" or text.startswith("~/"):
        return _user_dir(env) / text[2:]
    return Path(os.path.expanduser(text))  # noqa: PTH111 - Path.expanduser raises for an unknown user


def _absolute(path: Path) -> Path:
    return path if path.is_absolute() else Path.cwd() / path


def _root_of(named: Path, default: Path) -> Path:
    if _is_inside(named, default):
        return default
    return named.parent.parent if named.parent.name == "profiles" else named


def _profile_of(path: Path, default: Path) -> str:
    """What the agent calls the profile of `path`."""
    if _same(path, _root_of(path, default)):
        return "default"
    if path.parent.name == "profiles" and PROFILE_NAME.fullmatch(path.name):
        return path.name
    return "custom"


def _marker(root: Path) -> str:
    """The name in the root's marker; `default` when there is none or it is blank.

    Raises:
        Unreadable: it is there but does not say; the default home would be a guess.
    """
    path = root / MARKER
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # a FIFO must not hold us up
        try:
            if stat.S_ISFIFO(os.fstat(handle).st_mode):
                raise OSError(errno.EINVAL, "it is a pipe")
            text = os.read(handle, MARKER_MAX_BYTES).decode("utf-8")
        finally:
            os.close(handle)
    except (FileNotFoundError, NotADirectoryError):
        if not path.is_symlink():
            return "default"
        reason = "it is a link that leads nowhere"
    except OSError as error:
        reason = error.strerror or str(error)
    except UnicodeDecodeError:
        reason = "it is not UTF-8"
    else:
        return text.strip().lower() or "default"
    raise Unreadable(
        f"{path}, which says what profile is active, cannot be read: {reason}.",
        code="marker_unreadable",
        hint="Name the home with --home or --profile, or mend that file.",
    )


def _checked_name(raw: str, what: str, hint: str) -> str:
    name = raw.strip().lower()
    if name == "default":
        return name
    if not PROFILE_NAME.fullmatch(name):
        rule = "letters a-z, digits, - and _, at most 64, starting with a letter or digit"
        raise NotFound(f"{what} is not a profile name ({rule}).", code="bad_profile_name", hint=hint)
    if name in RESERVED_NAMES:
        raise NotFound(f"{what} is a reserved name; no profile can have it.", code="bad_profile_name", hint=hint)
    return name


def _profile_home(root: Path, name: str, chosen_by: ChosenBy, *, hint: str) -> HermesHome:
    if name == "default":
        return HermesHome(root, "default", chosen_by)
    path = root / "profiles" / name
    if not _is_dir(path):
        said = "The active profile" if chosen_by == "active profile" else "The profile"
        raise NotFound(f"{said} {name!r} does not exist: there is no directory {path}.", code="no_profile", hint=hint)
    return HermesHome(path, name, chosen_by, _ghost_note(path))


def _known_profiles(root: Path) -> str:
    names = ", ".join(profile.name for profile in list_profiles(root))
    return f"Profiles here: {names}."


def _ghost_note(path: Path) -> str:
    """Why the 0.22 line does not count `path` as a profile, though the directory is there."""
    if os.path.lexists(path.parent / ".deleted" / path.name):
        return f"The profile {path.name!r} was deleted; 0.22 agents refuse to open this directory."
    if not any(os.path.lexists(path / name) for name in IDENTITY_FILES):
        return f"0.22 agents do not count {path.name!r} as a profile: no config.yaml, .env or SOUL.md in it."
    return ""


def _description(path: Path) -> str:
    file = path / "profile.yaml"
    try:
        if not file.is_file():
            return ""
    except OSError:
        return ""
    from hermes_tui.yaml_file import read_yaml  # loaded here: yaml is not for the fast path

    value = read_yaml(file, max_bytes=DESCRIPTION_MAX_BYTES).mapping.get("description")
    return " ".join(value.split()) if isinstance(value, str) else ""


def _is_dir(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _same(a: Path, b: Path) -> bool:
    return os.path.realpath(a) == os.path.realpath(b)


def _is_inside(path: Path, parent: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(parent))
