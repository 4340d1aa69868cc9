"""Every environment variable the program reads, typed and checked in one place.

`env-sample` lists the same names for people. Nothing else in the program reads the environment, so a
wrong value is refused here, at start, with a sentence that names the variable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar, cast, get_args
from urllib.parse import urlsplit

from net.address import RefusedAddress, listed_origin

Registration = Literal["open", "invite", "closed"]
Decisions = Literal["model", "decision"]
LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
_T = TypeVar("_T")


class ConfigError(ValueError):
    """A variable of the environment has a value that cannot be used; the text names it."""


class Environment:
    """Typed readers over a mapping of strings; an empty value counts as not set."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values

    def text(self, name: str, default: str = "") -> str:
        return self._values.get(name, "").strip() or default

    def words(self, name: str) -> tuple[str, ...]:
        """A list written with commas or spaces."""
        return tuple(re.split(r"[,\s]+", self.text(name))) if self.text(name) else ()

    def flag(self, name: str, default: bool = False) -> bool:
        known = {"1": True, "true": True, "yes": True, "on": True}
        known |= {"0": False, "false": False, "no": False, "off": False}
        text = self.text(name).lower()
        if not text:
            return default
        if text not in known:
            raise ConfigError(f"{name}={text!r}: write yes or no.")
        return known[text]

    def whole(self, name: str, default: int, least: int = 0, most: int = 2**53) -> int:
        """A whole number from `least` to `most`."""
        return self._number(name, default, int, least, most)

    def number(self, name: str, default: float, least: float, most: float) -> float:
        return self._number(name, default, float, least, most)

    def choice(self, name: str, default: str, known: Sequence[str]) -> str:
        text = self.text(name, default)
        if text not in known:
            raise ConfigError(f"{name}={text!r}: write one of {', '.join(known)}.")
        return text

    def _number(self, name: str, default: _T, read: Callable[[str], _T], least: float, most: float) -> _T:
        text = self.text(name)
        if not text:
            return default
        try:
            value = read(text)
        except ValueError:
            raise ConfigError(f"{name}={text!r}: a number is needed.") from None
        if not least <= cast(float, value) <= most:
            raise ConfigError(f"{name}={text!r}: a number from {least} to {most} is needed.")
        return value


