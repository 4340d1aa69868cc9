"""The one-line summary of a character or of an entry: words of the card, chosen by rule, never made up.

Best is a sentence that describes (`statements`), and among these one that names its subject. Where a card
only states data, the summary is put together of that: who somebody is, what they do, their age.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from formats.card.section_facts import facts_of
from formats.text.cleaning import PLAYER
from formats.text.split import split_text
from importer.pipeline.statements import Statement, is_labelled, statements, without_marks

LIMIT: Final = 160  # characters of a summary
LOOKED_AT: Final = 3000  # characters of a text in which a summary is looked for
COMPARED: Final = 8  # statements of which the best is chosen
MOST_TRAITS: Final = 5
LONGEST_TRAIT: Final = 40

_PLAYER_SPEAKS = re.compile(rf"[\"“「*]*{re.escape(PLAYER)}[*]*\s*[:：]")
_MARKS: Final = " \t\n#*-=>|`"
_NAME_PARTS = re.compile(r"[\s·・•]+")
_SUBJECT = re.compile(r"(?:she|he|they|an?)\b|[她他它]|一[个位名座只种家间所片群]|身为", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,;—–](?=\s)|[，；、—]")
_BETWEEN_TRAITS = re.compile(r"[,，、;；\n]")
_AROUND: Final = " \t\"“”'‘’+.。-•·[]【】"


def person_summary(name: str, rest: str, manner: str, told: str, notes: str, traits: str) -> str:
    """What a card says of its character in one line; "" where it says nothing of the kind.

    Args:
        name: of the character.
        rest: the description without its labelled sections.
        manner: the personality field of the card.
        told: the whole description.
        notes: what the card's maker tells about the card.
        traits: the labelled section about personality.
    """
    names = names_of(name)
    return (
        described(rest, names)
        or stated(told)
        or described(manner, names)
        or described(notes, names)
        or described(told, names)
        or first_traits(traits)
        or first_traits(manner)
    )


def entry_summary(text: str, title: str, keys: Iterable[str] = ()) -> str:
    """What an entry of a lorebook says in one line; beside prose, `Title: what it is` is such a line."""
    return described(text) or stated(text) or beside_its_name(text, {title, *keys})


def described(text: str, names: Sequence[str] = ()) -> str:
    """The sentence that describes best; an item of a list only where the text is nothing but a list."""
    looked_at = told_only(text[:LOOKED_AT])
    found = list(islice(statements(looked_at, names), COMPARED * 2))
    prose = [statement for statement in found if not statement.listed]
    if not prose and any(map(is_labelled, looked_at.split("\n"))):
        return ""
    return bounded(_best((prose or found)[:COMPARED], names))


def stated(text: str) -> str:
    """The account that a label announces, else the facts beside labels: `elf, baker, 25`."""
    facts = facts_of(told_only(text[:LOOKED_AT]))
    parts: list[str] = []
    for kind, value in facts:
        said = without_marks(value)
        if kind == "account":
            if account := described(said):
                return account
        elif _is_phrase(said) and not any(said.casefold() in part.casefold() for part in parts):
            parts.append(said)
    return "" if all(kind in ("account", "age") for kind, _ in facts) else _joined(parts)


def first_traits(text: str) -> str:
    """The first words of a list of traits; "" for a text that is none."""
    line = text.strip().partition("\n")[0]
    traits = [trait for part in _BETWEEN_TRAITS.split(line) if (trait := without_marks(part).strip(_AROUND))]
    if len(traits) < 2 or not all(map(_is_trait, traits[:MOST_TRAITS])):
        return ""
    return _joined(traits[:MOST_TRAITS])


def beside_its_name(text: str, names: Iterable[str]) -> str:
    """What stands behind the name of what is described: `Port Vale: a town in the fog.`"""
    known = {name.strip().casefold() for name in names}
    for line in told_only(text[:LOOKED_AT]).split("\n"):
        label, colon, value = without_marks(line.strip(_MARKS)).replace("：", ":").partition(":")
        if colon and label.strip().casefold() in known and (found := described(value)):
            return found
    return ""


def told_only(text: str) -> str:
    """A text up to the line where the player is spoken for: from there on it is a dialogue."""
    lines = text.split("\n")
    spoken = (number for number, line in enumerate(lines) if _PLAYER_SPEAKS.match(line.lstrip(_MARKS)))
    return "\n".join(lines[: next(spoken, None)])


def names_of(name: str) -> tuple[str, ...]:
    """A name and its parts, by which a sentence may speak of somebody: `Mira Oakes`, `Mira`, `Oakes`."""
    whole = name.strip()
    parts = [part for part in _NAME_PARTS.split(whole) if len(part) > (2 if part.isascii() else 1)]
    return tuple(dict.fromkeys(filter(None, (whole, *parts))))


def bounded(sentence: str) -> str:
    """At most `LIMIT` characters: cut behind a clause of some length, else behind a word."""
    if len(sentence) <= LIMIT:
        return sentence
    cut = split_text(sentence, LIMIT - 1)[0]
    ends = [found.start() for found in _CLAUSE_END.finditer(cut) if found.start() >= LIMIT // 3]
    end = ends[-1] if ends else cut.rfind(" ") if " " in cut[LIMIT // 2 :] else len(cut)
    return cut[:end].rstrip() + "…"


def _best(found: Sequence[Statement], names: Sequence[str]) -> str:
    """One that names its subject or begins with it; of a text about no person the first of a paragraph."""
    about = (one for one in found if names and (_SUBJECT.match(one.text) or _names(one.text, names)))
    opening = (one for one in found if one.opens)
    return next((one.text for one in (*about, *opening, *found)), "")


def _names(sentence: str, names: Sequence[str]) -> bool:
    return any(
        re.search(rf"(?<!\w){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name), sentence, re.I)
        for name in names
    )


def _is_phrase(value: str) -> bool:
    return len(value) <= LIMIT and not is_labelled(value) and not any(sign in value for sign in '{}<>|"“[]')


def _is_trait(words: str) -> bool:
    return len(words) <= LONGEST_TRAIT and _is_phrase(words) and any(map(str.isalpha, words))


def _joined(parts: Sequence[str]) -> str:
    """As many parts as there is room for, the first in any case."""
    between = ", " if all(map(str.isascii, parts)) else "，"
    said = ""
    for part in parts:
        longer = f"{said}{between}{part}" if said else part
        if len(longer) > LIMIT:
            break
        said = longer
    return said
