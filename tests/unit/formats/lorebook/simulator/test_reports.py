"""What users of other programs reported about activation, each report with the right outcome.

`ROWS` and `REPORTS` name the report. One that asks for something we do not have is in `NOT_HERE`, with why.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

from formats.lorebook import download_sillytavern, read_book_value
from formats.lorebook.literal import find_literal
from formats.lorebook.model import Entry
from formats.lorebook.patterns import Pattern, PatternOutcome
from formats.lorebook.scan import LiteralIndex
from formats.lorebook.simulator import Book, Scene, SceneMessage, name_macros
from tests.support.reports import Check, Reports, missing
from tests.support.scans import book_of, came_in, code_of, entry, scan, story

REPORTS = Reports()


@dataclass(frozen=True)
class Row:
    """A report: the entries, the story, and who must come in, in order."""

    report: str
    entries: tuple[Entry, ...]
    text: str
    expected: list[Any]
    options: dict[str, Any]


def row(report: str, *entries: Entry, text: str = "harbour", expected: list[Any], **options: Any) -> Any:
    return pytest.param(Row(report, entries, text, expected, options), id=report)


PORTALS = [entry(n, "portal", group="portals", weight=25) for n in range(1, 5)]

ROWS = [
    row("ST #386: AI in ain't", entry(1, "AI"), text="I ain't from Maine", expected=[]),
    row("ST #2167: #hello", entry(1, "#hello"), text="it's #hello!", expected=[1]),
    row("ST PR #3663: whole words in Chinese", entry(1, "港口"), text="我们抵达了港口。", expected=[1]),
    row("AventurasTeam/Aventuras PR #347: hulk", entry(1, "hulk"), text="madhulkman", expected=[]),
    row(
        "ST #2009: NOT ANY with Chinese keys",
        entry(1, "港口", second="暴风雨|夜", selective_logic="not_any"),
        entry(2, "港口", second="船|夜", selective_logic="not_any"),
        entry(3, "港口", second="船|夜", selective_logic="not_all"),
        text="我们乘船抵达了港口。",
        expected=[1, 3],
    ),
    row(
        "ST #2213: a later word does not take a NOT ANY entry back",
        entry(1, "harbour", second="storm", selective_logic="not_any"),
        entry(2, "harbour", "a storm comes"),
        expected=[1, 2],
    ),
    row(
        "ST PR #2857: level 2 waits until level 1 yields nothing new",
        entry(1, "harbour", "guard"),
        entry(2, "guard", "postman", recursion={"delay_until": 2}),
        entry(3, "guard", "clock", recursion={"delay_until": True}),
        entry(4, "clock", "late"),
        expected=[1, 3, 4, 2],
    ),
    row(
        "ST #2622: one step is no recursion",
        entry(1, "harbour", "guard"),
        entry(2, "guard"),
        expected=[1],
        max_steps=1,
    ),
    row(
        "ST PR #2698: two steps are one of recursion",
        entry(1, "harbour", "guard"),
        entry(2, "guard", "clock"),
        entry(3, "clock"),
        expected=[1, 2],
        max_steps=2,
    ),
    row(
        "ST PR #1650: its text wakes nobody",
        entry(1, "harbour", "guard", recursion={"prevent": True}),
        entry(2, "guard"),
        expected=[1],
    ),
    row(
        "ST #1649: one member over all steps",
        entry(1, "harbour", "guard", group="watch"),
        entry(2, "guard", group="watch"),
        expected=[1],
    ),
    row(
        "ST #5748: in one step priority wins over a constant",
        entry(1, constant=True, group="watch", insertion_order=200),
        entry(2, "harbour", group="watch", override=True),
        expected=[2],
    ),
    row(
        "ST #5748: the first winner stays when a prioritised one comes later",
        entry(1, "harbour", "guard", group="watch"),
        entry(2, "guard", group="watch", override=True),
        expected=[1],
    ),
    row("ST #1247: roll .30 of four", *PORTALS, text="portal", expected=[2], group_rolls={"portals": 0.30}),
    row(
        "ST #2771: the winner fails its roll, nobody comes in",
        entry(1, "harbour", group="watch", weight=100, probability=10),
        entry(2, "harbour", group="watch", weight=0),
        expected=[],
        rolls={1: 0.5},
        group_rolls={"watch": 0.5},
    ),
    row(
        "ST #4353: tokens of one that ignores the budget do not count",
        entry(1, "harbour", "12345678", ignore_budget=True, insertion_order=200),
        entry(2, "harbour", "123456789"),
        expected=[1, 2],
        budget_tokens=10,
    ),
    row("ST #556: a depth of 0 reads nothing", entry(1, "harbour", scan_depth=0), expected=[]),
    row(
        "kwaroran/Risuai PR #138: 10 % and .05",
        entry(1, "harbour", probability=10),
        expected=[1],
        rolls={1: 0.05},
    ),
    row(
        "platberlitz/SillyBunny PR #684: 0 % and 0",
        entry(1, "harbour", probability=0),
        expected=[],
        rolls={1: 0},
    ),
    row("platberlitz/SillyBunny PR #684: blank keys", entry(1, " ||\t"), text="a b", expected=[]),
    row(
        "platberlitz/SillyBunny PR #684: a text that was cut wakes nobody",
        entry(1, "harbour", "guard " * 9, insertion_order=200),
        entry(2, "guard", "x", ignore_budget=True),
        expected=[],
        budget_tokens=10,
    ),
    row(
        "platberlitz/SillyBunny PR #684: the wrong victim of two groups",
        entry("A", "harbour", group="g1, g2"),
        entry("B", "harbour", group="g1", override=True),
        entry("C", "harbour", group="g2", override=True),
        entry("D", "harbour"),
        expected=["B", "C", "D"],
    ),
    row("hydall/Glaze PR #267: slashes", entry(1, "AC/DC"), text="they play AC/DC", expected=[1]),
    row("hydall/Glaze PR #267: a path", entry(1, "/home/user"), text="in /home/user now", expected=[1]),
    row("eleckoi/ElecKoi #3: depth of the entry", entry(1, "harbour", scan_depth=5), expected=[1]),
]


@pytest.mark.req("WB-10")
@pytest.mark.parametrize("case", ROWS)
def test_each_report_has_the_right_outcome(case: Row) -> None:
    activation = scan(book_of(*case.entries), case.text, **case.options)
    assert came_in(activation) == case.expected


@REPORTS.add("ST #2375")
def comma_in_a_pattern_stays_in_the_pattern() -> None:
    """A list, one text and the other spelling give the same keys, and an engine gets the whole pattern."""
    for keys in (["/Test[,]/", "fog"], "/Test[,]/, fog", "/Test[,]/，fog"):
        for name in ("keys", "key"):
            raw = {"entries": [{name: keys, "content": "x", "enabled": True}], "extensions": {}}
            model = read_book_value(raw).model
            assert model.entries[0].keys == ("/Test[,]/", "fog")
            key = model.entries[0].candidate_key
            assert scan(model, "A Test, here", run_patterns=ran).verdict("b", key).outcome == "in"
            assert scan(model, "A Test; here", run_patterns=ran).verdict("b", key).outcome == "out"
    unread = scan(book_of(entry(1, "/Test[,]/")), "Test,")
    assert unread.verdict("b", "1@0").said.args == {"key": "/Test[,]/"}
    assert code_of(unread, 1) == "not-run-no-engine"


def ran(patterns: Sequence[Pattern], texts: Sequence[str]) -> list[PatternOutcome]:
    """An engine for the patterns of these reports."""
    found = [[re.search(pattern.source, text) for text in texts] for pattern in patterns]
    return [PatternOutcome("ran", tuple(one and one.span() for one in matches)) for matches in found]


@REPORTS.add("ST #2762")
def sticky_member_keeps_its_group() -> None:
    """Stickiness holds against groups and recursion."""
    book = book_of(
        entry(1, "harbour", "guard", group="watch", effects={"sticky": 3}),
        entry(2, "harbour|guard", group="watch", override=True, insertion_order=300),
    )
    first = scan(book_of(book.entries[0]), story("harbour"))
    second = scan(book, story("harbour", "harbour"), first.state)
    assert came_in(second) == [1]
    assert code_of(second, 2) == "group-sticky"


@REPORTS.add("ME #2279")
def book_wakes_by_another_books_text_only_in_a_joint_run() -> None:
    one = Book("one", book_of(entry(1, "harbour", "The Blue Guard stands there.")))
    two = Book("two", book_of(entry(2, "blue guard")))
    assert came_in(scan([two], "harbour")) == []
    joint = scan([one, two], "harbour")
    assert came_in(joint) == [1, 2]
    [hit] = joint.verdict("two", "2@0").hits
    assert (hit.where, hit.book, hit.name, hit.offset) == ("entry", "one", "1@0", 4)


@REPORTS.add("ME #433")
def budget_is_named_where_it_hides_an_entry() -> None:
    activation = scan(book_of(entry(1, "harbour", "x" * 300)), "harbour", budget_tokens=90)
    verdict = activation.verdict("b", "1@0")
    assert (verdict.outcome, verdict.code, verdict.tokens) == ("cut", "budget", 300)
    assert verdict.said.args == {"tokens": 300, "limit": 90, "used": 0}


@REPORTS.add("ST #4356")
def at_one_depth_the_order_decides_over_the_role() -> None:
    book = book_of(
        entry(1, "harbour", position="at_depth", depth=1, role="user", insertion_order=1),
        entry(2, "harbour", position="at_depth", depth=1, role="assistant", insertion_order=2),
        entry(3, "harbour", position="at_depth", depth=1, role="system", insertion_order=3),
    )
    [place] = scan(book, "harbour").placed.at_depth
    assert [one.role for one in place.entries] == ["user", "assistant", "system"]


@REPORTS.add("lioensky/VCPToolBox #57")
def depth_beyond_the_story_goes_to_its_top() -> None:
    book = book_of(entry(1, "harbour", position="at_depth", depth=2))
    [place] = scan(book, "harbour").placed.at_depth
    assert (place.depth, place.index, len(place.entries)) == (2, 0, 1)


@REPORTS.add("eleckoi/ElecKoi #3: entry, then book, then default")
def depth_of_entry_then_book_then_default() -> None:
    """The deepest message that is read."""
    said = [(5, 2, 5), (None, 4, 4), (None, None, 4)]
    for (own, of_book, expected), depth in product(said, range(1, 8)):
        texts = ["harbour", *["fog"] * (depth - 1)]
        book = book_of(entry(1, "harbour", scan_depth=own), scan_depth=of_book)
        assert came_in(scan(book, story(*texts))) == ([1] if depth <= expected else [])


@REPORTS.add("ST PR #355", "ST PR #2195")
def macros_in_keys_count_only_where_they_are_on() -> None:
    for key in ("{{char}}", "{{CHAR}}", "{{// the guide}}Lina"):
        book = book_of(entry(1, key))
        assert came_in(scan(book, story("Lina waves"))) == []
        assert came_in(scan(book, story("Lina waves", expand=name_macros("Ana", "Lina")))) == [1]
        assert came_in(scan(book, story("Bo waves", expand=name_macros("Ana", "Lina")))) == []


@REPORTS.add("ST PR #2874")
def macro_with_an_effect_counts_once() -> None:
    """The text of an entry is expanded once in a scan, woken or cut."""
    seen: list[str] = []

    def expand(text: str) -> str:
        seen.append(text)
        return text.replace("{{incvar::n}}", str(len(seen)))

    book = book_of(entry(1, "harbour", "n is {{incvar::n}}, guard"), entry(2, "guard"))
    activation = scan(book, story("harbour", expand=expand))
    assert seen == ["n is {{incvar::n}}, guard"]
    assert activation.placed.before_character[1].text == "n is 1, guard"


@REPORTS.add("ST #4373")
def macro_split_over_two_entries_stays_raw() -> None:
    book = book_of(entry(1, "harbour", "Hello {{us"), entry(2, "harbour", "er}}"))
    activation = scan(book, story("harbour", expand=name_macros("Ana", "Lina")))
    assert [one.text for one in activation.placed.before_character] == ["er}}", "Hello {{us"]
    [finding] = activation.findings
    assert (finding.code, finding.args) == ("macro-split", {"first": "E1", "second": "E2"})
    assert finding.text.startswith("A macro begins in E1 and ends in E2.")
    wholes: list[list[str]] = [
        ["{{user}} is {{char}}"],
        ["{{us", "{{user}}"],
        ["}} {", "{{user}}"],
        ["{{user}} waves", "odd }}"],
        ["odd }}", "{{user}} waves"],
        ["}} and {{"],
        ["{{ and }} }}", "{{user}}"],
        ['{"a": {"b": 1}}'],
        ['{"a":{"b":1}}', "use {{ to open"],
        ["{ {", "} }"],
    ]
    for texts in wholes:
        whole = book_of(*(entry(n, "harbour", text) for n, text in enumerate(texts)))
        assert scan(whole, story("harbour", expand=name_macros("Ana", "Lina"))).findings == (), texts
    both = book_of(entry(1, "harbour", "}} and {{"), entry(2, "harbour", '{"a":1} {{us'))
    [finding] = scan(both, story("harbour", expand=name_macros("Ana", "Lina"))).findings
    assert finding.args == {"first": "E2", "second": "E1"}


@REPORTS.add("ST PR #4523", "ST #4286")
def outlets_and_triggers() -> None:
    book = book_of(
        entry(1, "harbour", position="outlet", outlet_name="Docks", insertion_order=2),
        entry(2, "harbour", position="outlet", outlet_name="Docks", insertion_order=1),
        entry(3, "harbour", triggers=("swipe", "continue")),
    )
    activation = scan(book, "harbour")
    assert {name: [one.key for one in put] for name, put in activation.placed.outlets.items()} == {
        "Docks": ["2@0", "1@0"]
    }
    assert code_of(activation, 3) == "trigger"
    assert came_in(scan(book, story("harbour", trigger="swipe"))) == [3, 1, 2]


@REPORTS.add("Coneja-Chibi/Hoplight PR #10")
def two_entries_of_one_uid_have_their_own_verdicts() -> None:
    """0 and "0"."""
    book = book_of(entry(0, "harbour"), entry("0", "fog", index=1))
    verdicts = scan(book, "harbour").verdicts
    assert [(verdict.key, verdict.outcome) for verdict in verdicts] == [("0@0", "in"), ("0@1", "out")]


@REPORTS.add("ME PR #1984")
def newest_message_is_told_before_older_ones() -> None:
    """The hit that is told is the newest; the order of entries is the author's."""
    [hit] = (
        scan(book_of(entry(1, "harbour")), story("harbour", "fog", "the harbour")).verdict("b", "1@0").hits
    )
    assert (hit.index, hit.offset) == (2, 4)


