"""The host's admin of the library: found, counted, moved by the app's own actions, never edited."""

from __future__ import annotations

import pytest
from django.urls import reverse

from lorebooks import actions, queries
from lorebooks.models import Lorebook
from lorebooks.shelves import folder_of
from portal.models import Person
from tests.flow.lorebooks.conftest import MakeBook
from tests.support.lorebooks import large_book
from tests.support.people import People, client_of, share

pytestmark = pytest.mark.django_db
LIST = "/admin/lorebooks/lorebook/"


def listed(people: People, **asked: str) -> set[str]:
    answer = client_of(people.hal).get(LIST, asked)
    assert answer.status_code == 200
    return {row.name for row in answer.context["cl"].result_list}


def test_a_host_finds_books_by_words_owner_visibility_and_size(people: People, make_book: MakeBook) -> None:
    fog, other = make_book(large_book(1200, 20), name="Fog"), make_book({"entries": {}}, people.ben, "雾港志")
    share(people.cyd, "lorebook", fog.pk)
    assert listed(people) == {"Fog", "雾港志"}
    assert listed(people, q="雾港") == {other.name}
    assert listed(people, q="ana") == {"Fog"}
    assert listed(people, shared="yes") == {"Fog"}
    assert listed(people, shared="no") == {"雾港志"}
    assert listed(people, entries="none") == {"雾港志"}
    assert listed(people, entries="1000") == {"Fog"}
    page = client_of(people.hal).get(LIST).content.decode()
    assert 'field-shared_with">1<' in page
    assert 'field-entries_total">1200<' in page


def test_rows_are_looked_at_and_never_edited(people: People, fog: Lorebook) -> None:
    host = client_of(people.hal)
    assert host.get(f"{LIST}add/").status_code == 403
    assert host.post(f"{LIST}{fog.pk}/delete/").status_code == 403
    page = host.get(f"{LIST}{fog.pk}/change/")
    assert page.status_code == 200
    assert b'name="name"' not in page.content


def test_moving_reading_and_restoring_are_the_owners_own_actions(people: People, fog: Lorebook) -> None:
    host = client_of(people.hal)
    with folder_of(fog).change(by="ana", what="edit") as change:
        change.write("book.json", b'{"entries": {}}')
    host.post(LIST, {"action": "read_again", "_selected_action": [fog.pk]})
    fog.refresh_from_db()
    assert fog.entries_total == 0
    host.post(LIST, {"action": "to_trash", "_selected_action": [fog.pk]})
    assert not Lorebook.objects.exists()
    [item] = queries.trashed(people.ana)
    trash = reverse("admin:lorebooks_lorebook_trash")
    assert "Fog lore" in host.get(trash).content.decode()
    host.post(trash, {"act": "restore", "entry": f"ana/{item.entry_id}"})
    assert Lorebook.objects.get().owner == people.ana
    entry = actions.trash_lorebook(actor=people.ana, lorebook=Lorebook.objects.get())
    host.post(trash, {"act": "remove", "entry": f"ana/{entry}"})
    assert queries.trashed(people.ana) == []
    for bad in ("nobody/x", "ana/../../x", ""):
        assert host.post(trash, {"act": "restore", "entry": bad}).status_code == 302


def test_one_book_that_is_refused_does_not_take_the_others_along(people: People, make_book: MakeBook) -> None:
    gone, there = make_book({"entries": {}}, name="Gone"), make_book({"entries": {}}, name="There")
    folder_of(gone).path.rename(folder_of(gone).path.parent / ".elsewhere")
    books = {"action": "to_trash", "_selected_action": [gone.pk, there.pk]}
    page = client_of(people.hal).post(LIST, books, follow=True).content.decode()
    assert "Gone: " in page
    assert [item.name for item in queries.trashed(people.ana)] == ["There"]


def test_nobody_but_a_host_gets_there(people: People, fog: Lorebook) -> None:
    Person.objects.filter(pk=people.ben.pk).update(is_staff=True)
    trash = reverse("admin:lorebooks_lorebook_trash")
    assert client_of(people.cyd).get(LIST).status_code in (302, 404)
    assert client_of(people.cyd).get(trash).status_code in (302, 404)
    assert client_of(Person.objects.get(pk=people.ben.pk)).get(trash).status_code == 403
