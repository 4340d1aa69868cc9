"""Whole worlds: exported, copied, renamed, moved to the trash and brought back, swept."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from portal.models import Job, Share
from tests.support.cards import english_card
from tests.support.importing import imported
from tests.support.people import People, client_of, share
from worlds import actions, jobs
from worlds.models import World
from worlds.queries import folder_of, shelf_of


def at(name: str, world: World, *parts: object) -> str:
    return reverse(f"worlds:{name}", args=[world.pk, *parts])


def with_records(world: World) -> None:
    """Give a world the records of an import."""
    with folder_of(world).change(by="test", what="import", history=False) as change:
        change.write(".import/original", b"the card")
        change.write_json(".import/state.json", {"schema": "x", "stage": "done"})


def zipped(body: bytes) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(body))


@pytest.mark.req("WORLD-3")
def test_an_export_is_the_world_without_dot_folders(people: People, fog_harbour: World) -> None:
    with_records(fog_harbour)
    answer = client_of(people.ana).get(at("export_zip", fog_harbour))
    archive = zipped(b"".join(answer.streaming_content))  # type: ignore[attr-defined]
    names = {name.removeprefix("雾港/") for name in archive.namelist()}
    assert names == set(folder_of(fog_harbour).published_paths())
    assert archive.read("雾港/world.json") == folder_of(fog_harbour).read("world.json")
    assert "filename*=utf-8''" in answer["Content-Disposition"].lower()


def test_a_copy_has_everything_but_the_import(people: People, fog_harbour: World) -> None:
    with_records(fog_harbour)
    share(people.ben, "world", fog_harbour.pk)
    client = client_of(people.ben)
    answer = client.post(at("duplicate", fog_harbour), {"name": "雾港二"}, follow=True)
    assert answer.status_code == 200
    copy = World.objects.get(owner=people.ben)
    assert copy.name == "雾港二"
    assert set(folder_of(copy).paths(hidden=True)) == set(folder_of(fog_harbour).published_paths())
    source = folder_of(copy).read_json("world.json")["source"]
    assert (source["kind"], source["world"]) == ("copy", fog_harbour.pk)


def test_a_large_world_is_copied_by_a_job(
    people: People, fog_harbour: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "COPY_FILES_AT_ONCE", 3)
    answer = client_of(people.ana).post(at("duplicate", fog_harbour), {"name": "Second"})
    job = Job.objects.get(kind="copy-world")
    assert answer["Location"] == reverse("portal:job", args=[job.pk])
    for _again in range(2):  # a job that is run again after a crash makes no second copy
        jobs._copy(people.ana.pk, fog_harbour.pk, job.data["name"], job.data["made"])
    assert World.objects.filter(owner=people.ana, name="Second").count() == 1


def test_another_name_keeps_the_address(people: People, fog_harbour: World) -> None:
    answer = client_of(people.ana).post(at("rename", fog_harbour), {"name": "Fog Harbour"})
    assert answer["Location"] == at("overview", fog_harbour)
    assert folder_of(fog_harbour).read_json("world.json")["name"] == "Fog Harbour"


def test_trash_undo_and_the_address_of_a_trashed_world(people: People, fog_harbour: World) -> None:
    share(people.ben, "world", fog_harbour.pk)
    client = client_of(people.ana)
    answer = client.post(at("trash_world", fog_harbour), follow=True)
    assert not World.objects.filter(pk=fog_harbour.pk).exists()
    gone = client.get(at("overview", fog_harbour))
    assert gone.status_code == 404
    assert "in the trash until" in gone.content.decode()
    assert "in the trash" not in client_of(people.ben).get(at("overview", fog_harbour)).content.decode()
    [notice] = answer.context["messages"]
    assert client.post(notice.extra_tags.removeprefix("undo:")).status_code == 303
    assert client.get(at("overview", fog_harbour)).status_code == 200
    assert client_of(people.ben).get(at("overview", fog_harbour)).status_code == 200


def test_a_shared_world_cannot_be_trashed_by_an_editor(people: People, fog_harbour: World) -> None:
    share(people.ben, "world", fog_harbour.pk, "edit")
    assert client_of(people.ben).post(at("trash_world", fog_harbour)).status_code == 403
    assert folder_of(fog_harbour).exists()


def test_the_trash_page_counts_days_and_empties_what_was_asked(
    people: People, fog_harbour: World, saltmarsh: World
) -> None:
    share(people.ben, "world", fog_harbour.pk)
    client = client_of(people.ana)
    for world in (fog_harbour, saltmarsh):
        client.post(at("trash_world", world))
    page = client.get(reverse("worlds:trash"))
    assert [days for _item, days in page.context["items"]] == [30, 30]
    doomed = next(item for item, _days in page.context["items"] if item.item_id == fog_harbour.pk)
    client.post(reverse("worlds:empty_trash"), {"entry": doomed.entry_id})
    assert [item.item_id for item in shelf_of(people.ana).trashed()] == [saltmarsh.pk]
    assert not Share.objects.filter(item_id=fog_harbour.pk).exists()
    assert (
        client_of(people.cyd).post(reverse("worlds:empty_trash"), {"entry": doomed.entry_id}).status_code
        == 303
    )
    assert len(shelf_of(people.ana).trashed()) == 1


def test_sweep_removes_what_is_older_than_thirty_days(
    people: People, fog_harbour: World, saltmarsh: World
) -> None:
    actions.rename_world(actor=people.ana, world=saltmarsh, name="Marsh")
    actions.trash_world(actor=people.ana, world=fog_harbour)
    early = actions.sweep(now=timezone.now() + timedelta(days=29))
    assert (early["worlds"], early["versions"]) == (0, 0)
    late = actions.sweep(now=timezone.now() + timedelta(days=31))
    assert (late["worlds"], late["versions"]) == (1, 1)
    assert folder_of(saltmarsh).read_json("world.json")["name"] == "Marsh"


# --- commands -------------------------------------------------------------------------------------------


def told(capsys: pytest.CaptureFixture[str], *command: str) -> tuple[int, str]:
    try:
        call_command(*command)
    except SystemExit as end:
        return int(end.code or 0), capsys.readouterr().out
    return 0, capsys.readouterr().out


def test_check_world_by_command(
    people: People, fog_harbour: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(capsys, "check_world", fog_harbour.pk)[0] == 0
    (folder_of(fog_harbour).path / "locations" / "旧码头.json").unlink()
    code, out = told(capsys, "check_world", fog_harbour.pk, "--json")
    answer: dict[str, Any] = json.loads(out)
    assert code == 1
    assert not answer["ok"]
    assert any(finding["severity"] == "error" for finding in answer["findings"])
    assert told(capsys, "check_world", "nothing-here")[0] == 2


def test_export_world_by_command(
    people: People, saltmarsh: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.zip"
    assert told(capsys, "export_world", saltmarsh.pk, str(out))[0] == 0
    assert "Saltmarsh/world.json" in zipped(out.read_bytes()).namelist()
    before = out.read_bytes()
    assert told(capsys, "export_world", saltmarsh.pk, str(out))[0] == 2
    assert out.read_bytes() == before
    assert told(capsys, "export_world", saltmarsh.pk, str(tmp_path / "no" / "out.zip"))[0] == 1
    assert told(capsys, "export_world", "nothing-here", str(tmp_path / "x.zip"))[0] == 2
    assert not (tmp_path / "x.zip").exists()


def test_reindex_and_sweep_by_command(
    people: People, saltmarsh: World, capsys: pytest.CaptureFixture[str]
) -> None:
    World.objects.all().delete()
    code, out = told(capsys, "reindex", "--json")
    assert (code, json.loads(out)["worlds"]) == (0, 1)
    assert World.objects.filter(pk=saltmarsh.pk).exists()
    assert told(capsys, "reindex", "--owner", "nobody")[0] == 2
    code, out = told(capsys, "sweep", "--json")
    assert (code, json.loads(out)["worlds"]) == (0, 0)


def test_the_page_of_an_export_says_what_stays_behind(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    page = client.get(at("export", fog_harbour)).content.decode()
    assert at("export_zip", fog_harbour) in page
    assert "The card stays behind" not in page
    from_card = imported(people.ana, english_card())
    page = client.get(at("export", from_card)).content.decode()
    assert "The card stays behind" in page
    assert f"/import/{from_card.pk}/original/" in page
    share(people.ben, "world", from_card.pk, "read")
    page = client_of(people.ben).get(at("export", from_card)).content.decode()
    assert "original/" not in page  # readers see no import (D38)
