"""The first page of somebody who has 10,000 worlds, as Django's test client gets it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.test import Client
from django.utils import timezone

from benchmarks.measure import Measurement, timed
from formats.text.names import compared
from portal.models import Person
from worlds.models import World
from worlds.store.paths import new_item_id

WORLDS = 10_000
PAGES = {
    "the first page": "/",
    "a page in the middle, by name": "/?sort=name&page=150",
    "a search": "/?q=4711",
}


def measure(owner: Person, runs: int) -> Iterator[Measurement]:
    """The page, whole: middleware, session, database, template."""
    fill(owner)
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    for name, address in PAGES.items():
        yield Measurement(
            f"{name} of {WORLDS:,} worlds",
            timed(lambda address=address: shown(client, address), runs),  # type: ignore[misc]
            goal_ms=150 if address == "/" else None,
        )


def shown(client: Client, address: str) -> None:
    answer = client.get(address)
    if answer.status_code != 200 or b"Harbour" not in answer.content:
        raise AssertionError(f"{address}: {answer.status_code}")


def fill(owner: Person) -> None:
    """Rows as `index_world` writes them; the folders behind them are not needed for a list."""
    now = timezone.now()
    World.objects.bulk_create(
        (
            World(
                id=new_item_id(f"Harbour {number}"),
                owner=owner,
                name=f"Harbour {number}",
                name_key=compared(f"Harbour {number}"),
                description="A town of nine houses, a ferry, and a bell that rings before fog.",
                language="en",
                draft=number % 10 == 0,
                problems=number % 4,
                counts={"characters": 12, "locations": 9, "items": 4, "lore": 60, "playable": 1},
                source_kind="card",
                size=200_000,
                created_at=now - timedelta(hours=number),
                updated_at=now - timedelta(minutes=number),
                used_at=now - timedelta(minutes=number),
            )
            for number in range(WORLDS)
        ),
        batch_size=500,
    )
