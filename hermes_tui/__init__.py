"""See and steer what a Hermes agent remembers."""

__version__ = "0.1.0"

SCREENS = ("memory", "pending", "sessions", "timeline", "settings")
"""The main screens, in the order of their keys."""
