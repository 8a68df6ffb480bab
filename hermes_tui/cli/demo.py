"""`hermes-tui demo DIR`: a generated home to look around in."""

from __future__ import annotations

from pathlib import Path

import click

from hermes_tui.cli.context import build_demo, json_option, options
from hermes_tui.cli.output import emit, say


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@json_option
def demo(directory: Path) -> None:
    """Make a home with generated content in DIRECTORY, which must be empty or not there yet."""
    path = build_demo(directory).absolute()
    chosen = options()
    if not chosen.json:
        say(f"Made. Open it with: hermes-tui --home {path}")
    emit({"home": str(path)}, lambda: str(path), as_json=chosen.json)
