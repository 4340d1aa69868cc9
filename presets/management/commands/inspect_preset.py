"""`manage.py inspect_preset FILE`: what becomes of a preset here, prompt by prompt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from formats.finding import Finding
from formats.preset.model import PresetPackage
from formats.preset.report import SENT, PresetImportReport
from formats.text.tokens import COUNTER_NAME, count_tokens
from presets import actions
from presets.inspecting import inspect_file, report_on
from worlds.library.inspecting import InspectCommand


class Command(InspectCommand):
    """Exit code 0: a preset. 1: something else, or it cannot be read. 2: no such file, or too large."""

    help = "Show what is in a preset and what becomes of it here. Nothing is kept of the file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a preset of SillyTavern, or one of ours")
        parser.add_argument("--json", action="store_true", help="write what was found as JSON")

    def handle(self, **options: Any) -> None:
        path = Path(options["file"])
        found, package = self.looked_at(path, actions.MOST_BYTES, inspect_file)
        if package is None:
            self.refuse(options, found)
        report = report_on(found, package)
        name = package.name or path.stem
        self.tell(options, facts(name, package, report), list(lines_of(name, package, report)))


def facts(name: str, package: PresetPackage, report: PresetImportReport) -> dict[str, Any]:
    """The whole report."""
    return {
        "verdict": "preset",
        "name": name,
        "source": package.source,
        "squash": package.squash,
        "toolPolicy": package.tool_policy.to_json(),
        "tokens": fixed_tokens(package),
        "tokenCounter": COUNTER_NAME,
        "report": report.to_json(),
    }


def fixed_tokens(package: PresetPackage) -> int:
    """The estimate for the texts of the prompts that take part, as written."""
    return sum(count_tokens(prompt.content) for prompt in package.enabled_prompts() if not prompt.is_hole)


def lines_of(name: str, package: PresetPackage, report: PresetImportReport) -> Iterator[str]:
    """The same in lines for people at a shell."""
    yield f"{name} ({package.source}, {report.shape})"
    yield (
        f"{report.prompt_count} prompts, {report.enabled_count} on, {len(report.unreferenced)} in no order; "
        f"about {fixed_tokens(package)} tokens of fixed text ({COUNTER_NAME}); messages: {package.squash}"
    )
    order = report.order_character_id if report.has_order else "none in the file"
    yield f"order: {order}"
    for parameter in report.parameters:
        reason = "" if parameter.reason == SENT else f" ({parameter.reason})"
        yield f"  {parameter.name} = {parameter.value!r}{reason}"
    for line in report.prompts:
        yield f"{line.fate}: {line.id} {line.name[:70]!r}: {line.said.text}"
        for statement in line.tavern:
            yield f"    SillyTavern: {statement.text}"
    for path in report.secrets:
        yield f"secret taken out: {path}"
    yield from _told("differs", report.differences)
    yield from _told("void", report.void)
    yield from _told("finding", report.findings)


def _told(head: str, findings: tuple[Finding, ...]) -> Iterator[str]:
    for finding in findings:
        yield f"{head}: {finding.where}: {finding.text}"
