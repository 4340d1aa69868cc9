"""The pictures of a card stop where the space of their owner does (PIC-1): counted batch by batch."""

from __future__ import annotations

from typing import Self

import pytest

from importer import jobs
from importer.actions.start import submit_pictures
from net.download import Fetched
from portal.jobs import run_here
from tests.support.cards import v3
from tests.support.importing import imported
from tests.support.people import People
from tests.support.pictures import picture
from worlds.queries import folder_of, quota_left


class Gallery:
    """Every address gives another picture of about 60 KB."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def fetch(self, url: str) -> Fetched:
        number = int(url.rpartition("/")[2].partition(".")[0])
        return Fetched(picture(number, size=(160, 120)), url)


@pytest.mark.req("PIC-1")
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("data_root")
def test_pictures_of_many_batches_stay_within_the_space_of_their_owner(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = " ".join(f"https://pictures.example/{number}.png" for number in range(60))
    world = imported(people.ana, v3(description=f"A painter. {addresses}"))
    room = 1_500_000  # about 25 of the 60 pictures; a batch holds 16 at most
    people.ana.quota = people.ana.quota_bytes - quota_left(people.ana) + room
    people.ana.save()
    monkeypatch.setattr(jobs, "Downloader", Gallery)
    done = run_here(submit_pictures(world))
    kept = jobs.library_size(folder_of(world))
    assert done.state == "done"
    assert 0 < kept <= room
    assert "space" in str(folder_of(world).read_json(".import/pictures.json")["ended"])
