"""Who gets what at every address. `test_access_matrix.py` refuses an address that has no row here.

A row is `Row(route, method, cells, fill)`. `route` is written as in the urls files, from the root. `cells`
are five words for anonymous · owner · other · reader · host: Ana owns the thing, Cyd is the other, Ben may
read it, Hal is the host. A word is a status, `ok` (2xx, or a redirect that does not lead to the sign-in page)
or `in` (led to the sign-in page). `fill` makes what the address names and returns its parts; it runs before
each request.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lorebooks.actions import (
    delete_case,
    delete_entries,
    keep_version,
    save_case,
    trash_lorebook,
    upload_lorebook,
)
from lorebooks.actions.library import shelve
from lorebooks.models import Lorebook
from lorebooks.pipeline.book_file import BOOK_FILE, write_book
from lorebooks.pipeline.cases import Case
from lorebooks.pipeline.item_file import Item
from lorebooks.pipeline.trial import Trial
from lorebooks.shelves import folder_of as folder_of_book
from portal.invitations import make_invitation
from portal.models import Job
from tests.support.cards import english_card, png_card, v3
from tests.support.endpoints import an_endpoint
from tests.support.importing import imported, ready, started, uploaded, was_read
from tests.support.lorebooks import fog_book
from tests.support.people import People, share
from tests.support.preset_entry_routes import PRESET_ENTRIES
from tests.support.preset_routes import PRESETS
from tests.support.presets import as_file, harbour_preset
from tests.support.route_row import EDIT, HOST, OWN, PEOPLE, PUBLIC, READ, Row
from tests.support.trial_routes import TRIALS
from tests.support.worlds import rich_world
from worlds import actions
from worlds.authoring.rows import say
from worlds.kinds import element_kind
from worlds.models import World
from worlds.queries import folder_of, shelf_of
from worlds.store.paths import new_item_id


def an_invitation(people: People) -> Mapping[str, Any]:
    return {"token": make_invitation(actor=people.hal, note="")[1]}


def an_invitation_row(people: People) -> Mapping[str, Any]:
    return {"pk": make_invitation(actor=people.hal, note="")[0].pk}


def cyd(people: People) -> Mapping[str, Any]:
    return {"handle": people.cyd.handle}


def anas_job(people: People) -> Mapping[str, Any]:
    """A job of Ana's that can be stopped and, once failed, tried again."""
    job = Job.objects.create(owner=people.ana, kind="test", subject="a-world", title="Test")
    return {"job_id": job.pk}


PORTAL = [
    Row("setup/", "GET", "ok ok ok ok ok"),  # there are accounts already: it leads home
    Row("welcome/", "GET", HOST),
    Row("invite/<str:token>/", "GET", PUBLIC, an_invitation),
    Row("language/", "POST", PUBLIC, data={"language": "en"}),
    Row("settings/look/", "GET", PEOPLE),
    Row("settings/account/", "GET", PEOPLE),
    Row("manage/people/", "GET", HOST),
    Row("manage/people/", "POST", HOST, data={"note": "x"}),
    Row("manage/people/<slug:handle>/disable/", "POST", HOST, cyd),
    Row("manage/people/<slug:handle>/enable/", "POST", HOST, cyd),
    Row("manage/people/<slug:handle>/password/", "POST", HOST, cyd),
    Row("manage/invitations/<int:pk>/revoke/", "POST", HOST, an_invitation_row),
    Row("manage/site/", "GET", HOST),
    Row("help/", "GET", PUBLIC),
    Row("styleguide/", "GET", HOST),
    Row("signin/", "GET", PUBLIC),
    Row("signup/", "GET", PUBLIC),
    Row("signout/", "GET", "in ok ok ok ok"),
    Row("signout/", "POST", "in in in in in"),
    Row("signin/inactive/", "GET", PUBLIC),
    Row("signin/again/", "GET", PEOPLE),
    Row("password/change/", "GET", PEOPLE),
    Row("password/set/", "GET", PEOPLE),
    Row("password/reset/", "GET", PUBLIC),
    Row("password/reset/sent/", "GET", PUBLIC),
    Row("password/reset/done/", "GET", PUBLIC),
    Row(
        "password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/",
        "GET",
        PUBLIC,
        lambda people: {"uidb36": "1", "key": "wrong"},
    ),
    Row("settings/second-factor/", "GET", PEOPLE),
    Row("settings/second-factor/authenticate/", "GET", "in ok ok ok ok"),
    Row("settings/second-factor/reauthenticate/", "GET", PEOPLE),
    Row("settings/second-factor/totp/activate/", "GET", PEOPLE),
    Row("settings/second-factor/totp/deactivate/", "GET", "in 404 404 404 404"),
    Row("settings/second-factor/recovery-codes/", "GET", "in 404 404 404 404"),
    Row("settings/second-factor/recovery-codes/generate/", "GET", PEOPLE),
    Row("settings/second-factor/recovery-codes/download/", "GET", "in 404 404 404 404"),
    Row("settings/sessions/", "GET", PEOPLE),
]


