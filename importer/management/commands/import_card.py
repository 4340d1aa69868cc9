"""`manage.py import_card FILE… --owner NAME`: cards become worlds, in this process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandParser

from formats.card.choice import Language, Way
from formats.errors import DomainError
from formats.finding import fill
from importer import actions, queries
from importer.actions.start import PICTURES_JOB, STRUCTURE_JOB
from importer.actions.uploads import READING_JOB
from importer.management.commands.inspect_card import chunks_of
from importer.models import Upload
from portal.endpoints.queries import for_purpose
from portal.jobs import run_here
from portal.models import Job, Person, Purpose
from worlds.models import World


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the person at the shell chose; None or empty leaves what the card says."""

    name: str | None
    opening: str | None
    off: tuple[str, ...]
    language: Language | None
    pictures: bool
    way: Way


class Command(BaseCommand):
    """Exit code 0: every file became a world (drafts are named). 1: a file did not. 2: nothing was tried."""

    help = (
        "Import character cards as worlds of a person, with their model for importing or without one. It runs"
        " to its end in this process; pictures that a card names are left to the server unless --pictures is"
        " given."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", metavar="FILE", nargs="+", help="a PNG, JSON, CharX or any other card")
        parser.add_argument("--owner", metavar="NAME", required=True, help="whose worlds they become")
        parser.add_argument(
            "--no-model", action="store_true", help="arrange the card by code alone, without a model"
        )
        parser.add_argument("--name", help="the world's name; one file only")
        parser.add_argument(
            "--opening",
            metavar="N",
            help="the greeting that opens: 0 or greeting:0 is the first; one file only",
        )
        parser.add_argument(
            "--off",
            metavar="ID",
            nargs="+",
            default=[],
            help="entries to leave out besides those off in the card, such as entry:3; one file only",
        )
        parser.add_argument(
            "--language", choices=("en", "zh-hans"), help="of the import (default: the owner's)"
        )
        parser.add_argument("--wait", action="store_true", help="accepted; it always waits")
        parser.add_argument(
            "--pictures", action="store_true", help="fetch the pictures now, over the network"
        )
        parser.add_argument("--json", action="store_true", help="write the results as JSON")

    def handle(self, **options: Any) -> None:
        owner = self._owner(options)
        files = [Path(name) for name in options["files"]]
        wanted = Wanted(
            options["name"],
            greeting_id(options["opening"]),
            tuple(options["off"]),
            options["language"],
            options["pictures"],
            "structure" if options["no_model"] else "model",
        )
        if len(files) > 1 and (wanted.name or wanted.opening or wanted.off):
            self._refuse("--name, --opening and --off are for one file at a time. Nothing was imported.")
        results = [self._one(owner, path, wanted, options["json"]) for path in files]
        if options["json"]:
            self.stdout.write(json.dumps(results, ensure_ascii=False))
        if any("error" in result for result in results):
            raise SystemExit(1)

    def _owner(self, options: dict[str, Any]) -> Person:
        owner = Person.objects.filter(username=options["owner"]).first()
        if owner is None:
            self._refuse(f"There is no person called “{options['owner']}”. Nothing was imported.")
        if not options["no_model"] and for_purpose(owner, Purpose.IMPORTING) is None:
            self._refuse(
                "This server has no model to import with. Add --no-model: the card is then arranged by code"
                " alone. Nothing was imported."
            )
        return owner

    def _one(self, owner: Person, path: Path, wanted: Wanted, as_json: bool) -> dict[str, Any]:
        try:
            world = import_file(owner, path, wanted)
        except OSError as error:
            told = {"code": "file", "message": f"It cannot be opened ({error.strerror})."}
        except DomainError as error:
            sentences = (str(error), fill(error.hint, error.values))
            told = {"code": error.code, "message": " ".join(filter(None, sentences))}
        else:
            return self._imported(path, world, as_json)
        if not as_json:
            self.stderr.write(f"{path}: {told['message']}")
        return {"file": str(path), "error": told}

    def _imported(self, path: Path, world: World, as_json: bool) -> dict[str, Any]:
        totals = queries.totals_of(world)
        if not as_json:
            pieces = ", ".join(f"{count} {outcome}" for outcome, count in totals.items() if count)
            state = "a draft, a story cannot start yet" if world.draft else "a story can start"
            self.stdout.write(f"{path}: {world.name} ({world.pk}): {state}; pieces: {pieces}")
        return {
            "file": str(path),
            "world": world.pk,
            "name": world.name,
            "state": world.stage,
            "draft": world.draft,
            "pieces": totals,
        }

    def _refuse(self, sentence: str) -> NoReturn:
        self.stderr.write(sentence)
        raise SystemExit(2)


def greeting_id(asked: str | None) -> str | None:
    """`3` and `greeting:3` are the same greeting."""
    return f"greeting:{asked}" if asked and asked.isdecimal() else asked


def import_file(owner: Person, path: Path, wanted: Wanted) -> World:
    """One file, the whole way, by the same actions and jobs as the pages.

    Raises:
        OSError: the file cannot be opened.
        DomainError: it is no card, a choice does not fit it, or the import stopped; an upload that was not
            started is removed, a world that was begun stays.
    """
    upload = actions.stage_upload(actor=owner, chunks=chunks_of(path), filename=path.name, counted=False)
    try:
        finish(newest(upload.pk, READING_JOB))
        upload.refresh_from_db()
        refuse_other_files(upload)
        actions.choose(actor=owner, upload=upload, **changes_of(upload, wanted))
    except DomainError:
        actions.discard_upload(actor=owner, upload=upload)
        raise
    world = actions.start_structure(actor=owner, upload=upload)
    finish(newest(world.pk, STRUCTURE_JOB))
    if wanted.pictures and (job := newest(world.pk, PICTURES_JOB)):
        finish(job)
    world.refresh_from_db()
    return world


def changes_of(upload: Upload, wanted: Wanted) -> dict[str, Any]:
    """The choices that differ from those the card begins with."""
    begun = queries.choices_of(upload)
    return {
        "name": wanted.name or begun.name or upload.filename,
        "opening": wanted.opening or begun.opening,
        "off": tuple(dict.fromkeys((*begun.off, *wanted.off))),
        "language": wanted.language or begun.language,
        "way": wanted.way,
    }


def newest(subject: str, kind: str) -> Job | None:
    return Job.objects.filter(subject=subject, kind=kind).first()


def finish(job: Job | None) -> None:
    """Run a job here, or wait for the server that runs it already.

    Raises:
        DomainError: `unavailable`; it failed or was stopped. What it finished is kept.
    """
    if job is None:
        return
    ended = run_here(job)
    if ended.state != Job.State.DONE:
        told = ended.error or "The job was stopped. What is finished is kept."
        raise DomainError(
            "unavailable",
            ended.error_code or "stopped",
            ended.error_where,
            told,
            ended.error_hint,
            ended.error_args,
        )


def refuse_other_files(upload: Upload) -> None:
    """Raise the refusal that reading kept, for a file that is not one card."""
    if upload.state in Upload.NO_CARD:
        error = queries.reading_of(upload).error
        assert error is not None, "a verdict other than card says why"
        raise DomainError("unsupported", error.code, error.where, error.message, error.hint, error.args)
