"""The files an import leaves behind: as staged before the start, as `.import/` inside the world afterwards.

The same files lie in both places, so that starting an import is a rename. Readers are typed; a file that
another version or another program wrote is refused and left as it is (FIN-4).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from formats.card import Card
from formats.card.choice import Choices
from formats.errors import DomainError
from formats.messages import gettext_noop
from formats.stable_json import read_json, write_json

if TYPE_CHECKING:  # the process that reads an upload needs the records only, and starts sooner without
    from worlds.store.change import Change
    from worlds.store.folder import ItemFolder

FOLDER = ".import"
STATE = f"{FOLDER}/state.json"
CARDS = "cards"
"""Where the cards of a file that lists several lie beside it, by number."""
PROVENANCE_SCHEMA = "dsh-roleplay-import/v1"

Stage = Literal["ready", "surveyed", "built", "repair", "done"]
STAGES: tuple[Stage, ...] = get_args(Stage)
Outcome = Literal["carried", "converted", "guidance", "read", "omitted", "awaiting"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


class Record(BaseModel):
    """What every record file has in common: strict, keys in declared order, its schema named."""

    model_config = ConfigDict(strict=True, extra="forbid", populate_by_name=True, serialize_by_alias=True)


class UploadInfo(Record):
    """`upload.json`: the file as it came. Size in bytes.

    `taken_from` is the upload that listed this card as its n-th (`number`, from 1); empty for a file of its
    own.
    """

    schema_: Literal["roleplay-upload/v1"] = Field("roleplay-upload/v1", alias="schema")
    upload: str
    filename: str
    size: int
    sha256: str
    taken_from: str = ""
    number: int = Field(0, ge=0, lt=2**31)


class StoredAsset(Record):
    """An asset the card names; `file` is where its bytes lie beside the card, if it carried them."""

    name: str
    type: str
    ext: str
    uri: str
    file: str | None = None


class StoredError(Record):
    """A refusal kept for the page: template and values apart, like a finding."""

    code: str
    where: str
    message: str
    hint: str = ""
    args: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def of(cls, error: DomainError) -> StoredError:
        return cls(
            code=error.code, where=error.where, message=error.message, hint=error.hint, args=error.values
        )


class Reading(Record):
    """`read.json`: what reading the upload gave.

    `verdict` "card" has a `card.json` beside it; "other" says in `kind` what the file is; "several" holds
    `count` cards; "unreadable" has only the error.
    """

    schema_: Literal["roleplay-reading/v1"] = Field("roleplay-reading/v1", alias="schema")
    verdict: Literal["card", "other", "several", "unreadable"]
    error: StoredError | None = None
    kind: str = ""
    count: int = 0
    container: str = ""
    spec: str = ""
    findings: list[dict[str, Any]] = Field(default_factory=list)
    regex_scripts: int = 0
    helper_scripts: int = 0
    urls: list[str] = Field(default_factory=list)
    assets: list[StoredAsset] = Field(default_factory=list)
    picture: str | None = Field(None, pattern=r"^picture\.[a-z]{3,4}$")


class ImportState(Record):
    """`state.json`: how far an import is (RUN-3).

    `fence` grows with every worker that takes the import up: one that wakes late finds a higher number and
    writes nothing. `kept` means the owner keeps the draft as it is (D35): nothing waits any more. `spent`:
    seconds that a model was at work since somebody last started the import or let it go on (RUN-4).
    """

    schema_: Literal["roleplay-import-state/v1"] = Field("roleplay-import-state/v1", alias="schema")
    stage: Stage
    started_at: str
    fence: int = 0
    reviewing: bool = False
    kept: bool = False
    spent: float = 0.0
    error: StoredError | None = None


class PieceRecord(Record):
    """One piece in `pieces.json`: exactly one outcome (OUT-1), and the paths of what it became.

    `title` is the piece's own (an entry's); empty where only its field names it. `size` in characters.
    """

    id: str
    title: str
    size: int
    outcome: Outcome = "awaiting"
    made: list[str] = Field(default_factory=list)
    reason: str = ""


class Pieces(Record):
    """`pieces.json`: the account of every piece."""

    schema_: Literal["roleplay-pieces/v1"] = Field("roleplay-pieces/v1", alias="schema")
    pieces: list[PieceRecord]

    def totals(self) -> dict[str, int]:
        """Outcome → count, every outcome named; the counts add up to the number of pieces."""
        counts: dict[str, int] = dict.fromkeys(OUTCOMES, 0)
        for piece in self.pieces:
            counts[piece.outcome] += 1
        return counts


def record_bytes(record: BaseModel | Mapping[str, Any]) -> bytes:
    """The bytes of a record file."""
    if isinstance(record, BaseModel):
        return f"{record.model_dump_json(indent=2)}\n".encode()
    return write_json(dict(record)).encode("utf-8")


RecordType = TypeVar("RecordType", bound=Record)


def read_record(model: type[RecordType], data: bytes, where: str) -> RecordType:
    """Read a record file back.

    Raises:
        DomainError: `invalid`; not JSON, another schema, or written by a newer version. The file is left as
            it is.
    """
    try:
        return model.model_validate(read_json(data))
    except (ValueError, ValidationError) as error:
        raise unreadable_record(where) from error


def unreadable_record(where: str) -> DomainError:
    """A file of the import that is not as we write it; it is left as it is."""
    return DomainError(
        "invalid",
        "import.record-unreadable",
        where,
        gettext_noop("The import record {where} cannot be read. The world's own files are not affected."),
        gettext_noop("Restore the file from a backup, or move the world's .import folder away."),
        {"where": where},
    )


class CardFiles:
    """The read side: a folder that holds `card.json`, `read.json`, `choices.json` and what belongs to
    them.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def has(self, name: str) -> bool:
        return (self.path / name).is_file()

    def bytes_of(self, name: str) -> bytes:
        """The bytes of one record file.

        Raises:
            DomainError: `not-found` when the file is gone.
        """
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            raise DomainError(
                "not-found",
                "import.record-missing",
                name,
                gettext_noop("The import record {where} is missing. Nothing else was changed."),
                args={"where": name},
            ) from None

    def upload(self) -> UploadInfo:
        return read_record(UploadInfo, self.bytes_of("upload.json"), "upload.json")

    def reading(self) -> Reading:
        return read_record(Reading, self.bytes_of("read.json"), "read.json")

    def card(self) -> Card:
        """The normalised card (V3).

        Raises:
            DomainError: the file is missing or is not a card.
        """
        return Card.from_v3(read_json(self.bytes_of("card.json")))

    def choices(self) -> Choices:
        return Choices.from_json(read_json(self.bytes_of("choices.json")))

    def listed_cards(self) -> list[Path]:
        """The files of the cards that a list of several held, in its order; empty for every other upload."""
        return sorted((self.path / CARDS).glob("*.json"), key=lambda file: int(file.stem))

    def picture(self) -> Path | None:
        """The card's picture, if it has one that could be kept. It may be large: never read as a whole."""
        name = self.reading().picture
        return self.path / name if name is not None and self.has(name) else None


