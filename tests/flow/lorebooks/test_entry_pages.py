"""The pages of entries: the form and what it leaves alone, autosave, conflicts, many at once, undo."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from formats.errors import DomainError
from lorebooks import actions, queries
from lorebooks.entry_keys import keys_of, told_keys
from lorebooks.models import Lorebook, LorebookEntry
from lorebooks.pipeline.entry_fields import CHECKS, check_field, fields_of, with_fields
from lorebooks.pipeline.item_file import Section
from lorebooks.shelves import folder_of
from tests.flow.lorebooks.conftest import MakeBook
from tests.support.lorebooks import fog_book, large_book, st_entry
from tests.support.page_forms import sent_by
from tests.support.people import People, client_of, share
from tests.support.sections import put_sections

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
Data = dict[str, Any]


def at(name: str, book: Lorebook, *parts: object) -> str:
    return reverse(f"lorebooks:{name}", args=[book.pk, *parts])


def form_of(client: Client, book: Lorebook, key: str) -> Data:
    """The form of an entry as a browser has it."""
    answer = client.get(at("entry", book, key))
    assert answer.status_code == 200
    return sent_by(answer.content.decode(), "entry")


def save(client: Client, book: Lorebook, key: str, data: Data, *, live: bool = False) -> Any:
    return client.post(at("entry", book, key), data, headers=HTMX if live else {})


def stored(book: Lorebook, key: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(folder_of(book).read("book.json"))["entries"][key]
    return found


ODD: Data = {
    "name": "Odd",
    "entries": {
        "0": st_entry(
            0, ["a\nb", " he ", "", "x, y", "/a,b/", "x, y"], "one\r\ntwo\rthree\n\n", comment="t\nu"
        ),
        "1": st_entry(1, ["\ud800k"], "\udfff half \ud83d", order=10**30, depth=-5, probability=1e308),
        "2": st_entry(2, [], "", delayUntilRecursion=True, sticky=0, group="a,b", triggers=["quiet", "odd"]),
        "3": {"key": "one, two", "content": 7, "selective": "yes", "scanDepth": "3", "role": 9},
        "4": st_entry(
            4,
            ["k"],
            "c",
            characterFilter={"isExclude": True, "names": ["A,B", "C"], "tags": [], "more": 1},
            vectorized=True,
            caseSensitive=True,
            matchWholeWords=False,
            extensions={"weird": {"a": [1]}},
        ),
        "5": st_entry(5, [f"key{n}" for n in range(1500)], "\n starts with a line", selective=False),
    },
}


@pytest.mark.req("WB-5")
@pytest.mark.parametrize("key", list(ODD["entries"]))
def test_a_form_that_nobody_touched_changes_nothing(people: People, make_book: MakeBook, key: str) -> None:
    book = make_book(ODD)
    before = folder_of(book).read("book.json")
    client = client_of(people.ana)
    assert save(client, book, key, form_of(client, book, key)).status_code == 303
    assert folder_of(book).read("book.json") == before


@pytest.mark.req("WB-5")
def test_a_field_that_was_typed_is_saved_and_the_rest_stays(people: People, make_book: MakeBook) -> None:
    book = make_book(ODD)
    client = client_of(people.ana)
    before = stored(book, "4")
    data = form_of(client, book, "4") | {
        "comment": ["雾港"],
        "keys": ["k", "雾港，旧码头、潮汐", "/a{1,2}/i", ""],
        "second": ["not_all"],
        "position": ["at_depth"],
        "depth": ["3"],
        "sticky": ["2.5"],
        "case_sensitive": [""],
        "character_names": ["A,B\r\nD"],
    }
    assert save(client, book, "4", data).status_code == 303
    after = stored(book, "4")
    assert after["comment"] == "雾港"
    assert after["key"] == ["k", "雾港", "旧码头", "潮汐", "/a{1,2}/i"]
    assert (after["selectiveLogic"], after["position"], after["depth"]) == (1, 4, 3)
    assert (after["sticky"], after["caseSensitive"]) == (2.5, None)
    assert after["characterFilter"] == {"isExclude": True, "names": ["A,B", "D"], "tags": [], "more": 1}
    untouched = set(before) - {
        "comment",
        "key",
        "selectiveLogic",
        "position",
        "depth",
        "sticky",
        "caseSensitive",
    }
    for name in untouched - {"characterFilter"}:
        assert after[name] == before[name], name


def test_keys_mean_what_was_in_their_fields() -> None:
    kept = ["a\nb", " he ", "x, y"]
    assert keys_of(["a b", "he", "x, y", ""], kept) == kept
    assert keys_of(["x, y", "he", "new, also"], kept) == ["x, y", " he ", "new", "also"]
    assert keys_of(["/a,b/", "a,a"], []) == ["/a,b/", "a"]


def test_a_pattern_is_tried_at_once() -> None:
    told = {one.key: one.verdict for one in told_keys(["/ok+/i", "/(a+/", "/x/v", "plain"])}
    assert told == {"/ok+/i": "compiles", "/(a+/": "does-not", "/x/v": "plain"}


def test_what_a_field_cannot_hold_is_said_at_it(people: People, fog: Lorebook) -> None:
    client = client_of(people.ana)
    before = folder_of(fog).read("book.json")
    data = form_of(client, fog, "0") | {"probability": ["101"], "depth": ["deep"], "sticky": ["-1"]}
    data["insertion_order"] = ["9" * 400]
    answer = save(client, fog, "0", data)
    assert answer.status_code == 422
    assert answer.content.decode().count('class="error"') == 4
    live = save(client, fog, "0", data, live=True)
    assert live.status_code == 422
    assert live.content.decode().count("<li>") == 4
    assert folder_of(fog).read("book.json") == before


def test_an_autosave_answers_with_what_changed_on_the_page(people: People, fog: Lorebook) -> None:
    client = client_of(people.ana)
    data = form_of(client, fog, "0") | {"content": ["@@depth 2\r\nBlue lamps."], "keys": ["/(x/", "fog"]}
    answer = save(client, fog, "0", data, live=True)
    page = answer.content.decode()
    etag = queries.entry_value(fog, "0").etag
    assert answer.status_code == 200
    assert "Saved" in page
    assert f'value="{etag}"' in page
    assert "does not compile" in page
    assert "2 before the end" in page
    again = save(client, fog, "0", {**data, "etag": [etag], "comment": ["Mist"]}, live=True)
    assert (again.status_code, stored(fog, "0")["comment"]) == (200, "Mist")
    assert len(folder_of(fog).history()) == 1, "one sitting is one step"


def undo_of(answer: Any) -> str:
    """The way back that the last notice offers."""
    tags = [message.extra_tags for message in answer.context["messages"] if message.extra_tags]
    return str(tags[-1]).removeprefix("undo:")


def other_saves(people: People, book: Lorebook, **fields: object) -> None:
    etag = queries.entry_value(book, "0").etag
    actions.save_entry(actor=people.ben, lorebook=book, key="0", fields=fields, if_match=etag)


def test_two_people_in_one_entry_see_both_and_choose(people: People, fog: Lorebook) -> None:
    share(people.ben, "lorebook", fog.pk, "edit")
    client = client_of(people.ana)
    data = form_of(client, fog, "0") | {"content": ["The fog of Saltmarsh hides whole fleets. Mine."]}
    other_saves(people, fog, content="The fog of Saltmarsh hides whole fleets. Theirs.", keys=["fog", "haze"])
    live = save(client, fog, "0", data, live=True)
    assert live.status_code == 409
    assert "<bdi>ben</bdi> saved this entry" in live.content.decode()
    answer = save(client, fog, "0", data)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "Theirs." in page
    assert "Mine." in page
    assert stored(fog, "0")["content"].endswith("Theirs.")
    shown = sent_by(page, "both")
    chosen = {"pick-content": "both", "pick-keys": "theirs"}
    done = client.post(at("settle", fog, "0"), shown | chosen)
    assert done.status_code == 303
    assert stored(fog, "0")["content"] == "The fog of Saltmarsh hides whole fleets. Theirs.\nMine."
    assert stored(fog, "0")["key"] == ["fog", "haze"]


@pytest.mark.parametrize("typed", [{}, {"content": ["Theirs."]}])
def test_an_autosave_beside_another_save_does_not_overwrite_it_next_time(
    people: People, fog: Lorebook, monkeypatch: pytest.MonkeyPatch, typed: Data
) -> None:
    """Ben saves after Ana's entry was read and before hers is written: nothing of hers, or the same text."""
    share(people.ben, "lorebook", fog.pk, "edit")
    client, real = client_of(people.ana), actions.save_entry

    def beside(**said: Any) -> Any:
        monkeypatch.setattr(actions, "save_entry", real)
        other_saves(people, fog, content="Theirs.", keys=["haze"])
        return real(**said)

    data = form_of(client, fog, "0") | typed
    monkeypatch.setattr(actions, "save_entry", beside)
    answer = save(client, fog, "0", data, live=True)
    assert answer.status_code == 200
    [etag] = re.findall(r'name="etag" id="etag" value="([0-9a-f]+)"', answer.content.decode())
    after = save(client, fog, "0", data | {"etag": [etag], "comment": ["Later"]}, live=True)
    assert after.status_code == 409
    assert (stored(fog, "0")["content"], stored(fog, "0")["key"]) == ("Theirs.", ["haze"])


