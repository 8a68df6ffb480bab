"""Changing sessions: titles, archive, pins, deleting, pruning, bringing back; the one place that writes to state.db."""
