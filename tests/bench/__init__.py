"""Measurements of the real program in a real terminal: `python -m tests.bench`."""
