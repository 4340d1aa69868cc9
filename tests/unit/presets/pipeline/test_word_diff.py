"""Differences down to the words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from presets.pipeline.word_diff import GAP, diff_words

TEXTS = st.text("ab 雾港。.\n", max_size=60)


def told(old: str, new: str) -> list[tuple[str, str]]:
    return [(change.kind, change.text) for change in diff_words(old, new).changes]


def test_one_word_of_a_sentence() -> None:
    assert told("Write calmly. Rain is never far.", "Write boldly. Rain is never far.") == [
        ("same", "Write "),
        ("removed", "calmly"),
        ("added", "boldly"),
        ("same", ". "),
        ("same", "Rain is never far."),
    ]


def test_one_sign_of_a_chinese_sentence() -> None:
    changes = told("文字要安静，少用比喻。", "文字要热闹，少用比喻。")
    assert ("removed", "安静") in changes
    assert ("added", "热闹") in changes


def test_sentences_with_nothing_in_common_stay_whole() -> None:
    assert told("All is quiet.", "Nobody ever knew why!") == [
        ("removed", "All is quiet."),
        ("added", "Nobody ever knew why!"),
    ]


def test_what_is_far_from_a_change_is_folded() -> None:
    same = "The tide comes in. " * 60
    changes = told(same + "One lamp burns.", same + "Two lamps burn.")
    assert changes[0][0] == "same"
    assert changes[0][1].startswith(GAP)
    assert len(changes[0][1]) < 200


@given(TEXTS, TEXTS)
def test_nothing_is_lost(old: str, new: str) -> None:
    changes = diff_words(old, new).changes
    assert "".join(change.text for change in changes if change.kind != "added") == old
    assert "".join(change.text for change in changes if change.kind != "removed") == new
