"""The pure rule: which IP addresses, host names and URLs may be spoken to (PIC-3)."""

from ipaddress import IPv4Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.address import (
    MAX_URL,
    RefusedAddress,
    check_host,
    checked_model_url,
    checked_url,
    listed_origin,
    may_dial,
)
from tests.support.addresses import FORBIDDEN, OTHER_PORTS, PUBLIC, REFUSED_URLS

pytestmark = pytest.mark.req("PIC-3")


@pytest.mark.parametrize("address", FORBIDDEN)
def test_forbidden_address(address: str) -> None:
    assert not may_dial(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_address(address: str) -> None:
    assert may_dial(address)


@pytest.mark.parametrize("text", ["", "a.example", "127.1", "0177.0.0.1", "2130706433", "[::1]", "1.2.3.4 "])
def test_what_is_no_address_is_not_dialled(text: str) -> None:
    assert not may_dial(text)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["::ffff:", "::", "64:ff9b::", "::ffff:0:"]))
def test_no_form_that_embeds_an_ipv4_address_passes(number: int, prefix: str) -> None:
    assert not may_dial(prefix + str(IPv4Address(number)))


@given(st.ip_addresses())
def test_what_the_standard_library_calls_local_never_passes(address: object) -> None:
    parsed = ip_address(str(address))
    if parsed.is_private or parsed.is_loopback or parsed.is_link_local or parsed.is_multicast:
        assert not may_dial(str(parsed))


@pytest.mark.parametrize("url", [*REFUSED_URLS, *OTHER_PORTS], ids=lambda url: ascii(url)[:50])
def test_refused_url(url: str) -> None:
    with pytest.raises(RefusedAddress):
        checked_url(url)


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("http://a.example/x.png", "http://a.example/x.png"),
        ("HTTPS://A.Example/X.png", "https://a.example/X.png"),
        ("https://a.example", "https://a.example/"),
        ("http://a.example:80/x", "http://a.example/x"),
        ("http://a.example:443/x", "http://a.example:443/x"),
        ("https://a.example./x#part", "https://a.example/x"),
        ("https://a.example/x?u=http://127.0.0.1/@", "https://a.example/x?u=http://127.0.0.1/@"),
        ("https://a.example/莉娜.png", "https://a.example/%E8%8E%89%E5%A8%9C.png"),
        ("https://bücher.example/x", "https://xn--bcher-kva.example/x"),
        ("https://a_b.example/x", "https://a_b.example/x"),
        ("http://8.8.8.8/x", "http://8.8.8.8/x"),
        ("http://[2606:4700::1111]/x", "http://[2606:4700::1111]/x"),
        ("http://locals.example/x", "http://locals.example/x"),
    ],
)
def test_url_as_it_is_asked(url: str, asked: str) -> None:
    assert str(checked_url(url)).replace("example?", "example/?").removesuffix("/") == asked.removesuffix("/")


def test_the_longest_address() -> None:
    longest = "http://a.example/".ljust(MAX_URL, "x")
    assert len(str(checked_url(longest))) == MAX_URL
    with pytest.raises(RefusedAddress):
        checked_url(longest + "x")


@given(st.text(max_size=60))
def test_any_text_is_checked_or_refused(text: str) -> None:
    for candidate in (text, f"http://{text}", f"https://{text}/x.png", f"http://a.example/{text}"):
        try:
            url = checked_url(candidate)
        except RefusedAddress:
            continue
        assert url.scheme in ("http", "https")
        check_host(url.raw_host.decode())
        assert not url.userinfo


def https(url: str) -> str:
    return url.replace("http:", "https:", 1)


@pytest.mark.parametrize("url", REFUSED_URLS, ids=lambda url: ascii(url)[:50])
def test_a_model_is_not_at_what_pictures_are_not_fetched_from(url: str) -> None:
    for candidate in (url, https(url)):
        with pytest.raises(RefusedAddress):
            checked_model_url(candidate, frozenset({"http://127.0.0.1:8080", "https://10.0.0.8:443"}))


@pytest.mark.parametrize("address", FORBIDDEN)
@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("port", ["", ":8080"])
def test_a_local_model_must_be_listed_exactly(address: str, scheme: str, port: str) -> None:
    host = f"[{address}]" if ":" in address else address
    url = f"{scheme}://{host}{port}/v1"
    with pytest.raises(RefusedAddress):
        checked_model_url(url)
    if "%" in address:
        return  # a zone is no part of any address, listed or not
    origin = listed_origin(url)
    assert str(checked_model_url(url, frozenset({origin}))).endswith("/v1")
    other_scheme = url.replace("http:", "https:") if scheme == "http" else url.replace("https:", "http:")
    for other in (other_scheme, f"{scheme}://{host}:8081/v1", f"{scheme}://b.{host}{port}/v1"):
        with pytest.raises(RefusedAddress):
            checked_model_url(other, frozenset({origin}))


@pytest.mark.parametrize("port", ["", ":443", ":8443", ":22"])
def test_a_public_model_is_at_any_port_and_over_tls_only(port: str) -> None:
    assert str(checked_model_url(f"https://models.example{port}/v1")).endswith("/v1")
    with pytest.raises(RefusedAddress):
        checked_model_url(f"http://models.example{port}/v1")
    listed = frozenset({listed_origin(f"http://models.example{port}")})
    assert checked_model_url(f"http://models.example{port}/v1", listed)


@pytest.mark.parametrize(
    ("written", "origin"),
    [
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080"),
        ("HTTP://LocalHost/", "http://localhost:80"),
        ("https://a.example.", "https://a.example:443"),
        ("https://a.example:443/v1?x#y", "https://a.example:443"),
        ("http://[::1]:11434", "http://[::1]:11434"),
        ("http://ollama:11434", "http://ollama:11434"),
    ],
)
def test_the_list_holds_scheme_name_and_port(written: str, origin: str) -> None:
    assert listed_origin(written) == origin


@pytest.mark.parametrize(
    "written", ["", "a.example:80", "ftp://a.example", "http://", "http://u:p@a.example"]
)
def test_what_cannot_be_listed(written: str) -> None:
    with pytest.raises(RefusedAddress):
        listed_origin(written)
