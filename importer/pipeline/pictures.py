"""Fetching the pictures a card names, in the background and resumable (PIC-1 to PIC-5).

Results are stored as they come, in batches: first the pictures in the library, then what became of each
address in `.import/pictures.json`. A run that is cut off asks again only for what is not in that file. A
picture stored just before the cut is recognised by the address in its origin.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Protocol
from urllib.parse import unquote, urlsplit

from formats.errors import DomainError
from formats.messages import gettext_noop
from importer.pipeline.picture_report import FILE, AddressResult, PictureReport, candidates, read_report
from importer.pipeline.record import StoredError, record_bytes
from net.download import Fetched, NotFetched
from worlds.store.folder import ItemFolder
from worlds.store.picture_list import Origin
from worlds.store.pictures import Added, Copy, Kept, NewPicture, PictureLibrary, QuotaLeft, Refused

AT_ONCE: Final = 8
BATCH: Final = 16  # results stored in one change of the world
BATCH_BYTES: Final = 24_000_000
BATCH_SECONDS: Final = 5.0  # the oldest result waits no longer than this
LOOK_SECONDS: Final = 0.5  # how often a run that waits looks whether it was stopped
LONGEST_NAME: Final = 200  # characters kept of the name that an address gives its picture

OnProgress = Callable[[int, int], Awaitable[None]]
"""Told `(settled addresses, all addresses)`, each time after the results are stored."""


class Downloads(Protocol):
    """What is needed of `net.download.Downloader`."""

    async def fetch(self, url: str) -> Fetched | NotFetched: ...


async def fetch_pictures(
    folder: ItemFolder,
    addresses: Iterable[str],
    downloader: Downloads,
    *,
    by: str,
    quota_left: QuotaLeft,
    on_progress: OnProgress,
    stopped: Callable[[], bool],
    again: bool = False,
) -> PictureReport:
    """Fetch what the addresses of a card give, and keep the pictures in the world's library.

    At most `AT_ONCE` downloads run together. Addresses settled in an earlier run are not asked again, except
    those that failed for a reason that may have passed. Nothing an address does raises. A full account, a
    full disk or a lock that stays taken ends the run with a plain sentence in `ended`; what is stored stays.

    Args:
        by: who the change is shown to be made by.
        quota_left: bytes the owner may still use, None without a limit; asked before each batch, in a thread.
        on_progress: what it raises ends the run and comes out of here.
        stopped: asked often; once it says yes, running downloads are dropped, to be asked another time.
        again: ask also those that failed for good.

    Raises:
        DomainError: at the start only: `not-found` when the world is gone, `invalid` for a damaged report.
    """
    report = (await asyncio.to_thread(read_report, folder)).model_copy(update={"ended": None})
    wanted, known = candidates(addresses), report.by_address()
    waiting = [address for address in wanted if _is_open(known.get(address), again)]
    others = await asyncio.to_thread(PictureLibrary(folder).other_pictures)
    keeper = _Keeper(folder, report, others, by, quota_left)
    settled = len(wanted) - len(waiting)
    await on_progress(settled, len(wanted))
    async with aclosing(_batches(waiting, downloader, stopped)) as batches:
        async for batch in batches:
            settled += await asyncio.to_thread(keeper.keep, batch)
            await on_progress(settled, len(wanted))
            if keeper.report.ended:
                break
    return keeper.report


def _is_open(result: AddressResult | None, again: bool) -> bool:
    return result is None or (result.result == "failed" and (result.passing or again))


Answer = tuple[str, Fetched | NotFetched]


async def _batches(
    addresses: Sequence[str], downloader: Downloads, stopped: Callable[[], bool]
) -> AsyncGenerator[list[Answer], None]:
    """Answers in batches, as they come. Downloads go on while a batch is being stored."""
    clock = asyncio.get_running_loop().time
    waiting, running = iter(addresses), list[asyncio.Task[Answer]]()
    batch: list[Answer] = []
    since = clock()
    try:
        while not stopped():
            while len(running) < AT_ONCE and (address := next(waiting, None)) is not None:
                running.append(asyncio.create_task(_asked(downloader, address)))
            if not running:
                break
            await asyncio.wait(running, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            since = since if batch else clock()
            came = [task for task in running if task.done()]
            running = [task for task in running if task not in came]
            batch += [task.result() for task in came]
            if batch and (_is_full(batch) or clock() - since > BATCH_SECONDS):
                yield batch
                batch = []
        if batch:
            yield batch
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def _is_full(batch: Sequence[Answer]) -> bool:
    size = sum(len(answer.data) for _, answer in batch if isinstance(answer, Fetched))
    return len(batch) >= BATCH or size >= BATCH_BYTES


async def _asked(downloader: Downloads, address: str) -> Answer:
    return address, await downloader.fetch(address)


@dataclass
class _Keeper:
    """Stores one batch after the other; `report` is what is stored."""

    folder: ItemFolder
    report: PictureReport
    also_known: Mapping[str, str]
    by: str
    quota_left: QuotaLeft

    def keep(self, batch: Sequence[Answer]) -> int:
        """Store a batch; returns how many of its addresses are settled now.

        When it cannot be stored, or not wholly, `report.ended` says why.
        """
        try:
            became = self._with_pictures_kept(batch)
            settled = [_result(address, end) for address, end in became if not _is_out_of_room(end)]
            ended = OUT_OF_ROOM if len(settled) < len(became) else None
            self._write(self.report.with_results(settled, ended))
        except DomainError as error:
            self.report = self.report.model_copy(update={"ended": StoredError.of(error)})
            return 0
        return len(settled)

    def _with_pictures_kept(self, batch: Sequence[Answer]) -> list[tuple[str, Added | NotFetched]]:
        """The batch with what became of its pictures in the place of their bytes."""
        new = [_new_picture(address, answer) for address, answer in batch if isinstance(answer, Fetched)]
        library = PictureLibrary(self.folder)
        at, known = datetime.now(UTC), self.also_known
        added = iter(
            library.add(new, by=self.by, now=at, quota_left=self.quota_left, also_known=known) if new else []
        )
        became = [(address, next(added) if isinstance(end, Fetched) else end) for address, end in batch]
        return self._with_own_recognised(became, library)

    @staticmethod
    def _with_own_recognised(
        became: list[tuple[str, Added | NotFetched]], library: PictureLibrary
    ) -> list[tuple[str, Added | NotFetched]]:
        """A copy of what the same address gave in a run that was cut off is that picture itself."""
        if not any(isinstance(end, Copy) for _, end in became):
            return became
        pictures = {picture.file: picture for picture in library.pictures()}
        recognised: list[tuple[str, Added | NotFetched]] = []
        for address, end in became:
            own = pictures.get(end.file) if isinstance(end, Copy) else None
            recognised.append((address, Kept(own) if own and own.origin.address == address else end))
        return recognised

    def _write(self, report: PictureReport) -> None:
        with self.folder.change(by=self.by, what="fetch-pictures", history=False) as change:
            change.write(FILE, record_bytes(report))
        self.report = report


OUT_OF_ROOM = StoredError(
    code="pictures.quota",
    where=FILE,
    message=gettext_noop(
        "The space of this account is used up, so the rest of the card's pictures was not fetched."
        " What was fetched is kept."
    ),
    hint=gettext_noop("Free some space, then fetch the missing pictures again."),
)


def _is_out_of_room(end: Added | NotFetched) -> bool:
    return isinstance(end, Refused) and end.finding.code == "picture.quota"


def _new_picture(address: str, answer: Fetched) -> NewPicture:
    name = unquote(urlsplit(answer.final_url).path.rpartition("/")[2])[:LONGEST_NAME]
    return NewPicture(answer.data, Origin("downloaded", address, name))


def _result(address: str, end: Added | NotFetched) -> AddressResult:
    at = datetime.now(UTC).isoformat(timespec="seconds")
    if isinstance(end, Kept):
        return AddressResult(address=address, result="kept", at=at, file=end.picture.file)
    if isinstance(end, Copy):
        return AddressResult(address=address, result="copy", at=at, file=end.file)
    told = end.finding if isinstance(end, Refused) else end
    passing = isinstance(end, NotFetched) and end.passing
    return AddressResult(
        address=address, result="failed", at=at, code=told.code, message=told.message, passing=passing
    )