def an_own_endpoint(people: People) -> Mapping[str, Any]:
    """A model endpoint of Ana's."""
    return {"endpoint_id": an_endpoint(people.ana).pk}


def an_open_endpoint(people: People) -> Mapping[str, Any]:
    """A model endpoint of the host's that everyone may use."""
    return {"endpoint_id": an_endpoint(people.hal, everyone=True).pk}


OWN_MODEL = "in ok 404 404 404"
MODELS: list[Row] = [
    Row("settings/models/", "GET", PEOPLE),
    Row("settings/models/use/", "POST", PEOPLE),
    Row("settings/models/new/", "GET", PEOPLE),
    Row("settings/models/new/", "POST", "in 422 422 422 422"),  # without a service
    Row("settings/models/<slug:endpoint_id>/", "GET", OWN_MODEL, an_own_endpoint),
    Row("settings/models/<slug:endpoint_id>/", "POST", "in 422 404 404 404", an_own_endpoint),
    Row("settings/models/<slug:endpoint_id>/test/", "POST", OWN_MODEL, an_own_endpoint),
    Row("settings/models/<slug:endpoint_id>/delete/", "POST", OWN_MODEL, an_own_endpoint),
    Row("settings/usage/", "GET", PEOPLE),
    Row("settings/usage/table/", "GET", PEOPLE),
    Row("manage/usage/", "GET", HOST),
    Row("manage/models/", "GET", HOST),
    Row("manage/models/", "POST", HOST),
    Row("manage/models/<slug:endpoint_id>/close/", "POST", HOST, an_open_endpoint),
]
JOBS: list[Row] = [
    Row("jobs/", "GET", PEOPLE),
    Row("jobs/pill/", "GET", PEOPLE),
    Row("jobs/<slug:job_id>/", "GET", "in ok 404 404 404", anas_job),
    Row("jobs/<slug:job_id>/stop/", "POST", "in ok 404 404 404", anas_job),
    Row("jobs/<slug:job_id>/retry/", "POST", "in 409 404 404 404", anas_job),
    Row("healthz", "GET", PUBLIC),
]


def a_world(people: People) -> dict[str, Any]:
    """Ana's rich world, shared with Ben for reading, with one deleted document in its history."""
    world_id = new_item_id("harbour")
    shelf_of(people.ana).create(world_id, rich_world())
    world = actions.index_world(owner=people.ana, world_id=world_id)
    assert world is not None
    share(people.ben, "world", world_id, "read")
    change_id = actions.delete_element(
        actor=people.ana, world=world, kind=element_kind("plotlines"), key="寻船"
    )
    path = folder_of(world).paths("lore")[0]
    key = path.removeprefix("lore/").removesuffix(".json")
    return {
        "world_id": world_id,
        "slug": "lore",
        "key": key,
        "change_id": change_id,
        "section": "about",
        "number": 0,
        "act": "first",
        "size": 256,
    }


def a_picture(people: People) -> Mapping[str, Any]:
    return {**a_world(people), "path": "library/map.gif"}


