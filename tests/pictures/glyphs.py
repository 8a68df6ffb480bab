"""What fills a cell of a pictured screen: lines and blocks by geometry, all else by fonts that pip installs."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from rich.cells import cell_len

FONTS = (
    ("matplotlib", "mpl-data/fonts/ttf/DejaVuSansMono.ttf", "mpl-data/fonts/ttf/DejaVuSansMono-Bold.ttf"),
    ("matplotlib_fontja", "fonts/ipaexg.ttf", "fonts/ipaexg.ttf"),
    ("manimgx_fonts", "NotoEmoji[wght].ttf", "NotoEmoji[wght].ttf"),
)
"""Packages and their font files, regular and bold; the first that has a character draws it."""

NARROW_ADVANCE = 1233 / 2048
"""The width of DejaVu Sans Mono for a size of 1."""

JOINED = ("R", "AL", "AN")
"""Scripts from right to left, whose letters change with their neighbours: they cannot be drawn one by one."""

NOWHERE = "\uffff"
"""What no font has: it draws the box that stands for what is missing."""

BASIC = ImageFont.Layout.BASIC
"""One letter at a time, the same on every machine."""

FINE = 4
"""How many times larger a curve is drawn before it is made small."""

ARMS = {
    "─": "lr", "│": "ud", "┌": "rd", "┐": "ld", "└": "ru", "┘": "lu", "├": "udr", "┤": "udl",
    "┬": "lrd", "┴": "lru", "┼": "lrud", "╵": "u", "╷": "d", "╴": "l", "╶": "r",
}  # fmt: skip
"""Light lines, by the sides that they reach."""

CORNERS = {"╭": (1, 1), "╮": (-1, 1), "╰": (1, -1), "╯": (-1, -1)}
"""Rounded corners: where their arms go, to the right and downwards."""

EIGHTHS_UP = "▁▂▃▄▅▆▇█"
EIGHTHS_RIGHT = "▏▎▍▌▋▊▉█"


def font_file(package: str, path: str) -> Path:
    """A font that a package ships; the package itself is not loaded."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{package} is not installed: make screenshots installs it, as part of the extra 'pictures'.")
    return Path(spec.origin).parent / path


@dataclass(slots=True)
class Glyphs:
    """Masks of characters in cells of one size."""

    width: int
    """Pixels of a cell across."""
    height: int
    """Pixels of a cell down."""
    greys: int = 256
    """How many steps there are from ground to ink: few make a small file."""
    _masks: dict[tuple[str, bool], Image.Image] = field(default_factory=dict)
    _fonts: list[list[ImageFont.FreeTypeFont]] = field(default_factory=list)

    def mask(self, character: str, bold: bool) -> Image.Image:
        """Where a character covers its cell or cells."""
        known = self._masks.get((character, bold))
        if known is None:
            mask, most = self._drawn(character) or self._written(character, bold), self.greys - 1
            known = self._masks[character, bold] = mask.point(
                [round(each / 255 * most) * 255 // most for each in range(256)]
            )
        return known

    def _written(self, character: str, bold: bool) -> Image.Image:
        if not self._fonts:
            for place, (package, regular, thick) in enumerate(FONTS):
                size = self.width / NARROW_ADVANCE if place == 0 else self.width * 1.8
                files = [font_file(package, path) for path in (regular, thick)]
                self._fonts.append([ImageFont.truetype(file, size, layout_engine=BASIC) for file in files])
        cells = max(1, cell_len(character))
        mask = Image.new("L", (self.width * cells, self.height))
        if unicodedata.bidirectional(character) in JOINED:
            raise LookupError(f"{character!r} (U+{ord(character):04X}) is not drawn alone: picture another place.")
        for normal, heavy in self._fonts:
            if bytes(normal.getmask(character)) != bytes(normal.getmask(NOWHERE)):
                baseline = round(self.height * 0.76)
                at = (self.width * cells / 2, baseline) if cells > 1 else (0, baseline)
                ImageDraw.Draw(mask).text(
                    at, character, fill=255, font=heavy if bold else normal, anchor="ms" if cells > 1 else "ls"
                )
                return mask
        raise LookupError(f"No font has {character!r} (U+{ord(character):04X}): picture another place.")

    def _drawn(self, character: str) -> Image.Image | None:
        """A line or a block, which must meet its neighbours without a gap."""
        if character in CORNERS:
            return self._corner(*CORNERS[character])
        mask = Image.new("L", (self.width, self.height))
        pen = ImageDraw.Draw(mask)
        right, bottom = self.width - 1, self.height - 1
        across, down = self.width // 2, self.height // 2
        if character in ARMS:
            arms = ARMS[character]
            if "l" in arms or "r" in arms:
                pen.line((0 if "l" in arms else across, down, right if "r" in arms else across, down), fill=255)
            if "u" in arms or "d" in arms:
                pen.line((across, 0 if "u" in arms else down, across, bottom if "d" in arms else down), fill=255)
        elif character == "═":
            pen.line((0, down - 1, right, down - 1), fill=255)
            pen.line((0, down + 2, right, down + 2), fill=255)
        elif character in "━╸╺":
            pen.rectangle(
                (across if character == "╺" else 0, down - 1, across if character == "╸" else right, down), 255
            )
        elif character in EIGHTHS_UP:
            share = (EIGHTHS_UP.index(character) + 1) / 8
            pen.rectangle((0, self.height - round(self.height * share), right, bottom), 255)
        elif character in EIGHTHS_RIGHT:
            share = (EIGHTHS_RIGHT.index(character) + 1) / 8
            pen.rectangle((0, 0, max(1, round(self.width * share)) - 1, bottom), 255)
        elif character == "▀":
            pen.rectangle((0, 0, right, self.height // 2 - 1), 255)
        elif character == "▔":
            pen.rectangle((0, 0, right, round(self.height / 8) - 1), 255)
        elif character in "▐▕":
            pen.rectangle((self.width // 2 if character == "▐" else right, 0, right, bottom), 255)
        else:
            return None
        return mask

    def _corner(self, across: int, down: int) -> Image.Image:
        """A quarter of a circle between the middle of two sides, drawn large and made small."""
        large = Image.new("L", (self.width * FINE, self.height * FINE))
        pen = ImageDraw.Draw(large)
        left, top = self.width // 2 * FINE, self.height // 2 * FINE
        radius = (self.width - self.width // 2) * FINE
        beyond_x = left + FINE - 1 if across < 0 else left
        beyond_y = top + FINE - 1 if down < 0 else top
        middle = (beyond_x + across * radius, beyond_y + down * radius)
        box = (middle[0] - radius, middle[1] - radius, middle[0] + radius, middle[1] + radius)
        start = {(1, 1): 180, (-1, 1): 270, (1, -1): 90, (-1, -1): 0}[across, down]
        pen.arc(box, start, start + 90, fill=255, width=FINE)
        end = self.height * FINE - 1 if down > 0 else 0
        pen.rectangle((left, min(middle[1], end), left + FINE - 1, max(middle[1], end)), 255)
        return large.resize((self.width, self.height), Image.Resampling.BOX)
