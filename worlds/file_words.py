"""What each file of a world is, in a few words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from portal.say import sentence
from worlds.rules.documents import KINDS
from worlds.rules.paths import document_of, is_image_path
from worlds.rules.prompts import PROMPT_TITLES, prompt_of


def meaning_of(path: str) -> str:
    """The words for one path; empty for a file the portal does not know."""
    name, prompt = document_of(path), prompt_of(path)
    if path in _single():
        return _single()[path]
    if prompt:
        return sentence(PROMPT_TITLES[prompt[1]], {})
    if name:
        return sentence(KINDS[name[0]].singular, {})
    if path.startswith(".import/"):
        return _records().get(path.removeprefix(".import/"), _("A record of the import"))
    return _("A picture") if is_image_path(path) else ""


def _single() -> dict[str, str]:
    return {
        "world.json": _("What the world is called, how stories open, where it is from"),
        "relationships.json": _("Who knows whom, and how they stand to each other"),
        "variables.json": _("Tracked values"),
        "commands.json": _("Slash commands players may type"),
        "triggers.json": _("What happens by itself, and when"),
        "images/library.json": _("Where each picture is from and what it shows"),
    }


def _records() -> dict[str, str]:
    return {
        "original": _("The file as it was uploaded, byte by byte"),
        "upload.json": _("Name, size and SHA-256 of the uploaded file"),
        "card.json": _("The character card, read and brought to one form"),
        "choices.json": _("What was chosen before the import"),
        "state.json": _("How far the import came"),
        "pieces.json": _("Every piece of the card and what became of it"),
        "report.json": _("The report of the import"),
        "provenance.json": _("When and from what this world was imported"),
        "origins.json": _("Which passages each element was made from"),
        "pictures.json": _("Which pictures were fetched, and which could not be"),
        "files.json": _("The files as the import left them, to see later what was edited"),
    }