def a_file(people: People) -> Mapping[str, Any]:
    return {**a_world(people), "path": "variables.json"}


def a_trashed_world(people: People) -> Mapping[str, Any]:
    world_id = a_world(people)["world_id"]
    return {"entry_id": shelf_of(people.ana).to_trash(world_id)}


def a_conversation(people: People) -> dict[str, Any]:
    """Something said about Ana's world."""
    parts = a_world(people)
    world = World.objects.get(pk=parts["world_id"])
    held = say(actor=people.ana, world=world, text="/check", title=world.name)
    return {**parts, "conversation_id": held.pk}


W, E = "w/<str:world_id>/", "w/<str:world_id>/elements/<str:slug>/"
WORLDS: list[Row] = [
    Row("", "GET", PEOPLE),
    Row("new/", "GET", PEOPLE),
    Row("new/", "POST", PEOPLE, data={"name": "Saltmarsh", "language": "en"}),
    Row("trash/", "GET", PEOPLE),
    Row("trash/empty/", "POST", PEOPLE),
    Row("trash/<str:entry_id>/restore/", "POST", "in ok 404 404 404", a_trashed_world),
    Row(W, "GET", READ, a_world),
    Row(f"{W}row/", "GET", READ, a_world),
    Row(f"{W}chat/<str:conversation_id>/", "GET", EDIT, a_conversation),
    Row(f"{W}edit/<slug:section>/", "GET", EDIT, a_world),
    Row(f"{W}edit/<slug:section>/", "POST", EDIT, a_world, data={"name": "Harbour"}),
    Row(f"{W}openings/<int:number>/<slug:act>/", "POST", "in 412 404 403 404", a_world, data={"text": "?"}),
    Row(f"{W}rename/", "POST", EDIT, a_world, data={"name": "Harbour"}),
    Row(f"{W}duplicate/", "GET", READ, a_world),
    Row(f"{W}duplicate/", "POST", READ, a_world, data={"name": "Harbour"}),
    Row(f"{W}export/", "GET", READ, a_world),
    Row(f"{W}export/zip/", "GET", READ, a_world),
    Row(f"{W}trash/", "POST", EDIT, a_world),
    Row(f"{W}elements/", "GET", READ, a_world),
    Row(E, "GET", READ, a_world),
    Row(f"{W}new/<str:slug>/", "GET", EDIT, a_world),
    Row(f"{E}<str:key>/", "GET", READ, a_world),
    Row(
        f"{E}<str:key>/", "POST", "in 409 404 403 404", a_world, data={"title": "x", "etag": f'"{64 * "0"}"'}
    ),
    Row(f"{E}<str:key>/source/", "GET", READ, a_world),
    Row(f"{E}<str:key>/source/", "POST", "in 422 404 403 404", a_world, data={"text": "x", "etag": "any"}),
    Row(f"{E}<str:key>/mentions/", "GET", READ, a_world),
    Row(f"{E}<str:key>/delete/", "POST", EDIT, a_world),
    Row(f"{W}images/", "GET", READ, a_world),
    Row(f"{W}images/upload/", "POST", EDIT, a_world),
    Row(f"{W}images/describe/", "POST", EDIT, a_world, data={"file": "images/library/map.gif", "alt": "Map"}),
    Row(f"{W}images/replace/", "POST", EDIT, a_world),
    Row(f"{W}images/remove/", "POST", EDIT, a_world, data={"file": "images/library/map.gif"}),
    Row(f"{W}images/use/", "POST", EDIT, a_world, data={"file": "images/library/map.gif", "as": "world:"}),
    Row(f"{W}images/file/<path:path>", "GET", READ, a_picture),
    Row(f"{W}images/small/<int:size>/<path:path>", "GET", READ, a_picture),
    Row(f"{W}files/", "GET", READ, a_world),
    Row(f"{W}files/<path:path>", "GET", READ, a_file),
    Row(f"{W}source/<path:path>", "GET", READ, a_file),
    Row(f"{W}source/<path:path>", "POST", "in 422 404 403 404", a_file, data={"text": "x", "etag": "any"}),
    Row(f"{W}history/", "GET", READ, a_world),
    Row(
        f"{W}history/compare/<path:path>",
        "GET",
        READ,
        lambda p: {**a_world(p), "path": "plotlines/寻船.json"},
    ),
    Row(f"{W}history/<str:change_id>/", "GET", READ, a_world),
    Row(f"{W}history/<str:change_id>/restore/", "POST", EDIT, a_world, data={"path": "plotlines/寻船.json"}),
    Row(f"{W}history/<str:change_id>/undo/", "POST", EDIT, a_world),
]


