"""The list of a kind: searched, filtered, paged, from the index alone."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from formats.errors import DomainError
from formats.text.names import compared
from portal.access import person_of
from portal.say import sentence
from worlds.access import standing_of
from worlds.kinds import ELEMENT_KINDS, ElementKind
from worlds.models import Element, World
from worlds.queries import folder_of
from worlds.rules.paths import document_of
from worlds.rules.prompts import PROMPT_TITLES, prompt_of
from worlds.store.snapshot import edited_since

PER_PAGE = 50
LANGUAGE_NAMES = {"en": "English", "zh-hans": "简体中文"}


def list_context(request: HttpRequest, world: World, kind: ElementKind, key: str = "") -> dict[str, Any]:
    """The list of a kind: searched, filtered, and on the page where `key` stands."""
    words = request.GET.get("q", "").strip()[:100]
    only = "problems" if request.GET.get("only") == "problems" else ""
    found = found_elements(world, kind, words, only)
    editor = standing_of(person_of(request), world) in ("owner", "edit")
    imported = editor and bool(world.stage) and kind.holds != "entries"  # readers see no import (D38)
    since = imported and bool(request.GET.get("changed"))
    if since:
        found = found.filter(key__in=changed_since_import(world, kind))
    return {
        "kind": kind,
        "kinds": [(each, count_of(world, each)) for each in ELEMENT_KINDS.values()],
        "count": count_of(world, kind),
        "page": page_with(found, request.GET.get("page"), key),
        "words": words,
        "only": only,
        "imported": imported,
        "since": since,
        "key": key,
    }


def found_elements(world: World, kind: ElementKind, words: str, only: str) -> QuerySet[Element]:
    """The elements of a kind that hold every word, by title; entries in the order of their file."""
    found = Element.objects.filter(world=world, kind=kind.name)
    for word in compared(words).split():
        found = found.filter(words__contains=word)
    if only == "problems":
        found = found.filter(problems__gt=0)
    order = ("position",) if kind.holds == "entries" else ("title_key", "key")
    return found.order_by(*order).defer("words", "title_key")


def changed_since_import(world: World, kind: ElementKind) -> set[str]:
    """The keys of elements that differ from what the import left; none where it left no record.

    Reads every document of the world, so it is asked only when somebody filters by it.
    """
    folder = folder_of(world)
    try:
        stored = folder.read_json(".import/files.json")
    except DomainError:
        return set()
    left = stored.get("files") if isinstance(stored, dict) else None
    paths = edited_since(folder, left) if isinstance(left, dict) else []
    if kind.holds == "prompts":
        return {".".join(prompt) for path in paths if (prompt := prompt_of(path))}
    return {name[1] for path in paths if (name := document_of(path)) and name[0] == kind.name}


def page_with(found: QuerySet[Element], number: str | None, key: str) -> Page[Element]:
    """A page of the list: the asked one, else the one where `key` stands."""
    pages = Paginator(found, PER_PAGE)
    if number or not key:
        return pages.get_page(number)
    at = found.filter(key=key).values_list("position", "title_key").first()
    if at is None:
        return pages.get_page(1)
    entries = found.query.order_by == ("position",)
    before = (
        found.filter(position__lt=at[0])
        if entries
        else found.filter(Q(title_key__lt=at[1]) | Q(title_key=at[1], key__lt=key))
    )
    return pages.get_page(before.count() // PER_PAGE + 1)


def count_of(world: World, kind: ElementKind) -> int:
    """How many elements of a kind the world has."""
    names = {"documents": kind.name, "entries": kind.document, "prompts": "prompts"}
    return int(world.counts.get(names[kind.holds], 0))


def title_of(world: World, kind: ElementKind, key: str) -> str:
    """What a page calls an element."""
    if kind.holds == "prompts":
        return prompt_title(key)
    row = Element.objects.filter(world=world, kind=kind.name, key=key).first()
    return row.title if row else key


def prompt_title(key: str) -> str:
    """A prompt's title in the reader's language, with the language it is for."""
    language, _dot, name = key.partition(".")
    title = sentence(PROMPT_TITLES.get(name, name), {})
    return f"{title} · {LANGUAGE_NAMES.get(language, language)}"
