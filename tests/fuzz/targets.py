"""Every place where something from outside enters: a plain function of bytes, which states what holds there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from tests.fuzz.promises import LIMIT_SECONDS, at_most

Target = Callable[[bytes], None]
"""Fails on bytes for which what it states does not hold."""

TARGETS: Mapping[str, str] = {
    "shown": "of_texts.shown",
    "secrets": "of_texts.secrets",
    "transcript": "of_texts.transcript",
    "exported": "of_texts.exported",
    "title": "of_texts.title",
    "threats": "of_texts.threats",
    "store": "of_memory.store",
    "tool": "of_memory.tool",
    "prompt": "of_memory.prompt",
    "next prompt": "of_memory.next_prompt",
    "journal": "of_memory.journal",
    "call": "of_memory.call",
    "logs": "of_memory.logs",
    "kept": "of_memory.kept",
    "record": "of_queue.record",
    "skill": "of_queue.skill",
    "frontmatter": "of_queue.frontmatter",
    "config": "of_settings.config",
    "yaml": "of_settings.yaml",
    "env": "of_settings.env",
    "honcho": "of_settings.honcho",
    "views": "of_settings.views",
    "own settings": "of_settings.own_settings",
    "theme": "of_settings.theme",
    "query": "of_sessions.query",
    "asked by agent": "of_sessions.asked_by_agent",
    "stored message": "of_sessions.stored_message",
    "imported": "of_sessions.imported",
    "answer": "of_sessions.answer",
    "command": "of_commands.command",
    "grown": "of_time.grown",
}
"""Where each is; only what one needs is loaded for it, since every line of that is counted."""


def target(name: str) -> Target:
    """The target of that name."""
    module, _, function = TARGETS[name].partition(".")
    found: Target = getattr(import_module(f"tests.fuzz.{module}"), function)
    return found


def tried(name: str, data: bytes) -> None:
    """Run a target on an input, in no more time than any may take."""
    run = target(name)
    with at_most(LIMIT_SECONDS):
        run(data)
