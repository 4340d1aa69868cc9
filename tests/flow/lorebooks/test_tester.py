"""The match tester: what goes in at a piece of story and why, shared as an address, kept as a case."""

from __future__ import annotations

import json
import re
import time
import zlib
from base64 import urlsafe_b64encode
from html import unescape
from itertools import count

import pytest
from django.test import Client
from django.urls import reverse

from formats.errors import DomainError
from lorebooks import actions, queries, trials
from lorebooks.kept_models import book_model
from lorebooks.models import Lorebook
from lorebooks.pipeline.trial import Trial
from lorebooks.pipeline.trial_address import packed, unpacked
from lorebooks.shelves import folder_of
from tests.flow.lorebooks.conftest import MakeBook
from tests.support.lorebooks import fog_book, harbour_book, hostile_books, large_book, st_entry
from tests.support.people import People, client_of, share
from tests.support.timing import assert_within

pytestmark = pytest.mark.django_db

LIVE = {"HX-Request": "true", "HX-Target": "result"}


def plain(html: str) -> str:
    """The words of a page as people read them."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def ask(client: Client, book: Lorebook, **fields: object) -> str:
    """What the page answers while somebody types."""
    data = {"whole_words": "on", "include_names": "on", "dice": 1, "trigger": "normal", **fields}
    answer = client.post(reverse("lorebooks:tester", args=[book.pk]), data, headers=LIVE)
    assert answer.status_code == 200, answer.content.decode()
    return answer.content.decode()


def test_every_outcome_has_its_reason_in_words(people: People, make_book: MakeBook) -> None:
    entries = [
        st_entry(0, [], "The city of Yun Lan. " * 4, comment="City", constant=True),
        st_entry(1, ["blue guard"], "They keep the harbour.", comment="Blue Guard"),
        st_entry(2, ["harbour"], "It silts up. " * 40, comment="Harbour"),
        st_entry(3, ["postman"], "Letters.", comment="Postman"),
        st_entry(4, ["clock"], "Tick.", comment="Weather", keysecondary=["storm"]),
        st_entry(5, ["/(a+)+$/"], "Slow.", comment="Trap"),
        st_entry(6, ["clock"], "No.", comment="Off", disable=True),
        st_entry(7, ["nowhere"], "No.", comment="Absent"),
        st_entry(8, ["unseen"], "Meaning.", comment="Vector", vectorized=True),
    ]
    book = make_book({"name": "b", "entries": {str(one["uid"]): one for one in entries}})
    text = "The postman waited under the clock.\n\nThe Blue Guard came. " + "a" * 60 + "!"
    shown = plain(ask(client_of(people.ana), book, text=text, budget_tokens=60))
    assert "3 go in · 1 is cut · 4 stay out · 1 not run" in shown
    assert "in Always on." in shown
    assert "in Key blue guard in message 2." in shown
    assert "in Key postman in message 1." in shown
    assert re.search(
        r"cut Key harbour in the text of Blue Guard \. \d+ tokens would reach the budget of 60; \d+ are used",
        shown,
    )
    assert "Key clock found, but none of the second keys storm ." in shown
    # On a busy machine the time of the scan is over before the pattern has had its own.
    assert re.search(
        r"The pattern /\(a\+\)\+\$/ was (stopped: it|not run: the patterns) took too long", shown
    )
    assert "one match may take 50 ms" in shown
    assert "Switched off." in shown
    assert "None of its keys appears." in shown
    assert "Made for vector search, and none of its keys appears." in shown
    assert shown.index("storm .") < shown.index("Switched off"), "near misses come first"


def test_words_are_marked_where_they_stand(people: People, fog: Lorebook) -> None:
    html = ask(client_of(people.ana), fog, text="Ana: <b>Mist</b> & a lamplight.\n\nThe FOG of it.")
    assert "Ana: &lt;b&gt;<mark>Mist</mark>&lt;/b&gt; &amp; a <mark>lamplight</mark>." in html
    assert "The <mark>FOG</mark> of it." in html


def test_what_is_deeper_than_the_scan_is_said_to_be_unread(people: People, fog: Lorebook) -> None:
    shown = plain(ask(client_of(people.ana), fog, text="fog\n\n" + "\n\n".join("abcd"), scan_depth=4))
    assert "not read: only the last 4 messages are" in shown
    assert "1 goes in" in shown, "the always-on one"
    assert "2 go in" in plain(ask(client_of(people.ana), fog, text="fog\n\nno", scan_depth=4))
    dashes = "a\n\nb\n---\nfog\n\nc\n---\nd"
    assert "not read" in plain(ask(client_of(people.ana), fog, text=dashes, scan_depth=1))
    assert "2 go in" in plain(ask(client_of(people.ana), fog, text=dashes, scan_depth=2))


def test_a_chinese_book_is_matched_without_blanks(people: People, make_book: MakeBook) -> None:
    value = {"entries": {"1": st_entry(1, ["雾港"], "雾港每夜起雾。", comment="雾港")}}
    html = ask(client_of(people.ana), make_book(value, name="雾港志"), text="她说：“雾港的灯灭了。”")
    assert "她说: “<mark>雾港</mark>的灯灭了。”" in html


def test_every_setting_of_the_page_reaches_the_scan(people: People, make_book: MakeBook) -> None:
    def book(**more: object) -> Lorebook:
        return make_book({"entries": {"0": st_entry(0, ["{{char}} sings"], "x", comment="Song", **more)}})

    client = client_of(people.ana)

    def goes_in(lorebook: Lorebook, **fields: object) -> bool:
        return "1 goes in" in plain(ask(client, lorebook, **{"text": "Mira sings", "char": "Mira", **fields}))

    assert goes_in(book())
    assert not goes_in(book(), char="")
    assert not goes_in(book(), case_sensitive="on", text="mira sings")
    assert not goes_in(book(key=["{{user}}"]), text="Annabel", user="Anna")
    assert goes_in(book(key=["{{user}}"]), text="Annabel", user="Anna", whole_words="")
    assert not goes_in(book(triggers=["continue"]))
    assert goes_in(book(triggers=["continue"]), trigger="continue")
    assert not goes_in(book(delay=9))
    assert goes_in(book(delay=9), chat_length=9)
    assert not goes_in(book(), text="no")
    assert goes_in(book(matchScenario=True), text="no", scenario="Here Mira sings.")
    assert not goes_in(book(characterFilter={"isExclude": False, "names": ["Ana"], "tags": []}))
    assert not goes_in(book(), budget_tokens=0)
    assert not goes_in(book(), context_size=4, budget_percent=1)
    assert not goes_in(book(), text="Mira sings\n\nno", scan_depth=1)
    assert goes_in(book(), text="Mira sings\n\nno", scan_depth=1, min_activations=1)
    assert goes_in(book(), text="Mira sings: no", include_names="on")
    assert not goes_in(book(), text="Mira sings: no", include_names="")
    chance = {"probability": 50, "useProbability": True}
    assert {goes_in(book(**chance), dice=number) for number in range(12)} == {True, False}
    assert goes_in(book(**chance), dice=3) == goes_in(book(**chance), dice=3)
    decorated = book()
    actions.save_entry(
        actor=people.ana,
        lorebook=decorated,
        key="0",
        fields={"content": "@@activate_only_after 3\nx"},
        if_match=queries.entry_value(decorated, "0").etag,
    )
    assert not goes_in(decorated)
    assert goes_in(decorated, replies=3)
    assert goes_in(decorated, chat_length=5)


def test_recursion_is_told_as_a_chain_and_can_be_off(people: People, make_book: MakeBook) -> None:
    links = {str(n): st_entry(n, [f"word{n}"], f"word{n + 1}", comment=f"Link {n}") for n in range(4)}
    book = make_book({"entries": links})
    shown = plain(ask(client_of(people.ana), book, text="word0"))
    assert "Link 3 · Key word3 in the text of Link 2 ." in shown
    assert "1 goes in" in plain(ask(client_of(people.ana), book, text="word0", recursion="off"))
    assert "2 go in" in plain(ask(client_of(people.ana), book, text="word0", max_steps=2))


def test_the_order_names_every_place(people: People, make_book: MakeBook) -> None:
    places = {str(n): st_entry(n, [], "x", comment=f"Entry {n}", constant=True, position=n) for n in range(8)}
    places["9"] = st_entry(9, [], "x", comment="Late", constant=True, position=4, depth=0, role=2)
    places["7"]["outletName"] = "weather"
    shown = plain(ask(client_of(people.ana), make_book({"entries": places}), text="a\n\nb"))
    order = shown[shown.index("In the order in which they are sent") :]
    told = ["Before the description of the character", "Before the example messages", "Before message 1"]
    told += ["After the last message (depth 0)", "Late Assistant · order 100", "Outlet “weather”"]
    assert [order.index(one) for one in told] == sorted(order.index(one) for one in told)


def test_what_lasts_is_said(people: People, make_book: MakeBook) -> None:
    entries = {"0": st_entry(0, ["fog"], "x", comment="Fog", sticky=3)}
    entries["1"] = st_entry(1, ["fog"], "x", comment="Bell", cooldown=1)
    shown = plain(ask(client_of(people.ana), make_book({"entries": entries}), text="fog"))
    assert "Fog stays for 3 more messages." in shown
    assert "Bell rests for 1 message." in shown


def test_several_books_are_scanned_together_own_and_shared(people: People, make_book: MakeBook) -> None:
    fog = make_book(fog_book())
    guard = make_book(
        {"entries": {"5": st_entry(5, ["stilts"], "Guards.", comment="Guard")}}, people.ben, "Ben's"
    )
    share(people.ana, "lorebook", guard.pk)
    client = client_of(people.ana)
    assert "Guard" not in plain(ask(client, fog, text="fog"))
    shown = plain(ask(client, fog, text="fog", books=[guard.pk]))
    assert "Guard Ben's in Key stilts in the text of The town ." in shown
    share(people.cyd, "lorebook", fog.pk)
    address = (
        reverse("lorebooks:tester", args=[fog.pk]) + "?t=" + packed(Trial(text="fog", books=(guard.pk,)))
    )
    page = plain(client_of(people.cyd).get(address).content.decode())
    assert "1 lorebook of this test cannot be opened by you" in page
    assert "Guards" not in page


def test_an_address_opens_the_same_test(people: People, fog: Lorebook) -> None:
    client = client_of(people.ana)
    html = ask(client, fog, text="The mist.\n\nAgain.", scan_depth=7, recursion="off", scenario="Night")
    [address] = re.findall(r'<pre id="shared"[^>]*>([^<]+)</pre>', html)
    share(people.ben, "lorebook", fog.pk)
    page = client_of(people.ben).get(unescape(address)).content.decode()
    assert "The <mark>mist</mark>." in page
    assert 'name="scan_depth" value="7"' in page
    assert "Night</textarea>" in page
    assert 'id="group-beside" open' in page
    assert 'id="group-rules"><summary>' in page, "what is as by default stays folded"
    assert client.get(address[:-4]).status_code == 422
    long = ask(client, fog, text=" ".join(str(number * 7919) for number in range(3000)))
    assert "too long for an address" in plain(long)


def test_a_packed_bomb_is_refused() -> None:
    bomb = urlsafe_b64encode(zlib.compress(b'{"text":"' + b"a" * 50_000_000 + b'"}')).decode()
    began = time.monotonic()
    for text in (bomb, "%%%", "AAAA", urlsafe_b64encode(zlib.compress(b"[]")).decode()):
        with pytest.raises(DomainError):
            unpacked(text)
    assert time.monotonic() - began < 1


def test_a_number_that_cannot_be_is_said_and_nothing_is_lost(people: People, fog: Lorebook) -> None:
    client = client_of(people.ana)
    address = reverse("lorebooks:tester", args=[fog.pk])
    for live in ({}, LIVE):
        answer = client.post(address, {"text": "the mist", "scan_depth": "-1"}, headers=live)
        assert answer.status_code == 422
        assert "This cannot be tested as it is." in answer.content.decode()
    page = client.post(address, {"text": "the mist", "scan_depth": "-1"}).content.decode()
    assert "the mist</textarea>" in page
    tester = re.search(r'<form id="tester"[^>]*>', page)
    assert tester
    assert " novalidate" in tester[0], "or the browser holds the test back, and the old result stays"


def test_those_outside_are_searched_and_never_a_long_page(people: People, make_book: MakeBook) -> None:
    book = make_book(large_book(600))
    client = client_of(people.ana)
    html = ask(client, book, text="name3 name4", find="雾401号")
    assert html.count("<tr>") < 120
    assert "Chapter 401" in html
    assert len(html.encode()) < 60_000
    fields = {"text": "name3", "find": "chapter 40", "whole_words": "on"}
    outs = client.post(
        reverse("lorebooks:tester", args=[book.pk]), fields, HTTP_HX_REQUEST="true", HTTP_HX_TARGET="outs"
    ).content.decode()
    assert outs.strip().startswith('<div id="outs">')
    assert "Chapter 402" in outs
    assert "Chapter 3<" not in outs
    everybody = " ".join(f"name{number}" for number in range(600))
    some, all_of_them = (ask(client, book, text=everybody, **more) for more in ({}, {"rows": "all"}))
    assert "more" in some
    assert all_of_them.count("<tr>") > some.count("<tr>") + 300


@pytest.mark.req("WB-6")
def test_patterns_in_many_steps_take_no_longer_than_in_one(people: People, make_book: MakeBook) -> None:
    """Each step brings new text, over which every pattern is asked again; the time for all is one."""
    slow = [f"/(a+)+${number}|x/" for number in range(5)]
    links = {
        str(n): st_entry(n, [f"word{n}", *slow], f"word{n + 1} {'a' * 60}!", comment=f"Link {n}")
        for n in range(60)
    }
    book = make_book({"entries": links})
    ask(client_of(people.ana), book, text="nothing")  # the child is started
    began = time.monotonic()
    html = ask(client_of(people.ana), book, text=f"word0 {'a' * 60}!")
    assert time.monotonic() - began < 0.25 + 2.0, "with room for a busy machine; 32 steps would take 8 s"
    assert "60 go in" in plain(html), "what plain keys decide does not hang on the patterns"


def test_a_text_that_is_too_long_is_said_to_be(people: People, fog: Lorebook) -> None:
    client, address = client_of(people.ana), reverse("lorebooks:tester", args=[fog.pk])
    answer = client.post(address, {"text": "雾" * 100_001}, headers=LIVE)
    assert answer.status_code == 422
    assert "100000" in answer.content.decode()
    assert (
        "maxlength" not in client.get(address).content.decode().partition("</textarea>")[0].rpartition("<")[2]
    )
    assert client.post(address, {"text": "雾" * 100_000}, headers=LIVE).status_code == 200


def test_a_test_writes_nothing(people: People, fog: Lorebook) -> None:
    before = folder_of(fog).manifest()
    ask(client_of(people.ana), fog, text="fog")
    assert folder_of(fog).manifest() == before


@pytest.mark.parametrize("what", sorted(hostile_books()))
def test_hostile_books_can_be_tested(people: People, what: str) -> None:
    made = actions.upload_lorebook(actor=people.ana, data=hostile_books()[what], filename="x.json").lorebook
    assert made
    html = ask(client_of(people.ana), made, text="a b c d </textarea><script>alert(1)</script> {user} \u202e")
    assert "<script>alert" not in html


# --- cases --------------------------------------------------------------------------------------


def keep(client: Client, book: Lorebook, name: str, **fields: object) -> None:
    t = packed(Trial.model_validate(fields))
    answer = client.post(reverse("lorebooks:save_case", args=[book.pk]), {"t": t, "name": name})
    assert answer.status_code == 303


def cases_page(client: Client, book: Lorebook, query: str = "") -> str:
    return plain(client.get(reverse("lorebooks:cases", args=[book.pk]) + query).content.decode())


def test_a_case_says_what_a_change_broke_and_can_be_taken_as_right(people: People, fog: Lorebook) -> None:
    client = client_of(people.ana)
    keep(client, fog, "At night", text="The mist and the lamplight.")
    keep(client, fog, "", text="The harbour sleeps.")
    assert "All 2 cases come out as expected." in cases_page(client, fog)
    assert "The harbour sleeps." in cases_page(client, fog), "a case without a name is called by its text"
    number = actions.keep_version(actor=people.ana, lorebook=fog, note="good")
    actions.bulk_edit(actor=people.ana, lorebook=fog, keys=["2"], enabled=False)
    actions.bulk_edit(actor=people.ana, lorebook=fog, keys=["3"], enabled=True)
    shown = cases_page(client, fog)
    assert "2 of 2 come out otherwise than expected." in shown
    assert "Lamps Expected: in out Switched off." in shown
    assert "Harbour Expected: out in Key harbour in message 1." in shown
    assert "All 2 cases come out as expected." in cases_page(client, fog, f"?version={number}")
    bad = actions.keep_version(actor=people.ana, lorebook=fog, note="bad")
    said = [
        plain(client.get(reverse("lorebooks:cases_said", args=[fog.pk, n])).content.decode())
        for n in (1, bad)
    ]
    assert said == ["all 2 test cases as expected", "2 of 2 test cases otherwise"]
    page = client.get(reverse("lorebooks:versions", args=[fog.pk])).content.decode()
    for n in (0, number, bad):
        assert f'hx-get="{reverse("lorebooks:cases_said", args=[fog.pk, n])}"' in page
    for case in queries.cases_of(fog):
        client.post(reverse("lorebooks:expect_case", args=[fog.pk, case.id]))
    assert "All 2 cases come out as expected." in cases_page(client, fog)


def test_a_case_is_deleted_at_once_and_comes_back(people: People, fog: Lorebook) -> None:
    client = client_of(people.ana)
    keep(client, fog, "One", text="fog")
    [case] = queries.cases_of(fog)
    page = client.post(reverse("lorebooks:delete_case", args=[fog.pk, case.id]), follow=True).content.decode()
    assert "A test case is a piece of story" in page
    [undo] = re.findall(r'action="([^"]+/cases/back/[^"]+)"', page)
    client.post(undo)
    assert queries.cases_of(fog) == (case,)
    assert client.post(reverse("lorebooks:delete_case", args=[fog.pk, "other"])).status_code == 404


def test_a_case_opens_in_the_tester(people: People, fog: Lorebook) -> None:
    client = client_of(people.ana)
    keep(client, fog, "One", text="the mist", budget_tokens=900)
    [case] = queries.cases_of(fog)
    page = client.get(reverse("lorebooks:tester", args=[fog.pk]) + f"?case={case.id}").content.decode()
    assert "the <mark>mist</mark>" in page
    assert 'name="budget_tokens" value="900"' in page
    assert client.get(reverse("lorebooks:tester", args=[fog.pk]) + "?case=x").status_code == 404


def test_a_reader_runs_cases_and_keeps_none(people: People, fog: Lorebook) -> None:
    keep(client_of(people.ana), fog, "One", text="fog")
    share(people.ben, "lorebook", fog.pk)
    ben = client_of(people.ben)
    assert "1 case comes out as expected." in cases_page(ben, fog)
    assert "Delete" not in cases_page(ben, fog)
    [case] = queries.cases_of(fog)
    for name, args in (("save_case", []), ("expect_case", [case.id]), ("delete_case", [case.id])):
        assert ben.post(reverse(f"lorebooks:{name}", args=[fog.pk, *args]), {"t": ""}).status_code == 403
    assert "Save as case" not in ask(ben, fog, text="fog")


def test_a_case_with_a_book_that_is_gone_says_so(people: People, make_book: MakeBook, fog: Lorebook) -> None:
    other = make_book(harbour_book() | {"entries": {"1": st_entry(1, ["fog"], "x")}}, name="Other")
    client = client_of(people.ana)
    keep(client, fog, "Both", text="fog", books=(other.pk,))
    assert "as expected" in cases_page(client, fog)
    actions.trash_lorebook(actor=people.ana, lorebook=other)
    assert "Another lorebook of this case cannot be opened by you, or is gone." in cases_page(client, fog)


def test_cases_that_a_hand_spoilt_are_said_to_be_unreadable(people: People, fog: Lorebook) -> None:
    with folder_of(fog).change(by="hand", what="edit") as change:
        change.write("cases.json", b'{"schema": "lorebook-cases/v1", "cases": [{"id": 3}]}')
    answer = client_of(people.ana).get(reverse("lorebooks:cases", args=[fog.pk]))
    assert answer.status_code == 422
    assert "The book itself is untouched." in answer.content.decode()


def test_cases_travel_with_a_copy(people: People, fog: Lorebook) -> None:
    keep(client_of(people.ana), fog, "One", text="fog", dice=4)
    copy = actions.copy_lorebook(actor=people.ana, lorebook=fog, name="Copy")
    stored = json.loads(folder_of(copy).read("cases.json"))
    assert stored["cases"][0]["trial"] == {"dice": 4, "text": "fog"}
    assert "1 case comes out as expected." in cases_page(client_of(people.ana), copy)


def test_a_book_of_a_thousand_entries_answers_while_typing(people: People, make_book: MakeBook) -> None:
    """The goal is 300 ms in a browser; here the server's own share with room for a busy machine."""
    book = make_book(large_book(1000, 400))
    client = client_of(people.ana)
    text = "\n\n".join(
        f"name{number} went to 雾{number + 1}号, and nobody said a word." for number in range(20)
    )
    ask(client, book, text=text)
    assert book_model(book) is book_model(book), "kept between two keystrokes"
    numbers = count()
    assert_within(0.3, lambda: ask(client, book, text=f"{text} {next(numbers)}"))


def test_one_test_of_a_person_runs_at_a_time(
    people: People, fog: Lorebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "WAIT", 0.001)
    keep(client_of(people.ana), fog, "One", text="fog")
    address, cases = (reverse(f"lorebooks:{name}", args=[fog.pk]) for name in ("tester", "cases"))
    row = reverse("lorebooks:cases_said", args=[fog.pk, 0])
    with trials.one_at_a_time(people.ana):
        assert client_of(people.ana).get(address).status_code == 429
        assert client_of(people.ana).get(cases).status_code == 429
        said = client_of(people.ana).get(row, headers={"HX-Request": "true"})
        assert said.status_code == 429
        assert plain(said.content.decode()) == "Run the test cases"
        assert f'href="{cases}?version=0" hx-get="{row}" hx-trigger="click"' in said.content.decode()
        with trials.one_at_a_time(people.ben):
            pass
    assert client_of(people.ana).get(address).status_code == 200
    assert client_of(people.ana).get(address).status_code == 200, "one that has ended is in nobody's way"
    assert client_of(people.ana).get(cases).status_code == 200
