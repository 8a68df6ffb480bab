"""See and steer what a Hermes agent remembers."""

__version__ = "0.1.0"
