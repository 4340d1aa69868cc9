"""The importer's background work: reading an upload, arranging a card, fetching its pictures."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from formats.card.choice import Choices
from formats.errors import DomainError
from formats.messages import gettext_noop, ngettext_noop
from importer.actions.drafts import settle
from importer.actions.start import PICTURES_JOB, STRUCTURE_JOB, submit_pictures
from importer.actions.uploads import READING_JOB, settle_reading
from importer.model_import import prepare, steps_of
from importer.models import Upload
from importer.pipeline.pictures import fetch_pictures
from importer.pipeline.reading import read_in_child
from importer.pipeline.record import ImportRecord, Stage
from importer.pipeline.steps import StructureImport
from llm.tasks import TaskRecord
from net.download import Downloader
from portal.jobs import JobRun, JobStopped, job
from worlds.actions import index_world
from worlds.data import data_folder
from worlds.models import World
from worlds.queries import folder_of, quota_left
from worlds.store.folder import ItemFolder
from worlds.store.staging import Staging

STAGES: tuple[Stage, ...] = ("ready", "surveyed", "built", "done")
MESSAGES: dict[Stage, str] = {
    "ready": gettext_noop("Sorting every piece of the card"),
    "surveyed": gettext_noop("Writing the world's documents"),
    "built": gettext_noop("Putting the world together and checking it"),
    "repair": gettext_noop("Everything is in the world; something must be mended before a story can start"),
    "done": gettext_noop("The world is ready"),
}

MODEL_MESSAGES: dict[Stage, str] = {
    **MESSAGES,
    "ready": gettext_noop("Reading every piece of the card"),
    "surveyed": gettext_noop("Writing people, places and things"),
}
ANSWERED = ngettext_noop("{count} question answered", "{count} questions answered")


@job(READING_JOB)
async def read_upload(run: JobRun) -> None:
    """Read a staged file in a child process; an upload that was discarded meanwhile needs no reading."""
    upload = await run.in_database(Upload.objects.filter(pk=run.subject).first)
    if upload is None or upload.state != Upload.State.READING:
        return
    try:
        folder = await run.in_thread(Staging(data_folder()).folder, run.subject)
        reading = await run.in_thread(read_in_child, folder)
        await run.check()
        await run.in_database(
            settle_reading, upload_id=run.subject, reading=reading, language=run.data.get("language")
        )
    except DomainError as error:
        if error.kind != "not-found" or await run.in_database(still_reading, run.subject):
            raise


def still_reading(upload_id: str) -> bool:
    return Upload.objects.filter(pk=upload_id, state=Upload.State.READING).exists()


@job(STRUCTURE_JOB)
async def import_structure(run: JobRun) -> None:
    """Go on with an import from the stage that is stored; each is stored before it is rung (RUN-3)."""
    world = await run.in_database(find_world, run.subject)
    record = ImportRecord(folder_of(world))
    choices = await run.in_thread(record.choices)
    await run.check()
    try:
        if choices.way == "model":
            await read_with_model(run, world, choices)
        else:
            await arrange_by_code(run, world, record)
    finally:
        await run.in_database(index_world, owner=world.owner, world_id=world.id)
    await run.in_database(after_import, world.id)


async def read_with_model(run: JobRun, world: World, choices: Choices) -> None:
    """Survey, build and finish in a turn of the world's conversation (RUN-1, RUN-2)."""
    answers = 0

    async def told(stage: Stage) -> None:
        done = STAGES.index("done" if stage == "repair" else stage)
        await run.progress(stage=stage, done=done, total=len(STAGES) - 1, message=MODEL_MESSAGES[stage])

    async def kept(record: TaskRecord) -> None:
        nonlocal answers
        answers += 1
        await run.progress(message=ANSWERED, args={"count": answers})

    prepared = await run.in_database(prepare, world, choices, run.job_id)
    try:
        await steps_of(world, prepared, kept).run(told)
    except JobStopped:
        if not run.lost:
            await prepared.turn.end("stopped")
        raise


async def arrange_by_code(run: JobRun, world: World, record: ImportRecord) -> None:
    """The whole import in a thread; no model reads anything."""
    loop = asyncio.get_running_loop()

    def told(stage: Stage) -> None:
        done = STAGES.index("done" if stage == "repair" else stage)
        telling = run.progress(stage=stage, done=done, total=len(STAGES) - 1, message=MESSAGES[stage])
        asyncio.run_coroutine_threadsafe(telling, loop).result()

    steps = StructureImport(record, by=world.owner.handle, now=lambda: datetime.now(UTC))
    await run.in_thread(steps.run, told)


def after_import(world_id: str) -> None:
    world = find_world(world_id)
    if ImportRecord(folder_of(world)).reading().urls:
        submit_pictures(world)


def find_world(world_id: str) -> World:
    """The world of a job.

    Raises:
        DomainError: `not-found` when it was moved to the trash meanwhile.
    """
    world = World.objects.select_related("owner").filter(pk=world_id).first()
    if world is None:
        raise DomainError(
            "not-found",
            "world.gone",
            world_id,
            gettext_noop(
                "The world of this import is in the trash or gone. What was finished is kept with it."
            ),
            gettext_noop("Restore it from the trash, and the import goes on."),
        )
    return world


def library_size(folder: ItemFolder) -> int:
    """Bytes of the pictures a world keeps in its library."""
    return sum(folder.size(path) for path in folder.paths("images/library"))


@job(PICTURES_JOB)
async def import_pictures(run: JobRun) -> None:
    """Fetch the pictures a card names, up to the owner's space (PIC-1); a failure stops nothing."""
    world = await run.in_database(find_world, run.subject)
    folder = folder_of(world)
    reading = await run.in_thread(ImportRecord(folder).reading)
    left, before = await run.in_database(quota_left, world.owner), await run.in_thread(library_size, folder)

    def room() -> int:
        """What is left now: the index of the world, by which space is counted, follows after the run only."""
        return max(0, left - (library_size(folder) - before))

    async def told(done: int, total: int) -> None:
        await run.progress(done=done, total=total, message=gettext_noop("Fetching the card's pictures"))

    async with Downloader() as downloader:
        await fetch_pictures(
            folder,
            reading.urls,
            downloader,
            by=world.owner.handle,
            quota_left=room,
            on_progress=told,
            stopped=lambda: run.stopped,
            again=bool(run.data.get("again")),
        )
    await run.in_database(index_world, owner=world.owner, world_id=world.id)
    await run.in_database(settle, await run.in_database(find_world, run.subject))
