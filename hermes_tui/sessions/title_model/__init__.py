"""Titles written by a model: only when a person asks for them, and only by the server they named.

What leaves the machine is the beginning of the first message and of the first answer, secrets masked, and nothing
of it goes anywhere but to that one server. The request needs the extra `llm` (httpx), which is loaded when the first
title is asked for.
"""

from __future__ import annotations

from hermes_tui.sessions.title_model.cleaning import clean_title
from hermes_tui.sessions.title_model.failures import ModelFailed
from hermes_tui.sessions.title_model.model import TitleModel
from hermes_tui.sessions.title_model.opening import Opening, announcement, read_opening, sent
from hermes_tui.sessions.title_model.running import titles
from hermes_tui.sessions.title_model.settings import TitleModelSettings, title_settings

__all__ = [
    "ModelFailed",
    "Opening",
    "TitleModel",
    "TitleModelSettings",
    "announcement",
    "clean_title",
    "read_opening",
    "sent",
    "title_settings",
    "titles",
]
