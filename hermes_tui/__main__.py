"""`python -m hermes_tui` is `hermes-tui`."""

from hermes_tui.cli.main import main

main()
