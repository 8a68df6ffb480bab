"""Titles for many conversations, a few at a time, until somebody stops it or the server fails again and again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from hermes_tui.errors import HermesTuiError
from hermes_tui.sessions.database import Database
from hermes_tui.sessions.title_model.failures import ModelFailed
from hermes_tui.sessions.title_model.model import TitleModel
from hermes_tui.sessions.title_model.opening import read_opening
from hermes_tui.sessions.upkeep.changes import Progress, Stopped
from hermes_tui.text import plural

AT_ONCE = 4
FAILURES_IN_A_ROW = 5
"""After so many the rest is not asked."""
LOOK_SECONDS = 0.1
"""How often it is looked whether to stop."""

Titled = tuple[str, str | HermesTuiError]
"""The id of a session, and its title or why there is none."""


def titles(
    base: Database,
    ids: Sequence[str],
    model: TitleModel,
    *,
    progress: Progress | None = None,
    stopped: Stopped | None = None,
    parallel: int | None = None,
) -> Iterator[Titled]:
    """Titles for sessions, each as soon as it is there; nothing is written.

    Args:
        base: the database.
        ids: the sessions, by any part of their conversation.
        model: who is asked. Once stopped it answers no more.
        progress: told how many are done, and of how many, also while nothing comes.
        stopped: whether to stop; then all ends within a fraction of a second, also while a request hangs.
        parallel: so many are asked at once; 4 if it is left out, and one by one where the model runs on this machine.

    Raises:
        ModelFailed: the last error, when the server failed again and again, or would with all the others too.
        Unreadable: the database cannot be read.
    """
    at_once = parallel or (1 if model.settings.local else AT_ONCE)
    running: dict[Future[str], str] = {}
    left = iter(ids)
    done = in_a_row = 0
    pool = ThreadPoolExecutor(at_once, "titles")
    try:
        while True:
            while len(running) < at_once and (id := next(left, None)) is not None:
                opening = read_opening(base, id)
                if opening.first:
                    running[pool.submit(model.title, opening.first, opening.answer)] = id
                else:
                    done += 1
                    yield id, ModelFailed("Nobody said anything in it.", code="nothing_said")
            finished: set[Future[str]] = set()
            while not finished:
                if progress:
                    progress(done, len(ids))
                if not running or (stopped and stopped()):
                    return
                finished, _ = wait(running, LOOK_SECONDS, FIRST_COMPLETED)
            for future in finished:
                id, done = running.pop(future), done + 1
                error = future.exception()
                if error is None:
                    in_a_row = 0
                    yield id, future.result()
                    continue
                if not isinstance(error, ModelFailed):
                    raise error
                if error.code == "model_stopped":
                    return
                in_a_row += 1
                yield id, error
                rest = len(ids) - done
                if rest and (error.for_all or in_a_row >= FAILURES_IN_A_ROW):
                    raise _given_up(error, in_a_row, rest)
    finally:
        if running:
            model.cancel()
        pool.shutdown(wait=True, cancel_futures=True)


def _given_up(last: ModelFailed, failures: int, rest: int) -> ModelFailed:
    return ModelFailed(
        f"Stopped after {plural(failures, 'failure')} in a row, with {plural(rest, 'conversation')} left:"
        f" {last.message}",
        code=last.code,
        hint=last.hint,
    )
