"""A preset that was dropped where cards are, into the library of presets."""

from __future__ import annotations

from formats.errors import DomainError
from formats.messages import gettext_noop
from importer import queries
from importer.actions.uploads import discard_upload
from importer.models import Upload
from portal.models import Person
from presets import actions as presets


def take_preset(*, actor: Person, upload: Upload) -> presets.Upload:
    """Take a preset to the actor's library; the file leaves the import.

    Raises:
        DomainError: `not-found`, it is none or has expired; as `upload_preset`, and then the file waits on.
    """
    if upload.state != Upload.State.OTHER or upload.kind != "preset":
        raise DomainError(
            "not-found",
            "import.no-preset",
            upload.pk,
            gettext_noop("This file is no preset that could be taken to the library."),
            gettext_noop("Open the import again to see what is in it."),
        )
    path, filename, size, _sha256 = queries.original_of(upload)
    if size > presets.MOST_BYTES:
        raise DomainError(
            "too-large",
            "upload.too-large",
            filename,
            gettext_noop("A preset may have {limit} MB, and this file has more. It is kept as it came."),
            gettext_noop("Save it again without scripts and old prompts, or split it into several."),
            {"limit": presets.MOST_BYTES // (1024 * 1024)},
        )
    taken = presets.upload_preset(actor=actor, data=path.read_bytes(), filename=filename)
    discard_upload(actor=actor, upload=upload)
    return taken
