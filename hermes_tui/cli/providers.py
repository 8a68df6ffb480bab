"""`hermes-tui providers`: external memory providers, looked at and set up without the screen."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from hermes_tui.cli.asking import confirm
from hermes_tui.cli.context import home_options, json_option, open_home, options
from hermes_tui.cli.output import emit, say
from hermes_tui.cli.provider_honcho import honcho
from hermes_tui.cli.provider_memories import memories, test
from hermes_tui.errors import Refused

if TYPE_CHECKING:
    from hermes_tui.cli.context import Options
    from hermes_tui.home import HermesHome
    from hermes_tui.providers.catalogue import Provider
    from hermes_tui.providers.fields import Field
    from hermes_tui.providers.setup import Plan

SECRET_MAX_BYTES = 64 * 1024

dry_run = click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
yes = click.option("--yes", "-y", is_flag=True, help="Do not ask.")


@click.group()
def providers() -> None:
    """External memory providers: what is active, set up and missing, setting one up, and what it holds.

    Nothing is sent anywhere but by `test`, `memories` and `honcho show`, which ask first.
    """


for command in (test, memories, honcho):
    providers.add_command(command)


@providers.command("status")
@click.argument("name", required=False)
@home_options
@json_option
def status(name: str | None) -> None:
    """What is active, what each needs, where its data is, and what it is not told."""
    from hermes_tui.cli.providers_shapes import overview_text, provider_text, status_shape
    from hermes_tui.providers.setup_plan import provider_of
    from hermes_tui.providers.status import provider_status

    found = provider_status(open_home(options()))
    if name is None:
        emit(status_shape(found, found.providers), lambda: overview_text(found), as_json=options().json)
        return
    provider = found.of(name)
    if provider is None:
        provider_of(name)
        return
    emit(status_shape(found, [provider]), lambda: provider_text(provider), as_json=options().json)


@providers.command("setup")
@click.argument("name")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A setting; an empty value takes it out.")
@click.option(
    "--secret-file",
    "secret_files",
    multiple=True,
    metavar="[KEY=]FILE",
    help="The file with a key (- for stdin); without KEY= the provider's api_key.",
)
@dry_run
@yes
@home_options
@json_option
def setup(name: str, settings: tuple[str, ...], secret_files: tuple[str, ...], dry_run: bool, yes: bool) -> None:
    """Set a provider up as the agent's own setup does, and make it the active one.

    On a terminal it asks for what is needed. Keys are read from a file, from stdin, or from the terminal without
    being shown; they are never taken from the command line, where others could see them.
    """
    from hermes_tui.providers.setup import plan_setup
    from hermes_tui.providers.setup_plan import provider_of

    chosen = options()
    home = open_home(chosen)
    provider = provider_of(name)
    given = _given(provider, settings) | _secrets(provider, secret_files)
    if sys.stdin is not None and sys.stdin.isatty() and not yes:
        given = _ask(home, provider, given)
    _carry_out(chosen, plan_setup(home, name, given), f"Set up {provider.title}?", dry_run=dry_run, yes=yes)


@providers.command("off")
@dry_run
@yes
@home_options
@json_option
def off(dry_run: bool, yes: bool) -> None:
    """Use no external provider; its settings and keys stay, and so does what it holds."""
    from hermes_tui.providers.setup import plan_off

    chosen = options()
    plan = plan_off(open_home(chosen))
    _carry_out(chosen, plan, "Use no external provider?", dry_run=dry_run, yes=yes)


@providers.command("undo")
@yes
@home_options
@json_option
def undo(yes: bool) -> None:
    """Take the last setting up or switching off back: files and memory.provider as they were."""
    from hermes_tui.providers.setup import undo_setup

    chosen = options()
    home = open_home(chosen)
    _refuse_read_only(chosen)
    confirm("Take the last setup of a provider back?", yes=yes)
    done = undo_setup(home)
    words = f"Taken back. Provider: {done.provider or 'none'}."
    shape = {"provider": done.provider, "paths": [str(path) for path in done.paths]}
    emit(shape, lambda: words, as_json=chosen.json)


def _carry_out(chosen: Options, plan: Plan, question: str, *, dry_run: bool, yes: bool) -> None:
    """Show what is written, ask, write it, and say how to take it back."""
    from hermes_tui.cli.providers_shapes import plan_shape, plan_text
    from hermes_tui.providers.setup import apply_plan

    if plan.changes_nothing:
        emit(plan_shape(plan, written=False), lambda: "Nothing to write: it is so already.", as_json=chosen.json)
        return
    if dry_run:
        emit(plan_shape(plan, written=False), lambda: plan_text(plan), as_json=chosen.json)
        return
    _refuse_read_only(chosen)
    say(plan_text(plan))
    confirm(question, yes=yes)
    apply_plan(plan)
    active = plan.provider or "none"
    words = f"Written. Provider: {active}, from the next session on. `hermes-tui providers undo` takes it back."
    emit(plan_shape(plan, written=True), lambda: words, as_json=chosen.json)


def _refuse_read_only(chosen: Options) -> None:
    if chosen.read_only:
        raise Refused("This is a read-only view; nothing was written.", code="read_only")


def _given(provider: Provider, settings: tuple[str, ...]) -> dict[str, str]:
    from hermes_tui.providers.setup_plan import field_of

    given = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise click.UsageError(f"--set takes KEY=VALUE, and {setting[:40]!r} has no =.")
        if field_of(provider, key.strip()).secret and value:
            raise Refused(
                f"{key.strip()} is a key, which others could see on a command line.",
                code="secret_argument",
                hint=f"Give it with --secret-file {key.strip()}=FILE (- for stdin). Nothing was written.",
            )
        given[key.strip()] = value
    return given


def _secrets(provider: Provider, secret_files: tuple[str, ...]) -> dict[str, str]:
    from hermes_tui.providers.setup_plan import field_of

    given = {}
    for named in secret_files:
        key, equals, file = named.partition("=")
        if not equals or provider.field(key) is None:
            key, file = "api_key", named
        field = field_of(provider, key)
        if not field.secret:
            raise click.UsageError(f"{key} is no secret; give it with --set {key}=VALUE.")
        given[key] = _secret_in(file)
    return given


def _secret_in(file: str) -> str:
    with click.open_file(file, "rb") as stream:
        data: bytes = stream.read(SECRET_MAX_BYTES + 1)
    try:
        text = data.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise Refused(f"{file} is not text, so there is no key in it.", code="bad_value") from error
    if not text or len(data) > SECRET_MAX_BYTES:
        raise Refused(f"{file} holds no key.", code="bad_value", hint="It has to hold the key and nothing else.")
    return text


def _ask(home: HermesHome, provider: Provider, given: dict[str, str]) -> dict[str, str]:
    """Ask on the terminal for what is not given; the mode comes first, since it decides what else is needed."""
    from hermes_tui.providers.setup_asked import asked_fields
    from hermes_tui.providers.setup_plan import suggested

    answers = dict(given)
    for field in provider.fields:
        usual = suggested(home, provider, answers)
        if field.name in answers or field not in asked_fields(provider, usual.get("mode", "")):
            continue
        answer = _ask_for(field, usual.get(field.name, ""))
        if answer:
            answers[field.name] = answer
    return answers


def _ask_for(field: Field, usual: str) -> str:
    from hermes_tui.redaction import mask

    say(field.about + (f" Get one at {field.get_at}" if field.get_at else ""))
    if field.secret:
        held = f" (now {mask(usual)}, empty keeps it)" if usual else " (empty for none)"
        return str(click.prompt(f"{field.name}{held}", default="", show_default=False, hide_input=True, err=True))
    kind = click.Choice(field.choices) if field.choices else None
    answer = str(click.prompt(field.name, default=usual, show_default=bool(usual), type=kind, err=True))
    return "" if answer == usual else answer
