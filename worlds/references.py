"""What the forms of a world may refer to: its elements from the index, its pictures from the folder."""

from __future__ import annotations

from functools import cached_property

from worlds.models import Element, World
from worlds.queries import PICTURES, folder_of
from worlds.store.pictures import FOLDER, PictureLibrary


class WorldReferences:
    """Answers `leaves.References` for one world; one query for all elements, however many fields ask."""

    def __init__(self, world: World, apart_from: tuple[str, str] = ("", "")) -> None:
        # `apart_from`: kind and key of the element whose form asks; nothing is part of itself.
        self._world, self._apart_from = world, apart_from

    def options(self, kinds: str) -> list[tuple[str, str]]:
        """(id, title) of every element of the kinds, in the order of the kinds and titles."""
        wanted = kinds.split("|")
        return [option for kind in wanted for option in self._by_kind.get(kind, ())]

    def pictures(self) -> list[tuple[str, str]]:
        """(path, what it is called) of every picture."""
        return self._pictures

    @cached_property
    def _by_kind(self) -> dict[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = {}
        rows = Element.objects.filter(world=self._world).exclude(kind="prompt").order_by("title_key", "key")
        for kind, key, title in rows.values_list("kind", "key", "title"):
            if (kind, key) != self._apart_from:
                found.setdefault(kind, []).append((key, title))
        return found

    @cached_property
    def _pictures(self) -> list[tuple[str, str]]:
        folder = folder_of(self._world)
        told = {picture.file: picture for picture in PictureLibrary(folder).pictures()}
        return [
            (path, _called(path, told.get(path)))
            for path in folder.paths("images")
            if path.endswith(PICTURES)
        ]


def _called(path: str, picture: object) -> str:
    alt, origin = getattr(picture, "alt", ""), getattr(picture, "origin", None)
    name = alt or getattr(origin, "original_name", "")
    return name[:80] if name and path.startswith(FOLDER) else path.removeprefix("images/")
