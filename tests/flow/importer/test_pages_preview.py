"""The preview: what it shows, and choices that are kept as they are made (PREV-1 to PREV-6)."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from importer.models import Upload
from importer.queries import preview_of
from tests.support.cards import book, chinese_card, english_card, entry, v3
from tests.support.importing import imported, ran, ready, started
from tests.support.people import People, client_of
from worlds.models import World
from worlds.overview import info_of

pytestmark = pytest.mark.usefixtures("data_root")
FRAGMENT = {"HX-Request": "true", "HX-Target": "saved"}
ENTRIES = {"HX-Request": "true", "HX-Target": "entries"}


@pytest.fixture
def ana(people: People) -> Client:
    return client_of(people.ana)


@pytest.fixture
def mira(people: People) -> Upload:
    """Three greetings, a book of four entries, the last of them off."""
    return ready(people.ana, english_card())


def page_of(client: Client, upload: Upload, query: str = "") -> str:
    return client.get(f"/import/{upload.pk}/{query}").content.decode()


def choices_of(upload: Upload) -> dict[str, object]:
    return preview_of(upload).choices.to_json()


def post(client: Client, upload: Upload, headers: dict[str, str] | None = None, **fields: object) -> Any:
    data = {"name": "Harbour", "opening": "greeting:0", **fields}
    return client.post(f"/import/{upload.pk}/choices/", data, headers=headers or {})


@pytest.mark.req("CARD-4", "PREV-1")
def test_it_shows_what_is_in_the_card(ana: Client, mira: Upload) -> None:
    page = page_of(ana, mira)
    for words in ("Mira Oakes", "4 entries", "3 greetings", "by Ines Falk", "JSON · chara_card_v3"):
        assert words in page
    for words in (
        "The lamp",
        "Keys: bell, fog",
        "Always on",
        "switched off in the card",
        "3 of 4 come along",
    ):
        assert words in page
    assert "Fog. A bell. Mira Oakes waves." in page  # every greeting in full, cleaned
    assert mira.sha256 in page
    assert "is discarded" in page


@pytest.mark.req("CARD-4")
def test_every_text_of_the_card_can_be_read_and_is_fetched_when_it_is_opened(
    ana: Client, people: People
) -> None:
    lamp = entry(0, comment="Lamp", content="<b>It burns.</b>")
    card = v3(description="Keeps <i>watch</i>.", character_book=book(lamp))
    upload = ready(people.ana, card)
    page = page_of(ana, upload)
    for text_id in ("description", "entry:0"):
        assert f'hx-get="/import/{upload.pk}/text/{text_id}/"' in page
    assert "burns" not in page
    text = ana.get(f"/import/{upload.pk}/text/entry:0/", headers={"HX-Request": "true"}).content.decode()
    assert "&lt;b&gt;It burns.&lt;/b&gt;" in text
    assert "<html" not in text
    whole = ana.get(f"/import/{upload.pk}/text/description/").content.decode()
    assert "Keeps &lt;i&gt;watch&lt;/i&gt;." in whole
    assert "<html" in whole


def test_a_long_text_is_read_a_stretch_at_a_time(ana: Client, people: People) -> None:
    upload = ready(people.ana, v3(description="a" * 20_000 + "b" * 20_000 + "c"))
    here = f"/import/{upload.pk}/text/description/"
    pages = [ana.get(here, {"start": start}, headers=FRAGMENT).content.decode() for start in (0, 20_000)]
    assert (pages[0].count("a" * 20_000), pages[0].count("bb"), pages[1].count("b" * 20_000)) == (1, 0, 1)
    assert f'{here}?start=40000"' in pages[1]
    last = ana.get(here, {"start": 40_000}).content.decode()
    assert ">c</div>" in last
    assert "Read on" not in last
    assert ana.get(here, {"start": "9" * 30}).status_code == 200
    assert ana.get(f"/import/{upload.pk}/text/entry:9/").status_code == 404


def test_a_list_of_first_values_says_why_it_is_ticked(ana: Client, people: People) -> None:
    values = entry(0, comment="[InitVar]", content='{"oil": 40}', enabled=False)
    page = page_of(ana, ready(people.ana, v3(character_book=book(values))))
    assert "Makers switch such a list off on purpose" in page


@pytest.mark.req("PREV-4", "OUT-2")
def test_it_names_what_the_maker_relied_on(ana: Client, people: People) -> None:
    card = chinese_card()
    card["data"]["description"] = "{{random:a,b}} <mood>calm</mood>"
    page = page_of(ana, ready(people.ana, card))
    for words in (
        "Regex scripts",
        "Helper scripts",
        "not run",
        "become variables",
        "EJS branches",
        "text kept, code left out",
        "{{random}}",
        "&lt;mood&gt;",
        "Picture addresses",
        "only a script",
        "variables only",
    ):
        assert words in page, words


@pytest.mark.req("PREV-1")
def test_choices_are_kept_as_they_are_made(ana: Client, mira: Upload) -> None:
    shown = "entry:0 entry:1 entry:2 entry:3"
    answer = post(
        ana, mira, FRAGMENT, name="Lamp Town", opening="greeting:2", shown=shown, on=["entry:1", "entry:3"]
    )
    text = answer.content.decode()
    assert "Saved" in text
    assert "2 of 4 come along" in text
    assert "<html" not in text
    kept = choices_of(mira)
    assert kept["name"] == "Lamp Town"
    assert kept["opening"] == "greeting:2"
    assert kept["off"] == ["entry:0", "entry:2"]
    page = page_of(ana, mira)
    assert 'value="Lamp Town"' in page
    assert '<option value="greeting:2" selected>' in page


@pytest.mark.req("PREV-1", "PREV-2", "PREV-3")
def test_the_world_is_what_was_chosen(ana: Client, mira: Upload) -> None:
    data = {
        "name": "Lamp Town",
        "opening": "greeting:2",
        "shown": "entry:0 entry:1 entry:2 entry:3",
        "on": ["entry:0", "entry:1"],
    }
    answer = ana.post(f"/import/{mira.pk}/start/", data)
    world = World.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/import/{world.pk}/run/")
    world = ran(world)
    info = info_of(world)
    assert info["name"] == "Lamp Town"
    assert info["opening"] == "Fog. A bell. Mira Oakes waves."
    assert len(info["alternate_openings"]) == 2
    titles = set(world.elements.filter(kind="lore").values_list("title", flat=True))
    assert {"The lamp", "The bell"} <= titles
    assert not titles & {"The town", "Cut"}


def test_entries_on_other_pages_stay_as_they_were(ana: Client, mira: Upload) -> None:
    post(ana, mira, FRAGMENT, shown="entry:0 entry:1", on=["entry:0"])
    assert choices_of(mira)["off"] == ["entry:1", "entry:3"]
    post(ana, mira, FRAGMENT)  # a form that shows no entries judges none
    assert choices_of(mira)["off"] == ["entry:1", "entry:3"]


@pytest.mark.parametrize(
    ("pick", "words", "off"),
    [
        ("all", "", []),
        ("none", "", ["entry:0", "entry:1", "entry:2", "entry:3"]),
        ("enabled", "", ["entry:3"]),
        ("none", "bell", ["entry:1", "entry:3"]),
    ],
)
def test_several_are_chosen_at_once(ana: Client, mira: Upload, pick: str, words: str, off: list[str]) -> None:
    shown = "entry:1" if words else "entry:0 entry:1 entry:2 entry:3"
    on = ["entry:1"] if words else ["entry:0", "entry:1", "entry:2"]
    answer = post(ana, mira, ENTRIES, pick=pick, q=words, shown=shown, on=on)
    assert choices_of(mira)["off"] == off
    assert answer.content.decode().count('name="on"') == (1 if words else 4)


def test_the_search_finds_titles_and_keys(ana: Client, mira: Upload) -> None:
    found = ana.get(f"/import/{mira.pk}/?q=FOG", headers=ENTRIES).content.decode()
    assert "The bell" in found
    assert "The lamp" not in found
    assert "<html" not in found
    assert "No entry fits" in ana.get(f"/import/{mira.pk}/?q=whale", headers=ENTRIES).content.decode()


@pytest.mark.parametrize("fields", [{"name": "  "}, {"opening": "greeting:9"}, {"name": "x" * 300}])
def test_choices_that_cannot_be_are_refused_and_the_old_ones_stay(
    ana: Client, mira: Upload, fields: dict[str, str]
) -> None:
    before = choices_of(mira)
    given = {"name": "Harbour", "opening": "greeting:0", **fields}
    part = ana.post(f"/import/{mira.pk}/choices/", given, headers=FRAGMENT)
    assert (part.status_code, "Not saved." in part.content.decode()) == (422, True)
    page = ana.post(f"/import/{mira.pk}/choices/", given)
    assert page.status_code == 422
    assert "One thing to correct" in page.content.decode()
    assert choices_of(mira) == before
    start = ana.post(f"/import/{mira.pk}/start/", given)
    assert start.status_code == 422
    assert World.objects.count() == 0


def test_a_name_that_no_world_can_have_is_told_at_its_field(ana: Client, mira: Upload) -> None:
    page = post(ana, mira, name="a\u202eb")
    assert page.status_code == 422
    assert "invisible control character" in page.content.decode()


def test_without_scripts_saving_leads_back_to_the_page_and_its_search(ana: Client, mira: Upload) -> None:
    answer = post(ana, mira)
    assert answer.headers["Location"] == f"/import/{mira.pk}/"
    answer = post(ana, mira, q="灯 x", search="1", page="3")
    assert answer.headers["Location"] == f"/import/{mira.pk}/?q=%E7%81%AF+x#entries-title"
    answer = post(ana, mira, page="2")
    assert answer.headers["Location"] == f"/import/{mira.pk}/?page=2#entries-title"


def test_a_thousand_entries_are_paged_and_all_of_them_can_be_chosen(ana: Client, people: People) -> None:
    many = v3(character_book=book(*(entry(n, enabled=n % 2 == 0) for n in range(1200))))
    upload = ready(people.ana, many)
    first = page_of(ana, upload)
    assert "Page 1 of 12" in first
    assert first.count('name="on"') == 100
    assert "600 of 1200 come along" in first
    post(ana, upload, ENTRIES, pick="none", shown="", page="12")
    shown = " ".join(f"entry:{n}" for n in range(1100, 1200))
    on = [f"entry:{n}" for n in range(1100, 1200)]
    data = {"name": "Many", "opening": "greeting:0", "shown": shown, "on": on}
    answer = ana.post(f"/import/{upload.pk}/start/", data)
    world = ran(World.objects.get())
    assert answer.status_code == 303
    assert world.elements.filter(kind="lore", title__startswith="Harbour").count() == 100


@pytest.mark.req("PREV-5", "PREV-6")
def test_worlds_it_could_update_are_listed_and_a_new_one_is_made(ana: Client, people: People) -> None:
    namesake = imported(people.ana, english_card())
    imported(people.ana, v3(name="Somebody else"))
    newer = english_card()
    newer["data"]["description"] += " She is older now."
    upload = ready(people.ana, newer)
    page = page_of(ana, upload)
    assert "A new world" in page
    assert "You have a world of this name" in page
    assert "unchanged since its import" in page
    assert "comes in a later version" in page
    assert "One other world came from a card" in page
    proposed = preview_of(upload).default
    assert proposed is not None
    assert proposed.world == namesake  # computed; the page makes a new world all the same
    world = started(upload)
    assert world.pk != namesake.pk


def test_the_same_file_again_is_told_with_its_world(ana: Client, people: People) -> None:
    world = imported(people.ana, english_card())
    page = page_of(ana, ready(people.ana, english_card()))
    assert "You imported this exact file on" in page
    assert f'href="/w/{world.pk}/"' in page


def test_what_was_repaired_is_grouped(ana: Client, people: People) -> None:
    broken = v3(character_book=book(*(entry(n, enabled="yes", keys=f"a{n},b{n}") for n in range(30))))
    upload = ready(people.ana, broken)
    groups = preview_of(upload).card.findings
    page = page_of(ana, upload)
    assert groups
    assert "Read with repairs" in page
    assert f"{groups[0].count} ×" in page


def test_a_card_without_a_greeting_says_what_follows(ana: Client, people: People) -> None:
    upload = ready(people.ana, v3(first_mes="", alternate_greetings=[]))
    page = page_of(ana, upload)
    assert "becomes a draft" in page
    assert 'name="opening"' not in page
    assert ana.post(f"/import/{upload.pk}/choices/", {"name": "Silent"}).status_code == 303
    assert choices_of(upload)["name"] == "Silent"


def test_a_second_start_leads_to_the_same_world(ana: Client, mira: Upload) -> None:
    data = {"name": "Once", "opening": "greeting:0"}
    ana.post(f"/import/{mira.pk}/start/", data)
    again = ana.post(f"/import/{mira.pk}/start/", {**data, "name": "Twice"}, follow=True)
    world = World.objects.get()
    assert world.name == "Once"
    assert again.redirect_chain[-1][0] == f"/import/{world.pk}/run/"
    late = ana.post(f"/import/{mira.pk}/choices/", data)
    assert late.status_code == 409
    assert ana.post(f"/import/{mira.pk}/discard/").status_code == 409


def test_what_a_card_says_is_only_text(ana: Client, people: People) -> None:
    evil = "<script>alert(1)</script>{{ 7|add:1 }}{% load x %}"
    card = v3(
        name=evil,
        creator=evil,
        first_mes=f"{evil} hello",
        character_book=book(entry(0, comment=evil, keys=[evil], content=evil)),
    )
    upload = ready(people.ana, card, f"{evil}.json")
    faces = [page_of(ana, upload), ana.get("/import/").content.decode(), ana.get("/").content.decode()]
    world = ran(started(upload))
    for name in ("result/", "run/"):
        faces.append(ana.get(f"/import/{world.pk}/{name}", follow=True).content.decode())
    faces.append(ana.get(f"/w/{world.pk}/").content.decode())
    for face in faces:
        assert "<script>alert" not in face
        assert "&lt;script&gt;alert" in face
