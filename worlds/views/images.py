"""Images: the grid, uploading, describing, using and removing, and the pictures themselves."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from portal.say import said
from worlds import actions
from worlds.data import data_folder
from worlds.downloads import file_response, harmless
from worlds.forms import AltForm, PicturesForm
from worlds.gallery import gallery_of
from worlds.models import Element, World
from worlds.queries import folder_of
from worlds.rules.paths import is_image_path
from worlds.store.etags import digest_of_file
from worlds.store.pictures import LARGEST, Added, Copy, Kept, Refused
from worlds.store.thumbnails import SIZES, ThumbnailCache
from worlds.views.frame import open_world, say_saved, see_other, world_page


@require_safe
def images(request: HttpRequest, world_id: str) -> HttpResponse:
    """Every picture of the world: what it shows, where it is from, who uses it."""
    person, world = open_world(request, world_id)
    context = {
        "pictures": gallery_of(world),
        "largest": LARGEST,
        "people": Element.objects.filter(world=world, kind="character").order_by("title_key"),
        "places": Element.objects.filter(world=world, kind="location").order_by("title_key"),
    }
    return world_page(request, person, world, "images", "worlds/images.html", context)


@require_POST
def upload(request: HttpRequest, world_id: str) -> HttpResponse:
    """Add pictures; each is told apart when it is a copy or cannot be kept."""
    person, world = open_world(request, world_id, "edit")
    form = PicturesForm(request.POST, request.FILES)
    files = request.FILES.getlist("pictures")
    if not form.is_valid() or not files:
        messages.error(request, _("No picture came with this. Choose one or more files first."))
        return _back(world)
    # Read one after the other, as the library asks. One byte more than it takes is enough for it to refuse.
    uploads = ((file.name or "", file.read(LARGEST + 1)) for file in files)
    results = actions.add_picture(actor=person, world=world, uploads=uploads)
    _tell(request, world, [file.name or "" for file in files], results)
    return _back(world)


@require_POST
def describe(request: HttpRequest, world_id: str) -> HttpResponse:
    """The words that stand for a picture."""
    person, world = open_world(request, world_id, "edit")
    form = AltForm(request.POST)
    if form.is_valid():
        file = request.POST.get("file", "")
        actions.describe_picture(actor=person, world=world, file=file, alt=form.cleaned_data["alt"])
        say_saved(request, world, _("Saved."))
    return _back(world)


@require_POST
def replace(request: HttpRequest, world_id: str) -> HttpResponse:
    """Another picture in the place of one."""
    person, world = open_world(request, world_id, "edit")
    file = request.FILES.get("new")
    if file is None:
        messages.error(request, _("No picture came with this. Choose one or more files first."))
        return _back(world)
    name, data = file.name or "", file.read(LARGEST + 1)
    added = actions.replace_picture(
        actor=person, world=world, file=request.POST.get("file", ""), name=name, data=data
    )
    _tell(request, world, [name], [added])
    return _back(world)


@require_POST
def remove(request: HttpRequest, world_id: str) -> HttpResponse:
    """To the world's trash; the notice offers the way back."""
    person, world = open_world(request, world_id, "edit")
    change_id = actions.remove_picture(actor=person, world=world, file=request.POST.get("file", ""))
    undo = reverse("worlds:undo", args=[world.pk, change_id])
    say_saved(request, world, _("The picture is in the trash of this world for 30 days."), undo)
    return _back(world)


@require_POST
def use(request: HttpRequest, world_id: str) -> HttpResponse:
    """Show a picture as cover, portrait or view; `as` is `world:`, `character:<id>` or `location:<id>`."""
    person, world = open_world(request, world_id, "edit")
    kind, _colon, key = request.POST.get("as", "").partition(":")
    actions.use_picture(actor=person, world=world, file=request.POST.get("file", ""), kind=kind, key=key)
    say_saved(request, world, _("The picture is shown there now."))
    return _back(world)


@require_safe
def picture(request: HttpRequest, world_id: str, path: str) -> HttpResponseBase:
    """A picture as it is. Untrusted bytes: nothing in them runs, only four known kinds are shown."""
    _person, world = open_world(request, world_id)
    file = f"images/{path}"
    if not is_image_path(file):
        raise Http404
    return file_response(request, folder_of(world).open(file), file.rpartition("/")[2], as_picture=True)


@require_safe
def small(request: HttpRequest, world_id: str, size: int, path: str) -> HttpResponse:
    """A small picture for pages, made in a process of its own; the picture itself where none can be made."""
    _person, world = open_world(request, world_id)
    file = f"images/{path}"
    if size not in SIZES or not is_image_path(file):
        raise Http404
    folder = folder_of(world)
    with folder.open(file) as opened:
        digest = digest_of_file(opened)
    made = ThumbnailCache(data_folder().root).get(digest, size, lambda: folder.open(file))
    etag = f'"{digest[:40]}-{size}"'
    if made is None:
        raise Http404
    return _conditional(request, harmless(HttpResponse(made, content_type="image/webp"), etag), etag)


def _conditional(request: HttpRequest, response: HttpResponse, etag: str) -> HttpResponse:
    answer = get_conditional_response(request, etag=etag, response=response)
    assert isinstance(answer, HttpResponse)
    return answer


def _tell(request: HttpRequest, world: World, names: list[str], results: list[Added]) -> None:
    kept = sum(isinstance(result, Kept) for result in results)
    if kept:
        text = ngettext("%(n)s picture was added.", "%(n)s pictures were added.", kept)
        say_saved(request, world, text % {"n": kept})
    for name, result in zip(names, results, strict=True):
        if isinstance(result, Refused):
            messages.error(request, _("%(file)s: %(why)s") % {"file": name, "why": said(result.finding)})
        elif isinstance(result, Copy):
            text = _("“%(file)s” is in this world already; it was not stored a second time.")
            messages.info(request, text % {"file": name})


def _back(world: World) -> HttpResponse:
    return see_other(reverse("worlds:images", args=[world.pk]))
