"""What users of other programs reported about taking books in and out, each report with the right outcome."""

from __future__ import annotations

import json
from typing import Any

import pytest

from formats.card import read_card
from formats.lorebook import (
    LorebookError,
    WorldBook,
    download_character_book,
    download_sillytavern,
    export_character_book,
    export_sillytavern,
    parse,
    read_book,
    read_book_value,
    validate,
)
from lorebooks.pipeline.books import content_hash, hash_of_entry
from tests.support.reports import Check, Reports, missing

REPORTS = Reports()
TO_CARDS = (export_character_book, lambda model: download_character_book(model).value)
TO_FILES = (export_sillytavern, lambda model: download_sillytavern(model).value)


def both_ways(model: WorldBook) -> list[WorldBook]:
    """The book after it was written in one form and then in the other, by exports and by downloads."""
    ways = [(first, second) for first in TO_CARDS for second in TO_FILES]
    there = [parse(second(parse(first(model)))) for first, second in ways]
    return there + [parse(first(parse(second(model)))) for first, second in ways]


def book_of(*entries: dict[str, Any], **fields: Any) -> WorldBook:
    keyed = {str(uid): {"uid": uid, "key": ["fog"], **entry} for uid, entry in enumerate(entries)}
    return read_book_value({"entries": keyed, **fields}).model


@REPORTS.add("ST #5777")
def a_book_for_a_card_has_the_shape_of_the_specification() -> None:
    for write in TO_CARDS:
        written = write(book_of({"content": "x"}))
        assert isinstance(written["entries"], list)
        assert written["extensions"] == {}
        assert written["entries"][0]["keys"] == ["fog"]
        assert "key" not in download_character_book(book_of({})).value["entries"][0]


@REPORTS.add("ST #1294")
def logic_of_second_keys_survives_both_ways() -> None:
    logics = ("and_any", "not_all", "not_any", "and_all")
    model = book_of(*({"keysecondary": ["sea"], "selectiveLogic": number} for number in range(4)))
    for again in (model, *both_ways(model)):
        assert tuple(entry.selective_logic for entry in again.entries) == logics


@REPORTS.add("ST #4021")
def a_failure_says_what_and_where() -> None:
    verdict = validate({"entries": {"0": {}, "one two": "fog"}})
    [error] = [one for one in verdict.diagnostics if one.severity == "error"]
    assert (verdict.valid, error.code, error.where) == (False, "invalid-entry", '$.entries["one two"]')
    for data, code in ((b"{", "bad-json"), (b"[1]", "not-a-lorebook"), (b"", "empty-file")):
        with pytest.raises(LorebookError) as refused:
            read_book(data)
        assert refused.value.message.endswith(".")
        assert refused.value.diagnostics
        assert refused.value.code == code


@REPORTS.add("ST #2361")
def a_changed_file_gives_the_new_text() -> None:
    for text in ("The fog is old.", "The fog is new."):
        data = json.dumps({"entries": {"0": {"uid": 0, "key": ["fog"], "content": text}}}).encode()
        assert [entry.content for entry in read_book(data, "fog.json").model.entries] == [text]


@REPORTS.add("SrJuggernaut/character-tools #19", "SrJuggernaut/character-tools #31")
def entries_of_a_cards_book_may_be_a_map() -> None:
    entry = {"keys": ["fog"], "content": "x", "enabled": True, "insertion_order": 3}
    for entries in ({"0": entry}, [entry]):
        book = {"name": "Fog", "entries": entries, "extensions": {}}
        data = {"name": "Lina", "first_mes": "Hello.", "character_book": book}
        card = read_card(
            json.dumps({"spec": "chara_card_v3", "spec_version": "3.0", "data": data}).encode()
        ).card
        assert [one["keys"] for one in card.entries] == [["fog"]]
        [read] = read_book_value(book).model.entries
        assert (read.keys, read.insertion_order) == (("fog",), 3)