@REPORTS.add("prolix-oc/Lumiverse PR #63")
def many_keys_give_what_each_gives_alone() -> None:
    keys = [f"lamp {number} of the {part}" for number in range(101) for part in ("pier", "码头", "Quay")]
    text = " ".join(keys[::7]).upper() + " ".join(keys[::11])
    hits = LiteralIndex(keys).scan(text)
    for key, case, whole in product(keys, (True, False), (True, False)):
        alone = find_literal(text, key, case_sensitive=case, whole_words=whole)
        assert hits.span(key, case_sensitive=case, whole_words=whole) == alone


@REPORTS.add("hydall/Glaze PR #16")
def keys_that_are_no_texts_are_read_and_told() -> None:
    for name in ("keys", "key"):
        read = read_book_value({"entries": [{name: [5], "content": "x", "enabled": True}], "extensions": {}})
        assert read.model.entries[0].keys == ("5",)
    read = read_book_value({"entries": {"0": {"key": [{"a": 1}, "fog"], "content": "x"}}})
    assert read.model.entries[0].keys == ("fog",)
    assert "entry-key-dropped" in {finding.code for finding in read.findings}


@REPORTS.add("LostRuins/lite.koboldai.net #74")
def roll_below_the_probability_passes() -> None:
    book = book_of(entry(1, "harbour", probability=10))
    assert came_in(scan(book, "harbour", rolls={1: 0.05})) == [1]
    assert came_in(scan(book, "harbour", rolls={1: 0.5})) == []


