"""`import_card` and `inspect_card`: what they say, what they leave, and how they end."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from importer import queries
from importer.models import Upload
from importer.pipeline.record import ImportRecord
from portal.jobs import waiting_for
from portal.models import Job
from tests.support.cards import chinese_card, english_card, json_bytes, png_card, sillytavern_book, v3
from tests.support.endpoints import an_endpoint, list_address, scripted_beside
from tests.support.import_model import reading_script
from tests.support.invented import invented
from tests.support.people import People
from worlds.data import data_folder
from worlds.models import World
from worlds.queries import folder_of
from worlds.store.staging import Staging

pytestmark = [pytest.mark.usefixtures("data_root"), pytest.mark.django_db(transaction=True)]


def said(command: str, *args: object, code: int = 0, **options: Any) -> tuple[str, str]:
    """What a command writes to its two outputs; it must end with `code`."""
    out, err = io.StringIO(), io.StringIO()
    ended = 0
    try:
        call_command(command, *map(str, args), stdout=out, stderr=err, **options)
    except SystemExit as end:
        ended = int(end.code or 0)
    assert ended == code, err.getvalue()
    return out.getvalue(), err.getvalue()


def put(folder: Path, card: Mapping[str, Any] | bytes, name: str = "card.png") -> Path:
    path = folder / name
    path.write_bytes(card if isinstance(card, bytes) else png_card(card))
    return path


@pytest.mark.req("STRUCT-1")
def test_a_card_becomes_a_world_of_its_owner(people: People, tmp_path: Path) -> None:
    path = put(tmp_path, english_card())
    out, _err = said("import_card", path, "--owner", "ana", "--no-model")
    world = World.objects.get()
    assert (world.owner, world.stage, world.draft) == (people.ana, "done", False)
    assert world.pk in out
    assert "a story can start" in out
    assert path.read_bytes() == png_card(english_card()), "the file itself stays as it is"
    assert [job.kind for job in waiting_for(world.pk)] == ["import-pictures"], "left to the server"
    assert Upload.objects.get().state == "started"


@pytest.mark.req("PREV-1", "PREV-2")
def test_the_choices_of_the_command_are_those_of_the_page(people: People, tmp_path: Path) -> None:
    path = put(tmp_path, english_card())
    options = (
        "--name",
        "Fog",
        "--opening",
        "1",
        "--off",
        "entry:0",
        "entry:1",
        "--language",
        "zh-hans",
        "--wait",
    )
    out, _err = said("import_card", path, "--owner", "ana", "--no-model", *options, "--json")
    [told] = json.loads(out)
    world = World.objects.get()
    assert told == {
        "file": str(path),
        "world": world.pk,
        "name": "Fog",
        "state": "done",
        "draft": False,
        "pieces": queries.totals_of(world),
    }
    choices = folder_of(world).read_json(".import/choices.json")
    assert choices["off"] == ["entry:0", "entry:1", "entry:3"]
    assert (choices["opening"], choices["language"]) == ("greeting:1", "zh-hans")


def test_several_files_each_for_itself(people: People, tmp_path: Path) -> None:
    files = [
        put(tmp_path, english_card()),
        put(tmp_path, json_bytes(sillytavern_book()), "book.json"),
        tmp_path / "missing.png",
        put(tmp_path, v3(first_mes="", alternate_greetings=[]), "draft.png"),
    ]
    out, _err = said("import_card", *files, "--owner", "ana", "--no-model", "--json", code=1)
    told = json.loads(out)
    assert [("error" in one, one.get("draft")) for one in told] == [
        (False, False),
        (True, None),
        (True, None),
        (False, True),
    ]
    assert told[1]["error"]["code"] == "other-file"
    assert World.objects.count() == 2
    assert Staging(data_folder()).ids() == [], "what was not imported is not kept"


def test_a_file_that_is_refused_is_named_in_a_sentence(people: People, tmp_path: Path) -> None:
    path = put(tmp_path, json_bytes(sillytavern_book()), "book.json")
    _out, err = said("import_card", path, "--owner", "ana", "--no-model", code=1)
    assert err.startswith(f"{path}: This is a lorebook")


@pytest.mark.parametrize(
    "options",
    [["--opening", "9"], ["--off", "entry:99"], ["--name", "two\nlines"]],
    ids=lambda options: options[0],
)
def test_a_choice_the_card_does_not_offer_leaves_nothing_behind(
    people: People, tmp_path: Path, options: list[str]
) -> None:
    said("import_card", put(tmp_path, english_card()), "--owner", "ana", "--no-model", *options, code=1)
    assert not World.objects.exists()
    assert Staging(data_folder()).ids() == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--owner", "ana"], "This server has no model to import with. Add --no-model"),
        (["--owner", "nobody", "--no-model"], "There is no person called “nobody”"),
        (["another.png", "--owner", "ana", "--no-model", "--name", "x"], "one file at a time"),
    ],
)
def test_what_cannot_be_tried_is_refused_before_anything_happens(
    people: People, tmp_path: Path, options: list[str], sentence: str
) -> None:
    _out, err = said("import_card", put(tmp_path, english_card()), *options, code=2)
    assert sentence in err
    assert not Upload.objects.exists()
    assert not Job.objects.exists()


def test_an_unknown_language_is_refused(people: People, tmp_path: Path) -> None:
    with pytest.raises(CommandError):
        said("import_card", put(tmp_path, v3()), "--owner", "ana", "--no-model", "--language", "fr")


@pytest.mark.req("CARD-6", "PREV-4")
def test_inspecting_tells_what_is_in_a_card_and_keeps_nothing(tmp_path: Path) -> None:
    path = put(tmp_path, chinese_card())
    out, _err = said("inspect_card", path, "--json")
    told = json.loads(out)
    assert (told["verdict"], told["name"], told["spec"]) == ("card", "潮汐镇", "chara_card_v3")
    assert told["ignored"] == {"regexScripts": 2, "helperScripts": 1}
    assert told["declared"] == 3
    assert told["urls"] == ["https://pictures.example/status.webp"]
    assert Staging(data_folder()).ids() == []
    assert not Upload.objects.exists()


def test_inspecting_writes_lines_for_people(tmp_path: Path) -> None:
    out, _err = said("inspect_card", put(tmp_path, chinese_card()))
    assert "潮汐镇 (chara_card_v3, png:tEXt:ccv3)" in out
    assert "entry:0: '[InitVar]初始变量'" in out
    assert "[off-in-card, variable-data]" in out


def test_inspecting_another_file_names_it(tmp_path: Path) -> None:
    path = put(tmp_path, json_bytes(sillytavern_book()), "book.json")
    out, _err = said("inspect_card", path, "--json", code=1)
    told = json.loads(out)
    assert (told["verdict"], told["error"]["kind"]) == ("other", "lorebook")
    out, _err = said("inspect_card", path, code=1)
    assert out.startswith("This is a lorebook")
    assert Staging(data_folder()).ids() == []


def test_inspecting_a_missing_file_ends_with_two(tmp_path: Path) -> None:
    _out, err = said("inspect_card", tmp_path / "missing.png", code=2)
    assert "cannot be opened" in err
    assert Staging(data_folder()).ids() == []


def test_with_a_model_the_command_reads_the_card(people: People, tmp_path: Path) -> None:
    with scripted_beside(reading_script("en")) as model:
        list_address(model.address)
        an_endpoint(people.ana, model.address, abilities={"schema": True, "streaming": True})
        out, _err = said("import_card", put(tmp_path, invented("several", 5, "en").to_v3()), "--owner", "ana")
    assert "a story can start" in out
    record = ImportRecord(folder_of(World.objects.get()))
    assert record.choices().way == "model"
    assert record.report()["cost"]["requests"] > 10
