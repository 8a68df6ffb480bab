"""One test of many cases: thousands of tests of a millisecond each take a minute to be found, told about and run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

Check = Callable[..., None]


def every(argument: str, cases: Mapping[str, object] | Iterable[str]) -> Callable[[Check], Check]:
    """The test is made with each case as that argument, one after the other; a failure says with which.

    Cases are names of what is handed over, or names that are handed over themselves. Fixtures are the same for all.
    """
    values = cases if isinstance(cases, Mapping) else {case: case for case in cases}

    def over(check: Check) -> Check:
        signature = inspect.signature(check)
        assert values, "a check of nothing would always pass"
        assert not inspect.iscoroutinefunction(check), "nobody would wait for it"

        def test(*args: Any, **others: Any) -> None:
            for name, value in values.items():
                try:
                    check(*args, **others, **{argument: value})
                except BaseException as error:
                    error.add_note(f"with {argument} {name!a}")
                    raise

        test.__name__, test.__qualname__, test.__doc__ = check.__name__, check.__qualname__, check.__doc__
        test.__module__ = check.__module__
        wanted = [parameter for name, parameter in signature.parameters.items() if name != argument]
        vars(test)["__signature__"] = signature.replace(parameters=wanted)
        return test

    return over
