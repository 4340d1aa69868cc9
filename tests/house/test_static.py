"""Templates, styles and the script: strict policy, small, readable in both lights."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
STYLES = (ROOT / "static" / "app.css").read_text(encoding="utf-8")
LIGHT, DARK = 0, 1
STATES = ("ok", "warn", "danger")


def tokens() -> dict[str, tuple[str, str]]:
    """The colours of the style sheet: name → (light, dark)."""
    found = re.findall(r"--([a-z0-9-]+): light-dark\(#([0-9A-F]{6}), #([0-9A-F]{6})\)", STYLES)
    return {name: (light, dark) for name, light, dark in found}


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def pairs() -> list[tuple[str, str, float]]:
    """Ink, ground, least ratio: the table of the design."""
    grounds = ("paper", "surface", "sunken")
    found = [("ink", ground, 11.0) for ground in grounds]
    found += [(ink, ground, 5.6) for ink, ground in product(("ink-2", "accent"), grounds)]
    found += [(state, ground, 5.0) for state, ground in product(STATES, (*grounds,))]
    found += [(state, f"{state}-soft", 5.59) for state in STATES]
    found += [("ink", f"{state}-soft", 7.0) for state in (*STATES, "accent")]
    found += [("edge", ground, 3.0) for ground in ("paper", "surface")]
    return [*found, ("on-accent", "accent", 5.6), ("accent", "accent-soft", 5.6)]


@pytest.mark.parametrize("light", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground", "least"), pairs())
def test_text_can_be_read(ink: str, ground: str, least: float, light: int) -> None:
    colours = tokens()
    assert contrast(colours[ink][light], colours[ground][light]) >= least


def test_the_measure_of_contrast_is_right() -> None:
    assert contrast("000000", "FFFFFF") == pytest.approx(21)
    assert contrast("777777", "FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_templates_obey_the_policy(template: Path) -> None:
    """No style attribute, no script inside a page, no handler attribute: the browser would refuse them."""
    text = template.read_text(encoding="utf-8")
    assert not re.search(r"\sstyle\s*=", text)
    assert not re.search(r"\son[a-z]+\s*=\s*[\"']", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert not re.search(r"(src|href)\s*=\s*[\"'](https?:)?//", text), "nothing is loaded from elsewhere"
    assert not re.search(r"\|\s*safe\b|autoescape off", text), "text from cards is never trusted"
    assert len(text.splitlines()) <= 150


def test_the_script_is_small() -> None:
    """Sizes of the first view; what the styles of a page weigh, `test_weight.py` asks the pages."""
    assert (ROOT / "static" / "app.js").stat().st_size <= 6 * 1024


def test_every_icon_that_is_asked_for_is_in_the_sprite() -> None:
    sprite = (ROOT / "static" / "icons.svg").read_text(encoding="utf-8")
    drawn = set(re.findall(r'<symbol id="([a-z-]+)"', sprite))
    asked = {name for path in TEMPLATES for name in re.findall(r'{% icon "([^"]+)"', path.read_text("utf-8"))}
    assert asked - drawn == set()
    assert len(drawn) >= 20
