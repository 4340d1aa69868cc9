"""Every write of a book asks by itself who may do it, whoever calls it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from formats.errors import DomainError
from lorebooks import actions
from lorebooks.access import refuse_unless_editor
from lorebooks.models import Lorebook
from lorebooks.pipeline.cases import Case
from lorebooks.pipeline.trial import Trial
from lorebooks.shelves import folder_of
from portal.models import Person
from tests.support.people import People, share

pytestmark = pytest.mark.django_db

FIELDS: dict[str, Any] = {"content": "new"}
WRITES: dict[str, Callable[[Person, Lorebook, str], object]] = {
    "save": lambda who, book, change: actions.save_entry(
        actor=who, lorebook=book, key="0", fields=FIELDS, if_match=""
    ),
    "source": lambda who, book, change: actions.save_entry_source(
        actor=who, lorebook=book, key="0", text="{}", if_match=""
    ),
    "add": lambda who, book, change: actions.add_entry(actor=who, lorebook=book, fields=FIELDS),
    "duplicate": lambda who, book, change: actions.duplicate_entry(actor=who, lorebook=book, key="0"),
    "delete": lambda who, book, change: actions.delete_entries(actor=who, lorebook=book, keys=["0"]),
    "bulk": lambda who, book, change: actions.bulk_edit(actor=who, lorebook=book, keys=["0"], enabled=False),
    "settings": lambda who, book, change: actions.edit_settings(
        actor=who, lorebook=book, fields={"name": "x"}, if_match=""
    ),
    "sections": lambda who, book, change: actions.edit_sections(
        actor=who, lorebook=book, edits=actions.SectionEdits(added=["Sea"])
    ),
    "version": lambda who, book, change: actions.keep_version(actor=who, lorebook=book),
    "restore": lambda who, book, change: actions.restore_version(actor=who, lorebook=book, number=1),
    "former": lambda who, book, change: actions.restore_former(actor=who, lorebook=book, change_id=change),
    "put back": lambda who, book, change: actions.put_back_entries(
        actor=who, lorebook=book, change_id=change
    ),
    "case": lambda who, book, change: actions.save_case(
        actor=who, lorebook=book, case=Case(id="c", name="c", trial=Trial(text="mist"))
    ),
    "no case": lambda who, book, change: actions.delete_case(actor=who, lorebook=book, case_id="c"),
}


@pytest.mark.parametrize("name", WRITES)
def test_readers_and_strangers_write_nothing(people: People, fog: Lorebook, name: str) -> None:
    actions.keep_version(actor=people.ana, lorebook=fog)
    change = actions.delete_entries(actor=people.ana, lorebook=fog, keys=["1"]).change_id
    share(people.ben, "lorebook", fog.pk, "read")
    before = folder_of(fog).read_all()
    for person, kind in ((people.ben, "forbidden"), (people.cyd, "not-found")):
        with pytest.raises(DomainError) as caught:
            WRITES[name](person, fog, change)
        assert caught.value.kind == kind
    assert folder_of(fog).read_all() == before


def test_whoever_may_edit_writes(people: People, fog: Lorebook) -> None:
    share(people.ben, "lorebook", fog.pk, "edit")
    assert actions.delete_entries(actor=people.ben, lorebook=fog, keys=["0"]).count == 1


def test_of_the_owner_nothing_is_looked_up(
    people: People, fog: Lorebook, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    share(people.ben, "lorebook", fog.pk, "edit")
    with django_assert_num_queries(0):
        refuse_unless_editor(people.ana, fog)
    with django_assert_num_queries(1):
        refuse_unless_editor(people.ben, fog)
