"""How much room there is, as classes of the app; the stylesheets do the rest."""

from __future__ import annotations

from textual.geometry import Size

SIDE_BY_SIDE_COLUMNS = 100
SPACIOUS_COLUMNS = 160
"""From here on a text as wide as one reads leaves room for something beside it."""
STACKED_ROWS = 34
TIGHT_BELOW_ROWS = 22

LAYOUTS = ("-spacious", "-wide", "-stacked", "-tabs", "-tight")


def layout_classes(size: Size) -> set[str]:
    """The classes that say how much room there is."""
    classes = set()
    if size.width >= SIDE_BY_SIDE_COLUMNS:
        classes.add("-wide")
    elif size.height >= STACKED_ROWS:
        classes.add("-stacked")
    else:
        classes.add("-tabs")
    if size.width >= SPACIOUS_COLUMNS:
        classes.add("-spacious")
    if size.height < TIGHT_BELOW_ROWS:
        classes.add("-tight")
    return classes
