"""What every command shares: the global options, and the home and stores they lead to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hermes_tui.errors import NotFound, Unreadable

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TypeAlias

    from click.shell_completion import CompletionItem

    from hermes_tui.config import HermesConfig
    from hermes_tui.home import HermesHome
    from hermes_tui.pending.review import Review
    from hermes_tui.settings import Settings

    Completing: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

Function = TypeVar("Function", bound=Callable[..., Any])


FLAGS = ("read_only",)
"""Options that any command takes and that can also be set elsewhere."""


class Options:
    """The options that may stand before or after a command's name.

    A plain class: making a dataclass takes a millisecond that `--help` need not spend.
    """

    def __init__(self) -> None:
        self.home: str | None = None
        self.profile: str | None = None
        self.demo = False
        self.flags: dict[str, Any] = {}
        """What was asked for on the command line of that which can also be set in a file, by the names of settings."""
        self.json = False
        self._settings: Settings | None = None
        self.opened: HermesHome | None = None
        """The home once it is open: a demo home is made only once."""

    def settings(self) -> Settings:
        """Every setting of our own, from the command line, the environment and the file."""
        if self._settings is None:
            from hermes_tui.settings import load_settings  # loaded here: --help and count do without

            self._settings = load_settings(self.flags)
        return self._settings

    @property
    def read_only(self) -> bool:
        """Whether nothing is to be changed; what is wrong with the settings is said, since it decides over writing."""
        if self.flags.get("read_only"):
            return True
        if self._settings is None:
            from hermes_tui.cli.output import say

            for trouble in self.settings().troubles:
                say(trouble)
        return bool(self.settings().get("read_only"))


def _remember(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value is None or value is False:
        return
    chosen = context.ensure_object(Options)
    if parameter.name in FLAGS:
        chosen.flags[parameter.name] = value
    else:
        setattr(chosen, str(parameter.name), value)


def completed_by(name: str) -> Completing:
    """The function of that name in the module of completion, loaded only when a shell asks."""

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from hermes_tui.cli import completion

        found: list[CompletionItem] = getattr(completion, name)(context, parameter, incomplete)
        return found

    return complete


def _option(
    *names: str, help: str, flag: bool = False, metavar: str | None = None, complete: Completing | None = None
) -> Callable[[Function], Function]:
    return click.option(
        *names,
        is_flag=flag,
        default=None,
        help=help,
        metavar=metavar,
        expose_value=False,
        callback=_remember,
        shell_complete=complete,
    )


def home_options(function: Function) -> Function:
    """`--home`, `--profile`, `--demo` and `--read-only`, as any command takes them."""
    for option in (
        _option("--read-only", flag=True, help="Change nothing."),
        _option("--demo", flag=True, help="Use a generated home that is thrown away afterwards."),
        _option("--profile", metavar="NAME", help="The home of this profile.", complete=completed_by("profiles")),
        _option(
            "--home",
            metavar="DIR",
            help="The home to use; wins over HERMES_HOME and the active profile.",
            complete=completed_by("folders"),
        ),
    ):
        function = option(function)
    return function


def json_option(function: Function) -> Function:
    """`--json`: one object on stdout."""
    return _option("--json", flag=True, help="Print one JSON object on stdout.")(function)


def options() -> Options:
    """The options of the command that runs."""
    return click.get_current_context().ensure_object(Options)


def choose_home(chosen: Options) -> HermesHome:
    """The home that the options and the environment name; it need not exist.

    Raises:
        NotFound: the profile does not exist.
    """
    from hermes_tui.home import resolve_home

    given = [name for name in ("home", "profile", "demo") if getattr(chosen, name)]
    if len(given) > 1:
        raise click.UsageError(f"--{given[0]} and --{given[1]} exclude each other.")
    if chosen.demo:
        return _demo_home()
    return resolve_home(home=chosen.home, profile=chosen.profile)


def open_home(chosen: Options) -> HermesHome:
    """The chosen home, which must exist; nothing is created.

    Raises:
        NotFound: there is none, in one line that says where it was looked for and why there.
        Unreadable: something that is no directory, or closed to us, stands there.
    """
    if chosen.opened is not None:
        return chosen.opened
    home = chosen.opened = _existing(choose_home(chosen))
    return home


def _existing(home: HermesHome) -> HermesHome:
    rule = f"chosen by {home.chosen_by}" if home.chosen_by != "default" else "the default"
    closed = Unreadable(
        f"The Hermes home {home.path} ({rule}) is closed to you: permission denied.",
        code="unreadable",
        hint="Give yourself access to it and to the folders above, or name another with --home DIR.",
    )
    if home.exists:
        if not os.access(home.path, os.X_OK):
            raise closed
        return home
    try:
        os.lstat(home.path)
    except PermissionError as error:
        raise closed from error
    except OSError:
        raise NotFound(
            f"There is no Hermes home at {home.path} ({rule}).",
            code="no_home",
            hint="Name one with --home DIR, or look around with `hermes-tui --demo`.",
        ) from None
    raise Unreadable(
        f"{home.path} ({rule}) is not a directory, so it cannot be a Hermes home.",
        code="not_a_directory",
        hint="Name a home with --home DIR, or look around with `hermes-tui --demo`.",
    )


def open_config(home: HermesHome) -> HermesConfig:
    """The home's settings; a file that cannot be used is said on stderr."""
    from hermes_tui.cli.output import say
    from hermes_tui.config import load_config

    config = load_config(home)
    if config.problem:
        say(f"{config.problem} The agent's defaults apply.")
    return config


def open_store(chosen: Options) -> Review:
    """The stores and queues of the chosen home, ready to be changed; what a crash left behind is settled first."""
    return open_store_of(open_home(chosen), chosen)


def open_store_of(home: HermesHome, chosen: Options) -> Review:
    """The same for a home that was named otherwise."""
    from hermes_tui.pending.review import Review

    store = Review(home, open_config(home), read_only=chosen.read_only, origin="cli", on_wait=tell_wait)
    store.recover()
    return store


def tell_wait(lock_name: str, seconds: float) -> None:
    """Say that another process holds a lock."""
    from hermes_tui.cli.output import say

    say(f"Waiting for {lock_name}, held by another process ({seconds:.0f} s) …")


def _demo_home() -> HermesHome:
    """A demo home that lives as long as the command; its journal lies beside it, not among a person's own."""
    from hermes_tui.home import HermesHome

    root = click.get_current_context().find_root().with_resource(_throw_away_folder())
    return HermesHome(build_demo(root / "home"), "default", "--home", "A demo home; it is thrown away afterwards.")


def build_demo(path: Path) -> Path:
    """Make the demo home at `path`, which is made too."""
    from hermes_tui.demo import build  # loaded here: only the demo needs it

    build(path)
    return path


@contextmanager
def _throw_away_folder() -> Iterator[Path]:
    from pathlib import Path
    from tempfile import TemporaryDirectory

    before = os.environ.get("HERMES_TUI_STATE_DIR")
    with TemporaryDirectory(prefix="hermes-tui-demo-", ignore_cleanup_errors=True) as name:
        os.environ["HERMES_TUI_STATE_DIR"] = str(Path(name) / "state")
        try:
            yield Path(name)
        finally:
            os.environ.pop("HERMES_TUI_STATE_DIR")
            if before is not None:
                os.environ["HERMES_TUI_STATE_DIR"] = before
