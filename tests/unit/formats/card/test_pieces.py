import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.card.pieces import FIELDS, LABELS, Piece, entry_title, pieces_of, whole_texts
from formats.finding import fill
from tests.support.plain_cards import a_card, full_card


@pytest.mark.req("SURV-1")
def test_every_text_is_a_piece_under_its_own_id() -> None:
    assert [piece.id for piece in pieces_of(full_card())] == [
        "description", "personality", "scenario", "example", "system", "post_history", "note",
        "creator_notes", "greeting:0", "greeting:2", "group_greeting:0", "entry:0", "entry:1", "entry:2",
    ]  # fmt: skip


def test_a_piece_knows_where_it_stands() -> None:
    by_id = {piece.id: piece for piece in pieces_of(full_card())}
    assert by_id["greeting:2"].where == "data.alternate_greetings[1]"
    assert by_id["note"].where == "data.extensions.depth_prompt.prompt"
    guard = by_id["entry:0"]
    assert (guard.title, guard.number, guard.size, guard.where) == (
        "Blue Guard", 0, 10, "data.character_book.entries[0].content",
    )  # fmt: skip
    assert guard.entry
    assert (guard.entry.keys, guard.entry.constant, guard.entry.enabled, guard.entry.order) == (
        ("guard",),
        True,
        True,
        5,
    )
    assert by_id["entry:1"].entry
    assert not by_id["entry:1"].entry.enabled
    assert by_id["entry:2"].entry
    assert by_id["entry:2"].entry.keys == ("a",)
    assert fill(guard.label, guard.label_args) == "Entry 1"
    assert set(LABELS) == set(FIELDS)


@pytest.mark.req("SURV-1")
def test_a_long_entry_is_split_and_its_parts_count_from_one() -> None:
    text = ("A sentence about the harbour. " * 20 + "\n") * 30
    pieces = pieces_of(a_card(entries=[{"content": "short"}, {"content": text}]))
    parts = [piece for piece in pieces if piece.whole == "entry:1"]
    assert [piece.id for piece in parts] == ["entry:1/1", "entry:1/2", "entry:1/3", "entry:1/4"]
    assert all(piece.size <= 6000 and piece.text.endswith("\n") and piece.parts == 4 for piece in parts)
    assert "".join(piece.text for piece in parts) == text
    assert parts[1].label_args == {"number": 2, "part": 2, "parts": 4}


@pytest.mark.req("CARD-7")
def test_code_that_spans_two_parts_is_taken_out_of_both() -> None:
    text = "<% if (a) {\n" + "code();\n" * 1000 + "%>\nThe harbour of {{char}}.\n"
    pieces = pieces_of(a_card(entries=[{"content": text}]))
    assert len(pieces) == 2
    assert [piece.as_lore("Lina").text for piece in pieces] == ["", "The harbour of Lina.\n"]
    assert (
        whole_texts(a_card(entries=[{"content": text}]))[0].as_lore("Lina").text == "The harbour of Lina.\n"
    )


def test_lore_and_prose_are_two_views_of_one_piece() -> None:
    (piece,) = pieces_of(a_card(first_mes="<p>Hello {{user}}.</p>{{roll:6}}"))
    assert piece.as_prose("Lina").text == "Hello [PLAYER].\n\n{{roll:6}}"
    assert piece.as_lore("Lina").text == "<p>Hello [PLAYER].</p>{{roll:6}}"
    assert piece.as_prose("Lina").macros == ("roll",)
    assert piece.text == "<p>Hello {{user}}.</p>{{roll:6}}"


def test_entries_that_hold_scripts_alone_say_so() -> None:
    pieces = pieces_of(a_card(entries=[{"content": "<% x() %>"}, {"content": "words"}, {"content": ""}]))
    assert [piece.machine for piece in pieces] == [True, False, False]


def test_titles_of_entries() -> None:
    assert entry_title({"comment": " ", "name": "b"}) == "b"
    assert entry_title({"comment": 3}) == ""


@given(st.lists(st.text(max_size=30), max_size=6), st.text(max_size=40))
def test_the_same_card_gives_the_same_ids_and_no_id_twice(greetings: list[str], text: str) -> None:
    card = a_card(alternate_greetings=greetings, description=text, entries=[{"content": text}] * 3)
    pieces = pieces_of(card)
    assert pieces == pieces_of(card)
    assert len({piece.id for piece in pieces}) == len(pieces)
    assert isinstance(pieces[-1], Piece)
