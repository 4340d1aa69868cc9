"""Draw the pictures of the sample cards and pack the cards: `python -m importer.samples.make`.

Each picture is drawn from nothing but gradients, shapes and a seeded generator, so that the same call gives
the same picture. It writes `<language>.card.png` here and a small WebP beside the other static files.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from formats.card import read_card
from formats.card.export import export_png

HERE = Path(__file__).parent
STATIC = HERE.parent.parent / "static" / "samples"
SIZE = (480, 720)
SMALL = (160, 240)
Colour = tuple[int, int, int]


def gradient(stops: Sequence[tuple[float, Colour]]) -> Image.Image:
    """A vertical gradient through colours at heights between 0 and 1."""
    strip = Image.new("RGB", (1, SIZE[1]))
    for y in range(SIZE[1]):
        at = y / (SIZE[1] - 1)
        (low, a), (high, b) = next(pair for pair in pairwise(stops) if pair[0][0] <= at <= pair[1][0])
        share = (at - low) / (high - low)
        strip.putpixel((0, y), tuple(round(x + (z - x) * share) for x, z in zip(a, b, strict=True)))
    return strip.resize(SIZE)


def ridge(base: float, height: float, rough: int, chance: random.Random) -> list[tuple[float, float]]:
    """The outline of hills: heights halved and shaken between neighbours, closed at the foot."""
    heights = [base, base - height * chance.random(), base]
    step = height
    for _round in range(rough):
        step /= 2.1
        middle = [(a + b) / 2 + chance.uniform(-step, step) for a, b in pairwise(heights)]
        heights = [value for pair in zip(heights, middle, strict=False) for value in pair] + [heights[-1]]
    width = SIZE[0] / (len(heights) - 1)
    return [(0, SIZE[1]), *((n * width, y) for n, y in enumerate(heights)), (SIZE[0], SIZE[1])]


def glow(picture: Image.Image, x: float, y: float, radius: float, colour: Colour) -> Image.Image:
    """Add a soft light."""
    light = Image.new("RGB", SIZE)
    ImageDraw.Draw(light).ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)
    return ImageChops.screen(picture, light.filter(ImageFilter.GaussianBlur(radius * 0.7)))


def haze(picture: Image.Image, top: float, bottom: float, colour: Colour, strength: int) -> Image.Image:
    """Lay fog over a band of the picture, thickest in its middle."""
    mask = Image.new("L", SIZE)
    ImageDraw.Draw(mask).rectangle((0, top, SIZE[0], bottom), fill=strength)
    mask = mask.filter(ImageFilter.GaussianBlur((bottom - top) / 3))
    return Image.composite(Image.new("RGB", SIZE, colour), picture, mask)


def river() -> Image.Image:
    """Dusk on a wide river: hills, fog, a flat boat on its rope, one lantern and its reflection."""
    chance = random.Random(8999)  # noqa: S311  (a picture, no secret)
    dusk = [(0, (38, 45, 74)), (0.42, (166, 112, 104)), (0.56, (222, 170, 128)), (1, (20, 30, 44))]
    picture = gradient([(at, colour) for at, colour in dusk])
    draw = ImageDraw.Draw(picture)
    for base, height, shade in ((400, 110, (92, 78, 92)), (420, 70, (58, 58, 76)), (432, 36, (34, 42, 56))):
        draw.polygon(ridge(base, height, 6, chance), fill=shade)
    draw.rectangle((0, 430, *SIZE), fill=(30, 42, 58))
    for _line in range(260):
        y = chance.uniform(434, SIZE[1])
        length = (y - 400) * chance.uniform(0.1, 0.55)
        x = chance.uniform(-40, SIZE[0])
        tone = round(60 + (SIZE[1] - y) / 6 + chance.uniform(-14, 14))
        draw.line((x, y, x + length, y), fill=(tone, tone + 6, tone + 20), width=1)
    picture = haze(picture, 395, 465, (196, 170, 158), 150)
    draw = ImageDraw.Draw(picture)
    draw.line((0, 512, SIZE[0], 494), fill=(24, 24, 30), width=3)
    for post in (96, 402):
        draw.rectangle((post, 452, post + 8, 540), fill=(22, 22, 28))
    draw.polygon([(150, 540), (350, 532), (328, 566), (176, 572)], fill=(18, 18, 24))
    draw.polygon([(238, 536), (244, 462), (258, 440), (274, 462), (284, 536)], fill=(14, 14, 20))
    draw.ellipse((247, 424, 271, 450), fill=(14, 14, 20))
    draw.line((270, 474, 306, 500), fill=(14, 14, 20), width=8)
    for n in range(26):
        wide = 26 - n * 0.7 + chance.uniform(-6, 6)
        y = 566 + n * 5
        draw.line((312 - wide, y, 312 + wide, y), fill=(196 - n * 5, 140 - n * 4, 66), width=2)
    picture = glow(picture, 310, 506, 74, (150, 96, 30))
    ImageDraw.Draw(picture).ellipse((303, 497, 318, 516), fill=(255, 226, 150))
    return haze(picture, 600, 660, (92, 96, 110), 60)


def pass_in_snow() -> Image.Image:
    """A night of snow: a ridge, an inn with a row of lanterns, a trodden path, flakes that go sideways."""
    chance = random.Random(1219)  # noqa: S311  (a picture, no secret)
    night = [(0, (16, 24, 44)), (0.5, (52, 72, 104)), (0.72, (122, 140, 164)), (1, (206, 216, 228))]
    picture = gradient([(at, colour) for at, colour in night])
    picture = glow(picture, 372, 128, 42, (120, 128, 140))
    draw = ImageDraw.Draw(picture)
    for base, height, shade in (
        (360, 240, (44, 60, 88)),
        (420, 150, (72, 90, 120)),
        (470, 70, (126, 144, 168)),
    ):
        draw.polygon(ridge(base, height, 7, chance), fill=shade)
    picture = haze(picture, 400, 470, (170, 184, 202), 120)
    draw = ImageDraw.Draw(picture)
    draw.polygon([(0, 560), (150, 508), (340, 502), (480, 540), SIZE, (0, SIZE[1])], fill=(214, 222, 232))
    draw.polygon([(214, 520), (262, 520), (330, 720), (120, 720)], fill=(176, 188, 206))
    draw.rectangle((120, 440, 356, 522), fill=(34, 32, 40))
    draw.polygon([(92, 446), (132, 396), (344, 396), (386, 446), (372, 440), (106, 440)], fill=(24, 24, 32))
    draw.polygon(
        [(100, 434), (134, 392), (342, 392), (378, 434), (342, 400), (134, 400)], fill=(228, 234, 242)
    )
    draw.rectangle((218, 456, 258, 522), fill=(232, 168, 84))
    for x in (146, 176, 288, 318):
        draw.rectangle((x, 464, x + 16, 492), fill=(206, 144, 74))
    for n in range(6):
        x = 112 + n * 51
        picture = glow(picture, x, 456, 24, (150, 66, 26))
        ImageDraw.Draw(picture).ellipse((x - 6, 449, x + 6, 465), fill=(255, 188, 104))
    picture = glow(picture, 238, 560, 64, (96, 60, 24))
    snow = ImageDraw.Draw(picture)
    for _flake in range(520):
        left, top, size = (
            chance.uniform(-20, SIZE[0]),
            chance.uniform(0, SIZE[1]),
            chance.choice((1, 1, 1, 2, 3)),
        )
        snow.ellipse((left, top, left + size * 1.9, top + size), fill=(232, 238, 246))
    return picture


PICTURES: dict[str, Callable[[], Image.Image]] = {"en": river, "zh-hans": pass_in_snow}


def main() -> None:
    STATIC.mkdir(parents=True, exist_ok=True)
    for language, drawn in PICTURES.items():
        picture = drawn().filter(ImageFilter.SMOOTH)
        few = picture.quantize(192, dither=Image.Dither.FLOYDSTEINBERG)  # a card travels: 150 KB, not 600
        out = io.BytesIO()
        few.save(out, "PNG", optimize=True)
        card = read_card((HERE / f"{language}.json").read_bytes()).card
        (HERE / f"{language}.card.png").write_bytes(export_png(card, out.getvalue()).data)
        picture.resize(SMALL, Image.Resampling.LANCZOS).save(STATIC / f"{language}.webp", quality=82)


if __name__ == "__main__":
    main()
