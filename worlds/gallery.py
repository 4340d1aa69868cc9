"""The pictures of a world as a page shows them."""

from __future__ import annotations

import os
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from worlds.downloads import sniff_file
from worlds.models import World
from worlds.queries import PICTURES, folder_of
from worlds.store.picture_list import LibraryPicture
from worlds.store.pictures import FOLDER, PictureLibrary


@dataclass(frozen=True, slots=True)
class Shown:
    """One picture: addresses, words, size in bytes and pixels, origin, and who shows it (label, address)."""

    file: str
    address: str
    small: str
    alt: str
    name: str
    size: int
    width: int
    height: int
    origin: str
    link: str
    in_library: bool
    uses: list[tuple[str, str]]


def gallery_of(world: World) -> list[Shown]:
    """Every picture: those outside of the library (cover, portraits) first, then the library in its order."""
    folder = folder_of(world)
    library = {picture.file: picture for picture in PictureLibrary(folder).pictures()}
    others = [path for path in folder.paths("images") if path.endswith(PICTURES) and path not in library]
    shown = [_other(world, path) for path in others]
    return [*shown, *(_of_library(world, picture) for picture in library.values())]


def _other(world: World, path: str) -> Shown:
    folder = folder_of(world)
    with folder.open(path) as file:
        info, size = sniff_file(file), file.seek(0, os.SEEK_END)
    width, height = (info.width, info.height) if info else (0, 0)
    return _shown(world, path, "", size, width, height, _("Made with the world"), "")


def _of_library(world: World, picture: LibraryPicture) -> Shown:
    told = {"user": _("Uploaded"), "card": _("From the card"), "downloaded": _("Downloaded")}
    origin, link = told[picture.origin.kind], picture.origin.address
    name = picture.origin.original_name
    return _shown(
        world, picture.file, picture.alt, picture.size, picture.width, picture.height, origin, link, name
    )


def _shown(
    world: World,
    file: str,
    alt: str,
    size: int,
    width: int,
    height: int,
    origin: str,
    link: str,
    name: str = "",
) -> Shown:
    path = file.removeprefix("images/")
    return Shown(
        file=file,
        address=reverse("worlds:picture", args=[world.pk, path]),
        small=reverse("worlds:small", args=[world.pk, 256, path]),
        alt=alt,
        name=name or path,
        size=size,
        width=width,
        height=height,
        origin=origin,
        link=link,
        in_library=file.startswith(f"{FOLDER}/"),
        uses=[_use(world, *use) for use in world.picture_uses.get(file, ())],
    )


def _use(world: World, slug: str, key: str, title: str) -> tuple[str, str]:
    if not slug:
        return _("Cover of the world"), reverse("worlds:overview", args=[world.pk])
    return title, reverse("worlds:element", args=[world.pk, slug, key])
