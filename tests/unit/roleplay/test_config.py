"""Every variable of the environment, typed and checked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from roleplay.config import ConfigError, read_config

ROOT = Path(__file__).resolve().parents[3]


def test_nothing_is_needed_to_start(tmp_path: Path) -> None:
    config = read_config({}, tmp_path)
    assert config.data == tmp_path / "data"
    assert config.public_url == "http://127.0.0.1:8000"
    assert config.registration == "invite"
    assert config.trusted_proxies == ()
    assert not config.secure
    # D45
    imports = config.imports
    assert (imports.concurrency, imports.timeout_minutes, imports.confidence) == (4, 30, 0.9)
    assert (imports.max_upload_bytes, imports.decisions) == (104_857_600, "model")
    assert (imports.reasoning, imports.temperature) == ("off", 0.2)


def test_values_are_read_as_what_they_are(tmp_path: Path) -> None:
    config = read_config(
        {
            "ROLEPLAY_DATA": str(tmp_path / "x"),
            "PORT": "9000",
            "DEBUG": "Yes",
            "ALLOWED_HOSTS": "a.example, b.example",
            "FIELD_KEYS": "one,two",
            "REGISTRATION": "closed",
            "IMPORT_CONFIDENCE": "0.75",
            "LLM_BASE_URL": " http://model.example/v1 ",
        },
        tmp_path,
    )
    assert config.data == tmp_path / "x"
    assert config.public_url == "http://127.0.0.1:9000"
    assert config.debug
    assert config.allowed_hosts == ("a.example", "b.example")
    assert config.field_keys == ("one", "two")
    assert config.registration == "closed"
    assert config.imports.confidence == 0.75
    assert config.model.base_url == "http://model.example/v1"


@pytest.mark.parametrize(
    ("url", "hosts", "proxies"),
    [
        ("https://worlds.example", ("worlds.example",), ("127.0.0.1",)),
        ("https://worlds.example:8443/", ("worlds.example",), ("127.0.0.1",)),
        ("http://localhost:8000", ("localhost", "127.0.0.1", "[::1]"), ()),
        ("http://[::1]:8000", ("[::1]", "localhost", "127.0.0.1"), ()),
    ],
)
def test_the_public_address_names_the_hosts(
    tmp_path: Path, url: str, hosts: tuple[str, ...], proxies: tuple[str, ...]
) -> None:
    config = read_config({"PUBLIC_URL": url, "CSRF_TRUSTED_ORIGINS": "https://other.example"}, tmp_path)
    assert config.allowed_hosts == hosts
    assert config.trusted_proxies == proxies
    assert config.trusted_origins == (url.rstrip("/"), "https://other.example")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "eighty"),
        ("PORT", "0"),
        ("PORT", "70000"),
        ("DEBUG", "perhaps"),
        ("REGISTRATION", "everybody"),
        ("LOG_LEVEL", "LOUD"),
        ("IMPORT_CONFIDENCE", "1.5"),
        ("IMPORT_CONFIDENCE", "nan"),
        ("IMPORT_MAX_UPLOAD_BYTES", "-1"),
        ("PUBLIC_URL", "worlds.example"),
        ("PUBLIC_URL", "ftp://worlds.example"),
        ("PUBLIC_URL", "https://worlds.example/path"),
        ("PUBLIC_URL", "https://me@worlds.example"),
        ("PUBLIC_URL", "https://worlds.example:port"),
        ("PUBLIC_URL", "https://[::1"),
    ],
)
def test_a_wrong_value_is_refused_by_name(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=rf"^{name}="):
        read_config({name: value}, tmp_path)


def test_the_sample_lists_every_variable_and_no_other() -> None:
    source = (ROOT / "roleplay" / "config.py").read_text(encoding="utf-8")
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))
    listed = set(
        re.findall(r"^# ([A-Z_]+)=", (ROOT / "env-sample").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert len(read) > 30
    assert listed == read


@pytest.mark.parametrize(
    "address",
    ["mist.example", "ftp://mist.example", "https://key@mist.example/v1", "https://m.example?key=x"],
)
def test_an_address_of_a_model_that_cannot_be_one_is_refused_without_saying_it(
    tmp_path: Path, address: str
) -> None:
    with pytest.raises(ConfigError, match="LLM_BASE_URL") as refused:
        read_config({"LLM_BASE_URL": address}, tmp_path)
    assert address not in str(refused.value)


def test_secrets_are_not_in_what_the_configuration_says_of_itself(tmp_path: Path) -> None:
    """Pages about a failure of ours show settings as they print themselves."""
    secrets = {
        name: f"secret-of-{name}" for name in ("SECRET_KEY", "FIELD_KEYS", "LLM_API_KEY", "EMAIL_PASSWORD")
    }
    secrets |= {"DATABASE_URL": "postgresql://u:secret-of-db@h/n", "REDIS_URL": "redis://:secret-of-redis@h"}
    assert "secret-of" not in repr(read_config(secrets, tmp_path))
