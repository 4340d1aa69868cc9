"""The lorebook of a card, or one that was dropped where cards are, into the library of lorebooks."""

from __future__ import annotations

from formats.card import Card
from formats.errors import DomainError
from formats.messages import gettext_noop
from importer import queries
from importer.actions.uploads import discard_upload
from importer.models import Upload
from importer.pipeline.record import CardFiles, ImportRecord
from lorebooks import actions as lorebooks
from portal.models import Person
from worlds.data import data_folder
from worlds.models import World
from worlds.queries import folder_of
from worlds.store.staging import Staging


def take_lorebook(*, actor: Person, found: Upload | World) -> lorebooks.Upload:
    """Take a lorebook to the actor's library. A file that is one leaves the import; a card stays as it is.

    Raises:
        DomainError: `not-found`, there is none in it or the file has expired; as `upload_lorebook`.
    """
    if isinstance(found, Upload) and found.state != Upload.State.READY:
        return _take_file(actor, found)
    card = _card_of(found)
    if not card.entries or card.book is None:
        raise _none_in_it(found)
    return lorebooks.import_from_card(actor=actor, value=card.book, card_name=card.name)


def _take_file(actor: Person, upload: Upload) -> lorebooks.Upload:
    if upload.state != Upload.State.OTHER or upload.kind != "lorebook":
        raise _none_in_it(upload)
    path, filename, size, _sha256 = queries.original_of(upload)
    if size > lorebooks.MOST_BYTES:
        raise DomainError(
            "too-large",
            "upload.too-large",
            filename,
            gettext_noop("A lorebook may have {limit} MB, and this file has more. It is kept as it came."),
            gettext_noop("Split it into several, or leave out entries that are off."),
            {"limit": lorebooks.MOST_BYTES // (1024 * 1024)},
        )
    taken = lorebooks.upload_lorebook(actor=actor, data=path.read_bytes(), filename=filename)
    discard_upload(actor=actor, upload=upload)
    return taken


def _card_of(found: Upload | World) -> Card:
    if isinstance(found, World):
        return ImportRecord(folder_of(found)).card()
    return CardFiles(Staging(data_folder()).folder(found.pk)).card()


def _none_in_it(found: Upload | World) -> DomainError:
    return DomainError(
        "not-found",
        "import.no-lorebook",
        found.pk,
        gettext_noop("There is no lorebook in this file that could be taken to the library."),
        gettext_noop("Open the import again to see what is in it."),
    )
