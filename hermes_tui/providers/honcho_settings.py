"""Honcho's settings of cadence and depth: what each does, what it may be, and what counts now."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermes_tui.errors import NotFound, Refused
from hermes_tui.home import HermesHome
from hermes_tui.providers.catalogue import catalogue
from hermes_tui.providers.fields import OFF_WORDS, ON_WORDS
from hermes_tui.providers.status_sources import JsonFile, Sources
from hermes_tui.text import one_line

Kind = Literal["whole", "number", "flag", "choice", "levels", "frequency"]
Json = str | int | float | bool | list[str]
LEVELS = ("minimal", "low", "medium", "high", "max")
SHOWN_CELLS = 60


@dataclass(frozen=True, slots=True)
class HonchoSetting:
    """One key of honcho.json."""

    key: str
    about: str
    """A sentence."""
    kind: Kind
    default: str
    """What the agent takes where nothing is set; empty for no limit."""
    least: float = 0
    most: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def range(self) -> str:
        """What it may be, in words."""
        if self.kind == "flag":
            return "true or false"
        if self.kind == "choice":
            return ", ".join(self.choices)
        if self.kind == "levels":
            return f"a level for each round, with commas between: {', '.join(LEVELS)}"
        if self.kind == "frequency":
            return "async, turn, session, or a number of turns"
        kind = "a whole number" if self.kind == "whole" else "a number"
        return (
            f"{kind}, {self.least:g} to {self.most:g}" if self.most is not None else f"{kind}, {self.least:g} or more"
        )


SETTINGS = (
    HonchoSetting("contextCadence", "Turns between two looks at what is known of the person.", "whole", "1", 1),
    HonchoSetting("dialecticCadence", "Turns between two questions about the person; they cost most.", "whole", "1", 1),
    HonchoSetting("dialecticDepth", "Rounds that such a question takes.", "whole", "1", 1, 3),
    HonchoSetting("dialecticDepthLevels", "How hard it thinks in each round; else by the level below.", "levels", ""),
    HonchoSetting("dialecticReasoningLevel", "How hard it thinks about a question.", "choice", "low", choices=LEVELS),
    HonchoSetting("dialecticDynamic", "Whether the model may choose another level for a question.", "flag", "true"),
    HonchoSetting("dialecticMaxChars", "Characters of an answer that go into the prompt.", "whole", "600", 1),
    HonchoSetting("dialecticMaxInputChars", "Characters of a question that are sent.", "whole", "10000", 1),
    HonchoSetting("reasoningHeuristic", "Whether longer messages are thought about harder.", "flag", "true"),
    HonchoSetting("reasoningLevelCap", "The hardest level that this may lead to.", "choice", "high", choices=LEVELS),
    HonchoSetting("contextTokens", "Tokens that a turn may get; no limit when it is not set.", "whole", "", 1),
    HonchoSetting(
        "injectionFrequency", "When what is known goes into the prompt.", "choice", "every-turn",
        choices=("every-turn", "first-turn"),
    ),
    HonchoSetting("recallMode", "Memories in the prompt, as tools, or both.", "choice", "hybrid",
                  choices=("hybrid", "context", "tools")),
    HonchoSetting("queryRewrite", "Whether a model first makes a question of the message.", "flag", "false"),
    HonchoSetting("firstTurnBaseWait", "Seconds that the first turn waits for what is known.", "number", "3"),
    HonchoSetting("firstTurnDialecticWait", "Seconds that it waits for an answer about the person.", "number", "2"),
    HonchoSetting("writeFrequency", "When messages are sent.", "frequency", "async"),
    HonchoSetting("messageMaxChars", "Characters of one message that are sent.", "whole", "25000", 1),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HonchoValue:
    """A setting as it counts now."""

    setting: HonchoSetting
    value: str
    """As the agent takes it; empty for no limit."""
    origin: Literal["profile", "file", "default"]
    """The block for this profile, the file's top, or nowhere."""
    raw: object = None
    """As it stands there."""
    note: str = ""
    """What the agent makes of it, where that is not what it seems; usually empty."""


@dataclass(frozen=True, slots=True)
class HonchoSettings:
    """All of them, in one file."""

    path: Path
    host: str
    """The name of this profile's block."""
    shared: bool
    """Whether the file lies outside the home, so that other profiles or programs read it too."""
    state: str
    """ok, missing, invalid or unreadable."""
    problem: str
    values: tuple[HonchoValue, ...]


