"""`/lore/<id>/cases/`: tests kept with the book, run when the page is opened, on the book or a version."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.crypto import get_random_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from formats.errors import DomainError
from lorebooks import actions, queries
from lorebooks.models import Lorebook
from lorebooks.pipeline.cases import Case, CaseResult, Difference
from lorebooks.pipeline.entry_facts import storable
from lorebooks.pipeline.trial import Trial
from lorebooks.pipeline.trial_address import unpacked
from lorebooks.trial_words import OUTCOMES, reason_words
from lorebooks.views.frame import lorebook_page, open_lorebook
from portal.models import Person
from worlds.views.frame import see_other

PER_PAGE = 20
MOST_SHOWN = 20
NAME_LENGTH = 60


@dataclass(frozen=True, slots=True)
class DifferenceTold:
    """An entry of which something else came: title, key in the book or empty, words before and now, why."""

    title: str
    key: str
    before: str
    now: str
    colour: str
    why: SafeString | str


@dataclass(frozen=True, slots=True)
class CaseTold:
    """A case with how it went."""

    case: Case
    result: CaseResult
    differences: list[DifferenceTold]
    more: int


@require_safe
def cases(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """The cases of the book, each run now; `version` runs them on a kept version."""
    person, lorebook = open_lorebook(request, lorebook_id)
    number = _version(request)
    page = Paginator(queries.cases_of(lorebook), PER_PAGE).get_page(request.GET.get("page"))
    told = [_told(result) for result in _run(person, lorebook, tuple(page.object_list), number)]
    context = {
        "title": _("Test cases"),
        "further": [(_("Match tester"), reverse("lorebooks:tester", args=[lorebook.pk]))],
        "page": page,
        "cases": told,
        "failed": sum(not one.result.passed for one in told),
        "number": number,
        "versions": queries.version_rows(lorebook),
    }
    return lorebook_page(request, person, lorebook, "test", "lorebooks/cases.html", context, "list")


@require_safe
def said(request: HttpRequest, lorebook_id: str, number: int) -> HttpResponse:
    """One line for the list of versions: how many cases a version breaks; while another test of the person
    runs, the link to ask once more."""
    person, lorebook = open_lorebook(request, lorebook_id)
    try:
        results = _run(person, lorebook, queries.cases_of(lorebook), number)
    except DomainError as refusal:
        if refusal.kind != "limited":
            raise
        again = {"lorebook": lorebook, "number": number, "again": True}
        return render(request, "lorebooks/cases_of_version.html", again, status=429)
    failed = sum(not result.passed for result in results)
    context = {"lorebook": lorebook, "number": number, "total": len(results), "failed": failed}
    return render(request, "lorebooks/cases_said.html", context)


@require_POST
def save(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """Keep the test in `t` as a case; what comes of it now is what will be expected."""
    person, lorebook = open_lorebook(request, lorebook_id, "edit")
    trial = unpacked(request.POST.get("t", ""))
    name = " ".join(request.POST.get("name", "").split())[:200] or _name_of(trial)
    case = Case(id=get_random_string(12).lower(), name=name, trial=trial)
    actions.save_case(actor=person, lorebook=lorebook, case=case)
    messages.success(request, _("“%(name)s” is kept as a test case.") % {"name": name})
    return see_other(reverse("lorebooks:cases", args=[lorebook.pk]))


@require_POST
def expect(request: HttpRequest, lorebook_id: str, case_id: str) -> HttpResponse:
    """What comes of a case now is right: expect it from now on."""
    person, lorebook = open_lorebook(request, lorebook_id, "edit")
    case = case_of(lorebook, case_id)
    actions.save_case(actor=person, lorebook=lorebook, case=case)
    messages.success(request, _("“%(name)s” expects this from now on.") % {"name": case.name})
    return see_other(reverse("lorebooks:cases", args=[lorebook.pk]))


@require_POST
def delete(request: HttpRequest, lorebook_id: str, case_id: str) -> HttpResponse:
    """Take a case away at once; the notice offers the way back."""
    person, lorebook = open_lorebook(request, lorebook_id, "edit")
    case = case_of(lorebook, case_id)
    change_id = actions.delete_case(actor=person, lorebook=lorebook, case_id=case_id)
    undo = reverse("lorebooks:put_back_cases", args=[lorebook.pk, change_id])
    text = _("The test case “%(name)s” is deleted.") % {"name": case.name}
    messages.success(request, text, extra_tags=f"undo:{undo}")
    return see_other(reverse("lorebooks:cases", args=[lorebook.pk]))


@require_POST
def put_back(request: HttpRequest, lorebook_id: str, change_id: str) -> HttpResponse:
    """Undo a deletion."""
    person, lorebook = open_lorebook(request, lorebook_id, "edit")
    actions.put_back_cases(actor=person, lorebook=lorebook, change_id=change_id)
    messages.success(request, _("The test case is back."))
    return see_other(reverse("lorebooks:cases", args=[lorebook.pk]))


def case_of(lorebook: Lorebook, case_id: str) -> Case:
    """One case. Raises Http404 for one that is not there any more."""
    for case in queries.cases_of(lorebook):
        if case.id == case_id:
            return case
    raise Http404


def _version(request: HttpRequest) -> int:
    text = request.GET.get("version", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _run(person: Person, lorebook: Lorebook, chosen: tuple[Case, ...], number: int) -> list[CaseResult]:
    if not chosen:
        return []
    model = queries.version_model(lorebook, number)
    return actions.run_cases(actor=person, lorebook=lorebook, cases=chosen, model=model)


def _told(result: CaseResult) -> CaseTold:
    shown = result.differences[:MOST_SHOWN]
    more = len(result.differences) - len(shown)
    return CaseTold(result.case, result, [_difference(one) for one in shown], more)


def _difference(one: Difference) -> DifferenceTold:
    word, colour = OUTCOMES[one.got]
    why = _("It is not in the book.") if one.reason is None else reason_words(one.reason)
    key = "" if one.reason is None else one.key
    title = storable(one.title)
    return DifferenceTold(title, key, str(OUTCOMES[one.expected][0]), str(word), colour, why)


def _name_of(trial: Trial) -> str:
    """What a case is called that nobody named: how its text begins."""
    words = " ".join(trial.text.split())
    if not words:
        return _("Without a text")
    return words if len(words) <= NAME_LENGTH else words[: NAME_LENGTH - 1] + "…"