def an_upload(people: People) -> dict[str, Any]:
    """A card of Ana's that waits for its choices."""
    return {"import_id": ready(people.ana, png_card(english_card()), "mira.png").pk}


def an_import(people: People) -> dict[str, Any]:
    """A world of Ana's whose import is finished; Ben may read it, and sees no import all the same (D38)."""
    world = imported(people.ana, english_card())
    share(people.ben, "world", world.pk, "read")
    return {"import_id": world.pk}


def a_running_import(people: People) -> dict[str, Any]:
    """A world of Ana's whose import has not begun, with the job that will do it."""
    return {"import_id": started(ready(people.ana, english_card())).pk}


def an_interrupted_import(people: People) -> dict[str, Any]:
    """The same after its job was stopped."""
    found = a_running_import(people)
    Job.objects.filter(subject=found["import_id"]).update(state=Job.State.STOPPED)
    return found


def a_draft(people: People) -> dict[str, Any]:
    """A draft of Ana's without an opening; Ben may read it."""
    world = imported(people.ana, v3(first_mes="", alternate_greetings=[]))
    share(people.ben, "world", world.pk, "read")
    return {"world_id": world.pk}


def a_preset_among_cards(people: People) -> Mapping[str, Any]:
    """A preset of Ana's that was dropped where cards come."""
    return {"import_id": was_read(uploaded(people.ana, as_file(harbour_preset()), "harbour.json")).pk}


ONE, R = "import/<str:import_id>/", "w/<str:world_id>/repair/"
API = "roleplay-api/worlds/import"
IMPORTER: list[Row] = [
    # Without the id that names an import there is none; `test_api.py` asks with ids.
    Row(API, "GET", "401 404 404 404 404"),
    Row(API, "POST", "401 422 422 422 422"),
    Row(f"{API}/start", "POST", "401 422 422 422 422"),
    Row(f"{API}/structure", "POST", "401 404 404 404 404"),
    Row(f"{API}/resume", "POST", "401 404 404 404 404"),
    Row(f"{API}/draft", "GET", "401 404 404 404 404"),
    Row("import/", "GET", PEOPLE),
    Row("import/", "POST", "in 422 422 422 422"),  # without a file
    Row("import/waiting/", "GET", PEOPLE),
    Row("import/waiting/start/", "POST", PEOPLE),
    Row("import/sample/<slug:language>/", "POST", PEOPLE, lambda people: {"language": "en"}),
    Row(ONE, "GET", OWN, an_upload),
    Row(f"{ONE}choices/", "POST", OWN, an_upload, data={"name": "Harbour", "opening": "greeting:0"}),
    Row(f"{ONE}start/", "POST", OWN, an_upload),
    Row(f"{ONE}discard/", "POST", OWN, an_upload),
    Row(f"{ONE}original/", "GET", OWN, an_upload),
    Row(f"{ONE}original/", "GET", OWN, an_import),
    Row("import/waiting/discard/", "POST", PEOPLE),
    Row(f"{ONE}text/<str:text_id>/", "GET", OWN, lambda p: {**an_upload(p), "text_id": "description"}),
    Row(f"{ONE}picture/", "GET", OWN, an_upload),
    Row(f"{ONE}lorebook/", "POST", OWN, an_upload),
    Row(f"{ONE}lorebook/", "POST", OWN, an_import),
    Row(f"{ONE}preset/", "POST", OWN, a_preset_among_cards),
    Row(f"{ONE}run/", "GET", OWN, a_running_import),
    Row(f"{ONE}run/stop/", "POST", OWN, a_running_import),
    Row(f"{ONE}run/go-on/", "POST", OWN, an_interrupted_import),
    Row(f"{ONE}run/retry/", "POST", OWN, an_interrupted_import),
    Row(f"{ONE}run/model/", "POST", "in 404 404 404 404", an_interrupted_import),  # no such endpoint
    Row(f"{ONE}result/", "GET", OWN, an_import),
    Row(f"{ONE}result/pictures/", "GET", OWN, an_import),
    Row(f"{ONE}result/pictures/", "POST", OWN, an_import),
    Row(f"{ONE}report.json", "GET", OWN, an_import),
    Row(f"{ONE}report.csv", "GET", OWN, an_import),
    Row(R, "GET", EDIT, a_draft),
    Row(f"{R}mend/", "POST", "in 422 404 403 404", a_draft, data={"code": "x", "where": "y"}),
    Row(f"{R}keep/", "POST", EDIT, a_draft),
    Row(f"{R}discard/", "POST", EDIT, a_draft),
]


