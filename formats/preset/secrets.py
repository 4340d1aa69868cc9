"""What is private in a preset is taken out, and named by its path, never by its value.

A preset is handed around as a file, and its maker's proxy, password or private address travels in it
unnoticed. Three ways tell a secret: SillyTavern's own list of fields, names that say it (in extensions and
nested, too), and values that have the form of a known kind of key. Texts of prompts are not looked into: they
are what the preset is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

SENSITIVE: Final = frozenset(
    {
        "reverse_proxy",
        "proxy_password",
        "custom_url",
        "custom_include_body",
        "custom_exclude_body",
        "custom_include_headers",
        "vertexai_region",
        "vertexai_express_project_id",
        "azure_base_url",
        "azure_deployment_name",
        "workers_ai_account_id",
        "api_url_scale",
    }
)
"""Fields that SillyTavern asks about when a preset is imported, and one of its older ones."""

WORDS: Final = frozenset(
    {"password", "passwd", "passphrase", "apikey", "apikeys", "authorization", "auth", "bearer", "cookie"}
    | {"cookies", "credential", "credentials", "proxy", "proxies", "endpoint", "webhook"}
)
PAIRS: Final = frozenset(
    {("api", "key"), ("api", "keys"), ("access", "key"), ("private", "key"), ("secret", "key")}
    | {(kind, "secret") for kind in ("api", "app", "client", "shared")}
    | {("client", "key"), ("service", "account"), ("account", "id"), ("project", "id")}
    | {(kind, "token") for kind in ("api", "access", "auth", "refresh", "session", "id", "bot")}
    | {(kind, "url") for kind in ("api", "base", "server", "custom", "azure")}
    | {(kind, part) for kind in ("include", "exclude", "extra", "custom") for part in ("headers", "body")}
    | {("http", "headers"), ("request", "headers")}
)
WHOLE_NAMES: Final = frozenset({"token", "secret", "headers"})
"""Names that say it only where they are the whole name: `max_tokens` tells nobody anything."""

NAME_PARTS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
KEY_FORM: Final = re.compile(
    r"(?<![\w-])(?:sk-[\w-]{16,}|sk_[a-z]+_[\w-]{16,}|AIza[\w-]{30,}|gh[pousr]_\w{30,}|xai-\w{20,}|gsk_\w{20,}"
    r"|hf_\w{20,}|xox[abpr]-[\w-]{10,}|AKIA[A-Z0-9]{16}|Bearer\s+[\w.~+/-]{16,}=*"
    r"|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,})|(?<=://)[\w.%+-]{1,200}:[^\s/@\"']{1,200}@"
)
KEY_STARTS: Final = ("sk-", "sk_", "AIza", "gh", "xai-", "gsk_", "hf_", "xox", "AKIA", "Bearer", "eyJ", "://")
HIDDEN: Final = "…"
PROMPT_TEXTS: Final = frozenset({"content", "name", "identifier", "id"})
IN_PROMPTS: Final = re.compile(r"(?:data\.|raw\.)*prompts\[\d+\]$")


class Cleared(NamedTuple):
    """The value without its secrets, and the paths where they stood. Never the values."""

    value: Any
    paths: list[str]


def without_secrets(raw: Mapping[str, Any]) -> Cleared:
    """A preset's data with its secrets taken out; the parts without any are the same objects."""
    clearing = _Clearing()
    return Cleared(clearing.mapping(raw, ""), clearing.paths)


@lru_cache(4096)
def is_secret_name(name: str) -> bool:
    """Whether a field's name says that its value is private."""
    if name in SENSITIVE or name.casefold() in WHOLE_NAMES:
        return True
    parts = [part.lower() for part in NAME_PARTS.findall(name)]
    return bool(WORDS.intersection(parts)) or any(pair in PAIRS for pair in pairwise(parts))


class _Clearing:
    def __init__(self) -> None:
        self.paths: list[str] = []

    def mapping(self, values: Mapping[str, Any], path: str) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        for name, value in values.items():
            if KEY_FORM.search(name):
                self.paths.append(f"{path}.{HIDDEN}".lstrip("."))
                continue
            here = f"{path}.{name}" if path else name
            if _is_private(name, value):
                self.paths.append(here)
            elif name in PROMPT_TEXTS and IN_PROMPTS.match(path):
                kept[name] = value
            else:
                kept[name] = self.any(value, here)
        return kept

    def any(self, value: Any, path: str) -> Any:
        if isinstance(value, str):
            return self.text(value, path)
        if isinstance(value, Mapping):
            return self.mapping(value, path)
        if isinstance(value, list):
            return [self.any(item, f"{path}[{index}]") for index, item in enumerate(value)]
        return value

    def text(self, value: str, path: str) -> str:
        if not any(start in value for start in KEY_STARTS):
            return value
        cleared = KEY_FORM.sub("", value)
        if cleared != value:
            self.paths.append(path)
        return cleared


def _is_private(name: str, value: Any) -> bool:
    """A secret name with something in it; a switch (`use_proxy: true`) tells nobody anything."""
    if value is None or isinstance(value, bool) or value in ("", [], {}):
        return False
    if name.casefold() in WHOLE_NAMES:
        return isinstance(value, Mapping if name.casefold() == "headers" else str)
    return is_secret_name(name)
