"""The caps of the whole program, by address."""

import pytest

from roleplay.asgi import UPLOADS, application
from worlds.store.pictures import LARGEST

MB = 1024 * 1024
LOGIN = [(b"cookie", b"sessionid=abc")]
CARD = 104_857_600 + 10 * MB


@pytest.mark.parametrize(
    ("path", "cap"),
    [
        ("/import/", CARD),
        ("/roleplay-api/worlds/import", CARD),
        ("/roleplay-api/worlds/import/start", CARD),
        ("/w/fog-abc/images/upload/", 5 * LARGEST + 10 * MB),
        ("/w/fog-abc/images/replace/", 5 * LARGEST + 10 * MB),
        ("/w/fog-abc/images/", MB),
        ("/w/雾都-abc/source/world.json", MB),
        ("/", MB),
        ("/signin/", MB),
        ("//import/", MB),
        ("/jobs/import/", MB),
    ],
)
def test_signed_in_people_send_files_where_files_are_taken(path: str, cap: int) -> None:
    assert application.cap({"path": path, "headers": LOGIN}) == cap


def test_without_a_login_one_megabyte_is_the_cap_everywhere() -> None:
    for route in UPLOADS:
        assert application.cap({"path": route.pattern.pattern, "headers": []}) == MB
    assert application.cap({"path": "/import/", "headers": []}) == MB