def test_a_choice_over_a_third_save_is_asked_again(people: People, fog: Lorebook) -> None:
    share(people.ben, "lorebook", fog.pk, "edit")
    client = client_of(people.ana)
    data = form_of(client, fog, "0") | {"content": ["Mine."]}
    other_saves(people, fog, content="Theirs.")
    shown = sent_by(save(client, fog, "0", data).content.decode(), "both")
    other_saves(people, fog, content="A third.")
    again = client.post(at("settle", fog, "0"), shown | {"pick": "yours"})
    assert again.status_code == 409
    assert stored(fog, "0")["content"] == "A third."
    done = client.post(at("settle", fog, "0"), sent_by(again.content.decode(), "both") | {"pick": "yours"})
    assert (done.status_code, stored(fog, "0")["content"]) == (303, "Mine.")


@pytest.mark.parametrize("yours", ["", "[]", '{"raw": 1}', "{"])
def test_a_choice_that_no_page_wrote_is_refused(people: People, fog: Lorebook, yours: str) -> None:
    answer = client_of(people.ana).post(at("settle", fog, "0"), {"yours": yours, "etag": "x"})
    assert answer.status_code == 404


WRONG: list[Any] = [5, None, True, [5], [[]], [{}], {"a": 1}, "x", -1, 1.5, 10**400]


