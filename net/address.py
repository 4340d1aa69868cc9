"""Which addresses the program may speak to (PIC-3): a pure rule over URLs, host names and IP addresses.

The standard library's `is_private` and `is_global` let many forbidden ranges through, so the ranges are
listed here. Nothing in this module looks a name up; `net.transport` applies the rule again to what a name
resolved to.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

import httpx

PORTS = {"http": 80, "https": 443}
MAX_URL = 8_000  # characters; longer than any address a picture host gives out

REFUSED_V4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared between a provider's customers
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a cloud's platform address, although it looks public
        "169.254.0.0/16",  # link-local, cloud metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
# Everything that embeds an IPv4 address in the low half (mapped, compatible, NAT64) and every local or
# multicast range lies outside of 2000::/3, so only what is special within it needs a line.
ALLOWED_V6 = IPv6Network("2000::/3")
REFUSED_V6 = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # Teredo, ORCHID, benchmarking
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)
ISATAP = (0x00005EFE, 0x02005EFE)  # upper half of an interface id that embeds an IPv4 address

LOCAL_NAMES = ("localhost", "local", "internal", "home.arpa")
LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
BLANK_OR_CONTROL = re.compile(r"[\s\x00-\x20\x7f-\xa0\\]")


class RefusedAddress(Exception):
    """An address that the rule forbids. `reason` is for the log only: a person is told no more than that the
    address did not answer, so that nobody can use the program to look around in its network."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def may_dial(address: str) -> bool:
    """Whether an IP address (as text, without brackets or zone) is a public one that may be connected to."""
    if "%" in address:
        return False
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, IPv4Address):
        return not any(parsed in network for network in REFUSED_V4)
    return _may_dial_v6(parsed)


def _may_dial_v6(address: IPv6Address) -> bool:
    if address not in ALLOWED_V6 or any(address in network for network in REFUSED_V6):
        return False
    return (int(address) >> 32) & 0xFFFFFFFF not in ISATAP


def is_literal(host: str) -> bool:
    """Whether a host is an IP address written out, as opposed to a name that must be looked up."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def check_host(host: str) -> None:
    """Apply the rule to a host as it stands in an address: a name in ASCII form, or a literal IP address.

    Raises:
        RefusedAddress: a forbidden literal, a local name, another spelling of a number, or no host name.
    """
    if is_literal(host):
        if not may_dial(host):
            raise RefusedAddress("literal address outside of the public network")
        return
    labels = host.split(".")
    if len(host) > 253 or not all(LABEL.fullmatch(label) for label in labels):
        raise RefusedAddress("not a host name")
    if labels[-1].isdigit() or labels[-1].startswith("0x"):
        # Resolvers read 2130706433, 0x7f.1 and 127.1 as loopback.
        raise RefusedAddress("a number that is not a plain dotted address")
    if any(host == name or host.endswith("." + name) for name in LOCAL_NAMES):
        raise RefusedAddress("a name of the local network")


def checked_url(url: str) -> httpx.URL:
    """The address as it may be requested: without fragment and without the dot that may end a host name.

    Raises:
        RefusedAddress: not http or https, credentials, another port than 80 or 443, a forbidden host,
            white space, control characters or a backslash inside, longer than `MAX_URL` characters.
    """
    parsed, host = _taken_apart(url)
    if parsed.port is not None and parsed.port not in PORTS.values():
        raise RefusedAddress("a port other than 80 and 443")
    check_host(host)
    return parsed.copy_with(host=host, fragment=None)


def checked_model_url(url: str, listed: frozenset[str] = frozenset()) -> httpx.URL:
    """The address of a model service as it may be requested (D43): https to the public network on any port,
    or whatever the host has listed as an exact `scheme://host:port`.

    Raises:
        RefusedAddress: as `checked_url`; plain http and local addresses only when they are not listed.
    """
    parsed, host = _taken_apart(url)
    wanted = parsed.copy_with(host=host, fragment=None)
    if origin_of(wanted) in listed:
        return wanted
    if parsed.scheme != "https":
        raise RefusedAddress("plain http and not listed")
    check_host(host)
    return wanted


def listed_origin(url: str) -> str:
    """The `scheme://host:port` by which an address is listed; its path is left out.

    Raises:
        RefusedAddress: not an http or https address, or credentials inside.
    """
    parsed, host = _taken_apart(url)
    if not host:
        raise RefusedAddress("no host name")
    return origin_of(parsed.copy_with(host=host))


def origin_of(url: httpx.URL) -> str:
    """`scheme://host:port` with the port always written, as the host's list holds it."""
    host = url.raw_host.decode("ascii")
    port = PORTS[url.scheme] if url.port is None else url.port
    return f"{url.scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _taken_apart(url: str) -> tuple[httpx.URL, str]:
    """An http or https address without credentials, and its host in ASCII form without a dot at its end."""
    if len(url) > MAX_URL:
        raise RefusedAddress("longer than an address may be")
    if BLANK_OR_CONTROL.search(url):
        raise RefusedAddress("white space, a control character or a backslash inside")
    try:
        parsed = httpx.URL(url)
        host = parsed.raw_host.decode("ascii").removesuffix(".")
    except (httpx.InvalidURL, ValueError) as error:
        raise RefusedAddress("not an address") from error
    if parsed.scheme not in PORTS:
        raise RefusedAddress("neither http nor https")
    if parsed.userinfo or "@" in _authority(url):
        raise RefusedAddress("credentials inside")
    if parsed.port is not None and not 0 < parsed.port < 65_536:
        raise RefusedAddress("no port has that number")
    return parsed, host


def _authority(url: str) -> str:
    """What stands between `//` and the path, as written: the parser forgets an empty `@`."""
    rest = url.partition("//")[2]
    return re.split(r"[/?#]", rest, maxsplit=1)[0]
