"""The match tester while somebody types: the whole request, on books of 1,000 and 10,000 entries."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from django.test import Client
from django.urls import reverse

from benchmarks.measure import Measurement, once, timed
from lorebooks.actions.library import shelve
from lorebooks.kept_models import forget_models
from lorebooks.models import Lorebook
from lorebooks.pipeline.book_file import BOOK_FILE, write_book
from lorebooks.pipeline.item_file import Item
from portal.models import Person
from tests.support.lorebooks import large_book

GOAL_MS = 300
TEXTS = {"2,000": 30, "100,000": 1500}


def measure(owner: Person, runs: int) -> Iterator[Measurement]:
    """A keystroke: form, scan, words, the answer; before it the first test after a change of the book."""
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    for entries in (1_000, 10_000):
        item = Item(name=f"Annals of {entries}", language="en")
        book = shelve(owner, item, {BOOK_FILE: write_book(large_book(entries, 400))})
        forget_models()
        first = once(partial(ask, client, book, story(30)))
        yield Measurement(f"the first test of {entries:,} entries after a change of the book", [first])
        for said, messages in TEXTS.items():
            yield Measurement(
                f"a keystroke in the tester: {entries:,} entries, {said} characters",
                timed(partial(ask, client, book, story(messages)), runs),
                goal_ms=GOAL_MS if entries == 1_000 and said == "2,000" else None,
            )


def story(messages: int) -> str:
    """So many messages of some 70 characters, each with two keys of the book."""
    return "\n\n".join(
        f"At dusk name{number} came to 雾{number + 1}号, and nobody said a word of it."
        for number in range(messages)
    )


def ask(client: Client, book: Lorebook, text: str) -> None:
    data = {"text": text, "scan_depth": "1000", "whole_words": "on", "include_names": "on", "dice": "1"}
    answer = client.post(
        reverse("lorebooks:tester", args=[book.pk]), data, HTTP_HX_REQUEST="true", HTTP_HX_TARGET="result"
    )
    if answer.status_code != 200 or b"<mark>name" not in answer.content:
        raise AssertionError(f"{book.name}: {answer.status_code}")
