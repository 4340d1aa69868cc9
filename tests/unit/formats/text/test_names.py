import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from formats.text.names import (
    compared,
    download_name,
    element_id,
    is_element_id,
    safe_path,
    slug,
)

HOSTILE = [
    "莉娜", "莉" * 85, "莉" * 86, "𠀀" * 90, "é", "e\u0301", "ß", "SS", "İ", "ﬁ", "Ａ", "CON", "nul.json",
    "COM¹", "a.", "a ", ".hidden", "..", "．．", "a/b", "a／b", "a:b", "-rf", "~", "a\u202eb", "a\u200bb",
    "😀😀", "   ", "\ud800", "../../etc/passwd", "C:\\x", "/abs", "a\0b", "a\nb", "", "-", "CONIN$", "lpt³",
    "مرحبا", "नमस्ते", "x" * 5000,
    "e" + "\u0301" * 500, "\u3164", "\U000e0041", "️", "ŉ", "ΐ", "ᾳ",
]  # fmt: skip


@pytest.mark.req("CARD-10")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("莉娜", "莉娜"),
        ("Lina Blau", "lina-blau"),
        ("  Lina -- Blau!  ", "lina-blau"),
        ("Lina's Inn", "linas-inn"),
        ("e\u0301t\u00e9", "été"),
        ("STRASSE", "strasse"),
        ("straße", "strasse"),
        ("a/b", "a-b"),
        ("../../x", "x"),
        ("a\u202eb\u200bc", "abc"),
        ("नमस्ते", "नमस्ते"),
        ("CON", "item-con"),
        ("com¹", "item-com¹"),
        ("😀", "item-7"),
        ("...", "item-7"),
        ("\ud800", "item-7"),
        ("Ａ", "ａ"),
    ],
)
def test_the_id_of_a_name(name: str, expected: str) -> None:
    assert element_id(name, "item", 7, set()) == expected


@pytest.mark.req("CARD-10")
def test_two_names_never_share_an_id_whatever_their_case_and_form() -> None:
    taken: set[str] = set()
    for number, name in enumerate([*HOSTILE, *HOSTILE, *(name.upper() for name in HOSTILE)]):
        made = element_id(name, "lore", number, taken)
        assert is_element_id(made), ascii(made)
        assert compared(made) == made
        assert made not in taken
        taken.add(made)


def test_a_taken_id_gets_the_next_number_and_stays_short() -> None:
    assert element_id("Lina", "character", 1, {"lina"}) == "lina-2"
    assert element_id("LINA", "character", 1, {"lina", "lina-2"}) == "lina-3"
    long = "莉" * 90
    first = element_id(long, "character", 1, set())
    second = element_id(long, "character", 2, {first})
    assert len(first.encode()) <= 200
    assert second.endswith("-2")
    assert len(second.encode()) <= 200


def test_numbers_stay_without_gaps_among_thousands_of_one_name() -> None:
    taken: set[str] = set()
    for number in range(3000):
        taken.add(element_id("Entry", "lore", number, taken))
    assert taken == {"entry", *(f"entry-{number}" for number in range(2, 3001))}


@pytest.mark.req("CARD-10")
@given(st.text(), st.integers(0, 10_000))
@example("ΐ\u0345", 1)
@example("i\u0307\u200d\u0301", 1)
def test_every_name_gives_a_valid_id_that_is_stable(name: str, number: int) -> None:
    made = element_id(name, "lore", number, set())
    assert is_element_id(made)
    assert element_id(made, "lore", number, set()) == made
    assert safe_path(f"lore/{made}.json")


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        "",
        "Lina",
        "a b",
        "a--b",
        "-a",
        "a-",
        ".a",
        "a.json",
        "con",
        "a/b",
        "x" * 81,
        "莉" * 67,
        "e\u0301",
        "\ud800",
    ],
)
def test_what_is_no_id(value: object) -> None:
    assert not is_element_id(value)


@given(st.text(), st.integers(1, 130))
def test_a_slug_keeps_its_limit(name: str, limit: int) -> None:
    made = slug(name, limit)
    assert len(made.encode()) <= limit
    assert made == made.strip("-")


def test_a_cut_never_parts_a_letter_from_its_mark() -> None:
    name = "x" * 79 + "q\u0301"
    assert element_id(name, "item", 1, set()) == "x" * 79


@pytest.mark.req("CARD-10")
@pytest.mark.parametrize(
    "path",
    [
        "images/portraits/莉娜.png",
        "a.json",
        "images/library/ab (1).webp",
        "prompts/zh-hans/roleplay/style.md",
        "it's.md",
    ],
)
def test_safe_paths(path: str) -> None:
    assert safe_path(path)


@pytest.mark.req("CARD-10")
@pytest.mark.parametrize(
    "path",
    [
        "", "/a", "a/", "a//b", "..", "a/../b", "./a", "a/.b", "a\\b", "C:/x", "a:b", "．．/a", "a／b", "CON",
        "a/nul.json", "com¹.txt", "conin$", "a.", "a ", " a", "a\0b", "a\nb", "a\u202eb", "a\u200bb",
        "\ud800", "x" * 211, "莉" * 71, "a/" * 600 + "a", "~", "a*b", "😀.png", "e\u0301.png", "\u3164.png",
        "CON .png",
    ],
)  # fmt: skip
def test_unsafe_paths(path: str) -> None:
    assert not safe_path(path)


def test_what_is_no_text_is_no_path() -> None:
    assert not safe_path(None)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("莉娜", "莉娜.json"),
        ("Lina: a/b?", "Lina a b.json"),
        ("..hidden", "hidden.json"),
        ("CON", "_CON.json"),
        ("nul.x", "_nul.x.json"),
        ("a.", "a.json"),
        ("-rf", "rf.json"),
        ("\u202e😀", "download.json"),
        ("e\u0301", "é.json"),
    ],
)
def test_download_names(name: str, expected: str) -> None:
    assert download_name(name, "json") == expected


@pytest.mark.parametrize("name", HOSTILE)
def test_every_hostile_name_gives_a_file_name(name: str) -> None:
    made = download_name(name, "png")
    assert safe_path(made)
    assert unicodedata.is_normalized("NFC", made)


@pytest.mark.req("CARD-10")
@pytest.mark.parametrize("letter", ["雾", "é", "𠀀", "a"])
def test_the_file_of_the_longest_id_is_a_safe_path(letter: str) -> None:
    longest = element_id(letter * 300, "lore", 1, set())
    assert safe_path(f"lore/{longest}.json")
    assert safe_path(f"images/portraits/{longest}-2.webp")
