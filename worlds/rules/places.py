"""Where a story begins, and which places can be reached from there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from formats.finding import Finding
from formats.messages import gettext_noop as _
from worlds.rules.documents import Location
from worlds.rules.load import LoadedWorld
from worlds.rules.paths import document_path


def place_problems(loaded: LoadedWorld) -> Iterator[Finding]:
    """A missing starting location, circles of places within places, and places that no way leads to."""
    locations, world = loaded.locations, loaded.world
    for circle in parent_circles(locations):
        yield _circle(circle, locations)
    if world is None or not locations:
        return
    if not world.starting_location:
        yield Finding(
            "error",
            "starting-location-missing",
            "world.json: starting_location",
            _("This world has places, but none is chosen as the one where a story begins."),
            _("Choose a starting location."),
        )
    elif world.starting_location in locations:
        reached = reachable(locations, world.starting_location)
        if any(kind == "location" for kind, _id in loaded.broken):
            return  # a file that cannot be read may hold the way
        for id in locations:
            if id not in reached:
                yield _unreachable(id, locations[id], locations[world.starting_location])


def reachable(locations: Mapping[str, Location], start: str) -> set[str]:
    """Ids of all places that can be reached from `start`.

    An exit leads there and, unless `one_way`, back again; hidden exits count, since play can find them. Who
    is in a place is also in the larger one it is part of; the way into a smaller place needs an exit.
    """
    ways: dict[str, set[str]] = defaultdict(set)
    for id, location in locations.items():
        if location.parent in locations:
            ways[id].add(location.parent or "")
        for exit in location.exits:
            if exit.to in locations:
                ways[id].add(exit.to)
                if not exit.one_way:
                    ways[exit.to].add(id)
    reached, open_ends = {start}, [start]
    while open_ends:
        for id in ways[open_ends.pop()] - reached:
            reached.add(id)
            open_ends.append(id)
    return reached


def parent_circles(locations: Mapping[str, Location]) -> list[list[str]]:
    """Every circle in which places lie within each other, each once, as ids in order."""
    circles: list[list[str]] = []
    settled: set[str] = set()
    for start in locations:
        path: dict[str, None] = {}
        id = start
        while id in locations and id not in settled and id not in path:
            path[id] = None
            id = locations[id].parent or ""
        if id in path:
            ids = list(path)
            circles.append(ids[ids.index(id) :])
        settled.update(path)
    return circles


def _circle(circle: list[str], locations: Mapping[str, Location]) -> Finding:
    names = ", ".join(locations[id].name for id in circle[:8])
    return Finding(
        "error",
        "parent-cycle",
        f"{document_path('location', circle[0])}: parent",
        _("These places lie within each other in a circle: {names}."),
        _("Take one of them out of the place it lies in."),
        {"names": names, "ids": circle},
    )


def _unreachable(id: str, location: Location, start: Location) -> Finding:
    return Finding(
        "error",
        "location-unreachable",
        f"{document_path('location', id)}: exits",
        _("No way leads from {start}, where a story begins, to {name}."),
        _("Add a way from a place that can be reached."),
        {"start": start.name, "name": location.name},
    )
