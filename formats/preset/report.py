"""`PresetImportReport`: what of a preset reaches a model here, what does not, and why (PRE-10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from formats.finding import Finding
from formats.messages import gettext_noop
from formats.preset.extensions import Scripts, scripts_in
from formats.preset.fates import PromptLine, prompt_lines
from formats.preset.fidelity import Difference, differences_of, fates_counted
from formats.preset.generation import FILE_NAMES
from formats.preset.kinds import Shape, body_of
from formats.preset.macro_report import MacroReport, macro_report
from formats.preset.model import DeclaredTool, PresetPackage, PresetPrompt, Unsupported, camel
from formats.preset.parameters import ENDPOINT_KINDS, parameters_for
from formats.preset.reading import Reading
from formats.preset.settings_told import settings_told
from formats.preset.tag_pairs import Pair, tag_pairs
from formats.preset.tool_protocol import is_tool_protocol, payload_fields_in, placeholders_in
from formats.preset.void import void_in

SENT: Final = gettext_noop("Sent where the model takes it.")
CAPACITY: Final = gettext_noop("Limits how long a request may be; it is not sent itself.")
NOT_SET: Final = gettext_noop("This value means that it is not set; it is kept and not sent.")
EFFORT: Final = gettext_noop("Kept and never sent; the model's own setting applies.")
ONE_ANSWER: Final = gettext_noop("Kept and not sent here: one answer is asked for at a time.")
UNUSABLE: Final = gettext_noop("Kept and not sent: this value means nothing to an endpoint.")
MOVED: Final = gettext_noop("Sent where the model takes it, brought into the range that it takes.")

NEVER_SENT: Final = {"max_context_tokens": CAPACITY, "reasoning_effort": EFFORT, "variants": ONE_ANSWER}


@dataclass(frozen=True, slots=True)
class ParameterLine:
    """A parameter that was read: our name, the file's, its value, and whether it will be sent."""

    name: str
    file_name: str
    value: Any
    sent: bool
    reason: str

    def to_json(self) -> dict[str, Any]:
        """For the page and for machines."""
        return {
            "name": camel(self.name),
            "fileName": self.file_name,
            "value": self.value,
            "sent": self.sent,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class ToolDiagnosis:
    """Prompts that ask for a tool in prose, what of them is to be mapped, and tools declared as data."""

    prompts: tuple[str, ...] = ()
    placeholders: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    declared: tuple[DeclaredTool, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """For the page and for machines."""
        return {
            "prompts": list(self.prompts),
            "placeholders": list(self.placeholders),
            "fields": list(self.fields),
            "declared": [tool.to_json() for tool in self.declared],
        }


@dataclass(frozen=True, slots=True)
class PresetImportReport:
    """The report. `prompts` has a line for every prompt, `differences` what SillyTavern does otherwise with
    the whole preset, `void` what has no effect or another one, `findings` what reading had to decide.
    `fidelity` tells of all these each difference once."""

    shape: Shape
    prompt_count: int
    enabled_count: int
    unreferenced: tuple[str, ...]
    missing_identifiers: tuple[str, ...]
    has_order: bool
    order_character_id: int | str | None
    other_orders: tuple[int | str | None, ...]
    missing_core: tuple[str, ...]
    parameters: tuple[ParameterLine, ...]
    prompts: tuple[PromptLine, ...]
    tools: ToolDiagnosis
    tag_pairs: tuple[Pair, ...]
    macros: MacroReport
    scripts: Scripts
    void: tuple[Finding, ...]
    differences: tuple[Finding, ...]
    secrets: tuple[str, ...]
    unsupported: tuple[Unsupported, ...]
    findings: tuple[Finding, ...] = field(default=())
    fidelity: tuple[Difference, ...] = field(default=())

    @property
    def fates(self) -> Mapping[str, int]:
        """How many prompts of the file have which fate, by its code."""
        return fates_counted(self.prompts)

    @property
    def as_ordered(self) -> int:
        """How many prompts of the file are sent, in the line or in the history, where its author put them."""
        return sum(not line.added and line.fate != "not-sent" for line in self.prompts)

    def line(self, prompt_id: str) -> PromptLine | None:
        """The line of one prompt."""
        return next((line for line in self.prompts if line.id == prompt_id), None)

    def to_json(self) -> dict[str, Any]:
        """For the page and for machines, in the contract's spelling."""
        return {
            "shape": self.shape,
            "promptCount": self.prompt_count,
            "enabledCount": self.enabled_count,
            "sentCount": self.as_ordered,
            "unreferencedCount": len(self.unreferenced),
            "unreferenced": list(self.unreferenced),
            "missingIdentifiers": list(self.missing_identifiers),
            "order": {
                "found": self.has_order,
                "characterId": self.order_character_id,
                "others": list(self.other_orders),
                "missingCore": list(self.missing_core),
            },
            "parameters": [line.to_json() for line in self.parameters],
            "prompts": [line.to_json() for line in self.prompts],
            "tools": self.tools.to_json(),
            "tagPairs": [pair.to_json() for pair in self.tag_pairs],
            "macros": self.macros.to_json(),
            "scripts": self.scripts.to_json(),
            "void": [one.to_json() for one in self.void],
            "differences": [one.to_json() for one in self.differences],
            "fidelity": [one.to_json() for one in self.fidelity],
            "secrets": list(self.secrets),
            "unsupported": [one.to_json() for one in self.unsupported],
            "findings": [one.to_json() for one in self.findings],
        }


def report_of(package: PresetPackage, reading: Reading) -> PresetImportReport:
    """The report on a package; of an edited one, too, with the reading of the file it began with."""
    body = body_of(package.raw)
    lines = tuple(prompt_lines(package))
    sent = package.enabled_prompts()
    scripts, macros = scripts_in(body), macro_report(sent)
    in_file = [prompt for prompt in package.prompts if not prompt.was_added]
    void, differences = void_in(package, scripts, macros, lines), settings_told(package, body)
    return PresetImportReport(
        shape=reading.shape,
        prompt_count=len(in_file),
        enabled_count=sum(not prompt.was_added for prompt in sent),
        unreferenced=tuple(line.id for line in lines if line.code in ("not-in-order", "same-identifier")),
        missing_identifiers=reading.dangling,
        has_order=reading.has_order,
        order_character_id=package.order_character_id,
        other_orders=reading.other_orders,
        missing_core=reading.missing_core,
        parameters=tuple(_parameters(package)),
        prompts=lines,
        tools=_tools(package, sent),
        tag_pairs=tuple(tag_pairs(sent)),
        macros=macros,
        scripts=scripts,
        void=tuple(void),
        differences=tuple(differences),
        fidelity=tuple(differences_of(lines, macros, [*void, *differences], reading.findings)),
        secrets=reading.secrets,
        unsupported=package.unsupported,
        findings=reading.findings,
    )


def _parameters(package: PresetPackage) -> list[ParameterLine]:
    meant = package.generation.meant()
    lines = []
    ways = [parameters_for(package.generation, kind) for kind in ENDPOINT_KINDS]
    for name, value in package.generation.given().items():
        reason = NEVER_SENT.get(name) or (NOT_SET if name not in meant else "")
        if not reason:
            usable = not any(name in found.unusable for found in ways)
            reason = UNUSABLE if not usable else MOVED if any(name in found.moved for found in ways) else SENT
        lines.append(ParameterLine(name, FILE_NAMES[name], value, reason in (SENT, MOVED), reason))
    return lines


def _tools(package: PresetPackage, sent: Sequence[PresetPrompt]) -> ToolDiagnosis:
    asking = [prompt for prompt in sent if not prompt.is_hole and is_tool_protocol(prompt.content)]
    found = [placeholder for prompt in asking for placeholder in placeholders_in(prompt.content)]
    fields = [name for prompt in asking for name in payload_fields_in(prompt.content)]
    return ToolDiagnosis(
        tuple(prompt.id for prompt in asking),
        tuple(dict.fromkeys(found)),
        tuple(dict.fromkeys(fields)),
        package.declared_tools,
    )