class ImportRecord(CardFiles):
    """The `.import/` folder of a world: everything of `CardFiles`, and how far the import is."""

    def __init__(self, folder: ItemFolder) -> None:
        super().__init__(folder.path / FOLDER)
        self.folder = folder

    @property
    def exists(self) -> bool:
        return self.has("state.json")

    def state(self) -> ImportState:
        return read_record(ImportState, self.bytes_of("state.json"), "state.json")

    def pieces(self) -> Pieces:
        return read_record(Pieces, self.bytes_of("pieces.json"), "pieces.json")

    def report(self) -> dict[str, Any]:
        """`report.json` as it was written by the import that finished."""
        value = read_json(self.bytes_of("report.json"))
        if not isinstance(value, dict):
            raise ValueError("report.json is not an object")
        return value

    def take_up(self) -> ImportState:
        """Take the import up; gives the state with this worker's fence number. Earlier workers write no
        more.
        """
        with self._change() as change:
            state = self.state_in(change)
            taken = state.model_copy(update={"fence": state.fence + 1, "error": None})
            change.write(STATE, record_bytes(taken))
        return taken

    def advance(
        self, after: Stage, to: Stage, fence: int, files: Mapping[str, BaseModel | Mapping[str, Any]]
    ) -> None:
        """Store what a step made and the stage it reached, as one change: a crash repeats the step, no more.

        Raises:
            DomainError: `conflict` out of order (RUN-3) or for a worker that lost its turn.
        """
        with self._change() as change:
            state = self.state_in(change)
            refuse_stale(state, fence)
            refuse_out_of_order(state.stage, after)
            for name, value in files.items():
                change.write(f"{FOLDER}/{name}", record_bytes(value))
            change.write(STATE, record_bytes(state.model_copy(update={"stage": to, "error": None})))

    def update_state(self, **fields: Any) -> ImportState:
        """Change fields of `state.json` that are the owner's to change (`kept`)."""
        with self._change() as change:
            state = self.state_in(change).model_copy(update=fields)
            change.write(STATE, record_bytes(state))
        return state

    def settle(self) -> None:
        """A draft in which a story can start by now is an ordinary world (DRAFT-4)."""
        with self._change() as change:
            state = self.state_in(change)
            if state.stage == "repair":
                settled = state.model_copy(update={"stage": "done", "kept": False, "error": None})
                change.write(STATE, record_bytes(settled))

    def note_error(self, error: DomainError, fence: int) -> None:
        """Keep why the import stopped; its stage stays, to go on from. A stale worker notes nothing."""
        with self._change() as change:
            state = self.state_in(change)
            if fence == state.fence:
                told = state.model_copy(update={"error": StoredError.of(error)})
                change.write(STATE, record_bytes(told))

    def state_in(self, change: Change) -> ImportState:
        """The state as it is under the lock of this change."""
        return read_record(ImportState, change.read(STATE), "state.json")

    def _change(self) -> AbstractContextManager[Change]:
        return self.folder.change(by="import", what="import-record", history=False)


