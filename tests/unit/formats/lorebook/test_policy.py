"""Stateless candidates: the recorded answers, reports of users, and the rules beside their neighbours."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.lorebook import parse
from formats.lorebook.evaluation import evaluate, holds
from formats.lorebook.key_match import read_plainly
from formats.lorebook.model import Entry, WorldBook
from formats.lorebook.patterns import PatternOutcome
from formats.lorebook.policy import (
    Candidates,
    compute_candidates,
    evaluate_entry,
    passes,
    rank_entries,
)
from tests.support.vectors import difference, vector_cases
from tests.unit.formats.lorebook.test_patterns import Engine

OPTIONS = {
    "text": "text",
    "caseSensitive": "case_sensitive",
    "matchWholeWords": "match_whole_words",
    "useGroupScoring": "use_group_scoring",
    "tokenBudget": "token_budget",
    "probabilityRolls": "probability_rolls",
    "groupRolls": "group_rolls",
    "tokenCosts": "token_costs",
    "vectorMatches": "vector_matches",
}


def spelled(options: dict[str, Any]) -> dict[str, Any]:
    """The contract's options in our spelling."""
    return {OPTIONS[name]: value for name, value in options.items()}


def book(*entries: dict[str, Any]) -> WorldBook:
    """A book of entries given by what matters; key `harbour` unless it says otherwise."""
    return parse({"entries": {str(i): {"uid": i, "key": ["harbour"], **e} for i, e in enumerate(entries)}})


def taken(candidates: Candidates) -> list[int | str]:
    return [candidate.entry.uid for candidate in candidates.accepted]


def reasons(candidates: Candidates) -> dict[int | str, str]:
    return {candidate.entry.uid: candidate.reason for candidate in candidates.rejected}


@pytest.mark.req("WB-6")
@pytest.mark.parametrize("case", vector_cases("evaluate"))
def test_the_recorded_verdicts(case: dict[str, Any]) -> None:
    defaults = case["defaults"]
    got = [
        evaluate_entry(
            entry,
            case["text"],
            case_sensitive=defaults["caseSensitive"],
            match_whole_words=defaults["matchWholeWords"],
            vector_matched=defaults["vectorMatched"],
        ).to_json()
        for entry in parse(case["input"]).entries
    ]
    assert difference(case["results"], got) == ""


@pytest.mark.req("WB-6")
@pytest.mark.parametrize("case", vector_cases("candidates"))
def test_the_recorded_candidates(case: dict[str, Any]) -> None:
    model = parse(case["input"])
    expected = {name: case[name] for name in ("accepted", "rejected", "budget")}
    for given_as in (model, list(model.entries)):
        assert difference(expected, compute_candidates(given_as, **spelled(case["options"])).to_json()) == ""


@pytest.mark.parametrize("logic", ["and_any", "not_all", "not_any", "and_all"])
@pytest.mark.parametrize("matched", [0, 1, 2])
def test_st_2009_the_truth_table_with_chinese_keys(logic: str, matched: int) -> None:
    expected = {
        "and_any": matched >= 1,
        "not_all": matched < 2,
        "not_any": matched == 0,
        "and_all": matched == 2,
    }
    entry = book({"key": ["港口"], "keysecondary": ["灯塔", "潮汐"], "selectiveLogic": logic}).entries[0]
    text = "我们抵达了港口。" + "".join(("灯塔", "潮汐")[:matched])
    verdict = evaluate_entry(entry, text, match_whole_words=True)
    assert verdict.eligible is expected[logic]
    assert verdict.reason == f"secondary-{logic}-{'match' if expected[logic] else 'miss'}"


@pytest.mark.parametrize("logic", [0, 1, 2, 3])
def test_without_secondary_keys_or_selective_the_logic_says_nothing(logic: int) -> None:
    without = {"selectiveLogic": logic}
    unselective = {"selectiveLogic": logic, "selective": False, "keysecondary": ["fog"]}
    for entry in book(without, unselective).entries:
        for text in ("harbour", "harbour in fog"):
            assert evaluate_entry(entry, text).reason == "primary-key-match"


@given(
    st.sampled_from(["and_any", "not_all", "not_any", "and_all"]),
    st.lists(st.sampled_from("yn?"), min_size=1),
)
def test_an_unknown_key_decides_nothing_that_it_could_change(logic: Any, answers: list[str]) -> None:
    total, yes, unknown = len(answers), answers.count("y"), answers.count("?")
    possible = {holds(logic, yes + more, total) for more in range(unknown + 1)}
    got = holds(logic, yes, total, unknown)
    assert got == (possible.pop() if len(possible) == 1 else None)


