"""`hermes-tui completion`: what makes a shell complete its commands, options and names."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem, get_completion_class

from hermes_tui.cli.context import Options
from hermes_tui.cli.output import print_text

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_HERMES_TUI_COMPLETE"
"""The variable by which a shell asks for completions."""


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the lines that make SHELL complete commands, options, themes and profiles.

    \b
    bash: eval "$(hermes-tui completion bash)"             in ~/.bashrc
    zsh:  eval "$(hermes-tui completion zsh)"              in ~/.zshrc, after compinit
    fish: hermes-tui completion fish | source              in ~/.config/fish/config.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    asked = kind(context.find_root().command, {}, "hermes-tui", VARIABLE)
    print_text(asked.source_template % asked.source_vars(), raw=True)


def themes(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The themes whose names begin so."""
    from hermes_tui.settings import theme_names

    return [CompletionItem(name) for name in theme_names() if name.startswith(incomplete)]


def profiles(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The profiles whose names begin so, of the home that was typed before it."""
    from hermes_tui.errors import HermesTuiError
    from hermes_tui.home import list_profiles, resolve_home

    chosen = context.find_object(Options)
    try:
        root = resolve_home(home=chosen.home) if chosen and chosen.home else resolve_home(profile="default")
        found = list_profiles(root.root)
    except (HermesTuiError, OSError):
        return []  # nothing to offer is no reason to write an error into what a person types
    return [CompletionItem(profile.name) for profile in found if profile.name.startswith(incomplete)]


def folders(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Folders, which the shell itself knows best."""
    return [CompletionItem(incomplete, type="dir")]
