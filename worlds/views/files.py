"""Files: the native files of a world, read only, with what each is; and the source of a whole file."""

from __future__ import annotations

import os
from codecs import getincrementaldecoder
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from formats.errors import DomainError
from portal.say import said
from worlds import actions
from worlds.access import standing_of
from worlds.actions import Refused
from worlds.downloads import file_response
from worlds.file_words import meaning_of
from worlds.forms import SourceForm
from worlds.index import files_below
from worlds.overview import address_of
from worlds.queries import folder_of
from worlds.rules.paths import document_of, is_image_path
from worlds.store.listing import no_such_file
from worlds.stored import stored_file
from worlds.versions import last_saved
from worlds.views.frame import findings_of, needed, open_world, say_saved, see_other, world_page

SHOWN_BYTES = 512 * 1024


@require_safe
def files(request: HttpRequest, world_id: str) -> HttpResponse:
    """The tree of files. Whoever may only read sees no import records (D38)."""
    person, world = open_world(request, world_id)
    folder = folder_of(world)
    records = folder.paths(".import") if standing_of(person, world) != "read" else []
    sizes = {path: entry.stat(follow_symlinks=False).st_size for path, entry in files_below(folder.path, "")}
    context = {
        "groups": _grouped(folder.paths(), sizes),
        "records": [(path, folder.size(path), meaning_of(path)) for path in records],
        "foreign": folder.foreign_files(),
    }
    return world_page(request, person, world, "files", "worlds/files.html", context)


@require_safe
def file(request: HttpRequest, world_id: str, path: str) -> HttpResponseBase:
    """One file: text is shown, anything else can be saved; `?download` saves it in any case."""
    person, world = open_world(request, world_id)
    if path.startswith(".") and (standing_of(person, world) == "read" or not path.startswith(".import/")):
        raise no_such_file(path[:200])
    opened, name = folder_of(world).open(path), path.rpartition("/")[2]
    if "download" in request.GET:
        return file_response(request, opened, name)
    with opened:
        head, size = opened.read(SHOWN_BYTES + 1), opened.seek(0, os.SEEK_END)
    context = {
        "title": name,
        "further": [(_("Files"), reverse("worlds:files", args=[world.pk]))],
        "path": path,
        "size": size,
        "meaning": meaning_of(path),
        "text": _text(head),
        "picture": path.removeprefix("images/") if is_image_path(path) else "",
        "address": address_of(world, path),
        "cut": len(head) > SHOWN_BYTES,
    }
    return world_page(request, person, world, "files", "worlds/file.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def source_file(request: HttpRequest, world_id: str, path: str) -> HttpResponse:
    """A whole document as text: the way to mend one that cannot be read."""
    person, world = open_world(request, world_id, needed(request))
    name = document_of(path)
    if name is None:
        raise no_such_file(path[:200])
    stored = stored_file(world, path, name[0])
    form = SourceForm(request.POST or None, initial={"text": stored.text})
    etag = request.POST.get("etag", stored.etag)
    theirs, saved = "", None
    if request.method == "POST" and form.is_valid():
        try:
            actions.save_file(actor=person, world=world, path=path, text=form.cleaned_data["text"], etag=etag)
        except Refused as error:
            for finding in error.findings:
                form.add_error("text", said(finding))
        except DomainError as error:
            if error.kind != "precondition":
                raise
            etag, theirs = str(error.values["etag"]), stored.text
            saved = last_saved(world, path, person)
        else:
            say_saved(request, world, _("Saved."))
            return see_other(reverse("worlds:source_file", args=[world.pk, path]))
    context: dict[str, Any] = {
        "title": path,
        "further": [(_("Files"), reverse("worlds:files", args=[world.pk]))],
        "path": path,
        "form": form,
        "etag": etag,
        "theirs": theirs,
        "saved": saved,
        "problems": [f for f in findings_of(world) if f.where == path or f.where.startswith(f"{path}: ")],
    }
    status = 409 if saved else 422 if form.is_bound and form.errors else 200
    return world_page(request, person, world, "files", "worlds/source_file.html", context, status=status)


def _grouped(paths: list[str], sizes: Mapping[str, int]) -> list[tuple[str, list[tuple[str, int, str]]]]:
    """Files by their folder, the world's own first: path, bytes, what it is."""
    groups: dict[str, list[tuple[str, int, str]]] = {"": []}
    for path in paths:
        top = path.rpartition("/")[0]
        groups.setdefault(top, []).append((path, sizes.get(path, 0), meaning_of(path)))
    return list(groups.items())


def _text(data: bytes) -> str | None:
    """The beginning of a file as text; None when it is none."""
    try:
        # Of a file that is cut, the last character may be cut too.
        return getincrementaldecoder("utf-8")().decode(data[:SHOWN_BYTES], len(data) <= SHOWN_BYTES)
    except UnicodeDecodeError:
        return None