@dataclass(frozen=True, slots=True)
class Mail:
    """How letters leave; without a host none are sent and no page offers to send one."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    use_tls: bool
    sender: str


@dataclass(frozen=True, slots=True)
class ImportLimits:
    """Numbers of the import (D45). Times in minutes, sizes in bytes, 0 tokens = a tenth of the window."""

    max_upload_bytes: int
    uploads_per_hour: int
    concurrency: int
    timeout_minutes: int
    max_tokens: int
    decisions: Decisions
    confidence: float
    variables_per_request: int
    reasoning: str
    temperature: float


@dataclass(frozen=True, slots=True)
class Model:
    """A first model endpoint given by the environment, without touching a page."""

    base_url: str
    api_key: str = field(repr=False)
    name: str


@dataclass(frozen=True, slots=True)
class Config:
    """The whole environment, read once by `roleplay.settings`."""

    data: Path
    port: int
    public_url: str
    debug: bool
    secret_key: str = field(repr=False)
    field_keys: tuple[str, ...] = field(repr=False)
    database_url: str = field(repr=False)  # it may hold a password
    redis_url: str = field(repr=False)
    allowed_hosts: tuple[str, ...]
    trusted_origins: tuple[str, ...]
    trusted_proxies: tuple[str, ...]
    registration: Registration
    quota_bytes: int
    job_concurrency: int
    time_zone: str
    log_level: str
    mail: Mail
    imports: ImportLimits
    model: Model
    authoring_approval: str
    decisions_triggers: str

    @property
    def secure(self) -> bool:
        """People reach the server over https (D44)."""
        return self.public_url.startswith("https://")


def read_config(values: Mapping[str, str], root: Path) -> Config:
    """Read and check the environment; `root` is the project folder, for the default data folder.

    Raises:
        ConfigError: a value cannot be used.
    """
    env = Environment(values)
    port = env.whole("PORT", 8000, 1, 65535)
    public_url = _public_url(env, port)
    host = f"[{h}]" if ":" in (h := urlsplit(public_url).hostname or "") else h
    secure = public_url.startswith("https://")
    local = LOCAL_NAMES if host in LOCAL_NAMES else ()
    return Config(
        data=Path(env.text("ROLEPLAY_DATA", str(root / "data"))).expanduser().resolve(),
        port=port,
        public_url=public_url,
        debug=env.flag("DEBUG"),
        secret_key=env.text("SECRET_KEY"),
        field_keys=env.words("FIELD_KEYS"),
        database_url=env.text("DATABASE_URL"),
        redis_url=env.text("REDIS_URL"),
        allowed_hosts=env.words("ALLOWED_HOSTS") or tuple(dict.fromkeys((host, *local))),
        trusted_origins=tuple(dict.fromkeys((public_url, *env.words("CSRF_TRUSTED_ORIGINS")))),
        # Behind https there is a web server in front, by default on this machine.
        trusted_proxies=env.words("TRUSTED_PROXIES") or (("127.0.0.1",) if secure else ()),
        registration=cast(Registration, env.choice("REGISTRATION", "invite", get_args(Registration))),
        quota_bytes=env.whole("STORAGE_QUOTA_BYTES", 5 * 1024**3),
        job_concurrency=env.whole("JOB_CONCURRENCY", 4, 1, 64),
        time_zone=env.text("TIME_ZONE", "UTC"),
        log_level=env.choice("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR")),
        mail=_mail(env),
        imports=_imports(env),
        model=_model(env),
        authoring_approval=env.choice("AUTHORING_APPROVAL", "ask", ("ask", "auto")),
        decisions_triggers=env.choice("DECISIONS_TRIGGERS", "model", get_args(Decisions)),
    )


def _public_url(env: Environment, port: int) -> str:
    """The origin people type: scheme, host, port, nothing else."""
    text = env.text("PUBLIC_URL", f"http://127.0.0.1:{port}").rstrip("/")
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        usable = False
    if not usable or text != f"{parts.scheme}://{parts.netloc}" or "@" in text:
        raise ConfigError(f"PUBLIC_URL={text!r}: write an origin such as https://worlds.example, no path.")
    return text


def _model(env: Environment) -> Model:
    """The first endpoint. Its address is trusted, wherever it leads: the environment is the host's."""
    base_url = env.text("LLM_BASE_URL")
    try:
        usable = not base_url or (bool(listed_origin(base_url)) and not {"?", "#"} & set(base_url))
    except RefusedAddress:
        usable = False
    if not usable:
        # Not the value itself: people put keys into addresses.
        raise ConfigError("LLM_BASE_URL: write an address such as https://models.example/v1, no key in it.")
    return Model(base_url, env.text("LLM_API_KEY"), env.text("LLM_MODEL"))


def _mail(env: Environment) -> Mail:
    return Mail(
        host=env.text("EMAIL_HOST"),
        port=env.whole("EMAIL_PORT", 587, 1, 65535),
        user=env.text("EMAIL_USER"),
        password=env.text("EMAIL_PASSWORD"),
        use_tls=env.flag("EMAIL_USE_TLS", True),
        sender=env.text("EMAIL_FROM"),
    )


def _imports(env: Environment) -> ImportLimits:
    return ImportLimits(
        max_upload_bytes=env.whole("IMPORT_MAX_UPLOAD_BYTES", 104_857_600, 1024),
        uploads_per_hour=env.whole("IMPORT_UPLOADS_PER_HOUR", 120, 1),
        concurrency=env.whole("IMPORT_CONCURRENCY", 4, 1, 64),
        timeout_minutes=env.whole("IMPORT_TIMEOUT_MINUTES", 30, 1),
        max_tokens=env.whole("IMPORT_MAX_TOKENS", 0),
        decisions=cast(Decisions, env.choice("IMPORT_DECISIONS", "model", get_args(Decisions))),
        confidence=env.number("IMPORT_CONFIDENCE", 0.9, 0.5, 1.0),
        variables_per_request=env.whole("IMPORT_VARIABLES_PER_REQUEST", 25, 1, 200),
        reasoning=env.choice("IMPORT_REASONING", "off", ("off", "low", "medium", "high")),
        temperature=env.number("IMPORT_TEMPERATURE", 0.2, 0.0, 2.0),
    )
