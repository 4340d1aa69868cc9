"""Why a model's answer is refused by a check, in the language of the import: it goes back to the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Reasons:
    """Sentences with fields in braces, filled by `formats.finding.fill`."""

    number: str
    number_twice: str
    all_dropped: str
    document: str
    not_verbatim: str
    placeholder: str
    not_listed: str


REASONS: Mapping[str, Reasons] = MappingProxyType(
    {
        "en": Reasons(
            number="{number} is no number of the list; it goes from 1 to {last}.",
            number_twice="A number stands twice. Each may be used once.",
            all_dropped="Every name was dropped. At least one must stay.",
            document="The document is not right at {where}: {message}",
            not_verbatim="“{passage}” does not stand like this in the passage. Copy it letter for letter.",
            placeholder="“{found}” looks like a placeholder. Write the text without it.",
            not_listed="“{found}” is no name of the list. Take one that is.",
        ),
        "zh-hans": Reasons(
            number="{number} 不是列表里的编号；编号从 1 到 {last}。",
            number_twice="有编号出现了两次。每个编号只能用一次。",
            all_dropped="所有名字都被去掉了。至少要留下一个。",
            document="文档在 {where} 处不对：{message}",
            not_verbatim="“{passage}”在原文里不是这样写的。请逐字照抄。",
            placeholder="“{found}”看起来像占位符。请不要写它。",
            not_listed="“{found}”不在名单里。请用名单里的名字。",
        ),
    }
)
