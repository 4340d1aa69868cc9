"""`/lore/<id>/test/`: what the book brings up at a piece of story, while it is typed (`portal.md` 3.8)."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from lorebooks.access import lorebooks_for
from lorebooks.kept_models import book_model
from lorebooks.models import Lorebook
from lorebooks.pipeline.trial import Trial
from lorebooks.pipeline.trial_address import LONGEST_SHARED, packed, unpacked
from lorebooks.trial_form import TrialForm
from lorebooks.trial_result import MOST_ROWS, TrialResult
from lorebooks.trials import one_at_a_time, run_for
from lorebooks.views.cases import case_of
from lorebooks.views.frame import lorebook_page, open_lorebook
from portal.models import Person

MOST_OFFERED = 30
ALL_ROWS = 5000


@require_http_methods(["GET", "HEAD", "POST"])
def tester(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """The form and what comes of it; a live request gets the result alone, or the entries outside alone.

    A test is sent in the body, because a text may be longer than an address, and writes nothing. An address
    with `t` opens a test that somebody shared, one with `case` a kept one.
    """
    person, lorebook = open_lorebook(request, lorebook_id)
    case = case_of(lorebook, request.GET["case"]) if "case" in request.GET else None
    trial = case.trial if case else unpacked(request.GET.get("t", ""))
    asked = [*trial.books, *request.POST.getlist("books")]
    further = further_books(person, lorebook, asked)
    posted = request.POST if request.method == "POST" else None
    form = TrialForm(posted, trial, book_model(lorebook).settings, further)
    if form.is_bound and form.is_valid():
        form.trial = form.made()
    failed = form.is_bound and bool(form.errors)
    result = None if failed else _result(request, person, lorebook, form.trial)
    address = packed(form.trial)
    shared = f"{reverse('lorebooks:tester', args=[lorebook.pk])}?t={address}"
    context = {
        "title": _("Match tester"),
        "form": form,
        "result": result,
        "packed": address,
        "shared": request.build_absolute_uri(shared) if len(address) <= LONGEST_SHARED else "",
        "case_name": case.name if case else "",
    }
    partial = "outs" if request.headers.get("HX-Target") == "outs" else "result"
    status = 422 if failed else 200
    return lorebook_page(
        request, person, lorebook, "test", "lorebooks/tester.html", context, partial, status=status
    )


def _result(request: HttpRequest, person: Person, lorebook: Lorebook, trial: Trial) -> TrialResult:
    rows = ALL_ROWS if request.POST.get("rows") == "all" else MOST_ROWS
    with one_at_a_time(person):
        run = run_for(person, lorebook, trial)
    return TrialResult(run, rows, request.POST.get("find", "")[:100])


def further_books(person: Person, lorebook: Lorebook, chosen: Sequence[str]) -> list[Lorebook]:
    """The books that are offered beside this one: those chosen, and those used last."""
    others = lorebooks_for(person).exclude(pk=lorebook.pk).order_by("-used_at", "pk")
    found = {book.pk: book for book in others.filter(pk__in=chosen[:MOST_OFFERED])}
    found |= {book.pk: book for book in others[:MOST_OFFERED]}
    return list(found.values())
