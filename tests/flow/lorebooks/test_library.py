"""The library as a whole: who may do what, sharing, worlds that use a book, versions, trash, recovery."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from formats.errors import DomainError
from lorebooks import actions, queries
from lorebooks.access import lorebook_for, lorebooks_for, own_lorebook_for
from lorebooks.models import Lorebook, LorebookEntry, LorebookUse
from lorebooks.pipeline.cases import Case, CaseResult
from lorebooks.pipeline.differences import diff_books
from lorebooks.pipeline.trial import Trial
from lorebooks.shelves import folder_of, shelf_of
from portal import bell, sharing, slots
from portal.access import Level
from portal.models import Person, Share
from tests.flow.lorebooks.conftest import MakeBook
from tests.support.faults import broken
from tests.support.lorebooks import fog_book, harbour_book
from tests.support.people import People, share
from worlds import actions as world_actions
from worlds.models import World
from worlds.queries import folder_of as world_folder
from worlds.queries import quota_left

pytestmark = pytest.mark.django_db


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(DomainError) as caught:
        call()
    return caught.value.kind


def uses_seen(people: People) -> dict[str, int]:
    """In how many worlds Ana sees each book, as the list counts it."""
    return {row.pk: vars(row)["uses"] for row in queries.library_rows(people.ana)}


# --- who may do what ----------------------------------------------------------------------------


def test_a_stranger_is_told_that_there_is_nothing(people: People, fog: Lorebook) -> None:
    levels: tuple[Level, ...] = ("read", "edit")
    for level in levels:
        assert refused(partial(lorebook_for, people.cyd, fog.pk, level)) == "not-found"
    assert refused(lambda: own_lorebook_for(people.cyd, fog.pk)) == "not-found"
    assert refused(lambda: lorebook_for(people.ana, "no-such-" + "a" * 20)) == "not-found"
    assert not lorebooks_for(people.cyd).exists()
    assert not bell.may_hear(people.cyd, f"item:{fog.pk}")


def test_a_reader_reads_an_editor_edits_and_neither_owns(people: People, fog: Lorebook) -> None:
    share(people.ben, "lorebook", fog.pk, "read")
    share(people.cyd, "lorebook", fog.pk, "edit")
    assert lorebook_for(people.ben, fog.pk) == fog
    assert refused(lambda: lorebook_for(people.ben, fog.pk, "edit")) == "forbidden"
    assert lorebook_for(people.cyd, fog.pk, "edit") == fog
    for person in (people.ben, people.cyd):
        assert bell.may_hear(person, f"item:{fog.pk}")
        assert refused(partial(own_lorebook_for, person, fog.pk)) == "forbidden"
        assert refused(partial(actions.trash_lorebook, actor=person, lorebook=fog)) == "forbidden"
    Person.objects.filter(pk=people.ben.pk).update(is_active=False)
    people.ben.refresh_from_db()
    assert refused(lambda: lorebook_for(people.ben, fog.pk)) == "not-found"


# --- sharing, the one way for every kind --------------------------------------------------------


def give(
    people: People, book: Lorebook, name: str, level: str = "read", actor: Person | None = None
) -> Share:
    return sharing.share(
        actor=actor or people.ana,
        owner=book.owner,
        kind="lorebook",
        item_id=book.pk,
        with_name=name,
        level=level,
    )


def test_an_owner_shares_changes_and_takes_back(people: People, fog: Lorebook) -> None:
    give(people, fog, " ben ")
    give(people, fog, "ben", "edit")
    assert [(one.person, one.level) for one in sharing.shares_of("lorebook", fog.pk)] == [
        (people.ben, "edit")
    ]
    assert lorebook_for(people.ben, fog.pk, "edit") == fog
    closed = sharing.unshare(
        actor=people.ben, owner=people.ana, kind="lorebook", item_id=fog.pk, person=people.ben
    )
    assert closed, "who was given it may give it back"
    assert refused(lambda: lorebook_for(people.ben, fog.pk)) == "not-found"


def test_what_cannot_be_shared(people: People, fog: Lorebook) -> None:
    assert refused(lambda: give(people, fog, "nobody")) == "not-found"
    assert refused(lambda: give(people, fog, "ana")) == "invalid"
    assert refused(lambda: give(people, fog, "ben", "own")) == "invalid"
    assert refused(lambda: give(people, fog, "cyd", actor=people.ben)) == "forbidden"
    give(people, fog, "ben")
    assert (
        refused(
            lambda: sharing.unshare(
                actor=people.cyd, owner=people.ana, kind="lorebook", item_id=fog.pk, person=people.ben
            )
        )
        == "forbidden"
    )
    Person.objects.filter(pk=people.cyd.pk).update(is_active=False)
    assert refused(lambda: give(people, fog, "cyd")) == "not-found"


def test_names_are_not_tried_out_without_end(people: People, fog: Lorebook) -> None:
    kinds = [refused(partial(give, people, fog, f"who{number}")) for number in range(70)]
    assert kinds[0] == "not-found"
    assert kinds[-1] == "limited"


# --- worlds that use a book ---------------------------------------------------------------------


@pytest.fixture
def harbour(people: People, data_root: Path) -> World:
    return world_actions.create_world(actor=people.ana, name="Harbour", language="en", opening="Fog.")


def named_in(world: World) -> list[str]:
    value = json.loads(world_folder(world).read("world.json"))
    return list(value.get("lorebooks", []))


@pytest.mark.req("WORLD-2")
def test_a_world_names_its_books_in_order(
    people: People, fog: Lorebook, make_book: MakeBook, harbour: World
) -> None:
    other = make_book({"entries": {}}, name="Other")
    for book in (fog, other, fog):
        actions.attach_lorebook(actor=people.ana, lorebook=book, world=harbour)
    assert named_in(harbour) == [fog.pk, other.pk]
    assert [one.lorebook for one in queries.attached_books(people.ana, harbour)] == [fog, other]
    assert list(queries.worlds_using(people.ana, fog)) == [harbour]
    assert uses_seen(people) == {fog.pk: 1, other.pk: 1}
    actions.detach_lorebook(actor=people.ana, lorebook_id=fog.pk, world=harbour)
    assert named_in(harbour) == [other.pk]
    copy = world_actions.copy_world(actor=people.ana, world=harbour, name="Copy")
    assert uses_seen(people) == {fog.pk: 0, other.pk: 2}
    world_actions.trash_world(actor=people.ana, world=copy)
    assert queries.worlds_using(people.ana, other).count() == 1


def test_who_may_read_the_world_but_not_the_book_sees_only_that_there_is_one(
    people: People, fog: Lorebook, harbour: World
) -> None:
    actions.attach_lorebook(actor=people.ana, lorebook=fog, world=harbour)
    share(people.ben, "world", harbour.pk, "edit")
    [attached] = queries.attached_books(people.ben, harbour)
    assert (attached.id, attached.lorebook) == (fog.pk, None)
    assert queries.library_rows(people.ben).count() == 0
    assert (
        refused(lambda: actions.attach_lorebook(actor=people.ben, lorebook=fog, world=harbour)) == "not-found"
    )
    actions.detach_lorebook(actor=people.ben, lorebook_id=fog.pk, world=harbour)
    assert named_in(harbour) == []
    assert (
        refused(lambda: actions.attach_lorebook(actor=people.cyd, lorebook=fog, world=harbour)) == "not-found"
    )
    share(people.cyd, "lorebook", fog.pk)
    assert (
        refused(lambda: actions.attach_lorebook(actor=people.cyd, lorebook=fog, world=harbour)) == "not-found"
    )


def test_a_book_in_the_trash_keeps_its_worlds(people: People, fog: Lorebook, harbour: World) -> None:
    actions.attach_lorebook(actor=people.ana, lorebook=fog, world=harbour)
    entry = actions.trash_lorebook(actor=people.ana, lorebook=fog)
    assert [one.lorebook for one in queries.attached_books(people.ana, harbour)] == [None]
    back = actions.restore_lorebook(actor=people.ana, entry_id=entry)
    assert list(queries.worlds_using(people.ana, back)) == [harbour]


# --- settings, versions, copies, cases ----------------------------------------------------------


@pytest.mark.req("WB-5")
def test_settings_go_where_they_belong_and_meet_nobody(people: People, fog: Lorebook) -> None:
    share(people.ben, "lorebook", fog.pk, "edit")
    seen = queries.settings_of(fog)
    fields = {"name": "雾", "tags": ["sea"], "scan_depth": 3, "recursive_scanning": False, "description": "d"}
    etag = actions.edit_settings(actor=people.ana, lorebook=fog, fields=fields, if_match=seen.etag)
    assert queries.settings_of(fog).fields == {**seen.fields, **fields}
    assert queries.settings_of(fog).etag == etag
    assert (fog.name, fog.description, fog.tags) == ("雾", "d", ["sea"])
    head = json.loads(folder_of(fog).read("book.json"))
    assert (head["scan_depth"], head["name"], head["shelf_mark"]) == (3, "Fog lore", "kept as it is")
    model = queries.book_model(fog)
    assert (model.name, model.settings.scan_depth, model.settings.recursive_scanning) == ("雾", 3, False)
    late = partial(actions.edit_settings, actor=people.ben, lorebook=fog, if_match=seen.etag)
    assert refused(partial(late, fields={"name": "Mine"})) == "conflict"
    assert refused(partial(late, fields={"scan_depth": -1})) == "invalid"
    actions.edit_settings(actor=people.ana, lorebook=fog, fields={"scan_depth": None}, if_match=etag)
    assert "scan_depth" not in json.loads(folder_of(fog).read("book.json"))


def test_versions_are_kept_compared_and_brought_back(people: People, fog: Lorebook) -> None:
    first = folder_of(fog).read("book.json")
    assert actions.keep_version(actor=people.ana, lorebook=fog, note="before the storm") == 1
    etag = queries.entry_value(fog, "0").etag
    changed = {"content": "The fog of Saltmarsh hides whole fleets. It sings.", "keys": ["fog"]}
    actions.save_entry(actor=people.ana, lorebook=fog, key="0", fields=changed, if_match=etag)
    actions.delete_entries(actor=people.ana, lorebook=fog, keys=["1"])
    actions.add_entry(actor=people.ana, lorebook=fog, fields={"comment": "Gulls"})
    assert actions.keep_version(actor=people.ana, lorebook=fog) == 2
    for new in (0, 2):
        diff = diff_books(queries.version_model(fog, 1), queries.version_model(fog, new))
        assert [entry.comment for entry in diff.added] == ["Gulls"]
        assert [entry.comment for entry in diff.removed] == ["The town"]
        [change] = diff.changed
        assert (change.key, set(change.names)) == ("0", {"content", "keys"})
        text = change.text()
        assert text is not None
        assert "It sings." in "".join(run.text for run in text.changes if run.kind == "added")
        assert diff.same == 2
    assert [(row.number, row.note) for row in queries.version_rows(fog)] == [(2, ""), (1, "before the storm")]
    actions.restore_version(actor=people.ana, lorebook=fog, number=1)
    assert folder_of(fog).read("book.json") == first
    assert not diff_books(queries.version_model(fog, 1), queries.version_model(fog, 0)).differs
    assert refused(lambda: actions.restore_version(actor=people.ana, lorebook=fog, number=9)) == "not-found"
    fog.refresh_from_db()
    assert fog.entries_total == 4


def test_a_full_account_brings_no_version_back_and_keeps_the_book(people: People, fog: Lorebook) -> None:
    actions.keep_version(actor=people.ana, lorebook=fog)
    actions.delete_entries(actor=people.ana, lorebook=fog, keys=["0", "1", "2"])
    before = folder_of(fog).read_all()
    people.ana.quota = used = people.ana.quota_bytes - quota_left(people.ana)
    people.ana.save()
    fresh = Lorebook.objects.get(pk=fog.pk)
    assert refused(lambda: actions.restore_version(actor=people.ana, lorebook=fresh, number=1)) == "full"
    assert folder_of(fog).read_all() == before
    people.ana.quota = used + 10_000
    people.ana.save()
    fresh = Lorebook.objects.get(pk=fog.pk)
    actions.restore_version(actor=people.ana, lorebook=fresh, number=1)
    assert fresh.entries_total == 4


def test_a_copy_is_complete_and_its_owners_own(people: People, fog: Lorebook) -> None:
    actions.keep_version(actor=people.ana, lorebook=fog)
    share(people.ben, "lorebook", fog.pk)
    copy = actions.copy_lorebook(actor=people.ben, lorebook=fog, name="Ben's fog")
    assert (copy.owner, copy.name, copy.content_hash) == (people.ben, "Ben's fog", fog.content_hash)
    assert queries.version_rows(copy) == []
    assert folder_of(copy).read("book.json") == folder_of(fog).read("book.json")
    assert copy.source_kind == "copy"


def test_cases_say_what_a_change_changed(people: People, fog: Lorebook) -> None:
    case = Case(id="c1", name="At night", trial=Trial(text="Mist rolls in, the lamplight fails."))
    kept = actions.save_case(actor=people.ana, lorebook=fog, case=case)
    assert kept.expected == {"0": "in", "1": "in", "2": "in"}

    def run() -> CaseResult:
        [result] = actions.run_cases(
            actor=people.ana, lorebook=fog, cases=queries.cases_of(fog), model=queries.book_model(fog)
        )
        return result

    assert run().passed
    actions.bulk_edit(actor=people.ana, lorebook=fog, keys=["2"], enabled=False)
    [difference] = run().differences
    assert (difference.title, difference.expected, difference.got) == ("Lamps", "in", "out")
    assert difference.reason
    assert difference.reason.code == "disabled"
    actions.save_case(actor=people.ana, lorebook=fog, case=case)
    assert run().passed
    change_id = actions.delete_case(actor=people.ana, lorebook=fog, case_id="c1")
    assert not actions.delete_case(actor=people.ana, lorebook=fog, case_id="c1")
    assert queries.cases_of(fog) == ()
    assert actions.put_back_cases(actor=people.ana, lorebook=fog, change_id=change_id) == 1
    assert run().passed


# --- trash, space, recovery ---------------------------------------------------------------------


def test_the_trash_takes_room_until_it_is_emptied(people: People, fog: Lorebook) -> None:
    share(people.ben, "lorebook", fog.pk)
    before = quota_left(people.ana)
    entry = actions.trash_lorebook(actor=people.ana, lorebook=fog)
    assert quota_left(people.ana) == before < people.ana.quota_bytes
    assert [item.name for item in queries.trashed(people.ana)] == ["Fog lore"]
    fog = actions.restore_lorebook(actor=people.ana, entry_id=entry)
    assert lorebook_for(people.ben, fog.pk) == fog, "it is shared as before"
    entry = actions.trash_lorebook(actor=people.ana, lorebook=fog)
    assert refused(lambda: actions.restore_lorebook(actor=people.ben, entry_id=entry)) == "not-found"
    assert actions.empty_trash(actor=people.ana, entry_ids=[entry, entry]) == 1
    assert quota_left(people.ana) == people.ana.quota_bytes
    assert not Share.objects.exists()


def test_the_sweep_empties_old_trash_and_forgets_old_history(people: People, make_book: MakeBook) -> None:
    kept, gone = make_book(fog_book(), name="Kept"), make_book(fog_book(), name="Gone")
    actions.delete_entries(actor=people.ana, lorebook=kept, keys=["0"])
    actions.trash_lorebook(actor=people.ana, lorebook=gone)
    size = kept.size
    world_actions.sweep(now=timezone.now())
    assert len(queries.trashed(people.ana)) == 1
    assert actions.sweep(now=timezone.now() + timedelta(days=40)) == 1
    assert queries.trashed(people.ana) == []
    kept.refresh_from_db()
    assert kept.size < size
    assert folder_of(kept).history() == []


def test_reindex_makes_every_row_again(people: People, fog: Lorebook, harbour: World) -> None:
    actions.attach_lorebook(actor=people.ana, lorebook=fog, world=harbour)
    entries = list(LorebookEntry.objects.order_by("position").values_list("key", "etag", "words"))
    Lorebook.objects.all().delete()
    LorebookUse.objects.all().delete()
    Lorebook.objects.create(
        pk="ghost-" + "a" * 20,
        owner=people.ana,
        name="Ghost",
        created_at=timezone.now(),
        updated_at=timezone.now(),
        used_at=timezone.now(),
    )
    call_command("reindex", stdout=io.StringIO())
    assert list(Lorebook.objects.values_list("pk", flat=True)) == [fog.pk]
    assert list(LorebookEntry.objects.order_by("position").values_list("key", "etag", "words")) == entries
    assert list(queries.worlds_using(people.ana, Lorebook.objects.get())) == [harbour]


def started() -> None:
    for hook in slots.filled("server.started"):
        hook()


def test_a_start_puts_right_what_a_crash_left(people: People, fog: Lorebook, make_book: MakeBook) -> None:
    restored, trashed = make_book(fog_book(), name="Restored"), make_book(fog_book(), name="Trashed")
    Lorebook.objects.filter(pk=restored.pk).delete()
    shelf_of(people.ana).to_trash(trashed.pk)
    with folder_of(fog).change(by="ana", what="edit") as change:
        change.write("book.json", b'{"entries": {}}')
    started()
    assert set(Lorebook.objects.values_list("pk", flat=True)) == {fog.pk, restored.pk}
    fog.refresh_from_db()
    assert fog.entries_total == 0


def test_a_crash_while_a_book_is_made_leaves_all_of_it_or_nothing(people: People, data_root: Path) -> None:
    for at in count(1):
        with broken(crash=True, at=at) as fault:
            actions.create_lorebook(actor=people.ana, name=f"Fog {at}", description="d")
        if not fault.hit:
            break
        started()
        for book in Lorebook.objects.all():
            assert queries.item_of(book).name == book.name
            assert queries.settings_of(book).fields["description"] == "d"
        assert {book.pk for book in Lorebook.objects.all()} == set(shelf_of(people.ana).ids())
    assert at > 5


def test_chinese_books_are_listed_searched_and_sorted(people: People, make_book: MakeBook) -> None:
    make_book({"entries": {}}, name="雾港志")
    make_book(fog_book())
    assert harbour_book()["name"] == "雾港志"
    assert [book.name for book in queries.library_rows(people.ana, search="雾港")] == ["雾港志"]
    assert [book.name for book in queries.library_rows(people.ana, sort="name")] == ["Fog lore", "雾港志"]
    assert queries.library_rows(people.ana, sort="entries")[0].name == "Fog lore"
    assert queries.library_rows(people.ana, owned=False).count() == 0