def held(name: str, value: Any) -> bool:
    """Whether a field can hold a value; any other end than a refusal in words is a fault."""
    try:
        check_field(name, value)
    except DomainError:
        return False
    return True


@pytest.mark.parametrize("etag", ["", "stale"])
@pytest.mark.parametrize("pick", ["both", "yours"])
def test_a_choice_of_a_wrong_type_is_refused_and_is_no_fault(
    people: People, fog: Lorebook, pick: str, etag: str
) -> None:
    client = client_of(people.ana)
    for name, value in product(CHECKS, WRONG):
        before = queries.entry_value(fog, "0")
        form = {"yours": json.dumps({name: value}), "etag": etag or before.etag, "pick": pick}
        answer = client.post(at("settle", fog, "0"), form)
        told = (303, 409) if held(name, value) else (422,)
        assert answer.status_code in told, (name, value, answer.status_code)
        if answer.status_code != 303:
            assert queries.entry_value(fog, "0").fields == before.fields


def test_a_choice_that_no_field_can_hold_is_refused(people: People, fog: Lorebook) -> None:
    form = {"yours": f'{{"insertion_order": {"9" * 400}}}', "etag": queries.entry_value(fog, "0").etag}
    answer = client_of(people.ana).post(at("settle", fog, "0"), form)
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"key": ["a"], "order": 1e999}', "A number in it is larger"),
        ('{"myth": [{"deep": -1e999}]}', "A number in it is larger"),
        ('{"myth": NaN}', "This is no JSON object"),
        ('{"myth": ' + "[" * 90 + "]" * 90 + "}", "nested deeper than 64 levels"),
    ],
)
def test_a_source_that_no_file_can_hold_is_refused(
    people: People, fog: Lorebook, text: str, said: str
) -> None:
    before = folder_of(fog).read("book.json")
    form = {"text": text, "etag": queries.entry_value(fog, "0").etag}
    answer = client_of(people.ana).post(at("entry_source", fog, "0"), form)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert folder_of(fog).read("book.json") == before


