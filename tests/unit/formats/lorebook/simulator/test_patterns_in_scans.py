"""Patterns: what is asked of the engine, what its answers mean, and what an open answer leaves open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

from formats.lorebook.patterns import Pattern, PatternOutcome
from formats.lorebook.simulator import Scene, SceneMessage, Sources, name_macros, pattern_reading
from tests.support.scans import book_of, came_in, code_of, entry, scan, story


class Engine:
    """A small engine for tests: it runs patterns of our own, and remembers what it was asked."""

    def __init__(self, **stopped: Any) -> None:
        self.calls: list[tuple[list[str], str]] = []
        self.stopped = stopped

    def __call__(self, patterns: Sequence[Pattern], texts: Sequence[str]) -> list[PatternOutcome]:
        [text] = texts
        self.calls.append(([one.source for one in patterns], text))
        return [self._one(one, text) for one in patterns]

    def _one(self, pattern: Pattern, text: str) -> PatternOutcome:
        if pattern.source in self.stopped:
            return PatternOutcome("not-run", reason=self.stopped[pattern.source])
        try:
            found = re.search(pattern.source, text, re.IGNORECASE if "i" in pattern.flags else 0)
        except re.error:
            return PatternOutcome("not-compiling")
        return PatternOutcome("ran", (found.span() if found else None,))


def test_text_is_joined_newest_first_each_part_behind_its_mark() -> None:
    engine = Engine()
    scene = Scene(
        messages=(SceneMessage("old"), SceneMessage(" new ", name="Lina")), sources=Sources(scenario="dusk")
    )
    book = book_of(
        entry(1, "/fog/"),
        entry(2, "/rain/", match_sources={"scenario": True}),
        entry(3, constant=True, content="told"),
        entry(4, "/sun/", scan_depth=1),
    )
    scan(book, scene, run_patterns=engine)
    assert engine.calls == [
        (["fog"], "\x01Lina:  new\n\x01old"),
        (["rain"], "\x01Lina:  new\n\x01old\n\x01dusk"),
        (["sun"], "\x01Lina:  new"),
        (["fog"], "\x01Lina:  new\n\x01old\n\x01told"),
        (["rain"], "\x01Lina:  new\n\x01old\n\x01dusk\n\x01told"),
        (["sun"], "\x01Lina:  new\n\x01told"),
    ]


def test_hit_of_a_pattern_names_its_message_and_offset() -> None:
    scene = Scene(messages=(SceneMessage("the HARBOUR road"), SceneMessage("fog", name="Lina")))
    activation = scan(book_of(entry(1, "/harb.ur/i")), scene, run_patterns=Engine())
    [hit] = activation.verdict("b", "1@0").hits
    assert (hit.key, hit.where, hit.index, hit.offset, hit.length) == ("/harb.ur/i", "message", 0, 4, 7)


def test_pattern_may_reach_over_messages_and_wakes_by_other_entries() -> None:
    book = book_of(entry(1, r"/sun\n\x01rain/", "guard"), entry(2, "/gu(a)rd/"))
    activation = scan(book, story("rain", "sun"), run_patterns=Engine())
    assert came_in(activation) == [1, 2]
    [hit] = activation.verdict("b", "2@0").hits
    assert (hit.where, hit.name, hit.offset) == ("entry", "1@0", 0)


def test_patterns_know_no_case_and_no_word_settings() -> None:
    book = book_of(entry(1, "/arb/", match_whole_words=True), entry(2, "/HARB/", case_sensitive=False))
    assert came_in(scan(book, "harbour", run_patterns=Engine())) == [1]


def test_pattern_that_does_not_compile_is_plain_text() -> None:
    book = book_of(entry(1, "/(/g"), entry(2, "/(/i"))
    assert came_in(scan(book, "type /(/g here", run_patterns=Engine())) == [1]


def test_macros_are_filled_before_a_key_is_judged() -> None:
    book = book_of(entry(1, "/{{char}} waves/"))
    engine = Engine()
    scene = story("Lina waves", expand=name_macros("Ana", "Lina"))
    assert came_in(scan(book, scene, run_patterns=engine)) == [1]
    assert engine.calls[0][0] == ["Lina waves"]


@pytest.mark.parametrize("reason", ["no-engine", "too-long", "too-slow", "scan-too-slow", "stopped"])
def test_open_answer_is_told_with_its_reason(reason: str) -> None:
    engine = None if reason == "no-engine" else Engine(fog=reason)
    activation = scan(book_of(entry(1, "/fog/|rain")), "fog", run_patterns=engine)
    verdict = activation.verdict("b", "1@0")
    assert (verdict.outcome, verdict.code) == ("not-run", f"not-run-{reason}")
    assert "/fog/" in verdict.said.text
    assert came_in(scan(book_of(entry(1, "/fog/|rain")), "rain", run_patterns=engine)) == [1]


@pytest.mark.parametrize(("logic", "text", "outcome"), [
    ("and_any", "sun", "in"), ("and_any", "", "not-run"),
    ("and_all", "", "out"), ("and_all", "sun", "not-run"),
    ("not_any", "sun", "out"), ("not_any", "", "not-run"),
    ("not_all", "", "in"), ("not_all", "sun", "not-run"),
])  # fmt: skip
def test_second_keys_decide_where_both_answers_would_give_the_same(
    logic: str, text: str, outcome: str
) -> None:
    book = book_of(entry(1, "rain", second="/fog/|sun", selective_logic=logic))
    assert scan(book, f"rain {text}").verdict("b", "1@0").outcome == outcome


def test_key_lines_are_left_open_too() -> None:
    book = book_of(
        entry(1, "rain", "@@exclude_keys /fog/\nbody"), entry(2, "rain", "@@additional_keys /fog/\nbody")
    )
    assert [verdict.outcome for verdict in scan(book, "rain").verdicts] == ["not-run", "not-run"]


def test_engine_is_not_asked_for_entries_that_need_no_keys_nor_twice_for_one_text() -> None:
    engine = Engine()
    book = book_of(
        entry(1, "/fog/", constant=True, recursion={"prevent": True}),
        entry(2, "/rain/", enabled=False),
        entry(3, "/rain/", recursion={"delay_until": 1}),
        entry(4, "/fog/", scan_depth=0),
    )
    scan(book, "sun", run_patterns=engine)
    assert engine.calls == []


@pytest.mark.parametrize(("most", "calls", "code"), [(20_000_000, 100, ""), (60_000, 6, "scan-too-slow")])
def test_chain_of_entries_gives_the_engine_only_so_much(
    monkeypatch: pytest.MonkeyPatch, most: int, calls: int, code: str
) -> None:
    monkeypatch.setattr(pattern_reading, "MOST_LETTERS", most)
    engine = Engine()
    links = [entry(n, f"k{n}", f"k{n + 1}") for n in range(99)]
    activation = scan(book_of(*links, entry("p", "/fog/"), entry("q", "/k99/")), "k0", run_patterns=engine)
    assert len(engine.calls) >= calls
    if code:
        assert (code_of(activation, "p"), code_of(activation, "q")) == (f"not-run-{code}",) * 2
        assert len(engine.calls) == calls
    else:
        assert came_in(activation)[-1] == "q"
