import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.text.split import sentences, split_text


@pytest.mark.req("SURV-1")
@given(st.text(max_size=400), st.integers(2, 60))
def test_parts_keep_the_limit_and_join_to_the_text(text: str, limit: int) -> None:
    parts = split_text(text, limit)
    assert "".join(parts) == text
    assert all(0 < len(part) <= limit for part in parts) or text == ""


@given(st.text(alphabet="ab。！.…?\n \r」”'\"1", max_size=200))
def test_sentences_join_to_the_text(text: str) -> None:
    assert "".join(sentences(text)) == text
    assert all(sentences(text))


@pytest.mark.req("SURV-1")
@pytest.mark.parametrize(
    ("text", "limit", "parts"),
    [
        ("one\n\ntwo\n\nthree", 10, ["one\n\ntwo\n\n", "three"]),
        ("one\ntwo\nthree", 10, ["one\ntwo\n", "three"]),
        ("long one\nline two\n\nthree", 20, ["long one\nline two\n\n", "three"]),
        ("天亮了。下雨了！走吧", 6, ["天亮了。", "下雨了！走吧"]),
        ("她说：「天亮了。」然后走了。", 12, ["她说：「天亮了。」", "然后走了。"]),
        ("行くよ。待って！はい", 8, ["行くよ。待って！", "はい"]),
        ("Wait. Dr. Blau is here.", 15, ["Wait. ", "Dr. Blau is her", "e."]),
        ('He said "no." Then left.', 16, ['He said "no." ', "Then left."]),
        ("version 1.2 is out", 10, ["version 1.", "2 is out"]),
        ("aaaa{{user}}", 8, ["aaaa", "{{user}}"]),
        ("aaaa<user>b", 7, ["aaaa", "<user>b"]),
    ],
)
def test_where_parts_end(text: str, limit: int, parts: list[str]) -> None:
    assert split_text(text, limit) == parts


@pytest.mark.parametrize(
    "cluster", ["e\u0301", "नि", "👩\u200d🚀", "👍\U0001f3fd", "\r\n", "☀\ufe0f", "\ud83d\ude00"]
)
def test_a_hard_cut_never_falls_inside_a_sign(cluster: str) -> None:
    parts = split_text("x" * 9 + cluster + "y" * 5, 10)
    assert any(cluster in part for part in parts)


def test_a_sign_longer_than_the_limit_is_cut_at_the_limit() -> None:
    assert [len(part) for part in split_text("e" + "\u0301" * 25, 10)] == [10, 10, 6]


def test_a_limit_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="room"):
        split_text("abc", 1)


def test_sentences_of_several_scripts() -> None:
    assert sentences("天亮了。下雨了……走吧！\nMr. Blau left. He ran?") == [
        "天亮了。", "下雨了……", "走吧！", "\n", "Mr. Blau left. ", "He ran?",
    ]  # fmt: skip