def a_book(people: People) -> dict[str, Any]:
    """A small lorebook of Ana's; Ben may read it."""
    made = shelve(people.ana, Item(name="Fog lore", language="en"), {BOOK_FILE: write_book(fog_book())})
    share(people.ben, "lorebook", made.pk, "read")
    return {"lorebook_id": made.pk, "form": "sillytavern"}


def a_trashed_book(people: People) -> Mapping[str, Any]:
    made = Lorebook.objects.get(pk=a_book(people)["lorebook_id"])
    return {"entry_id": trash_lorebook(actor=people.ana, lorebook=made)}


def a_waiting_book(people: People) -> Mapping[str, Any]:
    """A file of Ana's that says what a book of hers says already."""
    book = Lorebook.objects.get(pk=a_book(people)["lorebook_id"])
    data = folder_of_book(book).read(BOOK_FILE)
    return {"upload_id": upload_lorebook(actor=people.ana, data=data, filename="fog again.json").id}


def a_case(people: People) -> dict[str, Any]:
    """A book of Ana's with a test case that stays and one that was deleted."""
    found = a_book(people)
    book = Lorebook.objects.get(pk=found["lorebook_id"])
    for name in ("kept", "gone"):
        case = Case(id=name, name=name, trial=Trial(text="The mist."))
        save_case(actor=people.ana, lorebook=book, case=case)
    change_id = delete_case(actor=people.ana, lorebook=book, case_id="gone")
    number = keep_version(actor=people.ana, lorebook=book)
    return {**found, "case_id": "kept", "change_id": change_id, "number": number}


def an_entry(people: People) -> Mapping[str, Any]:
    """An entry of Ana's small book."""
    return {**a_book(people), "key": "0"}


def a_changed_book(people: People) -> Mapping[str, Any]:
    """The book after an entry of it was deleted."""
    found = a_book(people)
    made = Lorebook.objects.get(pk=found["lorebook_id"])
    return {**found, "change_id": delete_entries(actor=people.ana, lorebook=made, keys=["0"]).change_id}


def a_kept_book(people: People) -> Mapping[str, Any]:
    """The book with a version of it."""
    found = a_book(people)
    keep_version(actor=people.ana, lorebook=Lorebook.objects.get(pk=found["lorebook_id"]))
    return found


