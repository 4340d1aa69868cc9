"""Reads of the presets app: from the index where a list is asked, from the folder where content is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from formats.preset.assembly import Assembly
from formats.preset.export import sillytavern_of
from formats.preset.fates import PromptLine, prompt_lines
from formats.preset.model import PresetPackage, PresetPrompt
from formats.preset.report import PresetImportReport
from formats.preset.report import report_of as report_on
from formats.text.names import compared
from formats.text.tokens import count_tokens
from portal.models import Person
from presets.access import ACCESS
from presets.library import LIBRARY
from presets.models import Preset, PresetUse
from presets.pipeline import editing, trial
from presets.pipeline.cases import CASES, Case
from presets.pipeline.differences import PresetDiff, diff_presets
from presets.pipeline.import_report import ImportReport
from presets.pipeline.item_file import Item, Version
from presets.pipeline.message_diff import MessageChange, diff_messages
from presets.pipeline.placing import place_in_history
from presets.pipeline.trial import TrialInputs
from presets.stored import Stored
from presets.waiting import waiting_upload, waiting_uploads
from worlds.access import worlds_for
from worlds.library.shelves import folder_of
from worlds.library.waiting import identical_items
from worlds.models import World
from worlds.store.shelf import TrashedItem

__all__ = [
    "DRAFT",
    "NOW",
    "PromptRow",
    "PromptRows",
    "SettingsValue",
    "State",
    "TreeVersion",
    "assembled",
    "cases_of",
    "compare",
    "compare_messages",
    "draft_base",
    "exported",
    "identical_presets",
    "import_report",
    "in_step",
    "item_of",
    "library_rows",
    "package_of",
    "prompt_row",
    "prompt_rows",
    "report_of",
    "settings_of",
    "trashed",
    "version_tree",
    "waiting_upload",
    "waiting_uploads",
    "worlds_using",
]

State = int | Literal["draft"]
"""A state of a preset: the number of a version, `NOW` for the one in force, or the draft."""
DRAFT: Final = "draft"
NOW: Final = 0

_LIBRARY_ORDER: Final[Mapping[str, tuple[str, ...]]] = {
    "used": ("-used_at", "id"),
    "name": ("name_key", "id"),
    "changed": ("-updated_at", "id"),
    "created": ("-created_at", "id"),
    "prompts": ("-prompts_total", "id"),
    "tokens": ("-tokens_fixed", "id"),
}


@dataclass(frozen=True, slots=True)
class PromptRow:
    """One prompt of the list: `number` is its place in the order (0: in none), `line` what becomes of it."""

    number: int
    prompt: PresetPrompt
    on: bool
    tokens: int
    etag: str
    line: PromptLine

    @property
    def fields(self) -> dict[str, Any]:
        """As the flat fields of its form."""
        return editing.fields_of(self.prompt)


@dataclass(frozen=True, slots=True)
class PromptRows:
    """The prompts as they take effect: the line; those in the history, oldest place first; the unused."""

    line: list[PromptRow]
    in_history: list[PromptRow]
    unused: list[PromptRow]


@dataclass(frozen=True, slots=True)
class SettingsValue:
    """The parameters for their form; what is None the preset does not say."""

    fields: dict[str, Any]
    etag: str


@dataclass(frozen=True, slots=True)
class TreeVersion:
    """A version in its tree: `depth` counts the branchings on the way to it."""

    version: Version
    children: tuple[int, ...]
    depth: int
    in_force: bool


def library_rows(
    person: Person, *, search: str = "", sort: str = "used", owned: bool | None = None
) -> QuerySet[Preset]:
    """The presets a person may read, with `.uses`: how many worlds of theirs play with each one."""
    found = ACCESS.readable(person).select_related("owner")
    if owned is not None:
        found = found.filter(owner=person) if owned else found.exclude(owner=person)
    for word in compared(search).split()[:8]:
        found = found.filter(Q(name_key__contains=word) | Q(model_hint__icontains=word))
    mine = PresetUse.objects.filter(preset_id=OuterRef("pk"), world__in=worlds_for(person))
    counted = mine.order_by().values("preset_id").annotate(all=Count("pk")).values("all")
    uses = Coalesce(Subquery(counted, output_field=IntegerField()), 0)
    return found.annotate(uses=uses).order_by(*_LIBRARY_ORDER.get(sort, _LIBRARY_ORDER["used"]))


def package_of(preset: Preset, state: State = DRAFT) -> PresetPackage:
    """The package of a state; without edits the draft is the version in force.

    Raises:
        DomainError: `not-found` for a number that is none; `invalid` where a hand has spoilt a file.
    """
    folder = folder_of(preset)
    stored = Stored(folder, preset.pk)

    def read() -> PresetPackage:
        draft = stored.draft() if state == DRAFT else None
        return draft.package if draft else stored.version(0 if state == DRAFT else int(state))

    return folder.consistently(read)


def draft_base(preset: Preset) -> int | None:
    """The version that the draft was made on; None without one."""
    folder = folder_of(preset)
    draft = folder.consistently(lambda: Stored(folder, preset.pk).draft())
    return draft.base if draft else None


def report_of(preset: Preset, state: State = DRAFT) -> PresetImportReport:
    """What of a state reaches a model here, what does not, and why. Raises as `package_of`."""
    reading = Stored(folder_of(preset), preset.pk).reading()
    return report_on(package_of(preset, state), reading)


def import_report(preset: Preset) -> ImportReport | None:
    """What the import found and what was kept of the file; None for a preset that was made here."""
    return Stored(folder_of(preset), preset.pk).report()


def prompt_rows(preset: Preset, state: State = DRAFT) -> PromptRows:
    """Every prompt of a state, in the order in which it takes effect. Raises as `package_of`."""
    package = package_of(preset, state)
    places = {item.prompt_id: number for number, item in enumerate(package.prompt_order, 1)}
    on = {prompt.id for prompt in package.enabled_prompts()}
    rows = []
    for line in prompt_lines(package):
        prompt = package.by_id[line.id]
        tokens = 0 if prompt.is_hole else count_tokens(prompt.content)
        etag = editing.etag_of_prompt(prompt)
        rows.append(PromptRow(places.get(line.id, 0), prompt, line.id in on, tokens, etag, line))
    inside = [row for row in rows if row.number and row.prompt.in_history]
    return PromptRows(
        [row for row in rows if row.number and not row.prompt.in_history],
        sorted(inside, key=lambda row: place_in_history(row.prompt)),
        [row for row in rows if not row.number],
    )


def prompt_row(preset: Preset, prompt_id: str, state: State = DRAFT) -> PromptRow:
    """One prompt for its form. Raises `not-found`, and as `package_of`."""
    editing.prompt_in(package_of(preset, state), prompt_id)
    rows = prompt_rows(preset, state)
    return next(row for row in (*rows.line, *rows.in_history, *rows.unused) if row.prompt.id == prompt_id)


def settings_of(preset: Preset, state: State = DRAFT) -> SettingsValue:
    """The parameters of a state, with the ETag that saving them takes. Raises as `package_of`."""
    package = package_of(preset, state)
    return SettingsValue(editing.settings_of(package), editing.etag_of_settings(package))


def item_of(preset: Preset) -> Item:
    """The preset's tags, versions and source. Raises DomainError `invalid` for a spoilt `item.json`."""
    return Stored(folder_of(preset), preset.pk).item()


