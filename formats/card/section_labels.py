"""Words by which authors label sections of a description, in English and Chinese (D10)."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

SectionField = Literal["appearance", "personality", "background", "goals", "speech", "secrets"]


class Label(NamedTuple):
    """The field a label names. `own`: the label is the field's own name and adds nothing to its text."""

    field: SectionField
    own: bool


# The first list names the field itself, the second a part of it: that label stays (`Hair: black`).
_WORDS: dict[SectionField, tuple[str, str]] = {
    "appearance": (
        "appearance|looks|look|physical appearance|physical description|physical traits|physical features|"
        "description of appearance|外貌|外观|外表|容貌|长相|相貌|外形|形象|样貌|外貌衣着",
        "body|build|figure|face|hair|hairstyle|eyes|skin|features|clothing|clothes|outfit|attire|height|weight|"
        "身材|体型|身高|体重|发型|头发|发色|眼睛|瞳色|肤色|穿着|衣着|服饰|着装|服装|衣服|打扮",
    ),
    "personality": (
        "personality|personality traits|traits|character traits|temperament|"
        "性格|个性|人格|性情|脾气|性格个性",
        "likes|dislikes|loves|hates|hobbies|habits|quirks|fears|喜好|爱好|喜欢|讨厌|厌恶|习惯|癖好|害怕|恐惧",
    ),
    "background": (
        "background|backstory|back story|background story|history|past|biography|life story|"
        "背景|背景故事|经历|过往|过去|身世|生平|历史|来历|人生经历|故事背景|人物背景",
        "family|childhood|origin|家庭|家庭背景|童年|出身|籍贯",
    ),
    "goals": (
        "goal|goals|motivation|motivations|ambition|ambitions|objective|objectives|dream|dreams|"
        "目标|目的|愿望|梦想|动机|追求|理想",
        "short-term goal|long-term goal|short term goals|long term goals|短期目标|长期目标|近期目标",
    ),
    "speech": (
        "speech|speech style|speaking style|way of speaking|manner of speaking|manner of speech|voice|tone|"
        "dialogue style|speech pattern|speech patterns|language style|"
        "说话方式|说话风格|语言风格|语言习惯|语气|口吻|口癖|谈吐|台词风格|语言",
        "accent|catchphrase|catchphrases|口头禅|口音",
    ),
    "secrets": ("secret|secrets|hidden secret|秘密|隐秘|不为人知的秘密", ""),
}

_TABLE: dict[str, Label] = {
    word: Label(name, own)
    for name, lists in _WORDS.items()
    for words, own in zip(lists, (True, False), strict=True)
    for word in words.split("|")
    if word
}
_OWNER = re.compile(r"^.{1,40}?(?:'s|’s|的)\s*(?=\S)")
_AROUND = " \t　*_#`\"'“”「」『』.·•-"
_NOTE = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_ENDING = re.compile(r"(?:描写|描述|特征|特点|设定|介绍|细节|表现|信息|风格)$")
_BEGINNING = re.compile(r"^(?:角色|人物|基本|主要|核心|详细)")
_AND = re.compile(r"\s*(?:&|/|、|，|,|\+|和|与|及|\band\b)\s*")


def label_of(words: str) -> Label | None:
    """The field that a label names, None for labels we do not know or that name two fields at once.

    Understood: `Lina's appearance`, `莉娜的外貌`, `Looks (winter)`, `外貌描写`, `外貌与衣着`.
    """
    plain = _without_note(words)
    found = _known(plain) or _known(_OWNER.sub("", plain))
    if found:
        return found
    parts = [_known(part) for part in _AND.split(plain) if part]
    if len(parts) < 2 or any(part is None or part.field != parts[0].field for part in parts if parts[0]):
        return None
    return Label(parts[0].field, own=False) if parts[0] else None


def plain_label(words: str) -> str:
    """A label without owner, note and signs: `Lina's Age (now)` → `age`, `角色年龄` → `年龄`."""
    return _BEGINNING.sub("", _OWNER.sub("", _without_note(words)))


def _without_note(words: str) -> str:
    return _NOTE.sub("", words.strip(_AROUND)).strip(_AROUND).casefold()


def _known(words: str) -> Label | None:
    for form in (words, _ENDING.sub("", words), _BEGINNING.sub("", _ENDING.sub("", words))):
        if form in _TABLE:
            return _TABLE[form]
    return None
