"""`/roleplay-api/lorebooks/import`: a file of a program becomes a lorebook, not a world."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from lorebooks import actions
from lorebooks.models import Lorebook
from lorebooks.shelves import folder_of
from tests.support.cards import png_card, v3
from tests.support.lorebooks import as_file, fog_book, harbour_book
from tests.support.people import People, client_of
from worlds.library.waiting import staging
from worlds.models import World

pytestmark = [pytest.mark.usefixtures("data_root"), pytest.mark.django_db, pytest.mark.req("LORE-1")]
IMPORT = "/roleplay-api/lorebooks/import"


@pytest.fixture
def ana(people: People) -> Client:
    return client_of(people.ana)


def send(client: Client, *files: tuple[str, bytes], query: str = "", language: str = "en") -> Any:
    sent = {"file": [SimpleUploadedFile(name, data) for name, data in files]}
    return client.post(IMPORT + query, sent, headers={"Accept-Language": language})


def error_of(answer: Any) -> dict[str, str]:
    error: dict[str, str] = answer.json()["error"]
    assert set(error) == {"code", "message", "where"}
    assert "{" not in error["message"]
    return error


def test_a_file_becomes_a_book_under_the_name_and_language_that_were_asked_for(ana: Client) -> None:
    data = as_file(fog_book())
    answer = send(ana, ("fog.json", data), query="?name=Salt%20roads&language=zh-hans")
    assert answer.status_code == 201
    told = answer.json()
    book = Lorebook.objects.get()
    assert (told["id"], told["name"], told["language"]) == (book.pk, "Salt roads", "zh-hans")
    assert (book.name, book.language, book.owner.username) == ("Salt roads", "zh-hans", "ana")
    assert folder_of(book).read(".import/lorebook.json") == data
    assert not World.objects.exists()
    report = told["report"]
    assert (report["format"], report["fromCard"]) == ("sillytavern-world-info", None)
    assert (report["entries"], report["off"], report["always"], report["byMeaning"]) == (4, 1, 1, 0)
    assert report["findings"] == []


@pytest.mark.parametrize("language", ["<script>alert(1)</script>", "tlh", "EN", "en%0A%0Ax"])
def test_a_language_that_the_page_does_not_offer_is_refused(ana: Client, language: str) -> None:
    answer = send(ana, ("fog.json", as_file(fog_book())), query=f"?language={language}")
    error = error_of(answer)
    assert (answer.status_code, error["code"], error["where"]) == (
        422,
        "lorebook.unknown-language",
        "language",
    )
    assert not Lorebook.objects.exists()
    assert staging().ids() == []


@pytest.mark.parametrize("asked", [True, False])
def test_a_name_is_one_line_without_blanks_around_it(ana: Client, asked: bool) -> None:
    """Whoever gives it: the program that asks, or the file."""
    data = as_file(fog_book() | ({} if asked else {"name": " Salt\n\n roads\t"}))
    query = "?name=%20Salt%0A%0D%0A%20roads%09&language=%20en%20" if asked else ""
    assert send(ana, ("fog.json", data), query=query).json()["name"] == "Salt roads"
    assert Lorebook.objects.get().name == "Salt roads"


def test_the_book_of_a_card_is_taken_and_its_own_name_stays(ana: Client) -> None:
    card = png_card(v3(name="Lin", character_book={**harbour_book(), "name": ""}))
    told = send(ana, ("lin.png", card)).json()
    assert (told["name"], told["report"]["fromCard"]) == ("Lin lorebook", "Lin")
    assert not World.objects.exists()


def test_what_was_repaired_is_told_in_sentences(ana: Client) -> None:
    odd = {"entries": {"0": {"uid": 0, "key": "salt, toll", "content": "Salt."}}}
    [finding] = send(ana, ("odd.json", json.dumps(odd).encode())).json()["report"]["findings"]
    assert set(finding) == {"severity", "code", "where", "message", "hint"}
    assert "{" not in finding["message"]


def test_the_same_book_is_not_taken_twice_and_leaves_nothing_waiting(ana: Client) -> None:
    send(ana, ("a.json", as_file(fog_book())))
    answer = send(ana, ("b.json", as_file(fog_book())), query="?name=Other")
    error = error_of(answer)
    book = Lorebook.objects.get()
    assert (answer.status_code, error["code"], error["where"]) == (409, "lorebook.identical", book.pk)
    assert "Fog lore" in error["message"]
    assert staging().ids() == []


def test_a_book_that_a_stranger_has_is_no_hindrance(people: People, ana: Client) -> None:
    send(client_of(people.cyd), ("a.json", as_file(fog_book())))
    assert send(ana, ("a.json", as_file(fog_book()))).status_code == 201


@pytest.mark.parametrize(
    ("files", "status", "code"),
    [
        ([], 422, "lorebook.not-one-file"),
        ([("a.json", b"{}"), ("b.json", b"{}")], 422, "lorebook.not-one-file"),
        ([("a.json", b"{")], 422, None),
        ([("notes.txt", b"Dear diary")], 415, None),
    ],
)
def test_a_refusal_says_what_it_is_and_stores_nothing(
    ana: Client, files: list[tuple[str, bytes]], status: int, code: str | None
) -> None:
    answer = send(ana, *files)
    error = error_of(answer)
    assert answer.status_code == status
    assert code is None or error["code"] == code
    assert not Lorebook.objects.exists()
    assert staging().ids() == []


def test_a_file_that_is_too_large_is_refused_before_it_is_read(
    ana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "MOST_BYTES", 100)
    answer = send(ana, ("fog.json", as_file(fog_book())))
    assert (answer.status_code, error_of(answer)["code"]) == (413, "upload.too-large")


def test_refusals_speak_the_language_of_the_program(ana: Client) -> None:
    assert "文件" in error_of(send(ana, language="zh-hans"))["message"]


def test_a_session_and_its_token_are_needed(people: People) -> None:
    assert send(Client(), ("a.json", as_file(fog_book()))).status_code == 401
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(people.ana)
    assert send(strict, ("a.json", as_file(fog_book()))).status_code == 403
    assert client_of(people.ana).get(IMPORT).status_code == 405
    assert not Lorebook.objects.exists()