def version_tree(preset: Preset) -> list[TreeVersion]:
    """The versions, each after its parent, the branch that was begun first first."""
    item = item_of(preset)
    children: dict[int | None, list[Version]] = {}
    numbers = {version.number for version in item.versions}
    for version in sorted(item.versions, key=lambda one: one.number):
        # A parent is an older version; what a hand wrote else would make a circle.
        parent = version.parent if version.parent in numbers and version.parent < version.number else None
        children.setdefault(parent, []).append(version)
    waiting = [(version, 0) for version in reversed(children.get(None, []))]
    tree = []
    while waiting:
        version, depth = waiting.pop()
        own = children.get(version.number, [])
        numbers_of_own = tuple(child.number for child in own)
        tree.append(TreeVersion(version, numbers_of_own, depth, version.number == item.head))
        waiting += [(child, depth + (place > 0)) for place, child in reversed(list(enumerate(own)))]
    return tree


def compare(preset: Preset, old: State, new: State) -> PresetDiff:
    """What differs between two states. Raises as `package_of`."""
    return diff_presets(package_of(preset, old), package_of(preset, new))


def assembled(preset: Preset, state: State, inputs: TrialInputs) -> Assembly:
    """The messages that a state would send; it costs nothing. Raises as `package_of`."""
    return trial.assembled(package_of(preset, state), inputs)


def compare_messages(preset: Preset, old: State, new: State, inputs: TrialInputs) -> list[MessageChange]:
    """What two states would send, message by message. Raises as `package_of`."""
    was, now = (assembled(preset, state, inputs).messages for state in (old, new))
    return diff_messages(was, now)


def exported(preset: Preset, state: State = NOW) -> dict[str, Any]:
    """A state as a file of SillyTavern, the places that only this program knows taken out again."""
    return sillytavern_of(package_of(preset, state))


def cases_of(preset: Preset) -> tuple[Case, ...]:
    """The test cases kept with a preset. Raises DomainError `invalid` for a spoilt file."""
    return CASES.of(folder_of(preset))


def in_step(preset: Preset) -> Preset:
    """The row, brought up to date when files were edited by hand. Raises `not-found` for a folder gone."""
    return LIBRARY.in_step(preset)


def identical_presets(person: Person, content_hash: str, beside: str = "") -> list[Preset]:
    """The presets a person may read that say exactly the same, whatever they are called; newest first."""
    return identical_items(ACCESS, person, content_hash, beside)


def worlds_using(person: Person, preset: Preset) -> QuerySet[World]:
    """The worlds a person may read that play with a preset, by name."""
    using = PresetUse.objects.filter(preset_id=preset.pk).values("world_id")
    return worlds_for(person).filter(pk__in=using).order_by("name_key", "pk")


def trashed(person: Person) -> list[TrashedItem]:
    """What is in a person's trash of presets, newest first."""
    return LIBRARY.trashed(person)
