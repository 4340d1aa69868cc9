"""kill -9 of a real server at every step of an import: nothing acknowledged is lost, it goes on by itself,
and the world it makes is the one an undisturbed import makes (RUN-3, RUN-11).

A step is every change of names by the store, every write into a new file, every statement that writes rows
and every commit of the server's own process (see `warm_server`). All of them are tried for the rich card, but
for the writes of a change that is not recorded yet, which nobody can tell apart; for the card of 300 entries
as many as `IMPORT_KILLS` says (20), evenly spread. What the reading child writes, and a body that is still
arriving, are tried by tests of their own.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import re
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.import_lives import (
    Acknowledged,
    Sent,
    go_on,
    large_card,
    result,
    rich_card,
    start,
    until_it_dies,
    upload,
    uploads_in,
)
from tests.support.portal_client import API, CSRF
from tests.support.servers import wait_until
from tests.support.warm import Warm, warm

pytestmark = [pytest.mark.hard, pytest.mark.timeout(1500)]
SOME = int(os.environ.get("IMPORT_KILLS", "20"))
KILLED = -9


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warm]:
    """The program, loaded, over a data folder in which Ana has nothing yet."""
    folder = tmp_path_factory.mktemp("killed")
    with warm(folder, folder / "data") as made:
        yield made


def watched(program: Warm, sent: Sent, kept: str, told: Acknowledged) -> tuple[dict[str, str], int, int]:
    """An import that nobody disturbs: what it makes, its steps until the card was read, and all its steps."""
    program.put_back(kept)
    program.begin("watch")
    with program.portal() as portal:
        if not told.upload:
            upload(portal, sent, told)
        read = len(program.steps())
        start(portal, sent, told)
    made, steps = result(program, told), program.steps()
    program.kill()
    return made, read, len(steps)


def card_that_waits(program: Warm, sent: Sent) -> str:
    """Keep the data folder in which the card has been read, as `waits`; the upload's id."""
    program.put_back()
    program.begin()
    told = Acknowledged()
    with program.portal() as portal:
        upload(portal, sent, told)
    program.end()
    program.keep("waits")
    return told.upload


def killed_before(program: Warm, sent: Sent, step: int, kept: str, told: Acknowledged) -> None:
    """A life over a kept data folder that ends just before a step; `told` says then what was acknowledged."""
    program.put_back(kept)
    program.begin("die", step)
    until_it_dies(program, sent, told)
    assert not told.finished, f"step {step} never came"
    assert program.gone() == KILLED


def restarted(program: Warm, sent: Sent, told: Acknowledged) -> dict[str, str]:
    """The next server brings the import to its end; what it left."""
    program.begin()
    go_on(program, sent, told)
    made = result(program, told)
    program.kill()
    return made


def how_far(told: Acknowledged) -> str:
    """What had been acknowledged when the server died."""
    return "started" if told.world else "chosen" if told.chosen else "uploaded" if told.upload else "nothing"


@pytest.mark.req("CARD-3", "RUN-11")
def test_killed_at_every_step_of_an_upload(program: Warm) -> None:
    """From nothing to a card that is read. One that was not acknowledged is sent again."""
    sent = rich_card()
    expected, steps, _ = watched(program, sent, "nothing", Acknowledged())
    for step in range(1, steps + 1):
        told = Acknowledged()
        killed_before(program, sent, step, "nothing", told)
        assert restarted(program, sent, told) == expected, f"killed before step {step}"
    print(f"\nkills during an upload: {steps} steps, 0 lost, 0 different")
    assert steps > 10


@pytest.mark.req("RUN-3", "RUN-11", "STRUCT-1")
def test_killed_at_every_step_from_the_choices_to_the_last_picture(program: Warm) -> None:
    sent = rich_card()
    waiting = card_that_waits(program, sent)
    expected, _, steps = watched(program, sent, "waits", Acknowledged(waiting))
    points = telling(program.steps())
    acknowledged: Counter[str] = Counter()
    for step in points:
        told = Acknowledged(waiting)
        killed_before(program, sent, step, "waits", told)
        acknowledged[how_far(told)] += 1
        assert restarted(program, sent, told) == expected, f"killed before step {step}"
    print(
        f"\nkills from choices to pictures: {len(points)} of {steps} steps, {dict(acknowledged)}, 0 different"
    )
    assert acknowledged["started"] > 60
    assert acknowledged["uploaded"]
    assert acknowledged["chosen"]


