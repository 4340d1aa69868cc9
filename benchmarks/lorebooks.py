"""A lorebook of 20 MB and 10,000 entries: taken in, opened, saved in, and switched as a whole."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count

from django.test import Client
from django.urls import reverse

from benchmarks.measure import Measurement, Run, once, percentile, timed, timed_anew
from lorebooks import actions, queries
from lorebooks.models import Lorebook
from portal.models import Person
from tests.support.lorebooks import as_file, large_book

ENTRIES = 10_000
CHARACTERS = 860  # of each text: 20 MB as SillyTavern lays it out
SAVES = 20
_numbers = count()


def measure(owner: Person, runs: int) -> Iterator[Measurement]:
    """What a person waits for with the largest book that there may be; every write is durable."""
    data = as_file(large_book(ENTRIES, CHARACTERS))
    before = child_ms()
    uploads = timed_anew(partial(uploading, owner, data), runs)
    yield Measurement(
        f"upload a lorebook of {ENTRIES:,} entries, child process, store and index included",
        uploads,
        goal_ms=3000,
        extra={"fileBytes": len(data), "childCpuMs": (child_ms() - before) / (runs + 1)},
    )
    book = Lorebook.objects.latest("created_at")
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    pages = {
        "open the editor": reverse("lorebooks:editor", args=[book.pk]),
        "search in the editor": reverse("lorebooks:editor", args=[book.pk]) + "?q=name77",
        "open an entry": reverse("lorebooks:entry", args=[book.pk, "5000"]),
    }
    for name, address in pages.items():
        yield Measurement(f"{name} of {ENTRIES:,} entries", timed(partial(shown, client, address), runs))
    saves = [saved(owner, book) for _ in range(SAVES)]
    yield Measurement(
        f"autosave an entry in a book of {len(data) // 10**6} MB",
        saves,
        goal_ms=300,
        extra={"p95Ms": round(percentile([run.clock for run in saves], 95), 3)},
    )
    switches = timed_anew(partial(switching, owner, book), runs)
    yield Measurement(f"switch {ENTRIES:,} entries on or off", switches, goal_ms=2000)


def child_ms() -> float:
    """Milliseconds on a processor of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def uploading(owner: Person, data: bytes) -> Callable[[], object]:
    """The same book once more, another each time: an identical one would only wait for an answer."""
    other = data.replace(b"Chapter 0", b"Chapter %06d" % next(_numbers), 1)
    return partial(uploaded, owner, other)


def uploaded(owner: Person, data: bytes) -> None:
    book = actions.upload_lorebook(actor=owner, data=data, filename="annals.json").lorebook
    if book is None or book.entries_total != ENTRIES:
        raise AssertionError("the lorebook was not taken in")


def shown(client: Client, address: str) -> None:
    answer = client.get(address)
    if answer.status_code != 200 or b"Chapter" not in answer.content:
        raise AssertionError(f"{address}: {answer.status_code}")


def saved(owner: Person, book: Lorebook) -> Run:
    """One save as the page makes it; reading what is saved over is counted too."""
    text = f"The tide came for the {next(_numbers)}th time."

    def work() -> None:
        value = queries.entry_value(book, "5000")
        fields = {"content": text}
        actions.save_entry(actor=owner, lorebook=book, key="5000", fields=fields, if_match=value.etag)

    return once(work)


def switching(owner: Person, book: Lorebook) -> Callable[[], object]:
    keys = [str(number) for number in range(ENTRIES)]
    on = next(_numbers) % 2 == 0
    return partial(actions.bulk_edit, actor=owner, lorebook=book, keys=keys, enabled=on)
