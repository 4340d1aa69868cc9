import json

import pytest

from formats.card.dialect import (
    MOST_NAMES,
    Dialect,
    dialect_of,
    source_summary,
)
from tests.support.plain_cards import a_card, full_card


@pytest.mark.req("PREV-4")
def test_everything_the_maker_relied_on_is_counted() -> None:
    card = a_card(
        entries=[
            {"content": "<% if (a) { %>x<% } %> stat_data", "comment": "rules"},
            {"content": "hp: 1", "comment": "[InitVar] start"},
        ],
        first_mes="{{user}} {{char}} {{roll:6}} {{roll:4}} {{random:a,b}} <状态栏>hp</状态栏><b>x</b>",
        alternate_greetings=[
            "<status>1</status><status>2</status> https://p.example/a.png https://p.example/a.png"
        ],
        extensions={
            "regex_scripts": [{"scriptName": "a"}, {"scriptName": "b"}],
            "tavern_helper": {"scripts": [{"name": "a", "content": "x()"}]},
        },
    )
    assert dialect_of(card) == Dialect(
        regex_scripts=2,
        helper_scripts=1,
        ejs=2,
        variables=2,
        macros={"roll": 2, "random": 1},
        tags={"status": 2, "状态栏": 1},
        pictures=1,
    )


@pytest.mark.req("PREV-4")
def test_a_plain_card_relies_on_nothing() -> None:
    dialect = dialect_of(full_card())
    assert dialect == Dialect()
    assert dialect.is_plain
    assert not Dialect(ejs=1).is_plain
    assert Dialect(pictures=3).is_plain


@pytest.mark.req("OUT-2")
def test_the_summary_of_a_source() -> None:
    summary = source_summary(full_card(), container="json", spec="V2")
    assert (summary.entries, summary.entries_off, summary.openings) == (3, 1, 2)
    shown = summary.to_json()
    assert shown["notCarried"]["regexScripts"] == 0
    assert json.loads(json.dumps(shown))["container"] == "json"


def test_a_flood_of_names_is_summed_up() -> None:
    text = "".join(f"{{{{m{number}}}}}" for number in range(MOST_NAMES + 50)) + "{{m3}}"
    macros = dialect_of(a_card(description=text)).macros
    assert len(macros) == MOST_NAMES + 1
    assert next(iter(macros)) == "m3"
    assert macros["…"] == 50