@REPORTS.add("flizzywine/dsh-tavern #59")
def place_written_as_a_text_is_at_depth() -> None:
    listed = [
        {"keys": ["harbour"], "content": "x", "enabled": True, "extensions": {"position": "4", "depth": 2}}
    ]
    read = read_book_value({"entries": listed, "extensions": {}})
    [place] = scan(read.model, story("fog", "fog", "harbour")).placed.at_depth
    assert (place.depth, place.index) == (2, 1)
    assert read.findings


@pytest.mark.req("WB-10")
@pytest.mark.parametrize("check", REPORTS.cases)
def test_each_report_holds(check: Check) -> None:
    check()


WITH_AN_OUTCOME = """
    ST #386
    ST #2167
    ST PR #3663
    ST #2375
    ST #2009
    ST #2213
    ST PR #2857
    ST #2622
    ST PR #2698
    ST PR #1650
    ST #1649
    ST #5748
    ST #1247
    ST #2762
    ST #2771
    ST #4353
    ST #4356
    ST #556
    ST PR #355
    ST PR #2195
    ST PR #2874
    ST #4373
    ST PR #4523
    ST #4286
    prolix-oc/Lumiverse PR #63
    AventurasTeam/Aventuras PR #347
    platberlitz/SillyBunny PR #684
    hydall/Glaze PR #267
    hydall/Glaze PR #16
    kwaroran/Risuai PR #138
    LostRuins/lite.koboldai.net #74
    ME #2279
    ME #433
    ME PR #1984
    eleckoi/ElecKoi #3
    flizzywine/dsh-tavern #59
    lioensky/VCPToolBox #57
    Coneja-Chibi/Hoplight PR #10
"""


