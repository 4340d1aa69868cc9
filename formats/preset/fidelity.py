"""What works differently here than its author meant, thing by thing: a line for a kind, with its prompts.

A prompt's statements and those on the whole preset say some things twice, and others are no difference at
all: here each difference stands once, so that its number is one a reader can count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from formats.finding import Finding
from formats.messages import ngettext_noop
from formats.preset.fates import PromptLine
from formats.preset.macro_report import MacroReport

Becomes = Literal["changed", "kept"]
"""In effect in another way, or kept in the file without effect."""

UNSET: Final = ngettext_noop(
    "{count} variable is read before anything sets it: empty here, remembered in SillyTavern: {names}.",
    "{count} variables are read before anything sets them: empty here, remembered in SillyTavern: {names}.",
)
ALIKE: Final = frozenset(
    {
        "no-own-texts",  # told at the head of the report
        "depth-prompts",  # in effect
        "forbid-overrides",  # what the author wanted
        "regex-off",  # off there, too
        "squash-ours",  # in effect
        "system-field",  # done here, too
        "holes-empty",  # `tavern-fills` and `tavern-lore` say which, and what becomes of them
        "off-here-only",  # `tavern-sends`, with its prompts
    }
)
"""Statements that are no difference, or are told by another one."""
KEPT: Final = frozenset(
    {
        "tavern-fills",
        "regex-changes-prompt",
        "regex-changes-display",
        "extension-scripts",
        "chat-squash",
        "post-script",
        "post-processing",
        "names",
        "names-in-groups",
        "prefill",
        "continuing",
        "texts-not-carried",
        "formats-not-carried",
        "effort",
        "stops",
        "samplers-not-sent",
    }
)
"""What has no effect at all here; everything else has another one."""
READ_OTHERWISE: Final = frozenset({"order-not-general", "order-switch-missing", "history-added"})
"""What reading told that SillyTavern would have read in another way."""
MOST_NAMES: Final = 8


@dataclass(frozen=True, slots=True)
class Difference:
    """One kind of difference: `said` tells it once, `count` how often, `prompts` at which prompts (ids)."""

    code: str
    becomes: Becomes
    said: Finding
    count: int
    prompts: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """For the report."""
        return {
            "code": self.code,
            "becomes": self.becomes,
            "said": self.said.to_json(),
            "count": self.count,
            "prompts": list(self.prompts),
        }


def differences_of(
    lines: Sequence[PromptLine],
    macros: MacroReport,
    told: Iterable[Finding],
    read: Iterable[Finding],
) -> list[Difference]:
    """Every difference; `told` are statements on the whole preset, `read` what reading had to decide."""
    found = [*_of_prompts(lines), *_unset(macros)]
    raw = {"macros-raw": [prompt for line in macros.raw for prompt in line.prompts]}
    for finding in told:
        if finding.code not in ALIKE:
            found.append(_whole(finding, raw.get(finding.code, ())))
    found += [_whole(finding) for finding in read if finding.code in READ_OTHERWISE]
    return sorted(found, key=lambda one: (one.said.severity != "warning", one.becomes == "kept"))


def _of_prompts(lines: Sequence[PromptLine]) -> Iterator[Difference]:
    """The statements at prompts, one for a kind; those of one kind that name something of a prompt differ."""
    grouped: dict[str, list[tuple[Finding, str]]] = {}
    for line in lines:
        for one in line.tavern:
            grouped.setdefault(f"{one.code} {one.text}", []).append((one, line.id))
    for group in grouped.values():
        said = group[0][0]
        ids = tuple(prompt for _, prompt in group)
        yield Difference(said.code, _becomes(said.code), said, len(ids), ids)


def _unset(macros: MacroReport) -> Iterator[Difference]:
    if macros.unset:
        variables = list(dict.fromkeys(one.variable for one in macros.unset))
        more = " …" if len(variables) > MOST_NAMES else ""
        args = {"count": len(variables), "names": ", ".join(variables[:MOST_NAMES]) + more}
        prompts = tuple(dict.fromkeys(one.prompt for one in macros.unset))
        said = Finding("info", "variables-unset", "prompts", UNSET, args=args)
        yield Difference("variables-unset", "changed", said, len(variables), prompts)


def _whole(finding: Finding, prompts: Iterable[str] = ()) -> Difference:
    count = finding.args.get("count", 1)
    ids = tuple(dict.fromkeys(prompts))
    return Difference(
        finding.code, _becomes(finding.code), finding, count if isinstance(count, int) else 1, ids
    )


def _becomes(code: str) -> Becomes:
    return "kept" if code in KEPT else "changed"


def fates_counted(lines: Iterable[PromptLine]) -> Mapping[str, int]:
    """How many prompts of the file have which fate, by its code; places that reading put in are none."""
    counts: dict[str, int] = {}
    for line in lines:
        if not line.added:
            counts[line.code] = counts.get(line.code, 0) + 1
    return counts
