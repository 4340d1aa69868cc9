"""An import in the history: its records are shown to nobody there, and never taken back or restored (D38)."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse

from formats.errors import DomainError
from tests.support.cards import english_card
from tests.support.importing import imported
from tests.support.people import People, client_of, share
from worlds import actions
from worlds.models import World
from worlds.queries import folder_of

FILE = "a-secret-file-name.json"


@pytest.fixture
def mira(people: People, data_root: Path) -> World:
    """A world of Ana's that was imported; Ben may read it, Cyd may edit it."""
    world = imported(people.ana, english_card(), FILE)
    share(people.ben, "world", world.pk)
    share(people.cyd, "world", world.pk, "edit")
    return world


def import_of(world: World) -> str:
    [record] = [record for record in folder_of(world).history() if record.what == "import"]
    assert any(path.startswith(".import/") for path in record.changed), "the import has records"
    assert record.note == FILE
    return record.id


def at(name: str, world: World, change_id: str) -> str:
    return reverse(f"worlds:{name}", args=[world.pk, change_id])


def records_of(world: World) -> dict[str, bytes]:
    return folder_of(world).read_all(".import")


@pytest.mark.parametrize("who", ["ana", "cyd"])
def test_an_import_is_not_taken_back(people: People, mira: World, who: str) -> None:
    client, change_id, before = client_of(getattr(people, who)), import_of(mira), folder_of(mira).read_all()
    records = records_of(mira)
    assert at("undo", mira, change_id) not in client.get(at("change", mira, change_id)).content.decode()
    answer = client.post(at("undo", mira, change_id))
    assert answer.status_code == 409
    assert "move the whole world to the trash" in answer.content.decode()
    assert folder_of(mira).read_all() == before
    assert records_of(mira) == records


@pytest.mark.parametrize("who", ["ana", "cyd"])
def test_a_record_is_not_restored(people: People, mira: World, who: str) -> None:
    with folder_of(mira).change(by="test", what="edit") as change:
        former = change.read(".import/report.json")
        change.write(".import/report.json", b"{}")
        change.write("lore/rope.json", b"{}")
    client = client_of(getattr(people, who))
    answer = client.post(at("restore", mira, change.id), {"path": ".import/report.json"})
    assert answer.status_code == 404
    assert folder_of(mira).read(".import/report.json") == b"{}" != former


@pytest.mark.parametrize("who", ["ana", "cyd"])
def test_taking_a_change_back_leaves_the_records(people: People, mira: World, who: str) -> None:
    with folder_of(mira).change(by="test", what="edit") as change:
        change.write(".import/report.json", b"{}")
        change.write("lore/rope.json", b"{}")
    client = client_of(getattr(people, who))
    assert at("undo", mira, change.id) in client.get(at("change", mira, change.id)).content.decode()
    assert client.post(at("undo", mira, change.id)).status_code == 303
    assert not folder_of(mira).has("lore/rope.json")
    assert folder_of(mira).read(".import/report.json") == b"{}"


def test_a_change_of_records_alone_is_not_taken_back(people: People, mira: World) -> None:
    with folder_of(mira).change(by="test", what="edit") as change:
        change.write(".import/report.json", b"{}")
    with pytest.raises(DomainError) as refused:
        actions.undo_change(actor=people.ana, world=mira, change_id=change.id)
    assert refused.value.code == "import-stays"


@pytest.mark.parametrize("who", ["ana", "ben", "cyd"])
def test_the_history_shows_no_record_and_no_file_name(people: People, mira: World, who: str) -> None:
    change_id = import_of(mira)
    client = client_of(getattr(people, who))
    timeline = client.get(reverse("worlds:history", args=[mira.pk])).content.decode()
    answer = client.get(at("change", mira, change_id))
    page = answer.content.decode()
    assert "world.json" in page, "the import itself is told"
    assert at("change", mira, change_id) in timeline
    for text in (timeline, page):
        assert ".import" not in text
        assert FILE not in text
    assert [file.path for file in answer.context["files"] if file.path.startswith(".")] == []