def test_the_source_keeps_unknown_fields_and_says_what_it_does_not_take(
    people: People, fog: Lorebook
) -> None:
    client = client_of(people.ana)
    etag = queries.entry_value(fog, "3").etag
    for text in ("{", "[]", '"x"'):
        answer = client.post(at("entry_source", fog, "3"), {"text": text, "etag": etag})
        assert answer.status_code == 422
    text = json.dumps({**stored(fog, "3"), "myth": 8, "comment": "Port"})
    assert client.post(at("entry_source", fog, "3"), {"text": text, "etag": etag}).status_code == 303
    assert (stored(fog, "3")["myth"], stored(fog, "3")["comment"]) == (8, "Port")
    assert LorebookEntry.objects.get(lorebook=fog, key="3").title == "Port"
    mine = '{"content": "x", "unheard": 1}'
    old = client.post(at("entry_source", fog, "3"), {"text": mine, "etag": etag})
    assert old.status_code == 409
    assert "unheard" in old.content.decode(), "what was typed is still there"
    assert "myth" in old.content.decode(), "and so is theirs"
    client.post(at("entry_source", fog, "3"), {"text": mine, "etag": old.context["etag"]})
    assert stored(fog, "3") == {"content": "x", "unheard": 1}


def test_new_copied_deleted_and_brought_back(people: People, fog: Lorebook) -> None:
    client = client_of(people.ana)
    put_sections(people.ana, fog, Section(id="s", name="Sea", entries=("0", "3")))
    assert (
        client.post(at("new_entry", fog), {"section": "s"}).headers["Location"].endswith("/entries/4/?new=1")
    )
    assert client.post(at("duplicate_entry", fog, "3")).status_code == 303
    assert stored(fog, "5")["myth"] == 7
    before = stored(fog, "0")
    deleted = client.post(at("delete_entry", fog, "0"), follow=True)
    assert "1 entry was deleted." in deleted.content.decode()
    assert client.get(at("entry", fog, "0")).status_code == 404
    undo = undo_of(deleted)
    actions.add_entry(actor=people.ana, lorebook=fog, fields={"comment": "Since"})
    assert client.post(undo).status_code == 303
    assert stored(fog, "0") == before
    assert queries.entry_value(fog, "0").section == "s"
    assert [row.key for row in queries.entry_rows(fog)] == ["0", "1", "2", "3", "4", "5", "6"]
    assert client.post(undo).status_code == 303, "twice changes nothing"
    assert len(queries.entry_rows(fog)) == 7


@pytest.mark.parametrize(
    ("do", "also", "seen"),
    [
        ("on", {}, {"disable": False}),
        ("off", {}, {"disable": True}),
        ("order", {"by": "-30"}, {"order": 70}),
        ("move", {"to": "s"}, {}),
    ],
)
def test_many_at_once(people: People, fog: Lorebook, do: str, also: Data, seen: Data) -> None:
    client = client_of(people.ana)
    put_sections(people.ana, fog, Section(id="s", name="Sea"))
    answer = client.post(at("bulk", fog), {"do": do, "entry": ["2", "3"], "q": "x", **also})
    assert answer.status_code == 303
    assert "q=x" in answer.headers["Location"]
    for key in "23":
        assert seen.items() <= stored(fog, key).items()
        assert queries.entry_value(fog, key).section == ("s" if do == "move" else "")
    assert stored(fog, "1") == fog_book()["entries"]["1"]


