"""Translations are compiled as Django needs them; one that could not be shown is named by its text."""

from __future__ import annotations

import gettext
from pathlib import Path

import pytest

from tests.support.compiling import compiled, main
from tests.support.messages import CATALOGUE

HEAD = 'msgid ""\nmsgstr ""\n"Language: zh_Hans\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
ONE_FORM = '"Plural-Forms: nplurals=1; plural=0;\\n"\n\n'


def catalogue(folder: Path, *texts: str) -> Path:
    path = folder / "zh_Hans" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text(HEAD + ONE_FORM + "\n".join(texts), encoding="utf-8")
    return path


def plural(one: str, many: str, string: str) -> str:
    return f'msgid "{one}"\nmsgid_plural "{many}"\nmsgstr[0] "{string}"\n'


def single(text: str, string: str) -> str:
    return f'msgid "{text}"\nmsgstr "{string}"\n'


def test_chinese_may_fill_what_only_the_plural_fills(tmp_path: Path) -> None:
    source = catalogue(
        tmp_path, plural("One lamp in %(port)s", "%(n)s lamps in %(port)s", "%(port)s有%(n)s盏灯")
    )
    target = tmp_path / "django.mo"
    assert compiled(source, target) == []
    with target.open("rb") as file:
        words = gettext.GNUTranslations(file)
    said = words.ngettext("One lamp in %(port)s", "%(n)s lamps in %(port)s", 1)
    assert said % {"n": 1, "port": "雾港"} == "雾港有1盏灯"


@pytest.mark.parametrize(
    ("text", "name", "problem"),
    [
        (single("%(n)s lamps", "%(m)s盏灯"), "%(n)s lamps", "fills %(m)s"),
        (single("{n} lamps", "{m}盏灯"), "{n} lamps", "fills {m}"),
        (plural("A lamp", "%(n)s lamps", "%(x)s盏灯"), "A lamp", "fills %(x)s"),
        (single("%(n)s lamps", "%(n)s盏，50%灯"), "%(n)s lamps", "cannot be filled"),
        (single("%d lamps", "%d盏灯（%d）"), "%d lamps", "cannot be filled"),
        (single("%(n)s lamps", "%(n)盏灯"), "%(n)s lamps", "cannot be filled"),
    ],
)
def test_what_could_not_be_shown_is_named_and_nothing_is_written(
    text: str, name: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = catalogue(tmp_path, single("Lamp", "灯"), text)
    target = tmp_path / "django.mo"
    assert main(str(source), str(target)) == 1
    said = capsys.readouterr().err
    assert f"“{name}”" in said
    assert problem in said
    assert "“Lamp”" not in said
    assert not target.exists()


def test_the_catalogue_of_the_project_can_be_compiled(tmp_path: Path) -> None:
    assert compiled(CATALOGUE, tmp_path / "django.mo") == []
