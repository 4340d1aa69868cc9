import errno

import pytest

from formats.errors import DomainError
from worlds.store.refusals import plain_refusals


@pytest.mark.parametrize(
    ("number", "kind", "code"),
    [
        (errno.ENOSPC, "full", "disk-full"),
        (errno.EDQUOT, "full", "disk-full"),
        (errno.EROFS, "unavailable", "read-only"),
        (errno.EACCES, "unavailable", "read-only"),
        (errno.EMFILE, "unavailable", "too-many-files"),
        (errno.EXDEV, "unavailable", "two-file-systems"),
        (errno.EIO, "unavailable", "disk-error"),
        (errno.ENAMETOOLONG, "invalid", "name-too-long"),
        (errno.EISDIR, "conflict", "not-a-folder"),
    ],
)
def test_an_error_of_the_system_becomes_a_plain_sentence(number: int, kind: str, code: str) -> None:
    with pytest.raises(DomainError) as refused, plain_refusals("lore/fog.json"):
        raise OSError(number, "x", "/secret/path")
    assert (refused.value.kind, refused.value.code, refused.value.where) == (kind, code, "lore/fog.json")
    assert "/secret" not in str(refused.value)
    assert "{" not in str(refused.value)


def test_other_errors_pass_as_they_are() -> None:
    with pytest.raises(KeyError), plain_refusals():
        raise KeyError("x")
