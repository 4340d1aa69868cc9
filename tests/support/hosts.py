"""Tests speak to this machine only: a pytest plugin that ends every attempt to reach another host.

It listens to the interpreter's audit events, so a connection is stopped wherever it is opened, also inside a
library. Subprocesses have an interpreter of their own and are not seen.
"""

from __future__ import annotations

import sys
from ipaddress import ip_address
from typing import Any

ALLOWED_NAMES = {"", "localhost"}


class ReachedOut(AssertionError):
    """A test tried to look up or to reach a host other than this machine."""


def is_this_machine(host: Any) -> bool:
    """Whether a host as given to the socket functions (text, bytes or nothing) is this machine."""
    if isinstance(host, bytes | bytearray):
        host = bytes(host).decode("ascii", "replace")
    if host is None or host in ALLOWED_NAMES:
        return True
    try:
        address = ip_address(str(host))
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def refuse_other_hosts(event: str, args: tuple[Any, ...]) -> None:
    """The audit hook: look-ups and connections to other hosts raise; socket files and loopback pass.

    Raises:
        ReachedOut: the event is about another host.
    """
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = args[1]
        if isinstance(address, tuple) and not is_this_machine(address[0]):
            raise ReachedOut(f"{event} to {address[0]!r}")
    elif event in ("socket.getaddrinfo", "socket.gethostbyname") and not is_this_machine(args[0]):
        raise ReachedOut(f"{event} of {args[0]!r}")


def pytest_configure() -> None:
    """Start listening; an audit hook stays for the life of the process, so it is added once."""
    if not getattr(sys, "_tests_stay_here", False):
        sys.addaudithook(refuse_other_hosts)
        sys._tests_stay_here = True  # type: ignore[attr-defined]
