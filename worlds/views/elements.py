"""Elements: the list of a kind, and the editor beside it (`portal.md` 3.5)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from formats.errors import DomainError
from formats.stable_json import read_json, write_json
from portal.models import Person
from portal.render import wants_fragment
from portal.say import said
from worlds import actions
from worlds.actions import Refused
from worlds.differences import value_diff
from worlds.document_form import DocumentForm
from worlds.element_list import count_of, list_context, prompt_title, title_of
from worlds.forms import NewPromptForm, PromptForm, SourceForm
from worlds.kinds import ELEMENT_KINDS, ElementKind, element_kind
from worlds.mentions import mentions_of
from worlds.models import Element, World
from worlds.references import WorldReferences
from worlds.rules.prompts import PLACEHOLDERS, SHIPPED_LANGUAGES
from worlds.stored import Stored, findings_at, stored_element, stored_file
from worlds.trigger_sentence import sentence_of
from worlds.versions import last_saved
from worlds.views.frame import findings_of, needed, open_world, say_saved, see_other, world_page


@require_safe
def elements(request: HttpRequest, world_id: str) -> HttpResponse:
    """The first kind this world has."""
    _person, world = open_world(request, world_id)
    first = next(
        (kind for kind in ELEMENT_KINDS.values() if count_of(world, kind)), element_kind("characters")
    )
    return see_other(reverse("worlds:kind", args=[world.pk, first.slug]))


@require_safe
def kind_list(request: HttpRequest, world_id: str, slug: str) -> HttpResponse:
    """The elements of one kind; the list alone for a live search."""
    person, world = open_world(request, world_id)
    kind = element_kind(slug)
    context = {**list_context(request, world, kind), "broken": _broken(world, kind)}
    template = "worlds/list.html" if wants_fragment(request) else "worlds/elements.html"
    return world_page(request, person, world, "elements", template, context)


@require_http_methods(["GET", "HEAD", "POST"])
def element(request: HttpRequest, world_id: str, slug: str, key: str) -> HttpResponse:
    """One element: its form; POST saves it, or sends the form back with one row more."""
    person, world = open_world(request, world_id, needed(request))
    kind = element_kind(slug)
    stored = stored_element(world, kind, key)
    if request.method == "POST" and "more" not in request.POST and "mine" not in request.POST:
        return _save(request, person, world, kind, key, stored)
    form, etag = _form(request, world, kind, key, stored)
    return editor(request, person, world, kind, key, stored, form, etag)


@require_http_methods(["GET", "HEAD", "POST"])
def source(request: HttpRequest, world_id: str, slug: str, key: str) -> HttpResponse:
    """One element as JSON; POST saves it when the world's reader takes it."""
    person, world = open_world(request, world_id, needed(request))
    kind = element_kind(slug)
    stored = stored_element(world, kind, key)
    form = SourceForm(request.POST or None, initial={"text": stored.text})
    etag = request.POST.get("etag", stored.etag)
    if request.method == "POST" and form.is_valid():
        text = form.cleaned_data["text"]
        try:
            new_key, _etag = actions.save_element(
                actor=person, world=world, kind=kind, key=key, value=text, etag=etag
            )
        except Refused as error:
            refused(form, error, kind)
        except DomainError as error:
            if error.kind != "precondition":
                raise
            return conflict(request, person, world, kind, key, mine=text, etag=error.values["etag"])
        else:
            say_saved(request, world, _("Saved."))
            return see_other(reverse("worlds:source", args=[world.pk, slug, new_key]))
    return editor(request, person, world, kind, key, stored, form, etag, view="source")


@require_http_methods(["GET", "HEAD", "POST"])
def new_element(request: HttpRequest, world_id: str, slug: str) -> HttpResponse:
    """An empty form; POST adds the element."""
    person, world = open_world(request, world_id, "edit")
    kind = element_kind(slug)
    form = _new_form(request, world, kind)
    if request.method == "POST" and "more" not in request.POST and form.is_valid():
        value = form.value() if isinstance(form, DocumentForm) else form.cleaned_data
        try:
            key = actions.add_element(actor=person, world=world, kind=kind, value=value)
        except Refused as error:
            refused(form, error, kind)
        else:
            say_saved(request, world, _("Added."))
            return see_other(reverse("worlds:element", args=[world.pk, slug, key]))
    context = {
        **list_context(request, world, kind),
        "form": form,
        "etag": "",
        "view": "new",
        "title": _("New %(kind)s") % {"kind": kind.singular},
        "further": [(kind.plural, reverse("worlds:kind", args=[world.pk, slug]))],
    }
    status = 422 if form.is_bound and form.errors else 200
    return world_page(request, person, world, "elements", "worlds/element.html", context, status=status)


@require_safe
def mentions(request: HttpRequest, world_id: str, slug: str, key: str) -> HttpResponse:
    """What refers to an element; its page fetches this when the part is opened."""
    person, world = open_world(request, world_id)
    kind = element_kind(slug)
    stored_element(world, kind, key)
    context = {
        "kind": kind,
        "key": key,
        "mentions": mentions_of(world, kind, key),
        "title": title_of(world, kind, key),
        "further": [(kind.plural, reverse("worlds:kind", args=[world.pk, kind.slug]))],
    }
    return world_page(request, person, world, "elements", "worlds/mentions.html", context, "list")


