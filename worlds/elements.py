"""What a loaded world has in it, as rows for the index: one for each element, with its words and problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from formats.finding import Finding
from formats.stable_json import canonical_json
from formats.text.names import compared
from worlds.kinds import BY_DOCUMENT, BY_NAME, ElementKind
from worlds.rules.documents import Lore, Part, VariableDeclaration, title_of
from worlds.rules.kind_rules import image_references
from worlds.rules.load import LoadedWorld
from worlds.rules.paths import document_of, place
from worlds.rules.prompts import PROMPT_TITLES, prompt_of

TITLE_LENGTH = 300
WORDS_LENGTH = 2_000
KEY_LENGTH = 200
TEXT_FIELDS = ("summary", "description", "text", "update_rule", "appearance", "personality", "background")

Address = tuple[str, str]
"""(name of the kind, key): what names an element inside its world."""


@dataclass(frozen=True, slots=True)
class Row:
    """One element as the index keeps it. `search` is compared text, `position` the place in a list file."""

    kind: str
    key: str
    title: str
    summary: str = ""
    search: str = ""
    mark: str = ""
    position: int = 0
    problems: int = 0

    @property
    def etag(self) -> str:
        """Changes when anything of the row does."""
        return sha256(canonical_json([getattr(self, name) for name in self.__slots__]).encode()).hexdigest()[
            :24
        ]


def entry_key(kind: ElementKind, entry: Mapping[str, Any]) -> str:
    """The key of a list entry: its id, or a digest of its content where the id fits no address."""
    key = str(entry.get(kind.id_field, "")) if kind.id_field else ""
    if key.strip(".") and "/" not in key and len(key) <= KEY_LENGTH:
        return key
    return sha256(canonical_json(dict(entry)).encode()).hexdigest()[:16]


def prompt_key(language: str, name: str) -> str:
    """The key of a prompt: `zh-hans.style`. No language has a dot in its tag."""
    return f"{language}.{name}"


def rows_of(loaded: LoadedWorld, findings: list[Finding]) -> Iterator[Row]:
    """Every element of a world with the number of problems that speak of it."""
    problems = problems_by_element(findings)
    for row in _rows(loaded):
        yield _with_problems(row, problems)


def problems_by_element(findings: list[Finding]) -> Counter[tuple[str, str | int]]:
    """How many errors and warnings speak of each element: by key, or by place in a list file."""
    count: Counter[tuple[str, str | int]] = Counter()
    for finding in findings:
        address = element_of(finding.where)
        if address and finding.severity != "info":
            count[address] += 1
    return count


def element_of(where: str) -> tuple[str, str | int] | None:
    """The element a finding's `where` speaks of: kind and key, or kind and place in its list; else None."""
    file, key = place(where)
    prompt, document = prompt_of(file), document_of(file)
    if prompt:
        return "prompt", prompt_key(*prompt)
    kind = BY_DOCUMENT.get(document[0]) if document else None
    if kind is None or document is None:
        return None
    if kind.holds == "documents":
        return kind.name, document[1]
    number = key.removeprefix(f"{kind.list_field}[").partition("]")[0]
    return (kind.name, int(number)) if number.isascii() and number.isdigit() else None


def picture_uses(loaded: LoadedWorld) -> dict[str, list[list[str]]]:
    """Which documents show which picture: path of the picture to [slug of the kind, key, title] of each.

    The world itself, for its cover, has an empty slug.
    """
    uses: dict[str, list[list[str]]] = {}
    for name, documents in loaded.documents.items():
        for key, document in documents.items():
            for path in image_references(document).values():
                slug = BY_DOCUMENT[name].slug if name in BY_DOCUMENT else ""
                uses.setdefault(path, []).append([slug, key, title_of(document)])
    return uses


def _with_problems(row: Row, problems: Counter[tuple[str, str | int]]) -> Row:
    holds = BY_NAME[row.kind].holds if row.kind in BY_NAME else "entries"
    count = problems[(row.kind, row.position if holds == "entries" else row.key)]
    return replace(row, problems=count) if count else row


def _rows(loaded: LoadedWorld) -> Iterator[Row]:
    for kind in BY_NAME.values():
        if kind.holds == "documents":
            yield from _document_rows(kind, loaded)
        elif kind.holds == "entries":
            yield from _entry_rows(kind, loaded)
    for location in loaded.locations.values():
        for way in location.exits:
            to = loaded.locations.get(way.to)
            target = to.name if to else way.to
            title = f"{location.name} → {target}" + (f" ({way.name})" if way.name else "")
            yield Row("exit", way.id, title[:TITLE_LENGTH])
    for (language, name), text in loaded.prompts.items():
        # Shown with its translated title; what is stored must not depend on who caused the indexing.
        title = f"{PROMPT_TITLES[name]} ({language})"
        yield Row("prompt", prompt_key(language, name), title, _line(text), _search(title, text))


def _document_rows(kind: ElementKind, loaded: LoadedWorld) -> Iterator[Row]:
    for key, document in loaded.documents[kind.document].items():
        title = str(getattr(document, kind.title_field)) or key
        yield _row(kind, key, title, document)
    for name, key in sorted(loaded.broken):
        if name == kind.document:
            yield Row(kind.name, key, key, search=compared(key))


def _entry_rows(kind: ElementKind, loaded: LoadedWorld) -> Iterator[Row]:
    document = loaded.documents[kind.document].get("")
    seen = set()
    for position, entry in enumerate(getattr(document, kind.list_field, ())):
        key = entry_key(kind, entry.to_json())
        if key in seen:  # a doubled id is told by the check; its first entry can be opened
            continue
        seen.add(key)
        yield _row(kind, key, _entry_title(kind, key, entry, loaded), entry, position)


def _entry_title(kind: ElementKind, key: str, entry: Part, loaded: LoadedWorld) -> str:
    if kind.title_field:
        return str(getattr(entry, kind.title_field) or key)
    ends = [str(getattr(entry, side)) for side in ("source", "target")]
    names = [loaded.characters[end].name if end in loaded.characters else end for end in ends]
    return f"{names[0]} → {names[1]}"


def _row(kind: ElementKind, key: str, title: str, part: Part, position: int = 0) -> Row:
    texts = [str(getattr(part, name, "") or "") for name in TEXT_FIELDS]
    lists = [*getattr(part, "aliases", ()), *getattr(part, "keywords", ()), *getattr(part, "tags", ())]
    about = next((text for text in texts if text.strip()), "") or str(getattr(part, "type", ""))
    return Row(
        kind.name,
        key,
        _line(title),
        _line(about),
        _search(title, key, *lists, *texts),
        _mark(part),
        position,
    )


def _mark(part: Part) -> str:
    if getattr(part, "playable", False):
        return "playable"
    return part.type if isinstance(part, Lore) else part.kind if isinstance(part, VariableDeclaration) else ""


def _line(text: str) -> str:
    """The start of a text on one line, for a row."""
    line = " ".join(text[: TITLE_LENGTH * 2].split())
    return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1] + "…"


def _search(*texts: str) -> str:
    return compared(" ".join(text for text in texts if text)[:WORDS_LENGTH])
