"""The `hermes-tui` command: its options, and where its subcommands are, loaded only when one of them runs."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import click

from hermes_tui import SCREENS, __version__
from hermes_tui.cli.context import Options, completed_by, home_options, open_home
from hermes_tui.errors import CRASHED, HermesTuiError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

INTERRUPTED = 130
EXIT_CODES = {
    "0": "done",
    "1": "refused by a rule or not found",
    "2": "wrong usage",
    "3": "something on disk cannot be read or written",
    "70": "an error nobody foresaw, of which a report is kept",
    "130": "interrupted",
    "128+N": "ended by signal N",
}
"""Every exit code and what it means."""

COMMANDS: dict[str, tuple[str, str]] = {
    "memory": ("hermes_tui.cli.memory:memory", "List and change what the agent remembers."),
    "pending": ("hermes_tui.cli.pending:pending", "Decide over the writes that wait for approval."),
    "sessions": ("hermes_tui.cli.sessions:sessions", "Find, read, name, export and delete past conversations."),
    "history": ("hermes_tui.cli.history:history", "What it remembered at any time, since when, and who wrote it."),
    "tool": ("hermes_tui.cli.tool:tool", "The agent's own tools: JSON arguments in, JSON result out."),
    "providers": ("hermes_tui.cli.providers:providers", "External memory providers: what is set up, and setting up."),
    "count": ("hermes_tui.cli.count:count", "How many writes wait for approval."),
    "settings": ("hermes_tui.cli.settings:settings", "The agent's settings that concern memory, and changing them."),
    "profiles": ("hermes_tui.cli.profiles:profiles", "The profiles of this home's root."),
    "info": ("hermes_tui.cli.info:info", "Paths, versions, and what was found there."),
    "doctor": ("hermes_tui.cli.doctor:doctor", "Look for trouble and say what to do about it."),
    "demo": ("hermes_tui.cli.demo:demo", "Make a home with generated content."),
    "completion": ("hermes_tui.cli.completion:completion", "What makes a shell complete commands, options and names."),
    "man": ("hermes_tui.cli.man:man", "The manual page: every command, option, key and setting."),
}
"""Every subcommand: where it is, and its line in the help, which is shown without loading it."""


class LazyGroup(click.Group):
    """A group that imports a subcommand when it is used, and turns every failure into words and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import the module of a subcommand."""
        if cmd_name not in COMMANDS:
            return None
        from importlib import import_module

        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The subcommands whose names begin so, without importing any, and the options."""
        from click.shell_completion import CompletionItem

        named = [CompletionItem(name, help=line) for name, (_, line) in COMMANDS.items() if name.startswith(incomplete)]
        return [*named, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the subcommands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run, and exit with one of `EXIT_CODES`."""
        if not standalone_mode:
            super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        words = list(sys.argv[1:] if args is None else args)
        as_json = "--json" in words[: words.index("--")] if "--" in words else "--json" in words
        code = INTERRUPTED
        try:
            code = self._run(words, prog_name or "hermes-tui", complete_var, as_json, extra)
        finally:
            _flush(code)
        sys.exit(code)

    def _run(
        self, words: list[str], prog_name: str, complete_var: str | None, as_json: bool, extra: dict[str, Any]
    ) -> int:
        try:
            try:
                result = super().main(words, prog_name, complete_var, standalone_mode=False, **extra)
                return result if isinstance(result, int) else 0
            except (HermesTuiError, click.ClickException, click.Abort, OSError) as error:
                from hermes_tui.cli.output import report_failure  # loaded here: --help does without

                return report_failure(error, as_json=as_json)
        except click.exceptions.Exit as leaving:
            return leaving.exit_code
        except Exception as error:
            # By now the screen has given the terminal back, and a demo home is gone.
            from hermes_tui.cli.output import report
            from hermes_tui.crash import tell

            report("crashed", tell(error), "", as_json=as_json)
            return CRASHED


def _flush(code: int) -> None:
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os._exit(code)  # nobody reads it, or the disk is full: the interpreter would only complain again


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: " + ", ".join(f"{code} {words}" for code, words in EXIT_CODES.items()) + ".",
)
@click.version_option(__version__, prog_name="hermes-tui")
@home_options
@click.option("--theme", metavar="NAME", help="The colours of the screen.", shell_complete=completed_by("themes"))
@click.option("--screen", type=click.Choice(SCREENS), help="What opens first.")
@click.option("--reduced-motion", is_flag=True, default=None, help="Nothing moves or fades.")
@click.option("--no-mouse", "mouse", flag_value=False, type=bool, default=None, help="Leave the mouse to the terminal.")
@click.option("--plain", is_flag=True, help="The screens as text, line by line, as a screen reader reads it.")
@click.pass_context
def cli(context: click.Context, /, plain: bool, **flags: Any) -> int | None:
    """See and steer what a Hermes agent remembers.

    Without a command the screen opens.
    """
    chosen = context.ensure_object(Options)
    chosen.flags |= {name: value for name, value in flags.items() if value is not None}
    if context.invoked_subcommand is not None:
        return None
    return _open_plain(chosen) if plain else _open_screen(chosen)


def _open_plain(chosen: Options) -> int:
    from hermes_tui.cli.plain import open_plain  # loaded here: nothing else needs it

    home = open_home(chosen)
    flags = ["--home", str(home.path), *(["--read-only"] if chosen.read_only else [])]
    return open_plain(cli, flags, chosen.settings().get("screen"))


def _open_screen(chosen: Options) -> int:
    home = open_home(chosen)
    # It is drawn on stderr, read from stdin, and measured by stdout.
    streams = (sys.stdin, sys.stdout, sys.stderr)
    drawable = all(stream is not None and stream.isatty() for stream in streams)
    drawn_elsewhere = bool(os.environ.get("TEXTUAL_DRIVER"))  # as textual-serve does, in a browser
    if (os.environ.get("TERM", "").lower() == "dumb" or not drawable) and not drawn_elsewhere:
        raise click.UsageError(
            "The screen needs a terminal that can draw it (this is none, or TERM=dumb);"
            " `hermes-tui --plain` and the commands, such as `hermes-tui memory list`, work anywhere."
        )
    gc.disable()  # until the first frame: walking all that is loaded on the way costs 15 ms
    from hermes_tui.ui.running import run  # loaded here: 300 ms that only the screen needs

    settings = chosen.settings()
    if chosen.flags.get("theme"):
        from hermes_tui.ui.themes import load_theme

        try:
            load_theme(settings.get("theme"))  # a name that is none is said here, before the screen opens
        except HermesTuiError as error:
            raise click.UsageError(str(error)) from error
    return run(home, settings=settings, demo=chosen.demo)


def main() -> NoReturn:
    """Run the command."""
    cli.main()
