"""A trial as a short text for an address: only what was set, packed; and back, with a bound on its size."""

from __future__ import annotations

import binascii
import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

from pydantic import ValidationError

from formats.errors import DomainError
from formats.messages import gettext_noop
from lorebooks.pipeline.trial import Trial

LONGEST_SHARED: Final = 6000
"""Characters of a text that may stand in an address; many servers refuse one beyond 8 KB."""

_MOST_BYTES: Final = 2_000_000


def packed(trial: Trial) -> str:
    """The trial as letters, digits, `-` and `_`; empty for one in which nothing was set."""
    said = trial.model_dump(mode="json", exclude_defaults=True)
    if not said:
        return ""
    data = json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return urlsafe_b64encode(zlib.compress(data.encode("utf-8", "replace"), 9)).decode().rstrip("=")


def unpacked(text: str) -> Trial:
    """The trial of such a text. Raises DomainError `invalid` for what is none."""
    if not text:
        return Trial()
    try:
        data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        inflated = zlib.decompressobj()
        plain = inflated.decompress(data, _MOST_BYTES)
        if not inflated.eof:
            raise ValueError("cut off, or longer than any trial")
        return Trial.model_validate_json(plain)
    except (binascii.Error, zlib.error, ValidationError, ValueError) as error:
        raise DomainError(
            "invalid",
            "lorebook.trial-address",
            "",
            gettext_noop("The test in this address cannot be read; perhaps its end is missing."),
            gettext_noop("Ask for the address again, or type the text anew."),
        ) from error