def test_a_pattern_not_run_is_neither_hit_nor_miss() -> None:
    primary, negated, open_ = book(
        {"key": ["/harbour/"]},
        {"keysecondary": ["/fog/"], "selectiveLogic": "not_any"},
        {"keysecondary": ["/fog/", "tide"]},
    ).entries
    verdicts = [evaluate_entry(entry, "harbour tide") for entry in (primary, negated, open_)]
    assert [verdict.reason for verdict in verdicts] == [
        "primary-pattern-not-run",
        "secondary-pattern-not-run",
        "secondary-and_any-match",
    ]
    assert verdicts[0].to_json()["notRun"] == [{"key": "/harbour/", "reason": "no-engine"}]
    assert [match.key for match in verdicts[2].not_run] == ["/fog/"]


def test_all_patterns_of_a_book_are_one_request() -> None:
    model = book(
        {"key": ["/h/", "x"]},
        {"keysecondary": ["/f/"]},
        {"key": ["/h/"]},
        {"key": ["/off/"], "disable": True},
    )
    engine = Engine(h=PatternOutcome("ran", ((0, 1),)), f=PatternOutcome("ran", (None,)))
    got = compute_candidates(model, text="harbour", run_patterns=engine)
    assert taken(got) == [0, 2]
    assert engine.asked == [(["f", "h"], ["harbour"])]


def test_each_key_tells_where_it_hits() -> None:
    entry = book({"key": ["harbour", "quay", "İzmir"], "keysecondary": ["fog"]}).entries[0]
    verdict = evaluate_entry(entry, "in İZMİR, fog over the Harbour")
    assert [(match.key, match.span) for match in verdict.primary] == [
        ("harbour", (23, 30)),
        ("quay", None),
        ("İzmir", None),
    ]
    assert verdict.secondary[0].span == (10, 13)


# Reports of users (facts 5.1) that concern one step; what needs several steps is in the simulator's tests.


def test_st_2375_a_comma_stays_in_a_pattern() -> None:
    model = book({"key": ["/Test[,]/"]})
    engine = Engine(**{"Test[,]": PatternOutcome("ran", ((0, 5),))})
    assert model.entries[0].keys == ("/Test[,]/",)
    assert taken(compute_candidates(model, text="Test, one", run_patterns=engine)) == [0]


def test_st_1247_one_of_four_by_the_roll() -> None:
    model = book(*({"group": "portal", "groupWeight": 25, "order": 100} for _ in range(4)))
    got = compute_candidates(model, text="harbour", group_rolls={"portal": 0.30})
    assert taken(got) == [1]
    assert reasons(got) == {
        0: "inclusion-group-loser",
        2: "inclusion-group-loser",
        3: "inclusion-group-loser",
    }


def test_st_2771_a_winner_that_fails_its_roll_leaves_nobody() -> None:
    model = book({"group": "g", "probability": 40, "order": 200}, {"group": "g"})
    got = compute_candidates(model, text="harbour", probability_rolls={0: 0.5})
    assert taken(got) == []
    assert reasons(got) == {0: "probability-failed", 1: "inclusion-group-loser"}


def test_st_5748_the_prioritised_member_wins_over_the_constant_one() -> None:
    model = book({"group": "g", "constant": True, "order": 900}, {"group": "g", "groupOverride": True})
    assert taken(compute_candidates(model, text="harbour")) == [1]


def test_sb_684_a_group_removes_its_members_and_nobody_else() -> None:
    a, b, c = ({"group": name} for name in ("g1,g2", "g1", "g2"))
    model = book(a, {**b, "groupOverride": True}, {**c, "groupOverride": True}, {})
    assert taken(compute_candidates(model, text="harbour")) == [1, 2, 3]


def test_st_4353_tokens_of_an_entry_that_ignores_the_budget_do_not_count() -> None:
    model = book({"ignoreBudget": True, "order": 200}, {"order": 100})
    got = compute_candidates(model, text="harbour", token_budget=10, token_costs={0: 500, 1: 10})
    assert taken(got) == [0, 1]
    assert got.to_json()["budget"] == {"limit": 10, "used": 10, "remaining": 0}


def test_me_433_what_the_budget_cuts_is_named() -> None:
    model = book({"order": 3}, {"order": 2}, {"order": 1})
    got = compute_candidates(model, text="harbour", token_budget=10, token_costs={"0": 6, "1": 5, "2": 4})
    assert taken(got) == [0, 2]
    assert reasons(got) == {1: "budget-exceeded"}


@pytest.mark.parametrize(
    ("row", "probability", "roll", "goes_in"),
    [
        ("SB PR #684: 0 % never fires, not on an exact 0", 0, 0, False),
        ("Risu PR #138: 10 % and .05", 10, 0.05, True),
        ("10 % and .10", 10, 0.10, False),
        ("100 % always", 100, 1, True),
        ("less than 0", -3, 0, False),
    ],
)
def test_chance(row: str, probability: float, roll: float, goes_in: bool) -> None:
    assert passes(probability, roll) is goes_in, row


