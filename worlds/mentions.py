"""Where an element is mentioned: every document that refers to it by its id."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from worlds.elements import element_of
from worlds.kinds import BY_NAME, ElementKind
from worlds.models import Element, World
from worlds.overview import address_of
from worlds.queries import folder_of
from worlds.rules.load import load_world
from worlds.rules.references import references_of

MOST = 200


@dataclass(frozen=True, slots=True)
class Mention:
    """Something that refers to an element: its kind in words, its title, its page."""

    kind: str
    title: str
    address: str


def mentions_of(world: World, kind: ElementKind, key: str) -> list[Mention]:
    """What refers to an element, each thing once. Reads the whole world: for a part that is opened."""
    folder = folder_of(world)
    loaded = folder.consistently(lambda: load_world(folder.path))
    places = [
        f"{path}: {reference.key}"
        for path, document in loaded.by_path().items()
        for reference in references_of(document)
        if reference.id == key and kind.name in reference.kinds
    ]
    return list(_told(world, places))[:MOST]


def _told(world: World, places: list[str]) -> Iterator[Mention]:
    rows = Element.objects.filter(world=world).values_list("kind", "key", "position", "title")
    by_key = {(kind, key): (key, title) for kind, key, _position, title in rows}
    by_place = {(kind, position): (key, title) for kind, key, position, title in rows}
    seen: set[tuple[str, str]] = set()
    for where in places:
        name, at = element_of(where) or ("world", "")
        found = by_place.get((name, at)) if isinstance(at, int) else by_key.get((name, at))
        key, title = found or (str(at), world.name if name == "world" else str(at))
        if (name, key) not in seen:
            seen.add((name, key))
            word = str(BY_NAME[name].singular) if name in BY_NAME else ""
            yield Mention(word, title, address_of(world, where))
