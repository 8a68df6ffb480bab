"""Why a model gave no title."""

from __future__ import annotations

from hermes_tui.errors import HermesTuiError


class ModelFailed(HermesTuiError):
    """A model gave no title.

    The code is one of model_unreachable, model_timeout, model_refused, model_answer, model_stopped, nothing_said.
    `offer` is the title that can be taken from the first words instead, `for_all` says that it would be no
    different with any other conversation (a wrong key, a model that does not exist).
    """

    kind_title = "No title"

    def __init__(self, message: str, *, code: str, hint: str = "", offer: str = "", for_all: bool = False) -> None:
        super().__init__(message, code=code, hint=hint)
        self.offer = offer
        self.for_all = for_all
