"""What the overview of a world says, gathered from `world.json` and the index: no other file is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from formats.finding import Finding
from worlds.element_list import count_of
from worlds.elements import element_of
from worlds.kinds import BY_NAME, ELEMENT_KINDS, ElementKind
from worlds.models import Element, World
from worlds.rules.check import PlayableState
from worlds.rules.paths import document_of, place
from worlds.stored import stored_info

SHOWN_PEOPLE = 12
SHOWN_VARIABLES = 8
ABOUT = ("name", "description", "tags", "author", "language", "cover", "starting_location")
OPENINGS = ("opening", "alternate_openings")


@dataclass(frozen=True, slots=True)
class Told:
    """A finding, with the page where it can be put right ("" where there is none)."""

    finding: Finding
    address: str


def info_of(world: World) -> dict[str, Any]:
    """The fields of `world.json`; empty where it cannot be read (the findings tell why)."""
    return stored_info(world).value or {}


def counts_of(world: World) -> list[tuple[ElementKind, int]]:
    """Every kind with how many of it there are."""
    return [(kind, count_of(world, kind)) for kind in ELEMENT_KINDS.values()]


def playable_people(world: World) -> list[Element]:
    """Those who can be played, by name."""
    found = Element.objects.filter(world=world, kind="character", mark="playable")
    return list(found.order_by("title_key")[:SHOWN_PEOPLE])


def who_plays(world: World) -> PlayableState:
    """Who is there to play (D32): from the index what `playable_state` says of the files."""
    if not world.counts.get("character"):
        return "bring-a-persona"
    return "ready" if world.counts.get("playable") else "choose-someone"


def variables_of(world: World) -> list[Element]:
    """The first variables, in the order of their file."""
    return list(Element.objects.filter(world=world, kind="variable").order_by("position")[:SHOWN_VARIABLES])


def starting_place(world: World, info: dict[str, Any]) -> Element | None:
    """Where a story begins."""
    key = info.get("starting_location")
    return Element.objects.filter(world=world, kind="location", key=key).first() if key else None


def told(world: World, findings: list[Finding]) -> list[Told]:
    """Findings with their pages."""
    return [Told(finding, address_of(world, finding.where)) for finding in findings]


def address_of(world: World, where: str) -> str:
    """The page where something at `where` (of a finding, or a path of a document) can be seen or put right.

    Empty for places that have no page, such as a file that is no part of a world.
    """
    found = element_of(where)
    file, key = place(where)
    if found is None:
        return _file_address(world, file, key)
    name, at = found
    if isinstance(at, int):
        row = Element.objects.filter(world=world, kind=name, position=at).first()
        if row is None:
            return reverse("worlds:source_file", args=[world.pk, file])
        at = row.key
    slug = BY_NAME[name].slug
    broken = not key and name != "prompt" and ": " not in where
    view = "worlds:source" if broken and not _readable(world, name, at) else "worlds:element"
    return reverse(view, args=[world.pk, slug, at])


def _readable(world: World, name: str, key: str) -> bool:
    """Whether an element has a title of its own: what cannot be read is called by its key."""
    return not Element.objects.filter(world=world, kind=name, key=key, title=key, summary="").exists()


def _file_address(world: World, file: str, key: str) -> str:
    if file != "world.json":
        return reverse("worlds:source_file", args=[world.pk, file]) if document_of(file) else ""
    if not key:
        return reverse("worlds:source_file", args=[world.pk, file])
    field = key.partition("[")[0].partition(".")[0]
    section = "openings" if field in OPENINGS else "about" if field in ABOUT else ""
    if section:
        return reverse("worlds:edit", args=[world.pk, section])
    return reverse("worlds:source_file", args=[world.pk, file])
