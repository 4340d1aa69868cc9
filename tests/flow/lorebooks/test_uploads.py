"""Files that become lorebooks: read in a child process, kept as they came, refused with a reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

import pytest

from formats.errors import DomainError
from lorebooks import actions, index, queries
from lorebooks.models import Lorebook, LorebookEntry
from lorebooks.pipeline.books import read_entry
from lorebooks.pipeline.entry_facts import facts_bytes, facts_of, read_facts
from lorebooks.pipeline.reading import FACTS_NAME
from lorebooks.shelves import folder_of, shelf_of
from tests.support.cards import png_card, v3
from tests.support.lorebooks import as_file, fog_book, harbour_book, hostile_books, large_book
from tests.support.people import People
from worlds.library.waiting import staging

pytestmark = pytest.mark.django_db


def upload(people: People, data: bytes, filename: str = "fog.json", **more: str) -> actions.Upload:
    return actions.upload_lorebook(actor=people.ana, data=data, filename=filename, **more)


@pytest.mark.req("LORE-1")
def test_a_file_becomes_a_book_with_its_bytes_and_its_report(people: People, data_root: Path) -> None:
    data = as_file(fog_book())
    taken = upload(people, data)
    book = taken.lorebook
    assert book is not None
    assert (book.name, book.entries_total, book.entries_on) == ("Fog lore", 4, 3)
    assert folder_of(book).read(".import/lorebook.json") == data
    report = queries.import_report(book)
    assert report is not None
    assert (report.format, report.entries, report.off, report.always) == ("sillytavern-world-info", 4, 1, 1)
    assert report.filename == "fog.json"
    kept = json.loads(folder_of(book).read("book.json"))
    assert kept["shelf_mark"] == "kept as it is"
    assert kept["entries"]["3"]["myth"] == 7
    assert staging().ids() == []


@pytest.mark.req("WB-9")
def test_the_book_of_a_card_is_kept_in_one_spelling(people: People, data_root: Path) -> None:
    card = png_card(v3(name="Lin", character_book={**harbour_book(), "name": ""}))
    book = upload(people, card, "lin.png").lorebook
    assert book is not None
    assert (book.name, book.source_kind, book.entries_on) == ("Lin lorebook", "card", 1)
    entries = json.loads(folder_of(book).read("book.json"))["entries"]
    assert entries["1"]["key"] == ["雾港", "旧码头"]
    assert entries["1"]["position"] == 4
    assert not {"keys", "enabled", "insertion_order"} & entries["1"].keys()
    assert json.loads(folder_of(book).read(".import/lorebook.json"))["scan_depth"] == 6


@pytest.mark.req("WB-9")
def test_a_card_that_was_read_already_gives_its_book(people: People, data_root: Path) -> None:
    value = {**harbour_book(), "name": None}
    taken = actions.import_from_card(actor=people.ana, value=value, card_name="林")
    assert taken.lorebook is not None
    assert taken.lorebook.name == "林 lorebook"
    assert taken.report.entries == 2


FILES = {
    "fog": as_file(fog_book()),
    "harbour": as_file(harbour_book()),
    "hundred": as_file(large_book(100)),
    "card": png_card(v3(name="Lin", character_book=harbour_book())),
    **hostile_books(),
}


@pytest.mark.parametrize("name", FILES)
def test_what_the_child_says_of_entries_is_what_reading_them_again_says(
    people: People, data_root: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_again(data: bytes, name: str) -> NoReturn:
        raise AssertionError("the entries were read a second time")

    with monkeypatch.context() as patch:
        patch.setattr(index, "model_of", read_again)
        book = upload(people, FILES[name]).lorebook
    assert book is not None
    told = rows_of(book)
    LorebookEntry.objects.all().delete()
    actions.index_lorebook(owner=people.ana, lorebook_id=book.pk)
    assert rows_of(book) == told
    assert Lorebook.objects.values().get(pk=book.pk) == {**model_to_row(book), "used_at": book.used_at}


def rows_of(book: Lorebook) -> list[dict[str, Any]]:
    rows = LorebookEntry.objects.filter(lorebook=book).order_by("position").values()
    return [{name: value for name, value in row.items() if name != "id"} for row in rows]


def model_to_row(book: Lorebook) -> dict[str, Any]:
    return {field.attname: getattr(book, field.attname) for field in book._meta.concrete_fields}


def test_facts_of_another_file_or_another_program_are_not_taken() -> None:
    facts = facts_bytes(b"one", [facts_of(read_entry("0", {"content": "Salt."}), {"content": "Salt."})])
    found = read_facts(facts, b"one")
    assert found is not None
    assert found[0].words == "\nsalt."
    assert read_facts(facts, b"other") is None
    assert read_facts(facts.replace(b"facts/v2", b"facts/v1"), b"one") is None


def test_a_file_that_waited_through_an_update_is_kept_all_the_same(people: People, data_root: Path) -> None:
    upload(people, as_file(fog_book()))
    waits = upload(people, as_file(fog_book()))
    (staging().folder(waits.id) / FACTS_NAME).unlink()
    assert actions.keep_upload(actor=people.ana, upload_id=waits.id).entries_total == 4


def test_files_that_wait_are_listed_for_their_owner(people: People, data_root: Path) -> None:
    first = upload(people, as_file(fog_book())).lorebook
    assert queries.waiting_uploads(people.ana) == []
    waits = upload(people, as_file({**fog_book(), "name": "Once more"}))
    reading = staging().begin("being-read")
    staged = (staging().folder(waits.id) / "upload.json").read_bytes()
    staging().write(reading.name, "upload.json", staged.replace(waits.id.encode(), b"being-read"))
    assert [(one.id, one.name) for one in queries.waiting_uploads(people.ana)] == [(waits.id, "Once more")]
    assert queries.waiting_uploads(people.cyd) == []
    assert first is not None
    actions.trash_lorebook(actor=people.ana, lorebook=first)
    assert [one.identical for one in queries.waiting_uploads(people.ana)] == [[]]


@pytest.mark.parametrize("what", sorted(hostile_books()))
def test_hostile_files_are_books_that_harm_nobody(people: People, data_root: Path, what: str) -> None:
    taken = upload(people, hostile_books()[what], "../../evil\x00.json")
    book = taken.lorebook
    assert book is not None
    rows = list(queries.entry_rows(book))
    assert len(rows) == taken.entries == book.entries_total > 0
    for row in rows:
        value = queries.entry_value(book, row.key)
        assert value.etag == row.etag
        saved = actions.save_entry(
            actor=people.ana, lorebook=book, key=row.key, fields={"comment": "new"}, if_match=value.etag
        )
        assert queries.entry_value(book, row.key).etag == saved.etag
    assert {path.name for path in shelf_of(people.ana).path.iterdir()} == {book.pk, ".locks"}
    before = book.content_hash
    actions.index_lorebook(owner=people.ana, lorebook_id=book.pk)
    book.refresh_from_db()
    assert book.content_hash == before


def test_ten_thousand_entries_are_taken(people: People, data_root: Path) -> None:
    book = upload(people, as_file(large_book(10_000)), "annals.json").lorebook
    assert book is not None
    assert book.entries_total == 10_000
    assert queries.entry_rows(book, search="雾777号").get().title == "Chapter 777"
    with pytest.raises(DomainError) as caught:
        upload(people, as_file(large_book(10_001)))
    assert caught.value.code == "too-many-entries"
