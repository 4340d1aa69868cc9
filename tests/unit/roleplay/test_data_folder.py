"""What the server keeps is for its own user only."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from roleplay.config import ConfigError
from roleplay.data_folder import prepare_data_folder, uploads_in
from roleplay.secret_store import secrets_of
from tests.support.servers import manage, program_environment

ABOUT = """
import django, sys
django.setup()
from django.conf import settings
from django.core.management import call_command
call_command("migrate", verbosity=0)
print("daphne" in settings.INSTALLED_APPS, "daphne.server" in sys.modules)
"""


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_folder_and_database_are_private(tmp_path: Path) -> None:
    data = tmp_path / "far" / "data"
    prepare_data_folder(data, data / "portal.sqlite3")
    assert [rights(data), rights(uploads_in(data)), rights(data / "portal.sqlite3")] == [0o700, 0o700, 0o600]


def test_secrets_alone_make_a_private_folder(tmp_path: Path) -> None:
    secrets_of(tmp_path / "data")
    assert rights(tmp_path / "data") == 0o700


def test_what_is_there_keeps_its_content_and_rights(tmp_path: Path) -> None:
    data, database = tmp_path / "data", tmp_path / "data" / "portal.sqlite3"
    data.mkdir(mode=0o750)
    database.write_bytes(b"tables")
    database.chmod(0o640)
    prepare_data_folder(data, database)
    assert (database.read_bytes(), rights(data), rights(database)) == (b"tables", 0o750, 0o640)


def test_no_file_is_made_for_another_database(tmp_path: Path) -> None:
    prepare_data_folder(tmp_path / "data")
    assert [path.name for path in (tmp_path / "data").iterdir()] == [".uploads"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be made or written"):
        prepare_data_folder(tmp_path / "file" / "data")


@pytest.mark.parametrize(("debug", "told"), [("", "False False"), ("1", "True")])
def test_a_program_makes_its_database_private_and_loads_daphne_in_development_only(
    tmp_path: Path, debug: str, told: str
) -> None:
    data = tmp_path / "data"
    more = {"DEBUG": debug} if debug else {}
    said = manage(program_environment(data, **more), code=ABOUT)
    assert said.strip().startswith(told)
    kept = {path.name: rights(path) for path in data.iterdir() if path.name.startswith("portal.sqlite3")}
    assert kept["portal.sqlite3"] == 0o600
    assert set(kept.values()) == {0o600}
    assert rights(data) == 0o700
