"""`Change`: what the block of `ItemFolder.change` writes through."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from formats.errors import DomainError
from formats.messages import gettext_noop
from formats.stable_json import write_json
from worlds.store import atomic, commit, listing
from worlds.store.etags import ANY, check_condition, digest_of, etag_of
from worlds.store.locks import Holding
from worlds.store.paths import is_hidden, refuse_bad_path
from worlds.store.record import ChangeRecord, FileChange, new_change_id
from worlds.store.refusals import plain_refusals, refusal


class Change:
    """Writes and removals that are applied together when the block ends.

    Reading through it shows what was staged. `id` names the change in the item's history. Made by
    `ItemFolder.change` only.
    """

    def __init__(self, item: Path, by: str, what: str, note: str, history: bool) -> None:
        now = datetime.now(UTC)
        self.id = new_change_id(now)
        self._head = (self.id, now.isoformat(), by, what, note)
        self._history = history
        self._item = item
        self._pending = commit.Pending(item)
        self._after: dict[str, str | None] = {}  # by path: digest of the new bytes, None = removed
        self._numbers: dict[str, int] = {}  # by path: where its new bytes are staged
        self._expected: dict[str, str] = {}  # conditions, looked at once more just before the commit
        self._failure: DomainError | None = None  # of staging: then nothing is applied, caught or not
        self._open = True

    def write(self, path: str, data: bytes, if_match: str = ANY) -> str:
        """Stage the new bytes of a file.

        Args:
            path: a document path (`paths.is_document_path`).
            if_match: ANY, ABSENT (the file must not exist) or the ETag it must have now.

        Returns:
            The new ETag. Bytes that are there already are accepted whatever the condition says: it is a
            write tried again whose answer was lost.

        Raises:
            DomainError: `precondition` with the current ETag in `values["etag"]`; `invalid` for a path;
                `full`; `unavailable`.
        """
        self._refuse(path)
        digest, current = digest_of(data), self._digest(path)
        if digest != current:
            self._note(path, digest, current, if_match)
            self._stage(path, lambda number: self._pending.stage(number, data))
        return etag_of(digest)

    def copy(self, source: str, path: str, if_match: str = ANY) -> str:
        """Stage what lies at `source` before this change as the new bytes of `path`: `write` for large files.

        Nothing is read into memory. Where the disk has hard links both paths name the same bytes from then on
        and take their room once; a later write gives its path bytes of its own.

        Raises:
            DomainError: `not-found` when there is no such file; else as `write`.
        """
        self._refuse(path)
        refuse_bad_path(source)
        digest, current = listing.digest_on_disk(self._item, source), self._digest(path)
        if digest is None:
            raise listing.no_such_file(source)
        if digest != current:
            self._note(path, digest, current, if_match)
            self._stage(path, lambda number: self._pending.stage_copy(number, source))
        return etag_of(digest)

    def write_json(self, path: str, value: Any, if_match: str = ANY) -> str:
        """`write` in the form of every file of ours (`stable_json`)."""
        return self.write(path, write_json(value).encode(), if_match)

    def remove(self, path: str, if_match: str = ANY) -> None:
        """Stage the removal of a file; its bytes are kept in the trash of the item.

        Raises:
            DomainError: `not-found` when it is not there; else as `write`.
        """
        self._refuse(path)
        current = self._digest(path)
        check_condition(if_match, current, path)
        if current is None:
            raise listing.no_such_file(path)
        self._note(path, None, current, if_match)
        self._stage(path, self._pending.drop)

    def read(self, path: str) -> bytes:
        """The bytes of a file as they will be. Raises DomainError `not-found`."""
        if path not in self._after:
            return listing.read_file(self._item, path)
        if self._after[path] is None:
            raise listing.no_such_file(path)
        with plain_refusals(path):
            return self._pending.staged(self._numbers[path])

    def read_json(self, path: str) -> Any:
        """`read`, parsed. Raises DomainError `invalid` when it is not JSON."""
        return listing.parsed(self.read(path), path)

    def etag(self, path: str) -> str:
        """The ETag of a file as it will be; ABSENT when there will be none."""
        return etag_of(self._digest(path))

    def has(self, path: str) -> bool:
        """Whether the file will be there."""
        return self._after[path] is not None if path in self._after else listing.has_file(self._item, path)

    def paths(self, under: str = "", hidden: bool = False) -> list[str]:
        """`ItemFolder.paths` as it will be."""
        there = {
            path for path in listing.document_paths(self._item, under, hidden) if path not in self._after
        }
        staged = {path for path, digest in self._after.items() if digest is not None}
        return sorted(there | {path for path in staged if listing.is_wanted(path, under, hidden)})

    def apply(self, holding: Holding) -> None:
        """Apply everything staged, or nothing. Called by `ItemFolder.change` at the end of the block.

        Raises:
            DomainError: `precondition` when a file changed outside since it was looked at; `full`,
                `unavailable`. Nothing was changed, except for the code `will-be-finished`.
        """
        self._open = False
        if self._failure:
            raise self._failure
        if not self._after:
            return
        with plain_refusals():
            for folder in sorted(
                {(self._item / path).parent for path, after in self._after.items() if after}
            ):
                atomic.make_folders(folder)
        if not self._history and len(self._after) == 1:
            self._place_alone()
            return
        record = self._prepared()
        if record.changed:
            self._commit(record, holding)
        else:
            self.abandon()

    def abandon(self) -> None:
        """Forget what was staged, unless the commit has happened already."""
        self._open = False
        if not commit.has_happened(self._item):
            with suppress(OSError):  # what stays is removed by the next holder of the lock
                self._pending.discard()

    def _commit(self, record: ChangeRecord, holding: Holding) -> None:
        try:
            self._pending.commit(record)
        except OSError as error:
            raise (_will_be_finished() if commit.has_happened(self._item) else refusal(error)) from error
        try:
            commit.apply(self._item, record, holding)
        except OSError as error:
            raise _will_be_finished() from error

    def _prepared(self) -> ChangeRecord:
        """Keep the former bytes and look at the conditions once more, against exactly what was kept."""
        files = {}
        for path, after in self._after.items():
            with plain_refusals(path):
                if self._history:
                    before = self._pending.keep_former(path)
                else:
                    before = listing.digest_on_disk(self._item, path)
            check_condition(self._expected.get(path, ANY), before, path)
            files[path] = FileChange(before, after)
        return ChangeRecord(*self._head, files=files, history=self._history)

    def _place_alone(self) -> None:
        """One record file without history: a rename alone is all or nothing."""
        [(path, after)] = self._after.items()
        target = self._item / path
        check_condition(self._expected.get(path, ANY), listing.digest_on_disk(self._item, path), path)
        with plain_refusals(path):
            if after is None:
                atomic.remove_file(target)
            else:
                self._pending.make_durable()
                atomic.rename_file(self._pending.folder / "0", target)
            atomic.sync_folder(target.parent)
        self.abandon()

    def _stage(self, path: str, step: Callable[[int], None]) -> None:
        try:
            with plain_refusals(path):
                step(self._numbers[path])
        except DomainError as error:
            self._failure = error
            raise

    def _refuse(self, path: str) -> None:
        if not self._open:
            raise RuntimeError("a change is written to inside its block only")
        refuse_bad_path(path)
        if not self._history and not is_hidden(path):
            raise ValueError(f"{path}: only records in dot folders may be written without history")

    def _note(self, path: str, after: str | None, current: str | None, if_match: str) -> None:
        check_condition(if_match, current, path)
        if if_match != ANY and path not in self._after:
            self._expected[path] = if_match
        self._after[path] = after
        self._numbers.setdefault(path, len(self._numbers))

    def _digest(self, path: str) -> str | None:
        return self._after[path] if path in self._after else listing.digest_on_disk(self._item, path)


def _will_be_finished() -> DomainError:
    return DomainError(
        "unavailable",
        "will-be-finished",
        message=gettext_noop(
            "The change is stored, but the disk failed while it was put in place. Nothing is lost: it will "
            "be finished as soon as the disk answers again."
        ),
        hint=gettext_noop("Whoever runs the server should look at the disk."),
    )