@require_POST
def delete_element(request: HttpRequest, world_id: str, slug: str, key: str) -> HttpResponse:
    """Move one element to the world's trash; the notice offers the way back."""
    person, world = open_world(request, world_id, "edit")
    kind = element_kind(slug)
    title = title_of(world, kind, key)
    change_id = actions.delete_element(actor=person, world=world, kind=kind, key=key)
    undo = reverse("worlds:undo", args=[world.pk, change_id])
    text = _("“%(name)s” is in the trash of this world for 30 days.") % {"name": title}
    say_saved(request, world, text, undo)
    return see_other(reverse("worlds:kind", args=[world.pk, slug]))


# --- the parts of these pages ---------------------------------------------------------------------------


def editor(
    request: HttpRequest,
    person: Person,
    world: World,
    kind: ElementKind,
    key: str,
    stored: Stored,
    form: Any,
    etag: str,
    *,
    view: str = "form",
) -> HttpResponse:
    """The page of one element: list on the left, `form` or source on the right."""
    context = {
        **list_context(request, world, kind, key),
        "form": form,
        "etag": etag,
        "view": view if form is not None else "source",
        "stored": stored,
        "reading": sentence_of(world, stored.value) if kind.name == "trigger" and stored.value else "",
        "problems": findings_at(findings_of(world), kind, key, stored.root),
        "title": title_of(world, kind, key),
        "further": [(kind.plural, reverse("worlds:kind", args=[world.pk, kind.slug]))],
    }
    status = 422 if form is not None and form.is_bound and form.errors else 200
    return world_page(request, person, world, "elements", "worlds/element.html", context, status=status)


def conflict(
    request: HttpRequest, person: Person, world: World, kind: ElementKind, key: str, *, mine: Any, etag: str
) -> HttpResponse:
    """409: what was saved meanwhile, by whom, beside what was sent. Nothing is lost or overwritten."""
    stored = stored_element(world, kind, key)
    text = mine if isinstance(mine, str) else write_json(mine)
    value = _object(text)
    differences = value_diff(kind.model, stored.value, value) if kind.model and stored.value and value else []
    context = {
        **list_context(request, world, kind, key),
        "title": title_of(world, kind, key),
        "further": [(kind.plural, reverse("worlds:kind", args=[world.pk, kind.slug]))],
        "mine": text,
        "theirs": stored,
        "etag": etag,
        "saved": last_saved(world, stored.path, person, f"{kind.file}: {key}" if kind.file else ""),
        "differences": differences,
    }
    return world_page(request, person, world, "elements", "worlds/conflict.html", context, status=409)


def refused(form: Any, error: Refused, kind: ElementKind) -> None:
    """Show at a form what the world's reader does not take."""
    if not isinstance(form, DocumentForm):
        for finding in error.findings:
            form.add_error("text", said(finding))
        return
    file, _colon, key = error.where.partition(": ")
    place = key[: key.find("]") + 1]
    form.accept(error.findings, root=f"{file}: {place}." if kind.holds == "entries" else f"{file}: ")


def _form(request: HttpRequest, world: World, kind: ElementKind, key: str, stored: Stored) -> tuple[Any, str]:
    """The form of an element and the ETag it was seen with; no form for what cannot be read."""
    if kind.model is None:
        return PromptForm(initial={"text": stored.text}), stored.etag
    if stored.value is None:
        return None, stored.etag
    references = WorldReferences(world, (kind.name, key))
    mine = _object(request.POST.get("mine", ""))
    if mine is not None and request.method == "POST":
        return DocumentForm(kind.model, mine, references), request.POST.get("etag", stored.etag)
    more, etag = request.POST.get("more", ""), request.POST.get("etag", stored.etag)
    data = request.POST if more else None
    return DocumentForm(kind.model, stored.value, references, data=data, more=more), etag


def _new_form(request: HttpRequest, world: World, kind: ElementKind) -> Any:
    if kind.model is None:
        there = set(Element.objects.filter(world=world, kind="prompt").values_list("key", flat=True))
        keys = [f"{language}.{name}" for name in PLACEHOLDERS for language in SHIPPED_LANGUAGES]
        choices = [(key, prompt_title(key)) for key in keys if key not in there]
        return NewPromptForm(choices, request.POST or None)
    more = request.POST.get("more", "")
    data = request.POST if request.method == "POST" else None
    return DocumentForm(kind.model, {}, WorldReferences(world), data=data, more=more)


def _save(
    request: HttpRequest, person: Person, world: World, kind: ElementKind, key: str, stored: Stored
) -> HttpResponse:
    etag = request.POST.get("etag", "")
    form: Any
    if kind.model is None:
        form = PromptForm(request.POST)
    elif stored.value is None:
        return see_other(reverse("worlds:source", args=[world.pk, kind.slug, key]))
    else:
        references = WorldReferences(world, (kind.name, key))
        form = DocumentForm(kind.model, stored.value, references, data=request.POST)
    if not form.is_valid():
        return editor(request, person, world, kind, key, stored, form, etag)
    value = form.cleaned_data["text"] if kind.model is None else form.value()
    try:
        new_key, _etag = actions.save_element(
            actor=person, world=world, kind=kind, key=key, value=value, etag=etag
        )
    except Refused as error:
        refused(form, error, kind)
        return editor(request, person, world, kind, key, stored, form, etag)
    except DomainError as error:
        if error.kind != "precondition":
            raise
        return conflict(request, person, world, kind, key, mine=value, etag=str(error.values["etag"]))
    say_saved(request, world, _("Saved."))
    return see_other(reverse("worlds:element", args=[world.pk, kind.slug, new_key]))


def _broken(world: World, kind: ElementKind) -> bool:
    """Whether the list file of a kind is there and cannot be read."""
    if kind.holds != "entries":
        return False
    stored = stored_file(world, kind.file, kind.document)
    return bool(stored.text) and stored.value is None


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = read_json(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
