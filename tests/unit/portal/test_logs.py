"""One event, one line: names from outside cannot forge a second one."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator

import pytest

from portal.logs import OneLine, WithRequestId, request_id

FORMAT = "%(levelname)s [%(request_id)s] %(message)s"


@pytest.fixture(autouse=True)
def outside_of_requests() -> Iterator[None]:
    token = request_id.set("-")
    yield
    request_id.reset(token)


def line(message: str, *args: object, **more: object) -> str:
    record = logging.makeLogRecord({"levelname": "INFO", "msg": message, "args": args, **more})
    WithRequestId().filter(record)
    return OneLine(FORMAT).format(record)


@pytest.mark.parametrize("break_", ["\r\n", "\n", "\x0b", "\x1b[2K", "\x85", "\u2028", "\u2029", "\x00"])
def test_breaks_are_escaped(break_: str) -> None:
    shown = line("name: %s", f"ana{break_}INFO [-] forged")
    assert len(shown.splitlines()) == 1
    assert "\x1b" not in shown
    assert "\x00" not in shown


def test_text_of_any_script_stays() -> None:
    assert line("名字: %s\t|", "林娜") == "INFO [-] 名字: 林娜\t|"


def test_the_number_of_the_request_is_on_the_line() -> None:
    request_id.set("7f3a-21c4")
    assert line("x") == "INFO [7f3a-21c4] x"


def test_a_stack_trace_is_indented_below_its_line() -> None:
    try:
        raise ValueError("bad\nINFO [-] forged")
    except ValueError:
        shown = line("it failed", exc_info=sys.exc_info())
    first, *rest = shown.splitlines()
    assert first == "INFO [-] it failed"
    assert rest
    assert all(row.startswith("    ") for row in rest)
