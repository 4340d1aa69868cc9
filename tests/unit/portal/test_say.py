"""Templates of findings and refusals in the reader's language (D40)."""

from __future__ import annotations

import gettext as catalogues
from collections.abc import Iterator

import pytest
from django.utils import translation
from django.utils.translation import trans_real

from formats.errors import DomainError
from formats.finding import Finding
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