def refuse_stale(state: ImportState, fence: int) -> None:
    """A worker that woke late writes nothing.

    Raises:
        DomainError: `conflict`.
    """
    if fence < state.fence:
        raise DomainError(
            "conflict",
            "import.stale-worker",
            "state.json",
            gettext_noop("Another worker has taken this import up. This one wrote nothing."),
        )


def refuse_out_of_order(stage: Stage, wanted: Stage) -> None:
    """RUN-3: each step starts from the stage before it and from no other.

    Raises:
        DomainError: `conflict`.
    """
    if stage != wanted:
        raise DomainError(
            "conflict",
            "import.out-of-order",
            "state.json",
            gettext_noop(
                "The import is at the stage {stage}, this step starts from {wanted}. Nothing was changed."
            ),
            gettext_noop("Open the import again: the page shows the stage it has reached."),
            {"stage": stage, "wanted": wanted},
        )


def with_line(provenance: bytes | None, line: Mapping[str, Any]) -> bytes:
    """`provenance.json` with one more line (FIN-4).

    Raises:
        DomainError: `conflict` for a file of another schema, which stays untouched.
    """
    value: Any = {"schema": PROVENANCE_SCHEMA, "imports": []} if provenance is None else None
    if provenance is not None:
        try:
            value = read_json(provenance)
        except ValueError:
            value = None
    if (
        not isinstance(value, dict)
        or value.get("schema") != PROVENANCE_SCHEMA
        or not isinstance(value.get("imports"), list)
    ):
        raise DomainError(
            "conflict",
            "import.provenance-schema",
            f"{FOLDER}/provenance.json",
            gettext_noop(
                "The record of earlier imports was written by another program. It was left as it is."
            ),
            gettext_noop("Move .import/provenance.json away, then continue the import."),
        )
    return record_bytes({**value, "imports": [*value["imports"], dict(line)]})
