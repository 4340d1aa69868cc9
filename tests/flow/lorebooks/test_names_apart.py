"""Names that could be taken for one another: of sections refused, of books told apart where one is chosen."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from formats.errors import DomainError
from lorebooks import actions, queries
from lorebooks.actions import SectionEdits
from lorebooks.actions.writing import changing, rewrite_item
from lorebooks.models import Lorebook
from tests.flow.lorebooks.conftest import MakeBook
from tests.support.lorebooks import fog_book
from tests.support.people import People
from worlds.library.choices import told_apart

pytestmark = pytest.mark.django_db


def names(book: Lorebook) -> list[str]:
    return [section.name for section in queries.item_of(book).sections]


@pytest.mark.parametrize("taken", ["Sea", "SEA", "Küste", "Ku\u0308ste"])
def test_a_section_is_not_named_like_another(people: People, fog: Lorebook, taken: str) -> None:
    actions.edit_sections(actor=people.ana, lorebook=fog, edits=SectionEdits(added=["sea", "KÜSTE", "Town"]))
    town = queries.item_of(fog).sections[2].id
    for edits in (
        SectionEdits(added=[taken]),
        SectionEdits(names={town: taken}),
        SectionEdits(added=["Hills", "hills"]),
    ):
        with pytest.raises(DomainError) as caught:
            actions.edit_sections(actor=people.ana, lorebook=fog, edits=edits)
        assert (caught.value.kind, caught.value.code) == ("invalid", "lorebook.section-name-taken")
        assert names(fog) == ["sea", "KÜSTE", "Town"]


def test_names_may_be_swapped_kept_and_taken_over(people: People, fog: Lorebook) -> None:
    actions.edit_sections(actor=people.ana, lorebook=fog, edits=SectionEdits(added=["sea", "Town"]))
    sea, town = (section.id for section in queries.item_of(fog).sections)
    swapped = SectionEdits(names={sea: "town", town: "Sea"})
    actions.edit_sections(actor=people.ana, lorebook=fog, edits=swapped)
    assert names(fog) == ["town", "Sea"]
    actions.edit_sections(actor=people.ana, lorebook=fog, edits=SectionEdits(names={sea: "Town"}))
    over = SectionEdits(names={sea: "SEA"}, removed=[town])
    actions.edit_sections(actor=people.ana, lorebook=fog, edits=over)
    assert names(fog) == ["SEA"]


def test_names_that_were_the_same_before_are_in_nobodys_way(people: People, fog: Lorebook) -> None:
    with changing(actor=people.ana, lorebook=fog, what="sections") as change:
        rewrite_item(change, sections=[{"id": "a", "name": "Sea"}, {"id": "b", "name": "sea"}])
    edits = SectionEdits(places={"b": 0}, names={"a": "Sea", "b": "sea"}, added=["Town"])
    actions.edit_sections(actor=people.ana, lorebook=fog, edits=edits)
    assert names(fog) == ["sea", "Sea", "Town"]


def test_books_of_one_name_are_told_apart(people: People, make_book: MakeBook) -> None:
    books = [make_book(fog_book(), name=name) for name in ("Fog", "Harbour", "fog", "FOG")]
    for book, minute in zip(books, (5, 5, 5, 9), strict=True):
        book.created_at = datetime(2026, 3, 4, 10, minute, tzinfo=UTC)
    labels = [label for _book, label in told_apart(books)]
    assert labels[1] == "Harbour"
    assert len(set(labels)) == 4
    assert labels[0].startswith("Fog · ")
    assert "10:09" in labels[3]
    assert {labels[0].rpartition(" · ")[2], labels[2].rpartition(" · ")[2]} == {"1", "2"}
    assert [book for book, _label in told_apart(books)] == books
