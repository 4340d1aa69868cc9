"""What the report page shows: the first sentence, the table of fidelity, the list of prompts by the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.core.paginator import Paginator
from django.utils.translation import gettext as _

from formats.finding import Finding
from formats.preset.fates import PromptLine
from formats.preset.macro_report import MacroLine
from formats.preset.model import Generation, PresetPackage, Unsupported
from formats.preset.report import ParameterLine, PresetImportReport
from formats.preset.tag_pairs import Pair
from formats.text.names import compared
from portal.say import hinted, said, sentence
from presets.parameter_form import taken_by
from presets.prompt_list import key_of
from presets.prompt_words import LEVELS, SETTING_WORDS
from presets.report_words import ALIKE, BECOMES, DIFFERENT, EFFECTS, FATES, HEADLINE, THINGS
from worlds.library.pages.frame import Word

PER_PAGE: Final = 50
LINKED: Final = 8
NAMED: Final = 12
MOST_ROWS: Final = 40
NOTICES: Final = ("no-own-texts",)
SHOW: Final = ("sent", "not-sent", "differs")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table of fidelity: `links` are prompts (key, name), `more` how many are not linked."""

    what: Word
    becomes: Word
    tag: str
    why: str
    hint: str
    count: int
    links: list[tuple[str, str]]
    more: int


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """A parameter: `ignored` are the kinds of endpoints that do not take it, `moved` those that get another
    value, with it; `reason` why none gets it."""

    label: Word
    file_name: str
    value: Any
    sent: bool
    reason: Finding
    ignored: list[str]
    moved: list[tuple[str, Any]]


def headline(report: PresetImportReport) -> str:
    """The first sentence: how many prompts are sent as ordered, and how many things work differently."""
    sent = sentence(HEADLINE, {"sent": report.as_ordered, "count": report.prompt_count})
    different = len(report.fidelity)
    differs = sentence(DIFFERENT, {"count": different}) if different else sentence(ALIKE, {})
    return _("%(first)s %(second)s") % {"first": sent, "second": differs}


def fates_told(report: PresetImportReport, *, sent: bool) -> list[tuple[str, str]]:
    """Each fate that prompts of the file have: its code and a phrase with their number."""
    wanted = {line.code for line in report.prompts if (line.fate != "not-sent") == sent}
    counts = report.fates
    codes = [code for code in FATES if code in wanted and code in counts]
    return [(code, sentence(FATES[code], {"count": counts[code]})) for code in codes]


def notices(report: PresetImportReport) -> list[Finding]:
    """What stands above everything else, though it is the same in SillyTavern."""
    return [one for one in report.void if one.code in NOTICES]


def fidelity_rows(report: PresetImportReport, package: PresetPackage) -> list[Row]:
    """The whole table: what is in effect, then each difference."""
    names = {line.id: line.name for line in report.prompts}
    return [*_in_effect(report, package), *_differences(report, names)]


def _in_effect(report: PresetImportReport, package: PresetPackage) -> Iterator[Row]:
    counts = report.fates
    line = counts.get("in-line", 0)
    if line:
        yield _row(_("Prompts in the order"), _("Sent in this order, each in its role."), line)
    inside = counts.get("in-history", 0) + counts.get("persona-in-history", 0)
    if inside:
        yield _row(
            _("Prompts inside the history"),
            _("Put in at the depth they name; without a history, at the end of the request."),
            inside,
        )
    holes = [one.name for one in report.prompts if one.code.startswith("filled-")]
    if holes:
        why = _("Filled by the program: %(names)s.") % {"names": _listed(holes)}
        yield _row(_("Places for the story"), why, len(holes))
    sent = [one.file_name for one in report.parameters if one.sent]
    if sent:
        why = _("Sent to services that take them: %(names)s.") % {"names": _listed(sent)}
        yield _row(_("Parameters"), why, len(sent))
    macros = ["{{" + one.name + "}}" for one in report.macros.expanded]
    if macros:
        why = _("Filled in before sending: %(names)s.") % {"names": _listed(macros)}
        yield _row(_("Macros"), why, len(macros))
    if package.message_policy is not None and package.squash != "merge":
        label, about = LEVELS[package.squash]
        yield _row(_("Merging of messages"), f"{label}: {about}", 1)
    if report.tools.declared:
        why = _("Mapped onto this program's own: %(names)s.") % {
            "names": _listed(tool.name for tool in report.tools.declared)
        }
        yield _row(_("Declared tools"), why, len(report.tools.declared))


def _row(what: str, why: str, count: int) -> Row:
    becomes, tag = BECOMES["in-effect"]
    return Row(what, becomes, tag, why, "", count, [], 0)


def _differences(report: PresetImportReport, names: Mapping[str, str]) -> Iterator[Row]:
    for one in report.fidelity:
        becomes, tag = BECOMES[one.becomes]
        links = [(key_of(prompt), names.get(prompt, prompt)) for prompt in one.prompts[:LINKED]]
        more = max(0, len(one.prompts) - LINKED)
        what = THINGS.get(one.code, one.code)
        yield Row(what, becomes, tag, said(one.said), hinted(one.said), one.count, links, more)


