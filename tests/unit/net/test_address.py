"""The pure rule: which IP addresses, host names and URLs may be spoken to (PIC-3)."""

from ipaddress import IPv4Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.address import MAX_URL, RefusedAddress, check_host, checked_url, may_dial

pytestmark = pytest.mark.req("PIC-3")

BAD = [
    "127.0.0.1",
    "127.255.255.254",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.5",
    "169.254.169.254",
    "100.64.0.1",
    "100.127.255.255",
    "0.0.0.0",
    "0.1.2.3",
    "192.0.0.170",
    "192.0.2.9",
    "192.31.196.1",
    "192.52.193.1",
    "192.88.99.1",
    "192.175.48.6",
    "198.18.5.5",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.7",
    "224.0.0.251",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::127.0.0.1",
    "::ffff:0:8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::",
    "2001:0:7f00:1::1",
    "2001:db8::1",
    "2620:4f:8000::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "2a00:1450::5efe:7f00:1",
    "2a00:1450::200:5efe:7f00:1",
]
FINE = [
    "8.8.8.8",
    "172.15.255.255",
    "172.32.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "223.255.255.255",
    "168.63.129.17",
    "11.0.0.0",
    "2606:4700::1111",
    "2a00:1450::1",
    "2001:200::1",
    "3fff:1000::1",
]


@pytest.mark.parametrize("address", BAD)
def test_forbidden_address(address: str) -> None:
    assert not may_dial(address)


@pytest.mark.parametrize("address", FINE)
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


REFUSED_URLS = [
    "http://2130706433/a.png",
    "http://0x7f.1/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://127.1/",
    "http://1.2.3.4.5/",
    "http://a.127/",
    "http://a.0x1/",
    "http://[::ffff:7f00:1]/",
    "http://[fe80::1%25eth0]/",
    "http://[::1",
    "http://[v1.a]/",
    "http://localhost/",
    "http://localhost./",
    "http://LOCALHOST/",
    "http://x.localhost/",
    "http://printer.local/",
    "http://metadata.google.internal/",
    "http://nas.home.arpa/",
    "http://127。0。0。1/",
    "http://127.0.0.1./",
    "http://u:p@a.example/",
    "http://u@a.example/",
    "http://@a.example/",
    "http://:@a.example/",
    "http://a.example@127.0.0.1/",
    "http://127.0.0.1\\@a.example/",
    "http://a.example\\/x",
    "http://a.example:8080/",
    "http://a.example:22/",
    "http://a.example:0/",
    "http://a.example:99999/",
    "http://a.example:-1/",
    "ftp://a.example/x.png",
    "file:///etc/hostname",
    "data:image/png;base64,iVBORw0KGgo=",
    "gopher://a.example/",
    "//a.example/x.png",
    "a.example/x.png",
    "/x.png",
    "",
    "http:",
    "http://",
    "http:///x",
    "http://?x",
    "http://.../",
    "http://a..example/",
    "http://.a.example/",
    "http://a.example../",
    "http://-a.example/",
    "http://a-.example/",
    "http://a%2eexample/",
    "http://a.exam\tple/",
    "http://a.example/a b",
    "http://a.example/a\nb",
    "http://a.example/\x00",
    "http://a.example/\u00a0",
    "http://a.example/\u3000x",
    " http://a.example/",
    "http://a.example/" + "x" * 10_000,
    "http://" + "a" * 64 + ".example/",
    "http://" + ".".join(["a" * 60] * 5) + "/",
    "http://\ud800.example/",
    "http://a.example/\ud800",
]


@pytest.mark.parametrize("url", REFUSED_URLS, ids=lambda url: ascii(url)[:50])
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
