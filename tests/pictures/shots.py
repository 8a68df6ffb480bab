"""Which pictures there are, and how one is taken."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.pictures.stage import stage

FOLDER = Path(__file__).parents[2] / "screenshots"

CELL = (10, 21)
"""Pixels of a cell in the pictures, across and down."""

LOOKS = (
    ("dark", (120, 36), "hermes-dark"),
    ("light", (120, 36), "hermes-light"),
    ("narrow", (80, 24), "hermes-dark"),
    ("small", (60, 15), "hermes-dark"),
)
"""The ends of the pictures' names, each with a size and a theme."""

SCREENS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("memory", ()),
    ("pending", ("2",)),
    ("sessions", ("3", "slash", *"courier", "down")),
    ("transcript", ("3", "slash", *"backup", "down", "enter")),
    ("timeline", ("4",)),
    ("settings", ("5",)),
)
"""What is pictured in every look, with the keys that lead there."""

DIALOGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("editor", ("j", "j", "e")),
    ("prompt", ("p",)),
    ("story", ("b",)),
    ("palette", ("ctrl+p", *"theme", *["down"] * 4)),
)
"""What is pictured at the two larger sizes."""

LOWER = {"prompt": (120, 30)}
"""What is pictured with fewer rows, since further down stands a script that is not drawn letter by letter."""


class Shot(NamedTuple):
    """One picture to take."""

    name: str
    size: tuple[int, int]
    theme: str
    keys: tuple[str, ...]


BY_NAME = {
    f"{name}-{look}": Shot(f"{name}-{look}", LOWER.get(name, size) if look != "narrow" else size, theme, keys)
    for place in (SCREENS, DIALOGS)
    for name, keys in place
    for look, size, theme in (LOOKS if place is SCREENS else LOOKS[:3])
}
"""Every picture that is taken."""


async def take(shot: Shot) -> None:
    """Open the app, press the keys, save what is shown as SVG and as PNG."""
    from tests.pictures.glyphs import Glyphs
    from tests.pictures.painting import few_colours, framed, lean, painted

    async with stage(shot.size, shot.theme) as opened:
        await opened.press(*shot.keys)
        svg = await opened.rest()
    (FOLDER / f"{shot.name}.svg").write_text(lean(svg))
    image = few_colours(framed(painted(svg, *shot.size, Glyphs(*CELL))))
    image.save(FOLDER / f"{shot.name}.png", optimize=True)