@pytest.mark.req("RUN-3", "RUN-11")
def test_killed_again_while_it_goes_on(program: Warm) -> None:
    """A kill, a second one at a step of the recovery, then the end."""
    sent, chance = rich_card(), random.Random(11)
    waiting = card_that_waits(program, sent)
    expected, _, steps = watched(program, sent, "waits", Acknowledged(waiting))
    twice = 0
    for step in spread(steps - 1, SOME):
        told = Acknowledged(waiting)
        killed_before(program, sent, step, "waits", told)
        program.begin("die", chance.randint(1, 60))
        with contextlib.suppress(httpx.HTTPError):
            go_on(program, sent, told)
        if told.finished:
            program.kill()
        else:
            twice += 1
            assert program.gone() == KILLED
        told.finished = {}
        assert restarted(program, sent, told) == expected, f"killed before step {step}, then again"
    print(f"\nkills, and kills while it goes on: {twice} of {SOME} twice, 0 lost, 0 different")
    assert twice > SOME // 3


@pytest.mark.req("RUN-3", "RUN-11")
def test_killed_at_steps_of_a_card_of_300_entries(program: Warm) -> None:
    sent = large_card(300)
    waiting = card_that_waits(program, sent)
    expected, _, steps = watched(program, sent, "waits", Acknowledged(waiting))
    assert len(expected) > 300
    for step in spread(steps - 1, SOME):
        told = Acknowledged(waiting)
        killed_before(program, sent, step, "waits", told)
        assert restarted(program, sent, told) == expected, f"killed before step {step}"
    print(f"\nkills, 300 entries: {SOME} of {steps} steps, 0 lost, 0 different")


def telling(steps: list[str]) -> list[int]:
    """The numbers of the steps to die at: all but the writes into `.pending`, which look alike to a reader.

    Nor the last one, the commit that says `done`: nobody waits for it.
    """
    alike, points, before = re.compile(r"unlink .*/\.pending/\d+"), [], ""
    for number, step in enumerate(steps[:-1], start=1):
        if not alike.match(step) and not (step == "write" and alike.match(before)):
            points.append(number)
        before = step
    return points


def spread(last: int, number: int) -> list[int]:
    """At most so many numbers from 1 to `last`, evenly spread, both ends among them."""
    if number >= last:
        return list(range(1, last + 1))
    return [1 + round(at * (last - 1) / (number - 1)) for at in range(number)]


@pytest.mark.req("CARD-3", "RUN-11")
@pytest.mark.parametrize("file", ["card.json", "preview.json", "read.json"])
def test_killed_while_the_card_is_read(program: Warm, file: str) -> None:
    """The server dies as soon as the reading child has written a file; the child itself may live on."""
    sent = large_card(2000)
    program.put_back()
    program.begin()
    told = Acknowledged()
    dying = threading.Thread(target=until_it_dies, args=(program, sent, told))
    dying.start()
    staging = program.data / "staging"
    wait_until(lambda: list(staging.glob(f"*/{file}")), seconds=60, every=0.001)
    program.kill()
    dying.join()
    assert not told.upload, "the answer waits for the reading"
    (stored,) = uploads_in(program.data)
    program.begin()
    go_on(program, sent, told)
    assert told.upload == stored, "the upload goes on, it is not sent again"
    assert len(result(program, told)) > 2000
    program.kill()


@pytest.mark.req("CARD-3", "CARD-4")
def test_killed_while_a_body_arrives(program: Warm) -> None:
    """Half a file has come: nothing of it is left after the restart, and it can be sent again."""
    sent = large_card(300)
    whole = httpx.Request("POST", "http://x", files={"file": (sent.filename, sent.data * 20)})
    body = whole.read()
    program.put_back()
    program.begin()
    wire = http.client.HTTPConnection("127.0.0.1", program.port)
    with contextlib.closing(wire):
        wire.putrequest("POST", API)
        cookies = {"Cookie": f"sessionid={program.session}; csrftoken={CSRF}", "X-CSRFToken": CSRF}
        for name, value in {**cookies, "Content-Type": whole.headers["Content-Type"]}.items():
            wire.putheader(name, value)
        wire.putheader("Content-Length", str(len(body)))
        wire.endheaders()
        wire.send(body[: len(body) // 2])
        wait_until(lambda: bytes_that_came(program) >= len(body) // 4)
        program.kill()
    assert uploads_in(program.data) == {}
    told = Acknowledged()
    program.begin()
    assert list((program.data / ".uploads").iterdir()) == []
    assert list((program.data / "staging").glob("*")) == []
    go_on(program, sent, told)
    assert len(result(program, told)) > 300
    program.kill()


def bytes_that_came(program: Warm) -> int:
    """How much of a body the server holds on disk, in a file that has no name or a temporary one."""
    size = 0
    for number in Path(f"/proc/{program.pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            if ".uploads" in str(number.readlink()):
                size += number.stat().st_size
    return size
