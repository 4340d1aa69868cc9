"""Images: uploaded, described, used, replaced, removed; served so that nothing in them can run."""

from __future__ import annotations

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from tests.support.people import People, client_of, share
from worlds.models import World
from worlds.queries import folder_of
from worlds.store.pictures import PictureLibrary


def at(name: str, world: World, *parts: object) -> str:
    return reverse(f"worlds:{name}", args=[world.pk, *parts])


def drawing(seed: int, kind: str = "PNG") -> bytes:
    """A picture of at least 1 KB that no other seed gives."""
    image = Image.new("RGB", (64, 64))
    image.putdata([((i * seed) % 251, (i * i + seed) % 241, seed % 256) for i in range(64 * 64)])
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()


def upload(people: People, world: World, *files: tuple[str, bytes]) -> list[str]:
    """Upload as Ana; gives what the page then says."""
    sent = [SimpleUploadedFile(name, data, "image/png") for name, data in files]
    answer = client_of(people.ana).post(at("upload_picture", world), {"pictures": sent}, follow=True)
    return [str(message) for message in answer.context["messages"]]


def library(world: World) -> list[str]:
    return [picture.file for picture in PictureLibrary(folder_of(world)).pictures() if picture.added]


def test_uploads_are_kept_once_and_others_are_told(people: People, saltmarsh: World) -> None:
    told = upload(
        people,
        saltmarsh,
        ("quay.png", drawing(3)),
        ("again.png", drawing(3)),
        ("page.html", b"<html>" * 400),
        ("dot.png", b"\x89PNG"),
    )
    assert len(library(saltmarsh)) == 1
    assert any("again.png" in text and "already" in text for text in told)
    assert sum("page.html" in text or "dot.png" in text for text in told) == 2


def test_a_picture_is_served_so_that_it_cannot_do_anything(people: People, saltmarsh: World) -> None:
    upload(people, saltmarsh, ("quay.png", drawing(3)))
    [file] = library(saltmarsh)
    client = client_of(people.ana)
    address = at("picture", saltmarsh, file.removeprefix("images/"))
    answer = client.get(address)
    assert answer.getvalue() == drawing(3)
    assert answer["Content-Length"] == str(len(drawing(3)))
    assert answer["Content-Type"] == "image/png"
    assert "sandbox" in answer["Content-Security-Policy"]
    assert "default-src 'none'" in answer["Content-Security-Policy"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
    again = client.get(address, headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", ["page.svg", "page.html", "evil.png"])
def test_what_is_no_picture_is_only_ever_saved(people: People, saltmarsh: World, name: str) -> None:
    folder = folder_of(saltmarsh).path / "images"
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
    answer = client_of(people.ana).get(at("picture", saltmarsh, name))
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"].startswith("attachment")
    assert "sandbox" in answer["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["../world.json", "..%2Fworld.json", "library/.hidden.png", "nothing.png"])
def test_no_way_leads_out_of_the_images(people: People, saltmarsh: World, path: str) -> None:
    assert client_of(people.ana).get(f"/w/{saltmarsh.pk}/images/file/{path}").status_code == 404


def test_small_pictures_are_webp_and_a_broken_one_is_not_found(people: People, saltmarsh: World) -> None:
    upload(people, saltmarsh, ("quay.png", drawing(3)))
    [file] = library(saltmarsh)
    client = client_of(people.ana)
    small = client.get(at("small", saltmarsh, 256, file.removeprefix("images/")))
    assert small["Content-Type"] == "image/webp"
    with Image.open(io.BytesIO(small.content)) as image:
        assert image.format == "WEBP"
    assert client.get(at("small", saltmarsh, 255, file.removeprefix("images/"))).status_code == 404


def test_a_picture_becomes_cover_and_portrait_and_is_taken_away(people: People, saltmarsh: World) -> None:
    upload(people, saltmarsh, ("quay.png", drawing(3)))
    [file] = library(saltmarsh)
    client = client_of(people.ana)
    [character] = folder_of(saltmarsh).paths("characters")
    key = character.removeprefix("characters/").removesuffix(".json")
    before = folder_of(saltmarsh).read(character)
    for place in ("world:", f"character:{key}"):
        assert client.post(at("use_picture", saltmarsh), {"file": file, "as": place}).status_code == 303
    saltmarsh.refresh_from_db()
    assert saltmarsh.cover == file
    assert folder_of(saltmarsh).read_json(character)["portrait"]["file"] == file
    page = client.get(at("images", saltmarsh))
    [shown] = [picture for picture in page.context["pictures"] if picture.file == file]
    assert len(shown.uses) == 2
    answer = client.post(at("remove_picture", saltmarsh), {"file": file}, follow=True)
    assert not folder_of(saltmarsh).has(file)
    assert folder_of(saltmarsh).read_json("world.json")["cover"] is None
    saltmarsh.refresh_from_db()
    assert not saltmarsh.draft
    undo = next(m.extra_tags for m in answer.context["messages"] if "undo:" in m.extra_tags)
    assert client.post(undo.removeprefix("undo:")).status_code == 303
    assert folder_of(saltmarsh).read_json(character)["portrait"]["file"] == file
    assert before != folder_of(saltmarsh).read(character)


def test_a_replaced_picture_is_shown_where_the_old_one_was(people: People, saltmarsh: World) -> None:
    upload(people, saltmarsh, ("quay.png", drawing(3)))
    [file] = library(saltmarsh)
    client = client_of(people.ana)
    client.post(at("use_picture", saltmarsh), {"file": file, "as": "world:"})
    client.post(at("describe_picture", saltmarsh), {"file": file, "alt": "The quay"})
    new = SimpleUploadedFile("dusk.png", drawing(5), "image/png")
    assert client.post(at("replace_picture", saltmarsh), {"file": file, "new": new}).status_code == 303
    [other] = library(saltmarsh)
    assert other != file
    assert folder_of(saltmarsh).read_json("world.json")["cover"] == other
    [picture] = PictureLibrary(folder_of(saltmarsh)).pictures()
    assert picture.alt == "The quay"


def test_the_owners_space_is_the_limit(people: People, saltmarsh: World) -> None:
    people.ana.quota = saltmarsh.size + 100
    people.ana.save()
    told = upload(people, saltmarsh, ("quay.png", drawing(3)))
    assert library(saltmarsh) == []
    assert any("used up" in text for text in told)


def test_a_reader_sees_pictures_and_changes_none(people: People, saltmarsh: World) -> None:
    upload(people, saltmarsh, ("quay.png", drawing(3)))
    [file] = library(saltmarsh)
    share(people.ben, "world", saltmarsh.pk)
    client = client_of(people.ben)
    assert client.get(at("picture", saltmarsh, file.removeprefix("images/"))).status_code == 200
    assert client.post(at("remove_picture", saltmarsh), {"file": file}).status_code == 403
    assert library(saltmarsh) == [file]
