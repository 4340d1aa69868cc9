"""The words that open an import's conversation: its command, and what it begins from (RUN-1, OUT-2)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from formats.card import Card
from formats.card.choice import Choices
from formats.card.dialect import source_summary
from formats.finding import fill
from importer.pipeline.record import Reading

COMMAND = "/import-st .import/card.json"

TEXTS: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "en": (
            "{name}: {spec} from {container}; {entries} lorebook entries, {off} of them off;"
            " {openings} openings.",
            "Not carried over: {told}.",
            ", ",
        ),
        "zh-hans": (
            "{name}：{spec}，来自 {container}；世界书条目 {entries} 条，关闭 {off} 条；开场 {openings} 个。",
            "不会带入：{told}。",
            "、",
        ),
    }
)
NAMES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": {
            "regexScripts": "regex scripts",
            "helperScripts": "helper scripts",
            "ejs": "EJS code",
            "macros": "other macros",
            "tags": "tag blocks",
        },
        "zh-hans": {
            "regexScripts": "正则脚本",
            "helperScripts": "辅助脚本",
            "ejs": "EJS 代码",
            "macros": "其他宏",
            "tags": "标签块",
        },
    }
)


def start_message(card: Card, reading: Reading, choices: Choices) -> str:
    """The command, then format, entries, openings and what is not carried, in the language of the import."""
    summary = source_summary(card, container=reading.container, spec=reading.spec)
    first, second, comma = TEXTS[choices.language]
    facts = {
        "name": card.name or "—",
        "spec": summary.spec or "V3",
        "container": summary.container.partition(":")[0].upper(),
        "entries": summary.entries,
        "off": len(choices.off),
        "openings": summary.openings,
    }
    left = [
        f"{name} ({count})"
        for key, name in NAMES[choices.language].items()
        if (count := _count(summary.dialect.to_json()[key]))
    ]
    lines = [COMMAND, fill(first, facts)]
    if left:
        lines.append(fill(second, {"told": comma.join(left)}))
    return "\n".join(lines)


def _count(value: object) -> int:
    if isinstance(value, list | dict):
        return len(value)
    return value if isinstance(value, int) else 0
