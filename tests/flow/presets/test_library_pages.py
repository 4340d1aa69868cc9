"""The pages of the library of presets: the list, files that come, the trash, what leaves, what others see."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from presets import actions, queries
from presets.models import Preset
from tests.flow.presets.conftest import MakePreset
from tests.support.lorebooks import fog_book
from tests.support.people import People, client_of, share
from tests.support.presets import SECRET, as_file, chinese_preset, harbour_preset, secretive_preset

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_root")]
LIST = "/presets/"


@pytest.fixture
def ana(people: People) -> Client:
    return client_of(people.ana)


def at(name: str, preset: Preset) -> str:
    return reverse(f"presets:{name}", args=[preset.pk])


def file(data: bytes, name: str) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def test_an_empty_library_says_that_one_can_play_without(ana: Client) -> None:
    page = ana.get(LIST).content.decode()
    assert "You can play without one." in page
    assert reverse("presets:new") in page


def test_the_top_bar_and_the_help_name_it(ana: Client) -> None:
    page = ana.get("/").content.decode()
    assert 'href="/presets/" data-go="p"' in page
    assert "<h2>Presets</h2>" in ana.get("/help/").content.decode()


@pytest.mark.req("PRE-1", "PRE-10")
def test_a_file_is_in_the_library_at_once_and_leads_to_its_report(ana: Client) -> None:
    answer = ana.post(reverse("presets:import"), {"file": file(as_file(harbour_preset()), "Harbour.json")})
    preset = Preset.objects.get()
    assert answer.headers["Location"] == at("report", preset)
    row = ana.get(LIST).content.decode()
    for shown in ("Harbour", "SillyTavern", "6 of 8 on", "gpt-harbour", "no world"):
        assert shown in row, shown


def test_several_files_are_each_told_and_one_refused_stops_no_other(ana: Client) -> None:
    files = [
        file(as_file(harbour_preset()), "one.json"),
        file(as_file(harbour_preset()), "two.json"),
        file(as_file(fog_book()), "fog.json"),
        file(as_file(chinese_preset()), "三.json"),
    ]
    answer = ana.post(reverse("presets:import"), {"file": files}, follow=True)
    told = [str(message) for message in answer.context["messages"]]
    assert [text for text in told if "fog.json" in text] == ["fog.json: This is a lorebook, not a preset."]
    assert any("was not taken twice" in text for text in told)
    assert sorted(Preset.objects.values_list("name", flat=True)) == ["one", "三"]
    page = answer.content.decode()
    assert "Identical to “one”" in page  # what waits is offered above the list


def test_one_file_that_is_something_else_says_where_to_go(ana: Client) -> None:
    answer = ana.post(reverse("presets:import"), {"file": file(as_file(fog_book()), "fog.json")})
    assert answer.status_code == 415
    page = answer.content.decode()
    assert "This is a lorebook, not a preset." in page
    assert "Upload it to the library of lorebooks." in page


def test_the_same_content_asks_first(ana: Client, harbour: Preset) -> None:
    upload = {"file": file(as_file(harbour_preset()), "again.json")}
    question = ana.post(reverse("presets:import"), upload, follow=True)
    assert "Identical to “Harbour”" in question.content.decode()
    waiting = question.context["upload"].id
    used = ana.post(reverse("presets:discard", args=[waiting]), {"use": harbour.pk})
    assert used.headers["Location"] == at("report", harbour)
    again = ana.post(reverse("presets:import"), {"file": file(as_file(harbour_preset()), "x.json")})
    waiting = again.headers["Location"].rstrip("/").rpartition("/")[2]
    kept = ana.post(reverse("presets:keep", args=[waiting]))
    assert Preset.objects.count() == 2
    assert kept.status_code == 303
    assert ana.get(reverse("presets:waiting", args=[waiting])).status_code == 404


def test_the_list_searches_sorts_filters_and_pages(
    people: People, ana: Client, make_preset: MakePreset
) -> None:
    for number in range(31):
        make_preset(harbour_preset() if number else chinese_preset(), name=f"Preset {number:02}")
    theirs = make_preset(harbour_preset(), owner=people.ben, name="Of Ben")
    share(people.ana, "preset", theirs.pk)

    def names(**asked: str | int) -> list[str]:
        return [row["preset"].name for row in ana.get(LIST, asked).context["rows"]]

    assert len(names()) == 30
    assert len(names(page=2)) == 2
    assert names(q="gpt-harbour of")[:1] == ["Of Ben"]
    assert names(only="shared") == ["Of Ben"]
    assert names(sort="name")[:2] == ["Of Ben", "Preset 00"]
    assert names(q="nothing like this") == []
    part = ana.get(LIST, {"q": "Ben"}, headers={"HX-Request": "true"}).content.decode()
    assert part.startswith('<div id="books"')
    assert "from ben" in part


def test_a_new_preset_has_its_places_and_no_report_of_a_file(ana: Client) -> None:
    answer = ana.post(reverse("presets:new"), {"name": "Mine"}, follow=True)
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "It was made here or copied; there is no file it came from." in page
    assert ana.post(reverse("presets:new"), {"name": " "}).status_code == 422


def test_a_reader_makes_a_copy_of_their_own(people: People, harbour: Preset) -> None:
    share(people.ben, "preset", harbour.pk)
    ben = client_of(people.ben)
    ben.post(at("duplicate", harbour), {"name": "My harbour"})
    assert Preset.objects.get(owner=people.ben).name == "My harbour"
    assert ben.post(at("duplicate", harbour), {"name": ""}).status_code == 422


def test_trash_undo_and_emptying(people: People, ana: Client, harbour: Preset) -> None:
    share(people.ben, "preset", harbour.pk)
    answer = ana.post(at("trash_preset", harbour), follow=True)
    [notice] = answer.context["messages"]
    gone = ana.get(at("report", harbour))
    assert gone.status_code == 404
    assert "in the trash until" in gone.content.decode()
    assert "in the trash" not in client_of(people.ben).get(at("report", harbour)).content.decode()
    undo = notice.extra_tags.partition("undo:")[2]
    assert ana.post(undo, follow=True).status_code == 200
    assert client_of(people.ben).get(at("report", harbour)).status_code == 200
    entry = actions.trash_preset(actor=people.ana, preset=Preset.objects.get())
    assert "with every prompt, its versions" in ana.get(reverse("presets:trash")).content.decode()
    ana.post(reverse("presets:empty_trash"), {"entry": entry})
    assert queries.trashed(people.ana) == []


@pytest.mark.req("PRE-14")
def test_the_export_says_what_it_leaves_out(ana: Client) -> None:
    ana.post(reverse("presets:import"), {"file": file(as_file(secretive_preset()), "s.json")})
    preset = Preset.objects.get()
    page = ana.get(at("export", preset)).content.decode()
    assert "4 places that this program put in are taken out again" in page
    assert "2 secrets were taken out" in page
    assert "proxy_password" in page
    assert SECRET not in page
    saved = ana.get(reverse("presets:download", args=[preset.pk, "sillytavern"]))
    assert saved.headers["Content-Disposition"] == 'attachment; filename="s.json"'
    value = json.loads(saved.content)
    assert SECRET not in saved.content.decode()
    assert value["harbour_mark"] == "kept as it is"
    assert value["prompts"] == harbour_preset()["prompts"]
    original = ana.get(reverse("presets:download", args=[preset.pk, "original"]))
    assert SECRET not in original.content.decode()
    assert ana.get(reverse("presets:download", args=[preset.pk, "nonsense"])).status_code == 404


def test_our_own_form_comes_back_as_the_same_preset(ana: Client, harbour: Preset) -> None:
    saved = ana.get(reverse("presets:download", args=[harbour.pk, "native"])).content
    answer = ana.post(reverse("presets:import"), {"file": file(saved, "native.json")}, follow=True)
    assert "Identical to “Harbour”" in answer.content.decode()


def test_a_draft_is_marked_and_saved_when_asked(people: People, ana: Client, harbour: Preset) -> None:
    row = queries.prompt_row(harbour, "tone")
    fields = {**row.fields, "content": "Write quickly."}
    actions.save_prompt(actor=people.ana, preset=harbour, prompt_id="tone", fields=fields, if_match=row.etag)
    assert "draft" in ana.get(LIST).content.decode()
    assert "Of the draft" in ana.get(at("report", harbour)).content.decode()
    assert "With the draft" in ana.get(at("export", harbour)).content.decode()
    address = reverse("presets:download", args=[harbour.pk, "sillytavern"])
    assert "Write quickly." not in ana.get(address).content.decode()
    assert "Write quickly." in ana.get(address, {"state": "draft"}).content.decode()
