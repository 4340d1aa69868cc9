"""Every text of code and templates is there in Chinese, with the same fields, and nothing else is."""

from __future__ import annotations

import re

import pytest
from babel.messages.catalog import Message

from tests.support.messages import (
    fields_of,
    gathered,
    key_of,
    main,
    marked_too_late,
    stored,
    strings_of,
    unknown_names,
)

# Words that stay as they are in Chinese: names of programs, formats and commands, and what is only marks.
LATIN = re.compile(r"[A-Za-z]{2,}")


def texts(catalogue: object) -> dict[tuple[str, tuple[str, ...]], Message]:
    return {key_of(message): message for message in catalogue if message.id}  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def wanted() -> dict[tuple[str, tuple[str, ...]], Message]:
    return texts(gathered())


@pytest.fixture(scope="module")
def kept() -> dict[tuple[str, tuple[str, ...]], Message]:
    return texts(stored())


Texts = dict[tuple[str, tuple[str, ...]], Message]


def test_gathering_finds_code_and_templates(wanted: Texts) -> None:
    assert ("", ("Move to trash",)) in wanted  # code
    assert ("", ("Sign in",)) in wanted  # a template
    assert ("", ("The picture has no end mark; it may be cut short.",)) in wanted  # a room without Django
    assert any(context for context, _forms in wanted)
    assert any(len(forms) == 2 for _context, forms in wanted)
    assert len(wanted) > 800


def test_no_module_hides_its_texts_behind_a_name_that_gathering_does_not_know() -> None:
    assert list(unknown_names()) == []


def test_templates_that_count_are_marked_when_their_module_is_read() -> None:
    assert list(marked_too_late()) == []


def test_every_text_is_translated(wanted: Texts, kept: Texts) -> None:
    waiting = [key for key in wanted if key not in kept or not all(strings_of(kept[key]))]
    assert waiting == [], "run `make messages` and translate what is empty"


def test_nothing_stale_or_uncertain_is_kept(wanted: Texts, kept: Texts) -> None:
    assert [key for key in kept if key not in wanted] == [], "run `make messages`"
    assert [key for key, message in kept.items() if message.fuzzy] == []


def test_a_translation_fills_the_same_fields(kept: Texts) -> None:
    differing = [
        (key, string)
        for key, message in kept.items()
        for string in strings_of(message)
        if string and fields_of(string) != fields_of(key[1][-1])
    ]
    assert differing == []


def test_percent_signs_are_written_as_in_the_text(kept: Texts) -> None:
    """A text with `%(fields)s` doubles its other percent signs, and so must the translation."""
    broken = [
        (key, string)
        for key, message in kept.items()
        for string in strings_of(message)
        if "%(" in key[1][-1] and "%" in re.sub(r"%\(\w+\)[sd]|%%", "", string)
    ]
    assert broken == []


def test_translations_are_chinese(kept: Texts) -> None:
    """A text left in English is a slip, unless it has no words but names, fields and code."""
    english = [
        key
        for key, message in kept.items()
        for string in strings_of(message)
        if string == key[1][-1] and len(LATIN.findall(re.sub(r"%\(\w+\)s|\{\w+\}", "", string))) > 2
    ]
    assert english == []


def test_chinese_marks_are_used(kept: Texts) -> None:
    """Full-width marks between Chinese characters, Chinese quotation marks, no spaces before marks."""
    han = "[\u4e00-\u9fff]"
    slips = re.compile(rf'{han}[,;:!?]|{han}\.(\s|$)|"{han}|{han}"|\s[，。；：！？、]|「|」')
    found = [
        string for message in kept.values() for string in strings_of(message) if slips.search(string or "")
    ]
    assert found == []


def test_bringing_the_catalogue_up_to_date_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """`make messages` after a clean checkout leaves no difference: the file is written in one way only."""
    from tests.support.messages import CATALOGUE

    before = CATALOGUE.read_bytes()
    try:
        main()
        assert CATALOGUE.read_bytes() == before
    finally:
        CATALOGUE.write_bytes(before)
    assert "0 wait" in capsys.readouterr().out