def test_every_report_with_a_right_outcome_has_its_case() -> None:
    assert missing(WITH_AN_OUTCOME, [*ROWS, *REPORTS.cases]) == []


NOT_HERE = [
    ("ST #2319", {"pick": 2, "group": "watch"}, "a wish: a group has one member"),
    ("ST #2338, #3288", {"keyLogic": "(fog AND harbour)"}, "a wish: no file format has it"),
    ("ST PR #2193, #4384", {"regexScripts": [{"find": "/x/"}]}, "scripts of a front end are never run by us"),
    ("ST #693, #593, #2182", {"scanSources": ["notes"]}, "other places and texts to scan: no field says it"),
    ("ST #5193, #5353", {"condition": "hp < 5", "agent": "x"}, "state conditions and agents: wishes"),
    ("ST #4430, #4563, #2189", {"joiner": "; ", "folder": "a"}, "joiners, folders, depth classes: wishes"),
    ("ME #738", {"script": "<% if (n) %> {{group_pick::2}}"}, "scripts in entries are never run by us"),
]


@pytest.mark.parametrize(("report", "fields", "why"), NOT_HERE, ids=[report for report, *_ in NOT_HERE])
def test_what_we_do_not_have_changes_neither_entry_nor_text(
    report: str, fields: dict[str, Any], why: str
) -> None:
    """Such a field stays in the entry and in its downloads, and the text goes out as it is."""
    raw = f"a {json.dumps(fields)} /script/ text, because {report} is {why}"
    value = {"0": {"uid": 0, "key": ["harbour"], "content": raw, **fields}, "1": {"uid": 1, "key": ["fog"]}}
    model = read_book_value({"entries": value}).model
    scene = Scene(messages=(SceneMessage("harbour"),), expand=name_macros("Ana", "Lina"))
    [placed] = scan(model, scene).placed.before_character
    assert placed.text == raw
    assert download_sillytavern(model).value["entries"]["0"].items() >= fields.items()