@given(st.floats(0, 100), st.floats(0, 1))
def test_a_lower_roll_is_never_worse(probability: float, roll: float) -> None:
    if passes(probability, roll):
        assert passes(probability, roll / 2)


def test_glaze_16_a_key_that_is_no_text_ends_nothing() -> None:
    model = parse({"entries": [{"id": 0, "keys": [5, "harbour"], "enabled": True, "content": "x"}]})
    assert taken(compute_candidates(model, text="harbour")) == [0]


def test_hoplight_10_equal_uids_have_separate_verdicts() -> None:
    model = parse({"entries": {"a": {"uid": 0, "key": ["fog"]}, "b": {"uid": "0", "key": ["harbour"]}}})
    got = compute_candidates(model, text="harbour")
    assert [candidate.key for candidate in got.accepted] == ["b@1"]
    assert [candidate.key for candidate in got.rejected] == ["a@0"]


def test_me_2279_a_book_alone_wakes_nothing_by_its_own_text() -> None:
    model = book({"content": "the lighthouse"}, {"key": ["lighthouse"]})
    assert taken(compute_candidates(model, text="harbour")) == [0]


def test_st_355_key_macros_are_not_expanded_here() -> None:
    model = book({"key": ["{{char}}"]})
    assert taken(compute_candidates(model, text="Mira speaks")) == []
    assert taken(compute_candidates(model, text="{{char}} speaks")) == [0]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("ST #2319", "taking several members of a group: no field of any format says it"),
        ("ST #2338, #3288", "richer boolean logic: no field of any format says it"),
        ("ST PR #2193, #4384", "scripts of a front end over lore: never run by us"),
        (
            "ST #5193, #5353, #4430, #2189",
            "state conditions, agents, joiners, folders, depth classes: wishes",
        ),
    ],
)
def test_wishes_are_left_raw_and_named(row: str, why: str) -> None:
    """What such a field would be called is unknown: it stays in the entry and changes no verdict."""
    model = book({"x_wish": {"row": row, "why": why}})
    assert model.entries[0].source.raw["x_wish"] == {"row": row, "why": why}
    assert taken(compute_candidates(model, text="harbour")) == [0]


# Rules, for any book.

words = st.sampled_from(["harbour", "fog", "港口", "İz", "x", " ", "", "/fog/", "/x"])
tristate = st.sampled_from([None, True, False])
an_entry = st.fixed_dictionaries(
    {"key": st.lists(words, max_size=3), "keysecondary": st.lists(words, max_size=2)},
    optional={
        "caseSensitive": tristate,
        "matchWholeWords": tristate,
        "useGroupScoring": tristate,
        "selectiveLogic": st.integers(0, 3),
        "constant": st.booleans(),
        "vectorized": st.booleans(),
        "disable": st.booleans(),
        "group": st.sampled_from(["", "a", "b", "a, b", ","]),
        "groupOverride": st.booleans(),
        "groupWeight": st.sampled_from([0, 1, 50, 100]),
        "order": st.integers(0, 3),
        "probability": st.sampled_from([0, 50, 100]),
        "ignoreBudget": st.booleans(),
    },
)
books = st.lists(an_entry, max_size=8).map(lambda entries: book(*entries))
texts = st.lists(words, max_size=6).map(" ".join)


@given(books, texts, st.booleans(), st.booleans(), st.floats(0, 1), st.sampled_from([None, 0, 1, 5, 20]))
@settings(max_examples=200)
def test_candidates_for_any_book(
    model: WorldBook, text: str, case: bool, words_only: bool, roll: float, budget: int | None
) -> None:
    choices: dict[str, Any] = {
        "case_sensitive": case,
        "match_whole_words": words_only,
        "vector_matches": {0: True},
    }
    got = compute_candidates(
        model,
        text=text,
        token_budget=budget,
        probability_rolls={entry.uid: roll for entry in model.entries},
        group_rolls={"a": roll, "b": 1 - roll},
        **choices,
    )
    keys = [candidate.key for candidate in (*got.accepted, *got.rejected)]
    assert sorted(keys) == sorted(entry.candidate_key for entry in model.entries)
    assert [one.entry for one in got.accepted] == rank_entries(one.entry for one in got.accepted)
    for name in ("a", "b"):
        assert sum(name in one.entry.group.names for one in got.accepted) <= 1
    if budget is not None:
        assert got.budget.used <= budget
    plainly = {entry.candidate_key: _plainly(entry, text, case, words_only) for entry in model.entries}
    for one in (*got.accepted, *got.rejected):
        assert one.evaluation == plainly[one.key]


def _plainly(entry: Entry, text: str, case: bool, words_only: bool) -> Any:
    """The verdict with each key searched by itself: the oracle of the index."""
    reading = read_plainly(text, (*entry.keys, *entry.secondary_keys), None)
    return evaluate(
        entry, reading, case_sensitive=case, whole_words=words_only, vector_matched=entry.uid == 0
    )