@REPORTS.add("SrJuggernaut/character-tools #36")
def no_book_is_no_fault() -> None:
    data = {"name": "Lina", "first_mes": "Hello.", "character_book": None}
    read = read_card(json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": data}).encode())
    assert list(read.card.entries) == []
    assert not [finding for finding in read.findings if finding.severity == "error"]


@REPORTS.add("patcireamo/ChungusHub PR #9", "patcireamo/ChungusHub #5")
def both_spellings_of_recursion_flags_are_read_and_the_targets_is_written() -> None:
    flags = {"excludeRecursion": "exclude_recursion", "preventRecursion": "prevent_recursion"}
    card = {"keys": ["fog"], "content": "x", "enabled": True, "insertion_order": 1}
    for spelled in (dict.fromkeys(flags, True), dict.fromkeys(flags.values(), True)):
        values: list[dict[str, Any]] = [
            {"entries": {"0": {"uid": 0, "key": ["fog"], "content": "x", **spelled}}},
            {"entries": {"0": {"uid": 0, "key": ["fog"], "extensions": spelled}}},
            {"entries": [{**card, "extensions": spelled}], "extensions": {}},
            {"entries": [{**card, **spelled}], "extensions": {}},
        ]
        for value in values:
            model = read_book_value(value).model
            assert (model.entries[0].recursion.exclude, model.entries[0].recursion.prevent) == (True, True)
            written = download_sillytavern(model).value["entries"]["0"]
            assert {name for name in (*flags, *flags.values()) if name in written} == set(flags)
            extensions = download_character_book(model).value["entries"][0]["extensions"]
            assert {name for name in (*flags, *flags.values()) if name in extensions} == set(flags.values())


@REPORTS.add("patcireamo/ChungusHub #46", "amiantos/writers-guild #37", "ME #1551")
def the_same_book_has_the_same_content_hash() -> None:
    def hash_of(model: WorldBook) -> str:
        return content_hash(model.settings, map(hash_of_entry, model.entries))

    model = book_of({"content": "x", "order": 3}, {"content": "y"}, name="Fog")
    assert {hash_of(again) for again in both_ways(model)} == {hash_of(model)}
    assert hash_of(book_of({"content": "x", "order": 3}, {"content": "y"}, name="Mist")) == hash_of(model)
    assert hash_of(book_of({"content": "x", "order": 4}, {"content": "y"}, name="Fog")) != hash_of(model)


@REPORTS.add("ME #2971")
def names_and_timing_come_back() -> None:
    model = book_of({"comment": "The old pier", "sticky": 3, "cooldown": 2, "delay": 5}, name="Fog")
    for again in (model, *both_ways(model)):
        [entry] = again.entries
        effects = entry.effects
        assert (again.name, entry.comment) == ("Fog", "The old pier")
        assert (effects.sticky, effects.cooldown, effects.delay) == (3, 2, 5)


@REPORTS.add("ME PR #577")
def what_the_book_says_wins_over_defaults() -> None:
    model = book_of({}, scan_depth=7, token_budget=90, recursive_scanning=False)
    for again in (model, *both_ways(model)):
        said = again.settings
        assert (said.scan_depth, said.token_budget, said.recursive_scanning) == (7, 90, False)


@REPORTS.add("rmusser01/tldw_chatbook PR #701")
def one_bad_entry_does_not_sink_the_book() -> None:
    good = {"keys": ["fog"], "content": "x", "enabled": True}
    read = read_book_value({"entries": [good, "nothing", None, {**good, "content": 7}], "extensions": {}})
    assert [entry.content for entry in read.model.entries] == ["x", "7"]
    assert {"entry-unreadable", "entry-empty"} <= {finding.code for finding in read.findings}


@REPORTS.add("eleckoi/ElecKoi #3")
def scan_depths_of_book_and_entry_come_in() -> None:
    for name in ("scanDepth", "scan_depth"):
        model = book_of({name: 5}, {}, **{name: 4})
        assert ([entry.scan_depth for entry in model.entries], model.settings.scan_depth) == ([5, None], 4)


@pytest.mark.req("WB-5")
@pytest.mark.parametrize("check", REPORTS.cases)
def test_each_report_holds(check: Check) -> None:
    check()


WITH_AN_OUTCOME = """
    ST #5777
    ST #1294
    ST #4021
    ST #2361
    SrJuggernaut/character-tools #19
    SrJuggernaut/character-tools #31
    SrJuggernaut/character-tools #36
    patcireamo/ChungusHub PR #9
    patcireamo/ChungusHub #5
    patcireamo/ChungusHub #46
    amiantos/writers-guild #37
    ME #1551
    ME #2971
    ME PR #577
    rmusser01/tldw_chatbook PR #701
"""


def test_every_report_with_a_right_outcome_has_its_case() -> None:
    assert missing(WITH_AN_OUTCOME, REPORTS.cases) == []
