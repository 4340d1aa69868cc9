"""The caps of the whole program, by address."""

import pytest

from roleplay.asgi import UPLOADS, application
from worlds.store.pictures import LARGEST

MB = 1024 * 1024
LOGIN = [(b"cookie", b"sessionid=abc")]
CARD = 104_857_600 + 10 * MB
LOREBOOK = 20 * MB + 10 * MB


@pytest.fixture(autouse=True)
def a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """One session is somebody's: `abc`."""

    async def signed_in(session_key: str) -> bool:
        return session_key == "abc"

    monkeypatch.setattr(application, "_signed_in", signed_in)


@pytest.mark.parametrize(
    ("path", "cap"),
    [
        ("/import/", CARD),
        ("/roleplay-api/worlds/import", CARD),
        ("/lore/import/", LOREBOOK),
        ("/roleplay-api/lorebooks/import", LOREBOOK),
        ("/roleplay-api/lorebooks/import/more", MB),
        ("/roleplay-api/worlds/import/start", MB),
        ("/roleplay-api/worlds/import/structure", MB),
        ("/import/waiting/start/", MB),
        ("/import/abc/choices/", MB),
        ("/w/fog-abc/images/upload/", 5 * LARGEST + 10 * MB),
        ("/w/fog-abc/images/replace/", 5 * LARGEST + 10 * MB),
        ("/w/fog-abc/images/upload/more", MB),
        ("/w/fog-abc/images/", MB),
        ("/w/雾都-abc/source/world.json", MB),
        ("/", MB),
        ("/signin/", MB),
        ("//import/", MB),
        ("/jobs/import/", MB),
    ],
)
async def test_signed_in_people_send_files_where_files_are_taken(path: str, cap: int) -> None:
    assert await application.cap({"method": "POST", "path": path, "headers": LOGIN}) == cap
    assert await application.cap({"method": "GET", "path": path, "headers": LOGIN}) == MB


async def test_without_a_login_one_megabyte_is_the_cap_everywhere() -> None:
    for path in ("/import/", "/roleplay-api/worlds/import", "/w/fog-abc/images/upload/"):
        assert any(route.pattern.fullmatch(path) for route in UPLOADS)
        for headers in ([], [(b"cookie", b"sessionid=other")], [(b"authorization", b"Bearer abc")]):
            assert await application.cap({"method": "POST", "path": path, "headers": headers}) == MB
