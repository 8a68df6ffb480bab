"""A pictured screen as pixels: the SVG that Textual exports, drawn cell by cell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree import ElementTree

from PIL import Image, ImageDraw
from rich.cells import cell_len

from tests.pictures.glyphs import Glyphs

CELL_WIDTH, CELL_HEIGHT = 12.2, 24.4
"""A cell of the exported SVG."""

MARGIN = 10
"""Pixels around the screen, in the colour of its first cell."""

NAMESPACE = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True, slots=True)
class Ink:
    """How a class of the SVG writes."""

    colour: str
    bold: bool
    underlined: bool
    struck: bool


def lean(svg: str) -> str:
    """The SVG without what it would fetch from a server, in whatever font of even width the reader has."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code, monospace", "'Fira Code', 'DejaVu Sans Mono', monospace")


def inks_of(svg: str) -> dict[str, Ink]:
    """The classes of an SVG, by name."""
    return {
        name: Ink(
            colour=re.search(r"fill: (#\w+)", rule).group(1),  # type: ignore[union-attr]
            bold="bold" in rule,
            underlined="underline" in rule,
            struck="line-through" in rule,
        )
        for name, rule in re.findall(r"\.(terminal-\d+-r\d+) \{([^}]*)\}", svg)
    }


def painted(svg: str, columns: int, rows: int, glyphs: Glyphs) -> Image.Image:
    """The screen alone, without a margin."""
    image = Image.new("RGB", (columns * glyphs.width, rows * glyphs.height))
    pen = ImageDraw.Draw(image)
    inks = inks_of(svg)
    tree = ElementTree.fromstring(svg)
    for shape in tree.iter():
        if shape.tag == f"{NAMESPACE}rect" and shape.get("shape-rendering"):
            left, row = _cell(shape, 1.5)
            right = round((float(shape.attrib["x"]) + float(shape.attrib["width"])) / CELL_WIDTH) * glyphs.width
            top = row * glyphs.height
            if right <= left * glyphs.width:
                continue
            pen.rectangle((left * glyphs.width, top, right - 1, top + glyphs.height - 1), shape.attrib["fill"])
        elif shape.tag == f"{NAMESPACE}text" and shape.get("clip-path"):
            column, row = _cell(shape, 20.0)
            _write(image, pen, glyphs, (column, row), shape.text or "", inks[shape.attrib["class"]])
    return image


def framed(screen: Image.Image, below: int = 0) -> Image.Image:
    """The screen with a margin, and with room below for a caption."""
    size = (screen.width + 2 * MARGIN, screen.height + 2 * MARGIN + below)
    image = Image.new("RGB", size, screen.getpixel((0, 0)))
    image.paste(screen, (MARGIN, MARGIN))
    return image


def few_colours(image: Image.Image) -> Image.Image:
    """The same with 256 colours, which is all that the grey edges of letters in a dozen colours need."""
    return image.quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _cell(shape: ElementTree.Element, offset: float) -> tuple[int, int]:
    x, y = float(shape.attrib["x"]), float(shape.attrib["y"])
    return round(x / CELL_WIDTH), round((y - offset) / CELL_HEIGHT)


def _write(
    image: Image.Image, pen: ImageDraw.ImageDraw, glyphs: Glyphs, at: tuple[int, int], text: str, ink: Ink
) -> None:
    column, row = at
    top = row * glyphs.height
    for character in text:
        cells = cell_len(character)
        x = (column if cells else column - 1) * glyphs.width
        if not character.isspace():
            image.paste(ink.colour, (x, top), glyphs.mask(character, ink.bold))
        right = x + max(1, cells) * glyphs.width - 1
        if ink.underlined:
            pen.line((x, top + round(glyphs.height * 0.86), right, top + round(glyphs.height * 0.86)), ink.colour)
        if ink.struck:
            pen.line((x, top + glyphs.height // 2 + 1, right, top + glyphs.height // 2 + 1), ink.colour)
        column += cells
