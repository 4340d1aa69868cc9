"""`POST /roleplay-api/lorebooks/import?name=&language=`: one file into the lorebook library (LORE-1)."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST

from formats.errors import DomainError
from lorebooks import actions
from lorebooks.actions import Upload
from lorebooks.api.shapes import book_json
from lorebooks.views.taking import take_one
from portal.access import person_of


@require_POST
def take_in(request: HttpRequest) -> JsonResponse:
    """Take the part `file` in: 201 with the book's id and what reading it found.

    Raises:
        DomainError: `invalid` for a language that the page does not offer; `conflict` where the same book is
            there, with its id as the place; as `upload_lorebook`.
    """
    person, files = person_of(request), request.FILES.getlist("file")
    if len(files) != 1:
        raise _not_one_file()
    asked = {name: request.GET.get(name, "").strip() for name in ("name", "language")}
    if asked["language"] and asked["language"] not in dict(settings.LANGUAGES):
        raise _unknown_language(asked["language"])
    taken = take_one(person, files[0], **asked)
    if taken.lorebook is None:
        actions.discard_upload(actor=person, upload_id=taken.id)  # nobody is there to be asked
        raise _identical(taken)
    return JsonResponse(book_json(taken.lorebook, taken.report), status=201)


def _not_one_file() -> DomainError:
    return DomainError(
        "invalid",
        "lorebook.not-one-file",
        "file",
        gettext_noop("A lorebook comes as one file, and not exactly one was sent. Nothing was stored."),
        gettext_noop("Send a form of the type multipart/form-data with the lorebook in a part called file."),
    )


def _unknown_language(asked: str) -> DomainError:
    return DomainError(
        "invalid",
        "lorebook.unknown-language",
        "language",
        gettext_noop("“{language}” is no language that this server knows. Nothing was stored."),
        gettext_noop("Send one of these, or leave it out: {known}."),
        {"language": asked[:40], "known": ", ".join(dict(settings.LANGUAGES))},
    )


def _identical(taken: Upload) -> DomainError:
    same = taken.identical[0]
    return DomainError(
        "conflict",
        "lorebook.identical",
        same.pk,
        gettext_noop("“{name}” in your library says exactly the same. The file was not taken in again."),
        gettext_noop("Use that book, or duplicate it in the library."),
        {"name": same.name},
    )