def test_all_that_a_search_found(people: People, make_book: MakeBook) -> None:
    book = make_book(large_book(120))
    client = client_of(people.ana)
    listed = client.get(at("editor", book), {"show": "always", "sort": "title"})
    assert listed.context["page"].paginator.count == 3
    client.post(at("bulk", book), {"do": "delete", "all": "1", "show": "always"})
    assert book.entries.count() == 117
    told = client.post(at("bulk", book), {"do": "off"}, follow=True)
    assert "No entry is ticked" in told.content.decode()


def test_the_ticked_entries_as_a_file(people: People, fog: Lorebook) -> None:
    share(people.ben, "lorebook", fog.pk, "read")
    answer = client_of(people.ben).post(at("bulk", fog), {"do": "export", "entry": ["0", "3"]})
    assert answer.status_code == 200
    assert list(json.loads(answer.content)["entries"]) == ["0", "3"]
    assert json.loads(answer.content)["entries"]["3"]["myth"] == 7


def test_a_reader_sees_and_cannot_save(people: People, fog: Lorebook) -> None:
    share(people.ben, "lorebook", fog.pk, "read")
    client = client_of(people.ben)
    page = client.get(at("entry", fog, "0")).content.decode()
    assert "The fog of Saltmarsh" in page
    assert "disabled" in page
    assert "data-autosave" not in page
    for name in ("entry", "entry_source", "settle"):
        assert client.post(at(name, fog, "0")).status_code == 403
    for name in ("sections", "bulk", "new_entry", "keep_version", "restore_version"):
        assert client.post(at(name, fog), {"entry": "0", "do": "off"}).status_code == 403


def test_sections_are_added_named_ordered_and_taken_away(people: People, fog: Lorebook) -> None:
    client = client_of(people.ana)
    client.post(at("sections", fog), {"new": "Sea\r\n\r\n 城市 "})
    sea, city = queries.item_of(fog).sections
    assert (sea.name, city.name) == ("Sea", "城市")
    actions.bulk_edit(actor=people.ana, lorebook=fog, keys=["0", "1"], section=sea.id)
    named = {
        f"name-{sea.id}": "The sea",
        f"place-{sea.id}": "5",
        f"name-{city.id}": "",
        f"place-{city.id}": "1",
    }
    client.post(at("sections", fog), named)
    assert [(one.name, one.entries) for one in queries.item_of(fog).sections] == [
        ("城市", ()),
        ("The sea", ("0", "1")),
    ]
    listed = client.get(at("editor", fog), {"section": sea.id})
    assert [row.key for row, _keys, _more in listed.context["rows"]] == ["0", "1"]
    shown = named | {f"place-{sea.id}": "1", f"place-{city.id}": "2"}
    actions.bulk_edit(actor=people.ana, lorebook=fog, keys=["1", "2"], section=city.id)
    client.post(at("sections", fog), shown)
    assert [(one.name, one.entries) for one in queries.item_of(fog).sections] == [
        ("The sea", ("0",)),
        ("城市", ("1", "2")),
    ], "a move between showing and saving stays"
    full = client.post(at("sections", fog), {"new": "x\n" * 499})
    assert full.status_code == 507
    assert len(queries.item_of(fog).sections) == 2
    client.post(at("sections", fog), {f"remove-{sea.id}": "1"})
    assert [one.name for one in queries.item_of(fog).sections] == ["城市"]
    assert len(queries.entry_rows(fog)) == 4


