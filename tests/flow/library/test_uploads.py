"""What is the same for the files of every library: waiting for an answer, whose they are, what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from formats.errors import DomainError
from lorebooks.pipeline import reading as book_reading
from presets.pipeline import reading as preset_reading
from tests.flow.library.conftest import KINDS, Kind
from tests.support.cards import png_card, v3
from tests.support.people import People, share
from tests.support.presets import large_preset
from worlds.library.waiting import staging
from worlds.store.staging import Staging

pytestmark = pytest.mark.django_db

REFUSED = [
    ("lorebook", b"", "empty-file"),
    ("lorebook", b"hello", "other-file"),
    ("lorebook", b'{"entries": ', "bad-json"),
    ("lorebook", b'{"temperature": 1, "prompts": [], "prompt_order": []}', "other-file"),
    ("lorebook", b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "other-file"),
    ("lorebook", png_card(v3(name="Lin")), "card-without-book"),
    ("preset", b"", "empty-file"),
    ("preset", b"hello", "other-file"),
    ("preset", b'{"prompts": ', "bad-json"),
    ("preset", b'{"entries": {}}', "other-file"),
    ("preset", png_card(v3(name="Lin")), "other-file"),
    ("preset", json.dumps(large_preset(1_001)).encode(), "too-many-prompts"),
]


def test_the_same_content_waits_for_an_answer(people: People, data_root: Path, kind: Kind) -> None:
    first = kind.taken(people.ana)
    again = kind.upload(people.ana, filename="again.json")
    assert kind.item(again) is None
    assert [one.pk for one in again.identical] == [first.pk]
    assert kind.model._default_manager.count() == 1
    assert kind.queries.waiting_upload(people.ana, again.id).name == "again"
    copy = kind.actions.keep_upload(actor=people.ana, upload_id=again.id)
    assert (copy.name, copy.content_hash) == ("again", first.content_hash)
    with pytest.raises(DomainError) as caught:
        kind.actions.keep_upload(actor=people.ana, upload_id=again.id)
    assert caught.value.kind == "not-found"


def test_another_text_is_another_item(people: People, data_root: Path, kind: Kind) -> None:
    kind.taken(people.ana)
    kind.taken(people.ana, kind.other)
    assert kind.model._default_manager.count() == 2


def test_a_kept_upload_whose_answer_was_lost_is_the_same_item(
    people: People, data_root: Path, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = kind.waiting(people.ana)

    def dies(self: Staging, upload_id: str) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Staging, "discard", dies)
        with pytest.raises(KeyboardInterrupt):
            kind.actions.keep_upload(actor=people.ana, upload_id=waits.id)
    kind.actions.keep_upload(actor=people.ana, upload_id=waits.id)
    assert kind.model._default_manager.count() == 2
    assert staging().ids() == []


def test_a_waiting_file_is_its_owners_alone(people: People, data_root: Path, kind: Kind) -> None:
    waits = kind.waiting(people.ana)
    with pytest.raises(DomainError) as looked:
        kind.queries.waiting_upload(people.cyd, waits.id)
    with pytest.raises(DomainError) as kept:
        kind.actions.keep_upload(actor=people.cyd, upload_id=waits.id)
    assert (looked.value.kind, kept.value.kind) == ("not-found", "not-found")
    kind.actions.discard_upload(actor=people.cyd, upload_id=waits.id)
    assert staging().ids() == [waits.id]
    kind.actions.discard_upload(actor=people.ana, upload_id=waits.id)
    kind.actions.discard_upload(actor=people.ana, upload_id=waits.id)
    assert staging().ids() == []


def test_a_strangers_item_is_not_told_and_a_shared_one_is(
    people: People, data_root: Path, kind: Kind
) -> None:
    first = kind.taken(people.ana)
    kind.taken(people.cyd)
    share(people.ben, kind.model.kind, first.pk)
    assert [one.pk for one in kind.upload(people.ben).identical] == [first.pk]


def test_a_file_that_waits_in_another_library_does_not_wait_here(
    people: People, data_root: Path, kind: Kind
) -> None:
    waits = kind.waiting(people.ana)
    other = next(one for one in KINDS.values() if one is not kind)
    with pytest.raises(DomainError) as caught:
        other.actions.keep_upload(actor=people.ana, upload_id=waits.id)
    assert caught.value.code == f"{other.model.kind}.no-such-upload"
    other.actions.discard_upload(actor=people.ana, upload_id=waits.id)
    assert staging().ids() == [waits.id]


@pytest.mark.parametrize(("name", "data", "code"), REFUSED)
def test_what_is_something_else_is_refused_and_not_kept(
    people: People, data_root: Path, name: str, data: bytes, code: str
) -> None:
    kind = KINDS[name]
    with pytest.raises(DomainError) as caught:
        kind.actions.__dict__[f"upload_{name}"](actor=people.ana, data=data, filename="x.json")
    assert caught.value.code == code
    assert caught.value.message
    assert staging().ids() == []
    assert not kind.model._default_manager.exists()


def test_too_large_a_file_is_refused_before_it_is_read(people: People, data_root: Path, kind: Kind) -> None:
    with pytest.raises(DomainError) as caught:
        kind.upload(people.ana, b" " * (kind.actions.MOST_BYTES + 1))
    assert caught.value.kind == "too-large"
    people.ana.quota = 10
    with pytest.raises(DomainError) as caught:
        kind.upload(people.ana)
    assert caught.value.kind == "full"
    assert staging().ids() == []


def test_a_reader_that_dies_or_hangs_leaves_nothing(
    people: People, data_root: Path, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = {"lorebook": book_reading, "preset": preset_reading}[kind.model.kind].read_in_child
    monkeypatch.setattr(kind.uploads, "read_in_child", lambda folder: read(folder, time_limit=0.001))
    with pytest.raises(DomainError) as caught:
        kind.upload(people.ana)
    assert caught.value.code == "read.too-slow"
    assert staging().ids() == []


def test_files_of_one_person_in_an_hour_are_counted_whatever_becomes_of_them(
    people: People, data_root: Path, kind: Kind, settings: Any
) -> None:
    settings.IMPORTS = replace(settings.IMPORTS, uploads_per_hour=2)
    kind.taken(people.ana)
    with pytest.raises(DomainError) as spoilt:
        kind.upload(people.ana, b"nothing of the kind")
    assert spoilt.value.kind == "unsupported"
    with pytest.raises(DomainError) as third:
        kind.upload(people.ana, kind.other)
    assert (third.value.kind, third.value.code) == ("limited", "library.too-many-files")
    assert (kind.model._default_manager.count(), staging().ids()) == (1, [])
    kind.taken(people.ben)
