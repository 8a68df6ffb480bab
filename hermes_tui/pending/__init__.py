"""Writes that wait for a person under the home's pending directory."""
