"""Uploads of 100 MB through the real addresses of a real server: its memory stays small, other pages answer,
a body over the limit is refused before it is read (CARD-3).
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.big_uploads import MB, Refusal, Watch, big_card, send_endless, send_file, watching
from tests.support.portal_client import API, CSRF, portal, sign_in
from tests.support.servers import Running, program_environment, serving, wait_until

pytestmark = [pytest.mark.hard, pytest.mark.timeout(600), pytest.mark.req("CARD-3")]
LIMIT = 100 * MB
MEMORY = 300 * MB  # what the server may hold, reliability part 6
FORM = {"Content-Type": "multipart/form-data; boundary=x"}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("uploads") / "data"


@pytest.fixture(scope="module")
def session(data: Path) -> str:
    return sign_in(program_environment(data))


@pytest.fixture(scope="module")
def server(data: Path, session: str) -> Iterator[Running]:
    with serving(data) as running:
        yield running


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cards") / "large.png"
    big_card(path, LIMIT)
    assert path.stat().st_size == LIMIT
    return path


def signed_in(session: str) -> dict[str, str]:
    return {"Cookie": f"sessionid={session}; csrftoken={CSRF}", "X-CSRFToken": CSRF, **FORM}


def nothing_left(data: Path) -> bool:
    """Whether every temporary file is gone; the server closes them just after it has answered."""
    return not list((data / ".uploads").iterdir())


def times(watch: Watch) -> str:
    return f"median {watch.at_percent(50) * 1000:.0f} ms, p95 {watch.at_percent(95) * 1000:.0f} ms"


@pytest.mark.parametrize("address", ["/import/", API])
@pytest.mark.parametrize("number", [1, 4])
def test_uploads_of_100_mb_keep_the_server_small(
    server: Running, session: str, data: Path, file: Path, address: str, number: int
) -> None:
    with watching(server, session) as quiet:
        wait_until(lambda: len(quiet.seconds) >= 20)
    with watching(server, session) as busy, ThreadPoolExecutor(number) as senders:
        sent = [senders.submit(send_file, server, session, address, file) for _ in range(number)]
        answers = [answer.result() for answer in sent]
    assert {answer.status_code for answer in answers} == {201 if address == API else 303}, answers[0].text
    print(
        f"\n{number} x 100 MB to {address}: at most {server.memory('VmHWM') / MB:.0f} MB of memory; "
        f"another page: {times(quiet)} when quiet, {times(busy)} meanwhile"
    )
    assert server.memory("VmHWM") < MEMORY
    assert len(busy.seconds) >= 5, "pages were answered meanwhile"
    assert busy.at_percent(95) < max(2 * quiet.at_percent(95), 2.0)
    wait_until(lambda: nothing_left(data))
    if address == API:
        with portal(server.address, session) as asking:
            for answer in answers:
                told = asking.read(answer.json()["id"])
                assert (told["state"], told["size"]) == ("ready", LIMIT)


@pytest.mark.parametrize("address", ["/import/", API])
def test_a_length_over_the_limit_is_refused_before_the_body_is_read(
    server: Running, session: str, data: Path, address: str
) -> None:
    before = server.memory()
    refused = send_endless(server, address, 600 * MB, signed_in(session))
    assert refused.status == 413
    assert_little_was_taken(refused, server.memory() - before)
    wait_until(lambda: nothing_left(data))


@pytest.mark.parametrize("address", ["/import/", API])
def test_a_stranger_is_refused_before_the_body_is_read(
    server: Running, session: str, data: Path, address: str
) -> None:
    before = server.memory()
    refused = send_endless(server, address, 100 * MB, FORM)
    assert refused.status == 413
    assert_little_was_taken(refused, server.memory() - before)
    wait_until(lambda: nothing_left(data))


def assert_little_was_taken(refused: Refusal, grown: int) -> None:
    """Of what was sent, most lies in the buffers of the system; the server itself takes 2 MB at most."""
    print(f"\nrefused after {refused.sent / MB:.1f} MB on the way, {grown / MB:.1f} MB of memory more")
    assert refused.sent <= 8 * MB
    assert grown <= 20 * MB


@pytest.mark.parametrize("address", ["/import/", API])
def test_a_body_without_a_length_is_cut_at_the_limit(
    server: Running, session: str, data: Path, address: str
) -> None:
    before = server.memory()
    refused = send_endless(server, address, 600 * MB, signed_in(session), chunked=True)
    print(f"\ncut after {refused.sent / MB:.0f} MB without a length")
    assert refused.status == 413
    assert LIMIT < refused.sent < 2 * LIMIT, "the rest of the 600 MB is never asked for"
    assert server.memory() - before < 50 * MB
    wait_until(lambda: nothing_left(data))


def test_a_file_one_byte_over_the_limit_is_refused_and_nothing_is_kept(
    server: Running, session: str, data: Path, tmp_path: Path
) -> None:
    over = tmp_path / "over.png"
    big_card(over, LIMIT + 1)
    staged = set((data / "staging").iterdir())
    answer = send_file(server, session, API, over)
    assert answer.status_code == 413
    assert answer.json()["error"]["message"].endswith(".")
    assert set((data / "staging").iterdir()) == staged
    wait_until(lambda: nothing_left(data))


@pytest.mark.parametrize("address", ["/import/", API])
def test_a_forged_session_is_refused_before_the_body_is_read(
    server: Running, session: str, data: Path, address: str
) -> None:
    """Who is not signed in, but says so, is looked up first."""
    before = server.memory()
    refused = send_endless(server, address, 100 * MB, signed_in("f" * 32))
    assert refused.status == 413
    assert_little_was_taken(refused, server.memory() - before)
    assert nothing_left(data)
