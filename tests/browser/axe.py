"""What a page must satisfy whoever looks at it: no fault that axe finds, nothing wider than the window."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Page

VENDOR = Path(__file__).parent / "vendor"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]

# Every rule looks at every node; what passed is counted, but neither described nor sent over (half the time).
RUN = """async tags => {
    const options = {runOnly: {type: 'tag', values: tags}, resultTypes: ['violations']};
    const {passes, violations} = await axe.run(options);
    return {passed: passes.length, broken: violations};
}"""


@cache
def source() -> str:
    """axe-core, checked against the hash that stands beside it."""
    code = (VENDOR / "axe.min.js").read_bytes()
    digest = hashlib.sha256(code).hexdigest()
    assert digest in (VENDOR / "README.md").read_text(encoding="utf-8"), "axe.min.js is not the file it was"
    return code.decode("utf-8")


def faults(page: Page) -> list[str]:
    """Every rule of WCAG 2.0 to 2.2 (A, AA) and of good practice that the page breaks, with the places."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(source())
    result: dict[str, Any] = page.evaluate(RUN, TAGS)
    assert result["passed"] > 5, "axe looked at nothing"
    return [
        f"{rule['id']}: {rule['help']} — {node['html'][:160]}"
        for rule in result["broken"]
        for node in rule["nodes"]
    ]


def assert_sound(page: Page) -> None:
    """The page, as it stands now, can be used by everybody and fits its window."""
    broken = faults(page)
    assert not broken, f"{page.url}: {broken}"
    wide, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= window, f"{page.url}: {wide} px in a window of {window}"


def assert_sound_in_both_lights(page: Page) -> None:
    """`assert_sound`, light and dark: a page takes the light it is in while it stands open."""
    grounds = {_sound_ground(page, "light"), _sound_ground(page, "dark")}
    assert len(grounds) == 2, f"{page.url} is as light in the dark"


def _sound_ground(page: Page, light: Literal["light", "dark"]) -> str:
    page.emulate_media(color_scheme=light)
    assert_sound(page)
    ground: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return ground
