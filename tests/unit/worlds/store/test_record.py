from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worlds.store.record import ChangeRecord, FileChange, is_change_id, moment, new_change_id, stamp

NOW = datetime(2026, 11, 30, 10, 11, 12, 345678, tzinfo=UTC)
digests = st.none() | st.text("0123456789abcdef", min_size=64, max_size=64)
paths = st.sampled_from(["world.json", "lore/雾.json", ".import/state.json", "images/cover.png"])


@given(
    st.text(st.characters(codec="utf-8"), max_size=50),
    st.dictionaries(paths, st.builds(FileChange, digests, digests)),
    st.booleans(),
)
def test_a_record_comes_back_as_it_was(note: str, files: dict[str, FileChange], history: bool) -> None:
    record = ChangeRecord(new_change_id(NOW), NOW.isoformat(), "ana", "edit", note, files, history)
    again = ChangeRecord.from_bytes(record.to_bytes())
    assert again == record
    assert list(again.files) == list(files)
    assert again.changed == [path for path, file in files.items() if file.before != file.after]


@given(st.binary(max_size=200))
def test_other_bytes_are_refused_not_guessed_at(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (many messages)
        ChangeRecord.from_bytes(data)


@pytest.mark.parametrize("part", ['"before": 1', '"before": "x"', '"after": ["' + "0" * 64 + '"]'])
def test_what_is_no_digest_is_refused(part: str) -> None:
    record = ChangeRecord(
        new_change_id(NOW), NOW.isoformat(), "ana", "edit", "", {"a": FileChange(None, None)}
    )
    name = part.split(":")[0]
    with pytest.raises(ValueError, match="digests"):
        ChangeRecord.from_bytes(record.to_bytes().replace(f"{name}: null".encode(), part.encode()))


def test_ids_sort_by_time_and_are_never_the_same() -> None:
    first, second = new_change_id(NOW), new_change_id(NOW)
    later = new_change_id(NOW + timedelta(microseconds=1))
    assert first != second
    assert first.startswith("20261130T101112345678Z-")
    assert max(first, second) < later
    assert moment(stamp(NOW)) == NOW
    assert all(map(is_change_id, (first, second, later)))
    assert not any(map(is_change_id, ("", "..", f"{first}/x", first.upper(), f"{first}\n")))
