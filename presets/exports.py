"""The forms in which a preset leaves the library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from formats.preset.export import sillytavern_of
from formats.preset.model import PresetPackage
from formats.stable_json import write_json
from presets.models import Preset
from presets.pipeline.import_report import ORIGINAL
from presets.queries import State, import_report, item_of, package_of
from worlds.library.files.import_report import RECORDS
from worlds.library.pages.frame import Word
from worlds.library.shelves import folder_of


@dataclass(frozen=True, slots=True)
class Form:
    """A file format: how it is called, whom it is for, how a package is written in it."""

    name: str
    label: Word
    about: Word
    write: Callable[[PresetPackage], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Original:
    """The very file that was uploaded, or that file without its secrets."""

    preset: Preset
    filename: str
    without_secrets: bool

    def read(self) -> bytes:
        """Its bytes."""
        return folder_of(self.preset).read(f"{RECORDS}/{ORIGINAL}")


FORMS: Final[Mapping[str, Form]] = {
    form.name: form
    for form in (
        Form(
            "sillytavern",
            "SillyTavern",
            _(
                "A chat completion preset, as SillyTavern reads it. What was not edited here is written as it"
                " came, with every field nobody here knows."
            ),
            sillytavern_of,
        ),
        Form(
            "native",
            _("This server"),
            _("The preset as this program holds it, to move it to another server of this kind."),
            PresetPackage.to_json,
        ),
    )
}


def file_of(preset: Preset, form: Form, state: State) -> bytes:
    """A state of a preset as a file. Raises as `package_of`."""
    return write_json(form.write(package_of(preset, state))).encode("utf-8", "replace")


def holes_left_out(package: PresetPackage) -> list[str]:
    """The names of the places that this program put in and an export takes out again."""
    return [prompt.name or prompt.id for prompt in package.prompts if prompt.was_added]


def original_of(preset: Preset) -> Original | None:
    """The file a preset came from; None for one that was made here or copied."""
    if not folder_of(preset).has(f"{RECORDS}/{ORIGINAL}"):
        return None
    report = import_report(preset)
    stripped = report is not None and report.kept == "without-secrets"
    return Original(preset, item_of(preset).source.filename or ORIGINAL, stripped)
