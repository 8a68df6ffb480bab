"""`hermes-tui man`: the manual page, made from the commands, the actions, the settings and the exit codes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

import click

from hermes_tui import __version__
from hermes_tui.cli.output import print_text, say

EVERY_COMMAND = ("--home", "--profile", "--demo", "--read-only", "--json", "--help")
"""Options that are told once for all commands."""

FILES = (
    ("~/.config/hermes-tui/settings.yaml", "Settings. HERMES_TUI_CONFIG_DIR names another folder."),
    ("~/.config/hermes-tui/themes/", "Themes of your own."),
    ("~/.local/state/hermes-tui/", "The undo journal, backups, drafts and reports of unforeseen errors."
     " HERMES_TUI_STATE_DIR names another folder."),
)  # fmt: skip
VARIABLES = (
    ("HERMES_HOME", "The home to use, as for the agent; --home and --profile win over it."),
    ("NO_COLOR", "Draw without colours."),
    ("VISUAL, EDITOR, PAGER", "What texts are edited and read in outside."),
    ("HERMES_TUI_NOTIFY", "bell or osc9: how to tell that a write arrived and waits."),
)


@click.command()
@click.pass_context
def man(context: click.Context) -> None:
    """Print the manual page, in roff: every command, option, key and setting.

    \b
    Read it:  hermes-tui man | man -l -
    Keep it:  hermes-tui man > ~/.local/share/man/man1/hermes-tui.1
    """
    root = context.find_root().command
    assert isinstance(root, click.Group)
    print_text(page(root), raw=True)
    if sys.stdout.isatty():
        say("To read it: hermes-tui man | man -l -")


def page(root: click.Group) -> str:
    """The whole page."""
    return "\n".join(
        [
            f'.TH HERMES\\-TUI 1 "" "hermes\\-tui {__version__}" "User Commands"',
            *_section("NAME"),
            _plain("hermes-tui - see and steer what a Hermes agent remembers"),
            *_section("SYNOPSIS"),
            ".B hermes\\-tui",
            _plain("[OPTIONS] [COMMAND [ARGUMENTS]]"),
            *_section("DESCRIPTION"),
            _plain(
                "Without a command the screen opens: the memory of a Hermes agent, the writes that wait for approval,"
                " past conversations, and what was remembered when. It works on the agent's own files while it runs."
            ),
            *_options(root),
            *_commands(root),
            *_keys(),
            *_settings(),
            *_section("ENVIRONMENT"),
            *_listed(VARIABLES),
            *_section("FILES"),
            *_listed(FILES),
            *_exit_codes(),
        ]
    )


def _section(name: str) -> Iterator[str]:
    yield f".SH {name}"


def _plain(text: str) -> str:
    """Text as roff takes it: nothing of it is a request or an escape."""
    line = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    line = "".join(char if char < "\x7f" else f"\\[u{ord(char):04X}]" for char in line)
    return f"\\&{line}" if line.startswith((".", "'")) else line


def _listed(pairs: Iterator[tuple[str, str]] | tuple[tuple[str, str], ...]) -> Iterator[str]:
    """Words with what they mean, indented below them."""
    for words, meaning in pairs:
        yield ".TP"
        yield f'.B "{_plain(words).replace(chr(34), chr(92) + "(dq")}"'
        yield _plain(meaning) or "\\&"


def _options(root: click.Group) -> Iterator[str]:
    context = click.Context(root, info_name="hermes-tui")
    yield from _section("OPTIONS")
    yield from _listed(_records(root, context, leave_out=()))
    yield ".PP"
    yield _plain("Every command takes --home, --profile, --demo, --read-only, --help, and:")
    yield from _listed((("--json", "Print one JSON object on stdout; talk goes to stderr."),))


def _records(command: click.Command, context: click.Context, leave_out: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1] and not set(parameter.opts) & set(leave_out):
            yield record


def _commands(root: click.Group) -> Iterator[str]:
    yield from _section("COMMANDS")
    for path, command, context in walk(root):
        usage = " ".join([path, *command.collect_usage_pieces(context)])
        yield f'.SS "{_plain(usage).replace(chr(34), chr(92) + "(dq")}"'
        yield from _prose(command.help or "")
        yield from _listed(_records(command, context, EVERY_COMMAND))


def walk(group: click.Group, path: str = "hermes-tui") -> Iterator[tuple[str, click.Command, click.Context]]:
    """Every command that does something, with the words that lead to it."""
    context = click.Context(group, info_name=path)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from walk(command, f"{path} {name}")
        elif command is not None and not command.hidden:
            yield f"{path} {name}", command, click.Context(command, parent=context, info_name=name)


def _prose(text: str) -> Iterator[str]:
    """A docstring of a command: paragraphs, and lines that stay as they are after `\\b`."""
    for number, block in enumerate(re.split(r"\n\s*\n", text.split("\f")[0].strip())):
        if number:
            yield ".PP"
        if block.lstrip().startswith("\b"):
            yield ".nf"
            yield from map(_plain, block.replace("\b", "").strip("\n").splitlines())
            yield ".fi"
        elif block.strip():
            yield _plain(block)


def _keys() -> Iterator[str]:
    from hermes_tui.ui.actions import ACTIONS, EVERYWHERE, key_name  # loaded here: only this page tells of keys

    yield from _section("KEYS")
    yield _plain("The words in brackets are the ids by which the setting keys gives an action other keys.")
    for screen in dict.fromkeys((EVERYWHERE, *(action.screen for action in ACTIONS))):
        yield f'.SS "{screen.title() or "Everywhere"}"'
        yield from _listed(
            (", ".join(map(key_name, action.keys)), f"{action.help} ({action.id})")
            for action in ACTIONS
            if action.screen == screen
        )


def _settings() -> Iterator[str]:
    from hermes_tui.settings import SETTINGS

    yield from _section("SETTINGS")
    yield _plain(
        "settings.yaml holds them by these names. An option wins over a variable of the environment, that over the"
        " file, that over the default; hermes-tui info shows which it was."
    )
    for setting in SETTINGS:
        places = ", ".join(name for name in (setting.flag, setting.variable) if name)
        also = f" Also: {places}." if places else ""
        yield from _listed(((setting.key, f"{setting.help} Default: {setting.shown_default}.{also}"),))


def _exit_codes() -> Iterator[str]:
    from hermes_tui.cli.main import EXIT_CODES

    yield from _section("EXIT STATUS")
    yield from _listed(tuple((code, f"{words[:1].upper()}{words[1:]}.") for code, words in EXIT_CODES.items()))
