"""Files that arrive for a library: staged, read, and waiting for an answer where the same thing is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from formats.errors import DomainError
from formats.messages import gettext_noop
from formats.stable_json import read_json, write_json
from portal.models import Person
from worlds.data import data_folder
from worlds.library.access import Access, Item
from worlds.library.models import LibraryItem
from worlds.library.room import count_file
from worlds.store.paths import new_token
from worlds.store.staging import Staging

UPLOAD_NAME: Final = "upload.json"
LONGEST_NAME: Final = 300
MOST_SHOWN: Final = 20
MOST_LISTED: Final = 30

Told = TypeVar("Told")


class StagedUpload(BaseModel):
    """`upload.json` of a staged file: what it is for, whose it is, and what it is to be called."""

    model_config = ConfigDict(frozen=True, validate_by_name=True, validate_by_alias=True)

    schema_: Annotated[str, Field(alias="schema")]
    upload: str
    owner: str
    filename: str
    name: str = ""
    language: str = ""
    from_card: str = ""
    size: Annotated[int, Field(ge=0)] = 0
    sha256: str = ""

    @property
    def known(self) -> dict[str, Any]:
        """What a report is told of the file when it is kept."""
        return self.model_dump(include={"filename", "size", "sha256", "name"})


@dataclass(frozen=True, slots=True)
class Arrival:
    """A file in the staging that is being read."""

    folder: Path
    staged: StagedUpload

    def named(self, *names: str) -> StagedUpload:
        """The upload under the first name there is: a person's own, one of `names`, that of the file."""
        given = (self.staged.name, *names, Path(self.staged.filename).stem)
        name = next((name.strip() for name in given if name.strip()), "")[:LONGEST_NAME]
        staged = self.staged.model_copy(update={"name": name})
        staging().write(staged.upload, UPLOAD_NAME, _bytes_of(staged))
        return staged


def staging() -> Staging:
    """The uploads of this server."""
    return Staging(data_folder())


@contextmanager
def arriving(
    kind: type[LibraryItem], actor: Person, data: bytes, original: str, limit: int, **said: Any
) -> Iterator[Arrival]:
    """Stage a file as `original`; an exception inside the block keeps nothing of it.

    `said` are further fields of `StagedUpload`: filename, name, language, from_card.

    Raises:
        DomainError: `too-large`, `full`, `limited`.
    """
    count_file(actor)
    said["filename"] = shown_name(said.get("filename", ""), kind.kind)
    said["name"] = said.get("name", "").strip()[:LONGEST_NAME]
    staged = StagedUpload(
        schema_=_schema(kind),
        upload=new_token(),
        owner=actor.handle,
        size=len(data),
        sha256=sha256(data).hexdigest(),
        **said,
    )
    room = staging()
    folder = room.begin(staged.upload)
    try:
        with room.receive(staged.upload, original, limit) as receiving:
            receiving.write(data)
        room.write(staged.upload, UPLOAD_NAME, _bytes_of(staged))
        yield Arrival(folder, staged)
    except BaseException:
        room.discard(staged.upload)
        raise


def staged_for(kind: type[LibraryItem], person: Person, upload_id: str) -> StagedUpload:
    """A person's own upload that waits; for everybody else it does not exist.

    Raises:
        DomainError: `not-found`: discarded, kept, expired after seven days, or somebody else's.
    """
    try:
        stored = (staging().folder(upload_id) / UPLOAD_NAME).read_bytes()
        staged = StagedUpload.model_validate(read_json(stored))
    except (OSError, ValidationError, ValueError, DomainError) as error:
        raise _no_such_upload(kind, upload_id) from error
    if staged.owner != person.handle or staged.schema_ != _schema(kind):
        raise _no_such_upload(kind, upload_id)
    return staged


def waiting_of(
    kind: type[LibraryItem], person: Person, told: Callable[[StagedUpload], Told | None]
) -> list[Told]:
    """What is `told` of a person's own files that wait, those that came last first; the first few of them.

    One that is still being read, or was answered meanwhile, raises inside `told` and is passed over.
    """
    found = []
    for staged in _all_staged_for(kind, person)[:MOST_LISTED]:
        with suppress(DomainError, OSError):
            one = told(staged)
            if one is not None:
                found.append(one)
    return found


def _all_staged_for(kind: type[LibraryItem], person: Person) -> list[StagedUpload]:
    """A person's own uploads of a kind, those that came last first; one that is being read is among them."""
    found: list[tuple[float, StagedUpload]] = []
    for upload_id in staging().ids():
        with suppress(DomainError, OSError):  # of another room, somebody else's, or discarded meanwhile
            staged = staged_for(kind, person, upload_id)
            found.append(((staging().folder(upload_id) / UPLOAD_NAME).stat().st_mtime, staged))
    return [staged for _at, staged in sorted(found, key=lambda one: -one[0])]


def discard(kind: type[LibraryItem], person: Person, upload_id: str) -> None:
    """Forget a file that waits. One that is gone already is fine, somebody else's is not touched."""
    try:
        staged_for(kind, person, upload_id)
    except DomainError as error:
        if error.kind == "not-found":
            return
        raise
    staging().discard(upload_id)


def identical_items(access: Access[Item], person: Person, content_hash: str, beside: str = "") -> list[Item]:
    """The items a person may read that say exactly the same, whatever they are called; newest first."""
    if not content_hash:
        return []
    found = access.readable(person).filter(content_hash=content_hash).exclude(pk=beside)
    return list(found.select_related("owner").order_by("-created_at", "pk")[:MOST_SHOWN])


def shown_name(filename: str, otherwise: str) -> str:
    """The name a file came with, for people only: never a path, no control characters."""
    last = filename.replace("\\", "/").rpartition("/")[2]
    return "".join(char for char in last if char.isprintable())[:LONGEST_NAME] or otherwise


def _schema(kind: type[LibraryItem]) -> str:
    return f"{kind.kind}-upload/v1"


def _bytes_of(staged: StagedUpload) -> bytes:
    return write_json(staged.model_dump(mode="json", by_alias=True)).encode("utf-8", "replace")


def _no_such_upload(kind: type[LibraryItem], upload_id: str) -> DomainError:
    return DomainError(
        "not-found",
        f"{kind.kind}.no-such-upload",
        upload_id[:80],
        gettext_noop("This file does not wait any more. It was kept, discarded, or its seven days are over."),
        gettext_noop("Upload it again if you still need it."),
    )
