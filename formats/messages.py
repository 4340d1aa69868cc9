"""The marker that lets a room without Django offer its sentences for translation (D40)."""


def gettext_noop(message: str) -> str:
    """Mark an English template for translation; the edge translates it when it is shown.

    The name is one that message extraction looks for. Fields are written `{name}` and are filled by
    `formats.finding.fill` only, never by `str.format`, since a stored template may come from a file.
    """
    return message
