"""Frames of the bell's socket."""

import json

from hypothesis import given
from hypothesis import strategies as st

from portal.consumers import GROUP, read_frame

JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def test_a_frame_of_ours_is_read() -> None:
    assert read_frame('{"watch": ["job:abc", "item:雾都-abc"], "unwatch": []}') == {
        "watch": ["job:abc", "item:雾都-abc"],
        "unwatch": [],
    }


@given(st.one_of(st.text(), JSON.map(json.dumps)))
def test_anything_else_is_nothing(text: str) -> None:
    frame = read_frame(text)
    if frame is not None:
        assert frame.keys() <= {"watch", "unwatch"}
        assert all(GROUP.fullmatch(group) for groups in frame.values() for group in groups)


def test_near_misses_are_refused() -> None:
    near = [
        "",
        "[]",
        "{}",
        "null",
        '{"watch": "job:a"}',
        '{"watch": [1]}',
        '{"watch": ["job"]}',
        '{"watch": ["job:"]}',
    ]
    near += [
        '{"watch": ["Job:a"]}',
        '{"watch": ["job:a b"]}',
        '{"watch": [], "x": []}',
        '{"watch": ["job:a"]',
        "[" * 9999,
    ]
    near += [json.dumps({"watch": ["job:" + "a" * 201]}), json.dumps({"watch": ["job:a"] * 101})]
    assert [text for text in near if read_frame(text) is not None] == []
    assert read_frame(None) is None
