"""The animated tour: one sitting on the demo home, told in pictures with a line below each."""

from __future__ import annotations

from typing import NamedTuple

from PIL import Image, ImageDraw

from tests.pictures.glyphs import Glyphs
from tests.pictures.painting import MARGIN, framed, painted
from tests.pictures.shots import FOLDER
from tests.pictures.stage import NOW, at_the_time, stage

TOUR = "tour"
SIZE = (100, 30)
CELL = (9, 19)
THEME = "hermes-dark"
GREYS = 7

CAPTION_HEIGHT = 38
"""Pixels below the screen, where the line is that says what happens."""

STEP_SECONDS = 20
"""How much later each step is, on the clock of the pictures."""

TYPED_MS = 90
LOOK_MS = 450
READ_MS = 2600


class Step(NamedTuple):
    """Some keys, and how long their effect is shown."""

    says: str
    """The line below the screen."""
    keys: tuple[str, ...] = ()
    shown: str = ""
    """The key as the line names it."""
    each_ms: int = LOOK_MS
    """How long the picture after each key but the last is shown."""
    last_ms: int = READ_MS
    before: tuple[str, ...] = ()
    """Keys that are pressed first, without a picture."""


def typed(text: str) -> tuple[str, ...]:
    """Textual's names of the keys that write a text."""
    return tuple({" ": "space", ",": "comma", ".": "full_stop"}.get(letter, letter) for letter in text)


STEPS = (
    Step("What the agent remembers: two small files, and the room that is left."),
    Step("edit an entry", ("j", "e"), "e", last_ms=1500),
    Step("The room that is left follows every key.", typed(", to a visitor"), each_ms=TYPED_MS, last_ms=1800),
    Step("save: whole or not at all, with the agent's own lock", ("ctrl+s",), "ctrl+s"),
    Step("What it wants to remember waits for you, with its verdict.", ("2",), "2", last_ms=3200),
    Step("approve", ("a",), "a"),
    Step(
        "search everything that was said, as you type",
        typed("case b2"), "3 /", each_ms=220, last_ms=2600, before=("3", "slash"),
    ),
    Step("open the transcript at the hit", ("down", "down", "enter"), "enter", last_ms=3000),
    Step("What it believed at any time, since when, and who wrote it", ("4",), "4", last_ms=2600),
    Step("step back through the changes", ("h",) * 6, "h", each_ms=420, last_ms=2600),
    Step("restore an entry that went", ("r",), "r", last_ms=3000),
    Step("It is back, for the next session on.", ("1", "G"), "1", each_ms=300, last_ms=3200),
)  # fmt: skip


class Film:
    """Pictures with a line below, each with its time."""

    def __init__(self) -> None:
        self.pictures: list[tuple[Image.Image, int]] = []
        self._glyphs = Glyphs(*CELL, greys=GREYS)

    def add(self, svg: str, step: Step, milliseconds: int) -> None:
        """What is shown now."""
        image = framed(painted(svg, *SIZE, self._glyphs), CAPTION_HEIGHT)
        self._caption(image, step)
        if self.pictures and self.pictures[-1][0].tobytes() == image.tobytes():
            self.pictures[-1] = (image, self.pictures[-1][1] + milliseconds)
        else:
            self.pictures.append((image, milliseconds))

    def _caption(self, image: Image.Image, step: Step) -> None:
        pen = ImageDraw.Draw(image)
        top = image.height - CAPTION_HEIGHT
        pen.rectangle((0, top, image.width, image.height), fill="#f2c46d")
        left = MARGIN + CELL[0]
        for text, bold in ((step.shown, True), (step.says, False)):
            for character in text:
                mask = self._glyphs.mask(character, bold)
                image.paste("#14161c", (left, top + (CAPTION_HEIGHT - CELL[1]) // 2), mask)
                left += CELL[0]
            if text and bold:
                left += 2 * CELL[0]

    def save(self) -> None:
        """As one animation, with one palette for all."""
        images = [image for image, _ in self.pictures]
        sheet = Image.new("RGB", (images[0].width, images[0].height * len(images)))
        for place, image in enumerate(images):
            sheet.paste(image, (0, place * image.height))
        palette = sheet.quantize(255, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        frames = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
        frames[0].save(
            FOLDER / f"{TOUR}.gif", save_all=True, append_images=frames[1:], loop=0, optimize=True,
            duration=[milliseconds for _, milliseconds in self.pictures],
        )  # fmt: skip


async def take_tour() -> None:
    """Go through the steps, and save them as an animation."""
    film = Film()
    async with stage(SIZE, THEME, toasts=True) as opened:
        for number, step in enumerate(STEPS):
            with at_the_time(NOW + number * STEP_SECONDS):
                await opened.press(*step.before)
                if not step.keys:
                    film.add(await opened.rest(), step, step.last_ms)
                for place, key in enumerate(step.keys, 1):
                    opened.app.clear_notifications()
                    await opened.press(key)
                    film.add(opened.svg(), step, step.last_ms if place == len(step.keys) else step.each_ms)
    film.save()
