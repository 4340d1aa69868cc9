"""Entries saved one by one, added, deleted and changed many at a time; two people at once lose nothing."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import pytest

from formats.errors import DomainError
from lorebooks import actions, queries
from lorebooks.models import Lorebook, LorebookEntry
from lorebooks.pipeline.item_file import Section
from lorebooks.shelves import folder_of
from tests.flow.lorebooks.conftest import MakeBook
from tests.support.faults import broken
from tests.support.lorebooks import fog_book, large_book
from tests.support.people import People, share
from tests.support.sections import put_sections
from worlds.queries import quota_left

pytestmark = pytest.mark.django_db

COLUMNS = (
    "key",
    "title",
    "enabled",
    "strategy",
    "order",
    "tokens",
    "section",
    "etag",
    "content_hash",
    "words",
)


def save(people: People, book: Lorebook, key: str, **fields: object) -> actions.Saved:
    etag = queries.entry_value(book, key).etag
    return actions.save_entry(actor=people.ana, lorebook=book, key=key, fields=fields, if_match=etag)


def stored(book: Lorebook) -> dict[str, dict[str, object]]:
    value = json.loads(folder_of(book).read("book.json"))
    entries: dict[str, dict[str, object]] = value["entries"]
    return entries


def rows(book: Lorebook) -> list[tuple[object, ...]]:
    return list(LorebookEntry.objects.filter(lorebook=book).order_by("position").values_list(*COLUMNS))


def check_index(people: People, book: Lorebook) -> None:
    """What the saves wrote into the index is what reading the whole book gives."""
    book.refresh_from_db()
    skipped = {"_state", "fingerprint", "used_at"}
    before = {name: value for name, value in vars(book).items() if name not in skipped and name[0] != "_"}
    entries = rows(book)
    actions.index_lorebook(owner=book.owner, lorebook_id=book.pk)
    book.refresh_from_db()
    assert rows(book) == entries
    assert {name: vars(book)[name] for name in before} == before


@pytest.mark.req("WB-5")
def test_a_save_changes_its_fields_and_nothing_else(people: People, fog: Lorebook) -> None:
    before = stored(fog)
    saved = save(people, fog, "3", comment="The harbour", keys=["port"], enabled=True, sticky=2)
    after = stored(fog)
    assert after["3"]["comment"] == "The harbour"
    assert (after["3"]["key"], after["3"]["disable"], after["3"]["sticky"]) == (["port"], False, 2)
    assert after["3"]["myth"] == 7, "what nobody here knows stays"
    assert {key: after[key] for key in "012"} == {key: before[key] for key in "012"}
    assert queries.entry_value(fog, "3").etag == saved.etag
    assert (fog.entries_on, fog.tokens_total) == (4, sum(row.tokens for row in queries.entry_rows(fog)))
    check_index(people, fog)


def test_a_save_over_somebody_elses_tells_both(people: People, fog: Lorebook) -> None:
    share(people.ben, "lorebook", fog.pk, "edit")
    seen = queries.entry_value(fog, "0")
    save(people, fog, "0", comment="Theirs")
    with pytest.raises(actions.EntryConflict) as caught:
        actions.save_entry(
            actor=people.ben, lorebook=fog, key="0", fields={"content": "Mine"}, if_match=seen.etag
        )
    conflict = caught.value
    assert conflict.kind == "conflict"
    assert (conflict.theirs["comment"], conflict.yours["content"]) == ("Theirs", "Mine")
    assert stored(fog)["0"]["content"] != "Mine"
    actions.save_entry(
        actor=people.ben, lorebook=fog, key="0", fields={"content": "Mine"}, if_match=conflict.etag
    )
    assert (stored(fog)["0"]["comment"], stored(fog)["0"]["content"]) == ("Theirs", "Mine")


def test_two_people_in_two_entries_do_not_meet(people: People, fog: Lorebook) -> None:
    share(people.ben, "lorebook", fog.pk, "edit")
    first, second = queries.entry_value(fog, "0").etag, queries.entry_value(fog, "1").etag
    actions.save_entry(actor=people.ana, lorebook=fog, key="0", fields={"comment": "A"}, if_match=first)
    other = Lorebook.objects.get(pk=fog.pk)
    actions.save_entry(actor=people.ben, lorebook=other, key="1", fields={"comment": "B"}, if_match=second)
    assert (stored(fog)["0"]["comment"], stored(fog)["1"]["comment"]) == ("A", "B")
    check_index(people, fog)


def test_the_same_save_again_is_accepted_and_writes_nothing(people: People, fog: Lorebook) -> None:
    etag = queries.entry_value(fog, "0").etag
    for _ in range(2):
        saved = actions.save_entry(
            actor=people.ana, lorebook=fog, key="0", fields={"comment": "A"}, if_match=etag
        )
    assert saved.etag == queries.entry_value(fog, "0").etag
    assert len(folder_of(fog).history()) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"comment": 5},
        {"probability": 101},
        {"position": "nowhere"},
        {"sticky": float("nan")},
        {"insertion_order": int("9" * 400)},
        {"depth": int("9" * 400)},
        {"keys": "fog"},
        {"raw": {}},
    ],
)
def test_what_a_field_cannot_hold_is_refused(
    people: People, fog: Lorebook, fields: dict[str, object]
) -> None:
    before = folder_of(fog).read("book.json")
    with pytest.raises(DomainError) as caught:
        save(people, fog, "0", **fields)
    assert caught.value.kind == "invalid"
    assert folder_of(fog).read("book.json") == before


def test_one_sitting_is_one_step_and_the_first_bytes_come_back(people: People, fog: Lorebook) -> None:
    before = folder_of(fog).read("book.json")
    for number in range(5):
        save(people, fog, "0", content=f"draft {number}")
    [step] = folder_of(fog).history()
    assert folder_of(fog).former(step.id, "book.json") == before


def test_entries_come_and_go(people: People, fog: Lorebook) -> None:
    added = actions.add_entry(actor=people.ana, lorebook=fog, fields={"comment": "Gulls", "keys": ["gull"]})
    assert added.key == "4"
    assert stored(fog)["4"]["uid"] == 4
    copy = actions.duplicate_entry(actor=people.ana, lorebook=fog, key="3")
    assert stored(fog)[copy.key]["myth"] == 7
    assert [row.key for row in queries.entry_rows(fog)] == ["0", "1", "2", "3", "4", "5"]
    assert actions.delete_entries(actor=people.ana, lorebook=fog, keys=["0", "4", "no such"]).count == 2
    assert list(stored(fog)) == ["1", "2", "3", "5"]
    check_index(people, fog)
    with pytest.raises(DomainError) as caught:
        queries.entry_value(fog, "0")
    assert caught.value.kind == "not-found"


def test_many_at_a_time_with_sections(people: People, fog: Lorebook) -> None:
    sea = Section(id="sea", name="Sea", entries=("0",))
    put_sections(people.ana, fog, sea, Section(id="town", name="Town"))
    keys = ["1", "2", "0"]
    assert actions.bulk_edit(actor=people.ana, lorebook=fog, keys=keys, section="town") == 3
    assert actions.bulk_edit(actor=people.ana, lorebook=fog, keys=keys, enabled=False, order_by=10) == 3
    assert {row.key for row in queries.entry_rows(fog, section="town")} == set(keys)
    assert queries.entry_rows(fog, section=queries.NO_SECTION).get().key == "3"
    assert {row.order for row in queries.entry_rows(fog, section="town")} == {110.0}
    assert fog.entries_on == 0
    check_index(people, fog)
    added = actions.add_entry(actor=people.ana, lorebook=fog, fields={}, section="sea")
    assert queries.entry_value(fog, added.key).section == "sea"
    actions.delete_entries(actor=people.ana, lorebook=fog, keys=[added.key, "1"])
    assert queries.item_of(fog).section_of() == {"0": "town", "2": "town"}
    with pytest.raises(DomainError):
        actions.bulk_edit(actor=people.ana, lorebook=fog, keys=keys, section="nowhere")
    check_index(people, fog)


def test_a_search_finds_any_script_in_title_keys_and_text(people: People, make_book: MakeBook) -> None:
    book = make_book(large_book(300))
    assert [row.key for row in queries.entry_rows(book, search="NAME17 雾17号")] == ["17"]
    assert queries.entry_rows(book, search="没有人抬头").count() == 100
    assert queries.entry_rows(book, search="%").count() == 0
    assert queries.entry_rows(book, show="always").count() == 6
    by_order = [row.order for row in queries.entry_rows(book, sort="order")]
    assert by_order == sorted(by_order, reverse=True)


def test_a_file_edited_by_hand_is_read_again_and_its_layout_mended(people: People, fog: Lorebook) -> None:
    path = folder_of(fog).path / "book.json"
    value = json.loads(path.read_text())
    value["entries"]["zz"] = {"uid": "zz", "key": ["hand"], "content": "by hand"}
    path.write_text(json.dumps(value, indent=4, ensure_ascii=True))
    save(people, fog, "0", comment="after")
    assert [row.key for row in queries.entry_rows(fog)] == ["0", "1", "2", "3", "zz"]
    added = actions.add_entry(actor=people.ana, lorebook=fog, fields={"comment": "new"})
    assert [row.key for row in queries.entry_rows(fog)] == ["0", "1", "2", "3", added.key, "zz"]
    check_index(people, fog)
    path.write_text("{")
    with pytest.raises(DomainError) as caught:
        queries.in_step(fog)
    assert caught.value.code == "lorebook.file-unreadable"
    assert queries.entry_rows(fog).count() == 6, "the rows stay as they were"


def test_a_full_account_refuses_what_grows(people: People, fog: Lorebook) -> None:
    people.ana.quota = fog.size
    people.ana.save()
    assert quota_left(people.ana) == 0
    with pytest.raises(DomainError) as caught:
        save(people, Lorebook.objects.get(pk=fog.pk), "0", content="x" * 5000)
    assert caught.value.kind == "full"
    actions.delete_entries(actor=people.ana, lorebook=Lorebook.objects.get(pk=fog.pk), keys=["0"])


def test_a_crash_anywhere_leaves_the_old_or_the_new_entry(people: People, make_book: MakeBook) -> None:
    for at in count(1):
        book = make_book(fog_book(), name=f"Fog {at}")
        etag = queries.entry_value(book, "0").etag
        with broken(crash=True, at=at) as fault:
            actions.save_entry(
                actor=people.ana, lorebook=book, key="0", fields={"content": "new"}, if_match=etag
            )
        if not fault.hit:
            break
        folder_of(book).settle()
        fresh = queries.in_step(Lorebook.objects.get(pk=book.pk))
        content = stored(fresh)["0"]["content"]
        assert content in ("new", fog_book()["entries"]["0"]["content"])
        assert queries.entry_rows(fresh).get(key="0").etag == queries.entry_value(fresh, "0").etag
    assert at > 10


def test_a_version_brings_its_sections_back(people: People, fog: Lorebook) -> None:
    act: dict[str, Any] = {"actor": people.ana, "lorebook": fog}
    sea = Section(id="sea", name="Sea", entries=("0", "1"))
    put_sections(people.ana, fog, sea, Section(id="town", name="Town", entries=("2",)))
    actions.keep_version(**act)
    deleted = actions.delete_entries(**act, keys=["0", "2"])
    actions.bulk_edit(**act, keys=["1", "3"], section="town")
    actions.edit_sections(**act, edits=actions.SectionEdits(removed=["sea"]))
    added = actions.add_entry(**act, fields={}, section="town")
    done = actions.restore_version(**act, number=1)
    home = {"0": "sea", "1": "sea", "2": "town"}
    assert queries.item_of(fog).section_of() == home, "also those that stayed, in the section that was gone"
    assert {row.key: row.section for row in queries.entry_rows(fog)} == {**home, "3": ""}
    assert (done.changed, done.with_sections) == (True, True)
    assert not actions.restore_version(**act, number=1).changed
    actions.restore_former(**act, change_id=done.change_id)
    assert queries.item_of(fog).section_of() == {"1": "town", "3": "town", added.key: "town"}
    actions.restore_former(**act, change_id=deleted.change_id)
    assert queries.item_of(fog).section_of() == home
    check_index(people, fog)


def test_a_version_without_sections_takes_those_of_now_away(people: People, fog: Lorebook) -> None:
    act: dict[str, Any] = {"actor": people.ana, "lorebook": fog}
    actions.keep_version(**act)
    put_sections(people.ana, fog, Section(id="sea", name="Sea", entries=("0", "1")))
    done = actions.restore_version(**act, number=1)
    assert (done.changed, queries.item_of(fog).sections) == (True, ()), "of the book nothing else had changed"
    actions.restore_former(**act, change_id=done.change_id)
    assert queries.item_of(fog).section_of() == {"0": "sea", "1": "sea"}


def test_a_version_from_before_sections_were_kept_leaves_those_of_now(people: People, fog: Lorebook) -> None:
    act: dict[str, Any] = {"actor": people.ana, "lorebook": fog}
    actions.keep_version(**act)
    (folder_of(fog).path / "versions/1.sections.json").unlink()
    put_sections(people.ana, fog, Section(id="sea", name="Sea", entries=("0", "1")))
    save(people, fog, "0", content="Later.")
    added = actions.add_entry(**act, fields={}, section="sea")
    done = actions.restore_version(**act, number=1)
    assert (done.changed, done.with_sections) == (True, False)
    assert queries.item_of(fog).section_of() == {"0": "sea", "1": "sea"}, f"{added.key} is gone"
