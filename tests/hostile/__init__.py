"""Attacks on whoever reads and approves."""
