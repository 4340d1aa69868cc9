"""Templates of findings and refusals in the reader's language (D40)."""

from __future__ import annotations

import gettext as catalogues
from collections.abc import Iterator

import pytest
from django.utils import translation
from django.utils.translation import trans_real

from formats.errors import DomainError
from formats.finding import Finding
from formats.messages import ngettext_noop
from portal.say import hinted, said

MESSAGE, HINT = "{count} entries of “{name}” are empty.", "Write {name}."


@pytest.fixture
def chinese(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A catalogue that knows the two templates, whatever the shipped one holds."""
    with translation.override("zh-hans"):
        known = {MESSAGE: "“{name}”有 {count} 个空条目。", HINT: "请写{name}。", "": "Project-Id-Version: x"}
        catalogue = catalogues.NullTranslations()
        monkeypatch.setattr(catalogue, "gettext", lambda text: known.get(text, text))
        monkeypatch.setattr(trans_real._active, "value", catalogue)  # type: ignore[attr-defined]
        yield


def test_a_finding_in_english() -> None:
    finding = Finding("info", "x", "", MESSAGE, HINT, {"count": 2, "name": "Fog"})
    assert said(finding) == "2 entries of “Fog” are empty."
    assert hinted(finding) == "Write Fog."


@pytest.mark.usefixtures("chinese")
def test_translated_before_it_is_filled() -> None:
    finding = Finding("info", "x", "", MESSAGE, HINT, {"count": 2, "name": "雾"})
    assert (said(finding), hinted(finding)) == ("“雾”有 2 个空条目。", "请写雾。")
    error = DomainError("invalid", "x", "", MESSAGE, "", {"count": 1, "name": "雾"})
    assert said(error) == "“雾”有 1 个空条目。"
    assert hinted(error) == "", "no hint is not the catalogue's header"


def test_values_are_never_templates() -> None:
    finding = Finding(
        "info", "x", "", "{name} {other}", args={"name": "{other} {0.__class__} %s", "other": "b"}
    )
    assert said(finding) == "{other} {0.__class__} %s b"


ONE, MANY = "{count} invented entry is empty.", "{count} invented entries are empty."


def test_one_thing_is_spoken_of_as_one() -> None:
    stored = ngettext_noop(ONE, MANY)
    assert stored == MANY, "the form that is stored does not depend on the count"
    told = [Finding("info", "x", "", stored, args={"count": count}) for count in (0, 1, 2)]
    spoken = ["0 invented entries are empty.", "1 invented entry is empty.", "2 invented entries are empty."]
    assert [said(finding) for finding in told] == spoken
    assert [finding.text for finding in told] == spoken
    assert said(Finding("info", "x", "", "{count} things", args={"count": 1})) == "1 things"
    assert (
        said(Finding("info", "x", "", stored, args={"count": "many"})) == "many invented entries are empty."
    )


def test_both_forms_have_one_place_in_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = ngettext_noop(ONE, MANY)
    with translation.override("zh-hans"):
        catalogue = catalogues.NullTranslations()
        known = {(ONE, MANY): "{count} 个虚构条目为空。"}
        monkeypatch.setattr(catalogue, "ngettext", lambda one, many, count: known[one, many])
        monkeypatch.setattr(trans_real._active, "value", catalogue)  # type: ignore[attr-defined]
        for count in (1, 2):
            assert (
                said(Finding("info", "x", "", stored, args={"count": count})) == f"{count} 个虚构条目为空。"
            )
