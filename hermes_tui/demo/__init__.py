"""A generated home that shows every state the app knows."""

from __future__ import annotations

from hermes_tui.demo.home import build

__all__ = ["build"]
