"""The library's own pages: the list, new, import, duplicate, the trash, the report, the exports."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from lorebooks import actions
from lorebooks.models import Lorebook
from lorebooks.shelves import folder_of
from tests.flow.lorebooks.conftest import MakeBook
from tests.support.lorebooks import as_file, fog_book, harbour_book, st_entry
from tests.support.people import People, client_of, share

pytestmark = pytest.mark.django_db
LIBRARY = "/lore/"


@pytest.fixture
def ana(people: People) -> Client:
    return client_of(people.ana)


def at(name: str, lorebook: Lorebook, *parts: str) -> str:
    return reverse(f"lorebooks:{name}", args=[lorebook.pk, *parts])


def names(client: Client, query: str = "") -> list[str]:
    page = client.get(f"{LIBRARY}{query}")
    return [row["lorebook"].name for row in page.context["rows"]]


def upload(client: Client, *files: tuple[str, bytes], follow: bool = False) -> Any:
    sent = [SimpleUploadedFile(name, data) for name, data in files]
    return client.post(reverse("lorebooks:import"), {"file": sent}, follow=follow)


# --- the list -------------------------------------------------------------------------------------------


def test_an_empty_library_says_what_it_is_and_offers_one_thing(ana: Client) -> None:
    page = ana.get(LIBRARY).content.decode()
    assert "No lorebooks yet" in page
    assert reverse("lorebooks:import") in page


def test_the_list_searches_sorts_filters_and_pages(people: People, ana: Client, make_book: MakeBook) -> None:
    make_book(fog_book())
    make_book(harbour_like("雾港志", 3))
    for number in range(31):
        make_book(harbour_like(f"Isle {number:02}", 1))
    shared = make_book(harbour_like("Ben's mists", 1), people.ben)
    share(people.ana, "lorebook", shared.pk)
    assert len(names(ana)) == 30
    assert len(names(ana, "?page=2")) == 4
    assert names(ana, "?q=雾港") == ["雾港志"]
    assert names(ana, "?q=ISLE+07") == ["Isle 07"]
    assert names(ana, "?only=shared") == ["Ben's mists"]
    assert "Ben's mists" not in names(ana, "?only=mine&sort=name")
    assert names(ana, "?sort=entries")[:2] == ["Fog lore", "雾港志"]
    assert names(ana, "?q=nowhere") == []
    fragment = ana.get(f"{LIBRARY}?q=雾港", headers={"HX-Request": "true"}).content.decode()
    assert "雾港志" in fragment
    assert "<html" not in fragment


def harbour_like(name: str, entries: int) -> dict[str, Any]:
    listed = {str(n): st_entry(n, [f"key {n}"], f"{name} says {n}.") for n in range(entries)}
    return {"name": name, "entries": listed}


def test_a_row_counts_entries_tokens_and_worlds(ana: Client, fog: Lorebook) -> None:
    page = ana.get(LIBRARY).content.decode()
    assert "3 of 4 on" in page
    assert "always sent" in page
    assert "no world" in page


def test_the_top_bar_leads_here_from_everywhere(ana: Client) -> None:
    home = ana.get("/").content.decode()
    assert '<a href="/lore/" data-go="l">' in home
    assert '<a href="/lore/" data-go="l" aria-current="page">' in ana.get(LIBRARY).content.decode()
    assert "A lorebook is a collection of facts" in ana.get("/help/").content.decode()


# --- new, import ----------------------------------------------------------------------------------------


def test_a_new_book_is_made_from_a_name(ana: Client) -> None:
    assert ana.post(reverse("lorebooks:new"), {"name": "", "language": "en"}).status_code == 422
    answer = ana.post(
        reverse("lorebooks:new"), {"name": "盐路", "language": "zh-hans", "description": "a\r\nb"}
    )
    book = Lorebook.objects.get()
    assert answer.headers["Location"] == at("editor", book)
    assert (book.name, book.language, book.entries_total) == ("盐路", "zh-hans", 0)
    assert folder_of(book).read_json("book.json")["description"] == "a\nb"


def test_a_file_is_in_the_library_at_once_and_leads_to_its_report(ana: Client) -> None:
    answer = upload(ana, ("trade.json", as_file(fog_book())))
    book = Lorebook.objects.get()
    assert answer.headers["Location"] == at("report", book)
    page = ana.get(at("report", book)).content.decode()
    for said in ("trade.json", "Nothing had to be repaired", "Before the description of the character"):
        assert said in page
    back = ana.get(at("download", book, "original"))
    assert back.content == as_file(fog_book())
    assert back.headers["Content-Disposition"] == 'attachment; filename="trade.json"'
    assert json.loads(ana.get(at("report_json", book)).content)["entries"] == 4


def test_repairs_are_told_once_with_their_number(ana: Client) -> None:
    odd = {"entries": {str(n): {"uid": n, "key": "salt, toll", "content": "Salt."} for n in range(40)}}
    upload(ana, ("odd.json", json.dumps(odd).encode()))
    page = ana.get(at("report", Lorebook.objects.get()))
    assert "split at the commas" in page.content.decode()
    assert len(page.context["told"]) < 5


ODD = {"content": "Salt.", "keys": ["salt"], "extensions": {}, "enabled": True, "insertion_order": 1}


@pytest.mark.parametrize(
    ("entries", "linked", "bare"),
    [
        (
            {"3": {"uid": 3, "key": ["a"], "content": "a", "order": "odd"}, "toll": "no entry", "x": None},
            {'$.entries["3"].insertion_order': "3"},
            {"$.entries.toll", "$.entries.x"},
        ),
        (
            ["no entry", {**ODD, "id": 7}, {**ODD, "id": 9, "insertion_order": "odd"}],
            {"$.entries[2].insertion_order": "9"},
            {"$.entries[0]"},
        ),
        (
            {"a/b": {"uid": 1, "key": ["a"], "content": "a", "order": "odd"}},
            {'$.entries["a/b"].insertion_order': "entry-1"},
            set(),
        ),
        (
            {"a": {"uid": 1, "key": ["a"], "content": "a"}, "b": {"uid": 1, "key": ["a"], "content": "b"}},
            {"$.entries[1]": "b"},
            set(),
        ),
    ],
)
def test_places_of_the_report_lead_to_their_entries(
    ana: Client, people: People, entries: Any, linked: dict[str, str], bare: set[str]
) -> None:
    upload(ana, ("odd.json", json.dumps({"entries": entries, "extensions": {}}).encode()))
    book = Lorebook.objects.get()
    told = dict(pair for group in ana.get(at("report", book)).context["told"] for pair in group.linked)
    assert linked.items() <= {place: link.split("/")[-2] for place, link in told.items() if link}.items()
    assert all(ana.get(link).status_code == 200 for link in told.values() if link)
    assert {place for place in told if place in bare} == bare
    assert not any(told[place] for place in bare)
    actions.delete_entries(actor=people.ana, lorebook=book, keys=list(linked.values()))
    told = dict(pair for group in ana.get(at("report", book)).context["told"] for pair in group.linked)
    assert not any(told.get(place) for place in linked), "an entry that is gone has no page"


def test_the_same_content_asks_whether_it_is_needed_twice(ana: Client) -> None:
    upload(ana, ("a.json", as_file(fog_book())))
    waiting = upload(ana, ("b.json", as_file(fog_book()))).headers["Location"]
    page = ana.get(waiting).content.decode()
    assert "Identical to “Fog lore”" in page
    assert Lorebook.objects.count() == 1
    ana.post(f"{waiting}keep/")
    assert Lorebook.objects.count() == 2
    assert ana.get(waiting).status_code == 404
    waiting = upload(ana, ("c.json", as_file(fog_book()))).headers["Location"]
    there = Lorebook.objects.first()
    assert there is not None
    used = ana.post(f"{waiting}discard/", {"use": there.pk})
    assert used.headers["Location"] == at("editor", there)
    assert ana.get(waiting).status_code == 404
    waiting = upload(ana, ("d.json", as_file(fog_book()))).headers["Location"]
    assert ana.post(f"{waiting}discard/").headers["Location"] == LIBRARY
    assert Lorebook.objects.count() == 2


def test_a_file_that_waits_is_on_the_list_of_the_library(ana: Client) -> None:
    upload(ana, ("a.json", as_file(fog_book())))
    assert "Continue" not in ana.get(LIBRARY).content.decode()
    waiting = upload(ana, ("b.json", as_file({**fog_book(), "name": "Once more"}))).headers["Location"]
    page = ana.get(LIBRARY).content.decode()
    for said in ("Continue", "Once more", "Identical to “Fog lore”", f"{waiting}keep/", f"{waiting}discard/"):
        assert said in page
    Lorebook.objects.all().delete()
    page = ana.get(waiting).content.decode()
    assert "not there any more" in page
    assert "Identical" not in page
    assert "Take it" in page
    ana.post(f"{waiting}discard/")
    assert "Continue" not in ana.get(LIBRARY).content.decode()


def test_one_bad_file_of_several_does_not_cost_the_others(ana: Client) -> None:
    files = (("fog.json", as_file(fog_book())), ("x.json", b"{"), ("zh.json", as_file(harbour_book())))
    page = upload(ana, *files, follow=True).content.decode()
    assert "x.json: " in page
    assert sorted(Lorebook.objects.values_list("name", flat=True)) == ["Fog lore", "雾港志"]


def test_too_large_a_file_names_both_sizes(ana: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MOST_BYTES", 1024 * 1024)
    answer = upload(ana, ("big.json", b" " * (1024 * 1024 + 1)))
    assert answer.status_code == 413
    assert "1.0 MB" in answer.content.decode()
    assert not Lorebook.objects.exists()


def test_a_book_that_was_made_here_has_no_report(ana: Client, people: People) -> None:
    book = actions.create_lorebook(actor=people.ana, name="Notes")
    assert "made here" in ana.get(at("report", book)).content.decode()
    assert ana.get(at("download", book, "original")).status_code == 404


# --- duplicate, trash -----------------------------------------------------------------------------------


def test_a_reader_makes_a_copy_of_their_own(people: People, fog: Lorebook) -> None:
    share(people.ben, "lorebook", fog.pk)
    ben = client_of(people.ben)
    answer = ben.post(at("duplicate", fog), {"name": "Mine"})
    copy = Lorebook.objects.get(owner=people.ben)
    assert answer.headers["Location"] == at("editor", copy)
    assert (copy.name, copy.entries_total) == ("Mine", 4)
    assert "is a copy" in ben.get(at("report", copy)).content.decode()


def test_trash_undo_and_the_address_of_a_trashed_book(people: People, ana: Client, fog: Lorebook) -> None:
    share(people.ben, "lorebook", fog.pk)
    answer = ana.post(at("trash_lorebook", fog), follow=True)
    [notice] = answer.context["messages"]
    gone = ana.get(at("editor", fog))
    assert gone.status_code == 404
    assert "in the trash until" in gone.content.decode()
    assert "in the trash" not in client_of(people.ben).get(at("editor", fog)).content.decode()
    assert [item["days"] for item in ana.get(reverse("lorebooks:trash")).context["items"]] == [30]
    assert ana.post(notice.extra_tags.removeprefix("undo:")).status_code == 303
    assert client_of(people.ben).get(at("editor", fog)).status_code == 200


def test_the_trash_is_emptied_of_what_was_asked_only(
    people: People, ana: Client, make_book: MakeBook
) -> None:
    for number in range(2):
        ana.post(at("trash_lorebook", make_book(fog_book(), name=f"Fog {number}")))
    first, _second = [row["entry_id"] for row in ana.get(reverse("lorebooks:trash")).context["items"]]
    client_of(people.cyd).post(reverse("lorebooks:empty_trash"), {"entry": first})
    ana.post(reverse("lorebooks:empty_trash"), {"entry": first})
    assert len(ana.get(reverse("lorebooks:trash")).context["items"]) == 1


# --- exports --------------------------------------------------------------------------------------------


@pytest.mark.req("WB-5")
def test_every_export_is_a_file_and_says_beforehand_what_it_loses(ana: Client, fog: Lorebook) -> None:
    page = ana.get(at("export", fog)).content.decode()
    assert "cannot be imported again" in page
    whole = ana.get(at("download", fog, "sillytavern"))
    assert whole.headers["Content-Disposition"] == 'attachment; filename="Fog lore.json"'
    assert json.loads(whole.content)["entries"]["3"]["myth"] == 7
    book = json.loads(ana.get(at("download", fog, "character-book")).content)
    assert book["entries"][0]["keys"] == ["fog", "mist"]
    table = ana.get(at("download", fog, "csv")).content.decode("utf-8-sig")
    assert len(list(csv.reader(io.StringIO(table)))) == 5
    assert ana.get(at("download", fog, "pdf")).status_code == 404
