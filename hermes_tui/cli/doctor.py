"""`hermes-tui doctor`: one line per thing that can be wrong, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hermes_tui.cli.asking import ProgressLine
from hermes_tui.cli.checks import Check, all_checks
from hermes_tui.cli.checks_secrets import look_for_secrets, secret_checks, secrets_shape
from hermes_tui.cli.context import choose_home, home_options, json_option, options
from hermes_tui.cli.info import all_troubles
from hermes_tui.cli.output import emit, print_text, report
from hermes_tui.text import fit, plural

if TYPE_CHECKING:
    from hermes_tui.settings import Settings


@click.command()
@click.option("--deep", is_flag=True, help="Look for secrets in all sessions and logs, however long it takes.")
@home_options
@json_option
def doctor(deep: bool) -> int:
    """Look for trouble in the home, the settings, the files and this terminal; nothing is changed.

    Secrets that lie in memory, the queues, sessions, logs and config.yaml are named too, masked, with what takes them
    away. Exits with 1 when something is marked as a problem.
    """
    chosen = options()
    home = choose_home(chosen)
    checks = all_checks(home)
    shape: dict[str, Any] = {}
    if home.exists:
        with ProgressLine("Looked through") as progress:
            looked = look_for_secrets(home, deep=deep, progress=progress)
        checks += secret_checks(looked)
        shape["secrets"] = secrets_shape(looked)
    checks += [*_settings(chosen.settings()), *_reports()]
    shape = {"checks": [_shape(check) for check in checks], **shape}
    problems = sum(check.status == "problem" for check in checks)
    if not problems:
        emit(shape, lambda: _text(checks), as_json=chosen.json)
        return 0
    if not chosen.json:
        print_text(_text(checks))
    message = f"{problems} {'problem' if problems == 1 else 'problems'} found."
    report("problems", message, "", as_json=chosen.json, answer=shape)
    return 1


def _settings(settings: Settings) -> list[Check]:
    troubles = all_troubles(settings)
    if troubles:
        hint = "The default applies meanwhile; `hermes-tui man` lists every setting and every id of an action."
        return [Check("settings", "warn", words, hint) for words in troubles]
    words = f"{settings.path} reads well." if settings.exists else f"There is no {settings.path}; the defaults apply."
    return [Check("settings", "ok", words)]


def _reports() -> list[Check]:
    from hermes_tui.crash import reports

    kept = reports()
    if not kept:
        return []
    words = f"{plural(len(kept), 'report')} of errors nobody foresaw, the newest is {kept[-1]}."
    return [
        Check("reports", "warn", words, "It holds no text of yours: send it along with a bug report, then delete it.")
    ]


def _shape(check: Check) -> dict[str, str]:
    return {"id": check.id, "status": check.status, "message": check.message, "hint": check.hint}


def _text(checks: list[Check]) -> str:
    lines = []
    for check in checks:
        lines.append(f"{check.status:7}  {fit(check.id, 10)}  {check.message}")
        if check.hint:
            lines.append(f"{'':21}→ {check.hint}")
    return "\n".join(lines)
