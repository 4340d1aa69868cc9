"""Can a story start? The one validation of import, draft repair, the checks and starting a story.

Problems of files and of single documents come from the reader's own rules; here they are joined by what only
the whole world can tell: dangling ids, unreachable places, missing openings, pictures without a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from formats.finding import Finding, Severity
from formats.messages import gettext_noop as _
from worlds.rules.documents import KINDS, SetValues
from worlds.rules.identity import id_problems, same_names
from worlds.rules.kind_rules import image_references, own_problems
from worlds.rules.known import KnownIds
from worlds.rules.load import LoadedWorld, load_world
from worlds.rules.places import place_problems
from worlds.rules.prompts import prompt_path, unknown_placeholders
from worlds.rules.references import Reference, references_of
from worlds.rules.variables import value_suits

PlayableState = Literal["ready", "choose-someone", "bring-a-persona"]

_ORDER = {"error": 0, "warning": 1, "info": 2}
DANGLING: Mapping[str, str] = {
    "character": _("“{id}” in {file} names no character of this world."),
    "location": _("“{id}” in {file} names no place of this world."),
    "faction": _("“{id}” in {file} names no faction of this world."),
    "item": _("“{id}” in {file} names no item of this world."),
    "lore": _("“{id}” in {file} names no lore entry of this world."),
    "exit": _("“{id}” in {file} names no way of this world."),
    "variable": _("“{id}” in {file} names no variable of this world."),
    "command": _("“{id}” in {file} names no command of this world."),
}
DANGLING_OTHERWISE = _("“{id}” in {file} names nothing of this world.")


def check_world(world: Path | str | LoadedWorld) -> list[Finding]:
    """Every problem of a world, errors first; it can start when none is an error.

    Args:
        world: a folder, or a world that is already in memory (staged files, mended documents).

    Raises:
        DomainError: `not-found` where there is no such folder.
    """
    loaded = world if isinstance(world, LoadedWorld) else load_world(world)
    problems = [
        *loaded.findings,
        *_own_problems(loaded),
        *id_problems(loaded),
        *_dangling(loaded),
        *_opening_problems(loaded),
        *place_problems(loaded),
        *_trigger_values(loaded),
        *_prompt_problems(loaded),
        *_missing_images(loaded),
        *_nobody_to_play(loaded),
        *_unread_keys(loaded),
        *same_names(loaded),
    ]
    return sorted(problems, key=lambda problem: _ORDER[problem.severity])


def can_start(findings: Iterable[Finding]) -> bool:
    """Whether nothing among the findings stands in the way of a story. See `playable_state` for D32."""
    return all(finding.severity != "error" for finding in findings)


def playable_state(loaded: LoadedWorld) -> PlayableState:
    """Who is there to play (D32, BUILD-6, BUILD-7).

    `choose-someone`: there are characters and none is playable, so no story starts until one is.
    `bring-a-persona`: there are no characters; a story asks for one to be brought along.
    """
    if not loaded.characters:
        return "bring-a-persona"
    playable = any(character.playable for character in loaded.characters.values())
    return "ready" if playable else "choose-someone"


def _own_problems(loaded: LoadedWorld) -> Iterator[Finding]:
    for path, document in loaded.by_path().items():
        yield from own_problems(document, path)


def _dangling(loaded: LoadedWorld) -> Iterator[Finding]:
    known = KnownIds(loaded)
    for path, document in loaded.by_path().items():
        for reference in references_of(document):
            if not known.has(reference.kinds, reference.id):
                yield dangling(path, reference)


def dangling(path: str, reference: Reference) -> Finding:
    """The finding for a reference that names nothing."""
    only = reference.kinds[0] if len(reference.kinds) == 1 else ""
    return Finding(
        "error",
        "dangling-reference",
        f"{path}: {reference.key}",
        DANGLING.get(only, DANGLING_OTHERWISE),
        _("Choose something that exists, or drop the reference."),
        {"id": reference.id[:80], "file": path, "key": reference.key},
    )


def _opening_problems(loaded: LoadedWorld) -> Iterator[Finding]:
    if loaded.world is None:
        if ("world", "") not in loaded.broken:
            yield Finding(
                "error",
                "world-missing",
                "world.json",
                _("This world has no world.json, so neither its name nor its opening is known."),
                _("Bring back a former version of the file, or write a new one; nothing else is lost."),
            )
    elif not loaded.world.opening.strip():
        yield Finding(
            "error",
            "opening-missing",
            "world.json: opening",
            _("This world has no opening, so a story has nothing to begin with."),
            _("Write an opening; a sentence or two is enough."),
        )


def _trigger_values(loaded: LoadedWorld) -> Iterator[Finding]:
    declared = {variable.key: variable for variable in loaded.variables.variables}
    for at, trigger in enumerate(loaded.triggers.triggers):
        values = trigger.effect.set if isinstance(trigger.effect, SetValues) else {}
        for key, value in values.items():
            if key in declared and not value_suits(declared[key], value):
                yield Finding(
                    "error",
                    "trigger-value",
                    f"triggers.json: triggers[{at}].effect.set.{key}",
                    _("A trigger sets “{key}” to {value}, which this variable cannot hold."),
                    _("Change the value in the trigger, or what the variable may hold."),
                    {"key": key, "value": value},
                )


def _prompt_problems(loaded: LoadedWorld) -> Iterator[Finding]:
    for (language, name), text in loaded.prompts.items():
        where = prompt_path(language, name)
        for placeholder in unknown_placeholders(name, text):
            yield Finding(
                "error",
                "prompt-placeholder",
                where,
                _("{file} holds “{placeholder}”, which nothing fills."),
                _("Remove it, or put a space after its first sign so that it stays plain text."),
                {"file": where, "placeholder": placeholder},
            )


def _missing_images(loaded: LoadedWorld) -> Iterator[Finding]:
    for path, document in loaded.by_path().items():
        for key, image in image_references(document).items():
            if image not in loaded.images:
                yield Finding(
                    "error",
                    "image-missing",
                    f"{path}: {key}",
                    _("The picture {image} is named in {file}, but there is no such file."),
                    _("Choose another picture, add the file again, or leave the place empty."),
                    {"image": image[:200], "file": path},
                )


def _nobody_to_play(loaded: LoadedWorld) -> Iterator[Finding]:
    """A warning where a story waits for it (D32); a world that asks for a persona only says so."""
    state = playable_state(loaded)
    if state == "ready":
        return
    if state == "choose-someone":
        message = _("None of this world's characters can be played, so a story cannot start yet.")
        hint = _("Mark a character as playable, or write one for the player.")
    else:
        message = _("This world has no characters; a story in it asks you to bring a persona.")
        hint = _("Nothing needs to be done. You can also write a character who can be played.")
    severity: Severity = "warning" if state == "choose-someone" else "info"
    yield Finding(severity, "no-playable-character", KINDS["character"].folder, message, hint)


def _unread_keys(loaded: LoadedWorld) -> Iterator[Finding]:
    for unread in loaded.unread:
        yield Finding(
            "warning",
            "unread-field",
            f"{unread.where}: {unread.key}",
            _("“{key}” in {file} is kept, but nothing reads it."),
            _("Look whether it is misspelt, or move what it says to a field that is read."),
            {"file": unread.where, "key": unread.key},
        )
