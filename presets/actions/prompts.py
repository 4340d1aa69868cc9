"""Prompts of the draft: saved as they are typed, added, moved, switched, deleted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext_noop

from formats.errors import DomainError
from formats.preset.model import PresetPrompt
from formats.text.tokens import count_tokens
from portal.models import Person
from presets.actions.writing import Edit, editing_draft, former_draft
from presets.models import Preset
from presets.pipeline import editing, placing
from presets.stored import Stored
from worlds.store.paths import new_token


@dataclass(frozen=True, slots=True)
class Saved:
    """One prompt as it is after a save."""

    id: str
    etag: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Deleted:
    """A prompt that went: its name, and the change that `put_back_prompt` takes."""

    name: str
    change_id: str


class PromptConflict(DomainError):
    """The prompt was changed by somebody else meanwhile; nothing was written.

    `theirs` and `yours` are the fields by their flat names, `etag` is what to save over theirs with.
    """

    def __init__(self, prompt: PresetPrompt, yours: Mapping[str, Any]) -> None:
        self.etag = editing.etag_of_prompt(prompt)
        self.theirs = editing.fields_of(prompt)
        self.yours = {**self.theirs, **yours}
        super().__init__(
            "conflict",
            "preset.prompt-changed",
            prompt.id[:200],
            gettext_noop("This prompt was changed by someone else meanwhile. Nothing was overwritten."),
            gettext_noop("Compare the two, then save yours or take theirs."),
            {"etag": self.etag},
        )


def save_prompt(
    *, actor: Person, preset: Preset, prompt_id: str, fields: Mapping[str, Any], if_match: str
) -> Saved:
    """Save some fields of one prompt into the draft (`editing.PROMPT_FIELDS`); the rest stays as it is.

    `if_match` is the ETag with which the prompt was read. The same save tried again, whose answer was lost,
    is accepted.

    Raises:
        PromptConflict: it is another prompt by now.
        DomainError: `not-found`, it is gone; `invalid` for a field; as `ItemFolder.change`.
    """
    with editing_draft(actor=actor, preset=preset, note=prompt_id) as edit:
        stored = editing.prompt_in(edit.package, prompt_id)
        prompt = editing.with_fields(stored, fields)
        if prompt != stored:
            if editing.etag_of_prompt(stored) != if_match:
                raise PromptConflict(stored, fields)
            edit.package = editing.replaced(edit.package, prompt)
    return _saved(prompt)


def add_prompt(*, actor: Person, preset: Preset, fields: Mapping[str, Any], after: str = "") -> Saved:
    """A new prompt, switched on, after another one or at the end. Raises `full`; `invalid` without a name."""
    token = new_token()
    blank = PresetPrompt(id=token, name="-", source_identifier=token, system_prompt=False)
    prompt = editing.with_fields(blank, {"name": "", **fields})
    with editing_draft(actor=actor, preset=preset) as edit:
        edit.package = editing.added(edit.package, prompt, after)
    return _saved(prompt)


def duplicate_prompt(*, actor: Person, preset: Preset, prompt_id: str) -> Saved:
    """The same prompt once more, after it. A place that is filled at run time cannot be there twice."""
    token = new_token()
    with editing_draft(actor=actor, preset=preset, note=prompt_id) as edit:
        prompt = editing.prompt_in(edit.package, prompt_id)
        if prompt.is_hole:
            raise editing.place_once(prompt)
        twin = replace(prompt, id=token, source_identifier=token, raw_index=None)
        edit.package = editing.added(edit.package, twin, prompt_id)
    return _saved(twin)


def delete_prompt(*, actor: Person, preset: Preset, prompt_id: str) -> Deleted:
    """Take a prompt out of the draft; the versions keep it. Raises `invalid` for a place every preset has."""
    # A step of its own, never one with the saves before it: what was there just before is what comes back.
    with editing_draft(actor=actor, preset=preset, what="delete", note=prompt_id) as edit:
        name = editing.prompt_in(edit.package, prompt_id).name
        edit.package = editing.without(edit.package, prompt_id)
    return Deleted(name, edit.change.id)


def put_back_prompt(*, actor: Person, preset: Preset, change_id: str, prompt_id: str) -> str:
    """Bring back a prompt that a change deleted, with its text, to where it stood; gives its name.

    Raises:
        DomainError: `not-found`, its former bytes are not kept any more; `full`.
    """
    former = former_draft(preset, change_id)
    with editing_draft(actor=actor, preset=preset, note=prompt_id) as edit:
        before = former or Stored(edit.change, preset.pk).version()
        edit.package = editing.put_back(edit.package, before, prompt_id)
    return editing.prompt_in(edit.package, prompt_id).name


def move_prompt(
    *,
    actor: Person,
    preset: Preset,
    prompt_id: str,
    by: int = 0,
    before: str | None = None,
    after: str | None = None,
    place: int | None = None,
) -> None:
    """Move a prompt in the list as it is seen (`placing`): some rows, beside another, to a place of the line.

    One that is not in the order yet comes in, switched on.

    Raises:
        DomainError: `not-found`; `invalid` for a neighbour it cannot have.
    """
    with editing_draft(actor=actor, preset=preset, note=prompt_id) as edit:
        package, neighbour = edit.package, after if before is None else before
        if neighbour is not None:
            edit.package = placing.put_beside(package, prompt_id, neighbour, after=before is None)
        elif place is not None:
            edit.package = placing.put_at(package, prompt_id, place)
        else:
            edit.package = placing.stepped(package, prompt_id, by)


def unplace_prompt(*, actor: Person, preset: Preset, prompt_id: str) -> None:
    """Take a prompt out of the order; it stays in the preset, unused."""
    with editing_draft(actor=actor, preset=preset, note=prompt_id) as edit:
        edit.package = editing.unplaced(edit.package, prompt_id)


def switch_prompt(*, actor: Person, preset: Preset, prompt_id: str, on: bool) -> None:
    """Switch a prompt on or off, so that it is sent or not, whichever of its two switches said otherwise."""
    with editing_draft(actor=actor, preset=preset, note=prompt_id) as edit:
        edit.package = editing.switched(edit.package, prompt_id, on)


def save_parameters(*, actor: Person, preset: Preset, fields: Mapping[str, Any], if_match: str) -> str:
    """Save some parameters, `squash` or `tool_mode` into the draft; None takes one out. Gives the new ETag.

    Raises:
        DomainError: `conflict` with the present ETag when they are others than `if_match` names; `invalid`.
    """
    with editing_draft(actor=actor, preset=preset, note="parameters") as edit:
        _refuse_others(edit, fields, if_match)
        edit.package = editing.with_settings(edit.package, fields)
    return editing.etag_of_settings(edit.package)


def _refuse_others(edit: Edit, fields: Mapping[str, Any], if_match: str) -> None:
    there = editing.settings_of(edit.package)
    etag = editing.etag_of_settings(edit.package)
    if {**there, **fields} != there and etag != if_match:
        raise DomainError(
            "conflict",
            "preset.parameters-changed",
            "",
            gettext_noop("These parameters were changed by someone else meanwhile. Nothing was overwritten."),
            gettext_noop("Look at what is there now, then save again."),
            {"etag": etag},
        )


def _saved(prompt: PresetPrompt) -> Saved:
    return Saved(prompt.id, editing.etag_of_prompt(prompt), count_tokens(prompt.content))
