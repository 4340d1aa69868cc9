"""The list of a kind: searched, filtered, paged, from the index alone."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from formats.text.names import compared
from portal.say import sentence
from worlds.kinds import ELEMENT_KINDS, ElementKind
from worlds.models import Element, World
from worlds.rules.prompts import PROMPT_TITLES

PER_PAGE = 50
LANGUAGE_NAMES = {"en": "English", "zh-hans": "简体中文"}


def list_context(request: HttpRequest, world: World, kind: ElementKind, key: str = "") -> dict[str, Any]:
    """The list of a kind: searched, filtered, and on the page where `key` stands."""
    words = request.GET.get("q", "").strip()[:100]
    only = "problems" if request.GET.get("only") == "problems" else ""
    found = found_elements(world, kind, words, only)
    return {
        "kind": kind,
        "kinds": [(each, count_of(world, each)) for each in ELEMENT_KINDS.values()],
        "count": count_of(world, kind),
        "page": page_with(found, request.GET.get("page"), key),
        "words": words,
        "only": only,
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
