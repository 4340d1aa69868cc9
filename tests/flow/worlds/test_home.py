"""The list of worlds: from the index alone, searched, sorted, filtered, paged, refreshed by row."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from portal.models import Job, Person
from tests.flow.worlds.conftest import MakeWorld
from tests.support.people import People, client_of, share
from tests.support.worlds import small_world
from worlds import actions
from worlds.models import World


def rows(owner: Person, count: int, **fields: object) -> list[World]:
    """Rows of worlds without folders: a list must not need them."""
    now = timezone.now()
    made = [
        World(
            id=f"isle-{i:04}-{'a' * 20}",
            owner=owner,
            name=f"Isle {i:04}",
            name_key=f"isle {i:04}",
            created_at=now - timedelta(days=i),
            updated_at=now,
            used_at=now - timedelta(minutes=i),
            **{"counts": {"character": 3}, "findings": [{"x": "y" * 500}] * 5, **fields},
        )
        for i in range(count)
    ]
    return World.objects.bulk_create(made)


@pytest.mark.usefixtures("data_root")
def test_a_page_of_many_worlds_takes_the_same_few_queries(people: People) -> None:
    rows(people.ana, 3)
    client = client_of(people.ana)
    client.get("/")
    with CaptureQueriesContext(
        connection,
    ) as few:
        client.get("/")
    World.objects.all().delete()
    rows(people.ana, 300)
    with CaptureQueriesContext(connection) as many:
        answer = client.get("/")
    assert len(answer.context["rows"]) == 30
    assert len(many) == len(few)
    assert not any("findings" in query["sql"] for query in many)


@pytest.mark.usefixtures("data_root")
def test_search_sort_filter_and_pages(people: People) -> None:
    rows(people.ana, 40)
    World.objects.filter(name="Isle 0007").update(draft=True, problems=2, description="A port of salt.")
    client = client_of(people.ana)

    def names(**query: str) -> list[str]:
        return [row["world"].name for row in client.get("/", query).context["rows"]]

    assert names(q="ISLE 0031") == ["Isle 0031"]
    assert names(q="salt") == ["Isle 0007"]
    assert names(only="draft") == ["Isle 0007"] == names(only="problems")
    assert names(sort="name")[:2] == ["Isle 0000", "Isle 0001"]
    assert names(sort="created", page="2")[0] == "Isle 0030"
    assert names(q="nothing like it") == []


@pytest.mark.usefixtures("data_root")
def test_shared_worlds_stand_in_the_list_with_their_owner(people: People) -> None:
    [world] = rows(people.ana, 1)
    assert client_of(people.ben).get("/").context["rows"] == []
    share(people.ben, "world", world.pk)
    page = client_of(people.ben).get("/", {"only": "shared"})
    [row] = page.context["rows"]
    assert row["shared_by"] == "ana"
    assert reverse("worlds:trash_world", args=[world.pk]) not in page.content.decode()


@pytest.mark.usefixtures("data_root")
def test_only_rows_with_a_running_job_refresh_themselves(people: People) -> None:
    first, _second = rows(people.ana, 2)
    job = Job.objects.create(
        owner=people.ana, kind="test", subject=first.pk, title="Copying", state=Job.State.RUNNING
    )
    client = client_of(people.ana)
    assert client.get("/").content.decode().count('data-bell="item:') == 1
    address = reverse("worlds:row", args=[first.pk])
    headers = {"HX-Request": "true"}
    seen = client.get("/").context["rows"][0]["seen"]
    assert client.get(address, {"seen": seen}, headers=headers).status_code == 204
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE, version=9)
    ended = client.get(address, {"seen": seen}, headers=headers).content.decode()
    assert "Isle 0000" in ended
    assert "hx-trigger" not in ended


@pytest.mark.usefixtures("data_root")
def test_an_empty_home_says_what_a_world_is(people: People) -> None:
    page = client_of(people.cyd).get("/").content.decode()
    assert "No worlds yet" in page
    assert reverse("worlds:new") in page


def test_a_world_from_nothing(people: People, data_root: object) -> None:
    client = client_of(people.ana)
    assert client.post(reverse("worlds:new"), {"name": "", "language": "en"}).status_code == 422
    answer = client.post(reverse("worlds:new"), {"name": "Salt & Fog", "language": "en"}, follow=True)
    world = World.objects.get(owner=people.ana)
    assert (world.name, world.draft, world.source_kind) == ("Salt & Fog", True, "blank")
    assert "before a story can start" in answer.content.decode()


@pytest.mark.req("WORLD-1")
def test_the_index_is_rebuilt_from_the_folders(people: People, make_world: MakeWorld) -> None:
    world = make_world(small_world())
    World.objects.all().delete()
    rows(people.ana, 1)
    assert actions.reindex(owner=people.ana) == (1, 1)
    assert list(World.objects.values_list("pk", flat=True)) == [world.pk]
