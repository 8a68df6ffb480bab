"""The Settings screen."""