B, WAITS = "lore/<str:lorebook_id>/", "lore/import/waiting/<str:upload_id>/"
LOREBOOKS: list[Row] = [
    Row("lore/", "GET", PEOPLE),
    Row("lore/new/", "GET", PEOPLE),
    Row("lore/new/", "POST", PEOPLE, data={"name": "Fog lore", "language": "en"}),
    Row("lore/trash/", "GET", PEOPLE),
    Row("lore/trash/empty/", "POST", PEOPLE),
    Row("lore/trash/<str:entry_id>/restore/", "POST", OWN, a_trashed_book),
    Row("lore/import/", "POST", "in 422 422 422 422"),  # without a file
    Row("roleplay-api/lorebooks/import", "POST", "401 422 422 422 422"),
    Row(WAITS, "GET", OWN, a_waiting_book),
    Row(f"{WAITS}keep/", "POST", OWN, a_waiting_book),
    Row(f"{WAITS}discard/", "POST", "in ok ok ok ok", a_waiting_book),  # a stranger's file stays
    # Which book and which world stand in the form; `test_settings.py` asks with both.
    Row("lore/attach/", "POST", "in 404 404 404 404"),
    Row("lore/detach/", "POST", "in 404 404 404 404"),
    Row(B, "GET", READ, a_book),
    Row(f"{B}test/", "GET", READ, a_book),
    Row(f"{B}test/", "POST", READ, a_book, data={"text": "The mist."}),
    Row(f"{B}cases/", "GET", READ, a_case),
    Row(f"{B}cases/save/", "POST", EDIT, a_book, data={"t": "", "name": "Fog"}),
    Row(f"{B}cases/on/<int:number>/", "GET", READ, a_case),
    Row(f"{B}cases/back/<str:change_id>/", "POST", EDIT, a_case),
    Row(f"{B}cases/<str:case_id>/expect/", "POST", EDIT, a_case),
    Row(f"{B}cases/<str:case_id>/delete/", "POST", EDIT, a_case),
    Row(f"{B}report/", "GET", READ, a_book),
    Row(f"{B}report.json", "GET", READ, a_book),
    Row(f"{B}settings/", "GET", READ, a_book),
    Row(f"{B}settings/", "POST", "in 409 404 403 404", a_book, data={"name": "Fog", "etag": "old"}),
    Row(f"{B}share/", "POST", EDIT, a_book, data={"name": "cyd", "level": "read"}),
    Row(f"{B}unshare/", "POST", "in ok 404 ok 404", a_book, data={"person": "ben"}),
    Row(f"{B}duplicate/", "GET", READ, a_book),
    Row(f"{B}duplicate/", "POST", READ, a_book, data={"name": "Fog, again"}),
    Row(f"{B}export/", "GET", READ, a_book),
    Row(f"{B}export/<slug:form>/", "GET", READ, a_book),
    Row(f"{B}trash/", "POST", EDIT, a_book),
    Row(f"{B}bulk/", "POST", EDIT, a_book, data={"do": "off", "entry": "0"}),
    Row(f"{B}add/", "POST", EDIT, a_book),
    Row(f"{B}back/<str:change_id>/", "POST", EDIT, a_changed_book),
    Row(f"{B}sections/", "GET", READ, a_book),
    Row(f"{B}sections/", "POST", EDIT, a_book, data={"new": "Sea"}),
    Row(f"{B}entries/<str:key>/", "GET", READ, an_entry),
    Row(f"{B}entries/<str:key>/", "POST", "in 422 404 403 404", an_entry, data={"comment": "x"}),
    Row(f"{B}entries/<str:key>/told/", "GET", READ, an_entry),
    Row(f"{B}entries/<str:key>/source/", "GET", READ, an_entry),
    Row(f"{B}entries/<str:key>/source/", "POST", "in 422 404 403 404", an_entry, data={"text": "x"}),
    Row(f"{B}entries/<str:key>/settle/", "POST", EDIT, an_entry, data={"yours": "{}"}),
    Row(f"{B}entries/<str:key>/duplicate/", "POST", EDIT, an_entry),
    Row(f"{B}entries/<str:key>/delete/", "POST", EDIT, an_entry),
    Row(f"{B}versions/", "GET", READ, a_book),
    Row(f"{B}versions/keep/", "POST", EDIT, a_book, data={"note": "x"}),
    Row(f"{B}versions/compare/", "GET", READ, a_book),
    Row(f"{B}versions/restore/", "POST", EDIT, a_kept_book, data={"state": "1"}),
    Row(f"{B}versions/restore/<str:change_id>/", "POST", EDIT, a_changed_book),
]
ROWS = [*PORTAL, *MODELS, *JOBS, *WORLDS, *IMPORTER, *LOREBOOKS, *PRESETS, *PRESET_ENTRIES, *TRIALS]
