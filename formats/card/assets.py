"""The files of a card: those it lists (V3 `assets`) and those its container brings beside it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from formats.card.charx import EMBEDDED
from formats.card.limits import ALL_ASSETS_BYTES, ASSET_BYTES, MOST_ASSETS
from formats.card.model import Card
from formats.card.payload import Contents, from_base64
from formats.card.picture import Asset, Picture, whole_picture
from formats.card.reasons import Unusable
from formats.notes import Notes

DATA_ADDRESS = re.compile(r"data:[\w.+/;=-]{0,100};base64,", re.IGNORECASE)
DEFAULT = "ccdefault:"


def read_assets(card: Card, contents: Contents, notes: Notes) -> list[Asset]:
    """Every listed file except the default icon, then what the container has and the card does not list.

    A file that is missing, too large or broken is listed without data, with a finding.
    """
    reader = _Reader(contents, notes)
    listed = [item for item in card.data["assets"] if item["uri"] != DEFAULT]
    if len(listed) > MOST_ASSETS:
        notes.add("asset-list-long", "data.assets", limit=MOST_ASSETS)
    assets = [reader.read(item, index) for index, item in enumerate(listed[:MOST_ASSETS])]
    named = {embedded_path(asset.uri) for asset in assets}
    more = [asset for asset in contents.unlisted if embedded_path(asset.uri) not in named]
    return assets + [reader.filled(asset, asset.uri) for asset in more[: MOST_ASSETS - len(assets)]]


class _Reader:
    def __init__(self, contents: Contents, notes: Notes) -> None:
        self.contents = contents
        self.notes = notes
        self.left = ALL_ASSETS_BYTES

    def read(self, item: dict[str, Any], index: int) -> Asset:
        asset = Asset(item["name"], item["type"], item["ext"], item["uri"])
        return self.filled(asset, f"data.assets[{index}]")

    def filled(self, asset: Asset, where: str) -> Asset:
        try:
            data = self.bytes_of(asset.uri, where)
        except Unusable as error:
            self.notes.add("asset-unreadable", where, because=error.because, name=asset.name, **error.values)
            return self.shown(asset)
        if data is not None and len(data) > min(self.left, ASSET_BYTES):
            self.notes.add("asset-too-large", where, name=asset.name)
            data = None
        self.left -= len(data or b"")
        return self.shown(replace(asset, data=data))

    def bytes_of(self, uri: str, where: str) -> bytes | None:
        address = DATA_ADDRESS.match(uri)
        if address:
            return from_base64(uri[address.end() :].encode("utf-8"))
        path = embedded_path(uri)
        if path is None:
            return None
        data = self.contents.asset(path)
        if data is None:
            self.notes.add("asset-missing", where, name=path)
        return data

    @staticmethod
    def shown(asset: Asset) -> Asset:
        """A data address is the file itself: it is not repeated in the list."""
        return replace(asset, uri="data:") if DATA_ADDRESS.match(asset.uri) else asset


def embedded_path(uri: str) -> str | None:
    """The path of a file inside the upload, None for every other address."""
    for start in EMBEDDED:
        if uri.lower().startswith(start):
            return uri[len(start) :]
    return None


def icons(assets: list[Asset]) -> list[Picture]:
    """The icons that are there, the one called main first, as pictures."""
    there = sorted(
        (asset for asset in assets if asset.type == "icon"), key=lambda asset: asset.name != "main"
    )
    return [whole_picture(asset.data) for asset in there if asset.data]
