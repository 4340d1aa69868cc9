import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.card.addresses import addresses_in, may_be_picture, web_addresses_in
from tests.support.timing import assert_linear

PICTURE = "https://pics.example/a/b.png"


@pytest.mark.req("CARD-5")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"see {PICTURE}.", [PICTURE]),
        (f"看这里：{PICTURE}。很好", [PICTURE]),
        (f"{PICTURE}这张图", [PICTURE]),
        (f"（{PICTURE}）", [PICTURE]),
        (f"![x]({PICTURE})and", [PICTURE]),
        ("![x](https://pics.example/a_(1).png) b", ["https://pics.example/a_(1).png"]),
        (
            f"body{{background:url({PICTURE}),url('https://pics.example/c.gif')}}",
            [PICTURE, "https://pics.example/c.gif"],
        ),
        (f"<img src='{PICTURE}'>", [PICTURE]),
        (f"<img src={PICTURE}>", [PICTURE]),
        (r'{"src":"https:\/\/pics.example\/a\/b.png"}', [PICTURE]),
        (r"{\"src\":\"https:\\/\\/pics.example\\/a\\/b.png\"}", [PICTURE]),
        (r'"https:\u002F\u002Fpics.example\u002Fa\u002Fb.png"', [PICTURE]),
        (r"'https://pics.example/a/b.png\n'", [PICTURE]),
        ("https://pics.example/i?a=1&amp;b=2", ["https://pics.example/i?a=1&b=2"]),
        ("&quot;https://pics.example/a/b.png&quot;", [PICTURE]),
        (f"[img]{PICTURE}[/img]", [PICTURE]),
        (f"**{PICTURE}**", [PICTURE]),
        (f"{PICTURE},https://pics.example/2.webp", [PICTURE, "https://pics.example/2.webp"]),
        (
            "https://proxy.example/?url=https://pics.example/1.png",
            ["https://proxy.example/?url=https://pics.example/1.png"],
        ),
        ("HTTPS://PICS.EXAMPLE/A.PNG", ["HTTPS://PICS.EXAMPLE/A.PNG"]),
        ("https://pics.example/图/莉娜.png", ["https://pics.example/图/莉娜.png"]),
        ("https://pics.example/${name}.png https://pics.example/{{char}}.png", []),
        ("https://pics.example/page.html and https://pics.example/app.js", []),
        ("<svg xmlns='http://www.w3.org/2000/svg'>", []),
        ("http:// and https:/// and http://[::1", []),
        (f"{PICTURE} {PICTURE}", [PICTURE]),
        ("ftp://pics.example/a.png", []),
    ],
)
def test_an_address_is_found_however_it_is_quoted(text: str, found: list[str]) -> None:
    assert addresses_in(text) == found


@pytest.mark.req("PIC-1")
@pytest.mark.parametrize(
    ("address", "verdict"),
    [
        ("https://p.example/a.png", True),
        ("https://p.example/a.JPEG?x=1", True),
        ("https://p.example/a.webp#x", True),
        ("https://p.example/a.gif", True),
        ("https://p.example/a.jpg:large", True),
        ("https://p.example/a", True),
        ("https://p.example/", True),
        ("https://p.example/a.css", False),
        ("https://p.example/a.mp3?cover=x.png", False),
        ("https://p.example/a.pngx", False),
    ],
)
def test_which_addresses_may_be_pictures(address: str, verdict: bool) -> None:
    assert may_be_picture(address) is verdict


@given(st.text())
def test_any_text_gives_addresses_that_are_addresses(text: str) -> None:
    for address in web_addresses_in(text + "http://" + text):
        assert address.lower().startswith(("http://", "https://"))
        assert not any(character.isspace() for character in address)


@pytest.mark.parametrize(
    "unit",
    [
        "http://",
        "https:\\",
        "http:/",
        "https://a(",
        "https://a.png,",
        "h",
        "https://" + "\\" * 50,
        "&amp;https:",
    ],
)
def test_hostile_text_costs_linear_time(unit: str) -> None:
    assert_linear(web_addresses_in, unit, 800_000)
