"""The `hermes-tui` command."""
