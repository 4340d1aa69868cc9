"""Who gets what at every address. `test_access_matrix.py` refuses an address that has no row here.

A row is `Row(route, method, cells, fill)`. `route` is written as in the urls files, from the root. `cells`
are five words for anonymous · owner · other · reader · host: Ana owns the thing, Cyd is the other, Ben may
read it, Hal is the host. A word is a status, `ok` (2xx, or a redirect that does not lead to the sign-in page)
or `in` (led to the sign-in page). `fill` makes what the address names and returns its parts; it runs before
each request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from portal.invitations import make_invitation
from portal.models import Job
from tests.support.people import People

Fill = Callable[[People], Mapping[str, Any]]
ROLES = ("anonymous", "owner", "other", "reader", "host")


def nothing(people: People) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Row:
    """One address and method, and what each of the five gets."""

    route: str
    method: str
    cells: str
    fill: Fill = nothing
    data: Mapping[str, Any] = field(default_factory=dict)


PUBLIC = "ok ok ok ok ok"
PEOPLE = "in ok ok ok ok"
HOST = "in 404 404 404 ok"


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
    Row("setup/", "GET", "404 404 404 404 404"),  # there are accounts already
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
JOBS: list[Row] = [
    Row("jobs/", "GET", PEOPLE),
    Row("jobs/pill/", "GET", PEOPLE),
    Row("jobs/<slug:job_id>/", "GET", "in ok 404 404 404", anas_job),
    Row("jobs/<slug:job_id>/stop/", "POST", "in ok 404 404 404", anas_job),
    Row("jobs/<slug:job_id>/retry/", "POST", "in 409 404 404 404", anas_job),
    Row("healthz", "GET", PUBLIC),
]
WORLDS: list[Row] = []
IMPORTER: list[Row] = []
ROWS = [*PORTAL, *JOBS, *WORLDS, *IMPORTER]
