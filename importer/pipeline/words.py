"""The words an import writes into a world, in the language in which it was started (D2, RUN-10).

They become content of the world, so they do not follow the language of whoever looks at it later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from worlds.rules.prompts import SHIPPED_LANGUAGES


@dataclass(frozen=True, slots=True)
class Words:
    """Titles for what a card leaves without one, and labels of what a model is asked about; the fields in
    braces are filled by `formats.finding.fill`.
    """

    scenario: str
    first_message: str
    alternate: str
    group: str
    entry: str
    part: str
    note: str
    player: str
    how_people_are_made: str
    rules_and_mechanics: str
    declared: str


WORDS: Mapping[str, Words] = MappingProxyType(
    {
        "en": Words(
            scenario="Scenario",
            first_message="First message",
            alternate="Alternate opening {number}",
            group="Opening for a group {number}",
            entry="Entry {number}",
            part="{title} ({part} of {parts})",
            note="About {name}",
            player="the player",
            how_people_are_made="How people are made",
            rules_and_mechanics="Rules and mechanics",
            declared="Declared already: {keys}",
        ),
        "zh-hans": Words(
            scenario="场景",
            first_message="第一条消息",
            alternate="备选开场 {number}",
            group="多人开场 {number}",
            entry="条目 {number}",
            part="{title}（{part}/{parts}）",
            note="关于{name}",
            player="玩家",
            how_people_are_made="人物如何生成",
            rules_and_mechanics="规则与机制",
            declared="已经声明：{keys}",
        ),
    }
)

assert tuple(WORDS) == SHIPPED_LANGUAGES, "every shipped language has its words"
