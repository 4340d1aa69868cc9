"""Secrets are made once, for the server's user only (D44)."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from roleplay.config import ConfigError
from roleplay.secret_store import FILE_NAME, secrets_of


def test_made_once_and_kept(tmp_path: Path) -> None:
    data = tmp_path / "data"
    first = secrets_of(data)
    assert len(first.key) >= 50
    assert Fernet(first.field_keys[0]).decrypt(Fernet(first.field_keys[0]).encrypt(b"x")) == b"x"
    assert secrets_of(data) == first
    assert stat.S_IMODE((data / FILE_NAME).stat().st_mode) == 0o600
    assert [path.name for path in data.iterdir()] == [FILE_NAME], "nothing half-made stays"


def test_the_environment_goes_first(tmp_path: Path) -> None:
    kept = secrets_of(tmp_path)
    given = secrets_of(tmp_path, "own-key")
    assert (given.key, given.field_keys) == ("own-key", kept.field_keys)
    field_keys = (Fernet.generate_key().decode(), Fernet.generate_key().decode())
    apart = secrets_of(tmp_path / "untouched", "own-key", field_keys)
    assert apart.field_keys == field_keys
    assert not (tmp_path / "untouched").exists()


@pytest.mark.parametrize("wrong", ["own-field", "é" * 44, "A" * 43])
def test_a_field_key_that_cannot_encrypt_is_refused_at_start(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(ConfigError, match="FIELD_KEYS: each must be 32 bytes") as refused:
        secrets_of(tmp_path, "own-key", (Fernet.generate_key().decode(), wrong))
    assert wrong not in str(refused.value)
    (tmp_path / FILE_NAME).write_text(f"SECRET_KEY=abc\nFIELD_KEYS={wrong}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="FIELD_KEYS in "):
        secrets_of(tmp_path)


def test_many_starting_at_once_agree(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(lambda _: secrets_of(tmp_path), range(32)))
    assert len(made) == 1


def test_a_damaged_file_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("# nothing\nSECRET_KEY=abc\n")
    with pytest.raises(ConfigError, match="lacks FIELD_KEYS"):
        secrets_of(tmp_path)
    assert "abc" in (tmp_path / FILE_NAME).read_text()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be read or made"):
        secrets_of(tmp_path / "file" / "data")