def test_versions_are_kept_compared_and_brought_back(people: People, fog: Lorebook) -> None:
    client = client_of(people.ana)
    client.post(at("keep_version", fog), {"note": "before the flood"})
    data = form_of(client, fog, "0") | {"content": ["The fog of Saltmarsh hides whole fleets. And more."]}
    save(client, fog, "0", data | {"sticky": ["3"]})
    client.post(at("bulk", fog), {"do": "delete", "entry": "1"})
    page = client.get(at("versions", fog)).content.decode()
    assert "before the flood" in page
    assert "Entries written" in page
    compared = client.get(at("compare", fog), {"old": "1"})
    assert (len(compared.context["found"].changed), len(compared.context["found"].removed)) == (1, 1)
    assert "And more." in compared.content.decode()
    assert "Sticky" in compared.content.decode()
    done = client.post(at("restore_version", fog), {"state": "1"}, follow=True)
    assert stored(fog, "0") == fog_book()["entries"]["0"]
    client.post(undo_of(done))
    assert stored(fog, "0")["sticky"] == 3
    put_sections(people.ana, fog, Section(id="sea", name="Sea", entries=("0",)))
    (folder_of(fog).path / "versions/1.sections.json").unlink()
    old = client.post(at("restore_version", fog), {"state": "1"}, follow=True).content.decode()
    assert "Their sections were not kept and are those of now." in old
    step = client.get(at("versions", fog)).context["steps"][-1]
    client.post(at("restore_version", fog), {"state": step.id})
    assert stored(fog, "1") == fog_book()["entries"]["1"]


@pytest.mark.parametrize("state", ["0", "9", "x", "../../etc", "20260101T000000000000Z-00000000"])
def test_a_state_that_is_not_kept(people: People, fog: Lorebook, state: str) -> None:
    client = client_of(people.ana)
    assert client.get(at("compare", fog), {"old": state}).status_code == 404
    assert client.post(at("restore_version", fog), {"state": state}).status_code == 404


def test_the_neighbours_of_an_entry_are_those_of_the_list(people: People, make_book: MakeBook) -> None:
    book = make_book(large_book(120))
    client = client_of(people.ana)
    place = client.get(at("entry", book, "60")).context["place"]
    assert (place.page, place.before, place.after, place.number) == (2, "59", "61", 61)
    found = client.get(at("entry", book, "60"), {"q": "Chapter 6", "sort": "title"}).context["place"]
    assert (found.before, found.after) == ("6", "61")
    beside = client.get(at("editor", book), {"beside": "60", "q": "Chapter 6"}, headers=HTMX)
    assert 'aria-current="true"' in beside.content.decode()


def test_decorators_and_what_is_kept_are_told(people: People, fog: Lorebook) -> None:
    client = client_of(people.ana)
    page = client.get(at("entry", fog, "3")).content.decode()
    assert "myth" in page
    save(
        client,
        fog,
        "3",
        form_of(client, fog, "3") | {"content": ["@@role user\r\n@@depth -1\r\n@@odd 1\r\nText"]},
    )
    page = client.get(at("entry", fog, "3")).content.decode()
    assert "has the role “user”" in page
    assert "It goes after the last message." in page
    assert "@@odd" in page


def test_a_character_filter_comes_and_goes(people: People, fog: Lorebook) -> None:
    entry = queries.entry_value(fog, "0").entry
    named = with_fields(entry, {"character_names": ["Ana"]})
    assert fields_of(named)["character_names"] == ["Ana"]
    assert with_fields(entry, {"character_exclude": True}) == entry, "a filter of nothing is none"
    assert set(CHECKS) == set(fields_of(entry))


def test_a_title_that_turns_the_direction_of_writing_is_kept_to_itself(
    people: People, make_book: MakeBook
) -> None:
    turned = "\u202eelddir"
    book = make_book({"name": "Riddles", "entries": {"0": st_entry(0, [turned], "Fog.", comment=turned)}})
    page = client_of(people.ana).get(at("editor", book)).content.decode()
    assert page.count(f"<bdi>{turned}</bdi>") == 2
