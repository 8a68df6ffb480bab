"""`hermes-tui tool`: the agent's own tools, for scripts and for agents that want them from here."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from hermes_tui.cli.context import Options, home_options, json_option, open_config, open_home, options, tell_wait
from hermes_tui.cli.output import print_json
from hermes_tui.cli.texts import read_json, stdin
from hermes_tui.config import load_config
from hermes_tui.errors import HermesTuiError
from hermes_tui.home import HermesHome, resolve_home
from hermes_tui.memory.dialects import DIALECTS, DialectName
from hermes_tui.memory.tool import MemoryTool
from hermes_tui.memory.tool_results import argument_error, failure
from hermes_tui.pending.review import Review
from hermes_tui.pending.staging import stage

if TYPE_CHECKING:
    from hermes_tui.sessions.database import Database

Tool = Callable[[dict[str, Any]], dict[str, Any]]

ORIGIN = "foreground"
"""What the agent writes into a pending record when the tool is called from outside a session."""


@click.group()
def tool() -> None:
    """The agent's own tools: JSON arguments in, JSON result out."""


@tool.command()
@click.argument("arguments", default="-")
@click.option("--stdin", "keep_reading", is_flag=True, help="One JSON call a line in, one result a line out.")
@click.option("--dialect", type=click.Choice(list(DIALECTS)), default="0.22", show_default=True)
@home_options
@json_option
def memory(arguments: str, keep_reading: bool, dialect: DialectName) -> int:
    """The memory tool, called with ARGUMENTS, a JSON object (- or nothing: read from stdin).

    Exits with 1 when the tool refuses. With write approval on, it queues the write and says so.
    """
    _one_way(arguments, keep_reading)
    home = open_home(options())
    agent = _agent(home, options(), dialect)
    return _run(partial(_called, agent, home), arguments, keep_reading, pause=agent.new_turn)


@tool.command("session_search")
@click.argument("arguments", default="-")
@click.option("--stdin", "keep_reading", is_flag=True, help="One JSON call a line in, one result a line out.")
@click.option("--dialect", type=click.Choice(list(DIALECTS)), default="0.22", show_default=True)
@home_options
@json_option
def session_search(arguments: str, keep_reading: bool, dialect: DialectName) -> int:
    """The session_search tool, called with ARGUMENTS, a JSON object (- or nothing: read from stdin).

    query discovers, session_id with around_message_id scrolls, session_id alone reads, {} lists the most recent.
    Exits with 1 when there is no such thing, with 3 when the sessions cannot be read.
    """
    from hermes_tui.sessions.session_search import SessionSearch

    _one_way(arguments, keep_reading)
    home = open_home(options())
    return _run(SessionSearch(partial(_sessions, home), dialect, home.profile).call, arguments, keep_reading)


def _one_way(arguments: str, keep_reading: bool) -> None:
    if keep_reading and arguments != "-":
        raise click.UsageError("--stdin reads the calls from stdin; it takes no ARGUMENTS.")


def _run(call: Tool, arguments: str, keep_reading: bool, pause: Callable[[], object] = lambda: None) -> int:
    """Answer one call, or one a line for as long as there are any; an empty line is a pause between two turns."""
    if keep_reading:
        for line in stdin():
            if line.strip():
                print_json(_answer(call, line))
            else:
                pause()
        return 0
    given = read_json(arguments, "a JSON object with the tool's arguments", lambda value: isinstance(value, dict))
    try:
        result = call(given)
    except HermesTuiError as error:
        print_json(argument_error(str(error)))
        return error.exit_code
    print_json(result)
    return 0 if result.get("success") else 1


def _answer(call: Tool, line: bytes) -> dict[str, Any]:
    try:
        given = json.loads(line)
    except (ValueError, RecursionError) as error:
        return argument_error(f"Not JSON: {error}.")
    if not isinstance(given, dict):
        return argument_error("Expected a JSON object with the tool's arguments.")
    try:
        return call(given)
    except HermesTuiError as error:
        return argument_error(str(error))


def _sessions(home: HermesHome, profile: str) -> Database:
    from hermes_tui.sessions.database import Database

    if not profile or profile == home.profile:
        return Database(home.state_db)
    beside = {**os.environ, "HERMES_HOME": str(home.root)}
    return Database(resolve_home(profile=profile, environ=beside).state_db)


def _agent(home: HermesHome, chosen: Options, dialect: DialectName) -> MemoryTool:
    files = Review(home, open_config(home), read_only=chosen.read_only, origin="tool", on_wait=tell_wait)
    files.recover()
    return MemoryTool(files, DIALECTS[dialect])


def _called(agent: MemoryTool, home: HermesHome, call: object) -> dict[str, Any]:
    config = load_config(home)  # read at every call, as the agent does: the gate may be switched meanwhile
    if config.state in ("invalid", "unreadable"):
        # The agent would write on, its gate open. Nobody can tell here whether the person wants that.
        return failure(f"{config.problem} Whether writes need approval is not known; nothing was written.")
    agent.files.config = config
    agent.stage = partial(_queue, home) if config.write_approval and not agent.files.read_only else None
    return agent.call(call)


def _queue(home: HermesHome, payload: Mapping[str, Any], summary: str) -> str:
    return stage(home, "memory", payload, summary=summary, origin=ORIGIN)
