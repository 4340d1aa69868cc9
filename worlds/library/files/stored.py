"""A JSON file of an item as one Pydantic model: the one way it is written, and read back strictly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from formats.errors import DomainError
from formats.stable_json import read_json, write_json

Model = TypeVar("Model", bound=BaseModel)


class Files(Protocol):
    """An item's folder, or a change of it: what can be read from both."""

    def read(self, path: str) -> bytes: ...

    def has(self, path: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class StoredFile(Generic[Model]):
    """One file of a kind of item; of one that a hand spoilt `unreadable` and `hint` are said under `code`."""

    path: str
    model: type[Model]
    code: str
    unreadable: str
    hint: str = ""

    def written(self, value: Model) -> bytes:
        """The stored form; what UTF-8 cannot hold of somebody's words is shown as a question mark."""
        return json_bytes(value.model_dump(mode="json", by_alias=True))

    def parsed(self, data: bytes) -> Model:
        """Read the file back. Raises DomainError `invalid` for what another program wrote."""
        try:
            return self.model.model_validate(read_json(data))
        except ValidationError as error:
            raise self.refusal(place_of(error)) from error
        except ValueError as error:
            raise self.refusal("") from error

    def refusal(self, place: str) -> DomainError:
        """What is said of a file whose value at `place` does not fit; of all of it, with an empty place."""
        where = f"{self.path}: {place}" if place else self.path
        return DomainError("invalid", self.code, where, self.unreadable, self.hint)


def json_bytes(value: object) -> bytes:
    """A value as the bytes of a file of ours."""
    return write_json(value).encode("utf-8", "replace")


def place_of(error: ValidationError) -> str:
    """The path of the first value that does not fit."""
    return ".".join(str(part) for part in error.errors()[0]["loc"])
