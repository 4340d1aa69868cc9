"""Files that come to a library by a form: each is taken by itself, and one refused takes no other with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from portal.say import said

Taken = TypeVar("Taken")
MEGABYTE: Final = 1024 * 1024


def take_files(request: HttpRequest, take: Callable[[UploadedFile[Any]], Taken]) -> tuple[list[Taken], bool]:
    """Take each file of the field `file`; what came of them, and whether one alone was sent.

    Of several, those refused are told in a notice each.

    Raises:
        DomainError: `invalid` without a file; what `take` raises for one that was sent alone.
    """
    files = request.FILES.getlist("file")
    if not files:
        raise DomainError(
            "invalid",
            "upload.no-file",
            "file",
            gettext_noop("No file came with this. Nothing was stored."),
            gettext_noop("Choose one or more files, then upload them."),
        )
    taken: list[Taken] = []
    for file in files:
        try:
            taken.append(take(file))
        except DomainError as error:
            if len(files) == 1:
                raise
            told = {"file": file.name or "", "reason": said(error)}
            messages.error(request, _("%(file)s: %(reason)s") % told)
    return taken, len(files) == 1


def refuse_larger(file: UploadedFile[Any], limit: int, message: str, hint: str) -> None:
    """Raise `too-large` for a file of more than `limit` bytes; `message` has `{size}` and `{limit}` in MB."""
    size = file.size or 0
    if size > limit:
        told = {"size": megabytes(size), "limit": megabytes(limit)}
        raise DomainError("too-large", "upload.too-large", (file.name or "")[:200], message, hint, told)


def megabytes(size: int) -> str:
    """A size in MB for a sentence: without decimals from 10 MB, unless that would hide a small excess."""
    value = size / MEGABYTE
    return f"{value:.0f}" if value >= 10 and abs(value - round(value)) < 0.05 else f"{value:.1f}"