def honcho_settings(home: HermesHome, environ: Mapping[str, str] | None = None) -> HonchoSettings:
    """What honcho.json says; the agent's defaults for what it does not. Only files are read."""
    sources, file = honcho_file(home, environ)
    honcho = catalogue()["honcho"]
    block = sources.honcho_block(honcho)
    values = tuple(_value(setting, block, file.values) for setting in SETTINGS)
    shared = not file.path.is_relative_to(home.path)
    return HonchoSettings(file.path, sources.honcho_host(honcho), shared, file.state, file.problem, values)


def honcho_file(home: HermesHome, environ: Mapping[str, str] | None = None) -> tuple[Sources, JsonFile]:
    """The file that the agent reads now, and what was read on the way to it."""
    sources = Sources(home, os.environ if environ is None else environ)
    file = sources.json_file(catalogue()["honcho"])
    assert file is not None  # Honcho has one
    return sources, file


def setting_named(key: str) -> HonchoSetting:
    """A setting by its key, in any case, also as the agent's own settings are spelled: `dialectic_cadence`.

    Raises:
        NotFound: there is none.
    """
    import difflib

    for setting in SETTINGS:
        if setting.key.lower() == key.strip().lower().replace("_", ""):
            return setting
    near = difflib.get_close_matches(key, [setting.key for setting in SETTINGS], 1)
    hint = f"Did you mean {near[0]}?" if near else "See `hermes-tui providers honcho settings`."
    raise NotFound(f"{one_line(key, SHOWN_CELLS)} is no setting of cadence or depth.", code="no_setting", hint=hint)


def parsed(setting: HonchoSetting, text: str) -> Json:
    """A value as it goes into the file.

    Raises:
        Refused: the agent would not take it, or otherwise than it seems.
    """
    words = text.strip()
    refused = Refused(
        f"{setting.key} cannot be “{one_line(words, SHOWN_CELLS)}”: it is {setting.range}.",
        code="bad_value",
        hint="Nothing was written.",
    )
    lower = words.lower()
    if setting.kind == "flag":
        if lower not in ON_WORDS | OFF_WORDS:
            raise refused
        return lower in ON_WORDS
    if setting.kind == "choice":
        if lower not in setting.choices:
            raise refused
        return lower
    if setting.kind == "levels":
        levels = [level.strip() for level in lower.split(",")]
        if not all(level in LEVELS for level in levels) or len(levels) > 3:
            raise refused
        return levels
    if setting.kind == "frequency" and lower in ("async", "turn", "session"):
        return lower
    pattern = r"\d{1,9}(\.\d{1,6})?" if setting.kind == "number" else r"\d{1,9}"
    if not re.fullmatch(pattern, words, re.ASCII):
        raise refused
    number: int | float = float(words) if "." in words else int(words)
    least = 1 if setting.kind == "frequency" else setting.least
    if number < least or (setting.most is not None and number > setting.most):
        raise refused
    return number


def _value(setting: HonchoSetting, block: Mapping[str, object], top: Mapping[str, object]) -> HonchoValue:
    places: tuple[tuple[Literal["profile", "file"], Mapping[str, object]], ...] = (("profile", block), ("file", top))
    passed_over = ""
    for origin, values in places:
        raw = values.get(setting.key)
        if raw is None or (raw in ("", 0, False) and setting.kind in ("choice", "frequency")):
            continue
        value = _taken(setting, raw)
        if value is None:
            passed_over = f"{_shown(raw)} stands there, which the agent passes over."
            continue
        note = "" if value == _shown(raw) else f"{_shown(raw)} stands there; the agent takes it as {value}."
        return HonchoValue(setting, value, origin, raw, note or passed_over)
    return HonchoValue(setting, setting.default, "default", None, passed_over)


def _taken(setting: HonchoSetting, raw: object) -> str | None:
    """What the agent makes of a value; None when it looks further."""
    if setting.kind == "flag":
        return "true" if raw else "false"  # also of a text: "false" is on
    if setting.kind == "levels":
        if not isinstance(raw, list):
            return None
        return ", ".join(level if level in LEVELS else "low" for level in raw)
    if setting.key == "recallMode":
        mode = "hybrid" if raw == "auto" else raw
        return str(mode) if mode in setting.choices else "hybrid"
    if setting.kind in ("choice", "frequency"):
        return _shown(raw)
    try:
        number = float(str(raw)) if setting.kind == "number" else int(raw)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        return None
    if setting.kind == "number":
        return f"{max(0.0, number):g}"
    if setting.most is not None:
        number = max(setting.least, min(number, setting.most))
    return f"{number:.0f}" if isinstance(number, float) else str(number)


def _shown(raw: object) -> str:
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, float):
        return f"{raw:g}"
    if isinstance(raw, list):
        return ", ".join(map(str, raw))
    return str(raw)
