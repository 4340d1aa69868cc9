"""What users of other programs reported about activation, each report with the right outcome.

`rows` name the report. A row that asks for something we do not have is in `NOT_HERE` with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from formats.lorebook.model import Entry
from formats.lorebook.simulator import Book, Scene, SceneMessage, name_macros
from tests.support.scans import book_of, came_in, code_of, entry, scan, story


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
    row("AventurasTeam PR #347: hulk", entry(1, "hulk"), text="madhulkman", expected=[]),
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


def test_comma_in_a_pattern_stays_in_the_pattern() -> None:
    """ST #2375."""
    activation = scan(book_of(entry(1, "/Test[,]/")), "Test")
    assert activation.verdict("b", "1@0").said.args == {"key": "/Test[,]/"}
    assert code_of(activation, 1) == "not-run-no-engine"


def test_sticky_member_keeps_its_group() -> None:
    """ST #2762: stickiness holds against groups and recursion."""
    book = book_of(
        entry(1, "harbour", "guard", group="watch", effects={"sticky": 3}),
        entry(2, "harbour|guard", group="watch", override=True, insertion_order=300),
    )
    first = scan(book_of(book.entries[0]), story("harbour"))
    second = scan(book, story("harbour", "harbour"), first.state)
    assert came_in(second) == [1]
    assert code_of(second, 2) == "group-sticky"


def test_book_wakes_by_another_books_text_only_in_a_joint_run() -> None:
    """ME #2279."""
    one = Book("one", book_of(entry(1, "harbour", "The Blue Guard stands there.")))
    two = Book("two", book_of(entry(2, "blue guard")))
    assert came_in(scan([two], "harbour")) == []
    joint = scan([one, two], "harbour")
    assert came_in(joint) == [1, 2]
    [hit] = joint.verdict("two", "2@0").hits
    assert (hit.where, hit.book, hit.name, hit.offset) == ("entry", "one", "1@0", 4)


def test_budget_is_named_where_it_hides_an_entry() -> None:
    """ME #433."""
    activation = scan(book_of(entry(1, "harbour", "x" * 300)), "harbour", budget_tokens=90)
    verdict = activation.verdict("b", "1@0")
    assert (verdict.outcome, verdict.code, verdict.tokens) == ("cut", "budget", 300)
    assert verdict.said.args == {"tokens": 300, "limit": 90, "used": 0}


def test_at_one_depth_the_order_decides_over_the_role() -> None:
    """ST #4356."""
    book = book_of(
        entry(1, "harbour", position="at_depth", depth=1, role="user", insertion_order=1),
        entry(2, "harbour", position="at_depth", depth=1, role="assistant", insertion_order=2),
        entry(3, "harbour", position="at_depth", depth=1, role="system", insertion_order=3),
    )
    [place] = scan(book, "harbour").placed.at_depth
    assert [one.role for one in place.entries] == ["user", "assistant", "system"]


def test_depth_beyond_the_story_goes_to_its_top() -> None:
    """lioensky/VCPToolBox #57."""
    book = book_of(entry(1, "harbour", position="at_depth", depth=2))
    [place] = scan(book, "harbour").placed.at_depth
    assert (place.depth, place.index, len(place.entries)) == (2, 0, 1)


@pytest.mark.parametrize(("own", "of_book", "expected"), [(5, 2, 5), (None, 4, 4), (None, None, 4)])
def test_depth_of_entry_then_book_then_default(own: int | None, of_book: int | None, expected: int) -> None:
    """eleckoi/ElecKoi #3: the deepest message that is read."""
    for depth in range(1, 8):
        texts = ["harbour", *["fog"] * (depth - 1)]
        book = book_of(entry(1, "harbour", scan_depth=own), scan_depth=of_book)
        assert came_in(scan(book, story(*texts))) == ([1] if depth <= expected else [])


@pytest.mark.parametrize("key", ["{{char}}", "{{CHAR}}", "{{// the guide}}Lina"])
def test_macros_in_keys_count_only_where_they_are_on(key: str) -> None:
    """ST PR #355 and #2195."""
    book = book_of(entry(1, key))
    assert came_in(scan(book, story("Lina waves"))) == []
    assert came_in(scan(book, story("Lina waves", expand=name_macros("Ana", "Lina")))) == [1]
    assert came_in(scan(book, story("Bo waves", expand=name_macros("Ana", "Lina")))) == []


def test_macro_with_an_effect_counts_once() -> None:
    """ST PR #2874: the text of an entry is expanded once in a scan, woken or cut."""
    seen: list[str] = []

    def expand(text: str) -> str:
        seen.append(text)
        return text.replace("{{incvar::n}}", str(len(seen)))

    book = book_of(entry(1, "harbour", "n is {{incvar::n}}, guard"), entry(2, "guard"))
    activation = scan(book, story("harbour", expand=expand))
    assert seen == ["n is {{incvar::n}}, guard"]
    assert activation.placed.before_character[1].text == "n is 1, guard"


def test_macro_split_over_two_entries_stays_raw() -> None:
    """ST #4373."""
    book = book_of(entry(1, "harbour", "Hello {{us"), entry(2, "harbour", "er}}"))
    placed = scan(book, story("harbour", expand=name_macros("Ana", "Lina"))).placed
    assert [one.text for one in placed.before_character] == ["er}}", "Hello {{us"]


def test_outlets_and_triggers() -> None:
    """ST PR #4523 and #4286."""
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


def test_two_entries_of_one_uid_have_their_own_verdicts() -> None:
    """Coneja-Chibi/Hoplight PR #10: 0 and "0"."""
    book = book_of(entry(0, "harbour"), entry("0", "fog", index=1))
    verdicts = scan(book, "harbour").verdicts
    assert [(verdict.key, verdict.outcome) for verdict in verdicts] == [("0@0", "in"), ("0@1", "out")]


def test_newest_message_is_told_before_older_ones() -> None:
    """ME PR #1984: the hit that is told is the newest; the order of entries is the author's."""
    [hit] = (
        scan(book_of(entry(1, "harbour")), story("harbour", "fog", "the harbour")).verdict("b", "1@0").hits
    )
    assert (hit.index, hit.offset) == (2, 4)


NOT_HERE = {
    "ST #2319: pick k of a group": "a wish: a group has one member",
    "ST #2338, #3288: boolean logic of keys": "a wish: no file format has it",
    "ST PR #2193: regex scripts over lore": "scripts belong to presets; here the text goes out as it is",
    "ST #5193, #5353, #4430: state conditions, agents, joiner": "wishes without a field in any file",
}


def test_what_we_do_not_have_leaves_the_text_as_it_is() -> None:
    """The rows of `NOT_HERE`: the text is neither changed nor dropped."""
    raw = "a <% if (n) %> /script/ {{group_pick::2}} text"
    for reason in NOT_HERE.values():
        assert reason
    scene = Scene(messages=(SceneMessage("harbour"),), expand=name_macros("Ana", "Lina"))
    [placed] = scan(book_of(entry(1, "harbour", raw)), scene).placed.before_character
    assert placed.text == raw
