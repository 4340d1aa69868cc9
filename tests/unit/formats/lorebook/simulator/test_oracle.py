"""The simulator against a slow one that is plainly written: every key over every text, in each step.

The oracle shares no code with the simulator but the rule of one key in one text. It knows no groups, rolls,
timed effects or budgets, which have tests of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.lorebook.literal import find_literal
from formats.lorebook.model import LOGICS, Entry, WorldBook
from formats.lorebook.simulator import Scene, SceneMessage, Sources
from tests.support.scans import book_of, entry, scan

LETTERS = "aAbİßKk港口σΣς é\U0001f600_"
words = st.text(LETTERS, min_size=1, max_size=3)
texts = st.lists(words, max_size=5).map(" ".join)
maybe = st.none() | st.booleans()


@dataclass
class Oracle:
    """One scan of one book, step by step."""

    book: WorldBook
    scene: Scene
    least: int
    skew: int = 0
    level: float = 0
    woken_texts: list[str] = field(default_factory=list)
    accepted: list[Entry] = field(default_factory=list)

    def steps(self) -> Iterator[list[str]]:
        waiting = sorted({float(one.recursion.delay_until) for one in self.book.entries} - {0.0})
        self.level = waiting.pop(0) if waiting else 0
        kind = "messages"
        while kind:
            new = [one for one in self.in_order() if self.wakes(one, kind)]
            self.accepted += new
            yield [one.candidate_key for one in new]
            fed = [one.content for one in new if not one.recursion.prevent]
            if fed or (kind == "deeper" and self.woken_texts):
                kind = "recursion"
            elif len(self.accepted) < self.least and 2 + self.skew < len(self.scene.messages):
                kind, self.skew = "deeper", self.skew + 1
            elif waiting:
                kind, self.level = "recursion", waiting.pop(0)
            else:
                kind = ""
            self.woken_texts += fed

    def in_order(self) -> list[Entry]:
        left = [one for one in self.book.entries if one not in self.accepted]
        return sorted(left, key=lambda one: -one.insertion_order)

    def wakes(self, one: Entry, kind: str) -> bool:
        level = float(one.recursion.delay_until)
        if level and (kind != "recursion" or level > self.level):
            return False
        if kind == "recursion" and one.recursion.exclude:
            return False
        if one.constant:
            return True
        if not self.has_any(one, one.keys, kind):
            return False
        found = sum(self.has_any(one, (key,), kind) for key in one.secondary_keys)
        total = len(one.secondary_keys)
        enough = {
            "and_any": found >= 1,
            "not_all": found < total,
            "not_any": found == 0,
            "and_all": found == total,
        }
        return not total or enough[one.selective_logic]

    def has_any(self, one: Entry, keys: tuple[str, ...], kind: str) -> bool:
        depth = 2 + self.skew if one.scan_depth is None else int(one.scan_depth)
        read = [message.text for message in self.scene.messages[::-1][:depth]]
        if depth and one.match_sources.scenario:
            read.append(self.scene.sources.scenario)
        if depth and kind != "deeper":
            read += self.woken_texts
        whole = True if one.match_whole_words is None else one.match_whole_words
        case = bool(one.case_sensitive)
        return any(
            find_literal(text.strip(), key.strip(), case_sensitive=case, whole_words=whole) is not None
            for text in read
            for key in keys
        )


@st.composite
def entries(draw: st.DrawFn) -> tuple[Entry, ...]:
    def one(uid: int) -> Entry:
        fields: dict[str, Any] = {
            "second": "|".join(draw(st.lists(words.filter(str.strip), max_size=2))),
            "selective_logic": draw(st.sampled_from(LOGICS)),
            "constant": draw(st.integers(0, 9)) == 0,
            "insertion_order": draw(st.integers(0, 3)),
            "scan_depth": draw(st.sampled_from([None, None, None, 0, 1, 3])),
            "case_sensitive": draw(maybe),
            "match_whole_words": draw(maybe),
            "match_sources": {"scenario": draw(st.booleans())},
            "recursion": {
                "exclude": draw(st.integers(0, 3)) == 0,
                "prevent": draw(st.integers(0, 3)) == 0,
                "delay_until": draw(st.sampled_from([False, False, False, True, 2, 2.5])),
            },
        }
        keys = "|".join(draw(st.lists(words, max_size=3)))
        return entry(uid, keys, draw(words) + draw(texts), **fields)

    return tuple(one(uid) for uid in range(draw(st.integers(1, 8))))


@pytest.mark.req("WB-10")
@settings(max_examples=400)
@given(entries(), st.lists(texts, min_size=1, max_size=5), texts, st.sampled_from([0, 0, 3]))
def test_the_same_as_a_naive_scan(
    book: tuple[Entry, ...], told: list[str], scenario: str, least: int
) -> None:
    model = book_of(*book, scan_depth=2)
    scene = Scene(tuple(map(SceneMessage, told)), sources=Sources(scenario=scenario))
    activation = scan(model, scene, min_activations=least)
    found = [[key for _, key in step.came_in] for step in activation.steps]
    assert found == list(Oracle(model, scene, least).steps())


@settings(max_examples=100)
@given(entries(), st.lists(texts, min_size=1, max_size=5))
def test_every_entry_has_a_verdict_and_every_hit_is_where_it_says(
    book: tuple[Entry, ...], told: list[str]
) -> None:
    model = book_of(*book)
    activation = scan(model, Scene(tuple(map(SceneMessage, told))))
    by_key = {one.candidate_key: one for one in model.entries}
    assert [verdict.entry for verdict in activation.verdicts] == list(model.entries)
    assert [one for one in activation.verdicts if one.outcome == "in"] == sorted(
        activation.accepted, key=lambda verdict: verdict.entry.uid
    )
    for verdict in activation.verdicts:
        assert "{" not in verdict.said.text
        for hit in verdict.hits:
            text = told[hit.index] if hit.where == "message" else by_key[hit.name].content
            span = find_literal(
                text,
                hit.key,
                case_sensitive=bool(verdict.entry.case_sensitive),
                whole_words=verdict.entry.match_whole_words is not False,
            )
            assert span == (hit.offset, hit.offset + hit.length)