def _listed(names: Iterable[str]) -> str:
    shown = list(names)
    return ", ".join(shown[:NAMED]) + (" …" if len(shown) > NAMED else "")


def parameter_rows(lines: Iterable[ParameterLine]) -> list[ParameterRow]:
    """The parameters that were read, and the kinds of endpoints that do not take each."""
    return [
        ParameterRow(
            SETTING_WORDS.get(line.name, line.file_name),
            line.file_name,
            line.value,
            line.sent,
            Finding("info", "parameter", line.file_name, line.reason),
            [one.endpoint for one in takes if one.how == "ignored"],
            [(one.endpoint, one.value) for one in takes if one.value is not None],
        )
        for line in lines
        for takes in [taken_by(line.name, Generation(**{line.name: line.value})) if line.sent else []]
    ]


def effects_told(report: PresetImportReport) -> list[str]:
    """What the regex scripts that are on would do, with their numbers."""
    return [sentence(EFFECTS[name], {"count": count}) for name, count in report.scripts.effects.items()]


def macros_told(report: PresetImportReport, names: Mapping[str, str]) -> dict[str, Any]:
    """The macros: those filled in, those left, those that vary, with the names of their prompts."""
    macros = report.macros
    early = [line for line in macros.random if line.before_history and line.expands]
    return {
        "any": bool(macros.expanded or macros.raw or macros.nothing or macros.random or macros.crossing),
        "expanded": [("{{" + one.name + "}}", one.count) for one in macros.expanded[:MOST_ROWS]],
        "raw": _with_prompts(macros.raw, names),
        "nothing": _with_prompts(macros.nothing, names),
        "early": _listed(dict.fromkeys(names.get(one.prompt, one.prompt) for one in early)),
        "early_count": sum(one.count for one in early),
        "crossing": _pairs(macros.crossing, names),
    }


def _with_prompts(lines: Sequence[MacroLine], names: Mapping[str, str]) -> list[tuple[str, int, str]]:
    return [
        ("{{" + one.name + "}}", one.count, _listed(names.get(prompt, prompt) for prompt in one.prompts))
        for one in lines[:MOST_ROWS]
    ]


def pairs_told(report: PresetImportReport, names: Mapping[str, str]) -> list[tuple[str, str, str, bool]]:
    """Tags over several prompts: the tag, where it opens and closes, whether merging tears it apart."""
    return _pairs(report.tag_pairs, names)


def _pairs(pairs: Iterable[Pair], names: Mapping[str, str]) -> list[tuple[str, str, str, bool]]:
    told = [
        (pair.name, names.get(pair.opened_in, ""), names.get(pair.closed_in, ""), pair.scattered)
        for pair in pairs
    ]
    return sorted(told, key=lambda one: not one[3])[:MOST_ROWS]


def protocol_told(report: PresetImportReport, names: Mapping[str, str]) -> dict[str, str]:
    """Prompts that ask for a tool in prose; nothing where none does and none is declared."""
    tools = report.tools
    if not tools.prompts and not tools.declared:
        return {}
    return {
        "prompts": _listed(names.get(prompt, prompt) for prompt in tools.prompts),
        "placeholders": _listed(tools.placeholders),
        "fields": _listed(tools.fields),
        "declared": _listed(tool.name for tool in tools.declared),
    }


def unsupported_rows(unsupported: Iterable[Unsupported]) -> list[tuple[str, int, str]]:
    """What is kept without effect, by reason: the reason, how many parts, the first of them."""
    grouped: dict[str, list[str]] = {}
    for one in unsupported:
        grouped.setdefault(one.reason, []).append(one.path)
    return [(sentence(reason, {}), len(paths), _listed(paths)) for reason, paths in grouped.items()]


def prompt_page(report: PresetImportReport, asked: Mapping[str, str]) -> dict[str, Any]:
    """The list of prompts as `asked`: `show` one of `SHOW` or a fate's code, `q` words of a name, `page`."""
    show = asked.get("show", "")
    words = asked.get("q", "").strip()[:100]
    lines = [line for line in report.prompts if _is_shown(line, show) and _is_named(line, words)]
    codes = {line.code for line in report.prompts}
    page = Paginator(lines, PER_PAGE).get_page(asked.get("page"))
    return {
        "page": page,
        "lines": [(key_of(line.id), line) for line in page.object_list],
        "show": show if show in SHOW or show in FATES else "",
        "fate": sentence(FATES[show], {"count": len(lines)}) if show in FATES and show in codes else "",
        "words": words,
    }


def _is_shown(line: PromptLine, show: str) -> bool:
    if show == "differs":
        return bool(line.tavern)
    if show in ("sent", "not-sent"):
        return not line.added and (line.fate == "not-sent") == (show == "not-sent")
    return (line.code == show and not line.added) if show in FATES else True


def _is_named(line: PromptLine, words: str) -> bool:
    return all(word in compared(line.name) for word in compared(words).split())
