"""States of a preset on disk: `preset.json` (the file, without secrets), versions and the draft.

A version and the draft hold the package in our own form without its `raw`, which is the same for all of them
and stands once, in `preset.json`. Nothing in these files is believed: they are read as any upload is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

from formats.errors import DomainError
from formats.messages import gettext_noop
from formats.preset.export import sillytavern_of
from formats.preset.model import PresetPackage
from formats.preset.reader import read_value
from formats.preset.reading import Reading
from formats.preset.refusals import PresetError
from formats.stable_json import canonical_json, read_json, write_json

RAW_FILE: Final = "preset.json"
DRAFT_FILE: Final = "draft.json"
STATE: Final = "preset-state/v1"
NAMES_IN_RAW: Final = frozenset({"name", "preset_name"})


@dataclass(frozen=True, slots=True)
class Draft:
    """Edits that are in no version yet, and the version they were made on."""

    base: int
    package: PresetPackage


def package_value(package: PresetPackage) -> dict[str, Any]:
    """The package without what stands elsewhere: the raw file, and the name that the library knows."""
    value = package.to_json()
    return {name: part for name, part in value.items() if name not in ("id", "name", "raw")}


def raw_bytes(package: PresetPackage) -> bytes:
    """`preset.json`."""
    return _bytes_of(dict(package.raw or {}))


def state_bytes(package: PresetPackage) -> bytes:
    """A version's file."""
    return _bytes_of({"schema": STATE, "package": package_value(package)})


def draft_bytes(draft: Draft) -> bytes:
    """`draft.json`."""
    return _bytes_of({"schema": STATE, "base": draft.base, "package": package_value(draft.package)})


def read_raw(data: bytes) -> dict[str, Any]:
    """`preset.json` again. Raises DomainError `invalid` for what another program wrote."""
    return _object(data, RAW_FILE)


def read_state(data: bytes, path: str, raw: Mapping[str, Any], *, id: str, name: str) -> PresetPackage:
    """The package of a version's file, with the raw file it belongs to.

    Raises:
        DomainError: `invalid`, a hand has spoilt the file at `path`.
    """
    return _package(_object(data, path), path, raw, id, name)[0]


def read_draft(data: bytes, raw: Mapping[str, Any], *, id: str, name: str) -> Draft:
    """`draft.json` again. Raises as `read_state`."""
    value = _object(data, DRAFT_FILE)
    base = value.get("base")
    if type(base) is not int or base < 1:
        raise _unreadable(DRAFT_FILE)
    return Draft(base, _package(value, DRAFT_FILE, raw, id, name)[0])


def content_hash(package: PresetPackage) -> str:
    """Equal for presets that say the same, whatever they and their files are called.

    What a preset says is its file as it would leave here, so that one which comes back is known, and where
    the places of this program stand, which that file has not.
    """
    file = {name: value for name, value in sillytavern_of(package).items() if name not in NAMES_IN_RAW}
    names = {prompt.id: prompt.source_identifier or prompt.id for prompt in package.prompts}
    order = [[names.get(item.prompt_id, item.prompt_id), item.enabled] for item in package.prompt_order]
    places = sorted(canonical_json(prompt.to_json()) for prompt in package.prompts if prompt.is_our_hole)
    said = canonical_json([file, order, places])
    return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def _package(
    value: Mapping[str, Any], path: str, raw: Mapping[str, Any], id: str, name: str
) -> tuple[PresetPackage, Reading]:
    stored = value.get("package")
    if not isinstance(stored, dict):
        raise _unreadable(path)
    try:
        package, reading = read_value(stored, id=id, name=name)
    except PresetError as error:
        raise _unreadable(path) from error
    return replace(package, raw=raw, name=name), reading


def _object(data: bytes, path: str) -> dict[str, Any]:
    try:
        value = read_json(data)
    except ValueError as error:
        raise _unreadable(path) from error
    if not isinstance(value, dict):
        raise _unreadable(path)
    return value


def _bytes_of(value: Any) -> bytes:
    return write_json(value).encode("utf-8", "replace")


def _unreadable(path: str) -> DomainError:
    return DomainError(
        "invalid",
        "preset.file-unreadable",
        path,
        gettext_noop("{path} of this preset cannot be read. Nothing was changed."),
        gettext_noop("Correct it by hand, or bring back a former version."),
        {"path": path},
    )
