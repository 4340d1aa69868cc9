"""The host's admin of presets, and the command that looks at a file."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from presets import actions, queries
from presets.models import Preset
from tests.support.people import People, client_of, share
from tests.support.presets import SECRET, as_file, harbour_preset, secretive_preset
from worlds.library.waiting import staging

LIST = "/admin/presets/preset/"


@pytest.mark.django_db
def test_a_host_finds_moves_and_restores_presets(people: People, harbour: Preset) -> None:
    share(people.cyd, "preset", harbour.pk)
    host = client_of(people.hal)
    page = host.get(LIST, {"shared": "yes", "q": "harb"})
    assert [row.name for row in page.context["cl"].result_list] == ["Harbour"]
    assert 'field-shared_with">1<' in page.content.decode()
    assert host.get(LIST, {"shared": "no"}).context["cl"].result_count == 0
    assert host.get(f"{LIST}add/").status_code == 403
    change = host.get(f"{LIST}{harbour.pk}/change/")
    assert change.status_code == 200
    assert b'name="name"' not in change.content
    host.post(LIST, {"action": "read_again", "_selected_action": [harbour.pk]})
    host.post(LIST, {"action": "to_trash", "_selected_action": [harbour.pk]})
    [item] = queries.trashed(people.ana)
    trash = reverse("admin:presets_preset_trash")
    assert "Harbour" in host.get(trash).content.decode()
    host.post(trash, {"act": "restore", "entry": f"ana/{item.entry_id}"})
    assert Preset.objects.get().owner == people.ana


@pytest.mark.django_db
def test_nobody_but_a_host_gets_there(people: People, harbour: Preset) -> None:
    for address in (LIST, reverse("admin:presets_preset_trash")):
        assert client_of(people.ana).get(address).status_code in (302, 403, 404)
        assert client_of(None).get(address).status_code in (302, 403, 404)


@pytest.fixture
def files(tmp_path: Path, data_root: Path) -> Path:
    """Every look goes through the staging of a data folder of its own."""
    return tmp_path


def run(path: Path, *more: str) -> str:
    out = io.StringIO()
    call_command("inspect_preset", str(path), *more, stdout=out)
    assert staging().ids() == [], "nothing is kept"
    return out.getvalue()


@pytest.mark.req("PRE-10")
def test_a_preset_in_lines_and_as_json(files: Path) -> None:
    path = files / "harbour.json"
    path.write_bytes(as_file({**secretive_preset(), "n": 2}))
    lines = run(path)
    assert "variants = 2 (Kept and not sent here: one answer is asked for at a time.)" in lines
    assert lines.startswith("harbour (sillytavern, chat-completion)\n8 prompts, 6 on, 1 in no order;")
    assert "sent-elsewhere: memory 'Memory': " in lines
    assert "secret taken out: proxy_password" in lines
    told: dict[str, Any] = json.loads(run(path, "--json"))
    assert (told["verdict"], told["squash"], told["report"]["promptCount"]) == ("preset", "none", 8)
    assert SECRET not in lines + json.dumps(told)


@pytest.mark.parametrize(
    ("data", "exit_code"),
    [(b"hello", 1), (b'{"entries": {}}', 1), (b" " * (actions.MOST_BYTES + 1), 2)],
)
def test_what_is_no_preset_ends_with_its_code(files: Path, data: bytes, exit_code: int) -> None:
    path = files / "x.json"
    path.write_bytes(data)
    with pytest.raises(SystemExit) as caught:
        call_command("inspect_preset", str(path), stdout=io.StringIO(), stderr=io.StringIO())
    assert caught.value.code == exit_code
    with pytest.raises(SystemExit) as caught:
        call_command("inspect_preset", str(files / "none"), stderr=io.StringIO())
    assert caught.value.code == 2


def test_a_whole_preset_needs_no_database(files: Path) -> None:
    path = files / "harbour.json"
    path.write_bytes(as_file(harbour_preset()))
    assert "6 on" in run(path)
