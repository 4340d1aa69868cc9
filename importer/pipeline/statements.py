"""The sentences of a text that tell about what it describes, for a summary (STRUCT-2).

Passed over is all that card makers write beside description: speech, first person, labels, tags, lists of
traits in brackets, headings, tables, code, and what is meant for the model or the player.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from formats.text.cleaning import PLAYER
from formats.text.split import sentences

FEWEST_WORDS: Final = 4  # of a statement without a full stop; fewer are a title
FEWEST_SIGNS: Final = 8  # the same for writing without spaces
LONGEST_LABEL: Final = 6  # words
MOST_SENTENCES: Final = 8  # of a line that are looked at

_FENCE: Final = "```"
_NO_PROSE = re.compile(
    r"#{1,6}(?:\s|$)|[-=*_~+]{3,}|[|<>{}【〖［〔《@/\\]|\[/|https?://\S*$|[^|]*(?:\|[^|]*){2,}$"
)
_BULLET = re.compile(r"(?:[-•·*+]|\d{1,3}[.、)）])\s+|[•·]")
_ASIDE = re.compile(r"\(([^()]*)\)|（([^（）]*)）|\[(?!PLAYER\])([^\[\]]*)\]")
_LINK = re.compile(r"!\[[^\[\]\n]*\]\([^()\n]*\)|\[([^\[\]\n]*)\]\([^()\n]*\)")
_EMPHASIS = re.compile(r"\*\*|__|~~|`|(?<=\w)\*|\*(?=\w)")
_LABEL = re.compile(r"([^:：=\n“”\"]{1,40}?)\s*(?:：|(?<!\d)[:=]|[:=](?=\s|$))(?!//)")
_TOLD_BEFORE_COLON = re.compile(
    r"\b(?:is|are|was|were|has|have|had|she|he|they|who|that|which)\b|是", re.IGNORECASE
)
_PAIR = re.compile(r"[A-Za-z]\s?[(（]\s*[\"“]|[A-Za-z]\([^()\s]*[,(]|[A-Za-z]\([^()]*\(")
_SPOKEN = re.compile(r"[\"“”「『‘]|\*+\w|'(?!s\b)")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^“”]*”|「[^「」]*」|『[^『』]*』")
_FIRST_PERSON = re.compile(
    r"\bI[’'](?:m|ve|ll|d)\b|(?:^|[,;:—–-]\s*|\b[a-z]+\s)I\b(?!\.)"
    r"|\b(?:[Mm]e|[Mm]y|[Mm]yself|[Ww]e|us|[Oo]ur|[Oo]urs|[Ll]et[’']s)\b"
    r"|(?<![自忘敌大小])我(?!行我素)|咱|人家我"
)
_GREETING = re.compile(
    r"(?:(?:hey|hi|hello|thanks|thank you|welcome|enjoy)\b|(?:oh|ah|hmm+|yes|no|yeah|well)\b\s*[,.!~…])"
    r"|(?:你好|您好|大家好|嗨|喂|哦|噢|啊|嗯|哈|欢迎|谢谢|感谢)",
    re.IGNORECASE,
)
_TO_THE_READER = re.compile(
    r"(?:always|never)\b(?! (?:one|an?|the)\b)|(?:(?:from now on|now|please|just|only|also)\b,?\s*)*"
    r"(?:do not|don[’']t|avoid|ensure|make sure|refrain|remember|write|respond|reply|describe|portray|embody|"
    r"roleplay|role-play|generate|output|include|stay|keep|speak|act|play|use|follow|focus|continue|adopt|"
    r"assume|pretend|imagine|consider|let|treat|maintain|try|feel free|note|please|must)\b"
    r"(?!\s+(?:is|was|of|are|were)\b)"
    r"|(?:(?:from now on|as [^,.]{1,60}|in this [^,.]{1,40}),?\s*)?you(?:r|rs|rself|[’'](?:re|ll|ve|d))?\b"
    r"|(?:从现在起|从现在开始|现在|接下来|作为[^，。]{1,30})?[，,]?\s*(?:请|你|您|扮演|禁止|不要|不得|必须|务必|"
    r"严禁|切勿|始终保持|注意|确保|记住|避免|生成|输出|回复)",
    re.IGNORECASE,
)
_FOR_THE_MODEL = re.compile(
    r"\b(?:stay|remain|be) in[ -]character\b|\bthe (?:user|\{\{user\}\})[’']s (?:actions|dialogue)|"
    rf"\b(?:speak|act|write|talk|decide|reply) (?:for|as) (?:the user|{re.escape(PLAYER)})|"
    rf"\brole-?play\b|(?:代替|替){re.escape(PLAYER)}|角色扮演",
    re.IGNORECASE,
)
_DEMANDS: Final = (
    r"(?:(?:will|must|should|shall|needs? to|is to|are to|may not|cannot|can[’']t)\b"
    r"|必须|应当|应该|不得|不能|不会|禁止|需要|将会|将始终)"
)
_NEVER = re.compile(r"(?!)")
_OPENED: Final = {"[": "]", "(": ")", "（": "）"}


class Statement(NamedTuple):
    """A sentence; whether its paragraph begins with it, and whether it is an item of a list."""

    text: str
    opens: bool
    listed: bool


def statements(text: str, names: Sequence[str] = ()) -> Iterator[Statement]:
    """The sentences that tell something, in order and without marks; `names` are of who is described."""
    wanted = _demand_on(names)
    in_code = in_data = False
    for line in map(str.strip, text.split("\n")):
        if line.startswith(_FENCE):
            in_code = not in_code
        elif in_data or (line[:1] == "[" and is_labelled(line[1:].strip())):
            in_data = "]" not in line
        elif not in_code:
            yield from _of_line(line, wanted)


def _demand_on(names: Sequence[str]) -> re.Pattern[str]:
    """What begins an instruction that speaks of the character: `Mira must …`, `莉娜必须……`."""
    if not names:
        return _NEVER
    return re.compile(rf"(?:{'|'.join(map(re.escape, names))})\s*{_DEMANDS}", re.IGNORECASE)


def _of_line(line: str, wanted: re.Pattern[str]) -> Iterator[Statement]:
    bullet = _BULLET.match(line)
    words = _plain(line[bullet.end() :] if bullet else line)
    if not words or is_labelled(words) or _SPOKEN.match(words):
        return
    parts = [part.strip() for part in sentences(words)[:MOST_SENTENCES]]
    own = [_QUOTED.sub("", part) for part in parts]
    if sum(bool(_FIRST_PERSON.search(part)) for part in own) * 3 >= len(parts):
        return
    for number, (part, outside) in enumerate(zip(parts, own, strict=True)):
        if _tells(part, outside) and not wanted.match(part):
            yield Statement(part, number == 0, bool(bullet))


def _plain(line: str) -> str:
    """A line without Markdown and without the brackets around it; "" for what is no prose."""
    if _NO_PROSE.match(line) or (_SPOKEN.match(line) and not line.startswith("**")):
        return ""
    words = without_marks(line)
    aside = _ASIDE.match(words)
    if aside and aside[0] == words and words[0] != "[":  # `(OOC: all of it)`
        return ""
    if aside and aside[0] != words:  # `(a note) She bakes.`, but `[Label] text`
        return "" if words[0] == "[" else words[aside.end() :].strip()
    if words[:1] in _OPENED and not words.startswith(PLAYER):
        return words[1:].removesuffix(_OPENED[words[0]]).strip()
    left_open = words[-1:] in _OPENED.values() and not any(sign in words for sign in _OPENED)
    return words[:-1] if left_open else words


def without_marks(line: str) -> str:
    """A line without emphasis, code marks, links and pictures of Markdown, its blanks made single."""
    return " ".join(_EMPHASIS.sub("", _LINK.sub(r"\1", line)).split()).lstrip("# ")


def is_labelled(line: str) -> bool:
    """Whether a line is data: it begins with a label (`Age: 25`) or holds pairs (`Hair("red")`)."""
    label = _LABEL.match(line)
    return bool(_PAIR.search(line)) or (
        label is not None
        and len(label[1].split()) <= LONGEST_LABEL
        and not _TOLD_BEFORE_COLON.search(label[1])
    )


def _tells(sentence: str, outside_quotes: str) -> bool:
    """Whether a sentence describes; `outside_quotes` is what of it nobody says."""
    if sentence.endswith(("?", "？", ":", "：")) or "://" in sentence or not _is_sentence(sentence):
        return False
    if _SPOKEN.match(sentence) or sentence.startswith(PLAYER) or any(sign in sentence for sign in "{}<>|"):
        return False
    passed_over = (_GREETING.match, _TO_THE_READER.match, _FOR_THE_MODEL.search, _FIRST_PERSON.search)
    return not any(found(outside_quotes) for found in passed_over)


def _is_sentence(words: str) -> bool:
    """Long enough to be no title, or ended by a full stop."""
    signs = sum(map(str.isalnum, words))
    if signs < 2:
        return False
    ended = words.rstrip("\"'”’」』)）]").endswith((".", "。", "!", "！", "…", ";", "；"))
    if words.isascii():
        return (ended and len(words.split()) > 1) or len(words.split()) >= FEWEST_WORDS
    return (ended and signs >= 3) or signs >= FEWEST_SIGNS
