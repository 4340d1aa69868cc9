"""Strong ETags (`"<sha256>"`) and the conditions of a conditional write."""

from __future__ import annotations

import re
from hashlib import file_digest, sha256
from io import BufferedReader
from typing import Final

from formats.errors import DomainError
from formats.messages import gettext_noop

ANY: Final = "any"
"""No condition: whatever is there is replaced, its bytes being kept."""

ABSENT: Final = "absent"
"""The file must not exist; also what `ItemFolder.etag` says of a file that does not."""

_ETAG = re.compile(r'"[0-9a-f]{64}"')


def digest_of(data: bytes) -> str:
    """SHA-256 in lower-case hexadecimal."""
    return sha256(data).hexdigest()


def digest_of_file(file: BufferedReader) -> str:
    """`digest_of` all bytes of an open file, in little memory."""
    return file_digest(file, "sha256").hexdigest()


def etag_of(digest: str | None) -> str:
    """The ETag of a digest; `ABSENT` of None."""
    return f'"{digest}"' if digest is not None else ABSENT


def check_condition(condition: str, digest: str | None, path: str) -> None:
    """Compare a condition with the content now on disk (`digest`, None = no such file).

    Raises:
        DomainError: `precondition`, with the current ETag in `values["etag"]`; `invalid` when the condition
            is neither ANY nor ABSENT nor one strong ETag.
    """
    if condition == ANY or condition == etag_of(digest):
        return
    if condition != ABSENT and not _ETAG.fullmatch(condition):
        raise DomainError(
            "invalid",
            "not-an-etag",
            path,
            gettext_noop("The condition of this write is not one strong ETag. Nothing was changed."),
        )
    raise DomainError(
        "precondition",
        "changed-meanwhile",
        path,
        gettext_noop("{path} was changed by someone else in the meantime. Nothing was overwritten."),
        gettext_noop("Look at what is there now, then save again."),
        args={"path": path, "etag": etag_of(digest)},
    )
