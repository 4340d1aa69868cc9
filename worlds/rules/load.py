"""A whole world in memory: every file read once, from a folder or from files that are about to be written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from formats.errors import DomainError
from formats.finding import Finding
from formats.messages import gettext_noop as _
from worlds.rules.documents import (
    FOLDER_KINDS,
    KINDS,
    Character,
    Commands,
    Document,
    Faction,
    Item,
    Location,
    Lore,
    Plotline,
    Relationships,
    Triggers,
    Variables,
    WorldFile,
    kind_of,
)
from worlds.rules.files import FolderFiles, MappedFiles, UnreadableFile, WorldFiles
from worlds.rules.paths import document_of, document_path, is_image_path, printable
from worlds.rules.prompts import prompt_of
from worlds.rules.reader import ReadDocument, Unread, parse_document

Changes = Mapping[str, Document | None]
"""Documents by their path, None where one is taken away."""


@dataclass(frozen=True)
class LoadedWorld:
    """What a world folder holds. Nothing is judged here beyond the shape of each file.

    `documents` has an entry for every kind: id to document (id "" for the kinds with one file, which are
    absent where the file is). `broken` are kind and id of documents whose file cannot be read; they exist, so
    references to them do not dangle. `images` are paths below `images/`, `prompts` texts by language and
    name. `findings` speak of files, `unread` of keys that no parser reads.
    """

    documents: Mapping[str, Mapping[str, Document]]
    prompts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    images: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()
    unread: tuple[Unread, ...] = ()
    broken: frozenset[tuple[str, str]] = frozenset()

    @property
    def world(self) -> WorldFile | None:
        """`world.json`, or None where it is missing or cannot be read."""
        return cast("WorldFile | None", self.documents["world"].get(""))

    @property
    def characters(self) -> Mapping[str, Character]:
        """Characters by id."""
        return cast("Mapping[str, Character]", self.documents["character"])

    @property
    def locations(self) -> Mapping[str, Location]:
        """Locations by id."""
        return cast("Mapping[str, Location]", self.documents["location"])

    @property
    def factions(self) -> Mapping[str, Faction]:
        """Factions by id."""
        return cast("Mapping[str, Faction]", self.documents["faction"])

    @property
    def items(self) -> Mapping[str, Item]:
        """Items by id."""
        return cast("Mapping[str, Item]", self.documents["item"])

    @property
    def lore(self) -> Mapping[str, Lore]:
        """Lore entries by id."""
        return cast("Mapping[str, Lore]", self.documents["lore"])

    @property
    def plotlines(self) -> Mapping[str, Plotline]:
        """Plotlines by id."""
        return cast("Mapping[str, Plotline]", self.documents["plotline"])

    @property
    def relationships(self) -> Relationships:
        """The edges between characters; none where there is no file."""
        return cast(Relationships, self.documents["relationships"].get("", Relationships()))

    @property
    def variables(self) -> Variables:
        """The declared variables; none where there is no file."""
        return cast(Variables, self.documents["variables"].get("", Variables()))

    @property
    def commands(self) -> Commands:
        """The slash commands; none where there is no file."""
        return cast(Commands, self.documents["commands"].get("", Commands()))

    @property
    def triggers(self) -> Triggers:
        """The triggers; none where there is no file."""
        return cast(Triggers, self.documents["triggers"].get("", Triggers()))

    def by_path(self) -> dict[str, Document]:
        """Every document by its path, in the order of kinds and, within a kind, of paths."""
        return {
            document_path(kind, id): document
            for kind, documents in self.documents.items()
            for id, document in documents.items()
        }

    def changed(self, changes: Changes) -> LoadedWorld:
        """This world with some documents replaced or taken away, as if it had been written and read again.

        Raises:
            ValueError: a path of `changes` is no document's.
        """
        documents = {kind: dict(held) for kind, held in self.documents.items()}
        names = set()
        for path, document in changes.items():
            name = document_of(path)
            if name is None or (document is not None and kind_of(document).name != name[0]):
                raise ValueError(f"{path} is not the path of this document")
            names.add(name)
            documents[name[0]].pop(name[1], None)
            if document is not None:
                documents[name[0]][name[1]] = document
        for kind in {kind for kind, _id in names}:
            documents[kind] = dict(sorted(documents[kind].items(), key=lambda held: f"{held[0]}.json"))
        return replace(
            self,
            documents=documents,
            broken=self.broken - names,
            findings=tuple(found for found in self.findings if found.where.split(": ")[0] not in changes),
            unread=tuple(unread for unread in self.unread if unread.where not in changes),
        )


def load_world(path: Path | str) -> LoadedWorld:
    """Read a world folder. Links are not followed, dot folders and litter of other programs are passed over.

    Where others may write at the same time, read through the store, so that no half of a change is seen:
    `folder.consistently(lambda: load_world(folder.path))`.

    Raises:
        DomainError: `not-found` where there is no such folder.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise DomainError(
            "not-found",
            "no-such-world",
            "",
            _("This world is not here. It may have been moved to the trash."),
        )
    return _loaded(FolderFiles(folder))


