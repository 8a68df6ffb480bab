"""Work in the background that failed in a way nobody foresaw: it is said, a report is kept, and the app stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.worker import Worker, WorkerState

from hermes_tui.errors import HermesTuiError
from hermes_tui.ui.actions import key_for

if TYPE_CHECKING:
    from hermes_tui.ui.app import HermesTuiApp


def tell_failure(app: HermesTuiApp, message: Worker.StateChanged) -> None:
    """Say it when a worker has failed; the same failure is reported once."""
    error = message.worker.error
    if message.state is not WorkerState.ERROR or error is None or app.leaving:
        return
    if isinstance(error, HermesTuiError):
        app.say_error(error)
        return
    again = f"{key_for('app.reread')} reads it again"
    words = f"Something went wrong that nobody foresaw; what you see may be incomplete, {again}."
    place = _place(error)
    if place not in app.ending.reported:
        app.ending.reported.add(place)
        words += f"\n{_report(error)}"
    app.say(words, title=type(error).__name__, severity="error", seconds=12)


def _place(error: BaseException) -> tuple[str, int]:
    """Where an error came from."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return (trace.tb_frame.f_code.co_filename, trace.tb_lineno) if trace is not None else (type(error).__name__, 0)


def _report(error: BaseException) -> str:
    from hermes_tui.crash import keep_report  # loaded here: nobody hopes to come this way

    try:
        return f"A report without any text of yours is in {keep_report(error)}"
    except (HermesTuiError, OSError):
        return "No report could be written."
