"""The limits of keys hold wherever an entry is written; what is over them already stays and may shrink."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.urls import reverse

from formats.errors import DomainError
from formats.lorebook.key_limits import KEYS_OF_A_BOOK, KEYS_OF_AN_ENTRY
from formats.stable_json import write_json
from lorebooks import actions, queries
from lorebooks.actions import keys as key_rules
from lorebooks.models import Lorebook, LorebookEntry
from lorebooks.pipeline.book_file import BOOK_FILE, write_book
from lorebooks.shelves import folder_of
from tests.flow.lorebooks.conftest import MakeBook
from tests.support.lorebooks import st_entry
from tests.support.page_forms import sent_by
from tests.support.people import People, client_of

pytestmark = pytest.mark.django_db
MOST, OVER = KEYS_OF_AN_ENTRY, KEYS_OF_AN_ENTRY + 1


def words(count: int, of: str = "k") -> list[str]:
    return [f"{of}{number}" for number in range(count)]


def book_of(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"name": "Keys", "entries": {str(place): entry for place, entry in enumerate(entries)}}


@pytest.fixture
def heavy(make_book: MakeBook) -> Lorebook:
    """One entry over the limit, from before there was one, and one of an ordinary kind."""
    return make_book(book_of(st_entry(0, words(OVER + 1), "Lamps."), st_entry(1, ["fog"], "Fog.")))


@pytest.fixture
def full(make_book: MakeBook) -> Lorebook:
    """As many keys as a book may have, half of the first entry's among its second keys."""
    half = st_entry(0, words(MOST // 2), "x", keysecondary=words(MOST // 2, "s"))
    others = [st_entry(place, words(MOST), "x") for place in range(1, KEYS_OF_A_BOOK // MOST)]
    return make_book(book_of(half, *others, st_entry(len(others) + 1, [], "Empty.")))


def at(name: str, book: Lorebook, *parts: object) -> str:
    return reverse(f"lorebooks:{name}", args=[book.pk, *parts])


def save(people: People, book: Lorebook, key: str, **fields: object) -> None:
    etag = queries.entry_value(book, key).etag
    actions.save_entry(actor=people.ana, lorebook=book, key=key, fields=fields, if_match=etag)


def keys_in(book: Lorebook, key: str) -> int:
    return len(queries.entry_value(book, key).entry.keys)


@pytest.mark.parametrize("live", [True, False])
@pytest.mark.parametrize("name", ["keys", "secondary_keys"])
def test_the_form_takes_the_limit_and_no_more(people: People, heavy: Lorebook, name: str, live: bool) -> None:
    client, before = client_of(people.ana), folder_of(heavy).read(BOOK_FILE)
    headers = {"HX-Request": "true"} if live else {}
    form = sent_by(client.get(at("entry", heavy, "1")).content.decode(), "entry")
    many = {f"{name}_lines": "\n".join(words(OVER))}
    answer = client.post(at("entry", heavy, "1"), form | many, headers=headers)
    assert answer.status_code == 422
    assert "An entry may have 1000 keys, and this one would have 1001." in answer.content.decode()
    assert folder_of(heavy).read(BOOK_FILE) == before
    fits = {f"{name}_lines": "\n".join(words(MOST))}
    assert client.post(at("entry", heavy, "1"), form | fits).status_code == 303


def test_the_source_takes_no_more_and_keeps_what_was_typed(people: People, heavy: Lorebook) -> None:
    client, before = client_of(people.ana), folder_of(heavy).read(BOOK_FILE)
    form = {"text": json.dumps({"key": words(45_000)}), "etag": queries.entry_value(heavy, "1").etag}
    answer = client.post(at("entry_source", heavy, "1"), form)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "this one would have 45000" in page
    assert "k44999" in page
    assert folder_of(heavy).read(BOOK_FILE) == before


def test_a_choice_a_copy_and_what_comes_back_take_no_more(people: People, heavy: Lorebook) -> None:
    client = client_of(people.ana)
    gone = actions.delete_entries(actor=people.ana, lorebook=heavy, keys=["0"])
    before = folder_of(heavy).read(BOOK_FILE)
    chosen = {"yours": json.dumps({"keys": words(OVER)}), "etag": queries.entry_value(heavy, "1").etag}
    refused = [
        client.post(at("settle", heavy, "1"), chosen),
        client.post(at("put_back", heavy, gone.change_id)),
    ]
    assert [answer.status_code for answer in refused] == [422, 422]
    assert folder_of(heavy).read(BOOK_FILE) == before
    with pytest.raises(DomainError) as caught:
        actions.add_entry(actor=people.ana, lorebook=heavy, fields={"keys": words(OVER)})
    assert (caught.value.kind, caught.value.where) == ("invalid", "keys")


def test_an_entry_over_the_limit_is_read_and_may_become_smaller(people: People, heavy: Lorebook) -> None:
    client = client_of(people.ana)
    assert client.get(at("entry", heavy, "0")).status_code == 200
    assert client.post(at("duplicate_entry", heavy, "0")).status_code == 422
    save(people, heavy, "0", content="Lamps, still.")
    with pytest.raises(DomainError):
        save(people, heavy, "0", keys=words(OVER + 2))
    form = sent_by(client.get(at("entry", heavy, "0")).content.decode(), "entry")
    fewer = {"keys_lines": "\n".join(words(OVER))}
    assert client.post(at("entry", heavy, "0"), form | fewer).status_code == 303
    assert keys_in(heavy, "0") == OVER
    text = write_json({**queries.entry_value(heavy, "0").raw, "key": words(5)})
    source = {"text": text, "etag": queries.entry_value(heavy, "0").etag}
    assert client.post(at("entry_source", heavy, "0"), source).status_code == 303
    assert keys_in(heavy, "0") == 5


def test_a_full_book_takes_no_further_key(
    people: People, full: Lorebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And is not read to find out: its rows know."""
    monkeypatch.setattr(key_rules, "model_of", lambda *_: pytest.fail("the whole book was read"))
    last = str(KEYS_OF_A_BOOK // MOST)
    save(people, full, last, content="No key, so it may.")
    with pytest.raises(DomainError) as caught:
        save(people, full, last, keys=["one"])
    assert (caught.value.kind, caught.value.code) == ("invalid", "lorebook.too-many-keys-of-book")
    assert caught.value.values["count"] == KEYS_OF_A_BOOK + 1
    with pytest.raises(DomainError):
        actions.duplicate_entry(actor=people.ana, lorebook=full, key="0")
    with pytest.raises(DomainError):
        actions.add_entry(actor=people.ana, lorebook=full, fields={"secondary_keys": ["one"]})
    save(people, full, "0", secondary_keys=words(MOST // 2 - 1, "s"))
    save(people, full, last, keys=["one"])
    gone = actions.delete_entries(actor=people.ana, lorebook=full, keys=["1"])
    save(people, full, last, keys=["one", "two"])
    with pytest.raises(DomainError):
        actions.put_back_entries(actor=people.ana, lorebook=full, change_id=gone.change_id)
    save(people, full, last, keys=["one"])
    assert actions.put_back_entries(actor=people.ana, lorebook=full, change_id=gone.change_id) == 1
    total = sum(LorebookEntry.objects.filter(lorebook=full).values_list("keys_count", flat=True))
    assert total == KEYS_OF_A_BOOK


def test_a_book_changed_by_hand_is_counted_as_it_is(people: People, full: Lorebook) -> None:
    """The rows do not describe it yet."""
    (folder_of(full).path / BOOK_FILE).write_bytes(write_book(book_of(st_entry(0, ["fog"], "Fog."))))
    save(people, full, "0", keys=words(MOST))
    assert keys_in(full, "0") == MOST