def load_files(files: Mapping[str, bytes], images: Iterable[str] = ()) -> LoadedWorld:
    """Read a world from files that are not written yet: path to bytes, plus paths of pictures that exist."""
    return _loaded(MappedFiles(files, tuple(images)))


class _Reading:
    """What has been read so far of one world."""

    def __init__(self) -> None:
        self.documents: dict[str, dict[str, Document]] = {kind: {} for kind in KINDS}
        self.prompts: dict[tuple[str, str], str] = {}
        self.images: set[str] = set()
        self.findings: list[Finding] = []
        self.unread: list[Unread] = []
        self.broken: set[tuple[str, str]] = set()

    def add(self, files: WorldFiles, path: str) -> None:
        """Read one file by what its path says it is."""
        name, prompt = document_of(path), prompt_of(path)
        if is_image_path(path):
            self.images.add(path)
        elif name is None and prompt is None:
            self.findings.append(_unread_file(path))
        else:
            try:
                data = files.read(path)
            except UnreadableFile as problem:
                self.findings.append(problem.finding)
                self.broken |= {name} if name else set()
            else:
                self._take(path, data, name, prompt)

    def _take(
        self, path: str, data: bytes, name: tuple[str, str] | None, prompt: tuple[str, str] | None
    ) -> None:
        if name is not None:
            self._add_document(name, parse_document(name[0], data, path))
        elif prompt is not None:
            try:
                self.prompts[prompt] = data.decode("utf-8-sig")
            except UnicodeDecodeError:
                self.findings.append(_not_text(path))

    def _add_document(self, name: tuple[str, str], read: ReadDocument) -> None:
        self.findings += read.findings
        self.unread += read.unread
        if read.document is None:
            self.broken.add(name)
        else:
            self.documents[name[0]][name[1]] = read.document


def _loaded(files: WorldFiles) -> LoadedWorld:
    reading = _Reading()
    for path in files.paths():
        reading.add(files, path)
    return LoadedWorld(
        documents=reading.documents,
        prompts=reading.prompts,
        images=frozenset(reading.images),
        findings=(*files.findings, *reading.findings),
        unread=tuple(reading.unread),
        broken=frozenset(reading.broken),
    )


def _unread_file(path: str) -> Finding:
    """A copy made by a sync program or a bad name among the documents may hide work, so it is a warning."""
    likely = path.endswith(".json") and path.split("/")[0] in FOLDER_KINDS
    path = printable(path)
    return Finding(
        "warning" if likely else "info",
        "unread-file",
        path,
        _("{file} is no part of a world, so it is not read."),
        _("It stays where it is. Rename it if it was meant to be a document, a prompt or a picture."),
        {"file": path},
    )


def _not_text(path: str) -> Finding:
    return Finding(
        "error",
        "not-text",
        path,
        _("{file} is not UTF-8 text."),
        _("The file was left as it is. Save it again as UTF-8, or remove it."),
        {"file": path},
    )
